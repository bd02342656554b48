#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "escapetags.h"
#include "media.h"
#include "out.h"
#include "pairs.h"
#include "request.h"
#include "settings.h"
#include "token.h"

/* Set by a request's own parts, or meant for promptcompose alone. */
static const char *const internal[] = {"type", "id", "model", "messages",
    "tools", "temperature_max", "max_steps", "max_seconds",
    "context_window", "required_tools",
    "name", "description", "tools_deny", "agents", "mcp", "cost"};

/* Note where in the log a message stands, and what of it is not whole. */
static void
note_place(struct request *q, const struct json *j, int tp)
{
	long long n;

	if (json_int(j, json_get(j, tp, "n"), &n) == 0) {
		if (q->first == 0)
			q->first = n;
		q->last = n;
	}
	q->nshortened += json_get(j, tp, "shortened") >= 0;
	q->ishalf = json_true(j, json_get(j, tp, "partial"));
}

/* Append a message but for its type, if it can go as it is; 0 if not. */
static int
put_plain(struct request *q, const struct rec *r)
{
	struct buf *b = &q->messages;
	struct span content = record_member(r, "content"), key, value;
	const char *at = r->s;

	if (r->role.p == NULL || record_has(r, "tp")
	    || (content.n > 0 && *content.p == '[')
	    || escapetags_may(r, content, q->escape))
		return 0;
	if (record_member(r, "type").p == NULL) {
		buf_span(b, span_trim((struct span){r->s, r->n}));
		buf_putc(b, ',');
		return 1;
	}
	buf_putc(b, '{');
	while (json_member(&at, r->s + r->n, &key, &value)) {
		if (json_iskey(key, "type"))
			continue;
		if (b->p[b->n - 1] != '{')
			buf_putc(b, ',');
		buf_span(b, key);
		buf_putc(b, ':');
		buf_span(b, value);
	}
	buf_puts(b, "},");
	return 1;
}

void
request_message(struct request *q, const struct rec *r)
{
	struct json *j;
	static struct buf said;
	struct buf *b = &q->messages;
	int k, changed, tp;

	q->nmessages++;
	q->last_at = b->n;
	q->ishalf = 0;
	q->hascalls |= span_is(r->role, "tool") || record_has(r, "tool_calls");
	if (put_plain(q, r))
		return;
	j = record_json(r);
	tp = json_get(j, 0, "tp");
	if (json_kind(j, json_get(j, 0, "role")) != JSON_STRING)
		record_bad(r, json_get(j, 0, "role"), "expected a role");
	if (json_kind(j, json_get(j, 0, "content")) == JSON_ARRAY)
		q->excess += media_excess(j, settings_int("image_tokens"),
		    MEDIA_FILE_BYTES);
	if (tp >= 0)
		note_place(q, j, tp);
	changed = escapetags_may(r, record_member(r, "content"), q->escape)
	    && escapetags_content(&said, j, q->escape);
	if (!changed && tp < 0 && json_get(j, 0, "type") < 0) {
		buf_span(b, json_span(j, 0));
		buf_putc(b, ',');
		return;
	}
	buf_putc(b, '{');
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		if (json_is(j, k, "tp") || json_is(j, k, "type"))
			continue;
		if (b->p[b->n - 1] != '{')
			buf_putc(b, ',');
		buf_span(b, json_span(j, k));
		buf_putc(b, ':');
		if (changed && json_is(j, k, "content"))
			buf_add(b, said.p, said.n);
		else
			buf_span(b, json_span(j, k + 1));
	}
	buf_puts(b, "},");
}

void
request_complete(struct request *q, int isreminded)
{
	if (q->ishalf && !isreminded) {
		q->messages.n = q->last_at;
		q->nmessages--;
	}
	if (q->hascalls && q->messages.n > 0)
		q->nmessages = pairs_repair(&q->messages);
}

static void
copy(struct buf *b, const struct json *j, int i, const char *key)
{
	int v = json_get(j, i, key);

	if (v < 0)
		return;
	emit_pairj(b, key, json_span(j, v));
}

