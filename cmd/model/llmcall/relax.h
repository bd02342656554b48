#ifndef RELAX_H
#define RELAX_H

/*
 * Tools' schemas for models that mix up types, at servers that refuse calls
 * which do not fit: where a number or a boolean may stand, a string may too,
 * and for what is optional null.  What comes back is made right again against
 * the schemas as they were: coerce.h.
 */

#include "json.h"

/* The request with such schemas but for strict tools; ours until the next. */
const struct json *relax_request(const struct json *request);

#endif
