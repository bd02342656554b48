#include <string.h>

#include "diag.h"
#include "env.h"
#include "file.h"
#include "path.h"
#include "remedy.h"
#include "terminal.h"

enum { FILE_MAX = 65536 };

/* A turn says how much it shows. */
static int
is_turn(void)
{
	return env_get("TURNPIPE_SHOW") != NULL;
}

int
remedy_isbrief(void)
{
	return is_turn() && terminal_show() < 2;
}

/* Lines "NAME<tab>TEXT". */
static void
add(struct buf *b, const char *what, const char *where)
{
	static struct buf path, text;
	const char *s, *end;
	size_t n = strlen(what);

	if (path_find(&path, "remedies.tsv") != 0
	    || file_read(buf_cstr(&path), &text, FILE_MAX) != FILE_OK)
		return;
	s = buf_cstr(&text);
	while (strncmp(s, what, n) != 0 || s[n] != '\t') {
		s = strchr(s, '\n');
		if (s == NULL || *++s == '\0')
			return;
	}
	s += n + 1;
	end = s + strcspn(s, "\n");
	if (b->n > 0 && b->p[b->n - 1] == '.')
		b->n--;
	buf_puts(b, "; ");
	for (; s < end; s++)
		if (*s == '@')
			buf_puts(b, where);
		else
			buf_putc(b, *s);
}

void
remedy_warn(const char *name, const char *msg, const char *what,
    const char *where)
{
	static struct buf b;
	const char *was = prog;

	buf_reset(&b);
	buf_puts(&b, msg);
	if (what != NULL && is_turn())
		add(&b, what, where);
	if (remedy_isbrief())
		prog = "turnpipe";
	warn("%s%s", name, buf_cstr(&b));
	prog = was;
}
