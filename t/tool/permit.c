#include <string.h>
#include <sys/stat.h>

#include "box.h"
#include "permit.h"
#include "place.h"
#include "roots.h"
#include "tap.h"

static void
split(struct strs *l, const char *s)
{
	size_t n;

	strs_reset(l);
	for (; *s != '\0'; s += n + (s[n] == ';')) {
		n = strcspn(s, ";");
		strs_addn(l, s, n);
	}
}

#define ASK PERMIT_ASK
#define ALLOW PERMIT_ALLOW
#define DENY PERMIT_DENY
#define RULE PERMIT_ASK_RULE
#define UNCHECKED PERMIT_UNCHECKED

/* Lines of a shell. */
static const struct {
	const char *allow, *ask, *deny; /* rules with ; between */
	const char *command;
	enum permit_verdict want;
} lines[] = {
	{ "*", "", "", "rm -rf /", ALLOW },
	{ "shell", "", "", "rm -rf \"$HOME\"", ALLOW },
	{ "sh*", "", "", "`x`", ALLOW },
	{ "write_file", "", "", "ls", ASK },
	/* words */
	{ "shell(git status*)", "", "", "git status", ALLOW },
	{ "shell(git status*)", "", "", " git  'status' -s", ALLOW },
	{ "shell(git status*)", "", "", "git statusx", ASK },
	{ "shell(git status*)", "", "", "git push", ASK },
	{ "shell(git status *)", "", "", "git status -s", ALLOW },
	{ "shell(git status *)", "", "", "git status", ALLOW },
	{ "shell(git status)", "", "", "git status -s", ASK },
	{ "shell(ls*)", "", "", "lsof", ASK },
	{ "shell(ls*)", "", "", "ls -la src", ALLOW },
	{ "shell(*)", "", "", "ls", ASK },
	{ "shell(l* x)", "", "", "ls x", ASK },
	{ "shell(ls * x)", "", "", "ls -l x", ALLOW },
	{ "shell(ls * x)", "", "", "ls x", ASK },
	{ "shell(cat src/*)", "", "", "cat src/a.c", ALLOW },
	{ "shell(cat src/*)", "", "", "cat src/x/a.c", ASK },
	{ "shell(cat src/**)", "", "", "cat src/x/a.c", ALLOW },
	{ "shell(cat src/**)", "", "", "cat src/../a.c", ASK },
	{ "shell(cat src/**)", "", "", "cat src/x..y", ALLOW },
	{ "shell(cat src/**/*.c)", "", "", "cat src/a.c", ALLOW },
	{ "shell(cat src/**/*.c)", "", "", "cat src/x/y/a.c", ALLOW },
	{ "shell(cat ../a)", "", "", "cat ../a", ALLOW },
	{ "shell(cat a\\ b)", "", "", "cat 'a b'", ALLOW },
	{ "shell(cat a\\ b)", "", "", "cat a b", ASK },
	{ "shell(cat a\\*)", "", "", "cat 'a*'", ALLOW },
	{ "shell(cat a\\*)", "", "", "cat ab", ASK },
	/* every command must be allowed */
	{ "shell(git status*)", "", "", "git status && rm -rf x", ASK },
	{ "shell(git status*)", "", "", "git status; rm x", ASK },
	{ "shell(git status*)", "", "", "git status | sh", ASK },
	{ "shell(git status*)", "", "", "git status & rm x", ASK },
	{ "shell(git status*)", "", "", "git status || rm x", ASK },
	{ "shell(git status*)", "", "", "git status\nrm x", ASK },
	{ "shell(git status*)", "", "", "git status # x; rm", ALLOW },
	{ "shell(git status*)", "", "", "git status 'a; rm b'", ALLOW },
	{ "shell(git status*)", "", "", "/usr/bin/git status", ASK },
	{ "shell(git status*)", "", "", "", ASK },
	{ "shell(git status*)", "", "", " # git status", ASK },
	{ "shell(git status*)", "", "", "2>&1", ASK },
	{ "shell(ls*);shell(wc -l)", "", "", "ls | wc -l", ALLOW },
	{ "shell(ls*);shell(wc -l)", "", "", "ls |\n # x\n wc -l &&\nls", ALLOW },
	/* what is refused */
	{ "shell(echo*)", "", "", "echo $x", ASK },
	{ "shell(echo*)", "", "", "echo \"$x\"", ASK },
	{ "shell(echo*)", "", "", "echo `x`", ASK },
	{ "shell(echo*)", "", "", "(echo x)", ASK },
	{ "shell(echo*)", "", "", "{ echo x; }", ASK },
	{ "shell(echo*)", "", "", "echo {a,b}", ASK },
	{ "shell(echo*)", "", "", "! echo x", ASK },
	{ "shell(echo*)", "", "", "if echo x; then echo; fi", ASK },
	{ "shell(echo*)", "", "", "time echo x", ASK },
	{ "shell(echo*)", "", "", "X=1 echo x", ASK },
	{ "shell(echo*)", "", "", "echo <<E\nx\nE\n", ASK },
	{ "shell(echo*)", "", "", "echo <<<x", ASK },
	{ "shell(echo*)", "", "", "echo <(x)", ASK },
	{ "shell(echo*)", "", "", "ec\\\nho x", ASK },
	{ "shell(echo*)", "", "", "echo \\x", ASK },
	{ "shell(echo*)", "", "", "echo \\;x", ALLOW },
	{ "shell(echo*)", "", "", "echo \"a\\\"b\"", ASK },
	{ "shell(echo*)", "", "", "echo ~/x", ASK },
	{ "shell(echo*)", "", "", "echo a=~", ASK },
	{ "shell(git log*)", "", "", "git log HEAD~2", ALLOW },
	{ "shell(echo*)", "", "", "echo 'x", ASK },
	{ "shell(echo*)", "", "", "echo \\", ASK },
	{ "shell(echo*)", "", "", "echo ;; echo", ASK },
	{ "shell(echo*)", "", "", "echo x &&", ASK },
	{ "shell(echo*)", "", "", "; echo x", ASK },
	{ "shell(echo*)", "", "", "echo x |& echo", ASK },
	{ "shell(echo*)", "", "", "echo x\r", ASK },
	{ "shell(echo*)", "", "", "echo\302\240x", ASK },
	{ "shell(echo*)", "", "", "echo \342\200\256x", ASK },
	{ "shell(echo*)", "", "", "echo \377", ASK },
	{ "shell(echo*)", "", "", "echo \303\251", ALLOW },
	{ "shell(echo*);shell(ls*)", "", "", "ls; echo $?", ALLOW },
	{ "shell(echo*)", "", "", "echo \"status: $?\"", ALLOW },
	{ "shell(ls*)", "", "", "ls $?", ASK },
	{ "shell($? x)", "", "", "$? x", ASK },
	/* names that the shell finds */
	{ "shell(wc*)", "", "", "wc src/*.c", ALLOW },
	{ "shell(wc*)", "", "", "wc *.c", ASK },
	{ "shell(wc*)", "", "", "wc ./*.c", ALLOW },
	{ "shell(wc*)", "", "", "wc -*", ASK },
	{ "shell(wc*)", "", "", "wc src/.*", ASK },
	{ "shell(wc*)", "", "", "wc src/[.]*", ASK },
	{ "shell(wc src/**)", "", "", "wc src/a[b]c", ALLOW },
	{ "shell(wc src/**)", "", "", "wc src/a[b]/../../x", ASK },
	{ "shell(wc src/*)", "", "", "wc src/a[b]/c", ASK },
	{ "shell(wc src/*)", "", "", "wc src/a?b", ALLOW },
	{ "shell(wc src/\\*)", "", "", "wc src/*", ASK },
	{ "shell(wc src/\\*)", "", "", "wc src/'*'", ALLOW },
	{ "shell([ *)", "", "", "[ -f x ]", ALLOW },
	/* redirections */
	{ "shell(ls*)", "", "", "ls 2>&1", ALLOW },
	{ "shell(ls*)", "", "", "ls >/dev/null 2>&1", ALLOW },
	{ "shell(ls*)", "", "", "ls >&2", ALLOW },
	{ "shell(ls*)", "", "", "ls >&x", ASK },
	{ "shell(ls*)", "", "", "ls &>x", ASK },
	{ "shell(ls*);shell(> **)", "", "", "ls &>x", ASK },
	{ "shell(ls*);shell(> **)", "", "", "ls & >x", ALLOW },
	{ "shell(ls*)", "", "", "ls >x", ASK },
	{ "shell(ls*)", "", "", "ls 3>x", ASK },
	{ "shell(ls*);shell(> **)", "", "", "ls >|x", ASK },
	{ "shell(ls*);shell(> **)", "", "", "ls <>x", ASK },
	{ "shell(ls*);shell(> /**)", "", "", "ls >/dev/tcp/x/1", ASK },
	{ "shell(make*);shell(> build/*)", "", "", "make >build/log 2>&1", ALLOW },
	{ "shell(make*);shell(> build/*)", "", "", "make >>build/log", ALLOW },
	{ "shell(make*);shell(> build/*)", "", "", "make >log", ASK },
	{ "shell(make*);shell(> build/*)", "", "", "make >build/../log", ASK },
	{ "shell(make*);shell(> build/*)", "", "", "make >build/link", ASK },
	{ "shell(make*);shell(> build/*)", "", "", "make >build/out/log", ASK },
	{ "shell(make*);shell(> build/**)", "", "", "make >build/x/log", ALLOW },
	{ "shell(make*)", "", "", ">x", ASK },
	{ "shell(> x)", "", "", ">x", ALLOW },
	{ "shell(sort)", "", "", "sort <src/a", ASK },
	{ "shell(sort);shell(< src/*)", "", "", "sort <src/a", ALLOW },
	/* another directory */
	{ "shell(cd *);shell(ls*)", "", "", "cd x && ls", ALLOW },
	{ "shell(cd *);shell(./t)", "", "", "cd x && ./t", ASK },
	{ "shell(cd *);shell(cat src/*)", "", "", "cd x; cat src/a", ASK },
	{ "shell(cd *);shell(ls*);shell(> x)", "", "", "cd y; ls >x", ASK },
	{ "shell(cd *);shell(cat src/*)", "", "", "cat src/a; cd x", ALLOW },
	/* programs that run programs or write */
	{ "shell(git *)", "", "", "git -c core.pager=x log", ASK },
	{ "shell(git -c core.pager=cat log*)", "", "", "git -c core.pager=cat log -3", ASK },
	{ "shell(git -c core.pager=cat log)", "", "", "git -c core.pager=cat log", ALLOW },
	{ "shell(git -c *)", "", "", "git -c core.pager=x log", ASK },
	{ "shell(git fetch*)", "", "", "git fetch --upload-pa=x", ASK },
	{ "shell(git *)", "", "", "git config x y", ASK },
	{ "shell(git config *)", "", "", "git config x y", ASK },
	{ "shell(git grep*)", "", "", "git grep -Ox y", ASK },
	/* a subcommand is known to read, or spelled, wherever it stands */
	{ "shell(git *)", "", "", "git merge-index touch -a", ASK },
	{ "shell(git *)", "", "", "git --namespace log merge-index x", ASK },
	{ "shell(git *)", "", "", "git s*", ASK },
	{ "shell(git *)", "", "", "git grep -n stash -- src/*", ALLOW },
	{ "shell(git --no-pager *)", "", "", "git --no-pager log add", ALLOW },
	{ "shell(git lfs *)", "", "", "git lfs ls-files", ASK },
	{ "shell(gcc *)", "", "", "gcc @args x.c", ASK },
	{ "shell(gcc *)", "", "", "gcc -Wl,-plugin,./x x.c", ASK },
	{ "shell(gcc *)", "", "", "gcc -Wall x.c", ASK },
	{ "shell(find *)", "", "", "find . -name '*.c'", ALLOW },
	{ "shell(find *)", "", "", "find . -exec touch x \\;", ASK },
	{ "shell(find *)", "", "", "find . -delete", ASK },
	{ "shell(sh *)", "", "", "sh x", ASK },
	{ "shell(sh build.sh*)", "", "", "sh build.sh", ASK },
	{ "shell(sh build.sh*)", "", "", "sh build.sh x", ASK },
	{ "shell(sh *)", "", "", "sh", ASK },
	{ "shell(sh)", "", "", "sh", ALLOW },
	{ "shell(python *)", "", "", "python3.11 -c x", ASK },
	{ "shell(python3.11 *)", "", "", "python3.11 -c x", ASK },
	{ "shell(python3 t/*.py *)", "", "", "python3 t/a.py -v", ASK },
	/* two stars: any words, of any program */
	{ "shell(python3 t/*.py **)", "", "", "python3 t/a.py -v", ALLOW },
	{ "shell(python3 t/*.py **)", "", "", "python3 -c x t/a.py", ASK },
	{ "shell(./deploy.sh **)", "", "", "./deploy.sh", ALLOW },
	{ "shell(./deploy.sh **)", "", "", "./deploy.sh --to x", ALLOW },
	{ "shell(./deploy.sh **)", "", "", "./deploy.sh >x", ASK },
	{ "shell(./deploy.sh *)", "", "", "./deploy.sh x", ASK },
	{ "shell(**)", "", "", "ls", ASK },
	/* options are known, and so are their values */
	{ "shell(sort *)", "", "", "sort -t -o x", ALLOW },
	{ "shell(sort *)", "", "", "sort x -o y", ASK },
	{ "shell(sort *)", "", "", "sort -- -o y", ALLOW },
	{ "shell(sort *)", "", "", "sort -t -- -o y", ASK },
	{ "shell(sort *)", "", "", "sort -rnoy", ASK },
	{ "shell(sort *)", "", "", "sort --outp=y", ASK },
	{ "shell(sort -o y *)", "", "", "sort -o y x", ASK },
	{ "shell(./sort *)", "", "", "./sort x", ASK },
	{ "shell(uniq *)", "", "", "uniq a b", ASK },
	{ "shell(uniq *)", "", "", "uniq src/*", ASK },
	{ "shell(git stash *)", "", "", "git stash -u", ALLOW },
	{ "shell(git stash *)", "", "", "git stash pop", ASK },
	{ "shell(git stash *)", "", "", "git stash clear", ASK },
	{ "shell(git stash pop *)", "", "", "git stash pop -q", ALLOW },
	{ "shell(xxd *)", "", "", "xxd -ps -c 8 a", ALLOW },
	{ "shell(xxd *)", "", "", "xxd -ps a b", ASK },
	{ "shell(tree *)", "", "", "tree -a -L 2 src", ALLOW },
	{ "shell(tree *)", "", "", "tree -Lo 2 b", ASK },
	{ "shell(awk *)", "", "", "awk '{print}' -F /inet/tcp/0/h/9", ASK },
	{ "shell(git add *)", "", "", "git add -A src", ALLOW },
	{ "shell(git *)", "", "", "git add -A src", ASK },
	{ "shell(git *)", "", "", "git --no-pager log -3", ALLOW },
	{ "shell(timeout 9 *)", "", "", "timeout 9 ls", ASK },
	{ "shell(printf *)", "", "", "printf %n PATH", ASK },
	{ "shell(printf *)", "", "", "printf '%s\\n' x", ALLOW },
	{ "shell([ *)", "", "", "[ 'a[$(x)]' -eq 1 ]", ASK },
	{ "shell(env *)", "", "", "env ls", ASK },
	{ "shell(env ls *)", "", "", "env ls -l", ALLOW },
	{ "shell(env ls *)", "", "", "env A=1 ls", ASK },
	{ "shell(timeout 5 git *)", "", "", "timeout 5 git log", ALLOW },
	{ "shell(timeout 5 git *)", "", "", "timeout 5 git -c x=y log", ASK },
	{ "shell(command *)", "", "", "command -v ls", ALLOW },
	{ "shell(sed *)", "", "", "sed -n 1,40p x", ALLOW },
	{ "shell(sed *)", "", "", "sed 's/a/b/g' x", ALLOW },
	{ "shell(sed *)", "", "", "sed 's/a/touch y/e' x", ASK },
	{ "shell(sed *)", "", "", "sed -i s/a/b/ x", ASK },
	{ "shell(sed *)", "", "", "sed '1e touch y' x", ASK },
	{ "shell(awk *)", "", "", "awk '{print $1, $NF}' x", ALLOW },
	{ "shell(awk *)", "", "", "awk -F : '{ print $2 }' x", ALLOW },
	{ "shell(awk *)", "", "", "awk 'BEGIN{system(\"x\")}'", ASK },
	{ "shell(awk *)", "", "", "awk -fx y", ASK },
	{ "shell(tar *)", "", "", "tar tf x", ASK },
	{ "shell(test *)", "", "", "test -v 'a[0]'", ASK },
	{ "shell(make*)", "", "", "make SHELL=./x", ASK },
	{ "shell(make*)", "", "", "make -j2 all", ALLOW },
	{ "shell(ls*);shell(xargs *)", "", "", "ls | xargs rm", ASK },
	{ "shell(ls*);shell(xargs wc -l)", "", "", "ls | xargs wc -l", ALLOW },
	{ "shell(eval *)", "", "", "eval ls", ASK },
	/* one command is enough to deny */
	{ "*", "", "shell(rm *)", "ls", ALLOW },
	{ "*", "", "shell(rm *)", "# rm x", ALLOW },
	{ "*", "", "shell(rm *)", "", ALLOW },
	{ "*", "", "shell(rm *)", "ls && rm -rf x", DENY },
	{ "*", "", "shell(rm *)", "/bin/rm x", DENY },
	{ "*", "", "shell(rm *)", "r'm' x", DENY },
	{ "*", "", "shell(rm -rf *)", "rm -r x", ALLOW },
	{ "*", "", "shell(rm *)", "sudo -u bob /bin/rm x", UNCHECKED },
	{ "*", "", "shell(rm *)", "env -i nice -n 3 rm x", DENY },
	{ "*", "", "shell(rm *)", "command", ALLOW },
	{ "*", "", "shell(rm *)", "command rm x", DENY },
	{ "*", "", "shell(rm *)", "command -v rm", ALLOW },
	{ "*", "", "shell(rm *)", "ls | xargs rm -f", UNCHECKED },
	{ "*", "", "shell(rm *)", "find . -exec rm {} +", UNCHECKED },
	{ "*", "", "shell(rm *)", "git add -A && git log", ALLOW },
	{ "*", "", "shell(rm *)", "git merge-index rm -a", UNCHECKED },
	{ "*", "", "shell(rm *)", "find . -name sh", ALLOW },
	{ "*", "", "shell(rm *)", "sh -ec 'ls; rm x'", UNCHECKED },
	{ "*", "", "shell(rm *)", "find \"$d\" -name x", UNCHECKED },
	{ "*", "", "shell(rm *)", "echo rm x", ALLOW },
	{ "*", "", "shell(rm *)", "echo 'a && rm x'", ALLOW },
	{ "*", "", "shell(> /etc)", "echo x >/etc/passwd", DENY },
	{ "*", "", "shell(> secret)", "echo x >./secret/y", DENY },
	{ "*", "", "shell(> out)", "echo x >build/link/y", DENY },
	{ "*", "", "shell(< ~/.ssh)", "cat <x", ALLOW },
	{ "*", "", "shell(cat secret)", "cat secret/x", DENY },
	{ "*", "", "shell(cat secret)", "cat s*", DENY },
	{ "*", "", "shell(cat secret)", "cat t*", ALLOW },
	{ "*", "", "shell(*)", "ls", DENY },
	{ "*", "", "sh*", "ls", DENY },
	{ "*", "", "write_file(x)", "ls", ALLOW },
	/* ask goes before allow, deny before ask */
	{ "shell(git *)", "shell(git push*)", "", "git push", RULE },
	{ "shell", "shell(git push*)", "", "git log", ALLOW },
	{ "shell", "shell(git push*)", "", "$x", PERMIT_ASK_UNCHECKED },
	{ "shell", "shell(git push*)", "shell(git*)", "git push", DENY },
	{ "shell", "shell", "", "ls", RULE },
};

