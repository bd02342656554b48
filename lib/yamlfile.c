#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

#include "diag.h"
#include "emit.h"
#include "file.h"
#include "gate.h"
#include "utf8.h"
#include "yamlfile.h"
#include "yamlparsed.h"

/* A key of an open mapping: its text in the JSON made so far. */
struct key {
	size_t at, n;
};

/* One open collection. */
struct level {
	size_t keys; /* where its keys start */
	size_t textn, nmark; /* to go back to, when dup */
	int ismap;
	int iskey; /* the next node is a key */
	int dup; /* the value under way belongs to a key already there */
};

struct parse {
	yaml_parser_t lib;
	struct yamlfile *y;
	const char *s;
	size_t n;
	int mode;
	int docs;
	size_t events;
	size_t nmark;
	struct level level[YAMLFILE_DEPTH];
	size_t depth;
	struct key *keys;
	size_t nkeys, cap;
	/* libyaml counts characters; this walks the text along with it. */
	size_t chars, at, line, start;
};

/* What libyaml says, in our words; at its context where that is nearer. */
static const struct {
	const char *lib, *why;
	int context;
} phrases[] = {
	{"mapping values are not allowed in this context",
	    "expected no ':' here: quote the value or fix the indentation", 0},
	{"found character that cannot start any token",
	    "expected a value: no tab to indent, no bare @, ` or %", 0},
	{"found unexpected end of stream",
	    "expected a quote that closes this", 1},
	{"found unexpected document indicator",
	    "expected a quote that closes this", 1},
	{"did not find expected hexdecimal number",
	    "expected hexadecimal digits", 0},
	{"found invalid Unicode character escape code",
	    "expected a character, not half of a surrogate pair", 0},
	{"block sequence entries are not allowed in this context",
	    "expected no '- ' here: fix the indentation", 0},
};

static void
locate(struct parse *p, size_t chars, struct yamlfile_mark *m)
{
	if (chars < p->chars)
		p->chars = p->at = p->line = p->start = 0;
	for (; p->chars < chars && p->at < p->n; p->chars++) {
		if (p->s[p->at++] == '\n') {
			p->line++;
			p->start = p->at;
		}
		while (p->at < p->n && (p->s[p->at] & 0xc0) == 0x80)
			p->at++;
	}
	m->line = p->line + 1;
	m->col = p->at - p->start + 1;
}

static int
fault(struct parse *p, const yaml_mark_t *at, const char *why)
{
	struct yamlfile_mark m;

	locate(p, at->index, &m);
	p->y->line = m.line;
	p->y->col = m.col;
	p->y->why = why;
	return -1;
}

static int
library_fault(struct parse *p)
{
	const yaml_parser_t *l = &p->lib;
	size_t i;

	if (l->error == YAML_MEMORY_ERROR)
		die(EX_OSERR, "out of memory");
	if (l->error == YAML_READER_ERROR) {
		json_where(p->s, l->problem_offset, &p->y->line, &p->y->col);
		p->y->why = strncmp(l->problem, "control", 7) == 0
		    ? "expected text without control characters"
		    : "expected UTF-8";
		return -1;
	}
	p->y->syntax = 1;
	for (i = 0; i < sizeof(phrases) / sizeof(*phrases); i++)
		if (strcmp(l->problem, phrases[i].lib) == 0)
			return fault(p, phrases[i].context ? &l->context_mark
							   : &l->problem_mark,
			    phrases[i].why);
	/* Half of the others are "did not find expected WHAT". */
	i = strncmp(l->problem, "did not find ", 13) == 0 ? 13 : 0;
	return fault(p, &l->problem_mark, l->problem + i);
}

static int
refuse(struct parse *p, const yaml_event_t *ev, const char *why)
{
	return fault(p, &ev->start_mark, why);
}

static void
mark(struct parse *p, const yaml_event_t *ev)
{
	struct yamlfile *y = p->y;

	grow(&y->marks, &y->cap, p->nmark, sizeof(*y->marks));
	locate(p, ev->start_mark.index, &y->marks[p->nmark++]);
}

/*
 * Note the key just written from at on; is it in its mapping already?  Pair
 * by pair: mappings are small, and YAMLFILE_KEYS bounds the others.
 */
static int
known(struct parse *p, size_t at)
{
	const struct buf *b = &p->y->text;
	size_t i, n = b->n - at;

	for (i = p->level[p->depth - 1].keys; i < p->nkeys; i++)
		if (p->keys[i].n == n
		    && memcmp(b->p + p->keys[i].at, b->p + at, n) == 0)
			return 1;
	grow(&p->keys, &p->cap, p->nkeys, sizeof(*p->keys));
	p->keys[p->nkeys].at = at;
	p->keys[p->nkeys++].n = n;
	return 0;
}

