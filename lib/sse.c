#include <string.h>

#include "sse.h"
#include "utf8.h"

static void
dispatch(struct sse *s)
{
	if (s->hasdata && s->data.n > 0 && !s->stop)
		s->event(s->arg, buf_cstr(&s->type), s->data.p, s->data.n);
	buf_reset(&s->data);
	buf_reset(&s->type);
	s->hasdata = 0;
}

static void
retry(struct sse *s, const char *p, size_t n)
{
	long long v = 0;
	size_t i;

	if (n == 0 || n > 15)
		return;
	for (i = 0; i < n; i++) {
		if (p[i] < '0' || p[i] > '9')
			return;
		v = v * 10 + (p[i] - '0');
	}
	s->retry = v;
}

static int
field(struct sse *s, struct span name, const char *p, size_t n)
{
	if (span_is(name, "data")) {
		if (s->hasdata)
			buf_putc(&s->data, '\n');
		s->hasdata = 1;
		buf_add(&s->data, p, n);
		return s->max > 0 && s->data.n > s->max ? -1 : 0;
	}
	if (span_is(name, "event")) {
		buf_reset(&s->type);
		buf_add(&s->type, p, n);
	} else if (span_is(name, "id") && (n == 0 || !memchr(p, '\0', n))) {
		buf_reset(&s->id);
		buf_add(&s->id, p, n);
	} else if (span_is(name, "retry")) {
		retry(s, p, n);
	}
	return 0;
}

static int
line(struct sse *s, const char *p, size_t n)
{
	struct span name = {p, n};
	const char *colon;
	size_t bom;

	if (!s->begun) {
		s->begun = 1;
		bom = utf8_bom(p, n);
		p += bom;
		n -= bom;
		name.p = p;
		name.n = n;
	}
	if (n == 0) {
		dispatch(s);
		return 0;
	}
	colon = memchr(p, ':', n);
	if (colon == NULL)
		return field(s, name, "", 0);
	name.n = (size_t)(colon - p);
	if (name.n == 0)
		return 0;
	n -= name.n + 1;
	p = colon + 1;
	if (n > 0 && *p == ' ') {
		p++;
		n--;
	}
	return field(s, name, p, n);
}

int
sse_feed(struct sse *s, const char *p, size_t n)
{
	size_t i, len, start = 0;
	int r;

	for (i = 0; i < n; i++) {
		if (s->cr && p[i] == '\n' && i == start) {
			s->cr = 0;
			start = i + 1;
			continue;
		}
		if (p[i] != '\n' && p[i] != '\r')
			continue;
		s->cr = p[i] == '\r';
		len = i - start;
		if (s->line.n > 0) {
			buf_add(&s->line, p + start, len);
			r = line(s, s->line.p, s->line.n);
			buf_reset(&s->line);
		} else {
			r = line(s, p + start, len);
		}
		start = i + 1;
		if (r < 0)
			return -1;
	}
	if (start < n) {
		s->cr = 0;
		buf_add(&s->line, p + start, n - start);
		if (s->max > 0 && s->line.n > s->max)
			return -1;
	}
	return 0;
}

int
sse_end(struct sse *s)
{
	int open;

	if (s->line.n > 0) {
		line(s, s->line.p, s->line.n);
		buf_reset(&s->line);
	}
	open = s->hasdata && s->data.n > 0;
	dispatch(s);
	return open;
}

void
sse_reset(struct sse *s)
{
	buf_reset(&s->line);
	buf_reset(&s->data);
	buf_reset(&s->type);
	buf_reset(&s->id);
	s->retry = 0;
	s->stop = s->hasdata = s->cr = s->begun = 0;
}

void
sse_free(struct sse *s)
{
	buf_free(&s->line);
	buf_free(&s->data);
	buf_free(&s->type);
	buf_free(&s->id);
}
