/*
 * mdterm: Markdown to a terminal, as it streams.
 *
 * A line is shown as far as its form is certain: what begins a span waits for
 * its end, for a line at most, a table for its last row.  A marker without a
 * partner stays text, so that nothing is lost.  Lines stay lines: what was
 * written as two is not joined.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "buf.h"
#include "child.h"
#include "diag.h"
#include "env.h"
#include "fd.h"
#include "joiner.h"
#include "json.h"
#include "opt.h"
#include "out.h"
#include "record.h"
#include "sources.h"
#include "terminal.h"
#include "utf8.h"

static const char usage[] =
    "usage: mdterm [-p] [-w columns] [-s fd [-c command]]\n"
    "\n"
    "Show Markdown on a terminal while it streams.\n"
    "\n"
    "  -c, --command=COMMAND  with -s: answers go through it, when they are whole\n"
    "  -p, --plain            the text as it is, cleaned\n"
    "  -s, --stream=FD        the input is records; answers are shown on FD\n"
    "  -w, --width=COLUMNS    of a row; those of the terminal\n";

static const struct option options[] = {
    {"command", required_argument, NULL, 'c'},
    {"plain", no_argument, NULL, 'p'},
    {"stream", required_argument, NULL, 's'},
    {"width", required_argument, NULL, 'w'}, {NULL, 0, NULL, 0}};

enum {
	SPAN_MAX = 1024, /* bytes that wait for the end of a span */
	TABLE_MAX = 1 << 16, /* bytes of a table */
	CELLS_MAX = 64,
	CELL_MIN = 6, /* columns that a cell of several rows has */
	WIDTH_MAX = 10000
};

enum { BOLD = 1, DIM = 2, ITALIC = 4, UNDER = 8, STRIKE = 16, CODE = 32 };

enum mode { TEXT, VERBATIM, NOTHING };

/* The line that is read. */
static struct buf raw, text; /* as it came; cleaned */
static size_t cleaned; /* bytes of raw that are in text */
static size_t at; /* what of text is shown */
static int began; /* its form is known: */
static enum mode mode;
static int base; /* its style */
static struct buf first, hang; /* what its rows begin with, and how wide */
static size_t width;

/* The lines before it. */
static char fence; /* its character, or 0 */
static size_t fence_len, fence_quotes;
static size_t list; /* column where the text of the last item stands */
static int blank = 1, indented;
static struct strs rows; /* of a table that is not whole, and its place */
static struct buf table_first;
static size_t rows_bytes, rows_quotes, rows_width;

/* What is written. */
static struct buf row, word, cells[CELLS_MAX];
static struct buf *to = &row;
static size_t cols, fixed, col, blanks, word_width, cell_cols;
static int shown, blanks_style, word_style, last_style, long_word;
static int plain, screen = STDOUT_FILENO;

