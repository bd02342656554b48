#ifndef EXCHANGE_H
#define EXCHANGE_H

/*
 * The streamable HTTP transport of MCP: each message of the client is a POST,
 * whose answer is JSON or an event stream.  Of 2025-11-25 and before: the
 * session and its end, a new one where the server has lost it, the stream of
 * a GET, streams that are resumed.  Of 2026-07-28: the headers that repeat
 * what is in the body.
 */

#include <stddef.h>

#include "apikey.h"
#include "buf.h"

struct exchange_spec {
	const char *url;
	struct strs headers; /* of the user, "Name: value" */
	const struct apikey *key;
};

/* Called with each message for the client, a JSON object on one line. */
extern void (*exchange_put)(struct span message);

void exchange_open(const struct exchange_spec *spec);

/* Take a message of the client's; what is no message is skipped. */
void exchange_take(const char *p, size_t n);

/*
 * Work for a while, at most until the descriptor (-1: none) can be read; is
 * it so?  Dies with EX_UNAVAILABLE where a session is lost and no new one
 * can be had.
 */
int exchange_work(int fd);

/* Is an answer awaited, or a message to be sent? */
int exchange_busy(void);

/* Tell the server that the session is over. */
void exchange_close(void);

#endif
