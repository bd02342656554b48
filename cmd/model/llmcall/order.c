#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "out.h"

struct conv {
	struct item *head, **tail; /* those not written yet */
	size_t waiting;		   /* items that are not done */
	struct buf lead;	   /* records after the last of them */
	struct conv *next, **prev;
	int ended;
	int begun; /* a part of it is written */
};

int order_unordered;

static struct conv *head, **tail = &head, *cur; /* cur: not ended */
static size_t nitems, nbytes;

static void
open_conv(void)
{
	if (cur != NULL)
		return;
	cur = xmalloc(sizeof(*cur));
	memset(cur, 0, sizeof(*cur));
	cur->tail = &cur->head;
	cur->prev = tail;
	*tail = cur;
	tail = &cur->next;
}

static void
drop_conv(struct conv *c)
{
	*c->prev = c->next;
	if (c->next != NULL)
		c->next->prev = c->prev;
	else
		tail = c->prev;
	free(c);
}

static void
put(struct conv *c, struct buf *b)
{
	if (b->n > 0)
		c->begun = 1;
	out_add(b->p, b->n);
	buf_free(b);
}

/* Written: it goes. */
static void
drop_item(struct item *i)
{
	struct conv *c = i->conv;

	nbytes -= i->out.n;
	put(c, &i->before);
	put(c, &i->out);
	*i->prev = i->next;
	if (i->next != NULL)
		i->next->prev = i->prev;
	else
		c->tail = i->prev;
	nitems--;
	free(i);
}

struct item *
order_add(void)
{
	struct item *i = xmalloc(sizeof(*i));

	open_conv();
	memset(i, 0, sizeof(*i));
	i->conv = cur;
	i->before = cur->lead;
	memset(&cur->lead, 0, sizeof(cur->lead));
	i->prev = cur->tail;
	*cur->tail = i;
	cur->tail = &i->next;
	cur->waiting++;
	nitems++;
	return i;
}

size_t
order_items(void)
{
	return nitems;
}

size_t
order_bytes(void)
{
	return nbytes;
}

struct item *
order_first(void)
{
	return cur == NULL ? NULL : cur->head;
}

struct item *
order_next(struct item *i)
{
	return i->next;
}

void
order_put(const char *p, size_t n)
{
	open_conv();
	if (nitems == 0 && !order_unordered) {
		cur->begun = 1;
		out_add(p, n);
	} else {
		buf_add(&cur->lead, p, n);
	}
}

void
order_pass(const struct rec *r)
{
	open_conv();
	if (nitems == 0 && !order_unordered) {
		cur->begun = 1;
		record_pass(r);
	} else if (!r->implied) {
		buf_add(&cur->lead, r->s, r->n);
		buf_putc(&cur->lead, '\n');
	}
}

/* From the front: all that is done, and the bytes before the rest. */
static void
in_order(void)
{
	struct conv *c;
	struct item *i;

	while ((c = head) != NULL) {
		while ((i = c->head) != NULL) {
			put(c, &i->before);
			if (!i->done)
				return;
			drop_item(i);
		}
		put(c, &c->lead);
		if (!c->ended)
			return;
		drop_conv(c);
	}
}

static void
whole(struct conv *c)
{
	while (c->head != NULL)
		drop_item(c->head);
	put(c, &c->lead);
	drop_conv(c);
}

/*
 * What is done in the one that is first and has not ended.  Its lead waits:
 * once it is begun all others have to.
 */
static void
singles(struct conv *c)
{
	struct item *i, *next;

	for (i = c->head; i != NULL; i = next) {
		next = i->next;
		if (i->done)
			drop_item(i);
	}
}

/* Has c come to where it can be written?  c has changed. */
static void
write_ready(struct conv *c)
{
	struct conv *next;
	int begun;

	if (c == head && !c->ended) {
		singles(c);
		return;
	}
	if (!c->ended || c->waiting > 0 || (c != head && head->begun))
		return;
	begun = c->begun;
	whole(c);
	/* Nothing was written while that one was half written. */
	for (c = begun ? head : NULL; c != NULL; c = next) {
		next = c->next;
		if (c->ended && c->waiting == 0)
			whole(c);
	}
	if (head != NULL && !head->ended)
		singles(head);
}

static void
write_out(struct conv *c)
{
	if (order_unordered)
		write_ready(c);
	else
		in_order();
}

void
order_end(void)
{
	struct conv *c;

	open_conv();
	c = cur;
	cur = NULL;
	c->ended = 1;
	write_out(c);
}

void
order_done(struct item *i)
{
	i->done = 1;
	nbytes += i->out.n;
	i->conv->waiting--;
	write_out(i->conv);
}

void
order_interrupt(void (*stop)(struct item *))
{
	struct conv *c;
	struct item *i;

	for (c = head; c != NULL; c = c->next) {
		for (i = c->head; i != NULL; i = i->next) {
			if (!i->done)
				stop(i);
			out_add(i->before.p, i->before.n);
			out_add(i->out.p, i->out.n);
		}
		if (c->next != NULL)
			out_add(c->lead.p, c->lead.n);
	}
	out_flush();
}
