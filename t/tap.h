#ifndef TAP_H
#define TAP_H

/*
 * TAP for unit tests: ok() per case, "return done_testing();" at the end of
 * main.  A test that dies on the way prints no plan, and so fails.
 */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_run;
static int tap_failed;

extern char **environ;

/* Before main: the user's settings and keys are not those of a test. */
static void __attribute__((constructor))
tap_alone(void)
{
	static const char *const kept[] = {"PATH=", "PWD=", "TMPDIR=", "BIN=",
	    "O=", "CC=", "CI=", "ASAN_OPTIONS=", "UBSAN_OPTIONS=",
	    "LSAN_OPTIONS=", "LD_LIBRARY_PATH=", "LD_PRELOAD=", NULL};
	size_t i, k, n = 0;

	for (i = 0; environ && environ[i]; i++)
		for (k = 0; kept[k]; k++)
			if (!strncmp(environ[i], kept[k], strlen(kept[k])))
				environ[n++] = environ[i];
	if (environ)
		environ[n] = NULL;
	setenv("HOME", "/nonexistent", 1);
	setenv("LC_ALL", "C", 1);
	setenv("TZ", "UTC", 1);
}

/* Count and print one case; cond is nonzero when it holds. */
static inline void __attribute__((format(printf, 2, 3)))
ok(int cond, const char *fmt, ...)
{
	char name[400];
	char *p;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	/* A name made from input must not start a line or a directive. */
	for (p = name; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || *p == '#')
			*p = '?';
	tap_run++;
	if (!cond)
		tap_failed++;
	printf("%sok %d - %s\n", cond ? "" : "not ", tap_run, name);
	fflush(stdout); /* before a case that forks or crashes */
}

/* Print the plan.  0 when all cases held and there was one at least. */
static inline int
done_testing(void)
{
	printf("1..%d\n", tap_run);
	if (fflush(stdout) != 0 || ferror(stdout))
		return 1;
	return tap_failed != 0 || tap_run == 0;
}

#endif
