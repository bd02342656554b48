/*
 * pick [-cejnrRs] [--arg NAME TEXT] [--argjson NAME JSON] FILTER [FILE ...]
 *
 * - jq for the tests: jq 1.6 takes 20 to 40 ms to start, for it compiles its
 *   library each time, and the suite asks 2000 times for a field.
 * - It knows the part of jq's language that the tests use most.  Whatever it
 *   does not know (another option, word or operator, an error, a text that
 *   is no JSON, a number that jq may write otherwise) it leaves to jq: it
 *   writes nothing before it is done, and then becomes jq with the same
 *   arguments and input.  So it cannot fail where jq does not.
 * - The product's own scripts use jq itself.  t/pick.t compares both.
 */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"
#include "diag.h"
#include "fd.h"
#include "file.h"
#include "json.h"
#include "utf8.h"

enum { READ_BLOCK = 65536, INPUT_MAX = 1 << 28, DEPTH = 200, VARS_MAX = 8 };

/* What becomes of an unknown thing: main's arguments and input for jq. */
static char **arguments;
static struct buf input;
static int piped; /* the input has been read from stdin */

/* All values and nodes live as long as the process. */
struct block {
	struct block *next;
	size_t used, size;
};
static struct block *blocks;

struct val {
	enum json_kind kind;
	struct span s; /* of a string; a number as written */
	struct val **v; /* elements, or values */
	struct span *key; /* of an object */
	size_t n;
};

enum op {
	OP_SELF,
	OP_FIELD, /* a.key */
	OP_INDEX, /* a[b] */
	OP_SLICE, /* a[b:c], both may be missing */
	OP_EACH, /* a[] */
	OP_CONST,
	OP_TEXT, /* parts of a string: const or b, then the rest a */
	OP_ARRAY, /* [a], a may be missing */
	OP_OBJECT, /* key a: value b, then the rest c */
	OP_PIPE,
	OP_COMMA,
	OP_ELSE, /* a // b */
	OP_OR,
	OP_AND,
	OP_EQ,
	OP_NE,
	OP_LT,
	OP_GT,
	OP_LE,
	OP_GE,
	OP_ADD,
	OP_IF,
	OP_CALL
};

struct node {
	enum op op;
	int quiet; /* with "?": what cannot be had is nothing */
	struct span key;
	struct val *val;
	struct node *a, *b, *c;
	const struct word *word;
};

/* Where a result goes. */
struct sink {
	void (*put)(struct sink *to, struct val *v);
	struct node *node;
	struct sink *next;
	struct val **list;
	size_t n, cap;
};

struct word {
	const char *name;
	int arity;
	void (*run)(struct node *n, struct val *in, struct sink *out);
};

static struct {
	const char *name;
	struct val *val;
} vars[VARS_MAX];
static size_t nvars;
static const char *at; /* what is left of the filter */
static int raw, joined, compact, slurp, null_input, raw_input, by_result;
static struct val *last_result;
static struct buf output;

static struct node *parse_pipe(int depth);
static struct node *parse_term(int depth);
static void eval(struct node *n, struct val *in, struct sink *out);

/* The same question to jq: this process becomes jq. */
static _Noreturn void
leave_to_jq(void)
{
	FILE *f;

	if (piped) {
		f = tmpfile();
		if (!f || fd_write(fileno(f), input.p, input.n) < 0 ||
		    lseek(fileno(f), 0, SEEK_SET) < 0 || dup2(fileno(f), 0) < 0)
			die_sys(EX_IOERR, "a temporary file");
	}
	arguments[0] = "jq";
	execvp("jq", arguments);
	die_sys(EX_UNAVAILABLE, "jq");
}

static void *
take(size_t n)
{
	struct block *b = blocks;
	size_t size = n > READ_BLOCK ? n : READ_BLOCK;
	void *p;

	n = (n + 15) & ~(size_t)15;
	if (!b || b->size - b->used < n) {
		b = xmalloc(sizeof *b + size + 16);
		b->next = blocks;
		b->used = 0;
		b->size = size + 16;
		blocks = b;
	}
	p = (char *)(b + 1) + b->used;
	b->used += n;
	return memset(p, 0, n);
}

static struct val *
make(enum json_kind kind)
{
	struct val *v = take(sizeof *v);

	v->kind = kind;
	return v;
}

static struct span
copy(const void *p, size_t n)
{
	char *to = take(n + 1);

	if (n > 0)
		memcpy(to, p, n);
	return (struct span){to, n};
}

static struct val *
make_text(const void *p, size_t n)
{
	struct val *v = make(JSON_STRING);

	v->s = copy(p, n);
	return v;
}

static struct val *
make_number(size_t n)
{
	struct val *v = make(JSON_NUMBER);
	char text[32];

	v->s = copy(text, (size_t)snprintf(text, sizeof text, "%zu", n));
	return v;
}

static struct val *
make_bool(int yes)
{
	return make(yes ? JSON_TRUE : JSON_FALSE);
}

/*
 * Numbers that every jq writes as they stand: without an exponent, at most
 * 15 digits, and no 0 at the end of a fraction.
 */
static int
plain_number(struct span s)
{
	size_t i = 0, digits = 0, dot = 0;

	if (s.n > 0 && s.p[0] == '-')
		i++;
	if (i < s.n && s.p[i] == '0' && (i + 1 >= s.n || s.p[i + 1] != '.'))
		return s.n == 1;
	if (i + 2 < s.n && strncmp(s.p + i, "0.000", 5) == 0)
		return 0;
	for (; i < s.n; i++)
		if (s.p[i] == '.')
			dot = i;
		else if (isdigit((unsigned char)s.p[i]))
			digits++;
		else
			return 0;
	return digits <= 15 && (!dot || s.p[s.n - 1] != '0');
}

