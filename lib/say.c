#include <string.h>

#include "path.h"
#include "say.h"
#include "template.h"
#include "yml.h"

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
say(struct buf *b, const char *key, const char *const *pairs)
{
	static struct yml y;
	static struct buf path, text;
	static int loaded;
	int i;

	if (!loaded) {
		loaded = 1;
		if (path_find(&path, "results.yaml") == 0)
			yml_load(&y, buf_cstr(&path));
	}
	buf_reset(&text);
	i = y.json.ntok > 0 ? json_get(&y.json, 0, key) : -1;
	if (json_str(&y.json, i, &text) < 0) {
		if (i >= 0)
			yml_bad(&y, buf_cstr(&path), i, "expected a string");
		buf_puts(&text, "error: ");
		buf_puts(&text, key);
	}
	template_expand(b, text.p, text.n, fill, (void *)pairs);
}
