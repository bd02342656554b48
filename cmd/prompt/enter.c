#include <stdlib.h>
#include <unistd.h>

#include "diag.h"
#include "enter.h"
#include "path.h"
#include "ring.h"

void
enter_session(const struct rec *r)
{
	static struct ring ring;

	if (!ring_isset())
		return;
	ring_take(&ring, r);
	path_leave();
	if (chdir(ring.cwd) < 0)
		record_fault_sys(EX_NOINPUT, ring.cwd);
	else if (setenv("TURNPIPE_SESSION", ring.session, 1) < 0
	    || setenv("TURNPIPE_RUN", ring.run, 1) < 0
	    || setenv("PWD", ring.cwd, 1) < 0)
		die_sys(EX_OSERR, "setenv");
}
