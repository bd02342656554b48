#include <sys/stat.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "file.h"
#include "fileshape.h"
#include "json.h"
#include "nfc.h"
#include "skill.h"
#include "utf8.h"
#include "yamlfile.h"

enum { NAME_CHARS = 64, DESCRIPTION_CHARS = 1024, COMPATIBILITY_CHARS = 500 };

/* The keys we know. */
enum key {
	NAME,
	DESCRIPTION,
	LICENSE,
	COMPATIBILITY,
	METADATA,
	ALLOWED_TOOLS,
	HIDDEN,
	KEYS
};

static const char *const keys[KEYS] = {"name", "description", "license",
    "compatibility", "metadata", "allowed-tools",
    "disable-model-invocation"};

/* The skill whose faults are reported from now on; all of it must stay. */
static struct {
	const char *dir, *file;
	const struct skill_rules *rules;
	int faults;
} subject;

static void
set_subject(const char *d, const char *f, const struct skill_rules *r)
{
	subject.dir = d;
	subject.file = f;
	subject.rules = r;
	subject.faults = 0;
}

static void
tell_fault(size_t line, size_t col, const char *why, int lost)
{
	static struct buf b;

	subject.faults++;
	if (subject.rules->report == NULL)
		return;
	buf_reset(&b);
	buf_printf(&b, "%s/%s:", subject.dir, subject.file);
	if (line > 0)
		buf_printf(&b, "%zu:%zu:", line, col);
	buf_printf(&b, " %s", why);
	subject.rules->report(buf_cstr(&b), lost);
}

static void
lose_strictly(const char *what)
{
	subject.faults++;
	if (subject.rules->report != NULL)
		subject.rules->report(what, 1);
}

/* Report that the skill is lost; line 0 for the file as a whole. */
static enum skill_result
lose_skill(size_t line, size_t col, const char *why)
{
	tell_fault(line, col, why, 1);
	return SKILL_LOST;
}

/* A doubt: of token i, or of the front matter as a whole if that is -1. */
static void
warn_of(const struct skill *s, int i, const char *why)
{
	const struct yamlfile_mark *m = &s->front.yml.marks[i < 0 ? 0 : i];

	tell_fault(m->line, m->col, why, subject.rules->strict);
}

static enum key
known_key(const struct json *j, int k)
{
	struct span s = json_span(j, k);
	enum key i;

	for (i = NAME; i < KEYS; i++)
		if (s.n == strlen(keys[i]) + 2
		    && memcmp(s.p + 1, keys[i], s.n - 2) == 0)
			break;
	return i;
}

