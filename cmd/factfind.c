/*
 * factfind [-n MAX]
 * factfind -q QUERY | -a | -L | -F ID | -C ID TEXT
 *
 * - The few facts that matter for the user's last message: BM25 over folded
 *   words; the newer and surer one goes first where scores tie.
 * - Two passes over the files, no index: what is kept is the best few.
 */

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "fact.h"
#include "heard.h"
#include "opt.h"
#include "out.h"
#include "recall.h"
#include "record.h"
#include "section.h"
#include "settings.h"

static const char usage[] =
    "usage: factfind [-n max]\n"
    "       factfind [-n max] -q query\n"
    "       factfind -a | -L | -F id | -C id text\n";

static const struct option options[] = {
    {"add", no_argument, NULL, 'a'},
    {"correct", required_argument, NULL, 'C'},
    {"forget", required_argument, NULL, 'F'},
    {"list", no_argument, NULL, 'L'},
    {"max", required_argument, NULL, 'n'},
    {"query", required_argument, NULL, 'q'},
    {NULL, 0, NULL, 0},
};

static size_t most;

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
	size_t i;
	int k;

	for (k = 0; k < FACT_SCOPES; k++) {
		buf_reset(&b);
		for (i = 0; i < n; i++)
			if (recall_fact(i)->scope == (enum fact_scope)k)
				line(&b, recall_fact(i));
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

	size_t n = recall(q, strlen(q), most);

	for (i = 0; i < n; i++)
		line(&b, recall_fact(i));
	out_add(b.p, b.n);
	out_end();
	return n > 0 ? 0 : EXIT_NO;
}

static void
list(const struct fact *f, void *arg)
{
	struct buf *b = arg;

	buf_printf(b, "%s  %-7s  %-10s  %s\n", f->id,
	    fact_scope_name(f->scope), f->category, f->text);
	out_add(b->p, b->n);
	buf_reset(b);
}

struct known {
	const char *id;
	int found;
	enum fact_scope scope;
	char *category;
};

static void
look(const struct fact *f, void *arg)
{
	struct known *k = arg;

	if (strcmp(f->id, k->id) != 0)
		return;
	k->found = 1;
	k->scope = f->scope;
	free(k->category);
	k->category = xstrdup(f->category);
}

static struct known
find(const char *id)
{
	struct known k = {id, 0, FACT_USER, NULL};
	int i;

	for (i = 0; i < FACT_SCOPES && !k.found; i++)
		fact_each((enum fact_scope)i, look, &k);
	return k;
}

static struct buf now;

static void
add(struct fact *f)
{
	static struct buf b;

	if (f->time == NULL)
		f->time = xstrdup(buf_cstr(&now));
	fact_emit(&b, f);
	fact_append(f->scope, &b);
}

/* Facts from the stream into their files; what is known is told. */
static int
add_all(void)
{
	struct rec r;
	struct fact f;
	struct known k;
	const char *why;
	int code = 0;

	while (record_next(&r)) {
		if (r.type == REC_ERROR && code == 0)
			code = record_code(&r);
		if (r.type != REC_FACT)
			continue;
		if (fact_take(&f, record_json(&r), 0, &why) < 0 || f.forgotten)
			record_bad(&r, 0, f.forgotten ? "expected a text" : why);
		k = find(f.id);
		free(k.category);
		if (k.found)
			warn("known already: %s", f.text);
		else
			add(&f);
		fact_free(&f);
	}
	out_end();
	return code;
}

static int
forget(const char *id, const char *text)
{
	static struct buf b;
	struct known k = find(id);
	struct fact f = {0};

	if (!k.found) {
		warn("%s: no such fact", id);
		return EXIT_NO;
	}
	emit_open(&b, '{');
	emit_pair(&b, "type", "fact");
	emit_pair(&b, "id", id);
	emit_key(&b, "forgotten");
	emit_bool(&b, 1);
	emit_pair(&b, "time", buf_cstr(&now));
	emit_close(&b, '}');
	fact_append(k.scope, &b);
	if (text == NULL) {
		free(k.category);
	} else {
		f.text = xstrdup(text);
		f.category = k.category;
		f.confidence = 1;
		f.scope = k.scope;
		fact_id(f.id, text, strlen(text));
		add(&f);
		fact_free(&f);
	}
	return 0;
}

static void
filter(void)
{
	struct rec r;
	const struct buf *text;

	while (record_next(&r)) {
		heard_take(&r);
		if (r.type == REC_END && settings_enabled("factfind")) {
			text = heard_text();
			put_sections(recall(text->p, text->n, most));
			heard_reset();
		}
		record_pass(&r);
	}
}

int
main(int argc, char **argv)
{
	static struct buf b;
	const char *arg = NULL;
	int c, i, what = 0;

	prog = "factfind";
	record_filter();
	while ((c = opt_next(argc, argv, "aC:F:Ln:q:", options, usage)) != -1)
		switch (c) {
		case 'n':
			most = (size_t)opt_int("-n", optarg, 1, RECALL_MAX);
			break;
		default:
			what = c;
			arg = optarg;
		}
	if (most == 0)
		most = (size_t)settings_int("factfind.max", 5);
	most = most > RECALL_MAX ? RECALL_MAX : most;
	if (argc - optind != (what == 'C'))
		opt_die(usage, what == 'C' ? "expected one text"
					   : "expected no operand");
	clock_utc(&now, clock_now());
	switch (what) {
	case 'a': return add_all();
	case 'C': return forget(arg, argv[optind]);
	case 'F': return forget(arg, NULL);
	case 'q': return query(arg);
	case 'L':
		for (i = 0; i < FACT_SCOPES; i++)
			fact_each((enum fact_scope)i, list, &b);
		return record_close();
	}
	filter();
	return record_close();
}
