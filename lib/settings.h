#ifndef SETTINGS_H
#define SETTINGS_H

/*
 * settings.yaml: the shipped one, and over it, leaf by leaf, those that come
 * earlier in the search path.  turnpipe-settings(5).  Where no share is, or
 * one that leaves keys out, the shipped one is that of the build.  Read once,
 * at the first call; a file that cannot be understood dies with EX_CONFIG.
 * A key is a dotted path: "ctxfind.names".
 */

#include "buf.h"

/*
 * Over all files go the lines of TURNPIPE_SET, KEY=VALUE each, and over them
 * those given here, in their order: the option --set (opt_set of opt.h).  Text
 * is taken as it is, a list may be words with commas between, all else is
 * YAML.  What this process starts obeys them, too, by that variable.  A key that
 * the shipped file has not, or a value of another kind, dies with EX_CONFIG; a
 * newline with EX_USAGE, a call after a setting was read with EX_SOFTWARE.
 */
void settings_set(const char *arg);

/*
 * The value; 0, NULL or nothing where the shipped file has the key without a
 * value and no other file has one.  A wrong kind dies, and so does a key that
 * was never shipped, with EX_SOFTWARE: the default stands in share/ alone.
 */
int settings_bool(const char *key);
/* A whole number from 0. */
long long settings_int(const char *key);
/* The same to 1000000000. */
size_t settings_count(const char *key);
double settings_num(const char *key);
/* A number from 0 to 1. */
double settings_share(const char *key);
/* Owned by us. */
const char *settings_str(const char *key);
/* Append a list, or one string. */
void settings_strs(const char *key, struct strs *l);
/* Has it a value? */
int settings_has(const char *key);

/*
 * For a key that a user names: append a list or one scalar, numbers and
 * literals as JSON has them.  0 if there is no value, or no such key.
 */
int settings_words(const char *key, struct strs *l);

/* Does --set or TURNPIPE_SET say it, which goes before an agent's word? */
int settings_given(const char *key);

/* Append "file:line:col" of item i of a list, or of the one string. */
void settings_where(const char *key, size_t i, struct buf *b);

/* Die as for a wrong kind: what was expected of the value that was read. */
_Noreturn void settings_bad(const char *key, const char *why);

/* Is this contributor on?  "NAME.enabled". */
int settings_enabled(const char *name);

/*
 * Dies with EX_CONFIG where a file has a key that the shipped one has not,
 * or a value of another kind: a mistyped one would do nothing, and say
 * nothing.  Without a shipped file nothing is known, and all is well.
 */
void settings_check(void);

#endif
