#include <string.h>

#include "binary.h"
#include "utf8.h"

int
binary_is(const char *s, size_t n)
{
	size_t i, len, odd = 0;
	uint32_t cp;

	if (n > BINARY_LOOK)
		n = utf8_cut(s, n, BINARY_LOOK);
	for (i = 0; i < n; i += len > 0 ? len : 1) {
		len = utf8_get(s + i, n - i, &cp);
		if (len > 0 && cp == 0)
			return 1;
		odd += len == 0
		    || (cp < 0x20 && strchr("\b\t\n\v\f\r\033", (int)cp) == NULL)
		    || cp == 0x7f;
	}
	return odd * 10 > n;
}
