#ifndef EASY_H
#define EASY_H

/*
 * The plain half of YAML: what nearly all front matter is made of, read in
 * one pass and far faster than libyaml does.  Lines "key: value" and, below
 * a key without value, such lines indented by two; values plain, quoted
 * without escapes, or a list of simple words in brackets.  Part of yamlfile.h,
 * which tries this first for lenient texts.
 */

#include "yamlfile.h"

/*
 * Put into y what libyaml would: text and marks, byte for byte.  0; -1 where
 * there is anything else in s, which is no fault: then y->text is empty.
 */
int easy_parse(struct yamlfile *y, const char *s, size_t n);

#endif
