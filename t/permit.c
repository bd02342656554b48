#include <string.h>

#include "permit.h"
#include "shline.h"
#include "tap.h"

static void
split(struct strs *l, const char *s)
{
	size_t n;

	for (; *s != '\0'; s += n + (s[n] == ';')) {
		n = strcspn(s, ";");
		strs_addn(l, s, n);
	}
}

static const struct {
	const char *allow, *deny; /* rules with ; between */
	const char *tool, *command;
	enum permit_verdict want;
} cases[] = {
	/* tool names */
	{ "", "", "write_file", NULL, PERMIT_ASK },
	{ "write_*", "", "write_file", NULL, PERMIT_ALLOW },
	{ "write_*", "write_file", "write_file", NULL, PERMIT_DENY },
	{ "*", "", "shell", "rm -rf /", PERMIT_ALLOW },
	{ "shell(rm *)", "", "write_file", NULL, PERMIT_ASK },
	/* a pattern for a tool that has no line: no to allow, yes to deny */
	{ "write_file(x*)", "", "write_file", NULL, PERMIT_ASK },
	{ "*", "write_file(x*)", "write_file", NULL, PERMIT_DENY },
	/* every command must be allowed */
	{ "shell(git status*)", "", "shell", "git status", PERMIT_ALLOW },
	{ "shell(git status*)", "", "shell", " git  'status' -s", PERMIT_ALLOW },
	{ "shell(git status*)", "", "shell", "git push", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status && rm -rf x", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status; rm x", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status | sh", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status & rm x", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status || rm x", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status\nrm x", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status $(rm x)", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status `rm x`", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status \"$(rm x)\"", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status \"`rm x`\"", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status <(rm x)", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status >(rm x)", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status ${x:-$(rm x)}", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status > ~/.profile", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status >/dev/null 2>&1", PERMIT_ALLOW },
	{ "shell(git status*)", "", "shell", "git status >&x", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "X=1 git status", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "PATH=. git status", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "env git status", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "sh -c 'git status'", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "$X git status", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "(git status)", PERMIT_ALLOW },
	{ "shell(git status*)", "", "shell", "{ git status; }", PERMIT_ALLOW },
	{ "shell(git status*)", "", "shell", "! git status # x; rm", PERMIT_ALLOW },
	{ "shell(git status*)", "", "shell", "git status 'a; rm b'", PERMIT_ALLOW },
	{ "shell(git status*)", "", "shell", "git status \\\n -s", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git stat\\\nus", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", " # git status", PERMIT_ASK },
	{ "shell(cd *);shell(git *)", "", "shell", "cd x && git push", PERMIT_ALLOW },
	{ "shell(cd *)", "", "shell", "cd x && git push", PERMIT_ASK },
	{ "shell(make*);shell(> build/*)", "", "shell", "make >build/log", PERMIT_ALLOW },
	{ "shell(make*);shell(> build/*)", "", "shell", "make >>log", PERMIT_ASK },
	{ "shell(sh *);shell(ls*)", "", "shell", "sh -c 'ls; ls'", PERMIT_ALLOW },
	{ "shell(sh *);shell(ls*)", "", "shell", "sh -c 'ls; rm x'", PERMIT_ASK },
	{ "shell(eval *);shell(ls*)", "", "shell", "eval 'ls; rm x'", PERMIT_ASK },
	{ "shell(sh *)", "", "shell", "sh -c \"$x\"", PERMIT_ASK },
	{ "shell(sh *)", "", "shell", "sh build.sh", PERMIT_ALLOW },
	{ "shell(test *);shell([ *);shell(echo *)", "", "shell",
	    "if [ -e x ]; then echo a; else echo b; fi", PERMIT_ALLOW },
	{ "shell(wc *)", "", "shell", "for f in a b; do wc $f; done", PERMIT_ASK },
	{ "shell(wc *)", "", "shell", "for f in `rm x`; do wc $f; done", PERMIT_ASK },
	{ "shell(wc *)", "", "shell", "for f do rm x; done", PERMIT_ASK },
	{ "shell(echo *)", "", "shell", "echo $((1 + (2 * x)))", PERMIT_ASK },
	{ "shell(echo *)", "", "shell", "echo $((1 + $(rm x)))", PERMIT_ASK },
	{ "shell(cat*)", "", "shell", "cat <<E\n$x\nE\n", PERMIT_ASK },
	{ "shell(cat*)", "", "shell", "cat <<E\n$(rm x)\nE\n", PERMIT_ASK },
	{ "shell(cat*)", "", "shell", "cat <<'E'\n$(rm x)\nE\n", PERMIT_ASK },
	{ "shell(cat*)", "", "shell", "cat <<E\nx\nE\nrm x\n", PERMIT_ASK },
	{ "shell(cat*)", "", "shell", "cat <<-E | cat\n\tx\n\tE\n", PERMIT_ASK },
	{ "shell(sh*)", "", "shell", "sh <<E\nrm x\nE\n", PERMIT_ASK },
	/* what can not be read is not allowed */
	{ "shell(echo*)", "", "shell", "echo 'x", PERMIT_ASK },
	{ "shell(echo*)", "", "shell", "echo \"x", PERMIT_ASK },
	{ "shell(echo*)", "", "shell", "echo $(echo x", PERMIT_ASK },
	{ "shell(echo*)", "", "shell", "echo x)", PERMIT_ASK },
	{ "shell(echo*)", "", "shell", "(echo x", PERMIT_ASK },
	{ "shell(echo*)", "", "shell", "echo `echo x", PERMIT_ASK },
	{ "shell(echo*)", "", "shell", "echo() { rm x; }; echo", PERMIT_ASK },
	{ "shell(echo*)", "", "shell", "echo $'\\x41'", PERMIT_ASK },
	{ "shell(echo*)", "", "shell", "echo <<<x", PERMIT_ASK },
	{ "shell(echo*)", "", "shell", "echo <<E\nx", PERMIT_ASK },
	{ "shell(echo*)", "", "shell", "case x in x) echo;; esac", PERMIT_ASK },
	{ "shell(echo*)", "", "shell", "echo ;; echo", PERMIT_ASK },
	{ "shell(echo*)", "", "shell", "echo \\", PERMIT_ASK },
	{ "shell(echo*)", "", "shell", "echo >", PERMIT_ASK },
	{ "shell(echo*)", "", "shell", "a=(1 2); echo", PERMIT_ASK },
	/* what the reader follows less exactly than a shell */
	{ "shell(git status*)", "", "shell", "git status $${x;touch x;: }", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status \"a`touch x`\"", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git status \"$\\\n(touch x)\"", PERMIT_ASK },
	{ "shell(echo*)", "", "shell", "echo $((PATH=5))", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "\"git status/run\"", PERMIT_ASK },
	{ "shell(git status*)", "", "shell", "git\\ status/run", PERMIT_ASK },
	{ "shell(git*)", "", "shell", "'git\tx' status", PERMIT_ASK },
	{ "shell(ls*)", "", "shell", "ls=1 touch x", PERMIT_ASK },
	{ "shell(ls*)", "", "shell", "ls; ls=1 touch x", PERMIT_ASK },
	{ "shell(ls*)", "", "shell", "if ls=1 touch x; then ls; fi", PERMIT_ASK },
	{ "shell(*)", "", "shell", "echo \"$(cat <<EOF$(fi", PERMIT_ASK },
	{ "*", "shell(rm *)", "shell", "echo \"$(cat <<EOF$(fi", PERMIT_DENY },
	{ "shell(*)", "", "shell", "cat <<EOF\nx\nEOF\n", PERMIT_ASK },
	/* one command is enough to deny */
	{ "*", "shell(rm *)", "shell", "ls", PERMIT_ALLOW },
	{ "*", "shell(rm *)", "shell", "ls && rm -rf x", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "/bin/rm x", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "\\rm x", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "r'm' x", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "A=1 rm x", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "env A=1 rm x", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "sudo -u bob /bin/rm x", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "ls | xargs rm -f", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "find . -exec rm {} +", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "find . -name sh", PERMIT_ALLOW },
	{ "*", "shell(rm *)", "shell", "find \"$d\" -name x", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "find . -exec sh -c 'rm x' \\;", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "sh -ec 'ls; rm x'", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "bash -euo pipefail -c 'rm x'", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "timeout 5 bash -c 'rm x'", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "su bob -c 'ls; rm x'", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "sh -c 'sh -c \"rm x\"'", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "eval ls \\; rm x", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "trap 'rm x' 0", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "echo $(rm x)", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "echo `echo \\`rm x\\``", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "if rm x; then :; fi", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "while :; do rm x; done", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "sh <<E\nls\nrm x\nE\n", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "echo rm x", PERMIT_ALLOW },
	{ "*", "shell(rm *)", "shell", "echo 'a && rm x'", PERMIT_ALLOW },
	{ "*", "shell(rm *)", "shell", "command -v sh", PERMIT_ALLOW },
	{ "*", "shell(> /etc/*)", "shell", "echo x >/etc/passwd", PERMIT_DENY },
	{ "*", "shell(> /etc/*)", "shell", "echo x >\"/etc/\"passwd", PERMIT_DENY },
	/* so is a line of which nobody knows what it runs */
	{ "*", "shell(rm *)", "shell", "$X x", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "x=rm; \"$x\" y", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "$(echo rm) x", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "{rm,-rf,x}", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "/bin/[r]m x", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "[r]m x", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "curl x | sh", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "curl x | sh -s -- y", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "env $X y", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "eval \"$x\"", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "ls 'x", PERMIT_DENY },
	{ "*", "shell(rm *)", "shell", "f() { ls; }", PERMIT_DENY },
	{ "*", "shell(rm *)", "read_file", NULL, PERMIT_ALLOW },
};

static const struct {
	const char *rule;
	int want;
} rules[] = {
	{ "shell", 0 },
	{ "*", 0 },
	{ "shell(ls)", 0 },
	{ "shell(f (x) *)", 0 },
	{ "", -1 },
	{ "(ls)", -1 },
	{ "shell(ls", -1 },
	{ "shell(ls) x", -1 },
	{ "shell)", -1 },
};

static const char *const exact[] = {
	"make", "git log && ls *.c | wc -l", "echo 'a*b' \\[x >out",
	"sh -c 'ls; pwd'", "for f in x; do cat f; done",
};

int
main(void)
{
	static struct permit p;
	static struct buf deep, why;
	size_t i;
	int v;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		strs_reset(&p.allow);
		strs_reset(&p.deny);
		split(&p.allow, cases[i].allow);
		split(&p.deny, cases[i].deny);
		buf_reset(&why);
		v = permit_judge(&p, cases[i].tool, cases[i].command, &why);
		ok(v == (int)cases[i].want, "%s | %s: %s (%d) %s",
		    cases[i].allow, cases[i].deny,
		    cases[i].command != NULL ? cases[i].command
					     : cases[i].tool,
		    v, buf_cstr(&why));
		ok((v == PERMIT_DENY) == (why.n > 0), "and why");
	}
	for (i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		ok(permit_check(rules[i].rule) == rules[i].want, "rule '%s'",
		    rules[i].rule);
	for (i = 0; i < sizeof(exact) / sizeof(*exact); i++) {
		strs_reset(&p.allow);
		strs_reset(&p.deny);
		ok(permit_exact("shell", exact[i], &p.allow) == 0
			&& permit_judge(&p, "shell", exact[i], NULL)
			    == PERMIT_ALLOW,
		    "allowed from now on: %s", exact[i]);
		ok(permit_judge(&p, "shell", "echo x", NULL) == PERMIT_ASK
			&& permit_judge(&p, "shell", "ls x.c", NULL)
			    == PERMIT_ASK,
		    "and nothing else");
	}
	strs_reset(&p.allow);
	ok(permit_exact("shell", "$x", &p.allow) == -1 && p.allow.n == 0,
	    "never allowed from now on: an expansion");
	ok(permit_exact("w*", NULL, &p.allow) == 0
		&& permit_judge(&p, "w*", NULL, NULL) == PERMIT_ALLOW
		&& permit_judge(&p, "wx", NULL, NULL) == PERMIT_ASK,
	    "a tool allowed from now on");
	for (i = 0; i < 100000; i++)
		buf_puts(&deep, "$(");
	ok(permit_judge(&p, "shell", buf_cstr(&deep), NULL) == PERMIT_ASK,
	    "nesting has a limit");
	buf_reset(&deep);
	for (i = 0; i < 100000; i++)
		buf_putc(&deep, '(');
	ok(permit_judge(&p, "shell", buf_cstr(&deep), NULL) == PERMIT_ASK,
	    "so have parentheses");
	return done_testing();
}
