#include <string.h>

#include "api.h"
#include "emit.h"
#include "tap.h"

#define D(x) "{\"choices\":[{\"delta\":" x "}]}\n"
#define T(x) D("{\"tool_calls\":[" x "]}")
#define MSG(c, x) "{\"role\":\"assistant\",\"content\":" c x "}"
#define CALL(id, n, a)                                                        \
	"{\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":\""  \
	n "\",\"arguments\":\"" a "\"}}"
#define CALLS(x) MSG("null", ",\"tool_calls\":[" x "]")

static const struct {
	const char *name, *chunks, *message;
} cases[] = {
	{"text", D("{\"role\":\"assistant\",\"content\":\"a\"}")
	    D("{\"content\":\"b\"}"), MSG("\"ab\"", "")},
	{"content null first, role null",
	    D("{\"role\":null,\"content\":null}") D("{\"content\":\"b\"}"),
	    MSG("\"b\"", "")},
	{"content as parts",
	    D("{\"content\":[{\"type\":\"text\",\"text\":\"a\"},\"b\"]}"),
	    MSG("\"ab\"", "")},
	{"content an empty array", D("{\"content\":[]}"),
	    MSG("\"\"", "")},
	{"refusal", D("{\"refusal\":\"no\"}") D("{\"refusal\":\"!\"}"),
	    MSG("\"\"", ",\"refusal\":\"no!\"")},
	{"no choices", "{\"choices\":[]}\n{}\n" D("{\"content\":\"x\"}"),
	    MSG("\"x\"", "")},
	{"by index",
	    T("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"\"}}")
	    T("{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"g\",\"arguments\":\"{\\\"x\\\"\"}}")
	    T("{\"index\":0,\"function\":{\"arguments\":\"{}\"}}")
	    T("{\"index\":1,\"function\":{\"arguments\":\":1}\"}}"),
	    CALLS(CALL("a", "f", "{}") "," CALL("b", "g", "{\\\"x\\\":1}"))},
	{"index 0 for all, distinguished by id",
	    T("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}")
	    T("{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}"),
	    CALLS(CALL("a", "f", "{}") "," CALL("b", "f", "{}"))},
	{"index 0 for all, no id, a new name after whole arguments",
	    T("{\"index\":0,\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}")
	    T("{\"index\":0,\"function\":{\"name\":\"g\",\"arguments\":\"{}\"}}"),
	    CALLS(CALL("call_7", "f", "{}") "," CALL("call_8", "g", "{}"))},
	{"two alike in one chunk, neither index nor id",
	    T("{\"function\":{\"name\":\"f\",\"arguments\":{\"a\":1}}},{\"function\":{\"name\":\"f\",\"arguments\":{\"a\":1}}}"),
	    CALLS(CALL("call_7", "f", "{\\\"a\\\":1}") ","
		CALL("call_8", "f", "{\\\"a\\\":1}"))},
	{"no index: by id",
	    T("{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}")
	    T("{\"id\":\"b\",\"function\":{\"name\":\"g\",\"arguments\":\"{\"}}")
	    T("{\"id\":\"a\",\"function\":{\"arguments\":\"}\"}}")
	    T("{\"id\":\"b\",\"function\":{\"arguments\":\"}\"}}"),
	    CALLS(CALL("a", "f", "{}") "," CALL("b", "g", "{}"))},
	{"no index, no id: the open call",
	    T("{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}")
	    T("{\"function\":{\"arguments\":\"}\"}}"),
	    CALLS(CALL("a", "f", "{}"))},
	{"the id comes late",
	    T("{\"index\":0,\"function\":{\"name\":\"f\"}}")
	    T("{\"index\":0,\"id\":\"a\",\"function\":{\"arguments\":\"{}\"}}"),
	    CALLS(CALL("a", "f", "{}"))},
	{"the id repeated, and empty",
	    T("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}")
	    T("{\"index\":0,\"id\":\"\",\"function\":{\"arguments\":\"\"}}")
	    T("{\"index\":0,\"id\":\"a\",\"function\":{\"arguments\":\"}\"}}"),
	    CALLS(CALL("a", "f", "{}"))},
	{"name repeated",
	    T("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"ls\",\"arguments\":\"{\"}}")
	    T("{\"index\":0,\"function\":{\"name\":\"ls\",\"arguments\":\"}\"}}"),
	    CALLS(CALL("a", "ls", "{}"))},
	{"name in pieces",
	    T("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"read\"}}")
	    T("{\"index\":0,\"function\":{\"name\":\"_file\",\"arguments\":\"{}\"}}"),
	    CALLS(CALL("a", "read_file", "{}"))},
	{"name growing",
	    T("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"read\"}}")
	    T("{\"index\":0,\"function\":{\"name\":\"read_file\",\"arguments\":\"{}\"}}"),
	    CALLS(CALL("a", "read_file", "{}"))},
	{"arguments an object",
	    T("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":{\"n\": 1.0}}}"),
	    CALLS(CALL("a", "f", "{\\\"n\\\": 1.0}"))},
	{"arguments empty, null or missing",
	    T("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"\"}}")
	    T("{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"g\",\"arguments\":null}}")
	    T("{\"index\":2,\"id\":\"c\",\"function\":{\"name\":\"h\"}}"),
	    CALLS(CALL("a", "f", "{}") "," CALL("b", "g", "{}") ","
		CALL("c", "h", "{}"))},
	{"all of it once more at the end",
	    T("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":\"}}")
	    T("{\"index\":0,\"function\":{\"arguments\":\"1}\"}}")
	    T("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1}\"}}"),
	    CALLS(CALL("a", "f", "{\\\"a\\\":1}"))},
	{"reasoning, the first name that has any",
	    D("{\"reasoning_content\":\"\",\"reasoning\":\"a\",\"reasoning_text\":\"a\"}")
	    D("{\"reasoning\":\"b\",\"reasoning_text\":\"b\"}")
	    D("{\"content\":\"c\"}"),
	    MSG("\"c\"", ",\"reasoning\":\"ab\"")},
	{"unknown fields come back verbatim",
	    D("{\"reasoning_details\":[{\"a\":1}],\"x\":{\"y\":1.0}}")
	    D("{\"reasoning_details\":[{\"b\":2}],\"content\":\"c\"}"),
	    MSG("\"c\"", ",\"reasoning_details\":[{\"a\":1},{\"b\":2}],"
		"\"x\":{\"y\":1.0}")},
	{"extra_content of a call",
	    T("{\"index\":0,\"id\":\"a\",\"extra_content\":{\"g\":{\"s\":\"x\"}},\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}"),
	    CALLS("{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"},\"extra_content\":{\"g\":{\"s\":\"x\"}}}")},
	{"a server cannot forge a record", D("{\"type\":\"end\",\"tp\":{\"partial\":false},\"id\":\"z\",\"content\":\"x\"}"),
	    MSG("\"x\"", "")},
};

