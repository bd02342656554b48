#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "fd.h"
#include "record.h"
#include "sessionread.h"
#include "settings.h"
#include "textfile.h"

void
sessionread_limits(struct window *f)
{
	f->messages = settings_int("histfit.messages");
	f->tokens = settings_int("histfit.tokens");
	f->results = settings_int("histfit.results_max");
	f->small = settings_int("histfit.results_small");
	if (f->results > 0 && f->small > f->results)
		f->small = f->results;
	f->groups = (int)settings_int("histfit.groups");
	f->keep = settings_share("histfit.keep");
}

void
sessionread_names(struct statefacts_names *names)
{
	settings_strs("histfit.read_tools", &names->readers);
	settings_strs("histfit.write_tools", &names->writers);
	settings_strs("histfit.skill_tools", &names->loaders);
	settings_strs("histfit.path_arguments", &names->paths);
	settings_strs("histfit.skill_arguments", &names->skills);
	settings_strs("histfit.nothing", &names->nothing);
	names->calls = settings_int("histfit.calls");
}

int
sessionread_open(struct sessionread *p, const char *path)
{
	struct rec r;
	struct stat st;
	const char *why;
	size_t at;
	int fd;

	fd = fd_open(path, O_RDONLY | O_NONBLOCK, 0);
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 || fstat(fd, &st) < 0)
		die_sys(EX_NOINPUT, "%s", path);
	if (!S_ISREG(st.st_mode))
		die(EX_NOINPUT, "%s: not a regular file", path);
	tail_open(&p->tail, fd, path);
	if (p->tail.torn.n > 0) {
		if (record_check(&r, p->tail.torn.p, p->tail.torn.n, &why, &at)
		    == 0)
			tail_whole(&p->tail);
		else
			warn("%s: torn last line (%zu bytes) skipped", path,
			    p->tail.torn.n);
	}
	session_counted(&p->tail, &p->count);
	return 1;
}

/* A line in place of what the message says. */
static struct span
left_out(struct chat *c, struct json **j)
{
	static struct buf say, content, b;
	static struct json made;
	struct span s;

	if (say.n == 0)
		textfile_read(&say, "prompts/refused-message.md");
	buf_reset(&content);
	emit_str(&content, buf_cstr(&say), say.n);
	buf_reset(&b);
	emit_object(&b, *j, 0, "content", buf_view(&content));
	s = chat_made(c, &b);
	json_parse(&made, s.p, s.n);
	*j = &made;
	return s;
}

static struct chat_msg *
take_message(struct sessionread *p, const struct rec *r,
    const struct session_count *c)
{
	struct json *j = record_json(r);
	struct chat_msg *m;
	struct span text = {r->s, r->n};
	int spare = !p->refused || span_is(r->role, "assistant");

	if (json_true(j, json_at(j, 0, "tp.volatile")))
		return NULL;
	if (!spare)
		text = left_out(p->chat, &j);
	m = chat_add(p->chat, j, text);
	m->edited |= !spare;
	p->refused &= m->role == CHAT_TOOL || m->partial || m->empty;
	m->n = c->n;
	m->number = c->message;
	m->at = tail_at(&p->tail, r->s);
	return m;
}

/* A summary replaces all before it, or as far as it says. */
static void
take_summary(struct sessionread *p, const struct json *j, long long n)
{
	char *time = json_dup(j, json_get(j, 0, "time"));

	if (json_int(j, json_get(j, 0, "through"), &p->through) < 0
	    || p->through >= n)
		p->through = n - 1;
	if (time == NULL || clock_parse(time, &p->folded) < 0)
		p->folded = 0;
	free(time);
	p->statefacts->summary = json_span(j, 0);
}

/*
 * The last summary, from which nothing that was read is near: where the
 * session says it begins, or, if somebody moved that, wherever it is.
 */
