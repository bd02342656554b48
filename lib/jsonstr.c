#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "jsonstr.h"
#include "utf8.h"

unsigned
jsonstr_hex(const char *s)
{
	unsigned v = 0;
	int i;

	for (i = 0; i < 4; i++) {
		v <<= 4;
		if (s[i] >= '0' && s[i] <= '9')
			v |= (unsigned)(s[i] - '0');
		else if ((s[i] | 32) >= 'a' && (s[i] | 32) <= 'f')
			v |= (unsigned)((s[i] | 32) - 'a' + 10);
		else
			return 0x10000;
	}
	return v;
}

void
jsonstr_decode(struct buf *b, const char *s, size_t n)
{
	const char *end = s + n, *q;
	uint32_t c;

	while (s < end) {
		q = memchr(s, '\\', (size_t)(end - s));
		if (q == NULL)
			q = end;
		buf_add(b, s, (size_t)(q - s));
		if (q == end)
			return;
		s = q + 2;
		switch (q[1]) {
		case 'b': buf_putc(b, '\b'); break;
		case 'f': buf_putc(b, '\f'); break;
		case 'n': buf_putc(b, '\n'); break;
		case 'r': buf_putc(b, '\r'); break;
		case 't': buf_putc(b, '\t'); break;
		case 'u':
			c = jsonstr_hex(s);
			s += 4;
			if (c >= 0xd800 && c <= 0xdbff) {
				c = 0x10000 + ((c - 0xd800) << 10)
				    + (jsonstr_hex(s + 2) - 0xdc00);
				s += 6;
			}
			utf8_put(b, c);
			break;
		default: buf_putc(b, q[1]);
		}
	}
}

void
jsonstr_text(struct buf *b, struct span v)
{
	if (v.n >= 2 && v.p[0] == '"')
		jsonstr_decode(b, v.p + 1, v.n - 2);
	else
		buf_span(b, v);
}

/* What may stand after a backslash, but for 'u'. */
static const char simple[256] = {['"'] = 1, ['\\'] = 1, ['/'] = 1,
    ['b'] = 1, ['f'] = 1, ['n'] = 1, ['r'] = 1, ['t'] = 1};

/* The place after the escape at p, or NULL with *at set. */
static const char *
escape(const char *p, const char *end, const char **why, const char **at)
{
	unsigned c;

	*at = p;
	if (end - p < 2) {
		*why = "expected a closing quote";
		*at = end;
		return NULL;
	}
	if (simple[(unsigned char)p[1]])
		return p + 2;
	if (p[1] != 'u') {
		*why = "expected an escape of JSON";
		return NULL;
	}
	c = end - p >= 6 ? jsonstr_hex(p + 2) : 0x10000;
	if (c > 0xffff) {
		*why = "expected four hexadecimal digits";
		return NULL;
	}
	if (c < 0xd800 || c > 0xdfff)
		return p + 6;
	if (c < 0xdc00 && end - p >= 12 && p[6] == '\\' && p[7] == 'u') {
		c = jsonstr_hex(p + 8);
		if (c >= 0xdc00 && c <= 0xdfff)
			return p + 12;
	}
	*why = "expected a pair of surrogates";
	return NULL;
}

/* Nearly all bytes of a stream are looked at here and nowhere else. */
size_t
jsonstr_plain(const char *s, size_t n)
{
	size_t i = 0;
#ifdef __SSE2__
	const __m128i quote = _mm_set1_epi8('"');
	const __m128i slash = _mm_set1_epi8('\\');
	const __m128i blank = _mm_set1_epi8(' ');
	__m128i x;
	int mask;

	/* The signed compare also finds the bytes from 0x80. */
	for (; n - i >= 16; i += 16) {
		x = _mm_loadu_si128((const __m128i *)(const void *)(s + i));
		mask = _mm_movemask_epi8(_mm_or_si128(
		    _mm_or_si128(_mm_cmpeq_epi8(x, quote),
			_mm_cmpeq_epi8(x, slash)),
		    _mm_cmplt_epi8(x, blank)));
		if (mask != 0)
			return i + (size_t)__builtin_ctz((unsigned)mask);
	}
#endif
	while (i < n && s[i] >= ' ' && (unsigned char)s[i] < 0x80
	    && s[i] != '"' && s[i] != '\\')
		i++;
	return i;
}

const char *
jsonstr_end(const char *p, const char *end, int *esc, const char **why,
    const char **at)
{
	size_t len;
	unsigned char c;

	*esc = 0;
	for (;;) {
		p += jsonstr_plain(p, (size_t)(end - p));
		if (p == end)
			break;
		c = (unsigned char)*p;
		if (c == '"')
			return p + 1;
		if (c == '\\') {
			*esc |= 1;
			if (end - p >= 2 && simple[(unsigned char)p[1]]) {
				p += 2;
				continue;
			}
			*esc |= JSONSTR_HEX;
			p = escape(p, end, why, at);
			if (p == NULL)
				return NULL;
		} else if (c >= 0x80) {
			do {
				len = utf8_get(p, (size_t)(end - p), NULL);
				if (len == 0) {
					*why = "expected valid UTF-8";
					*at = p;
					return NULL;
				}
				p += len;
			} while (p < end && (unsigned char)*p >= 0x80);
		} else {
			*why = "expected an escape, not a control character";
			*at = p;
			return NULL;
		}
	}
	*why = "expected a closing quote";
	*at = end;
	return NULL;
}
