#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>

#include "box.h"
#include "file.h"
#include "tap.h"

static const struct {
	const char *path;
	size_t max;
	enum file_result want;
	const char *text; /* or why */
} reads[] = {
	{"five", 100, FILE_OK, "12345"},
	{"five", 5, FILE_OK, "12345"},
	{"five", 4, FILE_LARGE, "file too large"},
	{"five", 0, FILE_LARGE, "file too large"},
	{"five", (size_t)-1, FILE_OK, "12345"},
	{"empty", 0, FILE_OK, ""},
	{"empty", 100, FILE_OK, ""},
	{"link", 100, FILE_OK, "12345"},
	{"huge", 1 << 20, FILE_LARGE, "file too large"},
	{"missing", 100, FILE_ERRNO, "No such file or directory"},
	{"five/x", 100, FILE_ERRNO, "Not a directory"},
	{"loop", 100, FILE_ERRNO, "Too many levels of symbolic links"},
	{".", 100, FILE_IRREGULAR, "not a regular file"},
	{"fifo", 100, FILE_IRREGULAR, "not a regular file"},
	{"fifolink", 100, FILE_IRREGULAR, "not a regular file"},
	{"socket", 100, FILE_IRREGULAR, "not a regular file"},
	{"/dev/zero", 100, FILE_IRREGULAR, "not a regular file"},
};

static const struct {
	const char *path, *want;
} dirs[] = {
	{"a/b", "a"}, {"b", "."}, {"/x", "/"}, {"/", "/"}, {"//", "/"},
	{"", "."}, {"a/", "."}, {"a/b/", "a"}, {"a//b", "a"}, {"/a/b", "/a"},
	{"a/b/c", "a/b"}, {"./a", "."}, {"../a", ".."}, {"//a", "/"},
};

/* What a file holds, appended to, and what is there then. */
static const struct {
	const char *was, *add, *want;
} appends[] = {
	{NULL, "a\n", "a\n"},
	{NULL, "", ""},
	{"", "a\n", "a\n"},
	{"a\n", "b\n", "a\nb\n"},
	{"a", "b\n", "a\nb\n"},
	{"a", "", "a\n"},
	{"a\n", "", "a\n"},
	{"a\n\n", "b", "a\n\nb"},
	{"{\"torn\":", "{}\n", "{\"torn\":\n{}\n"},
};

static struct buf text;

static void
put(const char *path, const char *s)
{
	FILE *f = fopen(path, "w");

	box_need(f != NULL && fputs(s, f) >= 0 && fclose(f) == 0, path);
}

/* Does the file hold just this? */
static int
holds(const char *path, const char *want)
{
	buf_reset(&text);
	if (file_read(path, &text, 1 << 20) != FILE_OK)
		return 0;
	return strcmp(buf_cstr(&text), want) == 0;
}

static int
mode_is(const char *path, mode_t mode)
{
	struct stat st;

	return lstat(path, &st) == 0 && (st.st_mode & 07777) == mode;
}

/* No temporary file was left in the box. */
static int
clean(void)
{
	return system("set -- .turnpipe-*; test \"$1\" = '.turnpipe-*'") == 0;
}

static void
make_socket(void)
{
	struct sockaddr_un a;
	int fd;

	memset(&a, 0, sizeof(a));
	a.sun_family = AF_UNIX;
	strcpy(a.sun_path, "socket");
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	box_need(fd >= 0 && bind(fd, (struct sockaddr *)&a, sizeof(a)) == 0,
	    "socket");
	close(fd);
}

static void
test_read(void)
{
	enum file_result r;
	const char *got;
	size_t i;

	box_sh("printf 12345 >five; : >empty; ln -s five link; mkfifo fifo;"
	       "ln -s fifo fifolink; ln -s loop loop");
	box_sh(": >huge");
	box_need(truncate("huge", (off_t)1 << 33) == 0, "huge");
	make_socket();
	for (i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		buf_reset(&text);
		buf_puts(&text, "<");
		r = file_read(reads[i].path, &text, reads[i].max);
		got = r == FILE_OK ? buf_cstr(&text) + 1 : file_why(r);
		ok(r == reads[i].want && strcmp(got, reads[i].text) == 0
			&& text.p[0] == '<' && (r == FILE_OK || text.n == 1),
		    "read %s, at most %zu: %s", reads[i].path, reads[i].max,
		    got);
	}
}