/* More than max characters? */
static int
is_over(const char *s, size_t max)
{
	size_t n = 0;

	if (strlen(s) <= max)
		return 0;
	for (; *s != '\0'; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n > max;
}

/* Make it one line without blanks round it. */
static void
tidy_line(char *s)
{
	char *start = s, *to = s;

	for (; *s != '\0'; s++)
		if ((unsigned char)*s > ' ' && *s != 0x7f)
			*to++ = *s;
		else if (to > start && to[-1] != ' ')
			*to++ = ' ';
	if (to > start && to[-1] == ' ')
		to--;
	*to = '\0';
}

/* Lower case or caseless letters, digits and single inner hyphens. */
static int
good_name(const char *s, size_t n)
{
	size_t i, len;
	uint32_t cp;

	if (n == 0 || s[0] == '-' || s[n - 1] == '-')
		return 0;
	for (i = 0; i < n; i += len) {
		len = utf8_get(s + i, n - i, &cp);
		if (len == 0 || cp == '_' || utf8_lower(cp) != cp
		    || (cp != '-' && !utf8_isword(cp))
		    || (cp == '-' && s[i + 1] == '-'))
			return 0;
	}
	return 1;
}

static void
check_name(struct skill *s, int i)
{
	static struct buf name, dirname;
	const struct json *j = &s->front.yml.json;
	const char *base = file_name(subject.dir);

	s->name = json_dup(j, i);
	if (s->name != NULL)
		tidy_line(s->name);
	if (s->name == NULL || *s->name == '\0') {
		warn_of(s, i, i < 0 || json_kind(j, i) == JSON_NULL
			? "expected a name" : "expected text as name");
		free(s->name);
		s->name = xstrdup(base);
		return;
	}
	buf_reset(&name);
	nfc_text(&name, s->name, strlen(s->name));
	if (name.n < strlen(s->name))
		strcpy(s->name, buf_cstr(&name));
	if (!good_name(buf_cstr(&name), name.n))
		warn_of(s, i, "expected a name of lower case letters, digits "
			    "and single inner hyphens");
	if (is_over(name.p, NAME_CHARS))
		warn_of(s, i, "expected a name of at most 64 characters");
	if (strcmp(s->name, base) == 0)
		return;
	buf_reset(&dirname);
	nfc_text(&dirname, base, strlen(base));
	if (strcmp(name.p, buf_cstr(&dirname)) != 0)
		warn_of(s, i, "expected the name of its directory as name");
}

static int
check_description(struct skill *s, int i)
{
	const struct json *j = &s->front.yml.json;

	s->description = json_dup(j, i);
	if (s->description != NULL
	    && is_over(s->description, DESCRIPTION_CHARS))
		warn_of(s, i,
		    "expected a description of at most 1024 characters");
	if (s->description != NULL)
		tidy_line(s->description);
	if (s->description != NULL && *s->description != '\0')
		return 0;
	lose_skill(s->front.yml.marks[i < 0 ? 0 : i].line,
	    s->front.yml.marks[i < 0 ? 0 : i].col,
	    json_kind(j, i) == JSON_ARRAY || json_kind(j, i) == JSON_OBJECT
		? "expected text as description" : "expected a description");
	return -1;
}

static void
check_compatibility(struct skill *s, int i)
{
	char *c;

	if (i < 0)
		return;
	c = json_dup(&s->front.yml.json, i);
	if (c == NULL || *c == '\0')
		warn_of(s, i, "expected text as compatibility");
	else if (is_over(c, COMPATIBILITY_CHARS))
		warn_of(s, i,
		    "expected a compatibility of at most 500 characters");
	free(c);
}

/* Cut text into the list: at commas, or blanks, never in parentheses. */
static void
split_text(char *s, int blanks, struct strs *l)
{
	int depth = 0;
	char *start = s, c;

	do {
		s += strcspn(s, depth > 0 ? "()"
		    : blanks ? "(), \t\r\n" : "(),");
		c = *s;
		depth += (c == '(') - (c == ')' && depth > 0);
		if (c != '\0' && (depth > 0 || c == ')'))
			continue;
		*s = '\0';
		tidy_line(start);
		if (*start != '\0')
			strs_add(l, start);
		start = s + 1;
	} while (*s++ != '\0' || c != '\0');
}

/* A list, a list in JSON, or text that is one when cut. */
static void
take_list(struct skill *s, int i, int blanks, struct strs *l)
{
	static struct json inner;
	const struct json *j = &s->front.yml.json;
	size_t k, n = l->n;
	char *text;

	if (json_kind(j, i) == JSON_ARRAY) {
		if (json_strs(j, i, l) > 0)
			warn_of(s, i, "expected text as each item");
		for (k = n; k < l->n; k++) {
			tidy_line(l->v[k]);
			if (*l->v[k] == '\0')
				free(l->v[k]);
			else
				l->v[n++] = l->v[k];
		}
		l->n = n;
		return;
	}
	text = json_dup(j, i);
	if (text == NULL && i >= 0 && json_kind(j, i) != JSON_NULL)
		warn_of(s, i, "expected a list, or text");
	if (text == NULL)
		return;
	if (text[0] == '[' && json_parse(&inner, text, strlen(text)) == 0)
		json_strs(&inner, 0, l);
	else
		split_text(text, blanks || strchr(text, ',') == NULL, l);
	free(text);
}

/* The value of a key of the metadata, a mapping or a list of such. */
static int
metadata_value(const struct json *j, int i, const char *key)
{
	int v = -1;

	if (json_kind(j, i) == JSON_OBJECT)
		return json_get(j, i, key);
	if (json_kind(j, i) == JSON_ARRAY)
		for (i = json_first(j, i); i >= 0 && v < 0;
		     i = json_next(j, i))
			if (json_kind(j, i) == JSON_OBJECT)
				v = json_get(j, i, key);
	return v;
}

/* A list of tools; "42" names none. */
static void
take_tools(struct skill *s, int at, struct strs *l)
{
	size_t i, n = 0;

	take_list(s, at, 1, l);
	for (i = 0; i < l->n; i++) {
		if (strchr("0123456789", l->v[i][0]) == NULL)
			l->v[n++] = l->v[i];
		else
			free(l->v[i]);
	}
	if (n < l->n)
		warn_of(s, at, "expected names of tools");
	l->n = n;
}

static void
take_priority(struct skill *s, int p)
{
	char *end, *text = json_dup(&s->front.yml.json, p);
	double n;

	if (text == NULL)
		return;
	n = strtod(text, &end);
	if (end == text || *end != '\0' || !(n >= -1e15 && n <= 1e15))
		warn_of(s, p, "expected a number as priority");
	else
		s->priority = n;
	free(text);
}

static void
take_metadata(struct skill *s, int i)
{
	const struct json *j = &s->front.yml.json;

	if (json_kind(j, i) == JSON_STRING)
		warn_of(s, i, "expected metadata as 'key: value' lines");
	take_list(s, metadata_value(j, i, "keywords"), 0, &s->keywords);
	take_list(s, metadata_value(j, i, "vetoes"), 0, &s->vetoes);
	take_tools(s, metadata_value(j, i, "required_tools"), &s->tools);
	take_priority(s, metadata_value(j, i, "priority"));
}

/* What only a strict reader minds: types, and keys it does not know. */
static void
check_strictly(struct skill *s)
{
	static struct yamlfile y;
	static struct buf path, why;
	struct fileshape shape = {NULL, &y.json, NULL, 0, lose_strictly, 0};
	size_t above = s->front.yamlline - 1, i;

	if (s->text.p[0] != '-')
		tell_fault(1, 1, "expected --- as the first bytes of the file", 1);
	if (yamlfile_parse(
		&y, s->front.yaml.p, s->front.yaml.n, YAMLFILE_STRICT) < 0) {
		tell_fault(y.line + above, y.col, y.why, 1);
		return;
	}
	for (i = 0; i < y.json.ntok; i++)
		y.marks[i].line += above;
	buf_reset(&path);
	buf_reset(&why);
	buf_printf(&path, "%s/%s", subject.dir, subject.file);
	shape.path = buf_cstr(&path);
	shape.marks = y.marks;
	if (fileshape_fit(&shape, 0, "skill", NULL, &why) < 0)
		lose_strictly(buf_cstr(&why));
}

/* What was left out or quoted; a strict reader says it by itself. */
static void
warn_repaired(const struct frontmatter *f)
{
	static struct buf why;

	if (subject.rules->strict)
		return;
	buf_reset(&why);
	buf_puts(&why, f->why);
	if (f->left_out)
		buf_puts(&why, "; this key is left out");
	tell_fault(f->line + f->yamlline - 1, f->col, buf_cstr(&why), 0);
}

/* Check the front matter that was parsed, and fill s from it. */
static enum skill_result
check_skill(struct skill *s)
{
	const struct json *j = &s->front.yml.json;
	int at[KEYS + 1], k, lost;
	char *hidden;

	free(s->name);
	free(s->description);
	s->name = s->description = NULL;
	strs_reset(&s->keywords);
	strs_reset(&s->vetoes);
	strs_reset(&s->tools);
	strs_reset(&s->allowed);
	s->priority = 0;
	if (!s->front.present)
		return lose_skill(1, 1, "expected front matter");
	for (k = 0; k <= KEYS; k++)
		at[k] = -1;
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k))
		at[known_key(j, k)] = k + 1;
	if (s->front.left_out || s->front.requoted)
		warn_repaired(&s->front);
	check_name(s, at[NAME]);
	lost = check_description(s, at[DESCRIPTION]) < 0;
	check_compatibility(s, at[COMPATIBILITY]);
	take_metadata(s, at[METADATA]);
	take_tools(s, at[ALLOWED_TOOLS], &s->allowed);
	hidden = json_dup(j, at[HIDDEN]);
	s->hidden = hidden != NULL && (strcasecmp(hidden, "true") == 0
	    || strcasecmp(hidden, "yes") == 0);
	free(hidden);
	if (subject.rules->strict)
		check_strictly(s);
	return lost || (subject.faults > 0 && subject.rules->strict)
	    ? SKILL_LOST : SKILL_OK;
}