void
request_tool(struct request *q, const struct rec *r)
{
	struct json *j;
	struct buf *b = &q->text;
	struct offer *o;
	size_t i;
	char *name;
	int f;

	j = record_json(r);
	f = json_get(j, 0, "function");
	/* An OpenAI tool object keeps all one level down. */
	f = json_kind(j, f) == JSON_OBJECT ? f : 0;
	name = json_dup(j, json_get(j, f, "name"));
	if (name == NULL || *name == '\0')
		record_bad(r, json_get(j, f, "name"), "expected a tool's name");
	for (i = 0; i < q->n; i++)
		if (strcmp(q->v[i].name, name) == 0)
			record_bad(r, json_get(j, f, "name"),
			    "expected no tool of that name twice");
	grow(&q->v, &q->cap, q->n, sizeof(*q->v));
	o = &q->v[q->n++];
	o->name = name;
	o->required = json_true(j, json_get(j, 0, "required"));
	o->at = b->n;
	buf_add(b, r->s, r->n);
	o->n = b->n - o->at;
	buf_putc(b, '\n');
	o->fat = b->n;
	emit_open(b, '{');
	emit_pair(b, "type", "function");
	emit_key(b, "function");
	emit_open(b, '{');
	copy(b, j, f, "name");
	copy(b, j, f, "description");
	if (json_kind(j, json_get(j, f, "parameters")) == JSON_OBJECT)
		copy(b, j, f, "parameters");
	else
		buf_puts(b, ",\"parameters\":{\"type\":\"object\","
		    "\"properties\":{}}");
	copy(b, j, f, "strict");
	emit_close(b, '}');
	emit_close(b, '}');
	o->fn = b->n - o->fat;
	buf_putc(b, '\n');
	q->sorted = 0;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp((*(const struct offer *const *)a)->name,
	    (*(const struct offer *const *)b)->name);
}

const struct offer *const *
request_sort(struct request *q)
{
	size_t i;

	if (q->sorted)
		return q->order;
	for (i = 0; i < q->n; i++) {
		grow(&q->order, &q->ordercap, i, sizeof(*q->order));
		q->order[i] = &q->v[i];
	}
	if (q->n > 1)
		qsort(q->order, q->n, sizeof(*q->order), by_name);
	q->sorted = 1;
	return q->order;
}

static int
iscalled(const struct json *j, int called, const char *name)
{
	int k;

	if (json_kind(j, called) != JSON_ARRAY)
		return 0;
	for (k = json_first(j, called); k >= 0; k = json_next(j, k))
		if (json_is(j, k, name))
			return 1;
	return 0;
}

void
request_offer(struct request *q, const struct json *j, int called)
{
	static const struct span none = {NULL, 0};
	static struct json record;
	static struct buf b;
	const struct offer *const *order = request_sort(q), *o;
	size_t i;

	for (i = 0; i < q->n; i++) {
		o = order[i];
		if (!o->required || !iscalled(j, called, o->name)
		    || json_parse(&record, q->text.p + o->at, o->n) < 0) {
			out_pass(q->text.p + o->at, o->n + 1);
			continue;
		}
		emit_object(&b, &record, 0, "required", none);
		record_put(&b);
	}
}

static void
put_system(struct buf *b, const struct prompt *p)
{
	if (p->system.n == 0)
		return;
	emit_open(b, '{');
	emit_pair(b, "role", "system");
	emit_pairn(b, "content", p->system.p, p->system.n);
	emit_close(b, '}');
}

static void
put_trailing(struct buf *b, const struct prompt *p)
{
	size_t i;

	for (i = 0; i < p->ntail; i++) {
		emit_open(b, '{');
		emit_pair(b, "role", p->tail[i].role);
		emit_pairn(b, "content", p->tailtext.p + p->tail[i].at,
		    p->tail[i].n);
		emit_key(b, "tp");
		emit_open(b, '{');
		emit_pairb(b, "volatile", 1);
		emit_close(b, '}');
		emit_close(b, '}');
	}
}

static void
put_tools(struct request *q, struct buf *b)
{
	const struct offer *const *order = request_sort(q);
	size_t i;

	if (q->n == 0)
		return;
	emit_key(b, "tools");
	emit_open(b, '[');
	for (i = 0; i < q->n; i++)
		emit_raw(b, q->text.p + order[i]->fat, order[i]->fn);
	emit_close(b, ']');
}

/* Does this setting stay out of the request? */
static int
isinternal(const struct request *q, const char *key)
{
	size_t i;

	for (i = 0; i < sizeof(internal) / sizeof(*internal); i++)
		if (strcmp(key, internal[i]) == 0)
			return 1;
	/* Without tools these are refused by the providers. */
	return q->n == 0 && (strcmp(key, "tool_choice") == 0
	    || strcmp(key, "parallel_tool_calls") == 0);
}

