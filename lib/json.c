#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define JSMN_STATIC
#define JSMN_PARENT_LINKS
#include <jsmn.h>

#include "diag.h"
#include "json.h"
#include "jsonstr.h"

static const jsmntok_t *
token(const struct json *j, int i)
{
	if (i < 0 || (size_t)i >= j->ntok)
		return NULL;
	return (const jsmntok_t *)j->tok + i;
}

/*
 * Not JSMN_STRICT: after the gate it would only add the five valid texts
 * that jsmn refuses then, numbers and words at the end of a text.
 */
void
json_tokens(struct json *j, const char *s, size_t n, size_t ntok)
{
	jsmn_parser p;

	if (ntok > j->cap) {
		free(j->tok);
		j->tok = xreallocarray(NULL, ntok, sizeof(jsmntok_t));
		j->cap = ntok;
	}
	j->s = s;
	j->n = n;
	j->ntok = ntok;
	jsmn_init(&p);
	if (jsmn_parse(&p, s, n, j->tok, (unsigned)ntok) != (int)ntok)
		die(EX_SOFTWARE, "jsmn and the gate disagree on a text");
}

int
json_parse(struct json *j, const char *s, size_t n)
{
	struct gate g;

	if (gate_check(s, n, &g) < 0) {
		j->why = g.why;
		j->at = g.at;
		j->ntok = 0;
		return -1;
	}
	json_tokens(j, s, n, g.ntok);
	return 0;
}

static const char *
past_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
		p++;
	return p;
}

/* The place after the string that begins at p. */
static const char *
past_string(const char *p, const char *end)
{
	const char *q = p, *s;

	do {
		q = memchr(q + 1, '"', (size_t)(end - q - 1));
		for (s = q; s[-1] == '\\'; s--)
			continue;
	} while ((q - s) % 2 != 0);
	return q + 1;
}

static const char *
past_value(const char *p, const char *end)
{
	int depth = 0;

	do {
		if (*p == '"') {
			p = past_string(p, end);
			continue;
		}
		depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
		p++;
	} while (depth > 0 || strchr(" \t\r\n,]}", *p) == NULL);
	return p;
}

int
json_member(const char **at, const char *end, struct span *key,
    struct span *value)
{
	const char *p = past_blanks(*at);

	if (*p == '{' || *p == ',')
		p = past_blanks(p + 1);
	if (*p == '}')
		return 0;
	key->p = p;
	p = past_string(p, end);
	key->n = (size_t)(p - key->p);
	p = past_blanks(past_blanks(p) + 1);
	value->p = p;
	p = past_value(p, end);
	value->n = (size_t)(p - value->p);
	*at = p;
	return 1;
}

int
json_iskey(struct span key, const char *s)
{
	static struct buf b;

	buf_reset(&b);
	jsonstr_decode(&b, key.p + 1, key.n - 2);
	return span_is(buf_view(&b), s);
}

void
json_free(struct json *j)
{
	free(j->tok);
	memset(j, 0, sizeof(*j));
}

void
json_where(const char *s, size_t at, size_t *line, size_t *col)
{
	size_t i, start = 0;

	*line = 1;
	for (i = 0; i < at; i++)
		if (s[i] == '\n') {
			++*line;
			start = i + 1;
		}
	*col = at - start + 1;
}

enum json_kind
json_kind(const struct json *j, int i)
{
	const jsmntok_t *t = token(j, i);

	if (t == NULL)
		return JSON_NONE;
	switch (t->type) {
	case JSMN_OBJECT: return JSON_OBJECT;
	case JSMN_ARRAY: return JSON_ARRAY;
	case JSMN_STRING: return JSON_STRING;
	default: break;
	}
	switch (j->s[t->start]) {
	case 't': return JSON_TRUE;
	case 'f': return JSON_FALSE;
	case 'n': return JSON_NULL;
	default: return JSON_NUMBER;
	}
}

/* The first token that is not inside token i. */
static int
token_after(const struct json *j, int i)
{
	const jsmntok_t *t = j->tok;
	int end = t[i].end, n = (int)j->ntok, step = 1, mid;

	if (t[i].size == 0)
		return i + 1;
	/* They stand in the order of the text: ever longer steps, then halves. */
	for (; i + step < n && t[i + step].start < end; step *= 2)
		i += step;
	for (n = i + step < n ? i + step : n; n - i > 1;) {
		mid = i + (n - i) / 2;
		if (t[mid].start < end)
			i = mid;
		else
			n = mid;
	}
	return n;
}

int
json_first(const struct json *j, int i)
{
	const jsmntok_t *t = token(j, i);

	if (t == NULL || t->size == 0
	    || (t->type != JSMN_OBJECT && t->type != JSMN_ARRAY))
		return -1;
	return i + 1;
}

