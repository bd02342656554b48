#ifndef TOOLENV_H
#define TOOLENV_H

/* The environment of a tool: no secrets, and its arguments. */

#include "buf.h"
#include "json.h"

/* Whoever may have variables of this process; the columns of turnpipe(7). */
enum toolenv_to {
	TOOLENV_TOOL = 1, /* every tool, and what it starts */
	TOOLENV_AGENT = 2, /* a tool that gives work to another agent */
	TOOLENV_TASK = 4 /* a task that cron will start */
};

/*
 * May they have the variable?  Its name ends at NUL or "=".  One of
 * turnpipe's own only where turnpipe(7) says so; of others each.
 */
int toolenv_goes(const char *name, enum toolenv_to to);

/*
 * Append as NAME=VALUE those variables whose names match one of the globs;
 * never one that looks like a key, token, secret or password, nor
 * TURNPIPE_LOCK_FD.
 */
void toolenv_pass(struct strs *env, const struct strs *globs);

/*
 * The same for a tool: the names, those of the setting toolrun.env, and
 * turnpipe's own.  names is empty after it.
 */
void toolenv_tool(struct strs *env, struct strs *names);

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
