#include <stdlib.h>
#include <string.h>

#include "batchline.h"
#include "emit.h"
#include "json.h"

static const char path[] = "/chat/completions";

/* More than one answer, or more than a message: only a whole body has it. */
static int
wants_body(const struct json *j, int body)
{
	long long n;

	return (json_int(j, json_get(j, body, "n"), &n) == 0 && n > 1)
	    || json_true(j, json_get(j, body, "logprobs"));
}

void
batchline_check(const struct rec *r, int at)
{
	struct json *j = record_json(r);
	int model = json_get(j, at, "model");
	int list = json_get(j, at, "messages"), m;
	char *name = json_dup(j, model);

	if (model >= 0 && json_kind(j, model) != JSON_NULL && name == NULL)
		record_bad(r, model, "expected the name of a model");
	free(name);
	if (json_kind(j, list) != JSON_ARRAY)
		record_bad(r, list, "expected a list of messages");
	for (m = json_first(j, list); m >= 0; m = json_next(j, m))
		if (json_kind(j, m) != JSON_OBJECT)
			record_bad(r, m, "expected a message");
}

void
batchline_request(struct buf *b, const struct rec *r)
{
	struct json *j = record_json(r);
	int id = json_get(j, 0, "custom_id"), url = json_get(j, 0, "url");
	int method = json_get(j, 0, "method"), body = json_get(j, 0, "body");
	struct span s = json_span(j, url);
	int k;

	if (id < 0 && body < 0)
		record_bad(r, 0, "expected a type or a role");
	if (json_kind(j, id) != JSON_STRING)
		record_bad(r, id, "expected a custom_id");
	if (method >= 0 && !json_is(j, method, "POST"))
		record_bad(r, method, "expected the method POST");
	if (url >= 0 && (s.n < sizeof(path) + 1 || memcmp(s.p + s.n
		- sizeof(path), path, sizeof(path) - 1) != 0))
		record_bad(r, url, "expected the url /v1/chat/completions");
	if (json_kind(j, body) != JSON_OBJECT)
		record_bad(r, body, "expected a body");
	batchline_check(r, body);
	emit_open(b, '{');
	emit_pair(b, "type", "request");
	emit_pairj(b, "id", json_span(j, id));
	if (wants_body(j, body))
		emit_pairb(b, "stream", 0);
	for (k = json_first(j, body); k >= 0; k = json_next(j, k)) {
		if (json_is(j, k, "type") || json_is(j, k, "id")
		    || (json_is(j, k, "stream") && wants_body(j, body)))
			continue;
		emit_member(b, j, k);
	}
	emit_close(b, '}');
}
