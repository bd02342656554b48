#include <string.h>

#include "tap.h"
#include "terminal.h"

/* The ends of each range, and what stands just outside of it. */
static const struct {
	uint32_t c;
	int hides;
} cases[] = {{0, 1}, {0x8, 1}, {'\t', 0}, {'\n', 0}, {0xb, 1}, {'\r', 1},
    {0x1b, 1}, {0x1f, 1}, {' ', 0}, {'~', 0}, {0x7f, 1}, {0x80, 1},
    {0x9f, 1}, {0xa0, 0}, {0xac, 0}, {0xad, 1}, {0xae, 0}, {0x34e, 0}, {0x34f, 1},
    {0x350, 0}, {0x61b, 0}, {0x61c, 1}, {0x61d, 0}, {0x115e, 0}, {0x115f, 1},
    {0x1160, 1}, {0x1161, 0}, {0x17b3, 0}, {0x17b4, 1}, {0x17b5, 1},
    {0x17b6, 0}, {0x180a, 0}, {0x180b, 1}, {0x180f, 1}, {0x1810, 0},
    {0x200a, 0}, {0x200b, 1}, {0x200f, 1}, {0x2010, 0},
    {0x2027, 0}, {0x2028, 1}, {0x202e, 1}, {0x202f, 0}, {0x205f, 0},
    {0x2060, 1}, {0x206f, 1}, {0x2070, 0}, {0x3163, 0}, {0x3164, 1}, {0x3165, 0},
    {0xfefe, 0}, {0xfeff, 1}, {0xff00, 0}, {0xff9f, 0}, {0xffa0, 1},
    {0xffa1, 0}, {0xffef, 0}, {0xfff0, 1}, {0xfffb, 1}, {0xfffc, 0},
    {0x1d172, 0}, {0x1d173, 1}, {0x1d17a, 1}, {0x1d17b, 0}, {0xdffff, 0},
    {0xe0000, 1}, {0xe0fff, 1}, {0xe1000, 0}};

/* A text as one line of so many columns, and how many it takes. */
static const struct {
	const char *s;
	size_t max;
	const char *want;
	size_t cols;
} fits[] = {{"abc", 3, "abc", 3}, {"abcd", 3, "ab\u2026", 3}, {"", 3, "", 0},
    {"abc", 0, "", 0}, {"abc", 1, "\u2026", 1}, {"a\nb\tc", 9, "a\u21b5""b c", 5},
    {"\u6f22\u5b57", 4, "\u6f22\u5b57", 4},
    {"\u6f22\u5b57\u6f22", 4, "\u6f22\u2026", 3},
    {"e\u0301e\u0301", 2, "e\u0301e\u0301", 2},
    {"\U0001f600\U0001f600", 3, "\U0001f600\u2026", 3},
    {"a\033[b", 9, "a\\u{1b}[b", 9}, {"a\033[b", 8, "a\\u{1b}\u2026", 8},
    {"a\033[b", 7, "a\u2026", 2},
    {"\xff", 4, "\\xff", 4}};

/* A line as rows of so many columns. */
static const struct {
	const char *s;
	size_t cols;
	const char *want;
} wraps[] = {{"one two three", 20, "one two three"}, {"", 5, ""},
    {"one two three", 7, "one two\nthree"},
    {"one two three", 6, "one\ntwo\nthree"}, {"muchtoolong x", 4, "muchtoolong\nx"},
    {"ok  one two three", 9, "ok  one\n    two\n    three"},
    {"  /a b c", 6, "  /a b\n  c"}, {"a much further  one two", 16, "a much further\none two"},
    {"\u6f22\u5b57\u6f22\u5b57", 5, "\u6f22\u5b57\n\u6f22\u5b57"},
    {"\u6f22e\u0301e\u0301 e\u0301", 4, "\u6f22e\u0301e\u0301\ne\u0301"},
    {"a \U0001f468\u200d\U0001f469 b", 4, "a\n\U0001f468\u200d\U0001f469\nb"},
    {"a\xff b", 2, "a\xff\nb"}};

int
main(void)
{
	static struct buf b;
	size_t i, n;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok(!terminal_hides(cases[i].c) == !cases[i].hides,
		    "U+%04lX is %s", (unsigned long)cases[i].c,
		    cases[i].hides ? "made visible" : "left alone");
	terminal_clean(&b, "a\tb\n\r\xff\xe2\x80\xae", 9);
	ok(strcmp(buf_cstr(&b), "a\tb\n\\u{d}\\xff\\u{202e}") == 0,
	    "a text: %s", buf_cstr(&b));
	for (i = 0; i < sizeof(fits) / sizeof(*fits); i++) {
		buf_reset(&b);
		n = terminal_fit(&b, fits[i].s, strlen(fits[i].s),
		    fits[i].max);
		ok(strcmp(buf_cstr(&b), fits[i].want) == 0
			&& n == fits[i].cols,
		    "in %zu columns: '%s', %zu of them", fits[i].max,
		    buf_cstr(&b), n);
	}
	for (i = 0; i < sizeof(wraps) / sizeof(*wraps); i++) {
		buf_reset(&b);
		terminal_wrap(&b, wraps[i].s, strlen(wraps[i].s),
		    wraps[i].cols);
		ok(strcmp(buf_cstr(&b), wraps[i].want) == 0,
		    "rows of %zu columns: '%s'", wraps[i].cols, buf_cstr(&b));
	}
	return done_testing();
}
