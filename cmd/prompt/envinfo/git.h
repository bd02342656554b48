#ifndef GIT_H
#define GIT_H

/*
 * The state of a git work tree.  HEAD is read from .git itself; for changes
 * (index, objects, filters, untracked files) git is run, in parallel with the
 * rest of the work.
 */

#include "buf.h"
#include "capture.h"

/* A zeroed struct is ready. */
struct git {
	struct buf dir;	   /* the git directory, and the one that */
	struct buf common; /* all work trees share; both with a slash */
	struct buf ref;	   /* "refs/heads/main"; empty if detached */
	struct buf branch; /* empty if detached */
	struct buf commit; /* hex, by git_commit; empty before the first */
	const char *state; /* "rebase", "merge" ..., or NULL */
	/* By git_counts. */
	int unsafe; /* the configuration may name commands: not asked */
	int counted;
	long long staged, modified, untracked, conflicts, changed;
	long long ahead, behind;
	struct capture status;
};

/* 1; 0 if the working directory is in no work tree or .git is not valid. */
int git_look(struct git *g);

/* Find the commit at HEAD: 1, or 0 if there is none yet. */
int git_commit(struct git *g);

/* Start "git status"; git_counts waits for it, at most ms milliseconds. */
void git_status(struct git *g);

/* 0; or -1 with why, NULL where there is no git to ask. */
int git_counts(struct git *g, long long ms, const char **why);

#endif
