#ifndef TASKFILL_H
#define TASKFILL_H

/* The text of a task with its holes filled from operands. */

#include "task.h"

/*
 * Append the body of t with {{1}}, {{2}} ... filled by the operands, in order,
 * and {{NAME}} by an operand NAME=VALUE or by the key defaults.  An operand
 * NAME=VALUE without such a hole counts with the others.  Dies with EX_USAGE
 * for a hole that nothing fills, by its name, and for an operand that no hole
 * takes.  A task without operands and without "defaults" may have no holes
 * either.  What is filled in is not looked at again.
 */
void taskfill(struct buf *b, const struct task *t, int argc, char **argv);

#endif
