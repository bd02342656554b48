#include <string.h>

#include "joiner.h"
#include "tap.h"
#include "terminal.h"

static const char *const texts[] = {
    "\u0645\u06cc\u200c\u062e", "\u0645\u064b\u200c\u064b\u062e",
    "\u0645\u200c", "\u0647\u200d.", "\u0647\u200d\u0647",
    "\u0915\u094d\u200d\u0937", "\u09b0\u200d\u09cd\u09af",
    "\u09b0\u200d\u09af", "\U0001f468\u200d\U0001f469", "\U0001f468\u200db",
    "\U0001f3f3\ufe0f\u200d\U0001f308", "\u0e01\u200b\u0e01", "\u0e01\u200b",
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f.",
    "\U0001f3f4\U000e0067\U000e0062", "a\u0301\u0301\u0301", "\xf0\x9f",
    "\x9f" };

int
main(void)
{
	static struct buf whole, parts;
	size_t i, n, cut, known, shown;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		n = strlen(texts[i]);
		buf_reset(&whole);
		buf_reset(&parts);
		terminal_clean(&whole, texts[i], n);
		for (shown = 0, cut = 1; cut <= n; cut++) {
			known = joiner_known(texts[i], cut);
			if (known <= shown)
				continue;
			terminal_clean_from(&parts, texts[i], known, shown);
			shown = known;
		}
		terminal_clean_from(&parts, texts[i], n, shown);
		ok(strcmp(buf_cstr(&whole), buf_cstr(&parts)) == 0,
		    "byte by byte as at once: '%s', '%s'", whole.p, parts.p);
	}
	return done_testing();
}