/* A tool with a path. */
static const struct {
	const char *allow, *ask, *deny;
	const char *path;
	enum permit_verdict want;
} paths[] = {
	{ "", "", "", "x", ASK },
	{ "w", "", "", "x", ALLOW },
	{ "w(x)", "", "", "x", ALLOW },
	{ "w(x)", "", "", "./x", ALLOW },
	{ "w(x)", "", "", "x/y", ASK },
	{ "w(src/**)", "", "", "src/b/c", ALLOW },
	{ "w(src/*)", "", "", "src/a/b", ASK },
	{ "w(src/**)", "", "", "src/../x", ASK },
	{ "w(src/**)", "", "", "out/../src/a", ALLOW },
	{ "w(src/**)", "", "", "x/../src/a", ASK },
	{ "w(**)", "", "", "/etc/passwd", ASK },
	{ "w(/etc/*)", "", "", "/etc/passwd", ALLOW },
	{ "w(build/**)", "", "", "build/link/x", ASK },
	{ "w(out/**)", "", "", "build/link/x", ALLOW },
	{ "w(build/**)", "", "", "build/none", ALLOW },
	{ "w(build/**)", "", "", "build/gone", ASK },
	{ "w(out/**)", "", "", "build/gone", ALLOW },
	{ "w(../**)", "", "", "../x", ASK },
	{ "w", "", "w(src)", "src/a", DENY },
	{ "w", "", "w(out)", "build/link/x", DENY },
	{ "w", "", "w(build/link)", "build/link/x", DENY },
	{ "w", "w(src)", "", "src/a", RULE },
	{ "w", "", "w(~/.ssh)", "/nonesuch/.ssh/id", DENY },
	{ "w(~/x)", "", "", "/nonesuch/x", ALLOW },
	{ "w($TURNPIPE_RUN/p)", "", "", "/nonesuch/run/p", ALLOW },
	{ "w($TURNPIPE_RUN/p)", "", "", "/nonesuch/run/q", ASK },
	{ "w($TURNPIPE_RUN/p)", "", "", "/nonesuch/runs/p", ASK },
	{ "w($TURNPIPE_RUNS/p)", "", "", "/nonesuch/run/p", ASK },
	{ "w(*.c)", "", "", "a.c", ALLOW },
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

/* A line, and the rules that allow it from now on; NULL: no rules. */
static const struct {
	const char *command, *rules;
} exact[] = {
	{ "make", "shell(make)" },
	{ "git log -3 | wc -l", "shell(git log -3);shell(wc -l)" },
	{ "echo 'a*b' 'c d' >out", "shell(echo a\\*b c\\ d);shell(> out)" },
	{ "wc src/*.c 2>&1", "shell(wc src/*.c)" },
	{ "echo x >/etc/motd", "shell(echo x);shell(> /etc/motd)" },
	{ "ls; ls", "shell(ls)" },
	{ "sh -c 'ls; pwd'", "shell(sh -c ls;\\ pwd)" },
	{ "$x", NULL },
	{ "echo ''", NULL },
	{ "echo 'a\nb'", NULL },
	{ "cd x && ./t", NULL },
};

static void
judge_lines(void)
{
	static struct permit p;
	static struct buf why;
	struct permit_call c = { "shell", NULL, NULL, NULL, NULL };
	enum permit_verdict v;
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		split(&p.allow, lines[i].allow);
		split(&p.ask, lines[i].ask);
		split(&p.deny, lines[i].deny);
		buf_reset(&why);
		c.command = lines[i].command;
		v = permit_judge(&p, &c, &why);
		ok(v == lines[i].want, "%s | %s | %s: %s (%d) %s",
		    lines[i].allow, lines[i].ask, lines[i].deny,
		    lines[i].command, v, buf_cstr(&why));
		if (v != ASK && v != ALLOW)
			ok(why.n > 0, "and why");
	}
}

