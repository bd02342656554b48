#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <string.h>

#include "buf.h"
#include "pattern.h"

/*
 * Steps of one match, and kilobytes of its heap: a pattern that a stranger
 * wrote must not stop the process.
 */
enum { STEPS = 1000000, DEPTH = 100000, HEAP = 16384 };

static pcre2_code *compiled;
static struct buf source; /* of what is compiled */

static size_t
hexes(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] != '\0'
	    && strchr("0123456789abcdefABCDEF", s[i]) != NULL)
		i++;
	return i;
}

/* "i:", "-s:" or "im-s:", the modifiers of ECMAScript 2025? */
static int
modifiers(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] != '\0' && strchr("ims-", s[i]) != NULL)
		i++;
	return i > 0 && i < n && s[i] == ':';
}

/*
 * What PCRE2 reads and ECMAScript refuses: (*VERB), (?R), \Q and the like
 * would mean something else to the provider.
 */
static const char *
foreign(const char *s, size_t n)
{
	size_t i;
	int class = 0;

	for (i = 0; i < n; i++) {
		if (s[i] == '\\') {
			if (++i == n || s[i] == '\0'
			    || strchr("aeAZzGQEXRKCNHhVLlUgo", s[i]) != NULL)
				return "expected an escape of ECMAScript";
			if ((s[i] == 'x' && hexes(s + i + 1, n - i - 1) < 2)
			    || (s[i] == 'u' && hexes(s + i + 1, n - i - 1) < 4
				&& (i + 1 == n || s[i + 1] != '{')))
				return "expected hexadecimal digits";
		} else if (class) {
			class = s[i] != ']';
			if (s[i] == '[' && i + 1 < n
			    && strchr(":.=", s[i + 1]) != NULL)
				return "expected \\[ in a class";
		} else if (s[i] == '[') {
			class = 1;
			if (i + 1 < n && s[i + 1] == '^')
				i++;
			/* PCRE2 would take []...] for a class with ]. */
			if (i + 1 < n && s[i + 1] == ']')
				return "expected a character in []";
		} else if (s[i] == '(' && i + 1 < n && s[i + 1] == '*') {
			return "expected a group";
		} else if (s[i] == '(' && i + 2 < n && s[i + 1] == '?'
		    && strchr(":=!<", s[i + 2]) == NULL
		    && !modifiers(s + i + 2, n - i - 2)) {
			return "expected (?: (?= (?! (?< or (?i:";
		}
	}
	return NULL;
}

static int
compile(const char *s, size_t n, const char **why)
{
	static pcre2_compile_context *context;
	size_t at;
	int fault;

	if (compiled != NULL && source.n == n
	    && (n == 0 || memcmp(source.p, s, n) == 0))
		return 0;
	*why = foreign(s, n);
	if (*why != NULL)
		return -1;
	if (context == NULL) {
		context = pcre2_compile_context_create(NULL);
		if (context == NULL) {
			*why = "out of memory";
			return -1;
		}
		pcre2_set_compile_extra_options(
		    context, PCRE2_EXTRA_ALT_BSUX);
		pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
	}
	pcre2_code_free(compiled);
	compiled = pcre2_compile((PCRE2_SPTR)s, n,
	    PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_ALT_BSUX
		| PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C,
	    &fault, &at, context);
	buf_reset(&source);
	buf_add(&source, s, n);
	*why = compiled != NULL ? NULL : "expected a regular expression";
	return compiled != NULL ? 0 : -1;
}

/* 1 with *v, the offsets of the match, or 2 if those of a group follow. */
static int
match(const pcre2_code *code, struct span text, size_t at, const size_t **v,
    const char **why)
{
	static pcre2_match_context *limits;
	static pcre2_match_data *data;
	int r;

	if (limits == NULL) {
		limits = pcre2_match_context_create(NULL);
		data = pcre2_match_data_create(2, NULL);
		if (limits == NULL || data == NULL) {
			*why = "out of memory";
			return -1;
		}
		pcre2_set_match_limit(limits, STEPS);
		pcre2_set_depth_limit(limits, DEPTH);
		pcre2_set_heap_limit(limits, HEAP);
	}
	r = pcre2_match(
	    code, (PCRE2_SPTR)text.p, text.n, at, 0, data, limits);
	*v = pcre2_get_ovector_pointer(data);
	if (r >= 0)
		return r == 1 || (*v)[2] == PCRE2_UNSET ? 1 : 2;
	if (r == PCRE2_ERROR_NOMATCH)
		return 0;
	*why = "the pattern takes too many steps";
	return -1;
}

int
pattern_in(const char *s, size_t n, const char *text, size_t len,
    const char **why)
{
	const size_t *v;
	int r;

	if (compile(s, n, why) < 0)
		return -1;
	r = match(compiled, (struct span){text, len}, 0, &v, why);
	return r > 0 ? 1 : r;
}

struct pattern *
pattern_new(const char *s, const char **why)
{
	size_t at;
	int fault;
	pcre2_code *code;

	/* What speeds up a search would look far ahead at each offset. */
	code = pcre2_compile((PCRE2_SPTR)s, strlen(s),
	    PCRE2_ANCHORED | PCRE2_NO_START_OPTIMIZE | PCRE2_NEVER_UTF
		| PCRE2_NEVER_BACKSLASH_C,
	    &fault, &at, NULL);
	*why = code != NULL ? NULL : "expected a regular expression";
	return (struct pattern *)code;
}

int
pattern_at(const struct pattern *p, struct span text, size_t at,
    struct span *found, const char **why)
{
	const size_t *v;
	int r = match((const pcre2_code *)p, text, at, &v, why);

	if (r <= 0)
		return r;
	v += 2 * (r - 1);
	*found = (struct span){text.p + v[0], v[1] - v[0]};
	return 1;
}

void
pattern_library(struct buf *b)
{
	char version[64]; /* "10.42 2022-12-11" */

	if (pcre2_config(PCRE2_CONFIG_VERSION, NULL) > (int)sizeof(version)
	    || pcre2_config(PCRE2_CONFIG_VERSION, version) < 0)
		return;
	version[strcspn(version, " ")] = '\0';
	buf_printf(b, "pcre2 %s", version);
}
