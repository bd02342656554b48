#ifndef FIELDS_H
#define FIELDS_H

/*
 * What several state or config records amount to: merged field by field,
 * later over earlier, but a field of a record with "by":"user" stays
 * against all later ones that are not.  turnpipe-record(5), state, config.
 */

#include <stddef.h>

#include "buf.h"
#include "json.h"

struct field {
	char *key; /* owned */
	struct buf value; /* JSON text, owned */
	int user;
};

/* A zeroed struct is empty. */
struct fields {
	struct field *v;
	size_t n;
	size_t cap;
	struct buf text; /* the merged object */
	struct json json;
	int stale;
};

/* Merge in object 0 of j; its keys "type" and "by" are left out. */
void fields_merge(struct fields *f, const struct json *j);

/* Copy one field byte for byte, if from has it. */
void fields_copy(struct fields *f, const struct fields *from, const char *key);

/* The merged object; owned by f, good until the next merge or reset. */
const struct json *fields_json(struct fields *f);

/* Shorthands: a field's value, or dflt where it is missing or no such. */
long long fields_int(struct fields *f, const char *key, long long dflt);
double fields_num(struct fields *f, const char *key, double dflt);

void fields_reset(struct fields *f);

#endif