static void
feed(struct reply *d, const char *s)
{
	static struct json j;
	const char *nl;

	for (; (nl = strchr(s, '\n')) != NULL; s = nl + 1)
		if (json_parse(&j, s, (size_t)(nl - s)) < 0
		    || api_chat.event(d, "", &j) < 0)
			ok(0, "%s", s);
}

#define MARKS \
	"{\"thoughts\":{\"<think>\":\"</think>\",\"[THINK]\":\"[/THINK]\"}}"

/* What a local server leaves in the text, in pieces of each length. */
static const struct {
	const char *in, *text, *thought;
} thoughts[] = {
	{"<think>I think</think>hi", "hi", "I think"},
	{" \\n<think>\\nI <b>think</b></think>\\n\\nhi </think>",
	    "hi </think>", "I <b>think</b>"},
	{"[THINK]a</think>[/THINK]b", "b", "a</think>"},
	{"<think>\\n\\n</think>\\n\\nhi", "hi", ""},
	{"<think>cut</thi", "", "cut</thi"},
	{"<think>all</think>", "", "all"},
	{"<thin", "<thin", ""}, {" <thin air", " <thin air", ""},
	{"a <think>b</think>", "a <think>b</think>", ""}, {" ", " ", ""},
};

static void
sift(struct reply *d, size_t i, const struct json *marks)
{
	static struct buf piece;
	const char *in = thoughts[i].in, *p;
	size_t step, n;
	int good = 1;

	for (step = 1; step <= strlen(in); step++) {
		reply_reset(d);
		d->thoughts = marks;
		d->thoughts_at = json_get(marks, 0, "thoughts");
		for (p = in; *p != '\0'; p += n) {
			for (n = 0; n < step && p[n] != '\0'; n++)
				n += p[n] == '\\';
			buf_reset(&piece);
			buf_printf(&piece, D("{\"content\":\"%.*s\"}"),
			    (int)n, p);
			feed(d, buf_cstr(&piece));
		}
		reply_settle(d);
		good &= strcmp(buf_cstr(&d->text), thoughts[i].text) == 0
		    && strcmp(buf_cstr(&d->reasoning), thoughts[i].thought)
			== 0
		    && (d->reasoning_name != NULL)
			== (*thoughts[i].thought != '\0');
	}
	ok(good, "thoughts: %s", in);
}

int
main(void)
{
	static struct json marks;
	static struct reply d;
	static struct buf b;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		reply_reset(&d);
		feed(&d, cases[i].chunks);
		reply_close(&d, 7);
		buf_reset(&b);
		emit_open(&b, '{');
		reply_put(&d, &b);
		emit_close(&b, '}');
		ok(strcmp(buf_cstr(&b), cases[i].message) == 0, "%s",
		    cases[i].name);
		if (strcmp(buf_cstr(&b), cases[i].message) != 0)
			printf("# %s\n# %s\n", b.p, cases[i].message);
	}
	if (json_parse(&marks, MARKS, sizeof(MARKS) - 1) < 0)
		return 1;
	for (i = 0; i < sizeof(thoughts) / sizeof(*thoughts); i++)
		sift(&d, i, &marks);
	d.thoughts_at = 0;
	reply_reset(&d);
	feed(&d, "{\"choices\":[],\"usage\":{\"prompt_tokens\":9,"
		 "\"completion_tokens\":2,\"prompt_tokens_details\":"
		 "{\"cached_tokens\":4},\"completion_tokens_details\":"
		 "{\"reasoning_tokens\":1}}}\n");
	ok(d.usage.n[USAGE_PROMPT] == 9 && d.usage.n[USAGE_COMPLETION] == 2
		&& d.usage.n[USAGE_CACHED] == 4 && d.usage.n[USAGE_REASONING] == 1
		&& d.usage.n[USAGE_WRITTEN] == -1,
	    "4.1.6 usage in a chunk without choices");
	reply_reset(&d);
	feed(&d, "{\"choices\":[{\"usage\":{\"prompt_tokens\":3},\"delta\":"
		 "{},\"finish_reason\":\"stop\"}]}\n");
	ok(d.usage.n[USAGE_PROMPT] == 3 && d.over, "4.1.6 usage in choices");
	reply_reset(&d);
	feed(&d, T("{\"index\":0,\"function\":{\"name\":\"f\","
		   "\"arguments\":\"{\"}}"));
	ok(reply_drop(&d) == 1 && d.ncalls == 0, "half a call is dropped");
	return done_testing();
}
