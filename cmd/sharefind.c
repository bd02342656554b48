/*
 * sharefind [-l] NAME ...
 *
 * - Answers which file of the search path wins, the way every command of
 *   ours finds its data, so that scripts and people see what a model reads.
 * - A question: nothing found, or switched off by an empty file, is 1.
 */

#include <string.h>

#include "buf.h"
#include "diag.h"
#include "opt.h"
#include "out.h"
#include "path.h"

static const char usage[] = "usage: sharefind [-l] NAME ...\n";

static const struct option options[] = {
    {"list", no_argument, NULL, 'l'},
    {NULL, 0, NULL, 0},
};

static void
print(struct buf *b)
{
	buf_putc(b, '\n');
	out_add(b->p, b->n);
	buf_reset(b);
}

int
main(int argc, char **argv)
{
	static struct strs files;
	static struct buf b;
	int c, lflag = 0, missing = 0;
	size_t i;

	prog = "sharefind";
	while ((c = opt_next(argc, argv, "l", options, usage)) != -1)
		lflag = 1;
	if (optind == argc)
		opt_die(usage, "expected a name");
	for (; optind < argc; optind++) {
		if (lflag) {
			path_list(&files, argv[optind], "");
			missing |= files.n == 0;
			for (i = 0; i < files.n; i++) {
				buf_puts(&b, files.v[i]);
				print(&b);
			}
			strs_reset(&files);
		} else if (path_find(&b, argv[optind]) == 0) {
			print(&b);
		} else {
			missing = 1;
		}
	}
	out_end();
	return missing ? EXIT_NO : 0;
}
