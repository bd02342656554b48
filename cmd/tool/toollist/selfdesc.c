#include <sys/stat.h>
#include <sys/wait.h>

#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "diag.h"
#include "emit.h"
#include "file.h"
#include "hash.h"
#include "path.h"
#include "selfdesc.h"
#include "settings.h"
#include "toolenv.h"

enum {
	LOOKED = 1 << 22, /* bytes of a program that are looked at */
	ASKED = 2000	  /* ms that it has to print its schema */
};

/* Where a needle begins in the first n bytes of s. */
static const char *
find(const char *s, size_t n, const char *needle)
{
	size_t len = strlen(needle);
	const char *end = s + n, *p = s;

	while ((size_t)(end - p) >= len
	    && (p = memchr(p, *needle, (size_t)(end - p) - len + 1)) != NULL) {
		if (memcmp(p, needle, len) == 0)
			return p;
		p++;
	}
	return NULL;
}

/* The file that keeps the answer of this program, as it is now. */
static void
kept(struct buf *b, const char *path)
{
	static struct buf key;
	struct stat st;

	buf_reset(b);
	if (stat(path, &st) < 0)
		return;
	buf_reset(&key);
	buf_printf(&key, "%s\n%lld\n%lld.%09ld", path, (long long)st.st_size,
	    (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	buf_printf(b, "%s/schemas/%016llx", path_cache(),
	    (unsigned long long)hash_bytes(key.p, key.n));
}

/* What it prints for --schema; empty where that is not JSON. */
static void
ask(struct buf *b, const char *path)
{
	static struct capture c;
	static struct strs env, argv, names;
	static struct json j;

	strs_reset(&env);
	strs_reset(&argv);
	/* As toolrun would start it: without the user's keys. */
	settings_strs("toolrun.env", &names);
	toolenv_tool(&env, &names);
	strs_add(&argv, path);
	strs_add(&argv, "--schema");
	c.isgroup = 1;
	if (capture_start(&c, strs_vector(&argv), strs_vector(&env), 0) < 0)
		return;
	capture_wait(&c, 1, ASKED);
	if (c.state == CAPTURE_DONE && WIFEXITED(c.status)
	    && WEXITSTATUS(c.status) == 0
	    && json_parse(&j, buf_cstr(&c.out), c.out.n) == 0
	    && json_kind(&j, 0) == JSON_OBJECT)
		buf_add(b, c.out.p, c.out.n);
}

static int
schema(struct buf *b, const char *path)
{
	static struct buf name;

	kept(&name, path);
	if (name.n > 0 && file_read(buf_cstr(&name), b, LOOKED) == FILE_OK)
		return b->n > 0;
	buf_reset(b);
	ask(b, path);
	/* Without a cache it is asked each time; that is all. */
	if (name.n > 0 && file_mkparent(buf_cstr(&name)) == 0)
		(void)file_put(buf_cstr(&name), b->p, b->n, 0600);
	return b->n > 0;
}

/* The next comment line of s, without its mark; 0 at the end. */
static int
comment(struct span *s, struct span *line)
{
	const char *nl;
	size_t n;

	*line = (struct span){s->p, 0};
	while (s->n > 0) {
		nl = memchr(s->p, '\n', s->n);
		n = nl != NULL ? (size_t)(nl - s->p) : s->n;
		*line = span_trim((struct span){s->p, n});
		s->p += n + (nl != NULL);
		s->n -= n + (nl != NULL);
		n = line->n > 1 && memcmp(line->p, "#!", 2) == 0 ? 0
		    : line->n > 0 && *line->p == '#'			? 1
		    : line->n > 1 && memcmp(line->p, "//", 2) == 0	? 2
									: 0;
		if (n == 0) {
			line->n = 0;
			continue;
		}
		*line = span_trim((struct span){line->p + n, line->n - n});
		return 1;
	}
	return 0;
}

static int
begins(struct span *s, const char *word)
{
	size_t n = strlen(word);

	if (s->n <= n || memcmp(s->p, word, n) != 0
	    || (s->p[n] != ' ' && s->p[n] != '\t'))
		return 0;
	*s = span_trim((struct span){s->p + n, s->n - n});
	return 1;
}

/* Cut the text before the first blank off s. */
static struct span
word(struct span *s)
{
	struct span w = {s->p, 0};

	while (w.n < s->n && strchr(" \t", s->p[w.n]) == NULL)
		w.n++;
	*s = span_trim((struct span){s->p + w.n, s->n - w.n});
	return w;
}

static void
put_choices(struct buf *b, struct span list)
{
	size_t i, n;

	emit_key(b, "enum");
	emit_open(b, '[');
	for (i = 0; i <= list.n; i += n + 1) {
		for (n = 0; i + n < list.n && list.p[i + n] != '|'; n++)
			;
		/* The default is marked. */
		if (n > 0 && list.p[i] == '=')
			emit_str(b, list.p + i + 1, n - 1);
		else
			emit_str(b, list.p + i, n);
	}
	emit_close(b, ']');
}

/*
 * "-c --city!", "--unit[metric|imperial]", "--days <INT>": what stands
 * before the text of an option.  Its name goes to required if it must be
 * there.
 */
static void
put_option(struct buf *b, struct span s, int isflag, struct strs *required)
{
	static struct buf name;
	struct span w, choices = {NULL, 0};
	const char *type = isflag ? "boolean" : "string", *end;
	int many = 0, must = 0;
	size_t i, n;

	do {
		w = word(&s);
	} while (w.n > 0 && (w.n < 3 || memcmp(w.p, "--", 2) != 0));
	buf_reset(&name);
	for (i = 2; i < w.n; i++) {
		if (strchr("!*+=[<,", w.p[i]) != NULL)
			break;
		buf_putc(&name, w.p[i] == '-' ? '_' : w.p[i]);
	}
	if (name.n == 0)
		return;
	for (; i < w.n; i++) {
		must |= w.p[i] == '!' || w.p[i] == '+';
		many |= w.p[i] == '*' || w.p[i] == '+';
		if (w.p[i] == '=')
			break;
		if (w.p[i] != '[')
			continue;
		end = memchr(w.p + i, ']', w.n - i);
		n = end != NULL ? (size_t)(end - w.p) - i - 1 : w.n - i - 1;
		choices = (struct span){w.p + i + 1, n};
		i += n + 1;
	}
	while (s.n > 0 && *s.p == '<') {
		w = word(&s);
		if (span_is(w, "<INT>"))
			type = "integer";
		else if (span_is(w, "<NUM>"))
			type = "number";
	}
	emit_keyn(b, name.p, name.n);
	emit_open(b, '{');
	if (many) {
		emit_pair(b, "type", "array");
		emit_key(b, "items");
		emit_open(b, '{');
	}
	emit_pair(b, "type", type);
	if (choices.n > 0)
		put_choices(b, choices);
	if (many)
		emit_close(b, '}');
	if (s.n > 0)
		emit_pairn(b, "description", s.p, s.n);
	emit_close(b, '}');
	if (must)
		strs_add(required, buf_cstr(&name));
}

static int
comments(struct buf *b, struct span text)
{
	static struct strs required;
	static struct buf options;
	struct span rest = text, line, what = {NULL, 0}, first = {NULL, 0};
	int any = 0;

	strs_reset(&required);
	buf_reset(&options);
	while (comment(&rest, &line)) {
		if (begins(&line, "@describe")) {
			what = line;
		} else if (begins(&line, "@option")) {
			any = 1;
			put_option(&options, line, 0, &required);
		} else if (begins(&line, "@flag")) {
			any = 1;
			put_option(&options, line, 1, &required);
		} else if (first.n == 0 && line.n > 0 && *line.p != '@') {
			first = line;
		}
	}
	if (what.n == 0 && !any)
		return 0;
	emit_open(b, '{');
	what = what.n > 0 ? what : first;
	if (what.n > 0)
		emit_pairn(b, "description", what.p, what.n);
	emit_key(b, "parameters");
	emit_open(b, '{');
	emit_pair(b, "type", "object");
	emit_key(b, "properties");
	emit_open(b, '{');
	buf_span(b, buf_view(&options));
	emit_close(b, '}');
	if (required.n > 0)
		emit_strs(b, "required", &required);
	emit_close(b, '}');
	emit_close(b, '}');
	return 1;
}

static void
by_default(struct buf *b, struct span text, const char *name, int isscript)
{
	struct span line = {NULL, 0};

	while (isscript && comment(&text, &line) && line.n == 0)
		;
	emit_open(b, '{');
	if (line.n > 0)
		emit_pairn(b, "description", line.p, line.n);
	else
		emit_pair(b, "description", name);
	emit_key(b, "parameters");
	emit_open(b, '{');
	emit_pair(b, "type", "object");
	emit_key(b, "properties");
	emit_open(b, '{');
	emit_key(b, "input");
	emit_open(b, '{');
	emit_pair(b, "type", "string");
	emit_close(b, '}');
	emit_close(b, '}');
	emit_close(b, '}');
	emit_close(b, '}');
}

enum selfdesc
selfdesc_read(struct buf *b, const char *path, const char *name)
{
	static struct buf text;
	struct span s;
	int isscript;

	buf_reset(b);
	buf_reset(&text);
	if (file_read(path, &text, LOOKED) == FILE_ERRNO)
		return SELFDESC_NONE;
	s = buf_view(&text);
	isscript = s.n >= 2 && memcmp(s.p, "#!", 2) == 0;
	/* What does not know the option would do its work instead. */
	if (find(s.p, s.n, isscript ? "--schema" : "schema") != NULL
	    && schema(b, path))
		return SELFDESC_SCHEMA;
	buf_reset(b);
	if (isscript && comments(b, s))
		return SELFDESC_COMMENTS;
	by_default(b, s, name, isscript);
	return SELFDESC_DEFAULT;
}
