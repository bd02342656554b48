#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "emit.h"
#include "markup.h"
#include "nothing.h"
#include "resulttext.h"
#include "settings.h"

int
batch_open(const struct toolcall *c, struct toolcalls *parts, struct buf *why)
{
	const struct json *j = &c->args;
	int tools = json_get(j, 0, "tools"), i;
	size_t n = json_kind(j, tools) == JSON_ARRAY
	    ? (size_t)json_count(j, tools) : 0;
	struct buf id = { 0 };
	char most[24];
	const char *pairs[] = { "number", most, NULL };

	snprintf(most, sizeof(most), "%d", BATCH_MAX);
	if (n == 0 || n > BATCH_MAX) {
		resulttext(why, "batch_size", pairs);
		return -1;
	}
	for (i = json_first(j, tools); i >= 0; i = json_next(j, i)) {
		buf_reset(&id);
		buf_printf(&id, "%s/%zu", c->id, parts->n + 1);
		toolcalls_add(parts, buf_cstr(&id), j, i);
	}
	buf_free(&id);
	return 0;
}

/* Part i between its tags, which nothing in it closes. */
static void
put_part(struct buf *b, struct job *part, size_t i)
{
	static struct buf name, begin, end;
	static struct strs tags;
	struct span text = buf_view(&part->content);
	char number[24];
	const char *pairs[] = { "number", number, "name", NULL, NULL };

	buf_reset(&name);
	markup_attr(&name, part->call->name, strlen(part->call->name));
	pairs[3] = buf_cstr(&name);
	snprintf(number, sizeof(number), "%zu", i + 1);
	buf_reset(&end);
	resulttext(&end, "batch_end", pairs);
	strs_reset(&tags);
	markup_closed(&tags, buf_cstr(&end), end.n);
	if (b->n > 0)
		buf_putc(b, '\n');
	buf_reset(&begin);
	resulttext(&begin, "batch_part", pairs);
	markup_rename(b, begin.p, begin.n, &tags, text);
	buf_putc(b, '\n');
	buf_span(b, text);
	if (b->p[b->n - 1] != '\n')
		buf_putc(b, '\n');
	markup_rename(b, end.p, end.n, &tags, text);
}

/* Bytes that a part may have so that all together have no more than max. */
static size_t
share(const struct job *parts, size_t n, size_t max)
{
	size_t i, all = SIZE_MAX, sum, fit, most = 0;

	/* The large parts share the space that the small ones leave. */
	while (most != all) {
		all = most;
		for (i = sum = fit = 0; i < n; i++)
			if (parts[i].content.n <= all) {
				sum += parts[i].content.n;
				fit++;
			}
		if (fit == n)
			return SIZE_MAX;
		most = (max - sum) / (n - fit);
	}
	return most;
}

/* Add a part's state to that of its batch. */
static void
merge(struct job *j, const struct job *part)
{
	size_t i;

	if (part->started) {
		if (!j->started || part->began < j->began)
			j->began = part->began;
		j->started = 1;
	}
	j->interrupted |= part->interrupted;
	j->denied &= part->denied;
	j->unasked |= part->unasked;
	if (job_failed(part))
		j->exit = 1;
	if (part->said.context.n > 0) {
		buf_puts(&j->said.context, j->said.context.n > 0 ? "\n" : "");
		buf_span(&j->said.context, buf_view(&part->said.context));
	}
	for (i = 0; i < part->loaded.n; i++)
		strs_once(&j->loaded, part->loaded.v[i]);
}

void
batch_gather(struct job *j, struct job *parts, size_t n, size_t max)
{
	static struct strs nothing;
	size_t i, most = share(parts, n, max);

	strs_reset(&nothing);
	settings_strs("histfit.nothing", &nothing);
	j->denied = 1;
	j->exit = 0;
	emit_open(&j->tp, '[');
	for (i = 0; i < n; i++) {
		merge(j, &parts[i]);
		emit_open(&j->tp, '{');
		emit_pair(&j->tp, "name", parts[i].call->name);
		job_outcome(&parts[i], &j->tp);
		if (job_failed(&parts[i]))
			emit_pairb(&j->tp, "failed", 1);
		else if (nothing_is(&nothing, buf_view(&parts[i].content)))
			emit_pairb(&j->tp, "empty", 1);
		job_clip(&parts[i], most);
		put_part(&j->content, &parts[i], i);
		emit_close(&j->tp, '}');
	}
	emit_close(&j->tp, ']');
	for (i = 0; i < n; i++)
		if (parts[i].started
		    && parts[i].began + parts[i].ms > j->began + j->ms)
			j->ms = parts[i].began + parts[i].ms - j->began;
	if (!j->started)
		j->exit = -1;
	for (i = 0; i < n; i++)
		job_free(&parts[i]);
}
