/*
 * A tokenizer first cuts text into pieces: a word with one blank or mark in
 * front, up to three digits, a run of marks, a run of blanks.  Then it
 * merges what it has learnt inside each piece.  Here the pieces are cut as
 * o200k_base cuts them, and what merging leaves of each is an average; of
 * words, by which letter follows which: "tion" is common, "qx" is not.
 *
 * Fitted by ridge regression of the relative error to 3050 pieces of up to
 * 2 kB, 227 kinds of text: manuals, sources in 18 languages, JSON, logs,
 * tables, listings, emoji, 32 natural languages; the samples of t/data/token
 * are among them.  Of 178 other samples, of 97 kinds, a total is off
 * by 3.1 % on the mean, and one by more than 10 %: Esperanto -14.
 */

#include <string.h>

#include "token.h"

/* Thousandths of a token. */
enum {
	/* A word costs by what comes before it: */
	W_WORD = 1027, /* blanks */
	W_TABBED = 1602, /* a tab */
	W_MARKED = 1424, /* marks */
	W_BARE = 1147, /* a newline, or another script */
	W_LONG = 244, /* and each byte of these beyond LONG */
	W_HUMP = 940, /* a letter: the second word of camelCase */
	W_SUFFIX = 1024, /* a digit */
	W_PAIR = 50, /* what a unit of pairs[] is */
	W_LEAST = 500, /* no word costs less */
	W_ENDLESS = 39, /* each byte of any beyond MANY */
	W_ACCENT = 540, /* each accented letter */
	W_STRANGE = 19, /* each byte beyond LONG of a word with one */
	W_CAPITAL = 517, /* each capital before "Xxx" */
	W_DENSE = 1561, /* a word or number of base64 and the like */

	/* All in capitals: */
	W_CAPS = 1186, /* a blank in front */
	W_CAPS_BARE = 1340,
	W_CAPS_MORE = 62, /* each letter from the third */
	W_CAPS_ENDLESS = 459, /* each beyond MANY */

	W_NUMBER = 1021,
	W_NUMBER_LONG = 1126, /* each three digits beyond the first */
	W_NUMBER_BLANK = 923, /* a blank in front: words take it along */

	W_MARK = 977, /* one that no word takes along */
	W_MARKS = 753, /* several together */
	W_NEW = 277, /* each unlike the one before, from the third */
	W_NEWER = 423, /* the same, from the fifth */
	W_SAME = 249, /* each like the one before, up to three */
	W_SAMER = 24, /* the same, up to ENDLESS */
	W_BROKEN = 1027, /* unlike ones among those, up to three */
	W_CONTROL = 1940, /* each control character */

	W_LINES = 1018, /* newlines, unless a mark takes them along */
	W_BLANKS = 1030, /* several together */

	W_AGAIN = 187, /* a letter or sign like the one before */
	W_AGAIN_BOX = 292,
	W_UKRAINIAN = 1393, /* Cyrillic, but no letter of Russian */
	W_SERBIAN = 1400, /* the same, only of Serbian or Macedonian: more */
	W_HARD = 5442, /* the hard sign: Bulgarian */
	W_TRADITIONAL = 1500, /* a radical of traditional Chinese */
	W_EMOJI = 1000 /* of a block whose three bytes are no token */
};

enum {
	LONG = 6,
	MANY = 16,
	ENDLESS = 64,
	DENSE = 4 /* bytes; a run of MANY, fewer to a piece, is dense */
};

/* clang-format off */
enum {
	LOWER = 1, UPPER = 2, DIGIT = 4, BLANK = 8, MARK = 16, CONTROL = 64,
	LATIN = 32, /* first byte of an accented letter */
	LETTER = LOWER | UPPER | LATIN,
	a = LOWER, A = UPPER, D = DIGIT, B = BLANK, M = MARK, L = LATIN,
	C = MARK | CONTROL
};

static const unsigned char kind[256] = {
	C, C, C, C, C, C, C, C, C, B, B, B, B, B, C, C,
	C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,
	B, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	D, D, D, D, D, D, D, D, D, D, M, M, M, M, M, M,
	M, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A,
	A, A, A, A, A, A, A, A, A, A, A, M, M, M, M, M,
	M, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a,
	a, a, a, a, a, a, a, a, a, a, a, M, M, M, M, C,
	[0xc3] = L, L, L, L, L, L, L, L,
	[0xe1] = L /* Vietnamese */
};

