#include <ctype.h>
#include <string.h>

#include "body.h"
#include "emit.h"
#include "media.h"
#include "native.h"
#include "turns.h"

/* Messages in the making. */
struct turns {
	struct buf *b;
	struct provider *p;
	const struct json *j;
	const char *model;
	const char *role; /* of the message that is open, or NULL */
	/* Where the last stable block ends; the same before the model's last
	 * words, which is where the request before this one had its end. */
	size_t mark, before;
	int changing; /* what comes now will not come again */
};

int
turns_blank(const struct buf *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!isspace((unsigned char)s->p[i]))
			return 0;
	return 1;
}

static void
close_message(struct turns *o)
{
	if (o->role == NULL)
		return;
	emit_close(o->b, ']');
	emit_close(o->b, '}');
	o->role = NULL;
}

/* A message begins with its first block; blocks of one role are one. */
static void
begin(struct turns *o, const char *role)
{
	if (o->role == NULL || strcmp(o->role, role) != 0) {
		close_message(o);
		if (strcmp(role, "assistant") == 0)
			o->before = o->mark;
		emit_open(o->b, '{');
		emit_pair(o->b, "role", role);
		emit_key(o->b, "content");
		emit_open(o->b, '[');
		o->role = role;
	}
}

static void
done(struct turns *o)
{
	if (!o->changing)
		o->mark = o->b->n - 1;
}

static void
put_plain(struct buf *b, const struct buf *s)
{
	emit_open(b, '{');
	emit_pair(b, "type", "text");
	emit_pairn(b, "text", s->p, s->n);
	emit_close(b, '}');
}

static void
put_text(struct turns *o, const char *role, const struct buf *s)
{
	if (turns_blank(s))
		return;
	begin(o, role);
	put_plain(o->b, s);
	done(o);
}

/* An image or a file: {"type":"base64"...} or {"type":"url"...}. */
static void
put_source(struct buf *b, const char *type, const struct buf *url)
{
	struct span kind, data;

	emit_open(b, '{');
	emit_pair(b, "type", type);
	emit_key(b, "source");
	emit_open(b, '{');
	if (media_data(url, &kind, &data)) {
		emit_pair(b, "type", "base64");
		emit_pairn(b, "media_type", kind.p, kind.n);
		emit_pairn(b, "data", data.p, data.n);
	} else {
		emit_pair(b, "type", "url");
		emit_pairn(b, "url", url->p, url->n);
	}
	emit_close(b, '}');
	emit_close(b, '}');
}

void
turns_block(struct buf *b, const struct json *j, int i)
{
	/* How many marks there may be is counted here. */
	if (json_kind(j, i) == JSON_OBJECT)
		emit_object(b, j, i, "cache_control", (struct span){NULL, 0});
	else
		emit_span(b, json_span(j, i));
}

/* A part of a content that is no text. */
static void
put_part(struct buf *b, const struct json *j, int i)
{
	static struct buf url;
	enum media_kind kind = media_url(&url, j, i);

	if (kind == MEDIA_NONE)
		turns_block(b, j, i);
	else
		put_source(b, kind == MEDIA_IMAGE ? "image" : "document", &url);
}

static int
istext(const struct json *j, int i)
{
	return json_kind(j, i) == JSON_STRING
	    || json_is(j, json_get(j, i, "type"), "text");
}

static void
part_text(struct buf *s, const struct json *j, int i)
{
	buf_reset(s);
	if (json_str(j, i, s) < 0)
		json_str(j, json_get(j, i, "text"), s);
}

static void
put_content(struct turns *o, const char *role, int i)
{
	static struct buf s;
	const struct json *j = o->j;
	int k;

	if (json_kind(j, i) == JSON_STRING) {
		part_text(&s, j, i);
		put_text(o, role, &s);
	} else if (json_kind(j, i) == JSON_ARRAY) {
		for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
			if (istext(j, k)) {
				part_text(&s, j, k);
				put_text(o, role, &s);
				continue;
			}
			begin(o, role);
			put_part(o->b, j, k);
			done(o);
		}
	}
}

static void
put_parts(struct buf *b, const struct json *j, int i)
{
	static struct buf s;
	int k;

	emit_key(b, "content");
	emit_open(b, '[');
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		if (!istext(j, k)) {
			put_part(b, j, k);
			continue;
		}
		part_text(&s, j, k);
		if (turns_blank(&s))
			continue;
		put_plain(b, &s);
	}
	emit_close(b, ']');
}

/* Does a result say that the call failed? */
static int
isfault(const struct turns *o, const struct buf *s)
{
	const char *mark = provider_str(o->p, "messages.error_prefix");
	size_t n = mark == NULL ? 0 : strlen(mark);

	return n > 0 && s->n >= n && memcmp(s->p, mark, n) == 0;
}

static void
put_result(struct turns *o, int m, int call)
{
	static struct buf s;
	const struct json *j = o->j;
	int t = body_result(j, m, call), i = json_get(j, t, "content");

	buf_reset(&s);
	if (t < 0)
		body_missing(&s, j, call);
	else
		json_str(j, i, &s);
	begin(o, "user");
	emit_open(o->b, '{');
	emit_pair(o->b, "type", "tool_result");
	emit_key(o->b, "tool_use_id");
	body_id(o->b, o->p, j, json_get(j, call, "id"));
	if (json_kind(j, i) == JSON_ARRAY)
		put_parts(o->b, j, i);
	else if (!turns_blank(&s))
		emit_pairn(o->b, "content", s.p, s.n);
	if (isfault(o, &s))
		emit_pairb(o->b, "is_error", 1);
	emit_close(o->b, '}');
	done(o);
}

