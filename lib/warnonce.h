#ifndef WARNONCE_H
#define WARNONCE_H

/*
 * Warnings that are printed once per session.  The driver starts the pipe anew
 * for each step of a turn; a fault of a file is not worth a line each time.
 * Printed warnings are kept, as hashes, in the file "told" of the run
 * directory (TURNPIPE_RUN); without one, and in a dry run (TURNPIPE_DRY), all
 * are printed.
 */

/* warn(what), unless it was printed in this session. */
void warnonce(const char *what);

#endif
