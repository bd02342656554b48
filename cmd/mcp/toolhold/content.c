#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "content.h"
#include "env.h"
#include "fd.h"
#include "file.h"
#include "resulttext.h"

enum { TRIES = 1000 }; /* numbers of file names */

/* Append the bytes of base64 text.  0, or -1: it is not base64. */
static int
decode(struct buf *b, const char *p, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "abcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned long bits = 0;
	const char *d;
	int have = 0;

	while (n > 0 && p[n - 1] == '=')
		n--;
	for (; n > 0; n--, p++) {
		if (*p == '\n' || *p == '\r')
			continue;
		d = *p != '\0' ? strchr(digits, *p) : NULL;
		if (d == NULL)
			return -1;
		bits = (bits << 6 | (unsigned long)(d - digits)) & 0xffffff;
		have += 6;
		if (have >= 8) {
			have -= 8;
			buf_putc(b, (int)(bits >> have & 0xff));
		}
	}
	return have >= 6 ? -1 : 0;
}

/* "image/svg+xml" gives "svg", text/plain "txt", another kind of word "bin". */
static const char *
suffix(const char *mime)
{
	static struct buf b;
	const char *p = strchr(mime, '/');
	size_t n;

	buf_reset(&b);
	if (p == NULL)
		return "bin";
	if (strncmp(mime, "text/plain", 10) == 0)
		return "txt";
	n = strspn(p + 1, "abcdefghijklmnopqrstuvwxyz0123456789");
	if (n == 0 || n > 8)
		return "bin";
	buf_add(&b, p + 1, n);
	return buf_cstr(&b);
}

/* A new file for these bytes, its path in path.  0, or -1 and errno. */
static int
keep(struct buf *path, const char *mime, const struct buf *data)
{
	static struct buf dir;
	int fd = -1, i;

	if (env_run(&dir, "out") == NULL) {
		errno = 0;
		return -1;
	}
	if (file_mkdirs(buf_cstr(&dir)) < 0)
		return -1;
	for (i = 1; i <= TRIES && fd < 0; i++) {
		buf_reset(path);
		buf_printf(path, "%s/mcp-%ld-%d.%s", buf_cstr(&dir),
		    (long)getpid(), i, suffix(mime));
		fd = fd_open(buf_cstr(path), O_WRONLY | O_CREAT | O_EXCL,
		    0600);
		if (fd < 0 && errno != EEXIST)
			return -1;
	}
	if (fd < 0)
		return -1;
	if (fd_write(fd, data->p, data->n) < 0) {
		fd_drop(fd);
		return -1;
	}
	return fd_close(fd);
}

static void
bytes(struct buf *b, const struct json *j, int data, int type)
{
	static struct buf text, raw, path;
	char *mime = json_dup(j, type), n[24];
	const char *pairs[] = { "type", NULL, "bytes", n, "path", NULL, "why",
		NULL, NULL };

	buf_reset(&text);
	buf_reset(&raw);
	buf_reset(&path);
	pairs[1] = mime != NULL ? mime : "application/octet-stream";
	if (json_str(j, data, &text) < 0
	    || decode(&raw, text.p, text.n) < 0) {
		resulttext(b, "mcp_base64", pairs);
		free(mime);
		return;
	}
	snprintf(n, sizeof(n), "%zu", raw.n);
	if (keep(&path, pairs[1], &raw) == 0) {
		pairs[5] = buf_cstr(&path);
		resulttext(b, "mcp_file", pairs);
	} else {
		pairs[7] = errno != 0 ? strerror(errno)
				      : "TURNPIPE_RUN is not set";
		pairs[5] = "";
		resulttext(b, "mcp_lost", pairs);
	}
	free(mime);
}

void
content_resource(struct buf *b, const struct json *j, int i)
{
	int text = json_get(j, i, "text");

	if (json_kind(j, text) == JSON_STRING)
		json_str(j, text, b);
	else
		bytes(b, j, json_get(j, i, "blob"),
		    json_get(j, i, "mimeType"));
}

void
content_block(struct buf *b, const struct json *j, int i)
{
	int type = json_get(j, i, "type");
	char *uri, *name;
	const char *pairs[] = { "uri", NULL, "name", NULL, NULL };

	if (json_is(j, type, "text")) {
		json_str(j, json_get(j, i, "text"), b);
	} else if (json_is(j, type, "image") || json_is(j, type, "audio")) {
		bytes(b, j, json_get(j, i, "data"),
		    json_get(j, i, "mimeType"));
	} else if (json_is(j, type, "resource")) {
		content_resource(b, j, json_get(j, i, "resource"));
	} else if (json_is(j, type, "resource_link")) {
		uri = json_dup(j, json_get(j, i, "uri"));
		name = json_dup(j, json_get(j, i, "name"));
		pairs[1] = uri != NULL ? uri : "";
		pairs[3] = name != NULL ? name : "";
		resulttext(b, "mcp_link", pairs);
		free(uri);
		free(name);
	} else {
		/* A kind that we do not know is shown as it came. */
		buf_span(b, json_span(j, i));
	}
}

int
content_result(struct buf *b, const struct json *j, int i)
{
	int content = json_get(j, i, "content"), k;
	int data = json_get(j, i, "structuredContent");
	size_t start = b->n;

	for (k = json_first(j, content); k >= 0; k = json_next(j, k)) {
		if (b->n > start && b->p[b->n - 1] != '\n')
			buf_putc(b, '\n');
		content_block(b, j, k);
	}
	if (b->n == start && data >= 0)
		buf_span(b, json_span(j, data));
	return json_true(j, json_get(j, i, "isError"));
}
