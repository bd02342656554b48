#ifndef FRONTMATTER_H
#define FRONTMATTER_H

/*
 * Front matter: YAML between two "---" lines at the top of a Markdown file,
 * as skills, agents and task files have it.  Read leniently: a BOM, CRLF
 * line ends and blanks before the first fence pass.
 *
 * YAML that fails is tried once more with the values quoted that break it:
 * plain ones that hold ": " or end in ':' before any comment, start with
 * @ ` % "- " or a glob's '*', or such as ">= 3", and "[file] [mode]" that go
 * on after their closing bracket or quote; with the lines below that are
 * indented deeper.  Only values at the top level and directly below
 * ("metadata:") are touched; no other line changes its meaning.
 *
 * YAML that fails even so is read without the key of the top level where it
 * fails, if the caller allows that (keep): one key, and only for broken
 * syntax; what is refused (an anchor, a tag, the depth) stays refused.
 */

#include <stddef.h>

#include "buf.h"
#include "yamlfile.h"

/* A zeroed struct is ready and can be used again and again. */
struct frontmatter {
	struct yamlfile yml;	  /* empty object where there is no front matter;
			     its marks count from the top of the file */
	struct span body; /* after the closing fence, in the text given;
			     without front matter all but a BOM */
	size_t bodyline;  /* its first line, from 1 */
	struct span yaml; /* between the fences, if present */
	size_t yamlline;
	int present;
	const char *const *keep; /* set by the caller: keys of the top level
			     that must be there to the end, NULL behind the last
			     one; any other may be left out.  NULL: all */
	int requoted;	  /* parsed only after quoting a value */
	int left_out;	  /* parsed only without the key at line and col */
	struct buf repaired; /* the YAML then */
	const char *why; /* after -1, with line and col in the file;
			     requoted or left_out: from yamlline on */
	size_t line, col;
};

/*
 * Split and parse.  0 (also with none present), or -1: not closed, not
 * YAML, or no mapping.  s must outlive body.
 */
int frontmatter_parse(struct frontmatter *f, const char *s, size_t n);

#endif
