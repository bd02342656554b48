/*
 * promptcompose [-Rtw] [-b tokens] [-c key=value] [-k dir] [-l layout]
 *     [-o file] [-x id]
 *
 * - Ends the prompt's records: of a conversation there goes on only what was
 *   offered, the request, errors and the end.
 * - Sections become text as they come; messages become the request's bytes
 *   as they come.  Held is what the request itself needs, once.
 * - Nothing volatile may touch the bytes of the system message: a provider's
 *   cache lives on that prefix.
 * - A conversation with an error makes no request; the others of the stream
 *   go on, and the first code is the exit status.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "env.h"
#include "fields.h"
#include "file.h"
#include "history.h"
#include "json.h"
#include "layout.h"
#include "model.h"
#include "opt.h"
#include "out.h"
#include "prompt.h"
#include "record.h"
#include "request.h"
#include "ring.h"
#include "session.h"
#include "settings.h"

static const char usage[] =
    "usage: promptcompose [-Rtw] [-b tokens] [-c key=value] [-k dir]\n"
    "                     [-l layout] [-o file] [-x id]\n"
    "\n"
    "  -b, --budget=TOKENS     what the sections may take together\n"
    "  -c, --config=KEY=VALUE  set a field of the request\n"
    "  -k, --keep=DIR          keep there what the request is made of\n"
    "  -l, --layout=NAME       order, tags and budget of the sections\n"
    "  -o, --output=FILE       write the request to FILE too\n"
    "  -R, --run               -k and -o in the run directory\n"
    "  -t, --text              print the prompt as text and no records\n"
    "  -w, --whole             input must close with an end record\n"
    "  -x, --without=ID        leave this section out\n";

static const struct option opts[] = {
    {"budget", required_argument, NULL, 'b'},
    {"config", required_argument, NULL, 'c'},
    {"keep", required_argument, NULL, 'k'},
    {"layout", required_argument, NULL, 'l'},
    {"output", required_argument, NULL, 'o'},
    {"run", no_argument, NULL, 'R'},
    {"text", no_argument, NULL, 't'},
    {"whole", no_argument, NULL, 'w'},
    {"without", required_argument, NULL, 'x'},
    {NULL, 0, NULL, 0}};

static long long budget = -1;
static const char *output, *history;
static int inrun; /* they stand in the run directory */
static int text, whole;

static struct layout layout;
static struct prompt prompt;
static struct request request;
static struct fields config, state;
static size_t records; /* of this conversation */
static int reminded;
static int failed;     /* code of its first error */
static int status;

/*
 * Config fields from the command line and the environment, a record each: the
 * user's word over the records of a conversation.
 */
static struct strs flags;

static void
merge_flag(const char *s, size_t n)
{
	static struct json j;

	if (json_parse(&j, s, n) == 0)
		fields_merge(&config, &j);
}

/* Note a flag.  With json, a value that is JSON is taken as such. */
static void
set_flag(const char *key, size_t n, const char *value, int json)
{
	static struct buf b;
	static struct json j;

	buf_reset(&b);
	emit_open(&b, '{');
	emit_pair(&b, "by", "user");
	emit_keyn(&b, key, n);
	if (json && json_parse(&j, value, strlen(value)) == 0)
		emit_raw(&b, value, strlen(value));
	else
		emit_cstr(&b, value);
	emit_close(&b, '}');
	strs_addn(&flags, b.p, b.n);
}

/* Start a conversation: TURNPIPE_MODEL, which a later user's word changes. */
static void
begin_flags(void)
{
	static struct buf b;
	const char *model = env_get("TURNPIPE_MODEL");

	if (model == NULL)
		return;
	buf_reset(&b);
	emit_open(&b, '{');
	emit_pair(&b, "by", "user");
	emit_pair(&b, "model", model);
	emit_close(&b, '}');
	merge_flag(b.p, b.n);
}

/* At its end: the flags, over all. */
static void
merge_flags(void)
{
	size_t i;

	for (i = 0; i < flags.n; i++)
		merge_flag(flags.v[i], strlen(flags.v[i]));
}

