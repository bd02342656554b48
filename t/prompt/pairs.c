#include <stdlib.h>
#include <string.h>

#include "pairs.h"
#include "shortmsg.h"
#include "tap.h"

static const struct {
	const char *what, *in, *out; /* out NULL: as in */
} cases[] = {
	{"nothing", "", NULL},
	{"repair: in order", "u a{c1} t:c1=1 a", NULL},
	{"repair: orphan call", "u a{o1} u", "u a{o1} t:o1=! u"},
	{"repair: orphan beside a good one",
	    "u a{o1,ok1} t:ok1=1 u a{ok2} t:ok2=2 a",
	    "u a{o1,ok1} t:o1=! t:ok1=1 u a{ok2} t:ok2=2 a"},
	{"repair: only the middle one", "a{a,b,c} t:b=1",
	    "a{a,b,c} t:a=! t:b=1 t:c=!"},
	{"repair: calls [] and null", "u a[] n a", NULL},
	{"repair: ghost result", "u a{c1} t:c1=1 t:ghost=2 a",
	    "u a{c1} t:c1=1 a"},
	{"repair: a user between",
	    "a{c1,c2} u t:c2=2 t:c1=1",
	    "a{c1,c2} t:c1=1 t:c2=2 u"},
	{"repair: duplicate", "u a{c1} t:c1=1 t:c1=1 a",
	    "u a{c1} t:c1=1 a"},
	{"duplicate that differs", "u a{c1} t:c1=1 t:c1=2 a",
	    "u a{c1} t:c1=1 a"},
	{"repair: two turns, each by itself",
	    "u a{c1} u t:c1=1 a u a{c2} u t:c2=2 a",
	    "u a{c1} t:c1=1 u a u a{c2} t:c2=2 u a"},
	{"repair: ids used again",
	    "u a{c1} t:c1=1 a u a{c1} t:c1=2 a", NULL},
	{"used again, the first unanswered", "u a{c1} u a{c1} t:c1=2 a",
	    "u a{c1} t:c1=! u a{c1} t:c1=2 a"},
	{"used again, both answers late", "u a{c1} a{c1} t:c1=1 t:c1=2",
	    "u a{c1} t:c1=2 a{c1} t:c1=1"},
	{"used again, both late and alike", "u a{c1} a{c1} t:c1=1 t:c1=1",
	    "u a{c1} t:c1=! a{c1} t:c1=1"},
	{"result before its call", "u t:c1=1 a{c1} a", "u a{c1} t:c1=1 a"},
	{"two before, two calls after", "t:c1=1 t:c1=2 a{c1} u a{c1}",
	    "a{c1} t:c1=1 u a{c1} t:c1=2"},
	{"no id is an id, too", "u a{} t:=1", NULL},
	{"nothing but strays", "t:c1=1", ""},
	{"results at the very start", "t:x=1 t:y=2 u a", "u a"},
	{"two unanswered", "u a{1,2} u",
	    "u a{1,2} t:1=! t:2=! u"},
	{"call at the end", "u a{1}", "u a{1} t:1=!"},
	{"one real, one ghost", "u a{1} t:1=1 t:ghost=2", "u a{1} t:1=1"},
	{"three calls, the second answered", "a{c1,c2,c3} t:c2=2",
	    "a{c1,c2,c3} t:c1=! t:c2=2 t:c3=!"},
	{"orphan result behind another call", "a{c1} t:orphan=1",
	    "a{c1} t:c1=!"},
	{"one answered, one denied", "u a{a,b} t:a=1",
	    "u a{a,b} t:a=1 t:b=!"},
	{"an empty result is a result", "u a{c1} t:c1= a", NULL},
	{"system messages stay", "s u a{c1} s t:c1=1",
	    "s u a{c1} t:c1=1 s"},
};

static struct buf messages;

