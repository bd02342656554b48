#include "deltachat.h"

static const char *const reasonings[] = {
	"reasoning_content", "reasoning", "reasoning_text"};

static void
one_call(struct delta *d, const struct json *j, int i)
{
	static struct buf id, name, args;
	struct delta_call *c;
	long long index;
	int f = json_get(j, i, "function"), k, a;

	buf_reset(&id);
	buf_reset(&name);
	buf_reset(&args);
	json_str(j, json_get(j, i, "id"), &id);
	json_str(j, json_get(j, f, "name"), &name);
	a = json_get(j, f, "arguments");
	if (json_str(j, a, &args) < 0 && json_kind(j, a) != JSON_NULL)
		buf_span(&args, json_span(j, a));
	if (json_int(j, json_get(j, i, "index"), &index) < 0 || index < 0)
		index = -1;
	c = delta_find(
	    d, index, buf_view(&id), buf_view(&name), buf_view(&args));
	c->piece = d->piece;
	if (id.n > 0 && c->id.n == 0)
		buf_span(&c->id, buf_view(&id));
	if (name.n > 0)
		delta_name(&c->name, buf_view(&name));
	if (args.n > 0)
		delta_args(&c->args, buf_view(&args));
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		if (!json_is(j, k, "id") && !json_is(j, k, "index")
		    && !json_is(j, k, "type") && !json_is(j, k, "function"))
			extras_add(&c->extra, j, k);
}

/* Content is a string, or an array of parts, or not there. */
static void
add_content(struct delta *d, const struct json *j, int i)
{
	int k;

	if (delta_append(d, j, i) == 0) {
		d->content = 1;
	} else if (json_kind(j, i) == JSON_ARRAY) {
		for (k = json_first(j, i); k >= 0; k = json_next(j, k))
			if (json_kind(j, k) == JSON_STRING)
				delta_append(d, j, k);
			else
				delta_append(d, j, json_get(j, k, "text"));
		d->content |= d->text.n > 0;
	}
}

/*
 * Reasoning comes under several names, at times under two at once, alike:
 * the first one that has any is the one.
 */
static int
reasoning(struct delta *d, const struct json *j, int k)
{
	size_t n;

	for (n = 0; n < sizeof(reasonings) / sizeof(*reasonings); n++)
		if (json_is(j, k, reasonings[n]))
			break;
	if (n == sizeof(reasonings) / sizeof(*reasonings)
	    || json_kind(j, k + 1) != JSON_STRING)
		return 0;
	if (d->reasoning_name == NULL && json_span(j, k + 1).n > 2)
		d->reasoning_name = reasonings[n];
	if (d->reasoning_name == reasonings[n])
		json_str(j, k + 1, &d->reasoning);
	return 1;
}

static int
message(struct delta *d, const struct json *j, int i)
{
	int c, k, any = 0;

	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		/* These are ours in a message record. */
		if (json_is(j, k, "role") || json_is(j, k, "type")
		    || json_is(j, k, "id") || json_is(j, k, "tp")
		    || json_is(j, k, "native"))
			continue;
		if (json_kind(j, k + 1) == JSON_NULL)
			continue;
		/* Many begin with a role and content that is "". */
		any |= json_span(j, k + 1).n > 2;
		if (json_is(j, k, "content")) {
			add_content(d, j, k + 1);
		} else if (json_is(j, k, "refusal")) {
			json_str(j, k + 1, &d->refusal);
		} else if (json_is(j, k, "tool_calls")) {
			c = json_first(j, k + 1);
			for (; c >= 0; c = json_next(j, c))
				one_call(d, j, c);
		} else if (!reasoning(d, j, k)) {
			extras_add(&d->extra, j, k);
		}
	}
	return any;
}

static void
count(struct delta *d, const struct json *j, int i)
{
	struct delta_usage *u = &d->usage;
	double cost;

	if (json_kind(j, i) != JSON_OBJECT)
		return;
	u->any = 1;
	delta_number(j, i, "prompt_tokens", &u->prompt);
	delta_number(j, i, "completion_tokens", &u->completion);
	delta_number(j, i, "prompt_cache_hit_tokens", &u->cached);
	delta_number(j, i, "prompt_tokens_details.cached_tokens", &u->cached);
	delta_number(j, i, "prompt_tokens_details.cache_write_tokens",
	    &u->cache_write);
	delta_number(j, i, "completion_tokens_details.reasoning_tokens",
	    &u->reasoning);
	/* Routers know what they asked for (OpenRouter, usage accounting). */
	if (json_num(j, json_get(j, i, "cost"), &cost) == 0 && cost >= 0)
		u->cost = cost;
}

int
deltachat_chunk(struct delta *d, const struct json *j)
{
	long long index;
	int c, i, any = 0;

	d->piece++;
	if (d->model.n == 0)
		json_str(j, json_get(j, 0, "model"), &d->model);
	count(d, j, json_get(j, 0, "usage"));
	count(d, j, json_at(j, 0, "x_groq.usage"));
	if (!d->usage.any)
		delta_number(j, 0, "timings.cache_n", &d->usage.cached);
	/* Of several answers the first. */
	c = json_first(j, json_get(j, 0, "choices"));
	while (json_int(j, json_get(j, c, "index"), &index) == 0 && index > 0)
		c = json_next(j, c);
	if (c < 0)
		return 0;
	count(d, j, json_get(j, c, "usage"));
	i = json_get(j, c, "delta");
	if (json_kind(j, i) != JSON_OBJECT)
		i = json_get(j, c, "message");
	if (json_kind(j, i) == JSON_OBJECT)
		any = message(d, j, i);
	i = json_get(j, c, "finish_reason");
	if (json_kind(j, i) != JSON_STRING) {
		d->unfinished = 1;
	} else if (json_span(j, i).n > 2) {
		buf_reset(&d->finish);
		json_str(j, i, &d->finish);
		d->over = 1;
	} else if (d->unfinished && !any) {
		/* "" says something only where others said nothing. */
		d->blank = 1;
	}
	return any;
}

int
deltachat_whole(struct delta *d, const struct json *j)
{
	int any = deltachat_chunk(d, j);

	/* A body that came whole is whole, whatever its finish_reason. */
	d->over |= any || d->content;
	return any;
}
