#ifndef CLOCK_H
#define CLOCK_H

/*
 * The time, which TURNPIPE_NOW (RFC 3339) fixes for reproducible runs.
 */

#include <time.h>

#include "buf.h"

/*
 * TURNPIPE_NOW=frozen: the time is a fixed one, and what is composed does not
 * depend on anything else that only passes, as the state of git.
 */
int clock_isfrozen(void);

/* Seconds since the epoch; an invalid TURNPIPE_NOW dies (EX_USAGE). */
time_t clock_now(void);

/* Milliseconds of a clock that only goes forward, for durations. */
long long clock_ms(void);

/*
 * Milliseconds since the machine was started, also those that it slept, as
 * /proc/uptime has them: what a script and a command can both read.
 */
long long clock_up_ms(void);

/* RFC 3339 in UTC, "2026-11-21T09:30:00Z"; appended to b. */
void clock_utc(struct buf *b, time_t t);

/* Parse RFC 3339 with any offset.  0, or -1. */
int clock_parse(const char *s, time_t *t);

/*
 * The user's zone: TZ, else /etc/timezone or the target of /etc/localtime,
 * as an IANA name ("Europe/Warsaw"), else "UTC".  A TZ that spells out its
 * rule ("CET-1CEST") is returned as it is.  Owned by us.
 */
const char *clock_zone(void);

/* TZ where it names no zone that is known, so that UTC is used; else NULL. */
const char *clock_unknown(void);

/*
 * strftime in that zone, in English whatever the locale; appended to b.
 * Sets TZ to the zone, so that the C library means the same one.
 */
void clock_local(struct buf *b, time_t t, const char *fmt);

#endif
