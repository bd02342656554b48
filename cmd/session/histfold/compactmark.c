#include "compactmark.h"
#include "diag.h"
#include "emit.h"
#include "record.h"

static const char what[] = "fold";
static const char unasked[] =
    "expected the mark of a fold before the answer";

static void
without(struct strs *l, const struct strs *those, const struct strs *these)
{
	size_t i;

	for (i = 0; i < those->n; i++)
		if (strs_find(these, those->v[i]) < 0)
			strs_add(l, those->v[i]);
}

void
compactmark_put(struct sessionread *p, const struct statefacts_names *names,
    size_t cut, long long tokens)
{
	static struct statefacts_touched touched;
	static struct strs read;
	static struct buf b;
	const struct chat *c = p->chat;
	long long through = p->count.n, folded = p->count.message;
	size_t i = 0;

	if (cut < c->nview) {
		through = c->v[c->view[cut].msg].n - 1;
		folded = c->v[c->view[cut].msg].number - 1;
	}
	while (i < c->n && c->v[i].n <= through)
		i++;
	statefacts_touched(&touched, p->statefacts, names, c, i);
	without(&read, &touched.read, &touched.modified);
	strs_sort(&read);
	strs_sort(&touched.modified);
	emit_open(&b, '{');
	emit_pair(&b, "type", "mark");
	emit_pair(&b, "what", what);
	emit_pairi(&b, "through", through);
	emit_pairi(&b, "messages", folded);
	emit_pairi(&b, "tokens", tokens);
	emit_strs(&b, "read", &read);
	emit_strs(&b, "modified", &touched.modified);
	emit_strs(&b, "skills", &touched.skills);
	emit_close(&b, '}');
	record_put(&b);
}

/* One conversation: a mark, an answer. */
static struct {
	struct buf mark;
	struct span text;
	int partial, failed;
} now;

static void
take_message(const struct json *j)
{
	static struct buf b;

	if (!json_is(j, json_get(j, 0, "role"), "assistant"))
		return;
	buf_reset(&b);
	json_str(j, json_get(j, 0, "content"), &b);
	now.text = span_trim(buf_view(&b));
	now.partial = json_true(j, json_at(j, 0, "tp.partial"));
}

/* A record with what it is for; a line of JSON with fields before it. */
static void
put_for(const struct rec *r)
{
	static struct buf b;
	const struct json *j = record_json(r);
	int k;

	emit_open(&b, '{');
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k))
		if (!json_is(j, k, "for"))
			emit_member(&b, j, k);
	emit_pair(&b, "for", "summary");
	emit_close(&b, '}');
	record_put(&b);
}

static void
put_summary(void)
{
	static struct json j;
	static struct buf b;
	int k;

	json_parse(&j, now.mark.p, now.mark.n);
	emit_open(&b, '{');
	emit_pair(&b, "type", "summary");
	emit_pairn(&b, "content", now.text.p, now.text.n);
	for (k = json_first(&j, 0); k >= 0; k = json_next(&j, k))
		if (!json_is(&j, k, "type") && !json_is(&j, k, "what"))
			emit_member(&b, &j, k);
	emit_close(&b, '}');
	record_put(&b);
}

static void
fail(int code, const char *why)
{
	static struct buf b;

	warn("%s", why);
	emit_open(&b, '{');
	emit_pair(&b, "type", "error");
	emit_pair(&b, "from", prog);
	emit_pairi(&b, "code", code);
	emit_pair(&b, "message", why);
	emit_pair(&b, "for", "summary");
	emit_close(&b, '}');
	record_put(&b);
	now.failed = code;
}

static void
finish(const struct rec *r)
{
	if (now.failed == 0 && now.mark.n == 0 && now.text.n > 0)
		fail(EX_DATAERR, unasked);
	if (now.failed == 0 && now.mark.n > 0) {
		if (r->implied)
			fail(EX_PROTOCOL,
			    "expected an end, but the input stopped");
		else if (now.partial || now.text.n == 0)
			fail(EXIT_SCHEMA, "expected a summary in the answer");
		else
			put_summary();
	}
	record_pass(r);
}

int
compactmark_take(void)
{
	const struct json *j;
	struct rec r;
	int code = 0;

	while (record_next(&r))
		switch (r.type) {
		case REC_MARK:
			j = record_json(&r);
			if (!json_is(j, json_get(j, 0, "what"), what)) {
				record_pass(&r);
				break;
			}
			buf_reset(&now.mark);
			buf_add(&now.mark, r.s, r.n);
			break;
		case REC_MESSAGE: take_message(record_json(&r)); break;
		case REC_ERROR:
			now.failed = record_code(&r);
			put_for(&r);
			break;
		case REC_USAGE: put_for(&r); break;
		case REC_END:
			finish(&r);
			code = code != 0 ? code : now.failed;
			buf_reset(&now.mark);
			now.text.n = 0;
			now.partial = now.failed = 0;
			break;
		default: record_pass(&r);
		}
	record_close();
	return code;
}
