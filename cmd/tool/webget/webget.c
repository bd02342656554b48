/*
 * webget [-t seconds] url
 *
 * - Connects only to addresses of the public internet, and to those of
 *   fetch.allow: each address is judged when a socket is made for it, so
 *   that no name can resolve to another one in between.
 * - Each redirect is a request of its own, judged like the first; no proxy
 *   but that of fetch.proxy, no cookies, no credentials, no file of curl's.
 * - A proxy makes the connection: then the addresses that the name has here
 *   are judged before it is asked.
 * - Text only, at most 1 MiB of it, unpacked.
 */

#include <curl/curl.h>
#include <iconv.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config.h"
#include "diag.h"
#include "opt.h"
#include "out.h"
#include "pagetext.h"
#include "record.h"
#include "settings.h"
#include "utf8.h"
#include "webaddr.h"

enum { BYTES = 1 << 20, REDIRECTS = 5, SECONDS = 30, CONNECT = 10 };

static const char usage[] =
    "usage: webget [-t seconds] url\n"
    "\n"
    "  -t, --timeout=N  seconds in all (30)\n";

static const struct option options[] = {
	{ "timeout", required_argument, NULL, 't' },
	{ NULL, 0, NULL, 0 },
};

static struct strs allow;
static const char *proxy; /* "" for none */
static long seconds = SECONDS;

/* The request at hand. */
static struct {
	CURL *c;
	struct buf url, host, port, body, refused;
	char why[CURL_ERROR_SIZE];
	int iscut, isother; /* over BYTES; no text */
} now;

static int
is_text(const char *type)
{
	static const char *const others[] = { "application/json",
		"application/xml", "application/xhtml+xml",
		"application/javascript", "application/yaml",
		"application/x-ndjson", NULL };
	size_t n = strcspn(type, "; \t"), i;

	if (strncasecmp(type, "text/", 5) == 0
	    || (n > 5 && strncasecmp(type + n - 5, "+json", 5) == 0)
	    || (n > 4 && strncasecmp(type + n - 4, "+xml", 4) == 0))
		return strncasecmp(type, "image/", 6) != 0;
	for (i = 0; others[i] != NULL; i++)
		if (strlen(others[i]) == n
		    && strncasecmp(type, others[i], n) == 0)
			return 1;
	return 0;
}

static const char *
type_of(void)
{
	char *type = NULL;

	curl_easy_getinfo(now.c, CURLINFO_CONTENT_TYPE, &type);
	return type;
}

static size_t
on_body(char *p, size_t size, size_t n, void *arg)
{
	const char *type = type_of();

	(void)arg;
	n *= size;
	if ((type != NULL && !is_text(type)) || memchr(p, '\0', n) != NULL) {
		now.isother = 1;
		return 0;
	}
	if (now.body.n + n > BYTES) {
		buf_add(&now.body, p, BYTES - now.body.n);
		now.iscut = 1;
		return 0;
	}
	buf_add(&now.body, p, n);
	return n;
}

static curl_socket_t
open_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *a)
{
	(void)arg;
	(void)purpose;
	buf_reset(&now.refused);
	/* The proxy's own address is the user's choice. */
	if (*proxy == '\0' && !webaddr_may(&a->addr, buf_cstr(&now.host), buf_cstr(&now.port),
		&allow, &now.refused))
		return CURL_SOCKET_BAD;
	return socket(a->family, a->socktype, a->protocol);
}

/* May the proxy be asked for the host?  One that has no address here may. */
static int
may_ask(void)
{
	struct addrinfo hints, *list, *a;

	memset(&hints, 0, sizeof(hints));
	hints.ai_socktype = SOCK_STREAM;
	buf_reset(&now.refused);
	if (getaddrinfo(buf_cstr(&now.host), NULL, &hints, &list) != 0)
		return 1;
	for (a = list; a != NULL && now.refused.n == 0; a = a->ai_next)
		(void)webaddr_may(a->ai_addr, buf_cstr(&now.host),
		    buf_cstr(&now.port), &allow, &now.refused);
	freeaddrinfo(list);
	return now.refused.n == 0;
}

static void
part(CURLU *u, CURLUPart what, unsigned flags, struct buf *b)
{
	char *s = NULL;

	buf_reset(b);
	if (curl_url_get(u, what, &s, flags) == CURLUE_OK && s != NULL)
		buf_puts(b, s);
	curl_free(s);
}

