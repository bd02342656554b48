#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "hold.h"
#include "input.h"
#include "mcpcache.h"
#include "rpc.h"
#include "server.h"
#include "signals.h"
#include "terminal.h"

enum {
	BLOCK = 65536,
	FDS = 256,	/* descriptors below this are closed */
	PATIENCE = 86400000, /* ms that a user may take for an answer */
	LOOK = 1000	/* ms: is the parent there? where there is no pidfd */
};

enum { WANT_NOT, WANT_AWAITED, WANT_GOOD, WANT_MISSING };

/* A client. */
struct conn {
	int fd; /* -1: to be freed */
	struct buf in, out;
	size_t sent, scanned;
	char *wants; /* per server: a WANT; NULL: no list was asked for */
	long long until; /* clock_ms: waits no longer for a list; 0: it does */
};

/* A request of a client's to a server. */
struct ask {
	struct conn *c;
	struct server *s;
	long long id; /* 0: not sent yet */
	long long until; /* clock_ms: it has no answer by then */
	char *method;
	struct buf params;
};

static const char *const methods[] = { "tools/call", "prompts/list",
	"prompts/get", "resources/list", "resources/templates/list",
	"resources/read" };

static const struct hold_spec *spec;
static struct server *servers;
static char *failed; /* per server: its list failed in this run, */
static char *waited; /* or was waited for in vain: no second time */
static size_t nservers;
static struct conn **conns;
static size_t nconns, capconns;
static int watching, listening, wake[2];
static struct ask *asks;
static size_t nasks, capasks;

static void
reply(struct conn *c, struct buf *b)
{
	buf_putc(b, '\n');
	buf_add(&c->out, b->p, b->n);
	buf_reset(b);
}

static void
reply_fault(struct conn *c, const char *name, const char *what)
{
	static struct buf b, text;

	buf_reset(&text);
	if (name != NULL)
		buf_printf(&text, "server %s: ", name);
	buf_puts(&text, what);
	emit_open(&b, '{');
	emit_pairn(&b, "fault", text.p, text.n);
	emit_close(&b, '}');
	reply(c, &b);
}

static void
drop_ask(size_t i)
{
	free(asks[i].method);
	buf_free(&asks[i].params);
	asks[i] = asks[--nasks];
}

static void
reply_name(struct conn *c, const char *what, const struct server *s)
{
	static struct buf b;

	emit_open(&b, '{');
	emit_pair(&b, what, s->conf->name);
	emit_close(&b, '}');
	reply(c, &b);
}

static void
reply_list(struct conn *c, struct server *s)
{
	static struct buf b;
	static struct json j;
	char *name;
	int k;

	emit_open(&b, '{');
	emit_pair(&b, "server", s->conf->name);
	emit_pairb(&b, "trust", s->conf->trust);
	if (s->instructions.n > 0)
		emit_pairj(&b, "instructions", buf_view(&s->instructions));
	emit_key(&b, "tools");
	emit_open(&b, '[');
	if (json_parse(&j, s->tools.p, s->tools.n) == 0)
		for (k = json_first(&j, 0); k >= 0; k = json_next(&j, k)) {
			name = json_dup(&j, json_get(&j, k, "name"));
			if (name == NULL || mcpconf_offers(s->conf, name))
				emit_span(&b, json_span(&j, k));
			free(name);
		}
	emit_close(&b, ']');
	emit_close(&b, '}');
	reply(c, &b);
}

/* All lists at once: in the order of the file, however fast they came. */
static void
conclude_list(struct conn *c)
{
	static struct buf b;
	size_t i;

	if (c->wants == NULL
	    || memchr(c->wants, WANT_AWAITED, nservers) != NULL)
		return;
	for (i = 0; i < nservers; i++)
		if (c->wants[i] == WANT_GOOD)
			reply_list(c, &servers[i]);
		else if (c->wants[i] == WANT_MISSING)
			reply_name(c, "missing", &servers[i]);
	free(c->wants);
	c->wants = NULL;
	c->until = 0;
	emit_open(&b, '{');
	emit_pairb(&b, "done", 1);
	emit_pairi(&b, "left", spec->conf->left);
	emit_close(&b, '}');
	reply(c, &b);
}

