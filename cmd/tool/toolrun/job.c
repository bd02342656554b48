#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "binary.h"
#include "agent.h"
#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "file.h"
#include "filetype.h"
#include "env.h"
#include "hook.h"
#include "job.h"
#include "load.h"
#include "mcpcall.h"
#include "places.h"
#include "record.h"
#include "relay.h"
#include "resulttext.h"
#include "sandbox.h"
#include "settings.h"
#include "signals.h"
#include "speech.h"
#include "toolenv.h"
#include "utf8.h"

enum {
	JOB_STDERR = 256 << 10, /* bytes of stderr before its middle goes */
	JOB_ID = 100,		/* bytes of a call's id in a file name */
	LONGEST = 100000000	/* seconds of a call: three years */
};

static struct {
	struct strs env;
	long long timeout, grace, max, file;
} limits;

void
job_setup(void)
{
	const char *none[] = { NULL };
	struct strs names = { 0 };
	struct buf b = { 0 };
	size_t i;

	settings_strs("toolrun.env", &names);
	for (i = 0; i < names.n; i++)
		if (strpbrk(names.v[i], "*?[\\") != NULL)
			settings_bad("toolrun.env", "expected names");
	toolenv_tool(&limits.env, &names);
	hook_setup();
	limits.timeout = settings_int("toolrun.timeout");
	limits.grace = settings_int("toolrun.grace");
	limits.max = settings_int("toolrun.max_bytes");
	limits.file = settings_int("toolrun.max_file");
	if (limits.timeout < 1 || limits.grace < 0 || limits.max < 100
	    || limits.file < 0)
		die(EX_CONFIG, "toolrun: expected timeout >= 1, grace >= 0, "
			       "max_bytes >= 100, max_file >= 0");
	resulttext(&b, "empty", none);
	buf_free(&b);
}

void
job_init(struct job *j, struct toolcall *c)
{
	memset(j, 0, sizeof(*j));
	j->call = c;
	j->exit = -1;
}

void
job_refuse_text(struct job *j, struct buf *b)
{
	buf_add(&j->content, b->p, b->n);
	buf_reset(b);
	j->done = 1;
}

void
job_refuse(struct job *j, const char *key, const char *const *pairs)
{
	static struct buf b;

	resulttext(&b, key, pairs);
	job_refuse_text(j, &b);
}

/* The text for what ended the turn: the user, its limit of time or another. */
static void
stopped(struct buf *b, const char *what, const char *const *pairs)
{
	static struct buf key;
	int sig = signals_caught();

	buf_reset(&key);
	buf_printf(&key, "%s%s", what,
	    sig == SIGALRM	? "_limit"
		: sig == SIGINT ? "_user"
				: "");
	resulttext(b, buf_cstr(&key), pairs);
}

void
job_never(struct job *j)
{
	static struct buf b;
	const char *none[] = { NULL };

	stopped(&b, "never", none);
	job_refuse_text(j, &b);
}

void
job_load(struct job *j)
{
	j->exit = load_run(j->call, &j->content, &j->loaded) < 0;
	j->done = 1;
}

/* It asks nothing any more. */
static void
stop_hearing(struct job *j)
{
	if (j->asks > 0)
		close(j->asks);
	j->asks = j->proc.heard = 0;
}

static void
on_output(int from, const char *p, size_t n, void *arg)
{
	struct job *j = arg;

	if (from == PROC_HEARD) {
		if (relay_hear(j->asks, j->call) < 0)
			stop_hearing(j);
		return;
	}
	truncate_add(from == 1 ? &j->out : &j->err, p, n);
	j->nul |= from == 1 && memchr(p, '\0', n) != NULL;
}

/* $TURNPIPE_RUN/out/ID; an id may be anything, a file name not. */
static const char *
full_output_path(const char *id)
{
	static struct buf b;
	size_t i;

	if (env_run(&b, "out/") == NULL)
		return NULL;
	for (i = 0; i < JOB_ID && id[i] != '\0'; i++)
		buf_putc(&b, strchr("abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-", id[i]) != NULL
			? id[i] : '_');
	return buf_cstr(&b);
}

