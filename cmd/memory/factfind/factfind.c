/*
 * factfind [-n MAX] [-q QUERY]
 * factfind -a | -L | -F ID | -C ID TEXT
 *
 * - The few facts that matter for the user's last message: BM25 over folded
 *   words; the newer and surer one goes first where scores tie.
 * - One pass over the files, no index (factrank.c, factlog.c).
 * - Files only grow; a writer holds a lock from reading to writing, so that no
 *   fact is added twice.
 */

#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "fact.h"
#include "factlog.h"
#include "factrank.h"
#include "factstore.h"
#include "opt.h"
#include "out.h"
#include "record.h"
#include "ring.h"
#include "section.h"
#include "settings.h"
#include "usertext.h"

static const char usage[] =
    "usage: factfind [-A scope] ... [-n max]\n"
    "       factfind [-A scope] ... [-n max] -q query\n"
    "       factfind -a | -F id | -C id text\n"
    "       factfind [-j] -L\n"
    "\n"
    "  -A, --always SCOPE also facts that have no word of the message\n"
    "  -a, --add          keep the fact records of standard input\n"
    "  -C, --correct ID   forget a fact, keep the text instead\n"
    "  -F, --forget ID    forget a fact\n"
    "  -j, --json         list records\n"
    "  -L, --list         print all facts with their ids\n"
    "  -n, --max MAX      at most so many (5), or SCOPE=MAX,... of each\n"
    "  -q, --query QUERY  print the facts that fit\n";

static const struct option options[] = {
    {"add", no_argument, NULL, 'a'},
    {"always", required_argument, NULL, 'A'},
    {"correct", required_argument, NULL, 'C'},
    {"forget", required_argument, NULL, 'F'},
    {"json", no_argument, NULL, 'j'},
    {"list", no_argument, NULL, 'L'},
    {"max", required_argument, NULL, 'n'},
    {"query", required_argument, NULL, 'q'},
    {NULL, 0, NULL, 0},
};

static struct factrank_limits limits;
static int jflag;
static struct buf extra; /* facts of the stream */

static void
line(struct buf *b, const struct fact *f)
{
	buf_printf(b, "- %s (%s)\n", f->text, f->category);
}

static void
put_sections(size_t n)
{
	static struct buf b;
	struct section s = {0};
	const struct fact *persona = factrank_persona();
	size_t i;
	int k;

	if (persona != NULL) {
		s.kind = "persona";
		section_put(&s, persona->text, strlen(persona->text));
	}
	for (k = 0; k < FACT_SCOPES; k++) {
		buf_reset(&b);
		for (i = 0; i < n; i++)
			if (factrank_fact(i)->scope == (enum fact_scope)k)
				line(&b, factrank_fact(i));
		if (b.n == 0)
			continue;
		s.kind = "facts";
		s.what = fact_scope_name((enum fact_scope)k);
		s.isvolatile = 1;
		section_put(&s, b.p, b.n - 1);
	}
}

static int
query(const char *q)
{
	static struct buf b;
	size_t i;

	size_t n = factrank(q, strlen(q), &limits, &extra);

	for (i = 0; i < n; i++)
		line(&b, factrank_fact(i));
	out_add(b.p, b.n);
	out_end();
	return n > 0 ? 0 : EXIT_NO;
}

static void
list(const struct fact *f, void *arg)
{
	struct buf *b = arg;

	if (jflag)
		fact_emit(b, f);
	else
		buf_printf(b, "%s  %-7s  %-10s  %s", f->id,
		    fact_scope_name(f->scope), f->category, f->text);
	out_record(b);
}

/* Nothing is kept of a conversation that failed. */
static int
add_all(void)
{
	static struct fact *v;
	static size_t cap, n;
	struct rec r;
	const char *why;
	size_t i, begun = 0; /* facts of the conversations before */
	int code = 0, failed = 0;

	while (record_next(&r)) {
		if (r.type == REC_ERROR) {
			failed = 1;
			code = code != 0 ? code : record_code(&r);
		} else if (r.type == REC_FACT) {
			grow(&v, &cap, n, sizeof(*v));
			if (fact_take(&v[n], record_json(&r), 0, &why) < 0)
				record_bad(&r, 0, why);
			if (v[n++].forgotten)
				record_bad(&r, 0, "expected a text");
		} else if (r.type == REC_END) {
			while (failed && n > begun)
				fact_free(&v[--n]);
			begun = n;
			failed = 0;
		}
	}
	/* Now that nothing is waited for: a lock is held from here on. */
	for (i = 0; i < n; i++) {
		if (factstore_add(&v[i]) < 0)
			warn("known already: %s", v[i].text);
		fact_free(&v[i]);
	}
	out_end();
	return code;
}

