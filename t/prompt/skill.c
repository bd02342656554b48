#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "box.h"
#include "diag.h"
#include "skill.h"
#include "tap.h"

/* In place of libc's: a read may be as short as that. */
static size_t most = SIZE_MAX;

ssize_t
read(int fd, void *p, size_t n)
{
	struct iovec v = {p, n < most ? n : most};

	return readv(fd, &v, 1);
}

#define T(s) (s), sizeof(s) - 1
#define D "\ndescription: d\n"
#define A10 "aaaaaaaaaa"
#define A64 A10 A10 A10 A10 A10 A10 "aaaa"
#define A500 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 \
	A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 \
	A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10
#define A1000 A500 A500
#define DIRNAME "expected the name of its directory as name"
#define LETTERS "expected a name of lower case letters, digits and single " \
	"inner hyphens"
#define LONG "expected a name of at most 64 characters"
#define KEY "expected name, description, license, compatibility, metadata or " \
	"allowed-tools, found \"globs\""
#define NUMBER "expected a string, found number"
#define LIST "expected a string, found array"

/*
 * A file in a directory, and what is reported: of each fault the place and
 * the words, "|" between, "!" behind those for which it is lost.  NULL
 * stands for what lenient reading tells.
 */
static const struct {
	const char *name, *dir, *yaml;
	const char *lenient, *strict;
	int lost; /* read leniently */
} cases[] = {
	{"minimal", "x", "name: x" D, "", "", 0},
	{"all fields of the specification", "pdf",
	    "name: pdf" D "license: MIT\ncompatibility: needs git\n"
	    "metadata:\n  author: me\n  version: \"1.0\"\n"
	    "allowed-tools: Bash(git:*) Read\n", "", "", 0},
	{"no front matter", "x", NULL, "1:1 expected front matter!",
	    NULL, 1},
	{"malformed YAML", "x", "name: [invalid\n",
	    "3:1 expected ',' or ']'!", NULL, 1},
	{"a list", "x", "- name\n- x\n",
	    "2:1 expected 'key: value' lines!", NULL, 1},
	{"front matter that is not closed", "x", "name: x\n#",
	    "1:1 expected a closing ---!", NULL, 1},
	{"text for a mapping", "x", "hello\n",
	    "2:1 expected 'key: value' lines!", NULL, 1},
	{"an alias", "x", "a: &a [x]\nb: [*a, *a]\nname: x" D,
	    "2:4 expected a value, not an anchor!", NULL, 1},

	{"no name", "x", "description: d\n", "2:1 expected a name",
	    "2:1 expected a name!", 0},
	{"a name that is null", "x", "name:" D, "2:6 expected a name",
	    "2:6 expected a name!", 0},
	{"a name that is a list", "x", "name: [x]" D,
	    "2:7 expected text as name",
	    "2:7 expected text as name!|2:7 " LIST "!", 0},
	{"a name that is a number", "123", "name: 123" D, "",
	    "2:7 " NUMBER "!", 0},
	{"a number in quotes", "123", "name: \"123\"" D, "", "", 0},
	{"upper case", "Bad-Name", "name: Bad-Name" D,
	    "2:7 " LETTERS,
	    "2:7 " LETTERS "!", 0},
	{"two hyphens", "my--skill", "name: my--skill" D,
	    "2:7 " LETTERS,
	    "2:7 " LETTERS "!", 0},
	{"a leading hyphen", "-lead", "name: -lead" D,
	    "2:7 " LETTERS,
	    "2:7 " LETTERS "!", 0},
	{"a trailing hyphen", "trail-", "name: trail-" D, "2:7 " LETTERS,
	    "2:7 " LETTERS "!", 0},
	{"an underscore", "my_skill", "name: my_skill" D, "2:7 " LETTERS,
	    "2:7 " LETTERS "!", 0},
	{"a blank", "my skill", "name: my skill" D, "2:7 " LETTERS,
	    "2:7 " LETTERS "!", 0},
	{"one letter", "a", "name: a" D, "", "", 0},
	{"a digit", "skill-v2", "name: skill-v2" D, "", "", 0},
	{"64 letters", A64, "name: " A64 D, "", "", 0},
	{"65 letters", A64 "a", "name: a" A64 D, "2:7 " LONG,
	    "2:7 " LONG "!", 0},
	{"another directory", "y", "name: x" D, "2:7 " DIRNAME,
	    "2:7 " DIRNAME "!", 0},
	{"Han", "\xe6\x8a\x80\xe8\x83\xbd",
	    "name: \xe6\x8a\x80\xe8\x83\xbd" D, "", "", 0},
	{"Cyrillic", "\xd0\xbc\xd0\xbe\xd0\xb9-\xd0\xbd\xd0\xb0",
	    "name: \xd0\xbc\xd0\xbe\xd0\xb9-\xd0\xbd\xd0\xb0" D, "", "", 0},
	{"Cyrillic capitals", "\xd0\x9d\xd0\x90",
	    "name: \xd0\x9d\xd0\x90" D, "2:7 " LETTERS,
	    "2:7 " LETTERS "!", 0},
	{"an accent apart in the directory", "cafe\xcc\x81",
	    "name: caf\xc3\xa9" D, "", "", 0},
	{"an accent apart in the name", "caf\xc3\xa9",
	    "name: cafe\xcc\x81" D, "", "", 0},

	{"no description", "x", "name: x\n",
	    "2:1 expected a description!", NULL, 1},
	{"a description that is null", "x", "name: x\ndescription:\n",
	    "3:13 expected a description!", NULL, 1},
	{"an empty one", "x", "name: x\ndescription: \"\"\n",
	    "3:14 expected a description!", NULL, 1},
	{"one of blanks", "x", "name: x\ndescription: \" \t \"\n",
	    "3:14 expected a description!", NULL, 1},
	{"one that is a list", "x", "name: x\ndescription: [d]\n",
	    "3:14 expected text as description!",
	    "3:14 expected text as description!|3:14 " LIST "!", 1},
	{"one that is a number", "x", "name: x\ndescription: 123\n", "",
	    "3:14 " NUMBER "!", 0},
	{"1024 characters", "x",
	    "name: x\ndescription: " A1000 A10 A10 "\xc3\xa9" "aaa\n", "",
	    "", 0},
	{"1025 characters", "x",
	    "name: x\ndescription: " A1000 A10 A10 "aaaaa\n",
	    "3:14 expected a description of at most 1024 characters",
	    "3:14 expected a description of at most 1024 characters!", 0},
	{"neither name nor description: both are reported", "x",
	    "license: MIT\n",
	    "2:1 expected a name|2:1 expected a description!",
	    "2:1 expected a name!|2:1 expected a description!", 1},

	{"compatibility of 500", "x",
	    "name: x" D "compatibility: " A500 "\n", "", "", 0},
	{"compatibility of 501", "x",
	    "name: x" D "compatibility: a" A500 "\n",
	    "4:16 expected a compatibility of at most 500 characters",
	    "4:16 expected a compatibility of at most 500 characters!", 0},
	{"compatibility that is a number", "x",
	    "name: x" D "compatibility: 42\n", "", "4:16 " NUMBER "!", 0},
	{"a name of null, no description: two at once", "x", "name:\n",
	    "2:6 expected a name|2:1 expected a description!",
	    "2:6 expected a name!|2:1 expected a description!", 1},
	{"compatibility that is a list", "x",
	    "name: x" D "compatibility: [a]\n",
	    "4:16 expected text as compatibility",
	    "4:16 expected text as compatibility!|4:16 " LIST "!", 0},
	{"tools as a list", "x",
	    "name: x" D "allowed-tools:\n  - Read\n  - Bash(git:*)\n", "",
	    "5:3 " LIST "!", 0},
	{"metadata that is text", "x", "name: x" D "metadata: me\n",
	    "4:11 expected metadata as 'key: value' lines",
	    "4:11 expected metadata as 'key: value' lines!|"
	    "4:11 expected an object, found string!", 0},
	{"metadata that is a list", "x",
	    "name: x" D "metadata:\n  - author: me\n", "",
	    "5:3 expected an object, found array!", 0},
	{"keywords as a list", "x",
	    "name: x" D "metadata:\n  keywords: [a, b]\n", "",
	    "5:13 " LIST "!", 0},
	{"a priority that is no number", "x",
	    "name: x" D "metadata:\n  priority: high\n",
	    "5:13 expected a number as priority",
	    "5:13 expected a number as priority!", 0},
	{"an unknown key", "x", "name: x\nglobs: 42" D, "",
	    "3:1 " KEY "!", 0},
	{"a key that is there twice", "x", "name: x\nname: y" D, "",
	    "3:1 expected a key that is not there yet!", 0},
	{"an unquoted colon", "x", "name: x\ndescription: Use this: now\n",
	    "3:22 expected no ':' here: quote the value or fix the "
	    "indentation",
	    "3:22 expected no ':' here: quote the value or fix the "
	    "indentation!", 0},
};

