/*
 * factextract [-A] [-n TURNS] [-m MESSAGES] [SESSION]
 * factextract -t [-c CONFIDENCE] [-k COUNT]
 *
 * - Two steps, so that the call between them stays visible: the first asks,
 *   the second takes the answer: ... | llmcall | factextract -t | factfind -a
 * - One bad item never voids the rest; what is dropped is told.
 * - A watermark in the run directory says how far a session was asked about;
 *   it moves when an answer was taken.
 */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "fact.h"
#include "factlog.h"
#include "harvest.h"
#include "opt.h"
#include "out.h"
#include "prose.h"
#include "record.h"
#include "session.h"
#include "settings.h"
#include "tail.h"
#include "template.h"
#include "watermark.h"

enum { KNOWN_MAX = 200, COUNT_MAX = 1000 };

static const char usage[] =
    "usage: factextract [-A] [-m messages] [-n turns] [session]\n"
    "       factextract -t [-c confidence] [-k count]\n";

static const struct option options[] = {
    {"all", no_argument, NULL, 'A'},
    {"confidence", required_argument, NULL, 'c'},
    {"count", required_argument, NULL, 'k'},
    {"min", required_argument, NULL, 'm'},
    {"max-turns", required_argument, NULL, 'n'},
    {"take", no_argument, NULL, 't'},
    {NULL, 0, NULL, 0},
};

/* A message that counts: what a person or the model said. */
struct said {
	int user;
	struct buf text;
};

static struct said *talk;
static size_t ntalk, captalk;
static long long last, mark; /* numbers of records */
static struct buf known;
static size_t nknown;

static void
hear(const struct rec *r)
{
	struct json *j = record_json(r);
	int role = json_get(j, 0, "role"), user = json_is(j, role, "user");
	long long n;

	if (json_int(j, json_at(j, 0, "tp.n"), &n) == 0)
		last = n;
	if (last > 0 && last <= mark)
		return;
	/* What the model says between two calls is no answer to anybody. */
	if (!user
	    && (!json_is(j, role, "assistant")
		|| json_count(j, json_get(j, 0, "tool_calls")) > 0))
		return;
	grow(&talk, &captalk, ntalk, sizeof(*talk));
	memset(&talk[ntalk], 0, sizeof(*talk));
	talk[ntalk].user = user;
	json_str(j, json_get(j, 0, "content"), &talk[ntalk].text);
	if (talk[ntalk].text.n > 0)
		ntalk++;
	else
		buf_free(&talk[ntalk].text);
}

static void
know(const struct fact *f, void *arg)
{
	(void)arg;
	if (nknown++ < KNOWN_MAX)
		buf_printf(&known, "- %s (%s)\n", f->text, f->category);
}

static int
fill(struct buf *b, const char *hole, size_t n, void *arg)
{
	struct span h = {hole, n};
	size_t i;

	if (span_is(h, "known")) {
		buf_add(b, known.p, known.n > 0 ? known.n - 1 : 0);
	} else if (span_is(h, "conversation")) {
		for (i = *(size_t *)arg; i < ntalk; i++) {
			buf_puts(b, talk[i].user ? "User: " : "Assistant: ");
			buf_add(b, talk[i].text.p, talk[i].text.n);
			buf_puts(b, i + 1 < ntalk ? "\n\n" : "");
		}
	} else {
		return 0;
	}
	return 1;
}

static void
ask(long long turns)
{
	static struct buf text, prompt, b;
	const char *file = settings_str("factextract.prompt", "prompts/facts.md");
	const char *model = settings_str("model_small", NULL);
	size_t from = ntalk;
	int i;

	while (from > 0 && turns > 0)
		turns -= talk[--from].user;
	if (prose_read(&text, file) < 0)
		die(EX_CONFIG, "%s: not in the search path", file);
	for (i = 0; i < FACT_SCOPES; i++)
		factlog_facts((enum fact_scope)i, know, NULL);
	template_expand(&prompt, text.p, text.n, fill, &from);
	if (model == NULL || *model == '\0')
		model = getenv("TURNPIPE_MODEL");
	if (model == NULL || *model == '\0')
		model = settings_str("model", NULL);
	emit_open(&b, '{');
	emit_pair(&b, "type", "request");
	emit_pair(&b, "model", model);
	emit_key(&b, "messages");
	emit_open(&b, '[');
	emit_open(&b, '{');
	emit_pair(&b, "role", "user");
	emit_pairn(&b, "content", prompt.p, prompt.n);
	emit_close(&b, '}');
	emit_close(&b, ']');
	emit_close(&b, '}');
	record_put(&b);
	buf_puts(&b, "{\"type\":\"end\"}");
	record_put(&b);
	watermark_ask(last);
}

