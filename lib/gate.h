#ifndef GATE_H
#define GATE_H

/*
 * The gate in front of every JSON text: one strict pass (RFC 8259, UTF-8 by
 * RFC 3629).  Beyond the grammar it refuses duplicate keys (compared
 * decoded), nesting deeper than JSON_DEPTH, lone surrogates, and texts of
 * 1 GiB and more.  Time is linear in the text, n log n in the keys of one
 * object.
 */

#include <stddef.h>
#include <stdint.h>

#include "buf.h"

enum { JSON_DEPTH = 128 };

/* The gate's findings about a text. */
struct gate {
	const char *why; /* what was expected, when the check fails */
	size_t at;	 /* offset in bytes where it was */
	size_t ntok;	 /* tokens that jsmn will need */
	/*
	 * Strings at the root object's keys "type" and "role", decoded;
	 * p is NULL where there is none.  Good until the next check.
	 */
	struct span type;
	struct span role;
	uint64_t keys; /* gate_key of each key at any depth, or-ed */
	int hasu; /* a string has a \u escape */
	int isobject;
	int badtype; /* "type" is there and is no string; at says where */
};

/* One bit of 64, by the key's bytes. */
uint64_t gate_key(const char *key, size_t n);

/* Check one text.  0, or -1 with why and at set. */
int gate_check(const char *s, size_t n, struct gate *g);

#endif
