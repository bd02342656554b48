/*
 * msg [-r ROLE] [-A FILE] [-f WAY[:BYTES]] TEXT ...	text -> a message record
 * msg -k WHAT [-i KEY [-b BYTES]] [KEY=VALUE ...] | -S ID | -e |
 *     -E CODE TEXT ...
 *				other records from a shell
 * msg -u [KEY=VALUE ...]	usage records -> one, their sum
 * msg -t [-aC] [FILE ...]	message records -> text
 * msg -g KEY	the text at a key of an object; KEY,KEY: words of records
 * msg -G	all values of an object, for awk
 * msg -w SECONDS		may standard input be read as text?
 * msg -p			a text, in one write
 * msg -C [-R wrap|cut]	a text, as a terminal may have it
 * msg -y TYPE			the records of this type
 *
 * - The two ends of the pipe that a person touches: scripts make records
 *   with it, so that no script ever writes JSON.
 * - Bytes that a terminal could obey are cleaned only for a terminal.
 */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach.h"
#include "clock.h"
#include "confpair.h"
#include "diag.h"
#include "emit.h"
#include "fd.h"
#include "opt.h"
#include "origin.h"
#include "out.h"
#include "record.h"
#include "terminal.h"
#include "section.h"
#include "sources.h"
#include "tail.h"
#include "truncate.h"
#include "utf8.h"

enum { READ_BLOCK = 65536, WAIT_MAX = 3600, INPUT_MAX = 1 << 20 };

static const char usage[] =
    "usage: msg [-r role] [-A file] [-f way[:bytes]] text ... | -\n"
    "       msg -k what [-i key [-b bytes]] [key=value ...]\n"
    "       msg -S id | -e\n"
    "       msg -E code text ...\n"
    "       msg -g key[,key ...] | -G | -y type\n"
    "       msg -p | -C [-R wrap | cut]\n"
    "       msg -t [-aC] [file ...]\n"
    "       msg -u [key=value ...]\n"
    "       msg -w seconds\n"
    "\n"
    "  -a, --all         with -t: every message, under its role\n"
    "  -A, --attach FILE a picture or PDF after the text; may be repeated\n"
    "  -b, --bytes N     of what -i reads keep head and tail if it is longer\n"
    "  -C, --clean       what a terminal could obey made visible, in a pipe too\n"
    "  -e, --end         an end\n"
    "  -E, --error CODE  an error of the driver's\n"
    "  -f, --from WAY[:BYTES] how the next bytes of the text came, or all others:\n"
    "                    typed, input, file, command, channel\n"
    "  -g, --get KEY     print the text at a key of the object on standard input\n"
    "  -G, --values      print its values, each after a line: place, kind, bytes\n"
    "  -i, --input KEY   with -k: a field of standard input\n"
    "  -k, --mark WHAT   a mark with the time\n"
    "  -p, --print       print standard input, when it has ended, in one write\n"
    "  -r, --role ROLE   of the message (user)\n"
    "  -R, --rows HOW    with -C, on a terminal: wrap at words or cut what is too\n"
    "                    long for its columns\n"
    "  -S, --section ID  a section of standard input\n"
    "  -t, --text        print the text of the last answer\n"
    "  -u, --usage       the sum of the usage records of standard input\n"
    "  -w, --wait N      is there input to read? wait N seconds for it\n"
    "  -y, --type TYPE   print the records of this type\n";

static const struct option options[] = {
    {"all", no_argument, NULL, 'a'},
    {"attach", required_argument, NULL, 'A'},
    {"bytes", required_argument, NULL, 'b'},
    {"clean", no_argument, NULL, 'C'},
    {"end", no_argument, NULL, 'e'},
    {"error", required_argument, NULL, 'E'},
    {"from", required_argument, NULL, 'f'},
    {"get", required_argument, NULL, 'g'},
    {"input", required_argument, NULL, 'i'},
    {"mark", required_argument, NULL, 'k'},
    {"print", no_argument, NULL, 'p'},
    {"role", required_argument, NULL, 'r'},
    {"rows", required_argument, NULL, 'R'},
    {"section", required_argument, NULL, 'S'},
    {"text", no_argument, NULL, 't'},
    {"usage", no_argument, NULL, 'u'},
    {"values", no_argument, NULL, 'G'},
    {"wait", required_argument, NULL, 'w'},
    {"type", required_argument, NULL, 'y'},
    {NULL, 0, NULL, 0},
};