static int
forget(const char *id, const char *text)
{
	if (factstore_forget(id, text) == 0)
		return 0;
	warn("%s: no such fact", id);
	return EXIT_NO;
}

/* A fact of the stream counts as those of the files do. */
static void
add_stream_fact(const struct rec *r)
{
	struct fact f;
	const char *why;

	if (fact_take(&f, record_json(r), 0, &why) < 0)
		record_bad(r, 0, why);
	fact_free(&f);
	buf_add(&extra, r->s, r->n);
	buf_putc(&extra, '\n');
}

static void
filter(void)
{
	struct rec r;
	const struct buf *text;

	while (record_next(&r)) {
		usertext_take(&r);
		if (r.type == REC_FACT)
			add_stream_fact(&r);
		if (r.type == REC_END && settings_enabled("factfind")
		    && !record_isfaulty()) {
			if (ring_isset())
				factlog_forget();
			text = usertext_text();
			put_sections(factrank(
			    text->p, text->n, &limits, &extra));
			usertext_reset();
			buf_reset(&extra);
		}
		record_pass(&r);
		ring_enter(&r);
	}
}

/* The scope that the n bytes name. */
static int
scope(const char *s, size_t n)
{
	const char *name;
	int i;

	for (i = 0; i < FACT_SCOPES; i++) {
		name = fact_scope_name((enum fact_scope)i);
		if (strlen(name) == n && memcmp(name, s, n) == 0)
			return i;
	}
	opt_die(usage, "expected user, project, agent or episode, got '%.*s'",
	    (int)n, s);
}

/* "MAX" for all scopes together, or "SCOPE=MAX,...", where others have 0. */
static void
set_max(const char *s)
{
	static struct buf number;
	size_t n;
	int i;

	memset(limits.max, 0, sizeof(limits.max));
	limits.each = strchr(s, '=') != NULL;
	if (!limits.each) {
		limits.max[0] = (size_t)opt_int("-n", s, 1, FACTRANK_MAX);
		return;
	}
	for (; *s != '\0'; s += n + (s[n] == ',')) {
		n = strcspn(s, "=");
		i = scope(s, n);
		s += n + (s[n] == '=');
		n = strcspn(s, ",");
		buf_reset(&number);
		buf_add(&number, s, n);
		limits.max[i] = (size_t)opt_int("-n", buf_cstr(&number), 0,
		    FACTRANK_MAX);
	}
}

int
main(int argc, char **argv)
{
	static struct buf b;
	const char *arg = NULL;
	int c, i, what = 0;

	prog = "factfind";
	opt_set = settings_set;
	record_filter(1);
	while ((c = opt_next(argc, argv, "A:aC:F:jLn:q:", options, usage))
	    != -1)
		switch (c) {
		case 'n':
			set_max(optarg);
			break;
		case 'A':
			limits.always[scope(optarg, strlen(optarg))] = 1;
			break;
		case 'j': jflag = 1; break;
		default:
			what = c;
			arg = optarg;
		}
	if (!limits.each && limits.max[0] == 0)
		limits.max[0] = settings_count("factfind.max");
	if (argc - optind != (what == 'C'))
		opt_die(usage, what == 'C' ? "expected one text"
					   : "expected no operand");
	switch (what) {
	case 'a': return add_all();
	case 'C': return forget(arg, argv[optind]);
	case 'F': return forget(arg, NULL);
	case 'q': return query(arg);
	case 'L':
		for (i = 0; i < FACT_SCOPES; i++)
			factlog_facts((enum fact_scope)i, list, &b);
		return record_close();
	}
	filter();
	return record_close();
}
