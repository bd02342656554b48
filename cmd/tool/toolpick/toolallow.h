#ifndef TOOLALLOW_H
#define TOOLALLOW_H

/*
 * Which tools the configuration lets pass.  Of tools and required_tools the
 * record counts that a config field goes by; what any record denies is
 * denied: no agent's list takes back what a task's leaves out.
 */

#include "json.h"
#include "toolselect.h"

/* Keep a config record's tools_deny. */
void toolallow_take(const struct json *j);

/*
 * Leave out what they and config's tools leave out; the names of
 * required_tools go to required.
 */
void toolallow_apply(
    const struct json *config, struct toolselect *c, struct strs *required);

/* Forget the conversation. */
void toolallow_reset(void);

#endif
