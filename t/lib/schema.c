/* Schemas: what fits, what does not and where. */

#include <string.h>

#include "pattern.h"
#include "schemafit.h"
#include "schemas.h"
#include "tap.h"

#define UNION "{\"anyOf\":[{\"type\":\"object\",\"properties\":{\"x\":"       \
	"{\"type\":\"integer\"}}},{\"type\":\"null\"}]}"

static const struct {
	const char *schema, *value, *says; /* "PATH: WHY"; NULL: it fits */
} fits[] = {
	{"{}", "[1]", NULL}, {"true", "1", NULL},
	{"false", "1", ": expected nothing of the kind, found number"},
	{OBJ, "{\"a\":1}", NULL}, {OBJ, "{\"a\":1.0}", NULL},
	{OBJ, "{\"a\":1.5}", ".a: expected an integer, found 1.5"},
	{OBJ, "{\"a\":\"1\"}", ".a: expected an integer, found string"},
	{OBJ, "{}", ": expected a member \"a\""},
	{OBJ, "[]", ": expected an object, found array"},
	{OBJ, "{\"a\":1,\"c\":2}", ".c: expected no such member"},
	{"{\"patternProperties\":{\"^x\":{}},\"additionalProperties\":false}",
	    "{\"x1\":1}", NULL},
	{"{\"prefixItems\":[{}],\"items\":false}", "[1]", NULL},
	{OBJ, "{\"a\":1,\"x/y~z\":2}", "[\"x/y~z\"]: expected no such member"},
	{OBJ, "{\"a\":1,\"b\":[\"x\",2]}",
	    ".b[1]: expected a string, found number"},
	{"{\"type\":[\"string\",\"null\"]}", "null", NULL},
	{"{\"type\":[\"string\",\"null\"]}", "1",
	    ": expected a string or null, found number"},
	{"{\"type\":\"string\",\"nullable\":true}", "null", NULL},
	{"{\"enum\":[1,\"a\",[2],{\"k\":null,\"l\":1}]}",
	    "{\"l\":1e0,\"k\":null}", NULL},
	{"{\"enum\":[1,\"a\"]}", "1.0", NULL},
	{"{\"enum\":[\"a\",\"b\"]}", "\"c\"",
	    ": expected one of [\"a\",\"b\"], found \"c\""},
	{"{\"enum\":[\"a\"]}", "\"\\u0061\"", NULL},
	{"{\"const\":5}", "5.0", NULL},
	{"{\"const\":[1,2]}", "[2,1]", ": expected [1,2], found [2,1]"},
	{"{\"const\":{\"a\":1}}", "{\"a\":1,\"b\":1}",
	    ": expected {\"a\":1}, found {\"a\":1,\"b\":1}"},
	{"{\"minimum\":3}", "2", ": expected at least 3, found 2"},
	{"{\"minimum\":3}", "3", NULL}, {"{\"minimum\":3}", "\"x\"", NULL},
	{"{\"maximum\":9007199254740992}", "9007199254740993",
	    NULL /* the same double */},
	{"{\"maximum\":9007199254740992}", "9007199254740994",
	    ": expected at most 9007199254740992, found 9007199254740994"},
	{"{\"exclusiveMinimum\":0}", "0", ": expected more than 0, found 0"},
	{"{\"exclusiveMaximum\":0.1}", "1e-1",
	    ": expected less than 0.1, found 1e-1"},
	{"{\"multipleOf\":0.01}", "4.02", NULL},
	{"{\"multipleOf\":2}", "3", ": expected a multiple of 2, found 3"},
	{"{\"minLength\":2,\"maxLength\":2}", "\"\xc3\xa4\xc3\xb6\"", NULL},
	{"{\"maxLength\":1}", "\"ab\"",
	    ": expected at most 1 character, found 2"},
	{"{\"pattern\":\"^[a-z]+$\"}", "\"abc\"", NULL},
	{"{\"pattern\":\"^\\\\d+$\"}", "\"abc\"",
	    ": expected a match of \"^\\\\d+$\", found \"abc\""},
	{"{\"minItems\":1}", "[]", ": expected at least 1 item, found 0"},
	{"{\"maxItems\":1}", "[1,2]", ": expected at most 1 item, found 2"},
	{"{\"uniqueItems\":true}", "[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1}]",
	    ": expected no item twice"},
	{"{\"uniqueItems\":true}", "[1,2,[1]]", NULL},
	{"{\"maxProperties\":1}", "{\"a\":1,\"b\":2}",
	    ": expected at most 1 member, found 2"},
	{"{\"additionalProperties\":{\"type\":\"boolean\"}}", "{\"q\":1}",
	    ".q: expected a boolean, found number"},
	{TREE, "{\"v\":1,\"kids\":[{\"v\":2,\"kids\":[]}]}", NULL},
	{TREE, "{\"v\":1,\"kids\":[{\"kids\":[{},{\"v\":\"2\"}]}]}",
	    ".kids[0].kids[1].v: expected a number, found string"},
	{UNION, "null", NULL}, {UNION, "{\"x\":1}", NULL},
	{UNION, "{\"x\":\"1\"}", ".x: expected an integer, found string"},
	{UNION, "7", ": expected one of the alternatives, found 7"},
	{"{\"oneOf\":[{\"minimum\":1},{\"minimum\":2}]}", "3",
	    ": expected one alternative to fit, not several"},
	{"{\"oneOf\":[{\"minimum\":1},{\"minimum\":2}]}", "1", NULL},
	{"{\"allOf\":[{\"minimum\":1},{\"maximum\":2}]}", "3",
	    ": expected at most 2, found 3"},
	{"{\"$ref\":\"#/properties/a%\",\"properties\":{\"a%\":{\"type\":"
	    "\"null\"}}}", "1", ": expected null, found number"},
	{"{\"$ref\":\"#\"}", "1",
	    ": expected a schema whose references end"},
	{"{\"oneOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#\"}]}", "1",
	    ": expected a schema whose references end"},
	{"{\"anyOf\":[{\"type\":\"null\"},{\"$ref\":\"#\"}]}", "null", NULL},
	/* deep, and yet to an end */
	{"{\"items\":{\"$ref\":\"#\"}}", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
	    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]"
	    "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]", NULL},
	{"{\"anyOf\":[{\"items\":{\"$ref\":\"#\"}},{\"items\":"
	    "{\"$ref\":\"#\"}}],\"not-known\":1}", "[[[1]]]", NULL},
	{"{\"enum\":[1]}", "\"0123456789012345678901234567890123456789012345"
	    "67890123456789\"", ": expected one of [1], found \"012345678901"
	    "23456789012345678901234567890123456789012345678..."},
};

