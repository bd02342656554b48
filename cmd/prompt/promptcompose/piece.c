#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "file.h"
#include "hash.h"
#include "markup.h"
#include "path.h"
#include "piece.h"
#include "render.h"
#include "utf8.h"

enum { FILE_CAP = 1 << 20 };

static struct piece *
find(const struct pieces *p, const char *id)
{
	uint64_t h = hash_bytes(id, strlen(id));
	size_t i;

	for (i = 0; i < p->n; i++)
		if (p->v[i].hash == h && strcmp(p->v[i].id, id) == 0)
			return &p->v[i];
	return NULL;
}

static struct piece *
add(struct pieces *p, const char *id)
{
	struct piece *q;

	grow(&p->v, &p->cap, p->n, sizeof(*p->v));
	q = &p->v[p->n++];
	memset(q, 0, sizeof(*q));
	q->id = xstrdup(id);
	q->hash = hash_bytes(id, strlen(id));
	q->came = p->n;
	return q;
}

/* Newlines at the ends are the layout's business. */
static struct span
trim(const struct buf *b)
{
	struct span s = {b->p, b->n};

	while (s.n > 0 && strchr(" \t\r\n", s.p[s.n - 1]) != NULL
	    && s.p[s.n - 1] != '\0')
		s.n--;
	while (s.n > 0 && (*s.p == '\n' || *s.p == '\r')) {
		s.p++;
		s.n--;
	}
	return s;
}

/* What a record insists on against its place in the layout. */
static void
apply_record(struct place *p, struct piece *q, const struct rec *r)
{
	static struct buf b;
	static char *tag;
	struct json *j = record_json(r);
	double multiplier = 1;
	int i;

	i = json_get(j, 0, "phase");
	buf_reset(&b);
	if (i >= 0 && json_str(j, i, &b) < 0)
		record_bad(r, i, "expected a phase");
	if (i >= 0)
		p->phase = phase_find(b.p, b.n);
	i = json_get(j, 0, "priority");
	if (i >= 0 && json_num(j, i, &p->priority) < 0)
		record_bad(r, i, "expected a number");
	i = json_get(j, 0, "weight");
	if (i >= 0 && json_num(j, i, &p->weight) < 0)
		record_bad(r, i, "expected a number");
	i = json_get(j, 0, "multiplier");
	if (i >= 0 && json_num(j, i, &multiplier) < 0)
		record_bad(r, i, "expected a number");
	i = json_get(j, 0, "sticky");
	if (i >= 0)
		p->sticky = json_true(j, i);
	i = json_get(j, 0, "tag");
	if (i >= 0) {
		free(tag);
		tag = json_dup(j, i);
		if (tag == NULL
		    || (*tag != '\0' && !markup_isname(tag, strlen(tag))))
			record_bad(r, i, "expected a name as tag");
		p->tag = tag;
	}
	q->priority = p->priority;
	q->score = p->priority * p->weight * multiplier;
	/* Infinity times nothing: an order it must have. */
	if (isnan(q->score))
		q->score = 0;
	q->phase = p->phase;
	q->order = p->order || r->type == REC_REMINDER;
	q->sticky = p->sticky || q->order;
}

/* A tag for what no layout knows, so that its ends are seen. */
static void
kind_tag(struct place *p, const char *id, const struct json *j)
{
	static struct buf tag;

	if (p->tag != NULL || p->heading != NULL)
		return;
	buf_reset(&tag);
	markup_name(&tag, id, layout_kind(id));
	p->tag = buf_cstr(&tag);
	if (p->attr == NULL)
		p->attr = json_get(j, 0, "title") >= 0 ? "title" : "source";
}

static int
destination(const struct layout *l, const struct place *p, int isvolatile)
{
	if (p->where != WHERE_DEFAULT)
		return p->where;
	if (p->group >= 0 && l->v[p->group].where != WHERE_DEFAULT)
		return l->v[p->group].where;
	return isvolatile ? l->dflt : WHERE_SYSTEM;
}

static void
declared(struct piece *q, const struct rec *r)
{
	struct json *j = record_json(r);
	long long v = 0;
	int i = json_get(j, 0, "tokens");

	q->isdeclared = i >= 0;
	if (i >= 0 && (json_int(j, i, &v) < 0 || v < 0))
		record_bad(r, i, "expected a whole number from 0");
	q->declared = (size_t)v;
}

/* The id of a record's section. */
static const char *
name(const struct rec *r)
{
	static struct buf id;
	struct json *j = record_json(r);
	int i = json_get(j, 0, "id");

	if (r->type == REC_SUMMARY)
		return "summary";
	buf_reset(&id);
	if (r->type == REC_REMINDER)
		buf_puts(&id, "reminder:");
	if (json_str(j, i, &id) < 0 || id.n == 0
	    || memchr(id.p, '\0', id.n) != NULL)
		record_bad(r, i, "expected an id");
	return buf_cstr(&id);
}

