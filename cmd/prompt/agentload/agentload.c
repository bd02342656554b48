/*
 * agentload [-ltv] [-a AGENT] [-c KEY=VALUE] [-F FORM] [-f FILE]
 * agentload -g KEY | -G KEY | -k [-a AGENT] [-f FILE]
 *
 * - The base prompt is one text: custom file > the definition's systemPrompt
 *   > persona directory > the definition's body > the layout's; a user's
 *   persona replaces it.
 * - Configuration in rising order of right: settings, the agent's front
 *   matter, what the user said, marked "by":"user".
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confpair.h"
#include "definition.h"
#include "diag.h"
#include "emit.h"
#include "env.h"
#include "jsoncanon.h"
#include "model.h"
#include "opt.h"
#include "out.h"
#include "path.h"
#include "record.h"
#include "ring.h"
#include "roster.h"
#include "section.h"
#include "settings.h"
#include "sha256.h"
#include "task.h"
#include "template.h"
#include "textfile.h"
#include "treeagents.h"
#include "usertext.h"
#include "utf8.h"

enum { KEY_DIGITS = 8 };

static const char usage[] =
    "usage: agentload [-ltv] [-a agent] [-c key=value] [-F form] [-f file]\n"
    "       agentload -g key | -G key | -k [-a agent] [-f file]\n"
    "\n"
    "  -a, --agent AGENT       load this agent\n"
    "  -c, --config KEY=VALUE  set a field of the configuration\n"
    "  -F, --form FORM         of the list of agents\n"
    "  -f, --file FILE         load the definition in this file\n"
    "  -g, --get KEY           print a field of the definition\n"
    "  -G, --get-any KEY       the same, or else the setting of that name\n"
    "  -k, --key               print the key that its sessions are kept by\n"
    "  -l, --list              print the names of the agents; with -v more\n"
    "  -t, --trust             ask whether the work tree's agents are used\n"
    "  -v, --verbose           say which file gave which field\n";

static const struct option options[] = {
    {"get", required_argument, NULL, 'g'},
    {"get-any", required_argument, NULL, 'G'},
    {"key", no_argument, NULL, 'k'},
    {"list", no_argument, NULL, 'l'},
    {"trust", no_argument, NULL, 't'},
    {"agent", required_argument, NULL, 'a'},
    {"config", required_argument, NULL, 'c'},
    {"form", required_argument, NULL, 'F'},
    {"file", required_argument, NULL, 'f'},
    {"verbose", no_argument, NULL, 'v'},
    {NULL, 0, NULL, 0},
};

static const char *name, *file, *form, *prompt, *usermodel;
static const char *chosen; /* the name of -a */
static int once, verbose;
static struct buf user;	   /* the config record of what the user said */
static const struct buf *message; /* the user's last message */
static struct definition self;

/* What -g and -G ask for. */
static struct wanted {
	const char *key;
	int any;
} *wanted;
static size_t nwanted, capwanted;

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

/* The definition.  0, or the code of what is wrong with it, in self.why. */
static int
find(void)
{
	int r;

	if (file != NULL) {
		if (access(file, R_OK) < 0)
			die_sys(EX_NOINPUT, "%s", file);
		r = definition_read(&self, file, chosen, 1);
	} else {
		r = definition_find(&self, name, 1);
	}
	if (r == DEFINITION_NONE) {
		buf_reset(&self.why);
		buf_printf(&self.why, "agent %s: no such definition", name);
		return EX_NOINPUT;
	}
	return r < 0 ? EX_CONFIG : 0;
}

static void
must_find(void)
{
	int code = find();

	if (code != 0)
		die(code, "%s", buf_cstr(&self.why));
}

