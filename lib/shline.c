#include <stdlib.h>
#include <string.h>

#include "shdoc.h"
#include "shline.h"
#include "shword.h"

/* The text comes first: the functions in it get a pointer to that. */
struct parser {
	struct shtext t;
	struct shline *l;
	struct shdocs docs;
};

/* The command being read. */
struct draft {
	struct shcmd cmd;
	int group;  /* behind ) } fi done: only redirections follow */
	int header; /* for x in ...: words, but no command */
};

static const char *const leads[] = { "then", "do", "else", "elif", "!", "{",
	"if", "while", "until", NULL };
static const char *const tails[] = { "fi", "done", "}", NULL };
static const char *const beyond[] = { "case", "esac", "function", "coproc",
	"select", NULL };
static const char *const nofile[] = { "/dev/null", "/dev/stdout",
	"/dev/stderr", NULL };

static int
among(const char *const *v, const char *s)
{
	for (; *v != NULL; v++)
		if (strcmp(*v, s) == 0)
			return 1;
	return 0;
}

static struct shcmd *
command(struct shline *l)
{
	grow(&l->v, &l->cap, l->n, sizeof(*l->v));
	memset(&l->v[l->n], 0, sizeof(*l->v));
	return &l->v[l->n++];
}

/* The command ends here. */
static int
finish(struct parser *p, struct draft *d)
{
	int fed, r;

	if (d->cmd.words.n > 0 && !d->header) {
		r = shcmd_look(&d->cmd, &p->t);
		fed = shdoc_claim(&p->docs, d->cmd.reads);
		if (d->cmd.reads && !fed)
			d->cmd.dynamic = 1;
		*command(p->l) = d->cmd;
		memset(d, 0, sizeof(*d));
		return r;
	}
	shdoc_claim(&p->docs, 0);
	shcmd_free(&d->cmd);
	d->group = d->header = 0;
	return 0;
}

/* At < or >: writing into a file is a command of its own. */
static int
redirect(struct parser *p)
{
	struct buf w = { 0 };
	struct shtext *t = &p->t;
	struct shcmd *c;
	int writes, dup, flags, r;

	if (shword_peek(t, 0) == '<' && shword_peek(t, 1) == '<')
		return shword_peek(t, 2) == '<'
		    ? shword_bad(t, "expected no <<<")
		    : shdoc_announce(&p->docs, t);
	if (shword_peek(t, 1) == '(') {
		if (t->depth >= SHWORD_DEPTH)
			return shword_bad(t, "expected less nesting");
		t->i += 2;
		t->depth++;
		r = t->group(t);
		t->depth--;
		return r;
	}
	writes = shword_peek(t, 0) == '>' || shword_peek(t, 1) == '>';
	t->i++;
	dup = shword_peek(t, 0) == '&';
	if (dup || shword_peek(t, 0) == '>' || shword_peek(t, 0) == '|')
		t->i++;
	shword_blanks(t);
	r = shword_get(t, &w, &flags);
	if (r == 0 && w.n == 0)
		r = shword_bad(t, "expected a file behind a redirection");
	if (r == 0 && dup && strspn(buf_cstr(&w), "0123456789-") == w.n)
		writes = 0;
	if (r == 0 && writes && !among(nofile, buf_cstr(&w))) {
		c = command(p->l);
		shcmd_add(c, ">", 1, 0);
		shcmd_add(c, w.p, w.n, flags);
	}
	buf_free(&w);
	return r;
}

