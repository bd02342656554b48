#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "display.h"
#include "emit.h"
#include "jsonrepair.h"
#include "reply.h"
#include "out.h"
#include "settings.h"
#include "textcalls.h"
#include "waiting.h"

enum {
	LONGEST = 1024, /* more than this between two tags is text */
	SETTLE_TRIES = 1000
};

enum match { NO, YES, MORE };

void
tagfilter_reset(struct tagfilter *h, const struct strs *names)
{
	size_t i;

	for (i = 0; i < h->ntags; i++) {
		strs_free(&h->tag[i].texts);
	}
	h->ntags = 0;
	for (i = 0; names != NULL && i < names->n; i++) {
		grow(&h->tag, &h->tagcap, h->ntags, sizeof(*h->tag));
		memset(&h->tag[h->ntags], 0, sizeof(*h->tag));
		h->tag[h->ntags++].name = names->v[i];
	}
	buf_reset(&h->out);
	buf_reset(&h->pending);
	h->ncuts = h->at = 0;
	h->eat = h->ticks = h->fenced = h->code = 0;
	h->start = 1;
}

/* The byte before h->at is not in out. */
static void
drop(struct tagfilter *h, size_t n)
{
	struct tagfilter_cut *c;

	if (h->ncuts > 0) {
		c = &h->cut[h->ncuts - 1];
		if (c->at + c->n == h->at - n) {
			c->n += n;
			return;
		}
	}
	grow(&h->cut, &h->cutcap, h->ncuts, sizeof(*h->cut));
	c = &h->cut[h->ncuts++];
	c->at = h->at - n;
	c->n = n;
}

/* Three backticks at the start of a line open or close a block of code,
 * others a piece of the line. */
static void
show(struct tagfilter *h, char c)
{
	buf_putc(&h->out, c);
	if (c == '\n') {
		h->start = 1;
		h->ticks = h->code = 0;
	} else if (c == '`' && h->start) {
		h->code = ++h->ticks % 2;
		if (h->ticks == 3) {
			h->fenced = !h->fenced;
			h->start = h->code = 0;
		}
	} else if (c == '`') {
		h->code = !h->code;
	} else if (c != ' ' && c != '\t') {
		h->start = 0;
	}
}

static int
blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Is what is pending the beginning of a tag, or all of it?  *i: which. */
static enum match
tag(const struct tagfilter *h, size_t *i)
{
	const char *p = h->pending.p;
	size_t n = h->pending.n, len;
	enum match m = NO;

	for (*i = 0; *i < h->ntags; ++*i) {
		/* "<NAME>" */
		len = strlen(h->tag[*i].name);
		if (n <= len + 1) {
			if (memcmp(p + 1, h->tag[*i].name, n - 1) == 0)
				m = MORE;
			continue;
		}
		if (memcmp(p + 1, h->tag[*i].name, len) != 0
		    || p[len + 1] != '>')
			continue;
		/* "</NAME>" at the end */
		if (n >= 2 * len + 5 && p[n - 1] == '>'
		    && memcmp(p + n - 1 - len, h->tag[*i].name, len) == 0
		    && memcmp(p + n - 3 - len, "</", 2) == 0)
			return YES;
		return n < LONGEST ? MORE : NO;
	}
	return m;
}

static void
take_tagged(struct tagfilter *h, size_t i)
{
	const char *p = h->pending.p;
	size_t len = strlen(h->tag[i].name), n = h->pending.n - len - 3;

	for (p += len + 2, n -= len + 2; n > 0 && blank(*p); p++)
		n--;
	while (n > 0 && blank(p[n - 1]))
		n--;
	strs_addn(&h->tag[i].texts, p, n);
	drop(h, h->pending.n);
	buf_reset(&h->pending);
	h->eat = h->out.n == 0 || blank(h->out.p[h->out.n - 1]);
}

static void put(struct tagfilter *h, char c);

