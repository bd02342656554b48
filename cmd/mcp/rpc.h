#ifndef RPC_H
#define RPC_H

/* JSON-RPC 2.0, a message a line. */

#include "buf.h"
#include "json.h"

enum {
	RPC_NOT_JSON = -32700,
	RPC_NO_REQUEST = -32600,
	RPC_NO_METHOD = -32601,
	RPC_BAD_PARAMS = -32602,
	RPC_INTERNAL = -32603
};

/* Begin a message; method may be NULL. */
void rpc_open(struct buf *b, const char *method);

/* A key with an object: empty; the name and version of this program. */
void rpc_empty(struct buf *b, const char *key);
void rpc_self(struct buf *b, const char *key);

/*
 * An answer on standard output: b holds it up to "result" or "error", still
 * open; id is JSON.
 */
void rpc_start(struct buf *b, struct span id);
void rpc_end(struct buf *b);
void rpc_error(struct span id, int code, const char *why);

/* One read, appended.  0 at the end. */
int rpc_take(int fd, struct buf *b);

/*
 * After each rpc_take: call take for each whole line of b, and cut them off.
 * A line over 64 MiB dies with EX_DATAERR.
 */
void rpc_lines(struct buf *b, void (*take)(const char *p, size_t n));

/*
 * Parse a message; *id is that of a call or an answer.  RPC_NONE: it is blank,
 * or was refused.
 */
enum rpc_kind { RPC_NONE, RPC_NOTE, RPC_CALL, RPC_ANSWER };
enum rpc_kind rpc_parse(
    struct json *j, const char *p, size_t n, struct span *id);

#endif
