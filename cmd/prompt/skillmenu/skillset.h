#ifndef SKILLSET_H
#define SKILLSET_H

/*
 * All skills there are, sorted by name.  Of several with one name the first
 * wins: those of the project (nearest first), of the home, of the settings, of
 * the search path.
 */

#include <stddef.h>

#include "buf.h"
#include "keyword.h"
#include "skill.h"

/* The kept part of a skill's front matter; all owned by the set. */
struct skillset_item {
	char *name, *description, *dir;
	const char *file; /* in dir; static */
	struct strs keywords; /* folded; a playbook has some */
	struct strs vetoes;   /* folded */
	struct strs tools;    /* each once */
	struct strs allowed;  /* what it would call unasked: grant.h */
	double priority;
	int hidden;
	int aside;   /* from a directory of playbooks */
	int off;     /* switched off by an empty file: it only hides others */
	int shared;  /* from the search path */
	size_t rank; /* of its directory: the lower one wins */
};

struct skillset {
	struct skillset_item *v;
	size_t n, cap;
};

/* Report something of skills once a session (warnonce.h), unless quiet. */
void skillset_tell(int quiet, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Find them in place of those of s; those lost, doubtful or hidden by another
 * one are reported.  Reads the settings skillmenu.project, .home and .dirs.
 */
void skillset_find(struct skillset *s, int quiet);

/*
 * The item of that name, or else the only one in a directory of that name,
 * that is neither hidden nor off; or NULL.
 */
const struct skillset_item *skillset_get(
    const struct skillset *s, const char *name);

/*
 * The playbooks of which a clause of the text has a keyword and no veto; unless
 * all is set, none from a directory of playbooks.  Highest priority first and
 * then by name: their indices, room for n of them, to order.  Their number.
 */
size_t skillset_match(const struct skillset *s, const struct keyword_text *t,
    int all, size_t *order);

/* Is its text one that comes by itself? */
int skillset_isplaybook(const struct skillset_item *it);

#endif
