#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "keyword.h"
#include "nfc.h"
#include "utf8.h"

enum { GAP = 6, STEPS = 63, PREFIX = 3 };

/* A word of the text, or a mark that only a gap reaches across: n is 0. */
struct keyword_word {
	size_t at, n, sentence, clause;
};

/* One step of a pattern takes one word. */
struct step {
	struct span words; /* with bars between; none: any word or mark */
	int optional;
};

struct pattern {
	struct step steps[STEPS];
	size_t n;
	int first, last; /* it begins, ends the sentence */
};

/* Scripts without blanks between words, and Hangul, which glues to them. */
static int
unspaced(uint32_t cp)
{
	return (cp >= 0xe00 && cp < 0xf00) || (cp >= 0x1000 && cp < 0x1200)
	    || (cp >= 0x1780 && cp < 0x1800) || (cp >= 0x2e80 && cp < 0xa000)
	    || (cp >= 0xac00 && cp < 0xd7b0) || (cp >= 0xf900 && cp < 0xfb00)
	    || (cp >= 0x20000 && cp < 0x40000);
}

static int
isword(uint32_t cp)
{
	return utf8_isword(cp) && !unspaced(cp);
}

/* The length of the word's character at s, or 0. */
static size_t
word_at(const char *s, size_t n)
{
	uint32_t cp;
	size_t len = utf8_get(s, n, &cp);

	return len > 0 && isword(cp) ? len : 0;
}

static int
word_before(const char *s, size_t at)
{
	size_t i = at;

	if (at == 0)
		return 0;
	do
		i--;
	while (i > 0 && ((unsigned char)s[i] & 0xc0) == 0x80);
	return word_at(s + i, at - i) > 0;
}

/* Length of the word at s, and where its bit is. */
static size_t
word(const char *s, size_t n, size_t *bit)
{
	size_t i = 0, h = 5381, len;

	while ((len = word_at(s + i, n - i)) > 0)
		for (; len > 0; len--)
			h = h * 33 + (unsigned char)s[i++];
	*bit = (h ^ h >> 14) % KEYWORD_BITS;
	return i;
}

/* Where the bit of these bytes is, as a whole word or as how words begin. */
static size_t
bit_of(const char *s, size_t n, int whole)
{
	size_t h = whole ? 5381 : 261;

	for (; n > 0; n--)
		h = h * 33 + (unsigned char)*s++;
	return (h ^ h >> 14) % KEYWORD_BITS;
}

static void
set_bit(unsigned char *bits, size_t i)
{
	bits[i / 8] |= (unsigned char)(1 << i % 8);
}

static int
has_bit(const unsigned char *bits, size_t i)
{
	return bits[i / 8] >> i % 8 & 1;
}

static int
isblank_(uint32_t cp)
{
	return cp <= ' ' || cp == 0xa0 || cp == 0x2028 || cp == 0x2029
	    || cp == 0x3000 || (cp >= 0x2000 && cp <= 0x200a);
}

/*
 * Append the letters and marks of ASCII that s begins with, and single blanks
 * between them; how many.
 */
static size_t
fold_ascii(struct buf *b, const char *s, size_t n)
{
	size_t i;
	char *to;
	int c;

	buf_room(b, n);
	to = b->p + b->n;
	for (i = 0; i < n; i++) {
		c = (unsigned char)s[i];
		if (c >= 0x7f || c < ' '
		    || (c == ' ' && (i == 0 || s[i - 1] == ' ')))
			break;
		to[i] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
	}
	b->n += i;
	return i;
}

void
keyword_fold(struct buf *b, const char *s, size_t n)
{
	size_t len, at = b->n, start = b->n;
	uint32_t cp, both, last = 0; /* last: the letter that begins at at */

	for (; n > 0; s += len, n -= len) {
		if ((len = fold_ascii(b, s, n)) > 0) {
			at = b->n - 1;
			last = b->p[at] == ' ' ? 0 : (unsigned char)b->p[at];
			continue;
		}
		len = utf8_get(s, n, &cp);
		if (len == 0) {
			len = 1;
			cp = 0xfffd;
		}
		if (isblank_(cp)) {
			if (b->n > start && b->p[b->n - 1] != ' ')
				buf_putc(b, ' ');
			last = 0;
			continue;
		}
		if (cp == 0x2019)
			cp = '\'';
		cp = utf8_lower(cp);
		both = last == 0 ? 0 : nfc_pair(last, cp);
		if (both != 0) {
			b->n = at;
			cp = both;
		}
		last = cp;
		at = b->n;
		utf8_put(b, cp);
	}
	while (b->n > start && b->p[b->n - 1] == ' ')
		b->n--;
}

