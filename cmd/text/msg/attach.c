#include <string.h>

#include "attach.h"
#include "base64.h"
#include "diag.h"
#include "emit.h"
#include "file.h"
#include "filetype.h"

void
attach_put(struct buf *b, const char *path)
{
	static struct buf bytes, url;
	static size_t total;
	const struct filetype *t;
	const char *type;
	enum file_result r;

	buf_reset(&bytes);
	r = file_read(path, &bytes, ATTACH_MAX - total);
	if (r == FILE_LARGE)
		die(EX_DATAERR, "%s: expected at most %d bytes of files",
		    path, ATTACH_MAX);
	if (r == FILE_ERRNO)
		die_sys(EX_NOINPUT, "%s", path);
	if (r != FILE_OK)
		die(EX_NOINPUT, "%s: %s", path, file_why(r));
	total += bytes.n;
	t = filetype_of(bytes.p, bytes.n);
	type = t != NULL ? t->media : NULL;
	if (type == NULL || strncmp(type, "audio/", 6) == 0)
		die(EX_DATAERR, "%s: expected a PNG, JPEG, GIF or WebP picture "
		    "or a PDF; a text goes with the message", path);
	buf_reset(&url);
	buf_printf(&url, "data:%s;base64,", type);
	base64_put(&url, bytes.p, bytes.n);
	emit_open(b, '{');
	if (strncmp(type, "image/", 6) == 0) {
		emit_pair(b, "type", "image_url");
		emit_key(b, "image_url");
		emit_open(b, '{');
		emit_pairn(b, "url", url.p, url.n);
	} else {
		emit_pair(b, "type", "file");
		emit_key(b, "file");
		emit_open(b, '{');
		emit_pair(b, "filename", file_name(path));
		emit_pairn(b, "file_data", url.p, url.n);
	}
	emit_close(b, '}');
	emit_close(b, '}');
}
