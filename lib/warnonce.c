#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "diag.h"
#include "env.h"
#include "fd.h"
#include "file.h"
#include "hash.h"
#include "warnonce.h"

enum {
	TOLD_LINE = 9,	      /* 8 hex digits and a newline */
	TOLD_MAX = 4096 * TOLD_LINE
};

static struct buf lines; /* those of the file, and ours */

/* Is it there?  If not, it is from now on; what cannot be kept is no harm. */
static int
known(const char *file, const char *what)
{
	static char *loaded; /* a ring's sessions have one each */
	struct buf b = {0};
	size_t i;
	int fd;

	if (loaded == NULL || strcmp(loaded, file) != 0) {
		free(loaded);
		loaded = xstrdup(file);
		buf_reset(&lines);
		(void)file_read(file, &lines, TOLD_MAX);
	}
	hash_hex(&b, what, strlen(what));
	buf_putc(&b, '\n');
	for (i = 0; i + TOLD_LINE <= lines.n; i += TOLD_LINE)
		if (memcmp(lines.p + i, b.p, TOLD_LINE) == 0)
			break;
	if (i + TOLD_LINE > lines.n && lines.n < TOLD_MAX) {
		buf_add(&lines, b.p, b.n);
		fd = fd_open(file, O_WRONLY | O_APPEND | O_CREAT, 0600);
		if (fd >= 0) {
			(void)fd_write(fd, b.p, b.n);
			(void)fd_close(fd);
		}
		i = lines.n;
	}
	buf_free(&b);
	return i + TOLD_LINE <= lines.n;
}

void
warnonce(const char *what)
{
	static struct buf b;
	const char *file = env_run(&b, "told");

	if (file == NULL || getenv("TURNPIPE_DRY") != NULL
	    || !known(file, what))
		warn("%s", what);
}
