#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "tap.h"
#include "yamlfile.h"
#include "yamlparsed.h"

#define T(s) (s), sizeof(s) - 1

/* In place of lib.a's: its JSON says another thing than its text. */
const struct yamlparsed yamlparsed[] = {
	{"made", (const unsigned char *)"key: made\n", (const unsigned char *)
	    "{\"key\":\"taken\"}", (const unsigned short[]){7, 1, 7, 1, 8, 9},
	    10, 15, 3, YAMLFILE_STRICT},
};
const size_t yamlparsed_n = 1;

static const struct {
	const char *name;
	const char *s;
	size_t n;
	int mode;
	const char *json;
} good[] = {
	{"nothing", T(""), YAMLFILE_STRICT, "{}"},
	{"blanks", T("\n  \n"), YAMLFILE_STRICT, "{}"},
	{"a comment", T("# turnpipe-settings(5)\n"), YAMLFILE_STRICT, "{}"},
	{"an empty document", T("---\n"), YAMLFILE_STRICT, "{}"},
	{"an ended document", T("---\na: 1\n...\n"), YAMLFILE_STRICT, "{\"a\":1}"},
	{"a BOM", T("\xef\xbb\xbf" "a: 1\n"), YAMLFILE_STRICT, "{\"a\":1}"},
	{"CRLF", T("a: 1\r\nb: |\r\n  x\r\n  y\r\n"), YAMLFILE_STRICT,
	    "{\"a\":1,\"b\":\"x\\ny\\n\"}"},
	{"no last newline", T("a: b"), YAMLFILE_STRICT, "{\"a\":\"b\"}"},
	{"a scalar root", T("text"), YAMLFILE_STRICT, "\"text\""},
	{"a null root", T("null"), YAMLFILE_STRICT, "null"},
	{"JSON", T("{\"a\": [1, true, null, \"x\\u00e9\"]}"), YAMLFILE_STRICT,
	    "{\"a\":[1,true,null,\"x\xc3\xa9\"]}"},
	{"nested", T("a:\n  b:\n  - c: 1\n    d: 2\n  - []\n  - {}\ne:\n"),
	    YAMLFILE_STRICT,
	    "{\"a\":{\"b\":[{\"c\":1,\"d\":2},[],{}]},\"e\":null}"},
	{"numbers", T("[0, -1, 1.50, 1e3, -0.5E-7, 123456789012345678901]"),
	    YAMLFILE_STRICT, "[0,-1,1.50,1e3,-0.5E-7,123456789012345678901]"},
	{"no numbers", T("[1_000, 0x1F, .5, 5., +5, 1:30, .inf, 1e, -, 0o7]"),
	    YAMLFILE_STRICT,
	    "[\"1_000\",\"0x1F\",\".5\",\"5.\",\"+5\",\"1:30\",\".inf\","
	    "\"1e\",\"-\",\"0o7\"]"},
	{"words in words", T("[yesterday, nobody, nullify, 0abc, 2026-01-02]"),
	    YAMLFILE_STRICT,
	    "[\"yesterday\",\"nobody\",\"nullify\",\"0abc\",\"2026-01-02\"]"},
	{"quoted words", T("['yes', \"~\", '007', 'true', '1', \"\"]"),
	    YAMLFILE_STRICT, "[\"yes\",\"~\",\"007\",\"true\",\"1\",\"\"]"},
	{"keys are strings",
	    T("on: 1\n1: 2\ntrue: 3\n\"q \\\" k\": 4\n'<<': 5"),
	    YAMLFILE_STRICT,
	    "{\"on\":1,\"1\":2,\"true\":3,\"q \\\" k\":4,\"<<\":5}"},
	{"a key twice, not in one mapping", T("a: {k: 1}\nb: {k: 2}\nk: 3\n"),
	    YAMLFILE_STRICT, "{\"a\":{\"k\":1},\"b\":{\"k\":2},\"k\":3}"},
	{"literal and folded",
	    T("a: |\n  x: y\n   z\n\n"
	      "b: >\n  one\n  two\n\n  three\nc: |-\n  s"),
	    YAMLFILE_STRICT,
	    "{\"a\":\"x: y\\n z\\n\",\"b\":\"one two\\nthree\\n\","
	    "\"c\":\"s\"}"},
	{"true in a block is text", T("a: |-\n  true\nb: >-\n  7\n"),
	    YAMLFILE_STRICT, "{\"a\":\"true\",\"b\":\"7\"}"},
	{"a plain scalar of two lines", T("a: one\n  two\n"), YAMLFILE_STRICT,
	    "{\"a\":\"one two\"}"},
	{"NUL by its escape", T("a: \"x\\0y\""), YAMLFILE_STRICT,
	    "{\"a\":\"x\\u0000y\"}"},
	{"a tab behind a value", T("a: 1\t# c\n"), YAMLFILE_STRICT, "{\"a\":1}"},
	{"lenient: all strings", T("a: yes\nb: 007\nc: ~\nd: 1\ne: true\nf:\n"),
	    YAMLFILE_LENIENT,
	    "{\"a\":\"yes\",\"b\":\"007\",\"c\":\"~\",\"d\":\"1\","
	    "\"e\":\"true\",\"f\":null}"},
	{"lenient: quoted and empty", T("a: ''\nb: \"\"\nc: [x, 1]"),
	    YAMLFILE_LENIENT, "{\"a\":\"\",\"b\":\"\",\"c\":[\"x\",\"1\"]}"},
	{"lenient: the first of two keys",
	    T("a: 1\n\"\\x61\": {b: [2, {c: 3}], b: 4}\nd: 5\na: 6\nd:\n"),
	    YAMLFILE_LENIENT, "{\"a\":\"1\",\"d\":\"5\"}"},
	{"lenient: doubles in doubles", T("a: {b: 1, b: 2, c: 3}\na: {d: 4}\n"
	    "e: [{b: 1}, {b: 1}]"), YAMLFILE_LENIENT,
	    "{\"a\":{\"b\":\"1\",\"c\":\"3\"},"
	    "\"e\":[{\"b\":\"1\"},{\"b\":\"1\"}]}"},
	{"lenient: nothing", T(""), YAMLFILE_LENIENT, "{}"},
};