static struct val *
value_of(const struct json *j, int i, int depth)
{
	struct val *v = make(json_kind(j, i));
	struct buf b = {0};
	size_t k = 0;
	int e;

	if (depth > DEPTH)
		leave_to_jq();
	switch (v->kind) {
	case JSON_STRING:
		json_str(j, i, &b);
		v->s = copy(b.p, b.n);
		buf_free(&b);
		break;
	case JSON_NUMBER:
		v->s = json_span(j, i);
		if (!plain_number(v->s))
			leave_to_jq();
		v->s = copy(v->s.p, v->s.n);
		break;
	case JSON_ARRAY:
	case JSON_OBJECT:
		v->n = json_count(j, i);
		v->v = take((v->n + 1) * sizeof *v->v);
		if (v->kind == JSON_OBJECT)
			v->key = take((v->n + 1) * sizeof *v->key);
		for (e = json_first(j, i); e >= 0; e = json_next(j, e), k++) {
			if (v->key) {
				buf_reset(&b);
				json_str(j, e, &b);
				v->key[k] = copy(b.p, b.n);
			}
			v->v[k] = value_of(j, e + !!v->key, depth + 1);
		}
		buf_free(&b);
		break;
	default:
		break;
	}
	return v;
}

/* NULL if it is not one JSON value. */
static struct val *
read_value(const char *s, size_t n)
{
	struct json j = {0};
	struct val *v = NULL;

	if (json_parse(&j, s, n) == 0)
		v = value_of(&j, 0, 0);
	json_free(&j);
	return v;
}

/* Values as jq writes them. */

static void
write_text(struct buf *b, struct span s)
{
	size_t i;

	buf_putc(b, '"');
	for (i = 0; i < s.n; i++)
		switch (s.p[i]) {
		case '"':
		case '\\':
			buf_putc(b, '\\');
			buf_putc(b, s.p[i]);
			break;
		case '\n':
			buf_puts(b, "\\n");
			break;
		case '\t':
			buf_puts(b, "\\t");
			break;
		case '\r':
			buf_puts(b, "\\r");
			break;
		case '\b':
			buf_puts(b, "\\b");
			break;
		case '\f':
			buf_puts(b, "\\f");
			break;
		case 127: /* not the same in each version */
			leave_to_jq();
		default:
			if ((unsigned char)s.p[i] < 32)
				buf_printf(b, "\\u%04x", s.p[i]);
			else
				buf_putc(b, s.p[i]);
		}
	buf_putc(b, '"');
}

static void
write_break(struct buf *b, int indent)
{
	if (indent < 0)
		return;
	buf_putc(b, '\n');
	while (indent-- > 0)
		buf_puts(b, "  ");
}

/* indent < 0: in one line. */
static void
write_value(struct buf *b, const struct val *v, int indent)
{
	int deeper = indent < 0 ? indent : indent + 1;
	size_t i;

	switch (v->kind) {
	case JSON_STRING:
		write_text(b, v->s);
		return;
	case JSON_NUMBER:
		buf_span(b, v->s);
		return;
	case JSON_TRUE:
		buf_puts(b, "true");
		return;
	case JSON_FALSE:
		buf_puts(b, "false");
		return;
	case JSON_ARRAY:
	case JSON_OBJECT:
		buf_putc(b, v->key ? '{' : '[');
		for (i = 0; i < v->n; i++) {
			if (i > 0)
				buf_putc(b, ',');
			write_break(b, deeper);
			if (v->key) {
				write_text(b, v->key[i]);
				buf_puts(b, indent < 0 ? ":" : ": ");
			}
			write_value(b, v->v[i], deeper);
		}
		if (v->n > 0)
			write_break(b, indent);
		buf_putc(b, v->key ? '}' : ']');
		return;
	default:
		buf_puts(b, "null");
	}
}

static struct val *
written(const struct val *v)
{
	struct buf b = {0};
	struct val *r;

	write_value(&b, v, -1);
	r = make_text(b.p, b.n);
	buf_free(&b);
	return r;
}

static struct val *
as_text(struct val *v)
{
	return v->kind == JSON_STRING ? v : written(v);
}

/* Looking into values. */

static int
is_true(const struct val *v)
{
	return v->kind != JSON_FALSE && v->kind != JSON_NULL;
}

static struct val *
member(const struct val *v, struct span key)
{
	size_t i;

	for (i = 0; i < v->n; i++)
		if (span_same(v->key[i], key))
			return v->v[i];
	return NULL;
}

static int
same(const struct val *a, const struct val *b)
{
	const struct val *w;
	size_t i;

	if (a->kind != b->kind || a->n != b->n)
		return 0;
	if (a->kind == JSON_NUMBER)
		return strtod(a->s.p, NULL) == strtod(b->s.p, NULL);
	if (a->kind == JSON_STRING)
		return span_same(a->s, b->s);
	for (i = 0; i < a->n; i++) {
		w = a->key ? member(b, a->key[i]) : b->v[i];
		if (!w || !same(a->v[i], w))
			return 0;
	}
	return 1;
}

static size_t
count_points(struct span s)
{
	size_t i, n = 0;

	for (i = 0; i < s.n; i++)
		n += ((unsigned char)s.p[i] & 0xc0) != 0x80;
	return n;
}

