#include <string.h>

#include "gate.h"
#include "pick.h"

/*
 * The end of the value that opens at i by its brackets; 0 if none, and *whole
 * is where a string that is open at the end begins, or n.
 */
static size_t
closing(const char *s, size_t n, size_t i, size_t *whole)
{
	size_t depth = 0, string = n;
	int quoted = 0;

	for (; i < n; i++) {
		if (quoted) {
			if (s[i] == '\\')
				i++;
			else if (s[i] == '"')
				quoted = 0;
			continue;
		}
		if (s[i] == '"') {
			quoted = 1;
			string = i;
		} else if (s[i] == '{' || s[i] == '[') {
			depth++;
		} else if (s[i] == '}' || s[i] == ']') {
			if (--depth == 0)
				return i + 1;
		}
	}
	*whole = quoted ? string : n;
	return 0;
}

/* Behind want, with blanks anywhere between; 0: it is not there. */
static size_t
skip(const char *s, size_t n, size_t i, const char *want)
{
	for (; *want != '\0'; want++) {
		while (i < n && s[i] != '\0' && strchr(" \t\r\n", s[i]) != NULL)
			i++;
		if (i == n || s[i] != *want)
			return 0;
		i++;
	}
	return i;
}

struct span
pick_open(const char *s, size_t n)
{
	struct span found = {NULL, 0};
	struct gate g;
	size_t i, end, whole;

	for (i = 0; i < n; i++)
		if ((s[i] == '{' && skip(s, n, i, "{\"facts\":[") != 0)
		    || (s[i] == '[' && skip(s, n, i, "[{\"") != 0))
			break;
	if (i == n)
		return found;
	end = closing(s, n, i, &whole);
	if (end != 0 && gate_check(s + i, end - i, &g) == 0)
		return found;
	found.p = s + i;
	found.n = (end != 0 ? end : whole) - i;
	return found;
}

struct span
pick_json(const char *s, size_t n, size_t *at)
{
	struct span none = {NULL, 0}, found;
	struct gate g;
	size_t i, end, whole, tries = 0;

	/* A bound, so that "[[[[..." does not cost the square of its length. */
	for (i = *at; i < n && tries < 1000; i++) {
		if (s[i] != '{' && s[i] != '[')
			continue;
		tries++;
		end = closing(s, n, i, &whole);
		if (end == 0 || gate_check(s + i, end - i, &g) < 0)
			continue;
		found.p = s + i;
		found.n = end - i;
		*at = end;
		return found;
	}
	*at = n;
	return none;
}