static int all;
static int clean; /* what a terminal could obey is made visible */
static size_t columns; /* of the terminal, where lines are made to fit */
static int cuts;       /* what is too long */
static int found;      /* a message with text was seen */
static struct buf last; /* the last assistant text, without -a */
static int partial;	/* it broke off */

/*
 * In a record each other byte is U+FFFD.  Of a command's output in a section
 * that is good enough; of what a person wrote it would lose letters.
 */
static void
check_utf8(const struct buf *b, int strict)
{
	size_t at = utf8_check(b->p, b->n), i, line = 1, start = 0;

	if (at == b->n)
		return;
	for (i = 0; i < at; i++)
		if (b->p[i] == '\n') {
			line++;
			start = i + 1;
		}
	if (strict)
		die_at(EX_DATAERR, "<stdin>", line, at - start + 1,
		    "expected valid UTF-8");
	warn("<stdin>:%zu:%zu: expected valid UTF-8, put U+FFFD", line,
	    at - start + 1);
}

static void
slurp(struct buf *b)
{
	ssize_t n;

	do {
		buf_room(b, READ_BLOCK);
		n = read(STDIN_FILENO, b->p + b->n, READ_BLOCK);
		if (n < 0)
			die_sys(EX_IOERR, "read <stdin>");
		b->n += (size_t)n;
	} while (n > 0);
}

static void
slurp_text(struct buf *b, int strict)
{
	slurp(b);
	check_utf8(b, strict);
}

static void
join(struct buf *b, int argc, char **argv)
{
	int i;

	if (argc == 1 && strcmp(argv[0], "-") == 0) {
		slurp_text(b, 1);
		while (b->n > 0 && b->p[b->n - 1] == '\n')
			b->n--;
		return;
	}
	for (i = 0; i < argc; i++) {
		if (i > 0)
			buf_putc(b, ' ');
		buf_puts(b, argv[i]);
	}
}

/* The text, and files after it. */
static void
put_parts(struct buf *b, const struct buf *text, const struct strs *files)
{
	size_t i;

	emit_open(b, '[');
	if (text->n > 0) {
		emit_open(b, '{');
		emit_pair(b, "type", "text");
		emit_pairn(b, "text", text->p, text->n);
		emit_close(b, '}');
	}
	for (i = 0; i < files->n; i++)
		attach_put(b, files->v[i]);
	emit_close(b, ']');
}

/* Put tp.from of a text with so many bytes; without number, all others. */
static void
put_from(struct buf *b, const struct strs *from, size_t left)
{
	const char *s, *colon;
	size_t i, n, way;
	enum origin o;

	emit_key(b, "tp");
	emit_open(b, '{');
	emit_key(b, "from");
	emit_open(b, '[');
	for (i = 0; i < from->n; i++) {
		s = from->v[i];
		colon = strchr(s, ':');
		way = colon == NULL ? strlen(s) : (size_t)(colon - s);
		o = origin_find((struct span){s, way});
		if (o == ORIGIN_UNKNOWN)
			opt_die(usage, "-f: expected typed, input, file, "
			    "command or channel, not '%s'", s);
		n = colon == NULL ? left
		    : (size_t)opt_int("-f", colon + 1, 0, SSIZE_MAX);
		/* Its last newlines are gone. */
		n = n < left ? n : left;
		left -= n;
		if (n == 0)
			continue;
		emit_open(b, '{');
		emit_pairi(b, origin_name(o), (long long)n);
		emit_close(b, '}');
	}
	if (left > 0)
		opt_die(usage, "-f: expected how the last %zu bytes came", left);
	emit_close(b, ']');
	emit_close(b, '}');
}

static void
put_message(const char *role, const struct strs *files,
    const struct strs *from, int argc, char **argv)
{
	static struct buf text, b;

	join(&text, argc, argv);
	if (text.n == 0 && files->n == 0)
		opt_die(usage, "expected a text");
	emit_open(&b, '{');
	emit_pair(&b, "type", "message");
	emit_pair(&b, "role", role);
	if (files->n == 0) {
		emit_pairn(&b, "content", text.p, text.n);
	} else {
		emit_key(&b, "content");
		put_parts(&b, &text, files);
	}
	if (from->n > 0)
		put_from(&b, from, text.n);
	emit_close(&b, '}');
	record_put(&b);
}

