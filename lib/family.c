#include <string.h>

#include "body.h"
#include "family.h"

static int
chat_event(struct delta *d, const char *type, const struct json *j)
{
	(void)type;
	return delta_chat(d, j);
}

static int
chat_whole(struct delta *d, const struct json *j)
{
	int any = delta_chat(d, j);

	/* A body that came whole is whole, whatever its finish_reason. */
	d->over |= any;
	return any;
}

static const struct family families[] = {
	{"chat", "/chat/completions", body_chat, chat_event, chat_whole},
};

const struct family *
family_named(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (strcmp(families[i].name, name) == 0)
			return &families[i];
	return NULL;
}
