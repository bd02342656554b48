#ifndef LLMANSWER_H
#define LLMANSWER_H

/* What llmserver answers: bytes, and when they go out. */

#include <stddef.h>

#include "buf.h"
#include "json.h"

enum answer_type { ANSWER_TEXT, ANSWER_JSON, ANSWER_SSE };

/* Bytes up to end go out delay milliseconds after those before. */
struct piece {
	size_t end;
	long long delay;
};

/* Owns its memory; a zeroed struct is empty. */
struct answer {
	struct buf out;
	struct piece *v;
	size_t n;
	size_t cap;
	enum answer_type type;
};

/*
 * Fill an empty a with what the script's line says for request number k,
 * whose body is req (zeroed where that was no JSON); the path says in which
 * family's terms.
 */
void answer_make(struct answer *a, const struct json *line,
    const struct json *req, const char *path, unsigned long k);

/* The whole answer is this error: Chat Completions' shape. */
void answer_error(struct answer *a, const char *message);

/* Does the line say anything of a body? */
int answer_has_body(const struct json *line);

/* The number at a key of object i, or dflt. */
long long answer_number(
    const struct json *j, int i, const char *key, long long dflt);

/* What an answer is made from. */
struct source {
	struct answer *a;
	const struct json *j; /* the script's line */
	const struct json *req;
	unsigned long k;
};

/* What was added since the last piece is the next one. */
void answer_cut(struct answer *a, long long delay);

/* One event, a piece of its own; name may be NULL. */
void answer_event(
    const struct source *s, const char *name, const char *data, size_t n);

/* Emit the value at key as the pair "as"; -1, and no pair, if there is none. */
int answer_copy(struct buf *b, const struct json *j, int i, const char *key,
    const char *as);

/* The arguments of a call: a string's text, or the value as text. */
void answer_arguments(struct buf *b, const struct json *j, int call);

/* Length of s up to and with a blank. */
size_t answer_word(const char *s, size_t n);

/* Length of want bytes of s and the rest of a character. */
size_t answer_slice(const char *s, size_t n, size_t want);

void answer_free(struct answer *a);

#endif
