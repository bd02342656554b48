#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "fields.h"

static struct field *
find(struct fields *f, const char *key)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		if (strcmp(f->v[i].key, key) == 0)
			return &f->v[i];
	grow(&f->v, &f->cap, f->n, sizeof(*f->v));
	memset(&f->v[f->n], 0, sizeof(*f->v));
	f->v[f->n].key = xstrdup(key);
	return &f->v[f->n++];
}

void
fields_merge(struct fields *f, const struct json *j)
{
	struct field *d;
	char *key;
	int user = json_is(j, json_get(j, 0, "by"), "user");
	int k;

	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		key = json_dup(j, k);
		if (key != NULL && strcmp(key, "type") != 0
		    && strcmp(key, "by") != 0) {
			d = find(f, key);
			if (user || !d->user) {
				buf_reset(&d->value);
				buf_span(&d->value, json_span(j, k + 1));
				d->user = user;
			}
		}
		free(key);
	}
	f->stale = 1;
}

void
fields_copy(struct fields *f, const struct fields *from, const char *key)
{
	struct field *d;
	size_t i;

	for (i = 0; i < from->n; i++) {
		if (strcmp(from->v[i].key, key) != 0)
			continue;
		d = find(f, key);
		buf_reset(&d->value);
		buf_add(&d->value, from->v[i].value.p, from->v[i].value.n);
		f->stale = 1;
	}
}

const struct json *
fields_json(struct fields *f)
{
	size_t i;

	if (!f->stale && f->json.ntok > 0)
		return &f->json;
	buf_reset(&f->text);
	emit_open(&f->text, '{');
	for (i = 0; i < f->n; i++)
		emit_pairj(&f->text, f->v[i].key, buf_view(&f->v[i].value));
	emit_close(&f->text, '}');
	json_parse(&f->json, f->text.p, f->text.n);
	f->stale = 0;
	return &f->json;
}

long long
fields_int(struct fields *f, const char *key, long long dflt)
{
	const struct json *j = fields_json(f);
	long long v;

	return json_int(j, json_get(j, 0, key), &v) < 0 ? dflt : v;
}

double
fields_num(struct fields *f, const char *key, double dflt)
{
	const struct json *j = fields_json(f);
	double v;

	return json_num(j, json_get(j, 0, key), &v) < 0 ? dflt : v;
}

void
fields_reset(struct fields *f)
{
	size_t i;

	for (i = 0; i < f->n; i++) {
		free(f->v[i].key);
		buf_free(&f->v[i].value);
	}
	f->n = 0;
	f->stale = 1;
}
