#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pagetext.h"
#include "utf8.h"

enum { TAG_NAME = 16, HREF_MAX = 2048 };

static struct {
	struct buf *b;
	size_t start;	 /* of the text in b */
	int lines;	 /* newlines owed before the next word */
	int blank;	 /* a blank is owed */
	int pre;	 /* depth of pre */
	struct buf href; /* of the open link */
	size_t link;	 /* where its text begins */
} page;

static const char *const blocks[] = { "p", "div", "section", "article",
	"main", "header", "footer", "nav", "aside", "ul", "ol", "dl", "dt",
	"dd", "table", "form", "fieldset", "blockquote", "figure",
	"figcaption", "address", "details", "summary", "title", "pre", "hr",
	"h1", "h2", "h3", "h4", "h5", "h6", NULL };
/* Elements whose content is no text of the page. */
static const char *const hidden[] = { "script", "style", "noscript",
	"template", "svg", "iframe", "object", "select", NULL };

static const struct {
	const char *name;
	uint32_t cp;
} entities[] = {
	{ "amp", '&' }, { "lt", '<' }, { "gt", '>' }, { "quot", '"' },
	{ "apos", '\'' }, { "nbsp", 0xa0 }, { "ndash", 0x2013 },
	{ "mdash", 0x2014 }, { "hellip", 0x2026 }, { "lsquo", 0x2018 },
	{ "rsquo", 0x2019 }, { "ldquo", 0x201c }, { "rdquo", 0x201d },
	{ "laquo", 0xab }, { "raquo", 0xbb }, { "bull", 0x2022 },
	{ "middot", 0xb7 }, { "copy", 0xa9 }, { "reg", 0xae },
	{ "trade", 0x2122 }, { "times", 0xd7 }, { "euro", 0x20ac },
	{ "pound", 0xa3 }, { "deg", 0xb0 }, { "sect", 0xa7 },
	{ "para", 0xb6 }, { "rarr", 0x2192 }, { "larr", 0x2190 },
	{ "auml", 0xe4 }, { "ouml", 0xf6 }, { "uuml", 0xfc },
	{ "Auml", 0xc4 }, { "Ouml", 0xd6 }, { "Uuml", 0xdc },
	{ "szlig", 0xdf }, { "eacute", 0xe9 }, { "egrave", 0xe8 },
	{ "agrave", 0xe0 }, { "ccedil", 0xe7 }, { "ntilde", 0xf1 },
};

static int
is_one(const char *const *l, const char *name)
{
	for (; *l != NULL; l++)
		if (strcmp(*l, name) == 0)
			return 1;
	return 0;
}

/* Break the line: 1, or leave a line free: 2. */
static void
want_breaks(int lines)
{
	if (page.lines < lines)
		page.lines = lines;
	page.blank = 0;
}

static void
put_breaks(void)
{
	if (page.b->n > page.start && page.lines > 0)
		for (; page.lines > 0; page.lines--)
			buf_putc(page.b, '\n');
	else if (page.b->n > page.start && page.blank)
		buf_putc(page.b, ' ');
	page.lines = page.blank = 0;
}

static void
put(const char *s, size_t n)
{
	put_breaks();
	buf_add(page.b, s, n);
}

/* The character that s, behind a "&", names; its bytes, or 0. */
static size_t
entity(const char *s, size_t n, uint32_t *cp)
{
	size_t i, k;
	int hex, digit;

	*cp = 0;
	if (n > 1 && s[0] == '#') {
		hex = s[1] == 'x' || s[1] == 'X';
		for (i = k = 1 + (size_t)hex; i < n && i < k + 8; i++) {
			digit = s[i] >= '0' && s[i] <= '9' ? s[i] - '0'
			    : hex && s[i] >= 'a' && s[i] <= 'f' ? s[i] - 'a' + 10
			    : hex && s[i] >= 'A' && s[i] <= 'F' ? s[i] - 'A' + 10
								: -1;
			if (digit < 0)
				break;
			*cp = *cp * (hex ? 16 : 10) + (uint32_t)digit;
		}
		if (i == k)
			return 0;
		if (*cp == 0 || *cp > 0x10ffff || (*cp >> 11) == 0x1b
		    || (*cp < ' ' && *cp != '\n' && *cp != '\t'))
			*cp = 0xfffd;
		return i + (i < n && s[i] == ';');
	}
	for (i = 0; i < sizeof(entities) / sizeof(*entities); i++) {
		k = strlen(entities[i].name);
		if (n > k && s[k] == ';'
		    && memcmp(s, entities[i].name, k) == 0) {
			*cp = entities[i].cp;
			return k + 1;
		}
	}
	return 0;
}

static void
text(const char *s, size_t n)
{
	struct buf c = { 0 };
	uint32_t cp;
	size_t i, k;

	for (i = 0; i < n; i++) {
		if (!page.pre && strchr(" \t\r\n\f", s[i]) != NULL
		    && s[i] != '\0') {
			page.blank = page.lines == 0;
			continue;
		}
		if (s[i] == '\r')
			continue;
		if (s[i] == '&'
		    && (k = entity(s + i + 1, n - i - 1, &cp)) > 0) {
			buf_reset(&c);
			utf8_put(&c, cp == 0xa0 ? ' ' : cp);
			put(c.p, c.n);
			i += k;
			continue;
		}
		put(s + i, 1);
	}
	buf_free(&c);
}

