#ifndef FLAG_H
#define FLAG_H

/*
 * Config fields that come from the command line and the environment, as the
 * user's word over the records of a conversation.
 */

#include <stddef.h>

#include "fields.h"

/* Note a flag.  With json, a value that is JSON is taken as such. */
void flag_set(const char *key, size_t n, const char *value, int json);

/* Start a conversation: TURNPIPE_MODEL, which a later user's word changes. */
void flag_begin(struct fields *config);

/* At its end: the flags, over all. */
void flag_end(struct fields *config);

#endif
