#include "joiner.h"
#include "utf8.h"

enum kind {
	OTHER,
	LETTER,	 /* joins the next one: Joining_Type D, L, R, C; hamza */
	DIGIT,	 /* of the Arabic script */
	MARK,	 /* on a letter */
	VIRAMA,	 /* Canonical_Combining_Class 9 */
	PICTURE, /* Extended_Pictographic */
	HAN
};

enum {
	ZWSP = 0x200b,
	ZWNJ = 0x200c,
	ZWJ = 0x200d,
	VS1 = 0xfe00,
	TEXT = 0xfe0e,
	EMOJI = 0xfe0f,
	FLAG = 0x1f3f4,
	TAG_FIRST = 0xe0020,
	TAG_END = 0xe007f,
	TAGS_MIN = 3, /* of a part of a country, its end too: gbeng */
	TAGS_MAX = 7,
	MARKS_MAX = 8 /* on one letter that are looked over */
};

/* Unicode 14. */
static const struct {
	uint32_t from, to;
	enum kind kind;
} table[] = {
	{0xa9, 0xa9, PICTURE}, {0xae, 0xae, PICTURE}, {0x300, 0x36f, MARK},
	{0x483, 0x489, MARK}, {0x591, 0x5bd, MARK}, {0x5bf, 0x5bf, MARK},
	{0x5c1, 0x5c2, MARK}, {0x5c4, 0x5c5, MARK}, {0x5c7, 0x5c7, MARK},
	{0x610, 0x61a, MARK}, {0x620, 0x64a, LETTER}, {0x64b, 0x65f, MARK},
	{0x660, 0x669, DIGIT}, {0x66e, 0x66f, LETTER}, {0x670, 0x670, MARK},
	{0x671, 0x673, LETTER}, {0x675, 0x6d3, LETTER}, {0x6d5, 0x6d5, LETTER},
	{0x6d6, 0x6dc, MARK}, {0x6df, 0x6e4, MARK}, {0x6e7, 0x6e8, MARK},
	{0x6ea, 0x6ed, MARK}, {0x6ee, 0x6ef, LETTER}, {0x6f0, 0x6f9, DIGIT},
	{0x6fa, 0x6fc, LETTER}, {0x6ff, 0x6ff, LETTER}, {0x710, 0x710, LETTER},
	{0x711, 0x711, MARK}, {0x712, 0x72f, LETTER}, {0x730, 0x74a, MARK},
	{0x74d, 0x77f, LETTER}, {0x7a6, 0x7b0, MARK}, {0x7ca, 0x7ea, LETTER},
	{0x7eb, 0x7f3, MARK}, {0x7fa, 0x7fa, LETTER}, {0x7fd, 0x7fd, MARK},
	{0x816, 0x819, MARK}, {0x81b, 0x823, MARK}, {0x825, 0x827, MARK},
	{0x829, 0x82d, MARK}, {0x840, 0x858, LETTER}, {0x859, 0x85b, MARK},
	{0x860, 0x860, LETTER}, {0x862, 0x865, LETTER}, {0x867, 0x886, LETTER},
	{0x889, 0x88e, LETTER}, {0x898, 0x89f, MARK}, {0x8a0, 0x8ac, LETTER},
	{0x8ae, 0x8c8, LETTER}, {0x8ca, 0x8e1, MARK}, {0x8e3, 0x8ff, MARK},
	{0x94d, 0x94d, VIRAMA}, {0x9cd, 0x9cd, VIRAMA}, {0xa4d, 0xa4d, VIRAMA},
	{0xacd, 0xacd, VIRAMA}, {0xb4d, 0xb4d, VIRAMA}, {0xbcd, 0xbcd, VIRAMA},
	{0xc4d, 0xc4d, VIRAMA}, {0xccd, 0xccd, VIRAMA}, {0xd3b, 0xd3c, VIRAMA},
	{0xd4d, 0xd4d, VIRAMA}, {0xdca, 0xdca, VIRAMA}, {0xe3a, 0xe3a, VIRAMA},
	{0xeba, 0xeba, VIRAMA}, {0xf84, 0xf84, VIRAMA},
	{0x1039, 0x103a, VIRAMA}, {0x1714, 0x1715, VIRAMA},
	{0x1734, 0x1734, VIRAMA}, {0x17d2, 0x17d2, VIRAMA},
	{0x1807, 0x1807, LETTER}, {0x1820, 0x1878, LETTER},
	{0x1887, 0x18a8, LETTER}, {0x18aa, 0x18aa, LETTER},
	{0x1a60, 0x1a60, VIRAMA}, {0x1ab0, 0x1aff, MARK},
	{0x1b44, 0x1b44, VIRAMA}, {0x1baa, 0x1bab, VIRAMA},
	{0x1bf2, 0x1bf3, VIRAMA}, {0x1dc0, 0x1dff, MARK},
	{0x203c, 0x203c, PICTURE}, {0x2049, 0x2049, PICTURE},
	{0x20d0, 0x20ff, MARK}, {0x2122, 0x2122, PICTURE},
	{0x2139, 0x2139, PICTURE}, {0x2194, 0x2199, PICTURE},
	{0x21a9, 0x21aa, PICTURE}, {0x231a, 0x231b, PICTURE},
	{0x2328, 0x2328, PICTURE}, {0x2388, 0x2388, PICTURE},
	{0x23cf, 0x23cf, PICTURE}, {0x23e9, 0x23f3, PICTURE},
	{0x23f8, 0x23fa, PICTURE}, {0x24c2, 0x24c2, PICTURE},
	{0x25aa, 0x25ab, PICTURE}, {0x25b6, 0x25b6, PICTURE},
	{0x25c0, 0x25c0, PICTURE}, {0x25fb, 0x25fe, PICTURE},
	{0x2600, 0x2605, PICTURE}, {0x2607, 0x2612, PICTURE},
	{0x2614, 0x2685, PICTURE}, {0x2690, 0x2705, PICTURE},
	{0x2708, 0x2712, PICTURE}, {0x2714, 0x2714, PICTURE},
	{0x2716, 0x2716, PICTURE}, {0x271d, 0x271d, PICTURE},
	{0x2721, 0x2721, PICTURE}, {0x2728, 0x2728, PICTURE},
	{0x2733, 0x2734, PICTURE}, {0x2744, 0x2744, PICTURE},
	{0x2747, 0x2747, PICTURE}, {0x274c, 0x274c, PICTURE},
	{0x274e, 0x274e, PICTURE}, {0x2753, 0x2755, PICTURE},
	{0x2757, 0x2757, PICTURE}, {0x2763, 0x2767, PICTURE},
	{0x2795, 0x2797, PICTURE}, {0x27a1, 0x27a1, PICTURE},
	{0x27b0, 0x27b0, PICTURE}, {0x27bf, 0x27bf, PICTURE},
	{0x2934, 0x2935, PICTURE}, {0x2b05, 0x2b07, PICTURE},
	{0x2b1b, 0x2b1c, PICTURE}, {0x2b50, 0x2b50, PICTURE},
	{0x2b55, 0x2b55, PICTURE}, {0x2d7f, 0x2d7f, VIRAMA},
	{0x3030, 0x3030, PICTURE}, {0x303d, 0x303d, PICTURE},
	{0x3297, 0x3297, PICTURE}, {0x3299, 0x3299, PICTURE},
	{0x3400, 0x4dbf, HAN}, {0x4e00, 0x9fff, HAN}, {0xa806, 0xa806, VIRAMA},
	{0xa82c, 0xa82c, VIRAMA}, {0xa840, 0xa872, LETTER},
	{0xa8c4, 0xa8c4, VIRAMA}, {0xa953, 0xa953, VIRAMA},
	{0xa9c0, 0xa9c0, VIRAMA}, {0xaaf6, 0xaaf6, VIRAMA},
	{0xabed, 0xabed, VIRAMA}, {0xf900, 0xfaff, HAN}, {0xfe20, 0xfe2f, MARK},
	{0x10a01, 0x10a0f, MARK}, {0x10a38, 0x10a3a, MARK},
	{0x10a3f, 0x10a3f, VIRAMA}, {0x10ac0, 0x10ac5, LETTER},
	{0x10ac7, 0x10ac7, LETTER}, {0x10ac9, 0x10aca, LETTER},
	{0x10acd, 0x10ae1, LETTER}, {0x10ae4, 0x10ae4, LETTER},
	{0x10ae5, 0x10ae6, MARK}, {0x10aeb, 0x10aef, LETTER},
	{0x10b80, 0x10b91, LETTER}, {0x10ba9, 0x10bae, LETTER},
	{0x10d00, 0x10d23, LETTER}, {0x10d24, 0x10d27, MARK},
	{0x10eab, 0x10eac, MARK}, {0x10f30, 0x10f44, LETTER},
	{0x10f46, 0x10f50, MARK}, {0x10f51, 0x10f54, LETTER},
	{0x10f70, 0x10f81, LETTER}, {0x10f82, 0x10f85, MARK},
	{0x10fb0, 0x10fb0, LETTER}, {0x10fb2, 0x10fb6, LETTER},
	{0x10fb8, 0x10fbf, LETTER}, {0x10fc1, 0x10fc4, LETTER},
	{0x10fc9, 0x10fcb, LETTER}, {0x11046, 0x11046, VIRAMA},
	{0x11070, 0x11070, VIRAMA}, {0x1107f, 0x1107f, VIRAMA},
	{0x110b9, 0x110b9, VIRAMA}, {0x11133, 0x11134, VIRAMA},
	{0x111c0, 0x111c0, VIRAMA}, {0x11235, 0x11235, VIRAMA},
	{0x112ea, 0x112ea, VIRAMA}, {0x1134d, 0x1134d, VIRAMA},
	{0x11442, 0x11442, VIRAMA}, {0x114c2, 0x114c2, VIRAMA},
	{0x115bf, 0x115bf, VIRAMA}, {0x1163f, 0x1163f, VIRAMA},
	{0x116b6, 0x116b6, VIRAMA}, {0x1172b, 0x1172b, VIRAMA},
	{0x11839, 0x11839, VIRAMA}, {0x1193d, 0x1193e, VIRAMA},
	{0x119e0, 0x119e0, VIRAMA}, {0x11a34, 0x11a34, VIRAMA},
	{0x11a47, 0x11a47, VIRAMA}, {0x11a99, 0x11a99, VIRAMA},
	{0x11c3f, 0x11c3f, VIRAMA}, {0x11d44, 0x11d45, VIRAMA},
	{0x11d97, 0x11d97, VIRAMA}, {0x1e900, 0x1e943, LETTER},
	{0x1e944, 0x1e94a, MARK}, {0x1f000, 0x1f0ff, PICTURE},
	{0x1f10d, 0x1f10f, PICTURE}, {0x1f12f, 0x1f12f, PICTURE},
	{0x1f16c, 0x1f171, PICTURE}, {0x1f17e, 0x1f17f, PICTURE},
	{0x1f18e, 0x1f18e, PICTURE}, {0x1f191, 0x1f19a, PICTURE},
	{0x1f1ad, 0x1f1e5, PICTURE}, {0x1f201, 0x1f20f, PICTURE},
	{0x1f21a, 0x1f21a, PICTURE}, {0x1f22f, 0x1f22f, PICTURE},
	{0x1f232, 0x1f23a, PICTURE}, {0x1f23c, 0x1f23f, PICTURE},
	{0x1f249, 0x1f3fa, PICTURE}, {0x1f400, 0x1f53d, PICTURE},
	{0x1f546, 0x1f64f, PICTURE}, {0x1f680, 0x1f6ff, PICTURE},
	{0x1f774, 0x1f77f, PICTURE}, {0x1f7d5, 0x1f7ff, PICTURE},
	{0x1f80c, 0x1f80f, PICTURE}, {0x1f848, 0x1f84f, PICTURE},
	{0x1f85a, 0x1f85f, PICTURE}, {0x1f888, 0x1f88f, PICTURE},
	{0x1f8ae, 0x1f8ff, PICTURE}, {0x1f90c, 0x1f93a, PICTURE},
	{0x1f93c, 0x1f945, PICTURE}, {0x1f947, 0x1faff, PICTURE},
	{0x1fc00, 0x1fffd, PICTURE}, {0x20000, 0x3fffd, HAN},
};

