/* Tags taken out of a text, wherever it is cut. */

#include <string.h>

#include "display.h"
#include "emit.h"
#include "tap.h"

static const struct {
	const char *in, *out, *tags;
} cases[] = {
	{"", "", ""}, {"plain", "plain", ""},
	{"<status>Running the tests</status>", "",
	    "\"status\":[\"Running the tests\"]"},
	{"<title> Mending dates\n</title>\n\nHello <b>you</b>.",
	    "Hello <b>you</b>.", "\"title\":[\"Mending dates\"]"},
	{"a\n<status>x</status>\nb", "a\nb", "\"status\":[\"x\"]"},
	{"a <status>x</status> b", "a b", "\"status\":[\"x\"]"},
	{"a<status>x</status> b", "a b", "\"status\":[\"x\"]"},
	{"a\n\n<status>x</status>", "a\n\n", "\"status\":[\"x\"]"},
	{"<status>x</status><title>t</title><status>y</status>z", "z",
	    "\"status\":[\"x\",\"y\"],\"title\":[\"t\"]"},
	{"<status></status>z", "z", "\"status\":[\"\"]"},
	{"<status>a</stat</status>", "", "\"status\":[\"a</stat\"]"},
	{"<status>open", "<status>open", ""}, {"a <", "a <", ""},
	{"<stat", "<stat", ""}, {"1 < 2 <<status", "1 < 2 <<status", ""},
	{"<<status>x</status>b", "<b", "\"status\":[\"x\"]"},
	{"<s<status>x</status>", "<s", "\"status\":[\"x\"]"},
	{"<statuses>x</statuses>", "<statuses>x</statuses>", ""},
	{"<status a>x</status>", "<status a>x</status>", ""},
	{"</status>", "</status>", ""},
	{"write `<status>x</status>` there", "write `<status>x</status>` there",
	    ""},
	{"```html\n<title>x</title>\n```\n<title>y</title>",
	    "```html\n<title>x</title>\n```\n", "\"title\":[\"y\"]"},
	{"a ` b\n<status>x</status>", "a ` b\n", "\"status\":[\"x\"]"},
	{"``a`` <status>x</status>", "``a`` ", "\"status\":[\"x\"]"},
	{"\xc3\xa4<status>\xe2\x82\xac</status>\xc3\xb6", "\xc3\xa4\xc3\xb6",
	    "\"status\":[\"\xe2\x82\xac\"]"},
	{"<status>open <title>t</title>", "<status>open ",
	    "\"title\":[\"t\"]"},
};

static struct tagfilter h;
static struct buf tags;

static void
finish(void)
{
	tagfilter_end(&h, 1);
	buf_reset(&tags);
	tagfilter_put(&h, &tags);
}

int
main(void)
{
	static struct strs names;
	static struct buf text;
	struct blocks bs = {0};
	size_t i, k, n, seen;
	int good;

	strs_split(&names, "status,title");
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		n = strlen(cases[i].in);
		good = 1;
		for (k = 0; k <= n + 1; k++) {
			tagfilter_reset(&h, &names);
			if (k <= n) {
				tagfilter_feed(&h, cases[i].in, k);
				seen = h.out.n;
				good &= seen == 0
				    || (seen <= strlen(cases[i].out)
					&& memcmp(h.out.p, cases[i].out, seen)
					    == 0);
				tagfilter_feed(&h, cases[i].in + k, n - k);
			} else {
				for (seen = 0; seen < n; seen++)
					tagfilter_feed(
					    &h, cases[i].in + seen, 1);
			}
			finish();
			good &= strcmp(buf_cstr(&h.out), cases[i].out) == 0
			    && strcmp(buf_cstr(&tags), cases[i].tags) == 0;
		}
		ok(good, "%s", cases[i].in);
		if (!good)
			printf("# '%s' %s\n", buf_cstr(&h.out),
			    buf_cstr(&tags));
	}
	tagfilter_reset(&h, &names);
	buf_puts(&text, "<status>");
	for (i = 0; i < 5000; i++)
		buf_putc(&text, 'x');
	tagfilter_feed(&h, text.p, text.n);
	ok(h.out.n == text.n, "what has no end is not held back for ever");
	tagfilter_reset(&h, &names);
	tagfilter_feed(&h, "a <status>Runn", 14);
	tagfilter_end(&h, 0);
	ok(h.out.n == 2, "half a tag of a text that broke off is not seen");
	tagfilter_reset(&h, NULL);
	tagfilter_feed(&h, "<status>x</status>", 18);
	ok(h.out.n == 18, "without names there are no tags");
	tagfilter_reset(&h, &names);
	blocks_add(&bs, 0, BLOCK_TEXT)->bytes = 4;
	blocks_add(&bs, 1, BLOCK_OTHER);
	blocks_add(&bs, 2, BLOCK_TEXT)->bytes = 20;
	tagfilter_feed(&h, "ab\n<status>x</status>\ncd", 24);
	finish();
	tagfilter_blocks(&h, &bs);
	ok(bs.v[0].bytes == 3 && bs.v[2].bytes == 2, "blocks: %zu %zu",
	    bs.v[0].bytes, bs.v[2].bytes);
	blocks_free(&bs);
	tagfilter_free(&h);
	return done_testing();
}
