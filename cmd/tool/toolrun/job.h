#ifndef JOB_H
#define JOB_H

/* A tool call on its way from arguments to a tool message. */

#include <stdint.h>

#include "buf.h"
#include "proc.h"
#include "speech.h"
#include "toolcall.h"
#include "truncate.h"

struct job {
	struct toolcall *call;
	int done;    /* content is set */
	int started; /* proc runs, or has run */
	int denied;
	int unasked; /* denied by no user's word */
	uint64_t key; /* a hash of what it does, if it is read-only */
	int later; /* it waits for the user's word: done, without content */
	int interrupted;
	int exit; /* -1: none */
	long long began, ms;
	struct proc proc;
	const char *sandbox; /* what it ran in, or NULL */
	struct truncate out, err;
	int speak; /* what its descriptor 3 is; 0: it has none */
	struct speech said;
	int asks; /* where an agent asks: relay.h; 0: it cannot */
	int nul; /* it printed a NUL: no text */
	struct buf content;
	struct strs loaded; /* tools that it puts on offer */
	/* A batch (batch.h) stands behind its parts; its result has theirs. */
	struct toolcalls parts;
	size_t nparts; /* jobs in front of it that are its parts */
	int inside;    /* it is a part */
	struct buf tp; /* tp.parts */
	int seen;	   /* show.h: 1 its start was shown, 2 its end */
	struct buf change; /* and what it changes, to be shown */
};

/*
 * Read the settings and texts that jobs need: a fault in them must be
 * reported before anything runs.
 */
void job_setup(void);

/* A new job for a call; frees nothing of what j was. */
void job_init(struct job *j, struct toolcall *c);

/* It is not run: its result is this text (resulttext.h). */
void job_refuse(struct job *j, const char *key, const char *const *pairs);
/* The same with a text at hand; it is emptied. */
void job_refuse_text(struct job *j, struct buf *b);

/* The same for one that a signal came before. */
void job_never(struct job *j);

/* It is a call of load_tools: make its content. */
void job_load(struct job *j);

/* An agent shows its calls on that terminal; -1: there is none. */
void job_start(struct job *j, int terminal);

/* If its process is done: make its content, and set done. */
void job_check(struct job *j);

/* Bytes of a result of it. */
size_t job_max(const struct job *j);

/* Leave out the middle of its content, if that has more bytes than max. */
void job_clip(struct job *j, size_t max);

/* Is its result, which is there, not a success? */
int job_failed(const struct job *j);

/* Put the members of tp that say how it went. */
void job_outcome(const struct job *j, struct buf *b);

/* Put its tool message, and free it. */
void job_put(struct job *j);

void job_free(struct job *j);

#endif
