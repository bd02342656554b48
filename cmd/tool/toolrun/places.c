#include <stdlib.h>
#include <string.h>

#include "place.h"
#include "places.h"
#include "roots.h"

/* A path as the tool will take it. */
static void
check_path(struct places *p, const struct toolcall *c, const char *path)
{
	static struct buf real, named;
	enum roots_verdict v =
	    roots_judge(&real, path, !c->tool->isreadonly, NULL);
	const char *why = roots_why(v);

	strs_add(&p->real, buf_cstr(&real));
	place_named(&named, path);
	strs_add(&p->named, buf_cstr(&named));
	if (why == NULL)
		return;
	/* TURNPIPE_AGREED has a line for each. */
	if (v == ROOTS_KEPT || strchr(buf_cstr(&real), '\n') != NULL)
		p->never = 1;
	else
		strs_once(&p->outside, buf_cstr(&real));
	if (v == ROOTS_HIDDEN || v == ROOTS_FOREIGN)
		p->hidden = 1;
	buf_printf(&p->text, "%s%s: %s", p->text.n > 0 ? "\n" : "",
	    buf_cstr(&real), why);
}

void
places_judge(struct places *p, const struct toolcall *c)
{
	const struct strs *l = &c->tool->paths;
	const struct json *j = &c->args;
	struct strs v = {0};
	size_t i, k;
	int at;

	strs_reset(&p->real);
	strs_reset(&p->named);
	strs_reset(&p->outside);
	buf_reset(&p->text);
	p->hidden = p->never = 0;
	for (i = 0; i < l->n; i++) {
		at = json_get(j, 0, l->v[i]);
		strs_reset(&v);
		(void)json_strs(j, at, &v); /* or one string */
		for (k = 0; k < v.n; k++)
			check_path(p, c, v.v[k]);
	}
	if (l->n > 0 && p->real.n == 0)
		check_path(p, c, ".");
	strs_free(&v);
}

void
places_agreed(struct strs *env, const struct toolcall *c)
{
	struct buf b = {0};
	size_t i;

	if (c->agreed.n == 0)
		return;
	buf_puts(&b, "TURNPIPE_AGREED=");
	for (i = 0; i < c->agreed.n; i++)
		buf_printf(&b, "%s%s", i > 0 ? "\n" : "", c->agreed.v[i]);
	strs_add(env, buf_cstr(&b));
	buf_free(&b);
}
