#ifndef TEXTCALLS_H
#define TEXTCALLS_H

/*
 * Tool calls that a model wrote as text, in the forms of share/leaks.yaml:
 * only where the whole text is nothing else, and only of tools that the
 * request offers.  turnpipe-providers(5), LEAKED CALLS.
 */

#include "buf.h"
#include "json.h"
#include "reply.h"

/* Can an answer to this request have any? */
int textcalls_expected(const struct json *request);

/* May a text that begins like this become one? */
int textcalls_begun(const struct json *request, struct span text);

/*
 * If the text is calls: add them to d and return the name of their form,
 * good to the end.  Else NULL.
 */
const char *textcalls_take(
    struct reply *d, const struct json *request, struct span text);

/*
 * One form in which a model writes tool calls as text, and what a text in
 * it says.  turnpipe-providers(5), LEAKED CALLS.
 */

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
