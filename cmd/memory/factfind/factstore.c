#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "env.h"
#include "factlog.h"
#include "factstore.h"
#include "file.h"
#include "json.h"
#include "lock.h"
#include "path.h"
#include "session.h"

enum { WAIT = 30000 };

static struct factset known; /* all lines, the last of each id */
static struct buf now;

static void
note(const struct factline *l, void *arg)
{
	factset_put(arg, l);
}

/* And read what is there. */
static void
take_lock(void)
{
	static struct buf b;
	int i;

	if (b.n > 0)
		return;
	clock_utc(&now, clock_now());
	buf_printf(&b, "%s/facts", path_data());
	if (file_mkdirs(buf_cstr(&b)) < 0)
		die_sys(EX_CANTCREAT, "%s", b.p);
	buf_puts(&b, "/lock");
	if (lock_take(buf_cstr(&b), WAIT) < 0)
		die_sys(errno == EWOULDBLOCK ? EX_TEMPFAIL : EX_CANTCREAT,
		    "%s", b.p);
	for (i = 0; i < FACT_SCOPES; i++)
		factlog_each((enum fact_scope)i, note, &known);
}

/* The line of a fact that is known, or NULL. */
static const struct factslot *
find(const char *hex)
{
	const struct factslot *f;
	uint64_t id;
	int i;

	if (factlog_id(hex, strlen(hex), &id) < 0)
		return NULL;
	for (i = 0; i < FACT_SCOPES; i++) {
		f = factset_get(&known, (enum fact_scope)i, id);
		if (f != NULL && !f->forgotten)
			return f;
	}
	return NULL;
}

/* Append a fact to b, and know it from now on. */
static void
add(struct buf *b, struct fact *f)
{
	const char *session = env_get("TURNPIPE_SESSION");
	struct factline l = {0};
	struct span id;

	if (f->time == NULL)
		f->time = xstrdup(buf_cstr(&now));
	if (f->session == NULL && session != NULL) {
		id = session_id(session);
		f->session = xstrndup(id.p, id.n);
	}
	fact_emit(b, f);
	l.scope = f->scope;
	l.line.p = ""; /* in no file that we have read */
	l.number = SIZE_MAX; /* after all its lines */
	if (factlog_id(f->id, FACT_ID, &l.id) == 0)
		factset_put(&known, &l);
}

int
factstore_add(struct fact *f)
{
	static struct buf b;

	take_lock();
	if (find(f->id) != NULL)
		return -1;
	add(&b, f);
	fact_append(f->scope, &b);
	return 0;
}

/* The fact again, with another text; it is checked as any is. */
static void
reword(struct fact *f, const char *text)
{
	static struct buf b;
	static struct json j;
	struct fact old = *f;
	const char *why;

	emit_open(&b, '{');
	emit_pair(&b, "text", text);
	emit_pair(&b, "category", old.category);
	emit_pair(&b, "scope", fact_scope_name(old.scope));
	emit_pair(&b, "source", "correction");
	emit_close(&b, '}');
	if (json_parse(&j, b.p, b.n) < 0)
		die(EX_DATAERR, "the text: %s", j.why);
	if (fact_take(f, &j, 0, &why) < 0)
		die(EX_DATAERR, "%s", why);
	fact_free(&old);
}

int
factstore_forget(const char *id, const char *text)
{
	static struct json j;
	static struct buf b;
	struct fact f = {0};
	const struct factslot *k;
	enum fact_scope scope;
	const char *why;
	int same;

	take_lock();
	k = find(id);
	if (k == NULL || json_parse(&j, k->line.p, k->line.n) < 0
	    || fact_take(&f, &j, 0, &why) < 0) {
		fact_free(&f);
		return -1;
	}
	scope = (enum fact_scope)k->scope;
	f.scope = scope;
	if (text != NULL)
		reword(&f, text);
	/* The same words, otherwise written: the later line counts. */
	same = text != NULL && strcmp(f.id, id) == 0;
	if (!same) {
		emit_open(&b, '{');
		emit_pair(&b, "type", "fact");
		emit_pair(&b, "id", id);
		emit_pairb(&b, "forgotten", 1);
		emit_pair(&b, "time", buf_cstr(&now));
		emit_close(&b, '}');
	}
	if (text != NULL && (same || find(f.id) == NULL)) {
		if (b.n > 0)
			buf_putc(&b, '\n');
		add(&b, &f);
	}
	fact_append(scope, &b);
	fact_free(&f);
	return 0;
}