static const struct {
	const char *name;
	const char *s;
	size_t n;
	size_t line, col;
	const char *why;
	int both; /* in lenient mode too */
} bad[] = {
	{"yes", T("a: yes\n"), 1, 4,
	    "expected true, false or null, or quotes", 0},
	{"Off", T("a:\n- Off\n"), 2, 3,
	    "expected true, false or null, or quotes", 0},
	{"TRUE", T("a: TRUE"), 1, 4,
	    "expected true, false or null, or quotes", 0},
	{"~", T("a: ~"), 1, 4, "expected true, false or null, or quotes", 0},
	{"007", T("a: 007"), 1, 4, "expected no leading zero, or quotes", 0},
	{"-01.5", T("a: -01.5"), 1, 4, "expected no leading zero, or quotes",
	    0},
	{"duplicate key", T("a: 1\nb: 2\na: 3\n"), 3, 1,
	    "expected a key that is not there yet", 0},
	{"duplicate key, decoded", T("{a: 1, \"\\u0061\": 2}"), 1, 8,
	    "expected a key that is not there yet", 0},
	{"anchor", T("a: &x 1\n"), 1, 4, "expected a value, not an anchor", 1},
	{"anchored mapping", T("a: &x\n  b: 1\n"), 1, 4,
	    "expected a value, not an anchor", 1},
	{"anchored key", T("&x a: 1\n"), 1, 1,
	    "expected a value, not an anchor", 1},
	{"alias", T("a: 1\nb: *x\n"), 2, 4, "expected a value, not an alias",
	    1},
	{"alias as key", T("*x : 1\n"), 1, 1, "expected a value, not an alias",
	    1},
	{"tag", T("a: !!str 1"), 1, 4, "expected a value, not a tag", 1},
	{"own tag", T("- !x {a: 1}"), 1, 3, "expected a value, not a tag", 1},
	{"lone tag", T("- ! 7"), 1, 3, "expected a value, not a tag", 1},
	{"alias bomb",
	    T("a: &a [lol, lol]\nb: &b [*a, *a]\nc: &c [*b, *b, *b]\n"), 1, 4,
	    "expected a value, not an anchor", 1},
	{"merge key", T("a: 1\n<<: {b: 2}\n"), 2, 1,
	    "expected a key, not a merge", 1},
	{"mapping as key", T("? {a: 1}\n: 2\n"), 1, 3, "expected a plain key",
	    1},
	{"sequence as key", T("[a]: 2\n"), 1, 1, "expected a plain key", 1},
	{"empty key", T("a: 1\n?\n: 2\n"), 2, 2, "expected a key", 1},
	{"two documents", T("a: 1\n---\nb: 2\n"), 2, 1,
	    "expected one document only", 1},
	{"directive", T("%YAML 1.1\n---\na: 1\n"), 1, 1,
	    "expected no directive", 1},
	{"tag directive", T("%TAG ! tag:x,2000:\n---\na: 1\n"), 1, 1,
	    "expected no directive", 1},
	{"UTF-16", T("\xff\xfe" "a\0:\0 \0" "1\0"), 1, 1, "expected UTF-8", 1},
	{"UTF-16 without BOM", T("a\0:\0 \0" "1\0"), 1, 2,
	    "expected text without control characters", 1},
	{"bad UTF-8", T("a: 1\nb: \xc3\xa9\xff\n"), 2, 6, "expected UTF-8", 1},
	{"overlong UTF-8", T("a: \xc0\xaf"), 1, 4, "expected UTF-8", 1},
	{"surrogate", T("a: \xed\xa0\x80"), 1, 4, "expected UTF-8", 1},
	{"cut UTF-8", T("ab: \xe2\x82"), 1, 5, "expected UTF-8", 1},
	{"NUL", T("a: 1\nb: \0\n"), 2, 4,
	    "expected text without control characters", 1},
	{"ESC", T("a: \x1b[1m"), 1, 4,
	    "expected text without control characters", 1},
	{"tab to indent", T("a:\n\tb: 1\n"), 2, 1,
	    "expected a value: no tab to indent, no bare @, ` or %", 1},
	{"second colon", T("a: b: c\n"), 1, 5,
	    "expected no ':' here: quote the value or fix the indentation",
	    1},
	{"bytes, not characters",
	    T("k: 1\n\xc3\xa4\xe2\x82\xac: \xf0\x9f\x98\x80 b: c\n"), 2, 14,
	    "expected no ':' here: quote the value or fix the indentation",
	    1},
	{"mark behind multibyte", T("\"\xe2\x82\xac\": &x 1\n"), 1, 8,
	    "expected a value, not an anchor", 1},
	{"NEL is no line", T("a: 'x\xc2\x85y'\r\n\"\xc3\xa9\": !x 1\n"), 2, 7,
	    "expected a value, not a tag", 1},
	{"a BOM has no column", T("\xef\xbb\xbf" "a: !x 1\n"), 1, 4,
	    "expected a value, not a tag", 1},
	{"open quote", T("a: 1\nb: \"x\nc: 2\n"), 2, 4,
	    "expected a quote that closes this", 1},
	{"open bracket", T("a: [1, 2\n"), 2, 1, "expected ',' or ']'", 1},
	{"list in a mapping", T("a: 1\n- b\n"), 2, 1,
	    "expected key", 1},
	{"wrong indent", T("a:\n  b: 1\n c: 2\n"), 3, 2, "expected key", 1},
};

