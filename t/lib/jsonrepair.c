#include <string.h>

#include "jsonrepair.h"
#include "tap.h"

static const struct {
	const char *in, *out;
	int changed;
} cases[] = {
	{"{\"a\":1}", "{\"a\":1}", 0},
	{"", "{}", 1},
	{" \n", "{}", 1},
	{"null", "{}", 1},
	{"{\"a\":1", "{\"a\":1}", 1},
	{"{\"a\":\"x", "{\"a\":\"x\"}", 1},
	{"{\"a\":[1,{\"b\":2", "{\"a\":[1,{\"b\":2}]}", 1},
	{"{\"a\":1,}", "{\"a\":1}", 1},
	{"{\"a\":[1,],}", "{\"a\":[1]}", 1},
	{"{\"a\":", "{\"a\":null}", 1},
	{"{\"a\":\"x\ny\"}", "{\"a\":\"x\\ny\"}", 1},
	{"```json\n{\"a\":1}\n```", "{\"a\":1}", 1},
	{"````\n{\"a\":1}\n````", "{\"a\":1}", 1},
	{"```json\n{\"a\":1}```\n", "{\"a\":1}", 1},
	{"```json\n{\"a\":1}\n```\nThat is `a`.", "{\"a\":1}", 1},
	{"```json\n{\"a\":1}", "{\"a\":1}", 1},
	{"```json\n{\"a\":\"echo `x` y\"}", "{\"a\":\"echo `x` y\"}", 1},
	{"{\"a\":\"\\ud83d\"}", "{\"a\":\"\\ufffd\"}", 1},
	{"{\"a\":\"\\ud83d\\ude00\"}", "{\"a\":\"\\ud83d\\ude00\"}", 0},
	{"{\"a\":\"\\ud83d\\ude00", "{\"a\":\"\\ud83d\\ude00\"}", 1},
	{"[1]", "{\"arguments\":\"[1]\"}", 1},
	{"5", "{\"arguments\":\"5\"}", 1},
	{"ls -l", "{\"arguments\":\"ls -l\"}", 1},
	{"{a:1}", "{\"arguments\":\"{a:1}\"}", 1},
	{"{\"a\":1,\"a\":2}", "{\"arguments\":\"{\\\"a\\\":1,\\\"a\\\":2}\"}",
	    1},
};

int
main(void)
{
	static struct buf b;
	static char deep[1000];
	size_t i;
	int changed;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		buf_reset(&b);
		changed =
		    jsonrepair_object(&b, cases[i].in, strlen(cases[i].in));
		ok(strcmp(buf_cstr(&b), cases[i].out) == 0
			&& changed == cases[i].changed,
		    "%s becomes %s", cases[i].in, b.p);
	}
	buf_reset(&b);
	jsonrepair_text(&b, "\"\xff\"", 3);
	ok(strcmp(buf_cstr(&b), "\"\xef\xbf\xbd\"") == 0,
	    "a byte that is no UTF-8");
	buf_reset(&b);
	memset(deep, '[', sizeof(deep));
	ok(jsonrepair_object(&b, deep, sizeof(deep)) == 1
		&& memcmp(b.p, "{\"arguments\":\"[[", 16) == 0,
	    "what is too deep is wrapped");
	return done_testing();
}
