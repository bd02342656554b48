#include <math.h>

#include "answer.h"
#include "diag.h"
#include "media.h"
#include "provider.h"
#include "settings.h"
#include "spend.h"
#include "token.h"

enum { MOST = 1 << 30 }; /* tokens: no more than this is believed */

/* The longest answer that a request allows, in tokens; 0 if it says none. */
static long long
allowed(const struct json *j)
{
	static const char *const names[] = {
		"max_tokens", "max_completion_tokens"};
	double v, n = 1;
	size_t k;

	if (json_num(j, json_get(j, 0, "n"), &n) < 0 || n < 1)
		n = 1;
	for (k = 0; k < sizeof(names) / sizeof(*names); k++)
		if (json_num(j, json_get(j, 0, names[k]), &v) == 0 && v > 0)
			return (long long)ceil(fmin(v * n, MOST));
	return 0;
}

long long
spend_tokens(const struct call *c)
{
	const struct provider *p = c->provider;
	long long image;

	if (json_int(provider_json(p), provider_word(p, "image_tokens",
		c->rest), &image) < 0 || image < 0)
		image = settings_int("image_tokens", 0);
	return (long long)token_count(c->request.p, c->request.n)
	    - media_excess(&c->json, image);
}

enum purse_word
spend_ask(struct item *i, struct buf *why)
{
	static int told;
	struct call *c = i->call;
	enum purse_word word;

	if (!purse_isset())
		return PURSE_YES;
	word = purse_ask(&i->share, c->model, i->tokens, allowed(&c->json),
	    provider_true(c->provider, "tells_cost"));
	i->paying = word == PURSE_YES;
	buf_reset(why);
	if (word == PURSE_UNPRICED) {
		buf_printf(why, "not sent: the price of %s is not known",
		    c->model);
	} else if (word == PURSE_NO) {
		buf_puts(why, "not sent: ");
		purse_say(why, &i->share);
	}
	if (why->n > 0 && (word == PURSE_UNPRICED || told++ == 0))
		warn("%s%s", answer_name(c), buf_cstr(why));
	return word;
}
