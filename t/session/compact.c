#include <string.h>

#include "buf.h"
#include "compact.h"
#include "tap.h"

/*
 * A view by letters: u a user's message, a an answer, c an answer with a
 * call and r a result of the last call; each of 10 tokens, in capitals of
 * 100.
 */
static struct chat chat;

static void
make(const char *s)
{
	size_t i;

	chat.nview = 0;
	chat.n = 0;
	chat.ncalls = 0;
	for (i = 0; s[i] != '\0'; i++) {
		grow(&chat.v, &chat.cap, chat.n, sizeof(*chat.v));
		grow(&chat.view, &chat.viewcap, chat.nview,
		    sizeof(*chat.view));
		memset(&chat.v[i], 0, sizeof(*chat.v));
		memset(&chat.view[i], 0, sizeof(*chat.view));
		chat.v[i].role = strchr("uU", s[i]) != NULL ? CHAT_USER
		    : strchr("rR", s[i]) != NULL	    ? CHAT_TOOL
							    : CHAT_ASSISTANT;
		if (strchr("cC", s[i]) != NULL) {
			grow(&chat.calls, &chat.callcap, chat.ncalls,
			    sizeof(*chat.calls));
			chat.calls[chat.ncalls++].msg = (long)i;
		}
		chat.view[i].msg = (long)i;
		chat.view[i].call = strchr("rR", s[i]) != NULL
		    ? (long)chat.ncalls - 1 : -1;
		chat.v[i].n = (long long)i + 1;
		chat.view[i].tokens = s[i] < 'a' ? 100 : 10;
		chat.n++;
		chat.nview++;
	}
}

static const struct {
	const char *name, *view;
	struct compact f;
	size_t start;
	long long fixed;
	size_t cut;
} cuts[] = {
	{"compaction: ten messages, room for four", "uauauauaua",
	    {.context = 80, .keep = 0.5}, 0, 0, 6},
	{"compaction: keep 0 leaves the last turn", "uauaua",
	    {.context = 50, .keep = 0}, 0, 0, 4},
	{"compaction: five by force", "uauau",
	    {.context = 1000, .keep = 0.25, .force = 1,
		.groups = 2},
	    0, 0, 4},
	{"compaction: the cut is at a user's message", "uacruacr",
	    {.context = 70, .keep = 60.5 / 70}, 0, 0, 4},
	{"what does not fit any more stays out", "uaUaua",
	    {.context = 200, .keep = 60.5 / 200}, 0, 0, 4},
	{"all fits: nothing", "uaua",
	    {.context = 1000, .keep = 500.5 / 1000}, 0, 0, 0},
	{"the running turn stays", "uauCR",
	    {.context = 300, .keep = 0.25, .groups = 1}, 0,
	    0, 2},
	{"unless it alone is over", "uauCRCRcrcr",
	    {.context = 300, .keep = 0.25, .groups = 1}, 0,
	    0, 7},
	{"with what is no message", "uCRcrcr",
	    {.context = 300, .keep = 40.5 / 240, .groups = 1}, 0, 60, 3},
	{"at the limit it is over", "uCRcrcr",
	    {.context = 250, .keep = 40.5 / 250, .groups = 1}, 0, 0, 3},
	{"without that it is not", "uCRcrcr",
	    {.context = 300, .keep = 40.5 / 300, .groups = 1}, 0, 0, 0},
	{"its last groups stay, whatever they take", "uCRCRCR",
	    {.context = 300, .keep = 0, .groups = 2}, 0, 0, 3},
	{"by force all but one", "ucrcr",
	    {.keep = 0.25, .groups = 2, .force = 1}, 0, 0,
	    3},
	{"one group alone cannot be folded", "ucr",
	    {.keep = 0.25, .groups = 2, .force = 1}, 0, 0,
	    0},
	{"by force whole turns first", "uaucrcrcr",
	    {.keep = 0.25, .groups = 2, .force = 1}, 0, 0,
	    2},
	{"a turn that was folded once", "ucrcrcrcrcr",
	    {.keep = 0.25, .groups = 2, .force = 1}, 3, 0,
	    7},
	{"what is behind the turn that was folded once", "ucrcraucr",
	    {.context = 50, .keep = 30.5 / 50, .groups = 2}, 3, 0, 6},
	{"a group is not parted", "ucrrrcrrr",
	    {.context = 10, .keep = 20.5 / 10, .groups = 1}, 0, 0, 5},
	{"messages", "uauauauaua",
	    {.messages = 8, .keep = 0.5}, 0, 0, 6},
	{"five turns stay", "uauauauauauauaua",
	    {.turns = 8, .keep = 0.5, .keep_turns = 5}, 0,
	    0, 6},
	{"a late result stays with its call", "uaucurauaua",
	    {.context = 100, .keep = 70.5 / 100}, 0, 0, 2},
	{"unless what it is behind is folded too", "uaucurauaua",
	    {.context = 100, .keep = 40.5 / 100}, 0, 0, 7},
	{"late in all of it", "ucurau",
	    {.context = 50, .keep = 40.5 / 50}, 0, 0, 0},
	{"no messages", "", {.force = 1}, 0, 0, 0},
	{"the user has not spoken", "crcrcr",
	    {.keep = 0, .force = 1, .groups = 1}, 0, 0, 4},
};

