#ifndef CALLSTATE_H
#define CALLSTATE_H

/* What is known of one model call while it is under way. */

#include <stddef.h>

#include "buf.h"
#include "delta.h"
#include "fault.h"
#include "holdback.h"
#include "http.h"
#include "json.h"
#include "provider.h"
#include "purse.h"
#include "retry.h"
#include "sse.h"

/* The same for all calls of a process. */
struct call_options {
	const char *model; /* instead of the request's; or NULL */
	struct http_limits limits;
	struct retry retry;
	int whole_body; /* ask for no stream */
	int textfd;	/* text goes there as it comes; -1: nowhere */
	int deltas;	/* delta records go to standard output */
	struct strs hide; /* tags that are not for people */
	int dry;	/* write the bytes of the request, call nobody */
	int named;	/* say on standard error which call is meant */
};
extern struct call_options call_options;

enum call_state {
	CALL_NEW,
	CALL_READY, /* to be sent: call_step */
	CALL_PAUSED, /* between two tries: call_step at due */
	CALL_OPEN,
	CALL_OVER /* out and code are set */
};

/* A zeroed struct is ready for call_take. */
struct call {
	enum call_state state;
	long long due;	/* clock_ms */
	struct buf out; /* the answer's records, each with its newline */
	int code;	/* 0, or the exit status */
	struct buf request; /* the record */
	struct json json;
	struct buf id; /* the request's, a JSON value, or empty */
	void (*moved)(struct call *); /* called when it pauses or is over */
	void *owner; /* the caller's */
	unsigned long number; /* of brake.h, of the last try */
	int refused; /* the last try, for being one too many */
	struct purse_toll toll; /* of the tries before the last one */
	/* Private. */
	struct provider *provider;
	const struct family *family;
	char *model; /* with the provider's name in front */
	const char *rest;
	const char *key;
	struct buf body, raw, url, tag, server;
	struct http http;
	struct sse sse;
	struct delta delta;
	struct fault fault;
	long long began, first; /* clock_ms; first 0: nothing came yet */
	int tries, spared, streaming, sniffed, any, failed, garbled;
	int done; /* "[DONE]" came after something */
	int nooptions, streams;
	int goneon; /* times; with what the model said put behind */
	struct json longer; /* the request, which is then */
	struct buf more;
	struct json adapted; /* the request, for a provider with less */
	struct buf other;
	struct http_limits limits;
	/* Of the text: what people have seen, without tags. */
	struct holdback held;
	struct strs hide; /* tags of the text that are not for people */
	size_t shown, fed;
	int ended;
	int doubtful;	/* it may be a leaked call; -1: not known yet */
	size_t doubted; /* bytes at which that is looked at again */
	const char *rescued;  /* the form of the call that it was */
	struct strs coerced; /* "ID.path" of arguments */
};

/* Copy the request, of n bytes without newline, that the gate passed. */
void call_take(struct call *c, const char *s, size_t n, size_t ntok);

/* The request as its provider takes it. */
const struct json *call_request(const struct call *c);

/* Append all that its answer depends on: the request, and the options that
 * say something of it. */
void call_text(const struct call *c, struct buf *b);

/* Free what it holds. */
void call_free(struct call *c);

/* Its end, or a pause until due: tell the caller. */
void call_over(struct call *c);
void call_pause(struct call *c, long long due);

#endif
