#include <string.h>

#include "tap.h"
#include "template.h"

static const struct {
	const char *text, *want;
	size_t unknown;
} cases[] = {
	{"", "", 0},
	{"plain", "plain", 0},
	{"{{x}}", "X", 0},
	{"a{{x}}b{{y.z-1}}c", "aXbYc", 0},
	{"{{x}}{{x}}", "XX", 0},
	{"{{none}} {{x}}", "{{none}} X", 1},
	{"{{none}}{{none}}", "{{none}}{{none}}", 2},
	/* What is put in is not looked at again. */
	{"{{self}}", "{{x}}{{self}}$&", 0},
	{"{{open}}x}}", "{{x}}", 0},
	/* No holes. */
	{"{{}} {{ x }} {x} {{x}", "{{}} {{ x }} {x} {{x}", 0},
	{"{{#if x}}{{/if}}", "{{#if x}}{{/if}}", 0},
	{"{{x", "{{x", 0},
	{"{", "{", 0},
	{"{{", "{{", 0},
	{"{{{x}}}", "{X}", 0},
	{"{{{{x}}}}", "{{X}}", 0},
	{"{{x{{x}}", "{{xX", 0},
	{"{\"a\":{\"b\":{}}}", "{\"a\":{\"b\":{}}}", 0},
	{"{{empty}}|", "|", 0},
	/* What fill began before it said no is gone. */
	{"{{half}}", "{{half}}", 1},
};

static int
fill(struct buf *b, const char *name, size_t n, void *arg)
{
	struct span s;
	int *calls = arg;

	s.p = name;
	s.n = n;
	++*calls;
	if (span_is(s, "x"))
		buf_puts(b, "X");
	else if (span_is(s, "y.z-1"))
		buf_puts(b, "Y");
	else if (span_is(s, "self"))
		buf_puts(b, "{{x}}{{self}}$&");
	else if (span_is(s, "open"))
		buf_puts(b, "{{");
	else if (span_is(s, "half"))
		return buf_puts(b, "lost"), 0;
	else
		return span_is(s, "empty");
	return 1;
}

int
main(void)
{
	static struct buf b;
	size_t i, n;
	int calls = 0;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct span s;

		buf_reset(&b);
		n = template_expand(
		    &b, cases[i].text, strlen(cases[i].text), fill, &calls);
		s.p = b.p;
		s.n = b.n;
		ok(span_is(s, cases[i].want) && n == cases[i].unknown,
		    "'%s' gives '%s', %zu unknown: '%s', %zu", cases[i].text,
		    cases[i].want, cases[i].unknown, buf_cstr(&b), n);
	}

	buf_reset(&b);
	buf_puts(&b, "before ");
	template_expand(&b, "{{x}}\0{{x}}", 11, fill, &calls);
	ok(b.n == 10 && memcmp(b.p, "before X\0X", 10) == 0,
	    "appends, and a NUL in the text is a byte as others");
	buf_reset(&b);
	n = template_expand(&b, "{{x}}", 4, fill, &calls);
	ok(n == 0 && b.n == 4, "reads no byte behind the text");
	return done_testing();
}
