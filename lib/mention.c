#include <string.h>

#include "mention.h"
#include "utf8.h"

int
mention_in(const struct buf *text, const char *name)
{
	size_t n = strlen(name), i;
	const char *behind;
	uint32_t cp;

	for (i = 0; i + n < text->n; i++) {
		if (text->p[i] != '@'
		    || memcmp(text->p + i + 1, name, n) != 0)
			continue;
		behind = text->p + i + 1 + n;
		if (utf8_get(behind, text->n - i - 1 - n, &cp) == 0
		    || (!utf8_isword(cp) && cp != '-'))
			return 1;
	}
	return 0;
}