void
pieces_add(struct pieces *p, const struct rec *r)
{
	static struct buf content, why;
	const struct layout *l = p->layout;
	const char *id = name(r);
	struct json *j = record_json(r);
	struct piece *q;
	struct place place;
	struct span text;
	int i = json_get(j, 0, "content");

	buf_reset(&content);
	if (json_str(j, i, &content) < 0)
		record_bad(r, i, "expected a string as content");
	text = trim(&content);
	if (text.n == 0)
		return;
	if (layout_ignores(l, id)) {
		strs_add(&p->left, id);
		return;
	}
	q = find(p, id);
	if (q != NULL && l->engine != ENGINE_IVY && r->type != REC_SUMMARY) {
		buf_reset(&why);
		buf_printf(&why, "expected another id, '%s' is there already",
		    id);
		record_bad(r, json_get(j, 0, "id"), buf_cstr(&why));
	}
	if (q == NULL)
		q = add(p, id);
	q->place = layout_find(l, id);
	place = q->place < 0 ? l->rest : l->v[q->place];
	apply_record(&place, q, r);
	declared(q, r);
	if (q->place < 0)
		kind_tag(&place, id, j);
	q->where = destination(l, &place, r->type == REC_REMINDER
	    || json_true(j, json_get(j, 0, "volatile")));
	q->at = p->text.n;
	render(&p->text, &place, text, j, id);
	q->n = p->text.n - q->at;
}

/* What a file of the layout says; the file is looked at once. */
static struct span
file_text(const char *rel)
{
	static struct {
		char *rel;
		struct buf text;
	} *v;
	static size_t n, cap;
	static struct buf path;
	enum file_result r;
	size_t i;

	for (i = 0; i < n; i++)
		if (strcmp(v[i].rel, rel) == 0)
			return trim(&v[i].text);
	grow(&v, &cap, n, sizeof(*v));
	memset(&v[n], 0, sizeof(*v));
	v[n].rel = xstrdup(rel);
	buf_reset(&path);
	if (path_find(&path, rel) == 0) {
		r = file_read(buf_cstr(&path), &v[n].text, FILE_CAP);
		if (r != FILE_OK)
			die(EX_CONFIG, "%s: %s", buf_cstr(&path),
			    file_why(r));
		if (utf8_check(v[n].text.p, v[n].text.n) != v[n].text.n)
			die(EX_CONFIG, "%s: expected UTF-8", buf_cstr(&path));
	}
	return trim(&v[n++].text);
}

/* Has one of these kinds come, blanks between them? */
static int
any(const struct pieces *p, const char *kinds)
{
	size_t i, n;

	for (; *kinds != '\0'; kinds += n + strspn(kinds + n, " ")) {
		n = strcspn(kinds, " ");
		for (i = 0; i < p->n; i++)
			if (layout_kind(p->v[i].id) == n
			    && strncmp(p->v[i].id, kinds, n) == 0)
				return 1;
	}
	return 0;
}

static int
filled(const struct pieces *p, int place)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (p->v[i].place == place)
			return 1;
	return 0;
}

static void
leave(struct pieces *p, int place)
{
	size_t i, n = 0;

	for (i = 0; i < p->n; i++)
		if (p->v[i].place == place) {
			strs_add(&p->left, p->v[i].id);
			free(p->v[i].id);
		} else {
			p->v[n++] = p->v[i];
		}
	p->n = n;
}

void
pieces_settle(struct pieces *p)
{
	static struct buf barred;
	const struct layout *l = p->layout;
	const struct place *pl;
	struct piece *q;
	struct span text;
	int i;

	/* Before any file's text is there, which counts as no record. */
	buf_reset(&barred);
	for (i = 0; i < (int)l->n; i++) {
		pl = &l->v[i];
		buf_putc(&barred, (pl->unless != NULL && any(p, pl->unless))
		    || !layout_when(l, pl, &p->tools));
		if (barred.p[i])
			leave(p, i);
	}
	for (i = 0; i < (int)l->n; i++) {
		pl = &l->v[i];
		if (pl->file == NULL || barred.p[i] || filled(p, i)
		    || layout_ignores(l, pl->id))
			continue;
		text = file_text(pl->file);
		if (text.n == 0)
			continue;
		q = add(p, pl->id);
		q->place = i;
		q->phase = pl->phase;
		q->priority = pl->priority;
		q->score = pl->priority * pl->weight;
		q->order = pl->order;
		q->sticky = pl->sticky || pl->order;
		q->where = destination(l, pl, 0);
		q->at = p->text.n;
		render(&p->text, pl, text, NULL, pl->id);
		q->n = p->text.n - q->at;
	}
}

void
pieces_reset(struct pieces *p)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		free(p->v[i].id);
	p->n = 0;
	buf_reset(&p->text);
	strs_reset(&p->left);
}
