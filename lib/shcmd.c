#include <stdlib.h>
#include <string.h>

#include "shcmd.h"

static const char *const shells[] = { "sh", "bash", "dash", "zsh", "ksh",
	"mksh", "ash", "fish", "rbash", NULL };
static const char *const evals[] = { "eval", "trap", NULL };
static const char *const wrappers[] = { "env", "command", "builtin", "exec",
	"sudo", "doas", "su", "runuser", "nohup", "nice", "ionice", "chrt",
	"taskset", "time", "timeout", "stdbuf", "setsid", "xargs", "parallel",
	"chroot", "unshare", "nsenter", "flock", "busybox", "toybox", "watch",
	"strace", "ltrace", "script", "find", "fakeroot", NULL };
static const char *const lines[] = { "-c", "-S", "--command",
	"--split-string", NULL };
static const char *const execs[] = { "-exec", "-execdir", "-ok", "-okdir", NULL };
static const char *const asks[] = { "-v", "-V", NULL };

static int
among(const char *const *v, const char *s)
{
	for (; *v != NULL; v++)
		if (strcmp(*v, s) == 0)
			return 1;
	return 0;
}

static const char *
base(const char *s)
{
	const char *p = strrchr(s, '/');

	return p != NULL && p[1] != '\0' ? p + 1 : s;
}

/* NAME=...: an assignment in front of a command. */
static int
assigns(const char *s)
{
	size_t n = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			     "abcdefghijklmnopqrstuvwxyz0123456789_");

	if (n == 0 || (*s >= '0' && *s <= '9'))
		return 0;
	return s[n] == '=' || (s[n] == '+' && s[n + 1] == '=');
}

void
shcmd_add(struct shcmd *c, const char *s, size_t n, int flags)
{
	strs_addn(&c->words, s, n);
	buf_putc(&c->flags, flags);
}

/*
 * A shell at word k: the line after -c is commands too, and what it reads
 * when it is given neither that nor a script.
 */
static int
shell(struct shcmd *c, size_t k, struct shtext *t, int *unknown)
{
	const char *w;
	size_t i;
	int line = 0;

	for (i = k + 1; i < c->words.n; i++) {
		w = c->words.v[i];
		if ((*w != '-' && *w != '+') || w[1] == '\0')
			break;
		if (w[1] == '-')
			continue;
		line |= *w == '-' && strchr(w, 'c') != NULL;
		c->reads |= *w == '-' && strchr(w, 's') != NULL;
		if (w[strlen(w) - 1] == 'o')
			i++;
	}
	if (i >= c->words.n || strcmp(c->words.v[i], "-") == 0) {
		c->reads = 1;
		return 0;
	}
	if (!line)
		return 0;
	*unknown |= c->flags.p[i] & SHWORD_EXPANDS;
	w = c->words.v[i];
	return t->line(t, w, strlen(w));
}

static int
evaluate(const struct shcmd *c, size_t k, struct shtext *t, int *unknown)
{
	struct buf b = { 0 };
	size_t i;
	int r;

	for (i = k + 1; i < c->words.n; i++) {
		*unknown |= c->flags.p[i] & SHWORD_EXPANDS;
		buf_puts(&b, c->words.v[i]);
		buf_putc(&b, ' ');
	}
	r = t->line(t, buf_cstr(&b), b.n);
	buf_free(&b);
	return r;
}

/* What word i runs in its turn. */
static int
inner(struct shcmd *c, size_t i, struct shtext *t)
{
	const char *w = base(c->words.v[i]);
	int unknown = 0;
	int r = 0;

	if (among(evals, w))
		r = evaluate(c, i, t, &unknown);
	else if (among(shells, w))
		r = shell(c, i, t, &unknown);
	else if (i > c->first && among(lines, c->words.v[i - 1]))
		r = t->line(t, c->words.v[i], strlen(c->words.v[i]));
	if (i > c->first && (c->flags.p[i] & SHWORD_LEADS))
		unknown = 1;
	if (unknown)
		c->dynamic = 1;
	return r;
}

int
shcmd_look(struct shcmd *c, struct shtext *t)
{
	const char *w;
	size_t i, k;
	int finds = 0;
	int r = 0;

	for (k = 0; k < c->words.n && assigns(c->words.v[k]); k++)
		;
	c->first = k;
	if (k < c->words.n) {
		w = base(c->words.v[k]);
		finds = strcmp(w, "find") == 0;
		c->wrapper = among(wrappers, w)
		    && !(k + 1 < c->words.n && strcmp(w, "command") == 0
			&& among(asks, c->words.v[k + 1]));
		if (strcmp(w, "[") != 0 && strcmp(w, "[[") != 0)
			c->dynamic = (c->flags.p[k]
			    & (SHWORD_EXPANDS | SHWORD_GLOBS)) != 0;
	}
	for (i = k; r == 0 && i < c->words.n && (i == k || c->wrapper); i++) {
		if (finds && i > k) {
			/* Only what stands behind -exec runs. */
			if (!among(execs, c->words.v[i]))
				continue;
			if (++i >= c->words.n)
				break;
		}
		r = inner(c, i, t);
	}
	return r;
}

void
shcmd_text(const struct shcmd *c, size_t i, int last, struct buf *b)
{
	size_t k;

	for (k = i; k < c->words.n; k++) {
		if (k > i)
			buf_putc(b, ' ');
		buf_puts(b, k == i && last ? base(c->words.v[k])
					   : c->words.v[k]);
	}
}

void
shcmd_free(struct shcmd *c)
{
	strs_free(&c->words);
	buf_free(&c->flags);
	memset(c, 0, sizeof(*c));
}
