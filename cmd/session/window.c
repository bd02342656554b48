#include <math.h>

#include "emit.h"
#include "jsonstr.h"
#include "template.h"
#include "token.h"
#include "window.h"

enum { SHORT_TOKENS = 20 }; /* of a shortened result, about */

/* What one cut takes off, at least 1. */
static long long
step(const struct window *f, long long limit)
{
	long long s = limit - (long long)floor((double)limit * f->keep);

	return s < 1 ? 1 : s;
}

/*
 * For tokens the places are counted in bytes of the log.  A token is some
 * four of them, often less in foreign scripts: half of that errs towards
 * smaller cuts.
 */
static long long
token_step(const struct window *f)
{
	return 2 * step(f, f->tokens);
}

static long long
round_up(long long v, long long by)
{
	return (v + by - 1) / by * by;
}

/* Errors are never shortened: they are short and useful. */
static int
can_shorten(const struct window *f, const struct chat_msg *m)
{
	return m->role == CHAT_TOOL && !m->shortened && !m->failed && !m->kept
	    && (long long)m->content.n > f->small;
}

/* The number of the first message that the limit lets in. */
static long long
first_number(const struct window *f, long long last)
{
	if (f->messages == 0 || last <= f->messages)
		return 0;
	return round_up(last - f->messages, step(f, f->messages)) + 1;
}

int
window_more(
    const struct window *f, struct window_walk *w, const struct chat_msg *m)
{
	if (w->last == 0)
		w->last = m->number;
	w->results += m->role == CHAT_TOOL ? (long long)m->content.n : 0;
	if (f->results > 0 && w->results > f->results && can_shorten(f, m))
		w->tokens += SHORT_TOKENS;
	else
		w->tokens += (long long)m->tokens;
	if (m->number < first_number(f, w->last)
	    || (f->tokens > 0 && w->tokens > f->tokens))
		w->enough = 1;
	return !(w->enough && m->role == CHAT_USER);
}

/* Offset in the log before which results are shortened; 0 for nowhere. */
static off_t
results_before(const struct window *f, const struct chat *c)
{
	long long sum = 0;
	size_t i;

	if (f->results == 0)
		return 0;
	for (i = c->n; i > 0; i--) {
		if (c->v[i - 1].role != CHAT_TOOL)
			continue;
		sum += (long long)c->v[i - 1].content.n;
		if (sum > f->results)
			return (off_t)round_up((long long)c->v[i - 1].at + 1,
			    step(f, f->results));
	}
	return 0;
}

/* Characters of a string; of anything else those of its JSON text. */
static size_t
count_chars(struct span v)
{
	static struct buf b;
	size_t i, n = 0;

	buf_reset(&b);
	jsonstr_text(&b, v);
	for (i = 0; i < b.n; i++)
		n += ((unsigned char)b.p[i] & 0xc0) != 0x80;
	return n;
}

/* The message with this content, and the note that it was shortened. */
static void
replace(struct chat *c, struct chat_item *it, struct span content,
    size_t chars)
{
	static struct buf b;
	struct json j = {0};
	int k, own;

	json_parse(&j, it->text.p, it->text.n);
	own = json_get(&j, 0, "tp");
	buf_reset(&b);
	emit_open(&b, '{');
	for (k = json_first(&j, 0); k >= 0; k = json_next(&j, k)) {
		if (k + 1 == own)
			continue;
		emit_keyj(&b, json_span(&j, k));
		if (json_is(&j, k, "content"))
			buf_span(&b, content);
		else
			buf_span(&b, json_span(&j, k + 1));
	}
	it->tokens = token_count(b.p, b.n);
	emit_key(&b, "tp");
	emit_open(&b, '{');
	for (k = json_first(&j, own); k >= 0; k = json_next(&j, k))
		emit_member(&b, &j, k);
	emit_pairi(&b, "shortened", (long long)chars);
	emit_close(&b, '}');
	emit_close(&b, '}');
	it->text = chat_made(c, &b);
	it->made = 1;
	json_free(&j);
}

static void
shorten(struct chat *c, struct chat_item *it, const char *text, size_t n)
{
	static struct buf b, name, said, count;
	struct chat_msg *m = &c->v[it->msg];
	struct hole holes[] = {{"name", {NULL, 0}}, {"chars", {NULL, 0}},
	    {NULL, {NULL, 0}}};
	size_t chars = count_chars(m->content);

	buf_reset(&name);
	jsonstr_text(&name, c->calls[it->call].name);
	buf_reset(&count);
	buf_printf(&count, "%zu", chars);
	holes[0].value = buf_view(&name);
	holes[1].value = buf_view(&count);
	buf_reset(&said);
	template_holes(&said, text, n, holes);
	buf_reset(&b);
	emit_str(&b, said.p, said.n);
	if (b.n < m->content.n)
		replace(c, it, buf_view(&b), chars);
}

