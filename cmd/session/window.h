#ifndef WINDOW_H
#define WINDOW_H

/*
 * What of a conversation is sent.  All cuts lie at places fixed in
 * the log (multiples of a step, in messages or bytes), so that a log that
 * grows keeps its cut for a while and then moves it by much: a provider's
 * prompt cache is of use only as long as the beginning stays the same.
 */

#include "chat.h"

struct window {
	long long messages; /* of the log, at most; 0 for no limit */
	long long tokens;   /* of the view, at most; 0 for no limit */
	long long results;  /* bytes of tool results kept whole; 0: all */
	long long small;    /* bytes of a result not worth shortening */
	double keep;	    /* how much of a limit is left after a cut */
	int groups;	    /* last call groups that stay whole */
};

/* How far back a reader has come.  A zeroed struct is ready. */
struct window_walk {
	long long last; /* number of the first one seen */
	long long tokens, results;
	int enough;
};

/*
 * Must the reader, which comes from the end and has just met m, go on?  It
 * may stop once the limits are passed and the turn that is cut is open.
 */
int window_more(
    const struct window *f, struct window_walk *w, const struct chat_msg *m);

/*
 * Shorten old results in the view to text, with holes {{name}} and
 * {{chars}}: never the last groups', never errors or what is kept, never to
 * more bytes than before, never twice.
 */
void window_shorten(
    const struct window *f, struct chat *c, const char *text, size_t n);

/*
 * The first item of the window: whole groups, from the beginning of a turn
 * where one is near.  through: what a summary replaces, or 0.  If
 * a turn is cut, *opening is the item of its user's message, else -1.
 */
size_t window_choose(const struct window *f, const struct chat *c,
    long long through, long *opening);

#endif