static enum kind
kind_of(uint32_t c)
{
	size_t lo = 0, hi = sizeof(table) / sizeof(*table), mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (c < table[mid].from)
			hi = mid;
		else if (c > table[mid].to)
			lo = mid + 1;
		else
			return table[mid].kind;
	}
	return OTHER;
}

int
joiner_is_mark(uint32_t c)
{
	return kind_of(c) == MARK || (c >= VS1 && c <= EMOJI) || c == ZWNJ
	    || c == ZWJ;
}

static int
is_mongolian(uint32_t c)
{
	return c >= 0x1820 && c <= 0x18aa;
}

/* Thai, Lao, Myanmar, Khmer and their neighbours, who put no blanks. */
static int
has_no_blanks(uint32_t c)
{
	return (c >= 0xe00 && c <= 0xeff) || (c >= 0x1000 && c <= 0x109f)
	    || (c >= 0x1780 && c <= 0x17ff) || (c >= 0x1950 && c <= 0x1aad)
	    || (c >= 0xa9e0 && c <= 0xa9ff) || (c >= 0xaa60 && c <= 0xaadf);
}

static int
is_tag(uint32_t c)
{
	return c >= TAG_FIRST && c <= TAG_END;
}

static int
is_selector(uint32_t c)
{
	return (c >= VS1 && c <= EMOJI) || (c >= 0xe0100 && c <= 0xe01ef);
}