/* The URL as curl reads it, its host and port; what is wrong, or NULL. */
static const char *
parse(const char *url)
{
	CURLU *u = curl_url();
	struct buf b = { 0 };
	const char *why = NULL;

	if (u == NULL)
		die(EX_SOFTWARE, "out of memory");
	if (curl_url_set(u, CURLUPART_URL, url, 0) != CURLUE_OK) {
		why = "expected a URL such as https://example.org/page";
		goto out;
	}
	part(u, CURLUPART_SCHEME, 0, &b);
	if (strcmp(buf_cstr(&b), "http") != 0
	    && strcmp(buf_cstr(&b), "https") != 0)
		why = "expected http or https";
	part(u, CURLUPART_USER, 0, &b);
	if (b.n > 0)
		why = "expected no user name";
	part(u, CURLUPART_PASSWORD, 0, &b);
	if (b.n > 0)
		why = "expected no password";
	part(u, CURLUPART_ZONEID, 0, &b);
	if (b.n > 0)
		why = "expected an address without a zone";
	curl_url_set(u, CURLUPART_FRAGMENT, NULL, 0);
	part(u, CURLUPART_URL, 0, &now.url);
	part(u, CURLUPART_PORT, CURLU_DEFAULT_PORT, &now.port);
	part(u, CURLUPART_HOST, 0, &now.host);
	if (now.host.n > 1 && now.host.p[0] == '[') {
		memmove(now.host.p, now.host.p + 1, now.host.n - 2);
		now.host.n -= 2;
	}
out:
	curl_url_cleanup(u);
	buf_free(&b);
	return why;
}

