#include <stdlib.h>
#include <string.h>

#include "chat.h"
#include "diag.h"
#include "emit.h"
#include "nextstep.h"
#include "session.h"
#include "settings.h"

/* Is the member a text that says anything? */
static int
says(const struct json *j, const char *key)
{
	static struct buf b;

	buf_reset(&b);
	return json_str(j, json_get(j, 0, key), &b) == 0
	    && span_trim(buf_view(&b)).n > 0;
}

static void
take_message(struct nextstep *s, const struct rec *r)
{
	const struct json *j = record_json(r);

	s->called |= json_count(j, json_get(j, 0, "tool_calls")) > 0;
	s->answered = span_is(r->role, "assistant") && says(j, "content")
	    && !json_true(j, json_at(j, 0, "tp.partial"));
	s->said |= span_is(r->role, "assistant");
}

void
nextstep_take(struct nextstep *s, const struct rec *r)
{
	const struct json *j;

	s->ended = r->type == REC_END && !r->implied;
	switch (r->type) {
	case REC_MESSAGE:
		take_message(s, r);
		break;
	case REC_TOOL:
		j = record_json(r);
		s->owed |= json_true(j, json_get(j, 0, "required"));
		break;
	case REC_STATE:
		s->owed |= json_get(record_json(r), 0, "owed") >= 0;
		break;
	case REC_MARK:
		j = record_json(r);
		s->later |= json_is(j, json_get(j, 0, "what"), "deferred");
		break;
	case REC_ERROR:
		if (s->code != 0)
			break;
		s->code = record_code(r);
		j = record_json(r);
		s->silent = s->said && s->code == EX_PROTOCOL
		    && json_is(j, json_get(j, 0, "from"), "toolrun");
		break;
	default:
		break;
	}
}

/* An error of the step; the first one is read last. */
static void
read_error(struct nextstep *s, struct buf *text, const struct rec *r)
{
	const struct json *j = record_json(r);

	memset(s, 0, sizeof(*s));
	s->said = 1;
	nextstep_take(s, r);
	buf_reset(text);
	(void)json_str(j, json_get(j, 0, "message"), text);
}

void
nextstep_read(struct nextstep *s, int *late, struct buf *text, struct tail *t)
{
	static struct strs answered; /* ids of results */
	struct rec r = {0};
	const struct json *j = NULL;
	char *id;
	int later = 0;

	memset(s, 0, sizeof(*s));
	while (session_prev(t, &r)) {
		j = record_json(&r);
		if (r.type == REC_ERROR) {
			read_error(s, text, &r);
		} else if (r.type == REC_MARK) {
			id = json_dup(j, json_get(j, 0, "id"));
			later |= json_is(j, json_get(j, 0, "what"), "deferred")
			    && id != NULL && strs_find(&answered, id) < 0;
			*late |= json_is(j, json_get(j, 0, "signal"), "ALRM");
			free(id);
		} else if (r.type == REC_MESSAGE && span_is(r.role, "tool")) {
			id = json_dup(j, json_get(j, 0, "tool_call_id"));
			if (id != NULL)
				strs_add(&answered, id);
			free(id);
		} else if (r.type == REC_MESSAGE) {
			break;
		}
	}
	strs_reset(&answered);
	s->said = 0;
	if (r.type == REC_MESSAGE && span_is(r.role, "assistant")) {
		take_message(s, &r);
		if (s->code == 0)
			(void)json_str(j, json_get(j, 0, "content"), text);
	}
	s->silent &= s->said;
	s->later = later;
	/* Nothing came yet: the step is still to be made. */
	s->called |= s->code == 0 && !s->answered;
	s->said = s->ended = 1;
}

static void
add_usage(struct turnlog *l, const struct json *j)
{
	static const char *const names[] = {
		"prompt_tokens", "completion_tokens"};
	long long n;
	double cost;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (json_int(j, json_get(j, 0, names[i]), &n) == 0)
			l->tokens += n;
	if (json_num(j, json_get(j, 0, "cost"), &cost) == 0)
		l->cost += cost;
}

