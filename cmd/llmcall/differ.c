#include "differ.h"
#include "utf8.h"

enum { EXCERPT = 60 }; /* bytes */

/* Some text around the first byte in which a and b differ. */
static void
excerpt(struct buf *b, struct span s, size_t at)
{
	size_t start = at > EXCERPT / 3 ? at - EXCERPT / 3 : 0, n;

	while (start > 0 && start < s.n && (s.p[start] & 0xc0) == 0x80)
		start--;
	if (s.p == NULL) {
		buf_puts(b, "nothing");
		return;
	}
	n = utf8_cut(s.p + start, s.n - start, EXCERPT);
	buf_puts(b, start > 0 ? "..." : "");
	buf_add(b, s.p + start, n);
	buf_puts(b, start + n < s.n ? "..." : "");
}

size_t
differ_at(struct span a, struct span b)
{
	size_t i;

	for (i = 0; i < a.n && i < b.n && a.p[i] == b.p[i]; i++)
		continue;
	return i;
}

void
differ_json(struct buf *path, struct buf *b, const struct json *x, int i,
    const struct json *y, int k)
{
	struct span s = json_span(x, i), t = json_span(y, k), u, v;
	enum json_kind kind = json_kind(x, i);
	int a, z, n;

	if (kind == json_kind(y, k)
	    && (kind == JSON_OBJECT || kind == JSON_ARRAY)) {
		a = json_first(x, i);
		z = json_first(y, k);
		for (n = 0; a >= 0 || z >= 0; n++) {
			u = json_span(x, kind == JSON_OBJECT && a >= 0
				? a + 1 : a);
			v = json_span(y, kind == JSON_OBJECT && z >= 0
				? z + 1 : z);
			s = json_span(x, a);
			t = json_span(y, z);
			if (a >= 0 && z >= 0 && span_same(u, v)
			    && span_same(s, t)) {
				a = json_next(x, a);
				z = json_next(y, z);
				continue;
			}
			if (kind == JSON_ARRAY) {
				buf_printf(path, "[%d]", n);
				differ_json(path, b, x, a, y, z);
				return;
			}
			buf_putc(path, '.');
			json_str(s.p != NULL ? x : y, s.p != NULL ? a : z,
			    path);
			if (s.p != NULL && t.p != NULL
			    && !span_same(s, t))
				differ_json(path, b, x, -1, y, z + 1);
			else
				differ_json(path, b, x, a < 0 ? a : a + 1, y,
				    z < 0 ? z : z + 1);
			return;
		}
		return;
	}
	buf_puts(b, "expected ");
	excerpt(b, s, differ_at(s, t));
	buf_puts(b, ", found ");
	excerpt(b, t, differ_at(s, t));
}
