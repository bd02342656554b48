#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "diag.h"
#include "expect.h"
#include "fd.h"
#include "file.h"
#include "jsonstr.h"
#include "pattern.h"
#include "schemafit.h"
#include "utf8.h"

enum { SHOWN = 200 }; /* bytes of a text that a reason shows */

/*
 * Each looks at one expectation, value v.  1; 0 or -1 with the reason
 * appended to why.
 */
typedef int holds(const struct json *j, int v, const struct expect_answer *a,
    struct buf *why);

/* The text without the blanks around it. */
static struct span
trimmed(const struct expect_answer *a)
{
	return span_trim(buf_view(&a->text));
}

/* Append a text in quotes, cut. */
static void
quote(struct buf *why, struct span s)
{
	size_t n = s.n > SHOWN ? utf8_cut(s.p, s.n, SHOWN) : s.n;

	buf_putc(why, '"');
	buf_add(why, s.p, n);
	buf_puts(why, n < s.n ? "...\"" : "\"");
}

/* Elements of a list, or the one value. */
static int
first_of(const struct json *j, int v)
{
	return json_kind(j, v) == JSON_ARRAY ? json_first(j, v) : v;
}

static int
next_of(const struct json *j, int v, int i)
{
	return json_kind(j, v) == JSON_ARRAY ? json_next(j, i) : -1;
}

static int
parse_answer(struct json *j, const struct expect_answer *a, struct buf *why)
{
	struct span s = trimmed(a);

	if (json_parse(j, s.p, s.n) == 0)
		return 0;
	buf_printf(why, "expected JSON, offset %zu: %s", j->at, j->why);
	return -1;
}

static int
equals(const struct json *j, int v, const struct expect_answer *a,
    struct buf *why)
{
	static struct json answer;
	static struct buf want;
	struct span s = trimmed(a);

	if (json_kind(j, v) != JSON_STRING) {
		if (parse_answer(&answer, a, why) < 0)
			return 0;
		if (schema_same(j, v, &answer, 0))
			return 1;
		buf_puts(why, "expected ");
		buf_span(why, json_span(j, v));
		return 0;
	}
	buf_reset(&want);
	json_str(j, v, &want);
	if (span_same(s, span_trim(buf_view(&want))))
		return 1;
	buf_puts(why, "expected ");
	quote(why, buf_view(&want));
	return 0;
}

static int
holds_text(struct span s, struct span want)
{
	size_t i;

	for (i = 0; i + want.n <= s.n; i++)
		if (memcmp(s.p + i, want.p, want.n) == 0)
			return 1;
	return 0;
}

static int
contains(const struct json *j, int v, const struct expect_answer *a,
    struct buf *why)
{
	static struct buf want;
	int i;

	for (i = first_of(j, v); i >= 0; i = next_of(j, v, i)) {
		buf_reset(&want);
		json_str(j, i, &want);
		if (holds_text(buf_view(&a->text), buf_view(&want)))
			continue;
		buf_puts(why, "expected to contain ");
		quote(why, buf_view(&want));
		return 0;
	}
	return 1;
}

static int
regex(const struct json *j, int v, const struct expect_answer *a,
    struct buf *why)
{
	static struct buf re;
	struct span text = buf_view(&a->text);
	const char *fault;
	int i, is;

	for (i = first_of(j, v); i >= 0; i = next_of(j, v, i)) {
		buf_reset(&re);
		json_str(j, i, &re);
		is = pattern_in(re.p, re.n, text.p, text.n, &fault);
		if (is > 0)
			continue;
		buf_puts(why, is < 0 ? fault : "expected to match");
		buf_putc(why, ' ');
		quote(why, buf_view(&re));
		return is;
	}
	return 1;
}

static int
schema(const struct json *j, int v, const struct expect_answer *a,
    struct buf *why)
{
	static struct json answer;
	static struct buf path, what;
	struct schema s = {j, v, v};

