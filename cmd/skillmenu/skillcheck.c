#include <string.h>

#include "diag.h"
#include "file.h"
#include "path.h"
#include "skillcheck.h"

static int faults; /* of the skill at hand */

static void
report(const char *what, int lost)
{
	(void)lost;
	faults++;
	warn("%s", what);
}

static void
cut(struct buf *b)
{
	while (b->n > 1 && b->p[b->n - 1] == '/')
		b->n--;
	buf_cstr(b);
}

/* A skill's directory, by a name that can be compared. */
static void
directory(struct buf *b, const char *arg)
{
	buf_reset(b);
	buf_puts(b, arg);
	cut(b);
	if (strcmp(file_name(b->p), "SKILL.md") == 0
	    || strcmp(file_name(b->p), "skill.md") == 0) {
		b->n = (size_t)(file_name(b->p) - b->p);
		if (b->n == 0)
			buf_putc(b, '.');
		cut(b);
	}
	if (strcmp(b->p, ".") == 0) {
		buf_reset(b);
		buf_puts(b, path_cwd());
		buf_cstr(b);
	}
}

size_t
skillcheck(char *const *skills, enum skill_mode mode)
{
	static struct skill skill;
	static struct buf dir;
	struct skill_rules rules = {mode, report};
	enum skill_result r;
	size_t n = 0;

	for (; *skills != NULL; skills++) {
		faults = 0;
		directory(&dir, *skills);
		r = skill_read(&skill, -1, dir.p, &rules);
		if (r == SKILL_NONE || r == SKILL_EMPTY) {
			buf_puts(&dir, r == SKILL_NONE ? ": no SKILL.md"
			    : ": expected front matter");
			report(buf_cstr(&dir), 1);
		}
		n += faults > 0;
	}
	return n;
}
