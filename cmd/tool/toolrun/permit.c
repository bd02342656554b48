#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "permit.h"
#include "place.h"
#include "program.h"
#include "roots.h"
#include "split.h"
#include "star.h"

/* A rule taken apart. */
struct rule {
	struct buf tool, pattern;
	int narrow;	   /* it has a pattern */
	struct strs words; /* of the pattern */
	int further;	   /* any further words too */
	int any;	   /* whatever they are */
};

/* The line of the call that is judged. */
static struct split line;
static const char *unread; /* why it is not read, or NULL */

/*
 * Words with blanks between; "\ " is part of a word.  A star that is the last
 * word, or is at the end of a last word that is not a path: further words.
 * Two that are the last word: any.
 */
static void
read_words(struct rule *r, const char *s)
{
	struct buf w = { 0 };
	size_t n;

	strs_reset(&r->words);
	r->further = r->any = 0;
	for (;;) {
		s += strspn(s, " ");
		if (*s == '\0')
			break;
		r->any = s[0] == '*' && s[1] == '*'
		    && s[2 + strspn(s + 2, " ")] == '\0';
		if (r->any) {
			r->further = 1;
			break;
		}
		buf_reset(&w);
		for (; *s != '\0' && *s != ' '; s++) {
			buf_putc(&w, *s);
			if (*s == '\\' && s[1] != '\0')
				buf_putc(&w, *++s);
		}
		n = w.n;
		s += strspn(s, " ");
		if (*s == '\0' && n > 0 && w.p[n - 1] == '*') {
			w.p[n - 1] = '\0';
			r->further = memchr(w.p, '/', n - 1) == NULL
			    && !star_in(w.p) && (n < 2 || w.p[n - 2] != '\\');
			w.p[n - 1] = '*';
		}
		if (!r->further || n > 1)
			strs_addn(&r->words, w.p, n - (size_t)r->further);
	}
	buf_free(&w);
}

/* Take a rule apart; is it for the tool? */
static int
rule_is_for(struct rule *r, const char *text, const char *tool)
{
	const char *open = strchr(text, '(');
	size_t n = open != NULL ? (size_t)(open - text) : strlen(text);

	buf_reset(&r->tool);
	buf_add(&r->tool, text, n);
	if (!star_fits(buf_cstr(&r->tool), tool, STAR_WHOLE))
		return 0;
	buf_reset(&r->pattern);
	r->narrow = open != NULL;
	if (r->narrow)
		buf_add(&r->pattern, open + 1, strlen(open) - 2);
	read_words(r, buf_cstr(&r->pattern));
	return 1;
}

/* Is it a rule for files that are written ('>') or read ('<')? */
static const char *
redirects(struct rule *r, int c)
{
	const char *s = buf_cstr(&r->pattern);

	s += strspn(s, " ");
	if (*s != c)
		return NULL;
	s += strspn(s, c == '>' ? ">" : "<");
	return s + strspn(s, " ");
}

static int
fits_path(const char *pattern, const char *real, int how)
{
	static struct buf abs;

	if (how == STAR_WHOLE && star_climbs(pattern))
		return 0;
	place_pattern(&abs, pattern);
	return star_fits(buf_cstr(&abs), real, how);
}

/* Does the rule allow all words of a command? */
static int
rule_allows(const struct rule *r, const struct part *p)
{
	static struct buf literal;
	size_t i;
	int stars = r->further;

	if (r->words.n == 0 || p->words.n < r->words.n
	    || (p->words.n > r->words.n && !r->further)
	    || strcmp(r->words.v[0], p->words.v[0]) != 0)
		return 0;
	if (p->moved && *p->words.v[0] != '/'
	    && strchr(p->words.v[0], '/') != NULL)
		return 0;
	buf_reset(&literal);
	buf_putc(&literal, 1);
	for (i = 1; i < r->words.n; i++) {
		if (!star_fits(r->words.v[i], p->words.v[i], STAR_WHOLE))
			return 0;
		/* Another directory than the rule has in mind. */
		if (p->moved && *r->words.v[i] != '/'
		    && strchr(r->words.v[i], '/') != NULL)
			return 0;
		stars |= star_in(r->words.v[i]);
		buf_putc(&literal, !star_in(r->words.v[i]));
	}
	for (; i < p->words.n; i++)
		buf_putc(&literal, 0);
	return r->any || !stars || program_knows(&p->words, literal.p);
}

