#include <stdlib.h>
#include <string.h>

#include "toolrec.h"

int
toolrec_isname(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz"
			     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

	return n > 0 && n <= TOOLREC_NAME && s[n] == '\0';
}

char *
toolrec_name(const struct rec *r, const struct json *j)
{
	char *name;
	int i;

	i = json_get(j, 0, "name");
	if (i < 0)
		i = json_at(j, 0, "function.name");
	name = json_dup(j, i);
	if (name != NULL && *name == '\0') {
		free(name);
		name = NULL;
	}
	if (name == NULL)
		record_bad(r, i, "expected a tool with a name");
	return name;
}

void
toolrec_require(struct buf *b, struct span s)
{
	static struct json j;
	struct span old;
	const char *end;
	int i;

	/* It came through the gate once, so this does not fail. */
	(void)json_parse(&j, s.p, s.n);
	i = json_get(&j, 0, "required");
	if (i >= 0) {
		old = json_span(&j, i);
		buf_add(b, s.p, (size_t)(old.p - s.p));
		buf_puts(b, "true");
		end = old.p + old.n;
	} else {
		old = json_span(&j, 0);
		end = old.p + old.n - 1;
		buf_add(b, s.p, (size_t)(end - s.p));
		buf_puts(b, ",\"required\":true");
	}
	buf_add(b, end, (size_t)(s.p + s.n - end));
}
