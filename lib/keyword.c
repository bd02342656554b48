#include <string.h>

#include "compose.h"
#include "keyword.h"
#include "utf8.h"

/* Scripts without blanks between words, and Hangul, which glues to them. */
static int
unspaced(uint32_t cp)
{
	return (cp >= 0xe00 && cp < 0xf00) || (cp >= 0x1000 && cp < 0x1200)
	    || (cp >= 0x1780 && cp < 0x1800) || (cp >= 0x2e80 && cp < 0xa000)
	    || (cp >= 0xac00 && cp < 0xd7b0) || (cp >= 0xf900 && cp < 0xfb00)
	    || (cp >= 0x20000 && cp < 0x40000);
}

static int
isword(uint32_t cp)
{
	return utf8_isword(cp) && !unspaced(cp);
}

/* The length of the word's character at s, or 0. */
static size_t
word_at(const char *s, size_t n)
{
	uint32_t cp;
	size_t len = utf8_get(s, n, &cp);

	return len > 0 && isword(cp) ? len : 0;
}

static int
word_before(const char *s, size_t at)
{
	size_t i = at;

	if (at == 0)
		return 0;
	do
		i--;
	while (i > 0 && ((unsigned char)s[i] & 0xc0) == 0x80);
	return word_at(s + i, at - i) > 0;
}

/* Length of the word at s, and where its bit is. */
static size_t
word(const char *s, size_t n, size_t *bit)
{
	size_t i = 0, h = 5381, len;

	while ((len = word_at(s + i, n - i)) > 0)
		for (; len > 0; len--)
			h = h * 33 + (unsigned char)s[i++];
	*bit = (h ^ h >> 14) % KEYWORD_BITS;
	return i;
}

static int
isblank_(uint32_t cp)
{
	return cp <= ' ' || cp == 0xa0 || cp == 0x2028 || cp == 0x2029
	    || cp == 0x3000 || (cp >= 0x2000 && cp <= 0x200a);
}

void
keyword_fold(struct buf *b, const char *s, size_t n)
{
	size_t len, at = b->n, start = b->n;
	uint32_t cp, both, last = 0; /* last: the letter that begins at at */

	for (; n > 0; s += len, n -= len) {
		len = utf8_get(s, n, &cp);
		if (len == 0) {
			len = 1;
			cp = 0xfffd;
		}
		if (isblank_(cp)) {
			if (b->n > start && b->p[b->n - 1] != ' ')
				buf_putc(b, ' ');
			last = 0;
			continue;
		}
		if (cp == 0x2019)
			cp = '\'';
		cp = utf8_lower(cp);
		both = last == 0 ? 0 : compose(last, cp);
		if (both != 0) {
			b->n = at;
			cp = both;
		}
		last = cp;
		at = b->n;
		utf8_put(b, cp);
	}
	while (b->n > start && b->p[b->n - 1] == ' ')
		b->n--;
}

void
keyword_list(struct strs *l, const struct strs *from)
{
	static struct buf b;
	size_t i;

	for (i = 0; i < from->n; i++) {
		buf_reset(&b);
		keyword_fold(&b, from->v[i], strlen(from->v[i]));
		if (b.n > 0)
			strs_addn(l, b.p, b.n);
	}
}

void
keyword_text(struct keyword_text *t, const char *s, size_t n, size_t max)
{
	size_t i, len, bit, cut;

	buf_reset(&t->text);
	memset(t->words, 0, sizeof(t->words));
	if (n > max) {
		cut = utf8_cut(s, n, max / 2);
		keyword_fold(&t->text, s, cut);
		buf_puts(&t->text, " \n "); /* no keyword reaches across */
		cut = utf8_cut(s, n, n - max / 2);
		s += cut;
		n -= cut;
	}
	keyword_fold(&t->text, s, n);
	buf_cstr(&t->text);
	for (i = 0; i < t->text.n; i += len) {
		len = word(t->text.p + i, t->text.n - i, &bit);
		if (len > 0)
			t->words[bit / 8] |= (unsigned char)(1 << bit % 8);
		else /* the byte starts no word's character */
			len = 1;
	}
}

int
keyword_in(const struct keyword_text *t, const char *key)
{
	const char *s = t->text.p, *p;
	size_t n = strlen(key), bit, i;
	int whole;

	if (n == 0 || t->text.n == 0)
		return 0;
	whole = word(key, n, &bit) > 0 && word_before(key, n);
	if (whole && (t->words[bit / 8] & 1 << bit % 8) == 0)
		return 0;
	for (p = s; (p = strstr(p, key)) != NULL; p++) {
		i = (size_t)(p - s);
		if (!whole || (!word_before(s, i)
		    && word_at(s + i + n, t->text.n - i - n) == 0))
			return 1;
	}
	return 0;
}
