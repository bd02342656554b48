#ifndef PROVIDER_H
#define PROVIDER_H

/*
 * Providers of models: share/providers/NAME.yaml has a provider's URL, its
 * protocol and its quirks.  turnpipe-providers(5).  A key
 * comes from the environment, a file of the user's or a command of the
 * user's, and goes nowhere but into the request's header.
 */

#include "buf.h"
#include "json.h"

struct provider;

/* All of them, lowest rank first; *n is set. */
struct provider **provider_all(size_t *n);

/*
 * The provider of this model: "NAME/MODEL", or MODEL alone, which is openai's
 * where OPENAI_BASE_URL is set; where only its key is, a name with a slash
 * is not openai's.  *rest is the model's name for the provider, in model.
 * NULL if there is no such provider, or one of the two has no name.
 */
struct provider *provider_for(const char *model, const char **rest);

const char *provider_name(const struct provider *p);

/*
 * The value at a dotted path of its file, for json_* calls on
 * provider_json; values under "custom" come first where the user's
 * environment names another base URL.  -1 if there is none.
 */
int provider_at(const struct provider *p, const char *path);
const struct json *provider_json(const struct provider *p);
/* The string there, or NULL; owned by p. */
const char *provider_str(struct provider *p, const char *path);
/* Is name in the list (of strings) there? */
int provider_lists(
    const struct provider *p, const char *path, struct span name);
/*
 * The value there that is meant for this model: one for all, or that of the
 * first key, a glob, that fits.  -1 if there is none.
 */
int provider_word(
    const struct provider *p, const char *path, const char *model);
/* Is the value there true? */
int provider_true(const struct provider *p, const char *path);

/*
 * Is it known of the address that is asked that the value there is false?
 * Under another base URL only the values under custom are known.
 */
int provider_denies(const struct provider *p, const char *path);

/* The base URL, without a slash at its end; owned by p. */
const char *provider_base(struct provider *p);

/* Does the user's environment name another base URL than the file? */
int provider_custom(const struct provider *p);

/* Can its base URL be made?  -1 with why, for people, if a part is missing. */
int provider_ready(struct provider *p, struct buf *why);

/*
 * The key, owned by p; NULL if there is none.  Looked for once: the
 * variables of key_env, each of them with _CMD appended (a shell command
 * whose first line is the key), keys/NAME in the configuration directory.
 * -1 if a key is needed and missing or not usable, with why set for people.
 * Where requests can be signed instead none is needed.
 */
int provider_key(struct provider *p, const char **key, struct buf *why);

/* How a request without a key is signed: http.h. */
struct provider_sign {
	const char *how, *id, *secret;
};

/* NULL where it is not; owned by p.  After provider_key. */
const struct provider_sign *provider_sign(const struct provider *p);

/* Is a key set that costs nothing to look at: environment or file? */
int provider_haskey(struct provider *p);

/*
 * Append the headers of a request, the key's among them.  With mask it and
 * the values of the user's own headers, which may be keys, are "***".
 */
void provider_headers(struct provider *p, const char *key, int mask,
    struct strs *l);

/* Replace each occurrence of a key that we know in b by "***". */
void provider_mask(struct buf *b);

/* The same in what is kept, except of keys that may be any word. */
void provider_hide(struct buf *b);

#endif