/* Read once; in a ring for each conversation, which has an agent of its own. */
static int
find_self(void)
{
	int code;

	if (self.path.n > 0 && !ring_isset())
		return 0;
	if (ring_isset() && chosen == NULL) {
		name = env_get("TURNPIPE_AGENT");
		if (name == NULL)
			name = settings_str("agent");
	}
	code = find();
	if (code != 0)
		record_fault(code, "%s", buf_cstr(&self.why));
	return code == 0 ? 0 : -1;
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

/* A section whose text is a template of share/prompts. */
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

/* The session's goal, from the file beside its log. */
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

/* What the model wrote down as its plan, of a long one the beginning. */
static void
put_plan(void)
{
	static struct buf path, text;
	struct section s = {0};
	struct stat st;
	size_t max = settings_count("agentload.plan_bytes");

	buf_reset(&path);
	buf_reset(&text);
	buf_printf(&path, "%s/plan.md", getenv("TURNPIPE_RUN"));
	if (stat(buf_cstr(&path), &st) < 0 || !S_ISREG(st.st_mode))
		return;
	textfile_load(&text, path.p);
	if (text.n > max) {
		text.n = utf8_cut(text.p, text.n, max);
		buf_puts(&text, "\n...");
	}
	s.kind = "plan";
	s.isvolatile = 1;
	if (text.n > 0)
		section_put(&s, text.p, text.n);
}

static int
defines(const char *key)
{
	return json_get(&self.json, 0, key) >= 0;
}

/* The model: of the user, else of the agent, else of the settings. */
static void
find_model(struct buf *b)
{
	const struct json *j = &self.json;

	buf_reset(b);
	if (usermodel != NULL)
		buf_puts(b, usermodel);
	else if (json_str(j, json_get(j, 0, "model"), b) < 0)
		buf_puts(b, model_set("model") != NULL ? model_set("model") : "");
}

/* With -v: which file gave a field. */
static void
given(const char *key, const char *by)
{
	if (verbose)
		warn("%s: from %s", key, by);
}

static void
put_model(struct buf *b)
{
	static struct buf window, model, last; /* last: whose window it is */
	const char *settings = model_set("model");

	if (!defines("model") && settings != NULL) {
		emit_pair(b, "model", settings);
		if (usermodel == NULL)
			given("model", "the settings");
	}
	if (defines("context_window") || settings_has("context_window"))
		return;
	find_model(&model);
	if (!span_same(buf_view(&model), buf_view(&last))) {
		buf_reset(&window);
		(void)model_window(&window, buf_cstr(&model));
		buf_reset(&last);
		buf_span(&last, buf_view(&model));
	}
	if (window.n > 0)
		emit_pairj(b, "context_window", buf_view(&window));
}

/* What a record's fields are, and where they come from. */
static void
explain(const struct buf *record, const char *by)
{
	static struct json j;
	char *key;
	int k;

	if (!verbose || json_parse(&j, record->p, record->n) < 0)
		return;
	for (k = json_first(&j, 0); k >= 0; k = json_next(&j, k)) {
		key = json_dup(&j, k);
		if (key != NULL && strcmp(key, "type") != 0
		    && strcmp(key, "by") != 0)
			given(key, by);
		free(key);
	}
}

static const char *const numbers[] = {
	"temperature", "max_tokens", "max_steps", "max_seconds",
	"context_window"};
enum { NUMBERS = sizeof(numbers) / sizeof(*numbers) };
static const char *const texts[] = {"reasoning_effort", "cache_ttl"};
enum { TEXTS = sizeof(texts) / sizeof(*texts) };

/* --set is the user's word on the run, before that of the agent's file. */
static void
take_given(void)
{
	static struct buf value;
	static int taken;
	const char *s;
	size_t i;
	double v;

	if (taken)
		return;
	taken = 1;
	if (usermodel == NULL && settings_given("model")) {
		usermodel = model_set("model");
		if (usermodel == NULL)
			usermodel = "";
		confpair_put(said(), "model", usermodel, strlen(usermodel));
	}
	for (i = 0; i < NUMBERS; i++) {
		if (!settings_given(numbers[i]))
			continue;
		v = settings_num(numbers[i]);
		if (v < 0)
			settings_bad(numbers[i], "expected a number from 0");
		buf_reset(&value);
		emit_num(&value, v);
		confpair_put(said(), numbers[i], value.p, value.n);
	}
	for (i = 0; i < TEXTS; i++)
		if (settings_given(texts[i])) {
			s = settings_str(texts[i]);
			confpair_put(said(), texts[i], s, strlen(s));
		}
}

static void
put_config(void)
{
	static struct buf b, own;
	const char *s, *model = task_put();
	double v;
	size_t i;

	take_given();
	if (usermodel == NULL)
		usermodel = model;
	emit_open(&b, '{');
	emit_pair(&b, "type", "config");
	put_model(&b);
	for (i = 0; i < NUMBERS; i++) {
		if (!settings_has(numbers[i]) || defines(numbers[i]))
			continue;
		v = settings_num(numbers[i]);
		if (v < 0)
			settings_bad(numbers[i], "expected a number from 0");
		emit_pairf(&b, numbers[i], v);
		given(numbers[i], "the settings");
	}
	for (i = 0; i < TEXTS; i++) {
		s = settings_str(texts[i]);
		if (s == NULL || *s == '\0' || defines(texts[i]))
			continue;
		emit_pair(&b, texts[i], s);
		given(texts[i], "the settings");
	}
	definition_config(&self, &b);
	emit_close(&b, '}');
	record_put(&b);
	if (verbose && self.path.n > 0 && !defines("agents"))
		warn("agents: not set: it may give work to no agent");
	explain(&self.fields, buf_cstr(&self.path));
	if (user.n > 0) {
		buf_reset(&own);
		buf_span(&own, (struct span){user.p, user.n});
		emit_close(&own, '}');
		explain(&own, "the command line or the environment");
		record_put(&own);
	}
}

/* The agents it may call, and those that the user addressed. */
static void
put_agents(void)
{
	static struct strs named;
	size_t i;

	roster_put(&self, message, &named);
	for (i = 0; i < named.n; i++)
		put_text("delegation", "prompts/delegation.md", named.v[i]);
	strs_reset(&named);
}

/* Read the file into b; 0 if it is empty. */
static int
read_persona(struct buf *b, const char *path)
{
	buf_reset(b);
	textfile_load(b, path);
	return span_trim(buf_view(b)).n > 0;
}

/*
 * The base prompt, one text of several: the custom file, the definition's
 * systemPrompt, the agent's persona agents/NAME/instructions.md, the body of
 * its definition; a persona.md of the user's replaces each of them.  It is in
 * b, *source is its file, good until the next call.  The section's kind:
 * custom-prompt for the custom file and a systemPrompt; NULL without a text.
 */
static const char *
find_persona(struct buf *b, const char **source)
{
	static struct buf own, rel, custom, path;

	if (path_find(&custom, "persona.md") == 0
	    && read_persona(b, buf_cstr(&custom))) {
		*source = buf_cstr(&custom);
		return "identity";
	}
	buf_reset(&path);
	buf_span(&path, buf_view(&self.path));
	buf_reset(&rel);
	buf_puts(&rel, "agents/");
	buf_span(&rel, buf_view(&self.name));
	buf_puts(&rel, "/instructions.md");
	if (prompt != NULL && *prompt != '\0' && read_persona(b, prompt)) {
		*source = prompt;
		return "custom-prompt";
	}
	if (!self.isfirst && path_find(&own, buf_cstr(&rel)) == 0
	    && read_persona(b, buf_cstr(&own))) {
		*source = buf_cstr(&own);
		return "identity";
	}
	buf_reset(b);
	buf_span(b, buf_view(&self.prompt));
	*source = buf_cstr(&path);
	if (b->n == 0)
		return NULL;
	return self.isfirst ? "custom-prompt" : "identity";
}

static void
put_persona(void)
{
	static struct buf text;
	struct section s = {0};

	s.kind = find_persona(&text, &s.source);
	if (s.kind != NULL)
		section_put(&s, text.p, text.n);
}

static void
say_prompt(void)
{
	static struct buf text;
	const char *source;

	if (find_persona(&text, &source) != NULL)
		given("base prompt", source);
}

static void
want(const char *key, int any)
{
	grow(&wanted, &capwanted, nwanted, sizeof(*wanted));
	wanted[nwanted].key = key;
	wanted[nwanted++].any = any;
}

/* A setting of this name.  0, or -1: there is none. */
static int
get_setting(struct buf *b, const char *key)
{
	static struct strs words;
	size_t i;

	strs_reset(&words);
	if (!settings_words(key, &words))
		return -1;
	for (i = 0; i < words.n; i++)
		buf_printf(b, "%s\n", words.v[i]);
	return 0;
}

/* A field of the definition.  0, or -1: it has no such field. */
static int
get_field(struct buf *b, const char *key)
{
	const struct json *j = &self.json;
	int k, i = json_get(j, 0, key);

	if (i < 0)
		return -1;
	if (json_kind(j, i) == JSON_ARRAY) {
		for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
			(void)json_str(j, k, b);
			buf_putc(b, '\n');
		}
	} else {
		if (json_str(j, i, b) < 0)
			buf_span(b, json_span(j, i));
		buf_putc(b, '\n');
	}
	return 0;
}

