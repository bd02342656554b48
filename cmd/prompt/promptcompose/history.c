#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "emit.h"
#include "file.h"
#include "history.h"
#include "sha256.h"
#include "token.h"

enum { DIGITS = 32, TEXTS_MAX = 1 << 30 };

/* What dir/texts has, a line each, and what this request adds to it. */
static struct buf kept, fresh;

/* Does a line of these texts begin so? */
static int
has_line(const struct buf *b, const struct buf *start)
{
	const char *p = b->p, *end = b->p + b->n;

	while (p != NULL && (size_t)(end - p) > start->n) {
		if (memcmp(p, start->p, start->n) == 0)
			return 1;
		p = memchr(p, '\n', (size_t)(end - p));
		p = p == NULL ? NULL : p + 1;
	}
	return 0;
}

/* Keep the text, unless it is kept; its name as "hash". */
static void
keep_text(struct buf *line, const char *s, size_t n)
{
	static struct buf name, start;

	buf_reset(&name);
	sha256_hex(&name, s, n, DIGITS);
	emit_pair(line, "hash", buf_cstr(&name));
	buf_reset(&start);
	emit_open(&start, '{');
	emit_pair(&start, "hash", buf_cstr(&name));
	if (has_line(&kept, &start) || has_line(&fresh, &start))
		return;
	buf_add(&fresh, start.p, start.n);
	emit_pairn(&fresh, "text", s, n);
	emit_close(&fresh, '}');
	buf_putc(&fresh, '\n');
}

static void
put_sections(struct buf *b, const struct prompt *p)
{
	static const char *const wheres[] = {
	    NULL, "system", "trailing", "message"};
	const struct piece *q;
	size_t i;

	emit_key(b, "sections");
	emit_open(b, '[');
	for (i = 0; i < p->pieces.n; i++) {
		q = &p->pieces.v[i];
		emit_open(b, '{');
		emit_pair(b, "id", q->id);
		emit_pair(b, "place", wheres[q->where]);
		emit_pair(b, "fate", !q->kept ? "dropped"
		    : q->sticky ? "sticky" : "kept");
		emit_pairf(b, "priority", q->priority);
		emit_pairi(b, "tokens", (long long)q->tokens);
		keep_text(b, p->pieces.text.p + q->at, q->n);
		emit_close(b, '}');
	}
	emit_close(b, ']');
}

static void
put_tools(struct buf *b, struct request *q)
{
	const struct offer *const *order = request_sort(q), *o;
	size_t i;

	emit_key(b, "tools");
	emit_open(b, '[');
	for (i = 0; i < q->n; i++) {
		o = order[i];
		emit_open(b, '{');
		emit_pair(b, "name", o->name);
		emit_pairi(b, "tokens", (long long)token_count(
		    q->text.p + o->fat, o->fn));
		keep_text(b, q->text.p + o->fat, o->fn);
		emit_close(b, '}');
	}
	emit_close(b, ']');
}

static void
put_messages(struct buf *b, const struct request *q)
{
	emit_key(b, "messages");
	emit_open(b, '{');
	emit_pairi(b, "count", (long long)q->nmessages);
	emit_pairi(b, "tokens", (long long)request_message_tokens(q));
	if (q->first > 0) {
		emit_pairi(b, "first", q->first);
		emit_pairi(b, "last", q->last);
	}
	if (q->nshortened > 0)
		emit_pairi(b, "shortened", (long long)q->nshortened);
	emit_close(b, '}');
}

int
history_add(const char *dir, struct buf *line, const struct prompt *p,
    struct request *q, const char *model, struct fields *config, size_t budget)
{
	static struct buf path, texts;
	const long long window = fields_int(config, "context_window", 0);
	enum file_result r;

	buf_reset(&path);
	buf_reset(&texts);
	buf_reset(&kept);
	buf_reset(&fresh);
	file_join(&path, dir, "requests");
	file_join(&texts, dir, "texts");
	/* The directory first: it is there at all requests but the first. */
	if (access(dir, F_OK) < 0 && (errno != ENOENT || file_mkdirs(dir) < 0))
		return -1;
	r = file_read(buf_cstr(&texts), &kept, TEXTS_MAX);
	if (r == FILE_ERRNO && errno != ENOENT)
		return -1;
	emit_open(line, '{');
	emit_pair(line, "type", "prompt");
	emit_key(line, "time");
	buf_putc(line, '"');
	clock_utc(line, clock_now());
	buf_putc(line, '"');
	emit_pair(line, "model", model);
	emit_pair(line, "layout", p->pieces.layout->name);
	emit_pairi(line, "tokens", (long long)p->tokens);
	emit_pairi(line, "budget", (long long)budget);
	if (window > 0)
		emit_pairi(line, "window", window);
	emit_key(line, "settings");
	emit_open(line, '{');
	request_settings(q, line, config);
	emit_close(line, '}');
	put_sections(line, p);
	put_tools(line, q);
	emit_strs(line, "left_out", &p->pieces.left);
	put_messages(line, q);
	emit_close(line, '}');
	buf_putc(line, '\n');
	/* The texts first, so that no line names one that is not there. */
	if (fresh.n > 0 && file_append(buf_cstr(&texts), fresh.p, fresh.n,
	    0600) < 0)
		return -1;
	return file_append(buf_cstr(&path), line->p, line->n, 0600);
}
