/*
 * journal -J book [option ...] [--] COMMAND [ARG ...]
 * journal -oJ book [-k text] [[--] COMMAND [ARG ...]]
 * journal -b book ...
 *
 * - A chain-loader around a command that turns requests into answers: gives it
 *   what the book has no answer to, and writes each answer into the book
 *   before it passes it on, in the order of input.
 * - The command knows a request by its key in the book; an
 *   answer is what it writes with that id up to the end, or one batch line.
 * - A command that ends early is started again for what it left.
 */

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "answerer.h"
#include "batchline.h"
#include "book.h"
#include "child.h"
#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "failure.h"
#include "fd.h"
#include "file.h"
#include "jsoncanon.h"
#include "opt.h"
#include "out.h"
#include "progress.h"
#include "record.h"
#include "requestfile.h"
#include "settings.h"
#include "signals.h"
#include "status.h"

enum {
	FLIGHT = 1024,	     /* requests that the command has */
	FLIGHT_BYTES = 64 << 20,
	AHEAD = 1 << 18,     /* answers that wait for an earlier one */
	KEEP = 16 << 20,     /* bytes of them that are not read from the book */
	GIVE = 65536,	     /* bytes that wait for the command */
	TRIES = 4,	     /* of an answer that broke off, after the first */
	STARTS = 5,	     /* in a row that give no answer */
	PAUSE = 100,	     /* ms before the second of these; doubled */
	BUCKETS = 4096
};

enum item_state { ITEM_PASS, ITEM_ASKED, ITEM_GIVEN, ITEM_DONE };

/* A request, or a record that passes by, until it is written. */
struct item {
	struct item *next; /* in the order of input */
	struct item *mate; /* in a row, or a bucket of flight */
	enum item_state state;
	int batch;	   /* a batch line */
	int said;	   /* a message of its answer has come */
	int code, tries;
	int turns; /* how often it was given */
	int rounds; /* in which it failed and another was answered */
	long long status, counted; /* of its error record; when one counted */
	size_t answers, faults; /* of others, when it was given */
	int several;	   /* it names several models */
	uint64_t key;
	uint64_t own;	 /* in the book: of several models the one that answered */
	struct buf text; /* as it came, with its newline */
	struct buf id;	 /* JSON, or empty */
	struct buf out;	 /* the answer; empty: in the book */
	struct book_place place;
	struct book_sum took; /* NAN, -1: not known */
	int told_code;	      /* what the command said of it; -1 */
};

static const char *book, *salt, *letters;
static int offline, give_up;
static int lacks; /* the code of an answer that is a failure */
static int letters_fd = -1; /* requests that were given up */
static size_t nanswers, nfaults; /* final; of requests with no rounds */
static struct item *head, **tail = &head;
static struct item *asked, **asked_tail = &asked; /* to be given */
static struct item *flight[BUCKETS];
static size_t nitems, nasked, nflight, flight_bytes, kept;
static uint64_t recent[BUCKETS]; /* keys that were answered */
static int more = 1, failed, status, stopping;
static struct strs command;
static size_t nasks; /* requests of the input */
static size_t nlacking; /* offline */
static struct buf first_lacking; /* its id */
static off_t begin; /* of standard input, if it is a file */
static size_t starts, lines;  /* starts without an answer; lines of input */
static char seen_codes[256];  /* what the command may end with for them */

static void
fail(int code)
{
	if (status == 0)
		status = code;
}

static struct item *
add_item(const struct rec *r)
{
	struct item *i = xmalloc(sizeof(*i));

	memset(i, 0, sizeof(*i));
	buf_add(&i->text, r->s, r->n);
	buf_putc(&i->text, '\n');
	i->told_code = -1;
	*tail = i;
	tail = &i->next;
	nitems++;
	return i;
}

static void
ask(struct item *i)
{
	i->state = ITEM_ASKED;
	i->said = 0;
	i->status = -1;
	i->took.dollars = NAN;
	i->took.tokens = i->told_code = -1;
	i->mate = NULL;
	*asked_tail = i;
	asked_tail = &i->mate;
	nasked++;
}

static struct item **
in_flight(uint64_t key)
{
	struct item **p = &flight[key % BUCKETS];

	while (*p != NULL && (*p)->key != key)
		p = &(*p)->mate;
	return p;
}

