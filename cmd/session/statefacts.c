#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chatparts.h"
#include "emit.h"
#include "hash.h"
#include "jsoncanon.h"
#include "jsonstr.h"
#include "match.h"
#include "nothing.h"
#include "section.h"
#include "statefacts.h"
#include "textfile.h"
#include "token.h"

/* The decoded string that v is the JSON text of; owned by us. */
static const char *
decoded(struct span v)
{
	static struct buf b;

	buf_reset(&b);
	jsonstr_text(&b, v);
	return buf_cstr(&b);
}

static int
answered(const struct chat *c, const struct chat_call *d)
{
	return d->result >= 0 && !c->v[d->result].failed;
}

/* The first of these arguments of a call that is a string; NULL for none. */
static char *
argument(struct span args, const struct strs *names)
{
	static struct chatargs a;
	const struct json *j = chatargs_parse(&a, args);
	size_t i;
	char *s;

	for (i = 0; j != NULL && i < names->n; i++) {
		s = json_dup(j, json_get(j, 0, names->v[i]));
		if (s != NULL)
			return s;
	}
	return NULL;
}

/* Add that argument of a call, if it is of one of these tools. */
static void
add(struct strs *l, struct span name, struct span args,
    const struct strs *tools, const struct strs *names)
{
	char *s;

	if (strs_find(tools, decoded(name)) < 0)
		return;
	s = argument(args, names);
	if (s != NULL && *s != '\0')
		strs_once(l, strncmp(s, "./", 2) == 0 ? s + 2 : s);
	free(s);
}

/* Add that argument of answered calls of these tools in messages i to n. */
static void
collect(struct strs *l, const struct chat *c, size_t i, size_t n,
    const struct strs *tools, const struct strs *args)
{
	const struct chat_call *d;
	const struct chatpart *parts;
	size_t k, p, nparts;

	for (; i < n; i++)
		for (k = 0; k < c->v[i].ncalls; k++) {
			d = &c->calls[c->v[i].call + k];
			nparts = chatparts_find(c, d, &parts);
			for (p = 0; p < nparts; p++)
				if (!parts[p].failed)
					add(l, parts[p].name, parts[p].args,
					    tools, args);
			if (answered(c, d))
				add(l, d->name, d->args, tools, args);
		}
}

char *
statefacts_skill(const struct chat *c, const struct chat_call *d,
    const struct statefacts_names *names)
{
	if (!answered(c, d) || strs_find(&names->loaders, decoded(d->name)) < 0)
		return NULL;
	return argument(d->args, &names->skills);
}

/* What the summary says was so before. */
static void
recall(struct strs *l, const struct statefacts *r, const char *key)
{
	static struct json j;

	if (r->summary.p != NULL
	    && json_parse(&j, r->summary.p, r->summary.n) == 0)
		json_strs(&j, json_get(&j, 0, key), l);
}

void
statefacts_touched(struct statefacts_touched *t, const struct statefacts *r,
    const struct statefacts_names *names, const struct chat *c, size_t n)
{
	strs_reset(&t->read);
	strs_reset(&t->modified);
	strs_reset(&t->skills);
	recall(&t->read, r, "read");
	recall(&t->modified, r, "modified");
	recall(&t->skills, r, "skills");
	collect(&t->read, c, 0, n, &names->readers, &names->paths);
	collect(&t->modified, c, 0, n, &names->writers, &names->paths);
	collect(&t->skills, c, 0, n, &names->loaders, &names->skills);
}

/* Index after the last user's message. */
static size_t
turn_begin(const struct chat *c)
{
	size_t i = c->n;

	while (i > 0 && c->v[i - 1].role != CHAT_USER)
		i--;
	return i;
}

static void
put_turn(struct buf *b, const struct chat *c)
{
	static struct strs called;
	const struct chat_call *d;
	const struct chatpart *parts;
	long long step = 0;
	size_t i, k, p, n;

	strs_reset(&called);
	for (i = turn_begin(c); i < c->n; i++) {
		step += c->v[i].role == CHAT_ASSISTANT;
		for (k = 0; k < c->v[i].ncalls; k++) {
			d = &c->calls[c->v[i].call + k];
			if (answered(c, d))
				strs_once(&called, decoded(d->name));
			n = chatparts_find(c, d, &parts);
			for (p = 0; p < n; p++)
				if (!parts[p].failed)
					strs_once(&called,
					    decoded(parts[p].name));
		}
	}
	emit_pairi(b, "step", step);
	emit_strs(b, "tools_called", &called);
}

