#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env.h"
#include "path.h"
#include "place.h"
#include "star.h"

/* Append the names of rest, "." and ".." as they are written. */
static void
descend(struct buf *b, const char *rest)
{
	size_t n;

	for (; *rest != '\0'; rest += n) {
		rest += strspn(rest, "/");
		n = strcspn(rest, "/");
		if (n == 0 || (n == 1 && *rest == '.'))
			continue;
		if (n == 2 && rest[0] == '.' && rest[1] == '.') {
			while (b->n > 0 && b->p[--b->n] != '/')
				continue;
			continue;
		}
		buf_putc(b, '/');
		buf_add(b, rest, n);
	}
	if (b->n == 0)
		buf_putc(b, '/');
}

void
place_named(struct buf *abs, const char *path)
{
	buf_reset(abs);
	if (*path != '/' && strcmp(path_cwd(), "/") != 0)
		buf_puts(abs, path_cwd());
	descend(abs, path);
}

int
place_real(struct buf *real, const char *path)
{
	struct buf whole = { 0 };
	char *s, *found = NULL;
	char link[1];
	size_t n;
	int r = 0;

	if (*path != '/') {
		buf_puts(&whole, path_cwd());
		buf_putc(&whole, '/');
	}
	buf_puts(&whole, path);
	s = buf_cstr(&whole);
	/* The longest part that exists. */
	for (n = whole.n; n > 0 && found == NULL; ) {
		char was = s[n];

		s[n] = '\0';
		found = realpath(s, NULL);
		/* A link to what is not there yet leads out all the same. */
		if (found == NULL
		    && (errno != ENOENT || readlink(s, link, 1) >= 0))
			r = -1;
		s[n] = was;
		if (found != NULL || r < 0)
			break;
		while (n > 0 && s[n - 1] != '/')
			n--;
		while (n > 0 && s[n - 1] == '/')
			n--;
	}
	buf_reset(real);
	/* Where ".." leads from what is not there yet is not known. */
	if (r == 0 && star_climbs(s + n))
		r = -1;
	if (r == 0) {
		if (found != NULL && strcmp(found, "/") != 0)
			buf_puts(real, found);
		descend(real, s + n);
	}
	free(found);
	buf_free(&whole);
	return r;
}

/* Append s as a pattern that fits s alone. */
static void
literal(struct buf *b, const char *s)
{
	for (; *s != '\0'; s++) {
		if (strchr("*\\", *s) != NULL)
			buf_putc(b, '\\');
		buf_putc(b, *s);
	}
}

void
place_pattern(struct buf *abs, const char *pattern)
{
	struct buf real = { 0 };

	const char *run = "$TURNPIPE_RUN/";

	buf_reset(abs);
	if (strncmp(pattern, run, strlen(run)) == 0) {
		if (env_get("TURNPIPE_RUN") == NULL
		    || place_real(&real, env_get("TURNPIPE_RUN")) < 0) {
			buf_free(&real);
			return;
		}
		literal(abs, real.n > 1 ? buf_cstr(&real) : "");
		pattern += strlen(run) - 1;
	} else if (pattern[0] == '~' && (pattern[1] == '/' || pattern[1] == '\0')) {
		if (place_real(&real, path_home()) < 0)
			buf_puts(&real, path_home());
		literal(abs, buf_cstr(&real));
		pattern++;
	} else if (*pattern != '/') {
		if (place_real(&real, path_root()) < 0)
			buf_puts(&real, path_root());
		literal(abs, real.n > 1 ? buf_cstr(&real) : "");
		while (pattern[0] == '.' && pattern[1] == '/')
			pattern += 2;
		if (strcmp(pattern, ".") != 0)
			buf_putc(abs, '/');
		else
			pattern++;
	}
	buf_puts(abs, pattern);
	/* "src/" is src. */
	while (abs->n > 1 && abs->p[abs->n - 1] == '/')
		abs->n--;
	buf_free(&real);
}
