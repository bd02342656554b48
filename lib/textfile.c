#include <string.h>

#include "diag.h"
#include "file.h"
#include "path.h"
#include "textfile.h"
#include "utf8.h"

enum { PROSE_MAX = 1 << 20 };

void
textfile_load(struct buf *b, const char *path)
{
	enum file_result r = file_read(path, b, PROSE_MAX);

	if (r != FILE_OK)
		die(EX_CONFIG, "%s: %s", path, file_why(r));
	while (b->n > 0 && (b->p[b->n - 1] == '\n' || b->p[b->n - 1] == '\r'))
		b->n--;
}

int
textfile_read(struct buf *b, const char *rel)
{
	static struct buf path;
	int r = 0;

	buf_reset(&path);
	if (*rel == '/')
		buf_puts(&path, rel);
	else
		r = path_find(&path, rel);
	if (r == 0)
		textfile_load(b, buf_cstr(&path));
	return r;
}

/* A blank (1), or what no line has: an end of one or a control (2). */
static int
isgap(const char *s, size_t left, size_t *n)
{
	uint32_t c;

	*n = utf8_get(s, left, &c);
	if (*n == 0) {
		*n = 1;
		return 0;
	}
	if (c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029)
		return 2;
	return c == ' ';
}

void
textfile_line(struct buf *b, struct span s)
{
	size_t i, n, start = b->n;
	int gap = 0;

	for (i = 0; i < s.n; i += n) {
		if (isgap(s.p + i, s.n - i, &n)) {
			gap = b->n > start;
			continue;
		}
		if (gap)
			buf_putc(b, ' ');
		gap = 0;
		buf_add(b, s.p + i, n);
	}
}

void
textfile_name(struct buf *b, struct span s)
{
	size_t i, n;

	for (i = 0; i < s.n; i += n)
		if (isgap(s.p + i, s.n - i, &n) == 2)
			buf_putc(b, ' ');
		else
			buf_add(b, s.p + i, n);
}
