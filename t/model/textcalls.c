/* Calls that leaked into the text. */

#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "textcalls.h"

static const char request[] =
    "{\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"ls\","
    "\"parameters\":{\"type\":\"object\"}}},{\"type\":\"function\","
    "\"function\":{\"name\":\"read_file\"}}]}";

#define LS "{\"name\": \"ls\", \"arguments\": {\"path\": \".\"}}"
#define LS_IS "ls {\"path\": \".\"};"

static const struct {
	const char *text, *form, *calls; /* form NULL: it is text */
} cases[] = {
	{"<tool_call>" LS "</tool_call>", "tool_call", LS_IS},
	{"\n<tool_call>\n" LS "\n</tool_call>\n", "tool_call", LS_IS},
	{"<tool_call>" LS "</tool_call>\n<tool_call>" LS "</tool_call>",
	    "tool_call", LS_IS LS_IS},
	{"<tool_call>[" LS "," LS "]</tool_call>", "tool_call", LS_IS LS_IS},
	{"I look.\n<tool_call>" LS "</tool_call>", NULL, ""},
	{"<tool_call>" LS "</tool_call>\nThere.", NULL, ""},
	{"<tool_call>" LS, NULL, ""},
	{"<tool_call>{\"name\":\"rm\",\"arguments\":{}}</tool_call>", NULL, ""},
	{"<tool_call>{\"name\":\"ls\",\"arguments\":{}</tool_call>", NULL, ""},
	{"<tool_call>{\"name\":\"ls\",\"arguments\":{}}}</tool_call>", NULL,
	    ""},
	{LS, "json", LS_IS}, {" [" LS "] ", "json", LS_IS},
	{LS LS, "json", LS_IS LS_IS},
	{"[" LS ",{\"name\":\"rm\",\"arguments\":{}}]", NULL, ""},
	{"[]", NULL, ""}, {"{}", NULL, ""}, {"ls", NULL, ""}, {"", NULL, ""},
	{"{\"name\":\"ls\"}", NULL, ""},
	{"{\"name\":\"ls\",\"arguments\":[1]}", NULL, ""},
	{"{\"name\":\"ls\",\"arguments\":{},\"why\":\"x\"}", NULL, ""},
	{"{\"name\":\"ls\",\"parameters\":{},\"id\":\"1\",\"type\":"
	    "\"function\"}", "json", "ls {};"},
	{"{\"type\":\"function\",\"function\":" LS "}", "json", LS_IS},
	{"{\"type\":\"function\",\"function\":" LS ",\"x\":1}", NULL, ""},
	{"{\"name\":\"ls\",\"arguments\":\"{\\\"a\\\":1}\"}", "json",
	    "ls {\"a\":1};"},
	{"{\"name\":\"ls\",\"arguments\":\"a\"}", NULL, ""},
	{"{\"name\":\"ls\",\"arguments\":{\"a\":\"}{\\\"\"}}", "json",
	    "ls {\"a\":\"}{\\\"\"};"},
	{"```json\n" LS "\n```", "fence_json", LS_IS},
	{"```\n" LS "\n```", "fence", LS_IS},
	{"```json\n" LS "\n```\nDone.", NULL, ""},
	{"<function=ls>{\"path\":\".\"}</function>", "function",
	    "ls {\"path\":\".\"};"},
	{"<function=ls></function>", "function", "ls ;"},
	{"<function=ls{\"path\":\".\"}</function>", "function_open",
	    "ls {\"path\":\".\"};"},
	{"<function=ls{\"path\":\".\"}></function>", "function_late",
	    "ls {\"path\":\".\"};"},
	{"<function=rm>{}</function>", NULL, ""},
	{"<function=read_file>\n<parameter=path>\na\nb\n</parameter>\n"
	    "<parameter=limit>5</parameter>\n</function>",
	    "function_parameters",
	    "read_file {\"path\":\"a\\nb\",\"limit\":\"5\"};"},
	{"<function=ls><parameter=a>1</parameter><parameter=a>2</parameter>"
	    "</function>", NULL, ""},
	{"<tool_call>\n<function=ls>\n<parameter=path>\n.\n</parameter>\n"
	    "</function>\n</tool_call>", "tool_call_function",
	    "ls {\"path\":\".\"};"},
	{"<tool_call>ls{\"a\":1}</tool_call>", "tool_call_name",
	    "ls {\"a\":1};"},
	{"<invoke name=\"ls\"><parameter name=\"path\">.</parameter>"
	    "</invoke>", "invoke", "ls {\"path\":\".\"};"},
	{"[TOOL_CALLS] [" LS "]", "tool_calls_list", LS_IS},
	{"[TOOL_CALLS]ls[ARGS]{\"a\":1}", "tool_calls_args", "ls {\"a\":1};"},
	{"<|python_tag|>{\"type\":\"function\",\"name\":\"ls\","
	    "\"parameters\":{}}", "python_tag", "ls {};"},
	{"<function=l\0s></function>", NULL, ""},
};

static const struct {
	const char *text;
	int may;
} begins[] = {
	{"", 1}, {" \n", 1}, {"<", 1}, {"<tool_", 1}, {"<tool_call>\n", 1},
	{"<tool_call>{\"na", 1}, {"<tool_call>{\"name\": \"l", 1},
	{"<tool_call>{\"title\"", 0}, {"<table>", 0}, {"Look", 0}, {"{", 1},
	{"{\"", 1}, {"{\"name\"", 1}, {"{\"price\"", 0}, {"[", 1}, {"[1", 0},
	{"[ {\"arg", 1}, {"```", 1}, {"```js", 1}, {"```json\n{\"n", 1},
	{"```sh", 0}, {"<function=ls>", 1}, {"<function=rm>", 0},
	{"<function=ls><par", 1}, {"<function=ls><parameter=a>x", 1},
	{"<function=ls>hm", 0}, {LS, 1}, {LS " ", 1}, {LS "\nSo", 0},
	{"{\"name\":\"rm\",\"arguments\":{}}", 0},
};

int
main(void)
{
	static struct json j;
	static struct reply d;
	static struct buf b;
	struct span text;
	const char *form;
	size_t i, k;
	int good;

	setenv("TURNPIPE_PATH", "share", 0);
	json_parse(&j, request, sizeof(request) - 1);
	reply_reset(&d);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		text = (struct span){cases[i].text, strlen(cases[i].text)};
		form = textcalls_take(&d, &j, text);
		buf_reset(&b);
		for (k = 0; k < d.ncalls; k++) {
			buf_span(&b, buf_view(&d.call[k].name));
			buf_putc(&b, ' ');
			buf_span(&b, buf_view(&d.call[k].args));
			buf_putc(&b, ';');
		}
		good = (form == NULL) == (cases[i].form == NULL)
		    && (form == NULL || strcmp(form, cases[i].form) == 0)
		    && strcmp(buf_cstr(&b), cases[i].calls) == 0;
		ok(good, "'%s'", cases[i].text);
		if (!good)
			printf("# %s: %s\n", form == NULL ? "-" : form,
			    buf_cstr(&b));
		/* All that leads to calls may become some. */
		good = 1;
		for (k = 0; form != NULL && k <= text.n; k++)
			if (!textcalls_begun(&j, (struct span){text.p, k}))
				good = 0;
		ok(good, "'%s' from its beginning on", cases[i].text);
		reply_drop(&d);
	}
	for (i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		text = (struct span){begins[i].text, strlen(begins[i].text)};
		ok(textcalls_begun(&j, text) == begins[i].may, "begun: '%s'",
		    begins[i].text);
	}
	return done_testing();
}