static int
same(const struct chat *c, const struct chat_call *a,
    const struct chat_call *b)
{
	return span_same(a->name, b->name) && span_same(a->args, b->args)
	    && b->result >= 0
	    && span_same(c->v[a->result].content, c->v[b->result].content);
}

/* Did it fail, and not for being stopped? */
static int
faulty(const struct chat *c, const struct chat_call *d)
{
	return d->result >= 0 && c->v[d->result].failed
	    && !c->v[d->result].interrupted;
}

/*
 * How often the turn's last call was made with the same error, in different
 * answers; calls that failed or only read may be between them.
 */
static void
put_fault(struct buf *b, const struct statefacts_names *names,
    const struct chat *c)
{
	const struct chat_call *d, *last = NULL;
	const struct chat_msg *m;
	size_t from = turn_begin(c), i, k;
	long long n = 0;
	int hit, changed = 0;

	for (i = c->n; i > from && !changed; i--) {
		m = &c->v[i - 1];
		for (hit = 0, k = m->call + m->ncalls; k > m->call; k--) {
			d = &c->calls[k - 1];
			if (last == NULL && !faulty(c, d))
				return;
			if (last == NULL)
				last = d;
			hit |= same(c, last, d);
			changed |= d->result >= 0
			    && !c->v[d->result].failed
			    && strs_find(&names->readers, decoded(d->name))
				< 0;
		}
		n += hit;
	}
	if (n < 2)
		return;
	emit_pairi(b, "same_fault", n);
	emit_pairj(b, "same_fault_tool", last->name);
}

/*
 * Whether something was stopped or broke off that the model has not
 * answered to: then it is reported, and only then.
 */
static void
put_breaks(struct buf *b, const struct statefacts *r, const struct chat *c)
{
	const struct chat_msg *m;
	int interrupted = 0, partial = 0;
	size_t i, k;

	for (i = c->n; i > 0; i--) {
		m = &c->v[i - 1];
		interrupted |= m->interrupted;
		partial |= m->partial;
		if (m->role != CHAT_ASSISTANT || m->partial)
			continue;
		for (k = m->call; k < m->call + m->ncalls; k++)
			interrupted |= c->calls[k].result < 0;
		break;
	}
	interrupted |= r->stopped && c->n - r->stop_behind >= i;
	emit_pairb(b, "interrupted", interrupted);
	emit_pairb(b, "partial", partial);
}

/* What a summary takes of the context. */
static long long
summed(const struct statefacts *r)
{
	static struct json j;
	struct span s;

	if (r->summary.p == NULL
	    || json_parse(&j, r->summary.p, r->summary.n) < 0)
		return 0;
	s = json_span(&j, json_get(&j, 0, "content"));
	return s.p == NULL ? 0 : (long long)token_count(s.p, s.n);
}

long long
statefacts_estimate(const struct statefacts *r, const struct chat *c,
    size_t start, long opening)
{
	long long n = summed(r);
	size_t i;

	if (opening >= 0)
		n += (long long)c->view[opening].tokens;
	for (i = start; i < c->nview; i++)
		n += (long long)c->view[i].tokens;
	return n;
}

double
statefacts_ratio(const struct statefacts *r)
{
	static struct json j;
	double counted, ours;

	if (r->usage.p == NULL || json_parse(&j, r->usage.p, r->usage.n) < 0
	    || json_num(&j, json_get(&j, 0, "prompt_tokens"), &counted) < 0
	    || json_num(&j, json_get(&j, 0, "estimate"), &ours) < 0
	    || counted < 1 || ours < 1)
		return 1;
	return fmin(fmax(counted / ours, 0.5), 2);
}

long long
statefacts_tokens(const struct statefacts *r, const struct chat *c,
    size_t start, long opening)
{
	static struct json j;
	double ratio = statefacts_ratio(r);
	long long after = 0, in, out = 0;
	size_t i;

	/* Without usage, or after a fold, estimate. */
	if (r->usage.p == NULL || r->usage_stale
	    || json_parse(&j, r->usage.p, r->usage.n) < 0
	    || json_int(&j, json_get(&j, 0, "prompt_tokens"), &in) < 0)
		return llround((double)statefacts_estimate(r, c, start, opening)
		    * ratio);
	if (json_int(&j, json_get(&j, 0, "completion_tokens"), &out) < 0)
		out = 0;
	for (i = c->n - r->usage_behind; i < c->n; i++)
		after += (long long)c->v[i].tokens;
	return in + out + llround((double)after * ratio);
}

