#ifndef APIERROR_H
#define APIERROR_H

/*
 * The error message of a server: read out of the many shapes that
 * error bodies have, and judged by the patterns in share/faults.yaml.
 * turnpipe-providers(5), FAULTS.
 */

#include <stddef.h>

#include "buf.h"
#include "json.h"

/* Empty after apierror_reset. */
struct apierror {
	struct buf type, code, message;
	struct buf generation; /* what the model wrote, if it is reported */
	int bare; /* a text, and nothing else */
	long long wait; /* milliseconds that its details ask for, or -1 */
};

void apierror_reset(struct apierror *f);

/* Is there an error in this object of a stream or an answer? */
int apierror_in(const struct json *j);

/*
 * Read the error out of an object or array; what is missing stays.  Of a
 * message 2 kB are kept, and no key.
 */
void apierror_read(struct apierror *f, const struct json *j);

/* The same of a body that may be anything, HTML or empty. */
void apierror_body(struct apierror *f, const char *s, size_t n);

/* Does one of the patterns under this key ("overflow") fit? */
int apierror_is(const struct apierror *f, const char *key);

/*
 * The kind of a finish reason: a key below "finish" of share/faults.yaml,
 * "end" also of ""; NULL for one that is in no list.
 */
const char *apierror_finish(const char *reason);

/* Milliseconds of its details, or after "try again in" and its like in the
 * message; or -1. */
long long apierror_wait(const struct apierror *f);

/* "type: code: message", for people; appended to b. */
void apierror_say(const struct apierror *f, struct buf *b);

void apierror_free(struct apierror *f);

#endif
