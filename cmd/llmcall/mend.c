#include <string.h>

#include "emit.h"
#include "gate.h"
#include "halves.h"
#include "jsonstr.h"
#include "mend.h"
#include "utf8.h"

static unsigned
hex(const char *s, const char *end)
{
	return end - s < 4 ? 0x10000 : jsonstr_hex(s);
}

static size_t
mend(struct buf *b, const char *s, size_t n, int signs)
{
	static struct buf clean;
	const char *p, *end;
	unsigned u, v;
	size_t count = 0;

	buf_reset(&clean);
	utf8_mend(&clean, s, n);
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
mend_text(struct buf *b, const char *s, size_t n)
{
	mend(b, s, n, 0);
}

size_t
mend_halves(struct buf *b, const char *s, size_t n)
{
	return mend(b, s, n, 1);
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

/* The text between Markdown fences, where a model wrote them. */
static void
unfence(const char **s, size_t *n)
{
	const char *p, *end = *s + *n;

	while (*n > 0 && strchr(" \t\r\n", **s) != NULL) {
		++*s;
		--*n;
	}
	if (*n < 6 || memcmp(*s, "```", 3) != 0)
		return;
	p = memchr(*s, '\n', *n);
	if (p == NULL)
		return;
	while (end > p && end[-1] != '`')
		end--;
	while (end > p && end[-1] == '`')
		end--;
	*s = p;
	*n = (size_t)(end - p);
}

int
mend_object(struct buf *b, const char *s, size_t n)
{
	static struct buf t, u;
	const char *p = s;
	size_t len = n;

	if (isobject(s, n)) {
		buf_add(b, s, n);
		return 0;
	}
	unfence(&p, &len);
	if (len == 0 || (len == 4 && memcmp(p, "null", 4) == 0)) {
		buf_puts(b, "{}");
		return 1;
	}
	buf_reset(&t);
	buf_reset(&u);
	mend_text(&u, p, len);
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
