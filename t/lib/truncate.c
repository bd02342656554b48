#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "tap.h"
#include "truncate.h"
#include "utf8.h"

static const struct {
	const char *text;
	size_t max;
	const char *head, *tail;
	int over;
} cases[] = {
	{ "", 20, "", "", 0 },
	{ "12345678901234567890", 20, "12345678901234567890", "", 0 },
	{ "123456789012345678901", 20, "1234567890", "2345678901", 1 },
	/* on line boundaries, if no more than half is lost for it */
	{ "abcdefg\nxxxxxxxxxxxxxxx\nhijklmn\n", 20, "abcdefg\n",
	    "hijklmn\n", 1 },
	{ "abc\nxxxxxxxxxxxxxxxxxxxxxxxxxxx\nhij", 20, "abc\nxxxxxx",
	    "xxxxxx\nhij", 1 },
	{ "123456789\n123456789\n123456789\n", 20, "123456789\n",
	    "123456789\n", 1 },
	/* never within a sequence */
	{ "123456789\xc3\xa9 and so on \xc3\xa9""123456789", 20, "123456789",
	    "123456789", 1 },
	{ "12345678\xf0\x9f\x98\x80 and so on \xf0\x9f\x98\x80""1234567", 20,
	    "12345678", "1234567", 1 },
};

static int
same(struct span s, const char *t)
{
	return s.n == strlen(t) && memcmp(s.p, t, s.n) == 0;
}

int
main(void)
{
	static struct truncate c;
	static struct buf whole, file;
	char dir[] = "/tmp/clip.XXXXXX";
	char path[64], line[80];
	size_t i, n, step;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (step = 1; step <= 64; step *= 4) {
			truncate_start(&c, cases[i].max, NULL, 0);
			n = strlen(cases[i].text);
			for (size_t k = 0; k < n; k += step)
				truncate_add(&c, cases[i].text + k,
				    n - k < step ? n - k : step);
			truncate_end(&c);
			ok(same(c.head, cases[i].head)
				&& same(c.tail, cases[i].tail)
				&& c.over == cases[i].over && c.bytes == n,
			    "'%s' by %zu: '%.*s' '%.*s'", cases[i].text, step,
			    (int)c.head.n, c.head.p, (int)c.tail.n, c.tail.p);
			truncate_free(&c);
		}

	if (mkdtemp(dir) == NULL)
		return 1;
	snprintf(path, sizeof(path), "%s/a/b", dir);
	truncate_start(&c, 1000, path, 1 << 20);
	for (i = 0; i < 10000; i++) {
		n = (size_t)snprintf(line, sizeof(line), "%zu: %zu\n", i,
		    i * i);
		buf_add(&whole, line, n);
		truncate_add(&c, line, n);
	}
	truncate_end(&c);
	ok(file_read(path, &file, 1 << 20) == FILE_OK && file.n == whole.n
		&& memcmp(file.p, whole.p, file.n) == 0
		&& c.kept == whole.n && c.err == 0,
	    "the file holds all of it");
	ok(c.head.n > 250 && c.head.n <= 500
		&& memcmp(c.head.p, whole.p, c.head.n) == 0
		&& c.tail.n > 250 && c.tail.n <= 500
		&& memcmp(c.tail.p, whole.p + whole.n - c.tail.n, c.tail.n)
		    == 0,
	    "head and tail are its head and tail");
	ok(c.lines == 10000, "its lines are counted");
	ok(c.first.cap + c.last.cap <= 8192, "memory is bounded");
	truncate_free(&c);

	truncate_start(&c, 10, path, 15);
	truncate_add(&c, whole.p, 100);
	truncate_end(&c);
	snprintf(line, sizeof(line), "%s.2", path);
	ok(strcmp(c.path.p, line) == 0 && c.kept == 15 && c.err == 0,
	    "another name where that is taken, no more than the limit");
	truncate_free(&c);
	unlink(line);

	truncate_start(&c, 10, "/dev/null/x", 15);
	truncate_add(&c, whole.p, 100);
	truncate_end(&c);
	ok(c.kept == 0 && c.err == ENOTDIR && c.over && c.head.n == 5,
	    "no file: the fault is reported, head and tail are there");
	truncate_free(&c);
	unlink(path);
	snprintf(path, sizeof(path), "%s/a", dir);
	rmdir(path);
	rmdir(dir);
	return done_testing();
}
