#include <string.h>

#include "emit.h"
#include "env.h"
#include "flag.h"
#include "json.h"

static struct strs flags; /* a config record each */

static void
merge(struct fields *config, const char *s, size_t n)
{
	static struct json j;

	if (json_parse(&j, s, n) == 0)
		fields_merge(config, &j);
}

void
flag_set(const char *key, size_t n, const char *value, int json)
{
	static struct buf b;
	static struct json j;

	buf_reset(&b);
	emit_open(&b, '{');
	emit_pair(&b, "by", "user");
	emit_keyn(&b, key, n);
	if (json && json_parse(&j, value, strlen(value)) == 0)
		emit_raw(&b, value, strlen(value));
	else
		emit_cstr(&b, value);
	emit_close(&b, '}');
	strs_addn(&flags, b.p, b.n);
}

void
flag_begin(struct fields *config)
{
	static struct buf b;
	const char *model = env_get("TURNPIPE_MODEL");

	if (model == NULL)
		return;
	buf_reset(&b);
	emit_open(&b, '{');
	emit_pair(&b, "by", "user");
	emit_pair(&b, "model", model);
	emit_close(&b, '}');
	merge(config, b.p, b.n);
}

void
flag_end(struct fields *config)
{
	size_t i;

	for (i = 0; i < flags.n; i++)
		merge(config, flags.v[i], strlen(flags.v[i]));
}
