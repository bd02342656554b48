#ifndef YAMLFILE_H
#define YAMLFILE_H

/*
 * YAML read as JSON: the events of libyaml become a JSON text with the
 * tokens of json.h, and each token keeps its place in the file.
 *
 * Strict (share/, settings): one document, UTF-8, at most 1 MiB, depth 64,
 * 100000 events, 4096 keys in a mapping; no anchors, aliases, tags,
 * directives, complex keys or "<<"; keys unique; plain scalars typed by
 * JSON's own grammar (true, false, null, numbers), an empty one is null,
 * everything else a string; ~, yes, no, on, off, True and the like, and
 * numbers with leading zeros are refused with the hint to quote them.
 * A key is a string whatever it looks like.  An empty document is an empty
 * object; a BOM passes.
 *
 * Lenient (front matter from the wild): the same limits, but every plain
 * scalar is a string, an empty one is null, duplicate keys keep the first.
 *
 * This is the only noun over libyaml; it is not called yaml because our
 * header would then hide libyaml's own.
 */

#include <stddef.h>

#include "buf.h"
#include "json.h"

enum { YAMLFILE_STRICT, YAMLFILE_LENIENT };
enum {
	YAMLFILE_MAX = 1 << 20, /* bytes */
	YAMLFILE_DEPTH = 64,
	YAMLFILE_EVENTS = 100000, /* starts and ends of collections, scalars */
	YAMLFILE_KEYS = 4096	     /* in one mapping */
};

struct yamlfile_mark {
	size_t line, col; /* from 1; col in bytes, a BOM not counted */
};

/* A zeroed struct is ready and can be used again and again. */
struct yamlfile {
	struct json json; /* the content: look here after 0 */
	struct buf text; /* what json names, unless yamlparsed.h has it */
	struct yamlfile_mark *marks; /* by token index */
	size_t cap;
	struct yamlfile_mark
	    repeat; /* a key left out as a duplicate, or line 0 */
	const char *why; /* after -1: what was expected, and where */
	size_t line, col;
	int syntax; /* after -1: it is not YAML; 0: YAML, or UTF-8, refused */
	char *path; /* of the file that yamlfile_load read; owned */
};

/* Parse a text.  0, or -1 with why, line and col set. */
int yamlfile_parse(struct yamlfile *y, const char *s, size_t n, int mode);

/*
 * Parse a file of share/ strictly; any fault dies: EX_NOINPUT or
 * EX_CONFIG with "file:line:col: what was expected".
 */
void yamlfile_load(struct yamlfile *y, const char *path);

/* Was its text, or an empty one, there at build time? */
int yamlfile_isbuilt(const struct yamlfile *y);

/*
 * die with EX_CONFIG at the place of token i (-1: the beginning) of a file
 * read by yamlfile_load.
 */
_Noreturn void yamlfile_bad(const struct yamlfile *y, int i, const char *why);

/* Append the version of libyaml. */
void yamlfile_library(struct buf *b);

#endif