static const struct {
	const char *yaml; /* a comment in it says which vector it is */
	const char *keywords, *tools; /* each with a ';' behind;
					 required ones, then allowed */
	double priority;
	int hidden;
} values[] = {
	{"# no priority is 0\n", "", "", 0, 0},
	{"metadata:\n  keywords: [email, \"IN BOX\", '']\n",
	    "email;IN BOX;",
	    "", 0, 0},
	{"metadata:\n  keywords: \"code review, audit ,\"\n",
	    "code review;audit;", "", 0, 0},
	{"metadata:\n  keywords: review audit\n", "review;audit;", "", 0, 0},
	{"metadata:\n  keywords: '[\"a\", \"b c\"]'\n", "a;b c;", "", 0, 0},
	{"# none\nmetadata:\n  keywords: []\n", "", "", 0, 0},
	{"metadata:\n  keywords: \"key: word\"\n", "key:;word;", "", 0, 0},
	{"metadata:\n  keywords: [\"key: word\"]\n", "key: word;", "",
	    0, 0},
	{"# null\nmetadata:\n  keywords:\n  priority:\n", "", "", 0, 0},
	{"# {}\nmetadata: {}\n", "", "", 0, 0},
	{"metadata:\n  keywords: [a]\n  priority: 7\n"
	    "  required_tools: [ls]\nallowed-tools: Read\n", "a;", "ls;Read;", 7,
	    0},
	{"metadata:\n  - author: me\n  - keywords: [a]\n", "a;", "", 0,
	    0},
	{"metadata:\n  priority: 5\n", "", "", 5, 0},
	{"metadata:\n  priority: \"-1.5\"\n", "", "", -1.5, 0},
	{"metadata:\n  priority: nan\n", "", "", 0, 0},
	{"metadata:\n  required_tools: [shell, ls]\n", "", "shell;ls;", 0, 0},
	{"metadata:\n  required_tools: shell, ls\n", "", "shell;ls;", 0, 0},
	{"metadata:\n  required_tools: '[\"shell\"]'\n", "", "shell;", 0, 0},
	{"allowed-tools: Bash(git:*) Read\n", "",
	    "Bash(git:*);Read;", 0, 0},
	{"allowed-tools: Bash(git add:*), Read\n", "",
	    "Bash(git add:*);Read;", 0, 0},
	{"allowed-tools: [Read, Grep]\n", "", "Read;Grep;", 0, 0},
	{"allowed-tools:\n  - Read\n  - Grep\n", "", "Read;Grep;", 0,
	    0},
	{"allowed-tools: 42\n", "", "", 0, 0},
	{"allowed-tools: Read\nmetadata:\n  required_tools: ls\n", "",
	    "ls;Read;",
	    0, 0},
	{"disable-model-invocation: true\n", "", "", 0, 1},
	{"disable-model-invocation: \"True\"\n", "", "", 0, 1},
	{"disable-model-invocation: false\n", "", "", 0, 0},
};

