#include <stdlib.h>
#include <string.h>

#include "cond.h"
#include "tap.h"

/* "yN" holds and weighs N, "n" does not hold, else it is not known. */
static int
leaf(const char *text, void *arg)
{
	++*(int *)arg;
	if (strcmp(text, "n") == 0)
		return 0;
	return text[0] == 'y' ? atoi(text + 1) : -1;
}

static const struct {
	const char *text;
	int holds; /* -1: a fault */
	int leaves; /* looked at */
	int bad;
} cases[] = {
	{"null", 1, 0, 0},
	{"{}", 1, 0, 0},
	{"[]", 1, 0, 0},
	{"\"y1\"", 1, 1, 0},
	{"\"y7\"", 1, 1, 0},
	{"\"n\"", 0, 1, 0},
	{"[\"y1\",\"y5\"]", 1, 2, 0},
	{"[\"y1\",\"n\",\"y1\"]", 0, 3, 0},
	{"{\"all\":[\"y2\",\"y3\"]}", 1, 2, 0},
	{"{\"all\":[]}", 1, 0, 0},
	{"{\"all\":\"n\"}", 0, 1, 0},
	{"{\"any\":[\"n\",\"y1\"]}", 1, 2, 0},
	{"{\"any\":[]}", 0, 0, 0},
	{"{\"none\":[\"n\",\"n\"]}", 1, 2, 0},
	{"{\"none\":[\"n\",\"y1\"]}", 0, 2, 0},
	{"{\"all\":\"y1\",\"none\":\"y1\"}", 0, 2, 0},
	{"{\"any\":[{\"all\":[\"y1\",\"n\"]},[\"y1\"]]}", 1, 3, 0},
	{"{\"count\":{\"of\":[\"y1\",\"n\",\"y1\"],\"min\":2}}", 1, 3, 0},
	{"{\"count\":{\"of\":[\"y1\",\"n\",\"y1\"],\"min\":3}}", 0, 3, 0},
	{"{\"count\":{\"of\":[\"y1\",\"y1\"],\"max\":1}}", 0, 2, 0},
	{"{\"count\":{\"of\":\"n\",\"min\":0,\"max\":0}}", 1, 1, 0},
	{"{\"count\":{\"of\":\"n\"}}", 0, 1, 0},
	/* A leaf weighs what it says, a list 1. */
	{"{\"count\":{\"of\":\"y3\",\"min\":3}}", 1, 1, 0},
	{"{\"count\":{\"of\":\"y2\",\"min\":3}}", 0, 1, 0},
	{"{\"count\":{\"of\":[\"y2\",\"y1\"],\"min\":3}}", 1, 2, 0},
	{"{\"count\":{\"of\":[[\"y2\"],[\"y2\"]],\"min\":3}}", 0, 2, 0},
	{"\"?\"", -1, 1, 0},
	{"5", -1, 0, 0},
	{"[\"n\",\"?\"]", -1, 2, 2},
	{"{\"al\":[]}", -1, 0, 1},
	{"{\"count\":[]}", -1, 0, 2},
	{"{\"count\":{\"min\":1}}", -1, 0, 2},
	{"{\"count\":{\"of\":[],\"mim\":1}}", -1, 0, 5},
	{"{\"count\":{\"of\":[],\"min\":1.5}}", -1, 0, 5},
};

int
main(void)
{
	static struct json j;
	size_t i;
	int bad, n, r;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		bad = n = 0;
		r = -2;
		if (json_parse(&j, cases[i].text, strlen(cases[i].text)) == 0)
			r = cond_holds(&j, 0, leaf, &n, &bad);
		ok(r == cases[i].holds && n == cases[i].leaves
			&& (r >= 0 || bad == cases[i].bad),
		    "%s: %d, %d leaves, token %d", cases[i].text, r, n, bad);
	}
	n = 0;
	ok(cond_holds(&j, -1, leaf, &n, &bad) == 1, "none at all holds");
	json_free(&j);
	return done_testing();
}