	if (parse_answer(&answer, a, why) < 0)
		return 0;
	buf_reset(&path);
	buf_reset(&what);
	if (schemafit(s, &answer, 0, &path, &what) == 0)
		return 1;
	buf_span(why, buf_view(&path));
	buf_puts(why, path.n > 0 ? ": " : "");
	buf_span(why, buf_view(&what));
	return 0;
}

/* The answer is its standard input; its first line is the reason. */
static int
command(const struct json *j, int v, const struct expect_answer *a,
    struct buf *why)
{
	static struct buf line;
	int in = file_spool(buf_view(&a->text)), out = file_unnamed();
	struct child c = {.fd = {in, out, out}};
	char *argv[] = {"sh", "-c", json_dup(j, v), NULL};
	char text[SHOWN];
	ssize_t n;
	int status;
	pid_t pid;

	if (in < 0 || out < 0)
		die_sys(EX_CANTCREAT, "temporary file");
	if (child_start(&pid, &c, argv) < 0 || (status = child_wait(pid)) < 0)
		die_sys(EX_OSERR, "sh");
	free(argv[2]);
	n = pread(out, text, sizeof(text), 0);
	fd_drop(in);
	fd_drop(out);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 1;
	buf_reset(&line);
	if (n > 0)
		buf_add(&line, text, (size_t)n);
	line.n = strcspn(buf_cstr(&line), "\n");
	if (WIFSIGNALED(status))
		buf_printf(why, "command: signal %d", WTERMSIG(status));
	else
		buf_printf(why, "command: status %d", WEXITSTATUS(status));
	if (line.n > 0)
		buf_printf(why, ", %s", buf_cstr(&line));
	return 0;
}

/* Has the call the arguments that are wanted, whatever else it has? */
static int
call_fits(const struct json *j, int want, const struct expect_call *c)
{
	static struct json args;
	int k, v, i;

	if (json_kind(j, want) == JSON_STRING)
		return json_is(j, want, buf_cstr((struct buf *)&c->name));
	if (!json_is(j, json_get(j, want, "name"),
		buf_cstr((struct buf *)&c->name)))
		return 0;
	want = json_get(j, want, "arguments");
	if (want < 0)
		return 1;
	if (json_parse(&args, c->args.p, c->args.n) < 0)
		return 0;
	for (k = json_first(j, want); k >= 0; k = json_next(j, k)) {
		static struct buf key;

		buf_reset(&key);
		json_str(j, k, &key);
		v = k + 1;
		i = json_find(&args, 0, buf_view(&key));
		if (i < 0 || !schema_same(j, v, &args, i))
			return 0;
	}
	return 1;
}

static int
tools(const struct json *j, int v, const struct expect_answer *a,
    struct buf *why)
{
	size_t k;
	int i;

	if (json_count(j, v) == 0 && a->ncalls > 0) {
		buf_printf(why, "expected no call, found %s",
		    buf_cstr(&a->calls[0].name));
		return 0;
	}
	for (i = json_first(j, v); i >= 0; i = json_next(j, i)) {
		for (k = 0; k < a->ncalls; k++)
			if (call_fits(j, i, &a->calls[k]))
				break;
		if (k < a->ncalls)
			continue;
		buf_puts(why, "expected the call ");
		buf_span(why, json_span(j, i));
		return 0;
	}
	return 1;
}

static int
at_most(const struct json *j, int v, long long is, const char *what,
    struct buf *why)
{
	long long max;

	json_int(j, v, &max);
	if (is <= max)
		return 1;
	buf_printf(why, "%lld %s, expected at most %lld", is, what, max);
	return 0;
}

static int
steps(const struct json *j, int v, const struct expect_answer *a,
    struct buf *why)
{
	return at_most(j, v, a->steps, "steps", why);
}

static int
tokens(const struct json *j, int v, const struct expect_answer *a,
    struct buf *why)
{
	if (a->hasusage)
		return at_most(j, v, a->tokens, "tokens", why);
	buf_puts(why, "the tokens are not known");
	return -1;
}

