#include <stdint.h>
#include <string.h>

#include "sha256.h"

enum { BLOCK = 64 };

/* The first 32 bits of the cube roots' fractions of 64 primes. */
static const uint32_t k[BLOCK] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b,
	0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
	0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7,
	0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
	0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152,
	0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
	0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
	0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
	0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t
turn(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

static void
block(uint32_t h[8], const unsigned char *p)
{
	uint32_t w[BLOCK], v[8], a, b;
	int i;

	for (i = 0; i < 16; i++, p += 4)
		w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16
		    | (uint32_t)p[2] << 8 | p[3];
	for (; i < BLOCK; i++) {
		a = w[i - 15];
		b = w[i - 2];
		w[i] = w[i - 16] + w[i - 7]
		    + (turn(a, 7) ^ turn(a, 18) ^ a >> 3)
		    + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
	}
	memcpy(v, h, sizeof(v));
	for (i = 0; i < BLOCK; i++) {
		a = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25))
		    + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
		b = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22))
		    + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
		memmove(v + 1, v, 7 * sizeof(*v));
		v[4] += a;
		v[0] = a + b;
	}
	for (i = 0; i < 8; i++)
		h[i] += v[i];
}

void
sha256_hex(struct buf *b, const void *p, size_t len, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	uint32_t h[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	unsigned char last[2 * BLOCK] = { 0 };
	const unsigned char *s = p;
	uint64_t bits = (uint64_t)len * 8;
	size_t i, all, left = len;

	for (; left >= BLOCK; left -= BLOCK, s += BLOCK)
		block(h, s);
	if (left > 0)
		memcpy(last, s, left);
	last[left] = 0x80;
	all = left + 9 > BLOCK ? 2 * BLOCK : BLOCK;
	for (i = 0; i < 8; i++)
		last[all - 1 - i] = (unsigned char)(bits >> 8 * i);
	block(h, last);
	if (all > BLOCK)
		block(h, last + BLOCK);
	for (i = 0; i < n && i < 64; i++)
		buf_putc(b, digits[h[i / 8] >> (28 - 4 * (i % 8)) & 15]);
}