/* In its id behind the key: the end of one turn is not that of the next. */
static int
turn_mark(const struct item *i)
{
	return 'g' + i->turns % 20;
}

/* The item that a line of the command is of, or NULL; sets its key. */
static struct item *
find_item(struct span id, uint64_t *key)
{
	struct item *i;
	char hex[17] = "";

	if (id.n > sizeof(hex) && *id.p == '"')
		memcpy(hex, id.p + 1, sizeof(hex) - 1);
	if (strspn(hex, "0123456789abcdef") != sizeof(hex) - 1)
		return NULL;
	*key = strtoull(hex, NULL, 16);
	i = *in_flight(*key);
	return i != NULL && id.p[sizeof(hex)] == turn_mark(i) ? i : NULL;
}

static void
done(struct item *i, int code, int found)
{
	i->state = ITEM_DONE;
	i->code = code;
	progress_done(code, found, i->took.tokens, i->took.dollars);
}

/* What the answer depends on, as one text; model: another one. */
static uint64_t
key_of(const struct item *i, const struct json *j, const char *model)
{
	static struct buf b, text, name;
	static struct json one;
	uint64_t key;

	buf_reset(&b);
	if (model != NULL) {
		buf_reset(&text);
		buf_reset(&name);
		emit_cstr(&name, model);
		emit_object(&text, j, 0, "model", buf_view(&name));
		if (json_parse(&one, text.p, text.n) < 0)
			die(EX_SOFTWARE, "internal error: "
			    "request invalid with another model");
		j = &one;
	}
	jsoncanon_json(&b, j, 0);
	buf_puts(&b, salt == NULL ? "" : salt);
	buf_putc(&b, i->batch ? 'b' : 'r');
	key = book_key(buf_view(&i->id), buf_view(&b));
	if (b.n > GIVE)
		buf_free(&b);
	return key;
}

/* Is it in the book, as asked or as one of its models alone was? */
static int
look_up(struct item *i, const struct json *j)
{
	char *own = json_dup(j, json_get(j, 0, "model"));
	struct strs models = {NULL, 0, 0};
	struct span s;
	size_t k;
	int found;

	i->key = i->own = key_of(i, j, NULL);
	found = book_take(i->key, &i->place);
	if (!found && own != NULL && strchr(own, ',') != NULL)
		strs_split(&models, own);
	i->several = models.n > 1;
	for (k = 0; k < models.n && !found; k++) {
		s = span_trim(span_of(models.v[k]));
		models.v[k][s.p + s.n - models.v[k]] = '\0';
		found = book_take(key_of(i, j, s.p), &i->place);
	}
	strs_free(&models);
	free(own);
	return found;
}

/* An answer of our own. */
static void
put_error(struct item *i, int code, const char *why)
{
	struct buf *b = &i->out;

	emit_open(b, '{');
	if (i->batch) {
		emit_pairj(b, "custom_id", buf_view(&i->id));
		emit_key(b, "response");
		emit_null(b);
		emit_key(b, "error");
		emit_open(b, '{');
		emit_key(b, "code");
		buf_printf(b, "\"%d\"", code);
		emit_pair(b, "message", why);
		emit_close(b, '}');
	} else {
		emit_pair(b, "type", "error");
		if (i->id.n > 0)
			emit_pairj(b, "id", buf_view(&i->id));
		emit_pair(b, "from", prog);
		emit_pairi(b, "code", code);
		emit_pair(b, "message", why);
	}
	emit_close(b, '}');
	buf_putc(b, '\n');
}

static void
take_request(const struct rec *r)
{
	static struct json j;
	static struct buf b;
	const struct json *from;
	struct item *i;

	nasks++;
	/* First, since it may die of a bad line. */
	if (r->type == REC_UNTYPED) {
		buf_reset(&b);
		batchline_request(&b, r);
		if (json_parse(&j, b.p, b.n) < 0)
			die(EX_SOFTWARE, "internal error: a text part is not a text");
		from = &j;
	} else {
		batchline_check(r, 0);
		from = record_json(r);
	}
	i = add_item(r);
	i->batch = r->type == REC_UNTYPED;
	buf_span(&i->id, json_span(from, json_get(from, 0, "id")));
	if (look_up(i, from)) {
		i->took.dollars = i->took.tokens = 0;
		done(i, i->place.code, 1);
	} else if (offline) {
		put_error(i, EX_TEMPFAIL, "not in the book");
		if (nlacking++ == 0)
			buf_span(&first_lacking, buf_view(&i->id));
		kept += i->out.n;
		done(i, EX_TEMPFAIL, 0);
	} else {
		i->rounds = book_rounds(i->own, &i->counted);
		ask(i);
	}
}