static char text[YAMLFILE_MAX + 2];

/* One mark per token, in the order of the tokens. */
static int
in_order(const struct yamlfile *y)
{
	size_t i;

	for (i = 1; i < y->json.ntok; i++)
		if (y->marks[i].line < y->marks[i - 1].line
		    || (y->marks[i].line == y->marks[i - 1].line
		    && y->marks[i].col < y->marks[i - 1].col))
			return 0;
	return y->json.ntok > 0;
}

static void
test_good(struct yamlfile *y)
{
	size_t i;
	int r;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		r = yamlfile_parse(y, good[i].s, good[i].n, good[i].mode);
		ok(r == 0 && strcmp(buf_cstr(&y->text), good[i].json) == 0
		    && y->json.n == y->text.n && in_order(y),
		    "%s: %s", good[i].name, r == 0 ? y->text.p : y->why);
	}
}

static void
test_bad(struct yamlfile *y)
{
	size_t i;
	int mode, r;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		for (mode = YAMLFILE_STRICT; mode <= YAMLFILE_LENIENT; mode++) {
			r = yamlfile_parse(y, bad[i].s, bad[i].n, mode);
			if (mode == YAMLFILE_LENIENT && !bad[i].both) {
				ok(r == 0, "%s passes leniently", bad[i].name);
				continue;
			}
			ok(r < 0 && y->line == bad[i].line
			    && y->col == bad[i].col
			    && strcmp(y->why, bad[i].why) == 0,
			    "%s: %zu:%zu: %s", bad[i].name, y->line, y->col,
			    r < 0 ? y->why : "let through");
		}
}