/*
 * What a small letter, a to z, adds to its word by the one before, in
 * W_PAIR.  One capital counts as the letter that it is.
 */
static const signed char pairs[27][26] = {
	/* the first, or after a capital or accent */
	{-7, -5, -8, -1, 3, 5, -8, -10, -3, 0, -2, 2, -6,
	    -5, 1, -11, 6, -6, -9, 0, 1, 5, -2, 2, -4, 12},
	/* after a */
	{-3, -3, 3, -5, 0, 18, 0, 1, -4, 9, 11, -5, -10,
	    5, 9, 5, 8, 1, -2, 2, -5, 7, 0, -8, -13, 12},
	/* after b */
	{6, 13, 21, 6, 11, 8, 1, 10, 11, -3, 1, -6, 10,
	    1, 6, 11, 0, -5, 22, -7, -2, 3, 3, 4, 1, 1},
	/* after c */
	{14, 4, 6, 6, -3, 2, 12, -7, 1, 6, 2, 11, 16,
	    8, 8, 16, 0, -6, 3, -3, -3, 6, 0, 9, -6, -5},
	/* after d */
	{-8, 10, 24, 8, -5, -1, 13, 1, 9, 1, -14, -1, 7,
	    0, 2, 5, 17, 4, -1, 2, -5, 1, 4, 22, 4, -3},
	/* after e */
	{2, 3, -3, -9, -4, -2, 2, -4, 3, 8, 14, 10, -2,
	    -2, 20, 10, -1, -2, -7, 2, 1, 7, 3, 4, -1, 1},
	/* after f */
	{4, 1, 8, 2, -5, -2, 4, 1, 8, 6, -1, 5, -4,
	    -5, -13, 39, 1, 1, 20, 7, 1, 1, 0, 4, 1, 0},
	/* after g */
	{14, 5, 9, 7, 1, 2, 1, 4, 2, 6, -5, -7, 1,
	    9, 2, 6, -1, 4, -3, -1, 4, -10, 4, 0, 11, -8},
	/* after h */
	{4, 13, 14, 4, 7, 7, 0, -1, 8, 3, 4, 15, 19,
	    3, 11, -3, 0, -12, 4, -8, 1, 0, 3, 0, 7, 0},
	/* after i */
	{-4, 8, -2, -12, 1, 3, -10, 0, 31, -3, 9, -8, -1,
	    0, -17, 1, -1, -11, -4, -3, 25, -12, 1, -7, -6, 1},
	/* after j */
	{-15, 0, 1, -1, 1, -2, 0, -1, -3, -1, 5, 6, 1,
	    2, 21, -3, -4, 1, -5, 0, 14, 0, 6, -1, 0, 1},
	/* after k */
	{10, 4, 1, -5, 0, -6, -3, -20, 1, 0, 8, 9, 3,
	    0, 22, 4, 0, 11, 0, 8, 9, -4, 0, 5, 10, 0},
	/* after l */
	{-7, -5, 12, -2, 1, -7, 4, -11, -5, 12, 0, 1, 10,
	    -4, -2, 0, 1, 2, 9, 10, 3, 6, 5, 0, 5, 0},
	/* after m */
	{5, -1, 17, 2, 1, 8, -1, 1, 17, -4, -3, -1, 6,
	    6, 8, -20, 1, 3, -2, 1, 1, 8, -5, 4, 6, 3},
	/* after n */
	{8, 2, -5, -8, 13, 4, -9, -6, 15, -2, 4, -3, -10,
	    -12, 5, 1, -3, 10, -7, -4, 15, 17, 3, 4, 5, 5},
	/* after o */
	{14, -6, 2, -3, 5, -6, 3, 19, 7, -7, -6, 0, 2,
	    -6, 0, -2, -2, 0, -5, 6, -2, 0, 5, -14, -3, -10},
	/* after p */
	{4, 12, 21, 4, -7, 12, -9, 11, 25, 0, 15, 1, 0,
	    10, 9, -7, 2, 5, 5, 3, 7, 0, 2, -4, -6, 5},
	/* after q */
	{1, 5, 1, 3, 1, 0, 0, 1, 2, 1, 0, 2, 1,
	    1, 0, 1, 0, -5, 0, 1, -4, 4, 0, 0, 0, 0},
	/* after r */
	{5, 19, 8, 0, 6, 11, -5, 10, 2, 1, -2, -6, 11,
	    3, 9, 5, 3, -7, -6, 0, 15, 12, 7, 2, -12, 3},
	/* after s */
	{23, 11, 11, -20, 1, 8, 2, 6, 13, 2, 19, 6, 7,
	    9, -1, 0, -8, -1, 2, 3, 17, 19, -4, -1, 9, 0},
	/* after t */
	{4, 23, 17, -4, -1, 0, 6, -3, 3, 1, -7, 10, 10,
	    9, -12, 3, -1, -1, 9, 14, 7, 9, -3, 10, -7, 2},
	/* after u */
	{12, -6, 7, -5, -10, -11, 19, 5, 10, 2, 4, -1, -7,
	    -9, 7, -3, 0, -15, 2, -11, 24, 2, -5, -2, -3, 8},
	/* after v */
	{1, 3, 1, 6, -1, 4, 3, -7, 0, 1, 0, 4, 5,
	    8, -8, 4, 0, 14, 1, 7, 5, 2, 2, 21, -8, -2},
	/* after w */
	{-2, 3, 11, 3, -1, 21, 2, 4, 0, 0, 2, 6, 5,
	    -7, -1, 11, 0, 0, 7, 0, 2, 4, -15, 6, 4, 2},
	/* after x */
	{10, -1, -8, 3, -6, -1, 4, -1, 9, 0, 1, 0, 1,
	    6, 0, -7, 0, 1, 10, 12, 0, 0, 0, 0, -4, 0},
	/* after y */
	{-7, 4, 0, 8, 11, 5, -3, 10, 6, -4, 10, 11, 23,
	    3, 1, 13, 0, 4, -5, 8, -3, 0, -1, -1, 4, 6},
	/* after z */
	{20, 0, -1, -5, -8, 1, 3, 0, 13, 0, 0, 1, -1,
	    6, -2, 2, 0, 2, 1, 8, -1, 0, -1, 0, -3, 2},
};
/* clang-format on */

