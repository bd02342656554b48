/*
 * redact [-m file]
 * redact -r [-m file]
 *
 * - Before llmcall: the secrets in a request become placeholders, of which
 *   the map knows what they stand for.  After it: back again.
 * - Two passes over a request: what looks like a secret in one place is one
 *   everywhere, and in all later requests of the run.
 * - The map is written before the request goes on.  Without it none does.
 */

#include <string.h>

#include "cover.h"
#include "diag.h"
#include "emit.h"
#include "env.h"
#include "opt.h"
#include "record.h"
#include "settings.h"
#include "shape.h"
#include "jsontexts.h"

static const char usage[] =
    "usage: redact [-m file]\n"
    "       redact -r [-m file]\n"
    "\n"
    "  -m, --map FILE    what stands for what (else $TURNPIPE_REDACT, or\n"
    "                    redacted in $TURNPIPE_RUN)\n"
    "  -r, --restore     put the secrets back into messages and deltas\n";

static const struct option opts[] = {
	{"map", required_argument, NULL, 'm'},
	{"restore", no_argument, NULL, 'r'},
	{NULL, 0, NULL, 0}
};

static struct strings_edit *edits;
static size_t nedits, editcap;

/* Pass 1: what is a secret? */
static int
find_secrets(struct buf *b, struct span key, struct span s)
{
	(void)b;
	if (key.n > 0 && shape_named(key, s))
		cover_note("value", s);
	shape_find(s, cover_note);
	cover_typed(s);
	return 0;
}

/* Pass 2. */
static int
cover(struct buf *b, struct span key, struct span s)
{
	struct span p;
	size_t at = 0;

	(void)key;
	return cover_next(s, &at, &p) > 0 && cover_put(b, s) > 0;
}

static int
uncover(struct buf *b, struct span key, struct span s)
{
	size_t n = b->n;

	(void)key;
	if (cover_undo(b, s, NULL) > 0)
		return 1;
	b->n = n;
	return 0;
}

/*
 * Texts that the model reads as one: the parts of a message's content that
 * follow each other. 
 */
static struct buf joined;
static struct {
	size_t end;
	const char *at;
} *parts;
static size_t nparts, partcap;

static void
add_edit(const char *at, const char *p, size_t n)
{
	grow(&edits, &editcap, nedits, sizeof(*edits));
	memset(&edits[nedits], 0, sizeof(*edits));
	edits[nedits].at = at;
	buf_add(&edits[nedits++].to, p, n);
}

/* A secret that lies over the end of a part. */
static void
note_crossing(const char *name, struct span s)
{
	size_t from = (size_t)(s.p - joined.p), i;

	for (i = 0; i + 1 < nparts; i++)
		if (from < parts[i].end && from + s.n > parts[i].end) {
			cover_note(name, s);
			return;
		}
}

/*
 * Where a known secret lies over ends of parts, the first one gets all of
 * it, and the others what follows: pass 2 then finds it in one piece.
 */
static void
move_crossing(void)
{
	size_t at = 0, n, i, from = 0;
	struct span p;
	int moved = 0;

	while ((n = cover_next(buf_view(&joined), &at, &p)) > 0) {
		for (i = 0; i + 1 < nparts; i++)
			if (at < parts[i].end && at + n > parts[i].end) {
				parts[i].end = at + n;
				moved = 1;
			}
		at += n;
	}
	for (i = 0; moved && i < nparts; i++) {
		if (parts[i].end < from)
			parts[i].end = from;
		add_edit(parts[i].at, joined.p + from, parts[i].end - from);
		from = parts[i].end;
	}
}

static void
end_run(int second)
{
	if (nparts > 1 && second)
		move_crossing();
	else if (nparts > 1)
		shape_find(buf_view(&joined), note_crossing);
	buf_reset(&joined);
	nparts = 0;
}

static void
take_content(const struct json *j, int content, int second)
{
	int k, text;

	if (json_kind(j, content) != JSON_ARRAY)
		return;
	for (k = json_first(j, content); k >= 0; k = json_next(j, k)) {
		text = json_get(j, k, "text");
		if (json_str(j, text, &joined) < 0) {
			end_run(second);
			continue;
		}
		grow(&parts, &partcap, nparts, sizeof(*parts));
		parts[nparts].end = joined.n;
		parts[nparts++].at = json_span(j, text).p;
	}
	end_run(second);
}

