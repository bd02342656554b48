#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "webaddr.h"

struct range {
	const char *net;
	int bits;
};

/* Not of the public internet.  RFC 6890 and the registries it began. */
static const struct range closed4[] = {
	{ "0.0.0.0", 8 }, { "10.0.0.0", 8 }, { "100.64.0.0", 10 },
	{ "127.0.0.0", 8 }, { "169.254.0.0", 16 }, { "172.16.0.0", 12 },
	{ "192.0.0.0", 24 }, { "192.0.2.0", 24 }, { "192.88.99.0", 24 },
	{ "192.168.0.0", 16 }, { "198.18.0.0", 15 }, { "198.51.100.0", 24 },
	{ "203.0.113.0", 24 }, { "224.0.0.0", 4 }, { "240.0.0.0", 4 },
};

/* Of what is open, 2000::/3, the exceptions. */
static const struct range closed6[] = {
	{ "2001::", 23 }, { "2001:db8::", 32 }, { "2002::", 16 },
	{ "3fff::", 20 },
};

static int
within(const unsigned char *a, const unsigned char *net, int bits)
{
	int whole = bits / 8, rest = bits % 8;

	return memcmp(a, net, (size_t)whole) == 0
	    && (rest == 0
		|| ((a[whole] ^ net[whole]) & (0xff << (8 - rest)) & 0xff)
		    == 0);
}

static int
in(int family, const unsigned char *a, const char *text, int bits)
{
	unsigned char net[16];

	return inet_pton(family, text, net) == 1 && within(a, net, bits);
}

static int
public4(const unsigned char *a)
{
	size_t i;

	for (i = 0; i < sizeof(closed4) / sizeof(*closed4); i++)
		if (in(AF_INET, a, closed4[i].net, closed4[i].bits))
			return 0;
	return 1;
}

static int
public6(const unsigned char *a)
{
	size_t i;

	/* An IPv4 address in it is what is reached: mapped, and NAT64. */
	if (in(AF_INET6, a, "::ffff:0:0", 96)
	    || in(AF_INET6, a, "64:ff9b::", 96))
		return public4(a + 12);
	if (!in(AF_INET6, a, "2000::", 3))
		return 0;
	for (i = 0; i < sizeof(closed6) / sizeof(*closed6); i++)
		if (in(AF_INET6, a, closed6[i].net, closed6[i].bits))
			return 0;
	return 1;
}

/* Split ADDRESS[/BITS] into net and bits; its family, or 0. */
static int
network(const char *s, unsigned char *net, int *bits)
{
	char text[64], *end;
	size_t n = strcspn(s, "/");
	int family;
	long v;

	if (n >= sizeof(text))
		return 0;
	memcpy(text, s, n);
	text[n] = '\0';
	family = inet_pton(AF_INET, text, net) == 1 ? AF_INET
	    : inet_pton(AF_INET6, text, net) == 1   ? AF_INET6 : 0;
	*bits = family == AF_INET ? 32 : 128;
	if (s[n] != '/' || family == 0)
		return family;
	v = strtol(s + n + 1, &end, 10);
	if (end == s + n + 1 || *end != '\0' || v < 0 || v > *bits)
		return 0;
	*bits = (int)v;
	return family;
}

int
webaddr_isrule(const char *s)
{
	unsigned char net[16];
	int bits;

	return network(s, net, &bits) != 0
	    || (*s != '\0' && strpbrk(s, "/*? @") == NULL);
}

/* Does a rule name the URL's host, alone or with the port? */
static int
names(const char *rule, const char *host, const char *port)
{
	size_t n = strlen(host);

	return strncasecmp(rule, host, n) == 0
	    && (rule[n] == '\0'
		|| (rule[n] == ':' && strcmp(rule + n + 1, port) == 0));
}

static int
allowed(int family, const unsigned char *a, const char *host,
    const char *port, const struct strs *allow)
{
	unsigned char net[16];
	size_t i;
	int bits;

	for (i = 0; i < allow->n; i++)
		if (names(allow->v[i], host, port)
		    || (network(allow->v[i], net, &bits) == family
			&& within(a, net, bits)))
			return 1;
	return 0;
}

int
webaddr_may(const struct sockaddr *a, const char *host, const char *port,
    const struct strs *allow, struct buf *b)
{
	char text[INET6_ADDRSTRLEN];
	const unsigned char *bytes;

	if (a->sa_family == AF_INET)
		bytes = (const void *)&((const struct sockaddr_in *)
			(const void *)a)->sin_addr;
	else if (a->sa_family == AF_INET6)
		bytes = (const void *)&((const struct sockaddr_in6 *)
			(const void *)a)->sin6_addr;
	else
		return 0;
	if (allowed(a->sa_family, bytes, host, port, allow)
	    || (a->sa_family == AF_INET ? public4(bytes) : public6(bytes)))
		return 1;
	if (inet_ntop(a->sa_family, bytes, text, sizeof(text)) != NULL)
		buf_puts(b, text);
	return 0;
}
