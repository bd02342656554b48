#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fileshape.h"
#include "match.h"
#include "path.h"
#include "price.h"
#include "yamlfile.h"

/* A provider's file, read once; a run that uses many reads each again. */
static struct {
	struct yamlfile yml;
	char *provider; /* owned */
	int there;
	int entry; /* of the model asked for last, or -1 */
} book;

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
	buf_reset(&rel);
	buf_printf(&rel, "prices/%s.yaml", book.provider);
	book.there = path_find(&path, buf_cstr(&rel)) == 0;
	if (book.there) {
		yamlfile_load(&book.yml, buf_cstr(&path));
		fileshape_check(&book.yml, "price");
	}
}

/* The first entry for a model and the tokens of a prompt, or -1. */
static int
find(const char *name, long long prompt)
{
	const struct json *j = &book.yml.json;
	int i, hit;
	char *glob;
	long long most;

	for (i = json_first(j, json_get(j, 0, "prices")); i >= 0;
	     i = json_next(j, i)) {
		glob = json_dup(j, json_get(j, i, "match"));
		hit = glob != NULL && match_name(glob, name)
		    && (json_int(j, json_get(j, i, "up_to"), &most) < 0
			|| prompt <= most);
		free(glob);
		if (hit)
			return i;
	}
	return -1;
}

/* The price of that name in the entry for the model asked for last, or NAN. */
static double
number(const char *key)
{
	double v = NAN;

	json_num(&book.yml.json, json_get(&book.yml.json, book.entry, key), &v);
	return v;
}

/* So many at a price that need not be known for none. */
static double
times(long long n, double price)
{
	return n > 0 ? (double)n * price : 0;
}

static double
first(double a, double b)
{
	return isnan(a) ? b : a;
}

static double
pieces(const struct usage *u)
{
	const struct json *j = &book.yml.json;
	const struct usage_piece *p = u->piece;
	double sum = 0, price;

	for (; p < u->piece + USAGE_PIECES && p->n > 0; p++) {
		price = NAN;
		json_num(j, json_get(j, json_get(j, 0, "pieces"), p->name),
		    &price);
		sum += times(p->n, price);
	}
	return sum;
}

double
price_of(const char *model, const struct usage *u, double part)
{
	const char *slash = strchr(model, '/');
	long long n[USAGE_COUNTS], plain, text;
	double input, output, written;
	size_t i;

	for (i = 0; i < USAGE_COUNTS; i++)
		n[i] = u->n[i] > 0 ? u->n[i] : 0;
	if (slash == NULL || u->n[USAGE_PROMPT] < 0
	    || u->n[USAGE_COMPLETION] < 0)
		return NAN;
	price_open(model);
	book.entry = book.there ? find(slash + 1, n[USAGE_PROMPT]) : -1;
	if (book.entry < 0)
		return NAN;
	plain = n[USAGE_PROMPT] - n[USAGE_CACHED] - n[USAGE_WRITTEN]
	    - n[USAGE_AUDIO_IN];
	text = n[USAGE_COMPLETION] - n[USAGE_AUDIO_OUT];
	if (plain < 0 || text < 0 || n[USAGE_WRITTEN] < n[USAGE_WRITTEN_1H])
		return NAN;
	input = number("input");
	output = number("output");
	written = first(number("cache_write"), input);
	return part
	    * (times(plain, input)
		+ times(n[USAGE_CACHED], first(number("cached"), input))
		+ times(n[USAGE_WRITTEN] - n[USAGE_WRITTEN_1H], written)
		+ times(n[USAGE_WRITTEN_1H], number("cache_write_1h"))
		+ times(n[USAGE_AUDIO_IN], number("audio_input"))
		+ times(text, output)
		+ times(n[USAGE_AUDIO_OUT], number("audio_output")))
	    / 1e6
	    + pieces(u);
}
