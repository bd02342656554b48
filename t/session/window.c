#include <stdlib.h>
#include <string.h>

#include "chat.h"
#include "emit.h"
#include "json.h"
#include "tap.h"
#include "window.h"

/* A log in memory: u, a, c (a call) and r (its result) of some size. */
static struct strs lines;
static off_t *places;
static size_t cap;
static off_t end;
static unsigned ncalls;

static const char text[] = "[{{name}}: truncated, was {{chars}} chars]";

static void
clear(void)
{
	strs_reset(&lines);
	end = 0;
	ncalls = 0;
}

static void
add_line(struct buf *b)
{
	grow(&places, &cap, lines.n, sizeof(*places));
	places[lines.n] = end;
	end += (off_t)b->n + 1;
	strs_addn(&lines, b->p, b->n);
	buf_reset(b);
}

static void
add(int what, size_t size, const char *begin)
{
	static struct buf b, s;

	buf_reset(&s);
	buf_puts(&s, begin);
	while (s.n < size)
		buf_printf(&s, "word%zu ", s.n);
	s.n = size > strlen(begin) ? size : strlen(begin);
	emit_open(&b, '{');
	emit_pair(&b, "role",
	    what == 'u' ? "user" : what == 'r' ? "tool" : "assistant");
	if (what == 'c') {
		ncalls++;
		buf_puts(&b, ",\"tool_calls\":[{\"id\":");
		buf_printf(&b, "\"c%u\",\"function\":{\"name\":\"get\"}}]",
		    ncalls);
	} else {
		emit_pairn(&b, "content", s.n > 0 ? s.p : "", s.n);
	}
	if (what == 'r') {
		emit_key(&b, "tool_call_id");
		buf_printf(&b, "\"c%u\"", ncalls);
	}
	emit_close(&b, '}');
	add_line(&b);
}

/* As histfit does, of the first n lines. */
static size_t
fit_first(const struct window *f, struct chat *c, size_t n, long long through,
    long *opening)
{
	static struct json j;
	struct window_walk w = {0, 0, 0, 0};
	struct chat_msg *m;
	struct span s;
	int more = 1;

	chat_reset(c);
	for (; n > 0 && more; n--) {
		s.p = lines.v[n - 1];
		s.n = strlen(s.p);
		if (json_parse(&j, s.p, s.n) < 0)
			abort();
		m = chat_add(c, &j, s);
		m->n = m->number = (long long)n;
		m->at = places[n - 1];
		if (m->n <= through)
			w.enough = 1;
		more = window_more(f, &w, m);
	}
	chat_reverse(c);
	chat_view(c);
	window_shorten(f, c, text, sizeof(text) - 1);
	return window_choose(f, c, through, opening);
}

/* Number in the log of what item i shows. */
static long long
number(const struct chat *c, size_t i)
{
	return c->v[c->view[i].msg].number;
}

/* Turns of different length, one of them endless. */
static void
make_log(size_t n, size_t endless, size_t size)
{
	size_t i, left = 0;

	clear();
	for (i = 0; i < n; i++) {
		if (left == 0 && i != n) {
			add('u', size / 4, "");
			left = lines.n < endless ? 1 + i * 7 % 5 : n;
		} else if (left == 1) {
			add('a', size / 2, "");
			left = 0;
		} else {
			add('c', 0, "");
			add('r', size / 2 + i * 31 % size, "");
			left--;
		}
	}
}

struct warnonce {
	int cuts, broken, over, orphan, headless;
	size_t least;
};

/*
 * Grow a log line by line.  What was sent stays the beginning of what is
 * sent next, but for some cuts; count those and all that must not be.
 */
static void
grow_log(const struct window *f, struct warnonce *t)
{
	static struct chat now, before;
	struct chat swap;
	size_t i, n, s, was = 0;
	long long sum;
	long open, open_was = -1;
	int same;

	memset(t, 0, sizeof(*t));
	t->least = lines.n;
	for (n = 1; n <= lines.n; n++) {
		s = fit_first(f, &now, n, 0, &open);
		sum = open >= 0 ? (long long)now.view[open].tokens : 0;
		for (i = s; i < now.nview; i++)
			sum += (long long)now.view[i].tokens;
		if (f->messages > 0
		    && (long long)n - number(&now, s) + 1 > f->messages)
			t->over++;
		if (f->tokens > 0 && sum > f->tokens)
			t->over++;
		if (s > 0 && now.nview - s < t->least)
			t->least = now.nview - s;
		t->orphan += now.view[s].call >= 0;
		t->headless += open < 0
		    && now.v[now.view[s].msg].role != CHAT_USER;
		same = n > 1 && (open >= 0) == (open_was >= 0)
		    && (open < 0
			|| number(&now, (size_t)open)
			    == number(&before, (size_t)open_was))
		    && number(&now, s) == number(&before, was);
		for (i = 0; same && was + i < before.nview; i++)
			same = s + i < now.nview
			    && now.view[s + i].text.n
				== before.view[was + i].text.n
			    && memcmp(now.view[s + i].text.p,
				   before.view[was + i].text.p,
				   now.view[s + i].text.n) == 0;
		t->cuts += n > 1 && !same;
		swap = before;
		before = now;
		now = swap;
		was = s;
		open_was = open;
	}
}

