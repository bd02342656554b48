#include "body.h"
#include "coerce.h"
#include "leak.h"
#include "schemafit.h"
#include "shape.h"
#include "tidy.h"
#include "tooldef.h"
#include "visible.h"

/* What was changed is told as "ID.path", but not of calls that were text. */
static void
coerce_call(struct call *c, struct delta_call *k)
{
	static struct json j;
	static struct buf b, name;
	static struct strs told;
	int t = tooldef_named(&c->json, buf_view(&k->name));
	size_t i;

	if (t < 0 || json_parse(&j, k->args.p, k->args.n) < 0)
		return;
	buf_reset(&b);
	strs_reset(&told);
	if (json_kind(&j, 0) == JSON_NULL) {
		buf_puts(&b, "{}");
		strs_add(&told, "");
	} else if (coerce(&b, tooldef_schema(&c->json, t), &j, 0, &told) == 0)
		return;
	buf_reset(&k->args);
	buf_span(&k->args, buf_view(&b));
	for (i = 0; i < told.n && c->rescued == NULL; i++) {
		buf_reset(&name);
		buf_span(&name, buf_view(&k->id));
		buf_puts(&name, told.v[i]);
		strs_add(&c->coerced, buf_cstr(&name));
	}
}

static void
settle(struct call *c)
{
	size_t i;

	delta_close(&c->delta, body_calls(&c->json));
	for (i = 0; i < c->delta.ncalls; i++)
		coerce_call(c, &c->delta.call[i]);
}

void
tidy_calls(struct call *c)
{
	struct delta *d = &c->delta;

	if (d->ncalls == 0 && leak_expected(&c->json)) {
		c->rescued = leak_take(d, &c->json, buf_view(&d->text));
		if (c->rescued != NULL)
			visible_drop(c);
	}
	settle(c);
}

static int
fits(const struct json *request, const struct delta_call *k)
{
	static struct json j;
	static struct buf path, why;
	int t = tooldef_named(request, buf_view(&k->name));

	buf_reset(&path);
	buf_reset(&why);
	return json_parse(&j, k->args.p, k->args.n) == 0
	    && schemafit(tooldef_schema(request, t), &j, 0, &path, &why) == 0;
}

int
tidy_refused(struct call *c)
{
	struct delta *d = &c->delta;
	size_t i;

	if (c->any || !leak_expected(&c->json))
		return 0;
	c->rescued =
	    leak_take(d, &c->json, buf_view(&c->fault.generation));
	if (c->rescued == NULL)
		return 0;
	settle(c);
	for (i = 0; i < d->ncalls; i++)
		if (!fits(&c->json, &d->call[i]))
			break;
	if (i == d->ncalls)
		return 1;
	delta_drop(d);
	c->rescued = NULL;
	return 0;
}

int
tidy_text(struct call *c, struct buf *why)
{
	struct delta *d = &c->delta;
	struct span bare;
	struct buf b = {0};
	int r;

	if (d->ncalls > 0)
		return 0;
	visible_end(c, 1);
	r = shape_check(&c->json, buf_view(&d->text), &bare, why);
	if (bare.n < d->text.n) {
		blocks_keep(&d->blocks, (size_t)(bare.p - d->text.p), bare.n);
		buf_span(&b, bare);
		buf_reset(&d->text);
		buf_span(&d->text, buf_view(&b));
		buf_free(&b);
	}
	return r;
}
