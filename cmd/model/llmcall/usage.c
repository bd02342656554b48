#include <math.h>
#include <string.h>

#include "emit.h"
#include "usage.h"

static const struct {
	const char *name;
	int rare; /* 0 is not said */
} names[USAGE_FRESH] = {
	[USAGE_PROMPT] = { "prompt_tokens", 0 },
	[USAGE_COMPLETION] = { "completion_tokens", 0 },
	[USAGE_CACHED] = { "cached_tokens", 0 },
	[USAGE_WRITTEN] = { "cache_write_tokens", 0 },
	[USAGE_WRITTEN_1H] = { "cache_write_1h_tokens", 1 },
	[USAGE_REASONING] = { "reasoning_tokens", 0 },
	[USAGE_AUDIO_IN] = { "audio_prompt_tokens", 1 },
	[USAGE_AUDIO_OUT] = { "audio_completion_tokens", 1 },
	[USAGE_PREDICTED] = { "accepted_prediction_tokens", 1 },
	[USAGE_MISTAKEN] = { "rejected_prediction_tokens", 1 },
};

void
usage_reset(struct usage *u)
{
	size_t i;

	memset(u, 0, sizeof(*u));
	for (i = 0; i < USAGE_COUNTS; i++)
		u->n[i] = -1;
	u->cost = NAN;
}

void
usage_number(const struct json *j, int i, const char *path, long long *v)
{
	long long n;

	/* No more than sums can hold. */
	if (json_int(j, json_at(j, i, path), &n) == 0 && n >= 0
	    && n < 1LL << 50)
		*v = n;
}

int
usage_read(struct usage *u, const struct json *j, int i,
    const struct usage_path *path, size_t n)
{
	if (json_kind(j, i) != JSON_OBJECT)
		return -1;
	u->any = 1;
	for (; n > 0; n--, path++)
		usage_number(j, i, path->path, &u->n[path->count]);
	return 0;
}

long long *
usage_piece(struct usage *u, struct span name)
{
	struct usage_piece *p;

	if (name.n == 0 || name.n >= sizeof(p->name))
		return NULL;
	for (p = u->piece; p < u->piece + USAGE_PIECES; p++) {
		if (*p->name == '\0')
			memcpy(p->name, name.p, name.n);
		if (span_same(span_of(p->name), name))
			return &p->n;
	}
	return NULL;
}

void
usage_add(struct usage *u, const struct usage *other)
{
	const struct usage_piece *p = other->piece;
	long long *n;
	size_t i;

	for (i = 0; i < USAGE_COUNTS; i++)
		if (other->n[i] >= 0)
			u->n[i] = other->n[i] + (u->n[i] > 0 ? u->n[i] : 0);
	if (!isnan(other->cost))
		u->cost = other->cost + (isnan(u->cost) ? 0 : u->cost);
	for (; p < other->piece + USAGE_PIECES && p->n > 0; p++) {
		n = usage_piece(u, span_of(p->name));
		if (n != NULL)
			*n += p->n;
	}
}

long long
usage_tokens(const struct usage *u)
{
	return u->n[USAGE_PROMPT] < 0 || u->n[USAGE_COMPLETION] < 0
	    ? -1 : u->n[USAGE_PROMPT] + u->n[USAGE_COMPLETION];
}

void
usage_put(const struct usage *u, struct buf *b)
{
	const struct usage_piece *p = u->piece;
	size_t i;

	for (i = 0; i < USAGE_FRESH; i++)
		if (u->n[i] >= names[i].rare)
			emit_pairi(b, names[i].name, u->n[i]);
	if (p->n == 0)
		return;
	emit_key(b, "pieces");
	emit_open(b, '{');
	for (; p < u->piece + USAGE_PIECES && *p->name != '\0'; p++)
		emit_pairi(b, p->name, p->n);
	emit_close(b, '}');
}
