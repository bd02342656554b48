#include <string.h>

#include "match.h"
#include "nothing.h"

int
nothing_is(const struct strs *patterns, struct span text)
{
	static struct buf b;

	buf_reset(&b);
	buf_span(&b, span_trim(text));
	return b.n == 0
	    || (memchr(b.p, '\n', b.n) == NULL
		&& match_any(patterns, buf_cstr(&b)) != NULL);
}
