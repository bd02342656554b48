/*
 * yamlparse FILE...
 *
 * A step of the build, not installed: prints the C source of yamlparsed.h's
 * table for these YAML files, and for the front matter of those called *.md.
 * A file that is not good YAML is left out, because the command that reads
 * it reports that.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "file.h"
#include "frontmatter.h"
#include "yamlfile.h"

enum { MARK_MAX = 65535 };

static void
print_bytes(const char *name, size_t i, const char *p, size_t n)
{
	size_t k;

	printf("static const unsigned char %s%zu[] = {", name, i);
	for (k = 0; k < n; k++)
		printf("%d,", (unsigned char)p[k]);
	puts("0};");
}

static void
print_marks(size_t i, const struct yamlfile *y)
{
	size_t k;

	printf("static const unsigned short marks%zu[] = {", i);
	for (k = 0; k < y->json.ntok; k++)
		printf("%zu,%zu,", y->marks[k].line, y->marks[k].col);
	puts("0};");
}

static int
fit(const struct yamlfile *y)
{
	size_t k;

	for (k = 0; k < y->json.ntok; k++)
		if (y->marks[k].line > MARK_MAX || y->marks[k].col > MARK_MAX)
			return 0;
	return 1;
}

/* Print the data of one file, and add its entry to the table. */
static int
print_text(struct buf *table, size_t i, const char *name, struct span s,
    int mode)
{
	static struct yamlfile y;

	if (yamlfile_parse(&y, s.p, s.n, mode) < 0 || y.repeat.line > 0
	    || !fit(&y))
		return 0;
	print_bytes("text", i, s.p, s.n);
	print_bytes("json", i, y.json.s, y.json.n);
	print_marks(i, &y);
	buf_printf(table, "\t{\"%s\", text%zu, json%zu, marks%zu, %zu, %zu, "
	    "%zu, %d},\n", name, i, i, i, s.n, y.json.n, y.json.ntok, mode);
	return 1;
}

int
main(int argc, char **argv)
{
	static struct frontmatter front;
	static struct buf table, text;
	struct span yaml;
	size_t n = 0, len;
	int mode;

	prog = "yamlparse";
	puts("/* Made by cmd/text/yamlparse. */\n#include \"yamlparsed.h\"");
	for (argv++; argc > 1 && *argv != NULL; argv++) {
		buf_reset(&text);
		if (file_read(*argv, &text, YAMLFILE_MAX) != FILE_OK)
			die(EX_NOINPUT, "%s: cannot be read", *argv);
		yaml = buf_view(&text);
		mode = YAMLFILE_STRICT;
		len = strlen(*argv);
		if (len > 3 && strcmp(*argv + len - 3, ".md") == 0) {
			if (frontmatter_parse(&front, text.p, text.n) < 0
			    || !front.present)
				continue;
			yaml = front.yaml;
			mode = YAMLFILE_LENIENT;
		}
		n += (size_t)print_text(&table, n, *argv, yaml, mode);
	}
	printf("const struct yamlparsed yamlparsed[] = {\n%s"
	    "\t{0, 0, 0, 0, 0, 0, 0, 0}};\n"
	    "const size_t yamlparsed_n = %zu;\n", buf_cstr(&table), n);
	buf_free(&table);
	buf_free(&text);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : EX_IOERR;
}
