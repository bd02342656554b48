#include "chatparts.h"

size_t
chatparts_find(const struct chat *c, const struct chat_call *d,
    const struct chatpart **v)
{
	static struct json outer, inner, result;
	static struct buf text;
	static struct chatpart *parts;
	static size_t cap;
	const struct json *j = &outer;
	const struct chat_msg *m;
	size_t n = 0;
	int i, k;

	*v = NULL;
	if (d->result < 0 || !c->v[d->result].parts)
		return 0;
	m = &c->v[d->result];
	if (json_parse(&result, m->text.p, m->text.n) < 0
	    || json_parse(&outer, d->args.p, d->args.n) < 0)
		return 0;
	buf_reset(&text);
	if (json_str(&outer, 0, &text) == 0) {
		if (json_parse(&inner, text.p, text.n) < 0)
			return 0;
		j = &inner;
	}
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
