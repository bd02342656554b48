/*
 * sharefind [-c] [-l] NAME ... | [-c] [-d DIR] -g KEY ... | -c
 *
 * - Answers which file of the search path wins, the way every command of
 *   ours finds its data, so that scripts and people see what a model reads.
 * - -g tells settings to scripts, so that none of them reads YAML.
 * - -c is for the driver, which asks for its profile: one look at all the
 *   settings, and one line, before a dozen filters read them.
 * - A question: nothing found, or switched off by an empty file, is 1.
 */

#include <string.h>

#include "buf.h"
#include "diag.h"
#include "opt.h"
#include "out.h"
#include "path.h"
#include "settings.h"

static const char usage[] =
    "usage: sharefind [-c] [-l] name ...\n"
    "       sharefind [-c] [-d dir] -g key ...\n"
    "       sharefind -c\n"
    "\n"
    "  -c, --check  first see that the settings can be understood\n"
    "  -d, --dir    what a setting names is a file in dir: print its path\n"
    "  -g, --get    print settings\n"
    "  -l, --list   print the winning files of directories\n";

static const struct option options[] = {
    {"check", no_argument, NULL, 'c'},
    {"dir", required_argument, NULL, 'd'},
    {"get", no_argument, NULL, 'g'},
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

/* A setting, a list by lines; 0 if no file has it, or is there of its name. */
static int
get(const char *key, const char *dir)
{
	static struct strs values;
	static struct buf b, name;
	size_t i;
	int found = settings_words(key, &values);

	for (i = 0; i < values.n; i++) {
		if (dir == NULL) {
			buf_puts(&b, values.v[i]);
		} else {
			buf_reset(&name);
			buf_printf(&name, "%s/%s", dir, values.v[i]);
			if (path_find(&b, buf_cstr(&name)) != 0) {
				found = 0;
				continue;
			}
		}
		print(&b);
	}
	strs_reset(&values);
	return found;
}

int
main(int argc, char **argv)
{
	static struct strs files;
	static struct buf b;
	const char *dir = NULL;
	int c, cflag = 0, gflag = 0, lflag = 0, missing = 0;
	size_t i;

	prog = "sharefind";
	while ((c = opt_next(argc, argv, "cd:gl", options, usage)) != -1)
		switch (c) {
		case 'c': cflag = 1; break;
		case 'd': dir = optarg; break;
		case 'g': gflag = 1; break;
		case 'l': lflag = 1; break;
		}
	if (gflag && lflag)
		opt_die(usage, "expected one of -g, -l");
	if (dir != NULL && !gflag)
		opt_die(usage, "expected -g with -d");
	if (optind == argc && (!cflag || gflag || lflag))
		opt_die(usage, "expected a name");
	if (cflag)
		settings_check();
	for (; optind < argc; optind++) {
		if (gflag) {
			missing |= !get(argv[optind], dir);
		} else if (lflag) {
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
