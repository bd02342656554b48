/*
 * A tokenizer first cuts text into pieces: a word with one blank or mark in
 * front, up to three digits, a run of marks, a run of blanks.  Then it
 * merges what it has learnt inside each piece.  Here the pieces are cut as
 * o200k_base cuts them, and what merging leaves of each is an average.
 *
 * The weights are a fit to 227 kinds of text: manuals, sources, JSON, logs,
 * tables, natural languages.
 */

#include <string.h>

#include "token.h"

/* Thousandths of a token. */
enum {
	/* A word costs by what comes before it: */
	W_WORD = 990, /* blanks */
	W_TABBED = 1602, /* a tab */
	W_MARKED = 1380, /* marks */
	W_BARE = 1147, /* a newline, or another script */
	W_LONG = 244, /* and each byte of these beyond LONG */
	W_HUMP = 940, /* a letter: the second word of camelCase */
	W_SUFFIX = 1024, /* a digit */
	W_ACCENT = 650, /* each accented letter */
	W_CAPITAL = 517, /* each capital before "Xxx" */
	W_DENSE = 1561, /* a word or number of base64 and the like */

	/* All in capitals: */
	W_CAPS = 1186, /* a blank in front */
	W_CAPS_BARE = 1340,
	W_CAPS_MORE = 62, /* each letter from the third */

	W_NUMBER = 1021,
	W_NUMBER_LONG = 1126, /* each three digits beyond the first */
	W_NUMBER_BLANK = 923, /* a blank in front: words take it along */

	W_MARK = 977, /* one that no word takes along */
	W_MARKS = 753, /* several together */
	W_NEW = 350, /* each unlike the one before, from the third */
	W_SAME = 249, /* each like the one before, up to three */
	W_CONTROL = 1940, /* each control character */

	W_LINES = 1018, /* newlines, unless a mark takes them along */
	W_BLANKS = 1030, /* several together */

	W_AGAIN = 187 /* a letter or sign like the one before */
};

enum {
	LONG = 6,
	MANY = 16,
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

/* clang-format on */

/*
 * From these first two bytes of a character up to the next entry's: what a
 * run of them costs, and each that is unlike the one before.
 */
static const struct script {
	int first, run, each;
} scripts[] = {{0x8000, 0, 1000}, /* a byte that is not UTF-8 */
    {0xc200, 0, 1186}, /* signs of Latin-1 and their like */
    {0xce00, -85, 422}, {0xd000, -85, 345}, {0xd4b0, -85, 462},
    {0xd880, -85, 414}, {0xe000, 0, 392}, {0xe0a4, 0, 366}, {0xe0a6, 0, 392},
    {0xe0b8, 0, 417}, {0xe0ba, 0, 392},
    {0xe200, 0, 735}, /* dashes, quotes, bullets */
    {0xe281, 0, 2325}, {0xe294, -1156, 2031}, /* lines of a table */
    {0xe297, 0, 2325}, {0xe380, 0, 635}, {0xe400, 0, 822}, {0xea00, -85, 763},
    {0xee00, 0, -836}, /* wide forms of CJK */
    {0xefb8, 0, 2359}, /* makes an emoji of a sign */
    {0xefb9, 0, -836}, {0xf000, 0, 1818}, /* emoji */
    {0xf500, 0, 1000}, {0x10000, 0, 0}};

/* What the last piece was. */
enum last { NOTHING, BLANKS, TAB, MARKS, NUMBER, WORD, SCRIPT };

struct scan {
	const unsigned char *p, *end;
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
static void
small(struct scan *s, long *accents)
{
	long len;

	for (skip(s, LOWER); at(s, LATIN); skip(s, LOWER)) {
		len = *s->p < 0xe0 ? 2 : 3;
		s->p += s->end - s->p < len ? 1 : len;
		++*accents;
	}
}

static void
capitals(struct scan *s, long n)
{
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
	static const int front[] = {[NOTHING] = W_BARE,
	    [BLANKS] = W_WORD,
	    [TAB] = W_TABBED,
	    [MARKS] = W_MARKED,
	    [NUMBER] = W_SUFFIX,
	    [WORD] = W_HUMP,
	    [SCRIPT] = W_BARE};
	const unsigned char *start = s->p;
	long accents = 0, caps, n, sum;

	skip(s, UPPER);
	caps = s->p - start;
	if (caps > 1 && !at(s, LOWER | LATIN)) {
		capitals(s, caps);
		return;
	}
	small(s, &accents);
	n = s->p - start;
	sum = front[s->last];
	if (s->last != WORD && s->last != NUMBER)
		sum += over(n, LONG) * W_LONG;
	sum += over(caps, 1) * W_CAPITAL + accents * W_ACCENT;
	s->sum += sum;
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
			  upto(same, 3) * W_SAME;
	}
	s->last = MARKS;
}

/* Bytes of the character at p, which are there. */
static long
length(const struct scan *s)
{
	long len = *s->p < 0xc2 ? 1 : *s->p < 0xe0 ? 2 : *s->p < 0xf0 ? 3 : 4;

	return s->end - s->p < len ? 1 : len;
}

/* Characters of one script, as far as their first bytes show. */
static void
foreign(struct scan *s)
{
	const struct script *t = scripts;
	long len = length(s), n = 0, same = 0;
	int two = len == 1 ? 0x8000 : s->p[0] << 8 | s->p[1];

	while (two >= t[1].first)
		t++;
	do {
		if (n++ > 0 && !memcmp(s->p, s->p - len, (size_t)len))
			same++;
		s->p += len;
		if (s->end - s->p < len)
			break;
		two = s->p[0] << 8 | s->p[len > 1];
	} while (two >= t->first && two < t[1].first);
	s->sum += t->run + (n - same) * t->each + upto(same, MANY) * W_AGAIN;
	s->last = SCRIPT;
}

size_t
token_count(const char *text, size_t n)
{
	struct scan s = {0};

	s.p = (const unsigned char *)text;
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
