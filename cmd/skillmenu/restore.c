#include "bundle.h"
#include "json.h"
#include "restore.h"
#include "section.h"
#include "settings.h"
#include "skill.h"

static void
put(const struct skillset_item *it, struct span body)
{
	static struct buf b;
	struct section s = {.kind = "skill", .what = it->name};

	buf_reset(&b);
	bundle_put(&b, "prompts/skill-restored.md", it->name, it->dir, body,
	    settings_count("skillmenu.resources", 50));
	section_put(&s, b.p, b.n - 1);
}

void
restore_put(const struct skillset *set, struct fields *state,
    enum skillset_say say)
{
	static struct strs names;
	static struct skill skill;
	const struct json *j = fields_json(state);
	const struct skillset_item *it;
	struct span body;
	const char *why;
	size_t i;

	strs_reset(&names);
	json_strs(j, json_get(j, 0, "skills_folded"), &names);
	for (i = 0; i < names.n; i++) {
		why = "it is no longer there";
		it = skillset_get(set, names.v[i]);
		if (it != NULL && skill_body(&skill, it->dir, &body, &why) == 0)
			put(it, body);
		else
			skillset_tell(say, "skill '%s': not restored: %s",
			    names.v[i], why);
	}
}
