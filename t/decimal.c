/* Numbers by their text. */

#include <string.h>

#include "decimal.h"
#include "tap.h"

static const struct {
	const char *a, *b;
	int is;
} order[] = {
	{"0", "0", 0}, {"0", "-0.0e9", 0}, {"1", "1.0", 0},
	{"1e2", "100", 0}, {"100e-2", "1", 0}, {"0.001e3", "1", 0},
	{"-5", "5", -1}, {"-5", "-4", -1}, {"-5", "0", -1}, {"0", "-5", 1},
	{"0", "5", -1}, {"9", "10", -1}, {"0.9", "0.10", 1},
	{"12345678901234567891", "12345678901234567890", 1},
	{"0.1000000000000000000001", "0.1", 1},
	{"1e400", "1e399", 1}, {"1e-400", "0", 1},
	{"1e99999999999999999999", "2", 1},
	{"-1e99999999999999999999", "2", -1},
	{"1e-99999999999999999999", "2", -1},
	{"1.05", "1.5", -1}, {"10.01", "10.010", 0}, {"0.050", "5e-2", 0},
};

static const struct {
	const char *in, *out; /* NULL: not whole */
} whole[] = {
	{"5", "5"}, {"5.0", "5"}, {"-5.00", "-5"}, {"5e0", "5"},
	{"5E+2", "500"}, {"0.5e1", "5"}, {"0", "0"}, {"-0", "0"},
	{"0.000", "0"}, {"0e5", "0"}, {"120000.0", "120000"},
	{"12345678901234567890.0", "12345678901234567890"},
	{"5.5", NULL}, {"5e-1", NULL}, {"0.1", NULL}, {"1e400", NULL},
	{"1e-99999999999999999999", NULL}, {"10.0e-1", "1"},
};

static const struct {
	const char *a, *b;
	int is;
} multiple[] = {
	{"9", "3", 1}, {"10", "3", 0}, {"0.3", "0.1", 1}, {"0.35", "0.1", 0},
	{"-4", "2", 1}, {"1e3", "0.5", 1}, {"0", "7", 1}, {"7", "0", 1},
	{"1e300", "7", 1 /* not known */}, {"3", "1e300", 1 /* nor this */},
	{"4.02", "0.01", 1}, {"4.02", "0.03", 1}, {"4.02", "0.04", 0},
};

static struct span
span(const char *s)
{
	return (struct span){s, strlen(s)};
}

static int
sign(int v)
{
	return (v > 0) - (v < 0);
}

int
main(void)
{
	struct buf b = {0};
	size_t i;
	int r;

	for (i = 0; i < sizeof(order) / sizeof(*order); i++) {
		r = sign(decimal_compare(span(order[i].a), span(order[i].b)));
		ok(r == order[i].is, "%s and %s", order[i].a, order[i].b);
		r = sign(decimal_compare(span(order[i].b), span(order[i].a)));
		ok(r == -order[i].is, "%s and %s", order[i].b, order[i].a);
	}
	for (i = 0; i < sizeof(whole) / sizeof(*whole); i++) {
		buf_reset(&b);
		r = decimal_whole(&b, span(whole[i].in));
		ok(whole[i].out == NULL
			? r < 0 && b.n == 0
			: r == 0 && strcmp(buf_cstr(&b), whole[i].out) == 0,
		    "%s whole", whole[i].in);
	}
	ok(decimal_iswhole(span("1e400")) && !decimal_iswhole(span("1e-400")),
	    "whole, if too long to write");
	for (i = 0; i < sizeof(multiple) / sizeof(*multiple); i++)
		ok(decimal_multiple(span(multiple[i].a), span(multiple[i].b))
			== multiple[i].is,
		    "%s of %s", multiple[i].a, multiple[i].b);
	buf_free(&b);
	return done_testing();
}
