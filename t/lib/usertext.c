#include <string.h>

#include "json.h"
#include "tap.h"
#include "usertext.h"

/* Parts of a message stand on lines of their own, with no line too many. */
static const char *const cases[][3] = {
    {"one part", "[{\"text\":\"a\"}]", "a"},
    {"two parts", "[{\"text\":\"a\"},{\"text\":\"b\"}]", "a\nb"},
    {"a part that ends its line", "[{\"text\":\"a\\n\"},{\"text\":\"b\"}]",
	"a\nb"},
    {"an empty part first", "[{\"text\":\"\"},{\"text\":\"b\"}]", "b"},
    {"a picture between",
	"[{\"text\":\"a\"},{\"type\":\"image_url\"},{\"text\":\"b\"}]", "a\nb"},
    {"a string", "\"a\\nb\"", "a\nb"},
    {"neither", "5", ""},
};

/* Only a person's own words are own; of a text that was changed nothing is. */
static const char *const pieces[][3] = {
    {"typed, input, typed", "[{\"typed\":2},{\"input\":3},{\"typed\":1}]",
	"abf"},
    {"a channel", "[{\"channel\":6}]", "abcdef"},
    {"a command, nothing, a file",
	"[{\"command\":4},{\"typed\":0},{\"file\":2}]", ""},
    {"a way of tomorrow", "[{\"dreamt\":5},{\"typed\":1}]", "f"},
    {"too few bytes", "[{\"typed\":5}]", ""},
    {"too many", "[{\"typed\":7}]", ""},
    {"no list", "7", ""},
    {"no numbers", "[{\"typed\":-6}]", ""},
};

static void
check_own(const char *name, const char *from, const char *want, int inparts)
{
	static struct buf b;
	struct rec r = {0};
	const char *got;

	buf_reset(&b);
	buf_printf(&b, "{\"role\":\"user\",\"tp\":{\"from\":%s},\"content\":%s}",
	    from, inparts ? "[{\"text\":\"ab\\n\"},{\"text\":\"cde\"}]" : "\"abcdef\"");
	r.s = buf_cstr(&b);
	r.n = b.n;
	r.type = REC_MESSAGE;
	r.role = span_of("user");
	usertext_take(&r);
	got = buf_cstr((struct buf *)usertext_own());
	ok(strcmp(got, want) == 0, "own words: %s", name);
}

int
main(void)
{
	static struct buf b;
	static struct json j;
	struct rec r = {0};
	const char *got;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		buf_reset(&b);
		buf_printf(&b, "{\"role\":\"user\",\"content\":%s}",
		    cases[i][1]);
		r.s = buf_cstr(&b);
		r.n = b.n;
		ok(json_parse(&j, r.s, r.n) == 0, "JSON");
		r.ntok = j.ntok;
		r.type = REC_MESSAGE;
		r.role = span_of("user");
		usertext_take(&r);
		got = buf_cstr((struct buf *)usertext_text());
		ok(strcmp(got, cases[i][2]) == 0, "%s", cases[i][0]);
	}
	r.role = span_of("assistant");
	usertext_take(&r);
	ok(usertext_text()->n == 0, "the last user message stays");
	for (i = 0; i < sizeof(pieces) / sizeof(*pieces); i++)
		check_own(pieces[i][0], pieces[i][1], pieces[i][2], 0);
	check_own("over two parts", "[{\"typed\":1},{\"file\":3},{\"typed\":2}]",
	    "a\nde", 1);
	usertext_reset();
	ok(usertext_text()->n == 0, "forgotten");
	return done_testing();
}
