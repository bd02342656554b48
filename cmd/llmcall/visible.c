#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "answer.h"
#include "diag.h"
#include "halves.h"
#include "leak.h"
#include "visible.h"

static int midline; /* text on a terminal stands without its newline */

/* Which tags: as an option says, else the request. */
static void
choose(struct call *c)
{
	const struct strs *o = &call_options.hide;
	char *own = json_dup(&c->json, json_get(&c->json, 0, "hide"));
	size_t i;

	strs_reset(&c->hide);
	for (i = 0; i < o->n; i++)
		strs_add(&c->hide, o->v[i]);
	if (o->n == 0 && own != NULL)
		strs_split(&c->hide, own);
	free(own);
}

void
visible_begin(struct call *c)
{
	choose(c);
	c->shown = c->fed = c->doubted = 0;
	c->ended = 0;
	c->doubtful = -1;
	holdback_reset(&c->held, &c->hide);
}

static int
isseen(void)
{
	return call_options.deltas || call_options.textfd >= 0;
}

static const struct buf *
visible(struct call *c)
{
	const struct buf *t = &c->delta.text;
	size_t n = halves_shown(t);

	if (c->ended || c->hide.n == 0)
		return t;
	if (n > c->fed)
		holdback_feed(&c->held, t->p + c->fed, n - c->fed);
	c->fed = n;
	return &c->held.out;
}

/* The text goes on as it comes; what can not be written there is let go. */
static void
pass(struct call *c, const struct buf *t)
{
	size_t n = halves_shown(t);
	ssize_t w;

	if (call_options.deltas && n > c->shown)
		answer_delta(c, t->p + c->shown, n - c->shown);
	while (call_options.textfd >= 0 && c->shown < n) {
		w = write(call_options.textfd, t->p + c->shown,
		    n - c->shown);
		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0) {
			warn_sys("write text");
			call_options.textfd = -1;
			break;
		}
		c->shown += (size_t)w;
		midline = t->p[c->shown - 1] != '\n';
	}
	c->shown = n;
}

void
visible_newline(void)
{
	if (midline && isatty(call_options.textfd)
	    && write(call_options.textfd, "\n", 1) < 0)
		call_options.textfd = -1;
	midline = 0;
}

/*
 * May it all be a call?  Looked at when an eighth more has come, for each
 * look goes through all of it.
 */
static int
doubtful(struct call *c)
{
	struct span t = {c->delta.text.p, c->delta.text.n};

	if (c->doubtful < 0)
		c->doubtful = leak_expected(&c->json);
	if (!c->doubtful || t.n < c->doubted || t.n == 0)
		return c->doubtful;
	c->doubtful = leak_begun(&c->json, t);
	c->doubted = t.n + t.n / 8 + 1;
	return c->doubtful;
}

void
visible_show(struct call *c)
{
	if (isseen() && !c->ended && !doubtful(c))
		pass(c, visible(c));
}

void
visible_end(struct call *c, int whole)
{
	struct buf *t = &c->delta.text;

	if (c->ended)
		return;
	if (c->hide.n > 0) {
		visible(c);
		holdback_end(&c->held, whole);
		holdback_blocks(&c->held, &c->delta.blocks);
		buf_reset(t);
		buf_span(t, buf_view(&c->held.out));
	}
	c->ended = 1;
	if (isseen())
		pass(c, t);
}

void
visible_drop(struct call *c)
{
	struct blocks *bs = &c->delta.blocks;
	size_t i;

	for (i = 0; i < bs->n; i++)
		bs->v[i].bytes = 0;
	buf_reset(&c->delta.text);
	holdback_reset(&c->held, NULL);
	c->shown = 0;
	c->ended = 1;
}
