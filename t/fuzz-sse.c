/*
 * fuzz-sse: random event streams, fed in random parts, beside a reader that
 * has the whole text.
 */
#include "fuzz.h"

#include "sse.h"

static const char *const pieces[] = { "data", "data:", "data: ", "event:",
	"event: ", "id:", "id: 7", "retry:", "retry: 15", "retry: 3x", ":", " ",
	"\n", "\n", "\n", "\r", "\r\n", "\r\n", "\n\n", "\357\273\277",
	"{\"a\":1}", "x", "message", "\303\251", "\342\200\250", "[DONE]",
	": keep\n", "foo: bar\n", "data: a\n\n", "event: e\ndata: b\n\n",
	"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" };

static void
note(void *arg, const char *type, const char *data, size_t n)
{
	struct buf *b = arg;

	buf_printf(b, "%zu:%zu:", strlen(type), n);
	buf_puts(b, type);
	buf_add(b, data, n);
}

/* A field's value is after its name: ":" and one blank. */
static int
field(const char *s, size_t n, const char *name, struct buf *value)
{
	size_t k = strlen(name);

	if (n < k || memcmp(s, name, k) != 0 || (n > k && s[k] != ':'))
		return 0;
	k += n > k;
	k += n > k && s[k] == ' ';
	buf_reset(value);
	buf_add(value, s + k, n - k);
	return 1;
}

/* By the standard, from the whole text. */
static int
read_whole(const struct buf *in, struct buf *out)
{
	static struct buf data, type, value;
	const char *s = in->p, *end = in->p + in->n, *nl;
	int has = 0;

	buf_reset(&data);
	buf_reset(&type);
	if (in->n >= 3 && memcmp(s, "\357\273\277", 3) == 0)
		s += 3;
	for (; s < end; s = nl) {
		for (nl = s; nl < end && *nl != '\n' && *nl != '\r'; nl++)
			continue;
		if (nl == s) {
			if (data.n > 0)
				note(out, buf_cstr(&type), data.p, data.n);
			buf_reset(&data);
			buf_reset(&type);
			has = 0;
		} else if (field(s, (size_t)(nl - s), "data", &value)) {
			if (has)
				buf_putc(&data, '\n');
			buf_add(&data, value.p, value.n);
			has = 1;
		} else if (field(s, (size_t)(nl - s), "event", &value)) {
			buf_reset(&type);
			buf_add(&type, value.p, value.n);
		}
		if (nl < end)
			nl += *nl == '\r' && nl + 1 < end && nl[1] == '\n' ? 2 : 1;
	}
	if (data.n > 0)
		note(out, buf_cstr(&type), data.p, data.n);
	return data.n > 0;
}

int
main(int argc, char **argv)
{
	static struct buf text, got, want;
	static struct sse s;
	unsigned long texts = 0;
	size_t at, n;
	int open, bad = 0, r;

	if (!fuzz_begin(argc, argv))
		return 0;
	s.event = note;
	s.arg = &got;
	while (!bad && clock_ms() < fuzz_until) {
		fuzz_text(&text, pieces, sizeof(pieces) / sizeof(*pieces), 24);
		texts++;
		buf_reset(&got);
		buf_reset(&want);
		/* A NUL ends a type here: no name has one. */
		if (text.n > 0 && memchr(text.p, '\0', text.n) != NULL)
			continue;
		open = read_whole(&text, &want);
		/* Now and then with a limit: it must hold, and no more. */
		s.max = fuzz_any(8) == 0 ? 1 + fuzz_any(60) : 0;
		r = 0;
		for (at = 0; r == 0 && at < text.n; at += n) {
			n = 1 + fuzz_any(text.n - at);
			r = sse_feed(&s, text.p + at, n);
		}
		if (s.max == 0 && (r != 0 || sse_end(&s) != open
		    || got.n != want.n
		    || (got.n > 0 && memcmp(got.p, want.p, got.n) != 0)))
			bad = fuzz_bad("another reading", &text);
		sse_reset(&s);
	}
	sse_free(&s);
	printf("sse: %lu texts, %s\n", texts, bad ? "a fault" : "no fault");
	return bad;
}
