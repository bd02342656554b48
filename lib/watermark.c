#include <stdio.h>
#include <stdlib.h>

#include "buf.h"
#include "diag.h"
#include "file.h"
#include "watermark.h"

enum { NUMBER_MAX = 64 };

/* 0 where there is no run directory. */
static int
place(struct buf *b, const char *suffix)
{
	const char *run = getenv("TURNPIPE_RUN");

	buf_reset(b);
	if (run == NULL || *run == '\0')
		return 0;
	buf_printf(b, "%s/facts.mark%s", run, suffix);
	return 1;
}

static long long
read_number(const char *suffix)
{
	static struct buf path, text;

	buf_reset(&text);
	if (!place(&path, suffix)
	    || file_read(buf_cstr(&path), &text, NUMBER_MAX) != FILE_OK)
		return 0;
	return strtoll(buf_cstr(&text), NULL, 10);
}

static void
write_number(const char *suffix, long long n)
{
	static struct buf path;
	char text[NUMBER_MAX];
	int len;

	if (!place(&path, suffix))
		return;
	len = snprintf(text, sizeof(text), "%lld\n", n);
	if (file_write(buf_cstr(&path), text, (size_t)len, 0600) < 0)
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&path));
}

long long
watermark_read(void)
{
	return read_number("");
}

void
watermark_ask(long long n)
{
	write_number(".asked", n);
}

void
watermark_take(void)
{
	long long n = read_number(".asked");

	if (n > 0)
		write_number("", n);
}