static void
environment(struct strs *env, const struct job *j)
{
	struct buf b = { 0 };
	size_t i;

	if (j->call->tool->isagent)
		agent_env(env, j->call->tool);
	else
		for (i = 0; i < limits.env.n; i++)
			strs_add(env, limits.env.v[i]);
	toolenv_args(env, &j->call->args);
	places_agreed(env, j->call);
	buf_printf(&b, "LLM_TOOL_NAME=%s", j->call->name);
	strs_add(env, buf_cstr(&b));
	/* So that the log says which call an agent's work belongs to. */
	if (j->call->tool->isagent && strlen(j->call->id) <= JOB_ID) {
		buf_reset(&b);
		buf_printf(&b, "LLM_TOOL_CALL_ID=%s", j->call->id);
		strs_add(env, buf_cstr(&b));
	}
	/* Where llm-functions' scripts write their result. */
	if (j->call->tool->isflags)
		strs_add(env, "LLM_OUTPUT=/dev/stdout");
	buf_free(&b);
}

size_t
job_max(const struct job *j)
{
	long long max = j->call->tool->max;

	return (size_t)(max > 0 ? max : limits.max);
}

/* Seconds that a call may take; what a model asks for may be any number. */
static long long
seconds(const struct toolcall *c)
{
	const struct tool *t = c->tool;
	long long v;

	if (t->limit != NULL && json_int(&c->args,
		json_get(&c->args, 0, t->limit), &v) == 0 && v > 0)
		return v < LONGEST ? v : LONGEST;
	return t->timeout > 0 ? t->timeout : limits.timeout;
}

void
job_start(struct job *j, int terminal)
{
	static struct strs env, args;
	static struct buf show;
	const struct tool *t = j->call->tool;
	struct proc_spec s;
	char *command;
	size_t i;

	memset(&s, 0, sizeof(s));
	strs_reset(&env);
	environment(&env, j);
	command = t->exec != NULL ? toolcall_command(j->call) : NULL;
	s.programs = command != NULL;
	s.isagent = t->isagent;
	free(command);
	j->sandbox = s.programs ? sandbox_name() : NULL;
	s.path = t->exec;
	s.argv = sandbox_command(t->exec, s.programs);
	if (t->isflags) {
		strs_reset(&args);
		for (i = 0; s.argv != NULL && s.argv[i] != NULL; i++)
			strs_add(&args, s.argv[i]);
		if (i == 0)
			strs_add(&args, t->exec);
		toolenv_flags(&args, &j->call->args);
		s.argv = strs_vector(&args);
	}
	/* Descriptor 3 is for the tool, not for programs of a shell line. */
	if (t->speaks && !s.programs) {
		j->speak = file_unnamed();
		if (j->speak < 0) {
			warn_sys("%s: descriptor 3", t->name);
			j->speak = 0;
		} else {
			strs_add(&env, "TURNPIPE_TOOL_FD=3");
		}
		s.speak = j->speak;
	}
	if (t->isagent && (s.asks = relay_open(&j->asks)) > 0)
		strs_add(&env, "TURNPIPE_ASK_FD=9");
	if (t->isagent && terminal >= 0) {
		s.show = terminal;
		buf_reset(&show);
		buf_printf(&show, "TURNPIPE_SHOW_FD=%d", SHOW_FD);
		strs_add(&env, buf_cstr(&show));
	}
	s.env = strs_vector(&env);
	if (t->original != NULL)
		mcpcall(&s, t);
	s.in = j->call->text.p;
	s.nin = j->call->text.n;
	s.timeout = 1000 * seconds(j->call);
	s.grace = 1000 * limits.grace;
	if (t->isagent)
		agent_limits(&s);
	truncate_start(&j->out, job_max(j), full_output_path(j->call->id),
	    (size_t)limits.file);
	truncate_start(&j->err, JOB_STDERR, NULL, 0);
	j->began = clock_ms();
	j->started = 1;
	proc_start(&j->proc, &s, on_output, j);
	if (s.asks > 0)
		close(s.asks);
	j->proc.heard = j->asks;
}