/* A failure that a script has to tell the reader of its stream. */
static void
put_error(int code, int argc, char **argv)
{
	static struct buf text, b;

	join(&text, argc, argv);
	emit_open(&b, '{');
	emit_pair(&b, "type", "error");
	emit_pair(&b, "from", "turnpipe");
	emit_pairi(&b, "code", code);
	emit_pairn(&b, "message", text.p, text.n);
	emit_close(&b, '}');
	record_put(&b);
}

/* KEY=VALUE operands as fields of the object that is open in b. */
static void
put_fields(struct buf *b, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++)
		if (confpair_arg(b, argv[i]) < 0)
			opt_die(usage, "expected KEY=VALUE, not '%s'",
			    argv[i]);
	emit_close(b, '}');
	record_put(b);
}

/*
 * A field of standard input, head and tail of it if it has more than max
 * bytes.  It is a program's output: what is not UTF-8 becomes U+FFFD.
 */
static void
put_input(struct buf *b, const char *key, size_t max)
{
	static struct truncate cut;
	static struct buf block, text;
	ssize_t n;

	truncate_start(&cut, max, NULL, 0);
	buf_room(&block, READ_BLOCK);
	while ((n = read(STDIN_FILENO, block.p, READ_BLOCK)) > 0)
		truncate_add(&cut, block.p, (size_t)n);
	if (n < 0)
		die_sys(EX_IOERR, "read <stdin>");
	truncate_end(&cut);
	buf_span(&text, cut.head);
	if (cut.over) {
		buf_puts(&text, "\n[...]\n");
		buf_span(&text, cut.tail);
	}
	while (text.n > 0 && text.p[text.n - 1] == '\n')
		text.n--;
	emit_pairn(b, key, text.p, text.n);
}

static void
put_mark(const char *what, const char *key, size_t max, int argc, char **argv)
{
	static struct buf b, when;

	clock_utc(&when, clock_now());
	emit_open(&b, '{');
	emit_pair(&b, "type", "mark");
	emit_pair(&b, "what", what);
	emit_pairn(&b, "time", when.p, when.n);
	if (key != NULL)
		put_input(&b, key, max);
	put_fields(&b, argc, argv);
}

static void
add_number(const struct json *j, const char *key, double *sum)
{
	double v;

	if (json_num(j, json_get(j, 0, key), &v) == 0)
		*sum += v;
}

/*
 * One usage record in place of those of standard input, with the model of the
 * last; none in place of none.  Lines that are no records are passed over: a
 * session that is at work may end in half of one.
 */
static void
sum_usage(int argc, char **argv)
{
	static struct buf b, model;
	static char *line;
	double prompt = 0, completion = 0, cached = 0, cost = 0;
	const struct json *j;
	const char *why;
	struct rec r;
	size_t cap = 0, at;
	long long n = 0;
	ssize_t len;

	while ((len = getline(&line, &cap, stdin)) > 0) {
		len -= line[len - 1] == '\n';
		if (record_check(&r, line, (size_t)len, &why, &at) < 0
		    || r.type != REC_USAGE)
			continue;
		j = record_json(&r);
		buf_reset(&model);
		json_str(j, json_get(j, 0, "model"), &model);
		add_number(j, "prompt_tokens", &prompt);
		add_number(j, "completion_tokens", &completion);
		add_number(j, "cached_tokens", &cached);
		add_number(j, "cost", &cost);
		n++;
	}
	if (ferror(stdin))
		die_sys(EX_IOERR, "read <stdin>");
	if (n == 0)
		return;
	emit_open(&b, '{');
	emit_pair(&b, "type", "usage");
	emit_pairn(&b, "model", model.p, model.n);
	emit_pairi(&b, "prompt_tokens", (long long)prompt);
	emit_pairi(&b, "completion_tokens", (long long)completion);
	emit_pairi(&b, "cached_tokens", (long long)cached);
	emit_pairi(&b, "calls", n);
	if (cost > 0)
		emit_pairf(&b, "cost", cost);
	put_fields(&b, argc, argv);
}

/* Text of a message's content: a string, or the text parts of a list. */
static void
content(struct buf *b, const struct json *j, int i)
{
	int k;

	if (json_str(j, i, b) == 0 || json_kind(j, i) != JSON_ARRAY)
		return;
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		json_str(j, json_get(j, k, "text"), b);
}

