/*
 * agentload [-1lP] [-a AGENT] [-c KEY=VALUE] [-F FORM] [-f FILE] [-m MODEL]
 *     [-p FILE]
 *
 * - The base prompt is one text: custom file > persona directory > the
 *   agent's definition > the layout's; a user's persona replaces it.
 * - Configuration in rising order of right: settings, the agent's front
 *   matter, what the user said, marked "by":"user".
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent.h"
#include "diag.h"
#include "emit.h"
#include "model.h"
#include "opt.h"
#include "path.h"
#include "persona.h"
#include "record.h"
#include "roster.h"
#include "section.h"
#include "settings.h"
#include "task.h"
#include "template.h"
#include "textfile.h"
#include "usertext.h"

static const char usage[] =
    "usage: agentload [-1lP] [-a agent] [-c key=value] [-F form] [-f file]\n"
    "                 [-m model] [-p file]\n"
    "\n"
    "  -1, --once              nobody is there to answer questions\n"
    "  -a, --agent AGENT       load this agent\n"
    "  -c, --config KEY=VALUE  set a field of the configuration\n"
    "  -F, --form FORM         of the list of agents\n"
    "  -f, --file FILE         load the definition in this file\n"
    "  -l, --list              print the names of the agents\n"
    "  -m, --model MODEL       use this model\n"
    "  -P, --planning          say where the plan of the session lies\n"
    "  -p, --prompt FILE       use this text as base prompt\n";

static const struct option options[] = {
    {"once", no_argument, NULL, '1'},
    {"list", no_argument, NULL, 'l'},
    {"planning", no_argument, NULL, 'P'},
    {"agent", required_argument, NULL, 'a'},
    {"config", required_argument, NULL, 'c'},
    {"form", required_argument, NULL, 'F'},
    {"file", required_argument, NULL, 'f'},
    {"model", required_argument, NULL, 'm'},
    {"prompt", required_argument, NULL, 'p'},
    {NULL, 0, NULL, 0},
};

static const char *name, *file, *form, *prompt, *usermodel;
static int once, planning;
static struct buf user;	   /* the config record of what the user said */
static const struct buf *message; /* the user's last message */
static struct agent self;
static struct strs others; /* paths of the other agents' definitions */

static struct buf *
said(void)
{
	if (user.n == 0) {
		emit_open(&user, '{');
		emit_pair(&user, "type", "config");
		emit_pair(&user, "by", "user");
	}
	return &user;
}

/* The files of one run: found once, whatever the conversations. */
static void
find(void)
{
	static struct buf b, rel;

	if (file != NULL) {
		if (access(file, R_OK) < 0)
			die_sys(EX_NOINPUT, "%s", file);
		buf_puts(&b, file);
	} else {
		buf_printf(&rel, "agents/%s.md", name);
		if (path_find(&b, buf_cstr(&rel)) < 0)
			die(EX_NOINPUT, "agent %s: no such definition", name);
	}
	if (agent_read(&self, buf_cstr(&b)) < 0)
		die(EX_CONFIG, "%s", buf_cstr(&self.why));
	agent_unknown(&self);
	agent_others(&others, self.path);
}

static int
fill(struct buf *b, const char *hole, size_t n, void *arg)
{
	struct span h = {hole, n};

	if (span_is(h, "agent"))
		buf_puts(b, *(const char **)arg);
	else if (span_is(h, "plan"))
		buf_printf(b, "%s/plan.md", getenv("TURNPIPE_RUN"));
	else
		return 0;
	return 1;
}

/* A section whose text is a template of ours. */
static void
put_text(const char *kind, const char *rel, const char *agent)
{
	static struct buf text, out;
	struct section s = {0};

	buf_reset(&text);
	buf_reset(&out);
	if (textfile_read(&text, rel) < 0)
		return;
	template_expand(&out, text.p, text.n, fill, &agent);
	s.kind = kind;
	if (*agent != '\0')
		s.what = agent;
	section_put(&s, out.p, out.n);
}

/* What this session is to reach, as somebody wrote it beside its log. */
static void
put_goal(void)
{
	static struct buf path, text;
	struct section s = {0};

	buf_reset(&path);
	buf_reset(&text);
	buf_printf(&path, "%s/task.md", getenv("TURNPIPE_RUN"));
	if (access(buf_cstr(&path), F_OK) < 0)
		return;
	textfile_load(&text, path.p);
	s.kind = "task";
	if (text.n > 0)
		section_put(&s, text.p, text.n);
}