void
keyword_list(struct strs *l, const struct strs *from)
{
	static struct buf b;
	size_t i;

	for (i = 0; i < from->n; i++) {
		buf_reset(&b);
		keyword_fold(&b, from->v[i], strlen(from->v[i]));
		if (b.n > 0)
			strs_addn(l, b.p, b.n);
	}
}

/* Does it end a sentence, and without a blank after it? */
static int
ends(uint32_t cp, int *atonce)
{
	*atonce = cp == 0x3002 || cp == 0xff01 || cp == 0xff1f;
	return *atonce || cp == '.' || cp == '!' || cp == '?' || cp == 0x2026;
}

/* Marks that part words also where no blank does: , ; ( ) and dashes. */
static int
parts(uint32_t cp)
{
	return cp == ',' || cp == ';' || cp == '(' || cp == ')'
	    || cp == 0x2013 || cp == 0x2014 || cp == 0x3001 || cp == 0xff0c;
}

/* Of those, what ends a clause. */
static int
clause_ends(uint32_t cp)
{
	return cp == ',' || cp == ';' || cp == 0x3001 || cp == 0xff0c;
}

/* Quotes and brackets that may follow the end of a sentence. */
static int
closes(uint32_t cp)
{
	return cp == '"' || cp == '\'' || cp == ')' || cp == ']'
	    || cp == 0x201d;
}

static void
add_clause(struct keyword_text *t, size_t at)
{
	grow(&t->starts, &t->capstarts, t->clauses, sizeof(*t->starts));
	t->starts[t->clauses++] = at;
}

static void
add_word(struct keyword_text *t, size_t at, size_t n, size_t sentence)
{
	struct span s = {t->text.p + at, n};
	struct keyword_word *w;

	if (span_is(s, "and") || span_is(s, "then"))
		add_clause(t, at);
	grow(&t->v, &t->cap, t->n, sizeof(*t->v));
	w = &t->v[t->n++];
	w->at = at;
	w->n = n;
	w->sentence = sentence;
	w->clause = t->clauses - 1;
	set_bit(t->taken, bit_of(t->text.p + at, n, 1));
	if (n >= PREFIX)
		set_bit(t->taken, bit_of(t->text.p + at, PREFIX, 0));
}

/*
 * Words as a pattern takes them: "e-mail", "what's" and "src/a.c" are one,
 * without marks at their ends, and each character of a script without blanks.
 */
static void
cut_words(struct keyword_text *t)
{
	const char *s = t->text.p;
	size_t n = t->text.n, i, len, at = 0, end = 0; /* of the word; or 0 */
	size_t sentence = 0;
	uint32_t cp;
	int ended = 0, atonce = 0, mark;

	t->n = t->clauses = 0;
	add_clause(t, 0);
	for (i = 0; i < n; i += len) {
		len = utf8_get(s + i, n - i, &cp);
		if (len == 0) {
			len = 1;
			cp = 0xfffd;
		}
		if (isword(cp)) {
			if (end == 0)
				at = i;
			end = i + len;
			ended = 0;
			continue;
		}
		mark = parts(cp);
		if (end > 0 && (cp <= ' ' || mark || unspaced(cp)
		    || cp == '"' || cp >= 0x80)) {
			add_word(t, at, end - at, sentence);
			end = 0;
		}
		if (unspaced(cp) && utf8_isword(cp))
			add_word(t, i, len, sentence);
		else if (mark)
			add_word(t, i, 0, sentence);
		if (clause_ends(cp))
			add_clause(t, i);
		if (cp == '\n' || (cp == ' ' && ended)) {
			add_clause(t, i);
			sentence++;
			ended = 0;
		} else if (ends(cp, &atonce)) {
			ended = 1;
			if (atonce) {
				add_clause(t, i);
				sentence++;
			}
		} else if (!closes(cp)) {
			ended = 0;
		}
	}
	if (end > 0)
		add_word(t, at, end - at, sentence);
}

void
keyword_text(struct keyword_text *t, const char *s, size_t n, size_t max)
{
	size_t i, len, bit, cut;

	buf_reset(&t->text);
	memset(t->words, 0, sizeof(t->words));
	memset(t->taken, 0, sizeof(t->taken));
	if (n > max) {
		cut = utf8_cut(s, n, max / 2);
		keyword_fold(&t->text, s, cut);
		buf_puts(&t->text, " \n "); /* no keyword reaches across */
		cut = utf8_cut(s, n, n - max / 2);
		s += cut;
		n -= cut;
	}
	keyword_fold(&t->text, s, n);
	buf_cstr(&t->text);
	for (i = 0; i < t->text.n; i += len) {
		len = word(t->text.p + i, t->text.n - i, &bit);
		if (len > 0)
			set_bit(t->words, bit);
		else /* the byte starts no word's character */
			len = 1;
	}
	cut_words(t);
}

