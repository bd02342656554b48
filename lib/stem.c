#include <libstemmer.h>
#include <limits.h>

#include "diag.h"
#include "stem.h"

static struct sb_stemmer *stemmer;

int
stem_language(const char *name)
{
	sb_stemmer_delete(stemmer);
	stemmer = NULL;
	if (*name != '\0')
		stemmer = sb_stemmer_new(name, NULL);
	return *name == '\0' || stemmer != NULL ? 0 : -1;
}

struct span
stem(struct span word)
{
	const sb_symbol *s;

	if (stemmer == NULL || word.n > INT_MAX)
		return word;
	s = sb_stemmer_stem(
	    stemmer, (const sb_symbol *)word.p, (int)word.n);
	if (s == NULL)
		die(EX_OSERR, "out of memory");
	return (struct span){
	    (const char *)s, (size_t)sb_stemmer_length(stemmer)};
}
