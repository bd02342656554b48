#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "keyword.h"
#include "recall.h"
#include "utf8.h"

enum { WORDS_MAX = 64 };

/* The words asked for: in how many facts each stands. */
static struct {
	char *word;
	double docs;
} words[WORDS_MAX];
static size_t nwords;
static double ndocs, nall; /* facts, and words in them */

static struct best {
	struct fact fact;
	double score;
} best[RECALL_MAX];
static size_t nbest, most;

/* The next word of folded text, or NULL. */
static const char *
word(const char *p, size_t *n)
{
	const char *start, *end = p + strlen(p);
	uint32_t cp = 0;
	size_t len;

	for (; p < end; p += len) {
		len = utf8_get(p, (size_t)(end - p), &cp);
		if (len == 0 || utf8_isword(cp))
			break;
	}
	start = p;
	for (; p < end; p += len) {
		len = utf8_get(p, (size_t)(end - p), &cp);
		if (len == 0 || !utf8_isword(cp))
			break;
	}
	*n = (size_t)(p - start);
	return p == start ? NULL : start;
}

/* One or two letters alone tell nothing ("is", "a"); ideographs do. */
static int
telling(const char *s, size_t n)
{
	return n > 2 || (unsigned char)s[0] >= 0x80;
}

static void
ask(const char *s, size_t len)
{
	static struct buf b;
	const char *p;
	size_t i, n;

	for (i = 0; i < nwords; i++)
		free(words[i].word);
	nwords = 0;
	buf_reset(&b);
	keyword_fold(&b, s, len);
	for (p = buf_cstr(&b); (p = word(p, &n)) != NULL; p += n) {
		if (!telling(p, n) || nwords == WORDS_MAX)
			continue;
		for (i = 0; i < nwords; i++)
			if (strlen(words[i].word) == n
			    && memcmp(words[i].word, p, n) == 0)
				break;
		if (i < nwords)
			continue;
		words[nwords].word = xstrndup(p, n);
		words[nwords++].docs = 0;
	}
}

/* How often each word asked for stands in a text; the text's words. */
static double
tally(const char *text, double *times)
{
	static struct buf b;
	const char *p;
	size_t i, n;
	double all = 0;

	for (i = 0; i < nwords; i++)
		times[i] = 0;
	buf_reset(&b);
	keyword_fold(&b, text, strlen(text));
	for (p = buf_cstr(&b); (p = word(p, &n)) != NULL; p += n, all++)
		for (i = 0; i < nwords; i++)
			if (strlen(words[i].word) == n
			    && memcmp(words[i].word, p, n) == 0)
				times[i]++;
	return all;
}

static void
count(const struct fact *f, void *arg)
{
	double times[WORDS_MAX];
	size_t i;

	(void)arg;
	nall += tally(f->text, times);
	ndocs++;
	for (i = 0; i < nwords; i++)
		words[i].docs += times[i] > 0;
}

static int
before(const struct best *a, const struct fact *f, double score)
{
	int c;

	if (a->score != score)
		return a->score > score;
	c = strcmp(a->fact.time != NULL ? a->fact.time : "",
	    f->time != NULL ? f->time : "");
	return c != 0 ? c > 0 : a->fact.confidence >= f->confidence;
}

static void
keep(const struct fact *f, double score)
{
	size_t i, k;

	for (i = 0; i < nbest; i++)
		if (strcmp(best[i].fact.id, f->id) == 0)
			return;
	for (k = nbest; k > 0 && !before(&best[k - 1], f, score); k--)
		;
	if (k == most)
		return;
	if (nbest == most)
		fact_free(&best[--nbest].fact);
	memmove(&best[k + 1], &best[k], (nbest - k) * sizeof(*best));
	nbest++;
	best[k].score = score;
	best[k].fact = *f;
	best[k].fact.text = xstrdup(f->text);
	best[k].fact.category = xstrdup(f->category);
	best[k].fact.time = f->time == NULL ? NULL : xstrdup(f->time);
	best[k].fact.source = NULL;
}

/* BM25 (Robertson, Zaragoza 2009) with k1 = 1.2 and b = 0.75. */
static void
score(const struct fact *f, void *arg)
{
	double times[WORDS_MAX], len, sum = 0;
	size_t i;

	(void)arg;
	len = tally(f->text, times);
	for (i = 0; i < nwords; i++)
		if (times[i] > 0)
			sum += log(1 + (ndocs - words[i].docs + 0.5)
				       / (words[i].docs + 0.5))
			    * times[i] * 2.2
			    / (times[i] + 1.2 * (0.25 + 0.75 * len * ndocs
						      / (nall > 0 ? nall : 1)));
	if (sum > 0)
		keep(f, sum);
}

size_t
recall(const char *s, size_t n, size_t max)
{
	int i;

	while (nbest > 0)
		fact_free(&best[--nbest].fact);
	most = max > RECALL_MAX ? RECALL_MAX : max;
	ask(s, n);
	ndocs = nall = 0;
	if (nwords == 0 || most == 0)
		return 0;
	for (i = 0; i < FACT_SCOPES; i++)
		fact_each((enum fact_scope)i, count, NULL);
	for (i = 0; i < FACT_SCOPES; i++)
		fact_each((enum fact_scope)i, score, NULL);
	return nbest;
}

const struct fact *
recall_fact(size_t i)
{
	return &best[i].fact;
}