static int
wanted(const struct server *s)
{
	size_t i;

	for (i = 0; i < nconns; i++)
		if (conns[i]->wants != NULL
		    && conns[i]->wants[s - servers] == WANT_AWAITED)
			return 1;
	return 0;
}

/* The list of s is there, or will not be. */
static void
settle_list(struct server *s)
{
	struct conn *c;
	size_t i;

	for (i = 0; i < nconns; i++) {
		c = conns[i];
		if (c->wants == NULL || c->wants[s - servers] != WANT_AWAITED)
			continue;
		c->wants[s - servers] = s->listed ? WANT_GOOD : WANT_MISSING;
		conclude_list(c);
	}
}

static void
on_tell(struct server *s, const char *what)
{
	warn("server %s: %s", s->conf->name, what);
}

static void
on_ready(struct server *s)
{
	failed[s - servers] = 0;
}

static void
on_slow(struct server *s)
{
	size_t i;

	for (i = 0; i < nconns; i++)
		if (conns[i]->wants != NULL
		    && conns[i]->wants[s - servers] == WANT_AWAITED)
			reply_name(conns[i], "slow", s);
	for (i = 0; i < nasks; i++)
		if (asks[i].s == s)
			reply_name(asks[i].c, "slow", s);
}

static void
on_listed(struct server *s)
{
	static struct buf b;

	waited[s - servers] = 0;
	if (s->listed) {
		mcpcache_put(s);
	} else {
		if (wanted(s) && !failed[s - servers]) {
			buf_reset(&b);
			buf_printf(&b, "its tools are left out: %s",
			    buf_cstr(&s->why));
			on_tell(s, buf_cstr(&b));
		}
		failed[s - servers] = 1;
	}
	settle_list(s);
}

static void
on_answer(struct server *s, long long id, struct span value, int iserror)
{
	static struct json j;
	static struct buf b;
	long long code;
	size_t i;

	for (i = 0; i < nasks; i++)
		if (asks[i].s == s && asks[i].id == id)
			break;
	if (i == nasks)
		return; /* it was cancelled */
	emit_open(&b, '{');
	emit_pairj(&b, iserror ? "error" : "result", value);
	emit_close(&b, '}');
	/* A tool that is not there any more: the list is stale. */
	if (iserror && json_parse(&j, value.p, value.n) == 0
	    && json_int(&j, json_get(&j, 0, "code"), &code) == 0
	    && (code == RPC_BAD_PARAMS || code == RPC_NO_METHOD)
	    && strcmp(asks[i].method, "tools/call") == 0)
		s->isstale = 1;
	reply(asks[i].c, &b);
	drop_ask(i);
}

static void
on_progress(struct server *s, long long id)
{
	size_t i;

	for (i = 0; i < nasks; i++)
		if (asks[i].s == s && asks[i].id == id)
			asks[i].until = clock_ms() + s->conf->call * 1000LL;
}

/* Its question goes to the client whose call it works on; the last one. */
static void
on_asked(struct server *s, struct span id, struct span params)
{
	static struct buf b;
	size_t i;

	for (i = nasks; i-- > 0;)
		if (asks[i].s == s && asks[i].id > 0)
			break;
	emit_open(&b, '{');
	if (i == (size_t)-1) {
		input_none(&b);
		emit_close(&b, '}');
		server_answer(s, id, buf_view(&b));
		buf_reset(&b);
		return;
	}
	emit_pairj(&b, "input", id);
	emit_pairj(&b, "params", params);
	emit_close(&b, '}');
	reply(asks[i].c, &b);
	asks[i].until = clock_ms() + PATIENCE;
}

