#include <errno.h>
#include <stddef.h>
#include <sys/stat.h>

#include "box.h"
#include "diag.h"
#include "sandbox.h"
#include "tap.h"

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/* As on a kernel without Landlock; 0 where that can't be played. */
static int
no_landlock(void)
{
#if defined(SYS_landlock_create_ruleset) && defined(SECCOMP_MODE_FILTER)
	struct sock_filter code[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, SYS_landlock_create_ruleset,
		0, 2),
	    BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, SYS_landlock_restrict_self,
		1, 0),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog rules = {sizeof(code) / sizeof(*code), code};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
	    && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &rules) == 0;
#else
	return 1; /* nor has this system one */
#endif
}

/* What a shell line would run in, with this setting and PATH. */
static void
say(const void *arg)
{
	const char *const *a = arg;
	FILE *f = fopen("etc/settings.yaml", "w");

	box_need(f != NULL && fprintf(f, "toolrun: {%s}\n", a[0]) > 0
		&& fclose(f) == 0, "settings");
	box_need(setenv("TURNPIPE_PATH", "etc", 1) == 0
		&& setenv("PATH", a[1], 1) == 0, "setenv");
	if (!no_landlock())
		exit(99);
	sandbox_setup();
	printf("%s %d", sandbox_name() != NULL ? sandbox_name() : "-",
	    sandbox_enter(0, 0));
}

/* Its output; or with the status EX_CONFIG, the end of what it says. */
static void
is(const char *settings, const char *path, int status, const char *want)
{
	const char *a[] = {settings, path};
	struct box_end e;
	const char *said;
	size_t n, m = strlen(want);

	box_run(&e, say, a);
	said = status == 0 ? e.out : e.err;
	for (n = strlen(said); n > 0 && said[n - 1] == '\n'; n--)
		continue;
	if (e.status == 99)
		ok(1, "%s # SKIP no filter for system calls", settings);
	else
		ok(e.status == status && n >= m
			&& strncmp(said + n - m, want, m) == 0,
		    "no Landlock, %s, PATH=%s: '%s' %s", settings, path, e.out,
		    e.err);
}

int
main(void)
{
	char bin[sizeof(box_dir) + 10], none[sizeof(box_dir) + 10];
	FILE *f;

	prog = "sandbox";
	box_enter();
	box_need(mkdir("etc", 0700) == 0 && mkdir("bin", 0700) == 0
		&& mkdir("none", 0700) == 0, "mkdir");
	f = fopen("bin/bwrap", "w");
	box_need(f != NULL && fclose(f) == 0 && chmod("bin/bwrap", 0700) == 0,
	    "bwrap");
	snprintf(bin, sizeof(bin), "%s/bin", box_dir);
	snprintf(none, sizeof(none), "%s/none", box_dir);
	is("sandbox: landlock", bin, EX_CONFIG,
	    "landlock: the kernel lacks it, or its version is too old");
	is("sandbox: bwrap", bin, 0, "bwrap: files 0");
	is("sandbox: bwrap", none, EX_CONFIG,
	    "bwrap: there is no such program");
	is("sandbox: auto", bin, 0, "bwrap: files 0");
	is("sandbox: auto", none, 0, "- 0");
	is("sandbox: auto, network: false", none, EX_CONFIG,
	    "version is too old; bwrap: there is no such program");
	is("sandbox: auto, network: false", bin, 0, "bwrap: files, network 0");
	is("sandbox: none", none, 0, "- 0");
	is("sandbox: none, network: false", bin, EX_CONFIG,
	    "off: expected toolrun.sandbox: bwrap, which closes it");
	is("sandbox: jail", none, EX_CONFIG,
	    "expected none, landlock, bwrap or auto");
	box_leave();
	return done_testing();
}