static void
fail(int code, const char *why)
{
	struct span none = {NULL, 0};

	warn("%s", why);
	if (!text)
		record_error(code, why, none);
	failed = code;
}

/* Report the sections that did not fit. */
static void
tell(size_t max)
{
	static struct buf b;

	buf_reset(&b);
	if (prompt.excess > 0) {
		buf_printf(&b, "the budget of %zu tokens is exceeded by %zu: ",
		    max, prompt.excess);
		prompt_names(&prompt, &b, 1);
		warn("%s", buf_cstr(&b));
	}
	buf_reset(&b);
	if (prompt.dropped > 0) {
		buf_printf(&b, "dropped for a budget of %zu tokens: ", max);
		prompt_names(&prompt, &b, 0);
		warn("%s", buf_cstr(&b));
	}
}

/*
 * -R: the request and what it was made of, where no option says else.  A dry
 * run has a session of its own.
 */
static void
find_run(const char **to, const char **dir)
{
	static struct buf run, at, kept;
	const char *copy = env_get("TURNPIPE_DRY"), *s;

	buf_reset(&run);
	if (copy != NULL)
		session_run(&run, copy);
	else if ((s = env_get("TURNPIPE_RUN")) != NULL)
		buf_puts(&run, s);
	else
		return;
	file_join(&at, buf_cstr(&run), "request");
	file_join(&kept, run.p, "prompts");
	if (*to == NULL)
		*to = buf_cstr(&at);
	if (*dir == NULL)
		*dir = buf_cstr(&kept);
}

static void
send(const struct rec *end, size_t max)
{
	static struct buf line;
	static char *model;
	const char *m;
	struct span part[3], id = {NULL, 0};
	const struct json *j;
	const char *to = output, *dir = history;
	int i;

	if (inrun)
		find_run(&to, &dir);
	/* Providers route by it to where their cache has what came before. */
	if (!clock_isfrozen())
		fields_copy(&config, &state, "session");
	j = fields_json(&config);
	free(model);
	model = json_dup(j, json_get(j, 0, "model"));
	if (!end->implied) {
		j = record_json(end);
		id = json_span(j, json_get(j, 0, "id"));
	}
	m = model != NULL ? model : model_set("model");
	request_text(&request, part, id, m, &prompt, &config);
	j = fields_json(&state);
	request_offer(&request, j, json_get(j, 0, "tools_called"));
	buf_reset(&line);
	for (i = 0; i < 3 && to != NULL; i++)
		buf_span(&line, part[i]);
	if (to != NULL && file_put(to, line.p, line.n, 0600) < 0)
		die_sys(EX_CANTCREAT, "write %s", to);
	buf_reset(&line);
	if (dir != NULL && history_add(dir, &line, &prompt, &request, m,
	    &config, max) < 0)
		die_sys(EX_CANTCREAT, "write in %s", dir);
	if (inrun)
		out_add(line.p, line.n);
	for (i = 0; i < 3; i++)
		out_pass(part[i].p, part[i].n);
	out_flush();
}

/* What the layout's conditions ask for. */
static void
take_tools(void)
{
	const struct offer *const *v = request_sort(&request);
	size_t i;

	strs_reset(&prompt.pieces.tools);
	for (i = 0; i < request.n; i++)
		strs_add(&prompt.pieces.tools, v[i]->name);
}

