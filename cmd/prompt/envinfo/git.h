#ifndef GIT_H
#define GIT_H

/*
 * The state of a git work tree.  HEAD is read from .git itself; for changes
 * (index, objects, filters, untracked and ignored files) git is run, in
 * parallel with the rest of the work.
 */

#include "buf.h"
#include "capture.h"

/* What is counted. */
enum git_count {
	GIT_CHANGED,
	GIT_STAGED,
	GIT_MODIFIED,
	GIT_UNTRACKED,
	GIT_CONFLICTS,
	GIT_AHEAD,
	GIT_BEHIND,
	GIT_COUNTS
};

/* A zeroed struct is ready. */
struct git {
	struct buf dir;	   /* the git directory, and the one that */
	struct buf common; /* all work trees share; both with a slash */
	struct buf branch; /* empty if detached */
	struct buf commit; /* hex, if detached */
	const char *state; /* "rebase", "merge" ..., or NULL */
	int unsafe; /* the configuration may name commands: not asked */
	struct capture status;
	/* By git_wait. */
	long long count[GIT_COUNTS];
	struct strs ignored; /* paths below the root, sorted by bytes */
};

/* 1; 0 if the working directory is in no work tree or .git is not valid. */
int git_look(struct git *g);

/* Start "git status", with ignored for what is ignored, too. */
void git_start(struct git *g, int ignored);

/*
 * Wait for it, at most ms milliseconds.  0; or -1 with why, NULL where there
 * is no git to ask.
 */
int git_wait(struct git *g, long long ms, const char **why);

#endif