/*
 * From these first two bytes of a character up to the next entry's: what a
 * run of them costs, and each that is unlike the one before.
 */
static const struct script {
	int first, run, each;
} scripts[] = {
    {0x8000, 0, 1000}, /* a byte that is not UTF-8 */
    {0xc200, 0, 1186}, /* signs of Latin-1 and their like */
    {0xce00, -85, 422},
    {0xd000, -85, 287},
    {0xd4b0, -85, 462},
    {0xd880, -85, 414},
    {0xe000, 0, 392},
    {0xe0a4, 0, 366},
    {0xe0a6, 0, 392},
    {0xe0b8, 0, 417},
    {0xe0ba, 0, 392},
    {0xe200, 0, 735}, /* dashes, quotes, bullets */
    {0xe281, 0, 2325},
    {0xe294, -1156, 2031}, /* lines of a table */
    {0xe297, 0, 2325},
    {0xe380, 0, 635},
    {0xe400, 0, 822},
    {0xea00, -85, 763},
    {0xee00, 0, -836}, /* wide forms of CJK */
    {0xefb8, 0, 2359}, /* makes an emoji of a sign */
    {0xefb9, 0, -836},
    {0xf000, 0, 1818}, /* emoji */
    {0xf500, 0, 1000},
    {0x10000, 0, 0}};

/* What the last piece was. */
enum last { NOTHING, BLANKS, TAB, MARKS, NUMBER, WORD, SCRIPT };

struct scan {
	const unsigned char *p, *end, *text;
	long long sum;
	enum last last;
};

static int
at(const struct scan *s, int kinds)
{
	return s->p < s->end && kind[*s->p] & kinds;
}

static long
over(long n, long max)
{
	return n > max ? n - max : 0;
}

static long
upto(long n, long max)
{
	return n < max ? n : max;
}

static void
skip(struct scan *s, int kinds)
{
	while (at(s, kinds))
		s->p++;
}

