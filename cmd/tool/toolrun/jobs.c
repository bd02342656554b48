#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"
#include "batch.h"
#include "consent.h"
#include "hash.h"
#include "jobs.h"
#include "jsoncanon.h"
#include "out.h"
#include "proc.h"
#include "record.h"
#include "show.h"
#include "signals.h"

enum { READERS = 4 }; /* read-only calls that run at once */

static int yes; /* run all that no rule denies */
static struct job *jobs;
static size_t njobs, cap;

/* Read-only calls that run, by what they give; jobs before start do not count. */
static struct {
	size_t *slots; /* 1 + a job, or 0 */
	size_t n;      /* a power of 2, more than there are jobs */
	size_t start;
} seen;

/* Make room for that many calls, each perhaps a batch. */
static void
forget_seen(size_t calls)
{
	size_t n = 16;

	while (n < 2 * (BATCH_MAX + 1) * calls)
		n *= 2;
	if (n > seen.n) {
		free(seen.slots);
		seen.slots = xreallocarray(NULL, n, sizeof(*seen.slots));
		seen.n = n;
	}
	memset(seen.slots, 0, seen.n * sizeof(*seen.slots));
	seen.start = 0;
}

/*
 * The job of an earlier call that gives the same: of the same read-only tool
 * with the same arguments, and nothing between them that changes anything.
 * Without one, j is to be found from now on.
 */
static const struct job *
same(struct job *j)
{
	static struct buf a, b;
	const struct job *p;
	size_t i;

	buf_reset(&a);
	buf_printf(&a, "%s ", j->call->name);
	jsoncanon_json(&a, &j->call->args, 0);
	j->key = hash_bytes(a.p, a.n);
	for (i = j->key & (seen.n - 1); seen.slots[i] != 0;
	     i = (i + 1) & (seen.n - 1)) {
		p = &jobs[seen.slots[i] - 1];
		if (seen.slots[i] <= seen.start || p->key != j->key)
			continue;
		buf_reset(&b);
		buf_printf(&b, "%s ", p->call->name);
		jsoncanon_json(&b, &p->call->args, 0);
		if (a.n == b.n && memcmp(a.p, b.p, a.n) == 0)
			return p;
	}
	seen.slots[i] = (size_t)(j - jobs) + 1;
	return NULL;
}

static int
runs_in_parallel(const struct tool *t)
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
	c = consent_get(j->call, yes, &rule);
	pairs[1] = buf_cstr(&rule);
	j->later = j->done = c == CONSENT_LATER;
	if (j->later)
		return;
	j->denied = c != CONSENT_YES && c != CONSENT_INTERRUPTED;
	j->unasked = j->denied && c != CONSENT_USER && c != CONSENT_REASON
	    && c != CONSENT_PLAN;
	if (c == CONSENT_YES) {
		show_start(j);
		job_start(j, show_fd());
		job_check(j); /* one that could not be started is done */
	} else if (c != CONSENT_INTERRUPTED || signals_caught() == 0) {
		/* Interrupted, it gets its result with the others. */
		job_refuse(j, refusals[c], pairs);
	}
}

/* One job more. */
static struct job *
add(struct toolcall *c)
{
	grow(&jobs, &cap, njobs, sizeof(*jobs));
	job_init(&jobs[njobs], c);
	return &jobs[njobs++];
}

/* A call that cannot run is done; of a batch the parts are not looked at. */
static void
inspect(struct job *j, const struct tools *tools)
{
	static struct buf why;
	const char *none[] = { NULL };
	const char *pairs[] = { "id", NULL, NULL }, *rule[] = { "rule", NULL,
		NULL };
	struct toolcall *c = j->call;
	const struct job *p;

	if (toolcall_check(c, tools, &why) < 0) {
		job_refuse_text(j, &why);
	} else if (c->tool->isbatch && j->inside) {
		job_refuse(j, "batch_nested", none);
	} else if (c->tool->isbatch) {
		buf_reset(&why);
		j->denied = j->unasked = consent_denies(c, &why);
		rule[1] = buf_cstr(&why);
		if (j->denied)
			job_refuse(j, "denied_rule", rule);
		buf_reset(&why);
		if (!j->done && batch_open(c, &j->parts, &why) < 0)
			job_refuse_text(j, &why);
	} else if (c->tool->exec == NULL && c->tool->original == NULL) {
		job_load(j);
	} else if (c->tool->isagent && agent_check(c, &why) < 0) {
		job_refuse_text(j, &why);
	} else if (c->tool->isreadonly && (p = same(j)) != NULL) {
		pairs[1] = p->call->id;
		job_refuse(j, "same", pairs);
	}
	if (!j->done && !c->tool->isreadonly && !c->tool->isbatch)
		seen.start = (size_t)(j - jobs) + 1;
}