static struct buf heard;
static size_t skipped; /* bytes of the file's name before each message */

static void
told(const char *what, int lost)
{
	if (heard.n > 0)
		buf_putc(&heard, '|');
	buf_puts(&heard, what + skipped);
	for (; heard.n > 0 && heard.p[heard.n - 1] == ' '; heard.n--)
		;
	if (lost)
		buf_putc(&heard, '!');
}

static void
put(const char *dir, const char *name, const char *s, size_t n)
{
	static struct buf path;
	FILE *f;

	buf_reset(&path);
	buf_printf(&path, "%s/%s", dir, name);
	(void)mkdir(dir, 0700);
	f = fopen(buf_cstr(&path), "w");
	box_need(f != NULL && fwrite(s, 1, n, f) == n && fclose(f) == 0,
	    path.p);
}

static void
write_skill(const char *dir, const char *yaml)
{
	static struct buf b;

	buf_reset(&b);
	if (yaml == NULL)
		buf_puts(&b, "# No front matter\n");
	else
		buf_printf(&b, "---\n%s---\nBody.\n", yaml);
	put(dir, "SKILL.md", b.p, b.n);
}

/* Read DIR; what was reported, without the file's name, ": " made ' '. */
static enum skill_result
ask(struct skill *s, const char *dir, int strict)
{
	struct skill_rules rules = {strict, told};
	enum skill_result r;
	char *p;

	buf_reset(&heard);
	skipped = strlen(dir) + strlen("/SKILL.md:");
	r = skill_read(s, -1, dir, &rules);
	for (p = buf_cstr(&heard); (p = strstr(p, ": ")) != NULL; p++)
		if (p > heard.p && p[-1] >= '0' && p[-1] <= '9')
			memmove(p, p + 1, strlen(p));
	return r;
}

