#ifndef ENCODE_H
#define ENCODE_H

/*
 * The neutral request as the bytes that a provider takes: what the bodies of
 * all protocols share.  What is ours is left out, what the provider's file
 * says is renamed, dropped or put in, and what a server would refuse the
 * whole request for is repaired.
 */

#include "buf.h"
#include "json.h"
#include "provider.h"

/* Is the string at k in the provider's list at path? */
int encode_listed(const struct provider *p, const char *path,
    const struct json *j, int k);

/* A call's id, in the form that this provider takes, as a JSON string. */
void encode_id(struct buf *b, const struct provider *p, const struct json *j,
    int i);

/* Append the arguments of call i as an object's text, repaired if need be. */
void encode_args(struct buf *b, const struct json *j, int call);

/* Number of tool calls in the messages. */
size_t encode_calls(const struct json *j);

/* Is a content none: not there, null, "" or []? */
int encode_blank(const struct json *j, int i);

/* Append a content that is all text; -1 if it is not. */
int encode_text(struct buf *b, const struct json *j, int i);

/*
 * The request's fields that are neither ours nor among those that the caller
 * has taken, a list up to NULL, as rename, drop, drop_for, most and exclude
 * have it; also: a field that the caller has written besides, or NULL.
 */
void encode_fields(struct buf *b, struct provider *p, const char *model,
    const struct json *j, const char *const *taken, const char *also);

/*
 * How this model is asked to think, by the provider's "effort": not at all, by
 * the word of reasoning_effort, by a number of tokens, or as it sees fit with
 * that word.  word is the provider's.
 */
enum encode_effort { EFFORT_NONE, EFFORT_PLAIN, EFFORT_BUDGET, EFFORT_ADAPTIVE };
enum encode_effort encode_effort(struct provider *p, const char *model,
    const struct json *j, struct buf *word);

/* A tool of the provider's own, in provider_json; -1 if it has none. */
int encode_own_tool(const struct provider *p, const char *name);

/* Write those that the request names as elements of an open array. */
void encode_own_tools(
    struct buf *b, const struct provider *p, const struct json *j);

/* Has the request any tools? */
int encode_has_tools(const struct json *j);

/* The fields of "set". */
void encode_set(struct buf *b, const struct provider *p, const char *model);

/*
 * The assistant's words as their provider gave them, for that provider to
 * have back: "native" of a message (reply.h), with the text and the calls
 * that it points to put in their places.
 */

struct native {
	/* What comes next: text, a call's token, or a block's; the others
	 * are empty, -1 and -1. */
	struct span text;
	int call, own;
	int cited; /* the text's citations, or -1 */
	/* Private. */
	const struct json *j;
	int at, calls, late, blocks, rest;
	struct buf content;
	size_t pos;
};

/*
 * Begin with message m.  -1 if it has no such thing, another model made it
 * or this one spoken to in another way, or its text is no longer what it
 * was.  late: no text may come after a call.
 */
int native_open(struct native *w, const struct json *j, int m,
    const struct provider *p, const char *api, const char *model, int late);

/* On to the next piece, in order; 0 at the end.  Calls that "native" does
 * not have come last. */
int native_next(struct native *w);

void native_free(struct native *w);

#endif
