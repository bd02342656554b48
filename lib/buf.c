#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "diag.h"

void *
xreallocarray(void *p, size_t n, size_t size)
{
	if (size != 0 && n > SIZE_MAX / size)
		die(EX_OSERR, "out of memory");
	if (n == 0 || size == 0)
		n = size = 1;
	p = realloc(p, n * size);
	if (p == NULL)
		die(EX_OSERR, "out of memory");
	return p;
}

void *
xmalloc(size_t n)
{
	return xreallocarray(NULL, n, 1);
}

char *
xstrndup(const char *s, size_t n)
{
	char *p;

	if (n == SIZE_MAX)
		die(EX_OSERR, "out of memory");
	p = xmalloc(n + 1);
	if (n > 0)
		memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

char *
xstrdup(const char *s)
{
	return xstrndup(s, strlen(s));
}

void
grow(void *p, size_t *cap, size_t n, size_t size)
{
	void *q;
	size_t want = *cap;

	if (n < want)
		return;
	want = want == 0 ? 16 : want;
	while (want <= n) {
		if (want > SIZE_MAX / 2)
			die(EX_OSERR, "out of memory");
		want *= 2;
	}
	/* *p is a pointer of some type: read and write it as bytes. */
	memcpy(&q, p, sizeof(q));
	q = xreallocarray(q, want, size);
	memcpy(p, &q, sizeof(q));
	*cap = want;
}

void
buf_room(struct buf *b, size_t n)
{
	if (n > SIZE_MAX / 2 - b->n)
		die(EX_OSERR, "out of memory");
	grow(&b->p, &b->cap, b->n + n, 1);
}

void
buf_add(struct buf *b, const void *p, size_t n)
{
	if (b->cap - b->n <= n)
		buf_room(b, n);
	if (n > 0)
		memcpy(b->p + b->n, p, n);
	b->n += n;
}

void
buf_puts(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void
buf_putc(struct buf *b, int c)
{
	if (b->cap - b->n <= 1)
		buf_room(b, 1);
	b->p[b->n++] = (char)c;
}

void
buf_span(struct buf *b, struct span s)
{
	buf_add(b, s.p, s.n);
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		die(EX_SOFTWARE, "vsnprintf failed");
	buf_room(b, (size_t)n);
	va_start(ap, fmt);
	vsnprintf(b->p + b->n, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->n += (size_t)n;
}

void
buf_reset(struct buf *b)
{
	b->n = 0;
}

void
buf_free(struct buf *b)
{
	free(b->p);
	b->p = NULL;
	b->n = b->cap = 0;
}

char *
buf_cstr(struct buf *b)
{
	buf_room(b, 0);
	b->p[b->n] = '\0';
	return b->p;
}

struct span
buf_view(const struct buf *b)
{
	return (struct span){b->n > 0 ? b->p : "", b->n};
}

struct span
span_of(const char *s)
{
	return (struct span){s, strlen(s)};
}

int
span_same(struct span a, struct span b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

int
span_order(struct span a, struct span b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n > 0 ? memcmp(a.p, b.p, n) : 0;

	return c != 0 ? c : (a.n > b.n) - (a.n < b.n);
}

int
span_is(struct span s, const char *t)
{
	return span_same(s, span_of(t));
}

struct span
span_trim(struct span s)
{
	while (s.n > 0 && strchr(" \t\r\n", s.p[0]) != NULL) {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && strchr(" \t\r\n", s.p[s.n - 1]) != NULL)
		s.n--;
	return s;
}

void
strs_addn(struct strs *l, const char *s, size_t n)
{
	grow(&l->v, &l->cap, l->n, sizeof(*l->v));
	l->v[l->n++] = xstrndup(s, n);
}

void
strs_add(struct strs *l, const char *s)
{
	strs_addn(l, s, strlen(s));
}

void
strs_split(struct strs *l, const char *s)
{
	size_t n;

	for (; *s != '\0'; s += n + (s[n] == ',')) {
		n = strcspn(s, ",");
		strs_addn(l, s, n);
	}
}

long
strs_find(const struct strs *l, const char *s)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (strcmp(l->v[i], s) == 0)
			return (long)i;
	return -1;
}

void
strs_drop(struct strs *l, size_t i)
{
	free(l->v[i]);
	l->n--;
	memmove(&l->v[i], &l->v[i + 1], (l->n - i) * sizeof(*l->v));
}

const char *
strs_once(struct strs *l, const char *s)
{
	long i = strs_find(l, s);

	if (i >= 0)
		return l->v[i];
	strs_add(l, s);
	return l->v[l->n - 1];
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void
strs_sort(struct strs *l)
{
	if (l->n > 1)
		qsort(l->v, l->n, sizeof(*l->v), compare);
}

char **
strs_vector(struct strs *l)
{
	grow(&l->v, &l->cap, l->n, sizeof(*l->v));
	l->v[l->n] = NULL;
	return l->v;
}

void
strs_reset(struct strs *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		free(l->v[i]);
	l->n = 0;
}

void
strs_free(struct strs *l)
{
	strs_reset(l);
	free(l->v);
	l->v = NULL;
	l->cap = 0;
}
