#ifndef LEDGER_H
#define LEDGER_H

/*
 * The spending of the last hour, minute by minute, and of this month, day by
 * day, in a file that all runs share: caps, spikes, the pause they lead to (Annabelle, cost control), and
 * the circuit breaker.  JSON that anyone can cat.
 */

#include <time.h>

#include "breaker.h"
#include "buf.h"

struct ledger_limits {
	double tokens; /* in an hour; 0 for no limit */
	double cost;   /* dollars in an hour; 0 for no limit */
	struct ledger_cap {
		double tokens, cost; /* 0 for no limit */
	} day, month; /* of the user's time zone */
	double factor; /* a spike is so many times what was usual; 0: none is */
	double floor;  /* tokens a minute that are usual at least */
	double known;  /* tokens before which nothing is usual yet */
	long long window;  /* minutes that a spike lasts */
	long long pause;   /* seconds of a pause; 0: until someone ends it */
	struct breaker_limits breaker;
};

struct ledger_minute {
	long long at; /* minutes since the epoch */
	double tokens, cost;
};

struct ledger_day {
	long long day; /* 20261123 */
	double tokens, cost;
};

enum { LEDGER_MINUTES = 60, LEDGER_DAYS = 31 };

/* A zeroed struct is an empty one. */
struct ledger {
	struct ledger_minute v[LEDGER_MINUTES]; /* oldest first */
	size_t n;
	struct ledger_day days[LEDGER_DAYS]; /* of one month, oldest first */
	size_t ndays;
	time_t paused; /* since; 0 if it is not */
	struct buf why;
	struct breaker breaker;
	int lock;
};

/*
 * Read the file under its lock ("FILE.lock"), which is held until
 * ledger_close; a missing file is an empty ledger, one that cannot be
 * understood dies with EX_CONFIG.
 */
void ledger_open(struct ledger *l, const char *path);

/* Give the lock back; with save, write the file first (or die). */
void ledger_close(struct ledger *l, const char *path, int save);

/* Forget minutes over an hour old. */
void ledger_age(struct ledger *l, time_t now);

/* Tokens and dollars of the last hour. */
double ledger_tokens(const struct ledger *l);
double ledger_cost(const struct ledger *l);

/* Tokens and dollars of today, and of this month. */
struct ledger_cap ledger_today(const struct ledger *l, time_t now);
struct ledger_cap ledger_month(const struct ledger *l, time_t now);

/* Book what a call took, and pause if that is too much. */
void ledger_book(struct ledger *l, const struct ledger_limits *m, time_t now,
    double tokens, double cost);

/*
 * Is spending paused, or is the day's or the month's limit reached?  A pause
 * of limited time ends here.  1 with the reason in l->why, else 0; 2 where it
 * ends with the day or the month.
 */
int ledger_paused(
    struct ledger *l, const struct ledger_limits *m, time_t now);

/* End a pause; with reset, forget what was spent. */
void ledger_resume(struct ledger *l, int reset);

#endif
