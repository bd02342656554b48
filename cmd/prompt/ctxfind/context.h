#ifndef CONTEXT_H
#define CONTEXT_H

/*
 * Project context files: what the directories from the working directory
 * upwards say to a model (AGENTS.md and its kin).
 *
 * In each directory all of names are taken, each in the directory itself
 * and then in its variants (".agents"); where none of them is a regular
 * file, the first of fallback that is one.  Files are considered nearest
 * directory first: so the nearest of equal ones stays, and the caps are
 * spent on what is near.
 */

#include <stddef.h>
#include <sys/types.h>

#include "buf.h"

enum context_stop { CONTEXT_CWD, CONTEXT_GIT, CONTEXT_HOME, CONTEXT_ROOT };

struct context_spec {
	struct strs names;
	struct strs fallback;
	struct strs variants;
	struct strs notbelow; /* names of directories, for context_touched */
	const char *user;  /* a file that comes before all, or NULL */
	enum context_stop stop;
	int oneperdir;	   /* only the first of names and fallback */
	int nearest;	   /* only the first file of all, nearest first */
	int inside;	   /* refuse links that leave the tree */
	size_t maxfile;	   /* bytes */
	size_t maxtotal;
	size_t levels;	   /* directories */
};

struct context_file {
	char *path; /* absolute, owned */
	struct buf text; /* valid UTF-8 without BOM */
};

/* A zeroed struct is empty. */
struct context {
	struct context_file *v; /* from the top down, nearest last */
	size_t n;
	struct strs notes; /* what was left out or repaired, and why */
	size_t cap;
	struct {
		dev_t dev;
		ino_t ino;
	} *seen;
	size_t nseen, capseen;
	size_t total;
	struct {
		size_t n, nseen, total;
	} found; /* as context_find left it */
};

/* Find and read, in place of what c holds. */
void context_find(struct context *c, const struct context_spec *spec);

/*
 * Then also those of the directories that these files lie in, and of the
 * ones between them and the work tree's root, in place of what an earlier
 * call added.  Files that are not below the root, links followed, and those
 * below a directory of notbelow add nothing.
 */
void context_touched(struct context *c, const struct context_spec *spec,
    const struct strs *files);

/*
 * The file that speaks for the project: the nearest one, else the first of
 * names in the work tree's root.  In place of what b holds; 1 if it is there,
 * 0 if not, -1 and why, static or errno's text, if it must not be read.
 */
int context_project(struct buf *b, const struct context_spec *spec,
    const char **why);

#endif