/* The byte where code point k begins. */
static size_t
point_at(struct span s, size_t k)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (((unsigned char)s.p[i] & 0xc0) != 0x80 && k-- == 0)
			return i;
	return s.n;
}

static long
whole(const struct val *v)
{
	char *end;
	long k;

	if (v->kind != JSON_NUMBER)
		leave_to_jq();
	k = strtol(v->s.p, &end, 10);
	if (*end || k > 1000000000 || k < -1000000000)
		leave_to_jq();
	return k;
}

/* A bound of a slice of something n long. */
static size_t
bound(const struct val *v, size_t n, size_t missing)
{
	long k;

	if (!v || v->kind == JSON_NULL)
		return missing;
	k = whole(v);
	if (k < 0)
		k = (long)n + k < 0 ? 0 : (long)n + k;
	return (size_t)k > n ? n : (size_t)k;
}

static struct val *
slice(struct val *in, const struct val *from, const struct val *to)
{
	size_t n, a, b;
	struct val *v;

	if (in->kind == JSON_NULL)
		return in;
	if (in->kind != JSON_STRING && in->kind != JSON_ARRAY)
		leave_to_jq();
	n = in->kind == JSON_STRING ? count_points(in->s) : in->n;
	a = bound(from, n, 0);
	b = bound(to, n, n);
	if (b < a)
		b = a;
	if (in->kind == JSON_STRING) {
		a = point_at(in->s, a);
		return make_text(in->s.p + a, point_at(in->s, b) - a);
	}
	v = make(JSON_ARRAY);
	v->v = in->v + a;
	v->n = b - a;
	return v;
}

/* NULL: an error, which a "?" makes nothing. */
static struct val *
look_up(const struct val *in, const struct val *key)
{
	struct val *v = NULL;
	long k;

	if (key->kind == JSON_STRING) {
		if (in->kind == JSON_OBJECT)
			v = member(in, key->s);
		else if (in->kind != JSON_NULL)
			return NULL;
	} else if (key->kind == JSON_NUMBER) {
		if (in->kind == JSON_ARRAY) {
			if ((k = whole(key)) < 0)
				k += (long)in->n;
			if (k >= 0 && (size_t)k < in->n)
				v = in->v[k];
		} else if (in->kind != JSON_NULL) {
			return NULL;
		}
	} else {
		leave_to_jq();
	}
	return v ? v : make(JSON_NULL);
}

static struct val *
add(struct val *a, struct val *b)
{
	struct val *v;

	if (a->kind == JSON_NULL)
		return b;
	if (b->kind == JSON_NULL)
		return a;
	if (a->kind != b->kind)
		leave_to_jq();
	v = make(a->kind);
	if (a->kind == JSON_STRING) {
		char *p = take(a->s.n + b->s.n + 1);

		memcpy(p, a->s.p, a->s.n);
		memcpy(p + a->s.n, b->s.p, b->s.n);
		v->s = (struct span){p, a->s.n + b->s.n};
	} else if (a->kind == JSON_ARRAY) {
		v->n = a->n + b->n;
		v->v = take((v->n + 1) * sizeof *v->v);
		if (a->n > 0)
			memcpy(v->v, a->v, a->n * sizeof *v->v);
		if (b->n > 0)
			memcpy(v->v + a->n, b->v, b->n * sizeof *v->v);
	} else {
		leave_to_jq();
	}
	return v;
}

/* The filter's text. */

static void
skip_blanks(void)
{
	at += strspn(at, " \t\r\n");
}

/* Is this what comes now?  Then it is past. */
static int
accept(const char *text)
{
	size_t n = strlen(text);

	skip_blanks();
	if (strncmp(at, text, n) != 0 ||
	    (isalpha((unsigned char)text[0]) &&
		(isalnum((unsigned char)at[n]) || at[n] == '_')))
		return 0;
	at += n;
	return 1;
}

static void
expect(const char *text)
{
	if (!accept(text))
		leave_to_jq();
}

static struct node *
new_node(enum op op, struct node *a, struct node *b)
{
	struct node *n = take(sizeof *n);

	n->op = op;
	n->a = a;
	n->b = b;
	return n;
}

static struct node *
new_const(struct val *v)
{
	struct node *n = new_node(OP_CONST, NULL, NULL);

	n->val = v;
	return n;
}

/* A name at the cursor; empty if there is no name. */
static struct span
parse_name(void)
{
	const char *from = at;

	if (isalpha((unsigned char)*at) || *at == '_')
		while (isalnum((unsigned char)*at) || *at == '_')
			at++;
	return copy(from, (size_t)(at - from));
}

/* What stands after the opening quote, as parts that are put together. */
static struct node *
parse_string(int depth)
{
	struct buf b = {0};
	struct node *n, *inner;

	for (; *at && *at != '"'; at++) {
		if (*at != '\\') {
			buf_putc(&b, *at);
			continue;
		}
		switch (*++at) {
		case 'n':
			buf_putc(&b, '\n');
			break;
		case 't':
			buf_putc(&b, '\t');
			break;
		case 'r':
			buf_putc(&b, '\r');
			break;
		case '"':
		case '\\':
		case '/':
			buf_putc(&b, *at);
			break;
		case '(':
			at++;
			inner = parse_pipe(depth);
			skip_blanks();
			if (*at++ != ')')
				leave_to_jq();
			n = new_node(OP_TEXT, NULL, inner);
			n->val = make_text(b.p, b.n);
			buf_free(&b);
			n->a = parse_string(depth);
			return n;
		default:
			leave_to_jq();
		}
	}
	if (*at++ != '"')
		leave_to_jq();
	n = new_const(make_text(b.p, b.n));
	buf_free(&b);
	return n;
}

