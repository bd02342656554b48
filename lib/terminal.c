#include "terminal.h"
#include "utf8.h"

int
terminal_hides(uint32_t c)
{
	return (c < ' ' && c != '\n' && c != '\t')
	    || (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x34f
	    || c == 0x61c || c == 0x115f || c == 0x1160
	    || (c >= 0x17b4 && c <= 0x17b5)
	    || (c >= 0x180b && c <= 0x180f) || (c >= 0x200b && c <= 0x200f)
	    || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f)
	    || c == 0x3164 || c == 0xfeff || c == 0xffa0
	    || (c >= 0xfff0 && c <= 0xfffb) || (c >= 0x1d173 && c <= 0x1d17a)
	    || (c >= 0xe0000 && c <= 0xe0fff);
}

void
terminal_clean(struct buf *b, const char *s, size_t n)
{
	uint32_t c;
	size_t k;

	for (; n > 0; s += k, n -= k) {
		k = utf8_get(s, n, &c);
		if (k == 0) {
			buf_printf(b, "\\x%02x", (unsigned char)*s);
			k = 1;
		} else if (terminal_hides(c)) {
			buf_printf(b, "\\u{%lx}", (unsigned long)c);
		} else {
			buf_add(b, s, k);
		}
	}
}
