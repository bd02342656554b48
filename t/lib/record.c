/* Records that come again: what is known of a text is known of no other. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "record.h"
#include "tap.h"

/* As long as each other and alike for more than their first 64 bytes. */
#define LONG "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static const struct {
	const char *s;
	enum rec_type type;
	const char *name, *key, *value;
} lines[] = {
	{"{\"type\":\"section\",\"id\":\"" LONG "\",\"x\":\"one\"}", REC_SECTION,
	    "section", "x", "one"},
	{"{\"type\":\"section\",\"id\":\"" LONG "\",\"x\":\"two\"}", REC_SECTION,
	    "section", "x", "two"},
	{"{\"id\":1,\"type\":\"tool\",\"name\":\"ls\"}", REC_TOOL, "tool",
	    "name", "ls"},
	{"{\"type\":\"function\",\"name\":\"ls\"}", REC_TOOL, "function",
	    "name", "ls"},
	/* Its name is decoded, so that it is not in the text. */
	{"{\"type\":\"t\\u006fol\",\"name\":\"ls\"}", REC_TOOL, "tool",
	    "name", "ls"},
	{"{\"type\":\"config\",\"role\":\"user\",\"x\":\"y\"}", REC_CONFIG,
	    "config", "x", "y"},
	{"{\"role\":\"user\",\"content\":\"hi\"}", REC_MESSAGE, "message",
	    "content", "hi"},
	{"{\"type\":\"tool\",\"name\":\"ls\"} ", REC_TOOL, "tool", "name", "ls"},
	{"{\"type\":\"end\",\"id\":\"e\"}", REC_END, "end", "id", "e"},
};
enum { LINES = sizeof(lines) / sizeof(*lines), ROUNDS = 6 };

/* The line that is the nth: in every other round the others come backwards. */
static size_t
which(size_t n)
{
	size_t k = n % LINES;

	return n / LINES % 2 == 0 || k == LINES - 1 ? k : LINES - 2 - k;
}

static void
test_line(const struct rec *r, size_t k, size_t number)
{
	const struct json *j;
	int again;

	ok(r->type == lines[k].type && r->line == number
	    && r->n == strlen(lines[k].s)
	    && memcmp(r->s, lines[k].s, r->n) == 0
	    && span_is(r->name, lines[k].name)
	    && (r->role.p != NULL) == (strstr(lines[k].s, "role") != NULL),
	    "line %zu: %s", number, lines[k].name);
	/* Tokens not asked for in the first rounds are made in a later one. */
	if (number <= 3 * LINES && k % 2 == 0)
		return;
	for (again = 0; again < 2; again++) {
		j = record_json(r);
		ok(j->s == r->s && j->ntok == r->ntok
		    && json_is(j, json_get(j, 0, lines[k].key),
			lines[k].value), "line %zu: its tokens", number);
	}
}

int
main(void)
{
	char path[] = "/tmp/turnpipe-record.XXXXXX";
	struct rec r;
	size_t i, n = 0;
	int fd = mkstemp(path);

	prog = "record";
	if (fd < 0)
		die_sys(EX_CANTCREAT, "%s", path);
	unlink(path);
	for (i = 0; i < (size_t)ROUNDS * LINES; i++)
		if (write(fd, lines[which(i)].s, strlen(lines[which(i)].s)) < 0
		    || write(fd, "\n", 1) < 0)
			die_sys(EX_IOERR, "write %s", path);
	lseek(fd, 0, SEEK_SET);
	record_from(fd, "<test>");
	while (record_next(&r) && !r.implied) {
		test_line(&r, which(n), n + 1);
		n++;
	}
	ok(n == (size_t)ROUNDS * LINES, "all lines came: %zu", n);
	return done_testing();
}
