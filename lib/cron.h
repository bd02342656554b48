#ifndef CRON_H
#define CRON_H

/* Lines of a crontab(5), as POSIX and Vixie's cron read them. */

#include "buf.h"

enum { CRON_LINE = 998 /* bytes that every cron takes */ };

/*
 * Is this when something is to run: five fields of numbers, lists, ranges,
 * steps and names, or a word such as @daily?  NULL, or what was expected.
 */
const char *cron_check(const char *when);

/*
 * Append a word of a command as sh reads it, quoted where it must be; with
 * percent also as cron hands it to sh, with "\%" for each '%'.  s holds no
 * newline if percent is set.
 */
void cron_word(struct buf *b, const char *s, int percent);

#endif
