#ifndef SETTINGS_H
#define SETTINGS_H

/*
 * settings.yaml: the shipped one, and over it, leaf by leaf, those that come
 * earlier in the search path.  turnpipe-settings(5).  Read once, at the
 * first call; a file that can not be understood dies with EX_CONFIG.
 * A key is a dotted path: "ctxfind.names".
 */

#include "buf.h"

/*
 * Over all files go the lines of TURNPIPE_SET, KEY=VALUE each, and over them
 * those given here, in their order: the option --set (opt_set of opt.h).  Text
 * is taken as it is, a list may be words with commas between, all else is
 * YAML.  A key that the shipped file has not, or a value of another kind, dies
 * with EX_CONFIG; so does a call after a setting was read, with EX_SOFTWARE.
 */
void settings_set(const char *arg);

/* The value, or dflt where no file has it; a wrong kind dies. */
int settings_bool(const char *key, int dflt);
/* A whole number from 0. */
long long settings_int(const char *key, long long dflt);
/* The same to 1000000000. */
size_t settings_count(const char *key, size_t dflt);
double settings_num(const char *key, double dflt);
/* A number from 0 to 1. */
double settings_share(const char *key, double dflt);
/* Owned by us; dflt is returned as it is. */
const char *settings_str(const char *key, const char *dflt);
/* Append a list, or one string; 0 if no file has the key. */
int settings_strs(const char *key, struct strs *l);
/* The same of any scalars, numbers and literals as JSON has them. */
int settings_words(const char *key, struct strs *l);

/* Does --set or TURNPIPE_SET say it, which goes before an agent's word? */
int settings_given(const char *key);

/* Append "file:line:col" of item i of a list, or of the one string. */
void settings_where(const char *key, size_t i, struct buf *b);

/* Die as for a wrong kind: what was expected of the value that was read. */
_Noreturn void settings_bad(const char *key, const char *why);

/* Is this contributor on?  "NAME.enabled", by default yes. */
int settings_enabled(const char *name);

/*
 * Dies with EX_CONFIG where a file has a key that the shipped one has not,
 * or a value of another kind: a mistyped one would do nothing, and say
 * nothing.  Without a shipped file nothing is known, and all is well.
 */
void settings_check(void);

#endif
