#ifndef SPEECH_H
#define SPEECH_H

/*
 * What a tool says to us, not to the model, on descriptor 3: JSON lines,
 * {"context":TEXT} for the next request.  turnpipe-tools(5).
 */

#include "buf.h"

enum { SPEECH_MAX = 65536 }; /* bytes */

/* A descriptor for a tool to write to; -1 and errno. */
int speech_open(void);

/*
 * Append to context what the tool of that name said, texts on lines of their
 * own, and close the descriptor.  One warning for all that is not understood.
 */
void speech_close(int fd, const char *name, struct buf *context);

#endif
