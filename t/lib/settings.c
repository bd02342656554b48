#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"
#include "diag.h"
#include "settings.h"
#include "tap.h"
#include "yamlparsed.h"

/* What was shipped when this was built: "built: {n: 3}", and a void. */
static const unsigned char shipped[] = "built: {n: 3}\nvoid:\n";
static const unsigned char made[] = "{\"built\":{\"n\":3},\"void\":null}";
static const unsigned short marks[] = {1, 1, 1, 1, 1, 8, 1, 9, 1, 12, 2, 1, 2,
    6};
const struct yamlparsed yamlparsed[] = {{"share/settings.yaml",
    shipped, made, marks, sizeof(shipped) - 1, sizeof(made) - 1, 7, 0}};
const size_t yamlparsed_n = 1;

/*
 * Settings are read once, and dying is part of the contract: each case runs
 * in a child.  up and low are the two files, NULL for no file; "@"
 * in what is expected stands for the upper one's directory, "%" for the
 * lower one's.
 */
static const struct {
	const char *name;
	const char *up, *low;
	char kind;
	const char *key;
	int status;
	const char *says;
} cases[] = {
	{"a key that no file has", NULL, NULL, 'i', "a.b", EX_SOFTWARE,
	    "settings: settings: no such key 'a.b'\n"},
	{"empty files", "", "# c\n", 'i', "a.b", EX_SOFTWARE,
	    "settings: settings: no such key 'a.b'\n"},
	{"of the build where there is no share", NULL, NULL, 'i', "built.n",
	    0, "3"},
	{"of the build where the files leave it out", "built: {m: 1}", "b: 1",
	    'i', "built.n", 0, "3"},
	{"a file goes over the build", NULL, "built: {n: 4}", 'i', "built.n",
	    0, "4"},
	{"null falls back to the build", "built: {n: }", NULL, 'i', "built.n",
	    0, "3"},
	{"the lower file", NULL, "a: {b: 5}", 'i', "a.b", 0, "5"},
	{"an empty file hides nothing", "", "a: {b: 5}", 'i', "a.b", 0, "5"},
	{"the upper file wins", "a: {b: 6}", "a: {b: 5}", 'i', "a.b", 0, "6"},
	{"leaf by leaf", "a: {c: 6}", "a: {b: 5}", 'i', "a.b", 0, "5"},
	{"null says nothing", "a:\n  b:\n", "a: {b: 5}", 'i', "a.b", 0, "5"},
	{"null above says nothing", "a:\n", "a: {b: 5}", 'i', "a.b", 0, "5"},
	{"a prefix is another key", "ab: {b: 1}\na: {bb: 1}", NULL, 'i', "a.b",
	    EX_SOFTWARE,
	    "settings: settings: no such key 'a.b'\n"},
	{"three steps", "a: {b: {c: 9}}", NULL, 'i', "a.b.c", 0, "9"},
	{"one step", "a: 3", NULL, 'i', "a", 0, "3"},
	{"whole in another form", "a: 5e2", NULL, 'i', "a", 0, "500"},

	{"none", "a: 0", "a: 3", 'c', "a", 0, "0"},
	{"no count", NULL, NULL, 'c', "void", 0, "0"},
	{"less than none, where 1000 and more may stand", "a: -1", NULL, 'i',
	    "a", EX_CONFIG,
	    "settings: @/settings.yaml:1:4: expected a whole number from 0\n"},
	{"less than none", "x: 1\na: -1", "a: 3", 'c', "a", EX_CONFIG,
	    "settings: @/settings.yaml:2:4: expected a whole number from 0\n"},
	{"too many, in the lower file", "x: 1", "a: 1000000001", 'c', "a",
	    EX_CONFIG, "settings: %/settings.yaml:1:4: expected a whole "
	    "number from 0 to 1000000000\n"},

	{"true", "a: true", "a: false", 'b', "a", 0, "1"},
	{"false", "a: false", "a: true", 'b', "a", 0, "0"},
	{"no bool", NULL, NULL, 'b', "void", 0, "0"},
	{"number", "a: 2.5", NULL, 'n', "a", 0, "2.5"},
	{"no number", NULL, NULL, 'n', "void", 0, "0"},
	{"text", "a: gpt x", "a: y", 's', "a", 0, "gpt x gpt x"},
	{"no text", NULL, NULL, 's', "void", 0, "- -"},
	{"list", "a: [x, 'y z']", "a: [w]", 'l', "a", 0, "1: x,y z,"},
	{"a list of one", "a: x", NULL, 'l', "a", 0, "1: x,"},
	{"an empty list", "a: []", "a: [w]", 'l', "a", 0, "1: "},
	{"no list", NULL, NULL, 'l', "void", 0, "0: "},
	{"on", "ctx: {names: [x]}", "ctx: {enabled: true}", 'e', "ctx", 0, "1"},
	{"neither on nor off", "ctx: {names: [x]}", NULL, 'e', "ctx",
	    EX_SOFTWARE,
	    "settings: settings: no such key 'ctx.enabled'\n"},
	{"switched off", "ctx: {enabled: false}", "ctx: {enabled: true}", 'e',
	    "ctx", 0, "0"},

	{"text for a number", "x: 1\na: {b: ten}", "a: {b: 5}", 'i', "a.b",
	    EX_CONFIG,
	    "settings: @/settings.yaml:2:8: expected a whole number\n"},
	{"half a number", "a: 1.5", NULL, 'i', "a", EX_CONFIG,
	    "settings: @/settings.yaml:1:4: expected a whole number\n"},
	{"too large", "a: 9223372036854775808", NULL, 'i', "a", EX_CONFIG,
	    "settings: @/settings.yaml:1:4: expected a whole number\n"},
	{"a fault of the lower file", "b: 1", "\na: '5'", 'n', "a", EX_CONFIG,
	    "settings: %/settings.yaml:2:4: expected a number\n"},
	{"number for a bool", "a: 1", NULL, 'b', "a", EX_CONFIG,
	    "settings: @/settings.yaml:1:4: expected true or false\n"},
	{"number for a text", "a: 1", NULL, 's', "a", EX_CONFIG,
	    "settings: @/settings.yaml:1:4: expected text\n"},
	{"NUL in a text", "a: \"x\\0y\"", NULL, 's', "a", EX_CONFIG,
	    "settings: @/settings.yaml:1:4: expected text\n"},
	{"number in a list", "a: [x, 1]", NULL, 'l', "a", EX_CONFIG,
	    "settings: @/settings.yaml:1:8: expected text\n"},
	{"mapping for a list", "a: {b: 1}", NULL, 'l', "a", EX_CONFIG,
	    "settings: @/settings.yaml:1:4: expected text\n"},
	{"a value where keys should be", "a: false", "a: {b: 5}", 'i', "a.b",
	    EX_CONFIG,
	    "settings: @/settings.yaml:1:4: expected a mapping of keys\n"},
	{"a list at the root", "- a\n", NULL, 'i', "a", EX_CONFIG,
	    "settings: @/settings.yaml:1:1: expected a mapping of keys\n"},
	{"no YAML", "b: 1", "\xc3\xa9: yes", 'i', "b", EX_CONFIG,
	    "settings: %/settings.yaml:1:5: "
	    "expected true, false or null, or quotes\n"},
};

