#ifndef TOOLDEF_H
#define TOOLDEF_H

/* The tools that a request offers. */

#include "json.h"
#include "schema.h"

/* The function that has this name, or -1. */
int tooldef_named(const struct json *request, struct span name);

/* The same by the string i of j; -1 if that is none. */
int tooldef_find(const struct json *request, const struct json *j, int i);

/* What its arguments must fit; at -1 if nothing is said. */
struct schema tooldef_schema(const struct json *request, int tool);

#endif