static int
plain(const yaml_event_t *ev)
{
	return ev->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static int
key(struct parse *p, const yaml_event_t *ev)
{
	const char *v = (const char *)ev->data.scalar.value;
	struct level *l = &p->level[p->depth - 1];
	struct buf *b = &p->y->text;
	size_t at = b->n + (b->p[b->n - 1] != '{'); /* after a comma */
	size_t n = ev->data.scalar.length;

	if (plain(ev) && n == 0)
		return refuse(p, ev, "expected a key");
	if (plain(ev) && strcmp(v, "<<") == 0)
		return refuse(p, ev, "expected a key, not a merge");
	if (p->nkeys - l->keys == YAMLFILE_KEYS)
		return refuse(p, ev, "expected at most 4096 keys here");
	l->textn = b->n;
	l->nmark = p->nmark;
	l->iskey = 0;
	mark(p, ev);
	emit_keyn(b, v, n);
	l->dup = known(p, at);
	if (l->dup)
		locate(p, ev->start_mark.index, &p->y->repeat);
	if (l->dup && p->mode == YAMLFILE_STRICT)
		return refuse(p, ev, "expected a key that is not there yet");
	return 0;
}

/* A node is complete: what follows it, and was it wanted at all? */
static void
done(struct parse *p)
{
	struct level *l;

	if (p->depth == 0)
		return;
	l = &p->level[p->depth - 1];
	l->iskey = l->ismap;
	if (l->dup) {
		p->y->text.n = l->textn;
		p->nmark = l->nmark;
		l->dup = 0;
	}
}

/* Why a plain scalar is refused that readers take for different things. */
static const char *
doubtful(const char *v)
{
	static const char *const words[] = {"true", "false", "null", "~",
	    "yes", "no", "on", "off"};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcasecmp(v, words[i]) == 0)
			return "expected true, false or null, or quotes";
	v += *v == '-' || *v == '+';
	if (v[0] == '0' && v[1] >= '0' && v[1] <= '9'
	    && v[strspn(v, "0123456789._")] == '\0')
		return "expected no leading zero, or quotes";
	return NULL;
}

static int
properties(struct parse *p, const yaml_event_t *ev, const void *anchor,
    const void *tag)
{
	if (anchor != NULL)
		return refuse(p, ev, "expected a value, not an anchor");
	if (tag != NULL)
		return refuse(p, ev, "expected a value, not a tag");
	return 0;
}

static int
scalar(struct parse *p, const yaml_event_t *ev)
{
	const char *why, *v = (const char *)ev->data.scalar.value;
	struct buf *b = &p->y->text;
	struct gate g;
	size_t n = ev->data.scalar.length;
	int raw = 0;

	if (properties(p, ev, ev->data.scalar.anchor, ev->data.scalar.tag) < 0)
		return -1;
	if (p->depth > 0 && p->level[p->depth - 1].iskey)
		return key(p, ev);
	if (plain(ev) && n == 0 && p->depth == 0)
		return 0; /* a document without content */
	if (plain(ev) && p->mode == YAMLFILE_STRICT) {
		/* It never starts as a JSON text of several tokens does. */
		raw = gate_check(v, n, &g) == 0;
		if (!raw && (why = doubtful(v)) != NULL)
			return refuse(p, ev, why);
	}
	mark(p, ev);
	if (plain(ev) && n == 0)
		emit_null(b);
	else if (raw)
		emit_raw(b, v, n);
	else
		emit_str(b, v, n);
	done(p);
	return 0;
}

static int
begin(struct parse *p, const yaml_event_t *ev, const void *anchor,
    const void *tag, int c)
{
	struct level *l;

	if (properties(p, ev, anchor, tag) < 0)
		return -1;
	if (p->depth > 0 && p->level[p->depth - 1].iskey)
		return refuse(p, ev, "expected a plain key");
	if (p->depth == YAMLFILE_DEPTH)
		return refuse(p, ev, "nested too deeply (limit 64)");
	mark(p, ev);
	emit_open(&p->y->text, c);
	l = &p->level[p->depth++];
	memset(l, 0, sizeof(*l));
	l->keys = p->nkeys;
	l->ismap = l->iskey = c == '{';
	return 0;
}

