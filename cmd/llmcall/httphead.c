#include <string.h>
#include <strings.h>

#include "httphead.h"

enum { HEAD_MAX = 65536 };

void
httphead_add(struct http *h, const char *p, size_t n)
{
	while (n > 0 && (p[n - 1] == '\n' || p[n - 1] == '\r'))
		n--;
	if (n == 0 || h->replies.n + n >= HEAD_MAX)
		return;
	buf_add(&h->replies, p, n);
	buf_putc(&h->replies, '\0');
}

const char *
http_header(const struct http *h, const char *name)
{
	const char *p = h->replies.p, *end = p + h->replies.n;
	size_t n = strlen(name);

	for (; p < end; p += strlen(p) + 1)
		if (strncasecmp(p, name, n) == 0 && p[n] == ':') {
			p += n + 1;
			return p + strspn(p, " \t");
		}
	return NULL;
}