/* The next of what c separates in *s; a span without p at the end. */
static struct span
next_of(struct span *s, char c)
{
	struct span one = *s;
	const char *p;

	if (s->p == NULL)
		return one;
	p = memchr(s->p, c, s->n);
	if (p == NULL) {
		s->p = NULL;
		return one;
	}
	one.n = (size_t)(p - s->p);
	s->n -= one.n + 1;
	s->p = p + 1;
	return one;
}

/* Does a word of a keyword make a pattern of it? */
static int
special(struct span w)
{
	size_t i;
	int op = 0, letter = 0;
	unsigned char c;

	if (span_is(w, "...") || span_is(w, "^") || span_is(w, "$"))
		return 1;
	for (i = 0; i < w.n; i++) {
		c = (unsigned char)w.p[i];
		if (c == '*' || c == '|')
			op = 1;
		else if (c == '~')
			op |= i > 0 && (i + 1 == w.n || w.p[i + 1] == '|');
		else
			letter |= c >= 0x80 || (c >= 'a' && c <= 'z')
			    || (c >= '0' && c <= '9');
	}
	return op && letter;
}

static int
ispattern(const char *key)
{
	struct span s = {key, strlen(key)}, w;

	if (strpbrk(key, "*|~.^$") == NULL)
		return 0;
	/* "^" alone is a keyword like any other mark. */
	if (strchr(key, ' ') == NULL)
		return special(s) && s.n > 1 && !span_is(s, "...");
	while ((w = next_of(&s, ' ')).p != NULL)
		if (special(w))
			return 1;
	return 0;
}

static int
add_step(struct pattern *p, struct span words, int optional)
{
	if (p->n == STEPS)
		return -1;
	p->steps[p->n].words = words;
	p->steps[p->n++].optional = optional;
	return 0;
}

static int
is_ascii(struct span w)
{
	size_t i;

	for (i = 0; i < w.n; i++)
		if ((unsigned char)w.p[i] >= 0x80)
			return 0;
	return 1;
}

/* A word without bars: in scripts without blanks each character is one. */
static int
add_plain(struct pattern *p, struct span w)
{
	size_t i, len, from = 0;
	uint32_t cp;

	for (i = 0; i < w.n; i += len) {
		len = utf8_get(w.p + i, w.n - i, &cp);
		if (len == 0)
			len = 1;
		else if (unspaced(cp)) {
			if (i > from && add_step(p,
			    (struct span){w.p + from, i - from}, 0) < 0)
				return -1;
			if (add_step(p, (struct span){w.p + i, len}, 0) < 0)
				return -1;
			from = i + len;
		}
	}
	if (from == w.n)
		return 0;
	return add_step(p, (struct span){w.p + from, w.n - from}, 0);
}

/* Is nothing one of the words between bars? */
static int
is_optional(struct span w)
{
	size_t i;

	for (i = 1; i < w.n; i++)
		if (w.p[i] == '|' && w.p[i - 1] == '|')
			return 1;
	return w.p[0] == '|' || w.p[w.n - 1] == '|';
}

static int
add_either(struct pattern *p, struct span w)
{
	struct span rest = w, one;
	struct pattern probe;

	while ((one = next_of(&rest, '|')).p != NULL) {
		probe.n = 0;
		if (one.n > 0 && (add_plain(&probe, one) < 0 || probe.n > 1))
			return -1;
	}
	return add_step(p, w, is_optional(w));
}

static int
add_words(struct pattern *p, struct span w, int ascii)
{
	int bars = memchr(w.p, '|', w.n) != NULL;

	if (ascii)
		return add_step(p, w, bars && is_optional(w));
	return bars ? add_either(p, w) : add_plain(p, w);
}

