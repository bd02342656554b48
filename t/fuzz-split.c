/*
 * fuzz-split SECONDS STUB [SEED]: random shell lines, made of pieces and of
 * the hostile ones.  What the judge allows by narrow rules is run in dash and
 * bash where a touched file is seen and each program logs its arguments: they
 * must be those of a command that the splitter found.  STUB is this program,
 * built without sanitizers.
 */
#include "shellbox.h"

#include "clock.h"
#include "file.h"
#include "json.h"
#include "permit.h"
#include "split.h"

static const char *const pieces[] = { "git", "status", "ls", "cat", "echo",
	"wc", "a", "b", "x", "src/a", "src/x", "touch", "DEED", "touch DEED",
	"./run", "run", " ", " ", " ", " ", "\t", "\n", ";", "&", "&&", "|",
	"||", "(", ")", "{", "}", "<", ">", ">>", "<<", "<<E", "E", "2>&1",
	">/dev/null", "1", "2", "0", "10", "$", "$?", "$x", "$(", "`", "'",
	"'", "\"", "\"", "\\", "\\\\", "\\\n", "#", " #", "*", "src/*", "?",
	"[", "]", "!", "~", "=", "-", "--", "+", ".", "..", "/", ":", ",", "%",
	"@", "^", "if", "then", "fi", "do", "done", "for", "in", "case",
	"esac", "while", "time", "function", "[[", "]]", "((", "))", "eval",
	"exec", "cd", "sub", "test", "printf", "-v", "x=1", "PATH=.", "alias",
	"\r", "\v", "\f", "\001", "\033", "\302\240", "\303\251", "\342\200\213",
	"\377", "$'", "$\"", "${", "<(", ">(", "&>", "|&", ";;", "<>", ">|",
	">&", "<&", "{a,b}", "coproc", "!(", "@(", "history", "\\;", "\\'" };

static const char *const rules[] = { "shell(git status*)", "shell(ls*)",
	"shell(cat src/*)", "shell(echo*)", "shell(wc *)", "shell(a*)",
	"shell(printf *)", "shell(test *)", "shell([ *)", "shell(cd *)",
	"shell(> build/*)", "shell(< src/*)", "shell(b x *)" };

static const char *const starts[] = { "git status ", "ls ", "echo x ", "wc a ",
	"a ", "cat src/a ", "echo $? ", "ls && ", "test x ", "cd sub; ls ",
	"ls src/* ", "echo 'a' \"b\" ", "b x ", "ls >build/x ", "[ x ] ",
	"ls 2>&1 | wc ", "printf x " };

static uint64_t state;

static size_t
any(size_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (size_t)(state % n);
}

static void
make_line(struct buf *b, const struct strs *seeds)
{
	size_t n, at;
	const char *piece;

	buf_reset(b);
	if (any(4) == 0)
		buf_puts(b, seeds->v[any(seeds->n)]);
	else if (any(2) == 0)
		buf_puts(b, starts[any(sizeof(starts) / sizeof(*starts))]);
	for (n = 1 + any(b->n > 0 ? 4 : 14); n > 0; n--) {
		piece = pieces[any(sizeof(pieces) / sizeof(*pieces))];
		at = b->n > 0 && any(3) == 0 ? any(b->n) : b->n;
		if (any(6) == 0 && b->n > at) {
			memmove(b->p + at, b->p + at + 1, b->n - at - 1);
			b->n--;
			continue;
		}
		buf_room(b, strlen(piece));
		memmove(b->p + at + strlen(piece), b->p + at, b->n - at);
		memcpy(b->p + at, piece, strlen(piece));
		b->n += strlen(piece);
		if (b->n > 0 && at == b->n - strlen(piece) && any(2) == 0)
			buf_putc(b, ' ');
	}
}

/* May the shell have made arg of word? */
static int
same(const char *word, const char *arg)
{
	const char *at = strchr(word, SPLIT_ANY);

	return at == NULL ? strcmp(word, arg) == 0
			  : strncmp(word, arg, (size_t)(at - word)) == 0;
}

/* Do the words from i on say the arguments from k on? */
static int
said(const struct part *p, size_t i, char *const *argv, size_t argc, size_t k)
{
	if (i == p->words.n)
		return k == argc;
	for (; k < argc && same(p->words.v[i], argv[k]); k++) {
		if (said(p, i + 1, argv, argc, k + 1))
			return 1;
		if (strchr(p->words.v[i], SPLIT_ANY) == NULL)
			break;
	}
	return 0;
}

