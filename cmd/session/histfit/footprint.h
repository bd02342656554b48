#ifndef FOOTPRINT_H
#define FOOTPRINT_H

#include "chat.h"

/*
 * Put the section footprint: the last max tool calls of c, oldest first, one
 * line each with the tool, its first text argument and how the call ended.
 * Nothing without a call.
 */
void footprint_put(const struct chat *c, long long max);

#endif
