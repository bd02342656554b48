#ifndef JSON_H
#define JSON_H

/*
 * JSON values: the gate checks a text, jsmn makes tokens of it, and these
 * look them up.
 *
 * A value is named by the index of its token; the root is 0 and "none" is
 * -1, which every look-up accepts and answers with "none".
 */

#include <stddef.h>

#include "buf.h"
#include "gate.h"

enum json_kind {
	JSON_NONE,
	JSON_OBJECT,
	JSON_ARRAY,
	JSON_STRING,
	JSON_NUMBER,
	JSON_TRUE,
	JSON_FALSE,
	JSON_NULL
};

/* A parsed text.  A zeroed struct is ready; it can be used again and again. */
struct json {
	const char *s; /* the text; not owned, must outlive the tokens */
	size_t n;
	const char *why; /* as in struct gate */
	size_t at;
	size_t ntok;
	void *tok; /* owned */
	size_t cap;
};

/*
 * The next member of the object in a checked text, key and value as they
 * stand there; *at is where to go on, at first the text.  0 after the last.
 * Without tokens, for who wants few members of a long text.
 */
int json_member(const char **at, const char *end, struct span *key,
    struct span *value);

/* Is a key as it stands there, with its quotes, this one? */
int json_iskey(struct span key, const char *s);

/* Check and tokenise.  0, or -1 with why and at set. */
int json_parse(struct json *j, const char *s, size_t n);

/* Tokenise a text that gate_check has let through with that ntok. */
void json_tokens(struct json *j, const char *s, size_t n, size_t ntok);

void json_free(struct json *j);

/* Line and column, in bytes from 1, of offset at in s. */
void json_where(const char *s, size_t at, size_t *line, size_t *col);

enum json_kind json_kind(const struct json *j, int i);

/* Value at a key of object i, or -1. */
int json_get(const struct json *j, int i, const char *key);

/* The same for a key that may hold anything. */
int json_find(const struct json *j, int i, struct span key);

/* The same along keys and array indices: "usage.details.0.n". */
int json_at(const struct json *j, int i, const char *path);

/*
 * Walk an object or array: json_first gives its first key or element,
 * json_next the one after key or element i; -1 at the end.  The value of
 * key k is k + 1.
 */
int json_first(const struct json *j, int i);
int json_next(const struct json *j, int i);

/* Number of pairs or elements. */
size_t json_count(const struct json *j, int i);

/* The value as written in the text, a string with its quotes. */
struct span json_span(const struct json *j, int i);

/* Append the decoded string (may hold NUL).  0, or -1 if i is no string. */
int json_str(const struct json *j, int i, struct buf *b);

/*
 * The decoded string as a C string that the caller frees; NULL if i is no
 * string or holds a NUL.
 */
char *json_dup(const struct json *j, int i);

/* Is i a string equal to s? */
int json_is(const struct json *j, int i, const char *s);

/*
 * 0 and *v set, or -1 if i is no number or does not fit.  json_int takes
 * 5.0 and 5e2 as integers, never 5.5.
 */
int json_int(const struct json *j, int i, long long *v);
int json_num(const struct json *j, int i, double *v);

/* Is i the literal true? */
int json_true(const struct json *j, int i);

/*
 * Copy the elements of a string array, or one string, to l.  Number of
 * elements that were no strings (skipped); -1 if i is neither.
 */
int json_strs(const struct json *j, int i, struct strs *l);

#endif
