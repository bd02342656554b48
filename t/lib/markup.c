#include <string.h>

#include "markup.h"
#include "tap.h"

/* Names of tags: what is no name's character, and what may not be first. */
static const char *const names[][2] = {{"plan", "plan"}, {"a b", "a-b"},
    {"9x", "_9x"}, {"-x", "_-x"}, {"_x", "_x"}, {"", "_"}, {"x9", "x9"}};

int
main(void)
{
	static struct buf b;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		buf_reset(&b);
		markup_name(&b, names[i][0], strlen(names[i][0]));
		ok(strcmp(buf_cstr(&b), names[i][1]) == 0,
		    "a tag for '%s': %s", names[i][0], buf_cstr(&b));
	}
	return done_testing();
}
