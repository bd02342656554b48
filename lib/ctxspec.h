#ifndef CTXSPEC_H
#define CTXSPEC_H

/*
 * What ctxfind looks for, as settings and options say it.  What is wrong
 * dies with the code given, EX_CONFIG for settings.
 */

#include "context.h"

/* All of it as the settings have it. */
void ctxspec_defaults(struct context_spec *spec);

/*
 * The names in arg, commas between, in place of what l holds: each below a
 * directory, so not absolute and without "..".  what names arg in messages.
 */
void ctxspec_names(struct strs *l, const char *what, const char *arg);

/* "cwd", "git", "home" or "root". */
enum context_stop ctxspec_stop(const char *what, const char *arg, int code);

#endif
