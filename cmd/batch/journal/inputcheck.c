#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batchline.h"
#include "diag.h"
#include "file.h"
#include "hash.h"
#include "inputcheck.h"
#include "record.h"

static const char name[] = "<stdin>";

/* The id of a request, by its hash: two may have the same. */
struct seen {
	uint64_t hash;
	size_t line, at, n; /* the id in the text */
};

static struct seen *seen;
static size_t nseen, cap;

static void
note(const struct rec *r, const char *text)
{
	struct span id = record_member(r,
	    r->type == REC_UNTYPED ? "custom_id" : "id");
	struct seen *s;

	if (id.n == 0)
		return;
	grow(&seen, &cap, nseen, sizeof(*seen));
	s = &seen[nseen++];
	s->hash = hash_bytes(id.p, id.n);
	s->line = r->line;
	s->at = (size_t)(id.p - text);
	s->n = id.n;
}

static int
compare(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

/* The first line that has the id of one before it. */
static void
check_twice(const char *text)
{
	const struct seen *s, *first = NULL, *same = NULL;
	size_t i, k;

	if (nseen > 1)
		qsort(seen, nseen, sizeof(*seen), compare);
	for (i = 0; i < nseen; i++) {
		s = &seen[i];
		for (k = i; k-- > 0 && seen[k].hash == s->hash;)
			if (seen[k].n == s->n && memcmp(text + seen[k].at,
				text + s->at, s->n) == 0)
				break;
		if (k < i && seen[k].hash == s->hash
		    && (first == NULL || s->line < first->line)) {
			first = s;
			same = &seen[k];
		}
	}
	if (first != NULL)
		die(EX_DATAERR, "%s:%zu: the id %.*s is that of line %zu", name,
		    first->line, (int)first->n, text + first->at, same->line);
}

void
inputcheck(void)
{
	off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);
	static struct buf b;
	const char *s, *nl, *end, *why;
	struct span text;
	struct stat st;
	struct rec r;
	size_t line = 1, off, n;

	if (at < 0 || fstat(STDIN_FILENO, &st) < 0 || !S_ISREG(st.st_mode)
	    || at >= st.st_size || file_map(STDIN_FILENO, &text) < 0)
		return;
	end = text.p + text.n;
	for (s = text.p + at; s < end; s = nl + 1, line++) {
		nl = memchr(s, '\n', (size_t)(end - s));
		if (nl == NULL)
			nl = end;
		n = (size_t)(nl - s);
		n -= (size_t)(n > 0 && s[n - 1] == '\r');
		if (record_check(&r, s, n, &why, &off) < 0)
			die_at(EX_DATAERR, name, line, off + 1, why);
		r.line = line;
		if (r.type == REC_REQUEST) {
			batchline_check(&r, 0);
			note(&r, text.p);
		} else if (r.type == REC_UNTYPED) {
			buf_reset(&b);
			batchline_request(&b, &r);
			note(&r, text.p);
		}
	}
	check_twice(text.p);
	file_unmap(text);
}
