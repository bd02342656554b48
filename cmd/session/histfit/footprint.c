#include "chatparts.h"
#include "footprint.h"
#include "json.h"
#include "jsonstr.h"
#include "section.h"
#include "utf8.h"

enum { ARGUMENT_MAX = 80 }; /* bytes of an argument that are shown */

/* Append the first argument that is a string, in one line; 0 if none is. */
static int
argument(struct buf *b, struct span args)
{
	static struct chatargs a;
	static struct buf value;
	const struct json *j = chatargs_parse(&a, args);
	size_t i, n;
	int k;

	if (j == NULL)
		return 0;
	buf_reset(&value);
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k))
		if (json_kind(j, k + 1) == JSON_STRING) {
			(void)json_str(j, k + 1, &value);
			break;
		}
	if (value.n == 0)
		return 0;
	n = utf8_cut(value.p, value.n, ARGUMENT_MAX);
	for (i = 0; i < n; i++)
		buf_putc(b, (unsigned char)value.p[i] < ' ' ? ' '
		    : value.p[i]);
	if (n < value.n)
		buf_puts(b, "...");
	return 1;
}

static void
line(struct buf *b, const struct chat *c, const struct chat_call *d)
{
	buf_puts(b, "- ");
	jsonstr_text(b, d->name);
	buf_putc(b, ' ');
	if (argument(b, d->args))
		buf_putc(b, ' ');
	b->n--;
	buf_puts(b, d->result < 0 ? ": no result"
	    : c->v[d->result].failed ? ": failed" : ": ok");
	buf_putc(b, '\n');
}

void
footprint_put(const struct chat *c, long long max)
{
	static const struct section s = {.kind = "footprint", .isvolatile = 1};
	static struct buf b;
	const struct chat_msg *m;
	long long left = 0;
	size_t i, k;

	for (i = 0; i < c->n; i++)
		left += (long long)c->v[i].ncalls;
	buf_reset(&b);
	for (i = 0; i < c->n; i++) {
		m = &c->v[i];
		for (k = m->call; k < m->call + m->ncalls; k++)
			if (left-- <= max)
				line(&b, c, &c->calls[k]);
	}
	if (b.n > 0)
		section_put(&s, b.p, b.n - 1);
}
