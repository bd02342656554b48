#ifndef DISPLAY_H
#define DISPLAY_H

/*
 * What people see of an answer's text, as it comes: delta records.  Tags for the program are not among it, nor what may still
 * turn out to be a tool call that leaked into the text.
 */

#include "buf.h"
#include "json.h"
#include "reply.h"

/*
 * Tags that a model writes for the program, not for people, taken out of a
 * text as it comes: "<status>Running the tests</status>".  The possible
 * beginning of one is held back until it is known.  In code, between
 * backticks, tags do not count.
 */

struct tagfilter_tag {
	const char *name; /* not owned */
	struct strs texts;
	size_t shown; /* of them, in deltas */
};

/* Bytes of the text that are not in out. */
struct tagfilter_cut {
	size_t at, n;
};

/* A zeroed struct takes out nothing. */
struct tagfilter {
	struct buf out; /* what people see */
	struct tagfilter_tag *tag;
	size_t ntags, tagcap;
	/* Private. */
	struct tagfilter_cut *cut;
	size_t ncuts, cutcap;
	struct buf pending;
	size_t at;    /* of the text, what is taken in */
	int eat;      /* blanks after a tag go with it */
	int start;    /* blanks alone, or backticks, since the line's start */
	int ticks;    /* at the line's start */
	int fenced, code;
};

/* Begin with a text; its tags have these names. */
void tagfilter_reset(struct tagfilter *h, const struct strs *names);

/* Take in more of the text. */
void tagfilter_feed(struct tagfilter *h, const char *s, size_t n);

/*
 * There is no more: what is held back is text; of a text that broke off, half
 * a tag.
 */
void tagfilter_end(struct tagfilter *h, int whole);

/* Blocks that counted bytes of the text count those of out. */
void tagfilter_blocks(const struct tagfilter *h, struct blocks *bs);

/* Are there any tags? */
int tagfilter_any(const struct tagfilter *h);

/* Write the tags' texts as members of an open object, each a list. */
void tagfilter_put(const struct tagfilter *h, struct buf *b);

void tagfilter_free(struct tagfilter *h);

/* The same for all calls of a process. */
struct display_options {
	int deltas; /* text goes out as it comes, in delta records */
};
extern struct display_options display_options;

/* The part of a reply that was seen.  A zeroed struct is ready. */
struct display {
	struct tagfilter filter;
	/* Private. */
	const struct json *request;
	struct strs hide; /* tags that the request keeps out of the text */
	size_t shown, fed;
	int ended;
	int doubtful;	/* it may be a leaked call; -1: not known yet */
	size_t doubted; /* bytes at which that is looked at again */
};

/* A try of this request begins, of which nothing has been seen. */
void display_begin(struct display *d, const struct json *request);

/* More of the text has come. */
void display_show(struct display *d, const struct reply *r);

/*
 * No more will come: what was held back is shown, and the text of the reply
 * becomes what people see.  whole: it did not break off.
 */
void display_end(struct display *d, struct reply *r, int whole);

/* The text was a call: there is nothing to see. */
void display_drop(struct display *d, struct reply *r);

/* The answer's record follows, which ends its line. */
void display_over(void);

/*
 * Before a message on a terminal: the line that the text left open ends, and
 * what the pipe holds is awaited, for two seconds at most, to stand above.
 */
void display_settle(void);

void display_free(struct display *d);

#endif
