#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "emit.h"
#include "fact.h"
#include "factlog.h"
#include "factparse.h"
#include "gate.h"
#include "json.h"
#include "jsonrepair.h"
#include "record.h"
#include "session.h"
#include "words.h"

/*
 * The end of the value that opens at i by its brackets; 0 if none, and *whole
 * is where a string that is open at the end begins, or n.
 */
static size_t
closing_bracket(const char *s, size_t n, size_t i, size_t *whole)
{
	size_t depth = 0, string = n;
	int quoted = 0;

	for (; i < n; i++) {
		if (quoted) {
			if (s[i] == '\\')
				i++;
			else if (s[i] == '"')
				quoted = 0;
			continue;
		}
		if (s[i] == '"') {
			quoted = 1;
			string = i;
		} else if (s[i] == '{' || s[i] == '[') {
			depth++;
		} else if (s[i] == '}' || s[i] == ']') {
			if (--depth == 0)
				return i + 1;
		}
	}
	*whole = quoted ? string : n;
	return 0;
}

/* The offset after want, with blanks anywhere between; 0: it is not there. */
static size_t
skip_marks(const char *s, size_t n, size_t i, const char *want)
{
	for (; *want != '\0'; want++) {
		while (i < n && s[i] != '\0' && strchr(" \t\r\n", s[i]) != NULL)
			i++;
		if (i == n || s[i] != *want)
			return 0;
		i++;
	}
	return i;
}

/*
 * The first {"facts":[ or [{ of s where that is not JSON as a whole: to the
 * bracket that closes it or, where there is none, to the end, without a string
 * that is open there.  p is NULL when there is none.
 */
static struct span
find_open(const char *s, size_t n)
{
	struct span found = {NULL, 0};
	struct gate g;
	size_t i, end, whole;

	for (i = 0; i < n; i++)
		if ((s[i] == '{' && skip_marks(s, n, i, "{\"facts\":[") != 0)
		    || (s[i] == '[' && skip_marks(s, n, i, "[{\"") != 0))
			break;
	if (i == n)
		return found;
	end = closing_bracket(s, n, i, &whole);
	if (end != 0 && gate_check(s + i, end - i, &g) == 0)
		return found;
	found.p = s + i;
	found.n = (end != 0 ? end : whole) - i;
	return found;
}

/*
 * The next text from offset *at on that is a whole object or array by the
 * gate's judgement, braces in prose and in strings not counted; *at moves
 * past it.  p is NULL when there is none.
 */
static struct span
find_json(const char *s, size_t n, size_t *at)
{
	struct span none = {NULL, 0}, found;
	struct gate g;
	size_t i, end, whole, tries = 0;

	/* A bound, so that "[[[[..." does not cost the square of its length. */
	for (i = *at; i < n && tries < 1000; i++) {
		if (s[i] != '{' && s[i] != '[')
			continue;
		tries++;
		end = closing_bracket(s, n, i, &whole);
		if (end == 0 || gate_check(s + i, end - i, &g) < 0)
			continue;
		found.p = s + i;
		found.n = end - i;
		*at = end;
		return found;
	}
	*at = n;
	return none;
}

enum { ITEMS_MAX = 1000 };

static struct fact *items;
static size_t nitems, capitems;
static struct fact episode; /* without text: not set */

/* Does it say anything?  The form of an answer has dots there. */
static int
has_words(const char *s)
{
	static const struct words none;
	struct words_found f;

	words_find(&none, s, strlen(s), &f);
	return f.words > 0;
}

/* What a fact must have more that a model has found; NULL for nothing. */
static const char *
lacking(const struct fact *f, const struct json *j, int i)
{
	if (f->forgotten)
		return "expected a text";
	if (!has_words(f->text))
		return "expected words in the text";
	if (json_get(j, i, "category") < 0)
		return "expected a category";
	if (json_get(j, i, "confidence") < 0)
		return "expected a confidence";
	if (strcmp(f->category, "persona") == 0)
		return "only the user sets the persona of the agent";
	return NULL;
}

static void
add_fact(const struct json *j, int i, double least)
{
	struct fact f;
	const char *why;
	size_t k;

	if (fact_take(&f, j, i, &why) == 0)
		why = lacking(&f, j, i);
	if (why != NULL) {
		warn("an item left out: %s", why);
		fact_free(&f);
		return;
	}
	for (k = 0; k < nitems; k++)
		if (strcmp(items[k].id, f.id) == 0)
			break;
	if (f.confidence < least
	    || (k < nitems && f.confidence <= items[k].confidence)
	    || nitems == ITEMS_MAX) {
		fact_free(&f);
		return;
	}
	if (k < nitems) {
		fact_free(&items[k]);
		memmove(items + k, items + k + 1,
		    (--nitems - k) * sizeof(*items));
	}
	grow(&items, &capitems, nitems, sizeof(*items));
	/* Surest first, else in the order they came. */
	for (k = nitems; k > 0 && items[k - 1].confidence < f.confidence; k--)
		items[k] = items[k - 1];
	items[k] = f;
	nitems++;
}