static struct val *
parse_number(void)
{
	const char *from = at;
	struct val *v = make(JSON_NUMBER);

	at += *at == '-';
	at += strspn(at, "0123456789.");
	v->s = copy(from, (size_t)(at - from));
	if (!plain_number(v->s) || *at == 'e' || *at == 'E')
		leave_to_jq();
	return v;
}

/* key: value and what follows, up to the brace. */
static struct node *
parse_pairs(int depth)
{
	struct node *n = new_node(OP_OBJECT, NULL, NULL);
	struct span name;

	if (accept("}"))
		return NULL;
	skip_blanks();
	if (accept("(")) {
		n->a = parse_pipe(depth);
		expect(")");
	} else if (accept("\"")) {
		n->a = parse_string(depth);
	} else {
		name = parse_name();
		if (name.n == 0)
			leave_to_jq();
		n->a = new_const(make_text(name.p, name.n));
		n->b = new_node(OP_FIELD, new_node(OP_SELF, NULL, NULL), NULL);
		n->b->key = name;
	}
	if (accept(":"))
		n->b = parse_term(depth);
	else if (!n->b)
		leave_to_jq();
	if (accept(",")) {
		n->c = parse_pairs(depth);
		return n;
	}
	expect("}");
	return n;
}

static struct node *
parse_if(int depth)
{
	struct node *n = new_node(OP_IF, parse_pipe(depth), NULL);

	expect("then");
	n->b = parse_pipe(depth);
	if (accept("elif")) {
		n->c = parse_if(depth);
		return n;
	}
	expect("else");
	n->c = parse_pipe(depth);
	expect("end");
	return n;
}

static const struct word *find_word(struct span name, int arity);

static struct node *
parse_call(struct span name, int depth)
{
	struct node *n = new_node(OP_CALL, NULL, NULL);
	int arity = 0;

	if (*at == '(') {
		at++;
		n->a = parse_pipe(depth);
		arity = 1;
		expect(")");
	}
	if (!(n->word = find_word(name, arity)))
		leave_to_jq();
	return n;
}

static struct node *
parse_variable(void)
{
	struct span name = parse_name();
	size_t i;

	for (i = nvars; i-- > 0;)
		if (span_is(name, vars[i].name))
			return new_const(vars[i].val);
	leave_to_jq();
}

/* .key, ."key", [index], [from:to], [] and ? after a term. */
static struct node *
parse_behind(struct node *n, int depth)
{
	struct node *from = NULL;

	for (;;) {
		if (*at == '.' && (isalpha((unsigned char)at[1]) ||
				      at[1] == '_' || at[1] == '"')) {
			at++;
			n = new_node(OP_FIELD, n, NULL);
			if (*at == '"') {
				at++;
				from = parse_string(depth);
				if (from->op != OP_CONST)
					leave_to_jq();
				n->key = from->val->s;
			} else {
				n->key = parse_name();
			}
		} else if (*at == '[') {
			at++;
			if (accept("]")) {
				n = new_node(OP_EACH, n, NULL);
				continue;
			}
			from = accept(":") ? NULL : parse_pipe(depth);
			if (from && accept("]")) {
				n = new_node(OP_INDEX, n, from);
				continue;
			}
			if (from)
				expect(":");
			n = new_node(OP_SLICE, n, from);
			if (accept("]"))
				continue;
			n->c = parse_pipe(depth);
			expect("]");
		} else if (*at == '?' && at[1] != '/' && n->op <= OP_EACH &&
			   n->op != OP_SELF) {
			at++;
			n->quiet = 1;
		} else {
			return n;
		}
	}
}

static struct node *
parse_term(int depth)
{
	struct node *n = NULL;
	struct span name;

	if (depth > DEPTH)
		leave_to_jq();
	depth++;
	skip_blanks();
	if (*at == '.') {
		n = new_node(OP_SELF, NULL, NULL);
		if (at[1] == '.')
			leave_to_jq();
		if (at[1] != '"' && at[1] != '_' &&
		    !isalpha((unsigned char)at[1]))
			at++;
	} else if (accept("(")) {
		n = parse_pipe(depth);
		expect(")");
		/* A "?" after it is not one of the last step. */
		n = new_node(OP_PIPE, n, new_node(OP_SELF, NULL, NULL));
	} else if (accept("[")) {
		n = new_node(OP_ARRAY, NULL, NULL);
		if (!accept("]")) {
			n->a = parse_pipe(depth);
			expect("]");
		}
	} else if (accept("{")) {
		n = parse_pairs(depth);
		if (!n)
			n = new_const(make(JSON_OBJECT));
		if (n->op == OP_CONST) {
			n->val->key = take(1);
			n->val->v = take(1);
		}
	} else if (accept("\"")) {
		n = parse_string(depth);
	} else if (accept("$")) {
		n = parse_variable();
	} else if (isdigit((unsigned char)*at) ||
		   (*at == '-' && isdigit((unsigned char)at[1]))) {
		n = new_const(parse_number());
	} else if (strncmp(at, "@tsv", 4) == 0) {
		at += 4;
		n = parse_call(span_of("@tsv"), depth);
	} else if (accept("if")) {
		n = parse_if(depth);
	} else {
		name = parse_name();
		if (name.n == 0)
			leave_to_jq();
		if (span_is(name, "true") || span_is(name, "false"))
			n = new_const(make_bool(name.p[0] == 't'));
		else if (span_is(name, "null"))
			n = new_const(make(JSON_NULL));
		else
			n = parse_call(name, depth);
	}
	return parse_behind(n, depth);
}

