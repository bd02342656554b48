#ifndef CLIENT_H
#define CLIENT_H

/* A client of the process that holds the servers (hold.h). */

#include "buf.h"
#include "json.h"

/*
 * Connect: to the one of this run (TURNPIPE_TOOLHOLD, TURNPIPE_TOOLHOLD_TOKEN)
 * if there is one and no file is named, else to one of our own that reads
 * the configuration at path (NULL: the usual one) and ends with us.  Is it
 * the one of this run?
 */
int client_open(const char *path);

/*
 * Ask; b holds the members of the object after the token, as emit makes
 * them, with the object still open, and is emptied.
 */
void client_start(struct buf *b);
void client_ask(struct buf *b);

/*
 * The next line of the answer, parsed; good until the next call.  What is slow
 * to start is named at a terminal.  Dies with EX_PROTOCOL where the other side
 * is gone.
 */
const struct json *client_next(void);

#endif
