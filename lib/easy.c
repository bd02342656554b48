#include <string.h>

#include "easy.h"
#include "emit.h"
#include "utf8.h"

enum {
	EASY_KEYS = 64,
	EASY_NODES = 10000 /* far below YAMLFILE_EVENTS, which libyaml minds */
};

struct easy {
	struct yamlfile *y;
	size_t line; /* at hand */
	size_t nmark;
	struct span keys[2][EASY_KEYS]; /* at the top, and below its last */
	size_t nkeys[2];
	size_t after; /* column behind the colon of a key without value */
	int open;     /* the last key at the top: 1 has none yet, 2 children */
};

static void
mark(struct easy *e, size_t line, size_t col)
{
	struct yamlfile *y = e->y;

	grow(&y->marks, &y->cap, e->nmark, sizeof(*y->marks));
	y->marks[e->nmark].line = line;
	y->marks[e->nmark++].col = col;
}

static int
letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int
digit(int c)
{
	return c >= '0' && c <= '9';
}

/* Nothing that ends a line for libyaml, or that its reader refuses. */
static int
sound(const char *s, size_t n)
{
	size_t i, len;
	uint32_t cp;

	for (i = 0; i < n; i += len) {
		len = 1;
		if ((unsigned char)s[i] < 0x80) {
			if (s[i] < ' ' || s[i] == 0x7f)
				return 0;
			continue;
		}
		len = utf8_get(s + i, n - i, &cp);
		if (len == 0 || cp < 0xa0 || cp == 0x2028 || cp == 0x2029
		    || (cp >= 0xe000 && cp < 0x10000))
			return 0;
	}
	return 1;
}

static int
plain(const char *s, size_t n)
{
	size_t i;

	if (!letter(s[0]) && !digit(s[0]) && memchr("(/.", s[0], 3) == NULL
	    && (unsigned char)s[0] < 0x80)
		return 0;
	for (i = 1; i < n; i++)
		if ((s[i] == ':' && (i + 1 == n || s[i + 1] == ' '))
		    || (s[i] == '#' && s[i - 1] == ' '))
			return 0;
	return sound(s, n);
}

/* A quoted text without escapes: what is between, or -1. */
static int
quoted(struct buf *b, const char *s, size_t n)
{
	if (n < 2 || s[n - 1] != s[0] || memchr(s + 1, s[0], n - 2) != NULL
	    || (s[0] == '"' && memchr(s, '\\', n) != NULL)
	    || !sound(s + 1, n - 2))
		return -1;
	emit_str(b, s + 1, n - 2);
	return 0;
}

static int
word(const char *s, size_t n)
{
	size_t i;

	if (n == 0 || (!letter(s[0]) && !digit(s[0])))
		return 0;
	for (i = 1; i < n; i++)
		if (!letter(s[i]) && !digit(s[i])
		    && memchr(" -+./", s[i], 5) == NULL)
			return 0;
	return 1;
}

/* [a, b c, "d"]: at is where it starts in the line. */
static int
list(struct easy *e, const char *s, size_t n, size_t at)
{
	struct buf *b = &e->y->text;
	size_t i = 1, end, len;

	if (s[n - 1] != ']')
		return -1;
	mark(e, e->line, at + 1);
	emit_open(b, '[');
	for (;;) {
		while (s[i] == ' ')
			i++;
		if (i == n - 1 && s[1 + strspn(s + 1, " ")] == ']')
			break;
		for (end = i; end < n - 1 && s[end] != ','; end++)
			;
		for (len = end - i; len > 0 && s[i + len - 1] == ' '; len--)
			;
		if (e->nmark > EASY_NODES)
			return -1;
		mark(e, e->line, at + i + 1);
		if (s[i] == '"' || s[i] == '\'') {
			if (quoted(b, s + i, len) < 0)
				return -1;
		} else {
			if (!word(s + i, len))
				return -1;
			emit_str(b, s + i, len);
		}
		if (end == n - 1)
			break;
		i = end + 1;
	}
	emit_close(b, ']');
	return 0;
}

static int
value(struct easy *e, const char *s, size_t n, size_t at)
{
	struct buf *b = &e->y->text;

	if (s[0] == '[')
		return list(e, s, n, at);
	mark(e, e->line, at + 1);
	if (s[0] == '"' || s[0] == '\'')
		return quoted(b, s, n);
	if (!plain(s, n))
		return -1;
	emit_str(b, s, n);
	return 0;
}

static int
key(struct easy *e, int level, const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < e->nkeys[level]; i++)
		if (e->keys[level][i].n == n
		    && memcmp(e->keys[level][i].p, s, n) == 0)
			return -1;
	if (i == EASY_KEYS)
		return -1;
	e->keys[level][i].p = s;
	e->keys[level][i].n = n;
	e->nkeys[level]++;
	emit_keyn(&e->y->text, s, n);
	return 0;
}

/* The last key at the top is done: give it null, or end its mapping. */
static void
settle(struct easy *e)
{
	if (e->open == 1) {
		mark(e, e->line - 1, e->after);
		emit_null(&e->y->text);
	} else if (e->open == 2) {
		emit_close(&e->y->text, '}');
	}
	e->open = 0;
}

static int
line(struct easy *e, const char *s, size_t n)
{
	size_t i, indent = 0;

	if (n == 0)
		return -1;
	if (s[0] == ' ') {
		if (n < 3 || s[1] != ' ' || e->open == 0)
			return -1;
		indent = 2;
	} else {
		settle(e);
	}
	for (i = indent; i < n && (letter(s[i]) || digit(s[i]) || s[i] == '-');
	     i++)
		;
	if (i == indent || i == n || !letter(s[indent]) || s[i] != ':'
	    || i - indent > 128)
		return -1;
	if (e->open == 1) {
		mark(e, e->line, 3);
		emit_open(&e->y->text, '{');
		e->open = 2;
		e->nkeys[1] = 0;
	}
	mark(e, e->line, indent + 1);
	if (key(e, indent > 0, s + indent, i - indent) < 0)
		return -1;
	while (n > i + 1 && s[n - 1] == ' ')
		n--;
	if (++i == n) {
		e->open = 1;
		e->after = i + 1;
		return indent > 0 ? -1 : 0;
	}
	if (s[i] != ' ')
		return -1;
	while (s[i] == ' ')
		i++;
	return value(e, s + i, n - i, i);
}

static int
lines(struct easy *e, const char *s, size_t n)
{
	const char *nl;
	size_t at, end;

	mark(e, 1, 1);
	emit_open(&e->y->text, '{');
	for (at = 0; at < n; at = end + 1) {
		nl = memchr(s + at, '\n', n - at);
		end = nl == NULL ? n : (size_t)(nl - s);
		e->line++;
		if (line(e, s + at, end - at) < 0)
			return -1;
	}
	e->line++;
	settle(e);
	emit_close(&e->y->text, '}');
	return 0;
}

int
easy_parse(struct yamlfile *y, const char *s, size_t n)
{
	static struct easy e;

	buf_reset(&y->text);
	e.y = y;
	e.line = e.nmark = 0;
	e.nkeys[0] = 0;
	e.open = 0;
	if (n > 0 && lines(&e, s, n) == 0)
		return 0;
	buf_reset(&y->text);
	return -1;
}
