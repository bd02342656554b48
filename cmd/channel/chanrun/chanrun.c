/*
 * chanrun [-r] [-j JOBS] [-k KEYS] [-q COUNT] [-w SECONDS] -d DIR
 *	[--] COMMAND [ARG ...]
 *
 * - Runs the command once for each message of a channel: those of a chat one
 *   after the other, several chats side by side.
 * - inbox.h has every message on disk before its command starts, and every
 *   answer before it is printed.  Memory holds where the messages are, not
 *   what they say.
 * - A failure that passes is no answer (failure.h): the message waits, and its
 *   chat with it.
 * - The command outlives us: what it does is not lost when we are killed, and
 *   when we go on it is for the command to see how far it had come.
 */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "env.h"
#include "failure.h"
#include "fd.h"
#include "file.h"
#include "hash.h"
#include "inbound.h"
#include "inbox.h"
#include "lock.h"
#include "opt.h"
#include "origin.h"
#include "out.h"
#include "signals.h"
#include "tail.h"
#include "utf8.h"

enum {
	ORPHAN_MS = 10000, /* for the lock of one that is gone */
	JOBS_MAX = 1000,
	QUEUE_MAX = 1000000,
	KEYS_MAX = 10000000,
	REPLY_MAX = 16 << 20, /* bytes of an answer */
	LARGE = 1 << 20,      /* bytes: memory for more is given back */
	REASON_MAX = 4096,    /* bytes of what was printed last */
	AGENT_MAX = 255,      /* bytes of a name */
	CHAT_MAX = 1024,      /* bytes of a chat's id in the environment */
	WAIT_MAX = 60,	      /* seconds from one try to the next */
	TRIES = 3,	      /* where another try may have an answer at once */
	LINGER = 60,	      /* seconds after the last line of input */
	BUCKETS = 1024
};

static const char usage[] =
    "usage: chanrun [-r] [-j jobs] [-k keys] [-q count] [-w seconds] -d dir\n"
    "               [--] command [arg ...]\n"
    "\n"
    "  -d, --dir DIR      journal, lock and sessions\n"
    "  -j, --jobs JOBS    so many chats side by side (4)\n"
    "  -k, --keys KEYS    know a repetition among so many messages (10000)\n"
    "  -q, --queue COUNT  read no further while so many wait (1000)\n"
    "  -r, --resume       go on where an earlier run stopped\n"
    "  -w, --wait SECONDS so long a message may wait for what passes (86400)\n";

static const struct option opts[] = {
	{ "dir", required_argument, NULL, 'd' },
	{ "jobs", required_argument, NULL, 'j' },
	{ "keys", required_argument, NULL, 'k' },
	{ "queue", required_argument, NULL, 'q' },
	{ "resume", no_argument, NULL, 'r' },
	{ "wait", required_argument, NULL, 'w' },
	{ NULL, 0, NULL, 0 },
};

/* A chat with messages that wait or are worked on. */
struct chat {
	char name[INBOX_NAME + 1];
	struct inbox_message *first, *last;
	pid_t pid; /* of the command that works on first, or 0 */
	struct chat *next; /* of its bucket */
	struct chat *ready; /* the next that may start, or that waits */
	struct chat *busy; /* the next that is worked on */
};

static struct chat *chats[BUCKETS];
static struct chat *ready, *last_ready, *busy, *waiting;
static long long patience = 86400;
static size_t nbusy;
static struct inbound in;
static const char *dir;
static const char *own_agent, *own_chat; /* of our environment */
static char **command;
static int ncommand;
static int ended[2] = { -1, -1 };

static void
note_end(int sig)
{
	int err = errno;

	(void)sig;
	if (write(ended[1], "", 1) < 0)
		errno = err; /* full: it can be read already */
	errno = err;
}

static void
watch_children(void)
{
	int i;

	if (pipe(ended) < 0)
		die_sys(EX_OSERR, "pipe");
	for (i = 0; i < 2; i++) {
		fcntl(ended[i], F_SETFD, FD_CLOEXEC);
		fcntl(ended[i], F_SETFL, O_NONBLOCK);
	}
	signals_handle(SIGCHLD, note_end);
}

