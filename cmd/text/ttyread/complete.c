#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "complete.h"
#include "file.h"
#include "utf8.h"

/* Names that a line can hold as they are. */
static int
is_writable(const char *s)
{
	size_t i, n = strlen(s);

	for (i = 0; i < n; i++)
		if ((unsigned char)s[i] < ' ' || s[i] == 0x7f || s[i] == '"')
			return 0;
	return utf8_check(s, n) == n;
}

static void
look_in(struct strs *l, const char *dir, const char *prefix,
    const char *word, size_t n)
{
	static struct buf path;
	struct dirent *e;
	struct stat st;
	size_t len = strlen(prefix);
	DIR *d = opendir(dir);

	if (d == NULL)
		return;
	while ((e = readdir(d)) != NULL) {
		if (strncmp(e->d_name, prefix, len) != 0
		    || e->d_name[len] == '-' || e->d_name[len] == '\0'
		    || strncmp(e->d_name + len, word, n) != 0
		    || !is_writable(e->d_name))
			continue;
		buf_reset(&path);
		file_join(&path, dir, e->d_name);
		if (stat(buf_cstr(&path), &st) == 0 && S_ISREG(st.st_mode)
		    && access(path.p, X_OK) == 0)
			strs_once(l, e->d_name + len);
	}
	closedir(d);
}

void
complete_command(struct strs *l, const char *word, size_t n,
    const char *prefix, char **words)
{
	static struct buf dir;
	const char *path = getenv("PATH");
	static struct buf key;
	size_t k;

	buf_reset(&key);
	buf_add(&key, word, n);
	for (; *words != NULL; words++)
		if (strncmp(*words, buf_cstr(&key), n) == 0)
			strs_once(l, *words);
	for (; prefix != NULL && path != NULL && *path != '\0'; path += k) {
		k = strcspn(path, ":");
		buf_reset(&dir);
		buf_add(&dir, path, k);
		if (k > 0 && path[0] == '/')
			look_in(l, buf_cstr(&dir), prefix, buf_cstr(&key), n);
		k += path[k] == ':';
	}
	strs_sort(l);
}

void
complete_path(struct strs *l, const char *word, size_t n)
{
	static struct buf dir, path, name;
	struct dirent *e;
	struct stat st;
	const char *base;
	size_t k = n;
	DIR *d;

	while (k > 0 && word[k - 1] != '/')
		k--;
	buf_reset(&dir);
	buf_add(&dir, word, k);
	buf_reset(&name);
	buf_add(&name, word + k, n - k);
	base = buf_cstr(&name);
	d = opendir(k > 0 ? buf_cstr(&dir) : ".");
	if (d == NULL)
		return;
	while ((e = readdir(d)) != NULL) {
		if (strncmp(e->d_name, base, n - k) != 0
		    || !is_writable(e->d_name) || strcmp(e->d_name, ".") == 0
		    || strcmp(e->d_name, "..") == 0
		    || (e->d_name[0] == '.' && n == k))
			continue;
		buf_reset(&path);
		buf_add(&path, dir.p, dir.n);
		buf_puts(&path, e->d_name);
		if (stat(buf_cstr(&path), &st) == 0 && S_ISDIR(st.st_mode))
			buf_putc(&path, '/');
		strs_add(l, buf_cstr(&path));
	}
	closedir(d);
	strs_sort(l);
}

size_t
complete_common(const struct strs *l)
{
	size_t i, k, n = l->n > 0 ? strlen(l->v[0]) : 0;

	for (i = 1; i < l->n; i++) {
		for (k = 0; k < n && l->v[i][k] == l->v[0][k]; k++)
			continue;
		n = k;
	}
	return n > 0 ? utf8_cut(l->v[0], strlen(l->v[0]), n) : 0;
}
