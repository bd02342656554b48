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
	int asking;		  /* one was sent alone */
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

/* Is the next request asked alone? */
static int
is_doubted(const struct model *m)
{
	return m != NULL && m->row > 0 && m->row + 1 >= m->most;
}

enum barred
barred_ask(const char *model, int *code, const char **why)
{
	const struct model *m = find(model);

	if (!is_doubted(m))
		return BARRED_NO;
	if (m->row < m->most || clock_ms() >= m->until)
		return m->asking ? BARRED_WAIT : BARRED_NO;
	*code = m->code;
	*why = m->why;
	return BARRED_YES;
}

size_t
barred_sent(const char *model)
{
	struct model *m = find(model);

	if (!is_doubted(m))
		return 0;
	m->asking = 1;
	return (size_t)(m - models) + 1;
}

void
barred_over(size_t sent)
{
	if (sent > 0)
		models[sent - 1].asking = 0;
}

int
barred_first(const char *model)
{
	struct model *m = find(model);

	return m != NULL && m->warned++ == 0;
}