static struct node *
parse_sum(int depth)
{
	struct node *n = parse_term(depth);

	for (;;) {
		skip_blanks();
		if (*at != '+' || at[1] == '=')
			return n;
		at++;
		n = new_node(OP_ADD, n, parse_term(depth));
	}
}

static struct node *
parse_comparison(int depth)
{
	static const struct {
		const char *text;
		enum op op;
	} ops[] = {{"==", OP_EQ}, {"!=", OP_NE}, {"<=", OP_LE}, {">=", OP_GE},
	    {"<", OP_LT}, {">", OP_GT}};
	struct node *n = parse_sum(depth);
	size_t i;

	for (i = 0; i < sizeof ops / sizeof *ops; i++)
		if (accept(ops[i].text))
			return new_node(ops[i].op, n, parse_sum(depth));
	return n;
}

static struct node *
parse_and(int depth)
{
	struct node *n = parse_comparison(depth);

	while (accept("and"))
		n = new_node(OP_AND, n, parse_comparison(depth));
	return n;
}

static struct node *
parse_or(int depth)
{
	struct node *n = parse_and(depth);

	while (accept("or"))
		n = new_node(OP_OR, n, parse_and(depth));
	return n;
}

static struct node *
parse_else(int depth)
{
	struct node *n = parse_or(depth);

	skip_blanks();
	if (strncmp(at, "//", 2) != 0 || at[2] == '=')
		return n;
	at += 2;
	return new_node(OP_ELSE, n, parse_else(depth));
}

static struct node *
parse_pipe(int depth)
{
	struct node *n;

	if (depth > DEPTH)
		leave_to_jq();
	n = parse_else(depth + 1);
	while (accept(","))
		n = new_node(OP_COMMA, n, parse_else(depth + 1));
	return accept("|") ? new_node(OP_PIPE, n, parse_pipe(depth + 1)) : n;
}

/* Results. */

static void
put(struct sink *to, struct val *v)
{
	to->put(to, v);
}

static void
put_list(struct sink *to, struct val *v)
{
	grow(&to->list, &to->cap, to->n, sizeof *to->list);
	to->list[to->n++] = v;
}

/* All results as an array. */
static struct val *
all_of(struct node *n, struct val *in)
{
	struct sink s = {.put = put_list};
	struct val *v = make(JSON_ARRAY);

	eval(n, in, &s);
	v->n = s.n;
	v->v = take((s.n + 1) * sizeof *v->v);
	if (s.n > 0)
		memcpy(v->v, s.list, s.n * sizeof *v->v);
	free(s.list);
	return v;
}

/* The one result, NULL without results; several are for jq. */
static struct val *
one_of(struct node *n, struct val *in)
{
	struct val *v = all_of(n, in);

	if (v->n > 1)
		leave_to_jq();
	return v->n ? v->v[0] : NULL;
}

static void
put_through(struct sink *to, struct val *v)
{
	eval(to->node, v, to->next);
}

static void
eval_pipe(struct node *n, struct val *in, struct sink *out)
{
	struct sink s = {.put = put_through, .node = n->b, .next = out};

	eval(n->a, in, &s);
}

static void
eval_else(struct node *n, struct val *in, struct sink *out)
{
	struct val *all = all_of(n->a, in);
	size_t i;
	int some = 0;

	for (i = 0; i < all->n; i++)
		if (is_true(all->v[i])) {
			some = 1;
			put(out, all->v[i]);
		}
	if (!some)
		eval(n->b, in, out);
}

static void
eval_step(struct node *n, struct val *in, struct sink *out)
{
	struct val *from = all_of(n->a, in), *key = NULL, *to = NULL, *v;
	size_t i, k;

	if (n->op == OP_FIELD) {
		key = make(JSON_STRING);
		key->s = n->key;
	}
	if (n->b && !(key = one_of(n->b, in)))
		leave_to_jq();
	if (n->c && !(to = one_of(n->c, in)))
		leave_to_jq();
	for (i = 0; i < from->n; i++) {
		v = from->v[i];
		if (n->op == OP_EACH) {
			if (!v->v && !n->quiet)
				leave_to_jq();
			for (k = 0; k < v->n; k++)
				put(out, v->v[k]);
		} else if (n->op == OP_SLICE) {
			put(out, slice(v, key, to));
		} else if ((v = look_up(v, key))) {
			put(out, v);
		} else if (!n->quiet) {
			leave_to_jq();
		}
	}
}

static void
eval_text(struct node *n, struct val *in, struct sink *out)
{
	struct val *v = n->val, *w;

	for (; n->op == OP_TEXT; n = n->a) {
		if (!(w = one_of(n->b, in)))
			return;
		v = add(add(v, as_text(w)), n->a->val);
	}
	put(out, v);
}

static void
eval_object(struct node *n, struct val *in, struct sink *out)
{
	struct val *v = make(JSON_OBJECT), *key, *w;
	struct node *p;
	size_t k = 0;

	for (p = n; p; p = p->c)
		k++;
	v->key = take(k * sizeof *v->key);
	v->v = take(k * sizeof *v->v);
	for (; n; n = n->c) {
		key = one_of(n->a, in);
		w = one_of(n->b, in);
		if (!key || !w)
			return;
		if (key->kind != JSON_STRING || member(v, key->s))
			leave_to_jq();
		v->key[v->n] = key->s;
		v->v[v->n++] = w;
	}
	put(out, v);
}

