#ifndef ROOTS_H
#define ROOTS_H

/*
 * Which paths a file tool may read and write.  intree(1) has the rules and
 * keeps them; toolrun(1) asks first, so that the user is asked.
 */

#include <sys/stat.h>

#include "buf.h"

enum roots_verdict {
	ROOTS_IN,      /* beneath a root */
	ROOTS_AGREED,  /* beneath a path of TURNPIPE_AGREED */
	ROOTS_OUT,     /* beneath no root */
	ROOTS_HIDDEN,  /* toolrun.hide, or our keys */
	ROOTS_FOREIGN, /* a hard link, as roots_foreign says */
	ROOTS_KEPT,    /* to be written: what no file tool writes */
	ROOTS_ERRNO    /* it cannot be resolved; errno says why */
};

/*
 * Judge a path for reading, or for writing.  own, which may be NULL, lists
 * the roots; else they are the default ones.  real gets the path with all
 * links followed, absolute; the names at its end need not exist.
 */
enum roots_verdict roots_judge(struct buf *real, const char *path,
    int writing, const struct strs *own);

/*
 * Append the hidden paths beneath the directory real, as patterns: those that
 * begin with "./" of a path, for find -path; others of a name at any depth.
 */
void roots_hidden(const char *real, struct strs *l);

/* The writable and the hidden paths, without links. */
const struct strs *roots_writable(void);
const struct strs *roots_hides(void);

/*
 * What no tool may write, without links, whether or not it is there: what
 * rules and prompts come from, state, facts, caches, the session's files and
 * those of an agent's caller; and of the repositories that are roots what
 * makes git run programs, where file tools leave all of .git alone.
 */
const struct strs *roots_ours(void);

/*
 * The git work tree that an agent has for itself, which lies in what is ours
 * and is not; empty if we run in none.
 */
const struct strs *roots_tree(void);

/* The part of path below dir, "" for dir itself; NULL where it is not. */
const char *roots_within(const char *path, const char *dir);

/*
 * Put into real where path leads, absolute, all links followed; its last
 * names need not exist.  0, or -1 and errno: links lead nowhere, a ".."
 * follows a name that is not there, or a directory may not be looked at.
 */
int roots_real(struct buf *real, const char *path);

/* The same, "~/" being the home.  The caller frees; NULL and errno. */
char *roots_resolve(const char *path);

/* Has the file more names, one of them hidden, or an owner that neither we
 * nor its directory have? */
int roots_foreign(const struct stat *file, const struct stat *dir);

/* The meaning of a verdict, for messages; NULL for those that let it pass. */
const char *roots_why(enum roots_verdict v);

#endif
