#ifndef STATUS_H
#define STATUS_H

/*
 * Print on one line how far books are, all together: they may be in use, and
 * each name may be a glob.  On a terminal the line moves while one is in use.
 * Dies: EX_NOINPUT, EX_DATAERR if one is something
 * else, EX_IOERR.
 */
void status_print(char **books);

#endif