static struct chat **
find_chat(const char *name)
{
	struct chat **p = &chats[hash_bytes(name, INBOX_NAME) % BUCKETS];

	while (*p != NULL && strcmp((*p)->name, name) != 0)
		p = &(*p)->next;
	return p;
}

/* Or let it wait, if its first message is to be tried later. */
static void
make_ready(struct chat *c)
{
	if (c->first->due > clock_ms()) {
		c->ready = waiting;
		waiting = c;
		return;
	}
	c->ready = NULL;
	*(last_ready != NULL ? &last_ready->ready : &ready) = c;
	last_ready = c;
}

/*
 * Make those ready that have waited long enough.  When the next one has, of
 * clock_ms; -1: none waits.
 */
static long long
wake(void)
{
	struct chat *c = waiting, *next;
	long long due = -1;

	for (waiting = NULL; c != NULL; c = next) {
		next = c->ready;
		make_ready(c);
		if (waiting == c && (due < 0 || c->first->due < due))
			due = c->first->due;
	}
	return due;
}

/* Behind those of its chat. */
static void
enqueue(struct inbox_message *x)
{
	struct chat **p = find_chat(x->chat), *c = *p;

	if (c == NULL) {
		c = xmalloc(sizeof(*c));
		memset(c, 0, sizeof(*c));
		memcpy(c->name, x->chat, sizeof(c->name));
		*p = c;
	}
	if (c->first == NULL) {
		c->first = x;
		make_ready(c);
	} else {
		c->last->mate = x;
	}
	c->last = x;
}

/* A file of the chat's run directory; DIR/CHAT.d/NAME. */
static char *
run_file(struct buf *b, const char *chat, const char *name)
{
	buf_reset(b);
	buf_printf(b, "%s/%s.d%s%s", dir, chat, *name != '\0' ? "/" : "",
	    name);
	return buf_cstr(b);
}

/* The message's agent and chat, if it has them, in place of our own. */
static void
set_environment(const struct json *j, int message)
{
	static struct buf b;
	const char *agent = own_agent, *chat = own_chat;
	char *name = json_dup(j, json_get(j, message, "agent"));

	if (name != NULL)
		agent = name;
	buf_reset(&b);
	if (inbound_word(j, json_get(j, message, "chatId"), &b) == 0
	    && b.n <= CHAT_MAX && memchr(b.p, '\0', b.n) == NULL)
		chat = buf_cstr(&b);
	if ((agent != NULL ? setenv("TURNPIPE_AGENT", agent, 1)
			   : unsetenv("TURNPIPE_AGENT")) < 0
	    || (chat != NULL ? setenv("TURNPIPE_CHAT", chat, 1)
			     : unsetenv("TURNPIPE_CHAT")) < 0)
		die_sys(EX_OSERR, "setenv");
	free(name);
}