static void
calls(struct buf *b, const struct json *j, int i)
{
	int f, k;

	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		f = json_get(j, k, "function");
		if (b->n > 0 && b->p[b->n - 1] != '\n')
			buf_putc(b, '\n');
		buf_puts(b, "-> ");
		json_str(j, json_get(j, f, "name"), b);
		buf_putc(b, ' ');
		json_str(j, json_get(j, f, "arguments"), b);
		buf_putc(b, '\n');
	}
}

/* A line, cleaned, in the rows that are asked for. */
static void
put_clean(const char *s, size_t n)
{
	static struct buf b, text;
	size_t nl = n > 0 && s[n - 1] == '\n';

	n -= nl;
	buf_reset(&b);
	buf_reset(&text);
	if (columns > 0 && cuts) {
		terminal_fit(&b, s, n, columns);
	} else {
		terminal_clean(&text, s, n);
		if (columns > 0)
			terminal_wrap(&b, text.p, text.n, columns);
		else
			buf_span(&b, buf_view(&text));
	}
	out_add(b.p, b.n);
	out_add("\n", nl);
}

static void
print(struct buf *b)
{
	size_t i, k;
	const char *nl;

	if (b->n > 0 && b->p[b->n - 1] != '\n')
		buf_putc(b, '\n');
	if (!clean)
		out_add(b->p, b->n);
	for (i = 0; clean && i < b->n; i += k) {
		nl = memchr(b->p + i, '\n', b->n - i);
		k = (size_t)(nl - b->p) + 1 - i;
		put_clean(b->p + i, k);
	}
	buf_reset(b);
}

static void
show(const struct rec *r)
{
	static struct buf b, role;
	const struct json *j = record_json(r);

	buf_reset(&role);
	buf_reset(&b);
	json_str(j, json_get(j, 0, "role"), &role);
	content(&b, j, json_get(j, 0, "content"));
	sources_put(&b, j);
	if (all) {
		calls(&b, j, json_get(j, 0, "tool_calls"));
		buf_puts(&role, ":\n");
		print(&role);
		print(&b);
		found = 1;
	} else if (span_is((struct span){role.p, role.n}, "assistant")
	    && b.n > 0) {
		buf_reset(&last);
		buf_add(&last, b.p, b.n);
		partial = json_true(j, json_at(j, 0, "tp.partial"));
		found = 1;
	}
}

/* The last answer of a file, whose beginning may be far: 0 if it has one. */
static int
read_last(int fd, const char *name)
{
	struct span line = {NULL, 0};
	const char *why;
	struct tail t;
	struct rec r;
	size_t at;

	tail_open(&t, fd, name);
	if (t.torn.n > 0)
		tail_whole(&t);
	while (!found && tail_prev(&t, &line)) {
		if (record_check(&r, line.p, line.n, &why, &at) < 0)
			tail_bad(&t, tail_at(&t, line.p) + (off_t)at, why);
		if (r.type == REC_MESSAGE)
			show(&r);
	}
	print(&last);
	tail_close(&t);
	out_end();
	return found ? 0 : EXIT_NO;
}

/* Records to text; the status of the stream. */
static int
read_text(int argc, char **argv)
{
	struct rec r;
	int code = 0, fd, i = 0, stream;
	struct stat st;

	do {
		/* Errors in a file are history; in a stream they are ours. */
		stream = i == argc || strcmp(argv[i], "-") == 0;
		record_lenient = all || !stream;
		if (!stream) {
			fd = open(argv[i], O_RDONLY | O_CLOEXEC);
			if (fd < 0)
				die_sys(EX_NOINPUT, "%s", argv[i]);
			if (argc == 1 && !all && fstat(fd, &st) == 0
			    && S_ISREG(st.st_mode))
				return read_last(fd, argv[i]);
			record_from(fd, argv[i]);
		}
		while (record_next(&r)) {
			if (r.type == REC_MESSAGE)
				show(&r);
			else if (r.type == REC_ERROR && stream)
				code = record_code(&r);
		}
	} while (++i < argc);
	/* Of an answer that was cut, refused or misshapen the text is there. */
	if (code == 0 || partial || code == EXIT_REFUSED
	    || code == EXIT_SCHEMA)
		print(&last);
	out_end();
	if (code == 0 && record_failed())
		code = EX_DATAERR;
	return code != 0 ? code : found ? 0 : EXIT_NO;
}

/*
 * May standard input be read as text?  0: a pipe that has something or has
 * ended, or a file; EXIT_NO: something else, or a file that another program
 * has begun to read, such as the list of a loop in sh; EX_TEMPFAIL: a pipe
 * without a byte in so many seconds.
 */
