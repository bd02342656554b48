#ifndef INPUTCHECK_H
#define INPUTCHECK_H

/*
 * Before the first request is paid for: where standard input is a file, each
 * line of it is one that can be asked, and no id is there twice.  Dies with
 * EX_DATAERR at the place of the first that is not so.
 */
void inputcheck(void);

#endif
