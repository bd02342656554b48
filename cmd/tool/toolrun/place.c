#include <string.h>

#include "env.h"
#include "path.h"
#include "place.h"
#include "roots.h"

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
		    || roots_real(&real, env_get("TURNPIPE_RUN")) < 0) {
			buf_free(&real);
			return;
		}
		literal(abs, real.n > 1 ? buf_cstr(&real) : "");
		pattern += strlen(run) - 1;
	} else if (pattern[0] == '~' && (pattern[1] == '/' || pattern[1] == '\0')) {
		if (roots_real(&real, path_home()) < 0)
			buf_puts(&real, path_home());
		literal(abs, buf_cstr(&real));
		pattern++;
	} else if (*pattern != '/') {
		if (roots_real(&real, path_root()) < 0)
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
