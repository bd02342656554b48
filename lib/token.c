/*
 * A tokenizer first cuts text into pieces: a word with one blank or mark in
 * front, up to three digits, a run of marks, a run of blanks.  Then it
 * merges what it has learnt inside each piece.  Here the pieces are cut as
 * o200k_base cuts them, and what merging leaves of each is an average.
 *
 * Fitted by least squares of the relative error to 10500 pieces of 2 kB, 87
 * kinds of text: manuals, sources in 9 languages, JSON, logs, listings, 17
 * natural languages.  Cross-validated by files, a kind's total is off by 2.2
 * % on the mean (bytes / 4: 20 %), by more than 8 % only in DNA and manuals
 * in traditional Chinese (-13 both); one piece by 5.3 % (root mean square),
 * 95 of 100 by -14 to +10 %.  Not seen: words all in capitals (to +30 %).
 */

#include <string.h>

#include "token.h"

/* Thousandths of a token. */
enum {
	/* A word costs by what stands in front of it: */
	W_WORD = 837, /* blanks */
	W_BARE = 1250, /* marks or a newline */
	W_LONG = 190, /* and each byte of these two beyond LONG */
	W_HUMP = 800, /* a letter: the second word of camelCase */
	W_SUFFIX = 923, /* a digit */
	W_ENDLESS = 327, /* each byte of any beyond MANY */
	W_RARE = 660, /* each of jkqxz: a name, or not English */
	W_STRANGE = 218, /* each accent, each byte beyond LONG with one */
	W_DENSE = 1564, /* a word or number of base64 and the like */

	W_NUMBER = 1088,
	W_NUMBER_LONG = 863, /* each three digits beyond the first */
	W_NUMBER_BLANK = 989, /* a blank in front: words take it along */

	W_MARK = 1032, /* one that no word takes along */
	W_MARKS = 763, /* several together */
	W_NEW = 208, /* each unlike the one before, from the third */
	W_SAME = 143, /* each like the one before, up to MANY */

	W_LINES = 1230, /* newlines, unless a mark takes them along */
	W_BLANKS = 1128, /* several together */

	/* Each character beyond ASCII. */
	W_SYMBOL = 996,
	W_GREEK = 390, /* also Hebrew and Arabic */
	W_CYRILLIC = 255,
	W_UKRAINIAN = 1670, /* and it is no letter of Russian */
	W_INDIC = 399, /* also Thai */
	W_KANA = 681, /* also marks and wide forms of CJK */
	W_HAN = 762,
	W_HANGUL = 698,
	W_EMOJI = 1206,
	W_BAD = 1000 /* a byte that is not UTF-8 */
};

/* A run of MANY bytes, fewer than DENSE of them to a piece, is dense. */
enum { LONG = 6, MANY = 16, DENSE = 4 };

/* clang-format off */
enum {
	LOWER = 1, UPPER = 2, DIGIT = 4, BLANK = 8, MARK = 16, RARE = 64,
	LATIN = 32, /* first byte of an accented letter */
	LETTER = LOWER | UPPER | LATIN,
	a = LOWER, j = LOWER | RARE, A = UPPER, J = UPPER | RARE,
	D = DIGIT, B = BLANK, M = MARK, L = LATIN
};

static const unsigned char kind[256] = {
	M, M, M, M, M, M, M, M, M, B, B, B, B, B, M, M,
	M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	B, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	D, D, D, D, D, D, D, D, D, D, M, M, M, M, M, M,
	M, A, A, A, A, A, A, A, A, A, J, J, A, A, A, A,
	A, J, A, A, A, A, A, A, J, A, J, M, M, M, M, M,
	M, a, a, a, a, a, a, a, a, a, j, j, a, a, a, a,
	a, j, a, a, a, a, a, a, j, a, j, M, M, M, M, M,
	[0xc3] = L, L, L, L, L, L, L, L,
	[0xe1] = L /* Vietnamese */
};
/* clang-format on */

