#include <string.h>
#include <wctype.h>

#include "wild.h"

/* A named class at p ("[:alpha:]"): its length, and whether c is in it. */
static size_t
named(const char *p, size_t n, unsigned char c, int *in)
{
	char name[16];
	size_t i;

	for (i = 2; i + 1 < n && p[i] != ':'; i++)
		if (i - 2 >= sizeof(name) - 1)
			return 0;
	if (i + 1 >= n || p[i + 1] != ']')
		return 0;
	memcpy(name, p + 2, i - 2);
	name[i - 2] = '\0';
	*in |= c < 128 && iswctype(c, wctype(name));
	return i + 2;
}

/* The set at p: its length, 0 if it is not closed; *in: is c in it? */
static size_t
set(const char *p, size_t n, unsigned char c, int *in)
{
	unsigned char from, to;
	size_t i = 1, first, len;
	int not = 0;

	*in = 0;
	if (i < n && (p[i] == '!' || p[i] == '^')) {
		not = 1;
		i++;
	}
	for (first = i; i < n && (p[i] != ']' || i == first);) {
		if (p[i] == '[' && i + 1 < n && p[i + 1] == ':'
		    && (len = named(p + i, n - i, c, in)) > 0) {
			i += len;
			continue;
		}
		i += p[i] == '\\' && i + 1 < n;
		from = to = (unsigned char)p[i++];
		if (i + 1 < n && p[i] == '-' && p[i + 1] != ']') {
			i++;
			i += p[i] == '\\' && i + 1 < n;
			to = (unsigned char)p[i++];
		}
		*in |= c >= from && c <= to;
	}
	if (i >= n)
		return 0;
	*in ^= not;
	return i + 1;
}

/* Does one element at p match c?  Its length, 0 if not. */
static size_t
one(const char *p, size_t np, char c)
{
	size_t len;
	int in;

	if (*p == '?')
		return 1;
	if (*p == '[' && (len = set(p, np, (unsigned char)c, &in)) > 0)
		return in ? len : 0;
	if (*p == '\\' && np > 1)
		return p[1] == c ? 2 : 0;
	return *p == c;
}

int
wild_match(const char *p, size_t np, const char *s, size_t n)
{
	size_t i = 0, j = 0, len, star = 0, back = 0;
	int starred = 0;

	/* Only the last star needs to be tried again. */
	while (j < n) {
		if (i < np && p[i] == '*') {
			star = ++i;
			back = j;
			starred = 1;
		} else if (i < np && (len = one(p + i, np - i, s[j])) > 0) {
			i += len;
			j++;
		} else if (starred) {
			i = star;
			j = ++back;
		} else {
			return 0;
		}
	}
	while (i < np && p[i] == '*')
		i++;
	return i == np;
}

/* The place after the name at s and its slash. */
static const char *
next(const char *s)
{
	s += strcspn(s, "/");
	return s + (*s == '/');
}

int
wild_path(const char *p, const char *s)
{
	const char *star = NULL, *back = NULL;
	size_t np;

	while (*s != '\0') {
		np = strcspn(p, "/");
		if (np == 2 && memcmp(p, "**", 2) == 0) {
			p = next(p);
			if (*p == '\0')
				return 1;
			star = p;
			back = s;
		} else if (np > 0
		    && wild_match(p, np, s, strcspn(s, "/"))) {
			p = next(p);
			s = next(s);
		} else if (star != NULL) {
			p = star;
			s = back = next(back);
		} else {
			return 0;
		}
	}
	return *p == '\0';
}

int
wild_is(const char *pattern)
{
	return strpbrk(pattern, "*?[\\") != NULL;
}
