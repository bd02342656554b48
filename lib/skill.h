#ifndef SKILL_H
#define SKILL_H

/*
 * A skill: a directory with SKILL.md, front matter and text, as the Agent
 * Skills specification (agentskills.io) has it.  Read leniently: what can be
 * understood is taken, what is doubtful is told.  turnpipe-skills(5).
 */

#include <stddef.h>

#include "buf.h"
#include "front.h"

enum {
	SKILL_HEAD = 4096,     /* first read of a file */
	SKILL_FRONT = 65536,   /* most that front matter may be */
	SKILL_MAX = 1 << 20    /* most that a whole file may be */
};

/* A zeroed struct is ready and can be used again and again. */
struct skill {
	char *name;	   /* owned, as are the next two */
	char *description;
	char *dir;	   /* the directory, as it was found */
	struct strs keywords, tools; /* metadata's lists */
	long long priority;
	int hidden;	/* disable-model-invocation: true */
	struct buf text; /* what was read of the file */
	struct front front;
};

/* Told for each fault: what, and whether the skill is lost for it. */
typedef void skill_told(const char *file, const char *what, int lost);

/*
 * Read DIR/SKILL.md: its front matter, or with whole set all of it, body in
 * front.body.  0; -1 if there is no such file (nothing told) or it is lost.
 * strict refuses what the specification refuses.
 */
int skill_read(struct skill *s, const char *dir, int whole, int strict,
    skill_told *told);

/* Length of s in characters, not bytes. */
size_t skill_chars(const char *s);

#endif
