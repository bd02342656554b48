#include <string.h>

#include "barred.h"
#include "buf.h"

enum { ROW = 3 };

struct model {
	char *name, *why;
	int code, answered, row, warned;
};

static struct model *models;
static size_t nmodels, cap;

static struct model *
find(const char *name)
{
	size_t i;

	for (i = 0; i < nmodels; i++)
		if (strcmp(models[i].name, name) == 0)
			return &models[i];
	return NULL;
}

static struct model *
add(const char *name)
{
	struct model *m = find(name);

	if (m != NULL)
		return m;
	grow(&models, &cap, nmodels, sizeof(*models));
	m = &models[nmodels++];
	memset(m, 0, sizeof(*m));
	m->name = xstrdup(name);
	return m;
}

void
barred_answered(const char *model)
{
	struct model *m = add(model);

	m->answered = 1;
	m->row = 0;
}

void
barred_refused(const char *model, int code, const char *why, int all)
{
	struct model *m = add(model);

	if (m->why != NULL || (!all && m->answered && ++m->row < ROW))
		return;
	m->why = xstrdup(why);
	m->code = code;
}

const char *
barred_why(const char *model, int *code)
{
	const struct model *m = find(model);

	if (m == NULL || m->why == NULL)
		return NULL;
	*code = m->code;
	return m->why;
}

int
barred_first(const char *model)
{
	struct model *m = find(model);

	return m != NULL && m->warned++ == 0;
}
