#ifndef DELTAMSGS_H
#define DELTAMSGS_H

/*
 * Answers of the Messages API.  Thinking goes to the reasoning field, for
 * people, and as it came to the blocks, for the model.
 */

#include "delta.h"

/*
 * Take in one event of a stream: by its own "type", else by the type of the
 * event that brought it.  1 if something of the message came, else 0.
 */
int deltamsgs_event(struct delta *d, const char *type, const struct json *j);

/* The same of an answer that came whole. */
int deltamsgs_whole(struct delta *d, const struct json *j);

#endif
