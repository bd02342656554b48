#ifndef BENEATH_H
#define BENEATH_H

/* Directories opened without following any link, at any depth. */

#include <stddef.h>

/* For tests: do as on a kernel without openat2(2). */
extern int beneath_walk_only;

/*
 * The directory at an absolute path, the first n bytes of it, for openat(2)
 * and friends; close-on-exec.  make: with the directories that are missing.
 * A link on the way, also one put there meanwhile, is ELOOP or ENOTDIR.
 * The descriptor, or -1 and errno.
 */
int beneath_dir(const char *path, size_t n, int make);

#endif