/* What opens the result of a call that did not end well. */
static void
put_failure(struct job *j, struct buf *b)
{
	const struct proc *p = &j->proc;
	const char *pairs[] = { "number", NULL, "seconds", NULL, "path",
		p->spec.path, "why", strerror(p->lost ? p->lost : p->err),
		NULL };
	char number[24], seconds[24];

	snprintf(seconds, sizeof(seconds), "%lld", p->spec.timeout / 1000);
	snprintf(number, sizeof(number), "%d",
	    WIFSIGNALED(p->status) ? WTERMSIG(p->status)
				   : WEXITSTATUS(p->status));
	pairs[1] = number;
	pairs[3] = seconds;
	j->exit = WIFSIGNALED(p->status) ? 128 + WTERMSIG(p->status)
					 : WEXITSTATUS(p->status);
	if (p->err != 0) {
		resulttext(b, "start", pairs);
		j->exit = -1;
	} else if (p->lost != 0) {
		warn("%s: its output could not be read to its end: %s",
		    j->call->name, strerror(p->lost));
		resulttext(b, "lost", pairs);
		j->exit = -1;
	} else if (p->timedout) {
		resulttext(b, "timeout", pairs);
	} else if (j->interrupted) {
		stopped(b, "interrupted", pairs);
	} else if (WIFSIGNALED(p->status)) {
		resulttext(b, "signal", pairs);
	} else if (j->exit == 0) {
		return;
	} else if (j->out.over || j->out.bytes == 0) {
		resulttext(b, "status", pairs);
	} else {
		if (j->out.head.n < 6
		    || memcmp(j->out.head.p, "error:", 6) != 0)
			buf_puts(b, "error: ");
		return;
	}
	if (j->out.bytes > 0)
		buf_putc(b, '\n');
}

static void
notice(const struct truncate *c, struct buf *b)
{
	const char *pairs[] = { "bytes", NULL, "lines", NULL, "kept", NULL,
		"file", NULL, "why", NULL, NULL };
	char n[3][24];
	const char *key;

	snprintf(n[0], sizeof(n[0]), "%llu", c->bytes);
	snprintf(n[1], sizeof(n[1]), "%llu", c->lines);
	snprintf(n[2], sizeof(n[2]), "%llu", c->kept);
	pairs[1] = n[0];
	pairs[3] = n[1];
	pairs[5] = n[2];
	pairs[7] = c->path.p;
	pairs[9] = c->err != 0 ? strerror(c->err) : "TURNPIPE_RUN is not set";
	if (c->kept == c->bytes && c->err == 0)
		key = "clipped";
	else
		key = c->kept > 0 ? "clipped_file" : "clipped_lost";
	resulttext(b, key, pairs);
	buf_putc(b, '\n');
}

/* Head and tail of it, or all, after what b has. */
static void
put_kept(const struct truncate *c, struct buf *b)
{
	if (c->over)
		notice(c, b);
	buf_span(b, c->head);
	if (!c->over)
		return;
	if (b->p[b->n - 1] != '\n')
		buf_putc(b, '\n');
	buf_puts(b, "[...]\n");
	buf_span(b, c->tail);
}

void
job_clip(struct job *j, size_t max)
{
	static struct truncate c;

	if (j->content.n <= max)
		return;
	truncate_start(&c, max, full_output_path(j->call->id),
	    (size_t)limits.file);
	truncate_add(&c, j->content.p, j->content.n);
	truncate_end(&c);
	buf_reset(&j->content);
	put_kept(&c, &j->content);
	truncate_free(&c);
}

/* Text as a message can carry it. */
static void
finish(struct job *j, const struct buf *raw)
{
	static struct buf b;
	const char *p, *nul;
	size_t i, n;

	buf_reset(&b);
	for (p = raw->p, n = raw->n; n > 0; p += i, n -= i) {
		nul = memchr(p, '\0', n);
		i = nul != NULL ? (size_t)(nul - p) : n;
		utf8_repair(&b, p, i);
		if (nul != NULL) {
			utf8_put(&b, 0xfffd);
			i++;
		}
	}
	buf_reset(&j->content);
	buf_span(&j->content, buf_view(&b));
	j->done = 1;
}

/* The replacement for bytes that are not text; and the tool's words on a failure. */
static void
put_binary(struct job *j, struct buf *b)
{
	struct truncate *c = &j->out;
	const struct filetype *t = filetype_of(c->first.p, c->first.n);
	const char *pairs[] = { "bytes", NULL, "type",
		t != NULL ? t->name : "unknown type", "file", NULL, "why",
		NULL, NULL };
	char n[24];
	int whole;

	truncate_save(c);
	truncate_end(c);
	whole = c->kept == c->bytes && c->err == 0;
	put_failure(j, b);
	snprintf(n, sizeof(n), "%llu", c->bytes);
	pairs[1] = n;
	pairs[5] = buf_cstr(&c->path);
	pairs[7] = c->err != 0 ? strerror(c->err)
	    : c->path.n == 0   ? "TURNPIPE_RUN is not set"
			       : "it is too long";
	resulttext(b, whole ? "binary" : "binary_lost", pairs);
	if (WIFEXITED(j->proc.status) && WEXITSTATUS(j->proc.status) == 0)
		return;
	buf_putc(b, '\n');
	buf_span(b, j->err.head);
	buf_span(b, j->err.tail);
}

