#ifndef WARNONCE_H
#define WARNONCE_H

/*
 * Warnings that a session hears once.  The driver starts the pipe anew for
 * each step of a turn; what is wrong with a file is not worth a line each
 * time.  What was told is kept, as hashes, in the file told of the run
 * directory (TURNPIPE_RUN); where there is none, and in a dry run
 * (TURNPIPE_DRY), all is told.
 */

/* warn(what), unless this session has heard it. */
void warnonce(const char *what);

#endif
