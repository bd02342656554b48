#ifndef LOOPCHECK_H
#define LOOPCHECK_H

/*
 * Signs in the last tool calls, as state lists them, of a model that goes
 * round in circles.
 */

#include <stddef.h>

#include "json.h"

struct loopcheck {
	long long repeated; /* how often a call of the last step was made */
	long long empty;    /* last calls in a row that found nothing */
	char *tool;	    /* the one repeated; owned */
	struct strs step;   /* names of the last step's calls */
};

/* 1 if calls of this tool may change what other calls find. */
typedef int loopcheck_changes(const char *tool);

/*
 * Look at list i of {name, hash, empty}, oldest first, of which only the
 * last `turn` ones belong to the running turn, and the last `step` of them
 * to its last step.  Three different calls in a row end a circle, and so
 * does one between two equal ones that may have changed something.
 * Frees what s held; a zeroed struct is ready.
 */
void loopcheck_find(struct loopcheck *s, const struct json *j, int i,
    size_t turn, size_t step, loopcheck_changes *changes);

#endif
