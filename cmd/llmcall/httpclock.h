#ifndef HTTPCLOCK_H
#define HTTPCLOCK_H

/* The clocks of a request under way: first byte, idle, progress, total. */

#include "http.h"

/* Bytes came. */
void httpclock_heard(struct http *h);

/*
 * clock_ms when the next of them runs out, LLONG_MAX if none does; *why is
 * what is to be said then, NULL if that is a good end (http_last).
 */
long long http_deadline(const struct http *h, const char **why);

#endif
