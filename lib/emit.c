#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "jsonstr.h"
#include "utf8.h"

/* The last byte written shows whether a value or key comes before this one. */
static void
comma(struct buf *b)
{
	char c;

	if (b->n == 0)
		return;
	c = b->p[b->n - 1];
	if (c != '{' && c != '[' && c != ':' && c != ',' && c != '\n')
		buf_putc(b, ',');
}

void
emit_open(struct buf *b, int c)
{
	comma(b);
	buf_putc(b, c);
}

void
emit_close(struct buf *b, int c)
{
	buf_putc(b, c);
}

static void
escape_byte(struct buf *b, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	char u[] = "\\u00xx";
	const char *e;

	switch (c) {
	case '"': e = "\\\""; break;
	case '\\': e = "\\\\"; break;
	case '\b': e = "\\b"; break;
	case '\f': e = "\\f"; break;
	case '\n': e = "\\n"; break;
	case '\r': e = "\\r"; break;
	case '\t': e = "\\t"; break;
	default:
		u[4] = hex[c >> 4];
		u[5] = hex[c & 15];
		e = u;
	}
	buf_puts(b, e);
}

void
emit_escape(struct buf *b, const char *s, size_t n)
{
	size_t i = 0, len, start = 0;
	unsigned char c;

	for (;;) {
		i += jsonstr_plain(s + i, n - i);
		if (i == n)
			break;
		c = (unsigned char)s[i];
		if (c >= 0x80 && (len = utf8_get(s + i, n - i, NULL)) > 0) {
			i += len;
			continue;
		}
		buf_add(b, s + start, i - start);
		if (c >= 0x80)
			utf8_put(b, 0xfffd);
		else
			escape_byte(b, c);
		start = ++i;
	}
	buf_add(b, s + start, n - start);
}

void
emit_str(struct buf *b, const char *s, size_t n)
{
	comma(b);
	buf_putc(b, '"');
	emit_escape(b, s, n);
	buf_putc(b, '"');
}

void
emit_cstr(struct buf *b, const char *s)
{
	emit_str(b, s, strlen(s));
}

void
emit_keyn(struct buf *b, const char *key, size_t n)
{
	emit_str(b, key, n);
	buf_putc(b, ':');
}

void
emit_key(struct buf *b, const char *key)
{
	emit_keyn(b, key, strlen(key));
}

void
emit_int(struct buf *b, long long v)
{
	comma(b);
	buf_printf(b, "%lld", v);
}

void
emit_num(struct buf *b, double v)
{
	char s[40];
	int digits;

	if (!isfinite(v)) {
		emit_null(b);
		return;
	}
	comma(b);
	if (v == floor(v) && fabs(v) < 1e15) {
		buf_printf(b, "%.0f", v);
		return;
	}
	for (digits = 1; digits < 17; digits++) {
		snprintf(s, sizeof(s), "%.*g", digits, v);
		if (strtod(s, NULL) == v)
			break;
	}
	buf_printf(b, "%.*g", digits, v);
}

void
emit_bool(struct buf *b, int v)
{
	comma(b);
	buf_puts(b, v ? "true" : "false");
}

void
emit_null(struct buf *b)
{
	comma(b);
	buf_puts(b, "null");
}

void
emit_raw(struct buf *b, const char *s, size_t n)
{
	comma(b);
	buf_add(b, s, n);
}

void
emit_span(struct buf *b, struct span s)
{
	emit_raw(b, s.p, s.n);
}

static int
isblank_json(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

void
emit_compact(struct buf *b, struct span s)
{
	const char *p = s.p, *end = s.p + s.n, *q;

	comma(b);
	for (; p < end; p = q) {
		q = p + 1;
		if (isblank_json(*p))
			continue;
		/* A string, or what is between blanks and strings. */
		if (*p == '"') {
			while (q < end && *q != '"')
				q += *q == '\\' ? 2 : 1;
			q = q < end ? q + 1 : end;
		} else {
			while (q < end && *q != '"' && !isblank_json(*q))
				q++;
		}
		buf_add(b, p, (size_t)(q - p));
	}
}

void
emit_pair(struct buf *b, const char *key, const char *s)
{
	if (s != NULL)
		emit_pairn(b, key, s, strlen(s));
}

void
emit_pairn(struct buf *b, const char *key, const char *s, size_t n)
{
	emit_key(b, key);
	emit_str(b, s, n);
}

void
emit_pairi(struct buf *b, const char *key, long long v)
{
	emit_key(b, key);
	emit_int(b, v);
}

void
emit_pairf(struct buf *b, const char *key, double v)
{
	emit_key(b, key);
	emit_num(b, v);
}

void
emit_pairb(struct buf *b, const char *key, int v)
{
	emit_key(b, key);
	emit_bool(b, v);
}

void
emit_pairj(struct buf *b, const char *key, struct span s)
{
	emit_key(b, key);
	emit_span(b, s);
}

void
emit_strs(struct buf *b, const char *key, const struct strs *l)
{
	size_t i;

	emit_key(b, key);
	emit_open(b, '[');
	for (i = 0; i < l->n; i++)
		emit_cstr(b, l->v[i]);
	emit_close(b, ']');
}

void
emit_keyj(struct buf *b, struct span key)
{
	emit_span(b, key);
	buf_putc(b, ':');
}

void
emit_member(struct buf *b, const struct json *j, int k)
{
	emit_keyj(b, json_span(j, k));
	buf_span(b, json_span(j, k + 1));
}

void
emit_object(struct buf *b, const struct json *j, int i, const char *key,
    struct span v)
{
	int k;

	emit_open(b, '{');
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		if (!json_is(j, k, key)) {
			emit_member(b, j, k);
		} else if (v.p != NULL) {
			emit_keyj(b, json_span(j, k));
			buf_span(b, v);
		}
	emit_close(b, '}');
}
