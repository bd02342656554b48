/*
 * taskfile FILE
 * taskfile -g KEY FILE
 * taskfile -t FILE [OPERAND ...]
 * taskfile -c | -u PROGRAM FILE
 * taskfile -d | -m | -w FILE
 * taskfile -r [-a ANSWER] [-b TIME] [-n STATUS] [-s STATUS] [-S SESSION] FILE
 *
 * - A task file read for turnpipe-task, so that it holds neither YAML nor
 *   JSON: variables to eval, the text, the line for cron, the run's record.
 * - A file is checked as a whole by each of these.
 */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clock.h"
#include "cron.h"
#include "diag.h"
#include "emit.h"
#include "file.h"
#include "match.h"
#include "opt.h"
#include "out.h"
#include "path.h"
#include "settings.h"
#include "task.h"
#include "taskfill.h"
#include "taskrun.h"
#include "toolenv.h"

enum {
	ANSWER_MAX = 16 << 20,
	DUE_GRACE = 300 /* s in which a run that is due has begun */
};

static const char usage[] =
    "usage: taskfile [-d | -g key | -c program | -m | -u program | -w] file\n"
    "       taskfile -t file [operand ...]\n"
    "       taskfile -r [-a answer] [-b time] [-n status] [-s status]\n"
    "                [-S session] file\n"
    "\n"
    "  -a, --answer FILE     what the run answered\n"
    "  -b, --begun TIME      when it began\n"
    "  -c, --cron PROGRAM    print the crontab line that runs it with PROGRAM\n"
    "  -d, --due             print when it was to run and did not, then 1\n"
    "  -g, --get KEY         print a key's value, a list by lines\n"
    "  -m, --mark            print the mark at the end of the crontab line\n"
    "  -n, --notified N      the status of what notify: names\n"
    "  -r, --record          append the run's record to its log\n"
    "  -s, --status N        the run's status; without it, it was lost\n"
    "  -S, --session FILE    the run's session\n"
    "  -t, --text            print what is to be done\n"
    "  -u, --unit PROGRAM    print a systemd service that runs it\n"
    "  -w, --when            print the systemd timer for that service\n";

static const struct option options[] = {
	{"answer", required_argument, NULL, 'a'},
	{"begun", required_argument, NULL, 'b'},
	{"cron", required_argument, NULL, 'c'},
	{"due", no_argument, NULL, 'd'},
	{"get", required_argument, NULL, 'g'},
	{"mark", no_argument, NULL, 'm'},
	{"notified", required_argument, NULL, 'n'},
	{"record", no_argument, NULL, 'r'},
	{"status", required_argument, NULL, 's'},
	{"session", required_argument, NULL, 'S'},
	{"text", no_argument, NULL, 't'},
	{"unit", required_argument, NULL, 'u'},
	{"when", no_argument, NULL, 'w'},
	{NULL, 0, NULL, 0}};

extern char **environ;

static struct task task;

static struct taskrun run = {.status = -1, .notified = -1};

static void
variable(const char *name, const char *value)
{
	static struct buf b;

	buf_printf(&b, "task_%s=", name);
	cron_word(&b, value == NULL ? "" : value, 0);
	buf_putc(&b, '\n');
	out_add(b.p, b.n);
	buf_reset(&b);
}

static void
variables(void)
{
	static const char *const keys[] = {
	    "agent", "ask_later", "max_seconds", "may_be_empty", "model", "notify",
	    "output", "profile", "rounds", "schema", "until"};
	static struct buf state;
	char *value;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		value = task_get(&task, keys[i]);
		variable(keys[i], value);
		free(value);
	}
	task_state(&task, &state, "");
	variable("file", task.path);
	variable("name", task.name);
	variable("state", buf_cstr(&state));
}

static int
get(const char *key)
{
	static struct strs l;
	size_t i;
	int found = task_list(&task, key, &l);

	for (i = 0; i < l.n; i++) {
		out_add(l.v[i], strlen(l.v[i]));
		out_add("\n", 1);
	}
	return found ? 0 : EXIT_NO;
}