/* Take a pattern apart; why not, or NULL. */
static const char *
parse(struct pattern *p, const char *key)
{
	struct span s = {key, strlen(key)}, w;
	size_t i, words = 0;
	int r = 0, ascii = is_ascii(s);

	p->n = 0;
	p->first = p->last = 0;
	while ((w = next_of(&s, ' ')).p != NULL) {
		if (span_is(w, "^") && p->n == 0) {
			p->first = 1;
		} else if (span_is(w, "$") && s.p == NULL) {
			p->last = 1;
		} else if (span_is(w, "...")) {
			for (i = 0; i < GAP && r == 0; i++)
				r = add_step(p, (struct span){NULL, 0}, 1);
		} else {
			words++;
			r = add_words(p, w, ascii);
		}
		if (r < 0)
			return "expected single words between bars, and at "
			       "most 63 steps";
	}
	for (i = 0; i < p->n && p->steps[i].optional; i++)
		;
	return words == 0 || i == p->n ? "expected a word that must be there"
	    : NULL;
}

const char *
keyword_bad(const char *key)
{
	struct pattern p;

	return ispattern(key) ? parse(&p, key) : NULL;
}

static int
same(struct span w, const char *stem, size_t n, const char *end)
{
	size_t m = strlen(end);

	return w.n == n + m && memcmp(w.p, stem, n) == 0
	    && memcmp(w.p + n, end, m) == 0;
}

/* Is w an English form of the stem: plan, plans, planned, planning? */
static int
form(struct span w, struct span stem)
{
	static const char *const ends[] = {"", "s", "es", "ed", "ing", "'s"};
	size_t i, n = stem.n;
	char last = n > 0 ? stem.p[n - 1] : '\0';
	char twice[2][5] = {"?ed", "?ing"};

	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (same(w, stem.p, n, ends[i]))
			return 1;
	if (n < 2)
		return 0;
	if (last == 'e')
		return same(w, stem.p, n, "d")
		    || same(w, stem.p, n - 1, "ing");
	if (last == 'y')
		return same(w, stem.p, n - 1, "ies")
		    || same(w, stem.p, n - 1, "ied");
	for (i = 0; i < 2; i++) {
		twice[i][0] = last;
		if (same(w, stem.p, n, twice[i]))
			return 1;
	}
	return 0;
}

/* Stars match any characters, none too. */
static int
glob(struct span w, struct span g)
{
	size_t i = 0, k = 0, star = SIZE_MAX, back = 0;

	while (i < w.n) {
		if (k < g.n && g.p[k] == '*') {
			star = k++;
			back = i;
		} else if (k < g.n && g.p[k] == w.p[i]) {
			i++;
			k++;
		} else if (star != SIZE_MAX) {
			k = star + 1;
			i = ++back;
		} else {
			return 0;
		}
	}
	while (k < g.n && g.p[k] == '*')
		k++;
	return k == g.n;
}

static int
takes(const struct step *st, struct span w)
{
	struct span rest = st->words, one;

	if (rest.p == NULL)
		return 1;
	while (w.n > 0 && (one = next_of(&rest, '|')).p != NULL) {
		if (one.n == 0)
			continue;
		if (one.p[one.n - 1] == '~') {
			one.n--;
			if (w.p[0] == one.p[0] && form(w, one))
				return 1;
		} else if (memchr(one.p, '*', one.n) != NULL) {
			if (glob(w, one))
				return 1;
		} else if (w.n == one.n && memcmp(w.p, one.p, w.n) == 0) {
			return 1;
		}
	}
	return 0;
}

/* The bit of taken that a word for this part of a step sets; 0: any may. */
static int
part_bit(struct span one, size_t *bit)
{
	const char *star = memchr(one.p, '*', one.n);
	size_t n = one.n; /* bytes that the word begins with */

	if (one.p[n - 1] == '~') {
		n--;
		/* "plies" and "using" are forms of "ply" and "use". */
		if (n > 0 && (one.p[n - 1] == 'e' || one.p[n - 1] == 'y'))
			n--;
	} else if (star != NULL) {
		n = (size_t)(star - one.p);
	} else {
		*bit = bit_of(one.p, n, 1);
		return 1;
	}
	if (n < PREFIX)
		return 0;
	*bit = bit_of(one.p, PREFIX, 0);
	return 1;
}

static int
may_take(const struct keyword_text *t, struct span one)
{
	size_t bit;

	return !part_bit(one, &bit) || has_bit(t->taken, bit);
}

/* Is there a word, perhaps, for each step that must be taken? */
static int
may_match(const struct keyword_text *t, const struct pattern *p)
{
	struct span rest, one;
	size_t i;
	int may;

	for (i = 0; i < p->n; i++) {
		may = p->steps[i].optional;
		rest = p->steps[i].words;
		while (!may && (one = next_of(&rest, '|')).p != NULL)
			may = one.n > 0 && may_take(t, one);
		if (!may)
			return 0;
	}
	return 1;
}