/* Its open requests fail, and are not repeated: they may have had effect. */
static void
on_gone(struct server *s)
{
	static struct buf b;
	size_t i;

	for (i = nasks; i-- > 0;) {
		if (asks[i].s != s)
			continue;
		buf_reset(&b);
		buf_printf(&b, "%s%s", asks[i].id > 0 ? "in this call: " : "",
		    buf_cstr(&s->why));
		reply_fault(asks[i].c, s->conf->name, buf_cstr(&b));
		drop_ask(i);
	}
	if (s->listing != 0 || wanted(s)) {
		s->listing = 0;
		s->listed = 0;
		on_listed(s);
	}
}

/* A client is gone: what it asked is of no use any more. */
static void
hang_up(struct conn *c)
{
	size_t i;

	for (i = nasks; i-- > 0;)
		if (asks[i].c == c) {
			if (asks[i].id > 0)
				server_cancel(asks[i].s, asks[i].id);
			drop_ask(i);
		}
	close(c->fd);
	c->fd = -1;
	free(c->wants);
	c->wants = NULL;
}

static struct server *
find(const struct json *j, int i)
{
	size_t k;

	for (k = 0; k < nservers; k++)
		if (json_is(j, i, servers[k].conf->name))
			return &servers[k];
	return NULL;
}

/* The servers that are named, or all. */
static void
ask_list(struct conn *c, const struct json *j)
{
	static struct buf b;
	int names = json_get(j, 0, "servers"), k;
	struct server *s;
	long long wait = 0;
	size_t i;

	if (json_int(j, json_get(j, 0, "wait"), &wait) == 0)
		c->until = clock_ms() + wait;
	free(c->wants);
	c->wants = xmalloc(nservers + 1);
	memset(c->wants, names < 0 ? WANT_AWAITED : WANT_NOT, nservers + 1);
	for (k = json_first(j, names); k >= 0; k = json_next(j, k)) {
		if ((s = find(j, k)) != NULL) {
			c->wants[s - servers] = WANT_AWAITED;
			continue;
		}
		emit_open(&b, '{');
		emit_pairj(&b, "unknown", json_span(j, k));
		emit_close(&b, '}');
		reply(c, &b);
	}
	for (i = 0; i < nservers; i++) {
		s = &servers[i];
		if (!c->wants[i])
			continue;
		/* While it lists anew, what is kept is the old list. */
		if (s->listing == 0 && (mcpcache_isgood(s)
		    || (!s->isstale && mcpcache_get(s) == 0)))
			c->wants[i] = WANT_GOOD;
		else if (failed[i] || (wait > 0 && waited[i]))
			c->wants[i] = WANT_MISSING;
	}
	conclude_list(c);
}

static void
ask_server(struct conn *c, const struct json *j)
{
	struct server *s = find(j, json_get(j, 0, "server"));
	int method = json_get(j, 0, "method");
	int params = json_get(j, 0, "params");
	struct ask *a;
	char *name;
	size_t i;

	for (i = 0; i < sizeof(methods) / sizeof(*methods); i++)
		if (json_is(j, method, methods[i]))
			break;
	if (i == sizeof(methods) / sizeof(*methods)
	    || (params >= 0 && json_kind(j, params) != JSON_OBJECT)) {
		reply_fault(c, NULL, "expected a method and its params");
		return;
	}
	if (s == NULL) {
		name = json_dup(j, json_get(j, 0, "server"));
		reply_fault(c, name, "no such server is configured");
		free(name);
		return;
	}
	name = json_dup(j, json_get(j, params, "name"));
	i = i == 0 && name != NULL && !mcpconf_offers(s->conf, name);
	free(name);
	if (i) {
		reply_fault(c, s->conf->name, "this tool is disabled there: "
					      "enabled_tools, disabled_tools");
		return;
	}
	grow(&asks, &capasks, nasks, sizeof(*asks));
	a = &asks[nasks++];
	memset(a, 0, sizeof(*a));
	a->c = c;
	a->s = s;
	a->method = json_dup(j, method);
	if (params >= 0)
		buf_span(&a->params, json_span(j, params));
}