/* From this first byte of a character up to the next entry's. */
static const struct script {
	int first, each;
} scripts[] = {{0x80, W_BAD}, {0xc2, W_SYMBOL}, {0xce, W_GREEK},
    {0xd0, W_CYRILLIC}, {0xd4, W_GREEK}, {0xe0, W_INDIC}, {0xe2, W_SYMBOL},
    {0xe3, W_KANA}, {0xe4, W_HAN}, {0xea, W_HANGUL}, {0xee, W_KANA},
    {0xf0, W_EMOJI}, {0xf5, W_BAD}, {0x100, 0}};

/* What the last piece was. */
enum last { NOTHING, BLANKS, MARKS, NUMBER, WORD, SCRIPT };

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

/* Go on to the first byte that is not of these; how many were rare? */
static long
skip(struct scan *s, int kinds)
{
	long rare = 0;

	for (; at(s, kinds); s->p++)
		rare += kind[*s->p] / RARE;
	return rare;
}

static void
word(struct scan *s)
{
	const unsigned char *start = s->p;
	long accents = 0, len, n;

	s->sum += skip(s, UPPER) * W_RARE + skip(s, LOWER) * W_RARE;
	for (; at(s, LATIN); accents++) {
		len = *s->p < 0xe0 ? 2 : 3;
		s->p += s->end - s->p < len ? 1 : len;
		s->sum += skip(s, LOWER) * W_RARE;
	}
	n = s->p - start;
	s->sum += over(n, MANY) * W_ENDLESS;
	if (s->last == WORD)
		s->sum += W_HUMP;
	else if (s->last == NUMBER)
		s->sum += W_SUFFIX;
	else
		s->sum += (s->last == BLANKS ? W_WORD : W_BARE) +
			  over(n, LONG) * W_LONG;
	if (accents > 0)
		s->sum += (accents + over(n, LONG)) * W_STRANGE;
	s->last = WORD;
}

static void
number(struct scan *s)
{
	const unsigned char *start = s->p;

	skip(s, DIGIT);
	s->sum += W_NUMBER + (s->p - start - 1) / 3 * W_NUMBER_LONG +
		  (s->last == BLANKS ? W_NUMBER_BLANK : 0);
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
		s->sum = sum + n * W_SAME; /* "xxx..." */
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
		s->last = BLANKS;
	}
}

static void
marks(struct scan *s)
{
	const unsigned char *start = s->p;
	long n, same = 0;

	for (s->p++; at(s, MARK); s->p++)
		same += s->p[0] == s->p[-1];
	n = s->p - start;
	if (n > 1)
		s->sum += W_MARKS + over(n - same, 2) * W_NEW +
			  (same < MANY ? same : MANY) * W_SAME;
	else if (s->last == BLANKS || !at(s, LETTER))
		s->sum += W_MARK;
	s->last = MARKS;
}

/* Characters of one script, as far as their first bytes tell. */
static void
foreign(struct scan *s)
{
	const struct script *t = scripts;
	long len, n = 0, odd = 0, same = 0;

	while (*s->p >= t[1].first)
		t++;
	len = *s->p < 0xc2 ? 1 : *s->p < 0xe0 ? 2 : *s->p < 0xf0 ? 3 : 4;
	if (s->end - s->p < len) { /* cut off */
		t = scripts;
		len = 1;
	}
	do {
		if (n++ > 0 && !memcmp(s->p, s->p - len, (size_t)len))
			same++;
		if (t->first == 0xd0)
			odd += (s->p[0] << 8 | s->p[1]) >= 0xd190;
		s->p += len;
	} while (
	    s->end - s->p >= len && *s->p >= t->first && *s->p < t[1].first);
	s->sum += (n - same) * t->each + odd * W_UKRAINIAN +
		  (same < MANY ? same : MANY) * W_SAME;
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
