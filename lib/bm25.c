#include <math.h>
#include <string.h>

#include "bm25.h"
#include "settings.h"
#include "stem.h"
#include "utf8.h"

enum { ENDS = 16384 }; /* bytes of a query */

void
bm25_ends(struct buf *b, const char *s, size_t n)
{
	size_t cut = n > ENDS ? utf8_cut(s, n, ENDS / 2) : n;

	buf_add(b, s, cut);
	if (cut == n)
		return;
	buf_putc(b, '\n');
	cut = utf8_cut(s, n, n - ENDS / 2);
	buf_add(b, s + cut, n - cut);
}

void
bm25_ask(struct bm25 *b, const char *s, size_t n)
{
	static struct words_stop stop;
	static struct buf ends;
	static int loaded;
	struct strs l = {NULL, 0, 0};
	size_t i;

	if (!loaded)
		settings_strs("stop_words", &l);
	if (!loaded && stem_language(settings_str("language")) < 0)
		settings_bad("language", "expected a language that "
		    "libstemmer knows");
	loaded = 1;
	stop.form = stem;
	for (i = 0; i < l.n; i++)
		words_stop(&stop, l.v[i]);
	strs_free(&l);
	memset(b, 0, sizeof(*b));
	buf_reset(&ends);
	bm25_ends(&ends, s, n);
	words_ask(&b->query, ends.p, ends.n, &stop);
}

void
bm25_count(struct bm25 *b, const struct words_found *f)
{
	unsigned char seen[WORDS_MAX] = {0};
	size_t i;

	b->texts++;
	b->words += (double)f->words;
	for (i = 0; i < f->n; i++)
		if (!seen[f->hit[i]]++)
			b->docs[f->hit[i]]++;
}

void
bm25_weigh(struct bm25 *b)
{
	size_t i;

	for (i = 0; i < b->query.n; i++)
		b->idf[i] = log(1
		    + (b->texts - b->docs[i] + 0.5) / (b->docs[i] + 0.5));
}

double
bm25_score(
    const struct bm25 *b, const unsigned char *hit, size_t n, size_t words)
{
	unsigned char times[WORDS_MAX] = {0};
	double len = (double)words * b->texts / b->words, sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		times[hit[i]]++;
	/* In the order of the query's words, so that equals add up equal. */
	for (i = 0; i < b->query.n; i++)
		if (times[i] > 0)
			sum += b->idf[i] * times[i] * 2.2
			    / (times[i] + 1.2 * (0.25 + 0.75 * len));
	return sum;
}

double
bm25_full(const struct bm25 *b)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < b->query.n; i++)
		if (b->docs[i] > 0)
			sum += b->idf[i];
	return sum;
}
