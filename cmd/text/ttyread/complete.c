#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "complete.h"
#include "file.h"
#include "terminal.h"

int
complete_can(const char *s)
{
	static struct buf b;

	buf_reset(&b);
	terminal_clean(&b, s, strlen(s));
	return strcspn(s, "\t\n\"") == strlen(s)
	    && span_is(buf_view(&b), s);
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
		    || !complete_can(e->d_name))
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
