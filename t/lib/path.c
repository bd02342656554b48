#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "box.h"
#include "config.h"
#include "path.h"
#include "tap.h"

/*
 * One line per question, asked in a child with only these variables, in the
 * directory cd of the box.  "@" in env and want stands for the box.
 */
struct ask {
	const char *what; /* dirs, find NAME, list NAME SUFFIX, config ... */
	const char *want;
	const char *cd;
	const char *env[5];
	int status;
};

static const struct ask asks[] = {
	/* The search path. */
	{"dirs", "@/c/turnpipe:" DATADIR, NULL, {"XDG_CONFIG_HOME=@/c"}, 0},
	{"dirs", "a:/b:@/h/.config/turnpipe:" DATADIR, NULL,
	    {"HOME=@/h", "TURNPIPE_PATH=a:/b"}, 0},
	{"dirs", "a:b:@/h/.config/turnpipe:s", NULL,
	    {"HOME=@/h", "TURNPIPE_PATH=:a::b:", "TURNPIPE_SHARE=s"}, 0},
	{"dirs", "@/h/.config/turnpipe:s", NULL,
	    {"HOME=@/h", "TURNPIPE_PATH=", "TURNPIPE_SHARE=s"}, 0},
	{"dirs", "@/h/.config/turnpipe:" DATADIR, NULL,
	    {"HOME=@/h", "TURNPIPE_PATH=::", "TURNPIPE_SHARE="}, 0},
	{"dirs", "s:a:@/h/.config/turnpipe", NULL,
	    {"HOME=@/h", "TURNPIPE_PATH=s:a:s:a", "TURNPIPE_SHARE=s"}, 0},
	/* The user's places. */
	{"config", "@/h/.config/turnpipe", NULL, {"HOME=@/h"}, 0},
	{"config", "@/c/turnpipe", NULL, {"HOME=@/h", "XDG_CONFIG_HOME=@/c"},
	    0},
	{"config", "@/c/turnpipe", NULL, {"HOME=@/h", "XDG_CONFIG_HOME=@/c/"},
	    0},
	{"config", "@/h/.config/turnpipe", NULL,
	    {"HOME=@/h", "XDG_CONFIG_HOME=rel"}, 0},
	{"config", "@/h/.config/turnpipe", NULL,
	    {"HOME=@/h", "XDG_CONFIG_HOME="}, 0},
	{"config", "/.config/turnpipe", NULL, {"HOME=/"}, 0},
	{"state", "@/h/.local/state/turnpipe", NULL, {"HOME=@/h"}, 0},
	{"state", "@/s/turnpipe", NULL, {"XDG_STATE_HOME=@/s"}, 0},
	{"data", "@/h/.local/share/turnpipe", NULL, {"HOME=@/h"}, 0},
	{"data", "@/d/turnpipe", NULL, {"XDG_DATA_HOME=@/d"}, 0},
	{"home", "@/h", NULL, {"HOME=@/h"}, 0},
	/* Find: first wins, empty is off, directories do not count. */
	{"find x.md", "one/x.md", NULL, {"TURNPIPE_PATH=one:two"}, 0},
	{"find x.md", "two/x.md", NULL, {"TURNPIPE_PATH=two:one"}, 0},
	{"find x.md", "one//x.md", NULL, {"TURNPIPE_PATH=one//:two"}, 0},
	{"find only2", "two/only2", NULL, {"TURNPIPE_PATH=one:two"}, 0},
	{"find off", "-", NULL, {"TURNPIPE_PATH=one:two"}, 0},
	{"find off", "two/off", NULL, {"TURNPIPE_PATH=two:one"}, 0},
	{"find null", "-", NULL, {"TURNPIPE_PATH=one:two"}, 0},
	{"find sub", "two/sub", NULL, {"TURNPIPE_PATH=one:two"}, 0},
	{"find dangling", "two/dangling", NULL, {"TURNPIPE_PATH=one:two"}, 0},
	{"find loop", "one/loop", NULL, {"TURNPIPE_PATH=one:two"}, 0},
	{"find link", "one/link", NULL, {"TURNPIPE_PATH=one:two"}, 0},
	{"find r/a.md", "one/r/a.md", NULL, {"TURNPIPE_PATH=one:two"}, 0},
	{"find x.md/y", "-", NULL, {"TURNPIPE_PATH=one:two"}, 0},
	{"find none", "-", NULL, {"TURNPIPE_PATH=one:two"}, 0},
	{"find x.md", "one/x.md", NULL,
	    {"TURNPIPE_PATH=missing", "TURNPIPE_SHARE=one"}, 0},
	{"find x.md", "-", NULL, {"TURNPIPE_PATH=missing"}, 0},
	{"find x.md", "@/h/.config/turnpipe/x.md", NULL,
	    {"HOME=@/h", "TURNPIPE_SHARE=two"}, 0},
	/* No way out. */
	{"find ../two/x.md", "-", NULL, {"TURNPIPE_PATH=one"}, 0},
	{"find r/../../two/x.md", "-", NULL, {"TURNPIPE_PATH=one"}, 0},
	{"find r/..", "-", NULL, {"TURNPIPE_PATH=one"}, 0},
	{"find /etc/passwd", "-", NULL, {"TURNPIPE_PATH=one"}, 0},
	{"find ", "-", NULL, {"TURNPIPE_PATH=one"}, 0},
	{"find ..x", "one/..x", NULL, {"TURNPIPE_PATH=one"}, 0},
	/* List: merged by name, without what is off, hidden or none. */
	{"list r .md", "one/r/a.md two/r/b.md one/r/c.md", NULL,
	    {"TURNPIPE_PATH=one:two"}, 0},
	{"list r .md", "two/r/a.md two/r/b.md two/r/c.md two/r/off.md", NULL,
	    {"TURNPIPE_PATH=two:one"}, 0},
	{"list r/ .md", "one/r/a.md one/r/c.md", NULL, {"TURNPIPE_PATH=one"},
	    0},
	{"list r ", "one/r/a.md two/r/b.md one/r/c.md one/r/d.txt", NULL,
	    {"TURNPIPE_PATH=one:two"}, 0},
	{"list r .zip", "", NULL, {"TURNPIPE_PATH=one:two"}, 0},
	{"list none .md", "", NULL, {"TURNPIPE_PATH=one:two"}, 0},
	{"list x.md .md", "", NULL, {"TURNPIPE_PATH=one:two"}, 0},
	{"list ../two/r .md", "", NULL, {"TURNPIPE_PATH=one"}, 0},
	/* Where we are. */
	{"cwd", "@/w/repo/deep/er", "w/repo/deep/er", {"PWD=/nonsense"}, 0},
	{"cwd", "@/w/repo/deep/er", "w/repo/deep/er", {NULL}, 0},
	{"cwd", "@/w/link", "w/link", {"PWD=@/w/link"}, 0},
	{"cwd", "@/w/repo/deep", "w/link", {"PWD=@/w/./link"}, 0},
	{"cwd", "@/w/repo/deep", "w/link", {"PWD=@/w/repo/../link"}, 0},
	{"cwd", "@/w/repo/deep", "w/link", {"PWD=w/link"}, 0},
	{"cwd", "@/w/repo/deep", "w/link", {"PWD=@/w/link/"}, 0},
	{"cwd", "/", "/", {"PWD=/"}, 0},
	{"root", "@/w/repo", "w/repo/deep/er", {"PWD=@/w/repo/deep/er"}, 0},
	{"root", "@/w/repo", "w/repo", {NULL}, 0},
	{"root", "@/w/repo/tree", "w/repo/tree/x", {NULL}, 0},
	{"root", "@/w/whole", "w/whole/deep", {"PWD=@/w/whole/deep"}, 0},
	{"root", "@/w/repo", "w/link/er", {"PWD=@/w/link/er"}, 0},
	{"root", "@/w/bare", "w/bare", {"PWD=@/w/bare"}, 0},
	{"root", "@/w/lbare", "w/lbare", {"PWD=@/w/lbare"}, 0},
	{"root", "/", "/", {NULL}, 0},
};

