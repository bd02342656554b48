#ifndef SHORTMSG_H
#define SHORTMSG_H

/*
 * Messages in short, for unit tests: u and s say something, a calls c1 and c2
 * as a{c1,c2}, t:c1=x is a result and t:c1=! one made up; p is partial, q and
 * e have no text.
 */

#include <string.h>

#include "emit.h"
#include "json.h"

static struct strs lines;

static void
put_calls(struct buf *b, const char *ids)
{
	size_t n;

	emit_key(b, "tool_calls");
	emit_open(b, '[');
	do {
		n = strcspn(ids, ",}");
		emit_open(b, '{');
		emit_pairn(b, "id", ids, n);
		emit_pair(b, "type", "function");
		emit_key(b, "function");
		emit_open(b, '{');
		emit_pair(b, "name", "ls");
		emit_pair(b, "arguments", "{}");
		emit_close(b, '}');
		emit_close(b, '}');
		ids += n;
	} while (*ids++ == ',');
	emit_close(b, ']');
}

static void
put_result(struct buf *b, const char *s)
{
	size_t n = strcspn(s, "=");

	emit_pair(b, "role", "tool");
	emit_pairn(b, "tool_call_id", s, n);
	emit_pair(b, "content", s + n + 1);
}

static void
put_message(struct buf *b, const char *s)
{
	int c = *s, calls = s[1] == '{';

	emit_open(b, '{');
	if (c == 't') {
		put_result(b, s + 2);
	} else {
		emit_pair(b, "role",
		    c == 'u' ? "user" : c == 's' ? "system" : "assistant");
		emit_key(b, "content");
		if (c == 'e' || c == 'q' || (c == 'a' && calls))
			emit_null(b);
		else
			emit_cstr(b, "text");
	}
	if (c == 'n') {
		emit_key(b, "tool_calls");
		emit_null(b);
	} else if (s[1] == '[') {
		emit_key(b, "tool_calls");
		emit_raw(b, "[]", 2);
	} else if (calls) {
		put_calls(b, s + 2);
	}
	if (c == 'p' || c == 'q') {
		emit_key(b, "tp");
		emit_raw(b, "{\"partial\":true}", 16);
	}
	/* A key that we do not know must survive. */
	emit_pair(b, "signature", "c2ln");
	emit_close(b, '}');
}

/* The words of s become the lines, a message each. */
static void
read_short(const char *s)
{
	static struct buf b, word;
	size_t n;

	strs_reset(&lines);
	for (; *s != '\0'; s += n + (s[n] == ' ')) {
		n = strcspn(s, " ");
		buf_reset(&word);
		buf_reset(&b);
		buf_add(&word, s, n);
		put_message(&b, buf_cstr(&word));
		strs_addn(&lines, b.p, b.n);
	}
}

/* Append the message's word. */
static void
show_short(struct buf *b, const struct json *j)
{
	int i, k, calls = json_get(j, 0, "tool_calls");

	if (b->n > 0)
		buf_putc(b, ' ');
	if (json_is(j, json_get(j, 0, "role"), "tool")) {
		buf_puts(b, "t:");
		json_str(j, json_get(j, 0, "tool_call_id"), b);
		buf_putc(b, '=');
		/* Only a result that pairs.c makes up has a name. */
		if (json_get(j, 0, "name") >= 0)
			buf_putc(b, '!');
		else
			json_str(j, json_get(j, 0, "content"), b);
		return;
	}
	i = json_get(j, 0, "role");
	buf_putc(b, json_is(j, i, "user") ? 'u'
		: json_is(j, i, "system") ? 's' : 'a');
	if (json_kind(j, calls) == JSON_NULL)
		b->p[b->n - 1] = 'n';
	if (json_kind(j, calls) != JSON_ARRAY)
		return;
	buf_putc(b, json_count(j, calls) > 0 ? '{' : '[');
	for (k = i = json_first(j, calls); k >= 0; k = json_next(j, k)) {
		if (k != i)
			buf_putc(b, ',');
		json_str(j, json_get(j, k, "id"), b);
	}
	buf_putc(b, json_count(j, calls) > 0 ? '}' : ']');
}

#endif
