#ifndef FACTLOG_H
#define FACTLOG_H

/* The lines of the facts' files. */

#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "fact.h"

struct factline {
	enum fact_scope scope;
	struct span line;
	size_t number;	  /* from 1 */
	uint64_t id;
	int forgotten;	  /* deletes earlier lines with this id */
	int persona;	  /* its category is persona */
	struct span text; /* decoded; good during the call */
};

typedef void factlog_fn(const struct factline *l, void *arg);

/*
 * Call fn for each line of a scope's file, first to last.  The lines stay
 * where they are until the process ends: a file is read once, so that lines
 * appended later are not seen.  A line that is not a fact is left out, and
 * reported on stderr the first time.  Dies if the file exists and cannot be
 * read.
 */
void factlog_each(enum fact_scope s, factlog_fn *fn, void *arg);

/* Another project or agent: lines that were seen are no longer there. */
void factlog_forget(void);

/* The same for lines in memory; warnings give name as their file. */
void factlog_lines(struct span text, const char *name, enum fact_scope s,
    factlog_fn *fn, void *arg);

/* Lines by their scope and id.  A zeroed struct is empty. */
struct factset {
	struct factslot {
		struct span line; /* p is NULL where the slot is free */
		size_t number;
		uint64_t id;
		unsigned char scope, forgotten;
	} *v;
	size_t n, cap;
};

/* The one kept, or NULL. */
const struct factslot *factset_get(
    const struct factset *t, enum fact_scope s, uint64_t id);
/* Keep this line, in place of another with its scope and id. */
void factset_put(struct factset *t, const struct factline *l);

/*
 * Call each(f, arg) for every fact of a scope that is not forgotten, the
 * last one of each id.  f is good during the call.
 */
void factlog_facts(enum fact_scope s,
    void (*each)(const struct fact *f, void *arg), void *arg);

/* The number that an id of 16 hexadecimal digits is.  0, or -1. */
int factlog_id(const char *s, size_t n, uint64_t *id);

#endif
