#define _GNU_SOURCE /* renameat2, O_PATH */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "beneath.h"
#include "box.h"
#include "tap.h"

enum { SWAPS = 10000 };

static char path[sizeof(box_dir) + 200];

static const char *
at(const char *rel)
{
	snprintf(path, sizeof(path), "%s/%s", box_dir, rel);
	return path;
}

static void
put(const char *rel, const char *text)
{
	FILE *f = fopen(at(rel), "w");

	box_need(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0, rel);
}

static int
dir(const char *rel, int make)
{
	at(rel);
	return beneath_dir(path, strlen(path), make);
}

/* What is in f of this directory; "" where it cannot be opened. */
static const char *
look(const char *rel)
{
	static char text[20];
	int d = dir(rel, 0), fd;
	ssize_t n;

	text[0] = '\0';
	if (d < 0)
		return text;
	fd = openat(d, "f", O_RDONLY | O_NOFOLLOW);
	if (fd >= 0 && (n = read(fd, text, sizeof(text) - 1)) >= 0)
		text[n] = '\0';
	if (fd >= 0)
		close(fd);
	close(d);
	return text;
}

static int
errno_of(const char *rel)
{
	int fd = dir(rel, 0);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* A real directory and a link out of the tree change places. */
static void
swap(void)
{
	char a[sizeof(path)], b[sizeof(path)], c[sizeof(path)];
	int i;

	snprintf(a, sizeof(a), "%s", at("tree/d"));
	snprintf(b, sizeof(b), "%s", at("tree/other"));
	snprintf(c, sizeof(c), "%s", at("tree/third"));
	for (i = 0; i < SWAPS; i++) {
#ifdef SYS_renameat2
		if (syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 2) == 0)
			continue;
#endif
		if (rename(a, c) < 0 || rename(b, a) < 0 || rename(c, b) < 0)
			_exit(1);
	}
	_exit(0);
}

static void
race(const char *how)
{
	unsigned long in = 0, refused = 0, out = 0;
	const char *s;
	int status, ended = 0;
	pid_t pid = fork();

	if (pid == 0)
		swap();
	box_need(pid > 0, "fork");
	do {
		ended = waitpid(pid, &status, WNOHANG) != 0;
		s = look("tree/d");
		if (strcmp(s, "inside") == 0)
			in++;
		else if (*s == '\0')
			refused++;
		else
			out++;
	} while (!ended);
	printf("# %s: %lu inside, %lu refused\n", how, in, refused);
	ok(out == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0,
	    "%s: %d swaps beside the read, nothing from outside", how, SWAPS);
}

static void
both(const char *how)
{
	struct stat st;
	int fd;

	ok(strcmp(look("tree/d"), "inside") == 0, "%s: a directory", how);
	ok(strcmp(look("tree//d/"), "inside") == 0, "%s: slashes", how);
	ok(errno_of("tree/out") != 0, "%s: a link out of the tree", how);
	ok(errno_of("tree/in") != 0, "%s: a link inside it too", how);
	ok(errno_of("tree/in/sub") != 0, "%s: a link on the way", how);
	ok(errno_of("tree/d/f") == ENOTDIR, "%s: a file is no directory", how);
	ok(errno_of("tree/nix") == ENOENT, "%s: nothing there", how);
	fd = dir("tree/made/of/these", 1);
	ok(fd >= 0 && stat(at("tree/made/of/these"), &st) == 0, "%s: made",
	    how);
	close(fd);
	fd = dir("tree/made/of/these", 1);
	ok(fd >= 0, "%s: made before", how);
	close(fd);
	rmdir(at("tree/made/of/these"));
	rmdir(at("tree/made/of"));
	rmdir(at("tree/made"));
	ok(dir("tree/out/x/y", 1) < 0 && stat(at("outside/x"), &st) < 0,
	    "%s: nothing is made by way of a link", how);
	fd = beneath_dir("/", 1, 0);
	ok(fd >= 0, "%s: the top", how);
	close(fd);
	race(how);
}

int
main(void)
{
	box_enter();
	mkdir(at("tree"), 0700);
	mkdir(at("tree/d"), 0700);
	mkdir(at("tree/d/sub"), 0700);
	mkdir(at("outside"), 0700);
	put("tree/d/f", "inside");
	put("outside/f", "outside");
	box_need(symlink("../outside", at("tree/out")) == 0
		&& symlink("../outside", at("tree/other")) == 0
		&& symlink("d", at("tree/in")) == 0, "symlink");
	both("as the kernel can");
	beneath_walk_only = 1;
	both("name by name");
	ok(errno_of("tree/d/..") == EINVAL, "name by name: no ..");
	box_leave();
	return done_testing();
}
