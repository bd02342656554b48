#ifndef SCHEMA_H
#define SCHEMA_H

/*
 * JSON Schema, as far as model providers take it.  llmcall(1), SCHEMAS, has
 * the words; values are checked against it by schemafit.h.
 */

#include "buf.h"
#include "json.h"

/* A schema in a parsed text: its document's root, and itself. */
struct schema {
	const struct json *j;
	int root;
	int at; /* -1: none, all fits */
};

/* The JSON Schema name of a kind of value; whole numbers have none. */
extern const char *const schema_kinds[];

/* The token that a reference (the token of its text) leads to, or -1. */
int schema_target(struct schema s, int ref);

/* Itself, or the target of its "$ref" in the end; at -1 if it has none. */
struct schema schema_ref(struct schema s);

/* Another one of its document. */
struct schema schema_in(struct schema s, int at);

/* Does it allow this kind of value, as far as "type", "enum", "const" and
 * alternatives say? */
int schema_allows(struct schema s, enum json_kind kind);

/* Must an object have this member? */
int schema_requires(struct schema s, const char *key);

/* The schema of an object's member; at -1 if nothing is said of it. */
struct schema schema_member(struct schema s, struct span key);

/* The one of all elements of an array; at -1 if there is none such. */
struct schema schema_items(struct schema s);

/* Append a member's name to a path: ".price", or "[\"unit price\"]". */
void schema_enter(struct buf *path, struct span key);

/*
 * Are two values of the same kind, and mean the same: numbers by value,
 * members in any order?
 */
int schema_same(const struct json *a, int i, const struct json *b, int k);

/*
 * Is this a number without a fraction: 5, 5.0, 5e2?  Numbers are compared as
 * doubles, as other validators do: beyond 2^53 only their kind is exact.
 */
int schema_iswhole(const struct json *j, int i);

/* Are the elements of array i all different? */
int schema_unique(const struct json *j, int i);

#endif
