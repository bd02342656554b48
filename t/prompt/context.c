#define _XOPEN_SOURCE 700 /* realpath */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "box.h"
#include "context.h"
#include "diag.h"
#include "path.h"
#include "tap.h"

/* In place of libc's: no memory, once the tree is known. */
static int full;

char *
realpath(const char *path, char *to)
{
	(void)to;
	errno = ENOMEM;
	return full ? NULL : xstrdup(path);
}

int
main(void)
{
	static struct context c;
	static struct buf b;
	static struct context_spec spec = {.inside = 1, .maxfile = 100,
	    .maxtotal = 100, .levels = 1};
	const char *why = NULL;

	prog = "context";
	box_enter();
	strs_add(&spec.names, "AGENTS.md");
	box_sh("echo text >AGENTS.md");
	(void)path_root();
	full = 1;
	context_find(&c, &spec);
	ok(c.n == 0 && c.notes.n == 1
		&& strstr(c.notes.v[0], "Cannot allocate memory, left out"),
	    "out of memory is not called a link: %s", c.notes.v[0]);
	ok(context_project(&b, &spec, &why) == -1 && why != NULL
		&& strcmp(why, strerror(ENOMEM)) == 0,
	    "also where the project's file is asked for");
	full = 0;
	context_find(&c, &spec);
	ok(c.n == 1 && c.notes.n == 0, "with memory it is there");
	box_leave();
	return done_testing();
}
