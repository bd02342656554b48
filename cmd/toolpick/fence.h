#ifndef FENCE_H
#define FENCE_H

/*
 * Which tools the configuration lets pass.  Of tools and required_tools the
 * record counts that a config field goes by; what any record denies is
 * denied: no agent's list takes back what a task's leaves out.
 */

#include "choice.h"
#include "json.h"

/* Keep a config record's tools_deny. */
void fence_take(const struct json *j);

/*
 * Leave out what they and config's tools leave out; the names of
 * required_tools go to required.
 */
void fence_apply(
    const struct json *config, struct choice *c, struct strs *required);

/* Forget the conversation. */
void fence_reset(void);

#endif
