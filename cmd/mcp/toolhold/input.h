#ifndef INPUT_H
#define INPUT_H

/*
 * What a server asks of its client's user in the middle of a call: the roots,
 * which are the work tree, and the fields of a form, at the terminal.
 */

#include "buf.h"
#include "json.h"

/* Append the members of the result of roots/list. */
void input_roots(struct buf *b);

/* Set for what we start: the name of the terminal at which a user can be asked. */
void input_terminal(void);

/* Append the members of an answer that gives nothing. */
void input_none(struct buf *b);

/*
 * Append the members of the result of elicitation/create, whose params are at
 * i of j, asked of the user at the terminal in the name of this server.
 * Without a terminal, for a form that is not one, or where the user will not,
 * it says so to the server.
 */
void input_form(struct buf *b, const struct json *j, int i,
    const char *server);

#endif
