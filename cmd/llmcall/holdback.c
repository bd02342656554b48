#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "holdback.h"

enum { LONGEST = 1024 }; /* more than this between two tags is text */

enum match { NO, YES, MORE };

void
holdback_reset(struct holdback *h, const struct strs *names)
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
drop(struct holdback *h, size_t n)
{
	struct holdback_cut *c;

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
show(struct holdback *h, char c)
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
tag(const struct holdback *h, size_t *i)
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
take(struct holdback *h, size_t i)
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

static void put(struct holdback *h, char c);

/* It was none: its first byte is text, what follows may be one still. */
static void
release(struct holdback *h)
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
put(struct holdback *h, char c)
{
	size_t i;

	if (h->pending.n > 0) {
		buf_putc(&h->pending, c);
		switch (tag(h, &i)) {
		case YES: take(h, i); break;
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
holdback_feed(struct holdback *h, const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		h->at++;
		put(h, s[i]);
	}
}

void
holdback_end(struct holdback *h, int whole)
{
	if (!whole && h->pending.n > 0) {
		drop(h, h->pending.n);
		buf_reset(&h->pending);
	}
	while (h->pending.n > 0)
		release(h);
}

void
holdback_blocks(const struct holdback *h, struct blocks *bs)
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
holdback_any(const struct holdback *h)
{
	size_t i;

	for (i = 0; i < h->ntags; i++)
		if (h->tag[i].texts.n > 0)
			return 1;
	return 0;
}

void
holdback_put(const struct holdback *h, struct buf *b)
{
	size_t i;

	for (i = 0; i < h->ntags; i++)
		if (h->tag[i].texts.n > 0)
			emit_strs(b, h->tag[i].name, &h->tag[i].texts);
}

void
holdback_free(struct holdback *h)
{
	holdback_reset(h, NULL);
	free(h->tag);
	free(h->cut);
	buf_free(&h->out);
	buf_free(&h->pending);
	memset(h, 0, sizeof(*h));
}