/* Every token's mark, against places counted by hand. */
static void
test_marks(struct yamlfile *y)
{
	static const char s[] = "# c\n\xc3\xa9: {k: \xe2\x82\xac, l: [1]}\n"
				"m:\n  - x: 'y'\n";
	static const struct yamlfile_mark want[] = {{2, 1}, {2, 1}, {2, 5},
	    {2, 6}, {2, 9}, {2, 14}, {2, 17}, {2, 18}, {3, 1}, {4, 3}, {4, 5},
	    {4, 5}, {4, 8}};
	size_t i, n = sizeof(want) / sizeof(*want);

	ok(yamlfile_parse(y, T(s), YAMLFILE_STRICT) == 0 && y->json.ntok == n,
	    "as many marks as tokens: %zu", y->json.ntok);
	for (i = 0; i < n; i++)
		ok(y->marks[i].line == want[i].line
		    && y->marks[i].col == want[i].col,
		    "token %zu at %zu:%zu", i, y->marks[i].line,
		    y->marks[i].col);
}

/* After a dropped pair the marks still belong to their tokens. */
static void
test_dropped(struct yamlfile *y)
{
	static const char s[] = "a: 1\na: {x: [y, z]}\nb: 2\n";
	int i;

	yamlfile_parse(y, T(s), YAMLFILE_LENIENT);
	i = json_get(&y->json, 0, "b");
	ok(y->json.ntok == 5 && i == 4 && y->marks[i].line == 3
	    && y->marks[i].col == 4, "a dropped pair takes its marks along");
}

/* Only the text itself takes what was made at build time. */
static void
test_parsed(struct yamlfile *y)
{
	static const struct {
		const char *name, *s;
		size_t n;
		int mode, taken;
	} cases[] = {
		{"the text", T("key: made\n"), YAMLFILE_STRICT, 1},
		{"the text after a BOM", T("\xef\xbb\xbfkey: made\n"),
		    YAMLFILE_STRICT, 1},
		{"as long a text", T("key: Made\n"), YAMLFILE_STRICT, 0},
		{"another last byte", T("key: made "), YAMLFILE_STRICT, 0},
		{"a shorter text", T("key: made"), YAMLFILE_STRICT, 0},
		{"a longer text", T("key: made\n\n"), YAMLFILE_STRICT, 0},
		{"the other mode", T("key: made\n"), YAMLFILE_LENIENT, 0},
	};
	size_t i, line;
	int k, r;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		/* Nothing of the parse before may stay. */
		yamlfile_parse(y, T("a: [1, 2, 3]\nb: 4\n"), cases[i].mode);
		r = yamlfile_parse(y, cases[i].s, cases[i].n, cases[i].mode);
		k = json_get(&y->json, 0, "key");
		line = k < 0 ? 0 : y->marks[k].line;
		ok(r == 0 && y->json.ntok == 3 && y->repeat.line == 0
		    && json_is(&y->json, k, "taken") == cases[i].taken
		    && line == (cases[i].taken ? 8U : 1U),
		    "parsed at build time: %s: line %zu", cases[i].name, line);
	}
}

