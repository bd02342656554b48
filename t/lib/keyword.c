#include <string.h>

#include "diag.h"
#include "keyword.h"
#include "nfc.h"
#include "tap.h"

static const struct {
	const char *text, *key;
	int in;
} cases[] = {
	{"check my email please", "email", 1},
	{"CHECK MY INBOX", "inbox", 1},
	{"check my inbox", "INBOX", 1},
	{"profile", "file", 0},
	{"meanwhile", "while", 0},
	{"files", "file", 0},
	{"a file.", "file", 1},
	{"file_name", "file", 0},
	{"file-name", "file", 1},
	{"profile, then file", "file", 1},
	{"give me a daily briefing", "daily briefing", 1},
	{"a daily\n\t briefing", "daily briefing", 1},
	{"a daily, briefing", "daily briefing", 0},
	{"daily briefings", "daily briefing", 0},
	{"what's broken?", "what's broken", 1},
	{"what\xe2\x80\x99s broken?", "what's broken", 1},
	{"send me one ai news every 2 minutes", "every 2 minutes", 1},
	{"hello, how are you?", "email", 0},
	{"", "email", 0},
	{"anything", "", 0},
	{"anything", "  ", 0},
	{"use C++17", "c++", 1},
	{"misc++", "c++", 1},
	{"ASP.NET core", ".net", 1},
	{"a network", ".net", 0},
	{"what? now", "what?", 1},
	/* Words of any script. */
	{"Ksi\xc4\x85\xc5\xbcka?", "ksi\xc4\x85\xc5\xbcka", 1},
	{"KSI\xc4\x84\xc5\xbbKA", "ksi\xc4\x85\xc5\xbcka", 1},
	{"ksi\xc4\x85\xc5\xbckami", "ksi\xc4\x85\xc5\xbcka", 0},
	{"\xc3\xa9" "file", "file", 0},
	{"\xd0\xbf\xd0\xb8\xd1\x81\xd1\x8c\xd0\xbc\xd0\xb0",
	    "\xd0\xbf\xd0\xb8\xd1\x81\xd1\x8c\xd0\xbc", 0},
	{"\xd0\x9f\xd0\x98\xd0\xa1\xd0\xac\xd0\x9c\xd0\x90!",
	    "\xd0\xbf\xd0\xb8\xd1\x81\xd1\x8c\xd0\xbc\xd0\xb0", 1},
	/* Without blanks between words there are no boundaries. */
	{"\xe8\xaf\xb7\xe7\x9c\x8b\xe9\x82\xae\xe4\xbb\xb6\xe5\x90\xa7",
	    "\xe9\x82\xae\xe4\xbb\xb6", 1},
	{"\xe7\x9c\x8b" "email\xe5\x90\xa7", "email", 1},
	{"\xec\x9d\xb4\xeb\xa9\x94\xec\x9d\xbc\xec\x9d\x84",
	    "\xec\x9d\xb4\xeb\xa9\x94\xec\x9d\xbc", 1},
	/* An accent as a character of its own, on either side. */
	{"cafe\xcc\x81!", "caf\xc3\xa9", 1},
	{"caf\xc3\xa9!", "cafe\xcc\x81", 1},
	{"CAFE\xcc\x81", "caf\xc3\xa9", 1},
	{"cafe\xcc\x81", "cafe", 0},
	/* What is no UTF-8 ends words. */
	{"\xff" "email\xff", "email", 1},
	{"aa aab aaab aaaab", "aaab", 1},
	/* Word forms. */
	{"Reviewing it", "review~", 1},
	{"reviews", "review~", 1},
	{"reviewer", "review~", 0},
	{"planned", "plan~", 1},
	{"planet", "plan~", 0},
	{"it was closing", "close~", 1},
	{"closer", "close~", 0},
	{"he tries", "try~", 1},
	{"two e-mails,", "e-mail~", 1},
	{"preview", "review~", 0},
	{"\xd0\xbf\xd0\xb8\xd1\x81\xd1\x8c\xd0\xbc\xd0\xb0",
	    "\xd0\xbf\xd0\xb8\xd1\x81\xd1\x8c\xd0\xbc*", 1},
	{"see src/parser.c, please", "*.c", 1},
	{"see parser.cc", "*.c", 0},
	/* Either, perhaps, gaps, ends of a sentence. */
	{"check my mail", "check my|the mail~", 1},
	{"check mail", "check my|the mail~", 0},
	{"check mail", "check my| mail~", 1},
	{"a daily, briefing", "daily|weekly briefing", 0},
	{"review all of the new code", "review ... code", 1},
	{"review code", "review ... code", 1},
	{"review a b c d e f code", "review ... code", 1},
	{"review a b c d e f g code", "review ... code", 0},
	{"I review. The code is old", "review ... code", 0},
	{"review 1.5 lines of code", "review ... code", 1},
	{"Now commit!", "^ commit", 0},
	{"Well. Commit it", "^ commit", 1},
	{"commit it", "^ commit $", 0},
	{"Done. Commit.", "^ commit $", 1},
	{"\xe8\xaf\xb7\xe7\x9c\x8b\xe9\x82\xae\xe4\xbb\xb6",
	    "\xe8\xaf\xb7 ... \xe9\x82\xae\xe4\xbb\xb6", 1},
	/* What is no operator stays what it was. */
	{"a || b", "||", 1},
	{"cd ~/notes", "~/notes", 1},
	{"and so on...", "...", 1},
	{"c* algebra", "*", 1},
};

