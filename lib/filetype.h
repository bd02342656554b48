#ifndef FILETYPE_H
#define FILETYPE_H

/* What bytes are, by the first of them. */

#include <stddef.h>

struct filetype {
	const char *name;  /* for a person, such as "PNG image" */
	const char *media; /* the media type of one that a model may be sent,
			    * "image/png"; else NULL */
};

/* NULL for a type that is not known, such as text. */
const struct filetype *filetype_of(const char *s, size_t n);

#endif
