#ifndef SKILLSET_H
#define SKILLSET_H

/*
 * All skills there are: those of the project, then of the home, then of the
 * search path, each directory of skills in order of name.  The first of a
 * name wins.  Looked for once per process.
 */

#include <stddef.h>

#include "buf.h"
#include "skill.h"

/* What is kept of a skill's front matter; all owned by the set. */
struct skillset_item {
	char *name, *description, *dir;
	struct strs keywords; /* folded: keyword_fold */
	struct strs tools;
	long long priority;
	int hidden;
};

struct skillset {
	struct skillset_item *v;
	size_t n, cap;
	size_t told; /* skills that are not taken */
};

/* What of it is told on stderr. */
enum skillset_say { SKILLSET_QUIET, SKILLSET_LOST, SKILLSET_ALL };

/*
 * Find them; extra directories come first.  Reads the settings skillmenu.*.
 */
void skillset_find(struct skillset *s, const struct strs *extra, int strict,
    enum skillset_say say);

/* The item of that name, or NULL. */
const struct skillset_item *skillset_get(
    const struct skillset *s, const char *name);

/*
 * Mark in hit (n bytes) the playbooks whose keywords stand in a message:
 * highest priority first, at most max; their indices go to order.  Number.
 */
size_t skillset_match(const struct skillset *s, const struct buf *message,
    size_t *order, size_t max);

#endif