static char up[4096], low[4096];

/*
 * Lines of TURNPIPE_SET over the upper file "a: {b: 6}" and the shipped lower
 * one, which says what kinds there are.
 */
static const struct {
	const char *set;
	char kind;
	const char *key;
	int status;
	const char *says;
} sets[] = {
	{"", 'i', "a.b", 0, "6"},
	{"a.b=7", 'i', "a.b", 0, "7"},
	{"a.b=7\n\na.b=8\n", 'i', "a.b", 0, "8"},
	{"a.b=7", 's', "s", 0, "x x"},
	{"s=a: b, #c", 's', "s", 0, "a: b, #c a: b, #c"},
	{"s=12", 's', "s", 0, "12 12"},
	{"s=", 's', "s", 0, " "},
	{"s=a=b", 's', "s", 0, "a=b a=b"},
	{"l=A.md,b c", 'l', "l", 0, "1: A.md,b c,"},
	{"l=[\"a,b\", c]", 'l', "l", 0, "1: a,b,c,"},
	{"l=", 'l', "l", 0, "1: "},
	{"on=false", 'b', "on", 0, "0"},
	{"m.any.x=3", 'i', "m.any.x", 0, "3"},
	{"m={any: {x: 4}}", 'i', "m.any.x", 0, "4"},
	{"null=2.5", 'n', "null", 0, "2.5"},
	{"on=yes", 'b', "on", EX_CONFIG,
	    "settings: --set on: expected true or false\n"},
	{"a.b=many", 'i', "a.b", EX_CONFIG,
	    "settings: --set a.b: expected a number\n"},
	{"a.b=-1", 'i', "a.b", EX_CONFIG,
	    "settings: --set a.b: expected a whole number from 0\n"},
	{"a=5", 'i', "a.b", EX_CONFIG,
	    "settings: --set a: expected a mapping of keys\n"},
	{"a.c=5", 'i', "a.b", EX_CONFIG, "settings: --set a.c: expected a key "
	    "of turnpipe-settings(5), found \"c\"\n"},
	{"m={any: {y: 4}}", 'i', "a.b", EX_CONFIG, "settings: --set m: expected "
	    "a key of turnpipe-settings(5), found \"y\"\n"},
	{"a..b=1", 'i', "a.b", EX_CONFIG, "settings: --set a..b: expected a key "
	    "of turnpipe-settings(5), found \"\"\n"},
	{"a.b", 'i', "a.b", EX_CONFIG,
	    "settings: --set: expected KEY=VALUE, got 'a.b'\n"},
	{"=1", 'i', "a.b", EX_CONFIG,
	    "settings: --set: expected KEY=VALUE, got '=1'\n"},
	{"s=\377", 's', "s", 0, "\357\277\275 \357\277\275"},
};

