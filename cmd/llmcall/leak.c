#include <stdlib.h>

#include "callform.h"
#include "leak.h"
#include "yamlfile.h"

enum { LEAK_MAX = 1 << 20 };

static struct callform scan;

static const struct json *
table(void)
{
	static struct table t;

	return table_read(&t, "leaks.yaml");
}

/* Of all forms the first that fits; else that one may.  *name is set. */
static enum callform_match
try(const struct json *request, struct span text, char **name)
{
	const struct json *q = table();
	enum callform_match m, best = CALLFORM_NO;
	char *form, *parameter;
	int k = json_first(q, json_get(q, 0, "forms"));

	scan.request = request;
	scan.words = q;
	*name = NULL;
	for (; k >= 0 && best != CALLFORM_YES && text.n <= LEAK_MAX;
	     k = json_next(q, k)) {
		form = json_dup(q, json_get(q, k, "text"));
		parameter = json_dup(q, json_get(q, k, "parameter"));
		scan.parameter = parameter == NULL ? "" : parameter;
		m = form == NULL || *form == '\0'
		    ? CALLFORM_NO
		    : callform_match(&scan, form, text);
		if (m == CALLFORM_YES)
			*name = json_dup(q, json_get(q, k, "name"));
		if (m != CALLFORM_NO)
			best = m;
		free(form);
		free(parameter);
	}
	return best;
}

int
leak_expected(const struct json *request)
{
	int format = json_get(request, 0, "response_format");
	int type = json_get(request, format, "type");

	return json_count(request, json_get(request, 0, "tools")) > 0
	    && !json_is(request, json_get(request, 0, "tool_choice"), "none")
	    && (type < 0 || json_is(request, type, "text"))
	    && json_get(table(), 0, "forms") >= 0;
}

int
leak_begun(const struct json *request, struct span text)
{
	enum callform_match m;
	char *name;

	m = try(request, text, &name);
	free(name);
	callform_reset(&scan);
	return m != CALLFORM_NO;
}

const char *
leak_take(struct delta *d, const struct json *request, struct span text)
{
	static struct strs names;
	struct delta_call *c;
	const char *kept;
	char *name;
	size_t i;

	if (try(request, text, &name) != CALLFORM_YES || name == NULL) {
		free(name);
		callform_reset(&scan);
		return NULL;
	}
	for (i = 0; i < scan.n; i++) {
		c = delta_add(d, -1);
		buf_span(&c->name, buf_view(&scan.v[i].name));
		buf_span(&c->args, buf_view(&scan.v[i].args));
	}
	callform_reset(&scan);
	kept = strs_once(&names, name);
	free(name);
	return kept;
}
