#ifndef TOOLCALL_H
#define TOOLCALL_H

/* The tool calls of an assistant message. */

#include <stddef.h>

#include "buf.h"
#include "json.h"
#include "record.h"
#include "tool.h"

struct toolcall {
	char *id;
	char *name;
	struct buf text; /* the arguments, a JSON text and a newline */
	struct json args; /* text parsed, if it could be */
	const struct tool *tool; /* NULL: not on offer */
	const struct tools *offer; /* all of those that it was made from */
	struct strs agreed; /* paths that the user let it have */
	int answered; /* the stream has a result for it */
	int ispart;   /* of a batch: it has no result of its own */
	int deferred; /* the stream has a mark that it is open */
	struct strs led; /* where its paths led then */
	char *cwd;	 /* and where it was to run; NULL: not known */
	struct buf mark; /* that it is open from now on */
	int shown; /* the user saw what it does, in a question */
};

/* A zeroed struct is empty. */
struct toolcalls {
	struct toolcall *v;
	size_t n, cap;
	size_t *slots; /* of a hash of the ids: 1 + the first with it, or 0 */
	size_t nslots; /* a power of 2; 0: it is not made yet */
	int ispartial; /* the message broke off: nothing of it may run */
	int isresumed; /* some are deferred: the message was begun before */
	int issilent;  /* the message neither says nor calls anything */
};

/*
 * Take in a message: an assistant's replaces the calls, a tool's answers
 * one, a user's ends the turn that they were of.  A call without an id or a
 * name dies with its place (EX_DATAERR).
 */
void toolcalls_take(struct toolcalls *c, const struct rec *r);

/* Add the call that object i of j describes: name, and arguments. */
void toolcalls_add(
    struct toolcalls *c, const char *id, const struct json *j, int i);

/*
 * Can the call be run?  0, or -1 with a result that says why not in b: no
 * such tool, arguments that are no object, or do not fit the schema.  Sets
 * tool, offer and args.
 */
int toolcall_check(struct toolcall *c, const struct tools *t, struct buf *b);

/* The shell line among the arguments, "command"; the caller frees it.
 * NULL if there is none. */
char *toolcall_command(const struct toolcall *c);

/* The first call with that id, or NULL. */
struct toolcall *toolcalls_find(struct toolcalls *c, const char *id);

void toolcalls_reset(struct toolcalls *c);

/* The agent that the call starts; the caller frees.  NULL for none. */
char *toolcall_agent(const struct toolcall *c);

#endif
