#ifndef FD_H
#define FD_H

/* Descriptors: the calls of open(2) and friends that a signal cuts short. */

#include <stddef.h>
#include <sys/types.h>

#include "buf.h"

/*
 * open(2), close-on-exec, never the controlling terminal, and never in the
 * place of a standard stream that is closed.
 */
int fd_open(const char *path, int flags, mode_t mode);

/* Write all of it.  0, or -1 and errno; then a part may be written. */
int fd_write(int fd, const void *p, size_t n);

/*
 * n pipes: theirs[i] is the other side's end, its standard input (0) or what
 * it writes; ours[i] does not block.  All are close-on-exec.  0, or -1 and
 * errno; then there is none.
 */
int fd_pipes(int *ours, int *theirs, int n);

/*
 * Append n hexadecimal digits, n even and at most 64, from the kernel's random
 * numbers; dies with EX_OSERR if it gives none.
 */
void fd_random(struct buf *b, size_t n);

/* fsync(2).  0, or -1 and errno. */
int fd_sync(int fd);

/* flock(2).  0, or -1 and errno. */
int fd_lock(int fd, int how);

/* Close what was written.  0, or -1 and errno. */
int fd_close(int fd);

/* Close, and keep errno: another fault is to be reported. */
void fd_drop(int fd);

#endif
