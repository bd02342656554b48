/*
 * fuzz-frontmatter: random Markdown with front matter.  What is read must be
 * JSON that the gate takes, a mapping, and a body that is the end of the text;
 * what is refused must say where.
 */
#include "fuzz.h"

#include "frontmatter.h"
#include "json.h"

static const char *const pieces[] = { "---\n", "---\n", "---", "--- \r\n",
	"\n", "\n", "\r\n", "  ", "\t", "name: x\n", "a: b: c\n", "a: [x, y]\n",
	"a: [x] y\n", "d: 'it''s'\n", "e: \"\\u00e9\"\n", "f: |\n  x\n", "f: >-\n",
	"  g: h\n", "- i\n", "  - j\n", "a:\n", "k: @l\n", "*m: n\n", "&o p\n",
	"q: !!int 3\n", "r: &s t\n", "u: *s\n", "<<: *s\n", "# v\n", "w: x # y\n",
	"{", "}", "[", "]", ",", ":", "?", "|", ">", "%", "\"", "'", "\\",
	"\357\273\277", "\303\251", "\377", "\342\200\250", "\302\205", "...\n",
	"%YAML 1.2\n", "z: >= 3\n", "a: 007\n", "a: yes\n", "a: .inf\n", "body\n",
	"a: {b: {c: {d: [[[[[[[[e]]]]]]]]}}}\n", "? x\n: y\n", "0x1F: 1\n" };

static int
is_fine(const struct buf *text, const struct frontmatter *f)
{
	static struct json j;
	const struct json *got = &f->yml.json;
	struct span all = json_span(got, 0);

	return json_kind(got, 0) == JSON_OBJECT
	    && json_parse(&j, all.p, all.n) == 0
	    && (f->body.n == 0 || (f->body.p >= text->p
		&& f->body.p + f->body.n == text->p + text->n))
	    && (!f->present || f->yaml.n == 0 || (f->yaml.p >= text->p
		&& f->yaml.p + f->yaml.n <= text->p + text->n));
}

int
main(int argc, char **argv)
{
	static const char *const keep[] = { "name", NULL };
	static struct frontmatter f;
	static struct buf text, front;
	unsigned long texts = 0, read = 0;
	int bad = 0;

	if (!fuzz_begin(argc, argv))
		return 0;
	while (!bad && clock_ms() < fuzz_until) {
		fuzz_text(&text, pieces, sizeof(pieces) / sizeof(*pieces), 16);
		/* Most have a fence at the top. */
		buf_reset(&front);
		if (fuzz_any(5) > 0)
			buf_puts(&front, "---\n");
		if (text.n > 0)
			buf_add(&front, text.p, text.n);
		if (fuzz_any(3) > 0)
			buf_puts(&front, "\n---\nbody");
		f.keep = fuzz_any(2) == 0 ? keep : NULL;
		texts++;
		if (frontmatter_parse(&f, buf_cstr(&front), front.n) == 0) {
			read += f.present != 0;
			if (!is_fine(&front, &f))
				bad = fuzz_bad("read wrongly", &front);
		} else if (f.why == NULL || f.line == 0) {
			bad = fuzz_bad("refused without a place", &front);
		}
	}
	printf("frontmatter: %lu texts, %lu read, %s\n", texts, read,
	    bad ? "a fault" : "no fault");
	return bad;
}
