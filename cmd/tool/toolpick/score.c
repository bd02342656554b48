#include <stdlib.h>

#include "bm25.h"
#include "json.h"
#include "score.h"

static int
is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static int
is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

/* get_userName is the words get, user and Name. */
void
score_name(struct buf *b, const char *name)
{
	const char *p;
	size_t start;
	int parts = 0;

	buf_putc(b, ' ');
	buf_puts(b, name);
	buf_putc(b, ' ');
	start = b->n;
	for (p = name; *p != '\0'; p++) {
		if (*p == '_' || *p == '-' || *p == '.') {
			buf_putc(b, ' ');
			parts = 1;
			continue;
		}
		if (p > name && is_upper(*p)
		    && (is_lower(p[-1]) || is_lower(p[1]))) {
			buf_putc(b, ' ');
			parts = 1;
		}
		buf_putc(b, *p);
	}
	if (!parts)
		b->n = start;
	buf_putc(b, ' ');
}

/* What a tool is found by; a number in its "score" is the score. */
static void
take(struct toolselect *c, struct toolselect_tool *t)
{
	static struct json j;
	struct buf *b = &c->words;
	char *key;
	int f, k;

	/* It came through the gate once, so this does not fail. */
	(void)json_parse(&j, c->text.p + t->at, t->n);
	t->words = b->n;
	score_name(b, t->name);
	f = json_get(&j, 0, "function");
	f = f < 0 ? 0 : f;
	(void)json_str(&j, json_get(&j, f, "description"), b);
	k = json_first(&j, json_at(&j, f, "parameters.properties"));
	for (; k >= 0; k = json_next(&j, k)) {
		key = json_dup(&j, k);
		if (key != NULL)
			score_name(b, key);
		free(key);
	}
	t->nwords = b->n - t->words;
	t->scored = json_num(&j, json_get(&j, 0, "score"), &t->score) == 0;
}

/* What a tool has of the message: hits, in all of them, and its words. */
struct found {
	size_t at, n, words;
};

void
score_all(struct toolselect *c, struct span said)
{
	static struct bm25 rank;
	static struct words_found f;
	static struct found *found;
	static struct buf hits;
	static size_t cap;
	const unsigned char *hit;
	double full;
	size_t i;

	if (c->n > cap) {
		cap = c->n;
		free(found);
		found = xreallocarray(NULL, cap, sizeof(*found));
	}
	buf_reset(&hits);
	bm25_ask(&rank, said.p, said.n);
	for (i = 0; i < c->n; i++) {
		take(c, &c->v[i]);
		words_find(&rank.query, c->words.p + c->v[i].words,
		    c->v[i].nwords, &f);
		bm25_count(&rank, &f);
		found[i].at = hits.n;
		found[i].n = f.n;
		found[i].words = f.words;
		buf_add(&hits, f.hit, f.n);
	}
	bm25_weigh(&rank);
	full = bm25_full(&rank);
	if (!(full > 0))
		return;
	hit = (const unsigned char *)buf_cstr(&hits);
	for (i = 0; i < c->n; i++) {
		if (c->v[i].scored)
			continue;
		c->v[i].score = bm25_score(&rank, hit + found[i].at,
		    found[i].n, found[i].words) / full;
		if (c->v[i].score > 1)
			c->v[i].score = 1;
	}
}
