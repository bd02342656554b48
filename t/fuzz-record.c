/*
 * fuzz-record: streams of random records, written into a pipe in random
 * parts.  The loop must give back each of them byte for byte, with the type
 * that json_parse finds, and die at the first that the gate refuses.
 */
#include "fuzz.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diag.h"
#include "gate.h"
#include "json.h"
#include "record.h"

enum { ALONE = 2000 }; /* lines beside each stream */

static const char *const pieces[] = { "{\"type\":\"message\"}",
	"{\"role\":\"user\",\"content\":\"x\"}", "{\"type\":\"end\"}", "{", "}",
	"{", "}", "[", "]", ",", ":", "\"type\"", "\"role\"", "\"type\":\"tool\"",
	"\"role\":\"tool\"", "\"message\"", "\"a\"", "\"b\":1", "\"\\u0000\"",
	"\"\\ud83d\\ude00\"", "\"\\ud83d\"", "\"t\\u0079pe\":\"end\"", "null",
	"true", "false", "0", "-1.5e3", "01", "1e999", "\"\303\251\"", "\"\377\"",
	"\"\\x\"", " ", "\t", "\"", "\\", "[[[[[[[[[[[[[[[[[[", "]]]]]]]]]]]]]]]]]]",
	"{\"type\":3}", "{\"a\":{\"a\":[{}]},\"type\":\"mark\",\"role\":\"x\"}",
	"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" };

static struct buf stream;
static struct strs lines; /* that must come back */
static int fine;	  /* the whole stream is */

/* Is it what the gate and the rest of the loop take? */
static int
is_record(const char *s, size_t n)
{
	static struct json j;
	struct rec r;
	const char *why;
	size_t at;
	int taken = record_check(&r, s, n, &why, &at) == 0;

	if (taken && (json_parse(&j, s, n) < 0 || json_kind(&j, 0) != JSON_OBJECT
		|| r.ntok < j.ntok || (r.name.n > 0 && r.type != REC_UNTYPED
		&& r.type != REC_OTHER && record_type(r.name) != r.type)))
		abort();
	return taken;
}

/* A record with members after its type. */
static void
make_whole(struct buf *b)
{
	static const char *const members[] = { ",\"a\":[1,{\"b\":null}]",
		",\"role\":\"user\"", ",\"content\":\"\\u00e9\\n\"", " ",
		",\"c\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"" };
	static const char *const names[] = { "message", "end", "tool", "mesage",
		"m\\u0065ssage", "" };
	size_t k;

	buf_reset(b);
	buf_printf(b, "{\"type\":\"%s\"",
	    names[fuzz_any(sizeof(names) / sizeof(*names))]);
	for (k = 0; k < sizeof(members) / sizeof(*members); k++)
		if (fuzz_any(2) == 0)
			buf_puts(b, members[k]);
	buf_putc(b, '}');
	while (fuzz_any(30) == 0)
		buf_putc(b, ' ');
	if (fuzz_any(60) == 0)
		b->p[fuzz_any(b->n)] = ' ';
}

static void
make_stream(void)
{
	static struct buf line;
	size_t k, n = 1 + fuzz_any(6), whole = fuzz_any(4);
	int last;

	buf_reset(&stream);
	strs_reset(&lines);
	fine = 1;
	for (k = 0; k < n; k++) {
		do {
			if (fuzz_any(4) < whole)
				make_whole(&line);
			else
				fuzz_text(&line, pieces,
				    sizeof(pieces) / sizeof(*pieces), 12);
		} while (memchr(buf_cstr(&line), '\n', line.n) != NULL
		    || memchr(buf_cstr(&line), '\r', line.n) != NULL
		    || (k == 0 && line.n == 0));
		last = k + 1 == n;
		if (line.n == 0 && last)
			break;
		if (fine && is_record(buf_cstr(&line), line.n))
			strs_addn(&lines, buf_cstr(&line), line.n);
		else
			fine = 0;
		buf_add(&stream, buf_cstr(&line), line.n);
		if (!last || fuzz_any(3) > 0)
			buf_puts(&stream, fuzz_any(4) == 0 ? "\r\n" : "\n");
	}
}

static void
feed(int fd)
{
	size_t at, n;

	for (at = 0; at < stream.n; at += n) {
		n = 1 + fuzz_any(stream.n - at);
		/* The reader may have ended, at bad input. */
		if (write(fd, stream.p + at, n) != (ssize_t)n)
			break;
	}
	close(fd);
}

/* In a child: exits with 0 if all is as it should be, 65 at bad input. */
static void
read_stream(int fd)
{
	struct rec r;
	size_t i = 0;

	record_from(fd, "fuzz");
	while (record_next(&r)) {
		if (r.n == 0)
			continue;
		/* A CR before the newline stays with its record. */
		r.n -= r.s[r.n - 1] == '\r';
		if (i == lines.n || r.n != strlen(lines.v[i])
		    || memcmp(r.s, lines.v[i], r.n) != 0)
			_exit(2);
		i++;
	}
	_exit(i == lines.n ? 0 : 3);
}

int
main(int argc, char **argv)
{
	static struct buf text;
	unsigned long streams = 0, whole = 0, taken = 0;
	size_t i;
	int bad = 0, p[2], status, want;
	pid_t pid;

	prog = "fuzz-record";
	if (!fuzz_begin(argc, argv))
		return 0;
	signal(SIGPIPE, SIG_IGN);
	while (!bad && clock_ms() < fuzz_until) {
		/* A process for each stream is dear, a line alone is not. */
		for (i = 0; i < ALONE; i++) {
			fuzz_text(&text, pieces,
			    sizeof(pieces) / sizeof(*pieces), 12);
			taken += is_record(buf_cstr(&text), text.n) != 0;
		}
		make_stream();
		if (stream.n > 0 && memchr(stream.p, '\0', stream.n) != NULL)
			continue;
		streams++;
		whole += fine != 0;
		if (pipe(p) < 0)
			return 1;
		fflush(stdout);
		pid = fork();
		if (pid < 0)
			return 1;
		if (pid == 0) {
			close(p[1]);
			if (freopen("/dev/null", "w", stderr) == NULL)
				_exit(1);
			read_stream(p[0]);
		}
		close(p[0]);
		feed(p[1]);
		want = fine ? 0 : EX_DATAERR;
		if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status)
		    || WEXITSTATUS(status) != want)
			bad = fuzz_bad("another reading", &stream);
	}
	printf("record: %lu lines, %lu taken, %lu streams, %lu whole, %s\n",
	    streams * ALONE, taken, streams, whole,
	    bad ? "a fault" : "no fault");
	return bad;
}
