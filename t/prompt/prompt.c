#include <string.h>

#include "budget.h"
#include "buf.h"
#include "markup.h"
#include "tap.h"

enum { C, T, M, O, H, U }; /* phases, by their first letters; O: tools */

struct in {
	const char *id;
	int phase;
	double score;
	int sticky;
	size_t tokens;
	int reserve; /* 0: none; 1: reserve of 40; 2: of 0 */
	int group;   /* 0: none; 1: a group that costs 5 */
};

struct vector {
	const char *name;
	size_t max;
	struct in in[6];
	const char *text; /* ids kept, in order */
	size_t total;
};

static const struct vector ivy[] = {
	{"nothing", 100, {{0}}, "", 0},
	{"all fit", 100,
	    {{"a", T, 1, 0, 10, 0, 0}, {"b", T, 1, 0, 10, 0, 0}},
	    "a b", 20},
	{"the higher score stays", 60,
	    {{"low", T, 1, 0, 50, 0, 0}, {"high", T, 10, 0, 50, 0, 0}}, "high",
	    50},
	{"a sticky stays", 60,
	    {{"sticky", T, 1, 1, 50, 0, 0}, {"normal", T, 100, 0, 50, 0, 0}},
	    "sticky", 50},
	{"stickies know no budget", 10,
	    {{"s1", T, 1, 1, 50, 0, 0}, {"s2", T, 2, 1, 50, 0, 0}}, "s2 s1",
	    100},
	{"a multiplier is part of the score", 15,
	    {{"base", T, 10, 0, 10, 0, 0}, {"boosted", T, 100, 0, 10, 0, 0}},
	    "boosted", 10},
	{"ties by id", 100,
	    {{"b", T, 5, 0, 10, 0, 0}, {"a", T, 5, 0, 10, 0, 0}}, "a b", 20},
	{"the order of the document", 1000,
	    {{"user", U, 100, 0, 1, 0, 0}, {"task", T, 50, 0, 1, 0, 0},
		{"constraint", C, 1, 0, 1, 0, 0},
		{"memory", M, 30, 0, 1, 0, 0}},
	    "constraint task memory user", 4},
	{"all phases in order", 1000,
	    {{"u", U, 100, 0, 1, 0, 0}, {"t", T, 50, 0, 1, 0, 0},
		{"c", C, 1, 0, 1, 0, 0}, {"m", M, 30, 0, 1, 0, 0},
		{"h", H, 1, 0, 1, 0, 0}, {"o", O, 1, 0, 1, 0, 0}},
	    "c t m o h u", 6},
	{"score within a phase", 1000,
	    {{"m1", M, 1, 0, 1, 0, 0}, {"m100", M, 100, 0, 1, 0, 0}},
	    "m100 m1", 2},
	{"a sticky of a late phase comes first", 1000,
	    {{"c", C, 100, 0, 1, 0, 0}, {"u", U, 1, 1, 1, 0, 0}}, "u c", 2},
	{"what does not fit is walked over", 50,
	    {{"big", T, 1, 0, 900, 0, 0}, {"small", T, 2, 0, 10, 0, 0}},
	    "small", 10},
	{"and the walk goes on", 50,
	    {{"s", C, 1, 1, 10, 0, 0}, {"big", T, 9, 0, 900, 0, 0},
		{"small", M, 1, 0, 10, 0, 0}},
	    "s small", 20},
	{"the first is let in", 50,
	    {{"big", T, 9, 0, 900, 0, 0}, {"small", T, 1, 0, 10, 0, 0}}, "big",
	    900},
	{"budget 0 lets one in", 0, {{"a", T, 1, 0, 10, 0, 0}},
	    "a", 10},
	{"exactly at budget", 20,
	    {{"a", T, 1, 0, 10, 0, 0}, {"b", T, 1, 0, 10, 0, 0}}, "a b", 20},
	{"one over", 19,
	    {{"a", T, 1, 0, 10, 0, 0}, {"b", T, 1, 0, 10, 0, 0}}, "a", 10},
	{"late phases starve", 20,
	    {{"u", U, 100, 0, 10, 0, 0}, {"c", C, 1, 0, 10, 0, 0},
		{"t", T, 1, 0, 10, 0, 0}},
	    "c t", 20},
};

static const struct vector reserve[] = {
	{"nothing", 100, {{0}}, "", 0},
	{"order is that of the prompt", 100,
	    {{"b", U, 1, 0, 10, 0, 0}, {"a", C, 9, 0, 10, 0, 0}}, "b a", 20},
	{"score over all phases", 20,
	    {{"u", U, 100, 0, 10, 0, 0}, {"c", C, 1, 0, 10, 0, 0},
		{"t", T, 50, 0, 10, 0, 0}},
	    "u t", 20},
	{"the first is not let in by itself", 50,
	    {{"big", T, 9, 0, 900, 0, 0}, {"small", T, 1, 0, 10, 0, 0}},
	    "small", 10},
	{"a reserve feeds what would starve", 100,
	    {{"greedy", T, 99, 0, 70, 0, 0}, {"m", M, 1, 0, 40, 1, 0}}, "m",
	    40},
	{"without one it starves", 100,
	    {{"greedy", T, 99, 0, 70, 0, 0}, {"m", M, 1, 0, 40, 0, 0}},
	    "greedy", 70},
	{"a reserve is a share, not a limit", 100,
	    {{"m1", M, 2, 0, 30, 1, 0}, {"m2", M, 1, 0, 30, 1, 0}}, "m1 m2",
	    60},
	{"nor is it a gift", 100,
	    {{"greedy", T, 99, 0, 70, 0, 0}, {"m1", M, 2, 0, 30, 1, 0},
		{"m2", M, 1, 0, 30, 1, 0}},
	    "greedy m1", 100},
	{"a reserve never breaks the budget", 30,
	    {{"s", T, 1, 1, 20, 0, 0}, {"m", M, 1, 0, 20, 1, 0}}, "s", 20},
	{"stickies over the budget let nothing else in", 30,
	    {{"s", T, 1, 1, 40, 0, 0}, {"m", M, 9, 0, 1, 1, 0}}, "s", 40},
	{"the first member pays for its group", 100,
	    {{"a", T, 1, 0, 10, 0, 1}, {"b", T, 1, 0, 10, 0, 1}}, "a b", 25},
	{"a group that does not fit", 14, {{"a", T, 1, 0, 10, 0, 1}}, "", 0},
	{"a group that fits", 15, {{"a", T, 1, 0, 10, 0, 1}}, "a", 15},
	{"ties by place", 10,
	    {{"b", T, 5, 0, 10, 0, 0}, {"a", T, 5, 0, 10, 0, 0}}, "b", 10},
	{"budget 0", 0, {{"a", T, 1, 0, 10, 0, 0}}, "", 0},
};

