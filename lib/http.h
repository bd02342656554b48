#ifndef HTTP_H
#define HTTP_H

/*
 * HTTP requests, any number at a time, over one event loop.  This is the
 * only noun over libcurl.  http and https only; redirects are not followed
 * (they would carry the key along); certificates are verified; proxies and
 * the CA file come from the environment.
 */

#include <stddef.h>
#include <time.h>

#include "buf.h"

enum http_end {
	HTTP_DONE,    /* an answer came, to its end */
	HTTP_CONNECT, /* no connection: name, port, TLS handshake */
	HTTP_BROKEN,  /* the connection broke on the way */
	HTTP_SLOW,    /* a time limit passed */
	HTTP_LARGE,   /* the answer is over its limit */
	HTTP_TRUST,   /* the certificate does not hold, or the proxy refuses */
	HTTP_URL      /* no URL that we speak */
};

/* Milliseconds (0: no limit) and bytes. */
struct http_limits {
	long long connect;
	long long first;    /* until the answer's first byte */
	long long idle;	    /* between two reads */
	long long progress; /* between two calls of http_progress */
	long long total;
	size_t bytes;
};

/* One request.  A zeroed struct is ready; it can be used again and again. */
struct http {
	/* The caller's, to stay until done is called. */
	const char *url;
	struct strs headers; /* "Name: value" */
	struct span body;    /* p NULL: GET, else POST */
	const char *method;  /* NULL: as body says */
	const char *sign;    /* NULL, or how libcurl is to sign it, as in
			      * "aws:amz:REGION:SERVICE", with these: */
	const char *sign_id, *sign_secret;
	int fresh; /* sent at most once: libcurl repeats, on a connection that
		    * it kept and that broke, what may have had its effect */
	const struct http_limits *limits;
	void (*data)(struct http *, const char *p, size_t n);
	void (*done)(struct http *);
	void *arg;
	/* Ours, to be read from data and done. */
	enum http_end end;
	int status;	    /* of the answer; 0 before there is one */
	const char *why;    /* how it ended, when that is not HTTP_DONE */
	struct buf replies; /* its headers */
	size_t got;	    /* bytes of its body so far */
	long long began;    /* clock_ms when it started */
	/* Private. */
	void *easy, *list;
	struct http *next, **prev;
	long long read, moved, until;
	char text[256];
};

/*
 * Get ready ahead of time; tls where https is to be expected, which costs
 * some milliseconds.  http_start does by itself what was not done before.
 */
void http_init(int tls);

/*
 * Make room for n connections at a time, as far as the limit of open files
 * can be raised; for how many there is.
 */
size_t http_room(size_t n);

/* Can this libcurl sign requests? */
int http_signs(void);

/* Begin; data and done are called from http_wait. */
void http_start(struct http *h);

/* Drop it; done is not called.  Also for one that is not running. */
void http_cancel(struct http *h);

/* The answer made headway: restarts the progress clock. */
void http_progress(struct http *h);

/* All that counts has come: wait for the end ms at most, and call it good. */
void http_last(struct http *h, long long ms);

/*
 * Work for at most ms milliseconds (-1: any), until a request has moved, one
 * of the descriptors a and b (-1: none) can be read, or out, standard output
 * or -1, takes what out.h has for it, or has no reader any more.  A mask: 1
 * where a can be read, 2 where b can, 4 where out has no reader.
 */
int http_wait(int a, int b, int out, long long ms);

/* Value of a header of the answer, NULL if it is not there; good until the
 * next call.  name in lower case. */
const char *http_header(const struct http *h, const char *name);

/* Append the version of libcurl, and of what it has for TLS. */
void http_library(struct buf *b);

/* An HTTP date in any of its three forms.  0, or -1. */
int http_date(const char *s, time_t *t);

#endif
