#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "diag.h"
#include "factlog.h"
#include "fd.h"
#include "file.h"
#include "json.h"

/* A file as it was when it was first asked for. */
static struct mapped {
	char *path; /* owned */
	struct span text;
	int done;
	int heard; /* its bad lines were reported */
} files[FACT_SCOPES];

int
factlog_id(const char *s, size_t n, uint64_t *id)
{
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		v <<= 4;
		if (s[i] >= '0' && s[i] <= '9')
			v |= (uint64_t)(s[i] - '0');
		else if (s[i] >= 'a' && s[i] <= 'f')
			v |= (uint64_t)(s[i] - 'a' + 10);
		else
			return -1;
	}
	*id = v;
	return n == FACT_ID ? 0 : -1;
}

/* Take any line.  0, or -1 with a warning when it is not a fact. */
static int
take(struct factline *l, const char *name, int again)
{
	static struct json j;
	static struct fact f;
	const char *why;

	fact_free(&f);
	if (json_parse(&j, l->line.p, l->line.n) < 0) {
		if (!again)
			warn("%s:%zu:%zu: %s", name, l->number, j.at + 1,
			    j.why);
		return -1;
	}
	if (fact_take(&f, &j, 0, &why) < 0
	    || factlog_id(f.id, strlen(f.id), &l->id) < 0) {
		if (!again)
			warn("%s:%zu:1: %s", name, l->number, why);
		return -1;
	}
	l->forgotten = f.forgotten;
	l->persona = f.category != NULL && strcmp(f.category, "persona") == 0;
	l->text.p = f.text;
	l->text.n = f.text != NULL ? strlen(f.text) : 0;
	return 0;
}

static void
read_lines(struct span text, const char *name, enum fact_scope s,
    factlog_fn *fn, void *arg, int again)
{
	struct factline l;
	const char *p, *end = text.p + text.n, *nl;

	memset(&l, 0, sizeof(l));
	l.scope = s;
	for (p = text.p; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (nl == NULL)
			nl = end;
		l.line.p = p;
		l.line.n = (size_t)(nl - p);
		l.number++;
		if (take(&l, name, again) == 0)
			fn(&l, arg);
	}
}

void
factlog_lines(struct span text, const char *name, enum fact_scope s,
    factlog_fn *fn, void *arg)
{
	read_lines(text, name, s, fn, arg, 0);
}

static void
map(struct mapped *m)
{
	struct stat st;
	int fd;

	fd = fd_open(m->path, O_RDONLY | O_NONBLOCK, 0);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return;
	if (fd < 0 || fstat(fd, &st) < 0)
		die_sys(EX_NOINPUT, "%s", m->path);
	if (!S_ISREG(st.st_mode))
		die(EX_NOINPUT, "%s: not a regular file", m->path);
	if (file_map(fd, &m->text) < 0)
		die_sys(EX_NOINPUT, "%s", m->path);
	fd_drop(fd);
	file_note("file", m->path);
}

void
factlog_each(enum fact_scope s, factlog_fn *fn, void *arg)
{
	struct mapped *m = &files[s];
	struct buf b = {NULL, 0, 0};

	if (!m->done) {
		fact_file(&b, s);
		m->path = buf_cstr(&b);
		map(m);
		m->done = 1;
	}
	if (m->text.n > 0)
		read_lines(m->text, m->path, s, fn, arg, m->heard++ > 0);
}

void
factlog_forget(void)
{
	struct mapped *m;

	for (m = files; m < files + FACT_SCOPES; m++) {
		file_unmap(m->text);
		free(m->path);
		memset(m, 0, sizeof(*m));
	}
}

/* The slot of a key, or the free one where it belongs. */
static size_t
slot(const struct factset *t, enum fact_scope s, uint64_t id)
{
	size_t i = (size_t)((id * 0x9e3779b97f4a7c15u >> 32) + (uint64_t)s)
	    & (t->cap - 1);

	while (t->v[i].line.p != NULL
	    && (t->v[i].id != id || t->v[i].scope != s))
		i = (i + 1) & (t->cap - 1);
	return i;
}

const struct factslot *
factset_get(const struct factset *t, enum fact_scope s, uint64_t id)
{
	const struct factslot *f;

	if (t->cap == 0)
		return NULL;
	f = &t->v[slot(t, s, id)];
	return f->line.p != NULL ? f : NULL;
}

static void
widen(struct factset *t)
{
	struct factset old = *t;
	size_t i;

	t->cap = old.cap == 0 ? 1024 : old.cap * 2;
	t->v = xreallocarray(NULL, t->cap, sizeof(*t->v));
	memset(t->v, 0, t->cap * sizeof(*t->v));
	for (i = 0; i < old.cap; i++)
		if (old.v[i].line.p != NULL)
			t->v[slot(t, (enum fact_scope)old.v[i].scope,
			    old.v[i].id)] = old.v[i];
	free(old.v);
}

void
factset_put(struct factset *t, const struct factline *l)
{
	struct factslot *f;

	if (t->n * 2 >= t->cap)
		widen(t);
	f = &t->v[slot(t, l->scope, l->id)];
	t->n += f->line.p == NULL;
	f->line = l->line;
	f->number = l->number;
	f->id = l->id;
	f->scope = (unsigned char)l->scope;
	f->forgotten = l->forgotten != 0;
}

static void
put(const struct factline *l, void *arg)
{
	factset_put(arg, l);
}

/* What factlog_facts hands on to the lines. */
struct teller {
	struct factset last;
	void (*each)(const struct fact *f, void *arg);
	void *arg;
};

static void
tell(const struct factline *l, void *arg)
{
	static struct json j;
	static struct fact f;
	const struct teller *t = arg;
	const char *why;

	if (l->forgotten
	    || factset_get(&t->last, l->scope, l->id)->number != l->number)
		return;
	fact_free(&f);
	if (json_parse(&j, l->line.p, l->line.n) == 0
	    && fact_take(&f, &j, 0, &why) == 0)
		t->each(&f, t->arg);
}

void
factlog_facts(enum fact_scope s, void (*each)(const struct fact *, void *),
    void *arg)
{
	struct teller t = {{NULL, 0, 0}, each, arg};

	factlog_each(s, put, &t.last);
	factlog_each(s, tell, &t);
	free(t.last.v);
}
