/* The examples of FIPS 180-4 and every length around a block. */
#include <string.h>

#include "sha256.h"
#include "tap.h"

static struct buf b;

static const char *
of(const void *p, size_t n)
{
	buf_reset(&b);
	sha256_hex(&b, p, n, 64);
	return buf_cstr(&b);
}

int
main(void)
{
	/* sha256sum of "abc...", 0 to 130 letters, digests put together */
	static char text[131], all[131 * 64];
	size_t i;

	ok(strcmp(of("", 0), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934c"
	    "a495991b7852b855") == 0, "nothing");
	ok(strcmp(of("abc", 3), "ba7816bf8f01cfea414140de5dae2223b00361a39617"
	    "7a9cb410ff61f20015ad") == 0, "abc");
	for (i = 0; i < sizeof(text); i++)
		text[i] = (char)('a' + i % 26);
	for (i = 0; i < sizeof(text); i++)
		memcpy(all + 64 * i, of(text, i), 64);
	ok(strcmp(of(all, sizeof(all)), "8005a8c373293c0c5a36dcbd91f9b388314ff7485144001ec2cab771b89d7d71") == 0,
	    "0 to 130 bytes");
	buf_reset(&b);
	sha256_hex(&b, "abc", 3, 8);
	ok(b.n == 8 && memcmp(b.p, "ba7816bf", 8) == 0, "the first digits");
	return done_testing();
}
