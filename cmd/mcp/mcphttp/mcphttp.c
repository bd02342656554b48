/*
 * mcphttp [-c COMMAND | -k NAME] URL
 *
 * - An MCP server on standard streams that is one at a URL: toolhold starts
 *   it as any other, and so needs neither TLS nor libcurl.
 * - The headers of the user come in the environment, which other users can
 *   not read; arguments they can.
 */
#include <string.h>
#include <strings.h>

#include "apikey.h"
#include "diag.h"
#include "env.h"
#include "exchange.h"
#include "fd.h"
#include "http.h"
#include "opt.h"
#include "path.h"
#include "rpc.h"

static const char usage[] =
    "usage: mcphttp [-c command | -k name] url\n"
    "\n"
    "Be an MCP server on standard streams that is one at a URL.\n"
    "\n"
    "  -c, --key-cmd COMMAND  a bearer token that a shell command prints\n"
    "  -k, --key NAME         one from ~/.config/turnpipe/keys/NAME\n";

static const struct option opts[] = {
	{ "key-cmd", required_argument, NULL, 'c' },
	{ "key", required_argument, NULL, 'k' },
	{ NULL, 0, NULL, 0 },
};

static void
put(struct span s)
{
	if (fd_write(1, s.p, s.n) < 0 || fd_write(1, "\n", 1) < 0)
		die_sys(EX_IOERR, "write <stdout>");
}

/* One that we send ourselves, so that a second one would mean two things. */
static int
isours(const char *line, int haskey)
{
	static const char *const ours[] = { "Accept", "Content-Type",
		"Content-Length", "Transfer-Encoding", "Mcp-Session-Id",
		"MCP-Protocol-Version", "Mcp-Method", "Mcp-Name",
		"Last-Event-ID", "Authorization" };
	size_t i, n = strcspn(line, ":");

	for (i = 0; i < sizeof(ours) / sizeof(*ours) - !haskey; i++)
		if (n == strlen(ours[i]) && strncasecmp(line, ours[i], n) == 0)
			return 1;
	return 0;
}

/* TURNPIPE_MCP_HEADERS: "Name: value" on each line. */
static void
read_headers(struct strs *l, int haskey)
{
	const char *s = env_get("TURNPIPE_MCP_HEADERS");
	size_t n, name;

	for (; s != NULL && *s != '\0'; s += n + (s[n] == '\n')) {
		n = strcspn(s, "\n");
		if (n == 0)
			continue;
		name = strcspn(s, ":");
		if (name == 0 || name >= n || memchr(s, '\r', n) != NULL
		    || strcspn(s, " \t") < name)
			die(EX_USAGE, "TURNPIPE_MCP_HEADERS: expected "
				      "\"Name: value\" on each line");
		if (isours(s, haskey))
			die(EX_USAGE, "TURNPIPE_MCP_HEADERS: expected no "
				      "header %.*s, the protocol has it",
			    (int)name, s);
		strs_addn(l, s, n);
	}
}

/* Does the wire to it show what is sent to no other machine? */
static int
issafe(const char *url)
{
	static const char *const hosts[] = { "127.0.0.1", "localhost",
		"[::1]" };
	size_t i, n;

	if (strncmp(url, "https://", 8) == 0)
		return 1;
	if (memchr(url + 7, '@', strcspn(url + 7, "/?#")) != NULL)
		return 0;
	for (i = 0; i < sizeof(hosts) / sizeof(*hosts); i++) {
		n = strlen(hosts[i]);
		if (strncasecmp(url + 7, hosts[i], n) == 0
		    && strchr(":/?#", url[7 + n]) != NULL)
			return 1;
	}
	return 0;
}

static void
read_key(struct apikey *key, const char *name, const char *cmd,
    const char *url)
{
	struct apikey_places at;

	if (!issafe(url))
		opt_die(usage, "expected https:// for a key, got '%s'", url);
	if (name != NULL && (strchr(name, '/') != NULL || *name == '.'))
		opt_die(usage, "expected the name of a key file, got '%s'",
		    name);
	memset(&at, 0, sizeof(at));
	if (cmd != NULL)
		buf_puts(&at.cmd, cmd);
	if (name != NULL)
		buf_printf(&at.file, "%s/keys/%s", path_config(), name);
	apikey_find(key, &at);
	if (key->text == NULL)
		die(EX_NOPERM, "%s%s", key->why.n > 0 ? buf_cstr(&key->why)
		    : buf_cstr(&at.file), key->why.n > 0 ? ""
		    : ": expected a key file");
	buf_free(&at.file);
}

int
main(int argc, char **argv)
{
	static struct exchange_spec spec;
	static struct apikey key;
	static struct buf in;
	const char *name = NULL, *cmd = NULL;
	int c, isopen = 1;

	prog = "mcphttp";
	while ((c = opt_next(argc, argv, "c:k:", opts, usage)) != -1)
		switch (c) {
		case 'c': cmd = optarg; break;
		case 'k': name = optarg; break;
		}
	argv += optind;
	if (argv[0] == NULL || argv[1] != NULL)
		opt_die(usage, "expected one URL");
	if (strncmp(argv[0], "https://", 8) != 0
	    && strncmp(argv[0], "http://", 7) != 0)
		opt_die(usage, "expected a URL, https:// or http://, got '%s'",
		    argv[0]);
	if (name != NULL || cmd != NULL)
		read_key(&key, name, cmd, argv[0]);
	read_headers(&spec.headers, key.text != NULL);
	spec.url = argv[0];
	spec.key = &key;
	exchange_put = put;
	exchange_open(&spec);
	while (isopen || exchange_busy()) {
		if (!exchange_work(isopen ? 0 : -1) || !isopen)
			continue;
		isopen = rpc_take(0, &in);
		if (!isopen)
			buf_putc(&in, '\n'); /* if its last line has none */
		rpc_lines(&in, exchange_take);
	}
	exchange_close();
	return 0;
}