/* Which records are requests, which pass through, which forbid to ask. */
static void
take_record(const struct rec *r)
{
	int request = r->type == REC_REQUEST || r->type == REC_UNTYPED;

	if (r->implied)
		return;
	progress_line(request);
	if (request) {
		if (!failed)
			take_request(r);
		return;
	}
	if (r->type == REC_ERROR) {
		failed = 1;
		fail(record_code(r));
	} else if (r->type == REC_END) {
		failed = 0;
	}
	add_item(r);
}

/* Is there room for another line of input? */
static int
has_room(void)
{
	return nasked == 0 && nflight < FLIGHT && nitems < AHEAD
	    && (flight_bytes < FLIGHT_BYTES || nflight == 0);
}

/* Its answer is a failure that might have passed. */
static void
put_failed(const struct item *i)
{
	if (letters_fd >= 0
	    && fd_write(letters_fd, i->text.p, i->text.n) < 0)
		die_sys(EX_IOERR, "write %s", letters);
}

static void
write_done(void)
{
	static struct buf b;
	struct item *i;

	while ((i = head) != NULL) {
		if (i->state == ITEM_PASS) {
			out_add(i->text.p, i->text.n);
		} else if (i->state == ITEM_DONE) {
			kept -= i->out.n;
			buf_reset(&b);
			if (i->out.n == 0 && i->place.n > 0)
				book_read(&i->place, &b);
			out_add(i->out.p, i->out.n);
			out_add(b.p, b.n);
			if (i->place.gave_up)
				put_failed(i);
			if (!failure_isfinal(i->code) && !i->place.gave_up)
				fail(i->code);
			else if (i->code != 0)
				lacks = i->code;
		} else {
			return;
		}
		head = i->next;
		if (head == NULL)
			tail = &head;
		nitems--;
		buf_free(&i->text);
		buf_free(&i->id);
		buf_free(&i->out);
		free(i);
	}
}

/* Object j with this id in place of its own; without one where it is empty. */
static void
put_with_id(struct buf *b, const struct json *j, const char *name,
    struct span id)
{
	int k;

	emit_open(b, '{');
	if (json_get(j, 0, name) < 0)
		emit_pairj(b, name, id);
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k))
		if (!json_is(j, k, name))
			emit_member(b, j, k);
		else if (id.n > 0)
			emit_pairj(b, name, id);
	emit_close(b, '}');
	buf_putc(b, '\n');
}

/* Its key and turn, and for people its own. */
static void
own_id(struct buf *b, const struct item *i)
{
	struct span id = buf_view(&i->id);

	buf_printf(b, "\"%016llx%c", (unsigned long long)i->key, turn_mark(i));
	if (id.n > 2 && *id.p == '"') {
		buf_putc(b, ' ');
		buf_add(b, id.p + 1, id.n - 2);
	} else if (id.n > 0 && memchr(id.p, '"', id.n) == NULL) {
		buf_putc(b, ' ');
		buf_span(b, id);
	}
	buf_putc(b, '"');
}

static void
give(struct item *i)
{
	static struct buf id;
	static struct json j;
	struct buf *b = answerer_input();
	struct item **p = in_flight(i->key);

	buf_reset(&id);
	i->turns++;
	own_id(&id, i);
	if (json_parse(&j, i->text.p, i->text.n - 1) < 0)
		die(EX_SOFTWARE, "internal error: a request is not JSON");
	put_with_id(b, &j, i->batch ? "custom_id" : "id", buf_view(&id));
	if (!i->batch) {
		emit_open(b, '{');
		emit_pair(b, "type", "end");
		emit_pairj(b, "id", buf_view(&id));
		emit_close(b, '}');
		buf_putc(b, '\n');
	}
	i->answers = nanswers;
	i->faults = nfaults;
	i->state = ITEM_GIVEN;
	i->mate = NULL;
	*p = i;
	nflight++;
	flight_bytes += i->text.n;
}

static struct item *
next_asked(void)
{
	struct item *i = asked;

	asked = i->mate;
	if (asked == NULL)
		asked_tail = &asked;
	nasked--;
	return i;
}

