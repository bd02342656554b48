/*
 * What the fuzzers of make fuzz have in common: texts made of pieces, cut and
 * joined at random.  fuzz-NAME SECONDS [SEED]; without operands, as prove runs
 * every unit, it says that it is skipped.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "clock.h"

static uint64_t fuzz_state;
static long long fuzz_until;

static size_t
fuzz_any(size_t n)
{
	fuzz_state ^= fuzz_state << 13;
	fuzz_state ^= fuzz_state >> 7;
	fuzz_state ^= fuzz_state << 17;
	return (size_t)(fuzz_state % n);
}

/* 0 if there is nothing to do. */
static int
fuzz_begin(int argc, char **argv)
{
	if (argc < 2) {
		puts("1..0 # SKIP driven by make fuzz");
		return 0;
	}
	fuzz_until = clock_ms() + (long long)(1000 * atof(argv[1]));
	fuzz_state = argc > 2 ? (uint64_t)atoll(argv[2]) | 1
			      : (uint64_t)fuzz_until | 1;
	/* Printed first: a report of a sanitizer ends the process. */
	fprintf(stderr, "seed %llu\n", (unsigned long long)fuzz_state);
	return 1;
}

/* A text of up to most pieces, with single bytes changed now and then. */
static void
fuzz_text(struct buf *b, const char *const *pieces, size_t n, size_t most)
{
	const char *s;
	size_t k, len, at, skip;

	buf_reset(b);
	for (k = fuzz_any(most + 1); k > 0; k--) {
		s = pieces[fuzz_any(n)];
		len = strlen(s);
		skip = fuzz_any(12) == 0 && len > 1 ? fuzz_any(len) : 0;
		buf_add(b, s + skip, len - skip);
		if (fuzz_any(40) == 0)
			buf_putc(b, (char)fuzz_any(256));
	}
	for (k = fuzz_any(4); k > 0 && b->n > 0; k--) {
		at = fuzz_any(b->n);
		if (fuzz_any(3) == 0)
			b->p[at] = (char)fuzz_any(256);
		else if (fuzz_any(2) == 0)
			b->n = at;
		else
			b->p[at] = (char)(b->p[at] ^ (1 << fuzz_any(8)));
	}
}

/* A text that shows a fault, so that it can be tried again. */
static int
fuzz_bad(const char *what, const struct buf *b)
{
	size_t i;

	printf("%s: ", what);
	for (i = 0; i < b->n; i++)
		printf("\\x%02x", (unsigned char)b->p[i]);
	putchar('\n');
	return 1;
}
