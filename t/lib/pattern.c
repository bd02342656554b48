/* Patterns of JSON Schema. */

#include <string.h>

#include "pattern.h"
#include "tap.h"

static const struct {
	const char *pattern, *text;
	int is;
} cases[] = {
	{"", "a", 1}, {"b", "abc", 1}, {"^b", "abc", 0}, {"^a.c$", "abc", 1},
	{"^a.c$", "a\nc", 0}, {"^.$", "\xc3\xa4", 1},
	{"^[^a]{2}$", "\xc3\xa4\xe2\x82\xac", 1},
	{"^\\d{3}-\\d{4}$", "555-1234", 1}, {"^\\d{3}$", "12a", 0},
	{"^\\w+$", "a_9", 1}, {"^\\W+$", "a", 0}, {"^\\S+$", "a b", 0},
	{"^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$", "a.b-c@d-e.org", 1},
	{"^[\\w.-]+$", "a b", 0}, {"^(?:a|b)+$", "abba", 1},
	{"^a+?b*?c??$", "aab", 1}, {"^a{2,3}?$", "aaaa", 0},
	{"^\\/x\\-y$", "/x-y", 1}, {"^\\x41\\u0042$", "AB", 1},
	{"^[\\]]$", "]", 1}, {"^[\\^]$", "^", 1}, {"^[\\^]$", "x", 0},
	{"^[\\^\\-]+$", "-^", 1}, {"^[\\^\\-]+$", "x", 0},
	{"^[^\\]]$", "]", 0}, {"^[^\\]]$", "x", 1}, {"^[\\\\]$", "\\", 1},
	{"^[a\\]^-]+$", "a]^-", 1}, {"^[\\t]$", "\t", 1}, {"^[-a]$", "-", 1},
	{"^\\$\\{x\\}$", "${x}", 1}, {"^[$]$", "$", 1},
	{"^[\\d-]+$", "1-2", 1}, {"^[^^]$", "^", 0},
	{"^(?=a)", "a", 1}, {"^(?!a)", "a", 0}, {"(?<n>a)\\k<n>", "aa", 1},
	{"^(a)\\1$", "aa", 1}, {"\\bword\\b", "a word", 1}, {"(?<=a)b", "ab", 1},
	{"^\\p{L}+$", "\xc3\xa4", 1}, {"^[\\D]$", "1", 0}, {"\\cA", "\1", 1},
	{"^\\u{1F600}$", "\xf0\x9f\x98\x80", 1}, {"^a$", "a\n", 0},
	{"^.$", "\r", 0}, {"(", "(", -1}, {"[a", "a", -1}, {"*a", "a", -1},
	{"[]", "a", -1}, {"[^]", "a", -1}, {"\\", "\\", -1},
	{"[[:alpha:]]", "a", -1}, {"[a-\\d]", "a", -1}, {"\\Qa\\E", "a", -1},
	{"(?i:WHITE)", "white", 1}, {"(?-i:A)", "a", 0}, {"(?i)a", "a", -1},
	{"(*UTF)a", "a", -1}, {"(?R)", "a", -1}, {"(?>a)", "a", -1},
	{"\\x{41}", "A", -1}, {"a{2,1}", "a", -1}, {"\\A", "a", -1},
};

int
main(void)
{
	static const char many[] =
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab";
	const char *why;
	size_t i;
	int r;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		r = pattern_in(cases[i].pattern, strlen(cases[i].pattern),
		    cases[i].text, strlen(cases[i].text), &why);
		ok(r == cases[i].is && (why == NULL) == (r >= 0), "%s in %s",
		    cases[i].pattern, cases[i].text);
	}
	ok(pattern_in("^a.b$", 5, "a\0b", 3, &why) == 1, "a text with NUL");
	ok(pattern_in("^(a|a)*$", 8, many, sizeof(many) - 1, &why) == -1
		&& why != NULL,
	    "what takes too many steps is not waited for");
	return done_testing();
}
