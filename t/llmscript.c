#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "diag.h"
#include "emit.h"
#include "llmanswer.h"
#include "llmscript.h"

struct line {
	struct json j;
	long long left; /* requests it still serves */
};

static struct line *lines;
static size_t nlines, cur;

static void
check_keys(const struct json *j, int i, const char *const *known,
    const char *name)
{
	const char *const *p;
	int k;

	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		for (p = known; *p != NULL && !json_is(j, k, *p); p++)
			;
		if (*p == NULL)
			die_at(EX_DATAERR, name, nlines,
			    (size_t)(json_span(j, k).p - j->s) + 1,
			    "unknown key");
	}
}

static void
add_line(const char *text, size_t n, const char *name)
{
	static const char *const keys[] = {"path", "status", "headers", "body",
	    "chunks", "events", "text", "calls", "thinking", "finish",
	    "usage", "model", "delay_ms", "stall_ms", "until", "break", "repeat", NULL};
	static const char *const chunk_keys[] = {
	    "data", "b64", "delay_ms", NULL};
	static const char *const call_keys[] = {
	    "id", "name", "namespace", "arguments", NULL};
	static size_t cap;
	struct line *l;
	int i;

	grow(&lines, &cap, nlines, sizeof(*lines));
	l = &lines[nlines++];
	memset(l, 0, sizeof(*l));
	if (json_parse(&l->j, text, n) < 0)
		die_at(EX_DATAERR, name, nlines, l->j.at + 1, l->j.why);
	if (json_kind(&l->j, 0) != JSON_OBJECT)
		die_at(EX_DATAERR, name, nlines, 1, "expected an object");
	check_keys(&l->j, 0, keys, name);
	i = json_first(&l->j, json_get(&l->j, 0, "chunks"));
	for (; i >= 0; i = json_next(&l->j, i))
		check_keys(&l->j, i, chunk_keys, name);
	i = json_first(&l->j, json_get(&l->j, 0, "calls"));
	for (; i >= 0; i = json_next(&l->j, i))
		check_keys(&l->j, i, call_keys, name);
	l->left = answer_number(&l->j, 0, "repeat", 1);
}

void
script_read(const char *name)
{
	FILE *f;
	char *text;
	size_t cap;
	ssize_t n;

	if ((f = fopen(name, "r")) == NULL)
		die_sys(EX_NOINPUT, "%s", name);
	for (;;) {
		text = NULL; /* each line stays: its tokens point into it */
		cap = 0;
		if ((n = getline(&text, &cap, f)) < 0)
			break;
		add_line(text, (size_t)n, name);
	}
	free(text);
	if (ferror(f))
		die_sys(EX_IOERR, "%s", name);
	fclose(f);
	if (nlines == 0)
		die(EX_DATAERR, "%s: expected a line", name);
}

void
script_text(const char *text)
{
	static struct buf b;

	emit_open(&b, '{');
	emit_pair(&b, "text", text);
	emit_close(&b, '}');
	add_line(b.p, b.n, "-f");
}

size_t
script_lines(void)
{
	return nlines;
}

const struct json *
script_next(int repeat)
{
	while (cur < nlines && lines[cur].left <= 0 &&
	    !(repeat && cur == nlines - 1))
		cur++;
	if (cur == nlines)
		return NULL;
	lines[cur].left--;
	return &lines[cur].j;
}