/* Upper case wins where there are both, as in the reference validator. */
static const char *const files[] = {"SKILL.md", "skill.md"};

/* Without these it would be another skill, or one that the model may call. */
static const char *const needed[] = {"name", "description",
    "disable-model-invocation", NULL};

/* The file's name, or as much of it as at needs. */
static const char *
filename(const char *dir, int at, const char *file)
{
	static struct buf b;

	buf_reset(&b);
	buf_puts(&b, at < 0 ? dir : file_name(dir));
	buf_putc(&b, '/');
	buf_puts(&b, file);
	return buf_cstr(&b);
}

static int
open_skill(const char *dir, int at, const char **file)
{
	size_t i;
	int fd = -1;

	for (i = 0; i < 2 && fd < 0 && (i == 0 || errno == ENOENT); i++) {
		*file = files[i];
		fd = openat(at < 0 ? AT_FDCWD : at, filename(dir, at, *file),
		    O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	}
	return fd;
}

/* Read n bytes more, fewer only at the end of the file; how many, or -1. */
static ssize_t
more(int fd, struct buf *b, size_t n)
{
	ssize_t r, got = 0;

	buf_room(b, n);
	do {
		r = read(fd, b->p + b->n, n - (size_t)got);
		if (r > 0) {
			b->n += (size_t)r;
			got += r;
		}
	} while (r < 0 ? errno == EINTR : r > 0 && got < (ssize_t)n);
	return r < 0 ? -1 : got;
}

/* Say why, when it is no file that can be read or has no text. */
static enum skill_result
unread(int fd, ssize_t r)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode))
		return lose_skill(0, 0, file_why(FILE_IRREGULAR));
	if (r < 0)
		return lose_skill(0, 0, strerror(errno));
	return SKILL_EMPTY;
}

