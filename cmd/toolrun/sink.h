#ifndef SINK_H
#define SINK_H

/*
 * Standard output as the standard input of another command, which is
 * started by the first byte.  In a pipe of the shell's whoever starts us
 * learns the status of one end only, and the pid of one end only.
 */

/*
 * The command and its arguments, NULL at the end; they must stay.  Before
 * anything is written.  It ignores what signals end us with, and holds the
 * lock of TURNPIPE_LOCK_FD (agentpool(1)) as we do.
 */
void sink_to(char *const *argv);

int sink_isset(void);

/*
 * After out_end: wait for the command.  0 if it succeeded or never was
 * started, else its status as a shell counts it; a signal that came
 * meanwhile ends us behind it.  exit(3) does that too, and where the command
 * failed its status is ours, whatever ours was.  (The first output dies with
 * EX_NOINPUT or EX_NOPERM where it can not be executed.)
 */
int sink_end(void);

#endif
