/*
 * fuzz-gate: says of each text it reads what the gate and jsmn think of it.
 * Texts come as a length in decimal, a newline and so many bytes; the answer
 * is a line, "1 TOKENS" or "0 OFFSET".  Driven by t/fuzz.py.
 */

#include <stdio.h>
#include <stdlib.h>

#include "json.h"

int
main(int argc, char **argv)
{
	static struct json j;
	char line[32], *text;
	size_t n;

	/* prove runs every unit; without its driver there is nothing to do. */
	if (argc < 2) {
		puts("1..0 # SKIP driven by make fuzz");
		return 0;
	}
	(void)argv;
	while (fgets(line, sizeof(line), stdin) != NULL) {
		n = strtoul(line, NULL, 10);
		text = xmalloc(n);
		if (fread(text, 1, n, stdin) != n)
			return 1;
		if (json_parse(&j, text, n) == 0)
			printf("1 %zu\n", j.ntok);
		else
			printf("0 %zu\n", j.at);
		fflush(stdout);
		free(text);
	}
	return 0;
}