static void
put_call(struct turns *o, int call)
{
	static struct buf s;

	begin(o, "assistant");
	emit_open(o->b, '{');
	emit_pair(o->b, "type", "tool_use");
	emit_key(o->b, "id");
	body_id(o->b, o->p, o->j, json_get(o->j, call, "id"));
	buf_reset(&s);
	json_str(o->j, json_at(o->j, call, "function.name"), &s);
	emit_pairn(o->b, "name", s.p, s.n);
	buf_reset(&s);
	body_args(&s, o->j, call);
	emit_pairj(o->b, "input", buf_view(&s));
	emit_close(o->b, '}');
	done(o);
}

static int
isthought(const struct json *j, int i)
{
	int type = json_get(j, i, "type");

	return json_is(j, type, "thinking")
	    || json_is(j, type, "redacted_thinking");
}

/* As the provider gave it.  Thinking takes no mark, and is refused where
 * nothing follows. */
static int
put_own(struct turns *o, int m)
{
	static struct buf s;
	const struct json *j = o->j;
	struct turns good = *o;
	struct native w;
	size_t end = o->b->n, n;

	if (native_open(&w, j, m, o->p, "messages", o->model, 1) < 0)
		return -1;
	while (native_next(&w)) {
		n = o->b->n;
		if (w.call >= 0) {
			put_call(o, w.call);
		} else if (w.own >= 0) {
			begin(o, "assistant");
			turns_block(o->b, j, w.own);
			if (isthought(j, w.own))
				continue;
		} else {
			buf_reset(&s);
			buf_span(&s, w.text);
			put_text(o, "assistant", &s);
		}
		if (o->b->n > n) {
			good = *o;
			end = o->b->n;
		}
	}
	*o = good;
	o->b->n = end;
	native_free(&w);
	return 0;
}

static void
put_assistant(struct turns *o, int m)
{
	const struct json *j = o->j;
	int calls = json_get(j, m, "tool_calls"), c;

	if (put_own(o, m) < 0) {
		put_content(o, "assistant", json_get(j, m, "content"));
		for (c = json_first(j, calls); c >= 0; c = json_next(j, c))
			put_call(o, c);
	}
	for (c = json_first(j, calls); c >= 0; c = json_next(j, c))
		put_result(o, m, c);
}

/* System text of all places, but for what changes with each request. */
static int
issystem(const struct json *j, int m)
{
	int role = json_get(j, m, "role");

	return (json_is(j, role, "system") || json_is(j, role, "developer"))
	    && !json_true(j, json_at(j, m, "tp.volatile"));
}

void
turns_mark(struct buf *b, const struct provider *p, size_t at)
{
	static struct buf s;
	int i = provider_at(p, "cache_control");

	if (i < 0 || at == 0 || b->p[at] != '}')
		return;
	buf_reset(&s);
	buf_puts(&s, &",\"cache_control\":"[b->p[at - 1] == '{']);
	buf_span(&s, json_span(provider_json(p), i));
	buf_room(b, s.n);
	memmove(b->p + at + s.n, b->p + at, b->n - at);
	memcpy(b->p + at, s.p, s.n);
	b->n += s.n;
}

void
turns_system(struct buf *b, struct provider *p, const struct json *j)
{
	static struct buf s;
	int m = json_first(j, json_get(j, 0, "messages")), k, i;
	size_t from = b->n, mark = 0;

	emit_key(b, "system");
	emit_open(b, '[');
	for (; m >= 0; m = json_next(j, m)) {
		i = json_get(j, m, "content");
		if (!issystem(j, m))
			continue;
		k = json_kind(j, i) == JSON_ARRAY ? json_first(j, i) : i;
		for (; k >= 0; k = k == i ? -1 : json_next(j, k)) {
			part_text(&s, j, k);
			if (turns_blank(&s))
				continue;
			put_plain(b, &s);
			mark = b->n - 1;
		}
	}
	emit_close(b, ']');
	if (mark == 0)
		b->n = from;
	turns_mark(b, p, mark);
}

void
turns_put(struct buf *b, struct provider *p, const char *model,
    const struct json *j)
{
	struct turns o = {b, p, j, model, NULL, 0, 0, 0};
	int m = json_first(j, json_get(j, 0, "messages")), role;

	emit_key(b, "messages");
	emit_open(b, '[');
	for (; m >= 0; m = json_next(j, m)) {
		role = json_get(j, m, "role");
		if (json_is(j, role, "assistant")) {
			put_assistant(&o, m);
		} else if (!issystem(j, m) && !json_is(j, role, "tool")) {
			o.changing |= json_true(
			    j, json_at(j, m, "tp.volatile"));
			put_content(&o, "user", json_get(j, m, "content"));
		}
	}
	close_message(&o);
	emit_close(b, ']');
	turns_mark(b, p, o.mark);
	if (o.before < o.mark)
		turns_mark(b, p, o.before);
}
