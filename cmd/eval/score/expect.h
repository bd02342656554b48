#ifndef EXPECT_H
#define EXPECT_H

/* What a case expects of its answer: turnpipe-eval(7), EXPECTATIONS. */

#include "json.h"

/* A tool call of the answer: JSON values. */
struct expect_call {
	struct buf name, args;
};

/* All that is known of an answer.  A zeroed struct is ready. */
struct expect_answer {
	struct buf text; /* of its last message */
	struct expect_call *calls;
	size_t ncalls, cap;
	long long steps, tokens;
	double cost;
	int hasusage, haspriced; /* tokens, cost are known */
	struct buf verdict;  /* what the judge answered, JSON */
};

/*
 * Look at an object "expect" that fits schemas/case.json: are its regular
 * expressions and schemas such?  0; or -1, with the token at fault in *at and
 * why, a static text.
 */
int expect_check(const struct json *j, int i, int *at, const char **why);

/*
 * Is all of it true?  1; 0 with the reasons appended to why, "; " between
 * them; -1 if it cannot be known, with the reason.  Dies with EX_OSERR where
 * a command cannot be started.
 */
int expect_holds(const struct json *j, int i, const struct expect_answer *a,
    struct buf *why);

/* Forget the answer, keep the memory. */
void expect_reset(struct expect_answer *a);

#endif
