/*
 * Streams as servers send them, to the message that comes of them: each in
 * one piece, cut at every byte into two writes, and byte by byte.
 */
#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "apierror.h"
#include "emit.h"
#include "sse.h"
#include "tap.h"

#define E(type, x) "event: " type "\ndata: {\"type\":\"" type "\"" x "}\n\n"
#define PING "event: ping\ndata: {\"type\": \"ping\"}\n\n"
#define M0                                                                    \
	E("message_start", ",\"message\":{\"id\":\"msg_1\",\"type\":"         \
	    "\"message\",\"role\":\"assistant\",\"content\":[],\"model\":"    \
	    "\"m-1\",\"stop_reason\":null,\"usage\":{\"input_tokens\":4,"     \
	    "\"cache_creation_input_tokens\":20,"                             \
	    "\"cache_read_input_tokens\":100,\"output_tokens\":1}}")
#define MEND(why)                                                             \
	E("message_delta", ",\"delta\":{\"stop_reason\":\"" why "\","         \
	    "\"stop_sequence\":null},\"usage\":{\"output_tokens\":9}")        \
	E("message_stop", "")
#define START(i, x)                                                           \
	E("content_block_start", ",\"index\":" i ",\"content_block\":{" x "}")
#define DELTA(i, x)                                                           \
	E("content_block_delta", ",\"index\":" i ",\"delta\":{" x "}")
#define STOP(i) E("content_block_stop", ",\"index\":" i)
#define TEXT0(i) START(i, "\"type\":\"text\",\"text\":\"\"")
#define TEXT(i, s) DELTA(i, "\"type\":\"text_delta\",\"text\":\"" s "\"")
#define USE(i, id, name)                                                      \
	START(i, "\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"" name   \
	    "\",\"input\":{}")
#define ARGS(i, s)                                                            \
	DELTA(i, "\"type\":\"input_json_delta\",\"partial_json\":\"" s "\"")
