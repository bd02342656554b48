#ifndef AGENT_H
#define AGENT_H

/*
 * An agent definition: Markdown with front matter.  The body is its base
 * prompt, the front matter its configuration.  turnpipe-agents(5).
 */

#include "buf.h"
#include "frontmatter.h"

/* A zeroed struct is ready and can be used again and again. */
struct agent {
	struct buf text;
	struct frontmatter front;
	struct span body; /* the base prompt, blanks around it left out */
	char *path;	  /* owned */
	struct buf why;	  /* it was not read, with file, line and column */
};

/*
 * Read a definition.  0; -1 and why when the file can not be read or its
 * front matter is none.
 */
int agent_read(struct agent *a, const char *path);

/*
 * Append to l the paths of the definitions on the search path that have a
 * description, but for the one at path.  What can not be read is told.
 */
void agent_others(struct strs *l, const char *path);

/*
 * Warn of each key of the front matter that is not one of turnpipe-agents(5),
 * with its place.  agent_config leaves them out.
 */
void agent_unknown(const struct agent *a);

/*
 * Append what the front matter configures (known keys but name and description)
 * as the fields of the object that is open in b and is all that b holds; a
 * field that is there already gives way.  Texts that are JSON numbers, true,
 * false or null are written as such; lists stay lists.
 */
void agent_config(const struct agent *a, struct buf *b);

/*
 * Append key and value, a text typed in the same way: for what is given by
 * hand, where a value may also be an object or a list in JSON.
 */
void agent_field(
    struct buf *b, const char *key, const char *value, size_t n);

/* The same for "KEY=VALUE".  0; -1 if it is none, or KEY is type or by. */
int agent_pair(struct buf *b, const char *arg);

#endif
