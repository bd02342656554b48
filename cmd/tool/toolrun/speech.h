#ifndef SPEECH_H
#define SPEECH_H

/*
 * What a tool says to us, not to the model, on descriptor 3: JSON lines,
 * {"context":TEXT} for the next request, once {"tools":[GLOB...]}: no others
 * may be called in the next step.  turnpipe-tools(5).
 */

#include "buf.h"

enum { SPEECH_MAX = 65536 }; /* bytes */

/* What a tool may say. */
enum { SPEECH_CONTEXT = 1, SPEECH_TOOLS = 2 };

/* What it said: texts on lines of their own; a zeroed struct is empty. */
struct speech {
	struct buf context;
	struct strs tools;
	int narrows; /* tools was said, perhaps an empty list */
};

/*
 * Take what the tool of that name said, of what it may, and close the
 * descriptor.  One warning for all that is not understood.
 */
void speech_close(int fd, const char *name, int may, struct speech *s);

void speech_free(struct speech *s);

#endif