/*
 * Does the text so far leave open what the front matter is?  A first block
 * that is full may end before the fence does, or right after it.
 */
static int
undecided(const struct skill *s, int r)
{
	return s->front.present ? s->front.body.n == 0 : r < 0;
}

static enum skill_result
head(struct skill *s, int fd)
{
	ssize_t n;
	int r;

	buf_reset(&s->text);
	s->front.keep = needed;
	n = more(fd, &s->text, SKILL_HEAD);
	if (n <= 0)
		return unread(fd, n);
	r = frontmatter_parse(&s->front, s->text.p, s->text.n);
	if (undecided(s, r) && n == SKILL_HEAD) {
		n = more(fd, &s->text, SKILL_FRONT + 1 - SKILL_HEAD);
		if (n < 0)
			return unread(fd, n);
		r = frontmatter_parse(&s->front, s->text.p, s->text.n);
		if (undecided(s, r) && s->text.n > SKILL_FRONT)
			return lose_skill(1, 1, "expected front matter of "
			    "at most 64 kB");
	}
	if (r < 0)
		return lose_skill(s->front.line, s->front.col, s->front.why);
	return SKILL_OK;
}

enum skill_result
skill_read(struct skill *s, int at, const char *dir,
    const struct skill_rules *rules)
{
	enum skill_result r;
	const char *file;
	int fd;

	set_subject(dir, files[0], rules);
	fd = open_skill(dir, at, &file);
	if (fd < 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			return SKILL_NONE;
		return errno == ENXIO
		    ? lose_skill(0, 0, file_why(FILE_IRREGULAR))
		    : lose_skill(0, 0, strerror(errno));
	}
	set_subject(dir, file, rules);
	s->file = file;
	file_note("file", filename(dir, -1, file));
	r = head(s, fd);
	close(fd);
	return r == SKILL_OK ? check_skill(s) : r;
}

int
skill_body(struct skill *s, const char *dir, struct span *text,
    const char **why)
{
	enum file_result r;
	size_t i;

	for (i = 0; i < 2; i++) {
		buf_reset(&s->text);
		r = file_read(filename(dir, -1, files[i]), &s->text,
		    SKILL_MAX);
		if (r != FILE_ERRNO || errno != ENOENT)
			break;
	}
	*why = file_why(r);
	if (r != FILE_OK)
		return -1;
	*why = "expected front matter";
	s->front.keep = needed;
	if (frontmatter_parse(&s->front, buf_cstr(&s->text), s->text.n) < 0)
		return -1;
	*text = span_trim(s->front.body);
	return 0;
}
