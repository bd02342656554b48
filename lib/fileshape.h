#ifndef FILESHAPE_H
#define FILESHAPE_H

/*
 * The shape of a file that a user may write: which keys it has and what they
 * hold, by the JSON Schema of that name in share/schemas, which editors read too
 * (JSON Schema 2020-12, the words of schemafit.h).  A command has the schemas
 * of its files built in: PARSED in the Makefile.
 */

#include "yamlfile.h"

/* What is held to a shape, and where it came from. */
struct fileshape {
	const char *path;
	const struct json *json;
	const struct yamlfile_mark *marks; /* of its tokens; NULL: it is JSON */
	int istext; /* front matter: its scalars are texts */
	void (*unknown)(const char *what); /* gets each key that is not in the
			schema, as fileshape_fit does; NULL: it is a fault */
	size_t line; /* of the file, where the text is one of its lines */
};

/*
 * Hold the value at that token to schemas/NAME.json, or to the part of it at
 * the path def ("$defs.server") unless that is NULL.  0; or -1 with
 * "file:line:col: expected ..." appended to why.
 */
int fileshape_fit(const struct fileshape *f, int at, const char *name,
    const char *def, struct buf *why);

/* Is that key of its top used?  Some bind nothing: they are $defs.unused. */
int fileshape_uses(const char *name, const char *key);

/* Append "file:line:col: " and what for that token. */
void fileshape_fault(const struct fileshape *f, int i, const char *what,
    struct buf *b);

/*
 * Hold a file that yamlfile_load read to schemas/NAME.json.  The first fault
 * dies: EX_CONFIG, "file:line:col: expected ...".  What was parsed at build
 * time is held to it by the tests.
 */
void fileshape_check(const struct yamlfile *y, const char *name);

/* A YAML file of share/, read once.  A zeroed struct is ready. */
struct table {
	struct yamlfile yml;
	int sought;
};

/*
 * The content of the file that wins for rel (path.h), which is read at the
 * first call and held to schemas/NAME.json, unless name is NULL; without a
 * token if there is none.  A fault in it dies.
 */
const struct json *table_read(struct table *t, const char *rel,
    const char *name);

#endif
