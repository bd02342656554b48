#include <stdio.h>
#include <string.h>

#include "wrap.h"

static const struct {
	const char *name, *text, *want;
	size_t width;
} cases[] = {
	{"nothing is no line", "", "", 10},
	{"one word", "pipe", "pipe\n", 10},
	{"two words on one line", "a pipe", "a pipe\n", 10},
	{"a line of exactly the width", "an agent", "an agent\n", 8},
	{"one byte too long", "an agents", "an\nagents\n", 8},
	{"a word longer than the width", "a turnpipe is", "a\nturnpipe\nis\n", 4},
};

int
main(void)
{
	char out[100];
	size_t i, failed = 0;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		wrap(out, cases[i].text, cases[i].width);
		if (strcmp(out, cases[i].want) == 0) {
			printf("ok %zu - %s\n", i + 1, cases[i].name);
		} else {
			printf("not ok %zu - %s\n", i + 1, cases[i].name);
			failed++;
		}
	}
	printf("%zu of %zu failed\n", failed, i);
	return failed > 0;
}