/* It was none: its first byte is text, what follows may be one still. */
static void
release(struct tagfilter *h)
{
	struct buf b = h->pending;
	size_t i;

	memset(&h->pending, 0, sizeof(h->pending));
	h->at -= b.n;
	for (i = 0; i < b.n; i++) {
		h->at++;
		if (i == 0)
			show(h, b.p[i]);
		else
			put(h, b.p[i]);
	}
	buf_free(&b);
}

static void
put(struct tagfilter *h, char c)
{
	size_t i;

	if (h->pending.n > 0) {
		buf_putc(&h->pending, c);
		switch (tag(h, &i)) {
		case YES: take_tagged(h, i); break;
		case NO: release(h); break;
		case MORE: break;
		}
		return;
	}
	if (h->eat && blank(c)) {
		drop(h, 1);
		return;
	}
	h->eat = 0;
	if (c == '<' && !h->fenced && !h->code)
		buf_putc(&h->pending, c);
	else
		show(h, c);
}

void
tagfilter_feed(struct tagfilter *h, const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		h->at++;
		put(h, s[i]);
	}
}

void
tagfilter_end(struct tagfilter *h, int whole)
{
	if (!whole && h->pending.n > 0) {
		drop(h, h->pending.n);
		buf_reset(&h->pending);
	}
	while (h->pending.n > 0)
		release(h);
}

void
tagfilter_blocks(const struct tagfilter *h, struct blocks *bs)
{
	size_t i, k, from = 0, to, a, z, gone;

	for (i = 0; i < bs->n; i++) {
		if (bs->v[i].kind != BLOCK_TEXT)
			continue;
		to = from + bs->v[i].bytes;
		for (k = 0, gone = 0; k < h->ncuts; k++) {
			a = h->cut[k].at > from ? h->cut[k].at : from;
			z = h->cut[k].at + h->cut[k].n;
			if (z > to)
				z = to;
			gone += z > a ? z - a : 0;
		}
		bs->v[i].bytes -= gone;
		from = to;
	}
}

int
tagfilter_any(const struct tagfilter *h)
{
	size_t i;

	for (i = 0; i < h->ntags; i++)
		if (h->tag[i].texts.n > 0)
			return 1;
	return 0;
}

void
tagfilter_put(const struct tagfilter *h, struct buf *b)
{
	size_t i;

	for (i = 0; i < h->ntags; i++)
		if (h->tag[i].texts.n > 0)
			emit_strs(b, h->tag[i].name, &h->tag[i].texts);
}

void
tagfilter_free(struct tagfilter *h)
{
	tagfilter_reset(h, NULL);
	free(h->tag);
	free(h->cut);
	buf_free(&h->out);
	buf_free(&h->pending);
	memset(h, 0, sizeof(*h));
}

struct display_options display_options;

static int midline; /* the deltas so far end without a newline */

void
display_begin(struct display *d, const struct json *request)
{
	char *hide = json_dup(request, json_get(request, 0, "hide"));

	d->request = request;
	strs_reset(&d->hide);
	if (hide != NULL)
		strs_split(&d->hide, hide);
	free(hide);
	d->shown = d->fed = d->doubted = 0;
	d->ended = 0;
	d->doubtful = -1;
	tagfilter_reset(&d->filter, &d->hide);
}

/* A delta record: of n bytes of text, or of what a tag of this name said. */
static void
put_delta(const struct display *d, const char *tag, const char *s, size_t n)
{
	static struct buf b;
	struct span id = {NULL, 0};

	waiting_end();
	if (d != NULL)
		id = json_span(d->request, json_get(d->request, 0, "id"));
	emit_open(&b, '{');
	emit_pair(&b, "type", "delta");
	if (id.n > 0)
		emit_pairj(&b, "id", id);
	if (tag != NULL)
		emit_pair(&b, "tag", tag);
	emit_pairn(&b, "text", s, n);
	emit_close(&b, '}');
	midline = tag == NULL && s[n - 1] != '\n';
	out_record(&b);
	out_flush();
}

