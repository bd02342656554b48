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

static long long
read_marks(const char *session, long long *vain)
{
	static struct buf path, text;
	long long mark;
	char *end;

	*vain = 0;
	place(&path, session);
	buf_reset(&text);
	if (file_read(buf_cstr(&path), &text, NUMBER_MAX) != FILE_OK)
		return 0;
	mark = strtoll(buf_cstr(&text), &end, 10);
	*vain = strtoll(end, NULL, 10);
	return mark;
}

long long
watermark_read(const char *session)
{
	long long vain;

	return read_marks(session, &vain);
}

void
watermark_id(struct buf *b, const char *session, long long n)
{
	buf_printf(b, "%s%lld:", head, n);
	if (*session != '/')
		buf_printf(b, "%s/", path_cwd());
	buf_puts(b, session);
}

const char *
watermark_session(const char *id, long long *n)
{
	char *end;

	if (strncmp(id, head, sizeof(head) - 1) != 0)
		return NULL;
	*n = strtoll(id + sizeof(head) - 1, &end, 10);
	return *n <= 0 || end[0] != ':' || end[1] != '/' ? NULL : end + 1;
}

static void
put(const char *session, long long mark, long long vain)
{
	static struct buf path, text;

	place(&path, session);
	buf_reset(&text);
	buf_printf(&text, "%lld", mark);
	if (vain > 0)
		buf_printf(&text, " %lld", vain);
	buf_putc(&text, '\n');
	if (file_mkparent(buf_cstr(&path)) < 0
	    || file_write(buf_cstr(&path), text.p, text.n, 0600) < 0)
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&path));
}

void
watermark_take(const char *id)
{
	long long n;
	const char *session = watermark_session(id, &n);

	if (session != NULL)
		put(session, n, 0);
}

void
watermark_miss(const char *id)
{
	long long n, mark, vain;
	const char *session = watermark_session(id, &n);

	if (session == NULL)
		return;
	mark = read_marks(session, &vain);
	if (vain == n)
		put(session, n, 0);
	else
		put(session, mark, n);
}
