#include "chatparts.h"

const struct json *
chatargs_parse(struct chatargs *a, struct span s)
{
	if (s.n == 0 || json_parse(&a->outer, s.p, s.n) < 0)
		return NULL;
	buf_reset(&a->text);
	if (json_str(&a->outer, 0, &a->text) < 0)
		return &a->outer;
	return json_parse(&a->inner, a->text.p, a->text.n) < 0 ? NULL
							       : &a->inner;
}

size_t
chatparts_find(const struct chat *c, const struct chat_call *d,
    const struct chatpart **v)
{
	static struct chatargs args;
	static struct json result;
	static struct chatpart *parts;
	static size_t cap;
	const struct json *j;
	const struct chat_msg *m;
	size_t n = 0;
	int i, k;

	*v = NULL;
	if (d->result < 0 || !c->v[d->result].parts)
		return 0;
	m = &c->v[d->result];
	if (json_parse(&result, m->text.p, m->text.n) < 0
	    || (j = chatargs_parse(&args, d->args)) == NULL)
		return 0;
	i = json_first(j, json_get(j, 0, "tools"));
	k = json_first(&result, json_at(&result, 0, "tp.parts"));
	for (; i >= 0 && k >= 0;
	     i = json_next(j, i), k = json_next(&result, k)) {
		grow(&parts, &cap, n, sizeof(*parts));
		parts[n].name = json_span(&result, json_get(&result, k, "name"));
		parts[n].args = json_span(j, json_get(j, i, "arguments"));
		parts[n].failed
		    = json_true(&result, json_get(&result, k, "failed"));
		parts[n++].isnothing
		    = json_true(&result, json_get(&result, k, "empty"));
	}
	*v = parts;
	return n;
}