#define THINK0(i)                                                             \
	START(i, "\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"")
#define THINK(i, s)                                                           \
	DELTA(i, "\"type\":\"thinking_delta\",\"thinking\":\"" s "\"")
#define SIGN(i, s)                                                            \
	DELTA(i, "\"type\":\"signature_delta\",\"signature\":\"" s "\"")
#define MUSE "124/9 cached 100 written 20"

#define R0                                                                    \
	E("response.created", ",\"response\":{\"id\":\"r\",\"model\":"        \
	    "\"m-1\",\"error\":null,\"status\":\"in_progress\"}")             \
	E("response.in_progress", ",\"response\":{\"error\":null}")
#define RUSE                                                                  \
	"\"usage\":{\"input_tokens\":50,\"input_tokens_details\":"            \
	"{\"cached_tokens\":30},\"output_tokens\":9,"                         \
	"\"output_tokens_details\":{\"reasoning_tokens\":6}}"
#define REND(output)                                                          \
	E("response.completed", ",\"response\":{\"id\":\"r\",\"status\":"     \
	    "\"completed\",\"error\":null,\"incomplete_details\":null,"       \
	    "\"output\":[" output "]," RUSE "}")
#define ADDED(i, x)                                                           \
	E("response.output_item.added", ",\"output_index\":" i ",\"item\":{" x "}")
#define DONE(i, x)                                                            \
	E("response.output_item.done", ",\"output_index\":" i ",\"item\":{" x "}")
#define RTEXT(i, s)                                                           \
	E("response.output_text.delta", ",\"item_id\":\"x\",\"output_index\":" i \
	    ",\"content_index\":0,\"delta\":\"" s "\"")
#define RARGS(i, s)                                                           \
	E("response.function_call_arguments.delta",                           \
	    ",\"output_index\":" i ",\"delta\":\"" s "\"")
#define RMSG "\"type\":\"message\",\"id\":\"msg\",\"role\":\"assistant\","    \
	"\"content\":["
#define RPART(s) "{\"type\":\"output_text\",\"text\":\"" s "\"}"
#define RCITED                                                                \
	"{\"type\":\"output_text\",\"text\":\"bcd\",\"annotations\":["        \
	"{\"type\":\"url_citation\",\"start_index\":1,\"end_index\":3,"        \
	"\"url\":\"http://x\",\"title\":\"X\"},{\"type\":\"file_citation\","    \
	"\"index\":2,\"file_id\":\"f1\",\"filename\":\"a.txt\"}]}"
#define RCALL(id, name, args)                                                 \
	"\"type\":\"function_call\",\"id\":\"fc_" id "\",\"call_id\":\"" id   \
	"\",\"name\":\"" name "\",\"arguments\":\"" args "\""
#define RTHINK(s, seal)                                                       \
	"\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[{\"type\":"      \
	"\"summary_text\",\"text\":\"" s "\"}],\"encrypted_content\":\"" seal "\""
#define RUSED "50/9 cached 30 reasoning 6"

#define MSG(c, x) "{\"role\":\"assistant\",\"content\":" c x "}"
#define CALL(id, n, a)                                                        \
	"{\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":\""  \
	n "\",\"arguments\":\"" a "\"}}"
#define SOURCES(x) ",\"annotations\":[" x "]"
#define CITED                                                                 \
	"\"type\":\"web_search_result_location\",\"url\":\"http://x\","       \
	"\"title\":\"X\",\"encrypted_index\":\"e\",\"cited_text\":\"so\""
#define CALLS(x) ",\"tool_calls\":[" x "]"
#define NATIVE(api, x)                                                        \
	",\"native\":{\"api\":\"" api "\",\"provider\":\"p\",\"model\":\"m\"," \
	"\"blocks\":[" x "]}"

static const struct {
	const char *name, *api, *in;
	const char *message, *finish, *usage;
	int over;
} cases[] = {
	{"text, pings anywhere", "messages",
	    PING M0 PING TEXT0("0") TEXT("0", "Hel") PING TEXT("0", "l\xc3\xb6")
	    STOP("0") MEND("end_turn"), MSG("\"Hell\xc3\xb6\"", ""),
	    "end_turn", MUSE, 1},
	{"no event lines: the type in the data counts", "messages",
	    "data: {\"type\":\"content_block_start\",\"index\":0,"
	    "\"content_block\":{\"type\":\"text\",\"text\":\"a\"}}\n\n"
	    "data:{\"type\":\"message_stop\"}\n\n", MSG("\"a\"", ""), "",
	    "", 1},
	{"no type in the data: the event line counts", "messages",
	    "event: content_block_delta\ndata: {\"index\":0,\"delta\":"
	    "{\"type\":\"text_delta\",\"text\":\"a\"}}\n\n"
	    "event: message_stop\ndata: {}\n\n", MSG("\"a\"", ""), "", "", 1},
	{"calls, input in pieces, empty pieces, no input at all",
	    "messages", M0 TEXT0("0") TEXT("0", "ok") STOP("0")
	    USE("1", "toolu_1", "ls") ARGS("1", "") ARGS("1", "{\\\"a\\\":")
	    ARGS("1", " 1}") STOP("1") USE("2", "toolu_2", "pwd")
	    ARGS("2", "") STOP("2") MEND("tool_use"),
	    MSG("\"ok\"", CALLS(CALL("toolu_1", "ls", "{\\\"a\\\": 1}") ","
		CALL("toolu_2", "pwd", "{}"))), "tool_use", MUSE, 1},
	{"the input there from the start, or replaced by its pieces",
	    "messages", M0
	    START("0", "\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"f\","
		"\"input\":{\"x\":1}") STOP("0")
	    START("1", "\"type\":\"tool_use\",\"id\":\"b\",\"name\":\"g\","
		"\"input\":{\"x\":1}") ARGS("1", "{\\\"x\\\":1}")
	    MEND("tool_use"),
	    MSG("null", CALLS(CALL("a", "f", "{\\\"x\\\":1}") ","
		CALL("b", "g", "{\\\"x\\\":1}"))), "tool_use", MUSE, 1},
	{"blocks that come mixed are distinguished by index", "messages",
	    M0 USE("0", "a", "f") USE("1", "b", "g") ARGS("1", "{\\\"y\\\"")
	    ARGS("0", "{\\\"x\\\"") ARGS("1", ":2}") ARGS("0", ":1}")
	    MEND("tool_use"),
	    MSG("null", CALLS(CALL("a", "f", "{\\\"x\\\":1}") ","
		CALL("b", "g", "{\\\"y\\\":2}"))), "tool_use", MUSE, 1},
	{"thinking with its signature, and what is sealed, as they came",
	    "messages", M0 THINK0("0") THINK("0", "I ") THINK("0", "see")
	    SIGN("0", "c2ln") STOP("0")
	    START("1", "\"type\":\"redacted_thinking\",\"data\":\"ZGF0YQ==\"")
	    STOP("1") TEXT0("2") TEXT("2", "yes") STOP("2")
	    USE("3", "toolu_1", "ls") STOP("3") MEND("tool_use"),
	    MSG("\"yes\"", ",\"reasoning\":\"I see\""
		CALLS(CALL("toolu_1", "ls", "{}")) NATIVE("messages",
		"{\"type\":\"thinking\",\"thinking\":\"I see\",\"signature\":"
		"\"c2ln\"},{\"type\":\"redacted_thinking\",\"data\":"
		"\"ZGF0YQ==\"},{\"text\":3},{\"call\":\"toolu_1\"}")),
	    "tool_use", MUSE, 1},
	{"thinking between texts keeps its place", "messages",
	    M0 TEXT0("0") TEXT("0", "a\xc3\xb6") STOP("0") THINK0("1")
	    THINK("1", "t") SIGN("1", "s") STOP("1") TEXT0("2")
	    TEXT("2", "b") STOP("2") MEND("end_turn"),
	    MSG("\"a\xc3\xb6" "b\"", ",\"reasoning\":\"t\""
		NATIVE("messages", "{\"text\":3},{\"type\":\"thinking\","
		"\"thinking\":\"t\",\"signature\":\"s\"},{\"text\":1}")),
	    "end_turn", MUSE, 1},
	{"a block of the provider's own, its input in pieces", "messages",
	    M0 START("0", "\"type\":\"server_tool_use\",\"id\":\"s1\","
		"\"name\":\"web_search\",\"input\":{}")
	    ARGS("0", "{\\\"q\\\":") ARGS("0", "\\\"x\\\"}") STOP("0")
	    TEXT0("1") TEXT("1", "b") STOP("1") MEND("pause_turn"),
	    MSG("\"b\"", NATIVE("messages", "{\"type\":\"server_tool_use\","
		"\"id\":\"s1\",\"name\":\"web_search\",\"input\":{\"q\":"
		"\"x\"}},{\"text\":1}")), "pause_turn", MUSE, 1},
	{"unknown events, deltas and fields are passed over", "messages",
	    M0 E("content_block_news", ",\"index\":0,\"x\":{}")
	    TEXT0("0") DELTA("0", "\"type\":\"news_delta\",\"news\":"
		"{\"x\":1}") TEXT("0", "a") E("later", "") MEND("stop_sequence"),
	    MSG("\"a\"", ""), "stop_sequence", MUSE, 1},
	{"sources count characters of the content, and go back",
	    "messages", M0 TEXT0("0") TEXT("0", "\xc3\xb6: ") STOP("0")
	    TEXT0("1") DELTA("1", "\"type\":\"citations_delta\",\"citation\":{"
		CITED "}") TEXT("1", "\xe2\x82\xac" "a") STOP("1")
	    TEXT0("2") TEXT("2", "!") STOP("2") MEND("end_turn"),
	    MSG("\"\xc3\xb6: \xe2\x82\xac" "a!\"", SOURCES(
		"{\"type\":\"url_citation\",\"url_citation\":{\"start_index\":3,"
		"\"end_index\":5,\"url\":\"http://x\",\"title\":\"X\","
		"\"content\":\"so\"}}") NATIVE("messages", "{\"text\":4},"
		"{\"text\":4,\"citations\":[{" CITED "}]},{\"text\":1}")),
	    "end_turn", MUSE, 1},
	{"a source that is a file, in a block that came whole", "messages",
	    M0 START("0", "\"type\":\"text\",\"text\":\"ab\",\"citations\":[{"
		"\"type\":\"char_location\",\"cited_text\":\"so\","
		"\"document_title\":\"T\",\"start_char_index\":70}]")
	    MEND("end_turn"), MSG("\"ab\"", SOURCES(
		"{\"type\":\"file_citation\",\"file_citation\":{\"start_index\":0,"
		"\"end_index\":2,\"title\":\"T\",\"content\":\"so\"}}")
		NATIVE("messages", "{\"text\":2,\"citations\":[{\"type\":"
		"\"char_location\",\"cited_text\":\"so\",\"document_title\":"
		"\"T\",\"start_char_index\":70}]}")), "end_turn", MUSE, 1},
	{"null counts leave what was said before", "messages",
	    M0 TEXT0("0") TEXT("0", "a")
	    E("message_delta", ",\"delta\":{\"stop_reason\":\"end_turn\"},"
		"\"usage\":{\"input_tokens\":null,\"cache_read_input_tokens\":"
		"null,\"output_tokens\":9}") E("message_stop", ""),
	    MSG("\"a\"", ""), "end_turn", MUSE, 1},
	{"no message_stop: not over", "messages",
	    M0 TEXT0("0") TEXT("0", "a") STOP("0")
	    E("message_delta", ",\"delta\":{\"stop_reason\":\"end_turn\"}"),
	    MSG("\"a\"", ""), "end_turn", "124/-1 cached 100 written 20", 0},
	{"an error in the stream", "messages", M0 TEXT0("0")
	    TEXT("0", "a") E("error", ",\"error\":{\"type\":"
		"\"overloaded_error\",\"message\":\"Overloaded\"}"),
	    MSG("\"a\"", ""), "!overloaded_error: Overloaded",
	    "124/-1 cached 100 written 20", 0},

	{"text", "responses", R0 ADDED("0", RMSG "]")
	    E("response.content_part.added", ",\"output_index\":0,\"part\":"
		"{\"type\":\"output_text\",\"text\":\"\"}")
	    RTEXT("0", "Hel") RTEXT("0", "lo")
	    E("response.output_text.done", ",\"output_index\":0,\"text\":"
		"\"Hello\"") DONE("0", RMSG RPART("Hello") "]")
	    REND("{" RMSG RPART("Hello") "]}"),
	    MSG("\"Hello\"", ""), "completed", RUSED, 1},
	{"sources by their own offsets, once, after earlier items and parts",
	    "responses", R0 RTEXT("0", "\xc3\xb6")
	    DONE("0", RMSG RPART("\xc3\xb6") "]")
	    RTEXT("1", "\xc3\xa4") RTEXT("1", "bcd")
	    DONE("1", RMSG RPART("\xc3\xa4") "," RCITED "]")
	    REND("{" RMSG RPART("\xc3\xb6") "]},{"
		RMSG RPART("\xc3\xa4") "," RCITED "]}"),
	    MSG("\"\xc3\xb6\xc3\xa4" "bcd\"", SOURCES(
		"{\"type\":\"url_citation\",\"url_citation\":{\"start_index\":3,"
		"\"end_index\":5,\"url\":\"http://x\",\"title\":\"X\"}},"
		"{\"type\":\"file_citation\",\"file_citation\":{\"start_index\":4,"
		"\"end_index\":4,\"file_id\":\"f1\",\"title\":\"a.txt\"}}")),
	    "completed", RUSED, 1},
	{"text that only stands at the end", "responses",
	    REND("{" RMSG RPART("a") "," RPART("b") "]}"),
	    MSG("\"ab\"", ""), "completed", RUSED, 1},
	{"calls by output_index, answered by call_id", "responses",
	    R0 ADDED("0", RCALL("call_a", "f", ""))
	    ADDED("1", RCALL("call_b", "g", "")) RARGS("1", "{\\\"y\\\"")
	    RARGS("0", "{}") RARGS("1", ":2}")
	    E("response.function_call_arguments.done", ",\"output_index\":1,"
		"\"arguments\":\"{\\\"y\\\":2}\"")
	    DONE("0", RCALL("call_a", "f", "{}"))
	    DONE("1", RCALL("call_b", "g", "{\\\"y\\\":2}"))
	    REND("{" RCALL("call_a", "f", "{}") "},{"
		RCALL("call_b", "g", "{\\\"y\\\":2}") "}"),
	    MSG("null", CALLS(CALL("call_a", "f", "{}") ","
		CALL("call_b", "g", "{\\\"y\\\":2}"))), "completed", RUSED,
	    1},
	{"arguments that only function_call_arguments.done has",
	    "responses", R0 ADDED("0", RCALL("call_a", "f", ""))
	    E("response.function_call_arguments.done", ",\"output_index\":0,"
		"\"arguments\":\"{\\\"y\\\":2}\"")
	    REND(""),
	    MSG("null", CALLS(CALL("call_a", "f", "{\\\"y\\\":2}"))),
	    "completed", RUSED, 1},
	{"no call comes twice where the last list counts otherwise",
	    "responses", R0 ADDED("0", RTHINK("", ""))
	    ADDED("1", RCALL("call_a", "f", "")) RARGS("1", "{}")
	    REND("{" RCALL("call_a", "f", "{}") "}"),
	    MSG("null", CALLS(CALL("call_a", "f", "{}")) NATIVE("responses",
		"{" RTHINK("", "") "},{\"call\":\"call_a\"}")), "completed",
	    RUSED, 1},
	{"reasoning as the last word on it has it", "responses",
	    R0 ADDED("0", RTHINK("", "early"))
	    E("response.reasoning_summary_text.delta", ",\"output_index\":0,"
		"\"summary_index\":0,\"delta\":\"I \"")
	    E("response.reasoning_summary_text.delta", ",\"output_index\":0,"
		"\"summary_index\":0,\"delta\":\"see\"")
	    DONE("0", RTHINK("I see", "middle"))
	    ADDED("1", RCALL("call_a", "f", "")) RARGS("1", "{}")
	    DONE("1", RCALL("call_a", "f", "{}"))
	    REND("{" RTHINK("I see", "last") "},{"
		RCALL("call_a", "f", "{}") "}"),
	    MSG("null", ",\"reasoning\":\"I see\""
		CALLS(CALL("call_a", "f", "{}")) NATIVE("responses",
		"{" RTHINK("I see", "last") "},{\"call\":\"call_a\"}")),
	    "completed", RUSED, 1},
	{"summaries are paragraphs", "responses",
	    R0 ADDED("0", "\"type\":\"reasoning\",\"summary\":[]")
	    E("response.reasoning_summary_text.delta", ",\"output_index\":0,"
		"\"summary_index\":0,\"delta\":\"a\"")
	    E("response.reasoning_summary_text.delta", ",\"output_index\":0,"
		"\"summary_index\":1,\"delta\":\"b\"") RTEXT("1", "x")
	    REND(""), MSG("\"x\"", ",\"reasoning\":\"a\\n\\nb\""
		NATIVE("responses", "{\"type\":\"reasoning\",\"summary\":[]},"
		"{\"text\":1}")), "completed", RUSED, 1},
	{"a refusal", "responses", R0 ADDED("0", RMSG "]")
	    E("response.refusal.delta", ",\"output_index\":0,\"delta\":\"no\"")
	    DONE("0", RMSG "{\"type\":\"refusal\",\"refusal\":\"no\"}]")
	    REND(""), MSG("\"\"", ",\"refusal\":\"no\""), "completed", RUSED,
	    1},
	{"incomplete, with its reason", "responses", R0
	    RTEXT("0", "ha") E("response.incomplete", ",\"response\":"
		"{\"status\":\"incomplete\",\"error\":null,"
		"\"incomplete_details\":{\"reason\":\"max_output_tokens\"},"
		RUSE "}"), MSG("\"ha\"", ""), "max_output_tokens", RUSED, 1},
	{"the end missing: not over", "responses", R0 RTEXT("0", "ha"),
	    MSG("\"ha\"", ""), "", "", 0},
	{"response.failed", "responses", R0 RTEXT("0", "ha")
	    E("response.failed", ",\"response\":{\"status\":\"failed\","
		"\"error\":{\"code\":\"server_error\",\"message\":\"oh\"}}"),
	    MSG("\"ha\"", ""), "!server_error: oh", "", 0},
	{"an error event", "responses", R0 E("error",
		",\"code\":\"rate_limit_exceeded\",\"message\":\"slow\","
		"\"param\":null,\"sequence_number\":3"), MSG("\"\"", ""),
	    "!rate_limit_exceeded: slow", "", 0},
	{"chat: text and a call", "chat",
	    ": keep\r\n\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"h\xc3\xb6\"}}]}\r\n\r\n"
	    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,"
	    "\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":"
	    "\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n"
	    "data: [DONE]\n\n",
	    MSG("\"h\xc3\xb6\"", CALLS(CALL("a", "f", "{}"))), "tool_calls",
	    "", 1},
};

struct run {
	const struct api *f;
	struct reply d;
	struct apierror fault;
	int failed;
};

static void
on_event(void *arg, const char *type, const char *data, size_t n)
{
	static struct json j;
	struct run *r = arg;

	if (n >= 6 && memcmp(data, "[DONE]", 6) == 0)
		return;
	if (json_parse(&j, data, n) < 0) {
		ok(0, "%s", j.why);
	} else if (apierror_in(&j)) {
		apierror_read(&r->fault, &j);
		r->failed = 1;
	} else if (!r->failed) {
		r->f->event(&r->d, type, &j);
	}
}

static void
count(struct buf *b, const char *name, long long v)
{
	if (v >= 0)
		buf_printf(b, " %s %lld", name, v);
}

/* All that came of it, in one text. */
static void
tell(struct run *r, struct buf *b)
{
	const long long *u = r->d.usage.n;

	buf_reset(b);
	reply_close(&r->d, 0);
	emit_open(b, '{');
	reply_put(&r->d, b);
	emit_close(b, '}');
	buf_putc(b, '\n');
	if (r->failed)
		buf_putc(b, '!');
	if (r->failed)
		apierror_say(&r->fault, b);
	else
		buf_span(b, buf_view(&r->d.finish));
	buf_putc(b, '\n');
	if (u[USAGE_PROMPT] >= 0)
		buf_printf(b, "%lld/%lld", u[USAGE_PROMPT], u[USAGE_COMPLETION]);
	count(b, "cached", u[USAGE_CACHED]);
	count(b, "written", u[USAGE_WRITTEN]);
	count(b, "reasoning", u[USAGE_REASONING]);
	buf_printf(b, "\n%d", r->d.over);
}

/* Fed in two writes, cut at k; byte by byte where k is the length + 1. */
static void
play(struct run *r, const char *in, size_t k, struct buf *b)
{
	static struct sse s;
	size_t n = strlen(in), i;

	sse_reset(&s);
	s.event = on_event;
	s.arg = r;
	reply_reset(&r->d);
	apierror_reset(&r->fault);
	r->d.api = r->f->name;
	r->d.provider = "p";
	r->d.asked = "m";
	r->failed = 0;
	if (k <= n) {
		sse_feed(&s, in, k);
		sse_feed(&s, in + k, n - k);
	} else {
		for (i = 0; i < n; i++)
			sse_feed(&s, in + i, 1);
	}
	sse_end(&s);
	tell(r, b);
}

int
main(void)
{
	static struct run r;
	static struct buf got, want, cut;
	size_t i, k, n, bad;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		r.f = api_named(cases[i].api);
		n = strlen(cases[i].in);
		play(&r, cases[i].in, n, &got);
		buf_reset(&want);
		buf_printf(&want, "%s\n%s\n%s\n%d", cases[i].message,
		    cases[i].finish, cases[i].usage, cases[i].over);
		ok(strcmp(buf_cstr(&got), buf_cstr(&want)) == 0, "%s",
		    cases[i].name);
		if (strcmp(buf_cstr(&got), buf_cstr(&want)) != 0)
			printf("# %s\n# expected\n# %s\n", got.p, want.p);
		for (bad = 0, k = 0; k <= n + 1; k++) {
			play(&r, cases[i].in, k, &cut);
			bad += cut.n != got.n
			    || memcmp(cut.p, got.p, got.n) != 0;
		}
		ok(bad == 0, "%s, however it is cut", cases[i].name);
	}
	return done_testing();
}
