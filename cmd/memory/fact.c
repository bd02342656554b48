#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "emit.h"
#include "fact.h"
#include "file.h"
#include "hash.h"
#include "keyword.h"
#include "path.h"
#include "session.h"
#include "textfile.h"
#include "utf8.h"

static const char *const scopes[] = {"user", "project", "agent", "episode"};
static const char *const categories[] = {"preference", "background",
    "pattern", "project", "contact", "decision", "persona"};

const char *
fact_scope_name(enum fact_scope s)
{
	return scopes[s];
}

/* And back; -1 if it is not a scope. */
static int
scope_of(const char *s)
{
	int i;

	for (i = 0; i < FACT_SCOPES; i++)
		if (strcmp(s, scopes[i]) == 0)
			return i;
	return -1;
}

static int
iscategory(const char *s)
{
	size_t i;

	for (i = 0; i < sizeof(categories) / sizeof(*categories); i++)
		if (strcmp(s, categories[i]) == 0)
			return 1;
	return 0;
}

/* The scope of a fact of this category that names none. */
static enum fact_scope
default_scope(const char *category)
{
	if (strcmp(category, "project") == 0
	    || strcmp(category, "decision") == 0)
		return FACT_PROJECT;
	return FACT_USER;
}

/*
 * A hash of the text without regard to case, blanks and marks at its ends:
 * the same fact said again has the same id.  Its halves are independent: one
 * of 32 bits alone gives two of 77000 facts the same id by chance.
 */
void
fact_id(char id[FACT_ID + 1], const char *text, size_t n)
{
	static struct buf b;
	uint32_t h = 2166136261U;
	uint64_t other;
	size_t i, start = 0;

	buf_reset(&b);
	keyword_fold(&b, text, n);
	while (b.n > 0 && strchr(".!?,;: ", b.p[b.n - 1]) != NULL)
		b.n--;
	while (start < b.n && strchr("-*\" ", b.p[start]) != NULL)
		start++;
	/* FNV-1a, 32 bits. */
	for (i = start; i < b.n; i++)
		h = (h ^ (unsigned char)b.p[i]) * 16777619U;
	/* Stirred, so that all its bits count in the half that is taken. */
	other = hash_bytes(b.p + start, b.n - start);
	other = (other ^ other >> 31) * 0x9e3779b97f4a7c15u;
	snprintf(id, FACT_ID + 1, "%08x%08x", (unsigned)h,
	    (unsigned)(other >> 32));
}

void
fact_file(struct buf *b, enum fact_scope s)
{
	const char *agent = getenv("TURNPIPE_AGENT");
	size_t n;

	buf_printf(b, "%s/facts/%s", path_data(), scopes[s]);
	if (s == FACT_PROJECT || s == FACT_EPISODE) {
		buf_putc(b, '-');
		session_project(b);
	} else if (s == FACT_AGENT) {
		if (agent == NULL || *agent == '\0')
			agent = "default";
		buf_putc(b, '-');
		/* agents/TEAM/NAME.md is one too; the name is no path here. */
		for (; *agent != '\0'; agent += n) {
			n = strcspn(agent, "/");
			buf_add(b, agent, n);
			if (agent[n] == '/') {
				buf_puts(b, "%2F");
				n++;
			}
		}
	}
	buf_puts(b, ".jsonl");
}

void
fact_free(struct fact *f)
{
	free(f->text);
	free(f->category);
	free(f->time);
	free(f->source);
	free(f->session);
	memset(f, 0, sizeof(*f));
}

/* A fact is a line. */
static char *
one_line(const struct json *j, int i)
{
	static struct buf b, line;

	buf_reset(&b);
	buf_reset(&line);
	if (json_str(j, i, &b) < 0)
		return NULL;
	textfile_line(&line, buf_view(&b));
	return xstrdup(buf_cstr(&line));
}

static int
confidence(const struct json *j, int i, double *v)
{
	char *s, *end;
	int bad;

	*v = 1;
	if (i < 0)
		return 0;
	if (json_num(j, i, v) == 0)
		return *v >= 0 && *v <= 1 ? 0 : -1;
	s = json_dup(j, i);
	if (s == NULL)
		return -1;
	*v = strtod(s, &end);
	bad = end == s || *end != '\0' || !(*v >= 0 && *v <= 1);
	free(s);
	return bad ? -1 : 0;
}

int
fact_take(struct fact *f, const struct json *j, int i, const char **why)
{
	char *s;
	size_t n;
	int k;

	memset(f, 0, sizeof(*f));
	*why = "expected an object";
	if (json_kind(j, i) != JSON_OBJECT)
		return -1;
	if (json_true(j, json_get(j, i, "forgotten"))) {
		s = json_dup(j, json_get(j, i, "id"));
		*why = "expected the id of what is forgotten";
		n = s == NULL ? 0 : strlen(s);
		if (n != FACT_ID) {
			free(s);
			return -1;
		}
		memcpy(f->id, s, n);
		f->forgotten = 1;
		free(s);
		return 0;
	}
	f->text = one_line(j, json_get(j, i, "text"));
	if (f->text == NULL)
		f->text = one_line(j, json_get(j, i, "fact"));
	f->category = json_dup(j, json_get(j, i, "category"));
	f->time = json_dup(j, json_get(j, i, "time"));
	f->source = json_dup(j, json_get(j, i, "source"));
	f->session = json_dup(j, json_get(j, i, "session"));
	f->outputseen = json_true(j, json_get(j, i, "tool_output"));
	*why = "expected a text";
	if (f->text == NULL || *f->text == '\0')
		return -1;
	*why = "expected a shorter text";
	if (strlen(f->text) > FACT_TEXT)
		return -1;
	*why = "expected preference, background, pattern, project, contact, "
	       "decision or persona as category";
	if (f->category == NULL)
		f->category = xstrdup("background");
	if (!iscategory(f->category))
		return -1;
	*why = "expected a confidence from 0 to 1";
	if (confidence(j, json_get(j, i, "confidence"), &f->confidence) < 0)
		return -1;
	f->scope = default_scope(f->category);
	s = json_dup(j, json_get(j, i, "scope"));
	*why = "expected user, project, agent or episode as scope";
	if (s != NULL) {
		k = scope_of(s);
		free(s);
		if (k < 0)
			return -1;
		f->scope = (enum fact_scope)k;
	}
	fact_id(f->id, f->text, strlen(f->text));
	return 0;
}

void
fact_emit(struct buf *b, const struct fact *f)
{
	emit_open(b, '{');
	emit_pair(b, "type", "fact");
	emit_pair(b, "id", f->id);
	emit_pair(b, "text", f->text);
	emit_pair(b, "category", f->category);
	emit_pairf(b, "confidence", f->confidence);
	emit_pair(b, "scope", scopes[f->scope]);
	emit_pair(b, "time", f->time);
	emit_pair(b, "source", f->source);
	emit_pair(b, "session", f->session);
	if (f->outputseen)
		emit_pairb(b, "tool_output", 1);
	emit_close(b, '}');
}

void
fact_append(enum fact_scope s, struct buf *record)
{
	static struct buf path;

	buf_reset(&path);
	fact_file(&path, s);
	buf_putc(record, '\n');
	if (file_mkparent(buf_cstr(&path)) < 0
	    || file_append(buf_cstr(&path), record->p, record->n, 0600) < 0)
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&path));
	buf_reset(record);
}
