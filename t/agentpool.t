#!/bin/sh
. "${0%/*}/lib.sh"

check 'the command runs with its arguments and the lock' \
    'agentpool -l lock -- sh -c "echo \$1; test -n \"\$TURNPIPE_LOCK_FD\"" x "a b"' <<!
a b
!
check 'a script that uses descriptors of its own keeps it' \
    'agentpool -l lock -w 0 -n me -- sh -c "{ agentpool -l lock -- true; echo \$?; } 3>x 4>x 5>x 9>x" 2>/dev/null
    agentpool -l lock -- sh -c "{ ls -l /proc/self/fd/\$TURNPIPE_LOCK_FD; } 3>x" | sed "s,.*/,,"' <<!
75
lock
!
check 'its status is the status' 'agentpool -l lock -- sh -c "exit 7" || echo $?' <<!
7
!
check 'a holder that lives is named' \
    'agentpool -l lock -n me -- sh -c "echo \$\$ >pid; agentpool -l lock -- true || echo \$?" 2>&1 |
    sed "s/process $(cat pid 2>/dev/null || echo none) /process PID /; s/process [0-9]* /process PID /"' <<!
agentpool: lock: held by process PID (me)
75
!
# The holder dies at once, its child keeps the descriptor for a while.
check 'an orphan is waited for, and the run goes on' \
    'agentpool -l lock -n gone -- sh -c "{ until [ -e go ]; do sleep 0.05; done; } >/dev/null 2>&1 & echo left"
    agentpool -l lock -- echo "goes on" 2>said & until_ "[ -s said ]"; : >go; wait; sed "s/process [0-9]*/process PID/" said' <<!
left
goes on
agentpool: lock: process PID (gone) is gone, but something it started still runs; waiting up to 300 s
!
check 'but not longer than asked' \
    'agentpool -l lock -- sh -c "sleep 600 >/dev/null 2>&1 & echo \$! >pid"
    agentpool -l lock -w 0 -- true 2>said || echo $?; tail -n 1 said; kill "$(cat pid)"' <<!
75
agentpool: lock: still held after 0 s
!
# A directory that is closed would say so: none of the user's.
fails 66 'a command that is not there' 'PATH=/usr/bin:/bin "$BIN/agentpool" -l lock2 -- no-such-command' <<!
agentpool: no-such-command: No such file or directory
!
: >plain
fails 77 'a command that can not be run' 'agentpool -l lock2 -- ./plain' <<!
agentpool: ./plain: Permission denied
!
fails 73 'a lock that can not be made' ': >file; agentpool -l file/lock -- true' <<!
agentpool: file/lock: Not a directory
!
check 'the directory of a lock is made' \
    'agentpool -l a/b/lock -- true; stat -c %a a a/b' <<!
700
700
!
check 'a time: the command has an alarm of its own' \
    'agentpool -t 1 -- sh -c "trap : ALRM; sleep 600 >&- 2>&- & wait \$!; echo \$((\$? > 128)); kill \$!"' <<!
1
!
check 'a caller that ignores ALRM does not take the time away' \
    '{ perl -MPOSIX -e "\$SIG{ALRM} = q(IGNORE);
	sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGALRM)); exec @ARGV" \
	agentpool -t 1 -- sleep 60 || echo $?; } 2>/dev/null' <<!
142
!
fails 64 'a time that is none' 'agentpool -t 0 -- true 2>err; s=$?; head -n 1 err >&2; exit $s' <<!
agentpool: -t: expected a whole number from 1 to 31536000, got '0'
!
fails 64 'no lock' 'agentpool true' <<!
agentpool: expected a lock (-l) or a time (-t)
usage: agentpool [-l file] [-n what] [-t seconds] [-w seconds]
                 [--] command [arg ...]
       agentpool -ku [-t seconds] [--] command [arg ...]
!
check '-k: no variable that may be a secret, and all others' \
    'A_KEY=3 GH_TOKEN=2 MY_PASSWORD=3 b_secret=4 PLAIN=5 agentpool -k -- env | grep "=[2-5]$"' <<!
PLAIN=5
!
check '-u: what is left behind does not hold the lock' \
    'agentpool -l lock -- agentpool -u -- sh -c "sleep 600 >&- 2>&- & echo \$! \${TURNPIPE_LOCK_FD-none}" >left
    agentpool -l lock -w 0 -- echo free; read -r p said <left; echo "$said"; kill "$p"' <<!
free
none
!
