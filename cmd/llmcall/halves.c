#include <string.h>

#include "halves.h"
#include "utf8.h"

enum { PLANE = 0x100000, WAITING = 3 };

uint32_t
halves_sign(unsigned u)
{
	return PLANE + u;
}

/* Half at p, and its length; 0 if there is none. */
static unsigned
half(const char *p, size_t n, size_t *len)
{
	const unsigned char *u = (const unsigned char *)p;
	uint32_t cp;

	*len = 0;
	if (n >= WAITING && u[0] == 0xed && u[1] >= 0xa0) {
		*len = WAITING;
		return 0xd000u | (u[1] & 0x3fu) << 6 | (u[2] & 0x3fu);
	}
	if (n < 4 || u[0] != 0xf4)
		return 0;
	*len = utf8_get(p, n, &cp);
	if (*len == 0 || cp < PLANE + 0xd800 || cp > PLANE + 0xdfff) {
		*len = 0;
		return 0;
	}
	return cp - PLANE;
}

static int
isfirst(unsigned u)
{
	return u >= 0xd800 && u < 0xdc00;
}

size_t
halves_shown(const struct buf *b)
{
	size_t len;

	if (b->n < WAITING)
		return b->n;
	return isfirst(half(b->p + b->n - WAITING, WAITING, &len))
	    ? b->n - WAITING : b->n;
}

/* Put b together from offset from on; wait: a first half at its end stays. */
static void
join(struct buf *b, size_t from, int wait)
{
	static struct buf t;
	const char *p, *end;
	unsigned u, v;
	size_t len, next;

	buf_reset(&t);
	if (b->n > from)
		buf_add(&t, b->p + from, b->n - from);
	b->n = from;
	p = t.p;
	end = p + t.n;
	while (p < end) {
		u = half(p, (size_t)(end - p), &len);
		if (len == 0) {
			buf_putc(b, *p++);
			continue;
		}
		p += len;
		v = isfirst(u) ? half(p, (size_t)(end - p), &next) : 0;
		if (v >= 0xdc00) {
			utf8_put(b, 0x10000 + ((u - 0xd800) << 10)
			    + (v - 0xdc00));
			p += next;
		} else if (wait && p == end && isfirst(u)) {
			buf_putc(b, '\xed');
			buf_putc(b, (char)(0x80 | (u >> 6 & 0x3f)));
			buf_putc(b, (char)(0x80 | (u & 0x3f)));
		} else {
			utf8_put(b, 0xfffd);
		}
	}
}

void
halves_added(struct buf *b, size_t from, int joined)
{
	struct buf before = {b->p, from, 0};
	size_t at = halves_shown(&before);

	if (b->n == from)
		return;
	if (at < from && !joined)
		memcpy(b->p + at, "\xef\xbf\xbd", WAITING);
	join(b, joined ? at : from, 1);
}

void
halves_end(struct buf *b)
{
	join(b, 0, 0);
}
