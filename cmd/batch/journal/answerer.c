#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "answerer.h"
#include "child.h"
#include "diag.h"
#include "fd.h"
#include "progress.h"

enum { BLOCK = 65536 };

static char **argv;
static void (*prepare)(void);
static pid_t pid = -1;
static int to = -1, from = -1, said = -1; /* our ends */
static int closing;
static struct buf out, in; /* to be written; read and not taken */
static size_t written;

void
answerer_set(char **command, void (*env_set)(void))
{
	argv = command;
	prepare = env_set;
}

int
answerer_isopen(void)
{
	return pid > 0;
}

void
answerer_start(void)
{
	struct child c = {{-1, -1, STDERR_FILENO}, 0, NULL, NULL};
	int ours[3], theirs[3] = {-1, -1, STDERR_FILENO};
	int n = progress_moves() ? 3 : 2;

	if (fd_pipes(ours, theirs, n) < 0)
		die_sys(EX_OSERR, "pipe");
	memcpy(c.fd, theirs, sizeof(c.fd));
	prepare();
	if (child_start(&pid, &c, argv) < 0)
		die_sys(EX_NOINPUT, "%s", argv[0]);
	to = ours[0];
	from = ours[1];
	if (n == 3)
		said = ours[2];
	while (n-- > 0)
		fd_drop(theirs[n]);
	closing = 0;
	written = 0;
	buf_reset(&out);
	buf_reset(&in);
}

struct buf *
answerer_input(void)
{
	return &out;
}

size_t
answerer_waiting(void)
{
	return out.n - written;
}

int
answerer_takes(void)
{
	return to >= 0 && !closing;
}

void
answerer_close(void)
{
	closing = 1;
	if (answerer_waiting() > 0 || to < 0)
		return;
	fd_drop(to);
	to = -1;
}

void
answerer_poll(struct pollfd *p, int *n)
{
	if (to >= 0 && answerer_waiting() > 0) {
		p[*n].fd = to;
		p[(*n)++].events = POLLOUT;
	}
	if (from >= 0) {
		p[*n].fd = from;
		p[(*n)++].events = POLLIN;
	}
	if (said >= 0) {
		p[*n].fd = said;
		p[(*n)++].events = POLLIN;
	}
}

/* What it prints does not go into the line that we show. */
static void
pass_words(void)
{
	static char b[BLOCK];
	ssize_t n;

	while (said >= 0 && (n = read(said, b, sizeof(b))) > 0) {
		progress_clear();
		(void)fd_write(STDERR_FILENO, b, (size_t)n);
	}
	if (said < 0 || n < 0)
		return;
	fd_drop(said);
	said = -1;
}

/* One that does not read any more may have answered all the same. */
static void
write_some(void)
{
	void (*old)(int) = signal(SIGPIPE, SIG_IGN);
	ssize_t n = 0;

	while (answerer_waiting() > 0
	    && (n = write(to, out.p + written, answerer_waiting())) > 0)
		written += (size_t)n;
	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		if (errno != EPIPE)
			die_sys(EX_IOERR, "write to %s", argv[0]);
		written = out.n;
		closing = 1;
	}
	if (answerer_waiting() == 0) {
		written = 0;
		buf_reset(&out);
	}
	signal(SIGPIPE, old);
	if (closing)
		answerer_close();
}

static int
read_some(void (*take)(const char *, size_t))
{
	size_t begin = 0, seen = in.n;
	const char *nl;
	ssize_t n;

	buf_room(&in, BLOCK);
	n = read(from, in.p + in.n, BLOCK);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 1;
	if (n < 0)
		die_sys(EX_IOERR, "read from %s", argv[0]);
	if (n == 0)
		return 0;
	in.n += (size_t)n;
	for (; (nl = memchr(in.p + seen, '\n', in.n - seen)) != NULL;
	     begin = seen = (size_t)(nl - in.p) + 1)
		take(in.p + begin, (size_t)(nl - in.p) - begin);
	memmove(in.p, in.p + begin, in.n - begin);
	in.n -= begin;
	return 1;
}

int
answerer_move(void (*take)(const char *s, size_t n))
{
	if (to >= 0)
		write_some();
	pass_words();
	return read_some(take);
}

int
answerer_end(void)
{
	int status = child_wait(pid);

	if (status < 0)
		die_sys(EX_OSERR, "wait for %s", argv[0]);
	if (to >= 0)
		fd_drop(to);
	pass_words();
	if (said >= 0)
		fd_drop(said);
	fd_drop(from);
	said = to = from = pid = -1;
	buf_reset(&out);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

void
answerer_kill(int sig)
{
	if (pid > 0)
		kill(pid, sig);
}
