#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "apierror.h"
#include "failure.h"
#include "match.h"
#include "provider.h"
#include "retry.h"
#include "utf8.h"

enum { FAULT_TEXT = 2048 };

void
apierror_reset(struct apierror *f)
{
	buf_reset(&f->type);
	buf_reset(&f->code);
	buf_reset(&f->message);
	buf_reset(&f->generation);
	f->wait = -1;
	f->bare = 0;
}

static void
add_message(struct buf *b, const struct json *j, int i)
{
	enum json_kind kind = json_kind(j, i);

	if (b->n > 0)
		return;
	if (kind == JSON_STRING)
		json_str(j, i, b);
	else if (kind == JSON_NUMBER)
		buf_span(b, json_span(j, i));
}

/* Masked first: half a key is one too. */
static void
bound(struct buf *b)
{
	provider_mask(b);
	if (b->n > FAULT_TEXT)
		b->n = utf8_cut(b->p, b->n, FAULT_TEXT);
}

int
apierror_in(const struct json *j)
{
	int top = json_kind(j, 0) == JSON_ARRAY ? json_first(j, 0) : 0;
	int i = json_get(j, top, "error");
	int k = json_at(j, 0, "response.error");

	/* FastAPI's, which has nothing else. */
	if (json_get(j, top, "detail") >= 0 && json_count(j, top) == 1)
		return 1;

	return (i >= 0 && json_kind(j, i) != JSON_NULL
		   && json_kind(j, i) != JSON_FALSE && json_span(j, i).n > 2)
	    || json_kind(j, k) == JSON_OBJECT
	    || json_is(j, json_get(j, 0, "type"), "error")
	    || json_is(j, json_get(j, 0, "object"), "error");
}

/* Google's: why (google.rpc.ErrorInfo), when again (google.rpc.RetryInfo). */
static void
read_details(struct apierror *f, const struct json *j, int details)
{
	static struct buf reason;
	int i;

	if (json_kind(j, details) != JSON_ARRAY)
		return;
	for (i = json_first(j, details); i >= 0; i = json_next(j, i)) {
		buf_reset(&reason);
		if (json_str(j, json_get(j, i, "reason"), &reason) == 0) {
			buf_reset(&f->code);
			buf_add(&f->code, reason.p, reason.n);
		}
		buf_reset(&reason);
		if (json_str(j, json_get(j, i, "retryDelay"), &reason) == 0)
			f->wait = retry_duration(buf_cstr(&reason), 1);
	}
}

void
apierror_read(struct apierror *f, const struct json *j)
{
	int i = 0, e;

	if (json_kind(j, 0) == JSON_ARRAY)
		i = json_first(j, 0);
	e = json_get(j, i, "error");
	if (e < 0)
		e = json_at(j, i, "response.error");
	f->bare = json_kind(j, e) == JSON_STRING;
	if (f->bare)
		add_message(&f->message, j, e);
	add_message(&f->type, j, json_get(j, e, "type"));
	add_message(&f->type, j, json_get(j, e, "status"));
	add_message(&f->code, j, json_get(j, e, "code"));
	add_message(&f->message, j, json_get(j, e, "message"));
	add_message(&f->generation, j, json_get(j, e, "failed_generation"));
	read_details(f, j, json_get(j, e, "details"));
	/* OpenRouter hands the other provider's words on here. */
	if (f->message.n > 0 && json_at(j, e, "metadata.raw") >= 0) {
		buf_puts(&f->message, ": ");
		json_str(j, json_at(j, e, "metadata.raw"), &f->message);
	}
	add_message(&f->message, j, json_get(j, i, "message"));
	add_message(&f->message, j, json_get(j, i, "detail"));
	add_message(&f->message, j, json_at(j, i, "detail.0.msg"));
	add_message(&f->code, j, json_get(j, i, "code"));
	bound(&f->message);
}

