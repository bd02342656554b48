#ifndef FAMILY_H
#define FAMILY_H

/*
 * The protocols that models are spoken to in.  A provider's file names one
 * ("api: chat"); everything finer is data in that file.
 */

#include "buf.h"
#include "delta.h"
#include "json.h"
#include "provider.h"

struct family {
	const char *name;
	const char *path; /* behind the base URL */
	int done; /* "[DONE]" ends its stream; it is noise elsewhere */
	/* Append the body for request j. */
	void (*body)(struct buf *b, struct provider *p, const char *model,
	    const struct json *j, int stream, int options);
	/* Take in one event of a stream, or the body of an answer that came
	 * whole.  1 if something of the message came. */
	int (*event)(struct delta *d, const char *type, const struct json *j);
	int (*whole)(struct delta *d, const struct json *j);
};

/* NULL if there is none of that name. */
const struct family *family_named(const char *name);

#endif