static int
cost(const struct json *j, int v, const struct expect_answer *a,
    struct buf *why)
{
	double max;

	json_num(j, v, &max);
	if (!a->haspriced) {
		buf_puts(why, "the cost is not known");
		return -1;
	}
	if (a->cost <= max)
		return 1;
	buf_printf(why, "%g dollars, expected at most %g", a->cost, max);
	return 0;
}

static int
check_answer(const struct json *j, int v, const struct expect_answer *a,
    struct buf *why)
{
	static struct json verdict;
	enum json_kind kind;
	int pass;

	(void)j, (void)v;
	if (a->verdict.n == 0) {
		buf_puts(why, "not judged");
		return -1;
	}
	pass = json_parse(&verdict, a->verdict.p, a->verdict.n) < 0
	    ? -1 : json_get(&verdict, 0, "pass");
	kind = json_kind(&verdict, pass);
	if (pass < 0 || (kind != JSON_TRUE && kind != JSON_FALSE)) {
		buf_puts(why, "the judge's answer is not a verdict: ");
		quote(why, buf_view(&a->verdict));
		return -1;
	}
	if (kind == JSON_TRUE)
		return 1;
	buf_puts(why, "judge: ");
	json_str(&verdict, json_get(&verdict, 0, "why"), why);
	return 0;
}

static holds not;

static const struct {
	const char *key;
	holds *holds;
} expectations[] = {
    {"equals", equals},
    {"contains", contains},
    {"regex", regex},
    {"schema", schema},
    {"command", command},
    {"tools", tools},
    {"not", not},
    {"steps", steps},
    {"tokens", tokens},
    {"cost", cost},
    {"judge", check_answer},
};
enum { EXPECTATIONS = sizeof(expectations) / sizeof(*expectations) };

/* None of them is true. */
static int
not(const struct json *j, int v, const struct expect_answer *a,
    struct buf *why)
{
	static struct buf unused;
	size_t n;
	int i, is;

	for (n = 0; n < EXPECTATIONS; n++) {
		i = json_get(j, v, expectations[n].key);
		if (i < 0)
			continue;
		buf_reset(&unused);
		is = expectations[n].holds(j, i, a, &unused);
		if (is == 0)
			continue;
		if (is < 0)
			buf_span(why, buf_view(&unused));
		else
			buf_printf(why, "expected not: %s %.*s",
			    expectations[n].key, (int)json_span(j, i).n,
			    json_span(j, i).p);
		return is < 0 ? -1 : 0;
	}
	return 1;
}

int
expect_check(const struct json *j, int i, int *at, const char **why)
{
	static struct buf re;
	int v = json_get(j, i, "regex"), k;

	for (k = first_of(j, v); k >= 0; k = next_of(j, v, k)) {
		buf_reset(&re);
		json_str(j, k, &re);
		*at = k;
		if (pattern_in(re.p, re.n, "", 0, why) < 0)
			return -1;
	}
	v = json_get(j, i, "not");
	return v < 0 ? 0 : expect_check(j, v, at, why);
}

int
expect_holds(const struct json *j, int i, const struct expect_answer *a,
    struct buf *why)
{
	static struct buf one;
	int known = 1, all = 1, v, is;
	size_t n;

	for (n = 0; n < EXPECTATIONS; n++) {
		v = json_get(j, i, expectations[n].key);
		buf_reset(&one);
		is = v < 0 ? 1 : expectations[n].holds(j, v, a, &one);
		if (is > 0)
			continue;
		buf_puts(why, why->n > 0 ? "; " : "");
		buf_span(why, buf_view(&one));
		known &= is == 0;
		all &= is < 0;
	}
	return !all ? 0 : known ? 1 : -1;
}

void
expect_reset(struct expect_answer *a)
{
	buf_reset(&a->text);
	buf_reset(&a->verdict);
	a->ncalls = 0;
	a->steps = a->tokens = 0;
	a->cost = 0;
	a->hasusage = a->haspriced = 0;
}