static void
judge_paths(void)
{
	static struct permit p;
	static struct strs real, named;
	static struct buf b;
	struct permit_call c = { "w", NULL, &real, &named, NULL };
	struct permit_call earlier = { "shell", "ls x", NULL, NULL, NULL };
	enum permit_verdict v;
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		split(&p.allow, paths[i].allow);
		split(&p.ask, paths[i].ask);
		split(&p.deny, paths[i].deny);
		strs_reset(&real);
		strs_reset(&named);
		place_named(&b, paths[i].path);
		strs_add(&named, buf_cstr(&b));
		buf_reset(&b);
		(void)roots_real(&b, paths[i].path);
		strs_add(&real, buf_cstr(&b));
		v = permit_judge(&p, &c, NULL);
		if (v == PERMIT_ALLOW_PATHS)
			v = ALLOW;
		ok(v == paths[i].want, "%s | %s | %s: %s (%d) %s",
		    paths[i].allow, paths[i].ask, paths[i].deny,
		    paths[i].path, v, buf_cstr(&b));
	}
	split(&p.deny, "w(ls *)");
	(void)permit_judge(&p, &earlier, NULL);
	ok(permit_judge(&p, &c, NULL) != PERMIT_DENY,
	    "the line of an earlier call is not this one's");
	strs_reset(&p.deny);
	strs_reset(&p.allow);
	strs_add(&real, "/etc/x");
	split(&p.allow, "w(*.c)");
	ok(permit_judge(&p, &c, NULL) == ASK, "one path of two is allowed");
	strs_reset(&p.allow);
	ok(permit_exact(&c, &p.allow) == 0 && p.allow.n == 2
		&& strcmp(p.allow.v[0], "w(a.c)") == 0
		&& strcmp(p.allow.v[1], "w(/etc/x)") == 0,
	    "these paths, never the bare tool");
	c.paths = NULL;
	strs_reset(&p.allow);
	ok(permit_exact(&c, &p.allow) == -1 && p.allow.n == 0,
	    "no rule for a tool without a line or a path");
}