/* Drop the directories of a PATH that stand in it before, and empty ones. */
static void
drop_repeated(char *path)
{
	const char *from = path, *p, *end;
	char *to = path;
	size_t n, len;

	for (;; from += n + 1) {
		n = strcspn(from, ":");
		for (p = path; p < to; p += len + 1) {
			end = memchr(p, ':', (size_t)(to - p));
			len = (size_t)((end != NULL ? end : to) - p);
			if (len == n && memcmp(p, from, n) == 0)
				break;
		}
		end = from + n;
		if (p >= to && n > 0) {
			if (to > path)
				*to++ = ':';
			memmove(to, from, n);
			to += n;
		}
		if (*end == '\0')
			break;
	}
	*to = '\0';
}

/*
 * The environment that the task needs as it has it here; keys stay out.  In a
 * crontab line, or as lines of a unit.
 */
static void
put_env(struct buf *b, int unit)
{
	static struct strs env, globs;
	char **e, *eq;
	size_t i;

	settings_strs("task.env", &globs);
	toolenv_pass(&env, &globs);
	strs_sort(&env);
	for (i = 0; i < env.n; i++) {
		eq = strchr(env.v[i], '=');
		*eq = '\0';
		if (!toolenv_goes(env.v[i], TOOLENV_TASK))
			continue;
		if (strchr(eq + 1, '\n') != NULL)
			die(EX_DATAERR, "%s: a %s holds no newline",
			    env.v[i], unit ? "unit" : "crontab");
		if (strcmp(env.v[i], "PATH") == 0)
			drop_repeated(eq + 1);
		if (unit) {
			*eq = '=';
			buf_puts(b, "Environment=");
			cron_unitword(b, env.v[i], 0);
			buf_putc(b, '\n');
			continue;
		}
		buf_printf(b, "%s=", env.v[i]);
		cron_word(b, eq + 1, 1);
		buf_putc(b, ' ');
	}
	for (e = environ; *e != NULL; e++)
		if (match_name("*_API_KEY=?*", *e))
			warn("%.*s is not put into the line: a key belongs "
			     "into %s/keys", (int)strcspn(*e, "="), *e,
			    path_config());
}

static char *
schedule(void)
{
	char *when = task_schedule(&task);

	if (when == NULL)
		die_at(EX_DATAERR, task.path, 1, 1, "expected a schedule");
	return when;
}

/* By it the line of this task is found again: a comment to the shell. */
static void
mark(struct buf *b)
{
	static struct buf name;
	const char *s;

	task_state(&task, &name, "");
	buf_puts(b, " # turnpipe:");
	for (s = file_name(buf_cstr(&name)); *s != '\0'; s++)
		buf_putc(b, *s == '%' || *s == '#' ? '_' : *s);
	buf_reset(&name);
}

static void
put_mark(void)
{
	static struct buf b;

	mark(&b);
	buf_putc(&b, '\n');
	out_add(b.p, b.n);
}

/* Without quotes. */
static void
unit_text(struct buf *b, const char *s)
{
	for (; *s != '\0'; s++) {
		if (*s == '%')
			buf_putc(b, '%');
		buf_putc(b, *s);
	}
}

static void
service(const char *program)
{
	static struct buf b;
	const char *limit;

	buf_puts(&b, "[Unit]\nDescription=turnpipe task ");
	unit_text(&b, task.name);
	/* Another run is under way: not a failure. */
	buf_puts(&b, "\n\n[Service]\nType=oneshot\n"
		     "Environment=TURNPIPE_BUSY=0\nWorkingDirectory=");
	unit_text(&b, path_cwd());
	buf_putc(&b, '\n');
	put_env(&b, 1);
	limit = settings_str("task.memory_max");
	if (limit != NULL && *limit != '\0') {
		buf_puts(&b, "MemoryMax=");
		unit_text(&b, limit);
		buf_putc(&b, '\n');
	}
	buf_puts(&b, "ExecStart=");
	cron_unitword(&b, program, 1);
	buf_puts(&b, " -T ");
	cron_unitword(&b, task.path, 1);
	buf_putc(&b, '\n');
	if (strchr(task.path, '\n') != NULL || strchr(path_cwd(), '\n') != NULL)
		die(EX_DATAERR, "a unit holds no newline");
	out_add(b.p, b.n);
}

