#ifndef SERVICE_H
#define SERVICE_H

/*
 * A provider's batch service, as "batch" of its file names it: form files
 * (OpenAI's: the requests are a file, the answers are two) or inline
 * (Anthropic's).  All of it waits; what can be asked again is, as retry.h
 * says.  Dies of what the service refuses for good and, after all tries, of
 * what it does not answer.  turnpipe-providers(5).
 */

#include <stddef.h>
#include <time.h>

#include "buf.h"
#include "json.h"
#include "provider.h"

struct service;

/* Dies if the provider is not known, has no such service or no key. */
struct service *service_open(const char *provider);

struct provider *service_provider(const struct service *s);

/* The most that a batch may hold. */
size_t service_requests(const struct service *s);
size_t service_bytes(const struct service *s);

/*
 * What is uploaded for a batch of that name, in pieces: its begin, a request
 * for each line (n from 0; path is its API's), its end.  Appended to b.
 */
void service_begin(const struct service *s, struct buf *b, const char *name);
void service_line(const struct service *s, struct buf *b, size_t n,
    const char *id, const char *path, struct span body);
void service_end(const struct service *s, struct buf *b, const char *name);

/*
 * Make the batch: 1 with its id appended, 0 if it is not known whether it
 * was made.
 */
int service_make(struct service *s, struct span upload, const char *name,
    const char *path, struct buf *id);

/*
 * Look for a batch of n requests that was made under that name, not long
 * before the time made; known says which ids are another batch's.
 */
enum service_found {
	SERVICE_FOUND,
	SERVICE_NONE,
	SERVICE_LATER /* perhaps one that the service still works at */
};
enum service_found service_find(struct service *s, const char *name, size_t n,
    time_t made, int (*known)(const char *id), struct buf *id);

/* How far a batch is.  A zeroed struct is ready. */
struct service_state {
	int over;
	long long done, all;	 /* requests */
	struct buf word;	 /* the service's */
	struct buf why;		 /* it failed as a whole; else empty */
	struct buf input, output, faults; /* files, or empty */
	struct service_refusal {
		long long line; /* of the input, from 1 */
		char *why;
	} *refused; /* lines for which it failed, when it is over */
	size_t nrefused, cap;
};
void service_ask(
    struct service *s, const char *id, struct service_state *state);

/* Append the answers of a batch that is over to a file, a line each. */
void service_fetch(struct service *s, const char *id,
    const struct service_state *state, int fd);

/* Delete its files, whose answers are in; what stays there is reported. */
void service_forget(struct service *s, const struct service_state *state);

/*
 * Read such a line.  The HTTP status, with the body; 0 with why, in a few
 * words, if the request was not answered.
 */
int service_read(const struct service *s, const struct json *j,
    struct span *body, struct buf *why);

#endif
