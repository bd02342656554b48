#include <string.h>

#include "mention.h"
#include "utf8.h"

/* Does a name or an address of mail, as in "ann@bob.org", go on at p? */
static int
goes_on(const char *p, size_t n)
{
	uint32_t cp;

	return utf8_get(p, n, &cp) > 0 && (utf8_isword(cp) || cp == '-');
}

static int
begins(const char *text, size_t at)
{
	size_t i = at;

	while (i > 0 && ((unsigned char)text[--i] & 0xc0) == 0x80)
		;
	return at == 0 || (text[i] != '.' && !goes_on(text + i, at - i));
}

int
mention_in(const struct buf *text, const char *name)
{
	size_t n = strlen(name), i;

	for (i = 0; i + n < text->n; i++)
		if (text->p[i] == '@'
		    && memcmp(text->p + i + 1, name, n) == 0
		    && begins(text->p, i)
		    && !goes_on(text->p + i + 1 + n, text->n - i - 1 - n))
			return 1;
	return 0;
}