/* Give what there is room for; of two that are the same one after the other. */
static void
give_all(void)
{
	while (asked != NULL && answerer_takes() && answerer_waiting() < GIVE
	    && (nflight < FLIGHT || nflight == 0)
	    && *in_flight(asked->key) == NULL)
		give(next_asked());
	if (asked == NULL && !more)
		answerer_close();
}

static void
write_answer(struct item *i)
{
	*in_flight(i->key) = i->mate;
	nflight--;
	flight_bytes -= i->text.n;
	recent[i->key % BUCKETS] = i->key;
}

/* Answers that are failures by a limit or a fault that all requests have. */
static int
is_general(int code)
{
	return code == EXIT_SPENT || code == EX_TEMPFAIL || code == EX_NOPERM
	    || code == EX_CONFIG;
}

/*
 * Does a failure speak against the request?  Where another one was answered
 * meanwhile; from then on where the server says the same, and nothing fails of
 * which that is not known.
 */
static int
is_round(const struct item *i)
{
	return nanswers > i->answers || (i->rounds > 0 && nfaults == i->faults
		&& i->status == i->counted);
}

static void
count_failure(struct item *i, struct book_result *r)
{
	if (failure_isfinal(r->code)) {
		nanswers++;
	} else if (!is_general(r->code) && is_round(i)) {
		r->rounds = ++i->rounds;
		i->counted = i->status;
		r->gave_up = give_up > 0 && i->rounds >= give_up;
	} else if (!is_general(r->code) && i->rounds == 0) {
		nfaults++;
	}
}

/*
 * Is it asked again in this run?  What broke off was not shown yet; who gives
 * up some time wants to know by the end.
 */
static int
is_again(struct item *i, const struct book_result *r)
{
	const char *class = failure_class(r->code);

	if (stopping || r->gave_up || failure_isfinal(r->code)
	    || is_general(r->code))
		return 0;
	return (give_up > 0 || (class != NULL && strcmp(class, "again") == 0))
	    && i->tries++ < TRIES + give_up;
}

/* Its answer is there. */
static void
answered(struct item *i, int code)
{
	struct book_result r = {i->took, i->told_code >= 0 ? i->told_code
	    : code, 0, 0, nflight - 1};

	write_answer(i);
	count_failure(i, &r);
	starts = 0;
	seen_codes[r.code & 255] = 1;
	if (failure_isfinal(r.code) || !is_general(r.code)
	    || i->took.dollars > 0 || i->took.tokens > 0)
		book_put(i->own, buf_view(&i->id), &r, &i->out, &i->place);
	if (is_again(i, &r)) {
		buf_free(&i->out);
		ask(i);
		return;
	}
	kept += i->out.n;
	if (kept > KEEP && i->place.n > 0 && i != head) {
		kept -= i->out.n;
		buf_free(&i->out);
	}
	done(i, r.code, 0);
}

static int
batch_code(const struct json *j)
{
	long long code;
	char *s;
	int n;

	if (json_int(j, json_at(j, 0, "response.status_code"), &code) == 0) {
		if (code / 100 == 2)
			return 0;
		if (code == 408 || code == 409 || code == 429)
			return EX_TEMPFAIL;
		return code >= 500 ? EX_UNAVAILABLE : EX_DATAERR;
	}
	s = json_dup(j, json_at(j, 0, "error.code"));
	n = s == NULL ? 0 : atoi(s);
	free(s);
	return n > 0 && n < 128 ? n : EX_UNAVAILABLE;
}

/*
 * Of a usage record: who answered; tokens and cost, unless a mark gave them.
 */
static void
take_usage(struct item *i, const struct json *j)
{
	char *model = json_dup(j, json_get(j, 0, "model"));
	static struct json request;
	long long in, out;

	if (i->several && model != NULL
	    && json_parse(&request, i->text.p, i->text.n - 1) == 0)
		i->own = key_of(i, &request, model);
	free(model);
	if (i->told_code >= 0
	    || json_int(j, json_get(j, 0, "prompt_tokens"), &in) < 0
	    || json_int(j, json_get(j, 0, "completion_tokens"), &out) < 0)
		return;
	i->took.tokens = in + out;
	json_num(j, json_get(j, 0, "cost"), &i->took.dollars);
}

