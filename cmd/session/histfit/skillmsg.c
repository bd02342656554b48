#include <stdlib.h>

#include "emit.h"
#include "json.h"
#include "skillmsg.h"
#include "template.h"
#include "textfile.h"

static struct buf loaded, message, pending;

int
skillmsg_load(void)
{
	return textfile_read(&loaded, "prompts/skill-loaded.md") < 0
	    || textfile_read(&message, "prompts/skill-message.md") < 0 ? -1 : 0;
}

/* The skill that item i is the text of, owned by the caller; else NULL. */
static char *
skill_of(const struct chat *c, const struct statefacts_names *names, size_t i)
{
	const struct chat_item *it = &c->view[i];

	return it->call < 0
	    ? NULL
	    : statefacts_skill(c, &c->calls[it->call], names);
}

static void
put_message(const char *name, const struct hole *holes)
{
	static struct buf text;

	buf_reset(&text);
	template_holes(&text, message.p, message.n, holes);
	emit_open(&pending, '{');
	emit_pair(&pending, "type", "message");
	emit_pair(&pending, "role", "user");
	emit_pairn(&pending, "content", text.p, text.n);
	emit_key(&pending, "tp");
	emit_open(&pending, '{');
	emit_pair(&pending, "skill", name);
	emit_close(&pending, '}');
	emit_close(&pending, '}');
	buf_putc(&pending, '\n');
}

/* The result with another content; its other fields stay. */
static void
put_result(struct buf *b, const struct json *j, const struct hole *holes)
{
	static struct buf text, content;

	buf_reset(&text);
	template_holes(&text, loaded.p, loaded.n, holes);
	buf_reset(&content);
	emit_str(&content, text.p, text.n);
	buf_reset(b);
	emit_object(b, j, 0, "content", buf_view(&content));
}

const struct chat_item *
skillmsg_item(struct chat *c, const struct statefacts_names *names, size_t i)
{
	static struct buf b, content;
	static struct json j;
	static struct chat_item made;
	char *name = skill_of(c, names, i);
	struct hole holes[] = {{"name", {NULL, 0}}, {"content", {NULL, 0}},
	    {NULL, {NULL, 0}}};

	made = c->view[i];
	buf_reset(&content);
	if (name != NULL && json_parse(&j, made.text.p, made.text.n) == 0
	    && json_str(&j, json_get(&j, 0, "content"), &content) == 0) {
		holes[0].value = span_of(name);
		holes[1].value = buf_view(&content);
		put_message(name, holes);
		put_result(&b, &j, holes);
		made.text = buf_view(&b);
		made.made = 1;
	}
	free(name);
	return &made;
}

void
skillmsg_messages(struct buf *b)
{
	buf_add(b, pending.p, pending.n);
	buf_reset(&pending);
}
