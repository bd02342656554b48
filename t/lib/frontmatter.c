#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "frontmatter.h"
#include "tap.h"

#define T(s) (s), sizeof(s) - 1

static const struct {
	const char *name;
	const char *s;
	size_t n;
	const char *json;
	const char *body;
	size_t bodyline;
	int present, requoted;
} good[] = {
	{"nothing", T(""), "{}", "", 1, 0, 0},
	{"no front matter", T("# Title\n---\nx\n"), "{}", "# Title\n---\nx\n",
	    1, 0, 0},
	{"blanks stay without it", T("\n  text\n"), "{}", "\n  text\n", 1, 0,
	    0},
	{"a BOM goes without it", T("\xef\xbb\xbftext"), "{}", "text", 1, 0,
	    0},
	{"four dashes are no fence", T("----\na: 1\n----\n"), "{}",
	    "----\na: 1\n----\n", 1, 0, 0},
	{"plain", T("---\nname: x\nn: 1\n---\n\n body \n"),
	    "{\"name\":\"x\",\"n\":\"1\"}", "\n body \n", 5, 1, 0},
	{"no body", T("---\nname: x\n---"), "{\"name\":\"x\"}", "", 4, 1, 0},
	{"no keys", T("---\n---\nbody"), "{}", "body", 3, 1, 0},
	{"no keys but a comment", T("---\n# c\n\n---\nbody"), "{}", "body", 5,
	    1, 0},
	{"BOM, CRLF, blanks behind the fences",
	    T("\xef\xbb\xbf--- \t\r\na: b\r\nc: |\r\n  d\r\n"
	      "  e\r\n--- \r\nx\r\n"),
	    "{\"a\":\"b\",\"c\":\"d\\ne\\n\"}", "x\r\n", 7, 1, 0},
	{"blanks before the first fence", T("\n \t\n  ---\na: b\n---\nx"),
	    "{\"a\":\"b\"}", "x", 6, 1, 0},
	{"a fence inside a block is indented",
	    T("---\na: |\n  x\n  ---\n  y\n---\nz"),
	    "{\"a\":\"x\\n---\\ny\\n\"}", "z", 7, 1, 0},
	{"only the first two fences count", T("---\na: b\n---\nx\n---\ny\n"),
	    "{\"a\":\"b\"}", "x\n---\ny\n", 4, 1, 0},
	{"types and doubles", T("---\na: yes\nb: 007\na: no\nc:\n---\n"),
	    "{\"a\":\"yes\",\"b\":\"007\",\"c\":null}", "", 7, 1, 0},
	{"a body that is no UTF-8", T("---\na: b\n---\n\xff"), "{\"a\":\"b\"}",
	    "\xff", 4, 1, 0},

	{"colon in a value", T("---\nd: Use when: a \"b\\c\" # d\n---\n"),
	    "{\"d\":\"Use when: a \\\"b\\\\c\\\" # d\"}", "", 4, 1, 1},
	{"colon at the end, CRLF", T("---\r\nd: all of:\r\ne: f\r\n---\r\nx"),
	    "{\"d\":\"all of:\",\"e\":\"f\"}", "x", 5, 1, 1},
	{"comments of sound lines stay comments",
	    T("---\nm: small # cheap: yes\nd: a: b\nu: http://x/#y\n---\n"),
	    "{\"m\":\"small\",\"d\":\"a: b\",\"u\":\"http://x/#y\"}", "", 6, 1,
	    1},
	{"below a key",
	    T("---\nmetadata:\n  # c\n  by: a: b\n\n  v: 1\nx: y\n---\n"),
	    "{\"metadata\":{\"by\":\"a: b\",\"v\":\"1\"},\"x\":\"y\"}", "", 9,
	    1, 1},
	{"goes on behind its bracket",
	    T("---\na: [file] [mode]\nb: [x, \"]\"] # c\nd: {e: f}\n---\n"),
	    "{\"a\":\"[file] [mode]\",\"b\":[\"x\",\"]\"],"
	    "\"d\":{\"e\":\"f\"}}", "", 6, 1, 1},
	{"goes on behind its quote",
	    T("---\na: \"x\\\"\" and 'y'\nb: 'it''s'\nc: 'z' w\n---\n"),
	    "{\"a\":\"\\\"x\\\\\\\"\\\" and 'y'\",\"b\":\"it's\","
	    "\"c\":\"'z' w\"}", "", 6, 1, 1},
	{"colon in a value of several lines",
	    T("---\nd: a: \"b\n  c # d\\\n\n  e: f\nm:\n  k: g: h\n"
	      "   i\n  l: j\n---\n"),
	    "{\"d\":\"a: \\\"b c # d\\\\\\ne: f\",\"m\":{\"k\":\"g: h i\","
	    "\"l\":\"j\"}}", "", 11, 1, 1},
	{"colon on a line that a value goes on in",
	    T("---\nd: a\n  # c\n  b: c\nm:\n  k: v\n   w: x\ne: f\n---\n"),
	    "{\"d\":\"a # c b: c\",\"m\":{\"k\":\"v w: x\"},\"e\":\"f\"}", "",
	    10, 1, 1},
	{"a block with text in its first line",
	    T("---\na: > b\n  c\nd: >= 3\ne: |2-  # c\n  f\ng: h: i\n---\n"),
	    "{\"a\":\"> b c\",\"d\":\">= 3\",\"e\":\"f\",\"g\":\"h: i\"}", "",
	    9, 1, 1},
	{"signs that start nothing",
	    T("---\na: *.ts\nb: @x\nc: `x`\nd: - x\n"
	      "e: 50%\nf: %x\ng: -x\n---\n"),
	    "{\"a\":\"*.ts\",\"b\":\"@x\",\"c\":\"`x`\",\"d\":\"- x\","
	    "\"e\":\"50%\",\"f\":\"%x\",\"g\":\"-x\"}", "", 10, 1, 1},
	{"blocks, lists and deep keys stay as they are",
	    T("---\nt: |\n  k: a: b\nl:\n  - k: v\n  - 'a: b'\n"
	      "m:\n  n: >\n    k: a: b\n  o:\n    p: q\nd: x: y\n---\n"),
	    "{\"t\":\"k: a: b\\n\",\"l\":[{\"k\":\"v\"},\"a: b\"],"
	    "\"m\":{\"n\":\"k: a: b\\n\",\"o\":{\"p\":\"q\"}},"
	    "\"d\":\"x: y\"}", "", 14, 1, 1},
	{"a quoted key does not hide the next line",
	    T("---\n\"k\": v\nd: \xc3\xa9: \xe2\x82\xac\n---\n"),
	    "{\"k\":\"v\",\"d\":\"\xc3\xa9: \xe2\x82\xac\"}", "", 5, 1, 1},
};

