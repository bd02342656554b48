#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "env.h"
#include "relay.h"
#include "signals.h"

/* A message begins so; a question, or a reason, is the rest. */
struct head {
	uint32_t what; /* ASKS, ASKS_ALWAYS, WITHDRAWN; else an ask_answer */
	uint32_t who;  /* the asker's pid and count: an answer has those of its */
	uint32_t count; /* question, and what was another's is not heard */
};

enum {
	ASKS = 100,
	ASKS_ALWAYS,
	WITHDRAWN,
	RELAY_MAX = 1 << 20 /* bytes of a message */
};

/* Our caller's socket; -1 for none. */
static int
caller(void)
{
	const char *env = env_get("TURNPIPE_ASK_FD");
	struct stat st;

	if (env == NULL || strcmp(env, "9") != 0 || fstat(RELAY_FD, &st) < 0
	    || !S_ISSOCK(st.st_mode))
		return -1;
	return RELAY_FD;
}

int
relay_open(int *ours)
{
	const char *env = env_get("TURNPIPE_ASK");
	int p[2] = { -1, -1 };
	int high, i;

	if ((env != NULL && strcmp(env, "0") == 0)
	    || (caller() < 0 && !ask_possible())
	    || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, p) < 0)
		return -1;
	for (i = 0; i < 2; i++) {
		high = fcntl(p[i], F_DUPFD_CLOEXEC, RELAY_FD + 1);
		close(p[i]);
		p[i] = high;
	}
	if (p[0] < 0 || p[1] < 0) {
		for (i = 0; i < 2; i++)
			if (p[i] >= 0)
				close(p[i]);
		return -1;
	}
	*ours = p[0];
	return p[1];
}

/* 0, or -1: the other end is closed, or the message is too long. */
static int
put(int fd, uint32_t what, const struct head *of, const struct buf *text)
{
	struct buf b = { 0 };
	struct head h = *of;
	ssize_t n;

	h.what = what;
	buf_add(&b, (const char *)&h, sizeof(h));
	if (text != NULL)
		buf_span(&b, buf_view(text));
	do
		n = send(fd, b.p, b.n, MSG_NOSIGNAL | MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	buf_free(&b);
	return n < 0 ? -1 : 0;
}

/* The next message, if there is one: 1, 0 for none, -1 at the end. */
static int
get(int fd, struct head *h, struct buf *text)
{
	ssize_t n;

	buf_reset(text);
	buf_room(text, RELAY_MAX);
	n = recv(fd, text->p, RELAY_MAX, MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n < (ssize_t)sizeof(*h))
		return -1;
	memcpy(h, text->p, sizeof(*h));
	memmove(text->p, text->p + sizeof(*h), (size_t)n - sizeof(*h));
	text->n = (size_t)n - sizeof(*h);
	return 1;
}

/* Has the asker gone, or withdrawn it, or has another one taken its place? */
static int
is_over(int fd)
{
	char c;

	return recv(fd, &c, 1, MSG_PEEK | MSG_DONTWAIT) >= 0
	    || (errno != EAGAIN && errno != EINTR);
}

int
relay_hear(int ours, const struct toolcall *c)
{
	static struct buf in, text, why, typed;
	const struct ask_source from = { ours, is_over };
	struct head h;
	char *agent = NULL;
	enum ask_answer a;
	int r = get(ours, &h, &in);

	if (r <= 0 || (h.what != ASKS && h.what != ASKS_ALWAYS))
		return r < 0 ? -1 : 0;
	agent = toolcall_agent(c);
	buf_reset(&text);
	buf_reset(&why);
	buf_printf(&text, "agent %s: ", agent != NULL ? agent : c->name);
	buf_span(&text, buf_view(&in));
	free(agent);
	a = relay_ask(&text, h.what == ASKS_ALWAYS, env_run(&typed, "typed"),
	    &from, &why);
	/* Interrupted, either it is withdrawn or we are ending. */
	if (a != ASK_INTERRUPTED)
		(void)put(ours, a, &h, &why);
	return 0;
}

static enum ask_answer
ask_caller(int fd, const struct buf *text, int always,
    const struct ask_source *from, struct buf *why)
{
	static uint32_t count;
	struct pollfd v[3] = { { fd, POLLIN, 0 },
		{ signals_fd(), POLLIN, 0 },
		{ from != NULL ? from->fd : -1, POLLIN, 0 } };
	struct head own, h;
	struct buf in = { 0 };
	int r = 0;

	memset(&own, 0, sizeof(own));
	own.who = (uint32_t)getpid();
	own.count = ++count;
	if (put(fd, always ? ASKS_ALWAYS : ASKS, &own, text) < 0)
		return ASK_NOBODY;
	while (r == 0) {
		if (poll(v, 3, -1) < 0)
			continue;
		if (signals_caught() != 0
		    || (v[2].revents != 0 && from->is_over(from->fd))) {
			(void)put(fd, WITHDRAWN, &own, NULL);
			break;
		}
		r = get(fd, &h, &in);
		if (r > 0 && (h.who != own.who || h.count != own.count))
			r = 0;
	}
	if (r > 0)
		buf_span(why, buf_view(&in));
	buf_free(&in);
	if (r == 0)
		return ASK_INTERRUPTED;
	return r > 0 && h.what <= ASK_INTERRUPTED ? (enum ask_answer)h.what
						  : ASK_NOBODY;
}

enum ask_answer
relay_ask(const struct buf *text, int always, const char *typed,
    const struct ask_source *from, struct buf *why)
{
	int fd = caller();

	return fd >= 0 ? ask_caller(fd, text, always, from, why)
		       : ask_tty(text, always, typed, from, why);
}
