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

size_t
route_match(struct strs *patterns, struct strs *by, struct span said)
{
	static const struct strs none;
	static struct strs files;
	static struct keyword_text text;
	static int loaded;
	size_t i, k, found = 0;

	if (!loaded) {
		loaded = 1;
		path_list(&files, "routes", ".yaml");
		for (i = 0; i < files.n; i++)
			load(files.v[i]);
	}
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
