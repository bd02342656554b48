#include <string.h>

#include "file.h"
#include "ignore.h"
#include "utf8.h"
#include "wild.h"

enum { IGNORE_MAX = 1 << 20 };

/* Length without blanks at the end, but for one after a backslash. */
static size_t
trim(const char *s, size_t n)
{
	size_t slashes;

	while (n > 0 && s[n - 1] == ' ') {
		for (slashes = 0; slashes < n - 1; slashes++)
			if (s[n - 2 - slashes] != '\\')
				break;
		if (slashes % 2 == 1)
			break;
		n--;
	}
	return n;
}

static void
add(struct ignore *ig, const char *s, size_t n, const char *base)
{
	struct ignore_rule r = {0};

	if (n > 0 && s[n - 1] == '\r')
		n--;
	n = trim(s, n);
	if (n == 0 || s[0] == '#')
		return;
	if (s[0] == '!') {
		r.not = 1;
		s++;
		n--;
	}
	if (n > 0 && s[n - 1] == '/') {
		r.dironly = 1;
		n--;
	}
	r.anchored = n > 0 && memchr(s, '/', n) != NULL;
	if (n > 0 && s[0] == '/') {
		s++;
		n--;
	}
	if (n == 0)
		return;
	r.pattern = xstrndup(s, n);
	r.base = xstrdup(base);
	grow(&ig->v, &ig->cap, ig->n, sizeof(*ig->v));
	ig->v[ig->n++] = r;
}

void
ignore_add(struct ignore *ig, const char *s, size_t n, const char *base)
{
	const char *end = s + n, *nl;

	for (s += utf8_bom(s, n); s < end; s = nl + 1) {
		nl = memchr(s, '\n', (size_t)(end - s));
		if (nl == NULL)
			nl = end;
		add(ig, s, (size_t)(nl - s), base);
		if (nl == end)
			break;
	}
}

void
ignore_load(struct ignore *ig, const char *file, const char *base)
{
	struct buf b = {0};

	if (file_read(file, &b, IGNORE_MAX) == FILE_OK && b.n > 0)
		ignore_add(ig, b.p, b.n, base);
	buf_free(&b);
}

static int
matches(const struct ignore_rule *r, const char *path, int isdir)
{
	size_t n = strlen(r->base);
	const char *last;

	if ((r->dironly && !isdir) || strncmp(path, r->base, n) != 0)
		return 0;
	path += n;
	if (r->anchored)
		return wild_path(r->pattern, path);
	last = file_name(path);
	return wild_match(
	    r->pattern, strlen(r->pattern), last, strlen(last));
}

int
ignore_match(const struct ignore *ig, const char *path, int isdir)
{
	size_t i;

	for (i = ig->n; i > 0; i--)
		if (matches(&ig->v[i - 1], path, isdir))
			return !ig->v[i - 1].not;
	return 0;
}
