#include <time.h>

#include "emit.h"
#include "file.h"
#include "json.h"
#include "mcpcache.h"
#include "path.h"

enum { CACHE_MAX = 32 << 20 };

static const char *
cache_path(const struct server *s)
{
	static struct buf b;

	buf_reset(&b);
	buf_printf(&b, "%s/mcp/%s-%s.json", path_cache(), s->conf->name,
	    s->conf->key);
	return buf_cstr(&b);
}

/* The time that a cache goes by is the real one, whatever TURNPIPE_NOW. */
static int
good(long long at, long long ttl)
{
	long long now = (long long)time(NULL);

	return at <= now && (now - at) * 1000 < ttl;
}

int
mcpcache_isgood(const struct server *s)
{
	return s->listed && !s->isstale && good(s->listedat, s->ttl);
}

int
mcpcache_get(struct server *s)
{
	static struct buf text;
	static struct json j;
	long long at, ttl;
	int tools;

	buf_reset(&text);
	if (file_read(cache_path(s), &text, CACHE_MAX) != FILE_OK
	    || json_parse(&j, text.p, text.n) < 0)
		return -1;
	tools = json_get(&j, 0, "tools");
	if (json_int(&j, json_get(&j, 0, "time"), &at) < 0
	    || json_int(&j, json_get(&j, 0, "ttl"), &ttl) < 0
	    || json_kind(&j, tools) != JSON_ARRAY || !good(at, ttl))
		return -1;
	buf_reset(&s->tools);
	buf_span(&s->tools, json_span(&j, tools));
	buf_reset(&s->instructions);
	if (json_kind(&j, json_get(&j, 0, "instructions")) == JSON_STRING)
		buf_span(&s->instructions,
		    json_span(&j, json_get(&j, 0, "instructions")));
	s->listed = 1;
	s->listedat = at;
	s->ttl = ttl;
	return 0;
}

void
mcpcache_put(const struct server *s)
{
	static struct buf b;
	const char *path = cache_path(s);

	if (s->ttl <= 0)
		return;
	buf_reset(&b);
	emit_open(&b, '{');
	emit_pairi(&b, "time", s->listedat);
	emit_pairi(&b, "ttl", s->ttl);
	if (s->instructions.n > 0)
		emit_pairj(&b, "instructions", buf_view(&s->instructions));
	emit_pairj(&b, "tools", buf_view(&s->tools));
	emit_close(&b, '}');
	buf_putc(&b, '\n');
	if (file_mkparent(path) == 0)
		(void)file_put(path, b.p, b.n, 0600);
}
