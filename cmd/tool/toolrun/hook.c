#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "diag.h"
#include "emit.h"
#include "env.h"
#include "hook.h"
#include "path.h"
#include "proc.h"
#include "session.h"
#include "settings.h"
#include "signals.h"
#include "toolenv.h"

enum {
	HOOK_GRACE = 1000,	/* ms */
	HOOK_SAID = 4096,	/* bytes of standard error that are kept */
	HOOK_DENIES = 2
};

static const char *gate, *after;
static long long timeout;
static int decides;

void
hook_setup(void)
{
	gate = settings_str("toolrun.gate");
	after = settings_str("toolrun.after");
	decides = settings_bool("toolrun.gate_decides");
	timeout = settings_int("toolrun.gate_timeout");
	if (timeout < 1 || timeout > 86400)
		settings_bad("toolrun.gate_timeout", "expected 1 to 86400");
}

int
hook_decides(void)
{
	return decides;
}

static void
keep(int from, const char *p, size_t n, void *arg)
{
	struct buf *b = arg;

	if (from == 2 && b->n < HOOK_SAID)
		buf_add(b, p, n < HOOK_SAID - b->n ? n : HOOK_SAID - b->n);
}

static void
line(struct buf *b, const char *event, const struct toolcall *c,
    const struct buf *result)
{
	const char *session = env_get("TURNPIPE_SESSION");
	struct span id = { NULL, 0 };

	if (session != NULL)
		id = session_id(session);
	buf_reset(b);
	emit_open(b, '{');
	if (session != NULL) {
		emit_pairn(b, "session_id", id.p, id.n);
		emit_pair(b, "transcript_path", session);
	}
	emit_pair(b, "cwd", path_cwd());
	emit_pair(b, "hook_event_name", event);
	emit_pair(b, "tool_name", c->name);
	emit_pair(b, "tool_use_id", c->id);
	emit_key(b, "tool_input");
	emit_compact(b, json_span(&c->args, 0));
	if (result != NULL)
		emit_pairn(b, "tool_response", result->p, result->n);
	emit_close(b, '}');
	buf_putc(b, '\n');
}

static enum hook_answer
run(const char *command, const char *key, struct buf *in, struct buf *why)
{
	static struct strs env, names;
	char *argv[] = { "/bin/sh", "-c", (char *)command, NULL };
	struct proc_spec s;
	struct proc p;
	struct buf text = { 0 };

	strs_reset(&env);
	settings_strs("toolrun.env", &names);
	toolenv_tool(&env, &names);
	memset(&s, 0, sizeof(s));
	s.path = argv[0];
	s.argv = argv;
	s.env = strs_vector(&env);
	s.in = in->p;
	s.nin = in->n;
	s.timeout = 1000 * timeout;
	s.grace = HOOK_GRACE;
	buf_reset(why);
	proc_start(&p, &s, keep, why);
	while (!p.done) {
		if (signals_caught() != 0)
			proc_stop(&p, HOOK_GRACE);
		proc_wait();
	}
	if (signals_caught() != 0)
		return HOOK_INTERRUPTED;
	while (why->n > 0 && why->p[why->n - 1] == '\n')
		why->n--;
	if (p.err == 0 && p.lost == 0 && !p.timedout && WIFEXITED(p.status)
	    && (WEXITSTATUS(p.status) == 0
		|| WEXITSTATUS(p.status) == HOOK_DENIES))
		return WEXITSTATUS(p.status) == 0 ? HOOK_PASS : HOOK_NO;
	if (p.err != 0 || p.lost != 0)
		buf_puts(&text, strerror(p.err != 0 ? p.err : p.lost));
	else if (p.timedout)
		buf_printf(&text, "no answer after %lld s", timeout);
	else if (WIFSIGNALED(p.status))
		buf_printf(&text, "ended by signal %d", WTERMSIG(p.status));
	else
		buf_printf(&text, "expected status 0 or 2, not %d",
		    WEXITSTATUS(p.status));
	if (why->n > 0)
		buf_printf(&text, ": %s", buf_cstr(why));
	buf_reset(why);
	buf_printf(why, "%s: %s", key, buf_cstr(&text));
	warn("%s", buf_cstr(why));
	buf_free(&text);
	return HOOK_BAD;
}

enum hook_answer
hook_before(const struct toolcall *c, struct buf *why)
{
	static struct buf in;

	if (gate == NULL || *gate == '\0')
		return HOOK_NONE;
	line(&in, "PreToolUse", c, NULL);
	return run(gate, "toolrun.gate", &in, why);
}

enum hook_answer
hook_after(const struct toolcall *c, const struct buf *result,
    struct buf *why)
{
	static struct buf in;

	if (after == NULL || *after == '\0')
		return HOOK_NONE;
	line(&in, "PostToolUse", c, result);
	return run(after, "toolrun.after", &in, why);
}
