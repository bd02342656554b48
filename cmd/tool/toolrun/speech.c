#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "json.h"
#include "speech.h"

/* One line: 0, or what was expected. */
static const char *
read_line(struct span line, int may, struct speech *s)
{
	static struct json j;
	int context, tools;

	if (json_parse(&j, line.p, line.n) < 0)
		return j.why;
	context = may & SPEECH_CONTEXT ? json_get(&j, 0, "context") : -1;
	tools = may & SPEECH_TOOLS ? json_get(&j, 0, "tools") : -1;
	if (json_kind(&j, 0) != JSON_OBJECT || json_count(&j, 0) != 1
	    || (json_kind(&j, context) != JSON_STRING
		&& json_kind(&j, tools) != JSON_ARRAY))
		return may == SPEECH_CONTEXT ? "expected {\"context\":TEXT}"
		    : may == SPEECH_TOOLS    ? "expected {\"tools\":[GLOB...]}"
		    : "expected {\"context\":TEXT} or {\"tools\":[GLOB...]}";
	if (tools >= 0) {
		/* What cannot be understood lets nothing be called. */
		if (s->narrows || json_strs(&j, tools, &s->tools) < 0)
			strs_reset(&s->tools);
		s->narrows++;
		return s->narrows > 1 ? "expected tools once: none may be called"
				      : NULL;
	}
	if (s->context.n > 0)
		buf_putc(&s->context, '\n');
	(void)json_str(&j, context, &s->context);
	return NULL;
}

void
speech_close(int fd, const char *name, int may, struct speech *s)
{
	static struct buf b;
	const char *why = NULL, *bad, *nl;
	struct span rest, line;
	ssize_t r = 0;

	buf_reset(&b);
	buf_room(&b, SPEECH_MAX + 1);
	while (b.n <= SPEECH_MAX
	    && (r = pread(fd, b.p + b.n, SPEECH_MAX + 1 - b.n, (off_t)b.n))
		> 0)
		b.n += (size_t)r;
	close(fd);
	if (r < 0)
		why = strerror(errno);
	else if (b.n > SPEECH_MAX)
		why = "expected no more than 64 kB";
	for (rest = buf_view(&b); why == NULL && rest.n > 0;) {
		nl = memchr(rest.p, '\n', rest.n);
		line = rest;
		line.n = nl != NULL ? (size_t)(nl - rest.p) : rest.n;
		rest.p += line.n + (nl != NULL);
		rest.n -= line.n + (nl != NULL);
		bad = read_line(line, may, s);
		why = bad != NULL ? bad : why;
	}
	if (why != NULL)
		warn("%s: descriptor 3: %s", name, why);
}

void
speech_free(struct speech *s)
{
	buf_free(&s->context);
	strs_free(&s->tools);
}
