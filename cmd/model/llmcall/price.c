#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fileshape.h"
#include "match.h"
#include "path.h"
#include "price.h"
#include "yamlfile.h"

/* Dollars for a million tokens; NAN if not listed. */
struct price {
	double input, cached, cache_write, output;
};

/* A provider's file, read once; a run that uses many reads each again. */
static struct {
	struct yamlfile yml;
	char *provider; /* owned */
	int there;
	char *name; /* owned; what was asked for last, or NULL */
	int entry;  /* where it was found, or -1 */
} book;

static double
number(int entry, const char *key)
{
	double v = NAN;

	json_num(&book.yml.json, json_get(&book.yml.json, entry, key), &v);
	return v;
}

static void
take(struct price *p, int i)
{
	p->input = number(i, "input");
	p->output = number(i, "output");
	p->cached = number(i, "cached");
	p->cache_write = number(i, "cache_write");
}

void
price_open(const char *model)
{
	static struct buf rel, path;
	size_t n = strcspn(model, "/");

	if (book.provider != NULL && strlen(book.provider) == n
	    && memcmp(book.provider, model, n) == 0)
		return;
	free(book.provider);
	book.provider = xstrndup(model, n);
	free(book.name);
	book.name = NULL;
	buf_reset(&rel);
	buf_printf(&rel, "prices/%s.yaml", book.provider);
	book.there = path_find(&path, buf_cstr(&rel)) == 0;
	if (book.there) {
		yamlfile_load(&book.yml, buf_cstr(&path));
		fileshape_check(&book.yml, "price");
	}
}

/* The first entry whose pattern fits, or -1. */
static int
search(const char *name)
{
	const struct json *j = &book.yml.json;
	int i, hit;
	char *glob;

	for (i = json_first(j, json_get(j, 0, "prices")); i >= 0;
	     i = json_next(j, i)) {
		glob = json_dup(j, json_get(j, i, "match"));
		hit = glob != NULL && match_name(glob, name);
		free(glob);
		if (hit)
			return i;
	}
	return -1;
}

/* 0, or -1 where no pattern fits. */
static int
find(struct price *p, const char *name)
{
	if (book.name == NULL || strcmp(book.name, name) != 0) {
		free(book.name);
		book.name = xstrdup(name);
		book.entry = search(name);
	}
	if (book.entry >= 0)
		take(p, book.entry);
	return book.entry < 0 ? -1 : 0;
}

/* Some tokens at their price, or at that of plain input. */
static double
share(long long tokens, double price, double input)
{
	return (double)tokens * (isnan(price) ? input : price);
}

double
price_of(const char *model, const struct price_tokens *t)
{
	const char *slash = strchr(model, '/');
	long long cached = t->cached > 0 ? t->cached : 0;
	long long written = t->cache_write > 0 ? t->cache_write : 0;
	struct price p;

	if (slash == NULL || t->prompt < 0 || t->completion < 0)
		return NAN;
	price_open(model);
	if (!book.there || find(&p, slash + 1) < 0)
		return NAN;
	if (cached + written > t->prompt)
		return NAN;
	return (share(t->prompt - cached - written, p.input, p.input)
		   + share(cached, p.cached, p.input)
		   + share(written, p.cache_write, p.input)
		   + (double)t->completion * p.output)
	    / 1e6;
}