static void
one_fit(size_t i)
{
	static struct json s, v;
	static struct buf path, why;
	struct schema x = {&s, 0, 0};
	int r, good;

	json_parse(&s, fits[i].schema, strlen(fits[i].schema));
	json_parse(&v, fits[i].value, strlen(fits[i].value));
	buf_reset(&path);
	buf_reset(&why);
	r = schemafit(x, &v, 0, &path, &why);
	if (r < 0) {
		buf_puts(&path, ": ");
		buf_span(&path, buf_view(&why));
	}
	good = fits[i].says == NULL
	    ? r == 0
	    : r < 0 && strcmp(buf_cstr(&path), fits[i].says) == 0;
	ok(good, "%s with %s", fits[i].value, fits[i].schema);
	if (!good)
		printf("# %s\n", buf_cstr(&path));
}

int
main(void)
{
	static struct json s, v;
	static struct buf deep, why;
	struct schema x = {&s, 0, 0};
	static const char bomb[] =
	    "{\"anyOf\":[{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}},"
	    "{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}}]}";
	static const char double_bomb[] =
	    "{\"anyOf\":[{\"allOf\":[{\"$ref\":\"#\"},false]},"
	    "{\"allOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#\"},false]}]}";
	size_t i;

	schemafit_pattern = pattern_in;
	for (i = 0; i < sizeof(fits) / sizeof(*fits); i++)
		one_fit(i);
	json_parse(&s, bomb, sizeof(bomb) - 1);
	for (i = 0; i < 100; i++)
		buf_putc(&deep, '[');
	buf_putc(&deep, '1');
	for (i = 0; i < 100; i++)
		buf_putc(&deep, ']');
	json_parse(&v, deep.p, deep.n);
	ok(schemafit(x, &v, 0, &why, &why) < 0,
	    "alternatives in alternatives come to an end");
	json_parse(&s, double_bomb, sizeof(double_bomb) - 1);
	schema_allows(x, JSON_STRING);
	ok(1, "so does the question what kinds they allow");
	return done_testing();
}
