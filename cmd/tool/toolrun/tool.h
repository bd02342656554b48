#ifndef TOOL_H
#define TOOL_H

/* The tools on offer in a conversation.  turnpipe-record(5), tool. */

#include <stddef.h>

#include "buf.h"
#include "json.h"
#include "record.h"

struct tool {
	char *name;
	struct json json; /* the whole record */
	int parameters;	  /* its JSON Schema: a token of json, or -1 */
	int isreadonly;
	int isrequired; /* and not yet called in this turn */
	struct strs paths; /* arguments that are paths */
	char *exec;	/* absolute path, or NULL */
	int speaks;	/* what it may say on descriptor 3: speech.h */
	char *barred;	/* NULL, or the globs of those that may be called */
	char *server, *original; /* run.mcp and run.tool (toolhold(1)): both,
				    or it cannot be run from here */
	int isflags;	/* it takes its arguments as --options */
	int isagent;	/* it starts an agent */
	int isbatch;	/* its calls are calls of others: batch.h */
	int isparallel; /* calls of it may run side by side */
	char *agent;	/* which one; NULL: the argument agent_name says */
	struct strs agents; /* globs: those that it may start */
	struct strs fence; /* tools that the agent may have */
	struct strs load; /* of load_tools: what it can put on offer */
	long long timeout; /* seconds; 0: none said */
	char *limit;	   /* argument that says another, or NULL */
	long long max;	   /* bytes of a result; 0: none said */
	char *text;
};

/* A zeroed struct is empty. */
struct tools {
	struct tool *v;
	size_t n, cap;
};

/*
 * Take a copy of a tool record, also in OpenAI's shape; a later one of the
 * same name replaces it.  One that has no name or a relative run.exec dies
 * with its place (EX_DATAERR).
 */
void tools_add(struct tools *t, const struct rec *r);

/* NULL if it is not on offer. */
const struct tool *tools_find(const struct tools *t, const char *name);

/*
 * Append names for one that is not on offer: those that look like it, or
 * all if none does, with ", " between; at most max of them.
 */
void tools_near(const struct tools *t, const char *name, size_t max,
    struct buf *b);

/* Does one name look like the other? */
int tool_alike(const char *x, const char *y);

void tools_reset(struct tools *t);

#endif