static const char *
fill(const char *s)
{
	static char text[8][20000];
	static int turn;
	char *out = text[turn++ % 8];
	size_t n = 0;

	for (; *s != '\0' && n + sizeof(box_dir) < sizeof(text[0]); s++)
		if (*s == '@')
			n += (size_t)sprintf(out + n, "%s", box_dir);
		else
			out[n++] = *s;
	out[n] = '\0';
	return out;
}

static void
print_list(const struct strs *l, const char *sep)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		printf("%s%s", i > 0 ? sep : "", l->v[i]);
}

static void
answer(const void *arg)
{
	static struct buf b;
	static struct strs l;
	const struct ask *a = arg;
	const char *env[6] = {NULL}, *s = a->what;
	char name[100], suffix[100] = "";
	int i;

	for (i = 0; i < 5 && a->env[i] != NULL; i++)
		env[i] = fill(a->env[i]);
	box_env(env);
	if (a->cd != NULL)
		box_need(chdir(a->cd) == 0, a->cd);
	if (strcmp(s, "dirs") == 0)
		print_list(path_dirs(), ":");
	else if (strncmp(s, "find ", 5) == 0)
		printf("%s", path_find(&b, s + 5) == 0 ? buf_cstr(&b) : "-");
	else if (sscanf(s, "list %99s %99s", name, suffix) > 0)
		path_list(&l, name, suffix), print_list(&l, " ");
	else
		printf("%s",
		    strcmp(s, "config") == 0	? path_config()
			: strcmp(s, "state") == 0 ? path_state()
			: strcmp(s, "data") == 0	? path_data()
			: strcmp(s, "home") == 0	? path_home()
			: strcmp(s, "cwd") == 0	? path_cwd()
						: path_root());
}

