#include <string.h>

#include "load.h"
#include "resulttext.h"

enum { NEAR_MAX = 8 }; /* names in place of an unknown one */

static void
unknown(struct buf *b, const struct strs *all, const char *name)
{
	static struct buf near;
	const char *pairs[] = { "name", name, "names", NULL, NULL };
	size_t i, n = 0;

	buf_reset(&near);
	for (i = 0; i < all->n && n < NEAR_MAX; i++)
		if (tool_alike(name, all->v[i]))
			buf_printf(&near, "%s%s", n++ > 0 ? ", " : "",
			    all->v[i]);
	pairs[3] = n > 0 ? buf_cstr(&near) : "(none)";
	resulttext(b, "load_unknown", pairs);
}

int
load_run(const struct toolcall *c, struct buf *b, struct strs *loaded)
{
	static struct buf names, rest;
	static struct strs asked;
	const char *pairs[] = { "names", NULL, NULL };
	const struct strs *all = &c->tool->load;
	size_t i, start = loaded->n;

	strs_reset(&asked);
	buf_reset(&names);
	buf_reset(&rest);
	(void)json_strs(&c->args, json_get(&c->args, 0, "names"), &asked);
	for (i = 0; i < asked.n; i++) {
		if (strs_find(all, asked.v[i]) < 0) {
			buf_puts(&rest, rest.n > 0 ? "\n" : "");
			unknown(&rest, all, asked.v[i]);
		} else if (strs_find(loaded, asked.v[i]) < 0) {
			buf_printf(&names, "%s%s", names.n > 0 ? ", " : "",
			    asked.v[i]);
			strs_add(loaded, asked.v[i]);
		}
	}
	pairs[1] = buf_cstr(&names);
	if (names.n > 0)
		resulttext(b, "loaded", pairs);
	if (names.n > 0 && rest.n > 0)
		buf_putc(b, '\n');
	buf_span(b, buf_view(&rest));
	return loaded->n > start ? 0 : -1;
}
