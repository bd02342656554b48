#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "signals.h"
#include "tap.h"

/*
 * Each letter is a signal to a child: t as a terminal sends it, s as
 * its shell (we are that).  It ends with how many it took for signals, or of
 * a signal: then 100 and its number.
 */
static int
ends(int how, const char *signals)
{
	int up[2], go[2], status;
	char c = 0;
	pid_t pid;

	if (pipe(up) < 0 || pipe(go) < 0 || (pid = fork()) < 0)
		return -1;
	if (pid == 0) {
		close(go[1]);
		signals_arm(how);
		for (; *signals != '\0'; signals++) {
			if (*signals == 't')
				raise(SIGINT);
			if (write(up[1], "", 1) != 1)
				_exit(99);
			while (read(go[0], &c, 1) < 0)
				continue;
		}
		_exit(signals_times() * 10 + (signals_caught() == SIGINT));
	}
	close(up[1]);
	close(go[0]);
	for (; *signals != '\0'; signals++) {
		if (read(up[0], &c, 1) != 1)
			break;
		if (*signals == 's')
			kill(pid, SIGINT);
		if (write(go[1], "", 1) != 1)
			break;
	}
	close(up[0]);
	close(go[1]);
	if (waitpid(pid, &status, 0) < 0)
		return -1;
	return WIFSIGNALED(status) ? 100 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

static const struct {
	int how;
	const char *signals, *what;
	int ends;
} cases[] = {
	{SIGNALS_AT_ONCE, "s", "at once", 100 + SIGINT},
	{SIGNALS_ONCE, "", "none", 0},
	{SIGNALS_ONCE, "t", "a terminal's is noted", 11},
	{SIGNALS_ONCE, "s", "a shell's is noted", 11},
	{SIGNALS_ONCE, "ts", "a shell that repeats the terminal's", 11},
	{SIGNALS_ONCE, "tt", "the second ends it", 100 + SIGINT},
	{SIGNALS_ONCE, "tst", "and so behind one repeated", 100 + SIGINT},
	{SIGNALS_ONCE, "ss", "two of a shell's own", 100 + SIGINT},
	{SIGNALS_ASKED, "tsts", "asked: two of the terminal's", 21},
	{SIGNALS_ASKED, "sss", "asked: three of a shell's", 31},
};

int
main(void)
{
	size_t i;
	int got;

	signal(SIGPIPE, SIG_IGN);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		got = ends(cases[i].how, cases[i].signals);
		ok(got == cases[i].ends, "%s: %d", cases[i].what, got);
	}
	return done_testing();
}
