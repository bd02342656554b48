#include <string.h>

#include "template.h"

static int
isname(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
	    || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

int
template_isname(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && isname((unsigned char)s[i]))
		i++;
	return n > 0 && i == n;
}

/* Length of the name in the hole that s begins with; 0 if there is none. */
static size_t
hole(const char *s, size_t n)
{
	size_t i = 2;

	if (n < 5 || s[0] != '{' || s[1] != '{')
		return 0;
	while (i < n && isname((unsigned char)s[i]))
		i++;
	return i > 2 && n - i >= 2 && s[i] == '}' && s[i + 1] == '}' ? i - 2
								     : 0;
}

size_t
template_expand(
    struct buf *b, const char *s, size_t n, template_fill *fill, void *arg)
{
	const char *end = s + n, *p;
	size_t len, start, unknown = 0;

	while (s < end) {
		p = memchr(s, '{', (size_t)(end - s));
		if (p == NULL)
			p = end;
		buf_add(b, s, (size_t)(p - s));
		if (p == end)
			break;
		len = hole(p, (size_t)(end - p));
		start = b->n;
		s = len > 0 ? p + len + 4 : p + 1;
		if (len > 0 && fill(b, p + 2, len, arg))
			continue;
		b->n = start; /* whatever fill began */
		buf_add(b, p, (size_t)(s - p));
		unknown += len > 0;
	}
	return unknown;
}

static int
fill_hole(struct buf *b, const char *name, size_t n, void *arg)
{
	const struct hole *h = *(const struct hole **)arg;

	while (h->name != NULL && !span_is((struct span){name, n}, h->name))
		h++;
	if (h->name == NULL)
		return 0;
	buf_span(b, h->value);
	return 1;
}

size_t
template_holes(
    struct buf *b, const char *s, size_t n, const struct hole *holes)
{
	return template_expand(b, s, n, fill_hole, &holes);
}
