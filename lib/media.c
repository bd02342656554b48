#include <string.h>

#include "media.h"
#include "token.h"

enum media_kind
media_url(struct buf *url, const struct json *j, int i)
{
	int type = json_get(j, i, "type"), v;

	buf_reset(url);
	if (json_is(j, type, "image_url")) {
		v = json_get(j, i, "image_url");
		if (json_str(j, v, url) < 0)
			json_str(j, json_get(j, v, "url"), url);
		return url->n > 0 ? MEDIA_IMAGE : MEDIA_NONE;
	}
	if (json_is(j, type, "file"))
		json_str(j, json_at(j, i, "file.file_data"), url);
	return url->n > 0 ? MEDIA_FILE : MEDIA_NONE;
}

int
media_data(const struct buf *url, struct span *type, struct span *data)
{
	static const char scheme[] = "data:", mark[] = ";base64,";
	const char *p = url->p, *end = p + url->n, *comma;
	size_t n = sizeof(scheme) - 1, m = sizeof(mark) - 1;

	if (url->n <= n || memcmp(p, scheme, n) != 0)
		return 0;
	comma = memchr(p, ',', url->n);
	if (comma == NULL || (size_t)(comma + 1 - p) < n + m
	    || memcmp(comma + 1 - m, mark, m) != 0)
		return 0;
	type->p = p + n;
	type->n = strcspn(p + n, ";");
	data->p = comma + 1;
	data->n = (size_t)(end - data->p);
	return 1;
}

static int
is_image(const struct json *j, int part)
{
	static const char *const types[] = {
		"image_url", "image", "input_image"};
	int type = json_get(j, part, "type");
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (json_is(j, type, types[i]))
			return 1;
	return 0;
}

/* The tokens of a document, 0 for any other part. */
static long long
file_tokens(const struct json *j, int part, int bytes)
{
	static struct buf url;
	struct span type, data;

	if (bytes == 0 || media_url(&url, j, part) != MEDIA_FILE
	    || !media_data(&url, &type, &data))
		return 0;
	return (long long)data.n * 3 / 4 / bytes + 1;
}

static long long
excess(const struct json *j, int content, long long image, int bytes)
{
	struct span s;
	long long file;
	long long n = 0;
	int k;

	if (json_kind(j, content) != JSON_ARRAY)
		return 0;
	for (k = json_first(j, content); k >= 0; k = json_next(j, k)) {
		file = is_image(j, k) ? image : file_tokens(j, k, bytes);
		if (file == 0 && !is_image(j, k))
			continue;
		s = json_span(j, k);
		n += (long long)token_count(s.p, s.n) - file;
	}
	return n;
}

long long
media_excess(const struct json *j, long long image, int bytes)
{
	int list = json_get(j, 0, "messages"), m;
	long long n = excess(j, json_get(j, 0, "content"), image, bytes);

	for (m = json_first(j, list); m >= 0; m = json_next(j, m))
		n += excess(j, json_get(j, m, "content"), image, bytes);
	return n;
}