static int
log_fits(const struct split *l)
{
	static struct buf log;
	char *argv[64];
	size_t argc = 0, i, k;

	buf_reset(&log);
	if (file_read(shellbox_log, &log, 1 << 20) != FILE_OK)
		return 1; /* it ran nothing */
	for (i = 0; i < log.n; i += strlen(log.p + i) + 1) {
		if (strcmp(log.p + i, "\n") != 0) {
			if (argc == 64)
				return 1;
			argv[argc++] = log.p + i;
			continue;
		}
		for (k = 0; k < l->n && !said(&l->v[k], 0, argv, argc, 0);
		     k++)
			continue;
		if (k == l->n)
			return 0;
		argc = 0;
	}
	return argc == 0;
}

static void
seeds_read(struct strs *seeds)
{
	static struct buf all, text;
	static struct json j;
	char *s, *nl, *line;

	box_need(file_read("t/data/shell/hostile.jsonl", &all, 1 << 20)
	    == FILE_OK, "hostile.jsonl");
	for (s = buf_cstr(&all); (nl = strchr(s, '\n')) != NULL; s = nl + 1) {
		buf_reset(&text);
		buf_add(&text, s, (size_t)(nl - s));
		box_need(json_parse(&j, buf_cstr(&text), text.n) == 0, "JSON");
		line = json_dup(&j, json_get(&j, 0, "line"));
		if (line != NULL)
			strs_add(seeds, line);
		free(line);
	}
}

int
main(int argc, char **argv)
{
	static struct permit p;
	static struct split l;
	struct permit_call c = { "shell", NULL, NULL, NULL, NULL };
	static struct strs seeds;
	static struct buf line;
	char path[2200], cwd[2000];
	long long end;
	unsigned long lines = 0, read = 0, allowed = 0, ran = 0;
	size_t i;
	int k, bad = 0;

	if (getenv("SHELLBOX_LOG") != NULL)
		return shellbox_stub(argc, argv);
	if (argc < 3) {
		puts("1..0 # SKIP driven by make fuzz");
		return 0;
	}
	end = clock_ms() + 1000 * atoll(argv[1]);
	state = argc > 3 ? (uint64_t)atoll(argv[3]) | 1
			 : (uint64_t)end | 1;
	printf("seed %llu\n", (unsigned long long)state);
	fflush(stdout);
	box_need(getcwd(cwd, sizeof(cwd)) != NULL, "getcwd");
	snprintf(path, sizeof(path), "%s/share", cwd);
	box_need(setenv("TURNPIPE_PATH", path, 1) == 0, "setenv");
	seeds_read(&seeds);
	snprintf(path, sizeof(path), "%s/%s", cwd, argv[2]);
	for (i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		strs_add(&p.allow, rules[i]);
	shellbox_enter(path, "git ls cat wc a b x sh bash env find make");
	while (!bad && clock_ms() < end) {
		make_line(&line, &seeds);
		lines++;
		c.command = buf_cstr(&line);
		/* What a C string cannot hold does not come this far. */
		read += split_line(&l, c.command, strlen(c.command)) == 0;
		if (permit_judge(&p, &c, NULL) != PERMIT_ALLOW)
			continue;
		allowed++;
		(void)split_line(&l, c.command, strlen(c.command));
		for (k = 0; k < SHELLBOX_SHELLS; k++) {
			if (!shellbox_has(k))
				continue;
			ran++;
			for (i = 0; i < l.n && l.v[i].writes.n == 0; i++)
				continue;
			/* What is written beneath build/ is no deed. */
			if (i < l.n)
				box_sh("rm -rf build/* && "
				       "ln -s ../sub build/link");
			if ((shellbox_run(k, c.command) && i == l.n)
			    || access("DEED", F_OK) == 0
			    || access("sub/DEED", F_OK) == 0
			    || !log_fits(&l)) {
				printf("a deed in %s: ", shellbox_shells[k]);
				for (i = 0; i < line.n; i++)
					printf("\\x%02x",
					    (unsigned char)line.p[i]);
				printf("\n%s\n", c.command);
				bad = 1;
			}
		}
	}
	printf("%lu lines, %lu read, %lu allowed, %lu runs, %s\n", lines, read,
	    allowed, ran, bad ? "a deed" : "no deed");
	fflush(stdout);
	box_leave();
	return bad;
}
