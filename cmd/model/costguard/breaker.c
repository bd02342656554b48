#include <string.h>

#include "breaker.h"

long long
breaker_ask(struct breaker *b, const struct breaker_limits *l, time_t now)
{
	if (l->errors == 0 || b->until == 0)
		return 0;
	if (now < b->until)
		return (long long)(b->until - now);
	if (b->trial != 0 && now < b->trial + l->seconds)
		return (long long)(b->trial + l->seconds - now);
	b->trial = now;
	return 0;
}

void
breaker_good(struct breaker *b)
{
	memset(b, 0, sizeof(*b));
}

int
breaker_bad(struct breaker *b, const struct breaker_limits *l, time_t now)
{
	b->errors++;
	if (l->errors == 0 || b->errors < l->errors)
		return 0;
	b->until = now + l->seconds;
	b->trial = 0;
	return 1;
}