/* The character before s + *i, which goes there; 0 at the beginning. */
static uint32_t
back(const char *s, size_t *i)
{
	size_t end = *i;
	uint32_t c;

	while (*i > 0 && end - *i < 4)
		if (((unsigned char)s[--*i] & 0xc0) != 0x80)
			return utf8_get(s + *i, end - *i, &c) == end - *i ? c
									  : 0;
	return 0;
}

/* The character at s + *i, which goes behind it; 0 at the end. */
static uint32_t
ahead(const char *s, size_t n, size_t *i)
{
	uint32_t c;
	size_t k = utf8_get(s + *i, n - *i, &c);

	*i += k;
	return k > 0 ? c : 0;
}

/* What stands there without the marks on it. */
static enum kind
letter_before(const char *s, size_t i)
{
	enum kind k = MARK;
	int marks;

	for (marks = 0; k == MARK && marks <= MARKS_MAX; marks++)
		k = kind_of(back(s, &i));
	return k;
}

static enum kind
letter_after(const char *s, size_t n, size_t i)
{
	enum kind k = MARK;
	int marks;

	for (marks = 0; k == MARK && marks <= MARKS_MAX; marks++)
		k = kind_of(ahead(s, n, &i));
	return k;
}

static int
zwnj_works(const char *s, size_t n, size_t before, size_t after)
{
	enum kind k = letter_before(s, before);

	return kind_of(back(s, &before)) == VIRAMA
	    || ((k == LETTER || k == DIGIT)
		&& letter_after(s, n, after) == LETTER);
}

