#include "match.h"
#include "tap.h"

static const struct {
	const char *pattern, *name;
	int fits;
} cases[] = {
	{"", "", 1},
	{"", "a", 0},
	{"a", "", 0},
	{"a", "a", 1},
	{"a", "A", 0},
	{"*", "", 1},
	{"*", "anything", 1},
	{"**", "x", 1},
	{"telegram_*", "telegram_send", 1},
	{"telegram_*", "gmail_x", 0},
	{"gmail_*", "gmail_", 1},
	{"*_search", "web_search", 1},
	{"*_search", "web_searches", 0},
	{"store_fact", "store_facts", 0},
	{"store_facts", "store_fact", 0},
	{"a*b*c", "aXbYbZc", 1},
	{"a*b*c", "aXcYb", 0},
	{"*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 0},
	{"*ab", "aab", 1},
	{"a.c", "abc", 0},
	{"a?c", "abc", 1},
	{"a?c", "ac", 0},
	{"[ab]", "a", 1},
	{"[!ab]", "a", 0},
	{"v[0-9]", "v7", 1},
	{"[]", "[]", 1},
	{"[", "[", 1},
	{"{}", "{}", 1},
	{"a+", "aa", 0},
	{"\\*", "*", 1},
	{"\\*", "a", 0},
	{"^a$", "a", 0},
	{"*", "a/b", 1},
	{"*", ".a", 1},
};

int
main(void)
{
	static struct strs l;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok(match_name(cases[i].pattern, cases[i].name)
			== cases[i].fits,
		    "'%s' %s '%s'", cases[i].pattern,
		    cases[i].fits ? "fits" : "does not fit", cases[i].name);
	ok(match_any(&l, "a") == NULL, "no patterns");
	strs_add(&l, "x*");
	strs_add(&l, "a*");
	strs_add(&l, "*");
	ok(match_any(&l, "ab") == l.v[1], "the first of several");
	strs_reset(&l);
	return done_testing();
}
