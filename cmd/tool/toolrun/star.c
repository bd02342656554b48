#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "star.h"

/* A pattern's elements: a byte, or one of these. */
enum { ONE = 256, ALL, SLASHES /* a "/" after "**" at a name's start */ };

struct elements {
	int *v;
	size_t n, cap;
};

static void
add(struct elements *e, int c)
{
	grow(&e->v, &e->cap, e->n, sizeof(*e->v));
	e->v[e->n++] = c;
}

static void
read_pattern(struct elements *e, const char *s)
{
	const char *start = s;

	for (e->n = 0; *s != '\0'; s++) {
		if (*s == '\\' && s[1] != '\0') {
			add(e, (unsigned char)*++s);
		} else if (s[0] == '*' && s[1] == '*') {
			add(e, ALL);
			if (s[2] == '/' && (s == start || s[-1] == '/')) {
				add(e, SLASHES);
				s++;
			}
			s++;
		} else {
			add(e, *s == '*' ? ONE : (unsigned char)*s);
		}
	}
}

/* Reach element i, and what can be reached from it with no text. */
static void
add_reachable(const struct elements *e, char *set, size_t i)
{
	for (; i < e->n && !set[i] && (e->v[i] == ONE || e->v[i] == ALL); i++) {
		set[i] = 1;
		if (i + 1 < e->n && e->v[i + 1] == SLASHES)
			add_reachable(e, set, i + 2);
	}
	set[i] = 1;
}

/* Which elements are reached after c; whether there are any. */
static int
advance(const struct elements *e, const char *from, char *to, int c)
{
	size_t i;
	int any = 0;

	memset(to, 0, e->n + 1);
	for (i = 0; i < e->n; i++) {
		if (!from[i])
			continue;
		any = 1;
		if (e->v[i] == ALL || (e->v[i] == ONE && c != '/'))
			add_reachable(e, to, i);
		else if (e->v[i] == c || (e->v[i] == SLASHES && c == '/'))
			add_reachable(e, to, i + 1);
	}
	return any;
}

int
star_in(const char *s)
{
	for (; *s != '\0' && *s != '*'; s++)
		if (*s == '\\' && s[1] != '\0')
			s++;
	return *s == '*';
}

int
star_climbs(const char *s)
{
	const char *p;

	for (p = s; (p = strstr(p, "..")) != NULL; p++)
		if ((p == s || strchr("/=:,", p[-1]) != NULL)
		    && (p[2] == '\0' || p[2] == '/'))
			return 1;
	return 0;
}

int
star_fits(const char *pattern, const char *text, int how)
{
	static struct elements e;
	static struct buf sets;
	char *now, *next, *old;
	int r = 0;

	if (how == STAR_WHOLE && star_in(pattern) && star_climbs(text))
		return 0;
	read_pattern(&e, pattern);
	buf_reset(&sets);
	buf_room(&sets, 2 * (e.n + 1));
	now = sets.p;
	next = now + e.n + 1;
	memset(now, 0, e.n + 1);
	add_reachable(&e, now, 0);
	for (; *text != '\0'; text++) {
		if (how != STAR_WHOLE && *text == '/' && now[e.n])
			return 1;
		if (!advance(&e, now, next, (unsigned char)*text))
			return 0;
		old = now;
		now = next;
		next = old;
	}
	if (how == STAR_MAY) {
		for (; (size_t)r < e.n && !now[r]; r++)
			continue;
		return now[r];
	}
	return now[e.n];
}