static void
put(const char *dir, const char *text)
{
	struct buf path = {NULL, 0, 0};
	FILE *f;

	buf_printf(&path, "%s/settings.yaml", dir);
	if (unlink(buf_cstr(&path)) < 0 && text == NULL) {
		buf_free(&path);
		return;
	}
	if (text != NULL) {
		f = fopen(path.p, "w");
		if (f == NULL || fputs(text, f) == EOF || fclose(f) != 0)
			die_sys(EX_CANTCREAT, "%s", path.p);
	}
	buf_free(&path);
}

static void
ask(char kind, const char *key)
{
	static struct strs l;
	const char *s;
	size_t i;

	switch (kind) {
	case 'b':
		printf("%d", settings_bool(key));
		break;
	case 'i':
		printf("%lld", settings_int(key));
		break;
	case 'c':
		printf("%zu", settings_count(key));
		break;
	case 'n':
		printf("%g", settings_num(key));
		break;
	case 's':
		s = settings_str(key);
		printf("%s %s", s ? s : "-", s ? settings_str(key) : "-");
		break;
	case 'l':
		settings_strs(key, &l);
		printf("%d: ", settings_has(key));
		for (i = 0; i < l.n; i++)
			printf("%s,", l.v[i]);
		break;
	default:
		printf("%d", settings_enabled(key));
	}
}

/* What a child says on stdout and stderr; its exit status, or -1. */
static int
run(struct buf *said, char kind, const char *key)
{
	char part[512];
	ssize_t n;
	pid_t pid;
	int fd[2], st;

	buf_reset(said);
	fflush(stdout);
	if (pipe(fd) < 0 || (pid = fork()) < 0)
		die_sys(EX_OSERR, "fork");
	if (pid == 0) {
		dup2(fd[1], STDOUT_FILENO);
		dup2(fd[1], STDERR_FILENO);
		close(fd[0]);
		close(fd[1]);
		ask(kind, key);
		exit(0);
	}
	close(fd[1]);
	while ((n = read(fd[0], part, sizeof(part))) > 0)
		buf_add(said, part, (size_t)n);
	close(fd[0]);
	if (waitpid(pid, &st, 0) != pid || !WIFEXITED(st))
		return -1;
	return WEXITSTATUS(st);
}

static void
expand(struct buf *b, const char *s)
{
	buf_reset(b);
	for (; *s != '\0'; s++) {
		if (*s == '@')
			buf_puts(b, up);
		else if (*s == '%')
			buf_puts(b, low);
		else
			buf_putc(b, *s);
	}
}

int
main(void)
{
	static struct buf said, want, path, none;
	const char *tmp = getenv("TMPDIR");
	size_t i;
	int st;

	prog = "settings";
	tmp = tmp == NULL ? "/tmp" : tmp;
	snprintf(up, sizeof(up), "%s/settings.XXXXXX", tmp);
	snprintf(low, sizeof(low), "%s/settings.XXXXXX", tmp);
	if (mkdtemp(up) == NULL || mkdtemp(low) == NULL)
		die_sys(EX_CANTCREAT, "%s", tmp);
	buf_printf(&none, "%s/none", up);
	buf_printf(&path, "%s:%s:%s", buf_cstr(&none), up, low);
	setenv("TURNPIPE_PATH", buf_cstr(&path), 1);
	setenv("XDG_CONFIG_HOME", buf_cstr(&none), 1);
	setenv("TURNPIPE_SHARE", buf_cstr(&none), 1);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		put(up, cases[i].up);
		put(low, cases[i].low);
		st = run(&said, cases[i].kind, cases[i].key);
		expand(&want, cases[i].says);
		ok(st == cases[i].status
		    && strcmp(buf_cstr(&said), buf_cstr(&want)) == 0,
		    "%s: %d %s", cases[i].name, st, said.p);
	}

	put(up, "a: {b: 6}");
	put(low, "a: {b: 5}\ns: x\nl: [y]\non: true\n"
	    "m: {\"*\": {x: 1}}\nnull:\n");
	setenv("TURNPIPE_PATH", up, 1);
	setenv("TURNPIPE_SHARE", low, 1);
	for (i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
		setenv("TURNPIPE_SET", sets[i].set, 1);
		st = run(&said, sets[i].kind, sets[i].key);
		ok(st == sets[i].status
		    && strcmp(buf_cstr(&said), sets[i].says) == 0,
		    "set %s: %d %s", sets[i].set, st, said.p);
	}
	unsetenv("TURNPIPE_SET");

	put(up, NULL);
	buf_reset(&path);
	buf_printf(&path, "%s/settings.yaml", up);
	if (mkdir(buf_cstr(&path), 0700) < 0)
		die_sys(EX_CANTCREAT, "%s", path.p);
	st = run(&said, 'i', "a");
	ok(st == EX_CONFIG, "a directory of that name: %s", buf_cstr(&said));
	rmdir(path.p);
	if (symlink("settings.yaml", path.p) < 0)
		die_sys(EX_CANTCREAT, "%s", path.p);
	st = run(&said, 'i', "a");
	ok(st == EX_NOINPUT, "a link to itself: %s", buf_cstr(&said));

	unlink(path.p);
	put(low, NULL);
	rmdir(up);
	rmdir(low);
	return done_testing();
}
