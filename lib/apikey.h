#ifndef APIKEY_H
#define APIKEY_H

/*
 * A key: from the environment, from a command of the user's, or from a file
 * that only the user can read.  It is written nowhere.
 */

#include "buf.h"

/* A zeroed struct is a key not looked for. */
struct apikey {
	char *text;	/* NULL: there is none */
	int istoken;	/* from a variable of tokens */
	int looked;
	struct buf why; /* what is wrong with the one that was found */
};

/* Where to look, in this order. */
struct apikey_places {
	struct strs vars;   /* variables, */
	struct strs tokens; /* and those that hold tokens; */
	/*
	 * then each of them with _CMD appended, a shell command whose first
	 * line is the key, within 10 seconds; then this command;
	 */
	struct buf cmd;
	struct buf file;    /* then this file */
};

/* Look, once. */
void apikey_find(struct apikey *k, struct apikey_places *at);

/* Is there one, as far as can be seen at no cost: no command is run? */
int apikey_there(const struct apikey *k, struct apikey_places *at);

/* Is it no word that servers take in place of a key: none, ollama? */
int apikey_secret(const struct apikey *k);

/* Replace each occurrence of the key in b by "***". */
void apikey_mask(const struct apikey *k, struct buf *b);

#endif
