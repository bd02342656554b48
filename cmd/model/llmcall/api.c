#include <string.h>

#include "api-chat.h"
#include "api-messages.h"
#include "api-responses.h"
#include "api.h"

static int
chat_event(struct reply *d, const char *type, const struct json *j)
{
	(void)type;
	return api_chat_event(d, j);
}

static const struct api apis[] = {
	{"chat", "/chat/completions", 1, api_chat_body, chat_event,
	    api_chat_whole},
	{"messages", "/messages", 0, api_messages_body, api_messages_event,
	    api_messages_whole},
	{"responses", "/responses", 0, api_responses_body, api_responses_event,
	    api_responses_whole},
};

const struct api *
api_named(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(apis) / sizeof(*apis); i++)
		if (strcmp(apis[i].name, name) == 0)
			return &apis[i];
	return NULL;
}