static void
put_style(struct buf *b, int style)
{
	static const char *const codes[] = {"1", "2", "3", "4", "9", "36"};
	size_t i;

	buf_puts(b, "\033[0");
	for (i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		if (style & 1 << i)
			buf_printf(b, ";%s", codes[i]);
	buf_putc(b, 'm');
}

static void
set_style(int style)
{
	if (style != shown)
		put_style(to, style);
	shown = style;
}

/* Write the word, in the next row if this one has no room for it. */
static void
end_word(void)
{
	if (word.n == 0)
		return;
	if (!long_word && to == &row && col > width &&
	    col + blanks + word_width > cols) {
		set_style(0);
		buf_putc(to, '\n');
		buf_span(to, buf_view(&hang));
		col = width;
	} else if (to != &row && col > 0 &&
		   col + blanks + word_width > cell_cols) {
		set_style(0);
		buf_printf(to, "%*s\n", (int)(cell_cols - col), "");
		col = 0;
	} else if (blanks > 0) {
		set_style(blanks_style);
		buf_printf(to, "%*s", (int)blanks, "");
		col += blanks;
	}
	blanks = 0;
	set_style(word_style);
	buf_span(to, buf_view(&word));
	shown = last_style;
	col += word_width;
	buf_reset(&word);
	word_width = 0;
}

static void
put(const char *s, size_t n, int style)
{
	size_t k;
	uint32_t c;
	int w;

	for (; n > 0; s += k, n -= k) {
		k = utf8_get(s, n, &c);
		if (*s == ' ' || *s == '\t') {
			end_word();
			long_word = 0;
			blanks += *s == '\t' ? 4 : 1;
			blanks_style = style;
			continue;
		}
		w = terminal_width(c);
		if (w == 2) {
			end_word();
			long_word = 0;
		}
		if (to != &row && w > 0 && word_width + (size_t)w > cell_cols)
			end_word();
		if (word.n == 0)
			word_style = style;
		else if (last_style != style)
			put_style(&word, style);
		last_style = style;
		buf_add(&word, s, k);
		word_width += (size_t)w;
		/* No row holds it: it begins one, and the terminal cuts it. */
		if (to == &row && word_width + width > cols) {
			end_word();
			long_word = 1;
		}
	}
}

static void
end_row(void)
{
	end_word();
	set_style(0);
	buf_putc(to, '\n');
	col = blanks = 0;
	long_word = 0;
}

static int
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static size_t
run(const char *s, size_t n, size_t i)
{
	size_t k = i;

	while (k < n && s[k] == s[i])
		k++;
	return k - i;
}

/* May the run of k delimiters at i open a span, may it close one? */
static void
flanks(const char *s, size_t n, size_t i, size_t k, int *opens, int *closes)
{
	char before = i > 0 ? s[i - 1] : ' ',
	     after = i + k < n ? s[i + k] : ' ';
	int pb = ispunct((unsigned char)before) != 0;
	int pa = ispunct((unsigned char)after) != 0;
	int left = !is_blank(after) && (!pa || is_blank(before) || pb);
	int right = !is_blank(before) && (!pb || is_blank(after) || pa);

	*opens = left && (s[i] != '_' || !right || pb);
	*closes = right && (s[i] != '_' || !left || pa);
}

/* What a search finds: where, or one of these. */
#define NOT_THERE ((size_t)-1)
#define NOT_YET ((size_t)-2)

/* Of each that ends a span: from .. at of s has none, looked at once. */
static const char ends[] = "*_~";
static struct {
	const char *s;
	size_t n, from, at;
} none[sizeof(ends) - 1];

/* Does nothing end a span of c from i to end?  Then as a search; else 0. */
static size_t
no_end(const char *s, size_t n, size_t i, size_t end, char c, int whole)
{
	size_t k = (size_t)(strchr(ends, c) - ends), r;
	int opens, closes;

	if (none[k].s == s && none[k].n == n && i >= none[k].from &&
	    i <= none[k].at)
		i = none[k].at;
	else
		none[k].from = i;
	none[k].s = s;
	none[k].n = n;
	for (; i < n && i < end; i += r) {
		r = s[i] == '\\' ? 2 : s[i] == c ? run(s, n, i) : 1;
		closes = s[i] == c;
		if (closes && i + r < n)
			flanks(s, n, i, r, &opens, &closes);
		if (closes)
			break;
	}
	none[k].at = i;
	if (i < n && i < end)
		return 0;
	return i >= end || whole ? NOT_THERE : NOT_YET;
}

/* The run of k backquotes that ends what one begins, from i on. */
static size_t
code_end(const char *s, size_t n, size_t i, size_t k, int whole)
{
	size_t end = i + SPAN_MAX, r;

	for (; i < n && i < end; i += r) {
		r = s[i] == '`' ? run(s, n, i) : 1;
		if (s[i] == '`' && i + r == n && !whole)
			return NOT_YET;
		if (s[i] == '`' && r == k)
			return i;
	}
	return i >= end || whole ? NOT_THERE : NOT_YET;
}

/* Where the k delimiters stand that end what s[from - 1] begins. */
static size_t
span_end(const char *s, size_t n, size_t from, size_t k, int whole)
{
	size_t i = from, end = from + SPAN_MAX, r, inner = 0, e;
	char c = s[from - 1];
	int opens, closes;

	if ((e = no_end(s, n, i, end, c, whole)) != 0)
		return e;
	for (; i < n && i < end; i += r) {
		r = 1;
		if (s[i] == '\\') {
			r = 2;
		} else if (s[i] == '`') {
			r = run(s, n, i);
			e = code_end(s, n, i + r, r, whole);
			if (e == NOT_YET)
				return NOT_YET;
			if (e != NOT_THERE)
				r = e + r - i;
		} else if (s[i] == c) {
			r = run(s, n, i);
			if (i + r == n && !whole)
				return NOT_YET;
			flanks(s, n, i, r, &opens, &closes);
			if (closes && inner > 0 && r == inner + k)
				return i + inner;
			if (closes && r == k && inner != r)
				return i;
			if (closes && inner > 0)
				inner -= r < inner ? r : inner;
			else if (opens)
				inner += r;
		}
	}
	return i >= end || whole ? NOT_THERE : NOT_YET;
}

/* Of each bracket in from .. to of s the one that ends it, if one does. */
enum { RING = 4 * SPAN_MAX };
static struct {
	const char *s;
	size_t from, to, open[2], below[RING], end[RING];
} pairs;

/* The bracket that ends the one at i; else as a search. */
static size_t
bracket_end(const char *s, size_t n, size_t i, int whole)
{
	static const char kinds[] = "[]()";
	size_t last = i + 1 + SPAN_MAX, *open, end, k;
	const char *kind;

	if (pairs.s != s || i < pairs.from || i > pairs.to) {
		pairs.s = s;
		pairs.from = pairs.to = i;
		pairs.open[0] = pairs.open[1] = NOT_THERE;
	}
	for (; (k = pairs.to) < n && k < last; pairs.to++) {
		pairs.to += s[k] == '\\';
		kind = memchr(kinds, s[k], 4);
		if (kind == NULL)
			continue;
		open = &pairs.open[(kind - kinds) / 2];
		if (s[k] == '[' || s[k] == '(') {
			pairs.below[k % RING] = *open;
			pairs.end[k % RING] = 0;
			*open = k;
		} else if (*open != NOT_THERE && k - *open > SPAN_MAX) {
			*open = NOT_THERE; /* and so are those below it */
		} else if (*open != NOT_THERE) {
			pairs.end[*open % RING] = k;
			*open = pairs.below[*open % RING];
		}
	}
	end = pairs.end[i % RING];
	if (end > i && end < n && end < last)
		return end;
	return pairs.to >= last || whole ? NOT_THERE : NOT_YET;
}

static void
forget(void)
{
	memset(none, 0, sizeof(none));
	pairs.s = NULL;
}

static size_t show_spans(
    const char *s, size_t n, size_t i, int style, int whole);

/* A link or picture that begins at i: where it ends; else as a search. */
static size_t
show_link(const char *s, size_t n, size_t i, int style, int whole)
{
	size_t from = i + (s[i] == '!') + 1, t, e;

	if (from > n || (s[from - 1] != '[' && from <= n))
		return NOT_THERE;
	t = bracket_end(s, n, from - 1, whole);
	if (t == NOT_THERE || t == NOT_YET)
		return t;
	if (t + 1 >= n)
		return whole ? NOT_THERE : NOT_YET;
	if (s[t + 1] != '(' || t == from)
		return NOT_THERE;
	e = bracket_end(s, n, t + 1, whole);
	if (e == NOT_THERE || e == NOT_YET)
		return e;
	show_spans(s, t, from, style | UNDER, 1);
	if (e - t - 2 != t - from ||
	    memcmp(s + from, s + t + 2, t - from) != 0) {
		put(" (", 2, style | DIM);
		put(s + t + 2, e - t - 2, style | DIM);
		put(")", 1, style | DIM);
	}
	return e + 1;
}

/* A span that begins with the run of r delimiters at i: the same. */
static size_t
show_span(const char *s, size_t n, size_t i, size_t r, int style, int whole)
{
	static const int styles[] = {ITALIC, BOLD, BOLD | ITALIC};
	size_t e, from = i + r;
	int opens, closes;

	if (from == n && !whole)
		return NOT_YET;
	if (s[i] == '`') {
		e = code_end(s, n, from, r, whole);
		if (e == NOT_THERE || e == NOT_YET)
			return e;
		put(s + from, e - from, style | CODE);
		return e + r;
	}
	flanks(s, n, i, r, &opens, &closes);
	if (!opens || r > 3 || (s[i] == '~' && r != 2))
		return NOT_THERE;
	e = span_end(s, n, from, r, whole);
	if (e == NOT_THERE || e == NOT_YET)
		return e;
	show_spans(
	    s, e, from, style | (s[i] == '~' ? STRIKE : styles[r - 1]), 1);
	return e + r;
}

/* The length of an address at i, which has no spans in it; 0 if none is. */
static size_t
address(const char *s, size_t n, size_t i)
{
	size_t k = i;

	if (n - i < 8 || (memcmp(s + i, "http://", 7) != 0 &&
			     memcmp(s + i, "https://", 8) != 0))
		return 0;
	while (k < n && k - i < SPAN_MAX && !is_blank(s[k]) &&
	       strchr("<>()[]`*", s[k]) == NULL)
		k++;
	return k - i;
}

/*
 * Show what stands from i on as far as it is certain; returns up to where.
 * whole: nothing follows.
 */
static size_t
show_spans(const char *s, size_t n, size_t i, int style, int whole)
{
	size_t e, r;

	for (; i < n; i = e) {
		e = i + 1;
		r = 1;
		if (s[i] == '\\') {
			if (e == n && !whole)
				return i;
			if (e < n && ispunct((unsigned char)s[e]))
				i = e++;
		} else if (strchr("*_~`", s[i]) != NULL) {
			r = run(s, n, i);
			e = show_span(s, n, i, r, style, whole);
		} else if (s[i] == '[' || s[i] == '!') {
			if (e == n && !whole)
				return i;
			e = show_link(s, n, i, style, whole);
		} else if (s[i] == 'h') {
			if (n - i < 8 && !whole &&
			    memcmp(s + i, "https://", n - i) == 0)
				return i;
			r = address(s, n, i);
			if (i + r == n && r > 0 && r < SPAN_MAX && !whole)
				return i;
			r += r == 0;
			e = NOT_THERE;
		} else {
			while (e < n && strchr("\\*_~`[!h", s[e]) == NULL)
				e++;
			put(s + i, e - i, style);
			continue;
		}
		if (e == NOT_YET)
			return i;
		if (e == NOT_THERE || e == i + 1) {
			put(s + i, r, style);
			e = i + r;
		}
	}
	return i;
}

/* The cells of a row of a table. */
static void
split_cells(struct strs *l, const char *s)
{
	struct buf b = {0};
	struct span v;

	strs_reset(l);
	for (s += *s == '|'; *s != '\0'; s++) {
		if (*s == '\\' && s[1] == '|')
			buf_putc(&b, *++s);
		else if (*s != '|')
			buf_putc(&b, *s);
		if (*s == '|' && s[-1] != '\\') {
			v = span_trim(buf_view(&b));
			strs_addn(l, v.p, v.n);
			buf_reset(&b);
		}
	}
	v = span_trim(buf_view(&b));
	if (v.n > 0)
		strs_addn(l, v.p, v.n);
	buf_free(&b);
}

/* The line below the head: -1 right, 0 left, 1 middle into sides. */
static int
is_delimiter(const struct strs *l, size_t n, int *sides)
{
	size_t i, k, m;
	const char *s;

	for (i = 0; i < l->n; i++) {
		s = l->v[i];
		m = strlen(s);
		k = s[0] == ':';
		k += strspn(s + k, "-");
		if (k == (size_t)(s[0] == ':') || k + (s[k] == ':') != m)
			return 0;
		sides[i] = s[k] != ':' ? 0 : s[0] == ':' ? 1 : -1;
	}
	return l->n == n;
}

/* A cell of so many columns into cells[i]; returns those of its last row. */
static size_t
show_cell(const struct strs *l, size_t i, size_t columns, int style)
{
	const char *s = i < l->n ? l->v[i] : "";
	size_t n;

	forget();
	buf_reset(&cells[i]);
	to = &cells[i];
	cell_cols = columns;
	col = 0;
	show_spans(s, strlen(s), 0, style, 1);
	end_word();
	blanks = 0;
	set_style(0);
	to = &row;
	n = col;
	col = 0;
	return n;
}

/*
 * Is what waits a table that fits?  The columns of its cells, their sides; the
 * widest have several rows.
 */
static int
measure(size_t *w, int *sides, size_t *n)
{
	static struct strs l;
	size_t i, k, m, sum;

	if (rows.n < 2)
		return 0;
	split_cells(&l, rows.v[0]);
	k = l.n;
	split_cells(&l, rows.v[1]);
	if (k == 0 || k > CELLS_MAX || l.n > CELLS_MAX ||
	    !is_delimiter(&l, k, sides))
		return 0;
	for (*n = i = 0; i < rows.n; i++) {
		if (i == 1)
			continue;
		split_cells(&l, rows.v[i]);
		if (l.n > CELLS_MAX)
			return 0;
		for (; *n < l.n; ++*n) {
			w[*n] = 1;
			sides[*n] = *n < k ? sides[*n] : 0;
		}
		for (k = 0; k < l.n; k++)
			if ((m = show_cell(&l, k, TABLE_MAX, 0)) > w[k])
				w[k] = m;
	}
	for (sum = rows_width, i = 0; i < *n; i++)
		sum += w[i] + (i > 0 ? 3 : 0);
	for (; sum > cols; sum--) {
		for (k = 0, i = 1; i < *n; i++)
			if (w[i] > w[k])
				k = i;
		if (w[k] <= CELL_MIN)
			return 0;
		w[k]--;
	}
	return 1;
}

static void
put_line(size_t n, const char *mark)
{
	while (n-- > 0)
		buf_puts(&row, mark);
}

/* A row of a table that fits: its cells side by side. */
static void
show_cells(const char *line, const size_t *w, const int *sides, size_t n,
    int style)
{
	static struct strs l;
	size_t k, m, pad, before, last[CELLS_MAX], done[CELLS_MAX] = {0};
	const char *s;
	int more;

	split_cells(&l, line);
	for (k = 0; k < n; k++)
		last[k] = show_cell(&l, k, w[k], style);
	do {
		buf_span(&row, buf_view(&table_first));
		for (more = 0, k = 0; k < n; k++) {
			s = buf_cstr(&cells[k]) + done[k];
			m = strcspn(s, "\n");
			pad = before = 0;
			if (s[m] == '\n') {
				more = 1;
				done[k] += m + 1;
			} else {
				pad = w[k] - (m > 0 ? last[k] : 0);
				if (done[k] == 0)
					before = sides[k] < 0 ? pad
					    : sides[k]	  ? pad / 2
							  : 0;
				done[k] += m;
			}
			put_line(k > 0, " │ ");
			put_line(before, " ");
			while (k + 1 == n && m > 0 && s[m - 1] == ' ')
				m--;
			buf_add(&row, s, m);
			if (k + 1 < n)
				put_line(pad - before, " ");
		}
		buf_putc(&row, '\n');
	} while (more);
}

static void
show_table(void)
{
	size_t w[CELLS_MAX], n = 0, i, k;
	int sides[CELLS_MAX], fits = measure(w, sides, &n);
	struct buf was_hang = hang;
	size_t was_width = width;

	for (i = 0; i < rows.n; i++) {
		if (!fits) {
			buf_span(&row, buf_view(&table_first));
			col = width = rows_width;
			hang = table_first;
			forget();
			show_spans(rows.v[i], strlen(rows.v[i]), 0, 0, 1);
			end_row();
			hang = was_hang;
			width = was_width;
			continue;
		}
		if (i != 1) {
			show_cells(rows.v[i], w, sides, n, i == 0 ? BOLD : 0);
			continue;
		}
		buf_span(&row, buf_view(&table_first));
		for (k = 0; k < n; k++) {
			put_line(k > 0, "─┼─");
			put_line(w[k], "─");
		}
		buf_putc(&row, '\n');
	}
	strs_reset(&rows);
	rows_bytes = 0;
}

/* Does the line from i on hold but these, and how many of its first? */
static size_t
only(const char *s, size_t n, size_t i, char c)
{
	size_t count = 0;

	for (; i < n; i++) {
		if (s[i] == c)
			count++;
		else if (!is_blank(s[i]))
			return 0;
	}
	return count;
}

static void
add_both(const char *s, size_t columns)
{
	buf_puts(&first, s);
	buf_puts(&hang, s);
	width += columns;
}

/* The quotes at *i, at most max; 0 if more may follow. */
static int
read_quotes(
    const char *s, size_t n, size_t *i, size_t *quotes, size_t max, int whole)
{
	size_t k;

	while (*quotes < max) {
		for (k = *i; k < n && k < *i + 3 && s[k] == ' '; k++)
			continue;
		if (k == n && !whole)
			return 0;
		if (k == n || s[k] != '>')
			break;
		if (k + 1 == n && !whole)
			return 0;
		*i = k + 1 + (k + 1 < n && s[k + 1] == ' ');
		++*quotes;
		add_both("\033[0;2m│\033[0m ", 2);
	}
	return 1;
}

/* The bytes of the marker of an item at i and its blanks, or as a search. */
static size_t
item(const char *s, size_t n, size_t i, int whole)
{
	size_t k = i;

	while (k < n && k - i < 9 && isdigit((unsigned char)s[k]))
		k++;
	if (k == n)
		return whole ? NOT_THERE : NOT_YET;
	if (strchr(k > i ? ".)" : "-+*", s[k]) == NULL)
		return NOT_THERE;
	if (++k == n)
		return whole ? NOT_THERE : NOT_YET;
	if (!is_blank(s[k]))
		return NOT_THERE;
	while (k < n && is_blank(s[k]))
		k++;
	return k == n && !whole ? NOT_YET : k - i;
}

/* A box after the marker of an item: its bytes; as a search. */
static size_t
box(const char *s, size_t n, size_t i, int whole)
{
	if (i < n && s[i] != '[')
		return NOT_THERE;
	if (n - i < 4)
		return whole ? NOT_THERE : NOT_YET;
	return strchr(" xX", s[i + 1]) != NULL && s[i + 2] == ']' &&
		       is_blank(s[i + 3])
		   ? 3
		   : NOT_THERE;
}

static int
form(enum mode m, size_t i, int style)
{
	mode = m;
	at = i;
	base = style;
	if (width + 8 > cols) {
		buf_reset(&hang);
		width = 0;
	}
	buf_span(&row, buf_view(&first));
	return 1;
}

/* In a fence. */
static int
begin_fenced(const char *s, size_t n, size_t i, int whole)
{
	size_t count = only(s, n, i, fence);

	if (!whole && (count > 0 || only(s, n, i, ' ') == n - i) &&
	    n - i <= SPAN_MAX)
		return 0;
	if (whole && count >= fence_len && n - i <= SPAN_MAX) {
		fence = 0;
		mode = NOTHING;
		return 1;
	}
	return form(VERBATIM, i, CODE);
}

/* Is the form of the line known?  Then its beginning is shown. */
static int
begin_line(const char *s, size_t n, int whole)
{
	size_t i = 0, quotes = 0, indent, k, b, c, items = 0;
	int was_blank = blank;

	buf_reset(&first);
	buf_reset(&hang);
	width = 0;
	if (!read_quotes(
		s, n, &i, &quotes, fence ? fence_quotes : SPAN_MAX, whole))
		return 0;
	if (fence && quotes == fence_quotes)
		return begin_fenced(s, n, i, whole);
	for (indent = 0; i < n && is_blank(s[i]); i++)
		indent += s[i] == '\t' ? 4 - indent % 4 : 1;
	if (i == n && !whole)
		return 0;
	if (rows.n > 0 && (i == n || s[i] != '|' || quotes != rows_quotes))
		show_table();
	if (i == n) {
		fence = 0;
		blank = 1;
		return form(NOTHING, n, 0) && (end_row(), 1);
	}
	for (k = 0; k < indent; k++)
		add_both(" ", 1);
	if (indent >= list + 4 && (was_blank || indented) &&
	    item(s, n, i, 1) == NOT_THERE) {
		fence = 0;
		blank = 0;
		indented = 1;
		return form(VERBATIM, i, CODE);
	}
	for (;; items++) {
		if ((c = run(s, n, i)) == n - i && !whole &&
		    strchr("#`~", s[i]) != NULL && c <= SPAN_MAX)
			return 0;
		if ((s[i] == '`' || s[i] == '~') && c >= 3 &&
		    n - i <= SPAN_MAX &&
		    (s[i] == '~' ||
			memchr(s + i + c, '`', n - i - c) == NULL)) {
			if (!whole)
				return 0;
			fence = s[i];
			fence_len = c;
			fence_quotes = quotes;
			blank = indented = 0;
			for (i += c; i < n && is_blank(s[i]); i++)
				continue;
			if (i == n && items == 0) {
				mode = NOTHING;
				return 1;
			}
			return form(VERBATIM, i, DIM);
		}
		if (strchr("-*_", s[i]) != NULL && n - i <= SPAN_MAX &&
		    (k = only(s, n, i, s[i])) > 0) {
			if (!whole)
				return 0;
			if (k >= 3) {
				form(NOTHING, n, 0);
				set_style(DIM);
				put_line(cols > width ? cols - width : 1, "─");
				end_row();
				goto known;
			}
		}
		if (s[i] == '#' && c <= 6 &&
		    (i + c == n || is_blank(s[i + c]))) {
			for (i += c; i < n && is_blank(s[i]); i++)
				continue;
			if (i == n && !whole)
				return 0;
			form(TEXT, i, c == 1 ? BOLD | UNDER : BOLD);
			goto known;
		}
		k = item(s, n, i, whole);
		if (k == NOT_YET)
			return 0;
		if (k == NOT_THERE)
			break;
		b = box(s, n, i + k, whole);
		if (b == NOT_YET)
			return 0;
		if (isdigit((unsigned char)s[i])) {
			buf_add(&first, s + i, k);
		} else {
			buf_puts(&first, "•");
			buf_add(&first, s + i + 1, k - 1);
		}
		buf_printf(&hang, "%*s", (int)k, "");
		width += k;
		i += k;
		if (b != NOT_THERE) {
			buf_puts(&first, s[i + 1] == ' ' ? "☐" : "☑");
			i += b;
		}
		if (i == n)
			break;
	}
	if (i < n && s[i] == '|' && items == 0 && rows_bytes < TABLE_MAX) {
		if (!whole && n - i <= TABLE_MAX)
			return 0;
		if (whole && n - i <= TABLE_MAX) {
			if (rows.n == 0) {
				buf_reset(&table_first);
				buf_span(&table_first, buf_view(&first));
				rows_quotes = quotes;
				rows_width = width;
			}
			strs_addn(&rows, s + i, n - i);
			rows_bytes += n - i;
			mode = NOTHING;
			goto known;
		}
	}
	form(TEXT, i, 0);
known:
	fence = 0;
	blank = indented = 0;
	if (items > 0)
		list = width;
	else if (was_blank && indent < list)
		list = indent;
	return 1;
}

/* Show of the line what is certain; whole: it ends here. */
static void
show_line(int whole)
{
	const char *s;
	size_t n = whole ? raw.n : joiner_known(raw.p, raw.n);

	if (n > 0 && raw.p[n - 1] == '\r')
		n--;
	if (n > cleaned)
		terminal_clean_from(&text, raw.p, n, cleaned);
	cleaned = n > cleaned ? n : cleaned;
	s = buf_cstr(&text);
	n = text.n;
	if (!began) {
		began = plain ? form(VERBATIM, 0, 0) : begin_line(s, n, whole);
		if (!began)
			return;
		col = width;
	}
	if (mode == VERBATIM && at < n) {
		set_style(base);
		buf_add(&row, s + at, n - at);
		at = n;
	} else if (mode == TEXT) {
		at = show_spans(s, n, at, base, whole);
	}
	if (whole && mode != NOTHING)
		end_row();
}

/* To a terminal that is gone nothing is written: the stream goes on. */
static void
put_row(void)
{
	if (screen == STDOUT_FILENO)
		out_add(row.p, row.n);
	else if (row.n > 0)
		(void)fd_write(screen, row.p, row.n);
	buf_reset(&row);
}

static void
show(const char *s, size_t n)
{
	const char *nl;
	size_t k;

	cols = fixed > 0 ? fixed : terminal_columns(screen);
	while (n > 0) {
		nl = memchr(s, '\n', n);
		k = nl != NULL ? (size_t)(nl - s) : n;
		buf_add(&raw, s, k);
		show_line(nl != NULL);
		if (nl != NULL) {
			buf_reset(&raw);
			buf_reset(&text);
			forget();
			cleaned = at = 0;
			began = 0;
			k++;
		}
		s += k;
		n -= k;
		put_row();
	}
	out_flush();
}

/* The text is over. */
static void
end_text(void)
{
	if (raw.n > 0)
		show("\n", 1);
	if (rows.n > 0)
		show_table();
	put_row();
	fence = 0;
	list = 0;
	blank = 1;
	indented = 0;
}

static void
show_text(void)
{
	static char s[1 << 16];
	ssize_t r;

	out_plain = 1;
	while ((r = read(STDIN_FILENO, s, sizeof(s))) != 0) {
		if (r > 0)
			show(s, (size_t)r);
		else if (errno != EINTR)
			die_sys(EX_IOERR, "standard input");
	}
	end_text();
	out_end();
}

/* A signal ends the command that shows an answer, not this stage. */
static void
stay(int sig)
{
	(void)sig;
}

static void
stay_for_signals(void)
{
	static const int sigs[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
	struct sigaction sa = {.sa_handler = stay, .sa_flags = SA_RESTART};
	size_t i;

	for (i = 0; i < sizeof(sigs) / sizeof(*sigs); i++)
		sigaction(sigs[i], &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* Show the text through the user's command; 0 if it did so. */
static int
run_command(const char *command, const struct buf *t)
{
	const char *mask = env_get("TURNPIPE_UMASK");
	char *argv[] = {"sh", "-c", (char *)command, NULL};
	struct child c = {.fd = {-1, screen, STDERR_FILENO}};
	mode_t was = umask(0);
	int p[2], st = -1;
	pid_t pid;

	umask(mask != NULL ? (mode_t)strtoul(mask, NULL, 8) : was);
	if (pipe(p) == 0) {
		fcntl(p[1], F_SETFD, FD_CLOEXEC);
		c.fd[0] = p[0];
		st = child_start(&pid, &c, argv);
		close(p[0]);
	}
	umask(was);
	if (st < 0) {
		warn_sys("display: %s", command);
		return -1;
	}
	(void)fd_write(p[1], t->p, t->n); /* it need not read all */
	close(p[1]);
	st = child_wait(pid);
	if (st == 0)
		return 0;
	warn("display: status %d: %s",
	    WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st), command);
	return -1;
}

static void
show_whole(const char *command, const struct buf *t)
{
	static struct buf clean;

	if (t->n == 0)
		return;
	if (command != NULL) {
		buf_reset(&clean);
		terminal_clean(&clean, t->p, t->n);
		if (clean.p[clean.n - 1] != '\n')
			buf_putc(&clean, '\n');
		if (run_command(command, &clean) == 0)
			return;
		plain = 1;
	}
	show(t->p, t->n);
}

/* The text of a delta, of a tag in a line of its own. */
static void
show_delta(const struct rec *r)
{
	static struct buf b;
	const struct json *j = record_json(r);
	int tagged = json_get(j, 0, "tag") >= 0;

	buf_reset(&b);
	if (tagged)
		buf_printf(&b, "%s[", raw.n > 0 ? "\n" : "");
	json_str(j, json_get(j, 0, "text"), &b);
	if (tagged)
		buf_puts(&b, "]\n");
	show(b.p, b.n);
}

/* An answer of which no delta was shown: its content, or its text parts. */
static void
show_message(const char *command, const struct rec *r)
{
	static struct buf b;
	const struct json *j = record_json(r);
	int k, content = json_get(j, 0, "content");

	buf_reset(&b);
	if (json_str(j, content, &b) < 0
	    && json_kind(j, content) == JSON_ARRAY)
		for (k = json_first(j, content); k >= 0; k = json_next(j, k))
			json_str(j, json_get(j, k, "text"), &b);
	show_whole(command, &b);
}

/* They are no Markdown: a title may have any marks. */
static void
show_sources(const struct rec *r)
{
	static struct buf b;
	int was = plain;

	buf_reset(&b);
	sources_put(&b, record_json(r));
	if (b.n == 0)
		return;
	end_text();
	plain = 1;
	show("\n", 1);
	show(b.p, b.n);
	end_text();
	plain = was;
}

/* Answers are on the screen before what comes after them goes on. */
static void
show_records(const char *command)
{
	int streamed = 0;
	struct rec r;

	record_filter(1);
	stay_for_signals();
	while (record_next(&r)) {
		if (r.type == REC_DELTA) {
			streamed = 1;
			if (command == NULL)
				show_delta(&r);
			continue;
		}
		if (r.type == REC_MESSAGE && span_is(r.role, "assistant")) {
			if (!streamed || command != NULL)
				show_message(command, &r);
			show_sources(&r);
			streamed = 0;
		}
		end_text();
		record_pass(&r);
	}
	exit(record_close());
}

int
main(int argc, char **argv)
{
	const char *command = NULL;
	int c;

	prog = "mdterm";
	while ((c = opt_next(argc, argv, "c:ps:w:", options, usage)) != -1)
		switch (c) {
		case 'c': command = optarg; break;
		case 'p': plain = 1; break;
		case 's': screen = (int)opt_int("-s", optarg, 2, 1023); break;
		case 'w':
			fixed = (size_t)opt_int("-w", optarg, 1, WIDTH_MAX);
			break;
		}
	if (optind < argc)
		opt_die(usage, "unexpected operand '%s'", argv[optind]);
	if (command != NULL && screen == STDOUT_FILENO)
		opt_die(usage, "-c: expected -s");
	if (screen != STDOUT_FILENO)
		show_records(command);
	show_text();
	return 0;
}
