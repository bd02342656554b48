#ifndef MODEL_H
#define MODEL_H

/* Facts about models: models.yaml, turnpipe-providers(5). */

#include "buf.h"

/*
 * Append the context window of a model ("PROVIDER/NAME" or "NAME"), in
 * tokens, as a JSON number; of several, with commas between, the smallest.
 * 0; -1 if it is not known of one of them.
 */
int model_window(struct buf *b, const char *model);

/* The same of the longest answer that it gives. */
int model_output(struct buf *b, const char *model);

/* One of these as a number; 0 if it is not known or model is NULL. */
long long model_known(
    int (*what)(struct buf *, const char *), const char *model);

/*
 * Append the models of a list with commas between them, those of the setting
 * model_aliases by their full names.
 */
void model_split(struct strs *l, const char *models);

/*
 * A model of the settings, "model" or "model_small"; several, asked in turn,
 * have commas between them.  NULL if there is none.  Owned by us.
 */
const char *model_set(const char *key);

/*
 * The model of a turn that names none: TURNPIPE_MODEL, else the setting
 * model; NULL if there is none.
 */
const char *model_default(void);

/* The model of calls beside a turn: the setting model_small, else that. */
const char *model_small(void);

/*
 * Put a request of one user message, for what is asked of a model beside a
 * turn, and the end of its conversation.  id and model may be NULL: none.
 */
void model_ask(const struct buf *id, const char *model,
    const struct buf *text);

#endif
