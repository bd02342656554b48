#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "file.h"
#include "json.h"
#include "ledger.h"
#include "lock.h"

enum { FILE_MAX = 65536 };

static _Noreturn void
bad(const char *path, const char *why)
{
	die(EX_CONFIG, "%s: %s", path, why);
}

static void
read_json(struct ledger *l, const struct json *j, const char *path)
{
	long long until = 0, trial = 0, paused = 0;
	struct ledger_minute *m;
	struct ledger_day *d;
	int i, k = json_get(j, 0, "minutes");

	if (json_kind(j, k) != JSON_ARRAY)
		bad(path, "expected minutes, a list");
	for (i = json_first(j, k); i >= 0; i = json_next(j, i)) {
		if (l->n == LEDGER_MINUTES)
			bad(path, "expected at most 60 minutes");
		m = &l->v[l->n++];
		if (json_int(j, json_at(j, i, "0"), &m->at) < 0
		    || json_num(j, json_at(j, i, "1"), &m->tokens) < 0
		    || json_num(j, json_at(j, i, "2"), &m->cost) < 0
		    || (l->n > 1 && m->at <= m[-1].at))
			bad(path, "expected [minute, tokens, dollars], each "
			    "later than the one before");
	}
	k = json_get(j, 0, "days");
	for (i = json_first(j, k); i >= 0; i = json_next(j, i)) {
		d = &l->days[l->ndays];
		if (l->ndays++ == LEDGER_DAYS
		    || json_int(j, json_at(j, i, "0"), &d->day) < 0
		    || json_num(j, json_at(j, i, "1"), &d->tokens) < 0
		    || json_num(j, json_at(j, i, "2"), &d->cost) < 0)
			bad(path, "expected at most 31 [day, tokens, dollars]");
	}
	json_int(j, json_get(j, 0, "paused"), &paused);
	json_str(j, json_get(j, 0, "why"), &l->why);
	json_int(j, json_get(j, 0, "errors"), &l->breaker.errors);
	json_int(j, json_get(j, 0, "open_until"), &until);
	json_int(j, json_get(j, 0, "trial"), &trial);
	l->paused = (time_t)paused;
	l->breaker.until = (time_t)until;
	l->breaker.trial = (time_t)trial;
}

void
ledger_open(struct ledger *l, const char *path)
{
	static struct buf b, name;
	static struct json j;
	enum file_result r;

	if (file_mkparent(path) < 0)
		die_sys(EX_CANTCREAT, "%s", path);
	buf_reset(&name);
	buf_printf(&name, "%s.lock", path);
	l->lock = lock_take(buf_cstr(&name), -1);
	if (l->lock < 0)
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&name));
	l->n = l->ndays = 0;
	l->paused = 0;
	buf_reset(&l->why);
	memset(&l->breaker, 0, sizeof(l->breaker));
	buf_reset(&b);
	r = file_read(path, &b, FILE_MAX);
	if (r == FILE_ERRNO && errno == ENOENT)
		return;
	if (r != FILE_OK)
		die(EX_NOINPUT, "%s: %s", path, file_why(r));
	if (json_parse(&j, b.p, b.n) < 0)
		die_at(EX_CONFIG, path, 1, j.at + 1, j.why);
	read_json(l, &j, path);
}

static void
put(struct buf *b, const struct ledger *l)
{
	size_t i;

	emit_open(b, '{');
	emit_key(b, "minutes");
	emit_open(b, '[');
	for (i = 0; i < l->n; i++) {
		emit_open(b, '[');
		emit_int(b, l->v[i].at);
		emit_num(b, l->v[i].tokens);
		emit_num(b, l->v[i].cost);
		emit_close(b, ']');
	}
	emit_close(b, ']');
	emit_key(b, "days");
	emit_open(b, '[');
	for (i = 0; i < l->ndays; i++) {
		emit_open(b, '[');
		emit_int(b, l->days[i].day);
		emit_num(b, l->days[i].tokens);
		emit_num(b, l->days[i].cost);
		emit_close(b, ']');
	}
	emit_close(b, ']');
	if (l->paused != 0) {
		emit_pairi(b, "paused", (long long)l->paused);
		emit_pairn(b, "why", l->why.p, l->why.n);
	}
	if (l->breaker.errors > 0)
		emit_pairi(b, "errors", l->breaker.errors);
	if (l->breaker.until != 0)
		emit_pairi(b, "open_until", (long long)l->breaker.until);
	if (l->breaker.trial != 0)
		emit_pairi(b, "trial", (long long)l->breaker.trial);
	emit_close(b, '}');
	buf_putc(b, '\n');
}

void
ledger_close(struct ledger *l, const char *path, int save)
{
	static struct buf b;

	if (save) {
		buf_reset(&b);
		put(&b, l);
		if (file_put(path, b.p, b.n, 0600) < 0)
			die_sys(EX_IOERR, "%s", path);
	}
	close(l->lock);
	l->lock = -1;
}

void
ledger_age(struct ledger *l, time_t now)
{
	long long minute = (long long)now / 60;
	size_t i;

	for (i = 0; i < l->n && l->v[i].at <= minute - LEDGER_MINUTES; i++)
		;
	l->n -= i;
	memmove(l->v, l->v + i, l->n * sizeof(*l->v));
	/* A clock that was set back: what lies ahead is now. */
	while (l->n > 1 && l->v[l->n - 1].at > minute) {
		l->v[l->n - 2].tokens += l->v[l->n - 1].tokens;
		l->v[l->n - 2].cost += l->v[l->n - 1].cost;
		l->n--;
	}
	if (l->n == 1 && l->v[0].at > minute)
		l->v[0].at = minute;
}