static int
holds(enum op op, struct val *a, struct val *b)
{
	double x, y;

	if (op == OP_EQ || op == OP_NE)
		return same(a, b) == (op == OP_EQ);
	if (a->kind != JSON_NUMBER || b->kind != JSON_NUMBER)
		leave_to_jq();
	x = strtod(a->s.p, NULL);
	y = strtod(b->s.p, NULL);
	return op == OP_LT   ? x < y
	       : op == OP_GT ? x > y
	       : op == OP_LE ? x <= y
			     : x >= y;
}

static void
eval_pair(struct node *n, struct val *in, struct sink *out)
{
	struct val *b = all_of(n->b, in), *a = all_of(n->a, in);
	size_t i, k;

	for (i = 0; i < b->n; i++)
		for (k = 0; k < a->n; k++)
			put(out, n->op == OP_ADD ? add(a->v[k], b->v[i])
						 : make_bool(holds(n->op,
						       a->v[k], b->v[i])));
}

static void
eval_logic(struct node *n, struct val *in, struct sink *out)
{
	struct val *a = all_of(n->a, in), *b;
	size_t i, k;

	for (i = 0; i < a->n; i++) {
		if (is_true(a->v[i]) == (n->op == OP_OR)) {
			put(out, make_bool(n->op == OP_OR));
			continue;
		}
		b = all_of(n->b, in);
		for (k = 0; k < b->n; k++)
			put(out, make_bool(is_true(b->v[k])));
	}
}

static void
eval(struct node *n, struct val *in, struct sink *out)
{
	struct val *v;
	size_t i;

	switch (n->op) {
	case OP_SELF:
		put(out, in);
		break;
	case OP_FIELD:
	case OP_INDEX:
	case OP_SLICE:
	case OP_EACH:
		eval_step(n, in, out);
		break;
	case OP_CONST:
		put(out, n->val);
		break;
	case OP_TEXT:
		eval_text(n, in, out);
		break;
	case OP_ARRAY:
		v = make(JSON_ARRAY);
		v->v = take(sizeof *v->v);
		put(out, n->a ? all_of(n->a, in) : v);
		break;
	case OP_OBJECT:
		eval_object(n, in, out);
		break;
	case OP_PIPE:
		eval_pipe(n, in, out);
		break;
	case OP_COMMA:
		eval(n->a, in, out);
		eval(n->b, in, out);
		break;
	case OP_ELSE:
		eval_else(n, in, out);
		break;
	case OP_AND:
	case OP_OR:
		eval_logic(n, in, out);
		break;
	case OP_IF:
		v = all_of(n->a, in);
		for (i = 0; i < v->n; i++)
			eval(is_true(v->v[i]) ? n->b : n->c, in, out);
		break;
	case OP_CALL:
		n->word->run(n, in, out);
		break;
	default:
		eval_pair(n, in, out);
	}
}

/* jq's words. */

static void
run_empty(struct node *n, struct val *in, struct sink *out)
{
	(void)n, (void)in, (void)out;
}

static void
run_not(struct node *n, struct val *in, struct sink *out)
{
	(void)n;
	put(out, make_bool(!is_true(in)));
}

static void
run_length(struct node *n, struct val *in, struct sink *out)
{
	(void)n;
	if (in->kind == JSON_NUMBER || in->kind == JSON_TRUE ||
	    in->kind == JSON_FALSE)
		leave_to_jq();
	put(out,
	    make_number(in->kind == JSON_STRING ? count_points(in->s) : in->n));
}

static void
run_strings(struct node *n, struct val *in, struct sink *out)
{
	(void)n;
	if (in->kind == JSON_STRING)
		put(out, in);
}

static void
run_tojson(struct node *n, struct val *in, struct sink *out)
{
	(void)n;
	put(out, written(in));
}

static void
run_fromjson(struct node *n, struct val *in, struct sink *out)
{
	struct val *v;

	(void)n;
	if (in->kind != JSON_STRING || !(v = read_value(in->s.p, in->s.n)))
		leave_to_jq();
	put(out, v);
}

static void
run_tostring(struct node *n, struct val *in, struct sink *out)
{
	(void)n;
	put(out, as_text(in));
}

static void
run_type(struct node *n, struct val *in, struct sink *out)
{
	static const char *const names[] = {[JSON_OBJECT] = "object",
	    [JSON_ARRAY] = "array",
	    [JSON_STRING] = "string",
	    [JSON_NUMBER] = "number",
	    [JSON_TRUE] = "boolean",
	    [JSON_FALSE] = "boolean",
	    [JSON_NULL] = "null"};

	(void)n;
	put(out, make_text(names[in->kind], strlen(names[in->kind])));
}

static int
compare_texts(const void *a, const void *b)
{
	const struct val *const *x = a, *const *y = b;
	size_t n = (*x)->s.n < (*y)->s.n ? (*x)->s.n : (*y)->s.n;
	int d = memcmp((*x)->s.p, (*y)->s.p, n);

	return d ? d : ((*x)->s.n > (*y)->s.n) - ((*x)->s.n < (*y)->s.n);
}

static void
run_keys(struct node *n, struct val *in, struct sink *out)
{
	struct val *v = make(JSON_ARRAY);
	size_t i;

	if (in->kind != JSON_OBJECT)
		leave_to_jq();
	v->n = in->n;
	v->v = take((in->n + 1) * sizeof *v->v);
	for (i = 0; i < in->n; i++) {
		v->v[i] = make(JSON_STRING);
		v->v[i]->s = in->key[i];
	}
	if (strcmp(n->word->name, "keys") == 0 && in->n > 0)
		qsort(v->v, v->n, sizeof *v->v, compare_texts);
	put(out, v);
}

