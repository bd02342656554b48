#include <string.h>

#include "emit.h"
#include "gate.h"
#include "jsonstr.h"
#include "jsontexts.h"

enum { NESTED = 8 /* JSON in a string, so often */ };

struct walk {
	const struct strings *how;
	size_t edit; /* the next one */
	int depth;
};

static int apply(struct buf *b, struct span s, struct walk *w);

static int
blank(int c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Is it an object or a list, with a string in it? */
static int
is_json(struct span s)
{
	struct gate g;
	size_t i = 0;

	while (i < s.n && blank((unsigned char)s.p[i]))
		i++;
	return i < s.n && (s.p[i] == '{' || s.p[i] == '[')
	    && memchr(s.p, '"', s.n) != NULL
	    && gate_check(s.p, s.n, &g) == 0;
}

static int
apply_nested(struct buf *b, struct span s, struct walk *w)
{
	struct walk in = {w->how, 0, w->depth + 1};

	return apply(b, s, &in);
}

/* Lines that are JSON, and the text between them. */
static int
apply_lines(struct buf *b, struct span key, struct span s, struct walk *w)
{
	const char *p = s.p, *end = s.p + s.n, *nl, *text = s.p;
	struct span line;
	int changed = 0;

	for (; p < end; p = nl + (nl < end)) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (nl == NULL)
			nl = end;
		line = (struct span){p, (size_t)(nl - p)};
		if (!is_json(line))
			continue;
		if (p > text) {
			line.n = (size_t)(p - text);
			line.p = text;
			if (w->how->text(b, key, line))
				changed = 1;
			else
				buf_span(b, line);
		}
		line = (struct span){p, (size_t)(nl - p)};
		changed |= apply_nested(b, line, w);
		text = nl;
	}
	line = (struct span){text, (size_t)(end - text)};
	if (line.n > 0 && w->how->text(b, key, line))
		return 1;
	buf_span(b, line);
	return changed;
}

/* One decoded string. */
static int
apply_text(struct buf *b, struct span key, struct span s, struct walk *w)
{
	if (w->depth >= NESTED
	    || (memchr(s.p, '{', s.n) == NULL && memchr(s.p, '[', s.n) == NULL))
		return w->how->text(b, key, s);
	if (is_json(s))
		return apply_nested(b, s, w);
	return apply_lines(b, key, s, w);
}

/* Is it the data of a picture or file, in a URL? */
static int
is_data(struct span s)
{
	static const char data[] = "data:", base64[] = ";base64,";
	size_t i, n = s.n < 200 ? s.n : 200;

	if (s.n < sizeof(data) || memcmp(s.p, data, sizeof(data) - 1) != 0)
		return 0;
	for (i = 0; i + sizeof(base64) <= n; i++)
		if (memcmp(s.p + i, base64, sizeof(base64) - 1) == 0)
			return 1;
	return 0;
}

/* The string between p and q, its quotes, at a key (or as one). */
static int
apply_string(struct buf *b, struct span key, const char *p, const char *q,
    int escaped, struct walk *w)
{
	struct buf text = {NULL, 0, 0}, to = {NULL, 0, 0};
	struct span s = {p + 1, (size_t)(q - p) - 2};
	const struct strings_edit *e = NULL;
	int changed;

	if (w->depth == 0 && w->edit < w->how->nedits
	    && w->how->edits[w->edit].at == p)
		e = &w->how->edits[w->edit++];
	if (e != NULL) {
		s = buf_view(&e->to);
	} else if (escaped) {
		jsonstr_decode(&text, s.p, s.n);
		s = buf_view(&text);
	}
	changed = !is_data(s) && apply_text(&to, key, s, w);
	if (changed)
		s = buf_view(&to);
	if (changed || e != NULL) {
		buf_putc(b, '"');
		emit_escape(b, s.p, s.n);
		buf_putc(b, '"');
	} else {
		buf_add(b, p, (size_t)(q - p));
	}
	buf_free(&text);
	buf_free(&to);
	return changed || e != NULL;
}

static int
apply(struct buf *b, struct span s, struct walk *w)
{
	static const struct span none = {"", 0};
	const char *p = s.p, *end = s.p + s.n, *q, *from = p, *why, *at, *c;
	struct buf decoded = {NULL, 0, 0};
	struct span key = none;
	int changed = 0, escaped;

	while (p < end) {
		if (*p != '"') {
			if (*p != ':' && !blank((unsigned char)*p))
				key = none;
			p++;
			continue;
		}
		escaped = 0;
		q = jsonstr_end(p + 1, end, &escaped, &why, &at);
		if (q == NULL)
			break;
		for (c = q; c < end && blank((unsigned char)*c); c++)
			;
		buf_add(b, from, (size_t)(p - from));
		from = q;
		if (w->depth == 0 && key.n > 0 && w->how->opaque(key))
			buf_add(b, p, (size_t)(q - p));
		else
			changed |= apply_string(b, key, p, q, escaped, w);
		key = none;
		if (c < end && *c == ':') {
			buf_reset(&decoded);
			jsonstr_decode(&decoded, p + 1, (size_t)(q - p) - 2);
			key = buf_view(&decoded);
		}
		p = q;
	}
	buf_add(b, from, (size_t)(end - from));
	buf_free(&decoded);
	return changed;
}

int
strings_apply(struct buf *b, struct span s, const struct strings *how)
{
	struct walk w = {how, 0, 0};

	return apply(b, s, &w);
}