static int
input_waits(int seconds)
{
	struct pollfd in = {STDIN_FILENO, POLLIN, 0};
	struct stat st;
	int n;

	if (fstat(STDIN_FILENO, &st) < 0)
		return EXIT_NO;
	if (S_ISREG(st.st_mode))
		return lseek(STDIN_FILENO, 0, SEEK_CUR) == 0 ? 0 : EXIT_NO;
	if (!S_ISFIFO(st.st_mode))
		return EXIT_NO;
	while ((n = poll(&in, 1, seconds * 1000)) < 0 && errno == EINTR)
		continue;
	if (n < 0)
		die_sys(EX_OSERR, "poll <stdin>");
	return n > 0 ? 0 : EX_TEMPFAIL;
}

/*
 * Value i, which stands at place, and what is in it; of the root the latter.
 * A shell's variable holds no NUL: a text with one is a value without bytes.
 */
static void
print_value(const struct json *j, int i, struct buf *place)
{
	static const char *const kinds[] = {[JSON_OBJECT] = "object",
	    [JSON_ARRAY] = "array", [JSON_STRING] = "string",
	    [JSON_NUMBER] = "number", [JSON_TRUE] = "true",
	    [JSON_FALSE] = "false", [JSON_NULL] = "null"};
	static struct buf b, value;
	enum json_kind kind = json_kind(j, i);
	const char *name = kinds[kind];
	size_t was = place->n, n = 0;
	int k;

	buf_reset(&value);
	if (kind == JSON_NUMBER)
		buf_span(&value, json_span(j, i));
	else if (json_str(j, i, &value) == 0
	    && memchr(value.p, '\0', value.n) != NULL) {
		name = "nul";
		buf_reset(&value);
	}
	buf_reset(&b);
	buf_printf(&b, "%s %s %zu\n", buf_cstr(place), name, value.n);
	buf_add(&b, value.p, value.n);
	buf_putc(&b, '\n');
	if (i > 0)
		out_add(b.p, b.n);
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		if (was > 0)
			buf_putc(place, '.');
		if (kind == JSON_OBJECT) {
			buf_reset(&value);
			json_str(j, k, &value);
			emit_escape(place, value.p, value.n);
		} else {
			buf_printf(place, "%zu", n++);
		}
		print_value(j, kind == JSON_OBJECT ? k + 1 : k, place);
		place->n = was;
	}
}

/*
 * The text at a key of an object, byte for byte, EXIT_NO without one; with
 * key NULL all there is.
 */
static int
print_member(const char *key)
{
	static struct buf in, text;
	static struct json j;
	size_t line, col;

	slurp_text(&in, 1);
	if (in.n == 0)
		return EXIT_NO;
	if (json_parse(&j, in.p, in.n) < 0) {
		json_where(in.p, j.at, &line, &col);
		die_at(EX_DATAERR, "<stdin>", line, col, j.why);
	}
	if (key == NULL) {
		print_value(&j, 0, &text);
	} else {
		if (json_str(&j, json_get(&j, 0, key), &text) < 0)
			return EXIT_NO;
		out_add(text.p, text.n);
	}
	out_end();
	return 0;
}

/*
 * A line of the values at these keys for each record that has the first one;
 * "-" where there is none.  A script reads words: a value with a blank is
 * refused.
 */
static int
print_words(const struct strs *keys)
{
	static struct buf b, word;
	struct rec r;
	const struct json *j;
	int at, code = EXIT_NO;
	size_t i;

	record_untyped = 1;
	while (record_next(&r)) {
		j = r.implied ? NULL : record_json(&r);
		if (j == NULL || json_get(j, 0, keys->v[0]) < 0)
			continue;
		code = 0;
		for (i = 0; i < keys->n; i++) {
			at = json_get(j, 0, keys->v[i]);
			buf_reset(&word);
			if (at >= 0 && json_str(j, at, &word) < 0)
				buf_span(&word, json_span(j, at));
			if (strpbrk(buf_cstr(&word), " \t\r\n") != NULL)
				record_bad(&r, at, "expected one word");
			buf_printf(&b, "%s%s", i > 0 ? " " : "",
			    word.n > 0 ? word.p : "-");
		}
		out_record(&b);
		out_flush();
	}
	out_end();
	return code;
}

