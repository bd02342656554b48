#ifndef TERMINAL_H
#define TERMINAL_H

/*
 * Text for a terminal: what the terminal would obey, hide or reorder is made
 * visible.  A control character but newline and tab, a C1 control, a
 * bidirectional or zero-width mark, and a tag character become \u{HEX}, but
 * for those that do their work (joiner.h); a byte that is not UTF-8 becomes
 * \xHEX.
 */

#include <stddef.h>
#include <stdint.h>

#include "buf.h"

/* Is this code point one of those, at work or not? */
int terminal_hides(uint32_t c);

/* Append s, cleaned. */
void terminal_clean(struct buf *b, const char *s, size_t n);

/* The same for what stands from s + i on, after what was shown before. */
void terminal_clean_from(struct buf *b, const char *s, size_t n, size_t i);

/*
 * Append s, cleaned, as one line of at most max columns: a newline is "↵",
 * a tab a blank, and "…" stands for what is cut.  Returns the columns.
 */
size_t terminal_fit(struct buf *b, const char *s, size_t n, size_t max);

/*
 * Append s, one clean line, in rows of so many columns that end after a word
 * or between wide characters.  Those after the first stand below the last
 * column of it that begins within its first half, after two blanks.  A word
 * that is longer is left to the terminal.
 */
void terminal_wrap(struct buf *b, const char *s, size_t n, size_t cols);

/*
 * Append clean text in rows of so many columns, what is too long for a row
 * after indent, which begins with a newline: nothing in the text then stands
 * where our own words do.  Returns the rows.
 */
size_t terminal_fold(
    struct buf *b, struct span text, size_t cols, const char *indent);

/* Columns of a character, 0 to 2: what may be wide counts as wide. */
int terminal_width(uint32_t c);

/*
 * Open the terminal of this process, if it may ask something there: it is in
 * the foreground.  -1 if not.
 */
int terminal_open(void);

/*
 * Set whether fd echoes what is typed: in a conversation it does not while a
 * turn works.  1 or 0 as it was, -1 where it is no terminal.
 */
int terminal_echo(int fd, int on);

/*
 * Take what was typed and not read yet, also half a line, and append it to the
 * file, if that is not NULL: it was typed before the question stood there, so
 * it is no answer.  -1 with errno if what was taken could not be kept.
 */
int terminal_set_aside(int fd, const char *file);

/* Is fd a terminal that takes escape sequences (TERM, but for "dumb")? */
int terminal_moves(int fd);

/* The columns of the terminal fd; 80 where it does not say. */
size_t terminal_columns(int fd);

/*
 * Append what makes text faint from here on, or ends that.  Nothing where
 * NO_COLOR is set or the terminal takes no escape sequences.
 */
void terminal_faint(struct buf *b, int fd, int on);

/*
 * How much a turn shows of its work on a terminal, TURNPIPE_SHOW: 0 nothing,
 * which is the default, 1 a line for each step of it, 2 more.
 */
int terminal_show(void);

#endif
