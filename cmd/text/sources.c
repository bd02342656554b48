#include "sources.h"

static int
is_data(const struct json *j)
{
	struct json content = {0};
	struct buf b = {0};
	int is;

	is = json_str(j, json_get(j, 0, "content"), &b) == 0
	    && json_parse(&content, buf_cstr(&b), b.n) == 0
	    && (json_kind(&content, 0) == JSON_OBJECT
		|| json_kind(&content, 0) == JSON_ARRAY);
	json_free(&content);
	buf_free(&b);
	return is;
}

/* Append a member in one line, a blank before it. */
static void
put_member(struct buf *b, const struct json *j, int i, const char *key)
{
	size_t at = b->n + 1;

	buf_putc(b, ' ');
	if (json_str(j, json_get(j, i, key), b) < 0 || b->n == at)
		b->n = at - 1;
	for (; at < b->n; at++)
		if (b->p[at] == '\n' || b->p[at] == '\r')
			b->p[at] = ' ';
}

void
sources_put(struct buf *b, const struct json *j)
{
	static const char *const kinds[] = {"url_citation", "file_citation"};
	static struct strs seen;
	static struct buf line;
	int i, k, list = json_get(j, 0, "annotations");
	size_t n;

	if (json_first(j, list) < 0 || is_data(j))
		return;
	strs_reset(&seen);
	for (i = json_first(j, list); i >= 0; i = json_next(j, i)) {
		k = json_get(j, i, kinds[0]);
		if (k < 0)
			k = json_get(j, i, kinds[1]);
		buf_reset(&line);
		put_member(&line, j, k, "title");
		n = line.n;
		put_member(&line, j, k, "url");
		if (line.n == n)
			put_member(&line, j, k, "file_id");
		n = seen.n;
		if (line.n > 0)
			strs_once(&seen, buf_cstr(&line));
		if (seen.n == n)
			continue;
		if (n == 0 && b->n > 0)
			buf_puts(b, b->p[b->n - 1] == '\n' ? "\n" : "\n\n");
		buf_printf(b, "[%zu]%s\n", seen.n, seen.v[n]);
	}
}
