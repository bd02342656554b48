#ifndef JOB_H
#define JOB_H

/* A tool call on its way from arguments to a tool message. */

#include "buf.h"
#include "proc.h"
#include "toolcall.h"
#include "truncate.h"

/* What bounds them; 0: what the tool or the settings say. */
struct job_limits {
	long long timeout; /* seconds */
	long long max;	   /* bytes of a result */
};

struct job {
	struct toolcall *call;
	int done;    /* content is set */
	int started; /* proc runs, or has run */
	int denied;
	int interrupted;
	int exit; /* -1: none */
	long long began, ms;
	struct proc proc;
	const char *sandbox; /* what it ran in, or NULL */
	struct truncate out, err;
	int speak; /* what its descriptor 3 is; 0: it has none */
	struct buf context; /* for the next request */
	int nul; /* it printed a NUL: no text */
	struct buf content;
	struct strs loaded; /* tools that it puts on offer */
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

/* It is a call of load_tools: make its content. */
void job_load(struct job *j);

void job_start(struct job *j, const struct job_limits *l);

/* If its process is done: make its content, and set done. */
void job_check(struct job *j);

/* Put its tool message, and free it. */
void job_put(struct job *j);

#endif