/* The value of an attribute in a tag, decoded, into b. */
static void
attribute(struct buf *b, const char *s, size_t n, const char *name)
{
	size_t i = 0, k = strlen(name), from, at;
	uint32_t cp;
	char q;

	buf_reset(b);
	while (i < n) {
		while (i < n && strchr(" \t\r\n\f/", s[i]) != NULL)
			i++;
		from = i;
		while (i < n && strchr(" \t\r\n\f=/", s[i]) == NULL)
			i++;
		at = i;
		if (i == n || s[i] != '=') {
			i += at == from && i < n;
			continue;
		}
		i++;
		q = i < n && (s[i] == '"' || s[i] == '\'') ? s[i++] : '\0';
		for (; i < n && (q != '\0' ? s[i] != q
			       : strchr(" \t\r\n\f", s[i]) == NULL); i++) {
			if (at - from != k
			    || strncasecmp(s + from, name, k) != 0)
				continue;
			if (s[i] == '&'
			    && entity(s + i + 1, n - i - 1, &cp) > 0) {
				utf8_put(b, cp);
				i += entity(s + i + 1, n - i - 1, &cp);
			} else if ((unsigned char)s[i] > ' ') {
				buf_putc(b, s[i]);
			}
		}
		i += i < n && q != '\0';
	}
}

static void
end_link(void)
{
	if (page.href.n > 0 && page.b->n > page.link) {
		buf_puts(page.b, " (");
		buf_add(page.b, page.href.p, page.href.n);
		buf_puts(page.b, ")");
	}
	buf_reset(&page.href);
}

static void
tag(const char *name, int closes, const char *rest, size_t n)
{
	size_t i;

	if (strcmp(name, "br") == 0) {
		page.lines += page.lines < 2;
	} else if (strcmp(name, "a") == 0) {
		end_link();
		if (closes)
			return;
		attribute(&page.href, rest, n, "href");
		if (page.href.n > HREF_MAX || (page.href.n > 0
			&& (page.href.p[0] == '#'
			    || strncasecmp(buf_cstr(&page.href),
				"javascript:", 11) == 0)))
			buf_reset(&page.href);
		page.link = page.b->n;
	} else if (strcmp(name, "li") == 0 && !closes) {
		want_breaks(1);
		put("- ", 2);
	} else if (strcmp(name, "tr") == 0) {
		want_breaks(1);
	} else if ((strcmp(name, "td") == 0 || strcmp(name, "th") == 0)
	    && closes) {
		if (page.lines == 0)
			put(" |", 2);
		page.blank = 1;
	} else if (is_one(blocks, name)) {
		want_breaks(2);
		if (name[0] == 'h' && name[1] >= '1' && name[1] <= '6'
		    && !closes) {
			for (i = 0; i < (size_t)(name[1] - '0'); i++)
				put("#", 1);
			page.blank = 1;
		}
		if (strcmp(name, "pre") == 0)
			page.pre = !closes;
	}
}

/* Where the content of a hidden element ends: at its end tag. */
static size_t
skip(const char *s, size_t n, size_t i, const char *name)
{
	size_t k = strlen(name);

	for (; i + k + 2 < n; i++)
		if (s[i] == '<' && s[i + 1] == '/'
		    && strncasecmp(s + i + 2, name, k) == 0)
			return i;
	return n;
}

/* Where the tag that begins at i ends: behind its ">", not one in quotes. */
static size_t
tag_end(const char *s, size_t n, size_t i)
{
	char q = '\0';

	for (; i < n; i++) {
		if (q != '\0')
			q = s[i] == q ? '\0' : q;
		else if (s[i] == '>')
			return i;
		else if ((s[i] == '"' || s[i] == '\'') && s[i - 1] == '=')
			q = s[i];
	}
	return n;
}

/* What begins with "<" at i; where it ends. */
static size_t
element(const char *s, size_t n, size_t i)
{
	char name[TAG_NAME];
	const char *p;
	size_t end, k, from;
	int closes;

	if (n - i >= 4 && memcmp(s + i, "<!--", 4) == 0) {
		for (p = s + i + 4; (size_t)(p - s) + 3 <= n; p++)
			if (memcmp(p, "-->", 3) == 0)
				return (size_t)(p - s) + 3;
		return n;
	}
	closes = i + 1 < n && s[i + 1] == '/';
	from = i + 1 + (size_t)closes;
	for (k = 0; from + k < n && k < sizeof(name) - 1; k++) {
		name[k] = (char)(s[from + k] | 0x20);
		if (!((name[k] >= 'a' && name[k] <= 'z')
			|| (k > 0 && s[from + k] >= '0'
			    && s[from + k] <= '9')))
			break;
	}
	name[k] = '\0';
	if (k == 0 && (from >= n || (s[from] != '!' && s[from] != '?'))) {
		put("<", 1);
		return i + 1;
	}
	end = tag_end(s, n, from + k);
	tag(name, closes, s + from + k, end - from - k);
	if (!closes && is_one(hidden, name))
		return skip(s, n, end, name);
	return end < n ? end + 1 : n;
}

void
pagetext(struct buf *b, const char *s, size_t n)
{
	size_t i = 0, k;

	memset(&page, 0, sizeof(page));
	page.b = b;
	page.start = b->n;
	while (i < n) {
		if (s[i] == '<') {
			i = element(s, n, i);
			continue;
		}
		for (k = i; k < n && s[k] != '<'; k++)
			continue;
		text(s + i, k - i);
		i = k;
	}
	end_link();
	buf_free(&page.href);
	while (b->n > page.start && strchr(" \n", b->p[b->n - 1]) != NULL)
		b->n--;
	if (b->n > page.start)
		buf_putc(b, '\n');
}
