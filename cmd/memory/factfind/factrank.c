#include <stdlib.h>
#include <string.h>

#include "bm25.h"
#include "diag.h"
#include "factlog.h"
#include "factrank.h"
#include "json.h"

/* Set in the number of a record of the stream, not a line of a file. */
#define STREAM ((size_t)1 << (8 * sizeof(size_t) - 2))

/* A fact with a word of the query in it. */
struct match {
	struct span line;
	size_t number, hits; /* its first hit */
	uint64_t id;
	unsigned short words;
	unsigned char nhits, scope;
	unsigned char own; /* the scope that the fact itself names */
};

static struct bm25 rank;
static struct match *matches;
static size_t nmatches, capmatches;
static struct buf hits;	    /* of all matches, a byte each */
static struct factset gone; /* lines that take something back */
static struct match *personas; /* of the user, in the order of the file */
static size_t npersonas, cappersonas;

struct best {
	struct fact fact;
	const struct match *match;
	double score;
};

/* The best of a scope with its own limit, or of all, best first. */
static struct list {
	struct best v[FACTRANK_MAX];
	size_t n, max;
} lists[FACT_SCOPES];
static const struct factrank_limits *limits;

static void
add_persona(const struct factline *l)
{
	struct match *m;

	grow(&personas, &cappersonas, npersonas, sizeof(*personas));
	m = &personas[npersonas++];
	m->line = l->line;
	m->number = l->number;
	m->id = l->id;
	m->scope = (unsigned char)l->scope;
}

/* The scope of a fact of the stream, which is no scope's file. */
static enum fact_scope
own_scope(struct span line)
{
	static struct json j;
	int i, k;

	if (json_parse(&j, line.p, line.n) < 0)
		return FACT_USER;
	k = json_get(&j, 0, "scope");
	for (i = 0; i < FACT_SCOPES; i++)
		if (json_is(&j, k, fact_scope_name((enum fact_scope)i)))
			return (enum fact_scope)i;
	return FACT_USER;
}

static void
look(const struct factline *l, void *arg)
{
	static struct words_found f;
	struct match *m;
	enum fact_scope own = l->scope;

	struct factline later = *l;

	/* The stream comes after the file of the user. */
	if (arg != NULL)
		later.number |= STREAM;
	l = &later;
	if (l->forgotten) {
		factset_put(&gone, l);
		return;
	}
	if (l->persona) {
		if (l->scope == FACT_USER)
			add_persona(l);
		return;
	}
	words_find(&rank.query, l->text.p, l->text.n, &f);
	bm25_count(&rank, &f);
	if (arg != NULL)
		own = own_scope(l->line);
	if (f.n == 0 && !limits->always[own])
		return;
	grow(&matches, &capmatches, nmatches, sizeof(*matches));
	m = &matches[nmatches++];
	m->line = l->line;
	m->number = l->number;
	m->id = l->id;
	m->scope = (unsigned char)l->scope;
	m->own = (unsigned char)own;
	m->words = (unsigned short)(f.words < 0xffff ? f.words : 0xffff);
	m->hits = hits.n;
	m->nhits = (unsigned char)f.n;
	buf_add(&hits, f.hit, f.n);
}

static double
score(const struct match *m)
{
	return bm25_score(&rank, (const unsigned char *)hits.p + m->hits,
	    m->nhits, m->words);
}

static int
is_gone(const struct match *m)
{
	const struct factslot *g =
	    factset_get(&gone, (enum fact_scope)m->scope, m->id);

	return g != NULL && g->number > m->number;
}

/* Does b go before a? */
static int
before(const struct best *b, const struct best *a)
{
	int c;

	if (b->score < a->score || b->score > a->score)
		return b->score > a->score;
	c = strcmp(b->fact.time != NULL ? b->fact.time : "",
	    a->fact.time != NULL ? a->fact.time : "");
	if (c != 0)
		return c > 0;
	if (b->fact.confidence < a->fact.confidence
	    || b->fact.confidence > a->fact.confidence)
		return b->fact.confidence > a->fact.confidence;
	return b->match > a->match;
}

/*
 * Can its line, by its bytes, not be newer than the last of the best, which
 * has the same score?  Saves reading most of many that are equal.
 */