static const struct {
	const char *name;
	const char *s;
	size_t n;
	size_t line, col;
	const char *why;
} bad[] = {
	{"not closed", T("---\na: b\n"), 1, 1, "expected a closing ---"},
	{"not closed, indented", T("\n\n ---\na: b\n ---\n"), 3, 2,
	    "expected a closing ---"},
	{"a fence and nothing", T("---"), 1, 1, "expected a closing ---"},
	{"four dashes close nothing", T("---\na: b\n----\n"), 1, 1,
	    "expected a closing ---"},
	{"a list", T("---\n\n- a\n---\n"), 3, 1,
	    "expected 'key: value' lines"},
	{"text", T("---\nhello\n---\n"), 2, 1, "expected 'key: value' lines"},
	{"the first fault is reported, as it stood",
	    T("---\nd: a: b\ne: [x\n---\n"), 2, 5,
	    "expected no ':' here: quote the value or fix the indentation"},
	{"too deep to be repaired", T("---\na:\n  b:\n    c: d: e\n---\n"), 4, 9,
	    "expected no ':' here: quote the value or fix the indentation"},
	{"alias bomb", T("---\na: &a [l, l]\nb: &b [*a, *a]\nc: *b\n---\n"), 2,
	    4, "expected a value, not an anchor"},
	{"alias", T("---\na: x: y\nb: *a\n---\n"), 2, 5,
	    "expected no ':' here: quote the value or fix the indentation"},
	{"lone alias", T("---\nb: *a\n---\n"), 2, 4,
	    "expected a value, not an alias"},
	{"tag", T("---\nb: !x a\n---\n"), 2, 4, "expected a value, not a tag"},
	{"bad UTF-8 is not repaired", T("---\nd: a: \xff\n---\n"), 2, 7,
	    "expected UTF-8"},
	{"NUL", T("---\nd: \0\n---\n"), 2, 4,
	    "expected text without control characters"},
};