static void
take_mark(struct item *i, const struct json *j)
{
	int what = json_get(j, 0, "what");
	struct book_sum v = {NAN, -1};
	long long code = 0;

	json_num(j, json_get(j, 0, "cost"), &v.dollars);
	json_int(j, json_get(j, 0, "tokens"), &v.tokens);
	json_int(j, json_get(j, 0, "code"), &code);
	if (json_is(j, what, "sent")) {
		book_sent(i->own, &v);
	} else if (json_is(j, what, "spent")) {
		i->took = v;
		i->told_code = code > 0 && code < 128 ? (int)code : 0;
	} else if (json_is(j, what, "pending")) {
		write_answer(i);
		starts = 0;
		done(i, 0, 1);
	}
}

static void
take_line(const char *s, size_t n)
{
	const char *why;
	struct json *j;
	struct item *i;
	struct span id;
	struct rec r;
	uint64_t key = 0;
	size_t at;

	if (record_check(&r, s, n, &why, &at) < 0)
		die(EX_PROTOCOL, "a line of the command, at %zu: %s", at + 1,
		    why);
	j = record_json(&r);
	id = json_span(j, json_get(j, 0, r.type == REC_UNTYPED ? "custom_id"
	    : "id"));
	/* What it says of itself. */
	if (id.n == 0 && r.type != REC_MESSAGE && r.type != REC_USAGE
	    && r.type != REC_UNTYPED)
		return;
	i = find_item(id, &key);
	if (i == NULL && key != 0 && recent[key % BUCKETS] == key) {
		if (r.type == REC_MESSAGE || r.type == REC_UNTYPED)
			warn("a second answer to %.*s is dropped", (int)id.n,
			    id.p);
		return;
	}
	if (i == NULL)
		die(EX_PROTOCOL, "an answer to %.*s, which was not asked",
		    (int)id.n, id.p == NULL ? "" : id.p);
	if (r.type == REC_REQUEST || (r.type == REC_UNTYPED
		&& json_get(j, 0, "response") < 0
		&& json_get(j, 0, "error") < 0))
		die(EX_PROTOCOL, "the command gave the request %.*s back, "
		    "which is no answer", (int)i->id.n, buf_cstr(&i->id));
	switch (r.type) {
	case REC_MARK:
		take_mark(i, j);
		return;
	case REC_END:
		if (i->said) {
			answered(i, 0);
			return;
		}
		buf_reset(&i->out);
		put_error(i, EX_PROTOCOL, "no answer");
		answered(i, EX_PROTOCOL);
		return;
	case REC_UNTYPED:
		put_with_id(&i->out, j, "custom_id", buf_view(&i->id));
		answered(i, batch_code(j));
		return;
	case REC_MESSAGE:
		i->said = 1;
		break;
	case REC_USAGE:
		take_usage(i, j);
		break;
	default:
		break;
	}
	put_with_id(&i->out, j, "id", buf_view(&i->id));
	if (r.type != REC_ERROR)
		return;
	json_int(j, json_get(j, 0, "status"), &i->status);
	answered(i, record_code(&r));
}

/* The environment of the command. */
static void
set_env(void)
{
	char spent[80];
	size_t n = 0;

	while (book_batch(n) != NULL)
		n++;
	snprintf(spent, sizeof(spent), "%.9g %zu",
	    book_spent()->dollars, n);
	if (setenv("TURNPIPE_BOOK", book, 1) < 0
	    || setenv("TURNPIPE_SPENT", spent, 1) < 0)
		die_sys(EX_OSERR, "setenv");
}

/* All that it was given and did not answer is asked again. */
static void
take_back(void)
{
	struct item *i;

	for (i = head; i != NULL; i = i->next)
		if (i->state == ITEM_GIVEN) {
			*in_flight(i->key) = i->mate;
			nflight--;
			flight_bytes -= i->text.n;
			buf_free(&i->out);
			ask(i);
		}
}

/* The command has ended: well, or is it to be started again? */
static void
ended(void)
{
	int st = answerer_end(), left = nflight + nasked > 0;

	if (stopping)
		return;
	if (st != 0 && !seen_codes[st & 255] && (!left || (starts > 0
		&& st < 128)))
		die(st, "the command %s", left ? "ended and left requests"
		    : "failed");
	if (nflight == 0)
		return;
	if (starts >= STARTS || (starts > 0 && st == 0))
		die(EX_PROTOCOL, "the command ended %zu times without an answer",
		    starts);
	book_run(lines, &command, 0);
	take_back();
}

