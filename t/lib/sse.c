#include <string.h>

#include "buf.h"
#include "sse.h"
#include "tap.h"

static const struct {
	const char *name, *in;
	size_t n;
	const char *out; /* TYPE=DATA; per event */
	int open;	 /* sse_end had to close one */
} cases[] = {
#define S(s) s, sizeof(s) - 1
	{"LF", S("data: a\n\ndata: b\n\n"), "=a;=b;", 0},
	{"CR", S("data: a\r\rdata: b\r\r"), "=a;=b;", 0},
	{"CRLF", S("data: a\r\n\r\ndata: b\r\n\r\n"), "=a;=b;", 0},
	{"CRLF between the lines of an event",
	    S("event: e\r\ndata: a\r\ndata: b\r\n\r\n"), "e=a\nb;", 0},
	{"mixed line ends", S("data: a\r\n\ndata: b\r\r\ndata: c\n\r"),
	    "=a;=b;=c;", 0},
	{"BOM", S("\xef\xbb\xbf" "data: a\n\n"), "=a;", 0},
	{"one BOM only", S("\n\xef\xbb\xbf" "data: a\n\n"), "", 0},
	{"comments", S(":\n: keep\n\n:data: x\ndata: a\n\n"), "=a;", 0},
	{"several data lines", S("data: a\ndata:\ndata:  b\n\n"),
	    "=a\n\n b;", 0},
	{"no space", S("data:{\"a\":1}\n\n"), "={\"a\":1};", 0},
	{"no colon", S("data\n\n\nfoo\n\n"), "", 0},
	{"two fields without colon", S("data\ndata\n\n"), "=\n;", 0},
	{"event", S("event: e\ndata: a\n\ndata: b\n\n"), "e=a;=b;", 0},
	{"event without data is dropped",
	    S("event: e\n\ndata: a\n\n"), "=a;", 0},
	{"unknown fields", S("id: 1\0x\nfoo: x\nretry: 3x\ndata: a\n\n"),
	    "=a;", 0},
	{"split UTF-8", S("data: \xc5\xbc\xf0\x9f\x98\x80\n\n"),
	    "=\xc5\xbc\xf0\x9f\x98\x80;", 0},
	{"no final blank line", S("data: a\n\ndata: b\n"), "=a;=b;", 1},
	{"no final line end", S("data: a\n\ndata: b"), "=a;=b;", 1},
	{"nothing", S(""), "", 0},
	{"U+2028 is no line end", S("data: a\xe2\x80\xa8" "b\n\n"),
	    "=a\xe2\x80\xa8" "b;", 0},
};

static void
on_event(void *arg, const char *type, const char *data, size_t n)
{
	struct buf *b = arg;

	buf_puts(b, type);
	buf_putc(b, '=');
	buf_add(b, data, n);
	buf_putc(b, ';');
}

static int
same(struct buf *b, const char *s)
{
	return b->n == strlen(s) && (b->n == 0 || !memcmp(b->p, s, b->n));
}

int
main(void)
{
	static struct sse s;
	static struct buf out;
	size_t i, k, n;
	int bad, open;

	s.event = on_event;
	s.arg = &out;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		n = cases[i].n;
		/* Cut at every byte into two writes. */
		for (bad = 0, k = 0; k <= n; k++) {
			sse_reset(&s);
			buf_reset(&out);
			sse_feed(&s, cases[i].in, k);
			sse_feed(&s, cases[i].in + k, n - k);
			open = sse_end(&s);
			bad += !same(&out, cases[i].out)
			    || open != cases[i].open;
		}
		ok(bad == 0, "%s, in two writes", cases[i].name);
		sse_reset(&s);
		buf_reset(&out);
		for (k = 0; k < n; k++)
			sse_feed(&s, cases[i].in + k, 1);
		sse_end(&s);
		ok(same(&out, cases[i].out), "%s, byte by byte",
		    cases[i].name);
	}
	sse_reset(&s);
	sse_feed(&s, S("retry: 1500\n\n"));
	ok(s.retry == 1500, "retry is taken");
	sse_feed(&s, S("id: a\nid: b\0c\n\n"));
	ok(s.id.n == 1 && s.id.p[0] == 'a', "an id with NUL is ignored");
	s.max = 10;
	sse_reset(&s);
	ok(sse_feed(&s, S("data: 0123456789")) < 0, "a long line");
	sse_reset(&s);
	ok(sse_feed(&s, S("data: 01234\ndata: 56789\n")) < 0,
	    "a long event");
	return done_testing();
}
