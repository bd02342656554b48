#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "jsoncanon.h"

struct pair {
	struct buf key;
	int value;
};

static int
compare(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	size_t n = x->key.n < y->key.n ? x->key.n : y->key.n;
	int r = memcmp(x->key.p, y->key.p, n);

	return r != 0 ? r : (x->key.n > y->key.n) - (x->key.n < y->key.n);
}

static void
object(struct buf *b, const struct json *j, int i)
{
	struct pair *v;
	size_t k = 0, n = json_count(j, i);
	int at;

	v = xreallocarray(NULL, n + 1, sizeof(*v));
	memset(v, 0, (n + 1) * sizeof(*v));
	for (at = json_first(j, i); at >= 0; at = json_next(j, at), k++) {
		buf_room(&v[k].key, 1);
		json_str(j, at, &v[k].key);
		v[k].value = at + 1;
	}
	qsort(v, n, sizeof(*v), compare);
	emit_open(b, '{');
	for (k = 0; k < n; k++) {
		emit_keyn(b, v[k].key.p, v[k].key.n);
		jsoncanon_json(b, j, v[k].value);
		buf_free(&v[k].key);
	}
	emit_close(b, '}');
	free(v);
}

void
jsoncanon_json(struct buf *b, const struct json *j, int i)
{
	struct buf s = {0};
	int at;

	switch (json_kind(j, i)) {
	case JSON_NONE:
		return;
	case JSON_OBJECT:
		object(b, j, i);
		return;
	case JSON_ARRAY:
		emit_open(b, '[');
		for (at = json_first(j, i); at >= 0; at = json_next(j, at))
			jsoncanon_json(b, j, at);
		emit_close(b, ']');
		return;
	case JSON_STRING:
		buf_room(&s, 1);
		json_str(j, i, &s);
		emit_str(b, s.p, s.n);
		buf_free(&s);
		return;
	default:
		emit_span(b, json_span(j, i));
	}
}

void
jsoncanon_args(struct buf *b, const struct json *j, int i)
{
	static struct json inner;
	static struct buf text;

	buf_reset(&text);
	if (json_str(j, i, &text) < 0 || json_parse(&inner, text.p, text.n) < 0)
		jsoncanon_json(b, j, i);
	else
		jsoncanon_json(b, &inner, 0);
}
