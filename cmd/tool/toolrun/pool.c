#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "out.h"
#include "pool.h"
#include "record.h"
#include "signals.h"

enum { READ_BLOCK = 65536 };

struct member {
	struct buf in, end, out; /* end: the record; empty if it is implied */
	struct buf whose;	 /* the session record, until something is out */
	pid_t pid;
	int fd;
	struct member *next;
};

static struct member *waiting, **last = &waiting; /* not begun */
static struct member **running;
static size_t nrunning, atonce;
static void (*done)(int);
static void (*outer_hook)(int, const char *);

static volatile sig_atomic_t orphaned;

/* What the driver's death leaves: what runs hears of it, nothing begins. */
static void
orphan(int sig)
{
	size_t i;

	orphaned = 1;
	for (i = 0; i < nrunning; i++)
		(void)kill(running[i]->pid, sig);
}

/* A child holds neither our input nor what the others write. */
static void
detach(int to)
{
	int null = open("/dev/null", O_RDONLY);
	size_t i;

#ifdef PR_SET_PDEATHSIG
	prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
	signals_forget();
	if (null < 0 || dup2(null, STDIN_FILENO) < 0
	    || dup2(to, STDOUT_FILENO) < 0)
		die_sys(EX_OSERR, "/dev/null");
	close(null);
	close(to);
	for (i = 0; i < nrunning; i++)
		close(running[i]->fd);
}

static void
start(struct member *m, pool_serve *serve)
{
	int fds[2], i;

	if (pipe(fds) < 0)
		die_sys(EX_OSERR, "pipe");
	for (i = 0; i < 2; i++)
		fcntl(fds[i], F_SETFD, FD_CLOEXEC);
	out_flush();
	m->pid = fork();
	if (m->pid < 0)
		die_sys(EX_OSERR, "fork");
	if (m->pid == 0) {
		close(fds[0]);
		die_hook = NULL; /* standard output is not its own yet */
		detach(fds[1]);
		die_hook = outer_hook;
		exit(serve(m->in.p, m->in.n, m->end.n > 0));
	}
	close(fds[1]);
	m->fd = fds[0];
	buf_free(&m->in);
	running[nrunning++] = m;
}

/*
 * Whole records go out, of a child that could not so much as begin after the
 * session record: a ring whose next record names no session stands still.
 */
static void
put_whole(struct member *m)
{
	struct buf *b = &m->out, *whose = &m->whose;
	size_t n = b->n;

	while (n > 0 && b->p[n - 1] != '\n')
		n--;
	if (n == 0)
		return;
	if (n < whose->n
	    || (whose->n > 0 && memcmp(b->p, whose->p, whose->n) != 0))
		out_add(whose->p, whose->n);
	buf_reset(whose);
	out_add(b->p, n);
	out_flush();
	memmove(b->p, b->p + n, b->n - n);
	b->n -= n;
}

/*
 * Its block goes out; of a child that was killed, or could not write, what is
 * whole of it, and why.
 */
static void
finish(struct member *m)
{
	static struct buf why;
	const struct span none = {NULL, 0};
	int status, killed, code, whole;

	while (waitpid(m->pid, &status, 0) < 0)
		if (errno != EINTR)
			die_sys(EX_OSERR, "wait");
	killed = WIFSIGNALED(status);
	code = killed ? EX_PROTOCOL : WEXITSTATUS(status);
	whole = m->out.n > 0 && m->out.p[m->out.n - 1] == '\0';
	put_whole(m);
	if (signals_caught() == 0
	    && (killed || (code == EX_IOERR && !whole) || m->whose.n > 0)) {
		out_add(m->whose.p, m->whose.n);
		buf_reset(&why);
		buf_puts(&why, "a conversation's process ");
		if (killed)
			buf_printf(&why, "was killed by signal %d",
			    WTERMSIG(status));
		else
			buf_printf(&why, "ended with status %d", code);
		if (killed)
			warn("%s", buf_cstr(&why));
		record_error(code, buf_cstr(&why), none);
	}
	if (signals_caught() == 0)
		out_add(m->end.p, m->end.n);
	out_flush();
	done(code);
	close(m->fd);
	buf_free(&m->out);
	buf_free(&m->end);
	buf_free(&m->whose);
	free(m);
}

