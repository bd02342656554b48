#ifndef API_H
#define API_H

/*
 * The protocols that models are spoken to in, one file each: api-chat.c,
 * api-messages.c, api-responses.c, encode and decode together.  A provider's
 * file names one ("api: chat"); everything finer is data in that file.
 */

#include "buf.h"
#include "json.h"
#include "provider.h"
#include "reply.h"

struct api {
	const char *name;
	const char *path; /* appended to the base URL */
	int done; /* "[DONE]" ends its stream; it is noise elsewhere */
	/* Append the body for request j.  options: stream_options may be sent. */
	void (*body)(struct buf *b, struct provider *p, const char *model,
	    const struct json *j, int stream, int options);
	/* Take in one event of a stream, by its own "type", else by the type
	 * of the event that brought it; or the body of an answer that came
	 * whole.  1 if something of the message came. */
	int (*event)(struct reply *d, const char *type, const struct json *j);
	int (*whole)(struct reply *d, const struct json *j);
};

extern const struct api api_chat, api_messages, api_responses;

/* NULL if no API has that name. */
const struct api *api_named(const char *name);

#endif
