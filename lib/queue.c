#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "clock.h"
#include "diag.h"
#include "out.h"
#include "queue.h"
#include "stop.h"

enum { AHEAD = 4 }; /* answers per job that may wait for an earlier one */

struct item {
	struct call call; /* first: on_over gets this */
	struct buf after; /* what passes by behind its answer */
	struct item *next;
	int held;
};

struct queue_options queue_options = {1, 0};

static struct item *head, **tail = &head;
static struct item *fresh; /* the first one not begun */
static size_t nitems, nopen;
static int status;

void
queue_fail(int code)
{
	if (status == 0)
		status = code;
}

int
queue_status(void)
{
	return status;
}

int
queue_busy(void)
{
	return head != NULL;
}

size_t
queue_open(void)
{
	return nopen;
}

static struct item *
last(void)
{
	return head == NULL
	    ? NULL
	    : (struct item *)(void *)((char *)tail
		  - offsetof(struct item, next));
}

int
queue_room(void)
{
	struct item *i = last();

	/* A conversation whose end is awaited must be read on. */
	if (i != NULL && i->held)
		return 1;
	return nopen < queue_options.jobs
	    && nitems < AHEAD * queue_options.jobs;
}

void
queue_pass(const struct rec *r)
{
	struct item *i = last();

	if (i == NULL) {
		record_pass(r);
	} else if (!r->implied) {
		buf_add(&i->after, r->s, r->n);
		buf_putc(&i->after, '\n');
	}
}

void
queue_put(const struct buf *b)
{
	struct item *i = last();

	if (i == NULL)
		out_add(b->p, b->n);
	else
		buf_add(&i->after, b->p, b->n);
}

static void
on_over(struct call *c)
{
	(void)c;
	nopen--;
}

/* Write what is next in order. */
static void
drain(void)
{
	struct item *i;

	while ((i = head) != NULL && i->call.state == CALL_OVER && !i->held) {
		out_add(i->call.out.p, i->call.out.n);
		out_add(i->after.p, i->after.n);
		if (i->call.code != 0)
			queue_fail(i->call.code);
		head = i->next;
		if (head == NULL)
			tail = &head;
		if (fresh == i)
			fresh = head;
		nitems--;
		call_free(&i->call);
		buf_free(&i->after);
		free(i);
	}
	if (head == NULL)
		out_flush();
}

/* Begin what can begin.  clock_ms at which the next pause ends. */
static long long
begin(void)
{
	struct item *i;
	long long now = clock_ms(), due = LLONG_MAX;

	while (fresh != NULL && !fresh->held && nopen < queue_options.jobs) {
		i = fresh;
		fresh = i->next;
		if (i->call.state != CALL_NEW)
			continue;
		nopen++;
		stop_arm(1);
		call_step(&i->call);
	}
	for (i = head; i != fresh; i = i->next) {
		if (i->call.state != CALL_PAUSED)
			continue;
		if (i->call.due <= now)
			call_step(&i->call);
		else if (i->call.due < due)
			due = i->call.due;
	}
	return due;
}

void
queue_request(const struct rec *r)
{
	struct item *i = xmalloc(sizeof(*i));

	memset(i, 0, sizeof(*i));
	call_take(&i->call, r->s, r->n, r->ntok);
	i->call.over = on_over;
	i->held = queue_options.whole;
	*tail = i;
	tail = &i->next;
	nitems++;
	if (fresh == NULL)
		fresh = i;
	begin();
	drain();
}

void
queue_close(int ok)
{
	struct item *i;

	for (i = fresh; i != NULL; i = i->next) {
		if (!i->held)
			continue;
		i->held = 0;
		if (!ok)
			i->call.state = CALL_OVER;
	}
	begin();
	drain();
}

int
queue_work(int in)
{
	long long due = begin(), now;
	int mask = 0;

	if (nopen > 0) {
		out_flush();
		now = clock_ms();
		mask = http_wait(in, stop_fd(),
		    due == LLONG_MAX ? -1 : due > now ? due - now : 0);
	}
	drain();
	return mask & 1;
}

void
queue_interrupt(void)
{
	struct item *i;

	for (i = head; i != NULL; i = i->next)
		call_interrupt(&i->call);
	/* Answers that came stand; what never began is not told of. */
	for (i = head; i != NULL; i = i->next)
		if (i->call.state == CALL_OVER && i->call.out.n > 0)
			out_add(i->call.out.p, i->call.out.n);
	out_flush();
}
