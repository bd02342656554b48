#include <string.h>

#include "filetype.h"

static const struct {
	const char *magic;
	size_t at, n;
	struct filetype type;
} types[] = {
	{"\x89PNG\r\n\x1a\n", 0, 8, {"PNG image", "image/png"}},
	{"\xff\xd8\xff", 0, 3, {"JPEG image", "image/jpeg"}},
	{"GIF8", 0, 4, {"GIF image", "image/gif"}},
	{"WEBP", 8, 4, {"WebP image", "image/webp"}},
	{"WAVE", 8, 4, {"WAVE audio", "audio/wav"}},
	{"%PDF-", 0, 5, {"PDF document", "application/pdf"}},
	{"PK\3\4", 0, 4, {"ZIP archive", NULL}},
	{"\x1f\x8b", 0, 2, {"gzip data", NULL}},
	{"BZh", 0, 3, {"bzip2 data", NULL}},
	{"\xfd" "7zXZ", 0, 5, {"xz data", NULL}},
	{"\x28\xb5\x2f\xfd", 0, 4, {"zstd data", NULL}},
	{"ustar", 257, 5, {"tar archive", NULL}},
	{"\x7f" "ELF", 0, 4, {"ELF program", NULL}},
	{"SQLite format 3", 0, 15, {"SQLite database", NULL}},
	{"ftyp", 4, 4, {"MP4 video", NULL}},
	{"OggS", 0, 4, {"Ogg media", NULL}},
	{"ID3", 0, 3, {"MP3 audio", NULL}},
};

const struct filetype *
filetype_of(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (n >= types[i].at + types[i].n
		    && memcmp(s + types[i].at, types[i].magic, types[i].n)
			== 0)
			return &types[i].type;
	return NULL;
}
