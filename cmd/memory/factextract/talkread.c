#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "fd.h"
#include "json.h"
#include "session.h"
#include "tail.h"
#include "talkread.h"
#include "transcript.h"
#include "utf8.h"

/* The text of a message, or those of its parts. */
static void
decode(struct buf *b, const struct json *j)
{
	int c = json_get(j, 0, "content"), i;

	if (json_str(j, c, b) < 0 && json_kind(j, c) == JSON_ARRAY)
		for (i = json_first(j, c); i >= 0; i = json_next(j, i))
			json_str(j, json_get(j, i, "text"), b);
}

void
talkread_take(struct talkread *t, const struct rec *r, size_t max)
{
	const struct json *j;
	struct said *s;
	long long n;
	int user = span_is(r->role, "user");

	if (r->type != REC_MESSAGE)
		return;
	j = record_json(r);
	if (json_int(j, json_at(j, 0, "tp.n"), &n) == 0)
		t->last = n;
	if (!user
	    && (!span_is(r->role, "assistant")
		|| json_true(j, json_at(j, 0, "tp.partial"))
		|| json_count(j, json_get(j, 0, "tool_calls")) > 0))
		return;
	grow(&t->v, &t->cap, t->n, sizeof(*t->v));
	s = &t->v[t->n];
	memset(s, 0, sizeof(*s));
	s->user = user;
	decode(&s->text, j);
	if (span_trim(buf_view(&s->text)).n == 0) {
		buf_free(&s->text);
		return;
	}
	if (max > 0 && s->text.n > max) {
		s->text.n = utf8_cut(s->text.p, s->text.n, max);
		buf_puts(&s->text, " [...]");
	}
	t->n++;
}

void
talkread(struct talkread *t, const char *path, long long mark, long long turns,
    size_t max)
{
	struct tail tail;
	struct rec r;
	struct said s;
	long long newest = 0;
	size_t had, i;
	int fd = fd_open(path, O_RDONLY, 0);

	if (fd < 0)
		die_sys(EX_NOINPUT, "%s", path);
	tail_open(&tail, fd, path);
	while (turns > 0 && session_prev(&tail, &r)) {
		if (r.type != REC_MESSAGE)
			continue;
		had = t->n;
		t->last = 0;
		talkread_take(t, &r, max);
		newest = t->last > newest ? t->last : newest;
		if (t->last > 0 && t->last <= mark) {
			if (t->n > had)
				buf_free(&t->v[--t->n].text);
			break;
		}
		turns -= t->n > had && t->v[had].user;
	}
	t->last = newest;
	tail_close(&tail);
	close(fd);
	for (i = 0; i < t->n / 2; i++) {
		s = t->v[i];
		t->v[i] = t->v[t->n - 1 - i];
		t->v[t->n - 1 - i] = s;
	}
}

void
talkread_text(struct buf *b, const struct talkread *t, long long turns)
{
	static const char *const speakers[] = {"User: ", "Assistant: ", NULL};
	size_t i = t->n;

	while (i > 0 && turns > 0)
		turns -= t->v[--i].user;
	for (; i < t->n; i++) {
		buf_puts(b, speakers[!t->v[i].user]);
		transcript_quote(b, t->v[i].text.p, t->v[i].text.n, speakers);
		if (i + 1 < t->n)
			buf_puts(b, "\n\n");
	}
}
