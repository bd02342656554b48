#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "env.h"
#include "fileshape.h"
#include "json.h"
#include "match.h"
#include "model.h"
#include "record.h"
#include "settings.h"

static int
number(struct buf *b, const char *model, const char *key)
{
	static struct table t;
	const struct json *j = table_read(&t, "models.yaml", "models");
	const char *slash = strchr(model, '/');
	char *glob;
	int hit = 0, i, w = -1;

	if (j->ntok == 0)
		return -1;
	for (i = json_first(j, json_get(j, 0, "models")); i >= 0 && !hit;
	     i = json_next(j, i)) {
		glob = json_dup(j, json_get(j, i, "match"));
		hit = glob != NULL
		    && (match_name(glob, model)
			|| (slash != NULL && match_name(glob, slash + 1)));
		free(glob);
		w = json_get(j, i, key);
	}
	if (!hit || w < 0)
		return -1;
	buf_span(b, json_span(j, w));
	return 0;
}

void
model_split(struct strs *l, const char *models)
{
	struct strs names = {NULL, 0, 0}, aliases = {NULL, 0, 0};
	struct span s;
	size_t i, k;

	strs_split(&names, models);
	settings_strs("model_aliases", &aliases);
	for (i = 0; i < names.n; i++) {
		s = span_trim(span_of(names.v[i]));
		for (k = 0; k < aliases.n; k++)
			if (strncmp(aliases.v[k], s.p, s.n) == 0
			    && aliases.v[k][s.n] == '=') {
				s = span_of(aliases.v[k] + s.n + 1);
				break;
			}
		strs_addn(l, s.p, s.n);
	}
	strs_free(&names);
	strs_free(&aliases);
}

/* The smallest of several. */
static int
least(struct buf *b, const char *models, const char *key)
{
	struct strs l = {NULL, 0, 0};
	struct buf one = {NULL, 0, 0};
	long long v, min = -1;
	size_t i;
	int known;

	model_split(&l, models);
	if (l.n == 1) {
		known = number(b, l.v[0], key);
		strs_free(&l);
		return known;
	}
	for (i = 0, known = 1; i < l.n && known; i++) {
		buf_reset(&one);
		known = number(&one, l.v[i], key) == 0;
		v = known ? strtoll(buf_cstr(&one), NULL, 10) : 0;
		if (min < 0 || v < min)
			min = v;
	}
	if (known)
		buf_printf(b, "%lld", min);
	strs_free(&l);
	buf_free(&one);
	return known ? 0 : -1;
}

int
model_window(struct buf *b, const char *model)
{
	return least(b, model, "context_window");
}

int
model_output(struct buf *b, const char *model)
{
	return least(b, model, "max_output");
}

long long
model_known(int (*what)(struct buf *, const char *), const char *model)
{
	struct buf b = {NULL, 0, 0};
	long long v = 0;

	if (model != NULL && what(&b, model) == 0)
		v = strtoll(buf_cstr(&b), NULL, 10);
	buf_free(&b);
	return v;
}

const char *
model_set(const char *key)
{
	static struct strs made;
	struct strs l = {NULL, 0, 0};
	struct buf b = {NULL, 0, 0};
	const char *s;
	size_t i;

	settings_strs(key, &l);
	for (i = 0; i < l.n; i++)
		buf_printf(&b, "%s%s", i > 0 ? "," : "", l.v[i]);
	s = b.n == 0 ? NULL : strs_once(&made, buf_cstr(&b));
	strs_free(&l);
	buf_free(&b);
	return s;
}

const char *
model_default(void)
{
	const char *s = env_get("TURNPIPE_MODEL");

	return s != NULL ? s : model_set("model");
}

const char *
model_small(void)
{
	const char *s = model_set("model_small");

	return s != NULL ? s : model_default();
}

void
model_ask(const struct buf *id, const char *model, const struct buf *text)
{
	static struct buf b;

	emit_open(&b, '{');
	emit_pair(&b, "type", "request");
	if (id != NULL)
		emit_pairn(&b, "id", id->p, id->n);
	emit_pair(&b, "model", model);
	emit_key(&b, "messages");
	emit_open(&b, '[');
	emit_open(&b, '{');
	emit_pair(&b, "role", "user");
	emit_pairn(&b, "content", text->p, text->n);
	emit_close(&b, '}');
	emit_close(&b, ']');
	emit_close(&b, '}');
	record_put(&b);
	buf_puts(&b, "{\"type\":\"end\"}");
	record_put(&b);
}
