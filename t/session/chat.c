#include <stdlib.h>
#include <string.h>

#include "chat.h"
#include "shortmsg.h"
#include "tap.h"

static const struct {
	const char *what, *in, *out; /* out NULL: as in */
} cases[] = {
	{"nothing", "", NULL},
	{"repair: in order", "u a{c1} t:c1=1 a", NULL},
	{"out of order", "u t:c1=1 a{c1,c2} u t:c2=2 a{c3} a", NULL},
	{"repair: calls [] and null", "u a[] n a", NULL},
	{"empty messages", "u e a{c1} e t:c1=1 e u", "u a{c1} t:c1=1 u"},
	{"an empty result is a result", "u a{c1} t:c1= a", NULL},
	{"partial text without its calls", "u p{c1} u a", "u a u a"},
	{"partial without text", "u q{c1} u a", "u u a"},
	{"half an answer that the whole one follows", "u p a u", "u a u"},
	{"two halves", "u p p", "u a"},
	{"a half, then a call", "u p q a{c1} t:c1=1", "u a{c1} t:c1=1"},
	{"a half is the last", "u a u p", "u a u a"},
	{"one id twice in one message", "u a{c1,c1} t:c1=1",
	    "u a{c1} t:c1=1"},
	{"call without id", "u a{,c2} t:c2=1", "u a{c2} t:c2=1"},
	{"nothing but a call without id", "u a{} u", "u u"},
	{"system messages stay", "s u a{c1} s t:c1=1", NULL},
};

/* The view of lines, forwards or as a reader from the end meets them. */
static void
view(struct chat *c, int backwards)
{
	static struct json j;
	struct span s;
	size_t i;

	chat_reset(c);
	for (i = 0; i < lines.n; i++) {
		s.p = lines.v[backwards ? lines.n - 1 - i : i];
		s.n = strlen(s.p);
		if (json_parse(&j, s.p, s.n) < 0)
			abort();
		chat_add(c, &j, s);
	}
	if (backwards)
		chat_reverse(c);
	chat_view(c);
}

static void
show(struct buf *b, const struct chat *c)
{
	static struct json j;
	size_t i;

	buf_reset(b);
	for (i = 0; i < c->nview; i++) {
		if (json_parse(&j, c->view[i].text.p, c->view[i].text.n) < 0)
			abort();
		show_short(b, &j);
	}
}

/* The view becomes the lines. */
static void
feed_back(const struct chat *c)
{
	struct strs old = lines, none = {0};
	size_t i;

	lines = none;
	for (i = 0; i < c->nview; i++)
		strs_addn(&lines, c->view[i].text.p, c->view[i].text.n);
	strs_free(&old);
}

static int
same_bytes(const struct chat *c)
{
	size_t i;

	if (c->nview != lines.n)
		return 0;
	for (i = 0; i < lines.n; i++)
		if (strlen(lines.v[i]) != c->view[i].text.n
		    || memcmp(lines.v[i], c->view[i].text.p,
			   c->view[i].text.n) != 0)
			return 0;
	return 1;
}

static void
test_cases(void)
{
	static struct chat c;
	static struct buf got;
	const char *want;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		want = cases[i].out != NULL ? cases[i].out : cases[i].in;
		read_short(cases[i].in);
		view(&c, 0);
		show(&got, &c);
		ok(strcmp(buf_cstr(&got), want) == 0, "%s: %s",
		    cases[i].what, buf_cstr(&got));
		if (cases[i].out == NULL)
			ok(same_bytes(&c), "%s: untouched", cases[i].what);
		view(&c, 1);
		show(&got, &c);
		ok(strcmp(buf_cstr(&got), want) == 0, "%s: from the end",
		    cases[i].what);
		feed_back(&c);
		view(&c, 0);
		ok(same_bytes(&c), "%s: twice is once", cases[i].what);
	}
}

static void
test_unknown(void)
{
	static const char calls[] =
	    "{\"role\":\"assistant\",\"content\":\"\",\"reasoning\":\"r\","
	    "\"tool_calls\":[{\"id\":\"\",\"function\":{\"name\":\"x\"}},"
	    "{\"id\":\"c\\u0031\",\"extra_content\":{\"s\":1e0},"
	    "\"function\":{\"name\":\"x\",\"arguments\":\"{}\"}}]}";
	static const char result[] =
	    "{\"tool_call_id\":\"c1\",\"role\":\"tool\",\"content\":\"1\"}";
	static const char blanks[] =
	    "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":"
	    "\" \"}]}";
	static const char image[] =
	    "{\"role\":\"user\",\"content\":[{\"type\":\"image_url\"}]}";
	static const char *const in[] = {calls, result, blanks, image};
	static struct chat c;
	size_t i;

	strs_reset(&lines);
	for (i = 0; i < sizeof(in) / sizeof(*in); i++)
		strs_add(&lines, in[i]);
	view(&c, 0);
	ok(c.nview == 3 && c.view[1].text.p == lines.v[1]
		&& c.view[2].text.p == lines.v[3],
	    "ids are compared decoded, parts of blanks say nothing");
	ok(span_is(c.view[0].text,
	       "{\"role\":\"assistant\",\"content\":\"\","
	       "\"reasoning\":\"r\",\"tool_calls\":[{\"id\":\"c\\u0031\","
	       "\"extra_content\":{\"s\":1e0},\"function\":{\"name\":\"x\","
	       "\"arguments\":\"{}\"}}]}"),
	    "what is unknown stays in an edited message");
}

/* Which result has which call, of four? */
static void
test_results(void)
{
	static struct chat c;

	read_short("u a{c1} t:c1=1 t:c1=2 a{c1,c2} t:c2=3 u a{c1}");
	view(&c, 1);
	ok(c.calls[c.v[1].call].result == 2 && c.calls[c.v[4].call].result < 0
		&& c.calls[c.v[4].call + 1].result == 5
		&& c.calls[c.v[7].call].result < 0,
	    "a call has the first result of its id after it");
	ok(c.view[2].call == (long)c.v[1].call && c.view[3].call < 0
		&& c.view[5].call == (long)c.v[4].call + 1,
	    "and the result its call");
}

int
main(void)
{
	test_cases();
	test_unknown();
	test_results();
	return done_testing();
}
