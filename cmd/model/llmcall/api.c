#include <string.h>

#include "api.h"

const struct api *
api_named(const char *name)
{
	static const struct api *const apis[] = {
		&api_chat, &api_messages, &api_responses};
	size_t i;

	for (i = 0; i < sizeof(apis) / sizeof(*apis); i++)
		if (strcmp(apis[i]->name, name) == 0)
			return apis[i];
	return NULL;
}
