#ifndef ORDER_H
#define ORDER_H

/*
 * What comes out when: the calls of a process and the records between them,
 * by conversations.  In order of input; or, unordered, a conversation that
 * has come to its end as soon as its answers are there, and one that has
 * not, answer by answer.  No two conversations are ever mixed.
 */

#include <stddef.h>
#include <stdint.h>

#include "call.h"
#include "record.h"
#include "spendcap.h"

extern int order_unordered;

struct conv;

/* A call and its place. */
struct item {
	struct call *call; /* queue.c's; NULL when it is over */
	struct buf out;	  /* what it came to */
	struct item *mate; /* next in one of queue.c's lists */
	int held;	  /* waits for the end of its conversation */
	int begun, flying, batch, paying;
	uint64_t key;	  /* of a batch line, and in the book */
	long long tokens; /* of its prompt, by estimate */
	struct spendcap_share share;
	struct spendcap_toll toll; /* of the tries that are over */
	int code;
	/* Private. */
	struct conv *conv;
	struct item *next, **prev;
	struct buf before;
	int done;
};

/* A new item after all others, zeroed but for its private members. */
struct item *order_add(void);

/* Bytes that pass by, whole records with newlines; or r, which may be
 * passed without a copy. */
void order_put(const char *p, size_t n);
void order_pass(const struct rec *r);

/* Items not written yet, which the next order_put follows; their bytes. */
size_t order_items(void);
size_t order_bytes(void);

/* First of the conversation that is not at its end; next in it. */
struct item *order_first(void);
struct item *order_next(struct item *i);

/* The conversation is at its end. */
void order_end(void);

/* Its out is there: write what can be written now.  Frees the item. */
void order_done(struct item *i);

/*
 * Break off all calls, and write what there is of each, with the records
 * before it; a conversation that another one follows gets its end.
 */
void order_interrupt(void (*stop)(struct item *));

#endif
