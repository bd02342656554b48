#include <string.h>

#include "binary.h"
#include "utf8.h"

static const struct {
	const char *magic;
	size_t at, n;
	const char *type;
} types[] = {
	{ "\x89PNG\r\n\x1a\n", 0, 8, "PNG image" },
	{ "\xff\xd8\xff", 0, 3, "JPEG image" },
	{ "GIF8", 0, 4, "GIF image" },
	{ "WEBP", 8, 4, "WebP image" },
	{ "WAVE", 8, 4, "WAVE audio" },
	{ "%PDF-", 0, 5, "PDF document" },
	{ "PK\3\4", 0, 4, "ZIP archive" },
	{ "\x1f\x8b", 0, 2, "gzip data" },
	{ "BZh", 0, 3, "bzip2 data" },
	{ "\xfd" "7zXZ", 0, 5, "xz data" },
	{ "\x28\xb5\x2f\xfd", 0, 4, "zstd data" },
	{ "ustar", 257, 5, "tar archive" },
	{ "\x7f" "ELF", 0, 4, "ELF program" },
	{ "SQLite format 3", 0, 15, "SQLite database" },
	{ "ftyp", 4, 4, "MP4 video" },
	{ "OggS", 0, 4, "Ogg media" },
	{ "ID3", 0, 3, "MP3 audio" },
};

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

const char *
binary_type(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (n >= types[i].at + types[i].n
		    && memcmp(s + types[i].at, types[i].magic, types[i].n)
			== 0)
			return types[i].type;
	return "unknown type";
}
