#ifndef TASKRUN_H
#define TASKRUN_H

/* A run of a task, and its record.  turnpipe-tasks(5). */

#include "task.h"

/* Zeroed, with status and notified -1, it is ready. */
struct taskrun {
	const char *answer;  /* the file with what it answered, or NULL */
	const char *begun;   /* when it began, or NULL */
	const char *session; /* its file, or NULL */
	long long status;    /* -1: the run was lost */
	long long notified;  /* the status of what notify: names; -1: none */
	/* In its session. */
	long long denied, in, out, steps; /* calls, tokens, answers */
	double cost;
};

/* Read the session and append a record of the run to the task's log. */
void taskrun_log(struct taskrun *r, const struct task *t);

#endif
