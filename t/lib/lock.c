#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "box.h"
#include "clock.h"
#include "file.h"
#include "lock.h"
#include "tap.h"

/* What stands in the lock's file, and what lock_holder makes of it. */
static const struct {
	const char *text;
	long pid;
	const char *what;
} signs[] = {
	{"123 llmcall -m x\n", 123, "llmcall -m x"},
	{"123 llmcall", 123, "llmcall"},
	{"123 \n", 123, ""},
	{"123 a\n456 b\n", 123, "a"},
	{"", 0, ""},
	{"\n", 0, ""},
	{"123", 0, ""},
	{"123\n", 0, ""},
	{"-5 x\n", 0, ""},
	{" 5 x\n", 0, ""},
	{"x 5\n", 0, ""},
	{"99999999999999999999999 x\n", 0, ""},
	{"5@ab", 0, ""},
	{"5@a.b.invalid x y\n", -5, "x y, on the host a.b.invalid"},
};

static void
test_signs(void)
{
	static struct buf b;
	size_t i;
	long pid;

	for (i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		box_need(file_write("sign", signs[i].text,
			     strlen(signs[i].text), 0600)
			== 0,
		    "sign");
		buf_reset(&b);
		pid = lock_holder("sign", &b);
		ok(pid == signs[i].pid
			&& strcmp(buf_cstr(&b), signs[i].what) == 0,
		    "sign '%s': %ld '%s'", signs[i].text, pid, b.p);
	}
	ok(lock_holder("missing", &b) == 0, "no file, no holder");
	ok(lock_holder(".", &b) == 0, "a directory names no holder");
}

/* A child that has inherited all that we hold, until it is killed. */
static pid_t
heir(void)
{
	int ready[2];
	pid_t pid;
	char c;

	box_need(pipe(ready) == 0, "pipe");
	pid = fork();
	box_need(pid >= 0, "fork");
	if (pid == 0) {
		box_need(write(ready[1], "", 1) == 1, "write");
		for (;;)
			pause();
	}
	box_need(read(ready[0], &c, 1) == 1, "read");
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void
end(pid_t pid)
{
	kill(pid, SIGKILL);
	box_need(waitpid(pid, NULL, 0) == pid, "waitpid");
}

static void
nothing(int sig)
{
	(void)sig;
}

/* Taken by us through another descriptor: flock(2) tells them apart. */
static void
test_waiting(void)
{
	struct itimerval tick = {{0, 5000}, {0, 5000}}, off = {{0}, {0}};
	struct sigaction sa;
	long long ms;
	int fd, other;
	pid_t pid;

	fd = lock_take("l", 0);
	ok(fd >= 0, "free: taken at once");
	ok((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0, "close-on-exec");
	errno = 0;
	ok(lock_take("l", 0) == -1 && errno == EWOULDBLOCK, "taken: no wait");

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = nothing;
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &tick, NULL);
	ms = clock_ms();
	errno = 0;
	ok(lock_take("l", 60) == -1 && errno == EWOULDBLOCK,
	    "taken: waits, signals or not");
	ms = clock_ms() - ms;
	ok(ms >= 60, "as long as its limit: %lld ms", ms);
	setitimer(ITIMER_REAL, &off, NULL);

	pid = heir();
	close(fd);
	ok(lock_take("l", 0) == -1, "held by whoever inherits it");
	end(pid);
	other = lock_take("l", 10000);
	ok(other >= 0, "free when the last of them is gone");
	close(other);
	other = lock_take("l", -1);
	ok(other >= 0, "waiting without end for a free one");
	close(other);
}

/* The lock goes to the waiter as soon as its holder is gone. */
static void
test_handed(void)
{
	int fd = lock_take("h", 0), got;
	pid_t pid;

	box_need(fd >= 0, "h");
	pid = fork();
	box_need(pid >= 0, "fork");
	if (pid == 0) {
		nanosleep(&(struct timespec){0, 30000000}, NULL);
		_exit(0);
	}
	close(fd);
	got = lock_take("h", -1);
	ok(got >= 0, "waiting without end for a taken one");
	close(got);
	box_need(waitpid(pid, NULL, 0) == pid, "waitpid");
}

static void
test_file(void)
{
	static struct buf b;
	struct stat st;
	long pid;
	enum file_result got;
	int fd;

	umask(0);
	fd = lock_take("f", 0);
	ok(fstat(fd, &st) == 0 && (st.st_mode & 07777) == 0600, "mode 0600");
	lock_sign(fd, "a long text that is to go away");
	lock_sign(fd, "histadd\nx");
	pid = lock_holder("f", &b);
	ok(pid == (long)getpid() && strcmp(buf_cstr(&b), "histadd") == 0,
	    "signed: %ld '%s'", pid, b.p);
	buf_reset(&b);
	got = file_read("f", &b, 100);
	ok(got == FILE_OK && strcmp(strchr(buf_cstr(&b), ' '), " histadd\n") == 0,
	    "nothing of the older sign is left: %s", b.p);
	close(fd);
	ok(access("f", F_OK) == 0, "the file stays");
	errno = 0;
	ok(lock_take("no/such/dir", 0) == -1 && errno == ENOENT,
	    "no directory: errno");
	ok(lock_take(".", 0) == -1 && errno == EISDIR, "a directory: errno");
}

int
main(void)
{
	box_enter();
	test_signs();
	test_waiting();
	test_handed();
	test_file();
	box_leave();
	return done_testing();
}
