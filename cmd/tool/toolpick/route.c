#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "fileshape.h"
#include "keyword.h"
#include "path.h"
#include "route.h"
#include "yamlfile.h"

struct route {
	char *name; /* 10-files */
	struct strs words; /* as keyword_list has them */
	struct strs tools;
};

static struct route *routes;
static size_t nroutes, caproutes;
static size_t nfiles; /* the first ones; those of servers follow */

static void
load(const char *path)
{
	static struct yamlfile y;
	struct strs words = {0};
	struct route *r;

	yamlfile_load(&y, path);
	fileshape_check(&y, "route");
	grow(&routes, &caproutes, nroutes, sizeof(*routes));
	r = &routes[nroutes++];
	memset(r, 0, sizeof(*r));
	r->name = xstrdup(file_name(path));
	r->name[strlen(r->name) - strlen(".yaml")] = '\0';
	json_strs(&y.json, json_get(&y.json, 0, "words"), &words);
	json_strs(&y.json, json_get(&y.json, 0, "tools"), &r->tools);
	keyword_list(&r->words, &words);
	strs_free(&words);
}

/* The files; a second call does nothing. */
static void
load_all(void)
{
	static struct strs files;
	static int loaded;
	size_t i;

	if (loaded)
		return;
	loaded = 1;
	path_list(&files, "routes", ".yaml");
	for (i = 0; i < files.n; i++)
		load(files.v[i]);
	nfiles = nroutes;
}

void
route_forget(void)
{
	while (nroutes > nfiles) {
		free(routes[--nroutes].name);
		strs_free(&routes[nroutes].words);
		strs_free(&routes[nroutes].tools);
	}
}

void
route_server(const char *server)
{
	static struct buf b;
	struct strs words = {0};
	struct route *r;
	size_t i, k, n;

	load_all();
	buf_reset(&b);
	buf_printf(&b, "%s_", server);
	n = b.n;
	for (i = 0; i < nroutes; i++)
		for (k = 0; k < routes[i].tools.n; k++)
			if (strncmp(routes[i].tools.v[k], buf_cstr(&b), n) == 0)
				return;
	buf_puts(&b, "*");
	grow(&routes, &caproutes, nroutes, sizeof(*routes));
	r = &routes[nroutes++];
	memset(r, 0, sizeof(*r));
	r->name = xstrdup(server);
	strs_add(&r->tools, buf_cstr(&b));
	strs_add(&words, server);
	buf_reset(&b);
	for (; *server != '\0'; server++)
		buf_putc(&b, *server == '_' || *server == '-' ? ' ' : *server);
	strs_add(&words, buf_cstr(&b));
	keyword_list(&r->words, &words);
	strs_free(&words);
}

size_t
route_match(struct strs *patterns, struct strs *by, struct span said)
{
	static const struct strs none;
	static struct keyword_text text;
	size_t i, k, found = 0;

	load_all();
	keyword_text(&text, said.p, said.n, said.n);
	for (i = 0; i < nroutes; i++) {
		if (!keyword_any(&text, &routes[i].words, &none))
			continue;
		found++;
		for (k = 0; k < routes[i].tools.n; k++) {
			strs_add(patterns, routes[i].tools.v[k]);
			strs_add(by, routes[i].name);
		}
	}
	return found;
}
