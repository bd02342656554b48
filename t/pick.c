/*
 * pick [-cjr] FILTER [FILE ...]
 *
 * - A field for the tests: jq 1.6 takes 20 to 40 ms to start, for it compiles
 *   its library each time, and the suite asks 2800 times, half of them for no
 *   more than .a.b[0], [.a, .b], .a // "x" or select(.a == "x").b.
 * - All else (another word, operator or option, an error, a text that is no
 *   JSON, what jq may write otherwise) is left to jq: nothing is written
 *   before all is done, and then this process becomes jq with the same
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

enum { INPUT_BLOCK = 65536, INPUT_MAX = 1 << 28 };

/* A value of a text; at < 0: null. */
struct val {
	const struct json *j;
	int at;
};

struct list {
	struct val *v;
	size_t n, cap;
};

enum op {
	OP_SELF,
	OP_FIELD, /* a.key */
	OP_INDEX, /* a[index] */
	OP_EACH,  /* a[] */
	OP_CONST,
	OP_EMPTY,
	OP_ARRAY, /* [a] */
	OP_SELECT, /* select(a) */
	OP_PIPE,
	OP_COMMA,
	OP_ELSE, /* a // b */
	OP_EQUAL,
	OP_OTHER /* a != b */
};

struct node {
	enum op op;
	int quiet; /* with "?": what cannot be had is nothing */
	char *key;
	long index;
	struct val val;
	struct node *a, *b;
};

/* All that is taken lives as long as the process. */
static struct block {
	struct block *next;
} *blocks;

static char **arguments; /* main's, for jq */
static struct buf input, output;
static int piped; /* the input has been read from stdin */
static int raw, joined, compact;
static const char *cursor; /* what is left of the filter */
static const struct json none;

static struct node *parse_pipe(void);

static _Noreturn void
leave_to_jq(void)
{
	FILE *f;

	if (piped) {
		f = tmpfile();
		if (f == NULL || fd_write(fileno(f), input.p, input.n) < 0
		    || lseek(fileno(f), 0, SEEK_SET) < 0
		    || dup2(fileno(f), 0) < 0)
			die_sys(EX_IOERR, "a temporary file");
	}
	arguments[0] = "jq";
	execvp("jq", arguments);
	die_sys(EX_UNAVAILABLE, "jq");
}

static void *
take(size_t n)
{
	struct block *b = xmalloc(sizeof(*b) + n);

	b->next = blocks;
	blocks = b;
	return memset(b + 1, 0, n);
}

/* The value of a text, which must stay; at < -1: it is none. */
static struct val
value(const char *s, size_t n)
{
	struct json *j = take(sizeof(*j));

	return (struct val){j, json_parse(j, s, n) < 0 ? -2 : 0};
}

static enum json_kind
kind(struct val v)
{
	return v.at < 0 ? JSON_NULL : json_kind(v.j, v.at);
}

static int
is_true(struct val v)
{
	return kind(v) != JSON_NULL && kind(v) != JSON_FALSE;
}

static void
add(struct list *l, struct val v)
{
	grow(&l->v, &l->cap, l->n, sizeof(*l->v));
	l->v[l->n++] = v;
}

/* Without an exponent, at most 15 digits, no 0 at the end of a fraction. */
static int
is_plain(struct span s)
{
	size_t sign = s.p[0] == '-', n;

	n = sign + strspn(s.p + sign, "0123456789");
	if (n == s.n)
		return n <= 15 && (!sign || s.p[1] != '0');
	return s.n <= 15 && s.p[n] == '.' && s.p[s.n - 1] != '0'
	    && strspn(s.p + n + 1, "0123456789") >= s.n - n - 1
	    && strncmp(s.p + sign, "0.000", 5) != 0;
}

/* A string that every jq writes so. */
static void
put_text(struct buf *b, struct val v)
{
	static const char plain[] = "\"\\\n\t\r\b\f", escapes[] = "\"\\ntrbf";
	struct buf s = {0};
	const char *e;
	size_t i;

	(void)json_str(v.j, v.at, &s);
	buf_putc(b, '"');
	for (i = 0; i < s.n; i++)
		if (s.p[i] != '\0' && (e = strchr(plain, s.p[i])) != NULL)
			buf_printf(b, "\\%c", escapes[e - plain]);
		else if ((unsigned char)s.p[i] < 32)
			buf_printf(b, "\\u%04x", s.p[i]);
		else if (s.p[i] == 127) /* not the same in each version */
			leave_to_jq();
		else
			buf_putc(b, s.p[i]);
	buf_putc(b, '"');
	buf_free(&s);
}

static void
put_value(struct buf *b, struct val v)
{
	struct span s = json_span(v.j, v.at);
	int k, object = kind(v) == JSON_OBJECT, any = 0;

	switch (kind(v)) {
	case JSON_STRING:
		put_text(b, v);
		return;
	case JSON_NUMBER:
		if (!is_plain(s))
			leave_to_jq();
		buf_span(b, s);
		return;
	case JSON_ARRAY:
	case JSON_OBJECT:
		buf_putc(b, object ? '{' : '[');
		for (k = json_first(v.j, v.at); k >= 0;
		    k = json_next(v.j, k), any = 1) {
			buf_puts(b, any ? "," : "");
			if (object) {
				put_text(b, (struct val){v.j, k});
				buf_putc(b, ':');
			}
			put_value(b, (struct val){v.j, k + object});
		}
		buf_putc(b, object ? '}' : ']');
		return;
	case JSON_TRUE:
	case JSON_FALSE:
		buf_span(b, s);
		return;
	default:
		buf_puts(b, "null");
	}
}

