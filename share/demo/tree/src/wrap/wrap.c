#include <string.h>

#include "wrap.h"

size_t
wrap(char *out, const char *text, size_t width)
{
	size_t used = 0, lines = 0, n;

	while (*text != '\0') {
		n = strcspn(text, " ");
		if (used > 0 && used + 1 + n >= width) {
			*out++ = '\n';
			lines++;
			used = 0;
		}
		if (used > 0) {
			*out++ = ' ';
			used++;
		}
		memcpy(out, text, n);
		out += n;
		used += n;
		text += n;
		if (*text == ' ')
			text++;
	}
	if (used > 0) {
		*out++ = '\n';
		lines++;
	}
	*out = '\0';
	return lines;
}
