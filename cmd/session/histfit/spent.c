#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "env.h"
#include "out.h"
#include "record.h"
#include "session.h"
#include "settings.h"
#include "spent.h"
#include "terminal.h"

struct sum {
	long long steps, prompt, cached, completion;
	double cost;
	int unpriced; /* calls without a price */
	int guessed; /* some of it, of an answer that was cut off */
};

static void
add_int(const struct json *j, const char *key, long long *n)
{
	long long v;

	if (json_int(j, json_get(j, 0, key), &v) == 0 && v > 0)
		*n += v;
}

/* Calls for the turn's own steps count as steps, all as tokens. */
static void
add(struct sum *s, const struct json *j)
{
	struct span cost = json_span(j, json_get(j, 0, "cost"));

	s->steps += json_get(j, 0, "for") < 0;
	add_int(j, "prompt_tokens", &s->prompt);
	add_int(j, "cached_tokens", &s->cached);
	add_int(j, "completion_tokens", &s->completion);
	s->guessed |= json_true(j, json_get(j, 0, "guessed"));
	if (cost.n > 0)
		s->cost += strtod(cost.p, NULL);
	else
		s->unpriced++;
}

/* Seconds since the driver wrote the user's message or, if it went on with a
 * turn, began.  -1: not known. */
static double
elapsed(void)
{
	static const char *const names[] = { "text", "as" };
	struct buf b = { 0 };
	struct timespec now;
	struct stat st;
	double t, began = -1;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (env_run(&b, names[i]) == NULL
		    || stat(buf_cstr(&b), &st) < 0)
			continue;
		t = (double)st.st_mtim.tv_sec
		    + (double)st.st_mtim.tv_nsec / 1e9;
		began = t > began ? t : began;
	}
	buf_free(&b);
	if (began < 0 || clock_gettime(CLOCK_REALTIME, &now) < 0)
		return -1;
	t = (double)now.tv_sec + (double)now.tv_nsec / 1e9 - began;
	return t > 0 ? t : 0;
}

static void
put_number(struct buf *b, long long n)
{
	if (n >= 1000000)
		buf_printf(b, "%.1fM", (double)n / 1e6);
	else if (n >= 10000)
		buf_printf(b, "%.0fk", (double)n / 1e3);
	else
		buf_printf(b, "%lld", n);
}

static void
put_line(struct buf *b, const struct sum *s, double seconds)
{
	const char *about = s->guessed ? "~" : "";

	buf_printf(b, "%lld step%s, %s", s->steps, s->steps == 1 ? "" : "s",
	    about);
	put_number(b, s->prompt);
	buf_puts(b, " in");
	if (s->prompt > 0)
		buf_printf(b, " (%.0f%% cached)",
		    100 * (double)s->cached / (double)s->prompt);
	buf_printf(b, ", %s", about);
	put_number(b, s->completion);
	buf_puts(b, " out");
	if (s->cost > 0)
		buf_printf(b, ", %s$%.4f%s", about, s->cost,
		    s->unpriced > 0 ? "+" : "");
	/* Reproducible runs: no two take the same time. */
	if (seconds >= 0)
		buf_printf(b, ", %.1f s",
		    getenv("TURNPIPE_NOW") != NULL ? 0.0 : seconds);
}

/* All of it in so many columns, in rows that end after a comma. */
static void
fold(struct buf *line, size_t cols)
{
	size_t i, start = 0, comma = 0;

	for (i = 0; i < line->n; i++) {
		if (i - start >= cols && comma > start) {
			line->p[comma] = '\n';
			start = comma + 1;
		}
		if (line->p[i] == ' ' && i > 0 && line->p[i - 1] == ',')
			comma = i;
	}
}

int
spent_put(struct tail *t)
{
	static struct buf line, b;
	struct sum s = { 0 };
	const int fd = STDOUT_FILENO;
	long long bell = settings_int("bell");
	double seconds = elapsed();
	int tty = isatty(fd), some = 0;
	struct rec r;

	out_plain = 1; /* the line is numbers */
	while (session_prev(t, &r)) {
		if (r.type == REC_MESSAGE && span_is(r.role, "user"))
			break;
		if (r.type != REC_USAGE)
			continue;
		add(&s, record_json(&r));
		some = 1;
	}
	if (tty && bell > 0 && seconds >= (double)bell)
		out_add("\a", 1);
	if (!some)
		return 0;
	put_line(&line, &s, seconds);
	if (tty)
		terminal_faint(&b, fd, 1);
	if (tty)
		fold(&line, terminal_columns(fd));
	buf_span(&b, buf_view(&line));
	if (tty)
		terminal_faint(&b, fd, 0);
	out_record(&b);
	return 1;
}
