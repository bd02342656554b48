#ifndef WEBADDR_H
#define WEBADDR_H

/*
 * Which addresses a page may be fetched from: those of the public internet
 * (the IANA special-purpose registries, RFC 6890), and what the setting
 * fetch.allow names.
 */

#include <sys/socket.h>

#include "buf.h"

/* May we connect to it, for a URL with this host (of an IPv6 address without
 * brackets) and port?  If not, its text is appended to b. */
int webaddr_may(const struct sockaddr *a, const char *host, const char *port,
    const struct strs *allow, struct buf *b);

/* Is it an entry of fetch.allow: HOST, HOST:PORT, ADDRESS, ADDRESS/BITS? */
int webaddr_isrule(const char *s);

#endif
