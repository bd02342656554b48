/*
 * histadd [-pS] [-P fd] [-a agent] file
 * histadd -p | -N [-S] [-P fd] [file]
 * histadd -n | -l [-a agent]
 * histadd -d | -V file
 * histadd -C file ...
 *
 * The tail of the pipe and the only writer of a session.
 * - A record is in the file as soon as it is read: a killed run loses only
 *   records that had not arrived.  The lock is held for one record, never while
 *   waiting.
 * - What failed is history too: error records are kept and the exit status
 *   is the first one's code.
 * - Nothing temporary is stored: other types and volatile messages are not.
 */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "chain.h"
#include "clock.h"
#include "diag.h"
#include "env.h"
#include "fd.h"
#include "file.h"
#include "json.h"
#include "nextstep.h"
#include "opt.h"
#include "out.h"
#include "record.h"
#include "ring.h"
#include "session.h"
#include "sessionlog.h"

enum { BLOCK = 16384, FD_MAX = 1023 };

static const char usage[] =
    "usage: histadd [-pS] [-P fd] [-a agent] file\n"
    "       histadd -p | -N [-S] [-P fd] [file]\n"
    "       histadd -n | -l [-a agent]\n"
    "       histadd -d | -V file\n"
    "       histadd -C file ...\n"
    "\n"
    "  -a, --agent NAME  the session's agent (else $TURNPIPE_AGENT)\n"
    "  -C, --cwd         print where the first session that says so was begun\n"
    "  -d, --dir         print the run directory of file\n"
    "  -l, --last        print the project's session written to last\n"
    "  -n, --new         print the path of a new session of this project\n"
    "  -N, --next        log what has no number yet, then print what comes next\n"
    "  -p, --pass        pass all records on, the added ones with their number\n"
    "  -P, --print FD    write what is added to FD, as it stands in the file,\n"
    "                    and deltas and prompts, which are not added\n"
    "  -S, --no-sync     do not wait for the disk\n"
    "  -V, --verify      is each line of a chained file what was written?\n";

static const struct option opts[] = {
	{"agent", required_argument, NULL, 'a'},
	{"cwd", no_argument, NULL, 'C'},
	{"dir", no_argument, NULL, 'd'},
	{"last", no_argument, NULL, 'l'},
	{"new", no_argument, NULL, 'n'},
	{"next", no_argument, NULL, 'N'},
	{"pass", no_argument, NULL, 'p'},
	{"print", required_argument, NULL, 'P'},
	{"no-sync", no_argument, NULL, 'S'},
	{"verify", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0}};

static struct sessionlog journal;
static const char *agent;
static int Nflag, pflag, Sflag;
static int came; /* any record */
static struct nextstep step; /* of a conversation */

/* What a reader may leave before its time. */
static struct sink {
	int fd;	 /* or -1 */
	int why; /* errno, once it cannot be written */
	struct buf b;
} printed = {.fd = -1}, passed = {.fd = STDOUT_FILENO};
static int rings;	     /* conversations say whose they are: */
static struct ring ring;

/* An agent's name becomes part of a file's. */
static const char *
checked(const char *name)
{
	if (*name == '\0' || strlen(name) > 100 || strchr(name, '/') != NULL)
		opt_die(usage, "expected an agent's name, got '%s'", name);
	return name;
}

/* Has the log given it a number?  Then it is there. */
static int
is_logged(const struct rec *r)
{
	const struct json *j;

	if (!record_has(r, "n"))
		return 0;
	j = record_json(r);
	return json_at(j, 0, r->type == REC_MESSAGE ? "tp.n" : "n") >= 0;
}

static int
is_kept(const struct rec *r)
{
	const struct json *j;

	if (rings && (r->type == REC_SESSION || !journal.isopen))
		return 0;
	if (r->type == REC_SESSION)
		return 1;
	if (!session_keeps(r->type) || (Nflag && is_logged(r)))
		return 0;
	if (r->type != REC_MESSAGE)
		return 1;
	j = record_json(r);
	return !json_true(j, json_at(j, 0, "tp.volatile"));
}

/*
 * If the reader is gone, or a disk is full, the file still gets all records,
 * and the status says so.
 */
static void
sink_flush(struct sink *k)
{
	if (k->why == 0 && fd_write(k->fd, k->b.p, k->b.n) < 0)
		k->why = errno;
	buf_reset(&k->b);
}