/* The parts of the last job stand before it: it is done when they are. */
static void
expand_batch(const struct tools *tools)
{
	struct job batch = jobs[--njobs], *j;
	size_t i;

	for (i = 0; i < batch.parts.n; i++) {
		j = add(&batch.parts.v[i]);
		j->inside = j->call->ispart = 1;
		inspect(j, tools);
	}
	j = add(batch.call);
	*j = batch;
	j->nparts = batch.parts.n;
	j->done = 1;
}

/* One job per call that has no result yet; what cannot run is done. */
static void
prepare(struct toolcalls *calls, const struct tools *tools)
{
	const char *none[] = { NULL };
	struct toolcall *c, *first;
	struct job *j;

	njobs = 0;
	forget_seen(calls->n);
	for (c = calls->v; c < calls->v + calls->n; c++) {
		first = toolcalls_find(calls, c->id);
		if (first->answered)
			continue;
		j = add(c);
		if (first != c)
			job_refuse(j, "twice", none);
		else if (calls->isresumed && !c->deferred)
			job_refuse(j, "stopped", none);
		else
			inspect(j, tools);
		if (j->parts.n > 0)
			expand_batch(tools);
	}
}

/* Write the results from i on that are there; the first that is not. */
static size_t
deliver(size_t i)
{
	struct job *j;

	for (; i < njobs && jobs[i].done; i++) {
		j = &jobs[i];
		show_end(j);
		if (j->inside)
			continue;
		if (j->later) {
			if (j->call->mark.n > 0)
				record_put(&j->call->mark);
			continue;
		}
		if (j->nparts > 0)
			batch_gather(j, j - j->nparts, j->nparts,
			    job_max(j));
		job_put(j);
	}
	out_flush();
	return i;
}

/* Of the jobs from i up to end. */
static size_t
running(size_t i, size_t end)
{
	size_t n = 0;

	for (; i < end; i++)
		n += jobs[i].started && !jobs[i].done;
	return n;
}

/* How many may run when this one does. */
static size_t
max_running(const struct job *j)
{
	return j->call->tool->isagent ? agent_most() : READERS;
}

static void
wait_for_some(size_t i, size_t end)
{
	proc_wait();
	for (; i < end; i++) {
		job_check(&jobs[i]);
		if (jobs[i].started && jobs[i].done)
			show_end(&jobs[i]);
	}
}

/* A signal came: nothing is lost, and nothing goes on. */
static _Noreturn void
interrupt(size_t out)
{
	size_t i;
	int now = 0;

	for (i = out; i < njobs; i++) {
		if (jobs[i].done)
			continue;
		/* What was open before this run stays so. */
		if (!jobs[i].started && jobs[i].call->deferred) {
			jobs[i].later = jobs[i].done = 1;
			continue;
		}
		jobs[i].interrupted = 1;
		if (jobs[i].started)
			proc_stop(&jobs[i].proc, jobs[i].proc.spec.grace);
		else
			job_never(&jobs[i]);
	}
	show_stop();
	while (running(out, njobs) > 0) {
		wait_for_some(out, njobs);
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
    int all, int *open)
{
	struct job *j;
	size_t n, next = 0, out = 0;
	int alone = 0;

	yes = all;
	prepare(calls, tools);
	if (njobs == 0)
		return 0;
	show_setup();
	job_setup();
	signals_arm(SIGNALS_ASKED);
	while (out < njobs) {
		while (next < njobs && signals_caught() == 0) {
			j = &jobs[next];
			if (!j->done) {
				n = running(out, next);
				if (n > 0
				    && (alone
					|| !runs_in_parallel(j->call->tool)
					|| n >= max_running(j)))
					break;
				alone = !runs_in_parallel(j->call->tool);
				begin(j);
			}
			next++;
			out = deliver(out);
		}
		if (running(out, next) > 0)
			wait_for_some(out, next);
		if (signals_caught() != 0)
			interrupt(out);
		out = deliver(out);
	}
	signals_arm(SIGNALS_AT_ONCE);
	*open = 0;
	for (j = jobs; j < jobs + njobs; j++)
		*open |= j->later;
	return njobs;
}