static void
test_good(struct frontmatter *f)
{
	size_t i;
	int r;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		r = frontmatter_parse(f, good[i].s, good[i].n);
		ok(r == 0 && strcmp(buf_cstr(&f->yml.text), good[i].json) == 0,
		    "%s: %s", good[i].name, r == 0 ? f->yml.text.p : f->why);
		ok(span_is(f->body, good[i].body)
		    && f->body.p + f->body.n == good[i].s + good[i].n
		    && f->bodyline == good[i].bodyline,
		    "%s: body from line %zu", good[i].name, f->bodyline);
		ok(f->present == good[i].present
		    && f->requoted == good[i].requoted,
		    "%s: %spresent, %srequoted", good[i].name,
		    f->present ? "" : "not ", f->requoted ? "" : "not ");
	}
}

static void
test_bad(struct frontmatter *f)
{
	size_t i;
	int r;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		r = frontmatter_parse(f, bad[i].s, bad[i].n);
		ok(r < 0 && f->line == bad[i].line && f->col == bad[i].col
		    && strcmp(f->why, bad[i].why) == 0, "%s: %zu:%zu: %s",
		    bad[i].name, f->line, f->col, r < 0 ? f->why : "passed");
	}
}

/* Marks count from the top of the file, also after a value requoted. */
static void
test_marks(struct frontmatter *f)
{
	static const char s[] = "\n---\na: x: y\nbc:\n  - d\n---\n";
	const struct yamlfile *y = &f->yml;
	int i;

	ok(frontmatter_parse(f, T(s)) == 0 && f->requoted, "requoted");
	i = json_get(&y->json, 0, "a");
	ok(y->marks[i].line == 3 && y->marks[i].col == 4,
	    "the value at %zu:%zu", y->marks[i].line, y->marks[i].col);
	i = json_at(&y->json, 0, "bc.0");
	ok(y->marks[i].line == 5 && y->marks[i].col == 5,
	    "the element at %zu:%zu", y->marks[i].line, y->marks[i].col);
}

/* One broken key is left out, where the caller allows that. */
static void
test_left_out(void)
{
	static struct frontmatter f;
	static const char *const keep[] = {"name", NULL};
	static const char s[] = "---\nname: x\nk:\n- a\n- [b[c]]\n  # d\n"
	    "d: e: f\n---\n";
	static const char named[] = "---\nname : [b[c]]\n---\n";
	static const char anchor[] = "---\nname: x\nk: &a b\n---\n";

	int r;

	ok(frontmatter_parse(&f, T(s)) < 0, "not unless it is allowed");
	f.keep = keep;
	r = frontmatter_parse(&f, T(s));
	ok(r == 0 && f.left_out && f.requoted && f.line == 4 && f.col == 5
		&& strcmp(buf_cstr(&f.yml.text),
		       "{\"name\":\"x\",\"d\":\"e: f\"}") == 0,
	    "left out at %zu:%zu: %s", f.line, f.col,
	    buf_cstr(&f.yml.text));
	ok(f.yml.marks[json_get(&f.yml.json, 0, "d")].line == 7,
	    "the places after it stay");
	ok(frontmatter_parse(&f, T(named)) < 0 && !f.left_out,
	    "one that is needed is not");
	ok(frontmatter_parse(&f, T(anchor)) < 0 && !f.left_out,
	    "what is refused is not");
}

/* Any cut of a text that exercises all must be taken or refused, no more. */
static void
test_cuts(struct frontmatter *f)
{
	static const char s[] = "\xef\xbb\xbf\r\n ---\r\na: [\"x\\\"]\" 'y'\r\n"
	    "b: 'it''s' z\n\"k\": *\nm:\n  n: o: p\n  q: - \n  r: {s: [t} u\n"
	    "v: \"w\\\nx: y: z\\\n\n---\nbody";
	size_t i, taken = 0;
	char *copy;

	for (i = 0; i < sizeof(s); i++) {
		/* A block of its own size, so that ASan sees a step beyond. */
		copy = xstrndup(s, i);
		copy = xreallocarray(copy, i, 1);
		taken += frontmatter_parse(f, copy, i) == 0;
		free(copy);
	}
	ok(taken > 0 && taken < i, "%zu of %zu cuts taken", taken, i);
}

int
main(void)
{
	static struct frontmatter f;

	prog = "front";
	test_good(&f);
	test_bad(&f);
	test_marks(&f);
	test_left_out();
	test_cuts(&f);
	return done_testing();
}
