#!/bin/sh
. "${0%/*}/../lib.sh"

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
    sed "s/process $(cat pid 2>/dev/null || echo none) /process PID /; s/process [0-9]* /process PID /; s/kill [0-9]*/kill PID/"' <<!
agentpool: lock: in use by process PID (me); go on there, or end that first: kill PID
75
!
check 'a lock that is taken, with a status of the caller'\''s own' \
    'agentpool -l lock -- sh -c "agentpool -l lock -E 0 -- echo no && echo well; agentpool -l lock -E 9 -- true || echo \$?; exit 75" 2>/dev/null; echo $?
    agentpool -E 256 -l lock -- true 2>/dev/null || echo $?' <<!
well
9
75
64
!
check 'what another host holds is not stale' \
    'agentpool -l lock -- sh -c "echo 1@elsewhere.invalid turn >lock; agentpool -w 0 -l lock -- true" 2>&1 || echo $?
    agentpool -l lock -- true; sed "s/[0-9]*@..* /PID@HOST /" lock' <<!
agentpool: lock: in use by process 1 (turn, on the host elsewhere.invalid); go on there, or end that first
75
PID@HOST true
!
# The holder dies at once, its child keeps the descriptor for a while.
check 'an orphan is waited for, and the run goes on' \
    'agentpool -l lock -n gone -- sh -c "{ until [ -e go ]; do sleep 0.05; done; } >/dev/null 2>&1 & echo left"
    agentpool -l lock -- echo "goes on" 2>said & until_ "[ -s said ]"; : >go; wait; sed "s/process [0-9]*/process PID/; s/kill [0-9]*/kill PID/" said' <<!
left
goes on
agentpool: lock: process PID (gone) is gone, but something it started still runs; waiting up to 300 s
!
check 'but not longer than asked' \
    'agentpool -l lock -- sh -c "sleep 600 >/dev/null 2>&1 & echo \$! >pid"
    agentpool -l lock -w 0 -- true 2>said || echo $?; tail -n 1 said; kill "$(cat pid)"' <<!
75
agentpool: lock: still in use after 0 s
!
# A directory that is closed would say so: none of the user's.
fails 66 'a command that is not there' 'PATH=/usr/bin:/bin "$BIN/agentpool" -l lock2 -- no-such-command' <<!
agentpool: no-such-command: No such file or directory
!
: >plain
fails 77 'a command that cannot be run' 'agentpool -l lock2 -- ./plain' <<!
agentpool: ./plain: Permission denied
!
fails 73 'a lock that cannot be made' ': >file; agentpool -l file/lock -- true' <<!
agentpool: file/lock: Not a directory
!
check '-s: a session is held, and named; what is kept is the user'\''s alone' \
    'umask 026; unset TURNPIPE_UMASK; agentpool -s "$PWD/a.jsonl" -n me -- sh -c "
    echo \${TURNPIPE_SESSION##*/} \$TURNPIPE_UMASK; umask; ls a.d
    agentpool -s \"\$TURNPIPE_SESSION\" -- true; echo \$?" 2>&1 | sed "s/process [0-9]*/process PID/; s/kill [0-9]*/kill PID/; s,$PWD,DIR,"
    TURNPIPE_UMASK=0002 agentpool -s "$PWD/a.jsonl" -- sh -c "echo \$TURNPIPE_UMASK"' <<!
a.jsonl 0026
0077
lock
agentpool: session a.jsonl: in use by process PID (me); go on there, or end that first: kill PID
75
0002
!
check '-s: of no name, a new one, as histadd -n names it' \
    'new=$(TURNPIPE_NOW=2026-11-21T09:30:00Z histadd -n)
    TURNPIPE_NOW=2026-11-21T09:30:00Z agentpool -s "" -- sh -c "echo x >\"\$TURNPIPE_SESSION\"; echo \"\$TURNPIPE_SESSION\"" >is
    echo "$new" | cmp - is && ls "${new%.jsonl}.d"; TURNPIPE_NOW=2026-11-21T09:30:00Z agentpool -s "" -- sh -c "test \"\$TURNPIPE_SESSION\" != \"$new\" || echo twice"' <<!
lock
!
check 'the directory of a lock is made' \
    'agentpool -l a/b/lock -- true; stat -c %a a a/b' <<!
700
700
!
slowly 'a time: the command has an alarm of its own' \
    'agentpool -t $k -- sh -c "trap : ALRM; sleep $((9 * k)) >&- 2>&- & wait \$!; echo \$((\$? > 128)); kill \$!"' <<!
1
!
check 'a caller that ignores ALRM does not take the time away' \
    '{ perl -MPOSIX -e "\$SIG{ALRM} = q(IGNORE);
	sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGALRM)); exec @ARGV" \
	agentpool -t 1 -- sleep 60 || echo $?; } 2>/dev/null' <<!
