/* Arguments brought to the types of a tool's schema. */

#include <string.h>

#include "coerce.h"
#include "tap.h"

#define P(x) "{\"type\":\"object\",\"properties\":{" x "}}"
#define A(t) P("\"a\":{\"type\":\"" t "\"}")
#define OPT(t) P("\"a\":{\"anyOf\":[{\"type\":\"" t "\"},{\"type\":\"null\"}]}")
#define LIST P("\"a\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}")
#define NEST P("\"a\":" P("\"b\":{\"type\":\"boolean\"}"))
#define REF "{\"$defs\":{\"n\":{\"type\":\"integer\"}},\"properties\":"       \
	"{\"a\":{\"$ref\":\"#/$defs/n\"}}}"
#define LOOP "{\"$defs\":{\"n\":{\"anyOf\":[{\"$ref\":\"#/$defs/n\"}]}},"     \
	"\"properties\":{\"a\":{\"$ref\":\"#/$defs/n\"}}}"
#define CALLS "{\"properties\":{\"a\":{\"type\":\"array\",\"items\":"       \
	P("\"name\":{\"type\":\"string\"},\"arguments\":{\"type\":\"object\"}")  \
	"}},\"tools\":[{\"function\":{\"name\":\"t\",\"parameters\":"            \
	P("\"n\":{\"type\":\"integer\"}") "}}]}"

