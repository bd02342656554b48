#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"

/* Two long paths; with prog in one write(2) of a pipe. */
enum { DIAG_MAX = 3900 };

const char *prog = "turnpipe";
void (*die_hook)(int, const char *);
void (*warn_before)(void);
void (*warn_shown)(const char *, size_t);

static void
clean(char *s)
{
	unsigned char *p;

	for (p = (unsigned char *)s; *p != '\0'; p++) {
		if (*p < ' ' || *p == 0x7f)
			*p = '?';
		else if (*p == 0xc2 && p[1] >= 0x80 && p[1] <= 0x9f)
			p[0] = p[1] = '?';
	}
}

static void __attribute__((format(printf, 4, 0)))
format(char *msg, size_t size, int err, const char *fmt, va_list ap)
{
	size_t n;

	vsnprintf(msg, size, fmt, ap);
	n = strlen(msg);
	if (err != 0 && n < size)
		snprintf(msg + n, size - n, ": %s", strerror(err));
	clean(msg);
}

static void
print(const char *msg)
{
	char line[DIAG_MAX + 100];
	int n;

	if (warn_before != NULL)
		warn_before();
	n = snprintf(line, sizeof(line), "%s: %s\n", prog, msg);
	if (n > 0 && (size_t)n >= sizeof(line)) {
		n = sizeof(line) - 1;
		line[n - 1] = '\n';
	}
	if (n > 0 && warn_shown != NULL) {
		warn_shown(line, (size_t)n);
		return;
	}
	/* There is no place to report that stderr cannot be written. */
	if (n > 0 && write(STDERR_FILENO, line, (size_t)n) < 0)
		return;
}

static _Noreturn void
finish(int code, const char *msg)
{
	void (*hook)(int, const char *) = die_hook;

	print(msg);
	die_hook = NULL; /* a hook that fails must not run itself again */
	if (hook != NULL)
		hook(code, msg);
	exit(code);
}

void
warn(const char *fmt, ...)
{
	char msg[DIAG_MAX];
	va_list ap;

	va_start(ap, fmt);
	format(msg, sizeof(msg), 0, fmt, ap);
	va_end(ap);
	print(msg);
}

void
warn_sys(const char *fmt, ...)
{
	char msg[DIAG_MAX];
	int err = errno;
	va_list ap;

	va_start(ap, fmt);
	format(msg, sizeof(msg), err, fmt, ap);
	va_end(ap);
	print(msg);
}

void
die(int code, const char *fmt, ...)
{
	char msg[DIAG_MAX];
	va_list ap;

	va_start(ap, fmt);
	format(msg, sizeof(msg), 0, fmt, ap);
	va_end(ap);
	finish(code, msg);
}

void
die_sys(int code, const char *fmt, ...)
{
	char msg[DIAG_MAX];
	int err = errno;
	va_list ap;

	va_start(ap, fmt);
	format(msg, sizeof(msg), err, fmt, ap);
	va_end(ap);
	finish(code, msg);
}

void
die_at(int code, const char *file, size_t line, size_t col, const char *why)
{
	die(code, "%s:%zu:%zu: %s", file, line, col, why);
}
