#include <string.h>

#include "bodychat.h"
#include "bodymsgs.h"
#include "bodyresp.h"
#include "deltachat.h"
#include "deltamsgs.h"
#include "deltaresp.h"
#include "family.h"

static int
chat_event(struct delta *d, const char *type, const struct json *j)
{
	(void)type;
	return deltachat_chunk(d, j);
}

static const struct family families[] = {
	{"chat", "/chat/completions", 1, bodychat_put, chat_event,
	    deltachat_whole},
	{"messages", "/messages", 0, bodymsgs_put, deltamsgs_event,
	    deltamsgs_whole},
	{"responses", "/responses", 0, bodyresp_put, deltaresp_event,
	    deltaresp_whole},
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
