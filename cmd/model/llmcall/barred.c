#include <stdlib.h>
#include <string.h>

#include "barred.h"
#include "buf.h"
#include "clock.h"

enum { ROW = 3, TWICE = 2 };

struct model {
	char *name, *why;	  /* why: the last refusal that counted */
	int code, answered, warned;
	int row, most;		  /* refusals in a row; so many bar it */
	long long until;	  /* the bar holds (clock_ms) */
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
	m->row = m->warned = 0;
}

void
barred_refused(
    const char *model, int code, const char *why, int all, long long ms)
{
	struct model *m = add(model);

	m->most = all || !m->answered ? TWICE : ROW;
	m->row++;
	free(m->why);
	m->why = xstrdup(why);
	m->code = code;
	m->until = clock_ms() + ms;
}

int
barred_is(const char *model, int *code, const char **why)
{
	const struct model *m = find(model);

	if (m == NULL || m->row == 0 || m->row < m->most || clock_ms() >= m->until)
		return 0;
	*code = m->code;
	*why = m->why;
	return 1;
}

int
barred_first(const char *model)
{
	struct model *m = find(model);

	return m != NULL && m->warned++ == 0;
}
