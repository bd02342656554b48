/*
 * factextract [-A] [-i SECONDS] [-M MODEL] [SESSION ...]
 * factextract -t
 *
 * - Two steps, so that the call between them stays visible: the first asks,
 *   the second takes the answer: ... | llmcall | factextract -t | factfind -a
 * - One bad item never voids the rest; dropped items are reported.
 * - A session is asked about once: the request's id says how far it was
 *   read, and the mark moves when the answer was taken (watermark.h).
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clock.h"
#include "diag.h"
#include "fact.h"
#include "factlog.h"
#include "factparse.h"
#include "markup.h"
#include "model.h"
#include "opt.h"
#include "record.h"
#include "settings.h"
#include "talkread.h"
#include "template.h"
#include "textfile.h"
#include "watermark.h"

enum { KNOWN = 100, NUMBER_MAX = 1000000000 };

static const char usage[] =
    "usage: factextract [-A] [-i seconds] [-M model] [session ...]\n"
    "       factextract -t\n"
    "\n"
    "  -A, --all              also about what was asked about\n"
    "  -i, --idle SECONDS     only of sessions idle for so long\n"
    "  -M, --model MODEL      ask this model\n"
    "  -t, --take             take an answer\n";

static const struct option options[] = {
    {"all", no_argument, NULL, 'A'},
    {"idle", required_argument, NULL, 'i'},
    {"model", required_argument, NULL, 'M'},
    {"take", no_argument, NULL, 't'},
    {NULL, 0, NULL, 0},
};

static long long least, turns, text_max, idle; /* messages, turns, bytes, s */
static const char *usermodel;
static int all;
static struct talkread talk;
static char *known[KNOWN]; /* the last ones, as a ring */
static size_t nknown;

static void
know(const struct fact *f, void *arg)
{
	static struct buf b;

	(void)arg;
	buf_reset(&b);
	buf_printf(&b, "- %s (%s)\n", f->text, f->category);
	free(known[nknown % KNOWN]);
	known[nknown++ % KNOWN] = xstrdup(buf_cstr(&b));
}

static void
put_known(struct buf *b)
{
	size_t i = nknown > KNOWN ? nknown - KNOWN : 0, n = b->n;

	for (; i < nknown; i++)
		buf_puts(b, known[i % KNOWN]);
	b->n -= b->n > n;
}

static int
fill(struct buf *b, const char *hole, size_t n, void *arg)
{
	struct span h = {hole, n};

	(void)arg;
	if (span_is(h, "known"))
		put_known(b);
	else if (span_is(h, "conversation"))
		talkread_text(b, &talk, turns);
	else
		return 0;
	return 1;
}

/* The question about what is in talk, if that is enough to ask. */
static void
ask(const char *session)
{
	static struct buf text, prompt, id;
	static int loaded;
	static const char file[] = "prompts/facts.md";
	int i;

	if ((long long)talk.n < least)
		return;
	if (!loaded && textfile_read(&text, file) < 0)
		die(EX_CONFIG, "%s: not in the search path", file);
	for (i = 0; !loaded && i < FACT_SCOPES; i++)
		factlog_facts((enum fact_scope)i, know, NULL);
	loaded = 1;
	buf_reset(&id);
	buf_reset(&prompt);
	markup_expand(&prompt, text.p, text.n, fill, NULL);
	if (session != NULL)
		watermark_id(&id, session, talk.last);
	model_ask(session != NULL ? &id : NULL,
	    usermodel != NULL ? usermodel : model_small(), &prompt);
}

static void
forget(void)
{
	while (talk.n > 0)
		buf_free(&talk.v[--talk.n].text);
	talk.last = 0;
}

static void
ask_session(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		die_sys(EX_NOINPUT, "%s", path);
	if (idle > 0 && difftime(clock_now(), st.st_mtime) < (double)idle)
		return;
	talkread(&talk, path, all ? 0 : watermark_read(path), turns,
	    (size_t)text_max);
	ask(path);
	forget();
}

/* A stream of messages; nothing is asked of one that failed. */
static int
ask_stream(void)
{
	struct rec r;
	int code = 0;

	while (record_next(&r)) {
		if (r.type == REC_ERROR) {
			record_pass(&r);
			code = record_code(&r);
		} else if (r.type == REC_END) {
			if (code == 0)
				ask(NULL);
			forget();
		} else {
			talkread_take(&talk, &r, (size_t)text_max);
		}
	}
	record_close();
	return code;
}

/* What the model would do again, at a price. */
static int
is_vain(int failed)
{
	return failed == EXIT_SCHEMA || failed == EXIT_REFUSED
	    || failed == EXIT_OVERFLOW || failed == EXIT_LENGTH;
}

/* Answers in, facts out; of a conversation that failed only its error. */
static int
put_facts(double sure, size_t count)
{
	static const char none[] = "expected a list of facts in the answer: "
	    "none kept";
	static struct buf text, now, id;
	struct span none_id = {NULL, 0};
	struct rec r;
	const struct json *j;
	int answered = 0, code = 0, failed = 0, seen = 0;
	long long n;

	clock_utc(&now, clock_now());
	while (record_next(&r)) {
		/* Nothing was asked: that is no fault. */
		if (r.implied && !seen)
			break;
		seen = r.type != REC_END;
		j = r.type == REC_ERROR || r.type == REC_MESSAGE
		    ? record_json(&r) : NULL;
		if (j != NULL) {
			buf_reset(&id);
			json_str(j, json_get(j, 0, "id"), &id);
		}
		if (r.type == REC_ERROR) {
			record_pass(&r);
			failed = record_code(&r);
			code = code != 0 ? code : failed;
		} else if (r.type == REC_MESSAGE) {
			buf_reset(&text);
			json_str(j, json_get(j, 0, "content"), &text);
			answered |= factparse_text(&text, sure);
		} else if (r.type == REC_END) {
			if (!answered && failed == 0) {
				failed = EXIT_SCHEMA;
				code = code != 0 ? code : failed;
				warn("%s", none);
				record_error(failed, none, none_id);
			}
			if (failed == 0)
				factparse_put(count, buf_cstr(&now),
				    watermark_session(buf_cstr(&id), &n));
			factparse_reset();
			record_pass(&r);
			if (failed == 0)
				watermark_take(buf_cstr(&id));
			else if (is_vain(failed))
				watermark_miss(buf_cstr(&id));
			buf_reset(&id);
			answered = failed = 0;
		}
	}
	record_close();
	return code;
}

int
main(int argc, char **argv)
{
	double sure;
	long long count;
	int c, second = 0;

	prog = "factextract";
	opt_set = settings_set;
	record_filter(1);
	while ((c = opt_next(argc, argv, "Ai:M:t", options, usage)) != -1)
		switch (c) {
		case 'A': all = 1; break;
		case 'i': idle = opt_int("-i", optarg, 0, NUMBER_MAX); break;
		case 'M': usermodel = optarg; break;
		case 't': second = 1; break;
		}
	sure = settings_share("factextract.confidence");
	count = settings_int("factextract.count");
	least = settings_int("factextract.min");
	turns = settings_int("factextract.turns");
	text_max = settings_int("factextract.text_max");
	if (second && optind < argc)
		opt_die(usage, "expected no operand");
	if (second)
		return put_facts(sure, (size_t)count);
	if (!settings_enabled("factextract"))
		return 0;
	if (optind == argc)
		return ask_stream();
	while (optind < argc)
		ask_session(argv[optind++]);
	return record_close();
}
