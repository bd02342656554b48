#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "compact.h"
#include "diag.h"
#include "json.h"
#include "model.h"
#include "settings.h"

/* What would stay if the view were cut at an item. */
struct rest {
	long long tokens, messages, turns, groups;
};

/* What may stay. */
struct room {
	long long tokens, messages, turns;
};

void
compact_settings(struct compact *f)
{
	f->messages = settings_int("histfit.messages");
	f->turns = settings_int("histfold.turns");
	f->tokens = settings_int("histfit.tokens");
	f->chars = settings_int("histfold.chars");
	f->keep = settings_share("histfold.keep");
	f->keep_turns = settings_int("histfold.keep_turns");
	f->groups = (int)settings_int("histfold.groups");
	f->least = settings_int("histfold.least");
}

void
compact_window(struct compact *f, struct span usage)
{
	static struct json j;
	const char *model = model_default();
	char *said = NULL;
	long long answer = settings_int("max_tokens");
	long long window = settings_int("context_window");

	if (usage.p != NULL && json_parse(&j, usage.p, usage.n) == 0)
		said = json_dup(&j, json_get(&j, 0, "model"));
	if (said != NULL)
		model = said;
	if (window == 0)
		window = model_known(model_window, model);
	if (answer == 0)
		answer = model_known(model_output, model);
	f->context =
	    compact_limit(window, answer, settings_share("histfold.threshold"));
	free(said);
}

long long
compact_limit(long long window, long long answer, double share)
{
	enum { ANSWER = 2048, ERROR = 512 };
	double w = (double)window, room, most;

	if (window <= 0)
		return 0;
	room = fmax(ANSWER, 0.12 * w);
	if (answer > 0)
		room = fmin((double)answer, room);
	most = w - room - fmax(ERROR, 0.05 * w);
	return (long long)floor(fmax(fmin(share * w, most), w / 4));
}

int
compact_due(
    struct compact *f, const struct sessionread_fresh *fresh, long long used)
{
	int talk = f->turns > 0 && fresh->turns >= f->turns
	    && fresh->chars > f->chars;
	int cut = (f->tokens > 0 && fresh->tokens > f->tokens)
	    || (f->messages > 0 && fresh->messages > f->messages);

	if (!talk)
		f->keep_turns = 0;
	if (talk || cut || f->force)
		f->least = 0;
	return talk || cut || f->force
	    || (f->context > 0 && used >= f->context);
}

static int
is_head(const struct chat *c, size_t i)
{
	return c->view[i].call < 0;
}

static int
is_user(const struct chat *c, size_t i)
{
	return is_head(c, i) && c->v[c->view[i].msg].role == CHAT_USER;
}

static void
count(struct rest *r, const struct chat *c, size_t i)
{
	r->tokens += (long long)c->view[i].tokens;
	r->messages++;
	r->turns += is_user(c, i);
	r->groups += is_head(c, i) && !is_user(c, i);
}

static struct rest
from(const struct chat *c, size_t i)
{
	struct rest r = {0, 0, 0, 0};

	for (; i < c->nview; i++)
		count(&r, c, i);
	return r;
}

static struct room
make_room(const struct compact *f, const struct chat *c, size_t start,
    long long fixed)
{
	struct room m = {LLONG_MAX, LLONG_MAX, LLONG_MAX};
	long long all = from(c, start).tokens, most = LLONG_MAX;

	if (f->context > 0)
		most = f->context > fixed ? f->context - fixed : 0;
	if (f->tokens > 0 && f->tokens < most)
		most = f->tokens;
	/* A forced fold follows an overflow, whatever the estimate is. */
	if (f->force && all < most)
		most = all;
	if (most < LLONG_MAX)
		m.tokens = (long long)floor((double)most * f->keep);
	if (f->messages > 0)
		m.messages =
		    (long long)floor((double)f->messages * f->keep);
	if (f->keep_turns > 0)
		m.turns = f->keep_turns;
	return m;
}

static int
fits(const struct rest *r, const struct room *m)
{
	return r->tokens <= m->tokens && r->messages <= m->messages
	    && r->turns <= m->turns;
}

/* The last user's message from start on, or start. */
static size_t
running(const struct chat *c, size_t start)
{
	size_t i = c->nview;

	while (i > start)
		if (is_user(c, --i))
			return i;
	return start;
}

static size_t
cut_turns(const struct chat *c, size_t start, size_t turn,
    const struct room *m)
{
	struct rest r = {0, 0, 0, 0};
	size_t i = c->nview, cut = turn;

	while (i > start) {
		count(&r, c, --i);
		if (i > turn || !is_user(c, i))
			continue;
		if (!fits(&r, m))
			break;
		cut = i;
	}
	return cut;
}

/* In the running turn, whose first group is at first; first for nowhere. */
static size_t
cut_groups(const struct compact *f, const struct chat *c, size_t first,
    const struct room *m)
{
	struct rest r = {0, 0, 0, 0};
	long long least = f->groups;
	size_t i = c->nview, cut = first;

	if (f->force && from(c, first).groups <= least)
		least = 1;
	while (i > first) {
		count(&r, c, --i);
		if (!is_head(c, i) || r.groups < least)
			continue;
		if (cut > first && !fits(&r, m))
			break;
		cut = i;
	}
	return cut;
}

static int
is_alone_over(const struct compact *f, const struct rest *turn, long long fixed)
{
	return (f->context > 0 && turn->tokens + fixed >= f->context)
	    || (f->tokens > 0 && turn->tokens > f->tokens)
	    || (f->messages > 0 && turn->messages > f->messages);
}

/* Would a result that came late be left without its call? */
static int
is_parted(const struct chat *c, size_t cut)
{
	size_t i;

	for (i = cut; i < c->nview; i++)
		if (c->view[i].call >= 0 && c->calls[c->view[i].call].msg
			< c->view[cut].msg)
			return 1;
	return 0;
}

/* The last place up to cut that parts no call from its result. */
static size_t
whole(const struct chat *c, size_t start, size_t cut, size_t turn)
{
	while (cut > start && is_parted(c, cut))
		do
			cut--;
		while (cut > start && !is_user(c, cut)
		    && !(is_head(c, cut) && cut > turn));
	return cut;
}

size_t
compact_cut(const struct compact *f, const struct chat *c, size_t start,
    long long fixed)
{
	struct room m = make_room(f, c, start, fixed);
	size_t turn = running(c, start), first, cut, group, best;
	struct rest r;

	if (start >= c->nview)
		return start;
	cut = cut_turns(c, start, turn, &m);
	r = from(c, turn);
	if (is_alone_over(f, &r, fixed) || (f->force && cut <= start)) {
		first = turn + (size_t)is_user(c, turn);
		group = cut_groups(f, c, first, &m);
		if (group > first)
			cut = group;
	}
	best = whole(c, start, cut, turn);
	/* A late result is in the way: force folds past it. */
	while (f->force && best <= start && cut < turn)
		if (is_user(c, ++cut))
			best = whole(c, start, cut, turn);
	return best;
}
