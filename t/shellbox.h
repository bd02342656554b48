#ifndef SHELLBOX_H
#define SHELLBOX_H

/*
 * Run shell lines that a judge allows where they can do no harm, and see what
 * they did: a directory of known content, and a PATH of programs that only
 * log their arguments.
 */

#define _XOPEN_SOURCE 700 /* nftw */
#include <ftw.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <fcntl.h>

#include "box.h"

static const char *const shellbox_shells[] = { "/bin/dash", "/bin/bash" };
enum { SHELLBOX_SHELLS = 2 };
static char shellbox_log[sizeof(box_dir) + 10], shellbox_work[sizeof(box_dir) + 10],
    shellbox_path[sizeof(box_dir) + 10];
static uint64_t shellbox_sum;

/* Called by a name that is not our own: log the arguments, and that is all. */
static inline int
shellbox_stub(int argc, char **argv)
{
	static char s[1 << 17];
	const char *log = getenv("SHELLBOX_LOG");
	size_t n = 0;
	int fd, i;

	if (log == NULL
	    || (fd = open(log, O_WRONLY | O_APPEND | O_CREAT, 0600)) < 0)
		return 0;
	/* In one write: others log at the same time. */
	for (i = 0; i < argc && n + strlen(argv[i]) + 3 < sizeof(s); i++) {
		memcpy(s + n, argv[i], strlen(argv[i]) + 1);
		n += strlen(argv[i]) + 1;
	}
	memcpy(s + n, "\n", 2);
	box_need(write(fd, s, n + 2) >= 0, "log");
	return 0;
}

static inline int
shellbox_add(const char *path, const struct stat *st, int kind, struct FTW *f)
{
	uint64_t h = 14695981039346656037u ^ (uint64_t)kind;

	(void)f;
	for (; *path != '\0'; path++)
		h = (h ^ (unsigned char)*path) * 1099511628211u;
	if (kind == FTW_F)
		h += (uint64_t)st->st_size * 7919;
	shellbox_sum += h ^ (uint64_t)st->st_mode << 32;
	return 0;
}

/* A sum over names, kinds, modes and sizes in the work directory. */
static inline uint64_t
shellbox_look(void)
{
	shellbox_sum = 0;
	box_need(nftw(shellbox_work, shellbox_add, 16, FTW_PHYS) == 0, "nftw");
	return shellbox_sum;
}

static inline void
shellbox_fill(void)
{
	box_need(chdir(box_dir) == 0, box_dir);
	box_sh("rm -rf work && mkdir -p work && cd work &&"
	       "mkdir .git src src/x build sub sub/src evil &&"
	       "printf '#!/bin/sh\\n: >DEED\\n' >run && chmod +x run &&"
	       "cp run sub/run && cp run evil/git && echo a >src/a &&"
	       "echo s >secret && cp secret sub/src && ln -s ../sub build/link &&"
	       "ln -s ../none build/dangling && ln -s ../run build/lnk");
	box_need(chdir("work") == 0, "work");
}

/* names: programs to be had, besides those that a shell has in itself. */
static inline void
shellbox_enter(const char *stub, const char *names)
{
	char line[8000];

	box_need(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0, "prctl");
	box_enter();
	snprintf(shellbox_log, sizeof(shellbox_log), "%s/log", box_dir);
	snprintf(shellbox_work, sizeof(shellbox_work), "%s/work", box_dir);
	snprintf(shellbox_path, sizeof(shellbox_path), "PATH=%s/bin", box_dir);
	snprintf(line, sizeof(line),
	    "mkdir bin && cp '%s' bin/.stub && cd bin &&"
	    "for n in %s; do ln .stub $n; done &&"
	    "printf '#!/bin/sh\\n: >\"$1\"\\n' >touch && chmod +x touch",
	    stub, names);
	box_sh(line);
	shellbox_fill();
}

/*
 * Run the line in shell i.  1 if it did anything but run programs of the
 * PATH, which stand in the log.
 */
static inline int
shellbox_run(int i, const char *line)
{
	uint64_t before = shellbox_look();
	char log[sizeof(shellbox_log) + 20];
	char *env[] = { shellbox_path, log, NULL };
	char *argv[] = { "sh", "-c", (char *)line, NULL };
	struct rlimit small = { 1 << 20, 1 << 20 };
	int st, fd, bad;
	pid_t pid;

	snprintf(log, sizeof(log), "SHELLBOX_LOG=%s", shellbox_log);
	(void)unlink(shellbox_log);
	pid = fork();
	box_need(pid >= 0, "fork");
	if (pid == 0) {
		fd = open("/dev/null", O_RDWR);
		dup2(fd, 0);
		dup2(fd, 1);
		dup2(fd, 2);
		setsid();
		alarm(10);
		setrlimit(RLIMIT_FSIZE, &small);
		execve(shellbox_shells[i], argv, env);
		_exit(126);
	}
	box_need(waitpid(pid, &st, 0) == pid, "waitpid");
	/* What it left in the background is ours now. */
	while (waitpid(-1, NULL, 0) > 0)
		continue;
	bad = shellbox_look() != before;
	if (bad)
		shellbox_fill();
	return bad;
}

static inline int
shellbox_has(int i)
{
	return access(shellbox_shells[i], X_OK) == 0;
}

#endif