static void
sink_end(struct sink *k)
{
	static struct buf name;

	sink_flush(k);
	if (k->why == EPIPE) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	errno = k->why;
	if (k->why != 0 || fd_close(k->fd) < 0) {
		if (k->fd == STDOUT_FILENO)
			die_hook = NULL; /* no error record gets there */
		if (k->fd == STDOUT_FILENO)
			buf_puts(&name, "<stdout>");
		else
			buf_printf(&name, "<fd %d>", k->fd);
		die_sys(EX_IOERR, "write %s", buf_cstr(&name));
	}
}

/*
 * What is added cannot be printed: no tool is to start on it, so the stages
 * after this one hear of it.
 */
static void
check_printed(void)
{
	struct span none = {NULL, 0};

	if (printed.why == 0)
		return;
	if (printed.why == EPIPE) {
		sink_flush(&passed);
		record_error(EX_IOERR, "the reader is gone", none);
		out_flush();
	}
	sink_end(&printed);
}

/* Records for display only, which the log does not get. */
static void
put_printed(const struct rec *r)
{
	if (printed.fd < 0)
		return;
	buf_add(&printed.b, r->s, r->n);
	buf_putc(&printed.b, '\n');
	sink_flush(&printed);
}

static void
put_log(const struct rec *r)
{
	sessionlog_put(&journal, r);
	if (printed.fd < 0)
		return;
	buf_add(&printed.b, journal.copy->p, journal.copy->n);
	sink_flush(&printed);
}

/*
 * The session that a conversation names.  One that is not there is not made:
 * the error of who missed it passes by.
 */
static void
enter(const struct rec *r)
{
	sessionlog_close(&journal, !Sflag);
	ring_take(&ring, r);
	journal.path = ring.session;
	sessionlog_open(&journal, 0);
}

/*
 * What comes after the conversation that is over; where nothing came, by the
 * log, with the answer's text.
 */
static void
put_next(int bylog)
{
	static struct buf b, text;
	struct turnlog turn = {0};
	struct nextword w;
	int late = ring.deadline > 0 && clock_up_ms() >= ring.deadline;
	struct tail t;
	struct rec r;
	const char *why;
	size_t at;

	if (journal.isopen) {
		tail_open(&t, journal.fd, journal.path);
		turnlog_read(&turn, &t);
		tail_close(&t);
	}
	if (bylog) {
		if (!journal.isopen)
			die(EX_NOINPUT, "%s: no such session", journal.path);
		tail_open(&t, journal.fd, journal.path);
		nextstep_read(&step, &late, &text, &t);
		tail_close(&t);
	}
	w = nextstep_decide(&step, &turn, late);
	if (!bylog)
		nextstep_mark(&b, w, &turn);
	if (b.n > 0 && record_check(&r, b.p, b.n, &why, &at) == 0)
		put_log(&r);
	buf_reset(&b);
	sessionlog_close(&journal, !Sflag);
	nextstep_put(&b, session_id(journal.path), w, &step, &turn, &text);
	record_put(&b);
	out_flush();
}

/* A conversation is over: all of it is in the log before its end goes out. */
static void
end(const struct rec *r)
{
	if (Nflag && journal.path != NULL
	    && (step.said || step.code != 0 || !r->implied))
		put_next(0);
	else if (Nflag && !rings && !came)
		put_next(1);
	sessionlog_close(&journal, !Sflag);
	if (rings)
		journal.path = NULL;
	memset(&step, 0, sizeof(step));
}

/* Of a new file the copy has the header, too, which is not of the stream. */
static void
pass_on(const struct rec *r, const struct buf *copy)
{
	size_t at = copy->n;

	if (at == 0 && r->implied)
		return;
	if (at == 0) {
		buf_add(&passed.b, r->s, r->n);
		buf_putc(&passed.b, '\n');
	} else {
		for (at--; at > 0 && copy->p[at - 1] != '\n'; at--)
			continue;
		buf_add(&passed.b, copy->p + at, copy->n - at);
	}
	if (passed.b.n >= BLOCK || r->type == REC_END)
		sink_flush(&passed);
}

