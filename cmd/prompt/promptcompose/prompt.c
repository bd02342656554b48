#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "jsonstr.h"
#include "markup.h"
#include "prompt.h"
#include "render.h"
#include "token.h"

/* In the block after the messages orders come last. */
static int
islast(const struct piece *p)
{
	return p->order && p->where == WHERE_TRAILING;
}

static int
by_place(const void *va, const void *vb)
{
	const struct piece *a = va, *b = vb;

	if (islast(a) != islast(b))
		return islast(a) ? 1 : -1;
	if (a->place != b->place)
		return (unsigned)a->place < (unsigned)b->place ? -1 : 1;
	if (a->place < 0 && a->phase != b->phase)
		return a->phase < b->phase ? -1 : 1;
	if (a->place < 0 && a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return a->came < b->came ? -1 : a->came > b->came;
}

static int stream; /* a prompt was made, so that more may follow */

/* token_count, once for what the conversations of a stream have in common. */
static size_t
count(const char *s, size_t n)
{
	enum { COUNTS = 128, HEAD = 64, LONG = 65536 };
	static struct counted {
		struct buf text;
		size_t tokens;
	} counts[COUNTS];
	struct counted *c = &counts[(hash_bytes(s, n < HEAD ? n : HEAD) + n)
	    % COUNTS];

	if (!stream || n == 0 || n > LONG)
		return token_count(s, n);
	if (c->text.n != n || memcmp(c->text.p, s, n) != 0) {
		buf_reset(&c->text);
		buf_add(&c->text, s, n);
		c->tokens = token_count(s, n);
	}
	return c->tokens;
}

static size_t
estimate(const char *s, size_t n, double ratio)
{
	return (size_t)ceil((double)count(s, n) * ratio);
}

/* The estimate of the Ivy document: UTF-16 units, four to a token. */
static size_t
quarter(const char *s, size_t n)
{
	size_t i, units = 0;

	for (i = 0; i < n; i++)
		units += ((unsigned char)s[i] & 0xc0) != 0x80;
	for (i = 0; i < n; i++)
		units += (unsigned char)s[i] >= 0xf0;
	return (units + 3) / 4;
}

static void
weigh(struct prompt *p, double ratio)
{
	const char *joiner = p->pieces.layout->joiner;
	size_t i, gap = estimate(joiner, strlen(joiner), ratio);
	struct piece *q;

	for (i = 0; i < p->pieces.n; i++) {
		q = &p->pieces.v[i];
		if (p->pieces.layout->engine != ENGINE_IVY)
			q->tokens = estimate(p->pieces.text.p + q->at, q->n, ratio)
			    + gap;
		else if (q->isdeclared)
			q->tokens = q->declared;
		else
			q->tokens = quarter(p->pieces.text.p + q->at, q->n);
	}
}

/* What a wrapper costs by itself. */
static size_t
wrapper(const struct place *pl, double ratio)
{
	static struct buf b;
	struct span nothing = {"", 0};

	buf_reset(&b);
	render(&b, pl, nothing, NULL, "");
	return estimate(b.p, b.n, ratio);
}

static int
group_of(const struct prompt *p, const struct piece *q)
{
	return q->place < 0 ? -1 : p->pieces.layout->v[q->place].group;
}

static void
make_part(const struct prompt *p, size_t i, struct part *t)
{
	const struct piece *q = &p->pieces.v[i];
	const struct layout *l = p->pieces.layout;
	int g = group_of(p, q), last = 0;

	t->id = q->id;
	t->phase = q->phase;
	t->score = q->score;
	t->sticky = q->sticky;
	t->tokens = q->tokens;
	t->order = i;
	t->group = g;
	t->reserve = (int)l->n + q->phase;
	if (g >= 0 && l->v[g].reserve > 0)
		t->reserve = g;
	if (q->place >= 0) {
		last = l->v[q->place].last;
		if (l->v[q->place].reserve > 0)
			t->reserve = q->place;
	}
	t->tie = last ? SIZE_MAX - i : i;
	t->kept = 0;
}

/* Choose among the system message's pieces, or among all others. */
static size_t
choose(struct prompt *p, int insystem, size_t max, double ratio)
{
	static struct part *v;
	static size_t *costs, *reserves, vcap, ccap, rcap;
	const struct layout *l = p->pieces.layout;
	size_t i, n = 0, sum;

	grow(&v, &vcap, p->pieces.n, sizeof(*v));
	grow(&costs, &ccap, l->n, sizeof(*costs));
	grow(&reserves, &rcap, l->n + PHASE_N, sizeof(*reserves));
	for (i = 0; i < l->n; i++) {
		costs[i] = l->v[i].id == NULL ? wrapper(&l->v[i], ratio)
		    : 0;
		reserves[i] = (size_t)l->v[i].reserve;
	}
	memcpy(reserves + l->n, l->reserve, sizeof(l->reserve));
	for (i = 0; i < p->pieces.n; i++)
		if ((p->pieces.v[i].where == WHERE_SYSTEM) == insystem)
			make_part(p, i, &v[n++]);
	if (insystem && l->engine == ENGINE_IVY)
		sum = budget_ivy(v, n, max);
	else
		sum = budget_reserve(v, n, max, reserves, l->n + PHASE_N,
		    costs);
	for (i = 0; i < n; i++) {
		p->pieces.v[v[i].order].kept = v[i].kept;
		p->pieces.v[v[i].order].came = i;
	}
	return sum;
}

/* Only ivy's order is another than that of the layout. */
static int
by_engine(const void *va, const void *vb)
{
	const struct piece *a = va, *b = vb;

	if ((a->where == WHERE_SYSTEM) != (b->where == WHERE_SYSTEM))
		return a->where == WHERE_SYSTEM ? -1 : 1;
	return a->came < b->came ? -1 : a->came > b->came;
}

/* Put the text between two pieces: prev is the place of the one before. */
static void
separate(struct buf *b, const struct layout *l, int group, int prev, int cur)
{
	const char *s = l->joiner;

	if (group >= 0 && l->v[group].joiner != NULL)
		s = l->v[group].joiner;
	if (cur >= 0 && prev == cur && l->v[cur].joiner != NULL)
		s = l->v[cur].joiner;
	if (cur >= 0 && prev != cur && l->v[cur].before != NULL)
		s = l->v[cur].before;
	buf_puts(b, s);
}

/* The next kept piece for that destination from i on; n at the end. */
static size_t
seek(const struct prompt *p, size_t i, int where)
{
	const struct piece *v = p->pieces.v;

	while (i < p->pieces.n && (!v[i].kept || v[i].where != where))
		i++;
	return i;
}

/* Append the pieces of a group from i on; returns the first one after them. */
static size_t
join(const struct prompt *p, size_t i, int where, struct buf *b)
{
	const struct piece *q;
	int g = group_of(p, &p->pieces.v[i]);
	int prev = -1;

	while (i < p->pieces.n && group_of(p, &p->pieces.v[i]) == g) {
		q = &p->pieces.v[i];
		if (b->n > 0)
			separate(b, p->pieces.layout, g, prev, q->place);
		buf_add(b, p->pieces.text.p + q->at, q->n);
		prev = q->place;
		i = seek(p, i + 1, where);
	}
	return i;
}

static void
assemble(const struct prompt *p, int where, struct buf *b)
{
	static struct buf inner;
	const struct layout *l = p->pieces.layout;
	struct span s;
	size_t i = seek(p, 0, where), start = b->n;
	int cur, g, prev = -1;

	while (i < p->pieces.n) {
		g = group_of(p, &p->pieces.v[i]);
		cur = g >= 0 ? g : p->pieces.v[i].place;
		if (b->n > start)
			separate(b, l, -1, prev, cur);
		prev = cur;
		if (g < 0) {
			buf_add(b, p->pieces.text.p + p->pieces.v[i].at, p->pieces.v[i].n);
			i = seek(p, i + 1, where);
			continue;
		}
		buf_reset(&inner);
		i = join(p, i, where, &inner);
		s.p = inner.p;
		s.n = inner.n;
		render(b, &l->v[g], s, NULL, "");
	}
}

static void
tail_add(struct prompt *p, const char *role, size_t at)
{
	struct prompt_tail *t;

	grow(&p->tail, &p->tailcap, p->ntail, sizeof(*p->tail));
	t = &p->tail[p->ntail++];
	t->role = role != NULL ? role : "user";
	t->at = at;
	t->n = p->tailtext.n - at;
}

/*
 * Is there a block after the messages?  Also without content, if the section
 * of that name tells of it: what else looks like one is never the last then.
 */
static int
hasblock(const struct prompt *p)
{
	const struct pieces *c = &p->pieces;
	const char *tag = c->layout->trailing.tag;
	size_t i;

	for (i = 0; i < c->n; i++)
		if (c->v[i].kept && (c->v[i].where == WHERE_TRAILING
		    || (tag != NULL && strcmp(c->v[i].id, tag) == 0)))
			return 1;
	return 0;
}

/* The block's name, which nothing else in the request opens or closes. */
static void
name_block(const struct prompt *p, const struct buf *inner, struct buf *name)
{
	static struct buf all;
	char *tag = p->pieces.layout->trailing.tag;
	const struct strs tags = {&tag, 1, 1};
	size_t i;

	buf_reset(&all);
	buf_span(&all, buf_view(&p->system));
	buf_span(&all, buf_view(&p->tailtext));
	buf_span(&all, buf_view(inner));
	for (i = 0; i < sizeof(p->beside) / sizeof(*p->beside); i++)
		if (p->beside[i].n > 0
		    && markup_may(p->beside[i].p, p->beside[i].n, &tags, 1))
			jsonstr_decode(&all, p->beside[i].p, p->beside[i].n);
	markup_element(name, tag, buf_view(&all));
}

/* The messages after all others: those of their own, then the one block. */
static void
make_tail(struct prompt *p)
{
	static struct buf inner, tag;
	const struct pieces *c = &p->pieces;
	const struct layout *l = c->layout;
	const struct place *pl;
	struct place block = l->trailing;
	size_t at, i;

	for (i = seek(p, 0, WHERE_MESSAGE); i < c->n;
	    i = seek(p, i + 1, WHERE_MESSAGE)) {
		pl = c->v[i].place < 0 ? &l->rest : &l->v[c->v[i].place];
		at = p->tailtext.n;
		buf_add(&p->tailtext, c->text.p + c->v[i].at, c->v[i].n);
		tail_add(p, pl->role, at);
	}
	if (!hasblock(p))
		return;
	buf_reset(&inner);
	assemble(p, WHERE_TRAILING, &inner);
	buf_reset(&tag);
	if (block.tag != NULL) {
		name_block(p, &inner, &tag);
		block.tag = buf_cstr(&tag);
	}
	at = p->tailtext.n;
	render(&p->tailtext, &block, buf_view(&inner), NULL, "");
	tail_add(p, l->trailing.role, at);
}

void
prompt_fit(struct prompt *p, size_t budget, double ratio)
{
	struct pieces *c = &p->pieces;
	const struct layout *l = c->layout;
	size_t i, max = budget, wrap = 0;

	pieces_settle(c);
	if (c->n > 1)
		qsort(c->v, c->n, sizeof(*c->v), by_place);
	weigh(p, ratio);
	/*
	 * The trailing block's share is set aside whether it is used or not:
	 * the text of the system message must not depend on it.  Of a
	 * small budget it must not take the rest.
	 */
	if (l->engine != ENGINE_IVY && l->dflt == WHERE_TRAILING)
		max -= (size_t)l->trailing.reserve < max / 4
		    ? (size_t)l->trailing.reserve : max / 4;
	p->tokens = choose(p, 1, max, ratio);
	for (i = 0; i < c->n; i++)
		if (c->v[i].where == WHERE_TRAILING)
			c->v[i].kept = 1;
	/* Ivy's budget is that of its document's sections. */
	if (l->engine != ENGINE_IVY && hasblock(p))
		wrap = wrapper(&l->trailing, ratio);
	p->tokens += wrap;
	max = budget > p->tokens ? budget - p->tokens : 0;
	if (l->engine == ENGINE_IVY) {
		p->excess = p->tokens > budget ? p->tokens - budget : 0;
		max = SIZE_MAX;
	}
	p->tokens += choose(p, 0, max, ratio);
	if (c->n > 1)
		qsort(c->v, c->n, sizeof(*c->v), by_engine);
	if (!hasblock(p))
		p->tokens -= wrap;
	if (l->engine != ENGINE_IVY && p->tokens > budget)
		p->excess = p->tokens - budget;
	assemble(p, WHERE_SYSTEM, &p->system);
	make_tail(p);
	p->bytes = p->system.n + p->tailtext.n;
	for (i = 0; i < c->n; i++)
		p->kept += (size_t)c->v[i].kept;
	p->dropped = c->n - p->kept;
}

void
prompt_text(const struct prompt *p, struct buf *b)
{
	const struct prompt_tail *t;

	buf_add(b, p->system.p, p->system.n);
	for (t = p->tail; t < p->tail + p->ntail; t++) {
		if (b->n > 0)
			buf_puts(b, "\n\n");
		buf_add(b, p->tailtext.p + t->at, t->n);
	}
	if (b->n > 0)
		buf_putc(b, '\n');
}

void
prompt_names(const struct prompt *p, struct buf *b, int sticky)
{
	const struct piece *q;
	const char *comma = "";
	size_t i;
	int any = 0;

	for (i = 0; i < p->pieces.n; i++)
		any |= p->pieces.v[i].sticky;
	for (i = 0; i < p->pieces.n; i++) {
		q = &p->pieces.v[i];
		if (sticky ? !(any ? q->sticky : q->kept) : q->kept)
			continue;
		buf_printf(b, "%s%s (%zu)", comma, q->id, q->tokens);
		comma = ", ";
	}
}

void
prompt_reset(struct prompt *p)
{
	stream |= p->pieces.n > 0;
	pieces_reset(&p->pieces);
	buf_reset(&p->system);
	buf_reset(&p->tailtext);
	p->ntail = 0;
	p->tokens = p->bytes = p->kept = p->dropped = p->excess = 0;
}
