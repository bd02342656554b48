#ifndef RECENT_H
#define RECENT_H

/* The tools that the last turns of a conversation called. */

#include <stddef.h>

#include "buf.h"
#include "json.h"

/* A tool that was called, and in which turn. */
struct recent_call {
	char *name;
	size_t turn;
};

/* Owns all; a zeroed struct has seen nothing. */
struct recent {
	struct recent_call *v;
	size_t n, cap;
	size_t turn; /* messages of the user so far */
};

/* Take note of object 0 of j, a message. */
void recent_note(struct recent *r, const struct json *j);

/* Append the names of the tools called in the last turns. */
void recent_tools(const struct recent *r, long long turns, struct strs *l);

void recent_reset(struct recent *r);

#endif