/* Does a rule of l allow that file to be written ('>') or read ('<')? */
static int
allows_file(const struct strs *l, const char *tool, int c, const char *path,
    int moved)
{
	static struct rule r;
	static struct buf real;
	const char *pattern;
	size_t i;

	if ((moved && *path != '/') || roots_real(&real, path) < 0)
		return 0;
	for (i = 0; i < l->n; i++)
		if (rule_is_for(&r, l->v[i], tool)
		    && (pattern = redirects(&r, c)) != NULL
		    && fits_path(pattern, buf_cstr(&real), STAR_WHOLE))
			return 1;
	return 0;
}

static int
allows_part(const struct strs *l, const char *tool, const struct part *p)
{
	static struct rule r;
	size_t i;
	int ok = p->words.n == 0;

	for (i = 0; !ok && i < l->n; i++)
		ok = rule_is_for(&r, l->v[i], tool) && r.narrow
		    && rule_allows(&r, p);
	for (i = 0; ok && i < p->writes.n; i++)
		ok = allows_file(l, tool, '>', p->writes.v[i], p->moved);
	for (i = 0; ok && i < p->reads.n; i++)
		ok = allows_file(l, tool, '<', p->reads.v[i], p->moved);
	return ok;
}

/* Is it a rule for the agent that the call starts? */
static int
is_agent(struct rule *r, const struct permit_call *c)
{
	return c->agent != NULL && r->narrow
	    && star_fits(buf_cstr(&r->pattern), c->agent, STAR_WHOLE);
}

static enum permit_verdict
allowed(const struct permit *p, const struct permit_call *c)
{
	static struct rule r;
	size_t i, k, n = 0;
	int all = 0;

	for (i = 0; !all && i < p->allow.n; i++)
		all = rule_is_for(&r, p->allow.v[i], c->tool)
		    && (!r.narrow || is_agent(&r, c));
	for (k = 0; c->paths != NULL && k < c->paths->n; k++) {
		for (i = 0; i < p->allow.n; i++)
			if (rule_is_for(&r, p->allow.v[i], c->tool) && r.narrow
			    && fits_path(buf_cstr(&r.pattern),
				c->paths->v[k], STAR_WHOLE))
				break;
		if (i == p->allow.n)
			return all ? PERMIT_ALLOW : PERMIT_ASK;
	}
	if (k > 0 && c->command == NULL)
		return PERMIT_ALLOW_PATHS;
	if (all || c->command == NULL || unread != NULL)
		return all ? PERMIT_ALLOW : PERMIT_ASK;
	for (i = 0; i < line.n; i++) {
		n += line.v[i].words.n + line.v[i].reads.n
		    + line.v[i].writes.n;
		if (!allows_part(&p->allow, c->tool, &line.v[i]))
			return PERMIT_ASK;
	}
	return n > 0 ? PERMIT_ALLOW : PERMIT_ASK;
}

/* May a word be, or name something beneath, what the pattern says? */
static int
may_be(const char *pattern, const char *word, int *open)
{
	const char *any = strchr(word, SPLIT_ANY);
	char *s;

	if (any == NULL)
		return star_fits(pattern, word, STAR_BELOW);
	s = xstrndup(word, (size_t)(any - word));
	*open = star_fits(pattern, s, STAR_MAY);
	free(s);
	return *open;
}

/* Does the rule match the command that begins at word `from`? */
static int
rule_matches_at(const struct rule *r, const struct part *p, size_t from)
{
	const char *w = p->words.v[from];
	size_t i;
	int open = 0;

	if (r->words.n == 0)
		return r->further;
	if (!star_fits(r->words.v[0], w, STAR_BELOW)
	    && !star_fits(r->words.v[0], file_name(w), STAR_BELOW))
		return 0;
	for (i = 1; !open && i < r->words.n && from + i < p->words.n; i++)
		if (!may_be(r->words.v[i], p->words.v[from + i], &open))
			return 0;
	return open || (i == r->words.n
	    && (r->further || p->words.n - from == r->words.n));
}

