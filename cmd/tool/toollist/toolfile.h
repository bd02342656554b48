#ifndef TOOLFILE_H
#define TOOLFILE_H

/*
 * What a tool's schema file (NAME.json) says, and the tool record made of
 * it.  turnpipe-tools(5).
 */

#include <stddef.h>

#include "buf.h"
#include "json.h"

enum { TOOLFILE_MAX = 1 << 20 }; /* bytes of a schema file */

/* A zeroed struct is ready and can be used again and again. */
struct toolfile {
	struct json json;
	struct buf text;
	int at;	   /* the object that describes it: 0, or "function" */
	int flags; /* it takes its arguments as --options */
	int isempty;  /* after -1: nothing is in the file, or */
	struct buf why; /* "file:line:col: what was expected" */
};

/*
 * Read and check the schema of the tool called name.  0, or -1: it cannot
 * be read, is no JSON, or says what we do not know.
 */
int toolfile_read(struct toolfile *t, const char *path, const char *name);

/* The same of the text that is in t already, from path; clears flags. */
int toolfile_check(struct toolfile *t, const char *path, const char *name);

/*
 * Append its "needs", commands without which the tool is of no use.
 * Returns its "with" as an enum rec_type: the tool is of use only where such
 * a record is; 0 if it is always.
 */
int toolfile_needs(const struct toolfile *t, struct strs *needs);

/* Has the setting a value that its "setting" names?  1 without one. */
int toolfile_set(const struct toolfile *t);

/* Is it the tool that toolrun(1) itself expands: without a program? */
int toolfile_isbatch(const struct toolfile *t);

/* Append the tool record, run by the program exec (absolute). */
void toolfile_record(const struct toolfile *t, const char *name,
    const char *exec, struct buf *b);

#endif