static void
find_summary(struct sessionread *p)
{
	struct span line;
	struct rec r;
	const char *why;
	long long n;
	size_t at;
	int found;

	if (p->statefacts->summary.p != NULL || p->count.summary == 0)
		return;
	found = tail_line(&p->tail, (off_t)p->count.summary, &line)
	    && record_check(&r, line.p, line.n, &why, &at) == 0
	    && r.type == REC_SUMMARY;
	while (!found && session_prev(&p->tail, &r))
		found = r.type == REC_SUMMARY;
	if (!found)
		return;
	if (json_int(record_json(&r), json_get(record_json(&r), 0, "n"), &n)
	    < 0)
		n = 0;
	take_summary(p, record_json(&r), n);
}

static void
take_other(struct sessionread *p, const struct rec *r, long long n)
{
	struct statefacts *statefacts = p->statefacts;
	struct json *j = record_json(r);

	p->refused |= r->type == REC_ERROR && json_get(j, 0, "for") < 0
	    && json_is(j, json_get(j, 0, "class"), "message");
	if (r->type == REC_USAGE && statefacts->usage.p == NULL
	    && json_get(j, 0, "for") < 0) {
		statefacts->usage = json_span(j, 0);
		statefacts->usage_behind = p->chat->n;
		statefacts->usage_stale = statefacts->summary.p != NULL;
	} else if (r->type == REC_SUMMARY && statefacts->summary.p == NULL) {
		take_summary(p, j, n);
	} else if (r->type == REC_MARK && !statefacts->stopped
	    && json_is(j, json_get(j, 0, "what"), "interrupted")) {
		statefacts->stopped = 1;
		statefacts->stop_behind = p->chat->n;
	} else {
		statefacts_mishap(statefacts, r, p->chat);
	}
}

/* Is the message of number n the end of what was folded, and a turn's? */
static int
is_folded(const struct sessionread *p, long long n)
{
	const struct chat *c = p->chat;

	return n <= p->through && c->n > 0
	    && c->v[c->n - 1].role == CHAT_USER;
}

static void
count_fresh(
    struct sessionread_fresh *f, const struct chat_msg *m, long long tokens)
{
	const struct span *said = &m->content;

	f->messages++;
	f->tokens += tokens;
	f->turns += m->role == CHAT_USER;
	if (m->role == CHAT_USER || m->role == CHAT_ASSISTANT)
		f->chars += (long long)said->n
		    - (said->n > 1 && said->p[0] == '"' ? 2 : 0);
}

void
sessionread_load(struct sessionread *p, const struct window *f)
{
	struct session_count c = p->count;
	struct window_walk walk = {0, 0, 0, 0};
	struct chat_msg *m;
	struct rec r;
	long long tokens;
	int more = 1;

	while (more && session_prev(&p->tail, &r)) {
		if (!session_keeps(r.type))
			continue;
		if (r.type != REC_MESSAGE) {
			take_other(p, &r, c.n--);
			continue;
		}
		if (is_folded(p, c.n))
			break;
		tokens = walk.tokens;
		m = take_message(p, &r, &c);
		if (m != NULL) {
			walk.enough |= m->n <= p->through;
			more = window_more(f, &walk, m);
			if (m->n > p->through)
				count_fresh(&p->fresh, m, walk.tokens - tokens);
		}
		c.message--;
		c.n--;
	}
	find_summary(p);
	chat_reverse(p->chat);
}

static void
keep_skills(struct chat *c, const struct statefacts_names *names)
{
	char *name;
	size_t k;

	for (k = 0; k < c->ncalls; k++) {
		name = statefacts_skill(c, &c->calls[k], names);
		if (name != NULL)
			c->v[c->calls[k].result].kept = 1;
		free(name);
	}
}

void
sessionread_view(struct sessionread *p, const struct window *f,
    const struct statefacts_names *names)
{
	static struct buf shortened;

	buf_reset(&shortened);
	textfile_read(&shortened, "prompts/shortened-result.md");
	chat_view(p->chat);
	keep_skills(p->chat, names);
	window_shorten(f, p->chat, buf_cstr(&shortened), shortened.n);
}
