#ifndef FAULT_H
#define FAULT_H

/*
 * What a server says when a call fails: read out of the many shapes that
 * error bodies have, and judged by the patterns in share/faults.yaml.
 * turnpipe-providers(5), FAULTS.
 */

#include <stddef.h>

#include "buf.h"
#include "json.h"

/* A zeroed struct is empty. */
struct fault {
	struct buf type, code, message;
	struct buf generation; /* what the model wrote, where it is told */
};

void fault_reset(struct fault *f);

/* Is there an error in this object of a stream or an answer? */
int fault_in(const struct json *j);

/*
 * Read the error out of an object or array; what is missing stays.  Of a
 * message 2 kB are kept, and no key.
 */
void fault_read(struct fault *f, const struct json *j);

/* The same of a body that may be anything, HTML or empty. */
void fault_body(struct fault *f, const char *s, size_t n);

/* Does one of the patterns under this key ("overflow") fit? */
int fault_is(const struct fault *f, const char *key);

/*
 * The kind of a finish reason, "length", "refused", "overflow", "failed" or
 * "paused"; NULL for one that is an end like any other.
 */
const char *fault_finish(const char *reason);

/* Milliseconds after "try again in" and its like in the message; or -1. */
long long fault_wait(const struct fault *f);

/* "type: code: message", for people; appended to b. */
void fault_say(const struct fault *f, struct buf *b);

void fault_free(struct fault *f);

#endif
