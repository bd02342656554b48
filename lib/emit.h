#ifndef EMIT_H
#define EMIT_H

/*
 * Write JSON into a buffer.  Commas come by themselves: a value or key that
 * follows another one gets one in front.  One text per buffer, or texts
 * separated by newlines.
 */

#include <stddef.h>

#include "buf.h"
#include "json.h"

/* '{' or '[', and its end: '}' or ']'. */
void emit_open(struct buf *b, int c);
void emit_close(struct buf *b, int c);

void emit_key(struct buf *b, const char *key);
void emit_keyn(struct buf *b, const char *key, size_t n);

/* A string; bytes that are not UTF-8 become U+FFFD. */
void emit_str(struct buf *b, const char *s, size_t n);
void emit_cstr(struct buf *b, const char *s);
void emit_int(struct buf *b, long long v);
/* Shortest text that reads back the same; NaN and infinity become null. */
void emit_num(struct buf *b, double v);
void emit_bool(struct buf *b, int v);
void emit_null(struct buf *b);
/* A value that is JSON already. */
void emit_raw(struct buf *b, const char *s, size_t n);
void emit_span(struct buf *b, struct span s);
/* The same of JSON from a file: on one line, as a record needs it. */
void emit_compact(struct buf *b, struct span s);

/* Key and value in one; emit_pair writes nothing where s is NULL. */
void emit_pair(struct buf *b, const char *key, const char *s);
void emit_pairn(struct buf *b, const char *key, const char *s, size_t n);
void emit_pairi(struct buf *b, const char *key, long long v);
void emit_pairf(struct buf *b, const char *key, double v);
void emit_pairb(struct buf *b, const char *key, int v);
void emit_pairj(struct buf *b, const char *key, struct span json);

/* Key and an array of strings. */
void emit_strs(struct buf *b, const char *key, const struct strs *l);

/* Key k of an object byte for byte, and its value. */
void emit_member(struct buf *b, const struct json *j, int k);
/* A key as written in JSON, in quotes. */
void emit_keyj(struct buf *b, struct span key);

/*
 * Object i of j, with the value v (JSON) at a key if it has that; without
 * the key where v.p is NULL.
 */
void emit_object(struct buf *b, const struct json *j, int i, const char *key,
    struct span v);

/* s as a JSON string, without the quotes around it. */
void emit_escape(struct buf *b, const char *s, size_t n);

#endif
