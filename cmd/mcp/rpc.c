#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "diag.h"
#include "emit.h"
#include "out.h"
#include "rpc.h"

enum {
	BLOCK = 65536,
	LINE = 64 << 20 /* bytes of a message */
};

void
rpc_end(struct buf *b)
{
	emit_close(b, '}');
	out_record(b);
	out_flush();
}

void
rpc_open(struct buf *b, const char *method)
{
	buf_reset(b);
	emit_open(b, '{');
	emit_pair(b, "jsonrpc", "2.0");
	emit_pair(b, "method", method);
}

void
rpc_empty(struct buf *b, const char *key)
{
	emit_key(b, key);
	emit_open(b, '{');
	emit_close(b, '}');
}

void
rpc_self(struct buf *b, const char *key)
{
	emit_key(b, key);
	emit_open(b, '{');
	emit_pair(b, "name", "turnpipe");
	emit_pair(b, "version", VERSION);
	emit_close(b, '}');
}

void
rpc_start(struct buf *b, struct span id)
{
	rpc_open(b, NULL);
	if (id.n > 0)
		emit_pairj(b, "id", id);
	else {
		emit_key(b, "id");
		emit_null(b);
	}
}

void
rpc_error(struct span id, int code, const char *why)
{
	static struct buf b;

	rpc_start(&b, id);
	emit_key(&b, "error");
	emit_open(&b, '{');
	emit_pairi(&b, "code", code);
	emit_pair(&b, "message", why);
	emit_close(&b, '}');
	rpc_end(&b);
}

int
rpc_take(int fd, struct buf *b)
{
	ssize_t r;

	buf_room(b, BLOCK);
	r = read(fd, b->p + b->n, BLOCK);
	if (r > 0)
		b->n += (size_t)r;
	return r > 0 || (r < 0 && errno == EINTR);
}

void
rpc_lines(struct buf *b, void (*take)(const char *p, size_t n))
{
	/* What was there before the last read has no end. */
	size_t at = 0, from = b->n > BLOCK ? b->n - BLOCK : 0;
	char *nl;

	if (b->n > LINE)
		die(EX_DATAERR, "<stdin>: expected a line of at most 64 MiB");
	while (from < b->n
	    && (nl = memchr(b->p + from, '\n', b->n - from)) != NULL) {
		take(b->p + at, (size_t)(nl - b->p) - at);
		at = from = (size_t)(nl - b->p) + 1;
	}
	if (at > 0) {
		b->n -= at;
		memmove(b->p, b->p + at, b->n);
	}
}

enum rpc_kind
rpc_parse(struct json *j, const char *p, size_t n, struct span *id)
{
	int i;

	*id = (struct span){ NULL, 0 };
	if (span_trim((struct span){ p, n }).n == 0)
		return RPC_NONE;
	if (json_parse(j, p, n) < 0) {
		rpc_error(*id, RPC_NOT_JSON, j->why);
		return RPC_NONE;
	}
	i = json_get(j, 0, "id");
	if (i >= 0)
		*id = json_span(j, i);
	if (json_kind(j, json_get(j, 0, "method")) == JSON_STRING)
		return i >= 0 ? RPC_CALL : RPC_NOTE;
	if (json_get(j, 0, "result") >= 0 || json_get(j, 0, "error") >= 0)
		return RPC_ANSWER;
	rpc_error((struct span){ NULL, 0 }, RPC_NO_REQUEST, "expected a method");
	return RPC_NONE;
}