static CURLcode
request(struct curl_slist *headers)
{
	CURLcode r;

	now.c = curl_easy_init();
	if (now.c == NULL)
		die(EX_SOFTWARE, "out of memory");
	buf_reset(&now.body);
	now.iscut = now.isother = 0;
	now.why[0] = '\0';
	curl_easy_setopt(now.c, CURLOPT_URL, buf_cstr(&now.url));
#if LIBCURL_VERSION_NUM >= 0x075500
	curl_easy_setopt(now.c, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	curl_easy_setopt(now.c, CURLOPT_PROTOCOLS,
	    (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
	curl_easy_setopt(now.c, CURLOPT_PROXY, proxy);
	curl_easy_setopt(now.c, CURLOPT_NOPROXY, "");
	curl_easy_setopt(now.c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	curl_easy_setopt(now.c, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(now.c, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(now.c, CURLOPT_TIMEOUT, seconds);
	curl_easy_setopt(now.c, CURLOPT_CONNECTTIMEOUT, (long)CONNECT);
	curl_easy_setopt(now.c, CURLOPT_ACCEPT_ENCODING, "");
	curl_easy_setopt(now.c, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(now.c, CURLOPT_USERAGENT, "turnpipe/" VERSION);
	curl_easy_setopt(now.c, CURLOPT_OPENSOCKETFUNCTION, open_socket);
	curl_easy_setopt(now.c, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(now.c, CURLOPT_ERRORBUFFER, now.why);
	r = curl_easy_perform(now.c);
	return r;
}

/* Say why there is no page, and what can be done. */
static int
refuse(const char *why, const char *next)
{
	warn("%s: %s%s%s", buf_cstr(&now.url), why, *next != '\0' ? ": " : "",
	    next);
	return EXIT_NO;
}

static int
fault(CURLcode r)
{
	struct buf b = { 0 };

	if (now.refused.n > 0) {
		buf_printf(&b, "leads to %s, which is not a public address",
		    buf_cstr(&now.refused));
		(void)refuse(buf_cstr(&b),
		    "the user can allow it in fetch.allow");
	} else if (now.isother) {
		buf_printf(&b, "no text but %s",
		    type_of() != NULL && !is_text(type_of())
			? type_of() : "binary data");
		(void)refuse(buf_cstr(&b), "look for a page about it");
	} else if (r == CURLE_OPERATION_TIMEDOUT) {
		buf_printf(&b, "no whole answer in %ld s", seconds);
		(void)refuse(buf_cstr(&b), "try once more, or another page");
	} else if (r == CURLE_COULDNT_RESOLVE_HOST) {
		(void)refuse("no such host", "see that the name is right");
	} else {
		(void)refuse(*now.why != '\0' ? now.why
					      : curl_easy_strerror(r), "");
	}
	buf_free(&b);
	return EXIT_NO;
}

/* The body from its charset to UTF-8, if it says another one. */
static void
convert(const char *type)
{
	struct buf b = { 0 };
	const char *p;
	char name[40], out[4096], *from = now.body.p, *to;
	size_t n, left = now.body.n, room;
	iconv_t cd;

	for (p = type; p != NULL && *p != '\0'; p++)
		if (strncasecmp(p, "charset=", 8) == 0)
			break;
	if (p == NULL || *p == '\0')
		return;
	p += 8;
	p += *p == '"';
	n = strcspn(p, "\"; \t");
	if (n == 0 || n >= sizeof(name))
		return;
	memcpy(name, p, n);
	name[n] = '\0';
	if (strcasecmp(name, "utf-8") == 0
	    || (cd = iconv_open("UTF-8", name)) == (iconv_t)-1)
		return;
	while (left > 0) {
		to = out;
		room = sizeof(out);
		if (iconv(cd, &from, &left, &to, &room) == (size_t)-1
		    && room == sizeof(out)) {
			buf_putc(&b, '?');
			from++;
			left--;
		}
		buf_add(&b, out, sizeof(out) - room);
	}
	iconv_close(cd);
	buf_reset(&now.body);
	buf_add(&now.body, b.p, b.n);
	buf_free(&b);
}

static void
put(long status, int moved)
{
	static struct buf b, page;
	const char *type = type_of();

	if (moved)
		buf_printf(&b, "[from %s]\n", buf_cstr(&now.url));
	if (status >= 300)
		buf_printf(&b, "error: HTTP status %ld%s\n", status,
		    status == 404 || status == 410
			? ": no such page; look for its address on another one"
		    : status == 401 || status == 403
			? ": not for everybody; look for another source"
		    : status == 429 || status >= 500
			? ": the server cannot answer now; try later" : "");
	convert(type);
	if (type != NULL && strstr(type, "html") != NULL) {
		pagetext(&page, now.body.p, now.body.n);
		utf8_repair(&b, page.p, page.n);
	} else {
		utf8_repair(&b, now.body.p, now.body.n);
	}
	if (now.iscut)
		buf_puts(&b, "\n[cut: the page is longer than 1 MiB]\n");
	out_add(b.p, b.n);
	out_end();
}

static int
get(const char *url)
{
	static struct buf next;
	static struct curl_slist *headers; /* also where get dies */
	char *to = NULL;
	const char *why;
	CURLcode r;
	long status = 0;
	int hops;

	headers = curl_slist_append(NULL, "Accept: text/markdown, "
	    "text/html;q=0.9, text/*;q=0.8, application/json;q=0.8, "
	    "*/*;q=0.1");
	buf_puts(&next, url);
	for (hops = 0;; hops++) {
		if ((why = parse(buf_cstr(&next))) != NULL) {
			buf_reset(&now.url);
			buf_span(&now.url, buf_view(&next));
			return refuse(why, "");
		}
		if (*proxy != '\0' && !may_ask())
			return fault(CURLE_COULDNT_CONNECT);
		r = request(headers);
		if (r != CURLE_OK && !now.iscut)
			return fault(r);
		curl_easy_getinfo(now.c, CURLINFO_RESPONSE_CODE, &status);
		curl_easy_getinfo(now.c, CURLINFO_REDIRECT_URL, &to);
		if (to == NULL || status < 300 || status > 399)
			break;
		if (hops == REDIRECTS)
			return refuse("more than 5 redirects", "");
		buf_reset(&next);
		buf_puts(&next, to);
		curl_easy_cleanup(now.c);
	}
	put(status, hops > 0);
	curl_easy_cleanup(now.c);
	curl_slist_free_all(headers);
	return status >= 300 ? EXIT_NO : 0;
}

int
main(int argc, char **argv)
{
	size_t i;

	prog = "webget";
	record_filter(0);
	while (opt_next(argc, argv, "t:", options, usage) != -1)
		seconds = (long)opt_int("-t", optarg, 1, 600);
	if (argc - optind != 1)
		opt_die(usage, "expected one URL");
	settings_strs("fetch.allow", &allow);
	for (i = 0; i < allow.n; i++)
		if (!webaddr_isrule(allow.v[i]))
			settings_bad("fetch.allow", "expected HOST, HOST:PORT, "
						    "ADDRESS or ADDRESS/BITS");
	proxy = settings_str("fetch.proxy");
	if (*proxy != '\0' && strncmp(proxy, "http://", 7) != 0
	    && strncmp(proxy, "https://", 8) != 0
	    && strncmp(proxy, "socks5h://", 10) != 0)
		settings_bad("fetch.proxy", "expected http://, https:// or "
					    "socks5h:// in front");
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0)
		die(EX_SOFTWARE, "curl could not be set up");
	return get(argv[optind]);
}