/* The bit of the letter that a word begins with; some share one. */
static uint32_t
letter_bit(struct span w)
{
	return w.n == 0 ? 0 : (uint32_t)1 << (w.p[0] & 31);
}

/* The letters that words of a step begin with: few words of a text do. */
static uint32_t
letters(const struct step *st)
{
	struct span rest = st->words, one;
	uint32_t set = 0;

	if (rest.p == NULL)
		return UINT32_MAX;
	while ((one = next_of(&rest, '|')).p != NULL)
		set |= one.n > 0 && one.p[0] == '*' ? UINT32_MAX
						    : letter_bit(one);
	return set;
}

/* All steps that may come next, given those in the set. */
static uint64_t
skip(const struct pattern *p, uint64_t set)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (p->steps[i].optional && (set >> i & 1) != 0)
			set |= (uint64_t)1 << (i + 1);
	return set;
}

/* Set in[] for each clause in which one ends; how many, at least. */
static size_t
find_pattern(const struct keyword_text *t, const struct pattern *p, char *in)
{
	uint64_t start = skip(p, 1), set = 0, next;
	const struct keyword_word *w;
	uint32_t begin[STEPS], open = 0; /* open: what a match begins with */
	struct span text;
	size_t i, k, found = 0;
	int fresh = 1;

	for (k = 0; k < p->n; k++) {
		begin[k] = letters(&p->steps[k]);
		open |= start >> k & 1 ? begin[k] : 0;
	}
	for (i = 0; i < t->n; i++) {
		w = &t->v[i];
		text.p = t->text.p + w->at;
		text.n = w->n;
		if (i > 0 && w->sentence != t->v[i - 1].sentence) {
			set = 0;
			fresh = 1;
		}
		if (fresh || !p->first)
			set |= start;
		fresh = 0;
		if (set == 0 || (set == start && text.n > 0
		    && !(open & letter_bit(text)))) {
			set = 0;
			continue;
		}
		for (next = 0, k = 0; k < p->n && set >> k != 0; k++)
			if ((set >> k & 1) != 0
			    && (text.n == 0 || begin[k] & letter_bit(text))
			    && takes(&p->steps[k], text))
				next |= (uint64_t)1 << (k + 1);
		set = skip(p, next);
		if ((set >> p->n & 1) != 0 && (!p->last || i + 1 == t->n
		    || t->v[i + 1].sentence != w->sentence)) {
			in[w->clause] = 1;
			found++;
		}
	}
	return found;
}

static size_t
find_plain(const struct keyword_text *t, const char *key, char *in)
{
	const char *s = t->text.p, *p;
	size_t n = strlen(key), bit, i, k = 0, found = 0;
	int whole;

	if (n == 0 || t->text.n == 0)
		return 0;
	whole = word(key, n, &bit) > 0 && word_before(key, n);
	if (whole && !has_bit(t->words, bit))
		return 0;
	for (p = s; (p = strstr(p, key)) != NULL; p++) {
		i = (size_t)(p - s);
		if (whole && (word_before(s, i)
		    || word_at(s + i + n, t->text.n - i - n) > 0))
			continue;
		while (k + 1 < t->clauses && t->starts[k + 1] <= i)
			k++;
		in[k] = 1;
		found++;
	}
	return found;
}

static size_t
find(const struct keyword_text *t, const char *key, char *in)
{
	static struct pattern p;

	if (!ispattern(key))
		return find_plain(t, key, in);
	return parse(&p, key) == NULL && may_match(t, &p)
	    ? find_pattern(t, &p, in) : 0;
}

static char *
marks(struct buf *b, size_t n)
{
	buf_reset(b);
	buf_room(b, n + 1);
	memset(b->p, 0, n + 1);
	return b->p;
}

int
keyword_in(const struct keyword_text *t, const char *key)
{
	static struct buf b;

	return find(t, key, marks(&b, t->clauses)) > 0;
}

int
keyword_any(const struct keyword_text *t, const struct strs *keys,
    const struct strs *vetoes)
{
	static struct buf b, c;
	char *in = marks(&b, t->clauses), *out = NULL;
	size_t i, k;

	for (i = 0; i < keys->n; i++) {
		if (find(t, keys->v[i], in) == 0)
			continue;
		if (out == NULL) {
			out = marks(&c, t->clauses);
			for (k = 0; k < vetoes->n; k++)
				(void)find(t, vetoes->v[k], out);
		}
		for (k = 0; k < t->clauses; k++)
			if (in[k] && !out[k])
				return 1;
	}
	return 0;
}
