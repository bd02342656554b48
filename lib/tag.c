#include <string.h>
#include <strings.h>

#include "tag.h"

/* Does a tag of that name stand behind the '<'? */
static int
begins(const char *s, size_t n, const char *name)
{
	size_t len = strlen(name);

	while (n > 0 && strchr(" \t\r\n/", *s) != NULL && *s != '\0') {
		s++;
		n--;
	}
	return n >= len && strncasecmp(s, name, len) == 0;
}

void
tag_escape(struct buf *b, const char *s, size_t n, const struct strs *names)
{
	const char *lt;
	size_t i, k;

	while ((lt = memchr(s, '<', n)) != NULL) {
		k = (size_t)(lt - s);
		buf_add(b, s, k);
		s += k + 1;
		n -= k + 1;
		for (i = 0; i < names->n; i++)
			if (begins(s, n, names->v[i]))
				break;
		buf_puts(b, i < names->n ? "&lt;" : "<");
	}
	buf_add(b, s, n);
}