/* What the command reads: a message record; its name in the journal in tp. */
static void
make_record(struct buf *b, const struct json *j, int message)
{
	static const char *const kept[] = { "id", "sender" };
	size_t i;
	int at;

	emit_open(b, '{');
	emit_pair(b, "type", "message");
	emit_pair(b, "role", "user");
	emit_pairj(b, "content",
	    json_span(j, json_get(j, message, "content")));
	emit_key(b, "tp");
	emit_open(b, '{');
	emit_pairj(b, "inbox", json_span(j, json_get(j, 0, "token")));
	emit_key(b, "from");
	emit_open(b, '[');
	emit_open(b, '{');
	emit_pairi(b, origin_name(ORIGIN_CHANNEL),
	    (long long)origin_size(j, message));
	emit_close(b, '}');
	emit_close(b, ']');
	for (i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		if ((at = json_get(j, message, kept[i])) >= 0)
			emit_pairj(b, kept[i], json_span(j, at));
	emit_close(b, '}');
	emit_close(b, '}');
	buf_putc(b, '\n');
}

/* The command with files for its streams, in a group of its own. */
static int
spawn(pid_t *pid, char *const *argv, const char *input, const char *output,
    const char *errors)
{
	enum { WRITE = O_WRONLY | O_CREAT | O_TRUNC };
	const struct child s = {
		.fd = { fd_open(input, O_RDONLY, 0),
		    fd_open(output, WRITE, 0600),
		    fd_open(errors, WRITE | O_APPEND, 0600) },
		.isgroup = 1
	};
	int i, r = -1;

	/* -1 is CHILD_NULL, too. */
	if (s.fd[0] >= 0 && s.fd[1] >= 0 && s.fd[2] >= 0)
		r = child_start(pid, &s, argv);
	for (i = 0; i < 3; i++)
		fd_drop(s.fd[i]);
	return r;
}

static void
start(struct chat *c)
{
	static struct buf input, output, errors, session, record, token;
	static char **argv;
	const struct inbox_message *x = c->first;
	const struct json *j = inbox_line(x);
	int message = json_get(j, 0, "message"), n = ncommand;

	run_file(&input, c->name, "inbound");
	run_file(&output, c->name, "reply");
	run_file(&errors, c->name, "errors");
	buf_reset(&session);
	buf_printf(&session, "%s/%s.jsonl", dir, c->name);
	buf_reset(&token);
	json_str(j, json_get(j, 0, "token"), &token);
	if (file_mkparent(buf_cstr(&input)) < 0)
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&input));
	buf_reset(&record);
	make_record(&record, j, message);
	set_environment(j, message);
	/* One that a killed run left behind may still write to its own. */
	unlink(buf_cstr(&output));
	unlink(buf_cstr(&errors));
	if (file_put(buf_cstr(&input), record.p, record.n, 0600) < 0)
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&input));
	if (argv == NULL) {
		argv = xreallocarray(NULL, (size_t)ncommand + 4,
		    sizeof(*argv));
		memcpy(argv, command, (size_t)ncommand * sizeof(*argv));
	}
	argv[n++] = buf_cstr(&session);
	argv[n++] = buf_cstr(&token);
	if (x->isagain)
		argv[n++] = "again";
	argv[n] = NULL;
	if (spawn(&c->pid, argv, buf_cstr(&input), buf_cstr(&output),
		buf_cstr(&errors)) < 0)
		child_fail(argv[0]);
	c->busy = busy;
	busy = c;
	nbusy++;
}

/* The last line of the file with a character in it. */
static void
reason(struct buf *b, const char *path)
{
	static struct buf text;
	struct span s, line;
	struct stat st;
	int fd = fd_open(path, O_RDONLY, 0);
	ssize_t r = -1;

	buf_reset(b);
	buf_room(&text, REASON_MAX);
	if (fd >= 0 && fstat(fd, &st) == 0)
		r = pread(fd, text.p, REASON_MAX,
		    st.st_size > REASON_MAX ? st.st_size - REASON_MAX : 0);
	if (fd >= 0)
		close(fd);
	if (r <= 0)
		return;
	s = span_trim((struct span){ text.p, (size_t)r });
	for (line = (struct span){ s.p + s.n, 0 };
	     line.p > s.p && line.p[-1] != '\n'; line.p--)
		line.n++;
	utf8_repair(b, line.p, line.n);
}

/*
 * The seconds that the error of a failed turn says to wait, or -1: in the
 * session, after the last message of the user.
 */
static long long
asked_wait(const char *chat, int status)
{
	static struct buf path;
	static struct json j;
	struct tail t;
	struct span line;
	long long code, wait = -1;
	int fd;

	buf_reset(&path);
	buf_printf(&path, "%s/%s.jsonl", dir, chat);
	fd = fd_open(buf_cstr(&path), O_RDONLY, 0);
	if (fd < 0)
		return -1;
	tail_open(&t, fd, path.p);
	while (tail_prev(&t, &line)) {
		if (json_parse(&j, line.p, line.n) < 0
		    || json_is(&j, json_get(&j, 0, "role"), "user"))
			break;
		if (json_is(&j, json_get(&j, 0, "type"), "error")
		    && json_int(&j, json_get(&j, 0, "code"), &code) == 0
		    && code == status) {
			json_int(&j, json_get(&j, 0, "retry_after"), &wait);
			break;
		}
	}
	tail_close(&t);
	close(fd);
	return wait;
}

/*
 * Did the chat's message fail in a way that passes?  Then it is tried again:
 * 1.  What the command has printed is an answer, unless that broke off.
 */
