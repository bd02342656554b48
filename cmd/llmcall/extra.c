#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "extra.h"
#include "halves.h"

static struct extra *
find(struct extras *x, const char *key)
{
	size_t i;

	for (i = 0; i < x->n; i++)
		if (strcmp(x->v[i].key, key) == 0)
			return &x->v[i];
	return NULL;
}

void
extras_add(struct extras *x, const struct json *j, int k)
{
	struct extra *e;
	struct span s = json_span(j, k + 1);
	enum json_kind kind = json_kind(j, k + 1);
	char *key = json_dup(j, k);

	if (key == NULL || kind == JSON_NULL) {
		free(key);
		return;
	}
	e = find(x, key);
	if (e == NULL) {
		grow(&x->v, &x->cap, x->n, sizeof(*x->v));
		e = &x->v[x->n++];
		memset(e, 0, sizeof(*e));
		e->key = key;
	} else {
		free(key);
	}
	if (kind != e->kind || (kind != JSON_STRING && kind != JSON_ARRAY))
		buf_reset(&e->value);
	e->kind = kind;
	if (kind == JSON_STRING) {
		json_str(j, k + 1, &e->value);
	} else if (kind != JSON_ARRAY) {
		buf_span(&e->value, s);
	} else if (json_count(j, k + 1) > 0) {
		if (e->value.n > 0)
			buf_putc(&e->value, ',');
		buf_add(&e->value, s.p + 1, s.n - 2);
	}
}

void
extras_put(const struct extras *x, struct buf *b)
{
	const struct extra *e;

	for (e = x->v; e != NULL && e < x->v + x->n; e++) {
		emit_key(b, e->key);
		if (e->kind == JSON_STRING) {
			emit_str(b, e->value.p, e->value.n);
		} else if (e->kind == JSON_ARRAY) {
			emit_open(b, '[');
			buf_span(b, (struct span){e->value.p, e->value.n});
			emit_close(b, ']');
		} else {
			emit_raw(b, e->value.p, e->value.n);
		}
	}
}

void
extras_settle(struct extras *x)
{
	size_t i;

	for (i = 0; i < x->n; i++)
		halves_end(&x->v[i].value);
}

void
extras_reset(struct extras *x)
{
	size_t i;

	for (i = 0; i < x->n; i++) {
		free(x->v[i].key);
		buf_free(&x->v[i].value);
	}
	x->n = 0;
}