/* The user's answer to what a server asked in a call. */
static void
take_answer(struct conn *c, const struct json *j, int id)
{
	struct server *s = find(j, json_get(j, 0, "server"));
	size_t i;

	for (i = 0; i < nasks; i++)
		if (asks[i].c == c && asks[i].s == s && asks[i].id > 0) {
			asks[i].until = clock_ms() + s->conf->call * 1000LL;
			server_answer(s, json_span(j, id),
			    json_span(j, json_get(j, 0, "result")));
			return;
		}
}

static void
take_line(struct conn *c, const char *p, size_t n)
{
	static struct json j;

	if (json_parse(&j, p, n) < 0)
		reply_fault(c, NULL, "expected a JSON object");
	else if (!json_is(&j, json_get(&j, 0, "token"), spec->token))
		reply_fault(c, NULL, "expected the token of this run");
	else if (json_true(&j, json_get(&j, 0, "list")))
		ask_list(c, &j);
	else if (json_get(&j, 0, "answer") >= 0)
		take_answer(c, &j, json_get(&j, 0, "answer"));
	else
		ask_server(c, &j);
}

static void
read_client(struct conn *c)
{
	size_t start = 0;
	ssize_t r;
	char *nl;

	buf_room(&c->in, BLOCK);
	r = read(c->fd, c->in.p + c->in.n, BLOCK);
	if (r < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (r > 0)
		c->in.n += (size_t)r;
	if (r <= 0 || c->in.n > SERVER_LINE) {
		hang_up(c);
		return;
	}
	while ((nl = memchr(c->in.p + c->scanned, '\n', c->in.n - c->scanned))
	    != NULL) {
		take_line(c, c->in.p + start, (size_t)(nl - c->in.p) - start);
		start = c->scanned = (size_t)(nl - c->in.p) + 1;
	}
	c->in.n -= start;
	memmove(c->in.p, c->in.p + start, c->in.n);
	c->scanned = c->in.n;
}

static void
answer(struct conn *c)
{
	ssize_t w = send(c->fd, c->out.p + c->sent, c->out.n - c->sent,
	    MSG_NOSIGNAL);

	if (w < 0 && errno != EAGAIN && errno != EINTR) {
		hang_up(c);
		return;
	}
	if (w > 0)
		c->sent += (size_t)w;
	if (c->sent == c->out.n) {
		buf_reset(&c->out);
		c->sent = 0;
	}
}

static void
add_conn(int fd)
{
	struct conn *c = xmalloc(sizeof(*c));

	memset(c, 0, sizeof(*c));
	c->fd = fd;
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	grow(&conns, &capconns, nconns, sizeof(*conns));
	conns[nconns++] = c;
}

static void
free_conns(void)
{
	size_t i;

	for (i = nconns; i-- > 0;)
		if (conns[i]->fd < 0) {
			buf_free(&conns[i]->in);
			buf_free(&conns[i]->out);
			free(conns[i]);
			conns[i] = conns[--nconns];
		}
}

static void
send_ask(struct ask *a)
{
	a->id = server_request(a->s, a->method, buf_view(&a->params));
	a->until = clock_ms() + a->s->conf->call * 1000LL;
}

/* ms until an ask or a wait is over, -1: never by time. */
static long long
next_end(long long now)
{
	long long at = -1;
	size_t i;

	for (i = 0; i < nasks; i++)
		if (asks[i].id > 0 && (at < 0 || asks[i].until < at))
			at = asks[i].until;
	for (i = 0; i < nconns; i++)
		if (conns[i]->until > 0 && (at < 0 || conns[i]->until < at))
			at = conns[i]->until;
	return at < 0 ? -1 : at > now ? at - now : 0;
}

/* It goes on without the lists that are not there. */
static void
wait_no_longer(struct conn *c)
{
	size_t i;

	for (i = 0; i < nservers; i++) {
		if (c->wants == NULL || c->wants[i] != WANT_AWAITED)
			continue;
		c->wants[i] = WANT_MISSING;
		if (!waited[i])
			on_tell(&servers[i], "is still starting: its tools "
					     "come with a later step");
		waited[i] = 1;
	}
	c->until = 0;
	conclude_list(c);
}

/* What has had its time. */
static void
end_late(long long now)
{
	static struct buf b;
	size_t i;

	for (i = nasks; i-- > 0;) {
		if (asks[i].id == 0 || asks[i].until > now)
			continue;
		server_cancel(asks[i].s, asks[i].id);
		buf_reset(&b);
		buf_printf(&b, "%s: no answer within %d s", asks[i].method,
		    asks[i].s->conf->call);
		reply_fault(asks[i].c, asks[i].s->conf->name, buf_cstr(&b));
		drop_ask(i);
	}
	for (i = 0; i < nconns; i++)
		if (conns[i]->until > 0 && conns[i]->until <= now)
			wait_no_longer(conns[i]);
}

/* Start, ask and list what is waited for. */
static void
pump(void)
{
	struct server *s;
	size_t i;
	int waits;

	for (s = servers; s < servers + nservers; s++) {
		waits = 0;
		for (i = 0; i < nasks; i++) {
			if (asks[i].s != s || asks[i].id != 0)
				continue;
			waits = 1;
			if (s->state == SERVER_READY)
				send_ask(&asks[i]);
		}
		if (s->state == SERVER_OFF && (waits || wanted(s)))
			server_start(s);
		if (s->state == SERVER_READY && s->listing == 0
		    && !failed[s - servers]
		    && (wanted(s) || s->isstale || !s->listed)) {
			/* A list that a file has need not be made now. */
			if (!wanted(s) && !s->isstale && mcpcache_get(s) == 0)
				continue;
			server_list(s);
		}
	}
}

static void
serve(int *over)
{
	static struct pollfd *v;
	static size_t cap;
	size_t n = 0, i, k, first, firstserver, *count;
	long long now = clock_ms(), wait = spec->watch < 0 ? LOOK : -1, w;
	char byte[16];

	count = xreallocarray(NULL, nservers + 1, sizeof(*count));
	while (cap < 4 + nconns + 3 * nservers)
		grow(&v, &cap, cap, sizeof(*v));
	v[n].fd = signals_fd();
	v[n++].events = POLLIN;
	v[n].fd = wake[0];
	v[n++].events = POLLIN;
	v[n].fd = watching;
	v[n++].events = POLLIN;
	v[n].fd = listening;
	v[n++].events = POLLIN;
	first = n;
	for (i = 0; i < nconns; i++, n++) {
		v[n].fd = conns[i]->fd;
		v[n].events = POLLIN;
		if (conns[i]->sent < conns[i]->out.n)
			v[n].events |= POLLOUT;
	}
	firstserver = n;
	for (i = 0; i < nservers; i++) {
		count[i] = server_poll(&servers[i], v + n);
		n += count[i];
		w = server_wait(&servers[i], now);
		if (w >= 0 && (wait < 0 || w < wait))
			wait = w;
	}
	w = next_end(now);
	if (w >= 0 && (wait < 0 || w < wait))
		wait = w;
	for (i = 0; i < n; i++)
		v[i].revents = 0;
	if (poll(v, (nfds_t)n, wait > 60000 ? 60000 : (int)wait) > 0) {
		while (v[0].revents && read(v[0].fd, byte, sizeof(byte)) > 0)
			;
		while (v[1].revents && read(v[1].fd, byte, sizeof(byte)) > 0)
			;
		if (v[2].revents != 0)
			*over = 1;
		k = nconns;
		if (v[3].revents != 0 && (i = (size_t)accept(listening,
		    NULL, NULL)) != (size_t)-1)
			add_conn((int)i);
		for (i = 0; i < k; i++) {
			if (v[first + i].revents & POLLOUT)
				answer(conns[i]);
			if (conns[i]->fd >= 0
			    && (v[first + i].revents & ~POLLOUT))
				read_client(conns[i]);
		}
		for (i = 0, n = firstserver; i < nservers; n += count[i++])
			server_polled(&servers[i], v + n, count[i]);
	}
	now = clock_ms();
	for (i = 0; i < nservers; i++)
		server_tick(&servers[i], now);
	end_late(now);
	free_conns();
	if (signals_caught() != 0
	    || (spec->watch < 0 && getppid() != (pid_t)spec->parent)
	    || (spec->client >= 0 && nconns == 0))
		*over = 1;
	free(count);
}

static void
child_ended(int sig)
{
	int err = errno;

	(void)sig;
	if (write(wake[1], "", 1) < 0)
		errno = err; /* full: it can be read already */
	errno = err;
}

static void
set_up(void)
{
	struct sigaction sa;
	size_t i;
	int fd, null;

	for (fd = 3; fd < FDS; fd++)
		if (fd != spec->listen && fd != spec->client
		    && fd != spec->watch)
			close(fd);
	null = open("/dev/null", O_RDWR);
	if (null >= 0) {
		dup2(null, 0);
		dup2(null, 1);
		if (null > 2)
			close(null);
	}
	if (pipe(wake) < 0)
		_exit(EX_OSERR);
	fcntl(wake[0], F_SETFL, O_NONBLOCK);
	fcntl(wake[1], F_SETFL, O_NONBLOCK);
	for (fd = 3; fd < FDS; fd++)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	watching = spec->watch;
	listening = spec->listen;
	signals_arm(SIGNALS_ASKED);
	signals_handle(SIGPIPE, SIG_IGN);
	memset(&sa, 0, sizeof(sa));
	sigemptyset(&sa.sa_mask);
	sa.sa_handler = child_ended;
	sigaction(SIGCHLD, &sa, NULL);
	nservers = spec->conf->n;
	servers = xreallocarray(NULL, nservers + 1, sizeof(*servers));
	failed = xmalloc(2 * (nservers + 1));
	memset(failed, 0, 2 * (nservers + 1));
	waited = failed + nservers + 1;
	for (i = 0; i < nservers; i++)
		server_init(&servers[i], &spec->conf->v[i]);
	server_events.ready = on_ready;
	server_events.slow = on_slow;
	server_events.listed = on_listed;
	server_events.answer = on_answer;
	server_events.progress = on_progress;
	server_events.asked = on_asked;
	server_events.gone = on_gone;
	server_events.tell = on_tell;
}

/* Whoever reads what we could say waits for no server's end. */
static void
fall_silent(void)
{
	int null = open("/dev/null", O_RDWR);

	if (null >= 0) {
		dup2(null, 2);
		close(null);
	}
}

_Noreturn void
hold_run(const struct hold_spec *how)
{
	int over = 0, alive = 1, tty = terminal_open();
	size_t i;

	spec = how;
	server_user = tty >= 0;
	if (tty >= 0)
		close(tty);
	setsid();
	set_up();
	if (spec->client >= 0)
		add_conn(spec->client);
	while (!over) {
		pump();
		serve(&over);
	}
	if (listening >= 0)
		close(listening);
	watching = listening = -1;
	if (spec->socket != NULL) {
		unlink(spec->socket);
		rmdir(spec->dir);
	}
	fall_silent();
	for (i = nconns; i-- > 0;)
		hang_up(conns[i]);
	free_conns();
	for (i = 0; i < nservers; i++)
		server_stop(&servers[i]);
	while (alive) {
		alive = 0;
		for (i = 0; i < nservers; i++)
			alive |= server_alive(&servers[i]);
		if (alive)
			serve(&over);
	}
	_exit(0);
}