static int
defer(struct chat *c, int status)
{
	static struct buf path, why;
	struct inbox_message *x = c->first;
	const char *class = failure_class(status);
	int isagain = class != NULL && strcmp(class, "again") == 0;
	long long wait, now = (long long)clock_now();
	struct stat st;

	if (class == NULL || strcmp(class, "final") == 0
	    || (!isagain && stat(run_file(&path, c->name, "reply"), &st) == 0
		&& st.st_size > 0))
		return 0;
	if ((wait = asked_wait(c->name, status)) < 0)
		wait = x->tries < 6 ? 1LL << x->tries : WAIT_MAX;
	if (x->tries++ == 0)
		x->since = (time_t)now;
	if (wait > patience || now - (long long)x->since > patience - wait
	    || (isagain && x->tries >= TRIES))
		return 0;
	x->due = clock_ms() + wait * 1000;
	x->isagain = 1;
	inbox_later(x);
	make_ready(c);
	reason(&why, run_file(&path, c->name, "errors"));
	warn("chat %s: status %d: %s: once more in %lld s", c->name, status,
	    buf_cstr(&why), wait);
	return 1;
}

/* The answer as it is printed: what the command said, or why it failed. */
static void
make_answer(struct buf *b, const struct json *j, int status,
    const char *chat)
{
	static struct buf path, text, why;
	int message = json_get(j, 0, "message");
	int id = json_get(j, message, "id");
	enum file_result r;

	buf_reset(b);
	buf_reset(&text);
	buf_reset(&why);
	r = file_read(run_file(&path, chat, "reply"), &text, REPLY_MAX);
	if (r != FILE_OK && status == 0)
		status = EX_IOERR;
	if (status != 0)
		reason(&why, run_file(&path, chat, "errors"));
	if (status != 0 && why.n == 0)
		buf_printf(&why, "%s", r != FILE_OK ? file_why(r)
						    : "no message");
	while (text.n > 0 && text.p[text.n - 1] == '\n')
		text.n--;
	emit_open(b, '{');
	emit_pairj(b, "channel",
	    json_span(j, json_get(j, message, "channel")));
	emit_pairj(b, "chatId", json_span(j, json_get(j, message, "chatId")));
	emit_pairj(b, "id", json_span(j, id < 0 || json_kind(j, id) == JSON_NULL
	    ? json_get(j, 0, "token") : id));
	emit_pairn(b, "content", text.p, text.n);
	if (status != 0) {
		emit_pairi(b, "status", status);
		emit_pairn(b, "error", why.p, why.n);
		warn("chat %s: status %d: %s", chat, status, buf_cstr(&why));
	}
	emit_close(b, '}');
	if (text.cap > LARGE)
		buf_free(&text);
}

/* Put out an answer that the journal has. */
static void
put_answer(const struct inbox_message *x, int isagain)
{
	static struct buf b;
	int istorn;
	struct span s = inbox_unsent(x, &istorn);

	if (s.n == 0)
		return;
	if (istorn)
		out_add("\n", 1);
	buf_span(&b, s);
	if (isagain) {
		b.n--;
		buf_puts(&b, ",\"again\":true}");
	}
	out_record(&b);
	if (b.cap > LARGE)
		buf_free(&b);
}

/* All that was put out is where it belongs: on the disk, if that is a file. */
static void
flush_answers(void)
{
	out_flush();
	if (fd_sync(STDOUT_FILENO) < 0 && errno != EINVAL && errno != EROFS
	    && errno != ENOTSUP)
		die_sys(EX_IOERR, "write <stdout>");
}

/* Did the signal that stops us stop the command too?  Then it goes on later. */
static int
was_stopped(int status)
{
	int sig = WIFSIGNALED(status) ? WTERMSIG(status)
				      : WEXITSTATUS(status) - 128;

	return signals_caught() != 0
	    && (sig == SIGINT || sig == SIGTERM || sig == SIGHUP
		|| sig == SIGKILL);
}

/* The chat's first message is done: the next, or none. */
static void
advance(struct chat *c)
{
	struct inbox_message *x = c->first;
	struct chat **p;

	c->first = x->mate;
	inbox_sent(x);
	if (c->first != NULL) {
		make_ready(c);
		return;
	}
	p = find_chat(c->name);
	*p = c->next;
	free(c);
}