static void
test_limits(struct yamlfile *y)
{
	static const char *const opens[] = {"[", "{", "{a: ", "- "};
	size_t i, k, n;
	int r;

	for (i = 0; i < sizeof(opens) / sizeof(*opens); i++) {
		n = strlen(opens[i]);
		for (k = 0; k < 10000; k++)
			memcpy(text + k * n, opens[i], n);
		r = yamlfile_parse(y, text, 10000 * n, YAMLFILE_LENIENT);
		ok(r < 0, "10000 of '%s': %s", opens[i], r < 0 ? y->why : "");
	}
	memset(text, '[', 64);
	memset(text + 64, ']', 64);
	ok(yamlfile_parse(y, text, 128, YAMLFILE_STRICT) == 0, "depth 64");
	memset(text, '[', 65);
	memset(text + 65, ']', 65);
	ok(yamlfile_parse(y, text, 130, YAMLFILE_STRICT) < 0 && y->col == 65
	    && strcmp(y->why, "nested too deeply (limit 64)") == 0, "depth 65");

	/* stream, document, sequence: three starts and as many ends */
	for (k = 0; k < YAMLFILE_EVENTS - 6; k++)
		memcpy(text + k * 4, "- x\n", 4);
	ok(yamlfile_parse(y, text, k * 4, YAMLFILE_STRICT) == 0
	    && y->json.ntok == YAMLFILE_EVENTS - 5, "as many events as may be");
	memcpy(text + k * 4, "- x\n", 4);
	ok(yamlfile_parse(y, text, k * 4 + 4, YAMLFILE_STRICT) < 0
	    && strcmp(y->why, "expected at most 100000 nodes") == 0,
	    "one event more");

	for (k = n = 0; k < YAMLFILE_KEYS; k++)
		n += (size_t)sprintf(text + n, "k%zu: 1\n", k);
	ok(yamlfile_parse(y, text, n, YAMLFILE_STRICT) == 0
	    && json_count(&y->json, 0) == YAMLFILE_KEYS, "as many keys as may be");
	n += (size_t)sprintf(text + n, "k%zu: 1\n", k);
	ok(yamlfile_parse(y, text, n, YAMLFILE_LENIENT) < 0 &&
		y->line == YAMLFILE_KEYS + 1,
	    "one key more");

	memset(text, 'x', sizeof(text));
	text[0] = '\'';
	text[YAMLFILE_MAX - 1] = text[YAMLFILE_MAX] = '\'';
	ok(yamlfile_parse(y, text, YAMLFILE_MAX, YAMLFILE_STRICT) == 0
	    && y->json.ntok == 1, "1 MiB");
	text[YAMLFILE_MAX - 1] = 'x';
	ok(yamlfile_parse(y, text, YAMLFILE_MAX + 1, YAMLFILE_STRICT) < 0
	    && strcmp(y->why, "expected at most 1 MiB") == 0
	    && y->line == 1 && y->col == 1, "1 MiB + 1");
}

int
main(void)
{
	static struct yamlfile y;

	prog = "yml";
	test_good(&y);
	test_bad(&y);
	test_marks(&y);
	test_dropped(&y);
	test_parsed(&y);
	test_limits(&y);
	return done_testing();
}
