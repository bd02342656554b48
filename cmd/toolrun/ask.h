#ifndef ASK_H
#define ASK_H

/* A question to the person at the terminal. */

enum ask_answer {
	ASK_NOBODY, /* no terminal, or it is not ours to read from now */
	ASK_NO,
	ASK_YES,
	ASK_ALWAYS,
	ASK_INTERRUPTED /* a signal came */
};

/*
 * Write text to /dev/tty, cleaned of what a terminal would obey or what
 * would reorder it, and read y, n or, if always is set, a.  The end of
 * input is no.  Asks again what it does not understand.
 */
enum ask_answer ask_tty(const char *text, int always);

#endif
