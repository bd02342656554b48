/* The gate: what it lets through, what it refuses and where. */

#include <stdlib.h>
#include <string.h>

#include "gate.h"
#include "tap.h"

/* A literal with its length, so that NUL can stand in it. */
#define T(s) s, sizeof(s) - 1

static const struct {
	const char *s;
	size_t n;
	size_t ntok;
} good[] = {
    {T("{}"), 1},
    {T("[]"), 1},
    {T(" \t\r\n{ } \n"), 1},
    {T("0"), 1},
    {T("-0"), 1},
    {T("-0.0e-0"), 1},
    {T("1E+9"), 1},
    {T("123"), 1},
    {T("1.7976931348623157e999"), 1},
    {T("true"), 1},
    {T("null"), 1},
    {T("\"\""), 1},
    {T("\"a\""), 1},
    {T("[1,2,[3,{}]]"), 6},
    {T("{\"a\":{\"b\":[true,false,null]}}"), 8},
    {T("{\"\":0,\"a\":1,\"A\":2}"), 7},
    {T("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00\""), 1},
    {T("\"\\u0000\""), 1},
    {T("\"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xef\xbf\xbf\""), 1},
    {T("\"\x7f\""), 1},
    {T("\"0123456789abcdef0123456789abcdef\""), 1},
    {T("{\"a\":{\"a\":{\"a\":1}},\"b\":{\"a\":1}}"), 11},
    {T("[{\"k\":1},{\"k\":1}]"), 7},
};

static const struct {
	const char *s;
	size_t n;
	size_t at;
	const char *why;
} bad[] = {
    {T(""), 0, "expected a value"},
    {T("  "), 2, "expected a value"},
    {T("[1,]"), 3, "expected a value"},
    {T("[,1]"), 1, "expected a value"},
    {T("[1,,3]"), 3, "expected a value"},
    {T("[1 2]"), 3, "expected ',' or ']'"},
    {T("[1}"), 2, "expected ',' or ']'"},
    {T("[1"), 2, "expected ',' or ']'"},
    {T("["), 1, "expected a value"},
    {T("]"), 0, "expected a value"},
    {T("{"), 1, "expected a key in quotes"},
    {T("{,}"), 1, "expected a key in quotes"},
    {T("{\"a\":1,}"), 7, "expected a key in quotes"},
    {T("{a:1}"), 1, "expected a key in quotes"},
    {T("{1:1}"), 1, "expected a key in quotes"},
    {T("{\"a\"}"), 4, "expected ':'"},
    {T("{\"a\" \"b\"}"), 5, "expected ':'"},
    {T("{\"a\"::1}"), 5, "expected a value"},
    {T("{\"a\":}"), 5, "expected a value"},
    {T("{\"a\":1 \"b\":2}"), 7, "expected ',' or '}'"},
    {T("{\"a\":\"b\":\"c\"}"), 8, "expected ',' or '}'"},
    {T("[\"a\":1]"), 4, "expected ',' or ']'"},
    {T("{}{}"), 2, "expected the end of the text"},
    {T("[1][2]"), 3, "expected the end of the text"},
    {T("{} x"), 3, "expected the end of the text"},
    {T("{\"a\":1}}"), 7, "expected the end of the text"},
    {T("{\"a\":1}\0"), 7, "expected the end of the text"},
    {T("tru"), 0, "expected a value"},
    {T("[nul]"), 1, "expected a value"},
    {T("[thanx]"), 1, "expected a value"},
    {T("[NaN]"), 1, "expected a value"},
    {T("Infinity"), 0, "expected a value"},
    {T("trueish"), 4, "expected the end of the text"},
    {T("'a'"), 0, "expected a value"},
    {T("/* */1"), 0, "expected a value"},
    {T("01"), 1, "expected no digit after a leading 0"},
    {T("-"), 1, "expected a digit"},
    {T("[-]"), 2, "expected a digit"},
    {T("-a"), 1, "expected a digit"},
    {T("1."), 2, "expected a digit"},
    {T(".5"), 0, "expected a value"},
    {T("+1"), 0, "expected a value"},
    {T("1e"), 2, "expected a digit"},
    {T("1e+"), 3, "expected a digit"},
    {T("[0x1]"), 2, "expected ',' or ']'"},
    {T("[1+2]"), 2, "expected ',' or ']'"},
    {T("\""), 1, "expected a closing quote"},
    {T("\"abc"), 4, "expected a closing quote"},
    {T("\"\\"), 2, "expected a closing quote"},
    {T("\"\\x\""), 1, "expected an escape of JSON"},
    {T("\"\\a\""), 1, "expected an escape of JSON"},
    {T("\"\\u12\""), 1, "expected four hexadecimal digits"},
    {T("\"\\u12g4\""), 1, "expected four hexadecimal digits"},
    {T("\"\\ud800\""), 1, "expected a pair of surrogates"},
    {T("\"\\udc00\""), 1, "expected a pair of surrogates"},
    {T("\"\\ud800\\u0041\""), 1, "expected a pair of surrogates"},
    {T("\"a\nb\""), 2, "expected an escape, not a control character"},
    {T("\"\t\""), 1, "expected an escape, not a control character"},
    {T("\"a\0b\""), 2, "expected an escape, not a control character"},
    {T("\"0123456789abcdef\x1f\""), 17,
	"expected an escape, not a control character"},
    {T("\"\x80\""), 1, "expected valid UTF-8"},
    {T("\"\xc0\xaf\""), 1, "expected valid UTF-8"},
    {T("\"\xe0\x80\xaf\""), 1, "expected valid UTF-8"},
    {T("\"\xed\xa0\x80\""), 1, "expected valid UTF-8"},
    {T("\"\xf4\x90\x80\x80\""), 1, "expected valid UTF-8"},
    {T("\"\xf5\x80\x80\x80\""), 1, "expected valid UTF-8"},
    {T("\"\xe2\x82\""), 1, "expected valid UTF-8"},
    {T("\"a\xc3"), 2, "expected valid UTF-8"},
    {T("\xef\xbb\xbf{}"), 0, "expected a value"},
    {T("\xc2\xa0{}"), 0, "expected a value"},
    {T("{\"a\":1,\"a\":2}"), 7, "expected a key that is not there yet"},
    {T("{\"a\":1,\"\\u0061\":2}"), 7,
	"expected a key that is not there yet"},
    {T("{\"x\":{\"\\u00e9\":1,\"\xc3\xa9\":2}}"), 17,
	"expected a key that is not there yet"},
    {T("{\"\":1,\"\":2}"), 6, "expected a key that is not there yet"},
    {T("{\"longer than eight\":1,\"longer than eight\":1}"), 23,
	"expected a key that is not there yet"},
};

