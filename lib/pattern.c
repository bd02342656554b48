#include <locale.h>
#include <regex.h>
#include <string.h>

#include "pattern.h"

static const char *const refused = "expected a pattern that POSIX has too";

/* What a class letter stands for, between brackets; NULL if it is none. */
static const char *
class(char c)
{
	switch (c) {
	case 'd': return "0-9";
	case 'w': return "A-Za-z0-9_";
	case 's': return " \t\n\v\f\r";
	default: return NULL;
	}
}

static int
hex(const char *s, size_t n, unsigned *v)
{
	size_t i;

	*v = 0;
	for (i = 0; i < n; i++) {
		*v <<= 4;
		if (s[i] >= '0' && s[i] <= '9')
			*v |= (unsigned)(s[i] - '0');
		else if (s[i] >= 'a' && s[i] <= 'f')
			*v |= (unsigned)(s[i] - 'a' + 10);
		else if (s[i] >= 'A' && s[i] <= 'F')
			*v |= (unsigned)(s[i] - 'A' + 10);
		else
			return -1;
	}
	return 0;
}

/*
 * The character that the escape at s (behind the backslash) stands for, in
 * *c; number of bytes taken, 0 if it stands for none.
 */
static size_t
escaped(const char *s, size_t n, char *c)
{
	unsigned v;

	if (n == 0)
		return 0;
	switch (*s) {
	case 't': *c = '\t'; return 1;
	case 'n': *c = '\n'; return 1;
	case 'r': *c = '\r'; return 1;
	case 'f': *c = '\f'; return 1;
	case 'v': *c = '\v'; return 1;
	case 'x':
	case 'u':
		n = *s == 'x' && n >= 3 ? 2 : *s == 'u' && n >= 5 ? 4 : 0;
		if (n == 0 || hex(s + 1, n, &v) < 0 || v == 0 || v > 126)
			return 0;
		*c = (char)v;
		return n + 1;
	default:
		/* Letters and digits that are not above mean something else
		 * than themselves. */
		if (strchr("^$\\.*+?()[]{}|/-\"'#&%,:;<=>@_`~! ", *s) == NULL)
			return 0;
		*c = *s;
		return 1;
	}
}

/*
 * A set at s, behind its "[": POSIX takes a backslash in it for itself, "]"
 * only as the first, "^" not as the first, "-" only as the last.  Number of
 * bytes taken, 0 if there is no such set there.
 */
static size_t
set(struct buf *b, const char *s, size_t n)
{
	static struct buf in;
	size_t i, len;
	int bracket = 0, dash = 0, caret = 0, not = n > 0 && *s == '^';
	char c, d;

	buf_reset(&in);
	for (i = (size_t)not; i < n && s[i] != ']';) {
		c = s[i++];
		if (c == '\\' && i < n && class(s[i]) != NULL) {
			buf_puts(&in, class(s[i++]));
			continue;
		}
		if (c == '\\') {
			len = escaped(s + i, n - i, &c);
			if (len == 0)
				return 0;
			i += len;
		}
		if (i + 1 < n && s[i] == '-' && s[i + 1] != ']') {
			d = s[i + 1];
			if (((c | d) & 0x80) != 0 || strchr("]^-[\\", c) != NULL
			    || strchr("]^-[\\", d) != NULL)
				return 0;
			buf_putc(&in, c);
			buf_putc(&in, '-');
			buf_putc(&in, d);
			i += 2;
		} else if (c == ']') {
			bracket = 1;
		} else if (c == '-') {
			dash = 1;
		} else if (c == '^') {
			caret = 1;
		} else {
			buf_putc(&in, c);
			/* "[:", "[." and "[=" would begin something else. */
			if (c == '[' && i < n && strchr(":.=", s[i]) != NULL)
				return 0;
		}
	}
	if (i >= n || in.n + (size_t)(bracket + dash + caret) == 0)
		return 0;
	if (caret && !not && !bracket && !dash && in.n == 0) {
		buf_puts(b, "\\^");
		return i + 1;
	}
	buf_puts(b, not ? "[^" : "[");
	buf_puts(b, bracket ? "]" : "");
	if (caret && in.n == 0 && !bracket && !not) {
		buf_puts(b, "-^]");
		return i + 1;
	}
	buf_span(b, buf_view(&in));
	buf_puts(b, caret ? "^" : "");
	buf_puts(b, dash ? "-" : "");
	buf_putc(b, ']');
	return i + 1;
}