static void
judge_exact(void)
{
	static struct permit p;
	static struct buf b;
	struct permit_call c = { "shell", NULL, NULL, NULL, NULL };
	size_t i, k;
	int r;

	for (i = 0; i < sizeof(exact) / sizeof(*exact); i++) {
		strs_reset(&p.allow);
		buf_reset(&b);
		c.command = exact[i].command;
		r = permit_exact(&c, &p.allow);
		for (k = 0; k < p.allow.n; k++) {
			buf_puts(&b, k > 0 ? ";" : "");
			buf_puts(&b, p.allow.v[k]);
		}
		ok(exact[i].rules == NULL
			? r == -1 && p.allow.n == 0
			: r == 0 && strcmp(buf_cstr(&b), exact[i].rules) == 0,
		    "allowed from now on: %s: %s", exact[i].command,
		    buf_cstr(&b));
		if (r < 0)
			continue;
		ok(permit_judge(&p, &c, NULL) == ALLOW, "it is");
		c.command = "echo x";
		ok(i == 4 || permit_judge(&p, &c, NULL) == ASK,
		    "and nothing else");
	}
}

int
main(void)
{
	static struct permit p;
	static struct buf deep;
	struct permit_call c = { "shell", NULL, NULL, NULL, NULL };
	char share[4200], cwd[4000];
	size_t i;

	box_need(getcwd(cwd, sizeof(cwd)) != NULL, "getcwd");
	snprintf(share, sizeof(share), "%s/share", cwd);
	box_need(setenv("TURNPIPE_PATH", share, 1) == 0
		&& setenv("HOME", "/nonesuch", 1) == 0
		&& setenv("TURNPIPE_RUN", "/nonesuch/run", 1) == 0,
	    "setenv");
	box_enter();
	box_sh("mkdir .git src build out secret; touch src/a;"
	       "ln -s ../out build/link; ln -s nowhere/x build/none; "
	       "ln -s ../out/none/x build/gone");
	judge_lines();
	judge_paths();
	judge_exact();
	for (i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		ok(permit_check(rules[i].rule) == rules[i].want, "rule '%s'",
		    rules[i].rule);
	split(&p.allow, "shell(env *)");
	for (i = 0; i < 10000; i++)
		buf_puts(&deep, "env ");
	c.command = buf_cstr(&deep);
	ok(permit_judge(&p, &c, NULL) == ASK, "a command in a command in a ...");
	for (i = 0; i < 10000; i++)
		buf_puts(&deep, "env ");
	c.command = buf_cstr(&deep);
	ok(permit_judge(&p, &c, NULL) == ASK, "a line has a limit");
	box_leave();
	return done_testing();
}
