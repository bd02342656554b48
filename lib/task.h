#ifndef TASK_H
#define TASK_H

/*
 * A task file: Markdown whose front matter says how it is run and whose
 * body is what is to be done.  turnpipe-tasks(5).
 */

#include "buf.h"
#include "frontmatter.h"

/* A zeroed struct is ready. */
struct task {
	struct buf raw;
	struct frontmatter front;
	struct span body; /* what is to be done, blanks around it left out */
	char *path;	  /* absolute, links resolved; owned */
	char *name;	  /* the file's, without ".md"; owned */
};

/*
 * Read and check.  Any fault dies: EX_NOINPUT, or EX_DATAERR with its
 * place, also an unknown key: an unattended run must do what its author
 * meant.
 */
void task_read(struct task *t, const char *path);

/* A key's text, owned by the caller; NULL if it is not there. */
char *task_get(const struct task *t, const char *key);

/*
 * When cron shall run it, owned by the caller: the key schedule, else the
 * comment "# schedule: ..." in the front matter.  NULL if neither is there.
 */
char *task_schedule(const struct task *t);

/* Append a key's value, that of a list each; 0 if it is not there. */
int task_list(const struct task *t, const char *key, struct strs *l);

/*
 * If $TURNPIPE_TASK names one, put its config record: a task's front matter
 * is the user's word.  Its model, or NULL.
 */
const char *task_put(void);

/*
 * Append the path of a file of its runs: in the state directory, its name, a
 * hash of its path and suffix.
 */
void task_state(const struct task *t, struct buf *b, const char *suffix);

#endif
