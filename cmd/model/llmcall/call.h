#ifndef CALL_H
#define CALL_H

/*
 * One model call: a request record in, the records of its answer out, over
 * as many tries as it takes.  Nothing that is half an answer passes for a
 * whole one: what broke off is a message with tp.partial, without calls,
 * and an error record.
 */

#include <stddef.h>

#include "api.h"
#include "apierror.h"
#include "buf.h"
#include "display.h"
#include "http.h"
#include "json.h"
#include "provider.h"
#include "record.h"
#include "reply.h"
#include "retry.h"
#include "spendcap.h"
#include "sse.h"

/* The same for all calls of a process. */
struct call_options {
	/* Instead of the request's; or NULL.  Several have commas between. */
	const char *model;
	struct http_limits limits;
	struct retry retry;
	int dry;	/* write the bytes of the request, send nothing */
	int named;	/* say on standard error which call is meant */
	const char *where; /* said in place of that; or NULL */
	size_t prefix;	/* bytes of its id that do not help there */
};
extern struct call_options call_options;

enum call_state {
	CALL_NEW,
	CALL_READY,  /* to be sent: call_step */
	CALL_PAUSED, /* between two tries: call_step at due */
	CALL_OPEN,
	CALL_OVER /* out and code are set */
};

/* How a try ended; classify_end() in call.c decides it, once. */
enum call_end {
	END_NONE,	/* it has not ended */
	END_CUT,	/* the connection broke, or a time limit passed */
	END_ERROR,	/* the server says what is wrong */
	END_GARBLED,	/* what came cannot be read */
	END_UNFINISHED, /* it came to its end without being over */
	END_FAILED,	/* the model failed */
	END_PAUSED,	/* the model wants to be asked to go on */
	END_LENGTH,	/* at the length limit */
	END_OVERFLOW,	/* at the end of the context window */
	END_REFUSED,	/* by the model */
	END_FILTERED,	/* by the provider, what came is partial */
	END_WHOLE
};

/* The request, model and provider.  Constant from call_prepare on, but where
 * the next of several models is asked. */
struct call_request {
	struct buf record;
	struct json json;
	struct buf id; /* a JSON value, or empty */
	struct strs models; /* asked in turn; empty: the default one */
	size_t asked;	    /* of these */
	struct provider *provider;
	const struct api *api;
	char *model;	  /* with the provider's name in front */
	const char *rest; /* without */
	const char *key;
	struct buf url;
	int streams;	     /* it asks for a stream */
	struct json adapted; /* for a provider with less; ntok 0: none */
	struct buf adapted_text;
};

enum call_form { BODY_UNKNOWN, BODY_WHOLE, BODY_STREAM };

/* A try, as bytes: what is sent and what comes. */
struct call_transport {
	struct http http;
	struct http_limits limits;
	struct buf body;     /* sent */
	enum call_form form; /* of what comes */
	struct sse sse;
	struct buf raw; /* what came, where it is not a stream */
	int done;	/* "[DONE]" came after something */
};

/* A zeroed struct is ready for call_take. */
struct call {
	enum call_state state;
	long long due;	/* clock_ms */
	struct buf out; /* the answer's records, each with its newline */
	int code;	/* 0, or the exit status */
	void (*on_state)(struct call *); /* called when it pauses or is over */
	void *owner;	       /* the caller's */
	unsigned long number; /* the caller's: concurrency.h, of the last try */
	int refused;	       /* the last try, for being one too many */
	int changed;	       /* paused, to ask another model next */
	int stored;	       /* its answer came by a batch service */
	struct spendcap_toll toll; /* of the tries before the last one */
	/* To be read by others. */
	struct call_request request;
	struct call_transport net;
	struct reply reply;
	struct apierror error;
	struct display display;
	long long began, first; /* clock_ms; first 0: nothing came yet */
	int tries;
	int got_output;		/* something of the answer came */
	int said;		/* its message is in out */
	int guessed;		/* its usage, in part: it was cut off */
	const char *rescued;	/* the form of a call that was text */
	int odd_end;	/* its finish reason is in no list */
	struct strs coerced;	/* "ID.path" of arguments */
	/* Private. */
	enum call_end end;    /* of the last try */
	int spared;	      /* tries that did not count */
	int nooptions;	      /* the server does not know stream_options */
	int continuations;    /* times that a pause was continued */
	/* The request with what the model said before its pause. */
	struct json continued_request;
	struct buf continued_text;
};

/* Take a request, or a REC_UNTYPED that is a batch line; record_keep does so.
 * Dies of a bad one. */
void call_take(struct call *c, const struct rec *r);

/* Append what answers depend on of the options; all that this one does. */
void call_salt(struct buf *b);
void call_text(const struct call *c, struct buf *b);

/*
 * Find the provider, the model and the key: then it is CALL_READY.  Over if
 * one is missing.
 */
void call_prepare(struct call *c);

/* The provider that refused when concurrency_hopeless began to say so. */
extern const struct provider *call_hopeless;

/*
 * The model does not answer now, for the reason why: ask the next one, if one
 * is left that can be asked.  1 if so: the call is paused.
 */
int call_another(struct call *c, const char *why);

/* Begin, or go on after a pause. */
void call_step(struct call *c);

/*
 * In place of call_step, for a batch service: append the body that would be
 * sent, for an answer in one piece; and take such an answer, with its HTTP
 * status, as if it had come.  Then it is over: there is no other try.
 */
void call_body(struct call *c, struct buf *b);
void call_stored(struct call *c, int status, struct span body);

/* Break it off: what has come becomes a partial, interrupted message. */
void call_interrupt(struct call *c);

/* It is over; moved is called. */
void call_over(struct call *c);

/* Free what it holds. */
void call_free(struct call *c);

#endif
