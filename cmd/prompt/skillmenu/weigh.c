#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "path.h"
#include "weigh.h"

enum {
	TABLE_MAX = 4 << 20,
	ENDS = 40,  /* words at each end of a text that count */
	ALTS = 6,   /* what a word can stand for */
	WHY = 8,    /* words that are named */
	MARGIN = 30 /* less than the best by so much: no */
};

/* A word of the request as it is written. */
struct word {
	struct span s;
	int first, last; /* of its sentence */
	int called;	 /* a parenthesis follows at once */
};

/* What it counts as: its stem or shape, then what it is one of. */
struct place {
	struct span as[ALTS];
	size_t n;
	char stem[40];
};

static int
isdigit_(int c)
{
	return c >= '0' && c <= '9';
}

/* Bytes of the blank, mark or dash at s that parts words; 0 if none. */
static size_t
parting(const char *s, size_t n)
{
	if (strchr(" ,;()\"\n", *s) != NULL)
		return 1;
	if (n >= 3 && s[0] == '\xe2' && s[1] == '\x80'
	    && (s[2] == '\x93' || s[2] == '\x94' || s[2] == '\x9c'
		|| s[2] == '\x9d'))
		return 3;
	return 0;
}

static struct span
trimmed(struct span s)
{
	static const char marks[] = ".:'`*[]{}<>";

	while (s.n > 0 && strchr(marks, s.p[s.n - 1]) != NULL)
		s.n--;
	while (s.n > 0 && strchr(marks, *s.p) != NULL) {
		s.p++;
		s.n--;
	}
	return s;
}

/* The words of the text, v owned by this function. */
static size_t
cut_words(struct span text, struct word **words)
{
	static struct word *v;
	static size_t cap;
	size_t i, len, n = 0, end;
	int fresh = 1;

	for (i = 0; i < text.n; i = end) {
		end = i;
		if ((len = parting(text.p + i, text.n - i)) > 0) {
			end += len;
			continue;
		}
		if (text.p[i] == '?' || text.p[i] == '!')
			end++;
		else
			while (end < text.n && text.p[end] != '?'
			    && text.p[end] != '!'
			    && parting(text.p + end, text.n - end) == 0)
				end++;
		grow(&v, &cap, n, sizeof(*v));
		v[n].s = trimmed((struct span){text.p + i, end - i});
		v[n].first = fresh;
		v[n].last = 0;
		v[n].called = end < text.n && text.p[end] == '(';
		if (v[n].s.n > 0) {
			n++;
			fresh = 0;
		}
		if (n > 0 && strchr(".:?!", text.p[end - 1]) != NULL
		    && (end == text.n || text.p[end] == ' ')) {
			v[n - 1].last = 1;
			fresh = 1;
		}
	}
	if (n > 0)
		v[n - 1].last = 1;
	*words = v;
	return n;
}

static int
ends_with(struct span s, const char *end)
{
	size_t n = strlen(end);

	return s.n >= n && memcmp(s.p + s.n - n, end, n) == 0;
}

static int
has(struct span s, const char *part)
{
	size_t i, n = strlen(part);

	for (i = 0; i + n <= s.n; i++)
		if (memcmp(s.p + i, part, n) == 0)
			return 1;
	return 0;
}

/* Is s one of the words of list, which has a blank round each? */
static int
listed(struct span s, const char *list)
{
	const char *p;

	for (p = list; s.n > 0 && (p = strchr(p, ' ')) != NULL; p++)
		if (strncmp(p + 1, s.p, s.n) == 0 && p[1 + s.n] == ' ')
			return 1;
	return 0;
}

static int
is_site(struct span s)
{
	static const char *const ends[] = {".com", ".org", ".net", ".io", ".de",
	    ".example", ".gov", ".edu", ".uk", ".eu"};
	struct span host = s;
	const char *slash = memchr(s.p, '/', s.n);
	size_t i;

	if (has(s, "://") || (s.n > 4 && memcmp(s.p, "www.", 4) == 0))
		return 1;
	if (slash != NULL)
		host.n = (size_t)(slash - s.p);
	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (host.n > strlen(ends[i]) && ends_with(host, ends[i]))
			return 1;
	return 0;
}