void
apierror_body(struct apierror *f, const char *s, size_t n)
{
	static struct json j;

	f->bare = n == 0 || json_parse(&j, s, n) < 0;
	if (!f->bare)
		apierror_read(f, &j);
	if (f->message.n == 0 && f->type.n == 0 && f->code.n == 0)
		utf8_repair(&f->message, s, n);
	bound(&f->message);
}

static void
lower(struct buf *b, const struct buf *s)
{
	size_t i, n = s->n < 2 * FAULT_TEXT ? s->n : 2 * FAULT_TEXT;

	for (i = 0; i < n; i++)
		if (s->p[i] != '\0')
			buf_putc(b, tolower((unsigned char)s->p[i]));
	buf_putc(b, ' ');
}

static int
matches(const char *key, const char *text, int part)
{
	static struct buf glob;
	struct strs l = {NULL, 0, 0};
	size_t i;
	int hit = 0;

	json_strs(failure_table(), json_at(failure_table(), 0, key), &l);
	for (i = 0; i < l.n && !hit; i++) {
		buf_reset(&glob);
		buf_printf(&glob, part ? "*%s*" : "%s", l.v[i]);
		hit = match_name(buf_cstr(&glob), text);
	}
	strs_free(&l);
	return hit;
}

int
apierror_is(const struct apierror *f, const char *key)
{
	static struct buf b;

	buf_reset(&b);
	lower(&b, &f->type);
	lower(&b, &f->code);
	lower(&b, &f->message);
	return matches(key, buf_cstr(&b), 1);
}

static const char *
kind_of(const char *reason)
{
	static const char *const kinds[] = {"end", "length", "refused",
	    "filtered", "overflow", "failed", "paused"};
	static struct buf b, key;
	size_t i;

	buf_reset(&b);
	for (i = 0; reason[i] != '\0'; i++)
		buf_putc(&b, tolower((unsigned char)reason[i]));
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		buf_reset(&key);
		buf_printf(&key, "finish.%s", kinds[i]);
		if (matches(buf_cstr(&key), buf_cstr(&b), 0))
			return kinds[i];
	}
	return *reason == '\0' ? "end" : NULL;
}

const char *
apierror_finish(const char *reason)
{
	static struct buf last; /* the one that was asked for: nearly all are */
	static const char *kind;

	if (last.n == 0 || strcmp(last.p, reason) != 0) {
		kind = kind_of(reason);
		buf_reset(&last);
		buf_puts(&last, reason);
		buf_putc(&last, '\0');
	}
	return kind;
}

long long
apierror_wait(const struct apierror *f)
{
	static struct buf b;
	struct strs l = {NULL, 0, 0};
	const char *p;
	long long ms = f->wait;
	size_t i;

	buf_reset(&b);
	lower(&b, &f->message);
	json_strs(failure_table(), json_get(failure_table(), 0, "wait"), &l);
	for (i = 0; i < l.n && ms < 0; i++) {
		p = strstr(buf_cstr(&b), l.v[i]);
		if (p != NULL)
			ms = retry_duration(p + strlen(l.v[i]), 1);
	}
	strs_free(&l);
	return ms;
}

void
apierror_say(const struct apierror *f, struct buf *b)
{
	if (f->type.n > 0) {
		buf_add(b, f->type.p, f->type.n);
		buf_puts(b, ": ");
	}
	if (f->code.n > 0
	    && !span_same(buf_view(&f->code), buf_view(&f->type))) {
		buf_add(b, f->code.p, f->code.n);
		buf_puts(b, ": ");
	}
	if (f->message.n > 0)
		buf_add(b, f->message.p, f->message.n);
	else if (b->n >= 2 && b->p[b->n - 2] == ':')
		b->n -= 2;
}

void
apierror_free(struct apierror *f)
{
	buf_free(&f->type);
	buf_free(&f->code);
	buf_free(&f->message);
	buf_free(&f->generation);
}