static int
event(struct parse *p, const yaml_event_t *ev)
{
	if (++p->events > YAMLFILE_EVENTS)
		return refuse(p, ev, "expected at most 100000 nodes");
	switch (ev->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (p->docs++ > 0)
			return refuse(p, ev, "expected one document only");
		if (ev->data.document_start.version_directive != NULL
		    || ev->data.document_start.tag_directives.start
		    != ev->data.document_start.tag_directives.end)
			return refuse(p, ev, "expected no directive");
		return 0;
	case YAML_ALIAS_EVENT:
		return refuse(p, ev, "expected a value, not an alias");
	case YAML_SCALAR_EVENT:
		return scalar(p, ev);
	case YAML_SEQUENCE_START_EVENT:
		return begin(p, ev, ev->data.sequence_start.anchor,
		    ev->data.sequence_start.tag, '[');
	case YAML_MAPPING_START_EVENT:
		return begin(p, ev, ev->data.mapping_start.anchor,
		    ev->data.mapping_start.tag, '{');
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		p->nkeys = p->level[--p->depth].keys;
		emit_close(&p->y->text, p->level[p->depth].ismap ? '}' : ']');
		done(p);
		break;
	default:
		break;
	}
	return 0;
}

static int
events(struct parse *p)
{
	yaml_event_t ev;
	int end, r;

	do {
		if (!yaml_parser_parse(&p->lib, &ev))
			return library_fault(p);
		end = ev.type == YAML_STREAM_END_EVENT;
		r = event(p, &ev);
		yaml_event_delete(&ev);
	} while (r == 0 && !end);
	return r;
}

/* Read the text with libyaml.  0, or -1 with why and where. */
static int
library(struct yamlfile *y, const char *s, size_t n, int mode)
{
	struct parse p = {.y = y, .mode = mode};
	int r;

	y->syntax = 0;
	y->line = y->col = 1;
	y->why = "expected at most 1 MiB";
	if (n > YAMLFILE_MAX)
		return -1;
	p.s = n == 0 ? "" : s;
	p.n = n;
	if (!yaml_parser_initialize(&p.lib))
		die(EX_OSERR, "out of memory");
	yaml_parser_set_encoding(&p.lib, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&p.lib, (const unsigned char *)p.s, n);
	r = events(&p);
	yaml_parser_delete(&p.lib);
	free(p.keys);
	if (r == 0 && y->text.n == 0) {
		grow(&y->marks, &y->cap, 0, sizeof(*y->marks));
		y->marks[0].line = y->marks[0].col = 1;
		buf_puts(&y->text, "{}");
	}
	return r;
}

const struct yamlparsed *
yamlparsed_find(const char *name)
{
	size_t i;

	for (i = 0; i < yamlparsed_n; i++)
		if (strcmp(yamlparsed[i].name, name) == 0)
			return &yamlparsed[i];
	return NULL;
}

const struct yamlparsed *
yamlparsed_same(const char *s, size_t n, int mode)
{
	const struct yamlparsed *p = yamlparsed, *end = p + yamlparsed_n;

	while (p < end && (p->n != n || p->mode != mode
	    || memcmp(p->text, s, n) != 0))
		p++;
	return p < end ? p : NULL;
}

/* Take what was made of the same text at build time; 0 if there is nothing. */
static int
take_parsed(struct yamlfile *y, const char *s, size_t n, int mode)
{
	const struct yamlparsed *p = yamlparsed_same(s, n, mode);
	size_t i;

	if (p == NULL)
		return 0;
	for (i = 0; i < p->ntok; i++) {
		grow(&y->marks, &y->cap, i, sizeof(*y->marks));
		y->marks[i].line = p->marks[2 * i];
		y->marks[i].col = p->marks[2 * i + 1];
	}
	json_tokens(&y->json, (const char *)p->json, p->jsonn, p->ntok);
	return 1;
}

int
yamlfile_parse(struct yamlfile *y, const char *s, size_t n, int mode)
{
	size_t bom = utf8_bom(s, n);

	s += bom;
	n -= bom;
	buf_reset(&y->text);
	y->repeat.line = 0;
	if (take_parsed(y, s, n, mode))
		return 0;
	if (library(y, s, n, mode) < 0)
		return -1;
	return json_parse(&y->json, y->text.p, y->text.n);
}

void
yamlfile_load(struct yamlfile *y, const char *path)
{
	static struct buf b;
	enum file_result r;

	free(y->path);
	y->path = xstrdup(path);
	buf_reset(&b);
	if ((r = file_read(path, &b, YAMLFILE_MAX)) != FILE_OK)
		die(r == FILE_ERRNO ? EX_NOINPUT : EX_CONFIG, "%s: %s", path,
		    file_why(r));
	if (yamlfile_parse(y, buf_cstr(&b), b.n, YAMLFILE_STRICT) < 0)
		die_at(EX_CONFIG, path, y->line, y->col, y->why);
}

int
yamlfile_isbuilt(const struct yamlfile *y)
{
	return y->text.n == 0;
}

void
yamlfile_bad(const struct yamlfile *y, int i, const char *why)
{
	i = i < 0 ? 0 : i;
	die_at(EX_CONFIG, y->path, y->marks[i].line, y->marks[i].col, why);
}

void
yamlfile_library(struct buf *b)
{
	buf_printf(b, "libyaml %s", yaml_get_version_string());
}