/* An escape outside of a set, behind its backslash. */
static size_t
escape(struct buf *b, const char *s, size_t n)
{
	size_t len;
	char c;

	if (n > 0 && class(*s) != NULL) {
		buf_printf(b, "[%s]", class(*s));
		return 1;
	}
	if (n > 0 && strchr("DWS", *s) != NULL && *s != '\0') {
		buf_printf(b, "[^%s]", class((char)(*s - 'A' + 'a')));
		return 1;
	}
	len = escaped(s, n, &c);
	if (len > 0 && strchr("^$\\.*+?()[]{}|", c) != NULL)
		buf_putc(b, '\\');
	if (len > 0)
		buf_putc(b, c);
	return len;
}

/* "{2}", "{2,}" or "{2,3}" at s; its length, or 0. */
static size_t
times(const char *s, size_t n)
{
	size_t i = 1, digits = 0;

	for (; i < n && s[i] >= '0' && s[i] <= '9'; i++)
		digits++;
	if (i < n && s[i] == ',' && digits > 0)
		for (i++; i < n && s[i] >= '0' && s[i] <= '9'; i++)
			continue;
	return digits > 0 && i < n && s[i] == '}' ? i + 1 : 0;
}

/*
 * Append the POSIX extended form of s, of n bytes.  0; or -1 with *why set
 * where there is none: what looks ahead or behind or refers back, and
 * classes of Unicode.
 */
static int
posix(struct buf *b, const char *s, size_t n, const char **why)
{
	size_t i, len;
	int repeat = 0; /* a quantifier stood here */

	*why = refused;
	for (i = 0; i < n; i += len) {
		len = 1;
		if (s[i] == '\0')
			return -1;
		if (s[i] == '?' && repeat) {
			/* Whether it takes few or many, it is in or not. */
			repeat = 0;
			continue;
		}
		repeat = 0;
		if (s[i] == '\\') {
			len = 1 + escape(b, s + i + 1, n - i - 1);
			if (len == 1)
				return -1;
		} else if (s[i] == '[') {
			len = 1 + set(b, s + i + 1, n - i - 1);
			if (len == 1)
				return -1;
		} else if (s[i] == '{') {
			len = times(s + i, n - i);
			if (len == 0)
				return -1;
			buf_add(b, s + i, len);
			repeat = 1;
		} else if (s[i] == '(' && i + 1 < n && s[i + 1] == '?') {
			if (i + 2 >= n || s[i + 2] != ':')
				return -1;
			buf_putc(b, '(');
			len = 3;
		} else if (s[i] == '.') {
			buf_puts(b, "[^\n\r]");
		} else {
			repeat = strchr("*+?", s[i]) != NULL;
			buf_putc(b, s[i]);
		}
	}
	*why = NULL;
	return 0;
}

int
pattern_in(const char *s, size_t n, const char *text, size_t len,
    const char **why)
{
	static locale_t utf8;
	static int tried;
	static struct buf b, t;
	locale_t old = (locale_t)0;
	regex_t re;
	int r;

	buf_reset(&b);
	if (posix(&b, s, n, why) < 0)
		return -1;
	if (b.n == 0 || (len > 0 && memchr(text, '\0', len) != NULL))
		return 1;
	if (!tried) {
		tried = 1;
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	}
	if (utf8 != (locale_t)0)
		old = uselocale(utf8);
	buf_reset(&t);
	buf_add(&t, text, len);
	r = regcomp(&re, buf_cstr(&b), REG_EXTENDED | REG_NOSUB);
	if (r == 0) {
		r = regexec(&re, buf_cstr(&t), 0, NULL, 0) == 0;
		regfree(&re);
	} else {
		*why = refused;
		r = -1;
	}
	if (utf8 != (locale_t)0)
		uselocale(old);
	return r;
}
