/* What cannot be read of a program that runs: never "not started". */
#define _GNU_SOURCE /* syscall */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diag.h"
#include "proc.h"
#include "tap.h"

static size_t got;
static int trickle, deaf; /* what comes of a keeper's word at once */

/* In place of the system's, also for proc.c. */
ssize_t
read(int fd, void *p, size_t n)
{
	if (deaf && n <= sizeof(struct word))
		return 0;
	if (trickle && n > 3 && n <= sizeof(struct word))
		n = 3;
	return (ssize_t)syscall(SYS_read, fd, p, n);
}

static void
data(int from, const char *p, size_t n, void *arg)
{
	(void)from;
	(void)p;
	(void)arg;
	got += n;
}

/* Run sh -c line; from then on reading p.fd[i] fails (-1: all is well). */
static void
run(struct proc *p, const char *line, int i)
{
	char *argv[] = {"/bin/sh", "-c", (char *)line, NULL};
	char *env[] = {NULL};
	struct proc_spec s;
	int dir = open("/", O_RDONLY);

	memset(&s, 0, sizeof(s));
	s.path = "/bin/sh";
	s.argv = argv;
	s.env = env;
	s.timeout = 20000;
	got = 0;
	proc_start(p, &s, data, NULL);
	/* read(2) of a directory: EISDIR. */
	if (i >= 0 && (dir < 0 || dup2(dir, p->fd[i]) < 0))
		die_sys(EX_OSERR, "/");
	close(dir);
	while (!p->done)
		proc_wait();
}

int
main(void)
{
	struct proc p;

	prog = "proc";
	proc_init();
	run(&p, "echo hi", -1);
	ok(p.err == 0 && p.lost == 0 && p.status == 0 && got == 3,
	    "all is read");
	run(&p, "echo hi", 1);
	ok(p.err == 0 && p.lost == EISDIR
	    && got == 0, "standard output cannot be read: it was started");
	run(&p, "echo hi >&2", 2);
	ok(p.err == 0 && p.lost == EISDIR && got == 0,
	    "nor standard error");
	run(&p, "sleep 15", 3);
	ok(p.err == 0 && p.lost == EISDIR && WIFSIGNALED(p.status),
	    "the keeper cannot be heard: it was started, and is ended");
	trickle = 1;
	run(&p, "echo hi; exit 3", -1);
	ok(p.err == 0 && p.lost == 0 && WEXITSTATUS(p.status) == 3
	    && got == 3, "a word that comes in parts is read to its end");
	deaf = 1;
	run(&p, "echo hi", -1);
	ok(p.err == 0 && p.lost == ECHILD,
	    "no word of the keeper: only one that says so is 'not started'");
	return done_testing();
}