static int
by_key(const void *a, const void *b)
{
	return strcmp((*(struct field *const *)a)->key,
	    (*(struct field *const *)b)->key);
}

/* A temperature is only ever lowered by its limit. */
static void
limit_temperature(struct fields *config)
{
	static struct buf b;
	static struct json j;
	double max = fields_num(config, "temperature_max", -1);

	if (max < 0 || fields_num(config, "temperature", max + 1) <= max)
		return;
	buf_reset(&b);
	emit_open(&b, '{');
	emit_pair(&b, "by", "user");
	emit_pairf(&b, "temperature", max);
	emit_close(&b, '}');
	json_parse(&j, b.p, b.n);
	fields_merge(config, &j);
}

void
request_settings(const struct request *q, struct buf *b, struct fields *config)
{
	static struct field **v;
	static size_t cap;
	size_t i, n = 0;

	limit_temperature(config);
	for (i = 0; i < config->n; i++) {
		if (isinternal(q, config->v[i].key)
		    || strncmp(buf_cstr(&config->v[i].value), "null", 4) == 0)
			continue;
		grow(&v, &cap, n, sizeof(*v));
		v[n++] = &config->v[i];
	}
	if (n > 1)
		qsort(v, n, sizeof(*v), by_key);
	for (i = 0; i < n; i++)
		emit_pairj(b, v[i]->key, buf_view(&v[i]->value));
}

void
request_text(struct request *q, struct span part[3], struct span id,
    const char *model, const struct prompt *p, struct fields *config)
{
	static struct buf head, tail;

	buf_reset(&head);
	buf_reset(&tail);
	emit_open(&head, '{');
	emit_pair(&head, "type", "request");
	if (id.n > 0)
		emit_pairj(&head, "id", id);
	emit_pair(&head, "model", model);
	emit_key(&head, "messages");
	emit_open(&head, '[');
	put_system(&head, p);
	put_trailing(&tail, p);
	part[1] = buf_view(&q->messages);
	if (part[1].n > 0 && tail.n == 0)
		part[1].n--;	/* there is a comma after each */
	if ((part[1].n > 0 || tail.n > 0) && p->system.n > 0)
		buf_putc(&head, ',');
	emit_close(&tail, ']');
	put_tools(q, &tail);
	request_settings(q, &tail, config);
	emit_close(&tail, '}');
	buf_putc(&tail, '\n');
	part[0] = buf_view(&head);
	part[2] = buf_view(&tail);
}

static size_t
scale(size_t tokens, double ratio)
{
	return (size_t)ceil((double)tokens * ratio);
}

size_t
request_tool_tokens(const struct request *q)
{
	size_t i, t = 0;

	for (i = 0; i < q->n; i++)
		t += token_count(q->text.p + q->v[i].fat, q->v[i].fn);
	return t;
}

size_t
request_message_tokens(const struct request *q)
{
	return (size_t)((long long)token_count(q->messages.p, q->messages.n)
	    - q->excess);
}

int
request_over(const struct request *q, const struct prompt *p,
    struct fields *config, double ratio, long long known, struct buf *why)
{
	long long window = fields_int(config, "context_window", 0);
	long long answer = fields_int(config, "max_tokens", 0);
	size_t m, t;

	/* No token is shorter than a byte: mostly there is nothing to count. */
	if (window <= 0 || (ratio <= 1 && (long long)(p->bytes
	    + q->messages.n + q->text.n) + answer <= window))
		return 0;
	t = scale(request_tool_tokens(q), ratio);
	if (known > 0 && (long long)(p->tokens + t) + answer + known <= window)
		return 0;
	m = scale(request_message_tokens(q), ratio);
	if ((long long)(p->tokens + m + t) + answer <= window)
		return 0;
	buf_printf(why, "prompt %zu + messages %zu + tools %zu + answer %lld "
	    "tokens are over the context window of %lld", p->tokens, m, t,
	    answer, window);
	return 1;
}

void
request_reset(struct request *q)
{
	while (q->n > 0)
		free(q->v[--q->n].name);
	q->sorted = 0;
	buf_reset(&q->text);
	q->nmessages = q->nshortened = 0;
	q->first = q->last = 0;
	q->ishalf = q->hascalls = 0;
	q->excess = 0;
	buf_reset(&q->messages);
}