/* -G: what the user says of the run goes before the definition. */
static int
get_any(struct buf *b, const char *key)
{
	if (!settings_given(key) && get_field(b, key) == 0)
		return 0;
	return get_setting(b, key);
}

/*
 * -g and -G: a list by lines.  EXIT_NO where there is none of them; of
 * several, an empty line for one that is not there.
 */
static int
get(void)
{
	static struct buf b;
	const struct wanted *w;
	int found = 0;

	must_find();
	for (w = wanted; w < wanted + nwanted; w++)
		if ((w->any ? get_any : get_field)(&b, w->key) == 0)
			found = 1;
		else if (nwanted > 1)
			buf_putc(&b, '\n');
	if (found)
		out_add(b.p, b.n);
	out_end();
	return found ? 0 : EXIT_NO;
}

/* The members of an object, as one hash. */
static void
put_hash(struct buf *key, struct buf *object)
{
	static struct buf canon;
	static struct json j;

	emit_close(object, '}');
	buf_reset(&canon);
	if (json_parse(&j, object->p, object->n) == 0)
		jsoncanon_json(&canon, &j, 0);
	buf_putc(key, '@');
	sha256_hex(key, canon.p, canon.n, KEY_DIGITS);
	buf_reset(object);
}

/* A list of names, whose order means nothing, or null. */
static void
put_names(struct buf *b, const char *key)
{
	struct strs l = {0};
	const struct json *j = &self.json;

	if (json_strs(j, json_get(j, 0, key), &l) < 0) {
		emit_pairj(b, key, span_of("null"));
	} else {
		strs_sort(&l);
		emit_strs(b, key, &l);
	}
	strs_free(&l);
}