/* The kind of file that a name's end tells, or NULL. */
static const char *
file_shape(struct span s)
{
	static const char data[] =
	    " csv tsv xls xlsx ods parquet sqlite db jsonl json ";
	static const char code[] =
	    " c h cc cpp hpp cs go rs py rb pl php java kt swift js jsx mjs ts "
	    "tsx vue css scss html htm sql sh lua scala toml yaml yml ini "
	    "cmake ";
	struct span end;
	size_t i = s.n, k;

	while (i > 0 && s.p[i - 1] != '.')
		i--;
	end = (struct span){s.p + i, s.n - i};
	if (i < 2 || end.n == 0 || end.n > 7)
		return NULL;
	if (listed(end, data))
		return "@table";
	if (listed(end, code))
		return "@source";
	if (listed(s, " e.g i.e a.m p.m z.b "))
		return NULL;
	for (k = 0; k < end.n; k++)
		if (!islower((unsigned char)end.p[k]) && !isdigit_(end.p[k]))
			return NULL;
	return end.n <= 4 && !isdigit_(*end.p) ? "@document" : NULL;
}

/* "12:30", "9.15am", "3pm", "14th", "50%": what begins with a digit. */
static const char *
number_shape(struct span s)
{
	struct span rest = s;
	int mark = 0;

	while (rest.n > 0 && (isdigit_(*rest.p)
	    || (rest.n > 1 && strchr(".,:", *rest.p) != NULL))) {
		mark |= *rest.p == ':';
		rest.p++;
		rest.n--;
	}
	if (listed(rest, " am pm h "))
		return "@time";
	if (rest.n == 0 && mark && s.n <= 5)
		return "@time";
	if (listed(rest, " st nd rd th "))
		return "@date";
	return rest.n == 0 || listed(rest, " % k \xe2\x82\xac ") ? "@number"
	    : NULL;
}

/* What a word is by the way it is written, or NULL. */
static const char *
shape(const struct word *w)
{
	struct span s = w->s;
	const char *f;

	if (*s.p == '@')
		return "@mention";
	if (memchr(s.p, '@', s.n) != NULL && memchr(s.p, '/', s.n) == NULL)
		return "@address";
	if (is_site(s))
		return "@url";
	if (isdigit_(*s.p))
		return number_shape(s);
	if (s.n > 1 && strchr("#!$", *s.p) != NULL && isdigit_(s.p[1]))
		return *s.p == '$' ? "@number" : "@ref";
	if (s.n > 3 && memcmp(s.p, "\xe2\x82\xac", 3) == 0)
		return "@number";
	if ((f = file_shape(s)) != NULL)
		return f;
	if (*s.p == '~' || (s.n > 2 && memchr(s.p, '/', s.n) != NULL))
		return "@path";
	if (memchr(s.p, '_', s.n) != NULL || has(s, "->") || has(s, "::")
	    || (s.n > 2 && memcmp(s.p, "--", 2) == 0))
		return "@name";
	return w->called ? "@name" : NULL;
}

static int
vowel(const char *s, size_t n)
{
	for (; n > 0; n--)
		if (strchr("aeiouy", *s++) != NULL)
			return 1;
	return 0;
}

/* move, moves, moved and moving are "mov". */
static struct span
stem(struct span s, char *to, size_t max)
{
	size_t i, n;

	if (ends_with(s, "'s"))
		s.n -= 2;
	for (i = 0; i < s.n && s.p[i] >= 'a' && s.p[i] <= 'z'; i++)
		;
	if (s.n < 4 || i < s.n || s.n >= max)
		return s;
	n = s.n;
	memcpy(to, s.p, n);
	s.p = to;
	if (n > 4 && ends_with(s, "ies"))
		to[(n -= 2) - 1] = 'y';
	else if (to[n - 1] == 's' && strchr("siu", to[n - 2]) == NULL)
		n--;
	s.n = n;
	i = ends_with(s, "ing") ? 3 : ends_with(s, "ed") ? 2 : 0;
	if (i > 0 && n >= i + 3 && vowel(to, n - i)) {
		n -= i;
		if (n > 3 && to[n - 1] == to[n - 2]
		    && strchr("lsz", to[n - 1]) == NULL)
			n--;
	}
	if (n >= 4 && to[n - 1] == 'e')
		n--;
	if (n >= 4 && to[n - 1] == 'i')
		to[n - 1] = 'y';
	s.n = n;
	return s;
}

static void
place(struct place *p, const struct word *w, weigh_kinds *kinds, void *arg)
{
	const char *f = shape(w), *end;
	struct span all;

	p->n = 0;
	if (f != NULL) {
		p->as[p->n++] = span_of(f);
		return;
	}
	p->as[p->n++] = stem(w->s, p->stem, sizeof(p->stem));
	all = kinds(arg, p->as[0]);
	while (all.n > 0 && p->n < ALTS) {
		end = memchr(all.p, ' ', all.n);
		p->as[p->n] = all;
		if (end != NULL)
			p->as[p->n].n = (size_t)(end - all.p);
		all.p += p->as[p->n].n;
		all.n -= p->as[p->n].n;
		if (all.n > 0) {
			all.p++;
			all.n--;
		}
		p->n++;
	}
}

