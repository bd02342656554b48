#include <string.h>

#include "emit.h"
#include "gate.h"
#include "jsonrepair.h"
#include "jsonstr.h"
#include "utf8.h"

static unsigned
hex(const char *s, const char *end)
{
	return end - s < 4 ? 0x10000 : jsonstr_hex(s);
}

static size_t
repair(struct buf *b, const char *s, size_t n, int signs)
{
	static struct buf clean;
	const char *p, *end;
	unsigned u, v;
	size_t count = 0;

	buf_reset(&clean);
	utf8_repair(&clean, s, n);
	p = clean.p;
	end = p + clean.n;
	while (p < end) {
		if (*p != '\\' || p + 1 >= end) {
			buf_putc(b, *p++);
			continue;
		}
		u = p[1] == 'u' ? hex(p + 2, end) : 0x10000;
		if (u > 0xffff) {
			buf_add(b, p, 2);
			p += 2;
			continue;
		}
		v = p + 7 < end && p[6] == '\\' && p[7] == 'u'
		    ? hex(p + 8, end) : 0x10000;
		if (u >= 0xd800 && u < 0xdc00 && v >= 0xdc00 && v < 0xe000) {
			buf_add(b, p, 12);
			p += 12;
			continue;
		}
		if (u < 0xd800 || u > 0xdfff) {
			buf_add(b, p, 6);
		} else {
			if (signs)
				utf8_put(b, halves_sign(u));
			else
				buf_puts(b, "\\ufffd");
			count++;
		}
		p += 6;
	}
	return count;
}

void
jsonrepair_text(struct buf *b, const char *s, size_t n)
{
	repair(b, s, n, 0);
}

size_t
jsonrepair_halves(struct buf *b, const char *s, size_t n)
{
	return repair(b, s, n, 1);
}

static int
isobject(const char *s, size_t n)
{
	struct gate g;

	return n > 0 && gate_check(s, n, &g) == 0 && g.isobject;
}

static void
strip_comma(struct buf *b)
{
	while (b->n > 0
	    && (b->p[b->n - 1] == ' ' || b->p[b->n - 1] == '\n'
		|| b->p[b->n - 1] == '\t' || b->p[b->n - 1] == '\r'))
		b->n--;
	if (b->n > 0 && b->p[b->n - 1] == ',')
		b->n--;
}

/* Raw control characters escaped, commas before a closer dropped, what is
 * open at the end closed. */
static void
patch(struct buf *b, const char *s, size_t n)
{
	char stack[JSON_DEPTH];
	size_t depth = 0, i;
	int quoted = 0;

	for (i = 0; i < n; i++) {
		if (quoted) {
			if (s[i] == '\\' && i + 1 < n) {
				buf_add(b, s + i++, 2);
			} else if (s[i] == '\\') {
				continue;
			} else if ((unsigned char)s[i] < ' ') {
				emit_escape(b, s + i, 1);
			} else {
				quoted = s[i] != '"';
				buf_putc(b, s[i]);
			}
			continue;
		}
		if (s[i] == '"') {
			quoted = 1;
		} else if (s[i] == '{' || s[i] == '[') {
			if (depth == sizeof(stack))
				return;
			stack[depth++] = s[i] == '{' ? '}' : ']';
		} else if ((s[i] == '}' || s[i] == ']') && depth > 0) {
			strip_comma(b);
			depth--;
		}
		buf_putc(b, s[i]);
	}
	if (quoted)
		buf_putc(b, '"');
	strip_comma(b);
	if (b->n > 0 && b->p[b->n - 1] == ':')
		buf_puts(b, "null");
	while (depth > 0)
		buf_putc(b, stack[--depth]);
}

struct span
jsonrepair_unfence(struct span s)
{
	const char *p, *end, *from;

	s = span_trim(s);
	end = s.p + s.n;
	if (s.n < 6 || memcmp(s.p, "```", 3) != 0
	    || (p = memchr(s.p, '\n', s.n)) == NULL)
		return s;
	/* The fence that closes ends the text or begins a line, if it came. */
	for (from = end - 3; from > p; from--)
		if (memcmp(from, "```", 3) == 0
		    && (from + 3 == end || from[-1] == '\n')) {
			end = from;
			break;
		}
	while (end[-1] == '`')
		end--;
	return span_trim((struct span){p, (size_t)(end - p)});
}

int
jsonrepair_object(struct buf *b, const char *s, size_t n)
{
	static struct buf t, u;
	struct span in;

	if (isobject(s, n)) {
		buf_add(b, s, n);
		return 0;
	}
	in = jsonrepair_unfence((struct span){s, n});
	if (in.n == 0 || span_is(in, "null")) {
		buf_puts(b, "{}");
		return 1;
	}
	buf_reset(&t);
	buf_reset(&u);
	jsonrepair_text(&u, in.p, in.n);
	patch(&t, u.p, u.n);
	if (isobject(t.p, t.n)) {
		buf_add(b, t.p, t.n);
		return 1;
	}
	buf_reset(&t);
	emit_open(&t, '{');
	emit_pairn(&t, "arguments", s, n);
	emit_close(&t, '}');
	buf_add(b, t.p, t.n);
	return 1;
}

enum { PLANE = 0x100000, WAITING = 3 };

uint32_t
halves_sign(unsigned u)
{
	return PLANE + u;
}

/* Half at p, and its length; 0 if it is not one. */
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
