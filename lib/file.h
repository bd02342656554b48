#ifndef FILE_H
#define FILE_H

/* Files of the user's and ours: read with a cap, written whole or not. */

#include <stddef.h>
#include <sys/types.h>

#include "buf.h"

enum file_result {
	FILE_OK,
	FILE_ERRNO,	/* errno says why */
	FILE_IRREGULAR, /* a directory, FIFO, device or socket */
	FILE_LARGE	/* more than max bytes; the buffer is as before */
};

/*
 * Append at most max bytes of a regular file to b.  Follows links, never
 * waits on a FIFO.  FILE_LARGE reads nothing of a file whose size says so.
 */
enum file_result file_read(const char *path, struct buf *b, size_t max);

/*
 * Note in the file TURNPIPE_MADE, if that is set, what the prompt is made of: a
 * line "PROGRAM TAB WHAT TAB NAME", where WHAT is "file", which file_read notes
 * itself, or "section".
 */
void file_note(const char *what, const char *name);

/*
 * All that an open file holds, in memory until file_unmap, which only reading
 * takes; it must not become shorter meanwhile.  0, or -1 with errno.
 */
int file_map(int fd, struct span *text);
void file_unmap(struct span text);

/* The meaning of a result, for messages; errno's text for FILE_ERRNO. */
const char *file_why(enum file_result r);

/*
 * Replace path by these bytes: temporary file beside it, fsync, rename.
 * A new file gets mode; an existing one keeps its own.  Links are followed
 * and stay; a device or pipe is written to.  0, or -1 and errno.
 */
int file_write(const char *path, const void *p, size_t n, mode_t mode);

/*
 * The same without waiting for the disk: readers see the old file or the
 * new one, but a power cut may lose both.  For what can be made anew.
 */
int file_put(const char *path, const void *p, size_t n, mode_t mode);

/*
 * Append in one write(2) with O_APPEND under a lock on the file; a last
 * line that lacks its newline gets one first.  Creates the file with mode.
 * All of it or nothing.  0, or -1 and errno.
 */
int file_append(const char *path, const void *p, size_t n, mode_t mode);

/*
 * A file that goes with its last descriptor, this one, which no program
 * inherits.  file_spool: it holds these bytes, to be read from the start.  -1
 * and errno.
 */
int file_unnamed(void);
int file_spool(struct span s);

/* Make a directory and its parents, mode 0700.  0, or -1 and errno. */
int file_mkdirs(const char *path);

/* The same of the directory that path is a name in. */
int file_mkparent(const char *path);

/* Do both names lead to one file? */
int file_same(const char *a, const char *b);

/* The part of path after its last slash; all of it without one. */
const char *file_name(const char *path);

/*
 * The directory without its last name: "a/b" gives "a", "b" gives ".",
 * "/x" gives "/".  Appended to b.
 */
void file_dir(struct buf *b, const char *path);

/* Put dir, a slash if it has none, and name into b; dir may be "". */
void file_join(struct buf *b, const char *dir, const char *name);

#endif
