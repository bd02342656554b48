#ifndef COERCE_H
#define COERCE_H

/*
 * Arguments of a tool call brought to the types that the tool's schema asks
 * for, where a model wrote them as another one: "5" to 5, 5.0 to 5, "true"
 * to true, the text of an array or object to that, null for an optional
 * member dropped.  A string stays one wherever the schema lets it.  In an
 * object that names a tool of the request, a member "arguments" of which the
 * schema says no more than that it is an object is held to that tool's.
 */

#include "json.h"
#include "schema.h"

/*
 * Append value i of j to b, byte for byte where nothing is to be changed in
 * it.  Number of changes, whose paths (".items[2].price", or "") are added
 * to paths.
 */
size_t coerce(struct buf *b, struct schema s, const struct json *j, int i,
    struct strs *paths);

/* The tools that a request offers. */

/* The function that has this name, or -1. */
int tooldef_named(const struct json *request, struct span name);

/* The same by the string i of j; -1 if that is not a string. */
int tooldef_find(const struct json *request, const struct json *j, int i);

/* The schema of its arguments; at -1 if it has none. */
struct schema tooldef_schema(const struct json *request, int tool);

#endif
