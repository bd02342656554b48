#ifndef SELFDESC_H
#define SELFDESC_H

/*
 * What a program without NAME.json says of itself, as the text of such a
 * file: the JSON that it prints for --schema, else the comments @describe,
 * @option and @flag (as llm-functions has them), else a description made of
 * its first comment line and one string, input.
 */

#include "buf.h"

enum selfdesc {
	SELFDESC_NONE,	   /* it cannot be read */
	SELFDESC_SCHEMA,   /* its answer to --schema, not checked yet */
	SELFDESC_COMMENTS, /* it takes its arguments as --options */
	SELFDESC_DEFAULT
};

/*
 * Put it into b for the program at path, which begins a tool of that name.
 * It is asked for its schema only if its text speaks of one, with two
 * seconds to answer, once: the answer is kept in the user's cache.
 */
enum selfdesc selfdesc_read(
    struct buf *b, const char *path, const char *name);

#endif
