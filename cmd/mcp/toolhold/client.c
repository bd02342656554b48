#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "client.h"
#include "diag.h"
#include "emit.h"
#include "env.h"
#include "fd.h"
#include "hold.h"

enum { BLOCK = 65536 };

static struct mcpconf conf;
static const char *token;
static int sock = -1;

static void
own(const char *path)
{
	static struct buf secret;
	struct hold_spec spec;
	int p[2];
	pid_t pid;

	mcpconf_read(&conf, path);
	fd_random(&secret, HOLD_TOKEN);
	token = buf_cstr(&secret);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, p) < 0)
		die_sys(EX_OSERR, "socketpair");
	memset(&spec, 0, sizeof(spec));
	spec.conf = &conf;
	spec.token = token;
	spec.listen = spec.watch = -1;
	spec.client = p[1];
	spec.parent = (long)getpid();
	pid = fork();
	if (pid == 0)
		hold_run(&spec);
	if (pid < 0)
		die_sys(EX_OSERR, "fork");
	close(p[1]);
	sock = p[0];
}

int
client_open(const char *path)
{
	const char *name = env_get("TURNPIPE_TOOLHOLD");
	struct sockaddr_un to;

	token = env_get("TURNPIPE_TOOLHOLD_TOKEN");
	if (path != NULL || name == NULL || token == NULL) {
		own(path);
		return 0;
	}
	memset(&to, 0, sizeof(to));
	to.sun_family = AF_UNIX;
	if (strlen(name) >= sizeof(to.sun_path))
		die(EX_CONFIG, "TURNPIPE_TOOLHOLD: expected a shorter path");
	strcpy(to.sun_path, name);
	sock = socket(AF_UNIX, SOCK_STREAM, 0);
	if (sock < 0)
		die_sys(EX_OSERR, "socket");
	fcntl(sock, F_SETFD, FD_CLOEXEC);
	/* The one that was there is gone: we are as without it. */
	if (connect(sock, (struct sockaddr *)&to, sizeof(to)) < 0) {
		close(sock);
		own(path);
		return 0;
	}
	return 1;
}

void
client_start(struct buf *b)
{
	buf_reset(b);
	emit_open(b, '{');
	emit_pair(b, "token", token);
}

void
client_ask(struct buf *b)
{
	size_t at = 0;
	ssize_t w;

	emit_close(b, '}');
	buf_putc(b, '\n');
	while (at < b->n) {
		w = send(sock, b->p + at, b->n - at, MSG_NOSIGNAL);
		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			die_sys(EX_PROTOCOL, "the servers' holder");
		at += (size_t)w;
	}
	buf_reset(b);
}

static const struct json *
next_line(void)
{
	static struct buf in, line;
	static struct json j;
	static size_t scanned;
	char *nl = NULL;
	ssize_t r;

	while (in.n == scanned
	    || (nl = memchr(in.p + scanned, '\n', in.n - scanned)) == NULL) {
		scanned = in.n;
		buf_room(&in, BLOCK);
		r = read(sock, in.p + in.n, BLOCK);
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			die(EX_PROTOCOL, "the process that holds the servers "
					 "is gone");
		in.n += (size_t)r;
	}
	buf_reset(&line);
	buf_add(&line, in.p, (size_t)(nl - in.p));
	in.n -= line.n + 1;
	memmove(in.p, nl + 1, in.n);
	scanned = 0;
	if (json_parse(&j, buf_cstr(&line), line.n) < 0)
		die(EX_PROTOCOL, "expected a JSON object of the process that "
				 "holds the servers");
	return &j;
}

const struct json *
client_next(void)
{
	const struct json *j;
	char *name;

	for (;;) {
		j = next_line();
		name = json_dup(j, json_get(j, 0, "slow"));
		if (name == NULL)
			return j;
		if (isatty(STDERR_FILENO))
			warn("server %s: still starting", name);
		free(name);
	}
}