/* The tool's output, after the remarks on it. */
static void
put_text(struct job *j, struct buf *b)
{
	struct truncate *c = &j->out;
	const char *none[] = { NULL };

	if (!WIFEXITED(j->proc.status) || WEXITSTATUS(j->proc.status) != 0) {
		truncate_add(c, j->err.head.p, j->err.head.n);
		if (j->err.over)
			truncate_add(c, "\n[...]\n", 7);
		truncate_add(c, j->err.tail.p, j->err.tail.n);
	}
	truncate_end(c);
	put_failure(j, b);
	put_kept(c, b);
	if (b->n == 0)
		resulttext(b, "empty", none);
}

/* What the user's program says of it stands after it. */
static void
review(struct job *j)
{
	struct buf why = { 0 };
	const char *pairs[] = { "why", NULL, NULL };

	if (!j->interrupted && hook_after(j->call, &j->content, &why) == HOOK_NO) {
		pairs[1] = buf_cstr(&why);
		if (j->content.n > 0
		    && j->content.p[j->content.n - 1] != '\n')
			buf_putc(&j->content, '\n');
		resulttext(&j->content, "after", pairs);
	}
	buf_free(&why);
}

void
job_check(struct job *j)
{
	static struct buf b;

	if (j->done || !j->started || !j->proc.done)
		return;
	j->ms = clock_ms() - j->began;
	stop_hearing(j);
	if (j->speak > 0)
		speech_close(j->speak, j->call->name, j->call->tool->speaks,
		    &j->said);
	j->speak = 0;
	truncate_end(&j->err);
	buf_reset(&b);
	if (j->nul || binary_is(j->out.first.p, j->out.first.n))
		put_binary(j, &b);
	else
		put_text(j, &b);
	finish(j, &b);
	review(j);
	truncate_free(&j->out);
	truncate_free(&j->err);
}

int
job_failed(const struct job *j)
{
	return j->denied || j->interrupted || j->exit > 0
	    || (j->content.n > 5 && memcmp(j->content.p, "error:", 6) == 0);
}

void
job_outcome(const struct job *j, struct buf *b)
{
	/* Reproducible runs: no two take the same time. */
	if (j->started)
		emit_pairi(b, "duration_ms",
		    getenv("TURNPIPE_NOW") != NULL ? 0 : j->ms);
	if (j->exit >= 0)
		emit_pairi(b, "exit", j->exit);
	emit_pair(b, "sandbox", j->sandbox);
	if (j->denied)
		emit_pairb(b, "denied", 1);
	if (j->unasked)
		emit_pairb(b, "unasked", 1);
	if (j->interrupted)
		emit_pairb(b, "interrupted", 1);
	if (j->said.narrows)
		emit_strs(b, "tools", &j->said.tools);
}

void
job_put(struct job *j)
{
	static struct buf b;

	emit_open(&b, '{');
	emit_pair(&b, "type", "message");
	emit_pair(&b, "role", "tool");
	emit_pair(&b, "tool_call_id", j->call->id);
	emit_pair(&b, "name", j->call->name);
	emit_pairn(&b, "content", buf_cstr(&j->content), j->content.n);
	emit_key(&b, "tp");
	emit_open(&b, '{');
	job_outcome(j, &b);
	if (j->said.context.n > 0)
		emit_pairn(&b, "context", j->said.context.p,
		    j->said.context.n);
	if (j->loaded.n > 0)
		emit_strs(&b, "loaded", &j->loaded);
	if (j->tp.n > 0)
		emit_pairj(&b, "parts", buf_view(&j->tp));
	emit_close(&b, '}');
	emit_close(&b, '}');
	record_put(&b);
	job_free(j);
}

void
job_free(struct job *j)
{
	buf_free(&j->content);
	strs_free(&j->loaded);
	speech_free(&j->said);
	buf_free(&j->tp);
	buf_free(&j->change);
	toolcalls_reset(&j->parts);
	free(j->parts.v);
}