static void
run(const char *engine, const struct vector *v, int isivy)
{
	static struct buf b;
	struct part p[6];
	size_t reserves[] = {40, 0}, groups[] = {5};
	size_t i, n, total;

	memset(p, 0, sizeof(p));
	for (n = 0; n < 6 && v->in[n].id != NULL; n++) {
		p[n].id = v->in[n].id;
		p[n].phase = v->in[n].phase;
		p[n].score = v->in[n].score;
		p[n].sticky = v->in[n].sticky;
		p[n].tokens = v->in[n].tokens;
		p[n].reserve = v->in[n].reserve - 1;
		p[n].group = v->in[n].group - 1;
		p[n].order = p[n].tie = n;
	}
	total = isivy ? budget_ivy(p, n, v->max)
		      : budget_reserve(p, n, v->max, reserves, 2, groups);
	buf_reset(&b);
	for (i = 0; i < n; i++)
		if (p[i].kept)
			buf_printf(&b, "%s%s", b.n > 0 ? " " : "", p[i].id);
	ok(strcmp(buf_cstr(&b), v->text) == 0 && total == v->total,
	    "%s: %s: '%s' %zu, expected '%s' %zu", engine, v->name,
	    buf_cstr(&b), total, v->text, v->total);
}

static const struct {
	const char *in, *out;
} texts[] = {
	{"", ""},
	{"plain < text", "plain < text"},
	{"</skills>", "&lt;/skills>"},
	{"<skills>", "&lt;skills>"},
	{"<SKILLS a=\"b\">", "&lt;SKILLS a=\"b\">"},
	{"< / skills >", "&lt; / skills >"},
	{"<\n/skills", "&lt;\n/skills"},
	{"</other>", "</other>"},
	{"<skillset>", "<skillset>"},
	{"<skill>", "<skill>"},
	{"<<skills>", "<&lt;skills>"},
	{"a<", "a<"},
	{"<a-b>", "&lt;a-b>"},
	/* what is not seen hides no tag */
	{"<sk\xe2\x80\x8bills>", "&lt;sk\xe2\x80\x8bills>"},
	{"<\xe2\x81\xa0/\xef\xbb\xbfskills\xc2\xad>",
	    "&lt;\xe2\x81\xa0/\xef\xbb\xbfskills\xc2\xad>"},
	{"<skill\x01s>", "&lt;skill\x01s>"},
	{"<sk ills>", "<sk ills>"},
	{"<sk\xc5\xbcills>", "<sk\xc5\xbcills>"},
};

static const struct {
	const char *in, *out;
} attrs[] = {
	{"/a b/AGENTS.md", "/a b/AGENTS.md"},
	{"a\"b<c>&d", "a&quot;b&lt;c&gt;&amp;d"},
	{"a\nb  c\x7f", "a b  c "},
	{"\xc5\xbc", "\xc5\xbc"},
};

static void
markup(void)
{
	static struct buf b;
	static struct strs tags;
	size_t i;

	strs_add(&tags, "skills");
	strs_add(&tags, "a-b");
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		buf_reset(&b);
		markup_text(&b, texts[i].in, strlen(texts[i].in), &tags);
		ok(strcmp(buf_cstr(&b), texts[i].out) == 0, "text '%s': '%s'",
		    texts[i].in, buf_cstr(&b));
	}
	for (i = 0; i < sizeof(attrs) / sizeof(*attrs); i++) {
		buf_reset(&b);
		markup_attr(&b, attrs[i].in, strlen(attrs[i].in));
		ok(strcmp(buf_cstr(&b), attrs[i].out) == 0, "attr '%s': '%s'",
		    attrs[i].in, buf_cstr(&b));
	}
	ok(markup_isname("turn-context", 12) && markup_isname("_a.b", 4)
	    && !markup_isname("", 0) && !markup_isname("1a", 2)
	    && !markup_isname("a b", 3) && !markup_isname("a>", 2), "names");
}

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof(ivy) / sizeof(*ivy); i++)
		run("ivy", &ivy[i], 1);
	for (i = 0; i < sizeof(reserve) / sizeof(*reserve); i++)
		run("reserve", &reserve[i], 0);
	ok(phase_find("bogus", 5) == PHASE_TASK && phase_find("", 0)
	    == PHASE_TASK && phase_find("user", 4) == PHASE_USER,
	    "an unknown phase is task");
	markup();
	return done_testing();
}
