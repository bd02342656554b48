/* Schemas: which are taken, which may be sent as strict. */

#include <string.h>

#include "pattern.h"
#include "schemacheck.h"
#include "schemafit.h"
#include "schemas.h"
#include "tap.h"

static const struct {
	const char *schema, *at, *why; /* where the fault is; NULL: none */
	int strict;
} checks[] = {
	{OBJ, NULL, NULL, 0 /* b is not required */},
	{"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":[\"integer\","
	    "\"null\"]}},\"required\":[\"a\"],\"additionalProperties\":false}",
	    NULL, NULL, 1},
	{"{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/x\"}},"
	    "\"required\":[\"a\"],\"additionalProperties\":false,\"$defs\":"
	    "{\"x\":{\"type\":\"object\",\"properties\":{\"y\":{}}}}}",
	    NULL, NULL, 0},
	{"{\"type\":\"string\",\"minLength\":1}", NULL, NULL, 0},
	{"{\"type\":\"string\",\"x-mine\":1}", NULL, NULL, 0},
	{"true", NULL, NULL, 0}, {TREE, NULL, NULL, 0},
	{"{\"properties\":{\"type\":{\"type\":\"string\"},\"not\":{}}}", NULL,
	    NULL, 0},
	{"[]", "[]", "expected a schema", 0},
	{"{\"type\":\"strnig\"}", "\"strnig\"", "expected a type", 0},
	{"{\"type\":[]}", "[]", "expected a type", 0},
	{"{\"require\":[\"a\"]}", "\"require\"",
	    "expected a word of JSON Schema that llmcall can check", 0},
	{"{\"items\":{\"not\":{}}}", "\"not\"",
	    "expected a word of JSON Schema that llmcall can check", 0},
	{"{\"items\":[{}]}", "[{}]", "expected a schema", 0},
	{"{\"required\":\"a\"}", "\"a\"", "expected names", 0},
	{"{\"required\":[1]}", "[1]", "expected names", 0},
	{"{\"enum\":1}", "1", "expected an array", 0},
	{"{\"anyOf\":{}}", "{}", "expected an array of schemas", 0},
	{"{\"$defs\":[]}", "[]", "expected an object of schemas", 0},
	{"{\"$defs\":{\"a\":{\"type\":1}}}", "1", "expected a type", 0},
	{"{\"minimum\":\"1\"}", "\"1\"", "expected a number", 0},
	{"{\"minLength\":-1}", "-1", "expected a whole number", 0},
	{"{\"uniqueItems\":1}", "1", "expected true or false", 0},
	{"{\"pattern\":\"(?=a)\"}", NULL, NULL, 0},
	{"{\"pattern\":\"(a\"}", "\"(a\"", "expected a regular expression", 0},
	{"{\"pattern\":\"[[:alpha:]]\"}", "\"[[:alpha:]]\"",
	    "expected \\[ in a class", 0},
	{"{\"$ref\":\"#/$defs/x\"}", "\"#/$defs/x\"",
	    "expected a place in this schema, as #/$defs/NAME", 0},
	{"{\"$ref\":\"http://x/y\"}", "\"http://x/y\"",
	    "expected a place in this schema, as #/$defs/NAME", 0},
};

static void
one_check(size_t i)
{
	static struct json s;
	struct schema x = {&s, 0, 0};
	const char *why;
	int at;

	json_parse(&s, checks[i].schema, strlen(checks[i].schema));
	at = schemacheck_fault(x, &why);
	ok(checks[i].at == NULL
		? at < 0
		: at >= 0 && span_is(json_span(&s, at), checks[i].at)
		    && strcmp(why, checks[i].why) == 0,
	    "taken or not: %s", checks[i].schema);
	ok(checks[i].at != NULL || schemacheck_strict(x) == checks[i].strict,
	    "strict or not: %s", checks[i].schema);
}

/*
 * For each word that binds, a schema with it, a value that does not fit and one
 * that does.
 */
static const struct {
	const char *word, *schema, *bad, *good;
} bound[] = {
	{"$defs", "{\"$defs\":{\"n\":{\"type\":\"null\"}},"
	    "\"$ref\":\"#/$defs/n\"}", "1", "null"},
	{"definitions", "{\"definitions\":{\"n\":{\"type\":\"null\"}},"
	    "\"$ref\":\"#/definitions/n\"}", "1", "null"},
	{"$ref", "{\"$defs\":{\"n\":{\"type\":\"null\"}},"
	    "\"$ref\":\"#/$defs/n\"}", "1", "null"},
	{"type", "{\"type\":\"string\"}", "1", "\"a\""},
	{"enum", "{\"enum\":[1,2]}", "3", "2"},
	{"const", "{\"const\":[1]}", "1", "[1]"},
	{"properties", "{\"properties\":{\"a\":{\"type\":\"null\"}}}",
	    "{\"a\":1}", "{\"a\":null}"},
	{"required", "{\"required\":[\"a\"]}", "{}", "{\"a\":1}"},
	{"additionalProperties", "{\"additionalProperties\":false}",
	    "{\"a\":1}", "{}"},
	{"items", "{\"items\":{\"type\":\"null\"}}", "[1]", "[null]"},
	{"anyOf", "{\"anyOf\":[{\"type\":\"null\"}]}", "1", "null"},
	{"oneOf", "{\"oneOf\":[{},{\"type\":\"null\"}]}", "null", "1"},
	{"allOf", "{\"allOf\":[{},{\"type\":\"null\"}]}", "1", "null"},
	{"nullable", "{\"type\":\"string\",\"nullable\":true}", "1", "null"},
	{"minimum", "{\"minimum\":2}", "1", "2"},
	{"maximum", "{\"maximum\":2}", "3", "2"},
	{"exclusiveMinimum", "{\"exclusiveMinimum\":2}", "2", "3"},
	{"exclusiveMaximum", "{\"exclusiveMaximum\":2}", "2", "1"},
	{"multipleOf", "{\"multipleOf\":2}", "3", "4"},
	{"minLength", "{\"minLength\":2}", "\"a\"", "\"ab\""},
	{"maxLength", "{\"maxLength\":1}", "\"ab\"", "\"a\""},
	{"pattern", "{\"pattern\":\"^a\"}", "\"b\"", "\"a\""},
	{"minItems", "{\"minItems\":1}", "[]", "[1]"},
	{"maxItems", "{\"maxItems\":1}", "[1,2]", "[1]"},
	{"uniqueItems", "{\"uniqueItems\":true}", "[1,1]", "[1,2]"},
	{"minProperties", "{\"minProperties\":1}", "{}", "{\"a\":1}"},
	{"maxProperties", "{\"maxProperties\":0}", "{\"a\":1}", "{}"},
};

static int
fits(struct schema s, const char *value)
{
	static struct json v;
	static struct buf path, why;

	buf_reset(&path);
	buf_reset(&why);
	return json_parse(&v, value, strlen(value)) == 0
	    && schemafit(s, &v, 0, &path, &why) == 0;
}

/* No word is taken that values are not held to. */
static void
check_bound(void)
{
	static struct json j;
	struct schema s = {&j, 0, 0};
	const char *word, *why;
	size_t i, n;
	int binds;

	for (n = 0; (word = schemacheck_word(n, &binds)) != NULL; n++) {
		if (!binds)
			continue;
		for (i = 0; i < sizeof(bound) / sizeof(*bound); i++)
			if (strcmp(bound[i].word, word) == 0)
				break;
		if (i == sizeof(bound) / sizeof(*bound)) {
			ok(0, "%s: no case of it here", word);
			continue;
		}
		json_parse(&j, bound[i].schema, strlen(bound[i].schema));
		ok(schemacheck_fault(s, &why) < 0 && fits(s, bound[i].good)
			&& !fits(s, bound[i].bad), "%s is held", word);
	}
}

int
main(void)
{
	size_t i;

	schemafit_pattern = pattern_in;
	for (i = 0; i < sizeof(checks) / sizeof(*checks); i++)
		one_check(i);
	check_bound();
	return done_testing();
}