double
ledger_tokens(const struct ledger *l)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < l->n; i++)
		sum += l->v[i].tokens;
	return sum;
}

double
ledger_cost(const struct ledger *l)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < l->n; i++)
		sum += l->v[i].cost;
	return sum;
}

/* The day of the user's time zone, as 20261123. */
static long long
day_of(time_t t)
{
	static struct buf b;

	buf_reset(&b);
	clock_local(&b, t, "%Y%m%d");
	return strtoll(buf_cstr(&b), NULL, 10);
}

/* Of the days from this one on. */
static struct ledger_cap
since(const struct ledger *l, long long day)
{
	struct ledger_cap sum = {0, 0};
	size_t i;

	for (i = 0; i < l->ndays; i++)
		if (l->days[i].day >= day) {
			sum.tokens += l->days[i].tokens;
			sum.cost += l->days[i].cost;
		}
	return sum;
}

struct ledger_cap
ledger_today(const struct ledger *l, time_t now)
{
	return since(l, day_of(now));
}

struct ledger_cap
ledger_month(const struct ledger *l, time_t now)
{
	return since(l, day_of(now) / 100 * 100);
}

/* "1234567" as "1,234,567". */
static void
grouped(struct buf *b, double v)
{
	char s[40];
	size_t i, n = (size_t)snprintf(s, sizeof(s), "%.0f", v);

	for (i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			buf_putc(b, ',');
		buf_putc(b, s[i]);
	}
}

/* Is a limit of the day or the month reached? */
static int
over_window(struct buf *why, const char *name, const struct ledger_cap *is,
    const struct ledger_cap *max)
{
	buf_reset(why);
	if (max->tokens > 0 && is->tokens >= max->tokens) {
		grouped(why, is->tokens);
		buf_printf(why, " tokens %s, at most ", name);
		grouped(why, max->tokens);
	} else if (max->cost > 0 && is->cost >= max->cost) {
		buf_printf(why, "%.2f dollars %s, at most %.2f", is->cost, name,
		    max->cost);
	}
	return why->n > 0;
}

static int
over_cap(struct ledger *l, const struct ledger_limits *m)
{
	double tokens = ledger_tokens(l), cost = ledger_cost(l);

	if (m->tokens > 0 && tokens >= m->tokens) {
		buf_puts(&l->why, "hard cap exceeded: ");
		grouped(&l->why, tokens);
		buf_puts(&l->why, " tokens in an hour, at most ");
		grouped(&l->why, m->tokens);
		return 1;
	}
	if (m->cost > 0 && cost >= m->cost) {
		buf_printf(&l->why, "hard cap exceeded: %.2f dollars in an "
		    "hour, at most %.2f", cost, m->cost);
		return 1;
	}
	return 0;
}

/* Far more than in the active minutes before the window? */
static int
spike(struct ledger *l, const struct ledger_limits *m, long long minute)
{
	double before = 0, now = 0, usual, rate;
	size_t i, active = 0;

	for (i = 0; i < l->n; i++) {
		if (l->v[i].at > minute - m->window) {
			now += l->v[i].tokens;
		} else {
			before += l->v[i].tokens;
			active += l->v[i].tokens > 0;
		}
	}
	if (m->factor <= 0 || before < m->known)
		return 0;
	usual = active == 0 ? 0 : before / (double)active;
	if (usual < m->floor)
		usual = m->floor;
	if (usual <= 0) /* the first minutes, and no floor to compare with */
		return 0;
	rate = now / (double)m->window;
	if (rate <= usual * m->factor)
		return 0;
	buf_puts(&l->why, "spike: ");
	grouped(&l->why, rate);
	buf_puts(&l->why, " tokens a minute, usual are at most ");
	grouped(&l->why, usual);
	return 1;
}

/* A new month forgets the days of the last one. */
static void
book_day(struct ledger *l, long long day, double tokens, double cost)
{
	if (l->ndays > 0 && l->days[l->ndays - 1].day / 100 < day / 100)
		l->ndays = 0;
	/* A clock that was set back books on the last day. */
	if (l->ndays == 0 || l->days[l->ndays - 1].day < day)
		l->days[l->ndays++] = (struct ledger_day){day, 0, 0};
	l->days[l->ndays - 1].tokens += tokens;
	l->days[l->ndays - 1].cost += cost;
}

void
ledger_book(struct ledger *l, const struct ledger_limits *m, time_t now,
    double tokens, double cost)
{
	long long minute = (long long)now / 60;

	ledger_age(l, now);
	if (l->n == 0 || l->v[l->n - 1].at != minute) {
		/* At most 59 others are younger than an hour. */
		l->v[l->n].at = minute;
		l->v[l->n].tokens = l->v[l->n].cost = 0;
		l->n++;
	}
	l->v[l->n - 1].tokens += tokens;
	l->v[l->n - 1].cost += cost;
	book_day(l, day_of(now), tokens, cost);
	if (l->paused != 0)
		return;
	buf_reset(&l->why);
	if (over_cap(l, m) || spike(l, m, minute))
		l->paused = now;
}

int
ledger_paused(struct ledger *l, const struct ledger_limits *m, time_t now)
{
	struct ledger_cap is;

	ledger_age(l, now);
	if (l->paused != 0 && m->pause > 0 && now >= l->paused + m->pause)
		l->paused = 0;
	if (l->paused != 0)
		return 1;
	is = ledger_today(l, now);
	if (over_window(&l->why, "today", &is, &m->day))
		return 2;
	is = ledger_month(l, now);
	return over_window(&l->why, "this month", &is, &m->month) ? 2 : 0;
}

void
ledger_resume(struct ledger *l, int reset)
{
	l->paused = 0;
	if (reset)
		l->n = l->ndays = 0;
}
