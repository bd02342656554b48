/*
 * agentpool [-l FILE | -s FILE] [-n WHAT] [-t SECONDS] [-w SECONDS]
 *     [--] COMMAND [ARG ...]
 * agentpool -k KEY -d DIR [-N] [-m COUNT] [-n WHAT] [-t SECONDS]
 *     [--] COMMAND [ARG ...]
 * agentpool -L -d DIR
 * agentpool -Ku [-t SECONDS] [--] COMMAND [ARG ...]
 *
 * - A chain-loader: takes the lock, leaves its descriptor open, becomes the
 *   command.  Every process that the command starts inherits the descriptor,
 *   so an orphaned tool still counts as a holder.
 * - The lock's file names the holder by pid; the pid is the command's own,
 *   since exec keeps it.  So is the alarm of -t.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buf.h"
#include "child.h"
#include "clock.h"
#include "diag.h"
#include "env.h"
#include "file.h"
#include "lock.h"
#include "opt.h"
#include "pool.h"
#include "session.h"
#include "signals.h"
#include "toolenv.h"

enum {
	WAIT_MAX = 86400, /* s */
	TIME_MAX = 31536000, /* s */
	COUNT_MAX = 100000,
	LOOK = 1000,	  /* ms: how often to see who holds it now */
	HIGH = 20	  /* descriptors below are a script's own: "3>file"
			     would take the lock from what it starts */
};

extern char **environ;

static const char usage[] =
    "usage: agentpool [-E status] [-l file | -s file] [-n what] [-t seconds]\n"
    "                 [-w seconds] [--] command [arg ...]\n"
    "       agentpool -k key -d dir [-N] [-m count] [-n what] [-t seconds]\n"
    "                 [--] command [arg ...]\n"
    "       agentpool -gKu [-t seconds] [--] command [arg ...]\n"
    "\n"
    "  -d, --dir DIR       where the sessions are kept\n"
    "  -E, --busy STATUS   the exit status where the lock is taken (75)\n"
    "  -g, --group         the command leads a process group\n"
    "  -k, --key KEY       the first free session of this key, or a new one\n"
    "  -K, --no-keys       the command gets no variable that may be a secret\n"
    "  -l, --lock FILE     hold this lock\n"
    "  -m, --max COUNT     keep at most so many (10)\n"
    "  -n, --name WHAT     what this holder is called in messages\n"
    "  -N, --new           a new session of the key, none that is kept\n"
    "  -s, --session FILE  hold this session, a new one if FILE is empty\n"
    "  -t, --time SECONDS  then the command gets SIGALRM\n"
    "  -u, --unlock        the command does not hold our own lock\n"
    "  -w, --wait SECONDS  for what a dead holder left running (300)\n";

static const struct option options[] = {
    {"dir", required_argument, NULL, 'd'},
    {"busy", required_argument, NULL, 'E'},
    {"group", no_argument, NULL, 'g'},
    {"key", required_argument, NULL, 'k'},
    {"no-keys", no_argument, NULL, 'K'},
    {"lock", required_argument, NULL, 'l'},
    {"max", required_argument, NULL, 'm'},
    {"name", required_argument, NULL, 'n'},
    {"new", no_argument, NULL, 'N'},
    {"session", required_argument, NULL, 's'},
    {"time", required_argument, NULL, 't'},
    {"unlock", no_argument, NULL, 'u'},
    {"wait", required_argument, NULL, 'w'},
    {NULL, 0, NULL, 0},
};

/*
 * The lock is taken.  While the process that took it lives, that is its
 * session; when it is gone, one of its children lives on and will end.  The
 * next holder may be another agentpool, which is reported like the first.
 */
static int
busy(const char *path, const char *name, long long seconds, int status)
{
	static struct buf what;
	long long end = clock_ms() + seconds * 1000;
	long long left, ms = 50; /* for a new holder to write its name */
	long pid;
	int fd, warned = 0;

	for (;;) {
		fd = lock_take(path, ms);
		if (fd >= 0 || errno != EWOULDBLOCK)
			return fd;
		buf_reset(&what);
		pid = lock_holder(path, &what);
		if (pid < 0)
			die(status, "%s: in use by process %ld (%s); go on "
			    "there, or end that first", name, -pid,
			    buf_cstr(&what));
		if (pid > 0 && (kill((pid_t)pid, 0) == 0 || errno == EPERM))
			die(status, "%s: in use by process %ld (%s); go on "
			    "there, or end that first: kill %ld", name, pid,
			    buf_cstr(&what), pid);
		if (!warned++)
			warn("%s: process %ld (%s) is gone, but something it "
			     "started still runs; waiting up to %lld s", name,
			    pid, buf_cstr(&what), seconds);
		left = end - clock_ms();
		if (left <= 0)
			die(status, "%s: still in use after %lld s", name,
			    seconds);
		ms = left < LOOK ? left : LOOK;
	}
}

static void
put_env(const char *name, const char *value)
{
	if (setenv(name, value, 1) < 0)
		die_sys(EX_OSERR, "setenv");
}

/* The lock stays open in the command, and is named to it. */
static void
pass_lock(int fd, const char *what, const char *path)
{
	char number[32];

	lock_sign(fd, what);
	fd = fcntl(fd, F_DUPFD, HIGH);
	if (fd < 0)
		die(EX_OSERR, "%s: %s", path, errno == EINVAL
		    ? "expected a limit of open files over 20 (ulimit -n)"
		    : strerror(errno));
	snprintf(number, sizeof(number), "%d", fd);
	put_env("TURNPIPE_LOCK_FD", number);
}

