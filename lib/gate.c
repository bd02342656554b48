#include <stdlib.h>
#include <string.h>

#include "gate.h"
#include "jsonstr.h"

enum {
	KEYS_PAIRWISE = 16, /* above, an object's keys are sorted at its end */
	TEXT_MAX = 1 << 30  /* jsmn counts in int */
};

/* A key of an object that is still open. */
struct key {
	uint64_t sign;	 /* equal keys have equal signs */
	const char *p;	 /* NULL: decoded, at off in decoded */
	size_t off, n;
	const char *at;	 /* its opening quote */
};

static struct key *keys;
static size_t nkeys, capkeys;
static struct buf decoded;
static struct buf names; /* decoded type and role */

static const char *why;

/* The place after the number at p, or NULL with *at set. */
static const char *
number(const char *p, const char *end, const char **at)
{
#define DIGIT (p < end && *p >= '0' && *p <= '9')
	why = "expected a digit";
	if (*p == '-')
		p++;
	*at = p;
	if (!DIGIT)
		return NULL;
	if (*p == '0') {
		p++;
		*at = p;
		why = "expected no digit after a leading 0";
		if (DIGIT)
			return NULL;
		why = "expected a digit";
	}
	while (DIGIT)
		p++;
	if (p < end && *p == '.') {
		*at = ++p;
		if (!DIGIT)
			return NULL;
		while (DIGIT)
			p++;
	}
	if (p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < end && (*p == '+' || *p == '-'))
			p++;
		*at = p;
		if (!DIGIT)
			return NULL;
		while (DIGIT)
			p++;
	}
	return p;
#undef DIGIT
}

/* Equal keys have equal signs. */
static uint64_t
sign(const char *s, size_t n)
{
	uint64_t head = 0, tail = 0;

	memcpy(&head, s, n < 8 ? n : 8);
	if (n > 8)
		memcpy(&tail, s + n - 8, 8);
	return head + tail * 31 + n;
}

static uint64_t
bit(uint64_t v)
{
	return (uint64_t)1 << (v * 0x9e3779b97f4a7c15u >> 58);
}

uint64_t
gate_key(const char *key, size_t n)
{
	return bit(sign(key, n));
}

static const char *
key_text(const struct key *k)
{
	return k->p != NULL ? k->p : decoded.p + k->off;
}

static int
key_compare(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int c;

	if (x->sign != y->sign)
		return x->sign < y->sign ? -1 : 1;
	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	c = x->n == 0 ? 0 : memcmp(key_text(x), key_text(y), x->n);
	if (c != 0)
		return c;
	return 0;
}

/* Take the key between quotes at p; the twin it has in its object, or NULL. */
static const char *
key_add(const char *p, size_t n, int esc, size_t base)
{
	struct key *k;
	size_t i;

	grow(&keys, &capkeys, nkeys, sizeof(*keys));
	k = &keys[nkeys];
	k->at = p - 1;
	k->p = p;
	k->n = n;
	if (esc) {
		k->p = NULL;
		k->off = decoded.n;
		jsonstr_decode(&decoded, p, n);
		k->n = decoded.n - k->off;
	}
	k->sign = sign(key_text(k), k->n);
	nkeys++;
	if (nkeys - base > KEYS_PAIRWISE)
		return NULL;
	for (i = base; i + 1 < nkeys; i++)
		if (keys[i].sign == k->sign && key_compare(&keys[i], k) == 0)
			return k->at;
	return NULL;
}

/* Close the object whose keys start at base; a duplicate key, or NULL. */
static const char *
key_close(size_t base)
{
	const char *twin = NULL, *at;
	size_t i, n = nkeys - base;

	nkeys = base;
	if (n <= KEYS_PAIRWISE)
		return NULL;
	qsort(keys + base, n, sizeof(*keys), key_compare);
	for (i = base + 1; i < base + n; i++)
		if (key_compare(&keys[i - 1], &keys[i]) == 0) {
			at = keys[i].at > keys[i - 1].at ? keys[i].at
							 : keys[i - 1].at;
			if (twin == NULL || at < twin)
				twin = at;
		}
	return twin;
}

static struct span
name(const char *p, size_t n, int esc)
{
	struct span s;

	s.p = p;
	s.n = n;
	if (esc) {
		s.p = names.p + names.n;
		jsonstr_decode(&names, p, n);
		s.n = (size_t)(names.p + names.n - s.p);
	}
	return s;
}

