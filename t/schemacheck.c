/* Schemas: which are taken, which may be sent as strict. */

#include <string.h>

#include "schemacheck.h"
#include "tap.h"

#define OBJ "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"},"\
	"\"b\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}},"       \
	"\"required\":[\"a\"],\"additionalProperties\":false}"
#define TREE "{\"$defs\":{\"n\":{\"type\":\"object\",\"properties\":{\"v\":"  \
	"{\"type\":\"number\"},\"kids\":{\"type\":\"array\",\"items\":"       \
	"{\"$ref\":\"#/$defs/n\"}}}}},\"$ref\":\"#/$defs/n\"}"

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

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof(checks) / sizeof(*checks); i++)
		one_check(i);
	return done_testing();
}
