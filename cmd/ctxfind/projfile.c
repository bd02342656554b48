#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buf.h"
#include "diag.h"
#include "env.h"
#include "fd.h"
#include "file.h"
#include "out.h"
#include "projfile.h"
#include "template.h"
#include "utf8.h"
#include "yamlfile.h"

enum { SHOW_BLOCK = 16384 };

void
projfile_show(const char *path)
{
	char b[SHOW_BLOCK];
	struct stat st;
	ssize_t n;
	int fd;

	fd = fd_open(path, O_RDONLY | O_NONBLOCK, 0);
	if (fd < 0 || fstat(fd, &st) < 0)
		die_sys(EX_NOINPUT, "%s", path);
	if (!S_ISREG(st.st_mode))
		die(EX_NOINPUT, "%s: %s", path, file_why(FILE_IRREGULAR));
	while ((n = read(fd, b, sizeof(b))) != 0) {
		if (n > 0)
			out_add(b, (size_t)n);
		else if (errno != EINTR)
			die_sys(EX_IOERR, "read %s", path);
	}
	out_end();
}

/* Through the shell: the variables may hold options too. */
void
projfile_edit(const char *path)
{
	static const char script[] =
	    "eval \"exec $TURNPIPE_EDITOR \\\"\\$1\\\"\"";
	const char *editor = env_get("VISUAL");

	if (editor == NULL)
		editor = env_get("EDITOR");
	if (editor == NULL)
		editor = "vi";
	if (setenv("TURNPIPE_EDITOR", editor, 1) < 0)
		die_sys(EX_OSERR, "TURNPIPE_EDITOR");
	execl("/bin/sh", "sh", "-c", script, editor, path, (char *)NULL);
	die_sys(EX_OSERR, "/bin/sh");
}

void
projfile_append(const char *path, const char *text, size_t max)
{
	static struct buf now, b;
	enum file_result res;
	struct stat st;
	size_t n = strlen(text);

	while (n > 0 && text[n - 1] == '\n')
		n--;
	if (n == 0)
		die(EX_USAGE, "nothing to append");
	if (utf8_check(text, n) < n)
		die(EX_USAGE, "the text to append is not UTF-8");
	res = file_read(path, &now, max);
	if (res == FILE_ERRNO && errno == ENOENT) {
		if (lstat(path, &st) == 0)
			die(EX_CANTCREAT, "%s: a link to nowhere", path);
		res = FILE_OK;
	}
	if (res == FILE_LARGE || now.n + n + 3 > max)
		die(EX_CANTCREAT, "%s: would be larger than %zu bytes, and "
		    "so no longer be read", path, max);
	if (res != FILE_OK)
		die(EX_CANTCREAT, "%s: %s", path, file_why(res));
	/* A paragraph of its own; file_append mends a last line. */
	if (now.n > 0 && (now.n < 2 || memcmp(now.p + now.n - 2, "\n\n", 2)))
		buf_putc(&b, '\n');
	buf_add(&b, text, n);
	buf_putc(&b, '\n');
	if (file_append(path, b.p, b.n, 0666) < 0)
		die_sys(EX_CANTCREAT, "%s", path);
}

/* One line of input without its blanks, valid; 0 at the end. */
static int
answer(struct buf *b)
{
	static char *line;
	static size_t cap;
	ssize_t n = getline(&line, &cap, stdin);
	char *s = line;

	buf_reset(b);
	if (n < 0 && ferror(stdin))
		die_sys(EX_IOERR, "<stdin>");
	if (n < 0)
		return 0;
	while (n > 0 && strchr(" \t\r\n", s[n - 1]) != NULL)
		n--;
	for (; n > 0 && (*s == ' ' || *s == '\t'); n--)
		s++;
	utf8_mend(b, s, (size_t)n);
	return 1;
}

/* The text at key of object i, its holes filled, and an empty line. */
static void
expand(struct buf *b, const struct yamlfile *y, int i,
    const char *key, const struct hole *holes)
{
	static struct buf text;
	int v = json_get(&y->json, i, key);

	buf_reset(&text);
	if (json_str(&y->json, v, &text) < 0)
		yamlfile_bad(y, v < 0 ? i : v, "expected a text");
	if (b->n > 0)
		buf_putc(b, '\n');
	if (template_holes(b, text.p, text.n, holes) > 0)
		yamlfile_bad(y, v, "expected {{project}} or {{answer}}");
	if (b->n > 0 && b->p[b->n - 1] != '\n')
		buf_putc(b, '\n');
}

static void
ask(const struct yamlfile *y, int i)
{
	static struct buf text;
	int v = json_get(&y->json, i, "ask");

	buf_reset(&text);
	if (json_str(&y->json, v, &text) < 0)
		yamlfile_bad(y, v < 0 ? i : v, "expected a text");
	if (isatty(STDIN_FILENO))
		fprintf(stderr, "%s\n> ", buf_cstr(&text));
}

int
projfile_init(const char *path)
{
	static struct buf b, dir, line;
	static struct table t;
	const struct json *j;
	struct hole holes[] = {{"project", {NULL, 0}}, {"answer", {NULL, 0}},
	    {NULL, {NULL, 0}}};
	struct stat st;
	int given = 0, i;

	if (lstat(path, &st) == 0)
		die(EX_CANTCREAT, "%s: is there already", path);
	j = table_read(&t, "prompts/init.yaml");
	if (j->ntok == 0)
		die(EX_CONFIG, "prompts/init.yaml: not on the search path");
	file_dir(&dir, path);
	holes[0].value = span_of(file_name(buf_cstr(&dir)));
	expand(&b, &t.yml, 0, "title", holes);
	i = json_get(j, 0, "questions");
	if (json_kind(j, i) != JSON_ARRAY)
		yamlfile_bad(&t.yml, i, "expected a list of questions");
	for (i = json_first(j, i); i >= 0; i = json_next(j, i)) {
		ask(&t.yml, i);
		if (!answer(&line)) {
			if (isatty(STDIN_FILENO))
				fputc('\n', stderr);
			break;
		}
		if (line.n == 0)
			continue;
		holes[1].value = buf_view(&line);
		expand(&b, &t.yml, i, "write", holes);
		given++;
	}
	if (given == 0)
		return -1;
	if (file_mkdirs(dir.p) < 0 || file_write(path, b.p, b.n, 0666) < 0)
		die_sys(EX_CANTCREAT, "%s", path);
	return 0;
}
