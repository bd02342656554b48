/*
 * token            test token_count
 * token FILE...    print "FILE COUNT" for each, for t/lib/token.t
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "diag.h"
#include "file.h"
#include "tap.h"
#include "token.h"

/* The true count by o200k_base, and how far off we may be. */
static const struct {
	const char *text;
	size_t count, off;
} cases[] = {
    {"", 0, 0},
    {"a", 1, 0},
    {" ", 1, 0},
    {"\n", 1, 0},
    {"hello", 1, 0},
    /* By o200k_base, not four letters each. */
    {"hello world!", 3, 0},
    {"caf\303\251", 2, 1},
    {"12", 1, 0},
    {"1234567", 3, 0},
    {"The quick brown fox jumps over the lazy dog.", 10, 2},
    {"Please read the file and tell me what is wrong.", 11, 1},
    {"getUserNameFromSession", 5, 1},
    {"int main(int argc, char *argv[])\n{\n\treturn 0;\n}\n", 15, 2},
    {"{\"role\":\"user\",\"content\":\"hi\"}", 9, 2},
    {"/usr/share/doc/README.md:12:7: expected a value", 14, 2},
    {"2026-11-21T09:30:00Z", 13, 1},
    {"--------------------------------", 1, 2},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 4, 2},
    {"Gki1xedC+BpnySRTvRPzQCOmvDcmd7obf5oMY3qdhBMBtLIKjXHHMQfwD+tR"
     "f6Gg+bDV7lrWaAa8yAklu/ZMLZ68zllX13IAk8oPKBCF1xu5uL9at9Sc11js",
	78, 8},
    {"d41d8cd98f00b204e9800998ecf8427e", 19, 2},
    {"\346\227\245\346\234\254\350\252\236", 2, 1},
    {"\320\237\321\200\320\270\320\262\320\265\321\202", 2, 1},
    {"\360\237\230\200", 1, 1},
    /* Of these blocks each costs three. */
    {"\360\237\217\203\360\237\220\231\360\237\247\200", 7, 2},
    /* Han in kana is Japanese, a short run may be. */
    {"\350\250\255\345\256\232\343\201\231\343\202\213", 2, 1},
};

static const char *const bits[] = {"word", " Word", "'s", "_x", "42", "\n",
    "  ", "\t", "()", "====", "camelCase", "\303\266", "\341\272\277",
    "\346\227\245", "\343\201\202", "\320\226", "\342\200\224",
    "\360\237\230\200"};

/* No UTF-8, or the beginning of some. */
static const char *const bad[] = {"\200", "\377", "\303", "\346", "\346\227",
    "\360\237\230", "\364\220\200\200", "\355\240\200", "\300\200"};

enum { NBITS = sizeof(bits) / sizeof(bits[0]) };

static size_t
distance(size_t a, size_t b)
{
	return a > b ? a - b : b - a;
}

/* In memory of its own size, so that a sanitizer sees reads beyond it. */
static size_t
count(const char *s, size_t n)
{
	char *p = xmalloc(n > 0 ? n : 1);
	size_t t;

	memcpy(p, s, n);
	t = token_count(p, n);
	free(p);
	return t;
}

static void
test_cases(void)
{
	size_t i, got;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		got = count(cases[i].text, strlen(cases[i].text));
		ok(distance(got, cases[i].count) <= cases[i].off,
		    "%zu for %zu: %s", got, cases[i].count, cases[i].text);
	}
}

/* Two bits together cost about what they cost alone. */
static void
test_pairs(void)
{
	static struct buf b;
	size_t i, j, k, one, two, wrong = 0, none = 0;

	for (i = 0; i < NBITS; i++)
		for (j = 0; j < NBITS; j++) {
			buf_reset(&b);
			buf_puts(&b, bits[i]);
			one = count(b.p, b.n);
			buf_puts(&b, bits[j]);
			two = count(b.p, b.n);
			k = count(bits[j], strlen(bits[j]));
			none += one == 0 || two == 0 || k == 0;
			if (two + 1 < one || two + 1 < k || two > one + k + 1) {
				printf("# %zu + %zu: %zu, %zu, %zu\n", i, j,
				    one, k, two);
				wrong++;
			}
		}
	ok(none == 0, "only an empty text has no tokens");
	ok(wrong == 0, "two together are about the sum of both");
}

static void
test_growth(void)
{
	static struct buf b;
	size_t i, j, last = 0, once = 0, t, wrong = 0;

	for (j = 0; j < 8; j++) {
		for (i = 0; i < NBITS; i++) {
			buf_puts(&b, bits[i * 7 % NBITS]);
			t = count(b.p, b.n);
			/* A letter may make a common word of a rare one. */
			wrong += t + 1 < last;
			last = t;
		}
		if (j == 0)
			once = last;
	}
	ok(wrong == 0, "a longer text has fewer by one at most");
	ok(distance(8 * once, last) <= once / 2,
	    "eight times the text, eight times the tokens: %zu, %zu", once,
	    last);
}

static void
test_bytes(void)
{
	static struct buf b;
	char s[512];
	size_t i, j, wrong = 0;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		for (j = 0; j < NBITS; j++) {
			buf_reset(&b);
			buf_puts(&b, bits[j]);
			buf_puts(&b, bad[i]);
			wrong += count(b.p, b.n) == 0;
			buf_puts(&b, bits[j]);
			wrong += count(b.p, b.n) > 12;
		}
	ok(wrong == 0, "what is no UTF-8 is counted");
	for (i = 0; i < sizeof(s); i++)
		s[i] = (char)(i * 181 + i / 256);
	ok(count(s, sizeof(s)) > 0, "every byte there is, NUL too");
	memset(s, 0, sizeof(s));
	ok(count(s, sizeof(s)) > 0, "NULs");
	memset(s, 0xff, sizeof(s));
	ok(count(s, sizeof(s)) > 0, "bytes 0xff");
}

int
main(int argc, char **argv)
{
	static struct buf b;
	enum file_result r;
	int i;

	prog = "token";
	for (i = 1; i < argc; i++) {
		buf_reset(&b);
		if ((r = file_read(argv[i], &b, 1 << 24)) != FILE_OK)
			die(EX_NOINPUT, "%s: %s", argv[i], file_why(r));
		printf("%s %zu\n", argv[i], token_count(b.p, b.n));
	}
	if (argc > 1)
		return 0;
	test_cases();
	test_pairs();
	test_growth();
	test_bytes();
	return done_testing();
}
