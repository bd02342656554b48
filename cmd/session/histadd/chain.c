#include <stdint.h>
#include <string.h>

#include "chain.h"
#include "diag.h"
#include "file.h"
#include "session.h"
#include "sha256.h"

enum { DIGITS = 64 };

void
chain_hash(struct buf *b, struct span line)
{
	buf_reset(b);
	sha256_hex(b, line.p, line.n, DIGITS);
}

struct span
chain_said(const struct rec *r)
{
	static struct buf b;
	const struct json *j = record_json(r);
	int own = r->type == REC_MESSAGE ? json_get(j, 0, "tp") : 0;

	buf_reset(&b);
	(void)json_str(j, json_get(j, own, CHAIN), &b);
	return buf_view(&b);
}

/* The line at *p, after which *p is; 0 at the end. */
static int
next_line(const char **p, const char *end, struct span *line)
{
	const char *nl;

	if (*p >= end)
		return 0;
	nl = memchr(*p, '\n', (size_t)(end - *p));
	line->p = *p;
	line->n = (size_t)((nl != NULL ? nl : end) - *p);
	*p = nl != NULL ? nl + 1 : end;
	return 1;
}

/* Is that what the line says of the one before?  It may be anything. */
static int
says(struct span line, const struct buf *hash)
{
	struct rec r;
	const char *why;
	size_t at;

	return record_check(&r, line.p, line.n, &why, &at) == 0
	    && span_same(chain_said(&r), buf_view(hash));
}

static int
differs(const char *path, size_t n)
{
	warn("%s:%zu: expected the line that was written", path, n);
	return EXIT_NO;
}

int
chain_verify(const char *path)
{
	static struct buf all, name, head, hash, before;
	struct span line, next;
	const char *p, *end;
	size_t n = 0, headed = 0;
	int more;

	if (file_read(path, &all, SIZE_MAX) != FILE_OK)
		die_sys(EX_NOINPUT, "%s", path);
	session_run(&name, path);
	buf_puts(&name, CHAIN_HEAD);
	if (file_read(buf_cstr(&name), &head, DIGITS) != FILE_OK)
		die(EX_NOINPUT, "%s: expected the hash of the last line",
		    name.p);
	p = all.p;
	end = all.p + all.n;
	buf_puts(&before, CHAIN_FIRST);
	for (more = next_line(&p, end, &line); more; line = next) {
		n++;
		more = next_line(&p, end, &next);
		chain_hash(&hash, line);
		if (!says(line, &before)) {
			/* If what follows vouches for it, the other one is. */
			if (n > 1 && (more ? says(next, &hash)
			    : span_same(buf_view(&head), buf_view(&hash))))
				n--;
			return differs(path, n);
		}
		if (span_same(buf_view(&head), buf_view(&hash)))
			headed = n;
		chain_hash(&before, line);
	}
	if (headed == 0)
		return differs(path, n);
	/* The head is written after each line. */
	if (headed + 1 < n)
		return differs(path, headed + 1);
	if (headed < n)
		warn("%s: a writer was killed after line %zu", path, headed);
	return 0;
}
