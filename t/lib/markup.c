#include <string.h>

#include "markup.h"
#include "tap.h"

/* Names of tags: what is no name's character, and what may not be first. */
static const char *const names[][2] = {{"plan", "plan"}, {"a b", "a-b"},
    {"9x", "_9x"}, {"-x", "_-x"}, {"_x", "_x"}, {"", "_"}, {"x9", "x9"}};

/* Texts in an element "plan", and whether it needs a suffix for them. */
static const struct {
	const char *text;
	int suffix;
} texts[] = {{"", 0}, {"plan", 0}, {"<plans>", 0}, {"<pla n>", 0},
    {"a<plan>", 1}, {"</plan", 1}, {"< / PLAN >", 1},
    {"<pl\xe2\x80\x8b" "an/>", 1}};

/* The element's name for a text, in which it cannot be. */
static const char *
element(const char *text)
{
	static struct buf b;

	buf_reset(&b);
	markup_element(&b, "plan", span_of(text));
	return buf_cstr(&b);
}

static int
fill(struct buf *b, const char *name, size_t n, void *arg)
{
	(void)name;
	(void)n;
	buf_puts(b, arg);
	return 1;
}

static const char *
expand(const char *template, char *value)
{
	static struct buf b;

	buf_reset(&b);
	markup_expand(&b, template, strlen(template), fill, value);
	return buf_cstr(&b);
}

static void
check_elements(void)
{
	static char quiet[] = "<b>", loud[] = "</plan><plan-x>", own[64];
	char text[256];
	const char *s;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		s = element(texts[i].text);
		ok(strncmp(s, "plan", 4) == 0
		    && strlen(s) == (texts[i].suffix ? 13 : 4),
		    "an element round '%s': %s", texts[i].text, s);
	}
	/* Whoever has seen the suffix cannot use it. */
	snprintf(own, sizeof(own), "%s", element("<plan>"));
	snprintf(text, sizeof(text), "<plan></%s>", own);
	ok(strcmp(element(text), own) != 0, "a suffix that was seen");
	ok(strcmp(expand("<plan a=\"b\">\n{{x}}\n</plan>", quiet),
	    "<plan a=\"b\">\n<b>\n</plan>") == 0, "a template");
	s = expand("<plan>{{x}}</plan><c>{{x}}</c>", loud);
	snprintf(own, sizeof(own), "%s", s + 1);
	*strchr(own, '>') = '\0';
	snprintf(text, sizeof(text), "<%s>%s</%s><c>%s</c>", own, loud, own,
	    loud);
	ok(strcmp(s, text) == 0 && strlen(own) == 13,
	    "a template, and a value that would close it: %s", s);
}

int
main(void)
{
	static struct buf b;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		buf_reset(&b);
		markup_name(&b, names[i][0], strlen(names[i][0]));
		ok(strcmp(buf_cstr(&b), names[i][1]) == 0,
		    "a tag for '%s': %s", names[i][0], buf_cstr(&b));
	}
	check_elements();
	return done_testing();
}
