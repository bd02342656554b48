#include <locale.h>
#include <string.h>
#include <wctype.h>

#include "utf8.h"

size_t
utf8_get(const char *str, size_t n, uint32_t *cp)
{
	const unsigned char *s = (const unsigned char *)str;
	unsigned char lo = 0x80, hi = 0xbf;
	uint32_t c;
	size_t i, len;

	if (n == 0)
		return 0;
	c = s[0];
	if (c < 0x80) {
		len = 1;
	} else if (c >= 0xc2 && c <= 0xdf) {
		len = 2;
		c &= 0x1f;
	} else if (c >= 0xe0 && c <= 0xef) {
		len = 3;
		lo = c == 0xe0 ? 0xa0 : 0x80;
		hi = c == 0xed ? 0x9f : 0xbf;
		c &= 0x0f;
	} else if (c >= 0xf0 && c <= 0xf4) {
		len = 4;
		lo = c == 0xf0 ? 0x90 : 0x80;
		hi = c == 0xf4 ? 0x8f : 0xbf;
		c &= 0x07;
	} else {
		return 0;
	}
	if (len > n)
		return 0;
	for (i = 1; i < len; i++) {
		if (s[i] < lo || s[i] > hi)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
		lo = 0x80;
		hi = 0xbf;
	}
	if (cp != NULL)
		*cp = c;
	return len;
}

size_t
utf8_check(const char *s, size_t n)
{
	uint64_t w;
	size_t i = 0, len;

	while (i < n) {
		if (n - i >= 8) {
			memcpy(&w, s + i, 8);
			if ((w & 0x8080808080808080U) == 0) {
				i += 8;
				continue;
			}
		}
		len = utf8_get(s + i, n - i, NULL);
		if (len == 0)
			return i;
		i += len;
	}
	return n;
}

size_t
utf8_bom(const char *s, size_t n)
{
	return n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

void
utf8_put(struct buf *b, uint32_t cp)
{
	if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		cp = 0xfffd;
	if (cp < 0x80) {
		buf_putc(b, (int)cp);
		return;
	}
	if (cp < 0x800) {
		buf_putc(b, (int)(0xc0 | cp >> 6));
	} else {
		if (cp < 0x10000) {
			buf_putc(b, (int)(0xe0 | cp >> 12));
		} else {
			buf_putc(b, (int)(0xf0 | cp >> 18));
			buf_putc(b, (int)(0x80 | (cp >> 12 & 0x3f)));
		}
		buf_putc(b, (int)(0x80 | (cp >> 6 & 0x3f)));
	}
	buf_putc(b, (int)(0x80 | (cp & 0x3f)));
}

void
utf8_repair(struct buf *b, const char *s, size_t n)
{
	size_t good;

	for (;;) {
		good = utf8_check(s, n);
		buf_add(b, s, good);
		if (good == n)
			return;
		utf8_put(b, 0xfffd);
		s += good + 1;
		n -= good + 1;
	}
}

size_t
utf8_cut(const char *s, size_t n, size_t max)
{
	if (n <= max)
		return n;
	while (max > 0 && ((unsigned char)s[max] & 0xc0) == 0x80)
		max--;
	return max;
}

static locale_t
unicode(void)
{
	static locale_t loc;
	static int tried;

	if (!tried) {
		tried = 1;
		loc = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	}
	return loc;
}

uint32_t
utf8_lower(uint32_t cp)
{
	if (cp < 0x80)
		return cp >= 'A' && cp <= 'Z' ? cp + 32 : cp;
	if (unicode() == (locale_t)0)
		return cp;
	return (uint32_t)towlower_l((wint_t)cp, unicode());
}

int
utf8_isword(uint32_t cp)
{
	if (cp < 0x80)
		return (cp >= '0' && cp <= '9') || (cp >= 'A' && cp <= 'Z')
		    || (cp >= 'a' && cp <= 'z') || cp == '_';
	if (unicode() == (locale_t)0)
		return 1;
	return iswalnum_l((wint_t)cp, unicode());
}