/* Between pictures; the one before may have a selector and a colour of skin. */
static int
joins_pictures(const char *s, size_t n, size_t before, size_t after)
{
	uint32_t c = back(s, &before);

	if (c == EMOJI || (c >= 0x1f3fb && c <= 0x1f3ff))
		c = back(s, &before);
	return kind_of(c) == PICTURE && kind_of(ahead(s, n, &after)) == PICTURE;
}

static int
zwj_works(const char *s, size_t n, size_t before, size_t after)
{
	size_t i = before, k = after;
	uint32_t last = back(s, &i), next = ahead(s, n, &k);

	if (kind_of(last) == VIRAMA || joins_pictures(s, n, before, after))
		return 1;
	/* Ra and the ya behind it. */
	if (last >= 0x900 && last <= 0xdff && kind_of(next) == VIRAMA)
		return 1;
	/* The form that a letter has inside of words, at the end of one. */
	return letter_before(s, before) == LETTER
	    && (next < '0' || next == ':' || next == 0x60c || next == 0xbb);
}

/* All tags of a flag, or none. */
static int
tag_works(const char *s, size_t n, size_t before, size_t after, uint32_t c)
{
	size_t tags = 1;
	uint32_t first;

	while (is_tag(first = back(s, &before)) && first != TAG_END
	    && tags <= TAGS_MAX)
		tags++;
	while (c != TAG_END && is_tag(c = ahead(s, n, &after))
	    && tags <= TAGS_MAX)
		tags++;
	return first == FLAG && c == TAG_END && tags > TAGS_MIN
	    && tags <= TAGS_MAX;
}

static int
selector_works(const char *s, size_t before, uint32_t c)
{
	uint32_t base = back(s, &before);
	enum kind k = kind_of(base);

	if (c == TEXT || c == EMOJI)
		return k == PICTURE || base == '#' || base == '*'
		    || (base >= '0' && base <= '9');
	return k == HAN || (c == VS1 && base >= 0x2200 && base <= 0x2aff);
}

int
joiner_works(const char *s, size_t n, size_t i, uint32_t c)
{
	size_t after = i, before = i;

	ahead(s, n, &after);
	if (c == ZWNJ)
		return zwnj_works(s, n, i, after);
	if (c == ZWJ)
		return zwj_works(s, n, i, after);
	if (is_tag(c))
		return tag_works(s, n, i, after, c);
	if (is_selector(c))
		return selector_works(s, i, c);
	if (c == ZWSP)
		return has_no_blanks(back(s, &before))
		    && has_no_blanks(ahead(s, n, &after));
	if (c >= 0x180b && c <= 0x180f)
		return is_mongolian(back(s, &before));
	return 0;
}

size_t
joiner_known(const char *s, size_t n)
{
	size_t i = n, known, steps;
	uint32_t c;

	/* Half a character. */
	while (i > 0 && n - i < 3 && ((unsigned char)s[i - 1] & 0xc0) == 0x80)
		i--;
	if (i > 0 && (unsigned char)s[i - 1] >= 0xc0)
		i--;
	if (i < n && utf8_get(s + i, n - i, &c) > 0)
		i = n;
	known = i;
	for (steps = 0; i > 0 && steps <= TAGS_MAX + MARKS_MAX; steps++) {
		c = back(s, &i);
		if (c == ZWNJ || c == ZWJ || c == ZWSP || is_tag(c))
			known = i;
		else if (kind_of(c) != MARK)
			break;
	}
	return known;
}
