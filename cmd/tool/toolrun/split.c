#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "split.h"
#include "terminal.h"
#include "utf8.h"

static const char *const reserved[] = { "if", "then", "else", "elif", "fi",
	"do", "done", "case", "esac", "while", "until", "for", "in",
	"function", "select", "time", "coproc", NULL };
static const char *const movers[] = { "cd", "chdir", "pushd", "popd", NULL };

/* The line being read, and the word. */
struct reader {
	struct split *l;
	const char *s;
	size_t n, i;
	struct part *p;
	struct buf word;
	int some;    /* there is a word, perhaps an empty one */
	int quoted;  /* not all of it is plain */
	int pattern; /* it has a pattern */
	int bracket; /* in [...]: left out up to the next slash */
	int status;  /* it has $? */
};

static int
fail(struct reader *r, const char *why)
{
	if (r->l->why == NULL)
		r->l->why = why;
	return -1;
}

static int
among(const char *const *v, const char *s)
{
	for (; *v != NULL; v++)
		if (strcmp(*v, s) == 0)
			return 1;
	return 0;
}

/* Blanks that some shell in some locale may take for the ends of words. */
static int
isblank_elsewhere(uint32_t c)
{
	return c == 0xa0 || c == 0x1680 || c == 0x180e
	    || (c >= 0x2000 && c <= 0x200a) || c == 0x202f || c == 0x205f
	    || c == 0x3000;
}

/* Is the line text that a shell and a person see alike? */
static int
check_text(struct reader *r)
{
	uint32_t c;
	size_t k;

	if (r->n > SPLIT_MAX)
		return fail(r, "expected a line of at most 64 kB");
	for (; r->i < r->n; r->i += k) {
		k = utf8_get(r->s + r->i, r->n - r->i, &c);
		if (k == 0)
			return fail(r, "expected UTF-8");
		if (terminal_hides(c))
			return fail(r, "expected no control character");
		if (isblank_elsewhere(c))
			return fail(r, "expected no blank but space and tab");
		if (c == '\\' && r->i + 1 < r->n && r->s[r->i + 1] == '\n')
			return fail(r, "expected no continuation line");
	}
	r->i = 0;
	return 0;
}

static int
at(const struct reader *r, size_t k)
{
	return r->i + k < r->n ? (unsigned char)r->s[r->i + k] : -1;
}

static struct part *
open_part(struct reader *r)
{
	struct split *l = r->l;

	if (r->p != NULL)
		return r->p;
	grow(&l->v, &l->cap, l->n, sizeof(*l->v));
	r->p = &l->v[l->n++];
	memset(r->p, 0, sizeof(*r->p));
	return r->p;
}

/* Shells differ on where a bracket ends: it matches the rest of a name. */
static void
put(struct reader *r, int c)
{
	r->some = 1;
	r->bracket = r->bracket && c != '/';
	if (!r->bracket)
		buf_putc(&r->word, c);
}

/* The text between the quote at i and its fellow. */
static int
quotes(struct reader *r)
{
	int q = at(r, 0), c;

	r->some = r->quoted = 1;
	for (r->i++; (c = at(r, 0)) != q; r->i++) {
		if (c < 0)
			return fail(r, "expected the end of a quotation");
		if (q == '"' && c == '$' && at(r, 1) == '?') {
			r->status = 1;
			put(r, c);
			c = '?';
			r->i++;
		} else if (q == '"' && strchr("$`\\", c) != NULL) {
			return fail(r, "expected no expansion");
		}
		put(r, c);
	}
	r->i++;
	return 0;
}

/*
 * A shell's pattern.  Its expansions begin as it begins; one that begins a
 * path's component with "." could be "..", and some shells take [ for that.
 */
static int
pattern(struct reader *r, int c)
{
	const char *slash = strrchr(buf_cstr(&r->word), '/');
	const char *name = slash != NULL ? slash + 1 : buf_cstr(&r->word);

	if (r->word.n == 0 || strchr("-+", *r->word.p) != NULL)
		return fail(r, "expected a pattern after a literal character");
	if (*name == '.' || (*name == '\0' && c == '['))
		return fail(r, "expected a pattern that is not \"..\"");
	put(r, SPLIT_ANY);
	r->pattern = 1;
	r->bracket |= c == '[';
	r->i++;
	return 0;
}

/* A plain word, or its part up to a quote. */
static int
plain(struct reader *r)
{
	int c = at(r, 0), before;

	before = r->word.n > 0 ? (unsigned char)r->word.p[r->word.n - 1] : -1;
	switch (c) {
	case '$':
		if (at(r, 1) != '?')
			return fail(r, "expected no expansion");
		r->status = 1;
		put(r, '$');
		put(r, '?');
		r->i += 2;
		return 0;
	case '`':
		return fail(r, "expected no expansion");
	case '(':
	case ')':
		return fail(r, "expected no parenthesis");
	case '{':
	case '}':
		return fail(r, "expected no brace");
	case '*':
	case '?':
	case '[':
		/* The command "[". */
		if (c != '[' || r->some || (r->p != NULL && r->p->words.n > 0)
		    || strchr(" \t", at(r, 1)) == NULL || at(r, 1) < 0)
			return pattern(r, c);
		break;
	case '~':
		if (before < 0 || r->quoted
		    || (!isalnum(before) && before != '~' && before != '^'))
			return fail(r, "expected no ~ to expand");
		break;
	case '\\':
		c = at(r, 1);
		if (c < 0 || !ispunct(c))
			return fail(r, "expected \\ before punctuation");
		r->quoted = 1;
		r->i++;
		break;
	}
	put(r, c);
	r->i++;
	return 0;
}

