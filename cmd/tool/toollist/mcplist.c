#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "diag.h"
#include "fd.h"
#include "mcplist.h"

enum { BLOCK = 65536 };

void
mcplist(struct buf *b, const struct strs *servers, long wait)
{
	struct strs argv = { 0 };
	struct buf seconds = { 0 };
	struct child s = { .fd = { CHILD_NULL, 1, 2 } };
	int fd, r;
	ssize_t n = 0;
	size_t i;
	pid_t pid;

	strs_add(&argv, "toolhold");
	strs_add(&argv, "-l");
	strs_add(&argv, "-w");
	buf_printf(&seconds, "%ld", wait);
	strs_add(&argv, buf_cstr(&seconds));
	buf_free(&seconds);
	strs_add(&argv, "--");
	for (i = 0; servers != NULL && i < servers->n; i++)
		strs_add(&argv, servers->v[i]);
	r = child_read(&pid, &s, strs_vector(&argv), &fd);
	if (r < 0)
		warn_sys("toolhold");
	strs_free(&argv);
	if (r < 0)
		return;
	do {
		buf_room(b, BLOCK);
		n = read(fd, b->p + b->n, BLOCK);
		if (n > 0)
			b->n += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	fd_close(fd);
	/* Its last line may not be whole. */
	if (child_wait(pid) != 0)
		while (b->n > 0 && b->p[b->n - 1] != '\n')
			b->n--;
}
