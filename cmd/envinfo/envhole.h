#ifndef ENVHOLE_H
#define ENVHOLE_H

/*
 * What the templates in prompts/env/ can say: the holes {{cwd}}, {{branch}},
 * {{iso}} ... of envinfo(1).  Each is found out when it is first asked for.
 */

#include <stddef.h>

#include "buf.h"
#include "tree.h"

struct envhole_spec {
	const char *joiner; /* between the names of a list */
	int gitstatus;	    /* may git be run? */
	long long gitms, toolms;
	struct tree_spec tree;
};

/* What a text used. */
struct envhole_use {
	int missing;	/* a hole that has no value here */
	int isvolatile; /* one that changes from turn to turn */
	int timed;	/* one of the clock's */
};

/* Before all others; spec must stay.  Notes for people go to notes. */
void envhole_init(const struct envhole_spec *spec, struct strs *notes);

/* Start what takes long, if this template will want it. */
void envhole_prepare(const char *text, size_t n);

/* A template_fill: arg is a struct envhole_use, added to. */
int envhole_fill(struct buf *b, const char *name, size_t n, void *arg);

/* Find everything out anew. */
void envhole_reset(void);

#endif
