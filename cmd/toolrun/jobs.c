#include <string.h>

#include "agent.h"
#include "consent.h"
#include "jobs.h"
#include "jsoncanon.h"
#include "out.h"
#include "proc.h"
#include "signals.h"

static const struct jobs_options *o;
static struct job *jobs;
static size_t njobs, cap;

/*
 * The job of an earlier call that gives the same: of the same read-only tool
 * with the same arguments, and nothing between them that changes anything.
 */
static const struct job *
same(const struct job *j)
{
	static struct buf a, b;
	const struct job *p;

	buf_reset(&a);
	jsoncanon_json(&a, &j->call->args, 0);
	for (p = j; p-- > jobs;) {
		if (p->done)
			continue;
		if (!p->call->tool->isreadonly)
			return NULL;
		if (p->call->tool != j->call->tool)
			continue;
		buf_reset(&b);
		jsoncanon_json(&b, &p->call->args, 0);
		if (a.n == b.n && memcmp(a.p, b.p, a.n) == 0)
			return p;
	}
	return NULL;
}

/* May calls of it run beside others? */
static int
beside(const struct tool *t)
{
	return t->isreadonly || t->isparallel;
}

/* The text of a result for a call that may not run. */
static const char *const refusals[] = {
	[CONSENT_RULE] = "denied_rule",
	[CONSENT_USER] = "denied_user",
	[CONSENT_REASON] = "denied_reason",
	[CONSENT_NOBODY] = "denied_nobody",
	[CONSENT_OUTSIDE] = "denied_outside",
	[CONSENT_NEVER] = "denied_never",
	[CONSENT_PLAN] = "denied_plan",
	[CONSENT_GATE] = "denied_gate",
	[CONSENT_INTERRUPTED] = "denied_user",
};

/* Start a call that has been checked, if it may run. */
static void
begin(struct job *j)
{
	static struct buf rule;
	const char *pairs[] = { "rule", NULL, NULL };
	enum consent c;

	buf_reset(&rule);
	c = consent_get(j->call, o->yes, &rule);
	pairs[1] = buf_cstr(&rule);
	j->denied = c != CONSENT_YES && c != CONSENT_INTERRUPTED;
	if (c == CONSENT_YES) {
		job_start(j, &o->limits);
		job_check(j); /* one that could not be started is done */
	} else if (c != CONSENT_INTERRUPTED || signals_caught() == 0) {
		/* Interrupted, it gets its result with the others. */
		job_refuse(j, refusals[c], pairs);
	}
}

/* One job per call that has no result yet; what can not run is done. */
static void
prepare(struct toolcalls *calls, const struct tools *tools)
{
	static struct buf why;
	size_t agents = 0;
	const char *none[] = { NULL }, *pairs[] = { "id", NULL, NULL };
	const struct job *p;
	struct toolcall *c, *first;
	struct job *j;

	njobs = 0;
	for (c = calls->v; c < calls->v + calls->n; c++) {
		first = toolcalls_find(calls, c->id);
		if (first->answered)
			continue;
		grow(&jobs, &cap, njobs, sizeof(*jobs));
		j = &jobs[njobs++];
		job_init(j, c);
		if (first != c)
			job_refuse(j, "twice", none);
		else if (toolcall_check(c, tools, &why) < 0)
			job_refuse_text(j, &why);
		else if (c->tool->exec == NULL && c->tool->original == NULL)
			job_load(j);
		else if (c->tool->isagent && agent_check(c, &agents, &why) < 0)
			job_refuse_text(j, &why);
		else if (c->tool->isreadonly && (p = same(j)) != NULL) {
			pairs[1] = p->call->id;
			job_refuse(j, "same", pairs);
		}
	}
}

/* Write the results from i on that are there; the first that is not. */
static size_t
deliver(size_t i)
{
	for (; i < njobs && jobs[i].done; i++)
		job_put(&jobs[i]);
	out_flush();
	return i;
}

static size_t
running(void)
{
	size_t i, n = 0;

	for (i = 0; i < njobs; i++)
		n += jobs[i].started && !jobs[i].done;
	return n;
}

/* How many may run when this one does. */
static size_t
most(const struct job *j)
{
	size_t children = agent_most();

	return j->call->tool->isagent && children > o->atonce ? children
							      : o->atonce;
}

static void
wait_for_some(void)
{
	size_t i;

	proc_wait();
	for (i = 0; i < njobs; i++)
		job_check(&jobs[i]);
}

/* A signal came: nothing is lost, and nothing goes on. */
static _Noreturn void
interrupt(size_t out)
{
	const char *none[] = { NULL };
	size_t i;
	int now = 0;

	for (i = out; i < njobs; i++) {
		if (jobs[i].done)
			continue;
		jobs[i].interrupted = 1;
		if (jobs[i].started)
			proc_stop(&jobs[i].proc, jobs[i].proc.spec.grace);
		else
			job_refuse(&jobs[i], "never", none);
	}
	while (running() > 0) {
		wait_for_some();
		if (signals_times() > 1 && !now)
			for (i = out, now = 1; i < njobs; i++)
				if (jobs[i].started)
					proc_stop(&jobs[i].proc, 0);
	}
	deliver(out);
	out_end();
	signals_die(signals_caught());
}

size_t
jobs_run(struct toolcalls *calls, const struct tools *tools,
    const struct jobs_options *options)
{
	struct job *j;
	size_t next = 0, out = 0;
	int alone = 0;

	o = options;
	prepare(calls, tools);
	if (njobs == 0)
		return 0;
	job_setup();
	signals_arm(SIGNALS_ASKED);
	while (out < njobs) {
		while (next < njobs && signals_caught() == 0) {
			j = &jobs[next];
			if (!j->done) {
				if (running() > 0
				    && (alone || !beside(j->call->tool)
					|| running() >= most(j)))
					break;
				alone = !beside(j->call->tool);
				begin(j);
			}
			next++;
			out = deliver(out);
		}
		if (running() > 0)
			wait_for_some();
		if (signals_caught() != 0)
			interrupt(out);
		out = deliver(out);
	}
	signals_arm(SIGNALS_AT_ONCE);
	return njobs;
}