/* Whose word it is on the model: the user's, the agent's, the settings'. */
static void
put_model(struct buf *b, const char *settings)
{
	static struct buf window;
	const struct json *j = &self.front.yml.json;
	char *own = json_dup(j, json_get(j, 0, "model"));

	const char *model = usermodel != NULL ? usermodel
	    : own != NULL		      ? own
					      : settings;

	emit_pair(b, "model", settings);
	buf_reset(&window);
	if (model != NULL && model_window(&window, model) == 0)
		emit_pairj(b, "context_window", buf_view(&window));
	free(own);
}

static void
put_config(void)
{
	static const char *const numbers[] = {"temperature", "max_tokens",
	    "max_steps", "max_seconds"};
	static struct buf b;
	const char *model = task_put();
	double v;
	size_t i;

	if (usermodel == NULL)
		usermodel = model;
	emit_open(&b, '{');
	emit_pair(&b, "type", "config");
	put_model(&b, settings_str("model", NULL));
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		v = settings_num(numbers[i], HUGE_VAL);
		if (v == HUGE_VAL)
			continue;
		if (v < 0)
			settings_bad(numbers[i], "expected a number from 0");
		emit_pairf(&b, numbers[i], v);
	}
	agent_config(&self, &b);
	emit_close(&b, '}');
	record_put(&b);
	if (user.n > 0) {
		buf_span(&b, (struct span){user.p, user.n});
		emit_close(&b, '}');
		record_put(&b);
	}
}

/* Who else is there, and whom the user addressed. */
static void
put_agents(void)
{
	static struct strs named;
	size_t i;

	roster_put(&others, message, &named);
	for (i = 0; i < named.n; i++)
		put_text("delegation", "prompts/delegation.md", named.v[i]);
	strs_reset(&named);
}

static void
put_all(void)
{
	if (self.path == NULL)
		find();
	message = usertext_text();
	put_config();
	persona_put(name, prompt, &self);
	put_agents();
	if (once)
		put_text("once", "prompts/once.md", "");
	if (getenv("TURNPIPE_RUN") != NULL)
		put_goal();
	if (planning && getenv("TURNPIPE_RUN") != NULL
	    && getenv("TURNPIPE_PARENT") == NULL)
		put_text("planning", "prompts/planning.md", "");
	usertext_reset();
}

/* What the environment and the settings say where no option does. */
static void
settle(const char *model)
{
	if (model != NULL && *model != '\0')
		agent_field(said(), "model", usermodel = model,
		    strlen(model));
	if (name == NULL || *name == '\0')
		name = settings_str("agent", "default");
	if (getenv("TURNPIPE_ONCE") != NULL && *getenv("TURNPIPE_ONCE") != '\0')
		once = 1;
	planning |= settings_bool("agentload.planning", 0);
	if (prompt != NULL && *prompt != '\0' && access(prompt, R_OK) < 0)
		die_sys(EX_NOINPUT, "%s", prompt);
	if (roster_form(form) < 0 && form != NULL)
		opt_die(usage, "no form '%s': expected prompts/agents-%s.md",
		    form, form);
}

int
main(int argc, char **argv)
{
	struct rec r;
	const char *model = getenv("TURNPIPE_MODEL");
	int c;

	prog = "agentload";
	record_filter(1);
	name = getenv("TURNPIPE_AGENT");
	prompt = getenv("TURNPIPE_SYSTEM_PROMPT");
	while ((c = opt_next(argc, argv, "1lPa:c:F:f:m:p:", options, usage))
	    != -1)
		switch (c) {
		case '1': once = 1; break;
		case 'P': planning = 1; break;
		case 'a': name = optarg; break;
		case 'c':
			if (strncmp(optarg, "model=", 6) == 0)
				model = optarg + 6;
			else if (agent_pair(said(), optarg) < 0)
				opt_die(usage, "expected KEY=VALUE, not '%s'",
				    optarg);
			break;
		case 'F': form = optarg; break;
		case 'f': file = optarg; break;
		case 'l': roster_list(); return 0;
		case 'm': model = optarg; break;
		case 'p': prompt = optarg; break;
		}
	if (optind < argc)
		opt_die(usage, "expected no operand");
	settle(model);
	while (record_next(&r)) {
		usertext_take(&r);
		if (r.type == REC_END)
			put_all();
		record_pass(&r);
	}
	return record_close();
}
