/* .gitignore rules: what is left out, as gitignore(5) has it. */

#include <string.h>

#include "ignore.h"
#include "tap.h"

static const struct {
	const char *rules, *base, *path;
	int isdir, out;
} cases[] = {
    {"*.o\n", "", "a.o", 0, 1}, {"*.o\n", "", "x/y/a.o", 0, 1},
    {"*.o", "", "a.o", 0, 1}, {"*.o\r\n", "", "a.o", 0, 1},
    {"# *.o\n", "", "# *.o", 0, 0}, {"\\#x\n", "", "#x", 0, 1},
    {"\\!x\n", "", "!x", 0, 1}, {"\n\n", "", "a", 0, 0},
    {"build/\n", "", "build", 1, 1}, {"build/\n", "", "build", 0, 0},
    {"build/\n", "", "x/build", 1, 1}, {"/build\n", "", "build", 1, 1},
    {"/build\n", "", "x/build", 1, 0}, {"a/b\n", "", "a/b", 0, 1},
    {"a/b\n", "", "x/a/b", 0, 0}, {"a/b/\n", "", "a/b", 0, 0},
    {"**/a/b\n", "", "x/a/b", 0, 1}, {"a/**\n", "", "a", 1, 0},
    {"a/**\n", "", "a/x", 0, 1}, {"*.o\n!b.o\n", "", "b.o", 0, 0},
    {"*.o\n!b.o\n", "", "a.o", 0, 1}, {"!b.o\n*.o\n", "", "b.o", 0, 1},
    {"x  \n", "", "x", 0, 1}, {"x\\ \n", "", "x ", 0, 1},
    {"x\\ \n", "", "x", 0, 0}, {"*.o\n", "src/", "src/a.o", 0, 1},
    {"*.o\n", "src/", "lib/a.o", 0, 0}, {"/a\n", "src/", "src/a", 0, 1},
    {"/a\n", "src/", "src/x/a", 0, 0}, {"/\n", "", "a", 1, 0},
    {"!\n", "", "a", 1, 0}, {"\xef\xbb\xbf*.o\n", "", "a.o", 0, 1},
    {"*\n!*/\n!*.c\n", "", "a.c", 0, 0}, {"*\n!*/\n!*.c\n", "", "a.h", 0, 1},
    {"*\n!*/\n!*.c\n", "", "d", 1, 0}, {"Foo\n", "", "foo", 0, 0},
};

int
main(void)
{
	static struct ignore ig[sizeof(cases) / sizeof(*cases) + 1];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ignore_add(&ig[i], cases[i].rules, strlen(cases[i].rules),
		    cases[i].base);
		ok(ignore_match(&ig[i], cases[i].path, cases[i].isdir)
			== cases[i].out,
		    "'%s' in '%s': %s%s", cases[i].rules, cases[i].base,
		    cases[i].path, cases[i].isdir ? "/" : "");
	}
	ignore_load(&ig[i], "/no/such/.gitignore", "");
	ok(ig[i].n == 0 && !ignore_match(&ig[i], "a", 0), "a missing file");
	/* Rules of several files: the nearer decides. */
	ignore_add(&ig[i], "*.log\n", 6, "");
	ignore_add(&ig[i], "!keep.log\n", 10, "a/");
	ok(!ignore_match(&ig[i], "a/keep.log", 0), "back in below");
	ok(ignore_match(&ig[i], "keep.log", 0), "and not above");
	return done_testing();
}