/* Start llmcall with one more option; 0 if the command is another one. */
static int
start_llmcall(pid_t *pid, struct child *c, char *option, int *from)
{
	char **argv;
	int r;

	if (command.n == 0
	    || strcmp(file_name(command.v[0]), "llmcall") != 0)
		return 0;
	argv = xreallocarray(NULL, command.n + 2, sizeof(*argv));
	argv[0] = command.v[0];
	argv[1] = option;
	memcpy(argv + 2, command.v + 1, (command.n - 1) * sizeof(*argv));
	argv[command.n + 1] = NULL;
	set_env();
	r = from != NULL ? child_read(pid, c, argv, from)
	    : child_start(pid, c, argv);
	if (r < 0)
		die_sys(EX_NOINPUT, "%s", argv[0]);
	free(argv);
	return 1;
}

static void
end_llmcall(pid_t pid)
{
	int st = child_wait(pid);

	if (st != 0)
		die(WIFEXITED(st) ? WEXITSTATUS(st) : EX_SOFTWARE,
		    "nothing was asked");
}

/*
 * Before the first request: what does llmcall know of all of them?  What they
 * will take is for people.
 */
static void
check_input(void)
{
	static char option[] = "--check";
	struct child c = {{STDIN_FILENO, CHILD_NULL, STDERR_FILENO}, 0, NULL,
	    NULL};
	off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);
	pid_t pid;

	if (lines == 0 || lseek(STDIN_FILENO, begin, SEEK_SET) < 0)
		return;
	if (isatty(STDERR_FILENO))
		c.fd[1] = STDERR_FILENO;
	progress_clear();
	if (start_llmcall(&pid, &c, option, NULL))
		end_llmcall(pid);
	if (lseek(STDIN_FILENO, at, SEEK_SET) < 0)
		die_sys(EX_IOERR, "read <stdin>");
}

/* What its options say of the answers, where -k does not; 0: not known. */
static int
ask_key(void)
{
	static char option[] = "--key";
	struct child c = {{CHILD_NULL, -1, STDERR_FILENO}, 0, NULL, NULL};
	static struct buf b;
	ssize_t n = 1;
	pid_t pid;
	int fd;

	if (salt != NULL || !start_llmcall(&pid, &c, option, &fd))
		return 0;
	while (n > 0) {
		buf_room(&b, GIVE);
		if ((n = read(fd, b.p + b.n, GIVE)) > 0)
			b.n += (size_t)n;
	}
	fd_drop(fd);
	end_llmcall(pid);
	salt = buf_cstr(&b);
	return 1;
}

static void
start(void)
{
	static int checked;

	if (checked++ == 0)
		check_input();
	memset(seen_codes, 0, sizeof(seen_codes));
	if (starts > 1)
		(void)poll(NULL, 0, PAUSE << (starts - 2));
	starts++;
	answerer_start();
}

static void
interrupt(void)
{
	int sig = signals_caught();

	if (sig == 0 || stopping)
		return;
	stopping = 1;
	more = 0;
	answerer_kill(sig);
}

/* Wait until something can be done, and do what the command can. */
static void
wait_and_move(int input)
{
	struct pollfd p[5];
	long long now, due;
	int n = 0, own = -1, ms;

	out_flush();
	now = clock_ms();
	due = nflight > 0 ? progress_tick(now, nflight) : LLONG_MAX;
	ms = due == LLONG_MAX ? -1 : due - now > INT_MAX ? INT_MAX
	    : due > now ? (int)(due - now) : 0;
	memset(p, 0, sizeof(p));
	p[n].fd = signals_fd();
	p[n++].events = POLLIN;
	if (input) {
		own = n;
		p[n].fd = STDIN_FILENO;
		p[n++].events = POLLIN;
	}
	if (answerer_isopen())
		answerer_poll(p, &n);
	if (poll(p, (nfds_t)n, ms) < 0)
		return;
	if (own >= 0 && p[own].revents != 0)
		record_read();
	if (answerer_isopen() && !answerer_move(take_line))
		ended();
}