/* Are lines made to fit the terminal, and how? */
static void
set_rows(const char *how)
{
	cuts = strcmp(how, "cut") == 0;
	if (!cuts && strcmp(how, "wrap") != 0)
		opt_die(usage, "-R: expected wrap or cut, not '%s'", how);
	if (isatty(STDOUT_FILENO))
		columns = terminal_columns(STDOUT_FILENO);
}

/* Text of any program, cleaned, line by line. */
static int
print_clean(void)
{
	static char *line;
	size_t cap = 0;
	ssize_t n;

	while ((n = getline(&line, &cap, stdin)) > 0)
		put_clean(line, (size_t)n);
	if (ferror(stdin))
		die_sys(EX_IOERR, "read <stdin>");
	out_end();
	return 0;
}

/* Not in pieces: others may be writing to the same file. */
static int
print_input(void)
{
	static struct buf b;

	slurp(&b);
	if (isatty(STDOUT_FILENO)) {
		out_add(b.p, b.n);
		out_end();
		return 0;
	}
	if (fd_write(STDOUT_FILENO, b.p, b.n) < 0 || fd_close(STDOUT_FILENO) < 0)
		die_sys(EX_IOERR, "write <stdout>");
	return 0;
}

/* The records of a type as they stand there; EXIT_NO without any. */
static int
print_type(const char *type)
{
	struct rec r;
	int st, any = 0;

	record_filter(1);
	while (record_next(&r)) {
		const struct json *j = record_json(&r);

		if (!json_is(j, json_get(j, 0, "type"), type))
			continue;
		record_pass(&r);
		any = 1;
	}
	st = record_close();
	return st != 0 || any ? st : EXIT_NO;
}

int
main(int argc, char **argv)
{
	static struct buf text;
	static struct strs files, from, keys;
	struct section section = {0};
	const char *input = NULL, *key = NULL, *mark = NULL, *type = NULL;
	const char *role = "user";
	size_t max = INPUT_MAX;
	int c, end = 0, error = 0, print_all = 0, to_text = 0;
	int usages = 0, values = 0, seconds = -1;

	prog = "msg";
	while ((c = opt_next(argc, argv, "aA:b:CeE:f:g:Gi:k:pR:r:S:tuw:y:",
		    options, usage)) != -1)
		switch (c) {
		case 'a': all = 1; break;
		case 'A': strs_add(&files, optarg); break;
		case 'b':
			max = (size_t)opt_int("-b", optarg, 2, INPUT_MAX);
			break;
		case 'C': clean = 1; break;
		case 'e': end = 1; break;
		case 'E':
			error = (int)opt_int("-E", optarg, 1, 255);
			break;
		case 'f': strs_add(&from, optarg); break;
		case 'i': input = optarg; break;
		case 'k': mark = optarg; break;
		case 'g': key = optarg; break;
		case 'G': values = 1; break;
		case 'p': print_all = 1; break;
		case 'r': role = optarg; break;
		case 'R': set_rows(optarg); break;
		case 'S': section.kind = optarg; break;
		case 't': to_text = 1; break;
		case 'u': usages = 1; break;
		case 'w':
			seconds = (int)opt_int("-w", optarg, 0, WAIT_MAX);
			break;
		case 'y': type = optarg; break;
		}
	argc -= optind;
	argv += optind;
	if (input != NULL && mark == NULL)
		opt_die(usage, "expected -k with -i");
	if (to_text)
		return read_text(argc, argv);
	if (argc > 0 && (section.kind != NULL || end || seconds >= 0
	    || key != NULL || values || type != NULL || print_all || clean))
		opt_die(usage, "expected no operand");
	if (seconds >= 0)
		return input_waits(seconds);
	if (key != NULL && strchr(key, ',') != NULL) {
		strs_split(&keys, key);
		return print_words(&keys);
	}
	if (key != NULL || values)
		return print_member(key);
	if (type != NULL)
		return print_type(type);
	if (print_all)
		return print_input();
	if (clean)
		return print_clean();
	if (section.kind != NULL) {
		slurp_text(&text, 0);
		section_put(&section, text.p, text.n);
	} else if (mark != NULL) {
		put_mark(mark, input, max, argc, argv);
	} else if (error > 0) {
		put_error(error, argc, argv);
	} else if (usages) {
		sum_usage(argc, argv);
	} else if (end) {
		out_add("{\"type\":\"end\"}\n", 15);
	} else {
		put_message(role, &files, &from, argc, argv);
	}
	return record_close();
}