/* What the gate says of {"type":V} and its like. */
static const struct {
	const char *s;
	const char *type, *role;
	int badtype;
} kinds[] = {
    {"{\"type\":\"tool\"}", "tool", NULL, 0},
    {"{\"role\":\"user\",\"content\":\"type\"}", NULL, "user", 0},
    {"{\"type\":\"a\",\"role\":\"b\"}", "a", "b", 0},
    {"{\"ty\\u0070e\":\"mess\\u0061ge\",\"role\":\"\\u0075ser\"}", "message",
	"user", 0},
    {"{\"a\":{\"type\":\"x\"},\"b\":[{\"role\":\"y\"}]}", NULL, NULL, 0},
    {"{\"type\":1}", NULL, NULL, 1},
    {"{\"type\":{\"type\":\"x\"}}", NULL, NULL, 1},
    {"{\"type\":[\"x\"]}", NULL, NULL, 1},
    {"{\"type\":\"\"}", "", NULL, 0},
    {"{\"role\":null}", NULL, NULL, 0},
};

static int
span_like(struct span s, const char *t)
{
	return t == NULL ? s.p == NULL : s.p != NULL && span_is(s, t);
}

/* Many keys, one pair of them equal: the sorted way finds it as well. */
static void
many_keys(void)
{
	static struct buf b;
	struct gate g;
	size_t twin;
	int i;

	buf_reset(&b);
	buf_puts(&b, "{");
	for (i = 0; i < 1000; i++)
		buf_printf(&b, "%s\"key-%d\":%d", i > 0 ? "," : "", i, i);
	buf_puts(&b, "}");
	ok(gate_check(b.p, b.n, &g) == 0 && g.ntok == 2001, "1000 keys");
	b.n--;
	buf_puts(&b, ",");
	twin = b.n;
	buf_puts(&b, "\"key-\\u0037\":0}");
	ok(gate_check(b.p, b.n, &g) < 0 && g.at == twin,
	    "1001 keys, the last one twice: at %zu, not %zu", g.at, twin);
}

static void
depth(void)
{
	static struct buf b;
	struct gate g;
	size_t i;

	for (i = 0; i < JSON_DEPTH; i++)
		buf_puts(&b, "[");
	for (i = 0; i < JSON_DEPTH; i++)
		buf_puts(&b, "]");
	ok(gate_check(b.p, b.n, &g) == 0 && g.ntok == JSON_DEPTH,
	    "128 levels");
	buf_reset(&b);
	for (i = 0; i < 100000; i++)
		buf_puts(&b, "[");
	ok(gate_check(b.p, b.n, &g) < 0 && g.at == JSON_DEPTH,
	    "the 129th level is refused where it opens");
}

int
main(void)
{
	struct gate g;
	char *copy;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		/* An exact copy, so that a byte read beyond it is seen. */
		copy = xmalloc(good[i].n);
		memcpy(copy, good[i].s, good[i].n);
		ok(gate_check(copy, good[i].n, &g) == 0
			&& g.ntok == good[i].ntok,
		    "accepts %s (%zu tokens)", good[i].s, g.ntok);
		free(copy);
	}
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		copy = xmalloc(bad[i].n);
		memcpy(copy, bad[i].s, bad[i].n);
		ok(gate_check(copy, bad[i].n, &g) < 0 && g.at == bad[i].at
			&& strcmp(g.why, bad[i].why) == 0,
		    "refuses #%zu at %zu: %s", i, g.at,
		    g.why != NULL ? g.why : "(accepted)");
		free(copy);
	}
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		ok(gate_check(kinds[i].s, strlen(kinds[i].s), &g) == 0
			&& span_like(g.type, kinds[i].type)
			&& span_like(g.role, kinds[i].role)
			&& g.badtype == kinds[i].badtype,
		    "type and role of %s", kinds[i].s);
	many_keys();
	depth();
	return done_testing();
}
