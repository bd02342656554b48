#include <string.h>

#include "fileshape.h"
#include "resulttext.h"
#include "template.h"

static int
fill(struct buf *b, const char *name, size_t n, void *arg)
{
	const char *const *p;

	for (p = arg; *p != NULL; p += 2)
		if (strlen(*p) == n && memcmp(*p, name, n) == 0) {
			buf_puts(b, p[1]);
			return 1;
		}
	return 0;
}

void
resulttext(struct buf *b, const char *key, const char *const *pairs)
{
	static struct table t;
	static struct buf text;
	const struct json *j = table_read(&t, "results.yaml", "results");
	int i = j->ntok > 0 ? json_get(j, 0, key) : -1;

	buf_reset(&text);
	if (json_str(j, i, &text) < 0) {
		buf_puts(&text, "error: ");
		buf_puts(&text, key);
	}
	template_expand(b, text.p, text.n, fill, (void *)pairs);
}