static void
run_last(struct node *n, struct val *in, struct sink *out)
{
	if (in->kind != JSON_ARRAY)
		leave_to_jq();
	put(out, in->n == 0 ? make(JSON_NULL)
			    : in->v[n->word->name[0] == 'f' ? 0 : in->n - 1]);
}

static void
run_tsv(struct node *n, struct val *in, struct sink *out)
{
	struct buf b = {0};
	const struct val *v;
	size_t i, k;

	(void)n;
	if (in->kind != JSON_ARRAY)
		leave_to_jq();
	for (i = 0; i < in->n; i++) {
		v = in->v[i];
		if (i > 0)
			buf_putc(&b, '\t');
		if (v->v)
			leave_to_jq();
		if (v->kind == JSON_STRING) {
			for (k = 0; k < v->s.n; k++)
				if (strchr("\t\n\r\\", v->s.p[k]))
					leave_to_jq();
			buf_span(&b, v->s);
		} else if (v->kind != JSON_NULL) {
			write_value(&b, v, -1);
		}
	}
	put(out, make_text(b.p, b.n));
	buf_free(&b);
}

static void
run_select(struct node *n, struct val *in, struct sink *out)
{
	struct val *all = all_of(n->a, in);
	size_t i;

	for (i = 0; i < all->n; i++)
		if (is_true(all->v[i]))
			put(out, in);
}

static void
run_map(struct node *n, struct val *in, struct sink *out)
{
	struct sink s = {.put = put_list};
	struct val *v = make(JSON_ARRAY);
	size_t i;

	if (!in->v)
		leave_to_jq();
	for (i = 0; i < in->n; i++)
		eval(n->a, in->v[i], &s);
	v->n = s.n;
	v->v = take((s.n + 1) * sizeof *v->v);
	if (s.n > 0)
		memcpy(v->v, s.list, s.n * sizeof *v->v);
	free(s.list);
	put(out, v);
}

/* The argument of a word that wants one text. */
static struct span
text_argument(struct node *n, struct val *in)
{
	struct val *v = one_of(n->a, in);

	if (!v || v->kind != JSON_STRING)
		leave_to_jq();
	return v->s;
}

static void
run_has(struct node *n, struct val *in, struct sink *out)
{
	struct span key = text_argument(n, in);

	if (in->kind != JSON_OBJECT)
		leave_to_jq();
	put(out, make_bool(member(in, key) != NULL));
}

static void
run_join(struct node *n, struct val *in, struct sink *out)
{
	struct span by = text_argument(n, in);
	struct buf b = {0};
	size_t i;

	if (in->kind != JSON_ARRAY)
		leave_to_jq();
	for (i = 0; i < in->n; i++) {
		if (i > 0)
			buf_span(&b, by);
		if (in->v[i]->v)
			leave_to_jq();
		if (in->v[i]->kind == JSON_STRING)
			buf_span(&b, in->v[i]->s);
		else if (in->v[i]->kind != JSON_NULL)
			write_value(&b, in->v[i], -1);
	}
	put(out, make_text(b.p, b.n));
	buf_free(&b);
}

/* Where by is first in s from i on; s.n if nowhere. */
static size_t
find_text(struct span s, size_t i, struct span by)
{
	for (; i + by.n <= s.n; i++)
		if (memcmp(s.p + i, by.p, by.n) == 0)
			return i;
	return s.n;
}

static void
run_split(struct node *n, struct val *in, struct sink *out)
{
	struct span by = text_argument(n, in);
	struct sink s = {.put = put_list};
	struct val *v;
	size_t i, end;

	if (in->kind != JSON_STRING || by.n == 0)
		leave_to_jq();
	for (i = 0; in->s.n > 0; i = end + by.n) {
		end = find_text(in->s, i, by);
		put_list(&s, make_text(in->s.p + i, end - i));
		if (end == in->s.n)
			break;
	}
	v = make(JSON_ARRAY);
	v->n = s.n;
	v->v = take((s.n + 1) * sizeof *v->v);
	if (s.n > 0)
		memcpy(v->v, s.list, s.n * sizeof *v->v);
	free(s.list);
	put(out, v);
}

static void
run_within(struct node *n, struct val *in, struct sink *out)
{
	struct span part = text_argument(n, in);
	size_t i = 0;

	if (in->kind != JSON_STRING || part.n == 0)
		leave_to_jq();
	if (part.n > in->s.n)
		i = part.n + 1;
	else if (n->word->name[0] == 'e')
		i = in->s.n - part.n;
	if (n->word->name[0] == 'c')
		put(out, make_bool(find_text(in->s, 0, part) < in->s.n));
	else
		put(out, make_bool(i <= in->s.n &&
				   memcmp(in->s.p + i, part.p, part.n) == 0));
}

/* Without what path p leads to: a chain of fields. */
static struct val *
without(struct val *in, const struct node *p)
{
	struct val *v;
	size_t i;

	if (p->op != OP_FIELD || p->a->op != OP_SELF)
		leave_to_jq();
	if (in->kind == JSON_NULL)
		return in;
	if (in->kind != JSON_OBJECT)
		leave_to_jq();
	v = make(JSON_OBJECT);
	v->key = take((in->n + 1) * sizeof *v->key);
	v->v = take((in->n + 1) * sizeof *v->v);
	for (i = 0; i < in->n; i++) {
		if (span_same(in->key[i], p->key))
			continue;
		v->key[v->n] = in->key[i];
		v->v[v->n++] = in->v[i];
	}
	return v;
}

