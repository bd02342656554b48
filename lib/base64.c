#include "base64.h"

void
base64_put(struct buf *b, const char *p, size_t n)
{
	static const char set[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *s = (const unsigned char *)p;
	unsigned v;
	size_t i;

	for (i = 0; i < n; i += 3) {
		v = (unsigned)s[i] << 16;
		if (i + 1 < n)
			v |= (unsigned)s[i + 1] << 8;
		if (i + 2 < n)
			v |= s[i + 2];
		buf_putc(b, set[v >> 18]);
		buf_putc(b, set[v >> 12 & 63]);
		buf_putc(b, i + 1 < n ? set[v >> 6 & 63] : '=');
		buf_putc(b, i + 2 < n ? set[v & 63] : '=');
	}
}
