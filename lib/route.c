#include <string.h>

#include "path.h"
#include "route.h"
#include "utf8.h"
#include "yml.h"

struct route {
	struct strs words; /* folded */
	struct strs tools;
};

static struct route *routes;
static size_t nroutes, caproutes;

void
route_fold(struct buf *b, const char *s, size_t n)
{
	uint32_t cp;
	size_t len;

	for (; n > 0; s += len, n -= len) {
		len = utf8_get(s, n, &cp);
		if (len == 0) {
			buf_putc(b, *s);
			len = 1;
		} else {
			utf8_put(b, utf8_lower(cp));
		}
	}
}

static int
isword(const char *s, size_t n)
{
	uint32_t cp;

	return utf8_get(s, n, &cp) > 0 && utf8_isword(cp);
}

/* Is the character that ends before s[i] one of a word? */
static int
wordbefore(const char *s, size_t i)
{
	size_t k = i;

	while (k > 0 && i - k < 4) {
		k--;
		if (((unsigned char)s[k] & 0xc0) != 0x80)
			break;
	}
	return i > 0 && isword(s + k, i - k);
}

int
route_holds(struct span text, const char *keyword)
{
	static struct buf word;
	const char *s = text.p;
	size_t left = text.n, n;
	int alone;

	buf_reset(&word);
	route_fold(&word, keyword, strlen(keyword));
	if ((n = word.n) == 0)
		return 0;
	alone = isword(word.p, n) && wordbefore(word.p, n);
	for (; left >= n; s++, left--) {
		s = memchr(s, word.p[0], left - n + 1);
		if (s == NULL)
			return 0;
		left = text.n - (size_t)(s - text.p);
		if (memcmp(s, word.p, n) == 0
		    && (!alone
			|| (!wordbefore(text.p, (size_t)(s - text.p))
			    && !isword(s + n, left - n))))
			return 1;
	}
	return 0;
}

static void
load(const char *path)
{
	static struct yml y;
	struct route *r;
	int k, i;

	yml_load(&y, path);
	if (json_kind(&y.json, 0) != JSON_OBJECT)
		yml_bad(&y, 0, "expected words and tools");
	grow(&routes, &caproutes, nroutes, sizeof(*routes));
	r = &routes[nroutes++];
	memset(r, 0, sizeof(*r));
	for (k = json_first(&y.json, 0); k >= 0; k = json_next(&y.json, k)) {
		i = k + 1;
		if (json_is(&y.json, k, "words")) {
			if (json_strs(&y.json, i, &r->words) != 0)
				yml_bad(&y, i, "expected a list of words");
		} else if (json_is(&y.json, k, "tools")) {
			if (json_strs(&y.json, i, &r->tools) != 0)
				yml_bad(&y, i, "expected a list of tool names");
		} else {
			yml_bad(&y, k, "expected words or tools");
		}
	}
}

size_t
route_match(struct strs *patterns, const char *s, size_t n)
{
	static struct strs files;
	static struct buf text;
	static int loaded;
	struct span folded;
	size_t i, k, found = 0;

	if (!loaded) {
		loaded = 1;
		path_list(&files, "routes", ".yaml");
		for (i = 0; i < files.n; i++)
			load(files.v[i]);
	}
	buf_reset(&text);
	route_fold(&text, s, n);
	folded.p = buf_cstr(&text);
	folded.n = text.n;
	for (i = 0; i < nroutes; i++) {
		for (k = 0; k < routes[i].words.n; k++)
			if (route_holds(folded, routes[i].words.v[k]))
				break;
		if (k == routes[i].words.n)
			continue;
		found++;
		for (k = 0; k < routes[i].tools.n; k++)
			strs_add(patterns, routes[i].tools.v[k]);
	}
	return found;
}
