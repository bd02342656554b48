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

	buf_reset(&path);
	if (*rel == '/')
		buf_puts(&path, rel);
	else if (path_find(&path, rel) < 0)
		return -1;
	prose_file(b, buf_cstr(&path));
	return 0;
}