static void
take_parts(const struct rec *r, int second)
{
	const struct json *j;
	int list, m;

	/* A list of content is rare, and its parts are objects. */
	if (!record_has(r, "text"))
		return;
	j = record_json(r);
	list = json_get(j, 0, "messages");
	if (list < 0)
		list = json_at(j, 0, "body.messages");
	for (m = json_first(j, list); m >= 0; m = json_next(j, m))
		take_content(j, json_get(j, m, "content"), second);
}

static void
put(const struct rec *r, int (*text)(struct buf *, struct span, struct span))
{
	static struct buf b;
	struct strings how = {text, shape_opaque, edits, nedits};

	buf_reset(&b);
	if (!strings_apply(&b, (struct span){r->s, r->n}, &how)) {
		buf_reset(&b);
		buf_add(&b, r->s, r->n);
	}
	if (r->type == REC_REQUEST) {
		while (b.p[--b.n] != '}')
			;
		buf_puts(&b, ",\"redacted\":true}");
	}
	record_put(&b);
}

/* A request that has been through here says so: once is enough. */
static int
is_redacted(const struct rec *r)
{
	const struct json *j;

	if (r->type != REC_REQUEST || !record_has(r, "redacted"))
		return 0;
	j = record_json(r);
	return json_true(j, json_get(j, 0, "redacted"));
}

static void
redact(const struct rec *r)
{
	static struct buf b;
	static const struct strings how = {find_secrets, shape_opaque, NULL, 0};

	buf_reset(&b);
	strings_apply(&b, (struct span){r->s, r->n}, &how);
	take_parts(r, 0);
	shape_own(cover_note);
	cover_fix();
	while (nedits > 0)
		buf_free(&edits[--nedits].to);
	take_parts(r, 1);
	put(r, cover);
}

/* The text of deltas, of which the end may be half a placeholder. */
static struct buf half;

/* The next delta; without one what was held back. */
static void
put_delta(const struct rec *r)
{
	static struct buf b, back;
	const struct json *j = r != NULL ? record_json(r) : NULL;
	size_t rest = 0;

	if (r != NULL)
		json_str(j, json_get(j, 0, "text"), &half);
	buf_reset(&back);
	cover_undo(&back, buf_view(&half), r != NULL ? &rest : NULL);
	if (rest > 0)
		memmove(half.p, half.p + half.n - rest, rest);
	half.n = rest;
	if (back.n == 0)
		return;
	emit_open(&b, '{');
	emit_pair(&b, "type", "delta");
	if (r != NULL && record_member(r, "id").p != NULL)
		emit_pairj(&b, "id", record_member(r, "id"));
	emit_pairn(&b, "text", back.p, back.n);
	emit_close(&b, '}');
	record_put(&b);
}

static void
restore(const struct rec *r)
{
	if (r->type == REC_DELTA && !record_has(r, "tag")) {
		put_delta(r);
		return;
	}
	put_delta(NULL);
	if (r->type == REC_MESSAGE || r->type == REC_UNTYPED
	    || r->type == REC_DELTA)
		put(r, uncover);
	else
		record_pass(r);
}

static void
find_map(const char *map)
{
	static struct buf b;

	if (map == NULL)
		map = env_get("TURNPIPE_REDACT");
	if (map == NULL)
		map = env_run(&b, "redacted");
	if (map == NULL)
		opt_die(usage, "expected a map: -m, TURNPIPE_REDACT or "
		    "TURNPIPE_RUN");
	cover_open(map);
}

int
main(int argc, char **argv)
{
	static struct strs also;
	const char *map = NULL;
	int c, back = 0;
	struct rec r;

	prog = "redact";
	record_filter(1);
	opt_set = settings_set;
	while ((c = opt_next(argc, argv, "m:r", opts, usage)) != -1)
		switch (c) {
		case 'm': map = optarg; break;
		case 'r': back = 1; break;
		}
	if (argv[optind] != NULL)
		opt_die(usage, "%s: expected no operand", argv[optind]);
	find_map(map);
	settings_strs("redact_also", &also);
	shape_open(&also);
	record_untyped = 1;
	while (record_next(&r))
		if (back)
			restore(&r);
		else if ((r.type == REC_REQUEST || r.type == REC_UNTYPED)
		    && !is_redacted(&r))
			redact(&r);
		else
			record_pass(&r);
	return record_close();
}
