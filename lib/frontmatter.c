#include <string.h>

#include "frontmatter.h"
#include "utf8.h"

/* A line of s from at on: its text is between start and end. */
struct line {
	size_t at, start, end, next;
};

static int
blank(int c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct line
line_at(const char *s, size_t n, size_t at)
{
	const char *nl = memchr(s + at, '\n', n - at);
	struct line l;

	l.at = l.start = at;
	l.end = nl == NULL ? n : (size_t)(nl - s);
	l.next = nl == NULL ? n : l.end + 1;
	while (l.start < l.end && s[l.start] == ' ')
		l.start++;
	while (l.end > l.start && blank(s[l.end - 1]))
		l.end--;
	return l;
}

static int
isfence(const char *s, const struct line *l)
{
	return l->start == l->at && l->end - l->at == 3
	    && memcmp(s + l->at, "---", 3) == 0;
}

/*
 * Does what v opens, a quote or a bracket, close before v is at its end, as
 * in "[file] [mode]"?  A comment after it is fine.
 */
static int
closes_early(const char *v, size_t n)
{
	size_t i, depth = 0;
	char quote = '\0';

	for (i = 0; i < n; i++) {
		if (quote != '\0') {
			if (v[i] == '\\' && quote == '"')
				i++;
			else if (v[i] == quote)
				quote = '\0';
		} else if (v[i] == '[' || v[i] == '{') {
			depth++;
		} else if (v[i] == ']' || v[i] == '}') {
			depth--;
		} else if ((v[i] == '"' || v[i] == '\'')
		    && (i == 0 || strchr("[{,: ", v[i - 1]) != NULL)) {
			quote = v[i];
		}
		if (depth == 0 && quote == '\0')
			break;
	}
	if (i + 1 >= n || (v[0] == '\'' && v[i + 1] == '\''))
		return 0;
	for (i++; i < n && blank(v[i]); i++)
		;
	return v[i] != '#' || !blank(v[i - 1]);
}

/* Does this value of one line need quotes in YAML? */
static int
needs_quotes(const char *v, size_t n)
{
	size_t i;

	if (strchr("\"'[{", v[0]) != NULL)
		return closes_early(v, n);
	if (v[0] == '&' || v[0] == '!')
		return 0;
	if (v[0] == '|' || v[0] == '>') { /* a block has no text here */
		for (i = 1; i < n && strchr("123456789+-", v[i]) != NULL; i++)
			;
		for (; i < n && blank(v[i]); i++)
			;
		return i < n && v[i] != '#';
	}
	if (strchr("@`%", v[0]) != NULL)
		return 1;
	/* Globs; what could be an alias stays one, to be refused. */
	if (v[0] == '*')
		return n == 1 || strchr("*./?", v[1]) != NULL;
	if ((v[0] == '-' || v[0] == '?') && (n == 1 || blank(v[1])))
		return 1;
	for (i = 0; i < n; i++) {
		if (v[i] == '#' && (i == 0 || blank(v[i - 1])))
			return 0;
		if (v[i] == ':' && (i + 1 == n || blank(v[i + 1])))
			return 1;
	}
	return 0;
}

/* Where the value of "key: value" starts, l->end if empty; 0 for no key. */
static size_t
value_at(const char *s, const struct line *l)
{
	size_t i = l->start;

	if (strchr("\"'[]{}#&*!|>%@`,", s[i]) != NULL)
		return 0;
	if ((s[i] == '-' || s[i] == '?')
	    && (i + 1 == l->end || blank(s[i + 1])))
		return 0;
	while (i < l->end
	    && !(s[i] == ':' && (i + 1 == l->end || blank(s[i + 1]))))
		i++;
	if (i == l->end)
		return 0;
	for (i++; i < l->end && blank(s[i]); i++)
		;
	return i < l->end && s[i] == '#' ? l->end : i;
}

/* The last line of the value in l: the last one that is indented deeper. */
static struct line
last_line(const char *s, size_t n, struct line l, size_t indent)
{
	struct line last = l;

	while (l.next < n) {
		l = line_at(s, n, l.next);
		if (l.start == l.end)
			continue;
		if (l.start - l.at <= indent)
			break;
		last = l;
	}
	return last;
}

/* Does a plain value go on in lines that cannot stand without quotes? */
static int
broken_below(const char *s, size_t n, size_t v, struct line l, size_t indent)
{
	struct line last = last_line(s, n, l, indent);

	if (strchr("\"'[{|>&!*", s[v]) != NULL)
		return 0;
	while (l.at != last.at) {
		l = line_at(s, n, l.next);
		if (l.start < l.end && s[l.start] != '#'
		    && value_at(s, &l) != 0)
			return 1;
	}
	return 0;
}

static void
quote(struct buf *b, const char *v, size_t n)
{
	size_t i;

	buf_putc(b, '"');
	for (i = 0; i < n; i++) {
		if (v[i] == '"' || v[i] == '\\')
			buf_putc(b, '\\');
		buf_putc(b, v[i]);
	}
	buf_putc(b, '"');
}

/*
 * Copy s to b with broken values quoted, at the top level and directly
 * under a key of the top level.  Number of values quoted.
 */
static size_t
repair(struct buf *b, const char *s, size_t n)
{
	size_t at, indent, v, quoted = 0, child = 0;
	int opened = 0; /* a key without value: its children may follow */
	struct line l, last;

	buf_reset(b);
	for (at = 0; at < n; at = l.next) {
		l = line_at(s, n, at);
		indent = l.start - l.at;
		v = 0;
		if (l.start < l.end && s[l.start] != '#') {
			if (indent > 0 && opened)
				child = indent;
			if (indent == 0)
				child = 0;
			if (indent == child)
				v = value_at(s, &l);
			opened = indent == 0 && v == l.end;
		}
		if (v == 0 || v == l.end
		    || (!needs_quotes(s + v, l.end - v)
			&& !broken_below(s, n, v, l, indent))) {
			buf_add(b, s + at, l.next - at);
			continue;
		}
		last = last_line(s, n, l, indent);
		buf_add(b, s + at, v - at);
		quote(b, s + v, last.end - v);
		buf_add(b, s + last.end, last.next - last.end);
		l = last;
		quoted++;
	}
	return quoted;
}

/* Does a key of the top level begin here, or something that is not a key? */
static int
begins(const char *s, const struct line *l)
{
	return l->start < l->end && l->start == l->at
	    && strchr("-]}#", s[l->start]) == NULL;
}

static int
kept(const char *const *keep, const char *s, size_t n)
{
	for (; *keep != NULL; keep++)
		if (strlen(*keep) == n && memcmp(*keep, s, n) == 0)
			return 1;
	return 0;
}

/*
 * Copy s to b with empty lines in the place of the key of the top level that
 * line is in.  0, or -1: there is none, or it is one to keep.
 */
static int
leave_out(struct buf *b, const char *s, size_t n, size_t line,
    const char *const *keep)
{
	struct line l = {0, 0, 0, 0};
	size_t at, i, from = n, to = n;

	for (at = 0, i = 1; at < n; at = l.next, i++) {
		l = line_at(s, n, at);
		if (!begins(s, &l))
			continue;
		if (i > line) {
			to = at;
			break;
		}
		from = at;
	}
	if (from == n)
		return -1;
	l = line_at(s, n, from);
	if (value_at(s, &l) == 0)
		return -1;
	for (i = l.start; s[i] != ':' || !(i + 1 == l.end || blank(s[i + 1]));
	     i++)
		;
	while (i > l.start && blank(s[i - 1]))
		i--;
	if (kept(keep, s + l.start, i - l.start))
		return -1;
	buf_reset(b);
	buf_add(b, s, from);
	for (i = from; i < to; i++)
		if (s[i] == '\n')
			buf_putc(b, '\n');
	buf_add(b, s + to, n - to);
	return 0;
}

/* Parse the YAML; on failure why, line and col are those of the original. */
static int
parse(struct frontmatter *f, const char *s, size_t n)
{
	static struct buf less;
	struct yamlfile *y = &f->yml;
	const char *why;
	size_t line, col;

	if (yamlfile_parse(y, s, n, YAMLFILE_LENIENT) == 0)
		return 0;
	f->why = y->why;
	f->line = y->line;
	f->col = y->col;
	f->requoted = repair(&f->repaired, s, n) > 0;
	if (f->requoted) {
		s = f->repaired.p;
		n = f->repaired.n;
		if (yamlfile_parse(y, s, n, YAMLFILE_LENIENT) == 0)
			return 0;
	}
	if (f->keep == NULL || !y->syntax
	    || leave_out(&less, s, n, y->line, f->keep) < 0)
		return -1;
	why = y->why;
	line = y->line;
	col = y->col;
	if (yamlfile_parse(y, less.p, less.n, YAMLFILE_LENIENT) < 0)
		return -1;
	f->left_out = 1;
	f->why = why;
	f->line = line;
	f->col = col;
	return 0;
}

int
frontmatter_parse(struct frontmatter *f, const char *s, size_t n)
{
	size_t i, at = 0, before, bom;
	struct line l, open;

	if (s == NULL)
		s = ""; /* an empty buf has no bytes to point at */
	bom = utf8_bom(s, n);
	s += bom;
	n -= bom;
	f->body.p = s;
	f->body.n = n;
	f->bodyline = 1;
	f->present = f->requoted = f->left_out = 0;
	while (at < n && (blank(s[at]) || s[at] == '\n'))
		at++;
	open = line_at(s, n, at);
	if (!isfence(s, &open))
		return yamlfile_parse(&f->yml, "", 0, YAMLFILE_LENIENT);
	json_where(s, open.at, &f->line, &f->col);
	before = f->line;
	for (l = open, i = before + 1;; i++) {
		f->why = "expected a closing ---";
		if (l.next == n)
			return -1;
		l = line_at(s, n, l.next);
		if (isfence(s, &l))
			break;
	}
	f->present = 1;
	f->body.p = s + l.next;
	f->body.n = n - l.next;
	f->bodyline = i + 1;
	f->yaml.p = s + open.next;
	f->yaml.n = l.at - open.next;
	f->yamlline = before + 1;
	if (parse(f, f->yaml.p, f->yaml.n) < 0) {
		f->line += before;
		return -1;
	}
	for (i = 0; i < f->yml.json.ntok; i++)
		f->yml.marks[i].line += before;
	if (f->yml.repeat.line > 0)
		f->yml.repeat.line += before;
	if (json_kind(&f->yml.json, 0) == JSON_OBJECT)
		return 0;
	f->why = "expected 'key: value' lines";
	f->line = f->yml.marks[0].line;
	f->col = f->yml.marks[0].col;
	return -1;
}
