#include <string.h>

#include "diag.h"
#include "file.h"
#include "path.h"
#include "textfile.h"

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

void
textfile_line(struct buf *b, struct span s)
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
