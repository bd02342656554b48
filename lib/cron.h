#ifndef CRON_H
#define CRON_H

/*
 * Lines of a crontab(5), as POSIX and Vixie's cron read them, and the same
 * times and words as systemd.timer(5) and systemd.service(5) have them.
 */

#include <time.h>

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

/*
 * Append when something is to run, which cron_check() has passed, as lines
 * of a [Timer]: where cron takes either of two kinds of day, two lines.
 */
void cron_timer(struct buf *b, const char *when);

/*
 * The last time up to now that it was to run, in the C library's time zone; 0
 * if there is none, as of @reboot.  cron_check() has passed it.
 */
time_t cron_last(const char *when, time_t now);

/*
 * Append a text as a word of a unit file: in quotes, with "%%" for '%' and,
 * of a command, "$$" for '$'.  s holds no newline.
 */
void cron_unitword(struct buf *b, const char *s, int command);

#endif
