#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "diag.h"
#include "emit.h"
#include "file.h"
#include "many.h"
#include "out.h"
#include "path.h"
#include "record.h"
#include "session.h"

enum {
	NAME_LEN = 100,	/* all in a ring must fit the smallest pipe */
	FIELD_MAX = 8192 /* bytes of a file of the run directory */
};

static const char name_chars[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "abcdefghijklmnopqrstuvwxyz0123456789._-";

/* The next name, owned by us; NULL at the end of input. */
static const char *
next_name(void)
{
	static char *s;
	static size_t cap, line;
	ssize_t n = getline(&s, &cap, stdin);

	if (n < 0 && ferror(stdin))
		die_sys(EX_IOERR, "read <stdin>");
	if (n < 0)
		return NULL;
	line++;
	if (s[n - 1] == '\n')
		s[--n] = '\0';
	if (n < 1 || n > NAME_LEN || strspn(s, name_chars) != (size_t)n)
		die_at(EX_DATAERR, "<stdin>", line, 1,
		    "expected the name of a session, 1 to 100 of "
		    "A-Z a-z 0-9 . _ -");
	return s;
}

/*
 * Line n, from 0, of a file of the run directory; NULL without or if empty.
 * why: what is wrong with the file.
 */
static char *
field(const char *run, const char *name, int n, struct buf *why)
{
	struct buf path = {0}, text = {0};
	enum file_result got;
	char *s, *value = NULL;

	file_join(&path, run, name);
	got = file_read(buf_cstr(&path), &text, FIELD_MAX);
	if (got != FILE_OK && (got != FILE_ERRNO || errno != ENOENT))
		buf_printf(why, "%s: %s", path.p, file_why(got));
	for (s = buf_cstr(&text); n > 0 && *s != '\0'; n--) {
		s += strcspn(s, "\n");
		s += *s == '\n';
	}
	if (*s != '\0' && *s != '\n')
		value = xstrndup(s, strcspn(s, "\n"));
	buf_free(&path);
	buf_free(&text);
	return value;
}

/*
 * The session record.  What it says is ours and the run directory's, never the
 * session's own: that may have come by mail.
 */
static void
put_head(const char *path)
{
	static struct buf b, run, why; /* of a child, which ends */
	char *agent, *cwd, *deadline, *end = NULL;
	long long at = 0;
	int code = EX_DATAERR;

	session_run(&run, path);
	agent = field(buf_cstr(&run), "as", 1, &why);
	cwd = field(run.p, "cwd", 0, &why);
	deadline = field(run.p, "deadline", 0, &why);
	if (cwd != NULL && *cwd != '/')
		buf_printf(&why, "%s/cwd: expected an absolute path", run.p);
	else if (cwd != NULL && chdir(cwd) < 0) {
		buf_printf(&why, "%s: %s", cwd, strerror(errno));
		code = EX_NOINPUT;
	}
	if (deadline != NULL) {
		at = strtoll(deadline, &end, 10);
		if (at <= 0 || *end != '\0')
			buf_printf(&why, "%s/deadline: expected milliseconds",
			    run.p);
	}
	emit_open(&b, '{');
	emit_pair(&b, "type", "session");
	emit_pair(&b, "session", path);
	emit_pair(&b, "run", run.p);
	if (why.n == 0)
		emit_pair(&b, "cwd", cwd != NULL ? cwd : path_cwd());
	if (agent != NULL)
		emit_pair(&b, "agent", agent);
	if (at > 0)
		emit_pairi(&b, "deadline", at);
	emit_close(&b, '}');
	record_put(&b);
	free(agent);
	free(cwd);
	free(deadline);
	if (why.n > 0)
		die(code, "%s", buf_cstr(&why));
}

/* The status of the process; its error is written where it has failed. */
static int
status_of(pid_t pid, const char *path)
{
	int status = child_wait(pid);

	if (status < 0)
		die_sys(EX_OSERR, "wait");
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (WTERMSIG(status) == SIGPIPE)
		(void)raise(SIGPIPE); /* the reader is gone */
	die(EX_PROTOCOL, "%s: ended by signal %d", path, WTERMSIG(status));
}

/* Is it a fault of all of them: what is installed, memory, output? */
static int
is_ours(int status)
{
	return status == EX_CONFIG || status == EX_OSERR || status == EX_IOERR;
}

int
many_put(const char *dir, void (*put)(const char *path))
{
	static struct buf path, end;
	const char *name;
	int status, worst = 0;
	pid_t pid;

	while ((name = next_name()) != NULL) {
		buf_reset(&path);
		if (*dir != '/')
			buf_printf(&path, "%s/", path_cwd());
		buf_printf(&path, "%s/%s.jsonl", dir, name);
		pid = fork();
		if (pid < 0)
			die_sys(EX_OSERR, "fork");
		if (pid == 0) {
			/* exit would set a file back to what stdio has taken. */
			(void)close(STDIN_FILENO);
			put_head(buf_cstr(&path));
			put(path.p);
			exit(record_close());
		}
		status = status_of(pid, path.p);
		worst = status > worst ? status : worst;
		if (is_ours(status))
			break;
		if (status != 0) {
			buf_puts(&end, "{\"type\":\"end\"}");
			record_put(&end);
			out_flush();
		}
	}
	(void)record_close();
	return worst;
}
