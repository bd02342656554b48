#ifndef FACT_H
#define FACT_H

/*
 * Facts: what is worth knowing beyond a conversation.  They live in
 * append-only files, one per scope; forgetting one appends a record that
 * says so.  turnpipe-facts(5).
 */

#include <stddef.h>

#include "buf.h"
#include "json.h"

enum fact_scope {
	FACT_USER,
	FACT_PROJECT,
	FACT_AGENT,
	FACT_EPISODE,
	FACT_SCOPES
};

enum {
	FACT_ID = 16,	 /* hexadecimal digits of an id */
	FACT_TEXT = 2000 /* bytes of a text */
};

struct fact {
	char id[FACT_ID + 1];
	char *text; /* one line; owned, as are the others */
	char *category;
	char *time; /* RFC 3339, or NULL */
	char *source;
	char *session; /* the id of where it was said, or NULL */
	int outputseen; /* the model had output of tools before it */
	double confidence;
	enum fact_scope scope;
	int forgotten;
};

/* "user" etc. */
const char *fact_scope_name(enum fact_scope s);

/* Path of a scope's file for this project and agent; appended to b. */
void fact_file(struct buf *b, enum fact_scope s);

/*
 * The fact that object i says; free what f held first with fact_free.  0, or
 * -1 and *why.  A confidence may be a text; one over 1 is refused.
 */
int fact_take(
    struct fact *f, const struct json *j, int i, const char **why);
void fact_free(struct fact *f);

/* The id that a fact with this text has. */
void fact_id(char id[FACT_ID + 1], const char *text, size_t n);

/* Write it as the fields of a fact record. */
void fact_emit(struct buf *b, const struct fact *f);

/* Append a record to its scope's file (0600).  Dies if that fails. */
void fact_append(enum fact_scope s, struct buf *record);

#endif