/* Lines, each with a comma after it, put in order: as messages. */
static void
repair(void)
{
	size_t i;

	buf_reset(&messages);
	for (i = 0; i < lines.n; i++) {
		buf_puts(&messages, lines.v[i]);
		buf_putc(&messages, ',');
	}
	i = lines.n > 0 ? pairs_repair(&messages) : 0;
	strs_reset(&lines);
	for (; i > 0; i--)
		strs_add(&lines, "");
}

/* The messages become the lines. */
static void
split(void)
{
	static struct buf b;
	static struct json j;
	size_t n = lines.n;
	int k;

	buf_reset(&b);
	buf_putc(&b, '[');
	buf_span(&b, buf_view(&messages));
	b.n -= b.n > 1;
	buf_putc(&b, ']');
	if (json_parse(&j, b.p, b.n) < 0)
		abort();
	strs_reset(&lines);
	for (k = json_first(&j, 0); k >= 0; k = json_next(&j, k))
		strs_addn(&lines, json_span(&j, k).p, json_span(&j, k).n);
	if (lines.n != n)
		abort();
}

static void
show(struct buf *b)
{
	static struct json j;
	size_t i;

	buf_reset(b);
	for (i = 0; i < lines.n; i++) {
		if (json_parse(&j, lines.v[i], strlen(lines.v[i])) < 0)
			abort();
		show_short(b, &j);
	}
}

/* Are the messages these bytes? */
static int
same_bytes(const struct buf *b)
{
	return span_same(buf_view(b), buf_view(&messages));
}

static void
test_cases(void)
{
	static struct buf got, was;
	const char *want;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		want = cases[i].out != NULL ? cases[i].out : cases[i].in;
		read_short(cases[i].in);
		repair();
		split();
		show(&got);
		ok(strcmp(buf_cstr(&got), want) == 0, "%s: %s",
		    cases[i].what, buf_cstr(&got));
		buf_reset(&was);
		buf_span(&was, buf_view(&messages));
		repair();
		ok(same_bytes(&was), "%s: twice is once", cases[i].what);
	}
}

static void
test_missing(void)
{
	strs_reset(&lines);
	strs_add(&lines, "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":"
	    "\"c\\u0031\",\"function\":{\"name\":\"get\"}},{\"id\":\"\\\"\"}]}");
	strs_add(&lines, "{\"tool_call_id\":\"c1\",\"role\":\"tool\"}");
	repair();
	split();
	ok(lines.n == 3 && strstr(lines.v[1], "\"c1\"") != NULL,
	    "ids are compared decoded");
	ok(strcmp(lines.v[2], "{\"role\":\"tool\",\"tool_call_id\":\"\\\"\","
	    "\"content\":\"error: there is no result of this "
	    "call of : it was interrupted, or its result was left out\"}") == 0,
	    "a call without a name gets its result: %s", lines.v[2]);
}

static unsigned long long seed;

