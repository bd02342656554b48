#ifndef DIAG_H
#define DIAG_H

/*
 * The message of a command that fails, and its exit status.
 * Exit statuses: DESIGN.md section 6; turnpipe(7), EXIT STATUS.
 */

#include <stddef.h>
#include <sysexits.h>

enum {
	EXIT_NO = 1,	   /* the answer to the question is no */
	EXIT_REFUSED = 3,  /* the model refused */
	EXIT_SPENT = 4,	   /* a token or money budget is used up */
	EXIT_STEPS = 5,	   /* the turn's step limit is reached */
	EXIT_OVERFLOW = 6, /* more than the context window holds */
	EXIT_LENGTH = 7,   /* the answer stopped at the length limit */
	EXIT_SCHEMA = 8,   /* the answer does not fit its schema */
	EXIT_FEW = 9	   /* too few cases to tell */
};

/* The command's name; main sets it before all else. */
extern const char *prog;

/*
 * Called by die, die_sys and die_at with the exit status and the message
 * without "prog: ", before the process exits.  NULL by default; the record
 * stream sets it, so that the failure also travels in the stream.
 */
extern void (*die_hook)(int code, const char *msg);

/*
 * Called before a line is printed, to erase the terminal's last line.
 * NULL by default.
 */
extern void (*warn_before)(void);

/* Writes the line, cleaned for a terminal.  NULL by default: it goes as it is. */
extern void (*warn_shown)(const char *line, size_t n);

/*
 * Print "prog: MESSAGE" as one line on stderr, in one write.  Bytes that a
 * terminal could obey (controls, DEL, and C1 as UTF-8) are shown as '?'; a
 * message over 1000 bytes is cut.
 */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same, with ": " and the text of errno after it. */
void warn_sys(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Print as warn does, run the hook, exit with code. */
_Noreturn void die(int code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Print as warn_sys does, run the hook, exit with code. */
_Noreturn void die_sys(int code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* die with the message "file:line:col: why"; line and col count from 1. */
_Noreturn void die_at(
    int code, const char *file, size_t line, size_t col, const char *why);

#endif
