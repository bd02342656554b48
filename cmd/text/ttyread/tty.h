#ifndef TTY_H
#define TTY_H

/*
 * The terminal on standard input: its modes, given back on every way out, and
 * its bytes, one at a time, so that what is typed ahead stays in the
 * terminal for the next reader.
 */

/* Called with 0 before the process stops or ends, with 1 when it goes on. */
typedef void tty_prepare(int raw);
/* Called when the screen is to be drawn again; resized if that is why. */
typedef void tty_redraw(int resized);

/*
 * From now on signals are met in tty_byte alone: SIGWINCH draws again, SIGTSTP
 * and SIGCONT stop and go on, all others give the modes back and end the
 * process.
 */
void tty_begin(tty_prepare *prepare, tty_redraw *redraw);

/* Give the modes back. */
void tty_end(void);

/* The next byte, or -1 at the end of input. */
int tty_byte(void);

/* Does another one come within so many milliseconds? */
int tty_waits(int ms);

/* The bytes that are there; with canonical input, those of whole lines. */
int tty_ahead(void);

/*
 * Until SIGTERM or SIGHUP, or the caller's end however it comes: what is typed
 * is not shown, an interrupt drops none of it, and a paste says that it is one
 * (terminal_moves).  An end of standard output says that this holds.
 */
void tty_keep(void);

/* Stop the process group, as Ctrl-Z does; returns when it goes on. */
void tty_suspend(void);

/* Run a command line of sh with arg as $1; its wait status, or -1 and errno. */
int tty_run(const char *command, const char *arg);

/* The process ends by this signal. */
_Noreturn void tty_die(int sig);

#endif