/* What the session was about, as a fact of its own scope. */
static void
take_episode(const struct json *j, int i)
{
	static struct json one;
	static struct buf b;
	const char *why;

	if (json_kind(j, i) != JSON_STRING)
		return;
	fact_free(&episode);
	buf_reset(&b);
	emit_open(&b, '{');
	emit_pairj(&b, "text", json_span(j, i));
	emit_pair(&b, "category", "project");
	emit_pair(&b, "scope", fact_scope_name(FACT_EPISODE));
	emit_close(&b, '}');
	if (json_parse(&one, b.p, b.n) < 0
	    || fact_take(&episode, &one, 0, &why) < 0
	    || !has_words(episode.text))
		fact_free(&episode); /* an empty one, or far too long */
}

/* An empty list with more after it, "- [ ] look", is not an answer. */
static int
ends_line(const struct buf *text, size_t at)
{
	while (at < text->n && strchr(" \t\r.`", text->p[at]) != NULL
	    && text->p[at] != '\0')
		at++;
	return at == text->n || text->p[at] == '\n';
}

/* In a list that is no JSON as a whole, or in none: a fact by itself. */
static int
is_fact(const struct json *j)
{
	return json_get(j, 0, "text") > 0 && json_get(j, 0, "category") > 0
	    && json_get(j, 0, "confidence") > 0;
}

/*
 * The list of an answer that broke off or has a comma too many, closed as the
 * arguments of a tool call are.  A text that broke off is dropped: half of a
 * sentence may say the contrary.  0, or -1: there is no such list.
 */
static int
closed(struct json *j, const struct buf *text)
{
	static struct buf b;
	struct buf t = {NULL, 0, 0};
	struct span s;
	int list;

	s = find_open(text->p, text->n);
	if (s.p == NULL)
		return -1;
	list = *s.p == '[';
	if (list)
		buf_puts(&t, "{\"facts\":");
	buf_add(&t, s.p, s.n);
	buf_reset(&b);
	list = jsonrepair_object(&b, buf_cstr(&t), t.n) == 1
	    && json_parse(j, b.p, b.n) == 0
	    && json_kind(j, json_get(j, 0, "facts")) == JSON_ARRAY;
	buf_free(&t);
	return list ? 0 : -1;
}

static void
take_list(const struct json *j, int list, double least)
{
	int k;

	if (list > 0)
		take_episode(j, json_get(j, 0, "episode"));
	for (k = json_first(j, list); k >= 0; k = json_next(j, k))
		add_fact(j, k, least);
}

/* Take the facts of one text: {"facts":[...]} or [...]. */
int
factparse_text(const struct buf *text, double least)
{
	static struct json j;
	struct span s;
	size_t at = 0;
	int i, found = 0;

	if (closed(&j, text) == 0) {
		take_list(&j, json_get(&j, 0, "facts"), least);
		return 1;
	}
	while ((s = find_json(text->p, text->n, &at)).p != NULL) {
		if (json_parse(&j, s.p, s.n) < 0)
			continue;
		if (is_fact(&j)) {
			found = 1;
			add_fact(&j, 0, least);
			continue;
		}
		i = json_kind(&j, 0) == JSON_ARRAY ? 0
						   : json_get(&j, 0, "facts");
		if (json_kind(&j, i) != JSON_ARRAY)
			continue;
		/* A list in prose, "[1]", is no list of facts. */
		if (i == 0
		    && (json_count(&j, 0) == 0
			    ? !ends_line(text, at)
			    : json_kind(&j, json_first(&j, 0))
				!= JSON_OBJECT))
			continue;
		found = 1;
		take_list(&j, i, least);
	}
	return found;
}

static void
drop_known(const struct fact *f, void *arg)
{
	size_t k;

	(void)arg;
	for (k = 0; k < nitems; k++)
		if (strcmp(items[k].id, f->id) == 0)
			items[k].forgotten = 1;
	if (episode.text != NULL && strcmp(episode.id, f->id) == 0)
		fact_free(&episode);
}

/* When and where it was said, whatever the answer says of these. */
static void
put(struct fact *f, const char *now, const char *session)
{
	static struct buf b;
	struct span id;

	free(f->time);
	free(f->source);
	free(f->session);
	f->time = xstrdup(now);
	f->source = xstrdup("conversation");
	f->session = NULL;
	if (session != NULL) {
		id = session_id(session);
		f->session = xstrndup(id.p, id.n);
	}
	fact_emit(&b, f);
	record_put(&b);
}

void
factparse_put(size_t count, const char *now, const char *session)
{
	size_t i;
	int k;

	for (k = 0; k < FACT_SCOPES; k++)
		factlog_facts((enum fact_scope)k, drop_known, NULL);
	for (i = 0; i < nitems && count > 0; i++) {
		if (items[i].forgotten)
			continue;
		put(&items[i], now, session);
		count--;
	}
	if (episode.text != NULL)
		put(&episode, now, session);
}

void
factparse_reset(void)
{
	while (nitems > 0)
		fact_free(&items[--nitems]);
	fact_free(&episode);
}