static void
work(void)
{
	struct rec r;
	int wants;

	/* It may have to look after batches, whatever is asked. */
	if (book_batch(0) != NULL && !offline)
		start();
	for (;;) {
		while (more && has_room() && record_ready()) {
			more = record_next(&r);
			if (more)
				take_record(&r);
		}
		if (nasked > 0 && !answerer_isopen() && !stopping)
			start();
		if (answerer_isopen())
			give_all();
		write_done();
		interrupt();
		wants = more && has_room();
		if (!answerer_isopen() && (stopping || (!more && nasked == 0)))
			break;
		if (!wants || !record_ready())
			wait_and_move(wants);
	}
	write_done();
}

static void (*outer_hook)(int code, const char *msg);

/* A bad line: what was asked before is answered. */
static void
last(int code, const char *msg)
{
	die_hook = outer_hook;
	if (record_failed()) {
		more = 0;
		work();
		book_close();
	}
	progress_close();
	outer_hook(code, msg);
}

static const char usage[] =
    "usage: journal -J book [-e file] [-g rounds] [-k text] [--]\n"
    "               command [arg ...]\n"
    "       journal -oJ book [-e file] [-k text] [[--] command [arg ...]]\n"
    "       journal -b book ...\n"
    "\n"
    "  -b, --status         print how far these books are\n"
    "  -e, --failed FILE    put requests there that were given up\n"
    "  -g, --give-up N      a failure is the answer after so many rounds\n"
    "  -J, --journal BOOK   keep answers there; go on where it ends\n"
    "  -k, --key TEXT       what else the answers depend on\n"
    "  -o, --offline        answer from the book alone\n";

static const struct option opts[] = {
	{"status", no_argument, NULL, 'b'},
	{"failed", required_argument, NULL, 'e'},
	{"give-up", required_argument, NULL, 'g'},
	{"journal", required_argument, NULL, 'J'},
	{"key", required_argument, NULL, 'k'},
	{"offline", no_argument, NULL, 'o'},
	{NULL, 0, NULL, 0}
};

/* The options; 1 if the books are only looked at. */
static int
options(int argc, char **argv)
{
	int c, asks = 0;

	while ((c = opt_next(argc, argv, "+be:g:J:k:o", opts, usage)) != -1)
		switch (c) {
		case 'b': asks = 1; break;
		case 'e': letters = optarg; break;
		case 'g':
			give_up = (int)opt_int("-g", optarg, 1, 1000);
			break;
		case 'J': book = optarg; break;
		case 'k': salt = optarg; break;
		case 'o': offline = 1; break;
		}
	if (argv[optind] == NULL && (asks || !offline))
		opt_die(usage, asks ? "-b: expected a book"
		    : "expected a command");
	if (!asks && book == NULL)
		opt_die(usage, "expected -J");
	return asks;
}

int
main(int argc, char **argv)
{
	long long n;
	char **a;
	int known;

	prog = "journal";
	opt_set = settings_set;
	warn_before = progress_clear;
	if (options(argc, argv)) {
		status_print(argv + optind);
		out_end();
		return 0;
	}
	record_filter(1);
	record_untyped = 1;
	outer_hook = die_hook;
	die_hook = last;
	begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
	if ((n = requestfile_check(STDIN_FILENO, "<stdin>", NULL)) > 0)
		lines = (size_t)n;
	book_open(book, offline);
	if (letters != NULL && (letters_fd = fd_open(letters,
		O_WRONLY | O_CREAT | O_TRUNC, 0666)) < 0)
		die_sys(EX_CANTCREAT, "%s", letters);
	progress_open(lines, 1);
	for (a = argv + optind; *a != NULL; a++)
		strs_add(&command, *a);
	known = ask_key();
	if (!offline)
		book_run(lines, &command, !known);
	signals_arm(SIGNALS_ONCE);
	answerer_set(argv + optind, set_env);
	work();
	progress_close();
	if (nlacking > 0)
		warn("%s: no answer in it to %zu of %zu requests%s%s", book,
		    nlacking, nasks, first_lacking.n > 0 ? ", first " : "",
		    buf_cstr(&first_lacking));
	if (lines > 0 && !stopping && book_left() > 0)
		warn("%s: %zu answers in it are to other requests", book,
		    book_left());
	book_close();
	record_close();
	if (stopping)
		signals_die(signals_caught());
	if (status == 0 && lacks != 0)
		status = nasks == 1 && give_up == 0 ? lacks : EXIT_NO;
	return status;
}