/* What running[i] wrote; 1 at its end. */
static int
gather(size_t i)
{
	struct member *m = running[i];
	ssize_t n;

	buf_room(&m->out, READ_BLOCK);
	n = read(m->fd, m->out.p + m->out.n, READ_BLOCK);
	if (n < 0 && errno == EINTR)
		return 0;
	if (n < 0)
		die_sys(EX_IOERR, "read");
	m->out.n += (size_t)n;
	/* Where no other's stand between them. */
	if (atonce == 1)
		put_whole(m);
	return n == 0;
}

static void
add_record(const struct rec *r)
{
	static struct member *m;
	struct buf *b;

	if (m == NULL) {
		m = xmalloc(sizeof(*m));
		memset(m, 0, sizeof(*m));
	}
	if (r->type == REC_SESSION) {
		buf_add(&m->whose, r->s, r->n);
		buf_putc(&m->whose, '\n');
	}
	b = r->type == REC_END ? &m->end : &m->in;
	if (!r->implied) {
		buf_add(b, r->s, r->n);
		buf_putc(b, '\n');
	}
	if (r->type != REC_END)
		return;
	*last = m;
	last = &m->next;
	m = NULL;
}

static void
stop_all(void)
{
	static int passed;
	size_t i;

	for (; passed < signals_times(); passed++)
		for (i = 0; i < nrunning; i++)
			kill(running[i]->pid, signals_caught());
}

static void
wait_for_some(int in)
{
	static struct pollfd *p;
	struct member *m;
	size_t i;

	p = xreallocarray(p, nrunning + 2, sizeof(*p));
	for (i = 0; i < nrunning; i++)
		p[i] = (struct pollfd){running[i]->fd, POLLIN, 0};
	p[i] = (struct pollfd){in, POLLIN, 0};
	p[i + 1] = (struct pollfd){
		signals_caught() == 0 ? signals_fd() : -1, POLLIN, 0};
	if (poll(p, nrunning + 2, -1) < 0) {
		if (errno != EINTR)
			die_sys(EX_OSERR, "poll");
		return;
	}
	if (p[i].revents != 0)
		record_read();
	while (i-- > 0) {
		if (p[i].revents == 0 || !gather(i))
			continue;
		m = running[i];
		running[i] = running[--nrunning];
		finish(m);
	}
}

/* After bad input: what was begun before is finished. */
static void
drain(int code, const char *msg)
{
	die_hook = outer_hook;
	while (record_failed() && nrunning > 0)
		wait_for_some(-1);
	outer_hook(code, msg);
}

void
pool_run(size_t most, pool_serve *serve, void (*tell)(int))
{
	struct member *m;
	struct rec r;
	int more = 1;

	atonce = most;
	done = tell;
	signal(POOL_ORPHANED, orphan);
#ifdef PR_SET_PDEATHSIG
	prctl(PR_SET_PDEATHSIG, POOL_ORPHANED);
#endif
	outer_hook = die_hook;
	die_hook = drain;
	running = xreallocarray(NULL, most, sizeof(*running));
	while (more || waiting != NULL || nrunning > 0) {
		/* What waits for input alone dies at once. */
		signals_arm(nrunning > 0 ? SIGNALS_ASKED : SIGNALS_AT_ONCE);
		while (more && signals_caught() == 0
		    && (nrunning + (waiting != NULL) == 0 || record_ready())) {
			more = record_next(&r);
			if (more)
				add_record(&r);
		}
		signals_arm(SIGNALS_ASKED);
		if (orphaned) {
			waiting = NULL;
			more = 0;
		}
		while (waiting != NULL && nrunning < most
		    && signals_caught() == 0) {
			m = waiting;
			waiting = m->next;
			if (waiting == NULL)
				last = &waiting;
			start(m, serve);
		}
		stop_all();
		if (nrunning > 0)
			wait_for_some(more && signals_caught() == 0
			    ? STDIN_FILENO : -1);
		if (signals_caught() != 0 && nrunning == 0) {
			out_end();
			signals_die(signals_caught());
		}
	}
	free(running);
}
