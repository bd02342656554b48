#ifndef DISCOVER_H
#define DISCOVER_H

#include "buf.h"

/*
 * The model of a run that names none: TURNPIPE_MODEL, settings "model", the
 * first provider (by rank) with a key in the environment or the user's key
 * files, with its default model; a server that the environment names
 * (OPENAI_BASE_URL, OLLAMA_HOST ...); one on this machine that answers as
 * its provider's file says.  Looked for once; such a server has 300 ms, one
 * of the environment 5 s.  NULL if not found.
 */
const char *discover_model(void);

/*
 * Append why discover_model found none, for people, where the environment named
 * servers: which of them did not answer, or not as a server of models.
 */
void discover_why(struct buf *b);

#endif