/* Read a word into r->word; it ends at a blank or an operator. */
static int
read_word(struct reader *r)
{
	int c, bad = 0;

	buf_reset(&r->word);
	r->some = r->quoted = r->pattern = r->bracket = r->status = 0;
	while (!bad && (c = at(r, 0)) >= 0
	    && strchr(" \t\n;&|<>", c) == NULL)
		bad = c == '\'' || c == '"' ? quotes(r) : plain(r);
	return bad;
}

/* The name of the command is literal, and not a word of the language. */
static int
name_command(struct reader *r)
{
	const char *s = buf_cstr(&r->word);

	if (strcmp(s, "[") == 0)
		return 0;
	if (r->status || *s == '\0' || s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz"
				      "0123456789_./+:@-")] != '\0')
		return fail(r, "expected a command's name");
	if (among(reserved, s))
		return fail(r, "expected no reserved word");
	return 0;
}

static int
take_word(struct reader *r)
{
	struct part *p = open_part(r);
	const char *s;

	if (p->words.n == 0 && name_command(r) < 0)
		return -1;
	s = p->words.n > 0 ? p->words.v[0] : "";
	if (r->status && strcmp(s, "echo") != 0
	    && strcmp(s, "printf") != 0)
		return fail(r, "expected $? in an argument of echo or printf");
	strs_addn(&p->words, buf_cstr(&r->word), r->word.n);
	return 0;
}

/* Bash connects to hosts, and both shells to descriptors, by such names. */
static int
isdevice(const char *s)
{
	while (s[0] == '/' && s[1] == '/')
		s++;
	return strncmp(s, "/dev/", 5) == 0 || strncmp(s, "/proc/", 6) == 0;
}

/* At < or >; digits that stood before it have been read. */
static int
redirection(struct reader *r)
{
	struct part *p = open_part(r);
	int c = at(r, 0);

	r->i++;
	if (at(r, 0) == '&') {
		if (c != '>' || at(r, 1) < '0' || at(r, 1) > '2'
		    || (at(r, 2) >= 0
			&& strchr(" \t\n;&|", at(r, 2)) == NULL))
			return fail(r, "expected a descriptor after >&");
		r->i += 2;
		return 0;
	}
	if (c == '>' && at(r, 0) == '>')
		r->i++;
	while (at(r, 0) == ' ' || at(r, 0) == '\t')
		r->i++;
	if (at(r, 0) == '#' || read_word(r) < 0 || !r->some
	    || r->word.n == 0 || r->pattern || r->status)
		return fail(r, "expected a literal path to redirect to");
	if (strcmp(buf_cstr(&r->word), "/dev/null") == 0)
		return 0;
	if (isdevice(r->word.p))
		return fail(r, "expected a file, not a device");
	strs_addn(c == '<' ? &p->reads : &p->writes, r->word.p, r->word.n);
	return 0;
}

/* A word, which may be a descriptor's number before a redirection. */
static int
word(struct reader *r)
{
	size_t from = r->i;
	int c;

	if (read_word(r) < 0)
		return -1;
	c = at(r, 0);
	if ((c != '<' && c != '>') || r->quoted
	    || strspn(buf_cstr(&r->word), "0123456789") != r->word.n)
		return take_word(r);
	if (r->i - from != 1 || *r->word.p > '2')
		return fail(r, "expected a descriptor 0, 1 or 2");
	return redirection(r);
}

/* ; & | && || or a newline ends the part.  *joins: a command must follow. */
static int
separator(struct reader *r, int *joins)
{
	int c = at(r, 0), twice = at(r, 1) == c && c != '\n' && c != ';';

	if (r->p == NULL && c != '\n')
		return fail(r, "expected a command");
	if (c == '&' && (at(r, 1) == '>' || at(r, 1) == '<'))
		return fail(r, "expected a blank after &");
	if (c == '|' && at(r, 1) == '&')
		return fail(r, "expected a command after |");
	/* After && and | lines may end before the command comes. */
	if (r->p != NULL || c != '\n')
		*joins = twice || c == '|';
	r->p = NULL;
	r->i += twice ? 2 : 1;
	return 0;
}

static int
read_line(struct reader *r)
{
	int c, joins = 0, bad = 0;

	while (!bad && (c = at(r, 0)) >= 0) {
		if (c == ' ' || c == '\t')
			r->i++;
		else if (c == '#')
			while (at(r, 0) >= 0 && at(r, 0) != '\n')
				r->i++;
		else if (strchr("\n;&|", c) != NULL)
			bad = separator(r, &joins);
		else
			bad = c == '<' || c == '>' ? redirection(r) : word(r);
	}
	if (!bad && joins && r->p == NULL)
		return fail(r, "expected a command");
	return bad;
}

static void
reset(struct split *l)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		strs_free(&l->v[i].words);
		strs_free(&l->v[i].reads);
		strs_free(&l->v[i].writes);
	}
	l->n = 0;
	l->why = NULL;
}

int
split_line(struct split *l, const char *s, size_t n)
{
	struct reader r = { .l = l, .s = s, .n = n };
	size_t i, k;
	int moved = 0, bad;

	reset(l);
	bad = check_text(&r) < 0 || read_line(&r) < 0;
	buf_free(&r.word);
	/* "a | cd x" moves what follows, or not: taken as if it did. */
	for (i = 0; i < l->n; i++) {
		l->v[i].moved = moved;
		for (k = 0; k < l->v[i].words.n; k++)
			moved |= among(movers, l->v[i].words.v[k]);
	}
	return bad ? -1 : 0;
}
