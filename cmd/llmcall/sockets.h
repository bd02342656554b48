#ifndef SOCKETS_H
#define SOCKETS_H

/*
 * Descriptors that are waited for: two of the caller's, and any number that
 * come and go, each known by its place.
 */

#include <stddef.h>

/*
 * Raise the limit of open files for n more of them, as far as it goes; how
 * many there can be, at least 1.
 */
size_t sockets_room(size_t n);

/* The place of a new one; never 0. */
size_t sockets_add(int fd);

/* What to wait for: POLLIN, POLLOUT. */
void sockets_want(size_t place, int events);

/*
 * Forget one.  Another takes its place: its descriptor, or -1 if none had
 * to move.
 */
int sockets_drop(size_t place);

/*
 * Wait up to ms milliseconds (-1: for ever) for these and for a and b to be
 * readable (-1: not wanted), and call ready for each of the others that
 * is, with its events.  A mask: 1 for a, 2 for b; -1 if a signal came.
 */
int sockets_poll(
    int a, int b, int ms, void (*ready)(int fd, int events));

#endif
