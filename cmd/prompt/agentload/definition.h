#ifndef DEFINITION_H
#define DEFINITION_H

/*
 * Agent definitions, turnpipe-agents(5): Markdown with front matter, JSON, or
 * a directory with instructions.md.  Whatever it was, it is then one JSON
 * object of known keys.
 */

#include "buf.h"
#include "json.h"

/* A zeroed struct is ready and can be used again and again. */
struct definition {
	struct buf name;
	struct buf path;    /* of its file; of instructions.md without one */
	struct json json;   /* the fields, each of its own kind */
	struct buf prompt;  /* the base prompt, blanks around it left out */
	int isfirst;	    /* the prompt goes before a persona */
	struct buf why;	    /* -1: with file, line and column */
	struct buf text, fields; /* the file, what json was made of */
};

enum { DEFINITION_BAD = -1, DEFINITION_NONE = -2 };

/*
 * Read the definition of that name on the search path: agents/NAME.md, then
 * a JSON file of agents/ that has it, then agents/NAME/instructions.md, then
 * the work tree's (treeagents.h), which so replaces no agent of the user's.  0,
 * DEFINITION_NONE (also for a name that is not one, and for one that is
 * switched off), or DEFINITION_BAD with why.  With tell, a warning for a key
 * that is there twice.
 */
int definition_find(struct definition *d, const char *name, int tell);

/*
 * The same from a file; of one that holds several, that of the name, or the
 * first one where name is NULL.
 */
int definition_read(struct definition *d, const char *path, const char *name,
    int tell);

/* Append the names of all definitions, sorted. */
void definition_names(struct strs *l);

/* The fields that are configuration, appended to the object open in b. */
void definition_config(const struct definition *d, struct buf *b);

#endif