static void
show_text(struct display *d, const struct buf *t)
{
	size_t n = halves_shown(t);

	if (n > d->shown)
		put_delta(d, NULL, t->p + d->shown, n - d->shown);
	d->shown = n;
}

void
display_over(void)
{
	midline = 0;
}

void
display_settle(void)
{
	const struct timespec pause = {0, 2000000};
	int i, n = 1;

	if (midline && isatty(STDERR_FILENO))
		put_delta(NULL, NULL, "\n", 1);
	midline = 0;
	if (!display_options.deltas || !isatty(STDERR_FILENO)
	    || isatty(STDOUT_FILENO))
		return;
	for (i = 0; i < SETTLE_TRIES && n > 0; i++) {
		if (ioctl(STDOUT_FILENO, FIONREAD, &n) < 0)
			return;
		nanosleep(&pause, NULL);
	}
}

/* What came in the tags of llmcall.status_tags. */
static void
show_tags(struct display *d)
{
	static struct strs names;
	static int asked;
	struct tagfilter_tag *t;

	if (!asked)
		settings_strs("llmcall.status_tags", &names);
	asked = 1;
	for (t = d->filter.tag; t < d->filter.tag + d->filter.ntags; t++)
		for (; t->shown < t->texts.n; t->shown++)
			if (strs_find(&names, t->name) >= 0)
				put_delta(d, t->name, t->texts.v[t->shown],
				    strlen(t->texts.v[t->shown]));
}

/*
 * Take in what has come; show it as well, tag by tag, so that what a tag said
 * stands where it was.
 */
static void
take_text(struct display *d, const struct buf *t, int showing)
{
	size_t n = halves_shown(t), len;
	const char *end;

	while (d->fed < n) {
		end = memchr(t->p + d->fed, '>', n - d->fed);
		len = end != NULL ? (size_t)(end + 1 - t->p) - d->fed
				  : n - d->fed;
		tagfilter_feed(&d->filter, t->p + d->fed, len);
		d->fed += len;
		if (showing) {
			show_text(d, &d->filter.out);
			show_tags(d);
		}
	}
	if (showing)
		show_text(d, &d->filter.out);
}

/*
 * May it all be a call?  Looked at when an eighth more has come, for each
 * look goes through all of it.
 */
static int
may_be_call(struct display *d, const struct reply *r)
{
	struct span t = {r->text.p, r->text.n};

	if (d->doubtful < 0)
		d->doubtful = textcalls_expected(d->request);
	if (!d->doubtful || t.n < d->doubted || t.n == 0)
		return d->doubtful;
	d->doubtful = textcalls_begun(d->request, t);
	d->doubted = t.n + t.n / 8 + 1;
	return d->doubtful;
}

void
display_show(struct display *d, const struct reply *r)
{
	if (!display_options.deltas || d->ended || may_be_call(d, r))
		return;
	if (d->hide.n > 0)
		take_text(d, &r->text, 1);
	else
		show_text(d, &r->text);
}

void
display_end(struct display *d, struct reply *r, int whole)
{
	struct buf *t = &r->text;

	if (d->ended)
		return;
	if (d->hide.n > 0) {
		take_text(d, t, display_options.deltas);
		tagfilter_end(&d->filter, whole);
		tagfilter_blocks(&d->filter, &r->blocks);
		buf_reset(t);
		buf_span(t, buf_view(&d->filter.out));
	}
	d->ended = 1;
	if (display_options.deltas)
		show_text(d, t);
}

void
display_drop(struct display *d, struct reply *r)
{
	size_t i;

	for (i = 0; i < r->blocks.n; i++)
		r->blocks.v[i].bytes = 0;
	buf_reset(&r->text);
	tagfilter_reset(&d->filter, NULL);
	d->shown = 0;
	d->ended = 1;
}

void
display_free(struct display *d)
{
	tagfilter_free(&d->filter);
	strs_free(&d->hide);
}