static unsigned
rnd(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

/*
 * A conversation out of order.  Every call has a result of its own, or
 * none; some stand far behind, among other groups or before their call;
 * some are there twice, and some belong to no call.  Genuine results are
 * counted: their texts are numbers from 0.
 */
static unsigned
make_mess(struct buf *b)
{
	struct {
		unsigned id, payload, delay, twice;
	} late[64];
	unsigned calls, groups = 1 + rnd(7), i, k, nlate = 0, payload = 0;

	buf_reset(b);
	for (i = 0; i < groups; i++) {
		if (rnd(2))
			buf_puts(b, "u ");
		if (rnd(9) == 0)
			buf_printf(b, "t:ghost=%u ", 1000 + rnd(9));
		calls = rnd(4);
		if (calls > 0 && rnd(6) == 0) {
			/* Stored before its call. */
			buf_printf(b, "t:b%u=%u ", i, payload++);
			buf_printf(b, "a{b%u} ", i);
		}
		buf_puts(b, "a");
		for (k = 0; k < calls; k++) {
			/* Few ids, so that they come again. */
			buf_printf(b, "%cc%u", k == 0 ? '{' : ',',
			    k + 3 * rnd(2));
			if (rnd(5) > 0 && nlate < 64) {
				late[nlate].id = (unsigned)b->p[b->n - 1] - '0';
				late[nlate].payload = payload++;
				late[nlate].twice = rnd(6) == 0;
				late[nlate++].delay = rnd(3);
			}
		}
		buf_puts(b, calls > 0 ? "} " : " ");
		for (k = 0; k < nlate; k++) {
			if (late[k].delay-- > 0 && i + 1 < groups)
				continue;
			if (rnd(5) == 0)
				buf_puts(b, "u ");
			buf_printf(b, "t:c%u=%u ", late[k].id,
			    late[k].payload);
			if (late[k].twice)
				buf_printf(b, "t:c%u=%u ", late[k].id,
				    late[k].payload);
			late[k--] = late[--nlate];
		}
	}
	while (b->n > 0 && b->p[b->n - 1] == ' ')
		b->n--;
	return payload;
}

/*
 * OpenAI: after a message with calls a result for each of them, and none
 * elsewhere.  Anthropic: those in the next message, all, before any text;
 * an id once among them.  One rule for both: the results stand at once
 * after the calls, one each; and in the calls' order.
 */
static int
in_order(void)
{
	static struct buf want, got;
	static struct json a, t;
	size_t i = 0;
	int calls, k;

	while (i < lines.n) {
		json_parse(&a, lines.v[i], strlen(lines.v[i]));
		i++;
		if (json_is(&a, json_get(&a, 0, "role"), "tool"))
			return 0;
		calls = json_get(&a, 0, "tool_calls");
		for (k = json_first(&a, calls); k >= 0; k = json_next(&a, k)) {
			if (i == lines.n)
				return 0;
			json_parse(&t, lines.v[i], strlen(lines.v[i]));
			i++;
			buf_reset(&want);
			buf_reset(&got);
			json_str(&a, json_get(&a, k, "id"), &want);
			if (!json_is(&t, json_get(&t, 0, "role"), "tool")
			    || json_str(&t, json_get(&t, 0, "tool_call_id"),
				   &got) < 0
			    || got.n != want.n
			    || memcmp(got.p, want.p, got.n) != 0)
				return 0;
		}
	}
	return 1;
}

/* Each genuine result is there, once. */
static int
all_there(const struct buf *got, unsigned genuine)
{
	const char *p;
	char *seen;
	unsigned long v;
	unsigned n = 0;

	seen = xmalloc(genuine + 1);
	memset(seen, 0, genuine + 1);
	for (p = got->p; p != NULL && (p = strchr(p, '=')) != NULL; p++) {
		if (p[1] == '!')
			continue;
		v = strtoul(p + 1, NULL, 10);
		if (v < genuine && seen[v]++ == 0)
			n++;
	}
	free(seen);
	return n == genuine;
}

static void
test_property(void)
{
	static struct buf got, mess, was;
	unsigned genuine;
	int bad = 0, i, lost = 0, order = 0, twice = 0;

	for (i = 0; i < 5000 && !bad; i++) {
		seed = (unsigned long long)i * 7919 + 1;
		genuine = make_mess(&mess);
		read_short(buf_cstr(&mess));
		repair();
		split();
		show(&got);
		buf_cstr(&got);
		order += !in_order();
		lost += !all_there(&got, genuine);
		buf_reset(&was);
		buf_span(&was, buf_view(&messages));
		repair();
		twice += !same_bytes(&was);
		bad = order || lost || twice;
		if (bad)
			printf("# seed %d: %s\n# -> %s\n", i, buf_cstr(&mess),
			    buf_cstr(&got));
	}
	ok(!order, "any mess: what both providers ask for");
	ok(!lost, "any mess: no genuine result is lost");
	ok(!twice, "any mess: twice is once");
}

int
main(void)
{
	test_cases();
	test_missing();
	test_property();
	return done_testing();
}