/* /proc says size 0 and has more: so does a file that grows meanwhile. */
static void
test_growing(void)
{
	size_t all;

	if (access("/proc/self/status", R_OK) < 0) {
		ok(1, "no /proc here");
		return;
	}
	buf_reset(&text);
	ok(file_read("/proc/self/status", &text, 1 << 20) == FILE_OK
		&& text.n > 100,
	    "more than its size says: %zu bytes", text.n);
	all = text.n;
	ok(file_read("/proc/self/status", &text, 50) == FILE_LARGE
		&& text.n == all,
	    "the cap holds for it too, and the buffer is as before");
}

static void
test_write(void)
{
	errno = 0;
	umask(022);
	ok(file_write("new", "one\n", 4, 0666) == 0 && holds("new", "one\n")
		&& mode_is("new", 0644),
	    "a new file, mode by the umask");
	box_need(chmod("new", 0604) == 0, "chmod");
	ok(file_write("new", "two", 3, 0600) == 0 && holds("new", "two")
		&& mode_is("new", 0604),
	    "replaced, its mode kept");
	ok(file_write("new", NULL, 0, 0600) == 0 && holds("new", ""),
	    "made empty");
	box_sh("mkdir -p d/e; echo 1 >d/target; ln -s target d/l;"
	       "ln -s d/l deep; ln -s \"$PWD/d/l\" abs; ln -s nowhere lost");
	ok(file_write("deep", "2", 1, 0600) == 0 && holds("d/target", "2")
		&& mode_is("deep", 0777) && mode_is("d/l", 0777),
	    "through links, which stay");
	ok(file_write("abs", "3", 1, 0600) == 0 && holds("d/target", "3"),
	    "through an absolute link");
	ok(file_write("lost", "4", 1, 0600) == -1 && errno == ENOENT,
	    "a link to nowhere");
	ok(file_write("d", "5", 1, 0600) == -1 && errno == EISDIR,
	    "a directory");
	ok(file_write("no/dir", "6", 1, 0600) == -1 && errno == ENOENT,
	    "in no directory");
	ok(file_write("", "7", 1, 0600) == -1 && errno == ENOENT, "no name");
	ok(file_write("fifo", "8", 1, 0600) == -1 && errno == ENXIO,
	    "a FIFO without a reader");
	if (access("/dev/full", W_OK) == 0)
		ok(file_write("/dev/full", "9", 1, 0600) == -1
			&& errno == ENOSPC && !mode_is("/dev/full", 0600),
		    "/dev/full is written, not replaced");
	ok(clean(), "no temporary file left");
}

/* A pipe somebody reads is written to, as /dev/stdout may be one. */
static void
test_pipe(void)
{
	char got[10] = "";
	int fd = open("fifo", O_RDONLY | O_NONBLOCK);

	box_need(fd >= 0, "fifo");
	ok(file_write("fifo", "hello", 5, 0600) == 0
		&& read(fd, got, sizeof(got)) == 5
		&& strcmp(got, "hello") == 0,
	    "a FIFO with a reader: %s", got);
	close(fd);
}

/* A limit on the size of files stands for the full disk. */
static void
full(const void *arg)
{
	struct rlimit lim = {10, 10};

	(void)arg;
	signal(SIGXFSZ, SIG_IGN);
	box_need(setrlimit(RLIMIT_FSIZE, &lim) == 0, "setrlimit");
	if (file_write("kept", "0123456789abcdef", 16, 0600) != -1
	    || errno != EFBIG)
		exit(1);
	if (file_append("log", "345678\n", 7, 0600) != -1 || errno != EFBIG)
		exit(2);
	if (file_append("torn", "45678\n", 6, 0600) != -1 || errno != EFBIG)
		exit(3);
}

static void
test_full(void)
{
	struct box_end e;

	put("kept", "old");
	put("log", "1\n2\n");
	put("torn", "1\n2\n3");
	box_run(&e, full, NULL);
	ok(e.status == 0, "a full disk is reported: %d", e.status);
	ok(holds("kept", "old") && clean(), "the old file stays, no other");
	ok(holds("log", "1\n2\n"), "no half line stays: '%s'", text.p);
	ok(holds("torn", "1\n2\n3"), "nor a newline alone: '%s'", text.p);
}

