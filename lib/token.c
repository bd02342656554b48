/*
 * A tokenizer cuts text into words, up to three digits, runs of marks and runs
 * of blanks, and makes a token or so of each.  The weights are a fit to the
 * true counts of t/data/token.
 */

#include <string.h>

#include "token.h"

/* Thousandths of a token. */
enum {
	W_WORD = 1120, /* letters, of which only the first ones are capitals */
	W_LONG = 240, /* each of its letters beyond LONG */
	W_AGAIN = 110, /* or if it is like the one before */
	W_NUMBER = 1250, /* up to three digits */
	W_DIGITS = 1080, /* each three more */
	W_MARKS = 890, /* a run of marks */
	W_GLUED = 190, /* one mark, if a word takes it along */
	W_SAME = 190, /* each like the one before, up to three */
	W_LINES = 800, /* newlines, unless marks take them along */
	W_BLANKS = 1360 /* several together, or a tab */
};

enum { LONG = 6 };

/*
 * From these first two bytes on: what a character costs, unless it is like the
 * one before.
 */
static const struct script {
	int first, each;
} scripts[] = {{0x8000, 1000}, /* a byte that is not UTF-8 */
    {0xc200, 80}, /* Latin: an accent cuts a word in two */
    {0xcd00, 410}, {0xd000, 360}, {0xd4b0, 410}, /* other alphabets */
    {0xe1b8, -120}, /* Vietnamese: most of its words are cut */
    {0xe280, 240}, /* dashes and quotes */
    {0xe286, 1470}, /* arrows, boxes, signs */
    {0xe380, 650}, {0xe400, 710}, /* Japanese, Chinese, Korean */
    {0xee00, 1790}, /* emoji */
    {0xf500, 1000}, {0x10000, 0}};

/* clang-format off */
enum { LOWER = 1, UPPER = 2, DIGIT = 4, BLANK = 8, MARK = 16,
	LETTER = LOWER | UPPER,
	a = LOWER, A = UPPER, D = DIGIT, B = BLANK, M = MARK };

static const unsigned char kind[256] = {
	M, M, M, M, M, M, M, M, M, B, B, B, B, B, M, M,
	M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	B, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	D, D, D, D, D, D, D, D, D, D, M, M, M, M, M, M,
	M, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A,
	A, A, A, A, A, A, A, A, A, A, A, M, M, M, M, M,
	M, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a,
	a, a, a, a, a, a, a, a, a, a, a, M, M, M, M, M
};

/* clang-format on */

struct scan {
	const unsigned char *p, *end;
	long long sum;
	int last; /* kind of what came before */
};

static int
at(const struct scan *s, int kinds)
{
	return s->p < s->end && kind[*s->p] & kinds;
}

static void
word(struct scan *s)
{
	const unsigned char *start = s->p;

	while (at(s, UPPER))
		s->p++;
	if (s->p - start <= 1)
		while (at(s, LOWER))
			s->p++;
	s->sum += W_WORD;
	for (start += LONG; start < s->p; start++)
		s->sum += start[0] == start[-1] ? W_AGAIN : W_LONG;
}

static void
number(struct scan *s)
{
	const unsigned char *start = s->p;

	while (at(s, DIGIT))
		s->p++;
	s->sum += W_NUMBER + (s->p - start - 1) / 3 * W_DIGITS;
}

static void
blanks(struct scan *s)
{
	const unsigned char *line = s->p, *start = s->p;

	for (; at(s, BLANK); s->p++)
		if (*s->p == '\n')
			line = s->p + 1;
	if (line > start && s->last != MARK)
		s->sum += W_LINES;
	if (s->p - line > 1 || (s->p > line && s->p[-1] == '\t'))
		s->sum += W_BLANKS;
}

static void
marks(struct scan *s)
{
	const unsigned char *start = s->p;
	long same = 0;

	for (s->p++; at(s, MARK); s->p++)
		same += s->p[0] == s->p[-1];
	if (s->p - start == 1 && s->last != BLANK && at(s, LETTER))
		s->sum += W_GLUED;
	else
		s->sum += W_MARKS + (same < 3 ? same : 3) * W_SAME;
}

/* Bytes of the character at p, which are there. */
static long
length(const struct scan *s)
{
	long len = *s->p < 0xc2 ? 1 : *s->p < 0xe0 ? 2 : *s->p < 0xf0 ? 3 : 4;

	return s->end - s->p < len ? 1 : len;
}

/* Characters that are not ASCII; one like the one before costs little. */
static void
foreign(struct scan *s)
{
	const struct script *t;
	const unsigned char *was = NULL;
	long len;
	int two;

	while (s->p < s->end && kind[*s->p] == 0) {
		len = length(s);
		two = len == 1 ? 0x8000 : s->p[0] << 8 | s->p[1];
		for (t = scripts; two >= t[1].first; t++)
			continue;
		s->sum += was != NULL && was + len == s->p
			    && memcmp(was, s->p, (size_t)len) == 0
			? W_AGAIN : t->each;
		was = s->p;
		s->p += len;
	}
}

size_t
token_count(const char *text, size_t n)
{
	struct scan s = {0};
	int k;

	s.p = (const unsigned char *)text;
	for (s.end = s.p + n; s.p < s.end; s.last = k) {
		k = kind[*s.p];
		if (k & LETTER)
			word(&s);
		else if (k == DIGIT)
			number(&s);
		else if (k == BLANK)
			blanks(&s);
		else if (k == MARK)
			marks(&s);
		else
			foreign(&s);
	}
	if (s.sum < 1000)
		return n > 0;
	return (size_t)(s.sum + 500) / 1000;
}