static void
test_growth(void)
{
	struct window f = {0, 0, 0, 10, 0.5, 2};
	struct warnonce t;

	make_log(400, 300, 100);
	grow_log(&f, &t);
	ok(t.cuts == 0 && t.orphan == 0, "no limit, no cut");
	f.messages = 40;
	grow_log(&f, &t);
	ok(t.cuts > 5 && t.cuts <= (int)lines.n / 20,
	    "messages: cuts in large steps: %d", t.cuts);
	ok(t.over == 0 && t.orphan == 0 && t.headless == 0,
	    "messages: at most, whole groups, a user's message first");
	ok(t.least >= 40 / 4, "messages: enough stays: %zu", t.least);
	f.messages = 0;
	f.tokens = 2000;
	grow_log(&f, &t);
	ok(t.cuts > 3 && t.cuts <= (int)(end / 2000),
	    "tokens: cuts in large steps: %d", t.cuts);
	ok(t.over == 0 && t.orphan == 0 && t.headless == 0,
	    "tokens: at most, whole groups, a user's message first");
	f.tokens = 0;
	f.results = 4000;
	grow_log(&f, &t);
	ok(t.cuts > 3 && t.cuts <= (int)(end / 2000),
	    "results: shortened in large steps: %d", t.cuts);
	f.messages = 40;
	f.tokens = 2000;
	grow_log(&f, &t);
	ok(t.over == 0 && t.orphan == 0 && t.headless == 0, "all at once");
	f.messages = 1;
	f.tokens = 1;
	grow_log(&f, &t);
	ok(t.orphan == 0 && t.headless == 0 && t.least > 0,
	    "limits that nothing fits: the last group stays");
}

static int
shortened(const struct chat *c, size_t i, const char *content)
{
	static struct json j;
	struct span s = c->view[i].text;

	return json_parse(&j, s.p, s.n) == 0
	    && json_is(&j, json_get(&j, 0, "content"), content);
}

/* How many results in the view are not what is stored. */
static int
changed(const struct chat *c)
{
	size_t i;
	int n = 0;

	for (i = 0; i < c->nview; i++)
		n += c->view[i].made;
	return n;
}

static void
test_shorten(void)
{
	static struct chat c;
	struct window f = {0, 0, 1, 0, 0.5, 2};
	struct strs old = {0};
	static struct buf b;
	size_t i;
	long open;

	clear();
	for (i = 0; i < 4; i++) {
		add('u', 20, "");
		add('c', 0, "");
		add('r', 5000, "caf\xc3\xa9 ");
		add('a', 3000, "");
	}
	fit_first(&f, &c, lines.n, 0, &open);
	ok(changed(&c) == 2 && shortened(&c, 2,
	       "[get: truncated, was 4999 chars]")
		&& c.view[6].made && !c.view[10].made && !c.view[14].made,
	    "four big results: two shortened, the last two not");
	ok(c.view[3].text.p == lines.v[3] && c.view[10].text.p == lines.v[10],
	    "all else is untouched");
	ok(c.view[2].tokens < 40, "and counts for less");
	/* The view becomes the log. */
	for (i = 0; i < c.nview; i++)
		strs_addn(&old, c.view[i].text.p, c.view[i].text.n);
	clear();
	for (i = 0; i < old.n; i++) {
		buf_puts(&b, old.v[i]);
		add_line(&b);
	}
	fit_first(&f, &c, lines.n, 0, &open);
	ok(changed(&c) == 0, "twice is once");
	f.groups = 0;
	fit_first(&f, &c, lines.n, 0, &open);
	ok(changed(&c) == 2, "none kept: the other two");
	strs_free(&old);

	clear();
	f.groups = 2;
	for (i = 0; i < 3; i++) {
		add('c', 0, "");
		add('r', 50, "");
	}
	fit_first(&f, &c, lines.n, 0, &open);
	ok(changed(&c) == 1 && shortened(&c, 1,
	       "[get: truncated, was 50 chars]"), "three results, two kept");
	fit_first(&f, &c, 4, 0, &open);
	ok(changed(&c) == 0, "two results, two kept");
	f.small = 100;
	fit_first(&f, &c, lines.n, 0, &open);
	ok(changed(&c) == 0, "small ones stay");

	clear();
	f.small = 0;
	f.groups = 0;
	add('c', 0, "");
	add('r', 5000, "error: no such file ");
	add('c', 0, "");
	add('r', 0, "");
	add('c', 0, "");
	add('r', 20, "");
	fit_first(&f, &c, lines.n, 0, &open);
	ok(changed(&c) == 0, "errors stay, and what would become longer");
	f.results = 0;
	clear();
	add('c', 0, "");
	add('r', 5000, "");
	fit_first(&f, &c, lines.n, 0, &open);
	ok(changed(&c) == 0, "no limit, nothing shortened");
}

static void
test_summary(void)
{
	static struct chat c;
	struct window f = {0, 0, 0, 0, 0.5, 2};
	long open;
	size_t s;

	clear();
	add('u', 10, "");
	add('c', 0, "");
	add('r', 10, "");
	add('a', 10, "");
	add('u', 10, "");
	add('c', 0, "");
	add('r', 10, "");
	add('c', 0, "");
	add('r', 10, "");
	s = fit_first(&f, &c, lines.n, 4, &open);
	ok(number(&c, s) == 5 && open < 0, "behind a turn");
	s = fit_first(&f, &c, lines.n, 7, &open);
	ok(number(&c, s) == 8 && open >= 0 && number(&c, (size_t)open) == 5,
	    "in a turn: the user's message stays");
	s = fit_first(&f, &c, lines.n, 9, &open);
	ok(s == c.nview, "all of it");
	s = fit_first(&f, &c, lines.n, 6, &open);
	ok(number(&c, s) == 8, "a group is not parted");
}

int
main(void)
{
	test_growth();
	test_shorten();
	test_summary();
	return done_testing();
}
