#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "box.h"
#include "file.h"
#include "session.h"
#include "tail.h"
#include "tap.h"

static void
test_names(void)
{
	static const struct {
		const char *path, *id, *run;
	} v[] = {
		{"x/ID.jsonl", "ID", "x/ID.d"},
		{"ID.jsonl", "ID", "ID.d"},
		{"/a/b.jsonl/log", "log", "/a/b.jsonl/log.d"},
		{"log.json", "log.json", "log.json.d"},
		{".jsonl", ".jsonl", ".jsonl.d"},
		{"a/.jsonl", ".jsonl", "a/.jsonl.d"},
		{"a.jsonl.jsonl", "a.jsonl", "a.jsonl.d"},
	};
	static struct buf b;
	size_t i;

	for (i = 0; i < sizeof(v) / sizeof(*v); i++) {
		buf_reset(&b);
		session_run(&b, v[i].path);
		ok(span_is(session_id(v[i].path), v[i].id)
			&& strcmp(buf_cstr(&b), v[i].run) == 0,
		    "names of %s", v[i].path);
	}
}

static void
write_file(const char *path, const struct buf *b)
{
	if (file_write(path, b->n > 0 ? b->p : "", b->n, 0600) < 0) {
		perror(path);
		exit(2);
	}
}

/* Lines of lengths around those of a block, read back to front. */
static void
test_tail(void)
{
	static const size_t sizes[] = {0, 1, 65534, 65535, 65536, 65537, 10,
	    131072, 200000, 3};
	static struct buf b;
	static struct tail t;
	struct span line;
	size_t i, k, n = sizeof(sizes) / sizeof(*sizes), torn;
	int fd, good;

	for (torn = 0; torn < 70000; torn += 65536 / 2) {
		buf_reset(&b);
		for (i = 0; i < n; i++) {
			for (k = 0; k < sizes[i]; k++)
				buf_putc(&b, 'a' + (int)i);
			buf_putc(&b, '\n');
		}
		for (k = 0; k < torn; k++)
			buf_putc(&b, 'z');
		write_file("lines", &b);
		fd = open("lines", O_RDONLY);
		tail_open(&t, fd, "lines");
		good = t.torn.n == torn && t.size == (off_t)b.n;
		for (i = n; i > 0 && good; i--) {
			good = tail_prev(&t, &line)
			    && line.n == sizes[i - 1];
			for (k = 0; k < line.n && good; k++)
				good = line.p[k] == 'a' + (int)i - 1;
			good = good && line.p[line.n] == '\n';
		}
		ok(good && !tail_prev(&t, &line) && !tail_prev(&t, &line),
		    "lines from the end, %zu bytes torn", torn);
		tail_rewind(&t);
		ok(tail_prev(&t, &line) && line.n == sizes[n - 1]
			&& tail_at(&t, line.p) == (off_t)(b.n - torn) - 4,
		    "once more");
		tail_close(&t);
		close(fd);
	}
	buf_reset(&b);
	write_file("lines", &b);
	fd = open("lines", O_RDONLY);
	tail_open(&t, fd, "lines");
	ok(t.torn.n == 0 && !tail_prev(&t, &line), "an empty file");
	tail_close(&t);
	close(fd);
}

static void
test_counts(void)
{
#define M(role, tp) "{\"role\":\"" role "\",\"content\":\"x\"" tp "}\n"
	static const struct {
		const char *what, *text;
		struct session_count c;
	} v[] = {
		{"nothing", "", {0, 0, 0, 0}},
		{"a header", "{\"type\":\"session\"}\n", {0, 0, 0, 0}},
		{"by hand", M("user", "") M("assistant", "") M("user", ""),
		    {3, 3, 2, 0}},
		{"the last message says all",
		    "broken\n" M("user",
			",\"tp\":{\"n\":9,\"message\":7,\"turn\":3}"),
		    {9, 7, 3, 0}},
		{"some by hand behind it",
		    "broken\n" M("tool",
			",\"tp\":{\"n\":9,\"message\":7,\"turn\":3}")
			M("user", "") "{\"type\":\"mark\",\"what\":\"x\"}\n"
			M("assistant", ""),
		    {12, 9, 4, 0}},
		{"records behind it say n",
		    "broken\n" M("tool",
			",\"tp\":{\"n\":9,\"message\":7,\"turn\":3}")
			"{\"type\":\"usage\",\"n\":10}\n",
		    {10, 7, 3, 0}},
		{"no turn yet",
		    "broken\n" M("system",
			",\"tp\":{\"n\":1,\"message\":1,\"turn\":0}"),
		    {1, 1, 0, 0}},
		{"other types do not count",
		    M("user", "") "{\"type\":\"section\"}\n", {1, 1, 1, 0}},
		{"malformed numbers",
		    M("user",
			",\"tp\":{\"n\":-1,\"message\":\"7\",\"turn\":1.5}"),
		    {1, 1, 1, 0}},
		{"or could not be followed by another",
		    M("user",
			",\"tp\":{\"n\":9223372036854775807,\"message\":1e30,"
			"\"turn\":9007199254740993}"),
		    {1, 1, 1, 0}},
		{"where the last summary begins, by hand",
		    M("user", "") "{\"type\":\"summary\"}\n"
			M("assistant", "") "{\"type\":\"usage\"}\n",
		    {4, 2, 1, 30}},
		{"as the last message says",
		    "broken\n" M("user",
			",\"tp\":{\"n\":9,\"message\":7,\"turn\":3,"
			"\"summary\":5}"),
		    {9, 7, 3, 5}},
		{"behind the last message",
		    M("user",
			",\"tp\":{\"n\":9,\"message\":7,\"turn\":3,"
			"\"summary\":5}") "{\"type\":\"summary\"}\n",
		    {10, 7, 3, 76}},
	};
#undef M
	static struct buf b;
	static struct tail t;
	struct session_count c;
	size_t i;
	int fd;

	for (i = 0; i < sizeof(v) / sizeof(*v); i++) {
		buf_reset(&b);
		buf_puts(&b, v[i].text);
		write_file("log", &b);
		fd = open("log", O_RDONLY);
		tail_open(&t, fd, "log");
		session_counted(&t, &c);
		ok(c.n == v[i].c.n && c.message == v[i].c.message
			&& c.turn == v[i].c.turn
			&& c.summary == v[i].c.summary,
		    "%s: %lld %lld %lld %lld", v[i].what, c.n, c.message,
		    c.turn, c.summary);
		tail_close(&t);
		close(fd);
	}
}

