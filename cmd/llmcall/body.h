#ifndef BODY_H
#define BODY_H

/*
 * The neutral request as the bytes that a provider takes: what the bodies of
 * all families share.  What is ours is left out, what the provider's file
 * says is renamed, dropped or put in, and what a server would refuse the
 * whole request for is mended.
 */

#include "buf.h"
#include "json.h"
#include "provider.h"

/* Is the string at k in the provider's list at path? */
int body_listed(const struct provider *p, const char *path,
    const struct json *j, int k);

/* A call's id, in the form that this provider takes, as a JSON string. */
void body_id(struct buf *b, const struct provider *p, const struct json *j,
    int i);

/* Append the arguments of call i as an object's text, mended if need be. */
void body_args(struct buf *b, const struct json *j, int call);

/* Number of tool calls in the messages. */
size_t body_calls(const struct json *j);

/* Is a content none: not there, null, "" or []? */
int body_blank(const struct json *j, int i);

/* Append a content that is all text; -1 if it is not. */
int body_text(struct buf *b, const struct json *j, int i);

/*
 * The message that answers this call of message m, before the model speaks
 * again; the first one if there are several; -1 if there is none.
 */
int body_result(const struct json *j, int m, int call);

/* Append what the model reads in its place: prompts/missing-result.md. */
void body_missing(struct buf *b, const struct json *j, int call);

/*
 * The request's fields that are neither ours nor among the n that the
 * caller has taken, as rename, drop, drop_for, most and exclude have it.
 */
void body_fields(struct buf *b, struct provider *p, const char *model,
    const struct json *j, const char *const *taken, size_t n);

/* The fields of "set". */
void body_set(struct buf *b, const struct provider *p, const char *model);

#endif
