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

/* A blank (1), or what no line has: an end of a line or a control (2). */
static int
isgap(uint32_t c)
{
	if (c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029)
		return 2;
	return c == ' ';
}

void
textfile_line(struct buf *b, struct span s)
{
	size_t i, n, start = b->n, gap = 0;
	int kind, seen = 0;
	uint32_t c = 0;

	for (i = 0; i < s.n; i += n) {
		n = utf8_get(s.p + i, s.n - i, &c);
		kind = n > 0 ? isgap(c) : 0;
		n = n > 0 ? n : 1;
		if (kind > 0) {
			seen |= kind;
			gap += n;
			continue;
		}
		if (gap > 0 && b->n > start && seen >= 2)
			buf_putc(b, ' ');
		else if (b->n > start)
			buf_add(b, s.p + i - gap, gap);
		gap = 0;
		seen = 0;
		buf_add(b, s.p + i, n);
	}
}
