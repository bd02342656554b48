#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "easy.h"
#include "tap.h"

/* Does it read this itself, and what? */
static const struct {
	const char *s, *json; /* NULL: left to libyaml */
} cases[] = {
	{"name: x\ndescription: Does a, b; and c (d).\n",
	    "{\"name\":\"x\",\"description\":\"Does a, b; and c (d).\"}"},
	{"a: \"q: # r\"\nb: 'it''s'\n", NULL},
	{"a: \"q: # r\"\nb: '\"'  \n", "{\"a\":\"q: # r\",\"b\":\"\\\"\"}"},
	{"m:\n  k: [a, b c, \"d\"]\n  p: 5\nz:\n",
	    "{\"m\":{\"k\":[\"a\",\"b c\",\"d\"],\"p\":\"5\"},\"z\":null}"},
	{"a: []\nb: [ ]", "{\"a\":[],\"b\":[]}"},
	{"d: na\xc3\xafve \xe2\x80\x94 \xf0\x9f\x98\x80",
	    "{\"d\":\"na\xc3\xafve \xe2\x80\x94 \xf0\x9f\x98\x80\"}"},
	{"", NULL},
	{"\n", NULL},
	{"# c\n", NULL},
	{"a: b: c", NULL},
	{"a: b:", NULL},
	{"a: b # c", NULL},
	{"a: b\n  c", NULL},
	{"a: b\n  c: d", NULL},
	{"a:\n    b: c", NULL},
	{"a:\n  b:\n  c: d", NULL},
	{"a: |\n  b", NULL},
	{"a: *b", NULL},
	{"a: &b c", NULL},
	{"a: !x c", NULL},
	{"a: b\na: c", NULL},
	{"a: b\r\n", NULL},
	{"a:\tb", NULL},
	{"a: b\tc", NULL},
	{"a: \"x\\n\"", NULL},
	{"a: [b, ]", NULL},
	{"a: [b, c: d]", NULL},
	{"a: [b", NULL},
	{"a: \"b\" c", NULL},
	{"a: [b c, ]", NULL},
	{"a: \xff", NULL},
	{"a: b\xc2\x85" "c", NULL},
	{"a: b\xe2\x80\xa8" "c", NULL},
	{"a: \xef\xbb\xbf", NULL},
	{"- a: b", NULL},
	{"a:b", NULL},
	{"---\na: b", NULL},
	{"a", NULL},
	{"a: ---", NULL},
	{"a: b\n...\n", NULL},
	{"<<: a", NULL},
	{"a: <<", NULL},
	{"? a\n: b", NULL},
	{"\"a\": b", NULL},
	{"a: true\nb: 1e3\nc: 2026-11-21\nd: null\ne: No\nf: 0x1F\ng: 017",
	    "{\"a\":\"true\",\"b\":\"1e3\",\"c\":\"2026-11-21\",\"d\":\"null\","
	    "\"e\":\"No\",\"f\":\"0x1F\",\"g\":\"017\"}"},
	{"null: a\ntrue: b", "{\"null\":\"a\",\"true\":\"b\"}"},
};

static unsigned seed = 1;

static unsigned
rnd(unsigned n)
{
	seed = seed * 1103515245U + 12345U;
	return (seed >> 16) % n;
}

/* Text that is nearly front matter, of pieces that meet in all ways. */
static void
text(struct buf *b)
{
	static const char *const v[] = {"a", "b", "name", "x-y", "k_2", ": ",
	    ": ", ":", "\n", "\n", "\n", "\n  ", "\n  ", " ", "  ", "[", "]",
	    ", ", ",", "\"", "'", "#", " #", "-", "- ", ".", "/", "(", "7",
	    "\\", "|", ">", "&", "*", "!", "{", "}", "?", "%", "@", "...",
	    "---", "\xc3\xa9", "\xe2\x80\x94", "\xe2\x80\xa9", "\xc2\xa0",
	    "\xef\xbf\xbe", "\xf0\x9f\x98\x80", "\xff", "\r", "\t", "c++",
	    "true", "~", "<<", "\n    ", "[a, b]", "\"q r\"", "'s'",
	    "\nm:\n  k: ", "\nd: one two", ": [x, \"y\", z]\n"};
	unsigned i, n = 1 + rnd(14);

	buf_reset(b);
	if (rnd(2))
		buf_puts(b, "a: ");
	for (i = 0; i < n; i++)
		buf_puts(b, v[rnd(sizeof(v) / sizeof(*v))]);
	if (b->n > 0 && rnd(4) == 0)
		b->p[rnd((unsigned)b->n)] = (char)rnd(rnd(2) ? 256 : 32);
}

/* What libyaml makes of it: a comment behind keeps it from easy_parse. */
static int
library(struct yamlfile *y, const struct buf *b)
{
	static struct buf with;

	buf_reset(&with);
	buf_add(&with, b->p, b->n);
	buf_puts(&with, "\n# end\n");
	return yamlfile_parse(y, with.p, with.n, YAMLFILE_LENIENT);
}

static int
same(const struct yamlfile *x, const struct yamlfile *y)
{
	size_t i;

	if (x->text.n != y->text.n
	    || memcmp(x->text.p, y->text.p, x->text.n) != 0)
		return 0;
	for (i = 0; i < y->json.ntok; i++)
		if (x->marks[i].line != y->marks[i].line
		    || x->marks[i].col != y->marks[i].col)
			return 0;
	return 1;
}

/* Nothing that libyaml refuses is taken, and all is read as it reads it. */
static void
against_library(struct buf *b, size_t rounds)
{
	static struct yamlfile x, y;
	size_t i, taken = 0, bad = 0;

	for (i = 0; i < rounds; i++) {
		text(b);
		if (easy_parse(&x, b->p, b->n) < 0)
			continue;
		taken++;
		if (library(&y, b) == 0 && yamlfile_parse(&x, b->p, b->n,
		    YAMLFILE_LENIENT) == 0 && same(&x, &y))
			continue;
		if (bad++ < 5)
			ok(0, "not as libyaml: %s", buf_cstr(b));
	}
	ok(bad == 0, "as libyaml, text and marks, each of %zu", taken);
	ok(taken > rounds / 40, "many of the random texts are easy");
}

/* easy [ROUNDS [SEED]] */
int
main(int argc, char **argv)
{
	static struct yamlfile x;
	static struct buf b;
	size_t i;
	int r;

	prog = "easy";
	if (argc > 2)
		seed = (unsigned)strtoul(argv[2], NULL, 10);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		r = easy_parse(&x, cases[i].s, strlen(cases[i].s));
		ok(cases[i].json == NULL ? r < 0 && x.text.n == 0
		    : r == 0 && strcmp(buf_cstr(&x.text), cases[i].json) == 0,
		    "%s", cases[i].s);
	}
	buf_puts(&b, "a: [x");
	buf_putc(&b, '\0');
	buf_puts(&b, "y]\n");
	ok(easy_parse(&x, b.p, b.n) < 0, "a NUL in a list is not easy");
	buf_reset(&b);
	buf_puts(&b, "a: [b");
	for (i = 0; i < YAMLFILE_EVENTS; i++)
		buf_puts(&b, ",b");
	buf_puts(&b, "]\n");
	ok(yamlfile_parse(&x, b.p, b.n, YAMLFILE_LENIENT) < 0
	    && strcmp(x.why, "expected at most 100000 nodes") == 0,
	    "the limit of nodes is the same");
	against_library(&b, argc > 1 ? strtoul(argv[1], NULL, 10) : 200000);
	return done_testing();
}
