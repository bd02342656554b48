#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "fd.h"
#include "file.h"
#include "record.h"
#include "session.h"
#include "settings.h"
#include "taskrun.h"

enum { ANSWER_MAX = 16 << 20 };

static void
count(struct taskrun *t, const struct rec *r)
{
	const struct json *j = record_json(r);
	long long v;
	double d;

	if (r->type == REC_MESSAGE) {
		t->denied += json_true(j, json_at(j, 0, "tp.denied"));
		t->steps += span_is(r->role, "assistant");
	} else if (r->type == REC_USAGE) {
		if (json_int(j, json_get(j, 0, "prompt_tokens"), &v) == 0)
			t->in += v;
		if (json_int(j, json_get(j, 0, "completion_tokens"), &v) == 0)
			t->out += v;
		if (json_num(j, json_get(j, 0, "cost"), &d) == 0)
			t->cost += d;
	}
}

/* One that never began has no file. */
static void
read_session(struct taskrun *t)
{
	int fd = t->session == NULL ? -1 : fd_open(t->session, O_RDONLY, 0);
	struct tail tail;
	struct rec r;

	if (fd < 0)
		return;
	/* A killed run leaves a partial line, which is not a record. */
	tail_open(&tail, fd, t->session);
	while (session_prev(&tail, &r))
		count(t, &r);
	tail_close(&tail);
	close(fd);
}

static void
put_answer(struct buf *b, const char *path)
{
	static struct buf text;

	if (path == NULL || file_read(path, &text, ANSWER_MAX) != FILE_OK)
		return;
	while (text.n > 0 && text.p[text.n - 1] == '\n')
		text.n--;
	if (text.n > 0)
		emit_pairn(b, "answer", text.p, text.n);
}

/*
 * A log that is long enough is LOG.1 from now on; whoever waits to append to it
 * does so there.
 */
static void
rotate(const char *log)
{
	long long max = settings_int("task.log_max");
	struct stat st, now;
	struct buf old = {NULL, 0, 0};
	int fd;

	if (max <= 0 || stat(log, &st) < 0 || st.st_size <= max)
		return;
	fd = fd_open(log, O_RDWR, 0);
	if (fd < 0)
		return;
	buf_printf(&old, "%s.1", log);
	if (fd_lock(fd, LOCK_EX) == 0 && fstat(fd, &st) == 0
	    && stat(log, &now) == 0 && st.st_ino == now.st_ino
	    && rename(log, buf_cstr(&old)) < 0)
		warn_sys("%s", buf_cstr(&old));
	buf_free(&old);
	close(fd);
}

static void
append(const struct task *t, const struct buf *b)
{
	static struct buf log;

	buf_reset(&log);
	task_state(t, &log, ".jsonl");
	if (file_mkparent(buf_cstr(&log)) < 0)
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&log));
	rotate(buf_cstr(&log));
	if (file_append(buf_cstr(&log), b->p, b->n, 0600) < 0)
		die_sys(EX_IOERR, "%s", buf_cstr(&log));
}

void
taskrun_log(struct taskrun *r, const struct task *t)
{
	static struct buf b, now;

	read_session(r);
	clock_utc(&now, clock_now());
	emit_open(&b, '{');
	emit_pair(&b, "type", "run");
	emit_pair(&b, "task", t->name);
	emit_pair(&b, "file", t->path);
	emit_pair(&b, "session", r->session);
	emit_pair(&b, "started", r->begun);
	emit_pairn(&b, "ended", now.p, now.n);
	emit_key(&b, "status");
	if (r->status >= 0)
		emit_int(&b, r->status);
	else
		emit_null(&b);
	if (r->notified >= 0)
		emit_pairi(&b, "notified", r->notified);
	emit_pairi(&b, "steps", r->steps);
	emit_pairi(&b, "denied", r->denied);
	emit_pairi(&b, "prompt_tokens", r->in);
	emit_pairi(&b, "completion_tokens", r->out);
	if (r->cost > 0)
		emit_pairf(&b, "cost", r->cost);
	put_answer(&b, r->answer);
	emit_close(&b, '}');
	buf_putc(&b, '\n');
	append(t, &b);
	buf_reset(&b);
}
