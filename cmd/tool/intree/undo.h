#ifndef UNDO_H
#define UNDO_H

/* Copies of files before they are replaced: $TURNPIPE_RUN/undo, intree(1). */

#include <sys/stat.h>

/*
 * Keep the content of descriptor old (-1: there was no file) of the file
 * path, which is about to become the file with the status now.  0; without
 * TURNPIPE_RUN nothing is kept.  -1 and errno.
 */
int undo_keep(int old, const char *path, const struct stat *was,
    const struct stat *now);

#endif
