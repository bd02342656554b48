#ifndef TOKEN_H
#define TOKEN_H

/*
 * How many tokens a text is, without a tokenizer's vocabulary: one pass that
 * counts words, numbers, runs of marks and blanks, and characters of other
 * scripts, weighted by a fit against o200k_base.  Within 15 % in total on
 * English, code, JSON, logs and CJK, within 40 % on the other kinds of text of
 * t/data/token; single short texts may be off by more.
 */

#include <stddef.h>

/* Tokens, rounded; 0 only for an empty text. */
size_t token_count(const char *s, size_t n);

#endif
