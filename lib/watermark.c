#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "file.h"
#include "path.h"
#include "session.h"
#include "watermark.h"

enum { NUMBER_MAX = 64 };

static const char head[] = "facts:";

static void
place(struct buf *b, const char *session)
{
	buf_reset(b);
	session_run(b, session);
	buf_puts(b, "/facts.mark");
}

long long
watermark_read(const char *session)
{
	static struct buf path, text;

	place(&path, session);
	buf_reset(&text);
	if (file_read(buf_cstr(&path), &text, NUMBER_MAX) != FILE_OK)
		return 0;
	return strtoll(buf_cstr(&text), NULL, 10);
}

void
watermark_id(struct buf *b, const char *session, long long n)
{
	buf_printf(b, "%s%lld:", head, n);
	if (*session != '/')
		buf_printf(b, "%s/", path_cwd());
	buf_puts(b, session);
}

void
watermark_take(const char *id)
{
	static struct buf path, text;
	long long n;
	char *end;

	if (strncmp(id, head, sizeof(head) - 1) != 0)
		return;
	n = strtoll(id + sizeof(head) - 1, &end, 10);
	if (n <= 0 || end[0] != ':' || end[1] != '/')
		return;
	place(&path, end + 1);
	buf_reset(&text);
	buf_printf(&text, "%lld\n", n);
	if (file_mkparent(buf_cstr(&path)) < 0
	    || file_write(buf_cstr(&path), text.p, text.n, 0600) < 0)
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&path));
}
