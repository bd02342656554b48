#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "markup.h"

static int
isfirst(int c)
{
	return c < 0x80 && (isalpha(c) || c == '_');
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

static size_t
blanks(const char *s, size_t i, size_t n)
{
	while (i < n && strchr(" \t\r\n", s[i]) != NULL && s[i] != '\0')
		i++;
	return i;
}

static int
same(const char *s, size_t n, const char *name)
{
	return strlen(name) == n && strncasecmp(s, name, n) == 0;
}

/* The name of a tag or its end, in s behind a '<'; its length, or 0. */
static size_t
tagname(const char *s, size_t n, size_t *at)
{
	size_t i = blanks(s, 0, n), len = 0;

	if (i < n && s[i] == '/')
		i = blanks(s, i + 1, n);
	while (i + len < n && isname((unsigned char)s[i + len]))
		len++;
	*at = i;
	return len;
}

/* Does s, behind a '<', go on as one of these tags or its end? */
static int
istag(const char *s, size_t n, const struct strs *tags, const char *own)
{
	size_t i, k, len = tagname(s, n, &i);

	for (k = 0; len > 0 && k < tags->n; k++)
		if (same(s + i, len, tags->v[k]))
			return 1;
	return len > 0 && own != NULL && same(s + i, len, own);
}

void
markup_text(struct buf *b, const char *s, size_t n, const struct strs *tags,
    const char *own)
{
	const char *end = s + n, *lt;

	while (s < end) {
		lt = memchr(s, '<', (size_t)(end - s));
		if (lt == NULL)
			break;
		buf_add(b, s, (size_t)(lt - s));
		s = lt + 1;
		if (istag(s, (size_t)(end - s), tags, own))
			buf_puts(b, "&lt;");
		else
			buf_putc(b, '<');
	}
	buf_add(b, s, (size_t)(end - s));
}

int
markup_may(const char *s, size_t n, const struct strs *tags)
{
	const char *end = s + n, *p;
	size_t i, k, len;

	for (p = s; (p = memchr(p, '<', (size_t)(end - p))) != NULL;) {
		p++;
		len = tagname(p, (size_t)(end - p), &i);
		if (len == 0 && (p + i == end || p[i] != '\\'))
			continue;
		for (k = 0; k < tags->n; k++)
			if (strncasecmp(p + i, tags->v[k], len) == 0)
				return 1;
	}
	for (p = s; (p = memchr(p, '\\', (size_t)(end - p))) != NULL;) {
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
markup_escape(struct buf *b, const char *s, size_t n)
{
	size_t i;
	unsigned char c;

	for (i = 0; i < n; i++) {
		c = (unsigned char)s[i];
		switch (c) {
		case '&': buf_puts(b, "&amp;"); break;
		case '<': buf_puts(b, "&lt;"); break;
		case '>': buf_puts(b, "&gt;"); break;
		case '"': buf_puts(b, "&quot;"); break;
		default:
			if (c < ' ' || c == 0x7f)
				buf_printf(b, "&#%d;", c);
			else
				buf_putc(b, c);
		}
	}
}

void
markup_attr(struct buf *b, const char *name, const char *s, size_t n)
{
	buf_printf(b, " %s=\"", name);
	markup_escape(b, s, n);
	buf_putc(b, '"');
}
