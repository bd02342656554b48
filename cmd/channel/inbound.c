#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "inbound.h"
#include "record.h"

enum {
	READ_BLOCK = 65536,
	LINE_MAX_BYTES = 16 << 20
};

static void
report(struct inbound *m, size_t col, const char *why)
{
	m->nbad++;
	warn("<stdin>:%zu:%zu: %s", m->line, col, why);
}

int
inbound_fill(struct inbound *m)
{
	ssize_t r;

	if (m->eof)
		return 0;
	if (m->pos > 0) {
		memmove(m->in.p, m->in.p + m->pos, m->in.n - m->pos);
		m->in.n -= m->pos;
		m->scanned -= m->pos;
		m->pos = 0;
	}
	buf_room(&m->in, READ_BLOCK);
	r = read(STDIN_FILENO, m->in.p + m->in.n, READ_BLOCK);
	if (r < 0 && (errno == EINTR || errno == EAGAIN))
		return 1;
	if (r < 0)
		die_sys(EX_IOERR, "read <stdin>");
	m->in.n += (size_t)r;
	m->eof = r == 0;
	return r > 0;
}

/* The next line without its newline; 0 if there is none yet. */
static int
next_line(struct inbound *m, struct span *s)
{
	const char *from = m->in.p + m->pos, *nl = NULL;

	if (m->scanned < m->in.n)
		nl = memchr(m->in.p + m->scanned, '\n', m->in.n - m->scanned);
	m->scanned = m->in.n;
	if (nl == NULL) {
		if (m->in.n - m->pos > LINE_MAX_BYTES) {
			if (!m->skipping) {
				m->line++;
				report(m, LINE_MAX_BYTES,
				    "expected the end of the line");
			}
			m->skipping = 1;
			m->pos = m->in.n;
		}
		if (!m->eof || m->pos == m->in.n)
			return 0;
		nl = m->in.p + m->in.n;
	}
	*s = (struct span){ from, (size_t)(nl - from) };
	m->pos += s->n + (nl < m->in.p + m->in.n);
	m->scanned = m->pos;
	if (!m->skipping)
		m->line++;
	return 1;
}

int
inbound_word(const struct json *j, int i, struct buf *b)
{
	long long v;

	buf_reset(b);
	if (json_str(j, i, b) == 0)
		return b->n > 0 ? 0 : -1;
	if (json_int(j, i, &v) < 0)
		return -1;
	buf_printf(b, "%lld", v);
	return 0;
}

void
inbound_bad(struct inbound *m, int i, const char *why)
{
	struct span s = json_span(m->json, i);

	report(m, s.p == NULL ? 1 : (size_t)(s.p - m->json->s) + 1, why);
}

/* What a checked line is; -1 if it was reported. */
static int
kind(struct inbound *m, const struct rec *r)
{
	int channel, chat;

	if (r->type != REC_UNTYPED && r->type != REC_MESSAGE)
		return INBOUND_OTHER;
	m->json = record_json(r);
	channel = json_get(m->json, 0, "channel");
	chat = json_get(m->json, 0, "chatId");
	if (channel < 0 && chat < 0)
		return INBOUND_OTHER;
	if (inbound_word(m->json, channel, &m->channel) < 0
	    || json_kind(m->json, channel) != JSON_STRING)
		inbound_bad(m, channel, "expected a channel, a text");
	else if (inbound_word(m->json, chat, &m->chat) < 0)
		inbound_bad(m, chat,
		    "expected a chatId, a text or a whole number");
	else
		return INBOUND_MESSAGE;
	return -1;
}

enum inbound_kind
inbound_next(struct inbound *m)
{
	struct rec r;
	struct span s;
	const char *why;
	size_t at;
	int k;

	record_untyped = 1;
	while (next_line(m, &s)) {
		if (m->skipping) {
			m->skipping = 0;
			continue;
		}
		if (record_check(&r, s.p, s.n, &why, &at) < 0) {
			report(m, at + 1, why);
			continue;
		}
		m->text = s;
		if ((k = kind(m, &r)) >= 0)
			return (enum inbound_kind)k;
	}
	return INBOUND_NONE;
}