142
!
fails 64 'not a time' 'agentpool -t 0 -- true 2>err; s=$?; head -n 1 err >&2; exit $s' <<!
agentpool: -t: expected a whole number from 1 to 31536000, got '0'
!
fails 64 'no lock' 'agentpool true' <<!
agentpool: expected a lock (-l) or a time (-t)
usage: agentpool [-E status] [-l file | -s file] [-n what] [-t seconds]
                 [-w seconds] [--] command [arg ...]
       agentpool -k key -d dir [-N] [-m count] [-n what] [-t seconds]
                 [--] command [arg ...]
       agentpool -gKu [-t seconds] [--] command [arg ...]
!
check '-g: what a command has started goes with its group' \
    'agentpool -gu -- sh -c "sleep 600 & echo \$! >its; wait" & leader=$!; until_ "[ -s its ]"; read -r its <its
    kill -s TERM -- "-$leader"; wait $leader 2>/dev/null || echo $?; until_ "! kill -0 $its"' <<!
143
!
check '-K: no variable that may be a secret, and all others' \
    'A_KEY=3 GH_TOKEN=2 MY_PASSWORD=3 b_secret=4 PLAIN=5 agentpool -K -- env | grep "=[2-5]$"' <<!
PLAIN=5
!
check '-u: what is left behind does not hold the lock' \
    'agentpool -l lock -- agentpool -u -- sh -c "sleep 600 >&- 2>&- & echo \$! \${TURNPIPE_LOCK_FD-none}" >left
    agentpool -l lock -w 0 -- echo free; read -r p said <left; echo "$said"; kill "$p"' <<!
free
none
!

# Sessions that are kept.
D=$PWD/pool
kept() { (cd "$D" && echo *.jsonl); }
pool() { agentpool -d "$D" "$@"; }
check 'pool: a new one; after release the same; in use another; another key another' \
    'pool -k a -- sh -c "echo \${TURNPIPE_SESSION##*/} >&3; agentpool -k a -d \"\$0\" -- sh -c \"echo \\\${TURNPIPE_SESSION##*/} >&3\"" "$D" 3>&1
    pool -k a -- sh -c "echo \${TURNPIPE_SESSION##*/}"; pool -k a-1 -- sh -c "echo \${TURNPIPE_SESSION##*/}"
    kept' <<!
a-1.jsonl
a-2.jsonl
a-1.jsonl
a-1-1.jsonl
a-1-1.jsonl a-1.jsonl a-2.jsonl
!
check 'pool: over the limit the idle one used longest ago goes' \
    'for k in b c; do pool -k $k -- true; done; for f in a-1 a-1-1 a-2 b-1; do touch -d "2 days ago" "$D/$f.jsonl" "$D/$f.d/lock"; done
    touch -d "3 days ago" "$D/b-1.jsonl" "$D/b-1.d/lock"; echo keep >"$D/a-2.d/x"
    pool -m 5 -k d -- true; kept; ls -d "$D"/b-1* 2>/dev/null || :
    pool -m 2 -k d -- true; kept' <<!
a-1-1.jsonl a-1.jsonl a-2.jsonl c-1.jsonl d-1.jsonl
c-1.jsonl d-1.jsonl
!
check 'pool: of two used in one second the earlier one goes' \
    'rm -r "$D"; for k in b c; do pool -k $k -- true; done
    for f in b:7 c:2; do touch -d "2026-01-02 03:04:05.${f#*:}" "$D/${f%:*}-1.jsonl" "$D/${f%:*}-1.d/lock"; done
    pool -m 2 -k d -- true; kept' <<!
b-1.jsonl d-1.jsonl
!
check '-N: a new one, also where one is free' 'pool -N -k d -- sh -c "echo \${TURNPIPE_SESSION##*/}"' <<!
d-2.jsonl
!
check 'pool: one in use never goes; all busy, one more and a warning' \
    'rm -r "$D"; pool -k x -- sh -c "agentpool -m 1 -k x -d \"\$0\" -- true 2>&1; ls \"\$0\"" "$D" | sed "s|$D|POOL|"' <<!
agentpool: POOL: 2 sessions are in use, over the limit of 1
lock
x-1.d
x-1.jsonl
x-2.d
x-2.jsonl
!
fails 64 'a key is no path' 'pool -k ../x -- true 2>&1 | head -1 >&2; exit 64' <<!
agentpool: -k: expected a name, got '../x'
!
# Each user marks the session as its own while it has it: two would meet.
cat >user <<'!'
f=$TURNPIPE_SESSION
mkdir "$f.mine" || echo "two in $f" >>"$2"
echo "$1" >>"$f"
[ "$(($1 % 2))" -eq 0 ] || { rmdir "$f.mine"; kill -9 $$; }
sleep 0.0"$(($1 % 5))"
rmdir "$f.mine"
!
check '200 users of 10 keys, half of them killed: never two in one session, no line lost' \
    'rm -rf "$D"; : >two; for i in $(seq 200); do pool -m 100 -k "k$((i % 10))" -- sh user $i "$PWD/two" >/dev/null 2>&1 & [ $((i % 20)) -ne 0 ] || wait; done 2>/dev/null
    wait; cat two; cat "$D"/*.jsonl | sort -n | uniq | wc -l' <<!
200
!
fails 71 'too few descriptors: one line that says so' '(ulimit -n 16; agentpool -l few -- true)' <<!
agentpool: few: expected a limit of open files over 20 (ulimit -n)
!
