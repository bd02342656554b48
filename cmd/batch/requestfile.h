#ifndef REQUESTFILE_H
#define REQUESTFILE_H

/*
 * A file of requests, looked at before the first of them is paid for.
 */

#include "record.h"

/* The id of a request or an answer, as JSON text; empty if it has none. */
struct span requestfile_id(const struct rec *r);

/*
 * Read a file from where it is to its end, and go back: each line is one that
 * can be asked, and no id is there twice.  Each record goes to take, which
 * may be NULL.  Dies with EX_DATAERR at the place in name, or EX_IOERR.  What
 * record_next reads afterwards is the same file.  Returns the number of its
 * lines; -1 if it is not a regular file, of which nothing was read.
 */
long long requestfile_check(int fd, const char *name,
    void (*take)(const struct rec *r));

#endif
