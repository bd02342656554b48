#include <string.h>

#include "route.h"
#include "tap.h"

static const struct {
	const char *text, *keyword;
	int holds;
} cases[] = {
	{"check my email please", "email", 1},
	{"CHECK MY INBOX", "inbox", 1},
	{"check my inbox", "INBOX", 1},
	{"profile", "file", 0},
	{"meanwhile", "while", 0},
	{"files", "file", 0},
	{"a file", "file", 1},
	{"file", "file", 1},
	{"(file)", "file", 1},
	{"profile file", "file", 1},
	{"file_name", "file", 0},
	{"file-name", "file", 1},
	{"give me a daily briefing now", "daily briefing", 1},
	{"what's broken?", "what's broken", 1},
	{"I write c++ code", "c++", 1},
	{"use .net here", ".net", 1},
	{"asp.net", ".net", 1},
	{"", "x", 0},
	{"x", "", 0},
	{"xx", "xxx", 0},
	/* Word bounds and case in any script. */
	{"moja książka", "książka", 1},
	{"książkami", "książka", 0},
	{"KSIĄŻKA!", "książka", 1},
	{"żarty", "arty", 0},
	{"ŻÓŁW", "żółw", 1},
	{"日本語", "本", 0},
};

int
main(void)
{
	static struct buf b;
	struct span s;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		buf_reset(&b);
		route_fold(&b, cases[i].text, strlen(cases[i].text));
		s.p = buf_cstr(&b);
		s.n = b.n;
		ok(route_holds(s, cases[i].keyword) == cases[i].holds,
		    "'%s' %s '%s'", cases[i].text,
		    cases[i].holds ? "holds" : "does not hold",
		    cases[i].keyword);
	}
	buf_free(&b);
	return done_testing();
}
