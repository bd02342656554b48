/*
 * intree [-tw] [-r ROOT]... PATH -- COMMAND [ARG ...]
 *
 * - A chain-loader: opens a path beneath a root, or refuses; becomes COMMAND
 *   with it as descriptor 0, or works on it as its directory.
 * - First all links are followed by name and the path that comes of it is
 *   judged (roots.h); then that path is opened from the top without any link.
 *   What is put in its place meanwhile is refused, not followed.
 * - -w waits for COMMAND: the file is replaced whole, at status 0, or not at
 *   all; a file that somebody else wrote meanwhile is left alone.
 */
#define _GNU_SOURCE /* O_PATH, AT_EACCESS */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "beneath.h"
#include "buf.h"
#include "child.h"
#include "diag.h"
#include "fd.h"
#include "opt.h"
#include "path.h"
#include "roots.h"
#include "settings.h"
#include "signals.h"
#include "undo.h"
#include "utf8.h"

enum { TRIES = 1000, BLOCK = 65536, LOOK = 32768 };

static const char usage[] =
    "usage: intree [-tw] [-r root ...] path -- command [arg ...]\n"
    "\n"
    "Run a command with a file beneath a root as its standard input.\n"
    "\n"
    "  -r, --root=DIR  instead of the roots of the settings\n"
    "  -t, --text      only if all of it is UTF-8\n"
    "  -w, --write     its output replaces the file if it ends with 0\n";

static const struct option options[] = {
    {"root", required_argument, NULL, 'r'},
    {"text", no_argument, NULL, 't'},
    {"write", no_argument, NULL, 'w'},
    {NULL, 0, NULL, 0},
};

static struct strs roots;
static struct buf real; /* the path, without links */
static int agreed, textual;
static const char *given;
static char **command;

static struct {
	int dir, old, new;	/* descriptors; old may be -1 */
	const char *name;
	char temporary[64];
	struct stat was;
} file = {-1, -1, -1, NULL, "", {0}};

static _Noreturn void
fault(int code, const char *why)
{
	if (*file.temporary != '\0')
		(void)unlinkat(file.dir, file.temporary, 0);
	die(code, "%s: %s", given, why);
}

/* A fault of the system's. */
static _Noreturn void
refused(int code)
{
	struct buf b = {0};
	int err = errno;

	if (err == ELOOP)
		fault(EX_NOPERM, "a link came in the way: not followed");
	buf_puts(&b, strerror(err));
	if (err == ENOENT)
		buf_printf(&b, " (looked from %s)", path_cwd());
	fault(err == EACCES || err == EPERM ? EX_NOPERM
		: err == ENOENT || err == ENOTDIR ? EX_NOINPUT : code,
	    buf_cstr(&b));
}

static void
check_path(int writing)
{
	enum roots_verdict v =
	    roots_judge(&real, given, writing, roots.n > 0 ? &roots : NULL);
	struct buf b = {0};

	agreed = v == ROOTS_AGREED;
	if (v == ROOTS_ERRNO)
		refused(EX_NOINPUT);
	if (roots_why(v) == NULL)
		return;
	if (strcmp(buf_cstr(&real), given) != 0)
		buf_printf(&b, "leads to %s: ", buf_cstr(&real));
	buf_puts(&b, roots.n > 0 && v == ROOTS_OUT ? "beneath no root"
						   : roots_why(v));
	if (v == ROOTS_OUT && roots.n == 0)
		buf_puts(&b, "; toolrun.roots of the user's settings would "
			     "let it in");
	fault(EX_NOPERM, buf_cstr(&b));
}

/* The directory that holds it, and its name there. */
static void
open_directory(int make)
{
	size_t n;

	file.name = strrchr(buf_cstr(&real), '/') + 1;
	n = (size_t)(file.name - real.p);
	file.dir = beneath_dir(real.p, n, make);
	if (file.dir < 0)
		refused(EX_CANTCREAT);
	if (*file.name == '\0')
		file.name = ".";
}

/* All of it is UTF-8, without NUL. */
static void
check_text(void)
{
	static char block[BLOCK];
	size_t good = 0, have = 0;
	off_t at = 0;
	ssize_t n;

	while ((n = pread(file.old, block + have, BLOCK - have, at)) > 0) {
		at += n;
		have += (size_t)n;
		good = utf8_check(block, have);
		if (memchr(block, '\0', good) != NULL || have - good > 3)
			break;
		/* The beginning of a sequence, it may be. */
		have -= good;
		memmove(block, block + good, have);
	}
	if (n < 0)
		refused(EX_IOERR);
	if (have > 0)
		fault(EX_DATAERR, "is not UTF-8 text");
}

