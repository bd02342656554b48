#include <stdint.h>

#include "origin.h"

static const char *const names[] = {
    "typed", "input", "file", "command", "channel"};

enum origin
origin_find(struct span name)
{
	int o;

	for (o = 0; o < ORIGIN_UNKNOWN; o++)
		if (span_is(name, names[o]))
			break;
	return (enum origin)o;
}

const char *
origin_name(enum origin o)
{
	return names[o];
}

int
origin_isown(enum origin o)
{
	return o == ORIGIN_TYPED || o == ORIGIN_CHANNEL;
}

/* Element k of tp.from, {"WAY":BYTES}. */
static int
read_piece(const struct json *j, int k, enum origin *o, size_t *n)
{
	struct span name;
	long long v;
	int key = json_first(j, k);

	if (key < 0 || json_int(j, key + 1, &v) < 0 || v < 0)
		return -1;
	name = json_span(j, key);
	*o = origin_find((struct span){name.p + 1, name.n - 2});
	*n = (size_t)v;
	return 0;
}

size_t
origin_size(const struct json *j, int message)
{
	static struct buf b;
	int i = json_get(j, message, "content"), k;

	buf_reset(&b);
	if (json_str(j, i, &b) < 0 && json_kind(j, i) == JSON_ARRAY)
		for (k = json_first(j, i); k >= 0; k = json_next(j, k))
			json_str(j, json_get(j, k, "text"), &b);
	return b.n;
}

void
origin_begin(struct origins *s, const struct json *j)
{
	int from = json_at(j, 0, "tp.from"), k;
	size_t sum = 0, n;
	enum origin o;

	s->j = j;
	s->at = -1;
	s->left = SIZE_MAX;
	s->o = ORIGIN_TYPED;
	if (from < 0)
		return;
	s->o = ORIGIN_UNKNOWN;
	for (k = json_first(j, from); k >= 0; k = json_next(j, k)) {
		if (read_piece(j, k, &o, &n) < 0)
			return;
		sum += n;
	}
	/* Of another text: a filter has changed this one. */
	if (sum != origin_size(j, 0))
		return;
	s->at = json_first(j, from);
	s->left = 0;
}

size_t
origin_next(struct origins *s, size_t max, enum origin *o)
{
	size_t n;

	while (s->left == 0 && s->at >= 0) {
		read_piece(s->j, s->at, &s->o, &s->left);
		s->at = json_next(s->j, s->at);
	}
	n = s->left < max ? s->left : max;
	s->left -= n;
	*o = s->o;
	return n;
}
