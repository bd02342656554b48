#ifndef YAMLPARSED_H
#define YAMLPARSED_H

/*
 * YAML of share/ that was parsed when the command was built.  A text that is
 * the same byte for byte takes its JSON and marks from here; libyaml reads
 * every other, so that what is here cannot be stale.  cmd/text/yamlparse makes
 * the table from the files that the Makefile names for each command.
 */

#include <stddef.h>

struct yamlparsed {
	const char *name; /* of the file: "share/settings.yaml" */
	const unsigned char *text, *json;
	const unsigned short *marks; /* line and column of each token */
	size_t n, jsonn, ntok;
	int mode; /* YAMLFILE_STRICT or YAMLFILE_LENIENT */
};

extern const struct yamlparsed yamlparsed[];
extern const size_t yamlparsed_n;

/* The one of a text that was read with that mode; NULL: there is none. */
const struct yamlparsed *yamlparsed_same(const char *s, size_t n, int mode);

/* NULL if the command has none of that name. */
const struct yamlparsed *yamlparsed_find(const char *name);

#endif