/* The filter. */

static int
accept(const char *text)
{
	size_t n = strlen(text);

	cursor += strspn(cursor, " \t\r\n");
	if (strncmp(cursor, text, n) != 0)
		return 0;
	cursor += n;
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
	struct node *n = take(sizeof(*n));

	n->op = op;
	n->a = a;
	n->b = b;
	return n;
}

/* What is at the cursor, n bytes of it. */
static char *
parse_name(size_t n)
{
	char *name = take(n + 1);

	memcpy(name, cursor, n);
	cursor += n;
	return name;
}

static size_t
name_length(void)
{
	size_t n = 0;

	if (!isdigit((unsigned char)*cursor))
		while (isalnum((unsigned char)cursor[n]) || cursor[n] == '_')
			n++;
	return n;
}

static struct node *
parse_steps(struct node *n)
{
	char *end;

	for (;;) {
		if (*cursor == '?' && cursor[1] != '/' && n->op != OP_SELF
		    && n->op <= OP_EACH) {
			cursor++;
			n->quiet = 1;
		} else if (*cursor == '[' && n->op <= OP_EACH) {
			cursor++;
			n = new_node(OP_EACH, n, NULL);
			if (accept("]"))
				continue;
			n->op = OP_INDEX;
			n->index = strtol(cursor, &end, 10);
			if (end == cursor)
				leave_to_jq();
			cursor = end;
			expect("]");
		} else if (*cursor == '.' && n->op <= OP_EACH) {
			cursor++;
			n = new_node(OP_FIELD, n, NULL);
			if (name_length() == 0)
				leave_to_jq();
			n->key = parse_name(name_length());
		} else {
			return n;
		}
	}
}

static struct node *
parse_const(size_t n)
{
	struct node *c = new_node(OP_CONST, NULL, NULL);

	c->val = value(parse_name(n), n);
	if (c->val.at < 0)
		leave_to_jq();
	return c;
}

static struct node *
parse_term(void)
{
	struct node *n;
	size_t len;

	if (accept("[")) {
		n = new_node(OP_ARRAY, parse_pipe(), NULL);
		expect("]");
		return n;
	}
	if (accept("select(")) {
		n = new_node(OP_SELECT, parse_pipe(), NULL);
		expect(")");
		/* ".a" after it is one more step. */
		return *cursor != '.' ? n
		    : new_node(OP_PIPE, n, parse_term());
	}
	if (accept(".")) {
		n = new_node(OP_SELF, NULL, NULL);
		if (name_length() > 0)
			cursor--;
		return parse_steps(n);
	}
	if (*cursor == '"') {
		len = 1 + strcspn(cursor + 1, "\"\\");
		return cursor[len] == '"' ? parse_const(len + 1)
					  : (leave_to_jq(), NULL);
	}
	len = name_length();
	if (len == 5 && strncmp(cursor, "empty", len) == 0) {
		cursor += len;
		return new_node(OP_EMPTY, NULL, NULL);
	}
	return parse_const(len > 0 ? len : strspn(cursor, "0123456789"));
}

static struct node *
parse_else(void)
{
	struct node *n = parse_term();

	if (accept("=="))
		return new_node(OP_EQUAL, n, parse_term());
	if (accept("!="))
		return new_node(OP_OTHER, n, parse_term());
	return accept("//") ? new_node(OP_ELSE, n, parse_else()) : n;
}

static struct node *
parse_pipe(void)
{
	struct node *n = parse_else();

	while (accept(","))
		n = new_node(OP_COMMA, n, parse_else());
	return accept("|") ? new_node(OP_PIPE, n, parse_pipe()) : n;
}

/* The results of a step from v. */
static void
step(const struct node *n, struct val v, struct list *out)
{
	enum json_kind want = n->op == OP_FIELD ? JSON_OBJECT : JSON_ARRAY;
	long k = n->index;
	int i;

	if (n->op == OP_EACH && kind(v) == JSON_OBJECT)
		leave_to_jq();
	if (kind(v) == JSON_NULL && n->op != OP_EACH) {
		add(out, (struct val){&none, -1});
		return;
	}
	if (kind(v) != want) {
		if (!n->quiet)
			leave_to_jq();
		return;
	}
	if (n->op == OP_FIELD) {
		i = json_get(v.j, v.at, n->key);
		add(out, (struct val){v.j, i < 0 ? -1 : i});
		return;
	}
	if (k < 0)
		k += (long)json_count(v.j, v.at);
	if (n->op == OP_INDEX
	    && (k < 0 || (size_t)k >= json_count(v.j, v.at)))
		add(out, (struct val){&none, -1});
	for (i = json_first(v.j, v.at); i >= 0; i = json_next(v.j, i))
		if (n->op == OP_EACH || k-- == 0)
			add(out, (struct val){v.j, i});
}

