#include <string.h>

#include "utf8.h"
#include "words.h"

enum {
	LOW = 0x3000, /* code points that are looked up but once */
	NOWORD = 0,
	WIDE = 0xff, /* in ascii[]: begins a longer sequence */
	KNOWN = 1 << 16, /* words whose form is known */
	FORMED = 64 /* bytes of a word that has forms */
};

/* A byte's lower case, NOWORD or WIDE. */
static unsigned char ascii[256];
/* The same by code point: lower case + 2, 1 for no word, 0 not known yet. */
static uint32_t low[LOW];

static const uint64_t seed = 14695981039346656037u;

static uint64_t
mix(uint64_t h, uint32_t c)
{
	return (h ^ c) * 1099511628211u;
}

static void
prepare(void)
{
	int c;

	for (c = 0; c < 256; c++)
		ascii[c] = c >= 0x80 ? WIDE
		    : utf8_isword((uint32_t)c)
		    ? (unsigned char)utf8_lower((uint32_t)c)
		    : NOWORD;
}

/* Han, kana and their marks of repetition. */
static int
is_ideograph(uint32_t cp)
{
	return (cp >= 0x3005 && cp <= 0x3007) || (cp >= 0x3040 && cp <= 0x30ff)
	    || (cp >= 0x3400 && cp <= 0x4dbf) || (cp >= 0x4e00 && cp <= 0x9fff)
	    || (cp >= 0xf900 && cp <= 0xfaff)
	    || (cp >= 0x20000 && cp <= 0x3ffff);
}

/* Its lower case, 0 if it belongs to no word. */
static uint32_t
fold(uint32_t cp)
{
	uint32_t v;

	/* Accents of their own; sigma at a word's end; the long s. */
	if (cp >= 0x300 && cp <= 0x36f)
		return cp;
	if (cp == 0x3c2)
		return 0x3c3;
	if (cp == 0x17f)
		return 's';
	if (cp >= LOW)
		return utf8_isword(cp) ? utf8_lower(cp) : 0;
	if (low[cp] == 0)
		low[cp] = utf8_isword(cp) ? utf8_lower(cp) + 2 : 1;
	v = low[cp];
	return v == 1 ? 0 : v - 2;
}

/* Where the reader of a text is. */
struct reader {
	const unsigned char *p, *end;
	uint32_t last; /* the ideograph before p; 0 if it is not one */
	size_t len;    /* bytes of the word just read */
	int pair;      /* it is of ideographs, which have no forms */
};

/* The next word's hash; 0 at the end.  This is where the time goes. */
static uint64_t
next(struct reader *r)
{
	const unsigned char *p = r->p, *start = NULL;
	uint64_t h = seed;
	uint32_t cp, c, before;
	size_t len;

	while (p < r->end) {
		c = ascii[*p];
		len = 1;
		if (c == WIDE) {
			len = utf8_get((const char *)p, (size_t)(r->end - p),
			    &cp);
			c = len == 0 ? NOWORD : fold(cp);
			len += len == 0;
			if (c != NOWORD && is_ideograph(cp)) {
				if (start != NULL)
					break;
				before = r->last;
				r->last = cp;
				r->p = p += len;
				r->len = len;
				r->pair = 1;
				if (before != 0)
					return mix(mix(seed, before), cp);
				/* Alone only if no other follows. */
				if (p < r->end && *p >= 0x80
				    && utf8_get((const char *)p,
					   (size_t)(r->end - p), &cp) > 0
				    && is_ideograph(cp))
					continue;
				return mix(seed, r->last);
			}
		}
		if (c == NOWORD) {
			r->last = 0;
			if (start != NULL)
				break;
			p += len;
			continue;
		}
		if (start == NULL)
			start = p;
		r->last = 0;
		h = mix(h, c);
		p += len;
	}
	r->p = p;
	r->pair = 0;
	r->len = start == NULL ? 0 : (size_t)(p - start);
	return start == NULL ? 0 : h;
}

/* The hash of the form of the word just read, whose own is h. */
static uint64_t
formed(const struct reader *r, uint64_t h, words_form *form)
{
	static struct {
		uint64_t word, form;
	} known[KNOWN];
	static struct buf b;
	const char *p = (const char *)r->p - r->len;
	uint64_t s = seed;
	uint32_t cp;
	size_t i, len, k = h % KNOWN;
	struct span w;

	if (form == NULL || r->pair || r->len > FORMED)
		return h;
	if (known[k].word == h)
		return known[k].form;
	buf_reset(&b);
	for (i = 0; i < r->len; i += len) {
		len = utf8_get(p + i, r->len - i, &cp);
		utf8_put(&b, fold(cp));
	}
	w = form(buf_view(&b));
	for (i = 0; i < w.n; i += len) {
		len = utf8_get(w.p + i, w.n - i, &cp);
		s = mix(s, cp);
	}
	known[k].word = h;
	known[k].form = s;
	return s;
}

static struct reader
reader(const char *s, size_t n)
{
	struct reader r = {NULL, NULL, 0, 0, 0};

	if (ascii[0x80] != WIDE)
		prepare();
	if (n > 0) {
		r.p = (const unsigned char *)s;
		r.end = r.p + n;
	}
	return r;
}

/* Index + 1 of a hash in the query, 0 for none. */
static size_t
find(const struct words *w, uint64_t h)
{
	size_t i;

	for (i = h & 255; w->slot[i] != 0; i = (i + 1) & 255)
		if (w->hash[w->slot[i] - 1] == h)
			return w->slot[i];
	return 0;
}

void
words_stop(struct words_stop *l, const char *word)
{
	struct reader r = reader(word, strlen(word));

	grow(&l->hash, &l->cap, l->n, sizeof(*l->hash));
	l->hash[l->n++] = next(&r);
}

static int
is_stop(const struct words_stop *stop, uint64_t h)
{
	size_t i;

	for (i = 0; stop != NULL && i < stop->n; i++)
		if (stop->hash[i] == h)
			return 1;
	return 0;
}

/* Add a word to the query, if it is another one. */
static void
ask(struct words *w, uint64_t h)
{
	size_t i;

	if (find(w, h) != 0)
		return;
	w->hash[w->n++] = h;
	for (i = h & 255; w->slot[i] != 0; i = (i + 1) & 255)
		;
	w->slot[i] = (unsigned char)w->n;
}

void
words_ask(struct words *w, const char *s, size_t n,
    const struct words_stop *stop)
{
	static uint64_t *all;
	static size_t cap;
	struct reader r = reader(s, n);
	uint64_t h;
	size_t i, k = 0;

	memset(w, 0, sizeof(*w));
	w->form = stop != NULL ? stop->form : NULL;
	while ((h = next(&r)) != 0) {
		if ((r.len <= 2 && r.p[-1] < 0x80
			&& (r.p[-1] < '0' || r.p[-1] > '9'))
		    || is_stop(stop, h))
			continue;
		grow(&all, &cap, k, sizeof(*all));
		all[k++] = formed(&r, h, w->form);
	}
	for (i = 0; i < k && w->n < WORDS_MAX; i++)
		ask(w, all[i % 2 == 0 ? i / 2 : k - 1 - i / 2]);
}

void
words_find(
    const struct words *w, const char *s, size_t n, struct words_found *f)
{
	struct reader r = reader(s, n);
	uint64_t h;
	size_t i;

	f->words = f->n = 0;
	while ((h = next(&r)) != 0) {
		f->words++;
		i = find(w, formed(&r, h, w->form));
		if (i > 0 && f->n < WORDS_HITS)
			f->hit[f->n++] = (unsigned char)(i - 1);
	}
}
