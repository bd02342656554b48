#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "env.h"
#include "json.h"
#include "model.h"
#include "record.h"
#include "settings.h"
#include "yamlfile.h"

static int
number(struct buf *b, const char *model, const char *key)
{
	static struct table t;
	const struct json *j = table_read(&t, "models.yaml");
	const char *slash = strchr(model, '/');
	char *glob;
	int hit = 0, i, w = -1;

	if (j->ntok == 0)
		return -1;
	for (i = json_first(j, json_get(j, 0, "models")); i >= 0 && !hit;
	     i = json_next(j, i)) {
		glob = json_dup(j, json_get(j, i, "match"));
		hit = glob != NULL
		    && (fnmatch(glob, model, 0) == 0
			|| (slash != NULL && fnmatch(glob, slash + 1, 0) == 0));
		free(glob);
		w = json_get(j, i, key);
	}
	if (!hit || w < 0)
		return -1;
	buf_span(b, json_span(j, w));
	return 0;
}

int
model_window(struct buf *b, const char *model)
{
	return number(b, model, "context_window");
}

int
model_output(struct buf *b, const char *model)
{
	return number(b, model, "max_output");
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
model_default(void)
{
	const char *s = env_get("TURNPIPE_MODEL");

	if (s == NULL)
		s = settings_str("model", NULL);
	return s != NULL && *s != '\0' ? s : NULL;
}

const char *
model_small(void)
{
	const char *s = settings_str("model_small", NULL);

	return s != NULL && *s != '\0' ? s : model_default();
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
