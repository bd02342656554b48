#ifndef SERVER_H
#define SERVER_H

/*
 * An MCP server that runs: its process and the JSON-RPC on its standard
 * streams.  Speaks protocol 2026-07-28 where server/discover finds that, else
 * 2025-11-25 and its forerunners.
 */

#include <poll.h>
#include <stddef.h>
#include <sys/types.h>

#include "buf.h"
#include "json.h"
#include "mcpconf.h"

enum {
	SERVER_SLOW = 3000, /* ms of a start after which it is slow */
	SERVER_CLOSED = 1000, /* ms from closing its input to TERM */
	SERVER_TERM = 1000,  /* ms from TERM to KILL */
	SERVER_LINE = 64 << 20 /* bytes of a line */
};

enum server_state {
	SERVER_OFF,
	SERVER_STARTING,
	SERVER_READY,
	SERVER_STOPPING
};

struct server {
	const struct mcpserver *conf;
	enum server_state state;
	int modern;   /* speaks 2026-07-28 */
	int unprobed; /* died of the probe, so it is not probed again */
	int listed;   /* tools holds its list */
	int isstale;  /* it said that its list has changed */
	long long ttl; /* ms that the list is good for, */
	long long listedat; /* from then on, seconds since the epoch */
	struct buf tools; /* a JSON array of what tools/list gave */
	struct buf instructions; /* a JSON string, or empty */
	struct buf why;	  /* of the last failure; empty: none */
	/* server.c's */
	pid_t pid;
	int in, out, err; /* -1: closed */
	struct buf page, queue, line, words;
	size_t sent, scanned;
	long long deadline, eof, next;
	long long probing, slow; /* clock_ms: the ends of the probe, and of a
				  * start that is not slow; 0: none */
	long long starting, listing, probe; /* ids of requests; 0: none */
	int pages, stage, warned;
};

/* Callbacks of a server.  The text of a span is good during the call. */
struct server_events {
	void (*ready)(struct server *s);
	/* Its start takes long; once in each. */
	void (*slow)(struct server *s);
	/* The list is there, or failed: why says so. */
	void (*listed)(struct server *s);
	/* The result, or with iserror the error object, of request id. */
	void (*answer)(struct server *s, long long id, struct span value,
	    int iserror);
	void (*progress)(struct server *s, long long id);
	/* It asks the user, elicitation/create: id and params. */
	void (*asked)(struct server *s, struct span id, struct span params);
	/* It ended; what was open gets no answer. */
	void (*gone)(struct server *s);
	/* A line for the user about it. */
	void (*tell)(struct server *s, const char *what);
};

extern struct server_events server_events;
extern int server_user; /* a user is at the terminal, who can be asked */

void server_init(struct server *s, const struct mcpserver *conf);

/* Start one that is off. */
void server_start(struct server *s);

/* Ask a ready one for its tools. */
void server_list(struct server *s);

/*
 * Send a request; params is a JSON object without _meta, or empty.  Its id,
 * over 0.
 */
long long server_request(struct server *s, const char *method,
    struct span params);

/* Answer a request of its own; result is a JSON object. */
void server_answer(struct server *s, struct span id, struct span result);

/* Ignore the answer to that request. */
void server_cancel(struct server *s, long long id);

/* End it: its input closed, TERM, KILL. */
void server_stop(struct server *s);

/* Is there a process of it, or of its group? */
int server_alive(const struct server *s);

/* Append the descriptors to poll; handle the events found. */
size_t server_poll(struct server *s, struct pollfd *v);
void server_polled(struct server *s, const struct pollfd *v, size_t n);

/* Milliseconds until it wants to be looked at; -1: never by time. */
long long server_wait(const struct server *s, long long now);
void server_tick(struct server *s, long long now);

#endif