static void
test_append(void)
{
	size_t i;
	int r;

	umask(027);
	for (i = 0; i < sizeof(appends) / sizeof(appends[0]); i++) {
		unlink("a");
		if (appends[i].was != NULL)
			put("a", appends[i].was);
		r = file_append(
		    "a", appends[i].add, strlen(appends[i].add), 0666);
		ok(r == 0 && holds("a", appends[i].want),
		    "append %zu: '%s'", i, text.p);
		ok(mode_is("a", 0640), "its mode");
	}
	ok(file_append("deep", "\n4\n", 3, 0600) == 0
		&& holds("d/target", "3\n\n4\n"),
	    "through links");
	ok(file_append("d", "x\n", 2, 0600) == -1 && errno == EISDIR,
	    "a directory");
	ok(file_append("no/dir", "x\n", 2, 0600) == -1 && errno == ENOENT,
	    "in no directory");
	ok(file_append("fifo", "x\n", 2, 0600) == -1 && errno == ESPIPE,
	    "a FIFO");
	if (access("/dev/full", W_OK) == 0)
		ok(file_append("/dev/full", "x\n", 2, 0600) == -1
			&& errno == ENOSPC,
		    "/dev/full");
}

/* Four at once, onto a torn line: each line whole, the tear repaired once. */
static void
test_crowd(void)
{
	char line[300];
	size_t i;
	int good = 0, k, st, torn = 0;

	put("crowd", "torn");
	for (k = 0; k < 4; k++)
		if (fork() == 0) {
			memset(line, 'a' + k, sizeof(line) - 1);
			line[sizeof(line) - 1] = '\n';
			for (i = 0; i < 50; i++)
				if (file_append("crowd", line, sizeof(line),
					0600)
				    < 0)
					_exit(1);
			_exit(0);
		}
	for (k = 0; k < 4; k++)
		box_need(wait(&st) > 0 && st == 0, "a writer");
	buf_reset(&text);
	torn = file_read("crowd", &text, 1 << 20) == FILE_OK && text.n > 5
	    && memcmp(text.p, "torn\n", 5) == 0;
	for (i = 5; i + sizeof(line) <= text.n; i += sizeof(line)) {
		memset(line, text.p[i], sizeof(line) - 1);
		line[sizeof(line) - 1] = '\n';
		good += memcmp(line, text.p + i, sizeof(line)) == 0;
	}
	ok(torn && good == 200 && text.n == 5 + 200 * sizeof(line),
	    "200 whole lines of four writers: %d", good);
}

/* Who waits for the lock of a file that is replaced writes the new one. */
static void
test_replaced(void)
{
	struct timespec nap = {0, 30000000};
	int fd, st;
	pid_t pid;

	put("r", "old\n");
	fd = open("r", O_RDWR);
	box_need(fd >= 0 && flock(fd, LOCK_EX) == 0, "flock");
	pid = fork();
	if (pid == 0) {
		close(fd);
		_exit(file_append("r", "more\n", 5, 0600) != 0);
	}
	nanosleep(&nap, NULL);
	box_need(file_write("r", "new\n", 4, 0600) == 0, "r");
	close(fd);
	box_need(waitpid(pid, &st, 0) == pid && st == 0, "appender");
	ok(holds("r", "new\nmore\n"), "not lost with the old file: %s", text.p);
}

static void
test_mkdirs(void)
{
	umask(0);
	ok(file_mkdirs("m/n/o") == 0 && mode_is("m/n/o", 0700)
		&& mode_is("m", 0700),
	    "made with its parents, mode 0700");
	ok(file_mkdirs("m/n/o") == 0, "there already");
	ok(file_mkdirs("m//p///q//") == 0 && mode_is("m/p/q", 0700),
	    "slashes");
	ok(file_mkdirs("/") == 0 && file_mkdirs(".") == 0, "/ and .");
	ok(file_mkdirs("m/../m2/x") == 0 && mode_is("m2/x", 0700), "..");
	ok(file_mkdirs("five") == -1 && errno == ENOTDIR, "a file: errno");
	ok(file_mkdirs("five/x") == -1 && errno == ENOTDIR,
	    "a file on the way: errno");
	ok(file_mkdirs("lost") == -1 && errno == ENOENT,
	    "a link to nowhere: errno");
	ok(file_mkdirs("") == -1 && errno == ENOENT, "no name: errno");
}

int
main(void)
{
	size_t i;

	box_enter();
	for (i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		buf_reset(&text);
		file_dir(&text, dirs[i].path);
		ok(strcmp(buf_cstr(&text), dirs[i].want) == 0,
		    "directory of '%s': %s", dirs[i].path, text.p);
	}
	test_read();
	test_growing();
	test_write();
	test_pipe();
	test_full();
	test_append();
	test_crowd();
	test_replaced();
	test_mkdirs();
	box_leave();
	return done_testing();
}
