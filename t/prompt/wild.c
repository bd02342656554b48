/* Wildcards: single names, and paths with "**". */

#include <string.h>

#include "tap.h"
#include "wild.h"

static const struct {
	const char *p, *s;
	int match;
} names[] = {
    {"", "", 1}, {"", "a", 0}, {"a", "", 0}, {"*", "", 1}, {"*", "abc", 1},
    {"a*c", "abbc", 1}, {"a*c", "abbd", 0}, {"*.o", "x.o", 1},
    {"*.o", "x.oo", 0}, {"?", "", 0}, {"?b", "ab", 1}, {"**", "ab", 1},
    {"a**b", "axxb", 1}, {"[abc]", "b", 1}, {"[abc]", "d", 0},
    {"[!abc]", "d", 1}, {"[^abc]", "a", 0}, {"[a-c]x", "bx", 1},
    {"[a-]", "-", 1}, {"[]a]", "]", 1}, {"[!]a]", "]", 0}, {"[", "[", 1},
    {"[ab", "[ab", 1}, {"[[:digit:]]", "7", 1}, {"[[:digit:]]", "x", 0},
    {"[[:no:]]", "x", 0}, {"[\\]]", "]", 1}, {"[\\a-c]", "b", 1},
    {"\\*", "*", 1}, {"\\*", "a", 0}, {"a\\", "a\\", 1}, {"a/*", "a/b", 1},
    {"*a*b*c", "xaybzc", 1}, {"*a*b*c", "xaybzcd", 0}, {"[]", "[]", 1},
};

static const struct {
	const char *p, *s;
	int match;
} paths[] = {
    {"a/b", "a/b", 1}, {"a/b", "a/b/c", 0}, {"a/b/c", "a/b", 0},
    {"a/*", "a/b", 1}, {"a/*", "a/b/c", 0}, {"*/b", "a/x/b", 0},
    {"**/b", "b", 1}, {"**/b", "a/x/b", 1}, {"**/b", "a/bb", 0},
    {"a/**", "a", 0}, {"a/**", "a/b", 1}, {"a/**", "a/b/c", 1},
    {"a/**/b", "a/b", 1}, {"a/**/b", "a/x/y/b", 1}, {"a/**/b", "a/x/y", 0},
    {"**/a/**/b", "x/a/a/y/b", 1}, {"**/a/**/b", "x/b/a", 0},
    {"**", "a/b", 1}, {"a/?/c", "a/b/c", 1}, {"a[/]b", "a/b", 0},
    {"**/x/**/y/z", "x/y/q/y/z", 1},
};

int
main(void)
{
	static char p[400], s[20000];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		ok(wild_match(names[i].p, strlen(names[i].p), names[i].s,
		       strlen(names[i].s)) == names[i].match,
		    "'%s' and '%s'", names[i].p, names[i].s);
	for (i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		ok(wild_path(paths[i].p, paths[i].s) == paths[i].match,
		    "path '%s' and '%s'", paths[i].p, paths[i].s);
	for (i = 0; i < sizeof(p) - 2; i += 2)
		memcpy(p + i, "*a", 2);
	strcpy(p + i, "b");
	memset(s, 'a', sizeof(s) - 1);
	/* One try per way to share the bytes out would never end. */
	ok(!wild_match(p, strlen(p), s, strlen(s)), "many stars");
	ok(wild_is("a*") && wild_is("[a") && !wild_is("a.b"), "wild_is");
	return done_testing();
}
