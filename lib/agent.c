#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"
#include "diag.h"
#include "emit.h"
#include "file.h"
#include "json.h"
#include "path.h"

enum { AGENT_MAX = 1 << 20 };

static struct span
trim(struct span s)
{
	while (s.n > 0 && strchr(" \t\r\n", s.p[0]) != NULL) {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && strchr(" \t\r\n", s.p[s.n - 1]) != NULL)
		s.n--;
	return s;
}

int
agent_read(struct agent *a, const char *path)
{
	enum file_result r;

	buf_reset(&a->text);
	free(a->path);
	a->path = xstrdup(path);
	r = file_read(path, &a->text, AGENT_MAX);
	if (r != FILE_OK) {
		warn("%s: %s", path, file_why(r));
		return -1;
	}
	if (front_parse(&a->front, buf_cstr(&a->text), a->text.n) < 0) {
		warn("%s:%zu:%zu: %s", path, a->front.line, a->front.col,
		    a->front.why);
		return -1;
	}
	a->body = trim(a->front.body);
	return 0;
}

void
agent_others(struct strs *l, const char *path)
{
	static struct strs all;
	static struct agent a;
	size_t i;

	path_list(&all, "agents", ".md");
	for (i = 0; i < all.n; i++)
		if (strcmp(all.v[i], path) != 0
		    && agent_read(&a, all.v[i]) == 0
		    && json_get(&a.front.yml.json, 0, "description") >= 0)
			strs_add(l, all.v[i]);
	strs_reset(&all);
}

void
agent_field(struct buf *b, const char *key, const char *value, size_t n)
{
	static struct json j;

	emit_key(b, key);
	if (json_parse(&j, value, n) == 0 && json_kind(&j, 0) != JSON_STRING)
		emit_raw(b, value, n);
	else
		emit_str(b, value, n);
}

void
agent_config(const struct agent *a, struct buf *b)
{
	static struct buf text;
	const struct json *j = &a->front.yml.json;
	char *key;
	int k;

	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		key = json_dup(j, k);
		buf_reset(&text);
		if (key == NULL || strcmp(key, "name") == 0
		    || strcmp(key, "description") == 0
		    || strcmp(key, "type") == 0 || strcmp(key, "by") == 0) {
			free(key);
			continue;
		}
		if (json_str(j, k + 1, &text) == 0) {
			agent_field(b, key, text.p, text.n);
		} else {
			emit_key(b, key);
			emit_span(b, json_span(j, k + 1));
		}
		free(key);
	}
}
