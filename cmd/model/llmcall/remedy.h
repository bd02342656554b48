#ifndef REMEDY_H
#define REMEDY_H

/*
 * A fault as the user of a turn reads it: one line, under turnpipe's name
 * (with -v under ours), its cause and what to do about it, of
 * share/remedies.tsv.  What is no turn's is as warn prints it.
 */

/* Does a turn run, of which no more is to be shown? */
int remedy_isbrief(void);

/*
 * Print a fault, name and message; what: the remedy's name, or NULL, where:
 * in place of its "@".
 */
void remedy_warn(const char *name, const char *msg, const char *what,
    const char *where);

#endif