static const struct {
	const char *s, *want;
} composed[] = {
	{"abc", "abc"},
	{"e\xcc\x81", "\xc3\xa9"},
	{"xe\xcc\x81y", "x\xc3\xa9y"},
	{"e\xcc\xa3\xcc\x82", "\xe1\xbb\x87"}, /* two marks, in their order */
	{"q\xcc\x81", "q\xcc\x81"},
	{"\xcc\x81", "\xcc\x81"},
	{"\xd0\xb8\xcc\x86", "\xd0\xb9"},
	{"\xe3\x81\x8b\xe3\x82\x99", "\xe3\x81\x8c"},
	{"\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", "\xed\x95\x9c"},
	{"\xe1\x84\x92\xe1\x85\xa1", "\xed\x95\x98"},
	{"\xff" "e\xcc\x81\xff", "\xff\xc3\xa9\xff"},
};

int
main(void)
{
	static struct keyword_text t;
	static struct buf b, big;
	size_t i;

	prog = "keyword";
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		buf_reset(&b);
		keyword_fold(&b, cases[i].key, strlen(cases[i].key));
		keyword_text(
		    &t, cases[i].text, strlen(cases[i].text), 1000);
		ok(keyword_in(&t, buf_cstr(&b)) == cases[i].in,
		    "'%s' in '%s': %d", cases[i].key, cases[i].text,
		    cases[i].in);
	}
	for (i = 0; i < sizeof(composed) / sizeof(*composed); i++) {
		buf_reset(&b);
		nfc_text(&b, composed[i].s, strlen(composed[i].s));
		ok(strcmp(buf_cstr(&b), composed[i].want) == 0, "%s",
		    composed[i].want);
	}
	{
		static struct strs keys, vetoes;

		strs_add(&keys, "mail~");
		strs_add(&keys, "inbox");
		strs_add(&vetoes, "*.c");
		strs_add(&vetoes, "field");
		keyword_text(&t, "the mail field", 14, 1000);
		ok(!keyword_any(&t, &keys, &vetoes), "a veto");
		keyword_text(&t, "Fix a.c. Read my mails.", 23, 1000);
		ok(keyword_any(&t, &keys, &vetoes),
		    "a veto counts in its sentence only");
		keyword_text(&t, "Fix a.c. My inbox!", 18, 1000);
		ok(keyword_any(&t, &keys, &vetoes),
		    "also for a keyword that is no pattern");
		keyword_text(&t, "In a.c the inbox", 16, 1000);
		ok(!keyword_any(&t, &keys, &vetoes), "and holds there");
		keyword_text(&t, "Fix a.c and read my inbox", 25, 1000);
		ok(keyword_any(&t, &keys, &vetoes)
			&& keyword_in(&t, "a.c and read"),
		    "\"and\" ends a clause, and a keyword may hold it");
	}
	ok(keyword_bad("a ... b|c~ $") == NULL
	    && keyword_bad("a ||") == NULL, "patterns that can match");
	ok(keyword_bad("... a|") != NULL, "no word that must be there");
	ok(keyword_bad("x|\xe9\x82\xae\xe4\xbb\xb6") != NULL,
	    "two characters of Chinese are two words");
	for (i = 0, buf_reset(&b); i < 11; i++)
		buf_puts(&b, "a ... ");
	buf_puts(&b, "b");
	ok(keyword_bad(buf_cstr(&b)) != NULL, "more than 63 steps");
	keyword_text(&t, NULL, 0, 1000);
	ok(!keyword_in(&t, "a"), "no text");
	keyword_text(&t, "a\0b", 3, 1000);
	ok(keyword_in(&t, "b"), "behind a NUL");
	for (i = 0; i < 1000; i++)
		buf_puts(&big, i == 500 ? "middle " : "filling ");
	keyword_text(&t, big.p, big.n, 200);
	ok(!keyword_in(&t, "middle") && keyword_in(&t, "filling"),
	    "the two ends of a long text");
	keyword_text(&t, big.p, big.n, big.n);
	ok(keyword_in(&t, "middle"), "all of a text that fits");
	keyword_text(&t, "alpha omega", 11, 10);
	ok(!keyword_in(&t, "alpha omega"), "nothing reaches over the cut");
	return done_testing();
}
