#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "apikey.h"
#include "capture.h"
#include "env.h"
#include "file.h"

enum { KEY_MAX = 8192, MASKED = 4, SECRET = 8, COMMAND_MS = 10000 };

/* A key goes into a header: one word of printing characters. */
static void
set(struct apikey *k, const char *s, size_t n, const char *from)
{
	size_t i;

	while (n > 0 && isspace((unsigned char)s[n - 1]))
		n--;
	while (n > 0 && isspace((unsigned char)*s)) {
		s++;
		n--;
	}
	for (i = 0; i < n; i++)
		if ((unsigned char)s[i] <= ' ' || (unsigned char)s[i] > '~')
			break;
	if (n == 0 || i < n)
		buf_printf(&k->why, "%s: expected a key in one word", from);
	else
		k->text = xstrndup(s, n);
}

/* Its first line; other output is never shown: it may hold a key. */
static void
from_command(struct apikey *k, const char *name, const char *cmd)
{
	char *argv[] = {"sh", "-c", NULL, NULL};
	struct capture c;
	char *text = xstrdup(cmd), *nl;

	memset(&c, 0, sizeof(c));
	argv[2] = text;
	if (capture_start(&c, argv, NULL, 0) == 0)
		capture_wait(&c, 1, COMMAND_MS);
	if (c.state == CAPTURE_GIVENUP) {
		buf_printf(&k->why, "%s: the command gives no key in %d s",
		    name, COMMAND_MS / 1000);
	} else if (c.state != CAPTURE_DONE || c.status != 0 || c.out.n == 0
	    || c.out.n > KEY_MAX) {
		buf_printf(&k->why, "%s: the command gives no key", name);
	} else {
		nl = memchr(c.out.p, '\n', c.out.n);
		set(k, c.out.p, nl == NULL ? c.out.n : (size_t)(nl - c.out.p),
		    name);
	}
	buf_free(&c.out);
	free(text);
}

static void
from_file(struct apikey *k, const char *path)
{
	struct buf text = {NULL, 0, 0};
	struct stat st;

	if (stat(path, &st) < 0)
		return;
	if ((st.st_mode & 077) != 0)
		buf_printf(&k->why,
		    "%s: expected a file that only its owner can read: "
		    "chmod 600", path);
	else if (file_read(path, &text, KEY_MAX) == FILE_OK)
		set(k, text.p, text.n, path);
	else
		buf_printf(&k->why, "%s: cannot be read", path);
	buf_free(&text);
}

static void
from_vars(struct apikey *k, const struct strs *l)
{
	const char *s;
	size_t i;

	for (i = 0; i < l->n && k->text == NULL && k->why.n == 0; i++)
		if ((s = env_get(l->v[i])) != NULL)
			set(k, s, strlen(s), l->v[i]);
}

static const char *
command(const char *var, struct buf *name)
{
	buf_reset(name);
	buf_printf(name, "%s_CMD", var);
	return env_get(buf_cstr(name));
}

static void
from_commands(struct apikey *k, const struct strs *l)
{
	struct buf name = {NULL, 0, 0};
	const char *s;
	size_t i;

	for (i = 0; i < l->n && k->text == NULL && k->why.n == 0; i++)
		if ((s = command(l->v[i], &name)) != NULL)
			from_command(k, buf_cstr(&name), s);
	buf_free(&name);
}

void
apikey_find(struct apikey *k, struct apikey_places *at)
{
	if (k->looked)
		return;
	k->looked = 1;
	from_vars(k, &at->vars);
	if (k->text == NULL) {
		from_vars(k, &at->tokens);
		k->istoken = k->text != NULL;
	}
	from_commands(k, &at->vars);
	if (k->text == NULL) {
		from_commands(k, &at->tokens);
		k->istoken = k->text != NULL;
	}
	if (k->text == NULL && k->why.n == 0 && at->cmd.n > 0)
		from_command(k, "key_cmd", buf_cstr(&at->cmd));
	if (k->text == NULL && k->why.n == 0)
		from_file(k, buf_cstr(&at->file));
}

static int
vars_there(const struct strs *l)
{
	struct buf name = {NULL, 0, 0};
	size_t i;
	int has = 0;

	for (i = 0; i < l->n && !has; i++)
		has =
		    env_get(l->v[i]) != NULL || command(l->v[i], &name) != NULL;
	buf_free(&name);
	return has;
}

int
apikey_there(const struct apikey *k, struct apikey_places *at)
{
	struct stat st;

	return k->text != NULL || at->cmd.n > 0 || vars_there(&at->vars)
	    || vars_there(&at->tokens)
	    || ((at->vars.n > 0 || at->tokens.n > 0)
		&& stat(buf_cstr(&at->file), &st) == 0);
}

int
apikey_secret(const struct apikey *k)
{
	return k->text != NULL && strlen(k->text) >= SECRET
	    && strpbrk(k->text, "0123456789") != NULL;
}

void
apikey_mask(const struct apikey *k, struct buf *b)
{
	size_t i, n = k->text == NULL ? 0 : strlen(k->text);

	for (i = 0; n >= MASKED && i + n <= b->n; i++)
		if (memcmp(b->p + i, k->text, n) == 0) {
			memcpy(b->p + i, "***", 3);
			memmove(
			    b->p + i + 3, b->p + i + n, b->n - i - n);
			b->n -= n - 3;
		}
}