void
turnlog_read(struct turnlog *l, struct tail *t)
{
	struct rec r;
	const struct json *j;
	int answered = 0, checked = 0, what;

	memset(l, 0, sizeof(*l));
	while (session_prev(t, &r)) {
		j = record_json(&r);
		if (r.type == REC_MESSAGE) {
			if (span_is(r.role, "user"))
				return;
			l->unasked |= json_true(j, json_at(j, 0, "tp.unasked"));
			answered |= span_is(r.role, "assistant")
			    && !json_true(j, json_at(j, 0, "tp.partial"))
			    && (json_count(j, json_get(j, 0, "tool_calls")) > 0
				|| !chat_silent(j));
		} else if (r.type == REC_MARK) {
			what = json_get(j, 0, "what");
			l->tries += !answered && json_is(j, what, "retry");
			l->unasked |= json_true(j, json_get(j, 0, "unasked"));
			if (!checked && json_is(j, what, "until"))
				checked = json_int(j, json_get(j, 0, "round"),
				    &l->rounds) == 0;
		} else if (r.type == REC_ERROR) {
			l->overflows += !answered
			    && record_code(&r) == EXIT_OVERFLOW;
		} else if (r.type == REC_SUMMARY) {
			l->folds++;
		} else if (r.type == REC_USAGE) {
			add_usage(l, j);
		}
	}
}

/* Is a step that failed so worth another try? */
static int
may_retry(int code, const struct turnlog *l)
{
	struct strs on = {0};
	int yes = 0;
	size_t i;

	(void)settings_words("retry.on", &on);
	for (i = 0; i < on.n; i++)
		yes |= atoi(on.v[i]) == code;
	strs_free(&on);
	return yes && l->tries < settings_int("retry.tries");
}

struct nextword
nextstep_decide(const struct nextstep *s, const struct turnlog *l, int late)
{
	const int code = s->code;
	/* The first row that holds. */
	const struct {
		int holds;
		struct nextword w;
	} table[] = {
		{code == EXIT_OVERFLOW && l->overflows < 2, {"fold", code, 0}},
		{code == EXIT_SPENT || code == EXIT_STEPS, {"limit", code, 0}},
		{code != 0 && may_retry(code, l), {"broken", code, 0}},
		{s->silent, {"error", EXIT_SCHEMA, 0}},
		{code != 0, {"error", code, 0}},
		{!s->ended || !s->said, {"error", EX_PROTOCOL, 0}},
		{s->later, {"later", EX_TEMPFAIL, 0}},
		{s->called || s->owed, {"calls", 0, 0}},
		{l->unasked && !settings_bool("ok_denied"),
		    {"denied", EX_NOPERM, 0}},
		{1, {"final", 0, 0}},
	};
	static const struct nextword limit = {"limit", EXIT_STEPS, 1};
	static const char *const on[] = {"calls", "broken", "fold"};
	size_t i = 0, k;

	while (!table[i].holds)
		i++;
	for (k = 0; late && k < sizeof(on) / sizeof(*on); k++)
		if (strcmp(table[i].w.why, on[k]) == 0)
			return limit;
	return table[i].w;
}

void
nextstep_mark(struct buf *b, struct nextword w, const struct turnlog *l)
{
	int again = strcmp(w.why, "broken") == 0;

	if (!again && !w.late)
		return;
	emit_open(b, '{');
	emit_pair(b, "type", "mark");
	emit_pair(b, "what", again ? "retry" : "interrupted");
	if (again) {
		emit_pairi(b, "status", w.status);
		emit_pairi(b, "attempt", l->tries + 1);
	} else {
		emit_pair(b, "signal", "ALRM");
	}
	emit_close(b, '}');
}

void
nextstep_put(struct buf *b, struct span session, struct nextword w,
    const struct nextstep *s, const struct turnlog *l, const struct buf *text)
{
	emit_open(b, '{');
	emit_pair(b, "type", "next");
	emit_pairn(b, "session", session.p, session.n);
	emit_pair(b, "why", w.why);
	emit_pairi(b, "status", w.status);
	emit_pairi(b, "tries", l->tries + (strcmp(w.why, "broken") == 0));
	emit_pairi(b, "rounds", l->rounds);
	emit_pairi(b, "folds", l->folds);
	emit_pairi(b, "tokens", l->tokens);
	if (l->cost > 0)
		emit_pairf(b, "cost", l->cost);
	if (text != NULL && text->n > 0)
		emit_pairn(b, s->code != 0 ? "error" : "text", text->p, text->n);
	emit_close(b, '}');
}
