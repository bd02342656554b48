#include "chart.h"

/* The id, of any length, comes last, so that the columns stay in 80. */
static void
row(const struct prompt *p, const struct piece *q, struct buf *b)
{
	enum { BAR = 10 };
	static const char *const wheres[] = {
	    "", "system", "trailing", "message"};
	size_t i, bar = 0, share = 0;

	if (q->kept && p->tokens > 0) {
		share = (q->tokens * 200 + p->tokens) / (2 * p->tokens);
		bar = (q->tokens * BAR + p->tokens - 1) / p->tokens;
	}
	buf_printf(b, "%-10s %4.3g %6zu %4zu%% ", phase_names[q->phase],
	    q->priority, q->tokens, share);
	for (i = 0; i < BAR; i++)
		buf_putc(b, i < bar ? '#' : '.');
	if (q->kept)
		buf_printf(b, " %-8s %-7s %s\n", wheres[q->where],
		    q->sticky ? "sticky" : "kept", q->id);
	else
		buf_printf(b, " over the budget  %s\n", q->id);
}

/* An id is input: no terminal shall obey it (C1 controls are c2 80..9f). */
static void
clean(char *s, size_t n)
{
	size_t i;
	unsigned char c, next;

	for (i = 0; i + 1 < n; i++) {
		c = (unsigned char)s[i];
		next = (unsigned char)s[i + 1];
		if (c == 0xc2 && next >= 0x80 && next < 0xa0)
			s[i] = s[i + 1] = '?';
		else if (c < ' ' || c == 0x7f)
			s[i] = '?';
	}
}

void
chart_put(const struct prompt *p, struct buf *b)
{
	size_t i, start;

	buf_printf(b, "%-10s %4s %6s %5s %-10s %-8s %-7s %s\n", "phase",
	    "prio", "tokens", "share", "", "place", "fate", "section");
	for (i = 0; i < p->pieces.n; i++) {
		start = b->n;
		row(p, &p->pieces.v[i], b);
		clean(b->p + start, b->n - start);
	}
	for (i = 0; i < p->pieces.left.n; i++) {
		start = b->n;
		buf_printf(b, "%29s%-10s %-16s %s\n", "", "..........",
		    "left out", p->pieces.left.v[i]);
		clean(b->p + start, b->n - start);
	}
	buf_printf(b, "prompt: %zu tokens (%zu bytes), %zu sections, "
	    "%zu dropped\n", p->tokens, p->bytes, p->kept, p->dropped);
}