static void
joined(struct buf *b, const struct strs *l)
{
	size_t i;

	buf_reset(b);
	for (i = 0; i < l->n; i++)
		buf_printf(b, "%s;", l->v[i]);
}

static void
check(struct skill *s, size_t i, int strict, const char *want,
    int lost)
{
	enum skill_result r = ask(s, cases[i].dir, strict);

	ok(r == (lost ? SKILL_LOST : SKILL_OK)
	    && strcmp(heard.p, want) == 0, "%s: %s: %s", cases[i].name,
	    strict ? "strict" : "lenient", heard.p);
}

int
main(void)
{
	static struct skill s;
	static struct buf k, t, a, big;
	struct span text;
	const char *why;
	size_t i;

	prog = "skill";
	box_enter();
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		write_skill(cases[i].dir, cases[i].yaml);
		check(&s, i, 0, cases[i].lenient, cases[i].lost);
		check(&s, i, 1, cases[i].strict != NULL
			? cases[i].strict : cases[i].lenient,
		    cases[i].strict == NULL || *cases[i].strict != '\0');
	}
	for (i = 0; i < sizeof(values) / sizeof(*values); i++) {
		buf_reset(&t);
		buf_printf(&t, "name: v" D "%s", values[i].yaml);
		write_skill("v", buf_cstr(&t));
		(void)ask(&s, "v", 0);
		joined(&k, &s.keywords);
		joined(&t, &s.tools);
		joined(&a, &s.allowed);
		buf_span(&t, buf_view(&a));
		ok(strcmp(buf_cstr(&k), values[i].keywords) == 0
		    && strcmp(buf_cstr(&t), values[i].tools) == 0
		    && s.priority == values[i].priority
		    && s.hidden == values[i].hidden, "%s", values[i].yaml);
	}

	put("bom", "SKILL.md", T("\xef\xbb\xbf---\r\nname: bom\r\n"
	    "description: >\r\n  two\r\n  lines\r\n---\r\n\r\nB\r\n"));
	ok(ask(&s, "bom", 0) == SKILL_OK
	    && strcmp(s.description, "two lines") == 0 && heard.n == 0,
	    "BOM and CRLF");
	most = 2;
	ok(ask(&s, "bom", 0) == SKILL_OK
	    && strcmp(s.name, "bom") == 0, "short reads lose no skill");
	most = SIZE_MAX;
	ok(ask(&s, "bom", 1) == SKILL_LOST
	    && strcmp(heard.p,
	    "1:1 expected --- as the first bytes of the file!") == 0,
	    "a strict reader minds the BOM");
	ok(skill_body(&s, "bom", &text, &why) == 0 && text.n == 1
	    && *text.p == 'B', "the body without blanks round it");

	put("bare", "SKILL.md", T("---\nname: bare\ndescription: d\n---\n"));
	ok(ask(&s, "bare", 1) == SKILL_OK
	    && skill_body(&s, "bare", &text, &why) == 0 && text.n == 0,
	    "an empty body");

	/* Which file. */
	put("lower", "skill.md", T("---\nname: lower\ndescription: l\n---\n"));
	ok(ask(&s, "lower", 1) == SKILL_OK
	    && strcmp(s.file, "skill.md") == 0, "skill.md is taken");
	put("lower", "SKILL.md", T("---\nname: lower\ndescription: u\n---\n"));
	ok(ask(&s, "lower", 1) == SKILL_OK
	    && strcmp(s.description, "u") == 0, "SKILL.md wins");
	ok(ask(&s, "nowhere", 1) == SKILL_NONE,
	    "no directory");
	ok(ask(&s, "lower/SKILL.md", 1) == SKILL_NONE,
	    "a file for a directory");
	put("empty", "SKILL.md", T(""));
	ok(ask(&s, "empty", 0) == SKILL_EMPTY, "an empty file");
	box_sh("mkdir fifo dir && mkfifo fifo/SKILL.md && mkdir dir/SKILL.md");
	ok(ask(&s, "fifo", 0) == SKILL_LOST, "a FIFO: %s",
	    heard.p);
	ok(ask(&s, "dir", 0) == SKILL_LOST, "a directory: %s",
	    heard.p);
	box_sh("ln -s loop loop");
	ok(ask(&s, "loop", 0) == SKILL_LOST, "a loop of links: %s",
	    heard.p);

	/* Where the first block ends. */
	for (i = SKILL_HEAD - 40; i < SKILL_HEAD + 8; i++) {
		buf_reset(&big);
		buf_puts(&big, "---\nname: big" D "license: ");
		while (big.n < i)
			buf_putc(&big, 'l');
		buf_puts(&big, "\n---\nBody.\n");
		put("big", "SKILL.md", big.p, big.n);
		if (ask(&s, "big", 0) != SKILL_OK
		    || heard.n != 0)
			break;
	}
	ok(i == SKILL_HEAD + 8, "the fence may lie across the first block");
	for (i = SKILL_HEAD - 40; i < SKILL_HEAD + 8; i++) {
		buf_reset(&big);
		buf_puts(&big, "---\nname: big" D "license: |\n  ");
		while (big.n < i)
			buf_putc(&big, 'l');
		buf_puts(&big, "\n  x\n---more: 1\n");
		put("big", "SKILL.md", big.p, big.n);
		if (ask(&s, "big", 0) != SKILL_LOST)
			break;
	}
	ok(i == SKILL_HEAD + 8, "what only begins like a fence is no fence");
	buf_reset(&big);
	buf_puts(&big, "---\nname: big" D "license: ");
	while (big.n < SKILL_FRONT)
		buf_putc(&big, 'l');
	buf_puts(&big, "\n---\nBody.\n");
	put("big", "SKILL.md", big.p, big.n);
	ok(ask(&s, "big", 0) == SKILL_LOST
	    && strcmp(heard.p,
	    "1:1 expected front matter of at most 64 kB!") == 0,
	    "front matter over 64 kB");
	buf_reset(&big);
	buf_puts(&big, "---\nname: [\n---\n");
	while (big.n < 2 * SKILL_FRONT)
		buf_puts(&big, "text\n");
	put("big", "SKILL.md", big.p, big.n);
	ok(ask(&s, "big", 0) == SKILL_LOST
	    && strncmp(heard.p, "3:1 ", 4) == 0,
	    "a fault in a long file is not called a length: %s", heard.p);
	buf_reset(&big);
	buf_puts(&big, "---\nname: big" D "---\n");
	while (big.n < SKILL_MAX)
		buf_putc(&big, '\n');
	buf_putc(&big, '\n');
	put("big", "SKILL.md", big.p, big.n);
	ok(ask(&s, "big", 0) == SKILL_OK, "the body may be long");
	ok(skill_body(&s, "big", &text, &why) < 0
	    && strcmp(why, "file too large") == 0, "but not over 1 MiB");
	box_leave();
	return done_testing();
}
