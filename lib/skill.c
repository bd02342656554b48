#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json.h"
#include "skill.h"
#include "utf8.h"

enum { NAME_MAX_CHARS = 64, DESCRIPTION_MAX = 1024, COMPATIBILITY_MAX = 500 };

static const char *file; /* of the skill at hand, for what is told */
static skill_told *tell;
static int doubts; /* told of it so far, not lost */

static void
doubt(const char *what)
{
	doubts++;
	tell(file, what, 0);
}

static int
lose(const char *what)
{
	tell(file, what, 1);
	return -1;
}

size_t
skill_chars(const char *s)
{
	size_t n = 0;

	for (; *s != '\0'; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

/* Lower case or caseless letters, digits and single inner hyphens. */
static int
good_name(const char *s)
{
	size_t n = strlen(s), len;
	uint32_t cp;

	if (*s == '-' || (n > 0 && s[n - 1] == '-') || strstr(s, "--") != NULL)
		return 0;
	for (; *s != '\0'; s += len, n -= len) {
		len = utf8_get(s, n, &cp);
		if (len == 0 || cp == '_' || utf8_lower(cp) != cp
		    || (cp != '-' && !utf8_isword(cp)))
			return 0;
	}
	return 1;
}

/* Does the text so far hold the closing fence? */
static int
closed(const struct buf *b)
{
	const char *p = b->p, *end = b->p + b->n;
	int fences = 0;

	while (p < end && fences < 2) {
		if (end - p >= 3 && memcmp(p, "---", 3) == 0)
			fences++;
		p = memchr(p, '\n', (size_t)(end - p));
		if (p == NULL)
			break;
		p++;
	}
	return fences == 2;
}

/* Read the file's beginning or all of it: one open, mostly one read. */
static int
slurp(struct buf *b, int whole)
{
	struct stat st;
	size_t max = whole ? SKILL_MAX : SKILL_FRONT;
	ssize_t n;
	int fd;

	buf_reset(b);
	fd = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? -2 : -1;
	do {
		buf_room(b, SKILL_HEAD);
		n = read(fd, b->p + b->n, SKILL_HEAD);
		if (n > 0)
			b->n += (size_t)n;
	} while ((n > 0 && b->n <= max && (whole || !closed(b)))
	    || (n < 0 && errno == EINTR));
	/* A FIFO without writer reads as empty: nothing but a file will do. */
	if (n == 0 && b->n == 0 && fstat(fd, &st) == 0 && !S_ISREG(st.st_mode)) {
		errno = EINVAL;
		n = -1;
	}
	close(fd);
	return n < 0 ? -1 : 0;
}

static int
blank(const char *s)
{
	return s[strspn(s, " \t\r\n")] == '\0';
}

/* A list, a comma or blank separated text: all become a list. */
static void
list(const struct json *j, int i, const char *separators, struct strs *l)
{
	char *s, *p, *save;

	strs_reset(l);
	if (json_kind(j, i) == JSON_ARRAY) {
		json_strs(j, i, l);
		return;
	}
	s = json_dup(j, i);
	if (s == NULL)
		return;
	for (p = strtok_r(s, separators, &save); p != NULL;
	     p = strtok_r(NULL, separators, &save)) {
		while (*p == ' ')
			p++;
		if (*p != '\0')
			strs_add(l, p);
	}
	free(s);
}

static void
metadata(struct skill *s, const struct json *j)
{
	char *n;

	list(j, json_at(j, 0, "metadata.keywords"), ",", &s->keywords);
	list(j, json_at(j, 0, "metadata.required_tools"), ", \t", &s->tools);
	if (s->tools.n == 0)
		list(j, json_get(j, 0, "allowed-tools"), ", \t", &s->tools);
	s->priority = 0;
	n = json_dup(j, json_at(j, 0, "metadata.priority"));
	if (n != NULL)
		s->priority = strtoll(n, NULL, 10);
	free(n);
	s->hidden = json_is(j, json_get(j, 0, "disable-model-invocation"),
	    "true");
}

static int
validate(struct skill *s, const struct json *j, const char *dirname)
{
	char *c;

	if (blank(s->name))
		return lose("expected a name");
	if (s->description == NULL || blank(s->description))
		return lose("expected a description");
	if (strcmp(s->name, dirname) != 0)
		doubt("expected the name of its directory as name");
	if (!good_name(s->name))
		doubt("expected a name of lower case letters, digits and "
		      "single hyphens");
	if (skill_chars(s->name) > NAME_MAX_CHARS)
		doubt("expected a name of at most 64 characters");
	if (skill_chars(s->description) > DESCRIPTION_MAX)
		doubt("expected a description of at most 1024 characters");
	c = json_dup(j, json_get(j, 0, "compatibility"));
	if (c != NULL && skill_chars(c) > COMPATIBILITY_MAX)
		doubt("expected a compatibility of at most 500 characters");
	free(c);
	return 0;
}

int
skill_read(
    struct skill *s, const char *dir, int whole, int strict, skill_told *told)
{
	static struct buf path;
	const struct json *j = &s->front.yml.json;
	const char *slash = strrchr(dir, '/');
	int r;

	buf_reset(&path);
	buf_printf(&path, "%s/SKILL.md", dir);
	file = buf_cstr(&path);
	tell = told;
	doubts = 0;
	r = slurp(&s->text, whole);
	if (r == -2)
		return -1;
	if (r < 0)
		return lose(strerror(errno));
	if (s->text.n > (whole ? (size_t)SKILL_MAX : (size_t)SKILL_FRONT)
	    && (whole || !closed(&s->text)))
		return lose("expected a smaller file");
	if (front_parse(&s->front, buf_cstr(&s->text), s->text.n) < 0)
		return lose(s->front.why);
	if (!s->front.present)
		return lose("expected front matter");
	if (s->front.requoted)
		doubt("expected quotes around a value that holds ': '");
	free(s->name);
	free(s->description);
	free(s->dir);
	s->dir = xstrdup(dir);
	s->name = json_dup(j, json_get(j, 0, "name"));
	s->description = json_dup(j, json_get(j, 0, "description"));
	if (s->name == NULL) {
		doubt("expected a name");
		s->name = xstrdup(slash == NULL ? dir : slash + 1);
	}
	if (validate(s, j, slash == NULL ? dir : slash + 1) < 0)
		return -1;
	metadata(s, j);
	return strict && doubts > 0 ? lose("not taken, being strict") : 0;
}
