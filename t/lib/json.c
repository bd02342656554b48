/* Look-up, decoding, walking, and the writer: what goes in comes out. */

#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "json.h"
#include "tap.h"

static const char doc[] =
    "{\"s\":\"a\\u00e9\\ud83d\\ude00\\n\",\"n\":{\"i\":5,\"f\":5.0,"
    "\"e\":5e2,\"h\":5.5,\"big\":9223372036854775807,"
    "\"over\":9223372036854775808,\"neg\":-1},\"a\":[1,[2,3],{\"x\":4},5],"
    "\"\\u006bey\":true,\"nul\":\"a\\u0000b\",\"no\":null,\"e\":{},"
    "\"l\":[\"x\",1,\"y\"]}";

static void
look_up(void)
{
	struct json j = {0};
	struct buf b = {0};
	struct strs l = {0};
	long long v = 0;
	double d = 0;
	char *s;

	ok(json_parse(&j, doc, sizeof(doc) - 1) == 0, "parses");
	ok(json_kind(&j, 0) == JSON_OBJECT && json_count(&j, 0) == 8,
	    "eight pairs, not %zu", json_count(&j, 0));
	ok(json_str(&j, json_get(&j, 0, "s"), &b) == 0 && b.n == 8
		&& memcmp(b.p, "a\xc3\xa9\xf0\x9f\x98\x80\n", 8) == 0,
	    "escapes decode");
	ok(json_get(&j, 0, "key") > 0 && json_true(&j, json_get(&j, 0, "key")),
	    "an escaped key is found by its meaning");
	ok(json_get(&j, 0, "x") < 0, "a nested key is not the root's");
	ok(json_get(&j, -1, "x") < 0 && json_kind(&j, -1) == JSON_NONE,
	    "none has nothing");
	ok(json_int(&j, json_at(&j, 0, "n.i"), &v) == 0 && v == 5, "5");
	ok(json_int(&j, json_at(&j, 0, "n.f"), &v) == 0 && v == 5, "5.0");
	ok(json_int(&j, json_at(&j, 0, "n.e"), &v) == 0 && v == 500, "5e2");
	ok(json_int(&j, json_at(&j, 0, "n.h"), &v) < 0, "5.5 is no integer");
	ok(json_int(&j, json_at(&j, 0, "n.big"), &v) == 0
		&& v == 9223372036854775807LL,
	    "2^63-1");
	ok(json_int(&j, json_at(&j, 0, "n.over"), &v) < 0, "2^63 is over");
	ok(json_int(&j, json_get(&j, 0, "s"), &v) < 0, "a string is no integer");
	ok(json_num(&j, json_at(&j, 0, "n.h"), &d) == 0 && d > 5.4 && d < 5.6,
	    "5.5");
	ok(json_int(&j, json_at(&j, 0, "a.2.x"), &v) == 0 && v == 4,
	    "along keys and indices");
	ok(json_int(&j, json_at(&j, 0, "a.3"), &v) == 0 && v == 5,
	    "an element behind nested ones");
	ok(json_at(&j, 0, "a.x") < 0, "no name in an array");
	ok(json_at(&j, 0, "a.4") < 0 && json_at(&j, 0, "a.1.9") < 0,
	    "beyond the end");
	ok(json_dup(&j, json_get(&j, 0, "nul")) == NULL,
	    "a NUL does not become the end of a C string");
	ok(json_first(&j, json_get(&j, 0, "e")) < 0
		&& json_count(&j, json_get(&j, 0, "e")) == 0,
	    "an empty object has no first key");
	ok(json_is(&j, json_at(&j, 0, "l.2"), "y")
		&& !json_is(&j, json_at(&j, 0, "l.1"), "1"),
	    "strings compare, numbers do not");
	ok(json_strs(&j, json_get(&j, 0, "l"), &l) == 1 && l.n == 2,
	    "a list of strings tells what was none");
	strs_reset(&l);
	ok(json_strs(&j, json_at(&j, 0, "l.0"), &l) == 0 && l.n == 1
		&& json_strs(&j, json_get(&j, 0, "n"), &l) == -1,
	    "one string is a list of one");
	s = json_dup(&j, json_at(&j, 0, "l.0"));
	ok(s != NULL && strcmp(s, "x") == 0, "a copy");
	free(s);
	strs_free(&l);
	buf_free(&b);
	json_free(&j);
}

/* Write a value again from its tokens, by walking. */
static void
copy(struct buf *b, const struct json *j, int i)
{
	struct buf s = {0};
	int k;

	switch (json_kind(j, i)) {
	case JSON_OBJECT:
		emit_open(b, '{');
		for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
			json_str(j, k, &s);
			emit_keyn(b, s.p, s.n);
			buf_reset(&s);
			copy(b, j, k + 1);
		}
		emit_close(b, '}');
		break;
	case JSON_ARRAY:
		emit_open(b, '[');
		for (k = json_first(j, i); k >= 0; k = json_next(j, k))
			copy(b, j, k);
		emit_close(b, ']');
		break;
	case JSON_STRING:
		json_str(j, i, &s);
		emit_str(b, s.p, s.n);
		break;
	default:
		emit_span(b, json_span(j, i));
	}
	buf_free(&s);
}

static void
round_trip(void)
{
	static const char *const texts[] = {
	    "{}",
	    "[]",
	    "[[],{},[{}]]",
	    "{\"a\":[1,2,{\"b\":[]}],\"c\":{\"d\":{}},\"e\":\"\"}",
	    "[\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\",1.0,-0,1e5,null,true,false]",
	    "{\"ends in , [ {\":\"{\",\"x\":\":\",\"y\":[\"[\",\",\"]}",
	};
	struct json j = {0};
	struct buf b = {0};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		buf_reset(&b);
		ok(json_parse(&j, texts[i], strlen(texts[i])) == 0, "parses");
		copy(&b, &j, 0);
		ok(strcmp(buf_cstr(&b), texts[i]) == 0, "walks %s as %s",
		    texts[i], buf_cstr(&b));
	}
	buf_free(&b);
	json_free(&j);
}

static void
numbers(void)
{
	static const struct {
		double v;
		const char *s;
	} t[] = {{0, "0"}, {0.1, "0.1"}, {1.0 / 3, "0.3333333333333333"},
	    {1e300, "1e+300"}, {-2.5, "-2.5"}, {100, "100"}, {-0.0, "-0"}};
	struct buf b = {0};
	size_t i;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		buf_reset(&b);
		emit_num(&b, t[i].v);
		ok(strcmp(buf_cstr(&b), t[i].s) == 0, "%s as %s", t[i].s,
		    buf_cstr(&b));
	}
	buf_reset(&b);
	emit_open(&b, '[');
	emit_num(&b, strtod("nan", NULL));
	emit_str(&b, "a\xff\xc3z", 4);
	emit_close(&b, ']');
	ok(strcmp(buf_cstr(&b),
	       "[null,\"a\xef\xbf\xbd\xef\xbf\xbdz\"]") == 0,
	    "NaN is null, bytes that are not UTF-8 are repaired: %s",
	    buf_cstr(&b));
	buf_free(&b);
}

static void
places(void)
{
	static const char s[] = "ab\n\nc\xc3\xa9!";
	size_t line, col;

	json_where(s, 1, &line, &col);
	ok(line == 1 && col == 2, "first line");
	json_where(s, 7, &line, &col);
	ok(line == 3 && col == 4, "columns count bytes");
}

int
main(void)
{
	look_up();
	round_trip();
	numbers();
	places();
	return done_testing();
}