/* Go on to the end of a word, begun with one capital or none. */
static long
small(struct scan *s, int before, long *accents)
{
	const unsigned char *p = s->p, *end = s->end;
	long len, sum = 0;

	for (;;) {
		for (; p < end && kind[*p] == LOWER; p++) {
			sum += pairs[before][*p - 'a'];
			before = *p - 'a' + 1;
		}
		if (p == end || kind[*p] != LATIN)
			break;
		len = *p < 0xe0 ? 2 : 3;
		p += end - p < len ? 1 : len;
		before = 0;
		++*accents;
	}
	s->p = p;
	return sum * W_PAIR;
}

static void
capitals(struct scan *s, long n)
{
	s->sum += over(n, MANY) * W_CAPS_ENDLESS;
	if (s->last == WORD)
		s->sum += W_HUMP;
	else if (s->last == NUMBER)
		s->sum += W_SUFFIX;
	else
		s->sum += s->last == BLANKS ? W_CAPS : W_CAPS_BARE;
	s->sum += over(n, 2) * W_CAPS_MORE;
	s->last = WORD;
}

static void
word(struct scan *s)
{
	static const int front[] = {[NOTHING] = W_BARE, [BLANKS] = W_WORD,
	    [TAB] = W_TABBED, [MARKS] = W_MARKED, [NUMBER] = W_SUFFIX,
	    [WORD] = W_HUMP, [SCRIPT] = W_BARE};
	const unsigned char *start = s->p;
	long accents = 0, caps, n, sum;

	skip(s, UPPER);
	caps = s->p - start;
	if (caps > 1 && !at(s, LOWER | LATIN)) {
		capitals(s, caps);
		return;
	}
	sum = small(s, caps == 1 ? *start - 'A' + 1 : 0, &accents);
	n = s->p - start;
	sum += front[s->last] + over(n, MANY) * W_ENDLESS;
	if (s->last != WORD && s->last != NUMBER)
		sum += over(n, LONG) * W_LONG;
	sum += over(caps, 1) * W_CAPITAL + accents * W_ACCENT;
	if (accents > 0)
		sum += over(n, LONG) * W_STRANGE;
	s->sum += sum > W_LEAST ? sum : W_LEAST;
	s->last = WORD;
}

static void
number(struct scan *s)
{
	const unsigned char *start = s->p;

	skip(s, DIGIT);
	s->sum += W_NUMBER + (s->p - start - 1) / 3 * W_NUMBER_LONG;
	if (s->last == BLANKS || s->last == TAB)
		s->sum += W_NUMBER_BLANK;
	s->last = NUMBER;
}

/* Words and numbers with nothing between them. */
static void
run(struct scan *s)
{
	const unsigned char *p, *start = s->p;
	long long sum = s->sum;
	long n, pieces = 0;
	int all = 0;

	for (; at(s, LETTER | DIGIT); pieces++)
		if (at(s, DIGIT))
			number(s);
		else
			word(s);
	n = s->p - start;
	if (n > MANY && !memcmp(start, start + 1, (size_t)n - 1))
		s->sum = sum + n * W_AGAIN; /* "xxx..." */
	if (n < MANY || n >= pieces * DENSE)
		return;
	for (p = start; p < s->p; p++)
		all |= kind[*p];
	if (all & LOWER && all & UPPER)
		s->sum = sum + pieces * W_DENSE;
}

static void
blanks(struct scan *s)
{
	const unsigned char *line, *start = s->p;
	int taken = s->last == MARKS && (*start == '\n' || *start == '\r');

	for (line = start; at(s, BLANK); s->p++)
		if (*s->p == '\n')
			line = s->p + 1;
	if (line > start) {
		s->sum += taken ? 0 : W_LINES;
		s->last = NOTHING;
	}
	if (s->p > line) {
		s->sum += s->p - line > 1 ? W_BLANKS : 0;
		s->last = s->p[-1] == '\t' ? TAB : BLANKS;
	}
}

static void
marks(struct scan *s)
{
	const unsigned char *start = s->p;
	long controls = kind[*s->p] / CONTROL, n, same = 0;

	for (s->p++; at(s, MARK); s->p++) {
		same += s->p[0] == s->p[-1];
		controls += kind[*s->p] / CONTROL;
	}
	n = s->p - start;
	s->sum += controls * W_CONTROL;
	if (n == 1) {
		if (s->last == BLANKS || s->last == TAB || !at(s, LETTER))
			s->sum += W_MARK;
	} else {
		s->sum += W_MARKS + over(n - same, 2) * W_NEW +
			  over(n - same, 4) * W_NEWER +
			  upto(same, 3) * W_SAME +
			  over(upto(same, ENDLESS), 3) * W_SAMER;
		if (same > 3)
			s->sum += upto(n - same - 1, 3) * W_BROKEN;
	}
	s->last = MARKS;
}