int
gate_check(const char *s, size_t n, struct gate *g)
{
	static size_t base[JSON_DEPTH + 1]; /* where an object's keys start */
	char close[JSON_DEPTH + 1];
	const char *p = s, *end = s + n, *at = s, *q;
	const struct key *k;
	struct span *want = NULL;
	size_t depth = 0, len;
	int esc;

	memset(g, 0, sizeof(*g));
	nkeys = 0;
	buf_reset(&decoded);
	buf_reset(&names);
	why = "expected less than 1 GiB";
	if (n >= TEXT_MAX)
		goto fault;

#define BLANKS                                                               \
	while (p < end && (*p == ' ' || *p == '\n' || *p == '\t'             \
			      || *p == '\r'))                                \
		p++
value:
	BLANKS;
	at = p;
	why = "expected a value";
	if (p == end)
		goto fault;
	g->ntok++;
	if (want == &g->type && *p != '"') {
		g->badtype = 1;
		g->at = (size_t)(p - s);
	}
	switch (*p) {
	case '"':
		q = jsonstr_end(++p, end, &esc, &why, &at);
		if (q == NULL)
			goto fault;
		g->hasu |= esc & JSONSTR_HEX;
		if (want != NULL) {
			/* Room for both, so that the first stays put. */
			if (esc && names.n == 0)
				buf_room(&names, 2 * n);
			*want = name(p, (size_t)(q - 1 - p), esc);
		}
		p = q;
		break;
	case '{':
	case '[':
		if (depth == JSON_DEPTH) {
			why = "nested too deeply (limit 128)";
			goto fault;
		}
		if (depth == 0)
			g->isobject = *p == '{';
		close[++depth] = *p == '{' ? '}' : ']';
		base[depth] = nkeys;
		want = NULL;
		p++;
		BLANKS;
		if (p < end && *p == close[depth])
			break;
		if (close[depth] == '}')
			goto key;
		goto value;
	case 't':
	case 'f':
	case 'n':
		q = *p == 't' ? "true" : *p == 'f' ? "false" : "null";
		len = strlen(q);
		if ((size_t)(end - p) < len || memcmp(p, q, len) != 0)
			goto fault;
		p += len;
		break;
	case '-':
	case '0': case '1': case '2': case '3': case '4':
	case '5': case '6': case '7': case '8': case '9':
		p = number(p, end, &at);
		if (p == NULL)
			goto fault;
		break;
	default:
		goto fault;
	}
	want = NULL;
after:
	BLANKS;
	at = p;
	if (depth == 0) {
		why = "expected the end of the text";
		if (p != end)
			goto fault;
		return 0;
	}
	if (p < end && *p == ',') {
		p++;
		if (close[depth] == ']')
			goto value;
		BLANKS;
		goto key;
	}
	if (p < end && *p == close[depth]) {
		if (*p++ == '}' && (at = key_close(base[depth])) != NULL) {
			why = "expected a key that is not there yet";
			goto fault;
		}
		depth--;
		goto after;
	}
	why = close[depth] == ']' ? "expected ',' or ']'"
				  : "expected ',' or '}'";
	goto fault;
key:
	at = p;
	why = "expected a key in quotes";
	if (p == end || *p != '"')
		goto fault;
	g->ntok++;
	q = jsonstr_end(++p, end, &esc, &why, &at);
	if (q == NULL)
		goto fault;
	at = key_add(p, (size_t)(q - 1 - p), esc, base[depth]);
	why = "expected a key that is not there yet";
	if (at != NULL)
		goto fault;
	k = &keys[nkeys - 1];
	g->keys |= bit(k->sign);
	if (depth == 1) {
		if (k->n == 4 && memcmp(key_text(k), "type", 4) == 0)
			want = &g->type;
		else if (k->n == 4 && memcmp(key_text(k), "role", 4) == 0)
			want = &g->role;
	}
	p = q;
	BLANKS;
	at = p;
	why = "expected ':'";
	if (p == end || *p != ':')
		goto fault;
	p++;
	goto value;
fault:
	g->why = why;
	g->at = (size_t)(at - s);
	return -1;
#undef BLANKS
}
