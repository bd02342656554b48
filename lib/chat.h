#ifndef CHAT_H
#define CHAT_H

/*
 * A conversation: its messages as they are in the log, and the view of
 * them that the next request is made of.
 */

#include <stddef.h>
#include <sys/types.h>

#include "buf.h"
#include "json.h"

enum chat_role { CHAT_OTHER, CHAT_USER, CHAT_ASSISTANT, CHAT_TOOL };

struct chat_call {
	struct span id, name, args; /* JSON values; not owned */
	long key;    /* the id's number: equal ids have equal keys */
	long msg;    /* the message that calls, */
	long result; /* and the one that answers, or -1; both of chat_view */
};

struct chat_msg {
	struct span text;    /* the line; what is missing in it is owned */
	struct span content; /* its JSON value, p NULL for none; not owned */
	enum chat_role role;
	size_t call, ncalls; /* what it calls: where in calls, how many */
	long key;	     /* of a result: its id's number, or -1 */
	size_t tokens;	     /* of the text without "tp" */
	int edited;	     /* text is a part of the line */
	int empty;	     /* no text and no calls */
	int failed;	     /* a result that is not a success */
	int parts;	     /* a result of several calls: chatparts.h */
	int partial, interrupted, shortened; /* as "tp" has it */
	/* Only for the caller: not to be shortened; where in the log it is. */
	int kept;
	long long n, number;
	off_t at;
};

/* An item of the view, in order. */
struct chat_item {
	struct span text; /* without newline; not owned */
	size_t tokens;
	long msg;
	long call; /* of a result: its call; -1 where a group begins */
	int made;  /* text is not a stored line: no newline after it */
};

/* A zeroed struct is ready. */
struct chat {
	struct chat_msg *v;
	size_t n, cap;
	struct chat_call *calls;
	size_t ncalls, callcap;
	struct chat_item *view; /* after chat_view */
	size_t nview, viewcap;
	struct span *ids; /* decoded, by key */
	size_t nids, idcap;
	long *slots; /* hash table of keys + 1 */
	size_t nslots;
	struct strs made; /* texts made here */
};

/*
 * Take the message that j was made of; text is its line.  Both must stay.
 * Calls that no result can match (without id or name, an id twice) and all
 * calls of a partial message are left out of it.
 */
struct chat_msg *chat_add(
    struct chat *c, const struct json *j, struct span text);

/*
 * The message has neither content nor refusal nor audio that says anything;
 * blanks do not.
 */
int chat_silent(const struct json *j);

/* They were added last one first. */
void chat_reverse(struct chat *c);

/*
 * Make c's view, and note which result a call has: the first of its id after
 * it.  Empty messages are left out, and a partial one that the model has
 * spoken after, unless it was the user who went on.
 */
void chat_view(struct chat *c);

/* Keep the text in b as long as c; the span is owned by c. */
struct span chat_made(struct chat *c, const struct buf *b);

/* Forget all messages, keep the memory. */
void chat_reset(struct chat *c);

#endif
