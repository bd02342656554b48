#include <string.h>

#include "decimal.h"

enum { DIGITS = 40, SCALED = 18 };

/* Digits without zeros at either end, times ten to exp; zero has none. */
struct number {
	const char *s; /* behind the sign */
	size_t point;  /* where in s it stands, or behind all digits */
	size_t first;  /* digit that is not 0 */
	size_t n;
	int minus;
	long long exp; /* of the last digit */
};

static int
digit(const struct number *x, size_t i)
{
	i += x->first;
	return x->s[i < x->point ? i : i + 1] - '0';
}

/* What is beyond all reason is cut, and stays beyond it. */
static long long
exponent(const char *s, const char *end)
{
	long long v = 0;
	int minus = s < end && *s == '-';

	if (s < end && (*s == '-' || *s == '+'))
		s++;
	for (; s < end; s++)
		if (v < (long long)1 << 50)
			v = v * 10 + (*s - '0');
	return minus ? -v : v;
}

static void
take(struct number *x, struct span t)
{
	const char *end = t.p + t.n, *e, *p;
	size_t len;

	memset(x, 0, sizeof(*x));
	x->minus = t.n > 0 && *t.p == '-';
	x->s = t.p + x->minus;
	for (e = x->s; e < end && *e != 'e' && *e != 'E'; e++)
		continue;
	if (e < end)
		x->exp = exponent(e + 1, end);
	len = (size_t)(e - x->s);
	p = memchr(x->s, '.', len);
	x->point = p == NULL ? len : (size_t)(p - x->s);
	x->n = len - (p != NULL);
	x->exp -= (long long)(x->n - x->point);
	while (x->n > 0 && digit(x, x->n - 1) == 0) {
		x->n--;
		x->exp++;
	}
	while (x->n > 0 && digit(x, 0) == 0) {
		x->first++;
		x->n--;
	}
	if (x->n == 0)
		x->minus = 0;
}

int
decimal_compare(struct span a, struct span b)
{
	struct number x, y;
	long long top;
	size_t i;
	int sign, c, d;

	take(&x, a);
	take(&y, b);
	if (x.n == 0 && y.n == 0)
		return 0;
	if (x.n == 0)
		return y.minus ? 1 : -1;
	if (y.n == 0 || x.minus != y.minus)
		return x.minus ? -1 : 1;
	sign = x.minus ? -1 : 1;
	top = (long long)x.n + x.exp - ((long long)y.n + y.exp);
	if (top != 0)
		return top < 0 ? -sign : sign;
	for (i = 0; i < x.n || i < y.n; i++) {
		c = i < x.n ? digit(&x, i) : 0;
		d = i < y.n ? digit(&y, i) : 0;
		if (c != d)
			return c < d ? -sign : sign;
	}
	return 0;
}

int
decimal_iswhole(struct span s)
{
	struct number x;

	take(&x, s);
	return x.n == 0 || x.exp >= 0;
}

int
decimal_whole(struct buf *b, struct span s)
{
	struct number x;
	long long i;

	take(&x, s);
	if (x.n > 0 && (x.exp < 0 || (long long)x.n + x.exp > DIGITS))
		return -1;
	if (x.minus)
		buf_putc(b, '-');
	if (x.n == 0)
		buf_putc(b, '0');
	for (i = 0; i < (long long)x.n; i++)
		buf_putc(b, '0' + digit(&x, (size_t)i));
	for (i = 0; x.n > 0 && i < x.exp; i++)
		buf_putc(b, '0');
	return 0;
}

/* The digits as a number, on the scale of ten to exp.  0, or -1. */
static int
scaled(const struct number *x, long long exp, long long *v)
{
	long long i;

	if ((long long)x->n + x->exp - exp > SCALED)
		return -1;
	*v = 0;
	for (i = 0; i < (long long)x->n; i++)
		*v = *v * 10 + digit(x, (size_t)i);
	for (i = x->exp; i > exp; i--)
		*v *= 10;
	return 0;
}

int
decimal_multiple(struct span a, struct span b)
{
	struct number x, y;
	long long exp, v, w;

	take(&x, a);
	take(&y, b);
	if (x.n == 0 || y.n == 0)
		return 1;
	exp = x.exp < y.exp ? x.exp : y.exp;
	if (scaled(&x, exp, &v) < 0 || scaled(&y, exp, &w) < 0)
		return 1;
	return v % w == 0;
}
