#ifndef FILESHAPE_H
#define FILESHAPE_H

/*
 * The shape of a file that a user may write: which keys it has and what they
 * hold, by the JSON Schema of that name in share/schemas, which editors read too
 * (JSON Schema 2020-12, the words of schemafit.h).  A command has the schemas
 * of its files built in: PARSED in the Makefile.
 */

#include "yamlfile.h"

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
