#ifndef PIECE_H
#define PIECE_H

/*
 * The pieces of a prompt: the sections of a conversation, each in what its
 * layout puts round it.
 */

#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "layout.h"
#include "record.h"

struct piece {
	char *id; /* owned */
	uint64_t hash; /* of the id */
	size_t came;	 /* its number, from 1 */
	size_t at, n;	 /* its text in the text of all */
	size_t declared; /* tokens by the record's own word */
	int isdeclared;
	size_t tokens; /* what the budget is charged */
	double priority;
	double score;
	int phase;
	int sticky;
	int order; /* an instruction: the last in the trailing block */
	int where; /* enum where, never WHERE_DEFAULT */
	int place; /* index in the layout, or -1 */
	int kept;
};

/* Zeroed but for the layout, it is empty. */
struct pieces {
	const struct layout *layout;
	struct piece *v;
	size_t n, cap;
	struct buf text;
	struct strs left; /* ids that the layout ignores or replaces */
	struct strs tools; /* names of those on offer */
};

/*
 * Take in a section, reminder or summary record.  Dies at the record if it
 * is malformed, or if the id is there already; in a layout with the engine
 * ivy, and with summaries, the later one takes the earlier one's place.
 * One without content, or that the layout ignores, is left out.
 */
void pieces_add(struct pieces *p, const struct rec *r);

/*
 * All records have come: drop those that others replace or whose
 * place needs a tool that is not on offer, and add what the layout's files
 * say where no record did.  A file that cannot be
 * read dies with EX_CONFIG; each is looked at once per process.
 */
void pieces_settle(struct pieces *p);

/* Forget the conversation, keep the layout. */
void pieces_reset(struct pieces *p);

#endif
