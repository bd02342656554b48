/*
 * chanroute [-f FILE]
 *
 * - Says which agent answers a message of a channel: the first binding that
 *   it fits, else the setting serve.agent.  Nothing that the line itself says counts: an
 *   agent in it is replaced, since a sender may have written it.
 * - A bad line is reported and left out, and the filter goes on: it stands
 *   before a server that many use.
 */

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "emit.h"
#include "file.h"
#include "fileshape.h"
#include "inbound.h"
#include "opt.h"
#include "out.h"
#include "path.h"
#include "settings.h"

enum { BINDINGS_MAX = 16 << 20 };

static const char usage[] =
    "usage: chanroute [-f file]\n"
    "\n"
    "  -f, --file FILE  the bindings (else those of agents/*.json)\n";

static const struct option opts[] = {
	{ "file", required_argument, NULL, 'f' },
	{ NULL, 0, NULL, 0 },
};

struct binding {
	char *channel, *chat, *agent; /* owned */
};

static struct binding *bindings;
static size_t nbindings, cap;

static _Noreturn void
bad(const struct fileshape *f, int i, const char *why)
{
	struct buf b = { 0 };

	fileshape_fault(f, i, why, &b);
	die(EX_CONFIG, "%s", buf_cstr(&b));
}

static void
warn_unused(const char *what)
{
	warn("%s: it is not used", what);
}

/* A pattern or name of binding i; the caller owns it. */
static char *
word(const struct fileshape *f, int i, const char *key)
{
	static struct buf b;
	int at = json_get(f->json, i, key);

	if (inbound_word(f->json, at, &b) < 0 || memchr(b.p, '\0', b.n) != NULL)
		bad(f, at, "expected text without NUL, or a number of 64 bits");
	return xstrdup(buf_cstr(&b));
}

static void
add_binding(const struct fileshape *f, int i)
{
	struct binding *b;
	struct buf why = { 0 };

	if (fileshape_fit(f, i, "bindings", "$defs.binding", &why) < 0)
		die(EX_CONFIG, "%s", buf_cstr(&why));
	grow(&bindings, &cap, nbindings, sizeof(*bindings));
	b = &bindings[nbindings++];
	b->channel = word(f, i, "channel");
	b->chat = word(f, i, "chatId");
	b->agent = word(f, i, "agentId");
}

/* The list of bindings: "bindings" of an object, or a list of them alone. */
static int
list_of(const struct json *j)
{
	int i = json_get(j, 0, "bindings");

	if (i < 0 && json_kind(j, 0) == JSON_ARRAY
	    && json_get(j, json_first(j, 0), "channel") >= 0)
		return 0;
	return i;
}

/* must: a file without bindings is a mistake. */
static void
read_file(const char *path, int must)
{
	static struct buf text;
	static struct json j;
	struct fileshape s = { path, &j, NULL, 0, warn_unused, 0 };
	enum file_result r;
	size_t line, col;
	int list, i;

	buf_reset(&text);
	r = file_read(path, &text, BINDINGS_MAX);
	if (r != FILE_OK)
		die(EX_NOINPUT, "%s: %s", path, file_why(r));
	if (json_parse(&j, buf_cstr(&text), text.n) < 0) {
		json_where(text.p, j.at, &line, &col);
		die_at(EX_CONFIG, path, line, col, j.why);
	}
	list = list_of(&j);
	if (list < 0 && must)
		bad(&s, 0, "expected bindings");
	if (list >= 0 && json_kind(&j, list) != JSON_ARRAY)
		bad(&s, list, "expected a list of bindings");
	for (i = json_first(&j, list); i >= 0; i = json_next(&j, i))
		add_binding(&s, i);
}

/*
 * Does the name, which may hold NUL, fit the pattern?  Only "*" is special:
 * a chat's name may well have a bracket or "?".
 */
static int
fits(const char *pattern, struct span name)
{
	const char *star = NULL;
	size_t i = 0, back = 0;

	while (i < name.n) {
		if (*pattern == '*') {
			star = pattern++;
			back = i;
		} else if (*pattern != '\0' && *pattern == name.p[i]) {
			pattern++;
			i++;
		} else if (star != NULL) {
			/* The star takes one byte more. */
			pattern = star + 1;
			i = ++back;
		} else {
			return 0;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

/* The first one that fits. */
static const char *
agent_of(struct inbound *m)
{
	const struct binding *b;

	for (b = bindings; b < bindings + nbindings; b++)
		if (fits(b->channel, buf_view(&m->channel))
		    && fits(b->chat, buf_view(&m->chat)))
			return b->agent;
	return NULL;
}

/* The line with the agent, all else byte for byte. */
static void
put_routed(const struct inbound *m, const char *agent)
{
	static struct buf b, name;
	const struct json *j = m->json;

	buf_reset(&name);
	emit_cstr(&name, agent);
	if (json_get(j, 0, "agent") >= 0) {
		emit_object(&b, j, 0, "agent", buf_view(&name));
	} else {
		buf_span(&b, json_span(j, 0));
		b.n--;
		buf_puts(&b, ",\"agent\":");
		buf_span(&b, buf_view(&name));
		buf_putc(&b, '}');
	}
	out_record(&b);
}

/*
 * Wait for a line, or until there is none to hand it to: then the next reader
 * of the same FIFO is to have it.
 */
static void
wait_for_line(void)
{
	struct pollfd p[] = {{STDIN_FILENO, POLLIN, 0}, {STDOUT_FILENO, 0, 0}};

	if (poll(p, 2, -1) > 0 && (p[1].revents & POLLERR) != 0)
		exit(0);
}

int
main(int argc, char **argv)
{
	static struct inbound m;
	static struct strs files;
	const char *agent, *usual, *file = NULL;
	int c;
	enum inbound_kind k;
	size_t i;

	prog = "chanroute";
	opt_set = settings_set;
	while ((c = opt_next(argc, argv, "f:", opts, usage)) != -1)
		if (c == 'f')
			file = optarg;
	if (optind < argc)
		opt_die(usage, "unexpected operand '%s'", argv[optind]);
	usual = settings_str("serve.agent");
	if (file != NULL)
		read_file(file, 1);
	else
		path_list(&files, "agents", ".json");
	for (i = 0; i < files.n; i++)
		read_file(files.v[i], 0);
	do {
		while ((k = inbound_next(&m)) != INBOUND_NONE) {
			if (k == INBOUND_OTHER) {
				out_add(m.text.p, m.text.n);
				out_add("\n", 1);
				continue;
			}
			agent = agent_of(&m);
			put_routed(&m, agent != NULL ? agent : usual);
		}
		out_flush();
		wait_for_line();
	} while (inbound_fill(&m) || m.pos < m.in.n);
	out_end();
	return m.nbad > 0 ? EX_DATAERR : 0;
}
