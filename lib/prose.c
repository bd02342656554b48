#include <string.h>

#include "diag.h"
#include "file.h"
#include "path.h"
#include "prose.h"

enum { PROSE_MAX = 1 << 20 };

void
prose_file(struct buf *b, const char *path)
{
	enum file_result r = file_read(path, b, PROSE_MAX);

	if (r != FILE_OK)
		die(EX_CONFIG, "%s: %s", path, file_why(r));
	while (b->n > 0 && (b->p[b->n - 1] == '\n' || b->p[b->n - 1] == '\r'))
		b->n--;
}

int
prose_read(struct buf *b, const char *rel)
{
	static struct buf path;
	int r = 0;

	buf_reset(&path);
	if (*rel == '/')
		buf_puts(&path, rel);
	else
		r = path_find(&path, rel);
	if (r == 0)
		prose_file(b, buf_cstr(&path));
	return r;
}

void
prose_line(struct buf *b, struct span s)
{
	size_t i, start = b->n;
	int gap = 0;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] != '\0' && strchr(" \t\r\n", s.p[i]) != NULL) {
			gap = b->n > start;
			continue;
		}
		if (gap)
			buf_putc(b, ' ');
		gap = 0;
		buf_putc(b, s.p[i]);
	}
}