static int
hits_files(const char *pattern, const struct strs *l)
{
	static struct buf real;
	size_t i;

	for (i = 0; i < l->n; i++)
		if (star_fits(pattern, l->v[i], STAR_BELOW)
		    || fits_path(pattern, l->v[i], STAR_BELOW)
		    || (roots_real(&real, l->v[i]) == 0
			&& fits_path(pattern, buf_cstr(&real), STAR_BELOW)))
			return 1;
	return 0;
}

/* Does the rule match a command in this one?  It may be inside others. */
static int
rule_matches_command(struct rule *r, const struct part *p)
{
	const char *pattern;
	size_t i;

	if ((pattern = redirects(r, '>')) != NULL)
		return hits_files(pattern, &p->writes);
	if ((pattern = redirects(r, '<')) != NULL)
		return hits_files(pattern, &p->reads);
	for (i = 0; i < p->words.n; i = program_inner(&p->words, i))
		if (rule_matches_at(r, p, i))
			return 1;
	return 0;
}

/* Does a command run what the words of a rule cannot be compared with? */
static int
opaque(void)
{
	size_t i;

	for (i = 0; i < line.n; i++)
		if (program_is_opaque(&line.v[i].words))
			return 1;
	return 0;
}

static int
hits_paths(const char *pattern, const struct strs *l)
{
	size_t i;

	for (i = 0; l != NULL && i < l->n; i++)
		if (fits_path(pattern, l->v[i], STAR_BELOW))
			return 1;
	return 0;
}

/*
 * Does a rule of l match the call?  1, -1 if one of them cannot be checked,
 * or 0.
 */
static int
rule_matches_call(const struct strs *l, const struct permit_call *c,
    struct buf *why)
{
	static struct rule r;
	const char *unchecked = NULL;
	const char *reason = unread;
	size_t i, k;
	int is;

	for (i = 0; i < l->n; i++) {
		if (!rule_is_for(&r, l->v[i], c->tool))
			continue;
		is = !r.narrow || is_agent(&r, c) || (c->command == NULL
		    && c->paths == NULL && c->agent == NULL);
		for (k = 0; !is && c->command != NULL && k < line.n; k++)
			is = unread == NULL
			    && rule_matches_command(&r, &line.v[k]);
		is = is || hits_paths(buf_cstr(&r.pattern), c->paths)
		    || hits_paths(buf_cstr(&r.pattern), c->named);
		if (is) {
			if (why != NULL)
				buf_puts(why, l->v[i]);
			return 1;
		}
		if (c->command == NULL || unchecked != NULL)
			continue;
		if (reason == NULL && opaque())
			reason = "its words do not show what it runs";
		if (reason != NULL)
			unchecked = l->v[i];
	}
	if (unchecked != NULL && why != NULL)
		buf_printf(why, "%s: %s", unchecked, reason);
	return unchecked != NULL ? -1 : 0;
}

enum permit_verdict
permit_judge(const struct permit *p, const struct permit_call *c,
    struct buf *why)
{
	enum permit_verdict v;
	int is;

	unread = NULL;
	if (c->command != NULL
	    && split_line(&line, c->command, strlen(c->command)) < 0)
		unread = line.why;
	is = rule_matches_call(&p->deny, c, why);
	if (is > 0)
		return PERMIT_DENY;
	if (is < 0)
		return PERMIT_UNCHECKED;
	is = rule_matches_call(&p->ask, c, why);
	if (is != 0)
		return is > 0 ? PERMIT_ASK_RULE : PERMIT_ASK_UNCHECKED;
	v = allowed(p, c);
	if (v == PERMIT_ASK && unread != NULL && why != NULL)
		buf_puts(why, unread);
	return v;
}

