#include "gate.h"
#include "pick.h"

/* The end of the value that opens at i by its brackets; 0 if none. */
static size_t
closing(const char *s, size_t n, size_t i)
{
	size_t depth = 0;
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
		} else if (s[i] == '{' || s[i] == '[') {
			depth++;
		} else if (s[i] == '}' || s[i] == ']') {
			if (--depth == 0)
				return i + 1;
		}
	}
	return 0;
}

struct span
pick_json(const char *s, size_t n, size_t *at)
{
	struct span none = {NULL, 0}, found;
	struct gate g;
	size_t i, end, tries = 0;

	/* A bound, so that "[[[[..." does not cost the square of its length. */
	for (i = *at; i < n && tries < 1000; i++) {
		if (s[i] != '{' && s[i] != '[')
			continue;
		tries++;
		end = closing(s, n, i);
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