/* The command of the chat has ended.  1 if the message has its answer now. */
static int
chat_ended(struct chat *c, int status)
{
	static struct buf b;
	struct chat **p;

	c->pid = 0;
	for (p = &busy; *p != c; p = &(*p)->busy)
		;
	*p = c->busy;
	nbusy--;
	if (was_stopped(status))
		return 0;
	status = WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				     : WEXITSTATUS(status);
	if (status != 0 && defer(c, status))
		return 0;
	make_answer(&b, inbox_line(c->first), status, c->name);
	inbox_answer(c->first, buf_view(&b));
	if (b.cap > LARGE)
		buf_free(&b);
	return 1;
}

/* Answer those whose commands have ended, together. */
static void
reap(void)
{
	char drop[64];
	struct chat *c, *answered = NULL, **end = &answered;
	pid_t pid;
	int status;

	while (read(ended[0], drop, sizeof(drop)) > 0)
		;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (c = busy; c != NULL && c->pid != pid; c = c->busy)
			;
		if (c == NULL || !chat_ended(c, status))
			continue;
		c->busy = NULL;
		*end = c;
		end = &c->busy;
	}
	if (answered == NULL)
		return;
	inbox_sync();
	for (c = answered; c != NULL; c = c->busy)
		put_answer(c->first, 0);
	flush_answers();
	for (; answered != NULL; answered = c) {
		c = answered->busy;
		advance(answered);
	}
}

/* Has the message all that its work needs?  0, or -1 if it was reported. */
static int
check_message(struct buf *id)
{
	static struct buf b;
	const struct json *j = in.json;
	int content = json_get(j, 0, "content"), i;

	buf_reset(id);
	if (inbound_word(j, content, &b) < 0
	    || json_kind(j, content) != JSON_STRING
	    || span_trim(buf_view(&b)).n == 0) {
		inbound_bad(&in, content, "expected content, a text");
		return -1;
	}
	i = json_get(j, 0, "id");
	if (i >= 0 && json_kind(j, i) != JSON_NULL
	    && inbound_word(j, i, id) < 0) {
		inbound_bad(&in, i,
		    "expected an id, a text or a whole number");
		return -1;
	}
	i = json_get(j, 0, "agent");
	if (i >= 0 && (inbound_word(j, i, &b) < 0
	    || json_kind(j, i) != JSON_STRING || b.n > AGENT_MAX
	    || memchr(b.p, '\0', b.n) != NULL)) {
		inbound_bad(&in, i, "expected an agent's name");
		return -1;
	}
	return 0;
}

/* Take the lines that were read, as long as there is room for them. */
static void
take_messages(size_t most)
{
	static struct buf id;
	struct inbox_message *x;
	enum inbound_kind k;

	while (inbox_count() < most && (k = inbound_next(&in)) != INBOUND_NONE)
		if (k == INBOUND_MESSAGE && check_message(&id) == 0
		    && (x = inbox_take(&in, &id)) != NULL)
			enqueue(x);
	inbox_sync();
}

static void
start_ready(size_t jobs)
{
	struct chat *c;

	while (ready != NULL && nbusy < jobs) {
		c = ready;
		ready = c->ready;
		if (ready == NULL)
			last_ready = NULL;
		start(c);
	}
}

/* What an earlier run left: answers to print, messages to answer. */
static void
go_on(void)
{
	struct inbox_message *x, *next;

	for (x = inbox_first(); x != NULL; x = x->after)
		if (x->answer_len > 0)
			put_answer(x, 1);
	flush_answers();
	for (x = inbox_first(); x != NULL; x = next) {
		next = x->after;
		if (x->answer_len > 0)
			inbox_sent(x);
		else
			enqueue(x);
	}
}

