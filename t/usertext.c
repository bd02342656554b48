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
	usertext_reset();
	ok(usertext_text()->n == 0, "forgotten");
	return done_testing();
}
