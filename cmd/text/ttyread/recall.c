#include <errno.h>
#include <string.h>

#include "diag.h"
#include "file.h"
#include "recall.h"
#include "utf8.h"

static void
add_line(struct strs *l, const char *s, size_t n)
{
	static struct buf b;
	size_t i;

	buf_reset(&b);
	for (i = 0; i < n; i++) {
		if (s[i] == '\\' && i + 1 < n) {
			i++;
			buf_putc(&b, s[i] == 'n' ? '\n' : s[i]);
		} else {
			buf_putc(&b, s[i]);
		}
	}
	/* What is no text was not written by us. */
	if (b.n > 0 && memchr(b.p, '\0', b.n) == NULL
	    && utf8_check(b.p, b.n) == b.n)
		strs_addn(l, b.p, b.n);
}

void
recall_read(struct strs *l, const char *path)
{
	static struct buf b;
	const char *s, *end, *nl;
	size_t lines = 0;
	enum file_result res;

	res = file_read(path, &b, RECALL_FILE);
	if (res == FILE_ERRNO && errno == ENOENT)
		return;
	if (res != FILE_OK) {
		warn("%s: %s: no history", path, file_why(res));
		return;
	}
	end = buf_cstr(&b) + b.n;
	for (s = b.p; s < end; s++)
		lines += *s == '\n';
	/* Now and then the oldest go; what is appended meanwhile may be lost. */
	s = b.p;
	if (lines > 2 * RECALL_MAX) {
		for (; lines > RECALL_MAX; lines--)
			s = (const char *)memchr(s, '\n', (size_t)(end - s)) + 1;
		if (file_put(path, s, (size_t)(end - s), 0600) < 0)
			warn_sys("%s", path);
	}
	for (; s < end; s = nl + 1) {
		nl = memchr(s, '\n', (size_t)(end - s));
		if (nl == NULL)
			nl = end;
		add_line(l, s, (size_t)(nl - s));
	}
}

void
recall_add(const char *path, const char *s, size_t n)
{
	static struct buf b;
	size_t i;

	if (n == 0 || n > RECALL_LONG || s[0] == ' ')
		return;
	buf_reset(&b);
	for (i = 0; i < n; i++) {
		if (s[i] == '\n')
			buf_puts(&b, "\\n");
		else if (s[i] == '\\')
			buf_puts(&b, "\\\\");
		else
			buf_putc(&b, s[i]);
	}
	buf_putc(&b, '\n');
	if (file_mkparent(path) < 0
	    || file_append(path, b.p, b.n, 0600) < 0)
		warn_sys("%s", path);
}
