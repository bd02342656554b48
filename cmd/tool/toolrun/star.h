#ifndef STAR_H
#define STAR_H

/*
 * The patterns of rules, for words, paths and names alike: "*" is any bytes
 * but "/", "**" any bytes, "**" and "/" together also nothing, and a
 * backslash makes the next character literal.  toolrun(1), RULES.
 */

enum {
	STAR_WHOLE, /* all of the text fits */
	STAR_BELOW, /* or the name of a directory above it does */
	STAR_MAY    /* or a longer text might */
};

/*
 * Does text fit?  A text that has ".." in its path fits only a pattern
 * without a star, except with STAR_MAY and STAR_BELOW.
 */
int star_fits(const char *pattern, const char *text, int how);

/* Has the pattern a star? */
int star_in(const char *pattern);

/* Has the text a ".." between slashes, or after one of "=:,"? */
int star_climbs(const char *text);

#endif