/* Bytes of the character at p, which are there. */
static long
length(const struct scan *s)
{
	long len = *s->p < 0xc2   ? 1
		 : *s->p < 0xe0 ? 2
		 : *s->p < 0xf0 ? 3
				: 4;

	return s->end - s->p < len ? 1 : len;
}

/*
 * Blocks of 64 characters, by their first two bytes, of which nearly all have
 * a radical (of words, silk, shells, carts, metal, gates, heads, horses, fish,
 * birds) in the form that simplified Chinese does not write.
 */
static int
traditional(int two)
{
	return (two >= 0xe7b5 && two <= 0xe7b9)
	    || (two >= 0xe8a8 && two <= 0xe8ad) || two == 0xe8b2
	    || two == 0xe8b3 || two == 0xe8bb || two == 0xe8bc
	    || (two >= 0xe988 && two <= 0xe991) || two == 0xe996
	    || two == 0xe9a0 || two == 0xe9a7 || two == 0xe9a8
	    || (two >= 0xe9ad && two <= 0xe9b7);
}

/* Cyrillic letters of Serbian and Macedonian alone. */
static int
serbian(int two)
{
	return two == 0xd192 || two == 0xd193 || two == 0xd195
	    || (two >= 0xd198 && two <= 0xd19c) || two == 0xd19f;
}

/* Emoji whose first three bytes are two tokens, not one. */
static int
rare(const unsigned char *p)
{
	return p[0] == 0xf0 && p[1] == 0x9f
	    && (p[2] == 0x8f || p[2] == 0x90 || (p[2] >= 0x95 && p[2] <= 0x97)
		|| p[2] == 0x9b || p[2] == 0x9f || p[2] >= 0xa5);
}

/* Does kana stand at p?  Then this is Japanese. */
static int
iskana(const unsigned char *p, const unsigned char *end)
{
	return end - p > 2 && p[0] == 0xe3 && p[1] >= 0x81 && p[1] <= 0x83;
}

/* Characters of one script, as far as their first bytes show. */
static void
foreign(struct scan *s)
{
	const struct script *t = scripts;
	const unsigned char *start = s->p;
	long len = length(s), n = 0, odd = 0, hard = 0, same = 0, more = 0;
	int two = len == 1 ? 0x8000 : s->p[0] << 8 | s->p[1];

	while (two >= t[1].first)
		t++;
	do {
		if (n++ > 0 && !memcmp(s->p, s->p - len, (size_t)len))
			same++;
		odd += two >= 0xd190;
		hard += two == 0xd18a;
		more += t->first == 0xe400 ? traditional(two)
		    : t->first == 0xf000   ? rare(s->p)
					   : serbian(two);
		s->p += len;
		if (s->end - s->p < len)
			break;
		two = s->p[0] << 8 | s->p[len > 1];
	} while (two >= t->first && two < t[1].first);
	s->sum += t->run + (n - same) * t->each;
	s->sum += t->first == 0xe294
	    ? upto(same, MANY) * W_AGAIN_BOX
	    : upto(same, MANY) * W_AGAIN;
	if (t->first == 0xd000)
		s->sum += odd * W_UKRAINIAN + hard * W_HARD + more * W_SERBIAN;
	if (t->first == 0xf000)
		s->sum += more * W_EMOJI;
	if (t->first == 0xe400 && more > 0 && n > 3
	    && !(start - s->text > 2 && iskana(start - 3, start))
	    && !iskana(s->p, s->end))
		s->sum += more * W_TRADITIONAL;
	s->last = SCRIPT;
}

size_t
token_count(const char *text, size_t n)
{
	struct scan s = {0};

	s.p = (const unsigned char *)text;
	s.text = s.p;
	s.end = s.p + n;
	while (s.p < s.end)
		if (kind[*s.p] & BLANK)
			blanks(&s);
		else if (kind[*s.p] & MARK)
			marks(&s);
		else if (kind[*s.p])
			run(&s);
		else
			foreign(&s);
	if (s.sum < 1000)
		return n > 0;
	return (size_t)(s.sum + 500) / 1000;
}
