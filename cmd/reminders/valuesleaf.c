#include <stdlib.h>
#include <string.h>

#include "values.h"

/* The words of a leaf, at most three; how many, 4 for more. */
static size_t
words(char *s, char **w)
{
	size_t n = 0;

	for (s = strtok(s, " \t\n"); s != NULL; s = strtok(NULL, " \t\n")) {
		if (n < 3)
			w[n] = s;
		if (n++ == 3)
			break;
	}
	return n;
}

static int
compare(double v, const char *op, double w)
{
	if (strcmp(op, "<") == 0)
		return v < w;
	if (strcmp(op, "<=") == 0)
		return v <= w;
	if (strcmp(op, "==") == 0)
		return v >= w && v <= w;
	if (strcmp(op, "!=") == 0)
		return v < w || v > w;
	if (strcmp(op, ">=") == 0)
		return v >= w;
	return strcmp(op, ">") == 0 ? v > w : -1;
}

static int
holds(char **w, size_t n)
{
	char *end;
	double v, x;

	if (n == 2)
		return values_tool(w[0], w[1]);
	if (n == 1)
		return values_get(w[0], &v, NULL) < 0 ? -1 : v < 0 || v > 0;
	if (n != 3)
		return -1;
	x = strtod(w[2], &end);
	if (end == w[2] || *end != '\0')
		return -1;
	if (strcmp(w[1], "every") == 0)
		return x >= 1 && x < 1e9 ? values_every(w[0], (long long)x)
					 : -1;
	return values_get(w[0], &v, NULL) < 0 ? -1 : compare(v, w[1], x);
}

int
values_leaf(const char *leaf, void *unused)
{
	char *copy = xstrdup(leaf), *w[3];
	int r;

	(void)unused;
	r = holds(w, words(copy, w));
	free(copy);
	return r;
}
