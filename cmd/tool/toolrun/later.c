#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "cron.h"
#include "diag.h"
#include "emit.h"
#include "env.h"
#include "fd.h"
#include "file.h"
#include "later.h"
#include "path.h"
#include "settings.h"
#include "terminal.h"

static struct strs allowed, denied;

int
later_may(const struct toolcall *c)
{
	const char *env = env_get("TURNPIPE_ASK_LATER");

	/* The caller would go on without its agent. */
	if (c->ispart || env_get("TURNPIPE_PARENT") != NULL)
		return 0;
	if (env != NULL)
		return strcmp(env, "0") != 0;
	return settings_bool("toolrun.ask_later");
}

void
later_answer(int yes, const char *arg)
{
	strs_add(yes ? &allowed : &denied, arg);
}

int
later_answered(void)
{
	return allowed.n + denied.n > 0;
}

/* Does arg answer the call?  Its reason, or NULL. */
static const char *
reason_for(const char *arg, const char *id)
{
	size_t n = strlen(id);

	if (strncmp(arg, id, n) != 0 || (arg[n] != '\0' && arg[n] != '='))
		return NULL;
	return arg[n] == '=' ? arg + n + 1 : arg + n;
}

enum later
later_find(const char *id, const char **reason)
{
	size_t i;

	*reason = NULL;
	for (i = 0; i < denied.n && *reason == NULL; i++)
		*reason = reason_for(denied.v[i], id);
	if (*reason != NULL)
		return LATER_NO;
	return strs_find(&allowed, id) >= 0 ? LATER_YES : LATER_OPEN;
}

/* The open call that arg answers, or NULL. */
static const struct toolcall *
answered_by(const struct toolcalls *c, const char *arg, int yes)
{
	const char *reason;
	size_t i;

	for (i = 0; i < c->n; i++) {
		reason = reason_for(arg, c->v[i].id);
		if (reason != NULL && (!yes || *reason == '\0')
		    && c->v[i].deferred && !c->v[i].answered)
			return &c->v[i];
	}
	return NULL;
}

static _Noreturn void
wrong(const struct toolcalls *c, const char *arg)
{
	struct buf open = { 0 };
	size_t i;

	for (i = 0; i < c->n; i++)
		if (c->v[i].deferred && !c->v[i].answered)
			buf_printf(&open, "%s%s", open.n > 0 ? ", " : "",
			    c->v[i].id);
	die(EX_USAGE, "no open call '%s'; open: %s", arg,
	    open.n > 0 ? buf_cstr(&open) : "(none)");
}

void
later_check(const struct toolcalls *c)
{
	const struct toolcall *x;
	const char *reason;
	size_t i;

	for (i = 0; i < allowed.n + denied.n; i++) {
		int yes = i < allowed.n;
		const char *arg = yes ? allowed.v[i]
				      : denied.v[i - allowed.n];

		x = answered_by(c, arg, yes);
		if (x == NULL)
			wrong(c, arg);
		if (yes && later_find(x->id, &reason) == LATER_NO)
			die(EX_USAGE, "both allowed and denied: '%s'",
			    x->id);
		if (x->cwd != NULL && !file_same(x->cwd, "."))
			die(EX_USAGE, "'%s' is to run in %s, and this is %s",
			    x->id, x->cwd, path_cwd());
	}
}

void
later_take(struct toolcalls *c, const struct rec *r)
{
	const struct json *j = record_json(r);
	struct toolcall *x;
	char *id;

	if (!json_is(j, json_get(j, 0, "what"), "deferred"))
		return;
	id = json_dup(j, json_get(j, 0, "id"));
	x = id != NULL ? toolcalls_find(c, id) : NULL;
	free(id);
	if (x == NULL)
		return;
	x->deferred = c->isresumed = 1;
	strs_reset(&x->led);
	(void)json_strs(j, json_get(j, 0, "paths"), &x->led);
	free(x->cwd);
	x->cwd = json_dup(j, json_get(j, 0, "cwd"));
}

int
later_same(const struct toolcall *c, const struct places *p)
{
	size_t i;

	for (i = 0; i < p->real.n && i < c->led.n; i++)
		if (strcmp(p->real.v[i], c->led.v[i]) != 0)
			return 0;
	return i == p->real.n && i == c->led.n;
}

/* The command line that says yes. */
static void
put_command(struct buf *b, const struct toolcall *c)
{
	const char *session = env_get("TURNPIPE_SESSION");
	const char *task = env_get("TURNPIPE_TASK");

	buf_puts(b, "cd ");
	cron_word(b, path_cwd(), 0);
	buf_printf(b, " && turnpipe %s", task != NULL ? "-T" : "-c");
	if (session != NULL) {
		buf_puts(b, " -s ");
		cron_word(b, session, 0);
	}
	buf_puts(b, " --allow ");
	cron_word(b, c->id, 0);
	if (task != NULL) {
		buf_putc(b, ' ');
		cron_word(b, task, 0);
	}
}

/* For the user, now and in the file that the driver hands on. */
static void
show(const struct toolcall *c, const struct buf *question)
{
	static struct buf text, file;
	struct buf clean = { 0 };
	const char *path = env_run(&file, "asked");

	buf_reset(&text);
	buf_span(&text, buf_view(question));
	buf_puts(&text, "open until it is answered, with --allow ID or "
			"--deny ID=REASON:\n  ");
	put_command(&text, c);
	buf_putc(&text, '\n');
	terminal_clean(&clean, text.p, text.n);
	(void)fd_write(STDERR_FILENO, clean.p, clean.n);
	if (path != NULL && file_append(path, clean.p, clean.n, 0600) < 0)
		warn_sys("%s", path);
	buf_free(&clean);
}

void
later_put(struct buf *b, const struct toolcall *c, const struct places *p,
    const struct buf *question, const struct strs *rules)
{
	static struct buf now;

	show(c, question);
	buf_reset(&now);
	clock_utc(&now, clock_now());
	emit_open(b, '{');
	emit_pair(b, "type", "mark");
	emit_pair(b, "what", "deferred");
	emit_pairn(b, "time", now.p, now.n);
	emit_pair(b, "id", c->id);
	emit_pair(b, "name", c->name);
	emit_pair(b, "cwd", path_cwd());
	emit_pair(b, "task", env_get("TURNPIPE_TASK"));
	if (p->real.n > 0)
		emit_strs(b, "paths", &p->real);
	if (rules != NULL)
		emit_strs(b, "rules", rules);
	emit_pairn(b, "question", question->p, question->n);
	emit_close(b, '}');
}