static const struct {
	long long window, answer;
	double share;
	long long limit;
} limits[] = {
	{10000, 2000, 0.8, 7488}, {10000, 1000, 0.8, 8000},
	{200000, 0, 0.8, 160000}, {4096, 0, 0.8, 1536}, {0, 0, 0.8, 0},
	{100, 0, 0.8, 25}};

static const struct {
	const char *name;
	struct compact f;
	struct sessionread_fresh fresh;
	long long used;
	int due;
} dues[] = {
	{"7999", {.context = 8000}, {0}, 7999, 0},
	{"8000", {.context = 8000}, {0}, 8000, 1},
	{"nothing is limited", {0}, {9, 9, 9, 9}, 9, 0},
	{"tokens as the window has them", {.tokens = 100},
	    {.tokens = 100}, 900, 0},
	{"one more", {.tokens = 100}, {.tokens = 101}, 900, 1},
	{"messages", {.messages = 200}, {.messages = 201}, 0, 1},
	{"seven turns", {.turns = 8, .chars = 20000},
	    {.turns = 7, .chars = 90000}, 0, 0},
	{"20000 characters", {.turns = 8, .chars = 20000},
	    {.turns = 8, .chars = 20000}, 0, 0},
	{"eight and more", {.turns = 8, .chars = 20000},
	    {.turns = 8, .chars = 20001}, 0, 1},
	{"by force", {.force = 1}, {0}, 0, 1}};

#define N(a) (sizeof(a) / sizeof(*(a)))

int
main(void)
{
	struct compact f;
	size_t cut, i;
	long long v;

	for (i = 0; i < N(cuts); i++) {
		make(cuts[i].view);
		cut = compact_cut(
		    &cuts[i].f, &chat, cuts[i].start, cuts[i].fixed);
		ok(cut == cuts[i].cut, "%s: at %zu, is %zu", cuts[i].name,
		    cuts[i].cut, cut);
	}
	for (i = 0; i < N(limits); i++) {
		v = compact_limit(
		    limits[i].window, limits[i].answer, limits[i].share);
		ok(v == limits[i].limit, "a window of %lld: %lld, is %lld",
		    limits[i].window, limits[i].limit, v);
	}
	for (i = 0; i < N(dues); i++) {
		f = dues[i].f;
		ok(compact_due(&f, &dues[i].fresh, dues[i].used) == dues[i].due,
		    "due: %s", dues[i].name);
	}
	return done_testing();
}