static int
is_older(const struct match *m, const struct best *last)
{
	static const char mark[] = "\"time\":\"";
	const char *s = m->line.p;
	size_t i, n = last->fact.time == NULL ? 0 : strlen(last->fact.time);

	for (i = m->line.n; n > 0 && i-- > 0;)
		if (s[i] == '"' && m->line.n - i > sizeof(mark) + n
		    && memcmp(s + i, mark, sizeof(mark) - 1) == 0)
			return memcmp(s + i + sizeof(mark) - 1,
				   last->fact.time, n) < 0;
	return 0;
}

static void
keep(const struct match *m, double points)
{
	static struct json j;
	struct list *l = &lists[limits->each ? m->own : 0];
	struct best b = {0};
	const char *why;
	size_t i, k;

	if (l->max == 0 || is_gone(m))
		return;
	if (l->n == l->max
	    && (points < l->v[l->n - 1].score
		|| (points <= l->v[l->n - 1].score
		    && is_older(m, &l->v[l->n - 1]))))
		return;
	/* factlog has read it, so that it is one. */
	if (json_parse(&j, m->line.p, m->line.n) < 0
	    || fact_take(&b.fact, &j, 0, &why) < 0)
		return;
	b.match = m;
	b.score = points;
	/* Said again: the last one counts. */
	for (i = 0; i < l->n; i++)
		if (memcmp(l->v[i].fact.id, b.fact.id, FACT_ID) == 0) {
			fact_free(&l->v[i].fact);
			memmove(&l->v[i], &l->v[i + 1],
			    (--l->n - i) * sizeof(*l->v));
			break;
		}
	for (k = l->n; k > 0 && before(&b, &l->v[k - 1]); k--)
		;
	if (k == l->max) {
		fact_free(&b.fact);
		return;
	}
	if (l->n == l->max)
		fact_free(&l->v[--l->n].fact);
	memmove(&l->v[k + 1], &l->v[k], (l->n - k) * sizeof(*l->v));
	l->v[k] = b;
	l->n++;
}

/* Forget the last answer.  How many are wanted in all. */
static size_t
begin(void)
{
	struct list *l;
	size_t sum = 0;
	int i;

	for (i = 0; i < FACT_SCOPES; i++) {
		l = &lists[i];
		while (l->n > 0)
			fact_free(&l->v[--l->n].fact);
		l->max = i > 0 && !limits->each ? 0 : limits->max[i];
		if (l->max > FACTRANK_MAX)
			l->max = FACTRANK_MAX;
		sum += l->max;
	}
	return sum;
}

size_t
factrank(const char *s, size_t n, const struct factrank_limits *lim,
    const struct buf *more)
{
	struct span extra = {more->p, more->n};
	size_t i, most;

	limits = lim;
	most = begin();
	nmatches = npersonas = 0;
	buf_reset(&hits);
	free(gone.v);
	memset(&gone, 0, sizeof(gone));
	bm25_ask(&rank, s, n);
	for (i = 0; i < FACT_SCOPES; i++)
		factlog_each((enum fact_scope)i, look, NULL);
	if (extra.n > 0)
		factlog_lines(extra, "<stdin>", FACT_USER, look, &extra);
	if (most == 0)
		return 0;
	bm25_weigh(&rank);
	for (i = 0; i < nmatches; i++)
		keep(&matches[i], score(&matches[i]));
	for (i = n = 0; i < FACT_SCOPES; i++)
		n += lists[i].n;
	return n;
}

const struct fact *
factrank_persona(void)
{
	static struct fact f;
	static struct json j;
	const struct match *m;
	const char *why;
	size_t i = npersonas;

	while (i-- > 0) {
		m = &personas[i];
		if (is_gone(m))
			continue;
		fact_free(&f);
		if (json_parse(&j, m->line.p, m->line.n) == 0
		    && fact_take(&f, &j, 0, &why) == 0)
			return &f;
	}
	return NULL;
}

const struct fact *
factrank_fact(size_t i)
{
	const struct list *l = lists;

	for (; i >= l->n; l++)
		i -= l->n;
	return &l->v[i].fact;
}