/* Read, work and answer until there is nothing more, or a signal came. */
static void
serve(size_t jobs, size_t most)
{
	struct pollfd fds[3];
	nfds_t n;
	int isfull, isstopped;
	long long now, due, last = 0; /* last: of input or an answer */
	size_t left = 0;

	for (;;) {
		/* Asked once: a signal from here on is for poll to see. */
		isstopped = signals_caught() != 0;
		due = -1;
		if (!isstopped) {
			take_messages(most);
			due = wake();
			start_ready(jobs);
		}
		isfull = inbox_count() >= most;
		now = clock_ms();
		if (!in.eof || inbox_count() < left)
			last = now;
		left = inbox_count();
		if (nbusy == 0 && (isstopped || (in.eof && !isfull
			&& (due < 0 || due > last + LINGER * 1000))))
			break;
		n = 0;
		fds[n++] = (struct pollfd){ ended[0], POLLIN, 0 };
		/* The descriptor of the signals stays readable after one. */
		if (!isstopped)
			fds[n++] = (struct pollfd){ signals_fd(), POLLIN, 0 };
		if (!isstopped && !isfull && !in.eof)
			fds[n++] = (struct pollfd){ STDIN_FILENO, POLLIN, 0 };
		due = due < 0 || nbusy >= jobs ? -1 : due > now ? due - now : 0;
		if (poll(fds, n, due > INT_MAX ? INT_MAX : (int)due) < 0) {
			if (errno != EINTR)
				die_sys(EX_OSERR, "poll");
			continue;
		}
		if (n == 3 && fds[2].revents != 0)
			inbound_fill(&in);
		reap();
	}
}

static void
hold_lock(void)
{
	static struct buf path, what;
	int fd;
	long pid = 0;

	file_join(&path, dir, "lock");
	if (file_mkparent(buf_cstr(&path)) < 0
	    || ((fd = lock_take(buf_cstr(&path), 0)) < 0
		&& errno != EWOULDBLOCK))
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&path));
	if (fd < 0) {
		pid = lock_holder(buf_cstr(&path), &what);
		/* What one that was killed had forked has it up to its exec. */
		if (pid > 0 && kill((pid_t)pid, 0) < 0 && errno == ESRCH)
			fd = lock_take(buf_cstr(&path), ORPHAN_MS);
	}
	if (fd < 0)
		die(EX_TEMPFAIL, "%s: held by process %ld (%s)",
		    buf_cstr(&path), labs(pid), buf_cstr(&what));
	lock_sign(fd, prog);
}

int
main(int argc, char **argv)
{
	static struct strs own;
	size_t jobs = 4, keys = 10000, most = 1000;
	int c, resume = 0;

	prog = "chanrun";
	while ((c = opt_next(argc, argv, "d:j:k:q:rw:", opts, usage)) != -1)
		switch (c) {
		case 'd': dir = optarg; break;
		case 'j':
			jobs = (size_t)opt_int("-j", optarg, 1, JOBS_MAX);
			break;
		case 'k':
			keys = (size_t)opt_int("-k", optarg, 1, KEYS_MAX);
			break;
		case 'q':
			most = (size_t)opt_int("-q", optarg, 1, QUEUE_MAX);
			break;
		case 'r': resume = 1; break;
		case 'w':
			patience = opt_int("-w", optarg, 0, INT_MAX);
			break;
		}
	if (dir == NULL || *dir == '\0')
		opt_die(usage, "expected a directory (-d)");
	if (optind == argc)
		opt_die(usage, "expected a command");
	command = argv + optind;
	ncommand = argc - optind;
	if (env_get("TURNPIPE_AGENT") != NULL)
		own_agent = strs_once(&own, env_get("TURNPIPE_AGENT"));
	if (env_get("TURNPIPE_CHAT") != NULL)
		own_chat = strs_once(&own, env_get("TURNPIPE_CHAT"));
	/* A file that may not grow is a write that fails, with a status. */
	signal(SIGXFSZ, SIG_IGN);
	failure_class(0); /* the table is read before there is work */
	hold_lock();
	signals_arm(SIGNALS_ONCE);
	watch_children();
	inbox_open(dir, resume, keys);
	go_on();
	serve(jobs, most);
	inbox_sync();
	out_end();
	if (inbox_count() > 0)
		warn("%s; %zu messages are not answered yet: -r goes on with "
		     "them", signals_caught() != 0 ? "stopped" : "end of input",
		    inbox_count());
	if (signals_caught() != 0)
		signals_die(signals_caught());
	return inbox_count() > 0 ? EX_TEMPFAIL : in.nbad > 0 ? EX_DATAERR : 0;
}
