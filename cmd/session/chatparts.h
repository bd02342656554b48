#ifndef CHATPARTS_H
#define CHATPARTS_H

/* The calls in a call of batch: toolrun(1). */

#include "chat.h"

/* Memory for a call's arguments; zeroed it is ready. */
struct chatargs {
	struct json outer, inner;
	struct buf text;
};

/* The JSON of s, or of the string in s; NULL without any.  a has it. */
const struct json *chatargs_parse(struct chatargs *a, struct span s);

struct chatpart {
	struct span name, args; /* JSON values; good until the next call */
	int failed;		/* its result is not a success */
	int isnothing;		/* it has found nothing */
};

/*
 * Those of a call that has a result with tp.parts.  Their number; 0 for any
 * other call.  *v is ours.
 */
size_t chatparts_find(const struct chat *c, const struct chat_call *d,
    const struct chatpart **v);

#endif