static struct val *
without_all(struct val *in, const struct node *p)
{
	if (p->op != OP_COMMA)
		return without(in, p);
	return without_all(without_all(in, p->a), p->b);
}

static void
run_del(struct node *n, struct val *in, struct sink *out)
{
	put(out, without_all(in, n->a));
}

static const struct word words[] = {{"empty", 0, run_empty},
    {"not", 0, run_not}, {"length", 0, run_length}, {"strings", 0, run_strings},
    {"tojson", 0, run_tojson}, {"fromjson", 0, run_fromjson},
    {"tostring", 0, run_tostring}, {"type", 0, run_type}, {"keys", 0, run_keys},
    {"keys_unsorted", 0, run_keys}, {"first", 0, run_last},
    {"last", 0, run_last}, {"@tsv", 0, run_tsv}, {"select", 1, run_select},
    {"map", 1, run_map}, {"has", 1, run_has}, {"join", 1, run_join},
    {"split", 1, run_split}, {"startswith", 1, run_within},
    {"endswith", 1, run_within}, {"contains", 1, run_within},
    {"del", 1, run_del}, {NULL, 0, NULL}};

static const struct word *
find_word(struct span name, int arity)
{
	const struct word *w;

	for (w = words; w->name; w++)
		if (span_is(name, w->name) && w->arity == arity)
			return w;
	return NULL;
}

/* What goes in and out. */

static void
put_output(struct sink *to, struct val *v)
{
	(void)to;
	last_result = v;
	if (raw && v->kind == JSON_STRING)
		buf_span(&output, v->s);
	else
		write_value(&output, v, compact ? -1 : 0);
	if (!joined)
		buf_putc(&output, '\n');
}

static void
read_input(char **files)
{
	ssize_t r = 1;

	for (; *files; files++)
		if (file_read(*files, &input, INPUT_MAX) != FILE_OK ||
		    (files[1] && input.n > 0 && input.p[input.n - 1] != '\n'))
			leave_to_jq();
	while (piped && r > 0) {
		buf_room(&input, READ_BLOCK);
		r = read(0, input.p + input.n, READ_BLOCK);
		if (r < 0)
			leave_to_jq();
		input.n += (size_t)r;
	}
}

/* One value per line; if a line is not one value, all of it is. */
static void
read_values(struct sink *to)
{
	const char *p = input.p, *end = input.p + input.n, *nl;
	struct val *v;

	if (slurp && raw_input) {
		if (utf8_check(input.p, input.n) < input.n)
			leave_to_jq();
		put(to, make_text(input.p, input.n));
		return;
	}
	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		if (raw_input)
			leave_to_jq();
		if (strspn(p, " \t\r") >= (size_t)(nl - p))
			continue;
		v = read_value(p, (size_t)(nl - p));
		if (!v && to->n == 0) {
			v = read_value(input.p, input.n);
			nl = end;
		}
		if (!v)
			leave_to_jq();
		put(to, v);
	}
}

/* The words after the options; what is not known is jq's. */
static char **
read_options(char **v)
{
	const char *o;
	char *name;

	for (; *v && (*v)[0] == '-' && (*v)[1]; v++) {
		if (strcmp(*v, "--arg") == 0 || strcmp(*v, "--argjson") == 0) {
			if (!v[1] || !v[2] || nvars == VARS_MAX)
				leave_to_jq();
			name = v[1];
			vars[nvars].name = name;
			vars[nvars].val = (*v)[5]
					      ? read_value(v[2], strlen(v[2]))
					      : make_text(v[2], strlen(v[2]));
			if (!vars[nvars].val ||
			    utf8_check(v[2], strlen(v[2])) < strlen(v[2]))
				leave_to_jq();
			nvars++;
			v += 2;
			continue;
		}
		for (o = *v + 1; *o; o++)
			switch (*o) {
			case 'r':
				raw = 1;
				break;
			case 'j':
				raw = joined = 1;
				break;
			case 'c':
				compact = 1;
				break;
			case 's':
				slurp = 1;
				break;
			case 'n':
				null_input = 1;
				break;
			case 'R':
				raw_input = 1;
				break;
			case 'e':
				by_result = 1;
				break;
			default:
				leave_to_jq();
			}
	}
	return v;
}

int
main(int argc, char **argv)
{
	struct sink values = {.put = put_list}, out = {.put = put_output};
	struct node *filter;
	struct val *all;
	char **v;
	size_t i;

	prog = "pick";
	(void)argc;
	arguments = argv;
	v = read_options(argv + 1);
	if (!*v)
		leave_to_jq();
	at = *v++;
	filter = parse_pipe(0);
	skip_blanks();
	if (*at)
		leave_to_jq();
	for (i = 0; v[i]; i++)
		if (v[i][0] == '-')
			leave_to_jq();
	piped = !*v && !null_input;
	if (null_input) {
		put(&values, make(JSON_NULL));
	} else {
		read_input(v);
		read_values(&values);
	}
	if (slurp && !raw_input && !null_input) {
		all = make(JSON_ARRAY);
		all->v = values.list ? values.list : take(1);
		all->n = values.n;
		eval(filter, all, &out);
	} else {
		for (i = 0; i < values.n; i++) {
			last_result = NULL;
			eval(filter, values.list[i], &out);
		}
	}
	/* What -e means then is not the same in each version. */
	if (by_result && !last_result)
		leave_to_jq();
	if (fd_write(1, output.p, output.n) < 0)
		die_sys(EX_IOERR, "standard output");
	buf_free(&output);
	buf_free(&input);
	free(values.list);
	return by_result && !is_true(last_result);
}
