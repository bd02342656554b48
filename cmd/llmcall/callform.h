#ifndef CALLFORM_H
#define CALLFORM_H

/*
 * One form in which a model writes tool calls as text, and what a text in
 * it says.  turnpipe-providers(5), LEAKED CALLS.
 */

#include "buf.h"
#include "json.h"

enum callform_match {
	CALLFORM_NO,
	CALLFORM_YES,
	CALLFORM_MORE /* it may be, if more comes */
};

/* A call: its tool's name and its arguments, an object's text or nothing. */
struct callform_found {
	struct buf name, args;
};

/* A zeroed struct with the first three set is ready. */
struct callform {
	const struct json *request; /* whose tools may be called */
	const struct json *words; /* names of a call's members: leaks.yaml */
	const char *parameter; /* the form of {{parameters}}, or "" */
	struct callform_found *v; /* owned, until the next match */
	size_t n, cap;
	/* Private. */
	const char *p, *end;
};

/* Is the text this form, once or several times, and nothing else? */
enum callform_match callform_match(
    struct callform *s, const char *form, struct span text);

void callform_reset(struct callform *s);

#endif
