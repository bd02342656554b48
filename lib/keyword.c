#include <string.h>

#include "keyword.h"
#include "utf8.h"

void
keyword_fold(struct buf *b, const char *s, size_t n)
{
	uint32_t cp;
	size_t len;

	for (; n > 0; s += len, n -= len) {
		len = utf8_get(s, n, &cp);
		if (len == 0) {
			len = 1;
			cp = 0xfffd;
		}
		if (cp == ' ' || cp == '\t' || cp == '\n' || cp == '\r') {
			if (b->n > 0 && b->p[b->n - 1] != ' ')
				buf_putc(b, ' ');
		} else {
			utf8_put(b, utf8_lower(cp));
		}
	}
	while (b->n > 0 && b->p[b->n - 1] == ' ')
		b->n--;
}

/* The character that ends before at, or starts there; 0 at the edges. */
static int
word_before(const struct buf *t, size_t at)
{
	uint32_t cp;
	size_t i = at;

	if (at == 0)
		return 0;
	do
		i--;
	while (i > 0 && ((unsigned char)t->p[i] & 0xc0) == 0x80);
	return utf8_get(t->p + i, at - i, &cp) > 0 && utf8_isword(cp);
}

static int
word_at(const struct buf *t, size_t at)
{
	uint32_t cp;

	return at < t->n && utf8_get(t->p + at, t->n - at, &cp) > 0
	    && utf8_isword(cp);
}

int
keyword_in(const struct buf *text, const struct buf *key)
{
	int first, last;
	size_t i;

	if (key->n == 0)
		return 0;
	first = word_at(key, 0);
	last = word_before(key, key->n);
	for (i = 0; i + key->n <= text->n; i++) {
		if (text->p[i] != key->p[0]
		    || memcmp(text->p + i, key->p, key->n) != 0)
			continue;
		if ((!first || !word_before(text, i))
		    && (!last || !word_at(text, i + key->n)))
			return 1;
	}
	return 0;
}
