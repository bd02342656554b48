#ifndef TABLE_H
#define TABLE_H

/* A YAML file of share/, read once. */

#include "yamlfile.h"

/* A zeroed struct is ready. */
struct table {
	struct yamlfile yml;
	int sought;
};

/*
 * The content of the file that wins for rel (path.h), which is read at the
 * first call; without a token if there is none.  A fault in it dies, as
 * yamlfile_load says.
 */
const struct json *table_read(struct table *t, const char *rel);

#endif
