#include <stdlib.h>
#include <string.h>

#include "confpair.h"
#include "emit.h"
#include "json.h"

/* What no configuration may say: what a record is, and whose word it is. */
static int
reserved(const char *key)
{
	return strcmp(key, "type") == 0 || strcmp(key, "by") == 0;
}

/* Take a field out of the object that is open in b. */
static void
drop(struct buf *b, const char *key)
{
	static struct buf whole;
	static struct json j;
	size_t start, end;
	struct span v;
	int i;

	buf_reset(&whole);
	buf_add(&whole, b->p, b->n);
	emit_close(&whole, '}');
	if (json_parse(&j, whole.p, whole.n) < 0
	    || (i = json_get(&j, 0, key)) < 0)
		return;
	v = json_span(&j, i);
	start = (size_t)(json_span(&j, i - 1).p - whole.p);
	end = (size_t)(v.p - whole.p) + v.n;
	if (whole.p[start - 1] == ',')
		start--;
	else if (whole.p[end] == ',')
		end++;
	memmove(b->p + start, b->p + end, b->n - end);
	b->n -= end - start;
}

void
confpair_put(struct buf *b, const char *key, const char *value, size_t n)
{
	static struct json j;

	drop(b, key);
	emit_key(b, key);
	if (json_parse(&j, value, n) == 0 && json_kind(&j, 0) != JSON_STRING)
		emit_raw(b, value, n);
	else
		emit_str(b, value, n);
}

int
confpair_arg(struct buf *b, const char *arg)
{
	const char *eq = strchr(arg, '=');
	char *key;
	int r = -1;

	if (eq == NULL || eq == arg)
		return -1;
	key = xstrndup(arg, (size_t)(eq - arg));
	if (!reserved(key)) {
		confpair_put(b, key, eq + 1, strlen(eq + 1));
		r = 0;
	}
	free(key);
	return r;
}
