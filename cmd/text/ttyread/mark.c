#include <string.h>
#include <sys/stat.h>

#include "mark.h"
#include "utf8.h"

static const char mark[] = "\xe2\x80\x88"; /* U+2008 */
enum { MARK_SIZE = sizeof(mark) - 1 };

static int
is_steering(int c)
{
	return c == '/' || c == '!' || c == '@';
}

static int
is_blank(uint32_t c)
{
	return c == 0 || c == ' ' || c == '\t' || c == '\n' || c == '(';
}

void
mark_add(struct buf *b, const char *s, size_t n, uint32_t prev)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (is_steering(s[i])
		    && (i == 0 || is_blank(prev)
			|| (i >= MARK_SIZE
			    && memcmp(s + i - MARK_SIZE, mark, MARK_SIZE) == 0)))
			buf_add(b, mark, MARK_SIZE);
		buf_putc(b, s[i]);
		prev = (unsigned char)s[i];
	}
}

void
mark_strip(struct buf *b, const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (n - i > MARK_SIZE && memcmp(s + i, mark, MARK_SIZE) == 0
		    && is_steering(s[i + MARK_SIZE]))
			i += MARK_SIZE;
		buf_putc(b, s[i]);
	}
}

/* The path at s; what ends a sentence is no part of it unless there is one. */
static size_t
add_path(struct buf *b, const char *s, size_t n)
{
	static struct buf word, name;
	struct stat st;
	size_t k = 0, used;

	buf_reset(&word);
	if (n > 0 && s[0] == '"') {
		for (k = 1; k < n && s[k] != '"' && s[k] != '\n'; k++)
			continue;
		buf_add(&word, s + 1, k - 1);
		used = k < n && s[k] == '"' ? k + 1 : k;
	} else {
		while (k < n && !is_blank((unsigned char)s[k]))
			k++;
		buf_add(&word, s, k);
		used = k;
	}
	buf_reset(&name);
	mark_strip(&name, word.p, word.n);
	while (name.n > 1 && stat(buf_cstr(&name), &st) < 0
	    && strchr(".,;:!?)'\"", name.p[name.n - 1]) != NULL)
		name.n--;
	if (name.n > 0) {
		buf_putc(b, '@');
		buf_add(b, name.p, name.n);
		buf_putc(b, '\n');
	}
	return used;
}

void
mark_list(struct buf *b, const char *s, size_t n)
{
	size_t i;

	if (n > 0 && (s[0] == '/' || s[0] == '!')) {
		buf_putc(b, s[0]);
		buf_putc(b, '\n');
	}
	for (i = 0; i < n; i++)
		if (s[i] == '@'
		    && (i == 0 || is_blank((unsigned char)s[i - 1])))
			i += add_path(b, s + i + 1, n - i - 1);
}