static void
hold_kept(const struct pool *p, const char *key, const char *what)
{
	static struct buf path;
	int fd = pool_take(p, key, &path);

	pass_lock(fd, what, buf_cstr(&path));
	put_env("TURNPIPE_SESSION", path.p);
}

static void
take_lock(const char *path, const char *name, const char *what,
    long long seconds, int status)
{
	int fd = lock_take(path, 0);

	if (fd < 0 && errno == ENOENT && file_mkparent(path) == 0)
		fd = lock_take(path, 0);
	if (fd < 0 && errno == EWOULDBLOCK)
		fd = busy(path, name, seconds, status);
	if (fd < 0)
		die_sys(EX_CANTCREAT, "%s", path);
	pass_lock(fd, what, path);
}

/* What the command keeps is the user's alone; what tools make is not. */
static void
keep_private(void)
{
	char mask[16];

	snprintf(mask, sizeof(mask), "%04o", (unsigned int)umask(077));
	if (env_get("TURNPIPE_UMASK") == NULL)
		put_env("TURNPIPE_UMASK", mask);
}

static void
hold_session(const char *file, const char *what, long long seconds, int status)
{
	static struct buf path, lock, name;
	const char *base;

	keep_private();
	if (*file != '\0')
		buf_puts(&path, file);
	else
		session_new(&path, NULL);
	session_run(&lock, buf_cstr(&path));
	buf_puts(&lock, "/lock");
	base = strrchr(buf_cstr(&path), '/');
	buf_printf(&name, "session %s", base != NULL ? base + 1 : path.p);
	take_lock(buf_cstr(&lock), buf_cstr(&name), what, seconds, status);
	put_env("TURNPIPE_SESSION", path.p);
}

/* The command may outlive the process that holds its inherited lock. */
static void
let_go(void)
{
	int fd = lock_inherited();

	if (fd >= 0)
		close(fd);
	unsetenv("TURNPIPE_LOCK_FD");
}

/* What the command prints may be read by a model. */
static void
drop_keys(void)
{
	static struct strs env, all;

	strs_add(&all, "*");
	toolenv_pass(&env, &all);
	environ = strs_vector(&env);
}

/* exec keeps what the caller ignores or blocks: it must not be this. */
static void
set_alarm(unsigned int seconds)
{
	signals_default(SIGALRM);
	alarm(seconds);
}

/* What reads the terminal behind it fails, and does not stop for ever. */
static void
lead_group(void)
{
	/* A leader of a session leads one already. */
	if (getpgrp() != getpid() && setpgid(0, 0) < 0)
		die_sys(EX_OSERR, "setpgid");
	signals_handle(SIGTTIN, SIG_IGN);
	signals_handle(SIGTTOU, SIG_IGN);
}

int
main(int argc, char **argv)
{
	const char *path = NULL, *session = NULL, *what = NULL;
	struct pool pool = {.most = 10};
	const char *key = NULL;
	long long limit = 0, seconds = 300;
	int c, group = 0, nokeys = 0, unlock = 0, status = EX_TEMPFAIL;

	prog = "agentpool";
	while ((c = opt_next(argc, argv, "d:E:gKk:l:m:Nn:s:t:uw:", options,
		    usage)) != -1)
		switch (c) {
		case 'd': pool.dir = optarg; break;
		case 'E': status = (int)opt_int("-E", optarg, 0, 255); break;
		case 'g': group = 1; break;
		case 'K': nokeys = 1; break;
		case 'k': key = optarg; break;
		case 'l': path = optarg; break;
		case 'm': pool.most = opt_int("-m", optarg, 0, COUNT_MAX); break;
		case 'N': pool.fresh = 1; break;
		case 'n': what = optarg; break;
		case 's': session = optarg; break;
		case 't': limit = opt_int("-t", optarg, 1, TIME_MAX); break;
		case 'u': unlock = 1; break;
		case 'w': seconds = opt_int("-w", optarg, 0, WAIT_MAX); break;
		}
	if (path == NULL && session == NULL && limit == 0 && !unlock && !nokeys
	    && key == NULL)
		opt_die(usage, "expected a lock (-l) or a time (-t)");
	if ((path != NULL) + (session != NULL) + unlock + (key != NULL) > 1)
		opt_die(usage, "expected one of -k, -l, -s, -u");
	if ((key != NULL) != (pool.dir != NULL))
		opt_die(usage, "expected -k and -d");
	if (key != NULL && !pool_iskey(key))
		opt_die(usage, "-k: expected a name, got '%s'", key);
	if (pool.dir != NULL && *pool.dir != '/')
		opt_die(usage, "-d: expected an absolute path, got '%s'",
		    pool.dir);
	if (optind == argc)
		opt_die(usage, "expected a command");
	argv += optind;
	if (unlock)
		let_go();
	if (what == NULL)
		what = argv[0];
	else
		prog = what;
	if (path != NULL)
		take_lock(path, path, what, seconds, status);
	if (session != NULL)
		hold_session(session, what, seconds, status);
	if (key != NULL)
		hold_kept(&pool, key, what);
	if (nokeys)
		drop_keys();
	if (group)
		lead_group();
	if (limit > 0)
		set_alarm((unsigned int)limit);
	child_become(argv);
}
