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

#endif