static void
take_pairs(const struct place *a, const struct place *b, weigh_take *take,
    void *arg)
{
	static struct buf pair;
	size_t i, k;

	for (i = 0; i < a->n; i++)
		for (k = 0; k < b->n; k++) {
			buf_reset(&pair);
			buf_span(&pair, a->as[i]);
			buf_putc(&pair, ' ');
			buf_span(&pair, b->as[k]);
			take(arg, buf_view(&pair));
		}
}

void
weigh_features(struct span text, weigh_kinds *kinds, weigh_take *take,
    void *arg)
{
	static const struct place start = {.as = {{"^", 1}}, .n = 1};
	static const struct place finish = {.as = {{"$", 1}}, .n = 1};
	static struct place two[2];
	const struct place *before = &start;
	struct word *words;
	size_t i, k, n = cut_words(text, &words);
	struct place *p;

	for (i = 0; i < n; i++) {
		if (n > 2 * ENDS && i == ENDS) {
			i = n - ENDS;
			before = &start;
		}
		p = &two[i % 2];
		place(p, &words[i], kinds, arg);
		/* "=" and "=sure" are rows of their own. */
		for (k = 0; k < p->n; k++)
			if (*p->as[k].p != '=')
				take(arg, p->as[k]);
		take_pairs(words[i].first ? &start : before, p, take, arg);
		if (words[i].last)
			take_pairs(p, &finish, take, arg);
		before = p;
	}
}

/* The next column of a row; p NULL after the last. */
static struct span
column(struct span *row)
{
	struct span s = *row;
	const char *p;

	if (s.p == NULL)
		return s;
	p = memchr(s.p, '\t', s.n);
	if (p == NULL) {
		row->p = NULL;
		return s;
	}
	s.n = (size_t)(p - s.p);
	row->p += s.n + 1;
	row->n -= s.n + 1;
	return s;
}

int
weigh_load(struct weigh *w, const char *name)
{
	static struct buf rel, path;
	struct span head, one;
	const char *p;
	int r;

	buf_reset(&rel);
	buf_printf(&rel, "words/%s.tsv", name);
	buf_reset(&w->text);
	strs_reset(&w->names);
	w->rows = 0;
	r = path_find(&path, buf_cstr(&rel));
	if (r == -1)
		return 0;
	if (r < 0 || file_read(buf_cstr(&path), &w->text, TABLE_MAX) != FILE_OK)
		return -1;
	head = buf_view(&w->text);
	p = head.n > 0 ? memchr(head.p, '\n', head.n) : NULL;
	if (p == NULL)
		return 0;
	w->rows = (size_t)(p - head.p) + 1;
	head.n = w->rows - 1;
	(void)column(&head); /* the word */
	(void)column(&head); /* what it is one of */
	while ((one = column(&head)).p != NULL)
		strs_addn(&w->names, one.p, one.n);
	return 0;
}

/* The row at an offset without its newline. */
static struct span
row_at(const struct weigh *w, size_t at)
{
	struct span s = {w->text.p + at, w->text.n - at};
	const char *p = memchr(s.p, '\n', s.n);

	if (p != NULL)
		s.n = (size_t)(p - s.p);
	return s;
}

/* Offset of the row of this word, or SIZE_MAX. */
static size_t
find(const struct weigh *w, struct span word)
{
	size_t lo = w->rows, hi = w->text.n, mid;
	struct span row, first;
	int r;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		while (mid > lo && w->text.p[mid - 1] != '\n')
			mid--;
		row = row_at(w, mid);
		first = row;
		first = column(&first);
		r = span_order(word, first);
		if (r == 0)
			return mid;
		if (r < 0)
			hi = mid;
		else
			lo = mid + row.n + 1;
	}
	return SIZE_MAX;
}

static double
number(struct span s)
{
	double n = 0;
	size_t i = s.n > 0 && *s.p == '-';

	for (; i < s.n; i++)
		n = n * 10 + (s.p[i] - '0');
	return s.n > 0 && *s.p == '-' ? -n : n;
}

