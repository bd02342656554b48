#ifndef CTXSPEC_H
#define CTXSPEC_H

/* The search of ctxfind, as settings and options give it. */

#include "context.h"

/* All of it as the settings have it; what is wrong there dies. */
void ctxspec_defaults(struct context_spec *spec);

/*
 * The names in arg, commas between, in place of what l holds: each below a
 * directory, so not absolute and without ".."; -1 if one is not.
 */
int ctxspec_names(struct strs *l, const char *arg);

/* "cwd", "git", "home" or "root" as enum context_stop; -1 if it is not one. */
int ctxspec_stop(const char *arg);

#endif