static void
put_context(struct buf *b, const struct statefacts *r, const struct chat *c,
    size_t start, long opening)
{
	double ratio = statefacts_ratio(r);
	long long calls = 0, results = 0;
	size_t i;

	for (i = start; i < c->nview; i++) {
		if (c->view[i].call < 0)
			continue;
		calls++;
		results += (long long)c->v[c->view[i].msg].tokens;
	}
	emit_pairi(b, "context_tokens",
	    statefacts_tokens(r, c, start, opening));
	if (ratio < 1 || ratio > 1)
		emit_pairf(b, "token_ratio", round(ratio * 100) / 100);
	emit_pairi(b, "result_tokens", results);
	emit_pairi(b, "result_calls", calls);
}

/* A result without a hit. */
static int
is_nothing(const struct statefacts_names *names, struct span said)
{
	return (said.n == 0 || said.p[0] == '"')
	    && nothing_is(&names->nothing, span_of(decoded(said)));
}

static void
put_call(struct buf *b, struct span name, struct span value, int empty)
{
	static struct buf args, hex;
	static struct json j;

	buf_reset(&args);
	buf_reset(&hex);
	if (value.n > 0 && json_parse(&j, value.p, value.n) == 0)
		jsoncanon_args(&args, &j, 0);
	hash_hex(&hex, args.n > 0 ? args.p : "", args.n);
	emit_open(b, '{');
	emit_pairj(b, "name", name);
	emit_pairn(b, "hash", hex.p, hex.n);
	emit_pairb(b, "empty", empty);
	emit_close(b, '}');
}

/* How many calls d is: those in it, if it is a batch. */
static size_t
width(const struct chat *c, const struct chat_call *d)
{
	const struct chatpart *parts;
	size_t n = chatparts_find(c, d, &parts);

	return n > 0 ? n : 1;
}

static void
put_calls(
    struct buf *b, const struct statefacts_names *names, const struct chat *c)
{
	const struct chat_call *d;
	const struct chatpart *parts;
	const struct chat_msg *m;
	long long left = 0;
	size_t i, k, p, n;

	for (i = 0; i < c->ncalls; i++)
		left += (long long)width(c, &c->calls[i]);
	emit_key(b, "calls");
	emit_open(b, '[');
	for (i = 0; i < c->n; i++) {
		m = &c->v[i];
		for (k = m->call; k < m->call + m->ncalls; k++) {
			d = &c->calls[k];
			n = chatparts_find(c, d, &parts);
			for (p = 0; p < n; p++)
				if (left-- <= names->calls)
					put_call(b, parts[p].name,
					    parts[p].args,
					    parts[p].isnothing);
			if (n == 0 && left-- <= names->calls)
				put_call(b, d->name, d->args, d->result >= 0
				    && is_nothing(names,
					c->v[d->result].content));
		}
	}
	emit_close(b, ']');
}

/* Skills that the last step loaded, whose results end the conversation. */
static void
put_new(struct buf *b, const struct statefacts_names *names,
    const struct chat *c)
{
	static struct strs new;
	size_t i = c->n;

	while (i > 0 && c->v[i - 1].role == CHAT_TOOL)
		i--;
	if (i == 0 || c->v[i - 1].role != CHAT_ASSISTANT)
		return;
	strs_reset(&new);
	collect(&new, c, i - 1, i, &names->loaders, &names->skills);
	if (new.n > 0)
		emit_strs(b, "skills_new", &new);
}

/* Skills whose text went with messages that a summary replaced. */
static void
put_folded(struct buf *b, const struct statefacts *r,
    const struct statefacts_names *names, const struct chat *c, size_t start)
{
	static struct strs seen, folded;
	size_t i;

	strs_reset(&seen);
	strs_reset(&folded);
	recall(&folded, r, "skills");
	if (folded.n == 0)
		return;
	if (start < c->nview)
		collect(&seen, c, (size_t)c->view[start].msg, c->n,
		    &names->loaders, &names->skills);
	emit_key(b, "skills_folded");
	emit_open(b, '[');
	for (i = 0; i < folded.n; i++)
		if (strs_find(&seen, folded.v[i]) < 0)
			emit_cstr(b, folded.v[i]);
	emit_close(b, ']');
}