static int
add(void)
{
	static struct buf copy;
	struct rec r;
	int code = 0;

	if (agent == NULL)
		agent = env_get("TURNPIPE_AGENT");
	journal.agent = agent;
	journal.copy = printed.fd >= 0 || pflag ? &copy : NULL;
	if (!rings) {
		sessionlog_open(&journal, 0);
		if (file_same("/dev/stdin", journal.path))
			die(EX_USAGE, "%s: expected another file than that of "
			    "standard input", journal.path);
	}
	while (record_next(&r)) {
		came |= r.type != REC_END || !r.implied;
		if (r.type == REC_DELTA || r.type == REC_PROMPT) {
			put_printed(&r);
			continue;
		}
		if (Nflag)
			nextstep_take(&step, &r);
		if (rings && r.type == REC_SESSION)
			enter(&r);
		if (is_kept(&r)) {
			if (!journal.isopen)
				sessionlog_open(&journal, 1);
			put_log(&r);
		}
		if (r.type == REC_ERROR && code == 0)
			code = record_code(&r);
		if (r.type == REC_END && (Nflag || pflag)) {
			end(&r);
			check_printed();
		}
		if (pflag)
			pass_on(&r, &copy);
		/* Input does not end, where nothing more goes round. */
		if (rings && r.type == REC_END && passed.why != 0)
			sink_end(&passed);
		buf_reset(&copy);
	}
	sessionlog_close(&journal, !Sflag);
	if (printed.fd >= 0)
		sink_end(&printed);
	if (pflag)
		sink_end(&passed);
	else if (printed.fd != STDOUT_FILENO)
		record_close();
	return code;
}

/* -n, -l and -d. */
static int
query(int what, const char *file)
{
	static struct buf b;

	if (what == 'd')
		session_run(&b, file);
	else if (what == 'n')
		session_new(&b, agent);
	else if (session_last(&b, agent) < 0)
		return EXIT_NO;
	out_record(&b);
	out_end();
	return 0;
}

/* Append the directory that a session's header names; -1 without one. */
static int
header_cwd(struct buf *b, const char *path)
{
	static struct json j;
	static char *line;
	static size_t size;
	ssize_t n = -1;
	FILE *f;

	f = fopen(path, "r");
	if (f != NULL)
		n = getline(&line, &size, f);
	if (f == NULL || (n < 0 && ferror(f)))
		warn_sys("%s", path);
	if (f != NULL)
		fclose(f);
	if (n < 0 || json_parse(&j, line, (size_t)n) < 0
	    || json_str(&j, json_get(&j, 0, "cwd"), b) < 0)
		return -1;
	return b->n > 0 ? 0 : -1;
}

/* -C */
static int
print_cwd(char *const *paths)
{
	static struct buf b;

	for (; *paths != NULL; paths++)
		if (header_cwd(&b, *paths) == 0) {
			out_record(&b);
			out_end();
			return 0;
		}
	return EXIT_NO;
}

int
main(int argc, char **argv)
{
	int c, what = 0;

	prog = "histadd";
	while ((c = opt_next(argc, argv, "a:CdlnNpP:SV", opts, usage)) != -1)
		switch (c) {
		case 'a':
			agent = checked(optarg);
			break;
		case 'C':
		case 'd':
		case 'l':
		case 'n':
		case 'V':
			if (what != 0 && what != c)
				opt_die(usage, "expected one of -C, -d, -l, -n, -V");
			what = c;
			break;
		case 'N':
			Nflag = 1;
			break;
		case 'p':
			pflag = 1;
			break;
		case 'P':
			printed.fd = (int)opt_int("-P", optarg, 1, FD_MAX);
			break;
		case 'S':
			Sflag = 1;
			break;
		}
	argc -= optind;
	argv += optind;
	if (what == 'n' || what == 'l') {
		if (argc != 0)
			opt_die(usage, "unexpected operand '%s'", argv[0]);
		return query(what, NULL);
	}
	if (what == 'C' && argc > 0)
		return print_cwd(argv);
	rings = argc == 0 && what == 0 && (pflag || Nflag) && ring_isset();
	if (argc != 1 && !rings)
		opt_die(usage, argc == 0 ? "expected a session file"
					 : "expected one session file");
	if (what == 'd')
		return query(what, argv[0]);
	if (what == 'V')
		return chain_verify(argv[0]);
	if (pflag && Nflag)
		opt_die(usage, "expected one of -N, -p");
	if ((pflag || Nflag) && printed.fd == STDOUT_FILENO)
		opt_die(usage, "-P: standard output has the stream");
	if (pflag || Nflag)
		record_filter(1);
	if (pflag || printed.fd >= 0)
		signal(SIGPIPE, SIG_IGN);
	/* A file that may not grow is a write that fails, with a status. */
	signal(SIGXFSZ, SIG_IGN);
	journal.path = argv[0]; /* NULL in a ring */
	return add();
}
