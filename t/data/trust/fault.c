/*
 * A library for LD_PRELOAD: the n-th call of a kind in a program fails, is
 * short, or kills it (trust.py).
 *
 *	FAULT_COUNTS=FILE	what each program called is counted in there, a
 *				struct slot each, by its processes together
 *	FAULT=PROGRAM:CALL:N:HOW	the fault; "*" is any program.  HOW is fail;
 *				short: one byte; kill; full: from then on no byte
 *				goes into a file; back, ahead: the clock is set
 *				by a year
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum call { MALLOC, READ, WRITE, OPEN, FSYNC, CONNECT, FORK, CLOCK, CALLS };
static const char *const names[CALLS] = { "malloc", "read", "write", "open",
	"fsync", "connect", "fork", "clock" };
static const int errors[CALLS] = { ENOMEM, EIO, ENOSPC, EMFILE, EIO,
	ECONNREFUSED, EAGAIN, 0 };

enum { SLOTS = 63, YEAR = 365 * 86400 };
/* The first has "*", what all of them called. */
static struct slot {
	uint32_t taken;
	char name[16];
	uint32_t count[CALLS], hits;
} *slots, *own;
static enum call at = CALLS;
static uint32_t nth;
static int all;
static char how[8];

__attribute__((constructor)) static void
fault_begin(void)
{
	const char *file = getenv("FAULT_COUNTS"), *fault = getenv("FAULT");
	char name[16] = "", program[16] = "", call[16] = "";
	int fd, i;

	if (file == NULL || (fd = (int)syscall(SYS_openat, AT_FDCWD, file,
	    O_RDWR | O_CLOEXEC, 0)) == -1)
		return;
	slots = mmap(NULL, (SLOTS + 1) * sizeof(*slots), PROT_READ | PROT_WRITE,
	    MAP_SHARED, fd, 0);
	close(fd);
	if (slots == MAP_FAILED)
		_exit(70);
	prctl(PR_GET_NAME, name);
	for (i = 1; i < SLOTS; i++) {
		if (__sync_bool_compare_and_swap(&slots[i].taken, 0, 1)) {
			memcpy(slots[i].name, name, sizeof(name));
			__sync_lock_test_and_set(&slots[i].taken, 2);
		}
		while (__sync_fetch_and_add(&slots[i].taken, 0) == 1)
			;
		if (memcmp(slots[i].name, name, sizeof(name)) == 0)
			break;
	}
	if (fault != NULL && sscanf(fault, "%15[^:]:%15[^:]:%u:%7s", program,
	    call, &nth, how) == 4) {
		all = strcmp(program, "*") == 0;
		if (all || strcmp(program, name) == 0)
			for (at = 0; at < CALLS; at++)
				if (strcmp(call, names[at]) == 0)
					break;
	}
	own = &slots[i];
}

/* Count a call; 1 if the fault is to be put in, or is there for good. */
static int
fault_here(enum call call)
{
	uint32_t n, total;

	if (own == NULL)
		return 0;
	n = __sync_add_and_fetch(&own->count[call], 1);
	total = __sync_add_and_fetch(&slots[0].count[call], 1);
	if (call != at)
		return 0;
	if (all)
		n = total;
	if (n < nth || (n > nth && *how != 'b' && *how != 'a' &&
	    strcmp(how, "full") != 0))
		return 0;
	__sync_add_and_fetch(&own->hits, 1);
	if (strcmp(how, "kill") == 0)
		raise(SIGKILL);
	errno = errors[call];
	return 1;
}

#define MEMORY(name, params, args) \
	void *__libc_##name params; \
	void *name params { return fault_here(MALLOC) ? NULL : __libc_##name args; }
MEMORY(malloc, (size_t n), (n))
MEMORY(calloc, (size_t n, size_t size), (n, size))
MEMORY(realloc, (void *p, size_t n), (p, n))

/* How many bytes of n a call takes; -1 if none. */
static ssize_t
fault_bytes(enum call call, int fd, size_t n)
{
	struct stat st;

	if (!fault_here(call))
		return (ssize_t)n;
	if (strcmp(how, "short") == 0)
		return n > 0;
	if (strcmp(how, "full") == 0 && !(fstat(fd, &st) == 0 &&
	    S_ISREG(st.st_mode)))
		return (ssize_t)n;
	errno = errors[call];
	return -1;
}

#define BYTES(call, name, sys, params, ...) \
	ssize_t name params { ssize_t take = fault_bytes(call, fd, n); \
	return take < 0 ? -1 : syscall(sys, fd, p, take __VA_ARGS__); }
BYTES(READ, read, SYS_read, (int fd, void *p, size_t n), )
BYTES(READ, pread, SYS_pread64, (int fd, void *p, size_t n, off_t off), , off)
BYTES(WRITE, write, SYS_write, (int fd, const void *p, size_t n), )
BYTES(WRITE, pwrite, SYS_pwrite64,
    (int fd, const void *p, size_t n, off_t off), , off)

/* The mode is 0 or not given where no file is made. */
#define OPENED(dir, path, flags) \
	va_list ap; \
	va_start(ap, flags); \
	mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0; \
	va_end(ap); \
	return fault_here(OPEN) ? -1 : \
	    (int)syscall(SYS_openat, dir, path, flags, mode)
int openat(int dir, const char *path, int flags, ...) { OPENED(dir, path, flags); }
int open(const char *path, int flags, ...) { OPENED(AT_FDCWD, path, flags); }
int open64(const char *path, int flags, ...) { OPENED(AT_FDCWD, path, flags); }

int
fsync(int fd)
{
	return fault_here(FSYNC) ? -1 : (int)syscall(SYS_fsync, fd);
}

int
connect(int fd, const struct sockaddr *to, socklen_t n)
{
	return fault_here(CONNECT) ? -1 : (int)syscall(SYS_connect, fd, to, n);
}

static pid_t
fork_next(void)
{
	pid_t (*f)(void);

	*(void **)&f = dlsym(RTLD_NEXT, "fork");
	return f();
}
pid_t fork(void) { return fault_here(FORK) ? -1 : fork_next(); }
pid_t vfork(void) { return fault_here(FORK) ? -1 : fork_next(); }

int
posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *fa,
    const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
	int (*f)(pid_t *, const char *, const posix_spawn_file_actions_t *,
	    const posix_spawnattr_t *, char *const *, char *const *);

	*(void **)&f = dlsym(RTLD_NEXT, "posix_spawnp");
	return fault_here(FORK) ? EAGAIN : f(pid, file, fa, attr, argv, envp);
}

int
clock_gettime(clockid_t clock, struct timespec *ts)
{
	int st = (int)syscall(SYS_clock_gettime, clock, ts);

	if (clock == CLOCK_REALTIME && fault_here(CLOCK))
		ts->tv_sec += *how == 'b' ? -YEAR : YEAR;
	return st;
}

time_t
time(time_t *t)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	if (t != NULL)
		*t = ts.tv_sec;
	return ts.tv_sec;
}