const char *
weigh_bad(const struct weigh *w)
{
	struct span row, one, last = {"", 0}, word;
	size_t at, n, i;

	if (w->text.n == 0)
		return NULL;
	if (w->names.n == 0)
		return "expected a first row of names, with tabs between";
	for (at = w->rows; at < w->text.n; at += row.n + 1) {
		row = row_at(w, at);
		one = row;
		word = column(&one);
		if (at > w->rows && span_order(last, word) >= 0)
			return "expected rows that are sorted by their bytes";
		last = word;
		(void)column(&one);
		for (n = 0; one.p != NULL; n++) {
			word = column(&one);
			for (i = word.n > 0 && *word.p == '-'; i < word.n; i++)
				if (!isdigit_(word.p[i]))
					return "expected whole numbers";
		}
		if (n > w->names.n)
			return "expected a name for each column";
	}
	return find(w, span_of("=")) == SIZE_MAX
	    ? "expected a row '='" : NULL;
}

/* Add a row's numbers; the weight of one column. */
static double
add_row(const struct weigh *w, size_t at, double *score, size_t col)
{
	struct span row = row_at(w, at), one;
	double x, its = 0;
	size_t i;

	(void)column(&row);
	(void)column(&row);
	for (i = 0; i < w->names.n && row.p != NULL; i++) {
		one = column(&row);
		x = number(one);
		if (score != NULL)
			score[i] += x;
		if (i == col)
			its = x;
	}
	return its;
}

struct search {
	const struct weigh *w;
	struct weigh_found *f;
};

static struct span
row_kinds(void *arg, struct span word)
{
	const struct search *s = arg;
	size_t at = find(s->w, word);
	struct span row;

	if (at == SIZE_MAX)
		return (struct span){"", 0};
	row = row_at(s->w, at);
	(void)column(&row);
	return row.p == NULL ? (struct span){"", 0} : column(&row);
}

static void
take_row(void *arg, struct span feature)
{
	const struct search *s = arg;
	struct weigh_found *f = s->f;
	size_t i, at = find(s->w, feature);

	for (i = 0; at != SIZE_MAX && i < f->n && f->row[i] != at; i++)
		;
	if (at == SIZE_MAX || i < f->n)
		return;
	grow(&f->row, &f->cap, f->n, sizeof(*f->row));
	f->row[f->n++] = at;
	(void)add_row(s->w, at, f->score, SIZE_MAX);
}

void
weigh_request(const struct weigh *w, struct span text, struct weigh_found *f)
{
	struct search s = {w, f};
	size_t at = find(w, span_of("="));

	f->n = 0;
	f->score = xreallocarray(f->score, w->names.n + 1, sizeof(*f->score));
	memset(f->score, 0, (w->names.n + 1) * sizeof(*f->score));
	if (at != SIZE_MAX)
		(void)add_row(w, at, f->score, SIZE_MAX);
	weigh_features(text, row_kinds, take_row, &s);
}

int
weigh_for(const struct weigh *w, const struct weigh_found *f,
    const char *playbook)
{
	long col = strs_find(&w->names, playbook);
	size_t i, at;
	double score;

	if (col < 0 || f->n == 0 || (score = f->score[col]) < 0)
		return 0;
	for (i = 0; i < w->names.n; i++)
		if (score < f->score[i] - MARGIN)
			return 0;
	at = find(w, span_of("=sure"));
	return at != SIZE_MAX
	    && score >= add_row(w, at, NULL, (size_t)col) ? 2 : 1;
}

void
weigh_why(const struct weigh *w, const struct weigh_found *f,
    const char *playbook, struct buf *b)
{
	long col = strs_find(&w->names, playbook);
	struct span row;
	double x, most, below = 1e9;
	size_t i, k, at = 0;

	if (col < 0 || f->n == 0)
		return;
	buf_printf(b, "%.0f:", f->score[col]);
	/* The largest first; of equal ones all. */
	for (k = 0; k < WHY; below = most) {
		most = 0;
		for (i = 0; i < f->n; i++) {
			x = add_row(w, f->row[i], NULL, (size_t)col);
			if (x < below && x > most)
				most = x;
		}
		if (most <= 0)
			break;
		for (i = 0; i < f->n && k < WHY; i++) {
			at = f->row[i];
			if (add_row(w, at, NULL, (size_t)col) < most
			    || add_row(w, at, NULL, (size_t)col) > most)
				continue;
			row = row_at(w, at);
			row = column(&row);
			buf_printf(b, "%s '%.*s' %.0f", k++ > 0 ? "," : "",
			    (int)row.n, row.p, most);
		}
	}
}