/* As the shell would, but at once. */
static void
touch(const char *path, time_t when)
{
	struct timespec ts[2] = {{0, 0}, {0, 0}};
	static const struct buf empty;

	write_file(path, &empty);
	ts[0].tv_sec = ts[1].tv_sec = when;
	if (utimensat(AT_FDCWD, path, ts, 0) < 0) {
		perror(path);
		exit(2);
	}
}

static void
test_project(void)
{
	static struct buf a, b, dir;
	const char *name;

	if (mkdir("state", 0700) < 0 || mkdir("tree", 0700) < 0
	    || mkdir("tree/.git", 0700) < 0 || mkdir("tree/sub", 0700) < 0)
		exit(2);
	buf_printf(&dir, "%s/state", box_dir);
	setenv("XDG_STATE_HOME", buf_cstr(&dir), 1);
	setenv("TURNPIPE_NOW", "2026-11-21T09:30:00+01:00", 1);
	unsetenv("PWD");
	if (chdir("tree/sub") < 0)
		exit(2);
	ok(session_last(&a, NULL) < 0, "no session yet");
	session_project(&a);
	ok(a.n == 13 && memcmp(a.p, "tree-", 5) == 0
		&& strspn(buf_cstr(&a) + 5, "0123456789abcdef") == 8,
	    "a project is its tree's root: %s", buf_cstr(&a));
	session_new(&b, NULL);
	buf_reset(&dir);
	buf_printf(&dir, "%s/state/turnpipe/%s/", box_dir, a.p);
	name = buf_cstr(&b) + dir.n;
	ok(strncmp(buf_cstr(&b), buf_cstr(&dir), dir.n) == 0
		&& strncmp(name, "20261121T083000Z-", 17) == 0
		&& strspn(name + 17, "0123456789abcdef") == 8
		&& strcmp(name + 25, ".jsonl") == 0,
	    "a new one's path: %s", b.p);
	file_mkdirs(dir.p);
	touch(b.p, 100);
	buf_reset(&a);
	session_new(&a, "nurse");
	ok(strcmp(buf_cstr(&a) + a.n - 12, "-nurse.jsonl") == 0,
	    "an agent's: %s", a.p);
	touch(a.p, 200);
	buf_puts(&dir, "20250101T000000Z-00000000.jsonl");
	touch(buf_cstr(&dir), 50);
	buf_reset(&dir);
	ok(session_last(&dir, NULL) == 0
		&& strcmp(buf_cstr(&dir), b.p) == 0,
	    "the last one is not an agent's");
	buf_reset(&dir);
	ok(session_last(&dir, "nurse") == 0
		&& strcmp(buf_cstr(&dir), a.p) == 0,
	    "unless it was asked for");
	buf_reset(&dir);
	ok(session_last(&dir, "nur") < 0, "by its whole name");
	buf_reset(&a);
	session_new(&a, NULL);
	buf_reset(&dir);
	touch(buf_cstr(&a), 100);
	ok(session_last(&dir, NULL) == 0
		&& strcmp(buf_cstr(&dir),
		       strcmp(a.p, b.p) > 0 ? a.p : b.p) == 0,
	    "of two as old as each other the later name");
}

int
main(void)
{
	box_enter();
	test_names();
	test_tail();
	test_counts();
	test_project();
	box_leave();
	return done_testing();
}