void
window_shorten(
    const struct window *f, struct chat *c, const char *text, size_t n)
{
	off_t before = results_before(f, c);
	struct chat_item *it;
	int groups = 0;
	size_t i;

	for (i = c->nview; i > 0; i--) {
		it = &c->view[i - 1];
		if (it->call < 0) {
			groups += c->v[it->msg].ncalls > 0;
			continue;
		}
		if (groups >= f->groups && c->v[it->msg].at < before
		    && can_shorten(f, &c->v[it->msg]))
			shorten(c, it, text, n);
	}
}

static long long
place(const struct chat_msg *m, int bybytes)
{
	return bybytes ? (long long)m->at : m->number;
}

static size_t
last_group(const struct chat *c)
{
	size_t i = c->nview;

	while (i > 0 && c->view[--i].call >= 0)
		;
	return i;
}

/*
 * The item at which a window begins that shall not reach before place from:
 * the first user's message within range, else the first group.  What is in
 * range was there when this cut was first made, so that it stays.
 */
static size_t
snap(const struct chat *c, size_t i, int bybytes, long long from,
    long long range)
{
	const struct chat_msg *m;
	size_t group = c->nview;
	long long at;

	for (; i < c->nview; i++) {
		if (c->view[i].call >= 0)
			continue;
		m = &c->v[c->view[i].msg];
		at = place(m, bybytes);
		if (at < from)
			continue;
		if (group < c->nview && at >= from + range)
			break;
		if (m->role == CHAT_USER && at < from + range)
			return i;
		if (group == c->nview)
			group = i;
	}
	if (group < c->nview)
		return group;
	return last_group(c);
}

/* The user's message of the turn that item i is in the middle of, or -1. */
static long
opening_of(const struct chat *c, size_t i)
{
	size_t k;

	for (k = i; k < c->nview; k++) {
		if (c->view[k].call >= 0)
			continue;
		if (c->v[c->view[k].msg].role == CHAT_USER)
			return -1;
		if (c->v[c->view[k].msg].role == CHAT_ASSISTANT)
			break;
	}
	while (i > 0)
		if (c->view[--i].call < 0
		    && c->v[c->view[i].msg].role == CHAT_USER)
			return (long)i;
	return -1;
}

static size_t
by_tokens(const struct window *f, const struct chat *c, size_t start)
{
	long long from, last = -1, by = token_step(f), sum = 0;
	size_t i, k, s;
	long open;

	for (i = start; i < c->nview; i++)
		sum += (long long)c->view[i].tokens;
	open = opening_of(c, start);
	if (sum + (open < 0 ? 0 : (long long)c->view[open].tokens) <= f->tokens)
		return start;
	for (i = s = start; i < c->nview; i++) {
		if (c->view[i].call >= 0)
			continue;
		from = round_up((long long)c->v[c->view[i].msg].at, by);
		if (from == last)
			continue;
		last = from;
		k = snap(c, i, 1, from, by / 2);
		for (; s < k; s++)
			sum -= (long long)c->view[s].tokens;
		open = opening_of(c, k);
		if (sum + (open < 0 ? 0 : (long long)c->view[open].tokens)
		    <= f->tokens)
			return k;
	}
	/* The messages that must stay exceed the limit; llmcall reports it. */
	return last_group(c);
}

size_t
window_choose(const struct window *f, const struct chat *c, long long through,
    long *opening)
{
	long long from;
	size_t start = 0;

	*opening = -1;
	while (start < c->nview
	    && (c->view[start].call >= 0
		|| c->v[c->view[start].msg].n <= through))
		start++;
	from = first_number(f, c->n > 0 ? c->v[c->n - 1].number : 0);
	if (start < c->nview && c->v[c->view[start].msg].number < from)
		start = snap(c, start, 0, from, f->keep >= 1 ? 0
		    : (f->messages - step(f, f->messages)) / 2);
	if (start < c->nview && f->tokens > 0)
		start = by_tokens(f, c, start);
	if (start < c->nview)
		*opening = opening_of(c, start);
	return start;
}