static const struct {
	const char *schema, *in, *out, *told; /* out NULL: as it came */
} cases[] = {
	{A("integer"), "{\"a\":\"5\"}", "{\"a\":5}", ".a"},
	{A("integer"), "{\"a\":\" 5 \"}", "{\"a\":5}", ".a"},
	{A("integer"), "{\"a\":\"5.0\"}", "{\"a\":5}", ".a"},
	{A("integer"), "{\"a\":\"5.5\"}", NULL, ""},
	{A("integer"), "{\"a\":\"five\"}", NULL, ""},
	{A("integer"), "{\"a\":\"05\"}", NULL, ""},
	{A("integer"), "{\"a\":\"\"}", NULL, ""},
	{A("integer"), "{\"a\":\"true\"}", NULL, ""},
	{A("integer"), "{\"a\":\"12345678901234567890123\"}",
	    "{\"a\":12345678901234567890123}", ".a"},
	{A("integer"), "{\"a\":12345678901234567890123}", NULL, ""},
	{A("integer"), "{\"a\":12345678901234567890123.0}", NULL, ""},
	{A("integer"), "{\"a\":120000.0}", "{\"a\":120000}", ".a"},
	{A("integer"), "{\"a\":1e3}", "{\"a\":1000}", ".a"},
	{A("integer"), "{\"a\":-0.0}", "{\"a\":0}", ".a"},
	{A("integer"), "{\"a\":5.5}", NULL, ""},
	{A("integer"), "{\"a\":1e400}", NULL, ""},
	{A("integer"), "{\"a\":true}", NULL, ""},
	{A("number"), "{\"a\":5.0}", NULL, ""},
	{A("number"), "{\"a\":\"5.0\"}", "{\"a\":5.0}", ".a"},
	{A("number"), "{\"a\":\"1e2\"}", "{\"a\":1e2}", ".a"},
	{A("boolean"), "{\"a\":\"true\"}", "{\"a\":true}", ".a"},
	{A("boolean"), "{\"a\":\"False\"}", "{\"a\":false}", ".a"},
	{A("boolean"), "{\"a\":\"yes\"}", NULL, ""},
	{A("boolean"), "{\"a\":\"1\"}", NULL, ""},
	{A("string"), "{\"a\":\"5\"}", NULL, ""},
	{A("string"), "{\"a\":\"[1]\"}", NULL, ""},
	{A("string"), "{\"a\":\"true\"}", NULL, ""},
	{A("string"), "{\"a\":5}", NULL, ""},
	{P("\"a\":{\"type\":[\"string\",\"integer\"]}"), "{\"a\":\"5\"}", NULL,
	    ""},
	{P("\"a\":{}"), "{\"a\":\"5\"}", NULL, ""},
	{P(""), "{\"a\":\"5\",\"b\":null}", NULL, ""},
	{P("\"a\":{\"enum\":[1,2]}"), "{\"a\":\"2\"}", "{\"a\":2}", ".a"},
	{P("\"a\":{\"enum\":[\"1\",\"2\"]}"), "{\"a\":\"2\"}", NULL, ""},
	{P("\"a\":{\"type\":[\"integer\",\"boolean\"]}"), "{\"a\":\"true\"}",
	    "{\"a\":true}", ".a"},
	{P("\"a\":{\"type\":[\"integer\",\"number\"]}"), "{\"a\":5.0}", NULL,
	    ""},
	{LIST, "{\"a\":\"[1, 2]\"}", "{\"a\":[1, 2]}", ".a"},
	{LIST, "{\"a\":\"[1, \\\"2\\\"]\"}", "{\"a\":[1,2]}", ".a .a[1]"},
	{LIST, "{\"a\":[\"1\",2,3.0]}", "{\"a\":[1,2,3]}", ".a[0] .a[2]"},
	{LIST, "{\"a\":\"1,2\"}", NULL, ""},
	{LIST, "{\"a\":\"{}\"}", NULL, ""},
	{NEST, "{\"a\":\"{\\\"b\\\":\\\"true\\\"}\"}", "{\"a\":{\"b\":true}}",
	    ".a .a.b"},
	{NEST, "\"{\\\"a\\\":{\\\"b\\\":true}}\"", "{\"a\":{\"b\":true}}", ""},
	{A("integer"), "{\"a\":null}", "{}", ".a"},
	{OPT("integer"), "{\"a\":null}", NULL, ""},
	{OPT("integer"), "{\"a\":\"null\"}", "{\"a\":null}", ".a"},
	{OPT("integer"), "{\"a\":\"7\"}", "{\"a\":7}", ".a"},
	{OPT("integer"), "{\"a\":7.0}", "{\"a\":7}", ".a"},
	{OPT("string"), "{\"a\":\"null\"}", NULL, ""},
	{"{\"properties\":{\"a\":{\"type\":\"integer\"}},\"required\":[\"a\"]}",
	    "{\"a\":null}", NULL, ""},
	{REF, "{\"a\":\"5\"}", "{\"a\":5}", ".a"},
	{LOOP, "{\"a\":\"5\"}", NULL, ""},
	{A("integer"), "{ \"x\" : [1 , 2.0] ,\"a\":\"5\", \"s\":\"\\u0041\"}",
	    "{\"x\":[1 , 2.0],\"a\":5,\"s\":\"\\u0041\"}", ".a"},
	{P("\"a b\":{\"type\":\"integer\"}"), "{\"a b\":\"5\"}",
	    "{\"a b\":5}", "[\"a b\"]"},
	{"true", "{\"a\":\"5\"}", NULL, ""},
	{A("integer"), "{\"a\":\"-5.0\"}", "{\"a\":-5}", ".a"},
	{"{\"additionalProperties\":{\"type\":\"integer\"}}", "{\"q\":\"5\"}",
	    "{\"q\":5}", ".q"},
	{"{\"patternProperties\":{\"^s\":{\"type\":\"string\"}},"
	    "\"additionalProperties\":{\"type\":\"integer\"}}",
	    "{\"s1\":\"5\"}", NULL, "" /* it may be a string */},
	{P("\"a\":{\"prefixItems\":[{\"type\":\"string\"}],\"items\":"
	    "{\"type\":\"integer\"}}"),
	    "{\"a\":[\"5\",\"6\"]}", NULL, "" /* so may an element */},
	{P("\"a\":{\"oneOf\":[{\"type\":\"object\",\"properties\":{\"k\":"
	    "{\"type\":\"integer\"}}},{\"type\":\"object\"}]}"),
	    "{\"a\":{\"k\":\"5\"}}", NULL, "" /* which one is not known */},
	/* Calls in a call: by the tool that each names. */
	{CALLS, "{\"a\":[{\"name\":\"t\",\"arguments\":{\"n\":\"5\"}}]}",
	    "{\"a\":[{\"name\":\"t\",\"arguments\":{\"n\":5}}]}",
	    ".a[0].arguments.n"},
	{CALLS, "{\"a\":[{\"arguments\":\"{\\\"n\\\":2.0}\",\"name\":\"t\"}]}",
	    "{\"a\":[{\"arguments\":{\"n\":2},\"name\":\"t\"}]}",
	    ".a[0].arguments .a[0].arguments.n"},
	{CALLS, "{\"a\":[{\"name\":\"u\",\"arguments\":{\"n\":\"5\"}},"
	    "{\"name\":5,\"arguments\":{\"n\":\"5\"}},"
	    "{\"arguments\":{\"n\":\"5\"}},{\"name\":\"t\",\"arguments\":[]}]}",
	    NULL, ""},
	{P("\"name\":{\"type\":\"string\"},\"arguments\":{\"type\":"
	    "\"string\"}") , "{\"name\":\"t\",\"arguments\":\"{}\"}", NULL,
	    ""},
	{P("\"a\":{\"anyOf\":[{\"type\":\"object\"},{\"type\":\"object\","
	    "\"properties\":{\"k\":{\"type\":\"integer\"}}}]}"),
	    "{\"a\":{\"k\":\"5\"}}", NULL, "" /* nor here */},
};

int
main(void)
{
	static struct json s, j;
	static struct buf b, paths;
	static struct strs told;
	struct schema x = {&s, 0, 0};
	const char *want;
	size_t i, k, n;
	int good;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		buf_reset(&b);
		buf_reset(&paths);
		strs_reset(&told);
		json_parse(&s, cases[i].schema, strlen(cases[i].schema));
		json_parse(&j, cases[i].in, strlen(cases[i].in));
		n = coerce(&b, x, &j, 0, &told);
		for (k = 0; k < told.n; k++)
			buf_printf(&paths, "%s%s", k > 0 ? " " : "",
			    told.v[k]);
		want = cases[i].out == NULL ? cases[i].in : cases[i].out;
		good = strcmp(buf_cstr(&b), want) == 0
		    && strcmp(buf_cstr(&paths), cases[i].told) == 0
		    && (n > 0) == (cases[i].out != NULL);
		ok(good, "%s with %s", cases[i].in, cases[i].schema);
		if (!good)
			printf("# %s told %s\n", buf_cstr(&b),
			    buf_cstr(&paths));
	}
	return done_testing();
}