static void
reverse(void)
{
	struct said s;
	size_t i;

	for (i = 0; i < ntalk / 2; i++) {
		s = talk[i];
		talk[i] = talk[ntalk - 1 - i];
		talk[ntalk - 1 - i] = s;
	}
}

/*
 * From the end back to the mark or the last turn that is shown: what this
 * costs does not grow with the session.
 */
static void
read_back(const char *path, long long turns)
{
	struct tail t;
	struct rec r;
	long long newest = 0;
	size_t had;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		die_sys(EX_NOINPUT, "%s", path);
	tail_open(&t, fd, path);
	while (turns > 0 && session_prev(&t, &r)) {
		if (r.type != REC_MESSAGE)
			continue;
		had = ntalk;
		hear(&r);
		newest = last > newest ? last : newest;
		if (last > 0 && last <= mark)
			break;
		turns -= ntalk > had && talk[ntalk - 1].user;
	}
	last = newest;
	tail_close(&t);
	close(fd);
}

static int
first_step(const char *session, int all, long long min, long long turns)
{
	struct rec r;

	if (!all)
		mark = watermark_read();
	if (session != NULL) {
		read_back(session, turns);
		reverse();
	}
	while (session == NULL && record_next(&r)) {
		if (r.type == REC_MESSAGE)
			hear(&r);
		else if (r.type == REC_ERROR)
			return record_code(&r);
	}
	if ((long long)ntalk >= min)
		ask(turns);
	return record_close();
}

static int
second_step(double least, size_t count)
{
	static struct buf text, now;
	struct rec r;
	struct json *j;
	int answered = 0;

	clock_utc(&now, clock_now());
	while (record_next(&r)) {
		if (r.type == REC_ERROR)
			return record_code(&r);
		if (r.type != REC_MESSAGE)
			continue;
		j = record_json(&r);
		buf_reset(&text);
		json_str(j, json_get(j, 0, "content"), &text);
		answered |= harvest_text(&text, least, buf_cstr(&now));
	}
	if (!answered)
		die(EXIT_SCHEMA, "expected a list of facts in the answer");
	harvest_put(count);
	out_end();
	watermark_take();
	return 0;
}

int
main(int argc, char **argv)
{
	double least = settings_num("factextract.confidence", 0.7);
	long long min = settings_int("factextract.min", 4);
	long long turns = settings_int("factextract.turns", 10);
	long long count = settings_int("factextract.count", 5);
	char *end;
	int all = 0, c, second = 0;

	prog = "factextract";
	record_filter();
	while ((c = opt_next(argc, argv, "Ac:k:m:n:t", options, usage)) != -1)
		switch (c) {
		case 'A': all = 1; break;
		case 'c':
			least = strtod(optarg, &end);
			if (*end != '\0' || !(least >= 0 && least <= 1))
				opt_die(usage, "-c: expected 0 to 1");
			break;
		case 'k': count = opt_int("-k", optarg, 0, COUNT_MAX); break;
		case 'm': min = opt_int("-m", optarg, 1, 1000000); break;
		case 'n': turns = opt_int("-n", optarg, 1, 1000000); break;
		case 't': second = 1; break;
		}
	if (argc - optind > !second)
		opt_die(usage, "expected no operand more");
	if (second)
		return second_step(least, (size_t)count);
	if (!settings_enabled("factextract"))
		return 0;
	return first_step(argv[optind], all, min, turns);
}
