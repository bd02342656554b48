#ifndef ENVVALUE_H
#define ENVVALUE_H

/*
 * What the templates in prompts/env/ can say: the holes {{cwd}}, {{branch}},
 * {{iso}} ... of envinfo(1).  Each is found out when it is first asked for.
 */

#include <stddef.h>

#include "buf.h"
#include "tree.h"

struct envvalue_spec {
	const char *joiner; /* between the names of a list */
	int gitstatus;	    /* may git be run? */
	long long gitms, toolms;
	struct tree_spec tree;
};

/* The holes that a text used. */
struct envvalue_use {
	int missing;	/* a hole that has no value here */
	int isvolatile; /* one that changes from turn to turn */
	int timed;	/* one of the clock's */
};

/* Before all others; spec must stay. */
void envvalue_init(const struct envvalue_spec *spec);

/* What this template will want: start nothing yet. */
void envvalue_expect(const char *text, size_t n);

/* Start what takes long, once all templates are known. */
void envvalue_start(void);

/* A template_fill: arg is a struct envvalue_use, added to. */
int envvalue_fill(struct buf *b, const char *name, size_t n, void *arg);

/* Find everything out anew. */
void envvalue_reset(void);

#endif