static void
compose(const struct rec *end)
{
	static struct buf b;
	static char *tool;
	size_t max = (size_t)(budget >= 0 ? budget : layout.budget);
	double ratio = fields_num(&state, "token_ratio", 1);
	const struct json *j;
	long long steps, faults, most;

	merge_flags();
	take_tools();
	request_complete(&request, reminded);
	steps = fields_int(&config, "max_steps", settings_int("max_steps"));
	if (fields_int(&state, "step", 0) >= steps) {
		fail(EXIT_STEPS, "the turn's steps are used up");
		return;
	}
	faults = fields_int(&state, "same_fault", 0);
	most = settings_int("max_faults");
	if (most > 0 && faults >= most) {
		j = fields_json(&state);
		free(tool);
		tool = json_dup(j, json_get(j, 0, "same_fault_tool"));
		buf_reset(&b);
		buf_printf(&b, "the same call of %s failed %lld times with "
		    "the same error", tool == NULL ? "a tool" : tool, faults);
		fail(EXIT_STEPS, buf_cstr(&b));
		return;
	}
	/* In steps, so that the choice does not flicker with each answer. */
	ratio = round(fmin(fmax(ratio, 0.5), 2) * 8) / 8;
	prompt.beside[0] = buf_view(&request.messages);
	prompt.beside[1] = buf_view(&request.text);
	prompt_fit(&prompt, max, ratio);
	tell(max);
	buf_reset(&b);
	if (request_over(&request, &prompt, &config, ratio,
	    fields_int(&state, "context_tokens", 0), &b)) {
		fail(EXIT_OVERFLOW, buf_cstr(&b));
	} else if (text) {
		prompt_text(&prompt, &b);
		out_add(b.p, b.n);
		out_flush();
	} else {
		send(end, max);
	}
}

static void
forget(void)
{
	fields_reset(&config);
	fields_reset(&state);
	prompt_reset(&prompt);
	request_reset(&request);
	records = 0;
	reminded = failed = 0;
	begin_flags();
}

static void
finish(const struct rec *end)
{
	if (failed == 0 && whole && end->implied)
		fail(EX_PROTOCOL, "<stdin>: expected an end, but the input stopped");
	if (failed == 0 && (records > 0 || text))
		compose(end);
	if (status == 0)
		status = failed;
	if (!text)
		record_pass(end);
	forget();
}

static void
take_record(const struct rec *r)
{
	switch (r->type) {
	case REC_MESSAGE: request_message(&request, r); break;
	case REC_TOOL: request_tool(&request, r); break;
	case REC_CONFIG: fields_merge(&config, record_json(r)); break;
	case REC_STATE: fields_merge(&state, record_json(r)); break;
	case REC_REMINDER: reminded = 1; /* FALLTHROUGH */
	case REC_SECTION:
	case REC_SUMMARY: pieces_add(&prompt.pieces, r); break;
	case REC_ERROR:
		failed = failed != 0 ? failed : record_code(r);
		/* FALLTHROUGH */
	case REC_SESSION: /* whose answer it will be */
	case REC_REQUEST:
		if (!text)
			record_pass(r);
		break;
	case REC_OTHER:
		record_unknown(r);
		if (!text)
			record_pass(r);
		break;
	case REC_END: finish(r); return;
	default: break;
	}
	records++;
}

static void
options(int argc, char **argv)
{
	const char *name = NULL;
	static struct strs without;
	size_t n;
	int c;

	while ((c = opt_next(argc, argv, "b:c:k:l:o:Rtwx:", opts, usage))
	    != -1)
		switch (c) {
		case 'b':
			budget = opt_int("--budget", optarg, 0, 1LL << 40);
			break;
		case 'c':
			n = strcspn(optarg, "=");
			if (n == 0 || optarg[n] == '\0')
				opt_die(usage, "expected KEY=VALUE, got '%s'",
				    optarg);
			set_flag(optarg, n, optarg + n + 1, 1);
			break;
		case 'k': history = optarg; break;
		case 'l': name = optarg; break;
		case 'o': output = optarg; break;
		case 'R': inrun = 1; break;
		case 't': text = 1; break;
		case 'w': whole = 1; break;
		case 'x': strs_add(&without, optarg); break;
		}
	if (optind < argc)
		opt_die(usage, "unexpected operand '%s'", argv[optind]);
	if (name == NULL)
		name = settings_str("layout");
	layout_load(&layout, name);
	for (n = 0; n < without.n; n++)
		strs_add(&layout.ignore, without.v[n]);
	prompt.pieces.layout = &layout;
	request.escape = &layout.escape;
}

int
main(int argc, char **argv)
{
	struct rec r;

	prog = "promptcompose";
	opt_set = settings_set;
	record_filter(1);
	options(argc, argv);
	if (text)
		record_filter(0);
	forget();
	while (record_next(&r)) {
		take_record(&r);
		ring_enter(&r);
	}
	record_close();
	return status;
}
