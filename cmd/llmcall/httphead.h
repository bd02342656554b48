#ifndef HTTPHEAD_H
#define HTTPHEAD_H

/* The headers of an answer; http_header reads them. */

#include "http.h"

/* Add a line of the head; what is beyond 64 KiB in all is let go. */
void httphead_add(struct http *h, const char *p, size_t n);

#endif
