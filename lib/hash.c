#include "hash.h"

uint64_t
hash_bytes(const void *p, size_t n)
{
	const unsigned char *s = p;
	uint64_t h = 14695981039346656037u;

	for (; n > 0; n--) {
		h ^= *s++;
		h *= 1099511628211u;
	}
	return h;
}

void
hash_hex(struct buf *b, const void *p, size_t n)
{
	uint64_t h = hash_bytes(p, n);

	buf_printf(b, "%08lx", (unsigned long)((h >> 32 ^ h) & 0xffffffff));
}
