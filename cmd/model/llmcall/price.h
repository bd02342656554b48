#ifndef PRICE_H
#define PRICE_H

/*
 * The price of a model call, in US dollars: share/prices/PROVIDER.yaml,
 * turnpipe-prices(5).  A price that is not listed is unknown, never 0.
 */

/*
 * Read the prices of this model's provider; a file that cannot be
 * understood dies with EX_CONFIG: before the call, whose answer would be
 * lost.
 */
void price_open(const char *model);

/* Tokens of a call; -1 where the server did not say. */
struct price_tokens {
	long long prompt;      /* all of the input, */
	long long cached;      /* of it read from the cache, */
	long long cache_write; /* of it written to the cache */
	long long completion;
};

/*
 * The dollars of a call of model ("PROVIDER/NAME"); NAN where its price or
 * its tokens are not known.
 */
double price_of(const char *model, const struct price_tokens *t);

#endif