int
json_next(const struct json *j, int i)
{
	const jsmntok_t *t = token(j, i), *u;
	int k;

	if (t == NULL || t->parent < 0)
		return -1;
	if (token(j, t->parent)->type == JSMN_OBJECT)
		k = token_after(j, i + 1);
	else
		k = token_after(j, i);
	u = token(j, k);
	return u != NULL && u->parent == t->parent ? k : -1;
}

size_t
json_count(const struct json *j, int i)
{
	const jsmntok_t *t = token(j, i);

	return t == NULL || json_first(j, i) < 0 ? 0 : (size_t)t->size;
}

static int
find(const struct json *j, int i, const char *key, size_t n)
{
	static struct buf b;
	const jsmntok_t *t = token(j, i);
	const char *p;
	size_t len;
	int k, left;

	if (t == NULL || t->type != JSMN_OBJECT)
		return -1;
	left = t->size;
	for (k = i + 1; left > 0; k = token_after(j, k + 1), left--) {
		t = token(j, k);
		p = j->s + t->start;
		len = (size_t)(t->end - t->start);
		if (len > n && memchr(p, '\\', len) != NULL) {
			buf_reset(&b);
			jsonstr_decode(&b, p, len);
			p = b.p;
			len = b.n;
		}
		if (len == n && memcmp(p, key, n) == 0)
			return k + 1;
	}
	return -1;
}

int
json_get(const struct json *j, int i, const char *key)
{
	return find(j, i, key, strlen(key));
}

int
json_find(const struct json *j, int i, struct span key)
{
	return find(j, i, key.p, key.n);
}

int
json_at(const struct json *j, int i, const char *path)
{
	size_t n;
	long k;

	for (; i >= 0 && *path != '\0'; path += n + (path[n] == '.')) {
		n = strcspn(path, ".");
		if (json_kind(j, i) == JSON_ARRAY) {
			if (*path < '0' || *path > '9')
				return -1;
			k = strtol(path, NULL, 10);
			i = json_first(j, i);
			while (i >= 0 && k-- > 0)
				i = json_next(j, i);
		} else {
			i = find(j, i, path, n);
		}
	}
	return i;
}

struct span
json_span(const struct json *j, int i)
{
	const jsmntok_t *t = token(j, i);
	struct span s = {NULL, 0};

	if (t == NULL)
		return s;
	s.p = j->s + t->start;
	s.n = (size_t)(t->end - t->start);
	if (t->type == JSMN_STRING) {
		s.p--;
		s.n += 2;
	}
	return s;
}

int
json_str(const struct json *j, int i, struct buf *b)
{
	const jsmntok_t *t = token(j, i);

	if (t == NULL || t->type != JSMN_STRING)
		return -1;
	jsonstr_decode(b, j->s + t->start, (size_t)(t->end - t->start));
	return 0;
}

char *
json_dup(const struct json *j, int i)
{
	struct buf b = {NULL, 0, 0};

	if (json_str(j, i, &b) < 0)
		return NULL;
	if (b.n > 0 && memchr(b.p, '\0', b.n) != NULL) {
		buf_free(&b);
		return NULL;
	}
	return buf_cstr(&b);
}

int
json_is(const struct json *j, int i, const char *s)
{
	static struct buf b;

	buf_reset(&b);
	return json_str(j, i, &b) == 0 && span_is(buf_view(&b), s);
}

int
json_num(const struct json *j, int i, double *v)
{
	struct span s = json_span(j, i);
	char text[64];

	if (json_kind(j, i) != JSON_NUMBER || s.n >= sizeof(text))
		return -1;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	*v = strtod(text, NULL);
	return isfinite(*v) ? 0 : -1;
}

int
json_int(const struct json *j, int i, long long *v)
{
	struct span s = json_span(j, i);
	char text[64], *end;
	double d;

	if (json_kind(j, i) != JSON_NUMBER || s.n >= sizeof(text))
		return -1;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	errno = 0;
	*v = strtoll(text, &end, 10);
	if (*end == '\0')
		return errno == 0 ? 0 : -1;
	/* Beyond 2^53 a double no longer names one integer. */
	d = strtod(text, NULL);
	if (!(fabs(d) <= 9007199254740992.0) || d != floor(d))
		return -1;
	*v = (long long)d;
	return 0;
}

int
json_true(const struct json *j, int i)
{
	return json_kind(j, i) == JSON_TRUE;
}

int
json_strs(const struct json *j, int i, struct strs *l)
{
	char *s;
	int bad = 0, k;

	if (json_kind(j, i) == JSON_STRING) {
		k = i;
	} else if (json_kind(j, i) == JSON_ARRAY) {
		k = json_first(j, i);
	} else {
		return -1;
	}
	for (; k >= 0; k = k == i ? -1 : json_next(j, k)) {
		s = json_dup(j, k);
		if (s == NULL) {
			bad++;
			continue;
		}
		strs_add(l, s);
		free(s);
	}
	return bad;
}
