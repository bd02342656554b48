#ifndef PRICE_H
#define PRICE_H

/*
 * The price of a model call, in US dollars: share/prices/PROVIDER.yaml,
 * turnpipe-prices(5).  A price that is not listed is unknown, never 0.
 */

#include "usage.h"

/*
 * Read the prices of this model's provider; a file that cannot be
 * understood dies with EX_CONFIG: before the call, whose answer would be
 * lost.
 */
void price_open(const char *model);

/*
 * The dollars of a call of model ("PROVIDER/NAME"), its tokens at part of
 * their price; NAN where its price or its tokens are not known.
 */
double price_of(const char *model, const struct usage *u, double part);

#endif
