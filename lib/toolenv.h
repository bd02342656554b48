#ifndef TOOLENV_H
#define TOOLENV_H

/* The environment of a tool: no secrets, and its arguments. */

#include "buf.h"
#include "json.h"

/*
 * Append as NAME=VALUE those of our variables whose names match one of the
 * globs; never one that looks like a key, token, secret or password, nor
 * TURNPIPE_LOCK_FD.
 */
void toolenv_pass(struct strs *env, const struct strs *globs);

/*
 * Append each scalar of object 0 of j as ARG_NAME=VALUE: strings decoded,
 * true and false as such, null left out.  Left out too: names that are no
 * variables, values over 4096 bytes or with a NUL, and what goes over 64 kB
 * in all.
 */
void toolenv_args(struct strs *env, const struct json *j);

/*
 * Append the members of object 0 of j as options: "--a-name" and the value
 * for a_name, once for each element of a list, the option alone for true,
 * nothing for false and null.  Objects go as JSON; a value with a NUL ends
 * there.
 */
void toolenv_flags(struct strs *args, const struct json *j);

#endif
