#ifndef SKILL_H
#define SKILL_H

/*
 * A skill: a directory with SKILL.md, front matter and text, as the Agent
 * Skills specification (agentskills.io) has it.  Read leniently: what can be
 * understood is taken, with a warning if it is doubtful.  turnpipe-skills(5).
 */

#include <stddef.h>

#include "buf.h"
#include "frontmatter.h"

enum {
	SKILL_HEAD = 4096,   /* first read of a file */
	SKILL_FRONT = 65536, /* most that front matter may be */
	SKILL_MAX = 1 << 20  /* most that a whole file may be */
};

/* Gets each fault, "FILE:LINE:COL: WHAT"; lost: the skill is skipped. */
typedef void skill_report(const char *what, int lost);

struct skill_rules {
	int strict; /* what the specification refuses is lost */
	skill_report *report; /* NULL: report nothing */
};

/* A zeroed struct is ready and can be used again and again. */
struct skill {
	char *name; /* owned, as the next one; take them and set NULL */
	char *description;
	const char *file; /* in its directory; static */
	struct strs keywords, vetoes, tools; /* metadata's, as written */
	struct strs allowed; /* allowed-tools, as written */
	double priority;
	int hidden;	 /* disable-model-invocation: true */
	struct buf text; /* what was read of the file */
	struct frontmatter front;
};

enum skill_result {
	SKILL_OK,
	SKILL_NONE,  /* there is no such file; nothing was reported */
	SKILL_EMPTY, /* it has no bytes; nothing was reported */
	SKILL_LOST
};

/*
 * Read the front matter of DIR/SKILL.md (or skill.md): one open, and no
 * more than SKILL_HEAD read unless the front matter is longer.  If at is a descriptor and not
 * -1, it is that of the directory that holds DIR's last name.
 */
enum skill_result skill_read(struct skill *s, int at, const char *dir,
    const struct skill_rules *rules);

/*
 * Read the whole file: text is its body, without blanks round it, good until
 * s is used again.  0, or -1 and why is set: static, or errno's text.
 */
int skill_body(struct skill *s, const char *dir, struct span *text,
    const char **why);

#endif
