#ifndef PROJFILE_H
#define PROJFILE_H

/*
 * The project's context file, as its people tend it.  These are ends of a
 * command: what fails dies.
 */

#include <stddef.h>

/* Write path's text to standard output. */
void projfile_show(const char *path);

/* Run the user's editor on it; does not return. */
_Noreturn void projfile_edit(const char *path);

/*
 * Add text as a paragraph at the end, creating the file, but not where a link
 * to nowhere leads.  Refuses what would make it larger than max bytes, since
 * then nobody would read it any more.
 */
void projfile_append(const char *path, const char *text, size_t max);

/*
 * Make it from the answers to the questions of prompts/init.yaml, read as
 * lines from standard input; the questions go to standard error when that
 * is a terminal.  0; -1 if no question was answered, and nothing is written.
 */
int projfile_init(const char *path);

#endif
