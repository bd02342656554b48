/*
 * sharefind [-c] [-jl] NAME ... | [-c] [-d DIR] -g KEY ... | -s STATUS |
 *     -t NAME [KEY[=VALUE] ...] | -c
 *
 * - Answers which file of the search path wins, the way every command of
 *   ours finds its data, so that scripts and people see what a model reads.
 * - -g tells settings to scripts, so that none of them reads YAML.
 * - -c is for the driver, which asks for its profile: one look at all the
 *   settings, and one line, before a dozen filters read them.  Alone it is for
 *   people: the commands that read the other files load each of them, too.
 * - A question: nothing found, or switched off by an empty file, is 1.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "buf.h"
#include "child.h"
#include "diag.h"
#include "emit.h"
#include "failure.h"
#include "markup.h"
#include "opt.h"
#include "out.h"
#include "path.h"
#include "settings.h"
#include "textfile.h"
#include "yamlfile.h"

static const char usage[] =
    "usage: sharefind [-c] [-jl] name ...\n"
    "       sharefind [-c] [-d dir] -g key ...\n"
    "       sharefind -s status\n"
    "       sharefind -t name [key[=value] ...]\n"
    "       sharefind -c\n"
    "\n"
    "  -c, --check  first see that the settings can be understood; alone: and\n"
    "               layouts, profiles, reminders and rules\n"
    "  -d, --dir    what a setting names is a file in dir: print its path\n"
    "  -g, --get    print settings\n"
    "  -j, --json   print path and content of YAML files as JSON, one a line\n"
    "  -l, --list   print the winning files of directories\n"
    "  -s, --status print the class of an exit status: again, later or final\n"
    "  -t, --text   print a text with its holes filled; a key without value\n"
    "               is standard input\n";

static const struct option options[] = {
    {"check", no_argument, NULL, 'c'},
    {"dir", required_argument, NULL, 'd'},
    {"get", no_argument, NULL, 'g'},
    {"json", no_argument, NULL, 'j'},
    {"list", no_argument, NULL, 'l'},
    {"status", required_argument, NULL, 's'},
    {"text", required_argument, NULL, 't'},
    {NULL, 0, NULL, 0},
};

static void
print(struct buf *b)
{
	buf_putc(b, '\n');
	out_add(b->p, b->n);
	buf_reset(b);
}

/* The path of a file that won, or that and what is in it. */
static void
print_file(const char *path, int json)
{
	static struct yamlfile y;
	static struct buf b;

	if (json) {
		yamlfile_load(&y, path);
		emit_open(&b, '{');
		emit_pair(&b, "path", path);
		emit_key(&b, "content");
		emit_compact(&b, json_span(&y.json, 0));
		emit_close(&b, '}');
	} else {
		buf_puts(&b, path);
	}
	print(&b);
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

static int
print_class(int status)
{
	static struct buf b;
	const char *class = failure_class(status);

	if (class == NULL)
		return EXIT_NO;
	buf_puts(&b, class);
	print(&b);
	out_end();
	return 0;
}

static int
fill(struct buf *b, const char *name, size_t n, void *arg)
{
	static struct buf input;
	char **v = arg;
	ssize_t got;

	for (; *v != NULL; v++) {
		if (strncmp(*v, name, n) != 0)
			continue;
		if ((*v)[n] == '=') {
			buf_puts(b, *v + n + 1);
			return 1;
		}
		if ((*v)[n] != '\0')
			continue;
		do {
			buf_room(&input, BUFSIZ);
			got = read(STDIN_FILENO, input.p + input.n, BUFSIZ);
			if (got < 0)
				die_sys(EX_IOERR, "read <stdin>");
			input.n += (size_t)got;
		} while (got > 0);
		while (input.n > 0 && input.p[input.n - 1] == '\n')
			input.n--;
		buf_span(b, buf_view(&input));
		return 1;
	}
	return 0;
}

/* A text that a model reads; no value closes an element of it. */
static int
print_text(const char *name, char **values)
{
	static struct buf text, b;

	if (textfile_read(&text, name) < 0)
		return EXIT_NO;
	markup_expand(&b, text.p, text.n, fill, values);
	print(&b);
	out_end();
	return 0;
}

/* Does a command that reads the files by itself end well, on no input? */
static int
loads(const char *command, const char *flag, const char *operand)
{
	char *argv[] = {(char *)command, (char *)flag, (char *)operand, NULL};
	const struct child s = { .fd = { CHILD_NULL, CHILD_NULL, 2 } };
	pid_t pid;
	int st;

	if (child_start(&pid, &s, argv) < 0 || (st = child_wait(pid)) < 0)
		die_sys(EX_OSERR, "%s", command);
	return WIFEXITED(st) && WEXITSTATUS(st) == 0;
}

/* Have all that wins in dir loaded, each by its name or its path. */
static int
load_all(const char *dir, const char *ext, const char *command,
    const char *flag, int named)
{
	static struct strs files;
	char *name;
	size_t i, n;
	int bad = 0;

	path_list(&files, dir, ext);
	for (i = 0; i < files.n; i++) {
		name = named ? strrchr(files.v[i], '/') + 1 : files.v[i];
		n = strlen(name) - strlen(ext);
		name[n] = '\0';
		bad |= !loads(command, flag, name);
	}
	strs_reset(&files);
	return bad;
}

/*
 * The files that are no settings; each command says what is wrong.  What is
 * wrong for all profiles is said once.
 */
static int
check_files(void)
{
	return load_all("layouts", ".yaml", "promptcompose", "-l", 1)
	    | load_all("profiles", "", "sh", "-n", 0)
	    | (!loads("reminders", NULL, NULL)
		|| load_all("profiles", "", "reminders", "-P", 1))
	    | !loads("toolrules", NULL, NULL);
}

int
main(int argc, char **argv)
{
	static struct strs files;
	static struct buf b;
	const char *dir = NULL, *text = NULL;
	int c, cflag = 0, gflag = 0, jflag = 0, lflag = 0, missing = 0;
	size_t i;

	prog = "sharefind";
	opt_set = settings_set;
	while ((c = opt_next(argc, argv, "cd:gjls:t:", options, usage)) != -1)
		switch (c) {
		case 'c': cflag = 1; break;
		case 'd': dir = optarg; break;
		case 'g': gflag = 1; break;
		case 'j': jflag = 1; break;
		case 'l': lflag = 1; break;
		case 't': text = optarg; break;
		case 's':
			return print_class(
			    (int)opt_int("-s", optarg, 1, 255));
		}
	if (text != NULL)
		return print_text(text, argv + optind);
	if (gflag && (lflag || jflag))
		opt_die(usage, "expected one of -g, -%c", lflag ? 'l' : 'j');
	if (dir != NULL && !gflag)
		opt_die(usage, "expected -g with -d");
	if (optind == argc && (!cflag || gflag || lflag))
		opt_die(usage, "expected a name");
	if (cflag)
		settings_check();
	if (optind == argc && cflag && !gflag && check_files())
		return EX_CONFIG;
	for (; optind < argc; optind++) {
		if (gflag) {
			missing |= !get(argv[optind], dir);
		} else if (lflag) {
			path_list(&files, argv[optind], "");
			missing |= files.n == 0;
			for (i = 0; i < files.n; i++)
				print_file(files.v[i], jflag);
			strs_reset(&files);
		} else if (path_find(&b, argv[optind]) == 0) {
			print_file(buf_cstr(&b), jflag);
			buf_reset(&b);
		} else {
			missing = 1;
		}
	}
	out_end();
	return missing ? EXIT_NO : 0;
}
