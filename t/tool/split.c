/*
 * Lines that mean to pass narrow rules, t/data/shell/hostile.jsonl.  None is
 * allowed but those marked "may", and what is allowed is run in dash and
 * bash: it may run nothing but what the rules cover, and write nothing.
 * Then lines that coding models write, t/data/shell/coding.tsv: which of them
 * are allowed by the rules of a user who lets a model read and build.
 */
#include "shellbox.h"

#include "file.h"
#include "json.h"
#include "permit.h"
#include "tap.h"

static void
one(const struct json *j, const struct buf *text)
{
	static struct permit p;
	struct permit_call c = { "shell", NULL, NULL, NULL, NULL };
	char *line = json_dup(j, json_get(j, 0, "line"));
	enum permit_verdict v;
	int i;

	ok(line != NULL, "a line");
	if (line == NULL)
		return;
	strs_reset(&p.allow);
	ok(json_strs(j, json_get(j, 0, "allow"), &p.allow) == 0
		&& p.allow.n > 0, "its rules");
	c.command = line;
	v = permit_judge(&p, &c, NULL);
	ok(v == PERMIT_ASK || json_true(j, json_get(j, 0, "may")),
	    "not allowed: %.*s", (int)text->n, text->p);
	for (i = 0; v == PERMIT_ALLOW && i < SHELLBOX_SHELLS; i++)
		if (shellbox_has(i))
			ok(!shellbox_run(i, line), "no deed in %s: %.*s",
			    shellbox_shells[i], (int)text->n, text->p);
	free(line);
}

static const char *const reading[] = { "ls*", "wc*", "git status*",
	"git diff*", "git log*", "git show*", "cat *", "head*", "tail*", "sed *",
	"grep *", "find *", "make*", "sort*", "echo*", "awk *", "pwd", "which *",
	"diff *", "file *", "du *", "date*", "uname*", "test *", "[ *",
	"command -v *", "python3 t/*.py **", "cd *", NULL };

static void
coding(char *s)
{
	static struct permit p;
	struct permit_call c = { "shell", NULL, NULL, NULL, NULL };
	struct buf line = { 0 }, rule = { 0 };
	size_t i, n = 0;
	int allowed;

	for (i = 0; reading[i] != NULL; i++) {
		buf_reset(&rule);
		buf_printf(&rule, "shell(%s)", reading[i]);
		strs_add(&p.allow, buf_cstr(&rule));
	}
	for (; *s != '\0'; s++, n++) {
		allowed = strncmp(s, "allowed\t", 8) == 0;
		ok(allowed || strncmp(s, "asked\t", 6) == 0, "a verdict");
		buf_reset(&line);
		/* What a sandbox makes of it is t/tool/toolrun-sandbox.t's. */
		for (s = strchr(strchr(s, '\t') + 1, '\t') + 1; *s != '\n'; s++)
			if (s[0] == '\\' && s[1] == 'n')
				buf_putc(&line, *++s == 'n' ? '\n' : 0);
			else
				buf_putc(&line, *s);
		c.command = buf_cstr(&line);
		ok((permit_judge(&p, &c, NULL) == PERMIT_ALLOW) == allowed,
		    "%s: %s", allowed ? "allowed" : "asked", c.command);
	}
	ok(n >= 80, "%zu lines of coding models", n);
	buf_free(&line);
	buf_free(&rule);
}

int
main(int argc, char **argv)
{
	static struct buf all, text;
	static struct json j;
	char cwd[2000], path[2200];
	const char *nl;
	char *s;
	size_t n = 0;

	if (getenv("SHELLBOX_LOG") != NULL)
		return shellbox_stub(argc, argv);
	box_need(getcwd(cwd, sizeof(cwd)) != NULL, "getcwd");
	snprintf(path, sizeof(path), "%s/share", cwd);
	box_need(setenv("TURNPIPE_PATH", path, 1) == 0, "setenv");
	snprintf(path, sizeof(path), "%s/t/data/shell/hostile.jsonl", cwd);
	box_need(file_read(path, &all, 1 << 20) == FILE_OK, path);
	snprintf(path, sizeof(path), "%s%s%s", *argv[0] == '/' ? "" : cwd,
	    *argv[0] == '/' ? "" : "/", argv[0]);
	shellbox_enter(path, "git ls cat wc make find sh bash dash env nice");
	for (s = buf_cstr(&all); (nl = strchr(s, '\n')) != NULL;
	     s = (char *)nl + 1) {
		buf_reset(&text);
		buf_add(&text, s, (size_t)(nl - s));
		ok(json_parse(&j, buf_cstr(&text), text.n) == 0, "JSON");
		one(&j, &text);
		n++;
	}
	ok(n >= 300, "%zu lines", n);
	box_need(chdir(cwd) == 0, cwd);
	buf_reset(&all);
	box_need(file_read("t/data/shell/coding.tsv", &all, 1 << 20)
	    == FILE_OK, "coding.tsv");
	coding(buf_cstr(&all));
	box_leave();
	return done_testing();
}