/* Open it for reading; what is neither a file nor a directory is refused. */
static void
open_old(int writing)
{
	struct stat dir, st;

	if (fstatat(file.dir, file.name, &file.was, AT_SYMLINK_NOFOLLOW) < 0) {
		if (writing && errno == ENOENT)
			return;
		refused(EX_NOINPUT);
	}
	if (writing && S_ISDIR(file.was.st_mode))
		fault(EX_NOINPUT, "is a directory");
	if (!S_ISDIR(file.was.st_mode) && !S_ISREG(file.was.st_mode))
		fault(EX_NOINPUT, "is not a regular file");
	file.old = openat(file.dir, file.name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (file.old < 0)
		refused(EX_NOINPUT);
	/* What was looked at by name may be another one by now. */
	if (fstat(file.old, &st) < 0 || fstat(file.dir, &dir) < 0)
		refused(EX_NOINPUT);
	if (st.st_ino != file.was.st_ino || st.st_dev != file.was.st_dev)
		fault(EX_TEMPFAIL, "changed while it was opened");
	if (!agreed && roots_foreign(&st, &dir))
		fault(EX_NOPERM, roots_why(ROOTS_FOREIGN));
	file.was = st;
	if (textual && S_ISREG(st.st_mode))
		check_text();
}

static void
put(const char *name, const char *value)
{
	if (setenv(name, value, 1) < 0)
		die_sys(EX_OSERR, "setenv");
}

static void
environment(const char *kind)
{
	static char block[LOOK];
	ssize_t n = file.old < 0 ? 0 : pread(file.old, block, LOOK, 0);
	struct strs l = {0};
	struct buf b = {0};
	size_t i;

	put("INTREE_KIND", kind);
	put("INTREE_PATH", buf_cstr(&real));
	if (strcmp(kind, "directory") == 0) {
		roots_hidden(buf_cstr(&real), &l);
		for (i = 0; i < l.n; i++)
			buf_printf(&b, "%s\n", l.v[i]);
		put("PWD", buf_cstr(&real));
	}
	put("INTREE_HIDDEN", buf_cstr(&b));
	buf_reset(&b);
	if (strcmp(kind, "file") == 0)
		buf_printf(&b, "%lld", (long long)file.was.st_size);
	put("INTREE_SIZE", buf_cstr(&b));
	put("INTREE_BINARY",
	    n > 0 && memchr(block, '\0', (size_t)n) != NULL ? "1" : "");
	strs_free(&l);
	buf_free(&b);
}

static _Noreturn void
become_command(int in)
{
	if (in < 0 || dup2(in, STDIN_FILENO) < 0)
		die_sys(EX_OSERR, "%s", command[0]);
	child_become(command);
}

static _Noreturn void
reading(void)
{
	check_path(0);
	open_directory(0);
	open_old(0);
	if (S_ISREG(file.was.st_mode)) {
		if (fcntl(file.old, F_SETFL, 0) < 0)
			refused(EX_OSERR);
		environment("file");
		become_command(file.old);
	}
	if (fchdir(file.old) < 0)
		refused(EX_NOINPUT);
	environment("directory");
	become_command(fd_open("/dev/null", O_RDONLY, 0));
}

/* A new file in its directory, of the mode and owner that the old one has. */
static void
open_new(void)
{
	static char name[sizeof(file.temporary)];
	int i;

	if (file.old >= 0
	    && faccessat(file.dir, file.name, W_OK, AT_EACCESS) < 0)
		refused(EX_CANTCREAT);
	for (i = 0; i < TRIES && file.new < 0; i++) {
		snprintf(name, sizeof(name), ".turnpipe-%ld-%d",
		    (long)getpid(), i);
		file.new = openat(file.dir, name,
		    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    file.old < 0 ? 0666 : 0600);
		if (file.new < 0 && errno != EEXIST)
			break;
	}
	if (file.new < 0)
		refused(EX_CANTCREAT);
	memcpy(file.temporary, name, sizeof(name));
	if (file.old < 0)
		return;
	/* A group's file that another one of it made becomes ours. */
	if ((file.was.st_uid != geteuid() || file.was.st_gid != getegid())
	    && fchown(file.new, file.was.st_uid, file.was.st_gid) < 0
	    && fchown(file.new, (uid_t)-1, file.was.st_gid) < 0
	    && errno != EPERM)
		refused(EX_CANTCREAT);
	if (fchmod(file.new, file.was.st_mode & 0777) < 0)
		refused(EX_CANTCREAT);
}

static void
wake(int sig)
{
	(void)sig;
}

/*
 * From here on signals come only while wait_for waits: one that came just
 * before would leave COMMAND running.  What was blocked before is in *open.
 */
static void
hold_signals(sigset_t *open)
{
	static const int held[] = {SIGHUP, SIGINT, SIGTERM, SIGALRM, SIGCHLD};
	sigset_t set;
	size_t i;

	signals_handle(SIGCHLD, wake);
	sigemptyset(&set);
	for (i = 0; i < sizeof(held) / sizeof(*held); i++)
		sigaddset(&set, held[i]);
	sigprocmask(SIG_BLOCK, &set, open);
	sigdelset(open, SIGCHLD);
}

/* COMMAND's status, as waitpid gives it; signals that we get are passed on. */
static int
wait_for(pid_t pid, const sigset_t *open)
{
	int status, sent = 0;
	pid_t r;

	while ((r = waitpid(pid, &status, WNOHANG)) == 0) {
		sigsuspend(open);
		if (signals_times() > sent) {
			kill(pid, signals_caught());
			sent = signals_times();
		}
	}
	if (r < 0)
		refused(EX_OSERR);
	return status;
}

/* Is the file still the one that COMMAND read? */
static int
unchanged(void)
{
	struct stat st;

	if (fstatat(file.dir, file.name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT && file.old < 0;
	return file.old >= 0 && st.st_dev == file.was.st_dev
	    && st.st_ino == file.was.st_ino
	    && st.st_size == file.was.st_size
	    && st.st_mtim.tv_sec == file.was.st_mtim.tv_sec
	    && st.st_mtim.tv_nsec == file.was.st_mtim.tv_nsec;
}

static void
replace(void)
{
	struct stat st;

	if (fd_sync(file.new) < 0 || fstat(file.new, &st) < 0)
		refused(EX_IOERR);
	if (!unchanged())
		fault(EX_TEMPFAIL, "written by another process meanwhile: "
				   "left as it is");
	if (undo_keep(file.old, buf_cstr(&real), &file.was, &st) < 0)
		refused(EX_CANTCREAT);
	if (renameat(file.dir, file.temporary, file.dir, file.name) < 0)
		refused(EX_CANTCREAT);
}

static int
writing(void)
{
	struct child c = {.fd = {CHILD_NULL, 0, STDERR_FILENO}};
	int err, status;
	pid_t pid;
	sigset_t open;

	check_path(1);
	open_directory(1);
	open_old(1);
	signals_arm(SIGNALS_ASKED);
	open_new();
	environment(file.old < 0 ? "new" : "file");
	if (file.old >= 0) {
		c.fd[0] = file.old;
		if (fcntl(file.old, F_SETFL, 0) < 0)
			refused(EX_OSERR);
	}
	c.fd[1] = file.new;
	hold_signals(&open);
	c.mask = &open;
	if (child_start(&pid, &c, command) < 0) {
		err = errno;
		(void)unlinkat(file.dir, file.temporary, 0);
		errno = err;
		child_fail(command[0]);
	}
	status = wait_for(pid, &open);
	sigprocmask(SIG_SETMASK, &open, NULL);
	if (signals_caught() == 0 && status == 0) {
		replace();
		return 0;
	}
	(void)unlinkat(file.dir, file.temporary, 0);
	if (signals_caught() != 0)
		signals_die(signals_caught());
	if (WIFSIGNALED(status))
		signals_die(WTERMSIG(status));
	return WEXITSTATUS(status);
}

int
main(int argc, char **argv)
{
	int c, null, wflag = 0;

	prog = "intree";
	/* After <&- a file would be descriptor 0, and close on exec. */
	while ((null = open("/dev/null", O_RDONLY)) >= 0
	    && null <= STDERR_FILENO)
		;
	fd_drop(null);
	opt_set = settings_set;
	while ((c = opt_next(argc, argv, "r:tw", options, usage)) != -1)
		switch (c) {
		case 'r': strs_add(&roots, optarg); break;
		case 't': textual = 1; break;
		case 'w': wflag = 1; break;
		}
	argv += optind;
	if (argv[0] == NULL)
		opt_die(usage, "expected a path");
	if (argv[1] == NULL || strcmp(argv[1], "--") != 0 || argv[2] == NULL)
		opt_die(usage, "expected -- and a command after the path");
	given = argv[0];
	command = argv + 2;
	if (!wflag)
		reading();
	return writing();
}