static void
timer(void)
{
	static struct buf b;
	static char *when;

	when = schedule();
	buf_puts(&b, "[Unit]\nDescription=turnpipe task ");
	unit_text(&b, task.name);
	buf_puts(&b, "\n\n[Timer]\nAccuracySec=1s\nPersistent=true\n");
	cron_timer(&b, when);
	buf_puts(&b, "\n[Install]\nWantedBy=timers.target\n");
	out_add(b.p, b.n);
}

static void
crontab(const char *program)
{
	static struct buf b, log;
	static char *when;

	when = schedule();
	task_state(&task, &log, ".log");
	if (file_mkparent(buf_cstr(&log)) < 0)
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&log));
	buf_printf(&b, "%s cd ", when);
	cron_word(&b, path_cwd(), 1);
	buf_puts(&b, " && ");
	put_env(&b, 0);
	buf_puts(&b, "TURNPIPE_BUSY=0 ");
	cron_word(&b, program, 1);
	buf_puts(&b, " -T ");
	cron_word(&b, task.path, 1);
	buf_puts(&b, " >>");
	cron_word(&b, buf_cstr(&log), 1);
	/*
	 * What fails is mailed: cron does so where something is printed.
	 */
	buf_puts(&b, " 2>&1 || tail -n 1 ");
	cron_word(&b, buf_cstr(&log), 1);
	mark(&b);
	if (strchr(buf_cstr(&b), '\n') != NULL)
		die(EX_DATAERR, "a crontab holds no newline");
	if (b.n > CRON_LINE)
		warn("the line has %zu bytes; some crons take at most %d",
		    b.n, CRON_LINE);
	out_record(&b);
}

/* Was it to run since it was installed, or its last run, and did not? */
static int
due(void)
{
	static const char *const marks[] = {".since", ".jsonl", ".run"};
	static struct buf b;
	static char *when;
	time_t last, since = 0;
	struct stat st;
	size_t i;

	for (i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		buf_reset(&b);
		task_state(&task, &b, marks[i]);
		if (stat(buf_cstr(&b), &st) == 0 && st.st_mtime > since)
			since = st.st_mtime;
	}
	buf_reset(&b);
	buf_printf(&b, "%s: did not run at ", task.path);
	clock_local(&b, clock_now(), ""); /* the time zone */
	when = schedule();
	last = cron_last(when, clock_now() - DUE_GRACE);
	if (last <= since)
		return 0;
	clock_local(&b, last, "%Y-%m-%d %H:%M");
	out_record(&b);
	return EXIT_NO;
}

int
main(int argc, char **argv)
{
	static struct buf text;
	const char *key = NULL, *program = NULL;
	int c, st = 0, what = 0;

	prog = "taskfile";
	opt_set = settings_set;
	while ((c = opt_next(argc, argv, "a:b:c:dg:mn:rs:S:tu:w", options, usage))
	    != -1)
		switch (c) {
		case 'a': run.answer = optarg; break;
		case 'b': run.begun = optarg; break;
		case 'c': what = c; program = optarg; break;
		case 'g': what = c; key = optarg; break;
		case 'u': what = c; program = optarg; break;
		case 'n': run.notified = opt_int("-n", optarg, 0, 255); break;
		case 's': run.status = opt_int("-s", optarg, 0, 255); break;
		case 'S': run.session = optarg; break;
		default: what = c; break;
		}
	if (what == 't' ? argc - optind < 1 : argc - optind != 1)
		opt_die(usage, "expected one file");
	task_read(&task, argv[optind]);
	/* What runs unattended must not run by another clock. */
	if ((what == 0 || what == 'c' || what == 'u')
	    && clock_unknown() != NULL)
		die(EX_CONFIG, "TZ: expected a time zone such as "
		    "Europe/Warsaw, not '%.60s'", clock_unknown());
	switch (what) {
	case 'c': crontab(program); break;
	case 'd': st = due(); break;
	case 'g': st = get(key); break;
	case 'm': put_mark(); break;
	case 'u': service(program); break;
	case 'w': timer(); break;
	case 'r': taskrun_log(&run, &task); break;
	case 't':
		taskfill(&text, &task, argc - optind - 1, argv + optind + 1);
		buf_putc(&text, '\n');
		out_add(text.p, text.n);
		break;
	default: variables(); break;
	}
	out_end();
	return st;
}