/*
 * -k: two definitions have the same key only if an agent of one can go on
 * with what an agent of the other has begun.
 */
static int
key(void)
{
	static struct buf b, o, text, model;
	const struct json *j = &self.json;
	const char *profile = getenv("TURNPIPE_PROFILE"), *source;
	int i;

	must_find();
	buf_puts(&b, "agent-");
	buf_span(&b, buf_view(&self.name));
	(void)find_persona(&text, &source);
	find_model(&model);
	emit_open(&o, '{');
	emit_pairn(&o, "prompt", text.p, text.n);
	emit_pair(&o, "model", buf_cstr(&model));
	i = json_get(j, 0, "temperature");
	emit_pairj(&o, "temperature",
	    i < 0 ? span_of("null") : json_span(j, i));
	emit_pair(&o, "profile", profile != NULL ? profile : "");
	put_hash(&b, &o);
	emit_open(&o, '{');
	put_names(&o, "tools");
	put_names(&o, "tools_deny");
	put_hash(&b, &o);
	buf_putc(&b, '\n');
	out_add(b.p, b.n);
	out_end();
	return 0;
}

static int
has_env(const char *s)
{
	const char *v = getenv(s);

	return v != NULL && *v != '\0' && strcmp(v, "0") != 0;
}

static void
put_all(void)
{
	if (find_self() < 0) {
		usertext_reset();
		return;
	}
	message = usertext_own();
	put_config();
	put_persona();
	if (verbose)
		say_prompt();
	put_agents();
	if (once)
		put_text("once", "prompts/once.md", "");
	if (has_env("TURNPIPE_PLAN"))
		put_text("plan-mode", "prompts/plan-mode.md", "");
	if (getenv("TURNPIPE_RUN") != NULL)
		put_goal();
	if (settings_bool("agentload.planning")
	    && getenv("TURNPIPE_RUN") != NULL && getenv("TURNPIPE_PARENT") == NULL) {
		/* A user who wants a plan first wants it as the answer. */
		if (!has_env("TURNPIPE_PLAN"))
			put_text("planning", "prompts/planning.md", "");
		put_plan();
	}
	usertext_reset();
}

/* What the environment and the settings say where no option does. */
static void
read_defaults(const char *model)
{
	if (model != NULL && *model != '\0')
		confpair_put(said(), "model", usermodel = model,
		    strlen(model));
	if (name == NULL || *name == '\0')
		name = settings_str("agent");
	if (env_get("TURNPIPE_ONCE") != NULL)
		once = 1;
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
	int c, keyed = 0, listed = 0;

	prog = "agentload";
	opt_set = settings_set;
	record_filter(1);
	name = getenv("TURNPIPE_AGENT");
	prompt = getenv("TURNPIPE_SYSTEM_PROMPT");
	while ((c = opt_next(argc, argv, "g:G:kla:c:F:f:tv", options, usage))
	    != -1)
		switch (c) {
		case 'a': name = chosen = optarg; break;
		case 'c':
			if (strncmp(optarg, "model=", 6) == 0)
				model = optarg + 6;
			else if (confpair_arg(said(), optarg) < 0)
				opt_die(usage, "expected KEY=VALUE, not '%s'",
				    optarg);
			break;
		case 'F': form = optarg; break;
		case 'f': file = optarg; break;
		case 'G':
		case 'g': want(optarg, c == 'G'); break;
		case 'k': keyed = 1; break;
		case 'l': listed = 1; break;
		case 't': return treeagents_ask() ? 0 : EXIT_NO;
		case 'v': verbose = 1; break;
		}
	if (optind < argc)
		opt_die(usage, "expected no operand");
	if (listed) {
		roster_list(verbose);
		return 0;
	}
	read_defaults(model);
	if (nwanted > 0 || keyed) {
		record_filter(0);
		return keyed ? key() : get();
	}
	while (record_next(&r)) {
		usertext_take(&r);
		if (r.type == REC_END && !record_isfaulty())
			put_all();
		record_pass(&r);
		ring_enter(&r);
		if (r.type == REC_SESSION)
			treeagents_forget();
	}
	return record_close();
}