const char *
permit_vain(const char *rule, const char *tool)
{
	static struct rule r;

	if (!rule_is_for(&r, rule, tool) || !r.narrow
	    || redirects(&r, '>') != NULL || redirects(&r, '<') != NULL)
		return NULL;
	if (r.words.n == 0 || star_in(r.words.v[0]))
		return "covers no command: expected its name first, or the "
		       "tool alone for all";
	if (r.further && !r.any && !program_has_list(r.words.v[0]))
		return "covers no word with its star: no list says which are "
		       "harmless; spell them, or write ** for any";
	return NULL;
}

/* Append s as a pattern that fits s alone, or what the shell makes of it. */
static void
literal(struct buf *b, const char *s)
{
	for (; *s != '\0'; s++) {
		if (*s == SPLIT_ANY) {
			if (b->n == 0 || b->p[b->n - 1] != '*')
				buf_putc(b, '*');
			continue;
		}
		if (strchr("*\\ ", *s) != NULL)
			buf_putc(b, '\\');
		buf_putc(b, *s);
	}
}

static void
add_rule(struct strs *l, const char *tool, const struct buf *pattern)
{
	struct buf b = { 0 };

	literal(&b, tool);
	buf_putc(&b, '(');
	buf_span(&b, buf_view(pattern));
	buf_putc(&b, ')');
	strs_once(l, buf_cstr(&b));
	buf_free(&b);
}

/* A path as the rule of a tool says it: beneath the root without it. */
static void
add_path(struct strs *l, const char *tool, const char *before,
    const char *path)
{
	struct buf b = { 0 };
	struct buf root = { 0 };
	size_t n;

	buf_puts(&b, before);
	place_pattern(&root, "x");
	n = root.n - 1;
	/* Escaped alike, as literal() does it; a blank needs none here. */
	for (; *path != '\0'; path++) {
		if (strchr("*\\", *path) != NULL)
			buf_putc(&b, '\\');
		buf_putc(&b, *path);
	}
	if (n > 1 && b.n > strlen(before) + n
	    && memcmp(b.p + strlen(before), root.p, n) == 0
	    && strchr("~.", b.p[strlen(before) + n]) == NULL) {
		memmove(b.p + strlen(before), b.p + strlen(before) + n,
		    b.n - strlen(before) - n);
		b.n -= n;
	}
	add_rule(l, tool, &b);
	buf_free(&b);
	buf_free(&root);
}

static void
exact_part(struct strs *l, const char *tool, const struct part *p)
{
	static struct buf real;
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < p->words.n; i++) {
		if (i > 0)
			buf_putc(&b, ' ');
		literal(&b, p->words.v[i]);
	}
	if (p->words.n > 0)
		add_rule(l, tool, &b);
	for (i = 0; i < p->writes.n; i++)
		if (roots_real(&real, p->writes.v[i]) == 0)
			add_path(l, tool, "> ", buf_cstr(&real));
	for (i = 0; i < p->reads.n; i++)
		if (roots_real(&real, p->reads.v[i]) == 0)
			add_path(l, tool, "< ", buf_cstr(&real));
	buf_free(&b);
}

int
permit_exact(const struct permit_call *c, struct strs *l)
{
	struct permit own = { 0 };
	struct buf b = { 0 };
	size_t i;
	int r = 0;

	if (c->command != NULL
	    && split_line(&line, c->command, strlen(c->command)) < 0)
		return -1;
	for (i = 0; c->command != NULL && i < line.n; i++)
		exact_part(&own.allow, c->tool, &line.v[i]);
	for (i = 0; c->command == NULL && c->paths != NULL
	     && i < c->paths->n; i++)
		add_path(&own.allow, c->tool, "", c->paths->v[i]);
	if (c->agent != NULL) {
		literal(&b, c->agent);
		add_rule(&own.allow, c->tool, &b);
		buf_free(&b);
	}
	/* A rule is a line of a file; and it must do what it is for. */
	for (i = 0; r == 0 && i < own.allow.n; i++)
		if (permit_check(own.allow.v[i]) < 0
		    || strpbrk(own.allow.v[i], "\n\r") != NULL)
			r = -1;
	if (r == 0 && permit_judge(&own, c, NULL) == PERMIT_ASK)
		r = -1;
	for (i = 0; r == 0 && i < own.allow.n; i++)
		strs_once(l, own.allow.v[i]);
	strs_free(&own.allow);
	return r;
}