/* The search path has the shared directory alone; what needs a home dies. */
static void
homeless(const void *arg)
{
	const char *const none[] = {NULL}, *const rel[] = {"HOME=rel", NULL};

	box_env(arg != NULL ? rel : none);
	printf("%d", path_dirs()->n == 1 && !path_ishome());
	fflush(stdout);
	path_home();
}

static void
gone(const void *arg)
{
	const char *const none[] = {NULL};

	(void)arg;
	box_env(none);
	box_need(mkdir("gone", 0700) == 0 && chdir("gone") == 0
		&& rmdir("../gone") == 0,
	    "gone");
	printf("%s", path_cwd());
}

int
main(void)
{
	static struct buf b;
	struct box_end e;
	size_t i;

	box_enter();
	box_sh("mkdir -p one/r one/sub two/r h/.config/turnpipe c/turnpipe &&"
	       "for f in x.md off r/a.md r/c.md; do echo 1 >one/$f; done &&"
	       "for f in x.md only2 off null sub dangling loop r/a.md r/b.md "
	       "r/c.md r/off.md; do echo 2 >two/$f; done &&"
	       ": >one/off; : >one/r/off.md; echo h >h/.config/turnpipe/x.md;"
	       "echo 1 >one/..x; echo 1 >one/r/.hidden.md;"
	       "echo 1 >one/r/d.txt; mkdir one/r/b.md one/r/dir.md;"
	       "ln -s /dev/null one/null; ln -s nowhere one/dangling;"
	       "ln -s loop one/loop; ln -s x.md one/link");
	box_sh("mkdir -p w/repo/.git w/repo/deep/er w/repo/tree/x w/bare "
	       "w/whole/.git w/whole/deep && ln -s repo/deep w/link &&"
	       "ln -s bare w/lbare && echo gitdir: x >w/repo/tree/.git");
	for (i = 0; i < sizeof(asks) / sizeof(asks[0]); i++) {
		const struct ask *a = &asks[i];

		box_run(&e, answer, a);
		ok(e.status == a->status && strcmp(e.out, fill(a->want)) == 0
			&& e.err[0] == '\0',
		    "%s with %s: want '%s', got '%s'%s", a->what,
		    a->env[0] != NULL ? a->env[0] : "nothing", a->want, e.out,
		    e.err);
	}
	for (i = 0; i < 2; i++) {
		box_run(&e, homeless, i == 0 ? NULL : "rel");
		ok(e.status == 78 && strcmp(e.out, "1") == 0
			&& strcmp(e.err, "turnpipe: HOME: expected an absolute "
			    "path\n") == 0, "%s: %d %s", i == 0 ? "no HOME"
			: "HOME is relative", e.status, e.err);
	}
	box_run(&e, gone, NULL);
	ok(e.status == 66
		&& strcmp(e.err,
		       "turnpipe: working directory: "
		       "No such file or directory\n")
		    == 0,
	    "a directory that is gone: %d %s", e.status, e.err);
	setenv("HOME", box_dir, 1); /* the caller's may not be readable */
	buf_puts(&b, "old");
	ok(path_find(&b, "no-such-file-anywhere") == -2 && b.n == 0,
	    "nothing found, nothing left in the buffer");
	box_leave();
	return done_testing();
}