static int
is_equal(struct val a, struct val b)
{
	struct buf s = {0}, t = {0};
	int r;

	if (kind(a) == JSON_ARRAY || kind(a) == JSON_OBJECT)
		leave_to_jq();
	if (kind(a) != kind(b))
		return 0;
	put_value(&s, a);
	put_value(&t, b);
	r = span_same(buf_view(&s), buf_view(&t));
	buf_free(&s);
	buf_free(&t);
	return r;
}

static void
eval(const struct node *n, struct val in, struct list *out)
{
	struct list a = {0}, b = {0};
	struct buf text = {0};
	size_t i, some = out->n;

	if (n->a != NULL)
		eval(n->a, in, &a);
	switch (n->op) {
	case OP_SELF: add(out, in); break;
	case OP_CONST: add(out, n->val); break;
	case OP_EMPTY: break;
	case OP_ARRAY:
		for (i = 0; i < a.n; i++) {
			buf_putc(&text, i > 0 ? ',' : '[');
			put_value(&text, a.v[i]);
		}
		buf_puts(&text, a.n > 0 ? "]" : "[]");
		add(out, value(memcpy(take(text.n), text.p, text.n), text.n));
		break;
	case OP_SELECT:
		for (i = 0; i < a.n; i++)
			if (is_true(a.v[i]))
				add(out, in);
		break;
	case OP_COMMA:
		for (i = 0; i < a.n; i++)
			add(out, a.v[i]);
		eval(n->b, in, out);
		break;
	case OP_ELSE:
		for (i = 0; i < a.n; i++)
			if (is_true(a.v[i]))
				add(out, a.v[i]);
		if (out->n == some)
			eval(n->b, in, out);
		break;
	case OP_PIPE:
		for (i = 0; i < a.n; i++)
			eval(n->b, a.v[i], out);
		break;
	case OP_EQUAL:
	case OP_OTHER:
		eval(n->b, in, &b);
		if (a.n != 1 || b.n != 1)
			leave_to_jq();
		add(out, is_equal(a.v[0], b.v[0]) == (n->op == OP_EQUAL)
			? value("true", 4) : value("false", 5));
		break;
	default:
		for (i = 0; i < a.n; i++)
			step(n, a.v[i], out);
	}
	buf_free(&text);
	free(a.v);
	free(b.v);
}

static void
read_input(char **files)
{
	ssize_t r = 1;

	for (; *files != NULL; files++)
		if (file_read(*files, &input, INPUT_MAX) != FILE_OK
		    || (files[1] != NULL && input.n > 0
			&& input.p[input.n - 1] != '\n'))
			leave_to_jq();
	while (piped && r > 0) {
		buf_room(&input, INPUT_BLOCK);
		r = read(0, input.p + input.n, INPUT_BLOCK);
		if (r < 0)
			leave_to_jq();
		input.n += (size_t)r;
	}
}

/* One value per line; if the first line is not one value, all of it is. */
static void
answer(const struct node *filter)
{
	const char *p = buf_cstr(&input), *end = p + input.n, *nl;
	struct list l = {0};
	struct val v;
	size_t i;

	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		nl = nl != NULL ? nl : end;
		if (strspn(p, " \t\r") >= (size_t)(nl - p))
			continue;
		v = value(p, (size_t)(nl - p));
		if (v.at < 0 && l.cap == 0 && output.n == 0) {
			v = value(p, (size_t)(end - p));
			nl = end;
		}
		if (v.at < 0)
			leave_to_jq();
		l.n = 0;
		eval(filter, v, &l);
		for (i = 0; i < l.n; i++) {
			if (kind(l.v[i]) == JSON_STRING && raw)
				(void)json_str(l.v[i].j, l.v[i].at, &output);
			else if (compact || (kind(l.v[i]) != JSON_ARRAY
				     && kind(l.v[i]) != JSON_OBJECT))
				put_value(&output, l.v[i]);
			else
				leave_to_jq();
			buf_puts(&output, joined ? "" : "\n");
		}
	}
	free(l.v);
}

int
main(int argc, char **argv)
{
	static struct node *filter;
	const char *o;
	char **v;

	prog = "pick";
	(void)argc;
	arguments = argv;
	for (v = argv + 1; *v != NULL && (*v)[0] == '-'; v++)
		for (o = *v + 1; *o != '\0'; o++)
			switch (*o) {
			case 'j': joined = 1; /* FALLTHROUGH */
			case 'r': raw = 1; break;
			case 'c': compact = 1; break;
			default: leave_to_jq();
			}
	if (*v == NULL)
		leave_to_jq();
	cursor = *v++;
	filter = parse_pipe();
	if (!accept("") || *cursor != '\0' || (*v != NULL && **v == '-'))
		leave_to_jq();
	piped = *v == NULL;
	read_input(v);
	answer(filter);
	if (fd_write(1, output.p, output.n) < 0)
		die_sys(EX_IOERR, "standard output");
	buf_free(&output);
	buf_free(&input);
	return 0;
}
