#ifndef TOOLREC_H
#define TOOLREC_H

/*
 * Tool records as the filters between see them: bytes to pass on, and a
 * name.  Ours and OpenAI's ("type":"function") alike.  turnpipe-record(5).
 */

#include "json.h"
#include "record.h"

enum { TOOLREC_NAME = 64 }; /* bytes of a name, as providers have it */

/* Is s a name that every provider takes: letters, digits, '_', '-'? */
int toolrec_isname(const char *s);

/*
 * The name of the tool in a REC_TOOL that is the record last read, of which
 * j are the tokens, as a C string that the caller frees.  A record without
 * one is bad input: dies.
 */
char *toolrec_name(const struct rec *r, const struct json *j);

/*
 * Append the tool record s, with "required" true in it whatever it said.
 * s must be a record that record_next has let through.
 */
void toolrec_require(struct buf *b, struct span s);

#endif
