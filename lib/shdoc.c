#include <stdlib.h>
#include <string.h>

#include "shdoc.h"

int
shdoc_announce(struct shdocs *d, struct shtext *t)
{
	struct shdoc *h;
	int flags;

	grow(&d->v, &d->cap, d->n, sizeof(*d->v));
	h = &d->v[d->n++];
	memset(h, 0, sizeof(*h));
	h->mine = 1;
	t->i += 2;
	if (shword_peek(t, 0) == '-') {
		h->tabs = 1;
		t->i++;
	}
	shword_blanks(t);
	if (shword_get(t, &h->end, &flags) < 0)
		return -1;
	h->quoted = flags & SHWORD_QUOTED;
	if (h->end.n == 0 || (flags & SHWORD_EXPANDS))
		return shword_bad(t, "expected a word behind <<");
	return 0;
}

int
shdoc_claim(struct shdocs *d, int reads)
{
	size_t i;
	int fed = 0;

	for (i = 0; i < d->n; i++) {
		if (d->v[i].mine && reads)
			fed = d->v[i].run = 1;
		d->v[i].mine = 0;
	}
	return fed;
}

/* Append the body of h, which starts at i, to b. */
static int
body(struct shtext *t, struct shdoc *h, struct buf *b)
{
	const char *line, *nl;
	size_t n;

	while (t->i < t->n) {
		line = t->s + t->i;
		nl = memchr(line, '\n', t->n - t->i);
		n = nl != NULL ? (size_t)(nl - line) : t->n - t->i;
		t->i += nl != NULL ? n + 1 : n;
		for (; h->tabs && n > 0 && *line == '\t'; n--)
			line++;
		if (n == h->end.n && memcmp(line, buf_cstr(&h->end), n) == 0)
			return 0;
		buf_add(b, line, n);
		buf_putc(b, '\n');
	}
	return shword_bad(t, "expected the end of a here-document");
}

/* The commands in a body's expansions: t reads that text for a while. */
static int
expansions(struct shtext *t, const char *s, size_t n)
{
	struct shtext outer = *t;
	struct buf w = { 0 };
	int r = 0;

	t->s = s;
	t->n = n;
	for (t->i = 0; r == 0 && t->i < n;) {
		if (s[t->i] == '$' || s[t->i] == '`')
			r = shword_expand(t, &w);
		else
			t->i += s[t->i] == '\\' && t->i + 1 < n ? 2 : 1;
	}
	t->s = outer.s;
	t->n = outer.n;
	t->i = outer.i;
	buf_free(&w);
	return r;
}

int
shdoc_read(struct shdocs *d, struct shtext *t)
{
	struct shdocs own = *d;
	struct buf b = { 0 };
	size_t i;
	int r = 0;

	/* A body that announces further ones must not change this list. */
	memset(d, 0, sizeof(*d));
	for (i = 0; r == 0 && i < own.n; i++) {
		buf_reset(&b);
		r = body(t, &own.v[i], &b);
		if (r == 0 && !own.v[i].quoted)
			r = expansions(t, buf_cstr(&b), b.n);
		if (r == 0 && own.v[i].run)
			r = t->line(t, buf_cstr(&b), b.n);
	}
	if (r == 0 && d->n > 0)
		r = shword_bad(t, "expected no here-document in another");
	buf_free(&b);
	shdoc_free(&own);
	return r;
}

void
shdoc_free(struct shdocs *d)
{
	size_t i;

	for (i = 0; i < d->n; i++)
		buf_free(&d->v[i].end);
	free(d->v);
	memset(d, 0, sizeof(*d));
}
