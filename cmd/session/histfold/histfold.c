/*
 * histfold [-f] file
 * histfold -t
 *
 * - Two steps, so that the call between them stays visible:
 *   histfold file | llmcall | histfold -t | histadd file
 * - The first says what is folded in a mark that goes with the request and
 *   comes back with the answer, so the second needs neither file nor state.
 * - The log is not rewritten: the summary says how far it reaches, and
 *   histfit leaves out the messages that it replaces.
 * - No summary without a whole answer: what fails changes nothing.
 */

#include <math.h>

#include "chat.h"
#include "clock.h"
#include "compact.h"
#include "compactmark.h"
#include "diag.h"
#include "markup.h"
#include "model.h"
#include "opt.h"
#include "record.h"
#include "sessionread.h"
#include "settings.h"
#include "statefacts.h"
#include "template.h"
#include "textfile.h"
#include "token.h"
#include "transcript.h"
#include "window.h"

enum { FEW = 2 };

static const char usage[] =
    "usage: histfold [-f] file\n"
    "       histfold -t\n"
    "\n"
    "  -f, --force  whether a limit is passed or not\n"
    "  -t, --take   take an answer, print the summary\n";

static const struct option opts[] = {
	{"force", no_argument, NULL, 'f'},
	{"take", no_argument, NULL, 't'},
	{NULL, 0, NULL, 0}};

static struct chat chat;
static struct statefacts statefacts;
static struct statefacts_names names;
static struct sessionread past = {.chat = &chat, .statefacts = &statefacts};
static struct compact fold;
/* Bytes of a message, of a call's arguments, of a result that are read. */
static struct transcript limits = {8000, 400, 2000};
static struct buf conversation, request, before;

static int
fill(struct buf *b, const char *hole, size_t n, void *arg)
{
	struct span h = {hole, n};
	const struct buf *t;

	(void)arg;
	if (span_is(h, "conversation"))
		t = &conversation;
	else if (span_is(h, "request"))
		t = &request;
	else if (span_is(h, "summary"))
		t = &before;
	else
		return 0;
	buf_span(b, buf_view(t));
	return 1;
}

static void
put_request(void)
{
	static struct buf text, prompt;
	const char *file = before.n > 0 ? "prompts/summary-update.md"
					: "prompts/summary.md";

	if (textfile_read(&text, file) < 0)
		die(EX_CONFIG, "%s: not in the search path", file);
	markup_expand(&prompt, text.p, text.n, fill, NULL);
	model_ask(NULL, model_small(), &prompt);
}

/* What the user wanted last. */
static void
note_request(size_t start, long opening)
{
	size_t i = chat.nview;

	while (i > start)
		if (chat.view[--i].call < 0
		    && chat.v[chat.view[i].msg].role == CHAT_USER) {
			opening = (long)i;
			break;
		}
	if (opening >= 0)
		transcript_text(&request, &limits, &chat, (size_t)opening);
}

static void
note_summary(void)
{
	static struct json j;

	if (statefacts.summary.p != NULL
	    && json_parse(&j, statefacts.summary.p, statefacts.summary.n) == 0)
		json_str(&j, json_get(&j, 0, "content"), &before);
}

/* All that is folded, as text that fits the summarizing model. */
static void
note_conversation(size_t start, size_t cut, long opening)
{
	enum { SMALL = 200 };
	long long room = model_known(model_window, model_small()) / 2;
	size_t i;

	for (;;) {
		buf_reset(&conversation);
		if (opening >= 0)
			transcript_put(&conversation, &limits, &chat,
			    (size_t)opening);
		for (i = start; i < cut; i++)
			transcript_put(&conversation, &limits, &chat, i);
		if (room == 0 || limits.text < SMALL
		    || (long long)token_count(conversation.p, conversation.n)
			<= room)
			return;
		limits.text /= 2;
		limits.args /= 2;
		limits.result /= 2;
	}
}

static void
ask(const char *path)
{
	struct window fit;
	double ratio;
	long long fixed, used, sum = 0;
	size_t start, cut, i;
	time_t since;
	long opening;

	sessionread_limits(&fit);
	fit.messages = 0;
	sessionread_names(&names);
	/* Messages that left the window long ago are not read again. */
	fit.tokens *= 2;
	if (!sessionread_open(&past, path))
		return;
	sessionread_load(&past, &fit);
	sessionread_view(&past, &fit, &names);
	fit.tokens = 0;
	start = window_choose(&fit, &chat, past.through, &opening);
	if (start >= chat.nview)
		return;
	compact_window(&fold, statefacts.usage);
	/* All that is compared is in tokens of our estimate. */
	ratio = statefacts_ratio(&statefacts);
	fold.context = (long long)((double)fold.context / ratio);
	used = statefacts_tokens(&statefacts, &chat, start, opening);
	used = (long long)ceil((double)used / ratio);
	fixed = used - statefacts_estimate(&statefacts, &chat, start, opening);
	since = clock_now() - past.folded;
	if (past.folded != 0 && since >= 0
	    && since < settings_int("histfold.pause"))
		fold.turns = 0;
	if (past.fresh.messages <= FEW ||
	    !compact_due(&fold, &past.fresh, used))
		return;
	cut = compact_cut(&fold, &chat, start, fixed > 0 ? fixed : 0);
	for (i = start; i < cut; i++)
		sum += (long long)chat.view[i].tokens;
	if (cut <= start || sum < fold.least)
		return;
	note_request(start, opening);
	note_summary();
	note_conversation(start, cut, opening);
	compactmark_put(&past, &names, cut, sum);
	put_request();
}

int
main(int argc, char **argv)
{
	int c, taking = 0;

	prog = "histfold";
	opt_set = settings_set;
	record_filter(1);
	while ((c = opt_next(argc, argv, "ft", opts, usage)) != -1)
		switch (c) {
		case 'f': fold.force = 1; break;
		case 't': taking = 1; break;
		}
	if (argc - optind != !taking)
		opt_die(usage, taking ? "expected no operand"
				      : "expected one session file");
	if (taking)
		return compactmark_take();
	compact_settings(&fold);
	if (settings_enabled(prog))
		ask(argv[optind]);
	return record_close();
}
