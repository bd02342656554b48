#ifndef MENU_H
#define MENU_H

/*
 * The menu of skills that a model sees: an introduction, prompts/skills.md,
 * and one item per skill, by the template prompts/skills-FORM.md with the
 * holes name, description, path and dir.
 */

#include "buf.h"
#include "skillset.h"

struct menu {
	const char *form;
	int intro;
	int keyworded;	    /* skills with keywords too, but no playbooks */
	int playbooks;	    /* and those of the directories of playbooks */
	size_t description; /* bytes of one at most */
	size_t max;	    /* bytes of all items */
	struct buf item;    /* the template; menu_load */
};

/* Read the form's template.  0; -1 if switched off, -2 if missing. */
int menu_load(struct menu *m);

/* Is a skill one for the menu? */
int menu_has(const struct menu *m, const struct skillset_item *it);

/*
 * Append the menu's text; nothing if it has no item.  Number of skills that
 * did not fit, which prompts/skills-more.md reports.
 */
size_t menu_put(const struct menu *m, struct buf *b, const struct skillset *s);

#endif
