#include <string.h>

#include "json.h"
#include "jsonstr.h"
#include "transcript.h"
#include "utf8.h"

/* The beginnings of lines that name a speaker. */
static const char *const heads[] = {"[user]", "[assistant]", "[system]",
    "[developer]", "[result ", "[call ", NULL};

static int
begins(const char *s, const char *end, const char *const *v)
{
	size_t n;

	for (; *v != NULL; v++) {
		n = strlen(*v);
		if ((size_t)(end - s) >= n && memcmp(s, *v, n) == 0)
			return 1;
	}
	return 0;
}

void
transcript_quote(struct buf *b, const char *s, size_t n,
    const char *const *speakers)
{
	const char *end = s + n, *nl;

	for (; s < end; s = nl) {
		nl = memchr(s, '\n', (size_t)(end - s));
		nl = nl == NULL ? end : nl + 1;
		if (begins(s, end, speakers))
			buf_putc(b, ' ');
		buf_add(b, s, (size_t)(nl - s));
	}
}

/* Append at most max bytes, and a sign where that is not all. */
static void
cut(struct buf *b, const struct buf *text, size_t max)
{
	size_t n = text->n;

	while (n > 0 && (text->p[n - 1] == '\n' || text->p[n - 1] == ' '))
		n--;
	if (n <= max) {
		transcript_quote(b, text->p, n, heads);
		return;
	}
	transcript_quote(b, text->p, utf8_cut(text->p, n, max), heads);
	buf_puts(b, " [...]");
}

/* Parts one below the other; of what is no text its type. */
static void
parts(struct buf *b, const struct json *j, int list)
{
	struct buf type = {NULL, 0, 0};
	int i;

	for (i = json_first(j, list); i >= 0; i = json_next(j, i)) {
		if (b->n > 0)
			buf_putc(b, '\n');
		if (json_str(j, json_get(j, i, "text"), b) == 0)
			continue;
		buf_reset(&type);
		json_str(j, json_get(j, i, "type"), &type);
		buf_printf(b, "[%s]", buf_cstr(&type));
	}
	buf_free(&type);
}

static void
content(struct buf *b, const struct json *j, size_t max)
{
	static struct buf text;
	int i = json_get(j, 0, "content");

	buf_reset(&text);
	if (json_kind(j, i) == JSON_ARRAY)
		parts(&text, j, i);
	else if (json_kind(j, i) != JSON_NULL)
		jsonstr_text(&text, json_span(j, i));
	if (text.n > 0)
		cut(b, &text, max);
}

static void
call(struct buf *b, const struct transcript *t, const struct chat_call *d)
{
	static struct buf args;

	buf_puts(b, "\n[call ");
	jsonstr_text(b, d->name);
	buf_puts(b, "] ");
	buf_reset(&args);
	jsonstr_text(&args, d->args);
	cut(b, &args, t->args);
}

static const struct json *
parsed(const struct chat *c, const struct chat_item *it)
{
	static struct json j;
	struct span s = c->v[it->msg].text;

	json_parse(&j, s.p, s.n);
	return &j;
}

void
transcript_text(struct buf *b, const struct transcript *t,
    const struct chat *c, size_t i)
{
	const struct chat_item *it = &c->view[i];

	content(b, parsed(c, it), it->call >= 0 ? t->result : t->text);
}

void
transcript_put(struct buf *b, const struct transcript *t,
    const struct chat *c, size_t i)
{
	const struct chat_item *it = &c->view[i];
	const struct json *j = parsed(c, it);
	const struct chat_msg *m;
	size_t k;

	if (b->n > 0)
		buf_puts(b, "\n\n");
	buf_putc(b, '[');
	if (it->call >= 0) {
		buf_puts(b, "result ");
		jsonstr_text(b, c->calls[it->call].name);
	} else {
		json_str(j, json_get(j, 0, "role"), b);
	}
	buf_puts(b, "]\n");
	transcript_text(b, t, c, i);
	if (it->call >= 0)
		return;
	m = &c->v[it->msg];
	if (m->ncalls > 0 && b->p[b->n - 1] == '\n')
		b->n--;
	for (k = 0; k < m->ncalls; k++)
		call(b, t, &c->calls[m->call + k]);
}
