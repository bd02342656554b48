#ifndef BUF_H
#define BUF_H

/*
 * Growable bytes, lists of strings, and allocation that does not fail:
 * when memory is out, these die with EX_OSERR.
 */

#include <stddef.h>

/* Bytes that somebody else owns; not terminated. */
struct span {
	const char *p;
	size_t n;
};

/* Owns p; a zeroed struct is an empty buffer. */
struct buf {
	char *p;
	size_t n;
	size_t cap;
};

/* Owns the list and each string; a zeroed struct is an empty list. */
struct strs {
	char **v;
	size_t n;
	size_t cap;
};

/* The caller frees; size overflow counts as out of memory. */
void *xmalloc(size_t n);
void *xreallocarray(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);

/*
 * Make room for one more element after n in the array *p of *cap elements
 * of size bytes, doubling as it grows.
 */
void grow(void *p, size_t *cap, size_t n, size_t size);

/* Make room for n more bytes and one more for a NUL. */
void buf_room(struct buf *b, size_t n);
void buf_add(struct buf *b, const void *p, size_t n);
void buf_puts(struct buf *b, const char *s);
void buf_putc(struct buf *b, int c);
void buf_span(struct buf *b, struct span s);
void buf_printf(struct buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Forget the content, keep the memory. */
void buf_reset(struct buf *b);
void buf_free(struct buf *b);

/*
 * The content with a NUL after it (not counted in n), for calls that want
 * a C string; owned by b, good until b changes.  Never NULL.
 */
char *buf_cstr(struct buf *b);

/* All of it, p never NULL; good until b changes. */
struct span buf_view(const struct buf *b);

/* All of a C string. */
struct span span_of(const char *s);

/* Does s hold exactly the bytes of the C string t? */
int span_is(struct span s, const char *t);

/* The same bytes? */
int span_same(struct span a, struct span b);

/* Below, at or above 0 as a sorts before, with or after b, by bytes. */
int span_order(struct span a, struct span b);

/* Without the blanks, line ends and NULs at both its ends. */
struct span span_trim(struct span s);

/* Take a copy of s. */
void strs_add(struct strs *l, const char *s);
void strs_addn(struct strs *l, const char *s, size_t n);
/* Append the strings between commas, empty ones too. */
void strs_split(struct strs *l, const char *s);
/* Index of s in l, or -1. */
long strs_find(const struct strs *l, const char *s);
/* Take a copy of s unless there is one; the one that is in l. */
const char *strs_once(struct strs *l, const char *s);
/* Take string i out. */
void strs_drop(struct strs *l, size_t i);

/* Sort by bytes. */
void strs_sort(struct strs *l);
/* With a NULL after them, for execve(2); owned by l, until it changes. */
char **strs_vector(struct strs *l);

/* Free the strings, keep the list's memory; free that too. */
void strs_reset(struct strs *l);
void strs_free(struct strs *l);

#endif
