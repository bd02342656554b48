#ifndef DELTARESP_H
#define DELTARESP_H

/*
 * Answers of the Responses API.  Summaries of reasoning, or its text, go to
 * the reasoning field; the items as they came go to the blocks.
 */

#include "delta.h"

/*
 * Take in one event of a stream: by its own "type", else by the type of the
 * event that brought it.  1 if something of the message came, else 0.
 */
int deltaresp_event(struct delta *d, const char *type, const struct json *j);

/* The same of an answer that came whole. */
int deltaresp_whole(struct delta *d, const struct json *j);

#endif
