#ifndef YAML_H
#define YAML_H

/*
 * YAML read as JSON: the events of libyaml become a JSON text with the
 * tokens of json.h, and each token keeps its place in the file.
 *
 * Strict (share/, settings): one document, UTF-8, at most 1 MiB, depth 64,
 * 100000 events; no anchors, aliases, tags, directives, complex keys or
 * "<<"; keys unique; plain scalars typed by JSON's own grammar (true,
 * false, null, numbers), everything else a string; ~, yes, no, on, off and
 * numbers with leading zeros are refused with the hint to quote them.
 * An empty document is an empty object.
 *
 * Lenient (front matter from the wild): the same limits, but every plain
 * scalar is a string, an empty one is null, duplicate keys keep the first.
 */

#include <stddef.h>

#include "buf.h"
#include "json.h"

enum { YAML_STRICT, YAML_LENIENT };

struct yaml_mark {
	size_t line, col; /* from 1; col in bytes */
};

/* A zeroed struct is ready and can be used again and again. */
struct yaml {
	struct json json; /* the content: look here after 0 */
	struct buf text;
	struct yaml_mark *marks; /* by token index */
	size_t cap;
	const char *why; /* after -1: what was expected, and where */
	size_t line, col;
};

/* Parse a text.  0, or -1 with why, line and col set. */
int yaml_parse(struct yaml *y, const char *s, size_t n, int mode);

/*
 * Parse a file of ours strictly; any fault dies: EX_NOINPUT or
 * EX_CONFIG with "file:line:col: what was expected".
 */
void yaml_load(struct yaml *y, const char *path);

/* die with EX_CONFIG at the place of token i of a file read by yaml_load. */
_Noreturn void yaml_bad(
    const struct yaml *y, const char *path, int i, const char *why);

#endif
