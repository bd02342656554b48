#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "emit.h"
#include "level.h"

static struct level {
	double percent;
	long long tokens;
} *levels;
static size_t nlevels, cap;
static long long most; /* bytes; 0: no level */

void
level_set(const struct strs *l)
{
	const char *s;
	char *end;
	size_t i;

	for (i = 0; i < l->n; i++) {
		grow(&levels, &cap, nlevels, sizeof(*levels));
		s = l->v[i];
		levels[nlevels].percent = strtod(s, &end);
		if (end == s || *end != '=' || !(levels[nlevels].percent >= 0)
		    || levels[nlevels].percent > 100)
			end = NULL;
		else
			levels[nlevels].tokens = strtoll(s = end + 1, &end, 10);
		if (end == NULL || end == s || *end != '\0'
		    || levels[nlevels].tokens < 25
		    || levels[nlevels].tokens > 1000000)
			die(EX_CONFIG, "result levels: expected "
			    "PERCENT=TOKENS, 25 tokens at least, not '%s'",
			    l->v[i]);
		nlevels++;
	}
}

void
level_at(double percent)
{
	double from = -1;
	size_t i;

	most = 0;
	for (i = 0; i < nlevels && percent >= 0; i++)
		if (levels[i].percent <= percent && levels[i].percent > from) {
			from = levels[i].percent;
			most = LEVEL_BYTES * levels[i].tokens;
		}
}

void
level_lower(struct buf *b)
{
	static struct json j;
	static struct buf old, run, value;
	struct span s;
	long long max = 0;
	int i;

	if (most == 0)
		return;
	buf_reset(&old);
	buf_add(&old, b->p, b->n);
	/* It came through the gate once, so this does not fail. */
	(void)json_parse(&j, old.p, old.n);
	i = json_get(&j, 0, "run");
	if (json_get(&j, i, "exec") < 0)
		return;
	(void)json_int(&j, json_get(&j, i, "max"), &max);
	if (max > 0 && max <= most)
		return;
	buf_reset(&run);
	buf_reset(&value);
	buf_printf(&value, "%lld", most);
	s = json_span(&j, i);
	if (json_get(&j, i, "max") >= 0) {
		emit_object(&run, &j, i, "max", buf_view(&value));
	} else {
		buf_add(&run, s.p, s.n - 1);
		emit_pairi(&run, "max", most);
		emit_close(&run, '}');
	}
	buf_reset(b);
	buf_add(b, old.p, (size_t)(s.p - old.p));
	buf_span(b, buf_view(&run));
	buf_add(b, s.p + s.n, old.n - (size_t)(s.p + s.n - old.p));
}
