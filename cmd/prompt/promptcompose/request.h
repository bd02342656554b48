#ifndef REQUEST_H
#define REQUEST_H

/*
 * A request in the making: messages, tools and settings become the body of
 * one Chat Completions call as a request record.  turnpipe-record(5).
 */

#include <stddef.h>

#include "buf.h"
#include "fields.h"
#include "json.h"
#include "prompt.h"
#include "record.h"

/* A tool on offer. */
struct offer {
	char *name; /* owned */
	size_t at, n;	/* its record in the text of all */
	size_t fat, fn; /* what the request says of it */
	int required;
};

/* Zeroed, it is empty. */
struct request {
	const struct strs *escape; /* tags that no result may write; or NULL */
	struct buf messages; /* with a comma after each */
	size_t nmessages;
	size_t last_at; /* where the last one begins */
	long long first, last; /* their numbers in the log; 0: none has one */
	size_t nshortened;     /* of them histfit cut */
	int ishalf; /* the last one is an answer that broke off */
	int hascalls;
	long long excess; /* tokens; see media.h */
	struct offer *v;
	size_t n, cap;
	const struct offer **order; /* by name, once sorted says so */
	size_t ordercap;
	int sorted;
	struct buf text;
};

/*
 * Take in a message: every value byte for byte and in its order, but without
 * our own "tp" and "type".  Only where q has tags to escape, a tool's result,
 * and what of a user's message was not typed, have "&lt;" for their '<'.
 */
void request_message(struct request *q, const struct rec *r);

/*
 * There are no more messages: put calls and results in order (pairs.h).  Half
 * an answer does not end them, but where a reminder speaks of it.
 */
void request_complete(struct request *q, int isreminded);

/*
 * Take in a tool record, or an OpenAI tool object.  Dies at the record if it
 * has no name or one that is there already.
 */
void request_tool(struct request *q, const struct rec *r);

/* The n tools, by name; owned by q, until it changes. */
const struct offer *const *request_sort(struct request *q);

/*
 * Put the tool records on offer, sorted by name.  Those in the string array
 * at token called of j are no longer required.
 */
void request_offer(struct request *q, const struct json *j, int called);

/*
 * The request record and a newline, in three parts that are good until q
 * is touched again: the messages, which may be long, are not copied.  id is
 * JSON, or empty; model NULL if unknown.  Of config everything goes in but
 * what is meant for us alone.
 */
void request_text(struct request *q, struct span part[3], struct span id,
    const char *model, const struct prompt *p, struct fields *config);

/*
 * Append the members of config that the request has, sorted by name, to the
 * object that b ends in.
 */
void request_settings(const struct request *q, struct buf *b,
    struct fields *config);

/* What the tools on offer take, and what the messages do, estimated. */
size_t request_tool_tokens(const struct request *q);
size_t request_message_tokens(const struct request *q);

/*
 * Would the prompt, all of this and the answer be over the model's context
 * window?  If so, why gets the sizes.  Estimates are multiplied by ratio.
 * known is what the messages are known not to exceed, in tokens; 0: nothing.
 */
int request_over(const struct request *q, const struct prompt *p,
    struct fields *config, double ratio, long long known, struct buf *why);

/* Forget the conversation. */
void request_reset(struct request *q);

#endif