static void
put_mishap(struct buf *b, const struct mishap *m)
{
	if (m->retries > 0)
		emit_pairi(b, "retries", m->retries);
	if (m->error.p != NULL)
		emit_pairj(b, "error", m->error);
}

static void
put_check(struct buf *b, const struct failedcheck *f)
{
	if (!f->there)
		return;
	emit_pairi(b, "until_round", f->round);
	emit_pairi(b, "until_status", f->status);
	emit_pair(b, "until_output", f->output);
	emit_pair(b, "until_file", f->file);
}

static void
put_touched(struct buf *b, const struct statefacts_touched *t)
{
	static struct strs all;
	size_t i;

	strs_reset(&all);
	for (i = 0; i < t->read.n; i++)
		strs_once(&all, t->read.v[i]);
	for (i = 0; i < t->modified.n; i++)
		strs_once(&all, t->modified.v[i]);
	if (all.n > 0)
		emit_strs(b, "touched", &all);
}

void
statefacts_put(const struct statefacts *r, const struct statefacts_names *names,
    const struct chat *c, size_t start, long opening, struct span id,
    const struct session_count *count, const struct statefacts_touched *t)
{
	static struct buf b;

	emit_open(&b, '{');
	emit_pair(&b, "type", "state");
	emit_pairn(&b, "session", id.p, id.n);
	emit_pairi(&b, "turn", count->turn);
	emit_pairi(&b, "messages", count->message);
	put_turn(&b, c);
	put_fault(&b, names, c);
	put_breaks(&b, r, c);
	put_mishap(&b, &r->mishap);
	put_check(&b, &r->check);
	put_context(&b, r, c, start, opening);
	emit_strs(&b, "skills_loaded", &t->skills);
	put_touched(&b, t);
	put_new(&b, names, c);
	put_folded(&b, r, names, c, start);
	put_calls(&b, names, c);
	if (r->usage.p != NULL)
		emit_pairj(&b, "usage", r->usage);
	emit_close(&b, '}');
	record_put(&b);
}

static void
put_files(struct buf *b, const char *what, const struct strs *l,
    const struct strs *but)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (but == NULL || strs_find(but, l->v[i]) < 0) {
			buf_puts(b, what);
			textfile_name(b, span_of(l->v[i]));
			buf_putc(b, '\n');
		}
}

void
statefacts_files(struct statefacts_touched *t)
{
	static struct buf b;
	static const struct section s = {.kind = "session-files", .isvolatile = 1};

	buf_reset(&b);
	strs_sort(&t->read);
	strs_sort(&t->modified);
	put_files(&b, "modified: ", &t->modified, NULL);
	put_files(&b, "read: ", &t->read, &t->modified);
	if (b.n > 0)
		section_put(&s, b.p, b.n - 1);
}

/* Do events met now belong to a call that has not succeeded since? */
static int
unsettled(struct mishap *m, const struct chat *c)
{
	const struct chat_msg *msg;

	for (; m->looked < c->n; m->looked++) {
		msg = &c->v[m->looked];
		m->settled |= msg->role != CHAT_ASSISTANT
		    || !(msg->partial || (msg->empty && msg->ncalls == 0));
	}
	return !m->settled;
}

/* A check that failed is news until the user's next message. */
static void
take_check(struct failedcheck *f, const struct json *j, const struct chat *c)
{
	size_t i;

	if (f->there)
		return;
	for (i = 0; i < c->n; i++)
		if (c->v[i].role == CHAT_USER)
			return;
	f->there = 1;
	json_int(j, json_get(j, 0, "round"), &f->round);
	json_int(j, json_get(j, 0, "status"), &f->status);
	f->output = json_dup(j, json_get(j, 0, "output"));
	f->file = json_dup(j, json_get(j, 0, "file"));
}

void
statefacts_mishap(
    struct statefacts *s, const struct rec *r, const struct chat *c)
{
	struct mishap *m = &s->mishap;
	const struct json *j = record_json(r);

	if (r->type == REC_MARK && json_is(j, json_get(j, 0, "what"), "retry"))
		m->retries += unsettled(m, c);
	else if (r->type == REC_MARK
	    && json_is(j, json_get(j, 0, "what"), "until"))
		take_check(&s->check, j, c);
	else if (r->type == REC_ERROR && m->error.p == NULL && unsettled(m, c))
		m->error = json_span(j, 0);
}
