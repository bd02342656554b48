#ifndef STATEFACTS_H
#define STATEFACTS_H

/*
 * What a session's end says about itself: the state record and the section
 * session-files.  Raw facts only; whoever knows limits and tools derives
 * the rest.  turnpipe-record(5), state.
 */

#include "chat.h"
#include "session.h"
#include "record.h"

/* Which tools touch what, and by which argument (settings, histfit). */
struct statefacts_names {
	struct strs readers, writers, loaders;
	struct strs paths, skills; /* names of arguments */
	struct strs nothing; /* patterns: results without a hit */
	long long calls;	   /* how many of the last calls are listed */
};

/*
 * The faults since the model last gave a whole answer.  A zeroed struct
 * is ready.
 */
struct mishap {
	long long retries; /* marks "retry" since then */
	struct span error; /* the last error record; p NULL for none */
	size_t looked;	   /* messages looked at for that answer */
	int settled;	   /* it was met */
};

/* The last mark "until" of the running turn: a check that failed. */
struct failedcheck {
	char *output, *file; /* owned; NULL for none */
	long long round, status;
	int there;
};

/* Facts met beside messages.  behind: messages met after it. */
struct statefacts {
	struct span usage; /* the last usage record; p NULL for none */
	size_t usage_behind;
	int usage_stale;     /* a summary was met before it */
	struct span summary; /* the last summary record, likewise */
	size_t stop_behind; /* of the last mark "interrupted" */
	int stopped;	    /* there is one */
	struct mishap mishap;
	struct failedcheck check;
};

/* What was touched, also by messages that are no longer shown. */
struct statefacts_touched {
	struct strs read, modified; /* paths */
	struct strs skills;	    /* names of those loaded */
};

/* What the first n messages of c touched, after the summary's entries. */
void statefacts_touched(struct statefacts_touched *t,
    const struct statefacts *r, const struct statefacts_names *names,
    const struct chat *c, size_t n);

/*
 * Tokens of the context: the last usage and an estimate of what came after,
 * or an estimate of the summary, the window and what is open.
 */
long long statefacts_tokens(const struct statefacts *r, const struct chat *c,
    size_t start, long opening);

/*
 * What the provider of the last usage counts for a token of our estimates,
 * 0.5 to 2; 1 if that is not known.
 */
double statefacts_ratio(const struct statefacts *r);

/* The estimate alone, not repaired by that ratio. */
long long statefacts_estimate(const struct statefacts *r, const struct chat *c,
    size_t start, long opening);

/*
 * Put the state record.  c has its view; its window is from item start and,
 * if opening >= 0, that item; t is what all of it touched.
 */
void statefacts_put(const struct statefacts *r,
    const struct statefacts_names *names, const struct chat *c, size_t start,
    long opening, struct span id, const struct session_count *count,
    const struct statefacts_touched *t);

/* The skill that a call loaded, the caller frees it; NULL if it loaded none. */
char *statefacts_skill(const struct chat *c, const struct chat_call *d,
    const struct statefacts_names *names);

/* Put the section session-files, if any file was touched.  Sorts t. */
void statefacts_files(struct statefacts_touched *t);

/*
 * Take a mark or an error, reading back from a session's end; c holds the
 * messages after it.
 */
void statefacts_mishap(
    struct statefacts *s, const struct rec *r, const struct chat *c);

#endif