/* A word of the command d, or a reserved one. */
static int
take(struct parser *p, struct draft *d)
{
	struct buf w = { 0 };
	const char *s;
	int flags, c;
	int r;

	r = shword_get(&p->t, &w, &flags);
	s = buf_cstr(&w);
	c = shword_peek(&p->t, 0);
	if (r < 0)
		goto out;
	if ((c == '<' || c == '>') && w.n > 0 && flags == 0
	    && strspn(s, "0123456789") == w.n)
		goto out;
	if (d->cmd.words.n == 0 && !(flags & (SHWORD_QUOTED | SHWORD_EXPANDS))) {
		if (among(beyond, s))
			r = shword_bad(&p->t, "expected no case or function");
		else if (among(tails, s))
			d->group = 1;
		else if (strcmp(s, "for") == 0)
			d->header = 1;
		if (r < 0 || d->group || among(leads, s))
			goto out;
	}
	if (d->header && d->cmd.words.n == 2 && strcmp(s, "in") != 0) {
		r = strcmp(s, "do") == 0
		    ? finish(p, d)
		    : shword_bad(&p->t, "expected in or do");
		goto out;
	}
	if (d->group) {
		r = shword_bad(&p->t, "expected the end of the command");
		goto out;
	}
	shcmd_add(&d->cmd, s, w.n, flags);
out:
	buf_free(&w);
	return r;
}

/*
 * Commands up to the end of the text, or with term to a ')'.  Operators
 * that sh would miss something around pass: it runs no more for it.
 */
static int
list(struct parser *p, struct draft *d, int term)
{
	struct shtext *t = &p->t;
	int c, next;
	int r = 0;

	while (r == 0) {
		shword_blanks(t);
		c = shword_peek(t, 0);
		next = shword_peek(t, 1);
		if (c == -1) {
			r = finish(p, d);
			if (r == 0 && term)
				r = shword_bad(t, "expected a closing )");
			return r;
		} else if (c == ')') {
			t->i++;
			return term ? finish(p, d)
				    : shword_bad(t, "expected no )");
		} else if (c == '#') {
			while ((c = shword_peek(t, 0)) != -1 && c != '\n')
				t->i++;
		} else if (c == '\n') {
			t->i++;
			r = finish(p, d);
			if (r == 0)
				r = shdoc_read(&p->docs, t);
		} else if (c == ';' && next == ';') {
			r = shword_bad(t, "expected no ;;");
		} else if (strchr(";&|", c) != NULL) {
			t->i++;
			r = finish(p, d);
		} else if (c == '<' || c == '>') {
			r = redirect(p);
		} else if (c != '(') {
			r = take(p, d);
		} else if (d->cmd.words.n > 0 || d->group) {
			r = shword_bad(t, "expected no (");
		} else {
			t->i++;
			r = t->group(t);
			d->group = 1;
		}
	}
	return -1;
}

/* Commands in this text, up to the closing ')'. */
static int
group(struct shtext *t)
{
	struct draft d = { 0 };
	int r;

	if (t->depth >= SHWORD_DEPTH)
		return shword_bad(t, "expected less nesting");
	t->depth++;
	r = list((struct parser *)t, &d, 1);
	t->depth--;
	shcmd_free(&d.cmd);
	return r;
}

/* Another text that is a line of commands. */
static int
line(struct shtext *t, const char *s, size_t n)
{
	struct parser q = { 0 };
	struct draft d = { 0 };
	int r;

	if (t->depth >= SHWORD_DEPTH)
		return shword_bad(t, "expected less nesting");
	if (memchr(s, '\0', n) != NULL)
		return shword_bad(t, "expected no NUL");
	q.t = *t;
	q.t.s = s;
	q.t.n = n;
	q.t.i = 0;
	q.t.depth++;
	q.l = ((struct parser *)t)->l;
	r = list(&q, &d, 0);
	if (r == 0 && q.docs.n > 0)
		r = shword_bad(&q.t, "expected the end of a here-document");
	t->why = q.t.why;
	shdoc_free(&q.docs);
	shcmd_free(&d.cmd);
	return r;
}

int
shline_parse(struct shline *l, const char *s, size_t n)
{
	struct parser p = { 0 };
	size_t i;
	int r;

	for (i = 0; i < l->n; i++)
		shcmd_free(&l->v[i]);
	l->n = 0;
	p.l = l;
	p.t.group = group;
	p.t.line = line;
	r = line(&p.t, s, n);
	l->why = p.t.why;
	return r;
}
