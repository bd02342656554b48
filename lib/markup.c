#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "markup.h"
#include "sha256.h"
#include "terminal.h"
#include "textfile.h"
#include "utf8.h"

enum { MARKUP_NAME = 80 }; /* bytes of a name that are compared */

static int
isfirst(int c)
{
	return c < 0x80 && (isalpha(c) || c == '_');
}

static int
lower(int c)
{
	return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

static int
isname(int c)
{
	return isfirst(c) || (c < 0x80 && isdigit(c)) || c == '.' || c == '-';
}

int
markup_isname(const char *s, size_t n)
{
	size_t i;

	if (n == 0 || !isfirst((unsigned char)*s))
		return 0;
	for (i = 1; i < n; i++)
		if (!isname((unsigned char)s[i]))
			return 0;
	return 1;
}

void
markup_name(struct buf *b, const char *s, size_t n)
{
	size_t i;

	if (n == 0 || !isfirst((unsigned char)*s))
		buf_putc(b, '_');
	for (i = 0; i < n; i++)
		buf_putc(b, isname((unsigned char)s[i]) ? s[i] : '-');
}

/* Blanks and invisible characters. */
static size_t
unseen(const char *s, size_t i, size_t n)
{
	uint32_t c;
	size_t k;

	while (i < n) {
		if (s[i] > ' ' && s[i] < 0x7f)
			break;
		if (strchr(" \t\r\n", s[i]) != NULL && s[i] != '\0') {
			i++;
			continue;
		}
		k = utf8_get(s + i, n - i, &c);
		if (k == 0 || !terminal_hides(c))
			break;
		i += k;
	}
	return i;
}

/*
 * The name of a tag or its end, in s after a '<', without its invisible
 * characters; its length, or 0.  One that is longer than ours is cut.
 */
static size_t
tagname(const char *s, size_t n, char name[MARKUP_NAME])
{
	size_t i = unseen(s, 0, n), len = 0, next;

	if (i < n && s[i] == '/')
		i = unseen(s, i + 1, n);
	while (i < n && len < MARKUP_NAME && isname((unsigned char)s[i])) {
		name[len++] = s[i++];
		next = unseen(s, i, n);
		/* A blank ends a name. */
		if (next > i && ((unsigned char)s[i] >= 0x80
			|| strchr(" \t\r\n", s[i]) == NULL))
			i = next;
	}
	return len;
}

static int
same(const char *s, size_t n, const char *name)
{
	return strlen(name) == n && strncasecmp(s, name, n) == 0;
}

/* Does s, after a '<', go on as one of these tags or its end? */
static int
istag(const char *s, size_t n, const struct strs *tags)
{
	char name[MARKUP_NAME];
	size_t k, len = tagname(s, n, name);

	for (k = 0; len > 0 && k < tags->n; k++)
		if (same(name, len, tags->v[k]))
			return 1;
	return 0;
}

/* Where s has a tag that name opens or closes; NULL if nowhere. */
static const char *
find(const char *s, size_t n, const char *name)
{
	const char *end = s + n, *lt;
	char seen[MARKUP_NAME];
	size_t len;

	for (; s < end && (lt = memchr(s, '<', (size_t)(end - s))) != NULL;
	    s = lt + 1) {
		len = tagname(lt + 1, (size_t)(end - lt - 1), seen);
		if (same(seen, len, name))
			return lt;
	}
	return NULL;
}

void
markup_element(struct buf *b, const char *name, struct span text)
{
	enum { DIGITS = 8 };
	static struct buf salted;
	size_t start = b->n, suffix;
	int again;

	buf_puts(b, name);
	if (find(text.p, text.n, name) == NULL)
		return;
	buf_putc(b, '-');
	suffix = b->n;
	buf_reset(&salted);
	buf_span(&salted, text);
	do {
		b->n = suffix;
		sha256_hex(b, salted.p, salted.n, DIGITS);
		buf_putc(&salted, ' ');
		again = find(text.p, text.n, buf_cstr(b) + start) != NULL;
	} while (again);
}

void
markup_rename(struct buf *b, const char *s, size_t n, const struct strs *names,
    struct span text)
{
	const char *end = s + n, *lt;
	size_t i, len;

	for (; s < end && (lt = memchr(s, '<', (size_t)(end - s))) != NULL;
	    s += len) {
		lt += 1 + (lt + 1 < end && lt[1] == '/');
		buf_add(b, s, (size_t)(lt - s));
		s = lt;
		for (len = 0; s + len < end && isname((unsigned char)s[len]);)
			len++;
		for (i = 0; i < names->n; i++)
			if (span_is((struct span){s, len}, names->v[i]))
				break;
		if (i < names->n)
			markup_element(b, names->v[i], text);
		else
			buf_add(b, s, len);
	}
	buf_add(b, s, (size_t)(end - s));
}

/* What fills the holes of a template, and all that it has filled in. */
struct filler {
	template_fill *fill;
	void *arg;
	struct buf *all;
};

static int
note(struct buf *b, const char *name, size_t n, void *arg)
{
	const struct filler *f = arg;
	size_t start = b->n;

	if (!f->fill(b, name, n, f->arg))
		return 0;
	buf_add(f->all, b->p + start, b->n - start);
	buf_putc(f->all, '\n');
	return 1;
}

void
markup_expand(struct buf *b, const char *s, size_t n, template_fill *fill,
    void *arg)
{
	static struct buf all, text;
	static struct strs names;
	struct filler f = {fill, arg, &all};
	size_t start = b->n, i;

	buf_reset(&all);
	template_expand(b, s, n, note, &f);
	strs_reset(&names);
	markup_closed(&names, s, n);
	for (i = 0; i < names.n; i++)
		if (find(all.p, all.n, names.v[i]) != NULL)
			break;
	if (i == names.n)
		return;
	b->n = start;
	buf_reset(&text);
	markup_rename(&text, s, n, &names, buf_view(&all));
	template_expand(b, text.p, text.n, fill, arg);
}

void
markup_text(struct buf *b, const char *s, size_t n, const struct strs *tags)
{
	const char *end = s + n, *lt;

	while (s < end) {
		lt = memchr(s, '<', (size_t)(end - s));
		if (lt == NULL)
			break;
		buf_add(b, s, (size_t)(lt - s));
		s = lt + 1;
		if (istag(s, (size_t)(end - s), tags))
			buf_puts(b, "&lt;");
		else
			buf_putc(b, '<');
	}
	buf_add(b, s, (size_t)(end - s));
}

int
markup_may(const char *s, size_t n, const struct strs *tags, int hasu)
{
	const char *end = s + n, *p;
	char name[MARKUP_NAME];
	size_t i, k, len;

	for (p = s; (p = memchr(p, '<', (size_t)(end - p))) != NULL;) {
		p++;
		len = tagname(p, (size_t)(end - p), name);
		i = unseen(p, 0, (size_t)(end - p));
		if (len == 0 && p + i < end && p[i] == '/')
			i = unseen(p, i + 1, (size_t)(end - p));
		if (len == 0 && (p + i == end || p[i] != '\\'))
			continue;
		for (k = 0; k < tags->n; k++)
			if ((len == 0 || lower(*name) == lower(*tags->v[k]))
			    && strncasecmp(name, tags->v[k], len) == 0)
				return 1;
	}
	for (p = s; hasu
	    && (p = memchr(p, '\\', (size_t)(end - p))) != NULL;) {
		if (end - p >= 6 && memcmp(p, "\\u003", 5) == 0)
			return 1;
		p += end - p >= 2 ? 2 : 1;
	}
	return 0;
}

void
markup_closed(struct strs *tags, const char *s, size_t n)
{
	const char *p = s, *end = s + n, *name;

	while (p < end && (p = memchr(p, '<', (size_t)(end - p))) != NULL) {
		if (++p == end || *p != '/')
			continue;
		name = ++p;
		p = memchr(p, '>', (size_t)(end - p));
		if (p == NULL)
			break;
		if (markup_isname(name, (size_t)(p - name)))
			strs_addn(tags, name, (size_t)(p - name));
	}
}

void
markup_attr(struct buf *b, const char *s, size_t n)
{
	static struct buf line;
	size_t i;

	buf_reset(&line);
	textfile_name(&line, (struct span){s, n});
	for (i = 0; i < line.n; i++)
		switch (line.p[i]) {
		case '&': buf_puts(b, "&amp;"); break;
		case '<': buf_puts(b, "&lt;"); break;
		case '>': buf_puts(b, "&gt;"); break;
		case '"': buf_puts(b, "&quot;"); break;
		default: buf_putc(b, line.p[i]);
		}
}
