#!/bin/sh
# Agents of six steps that are killed with -9 and continued; with SOAK set
# (make soak) 500 of them.  And agents that have agents, of which one process
# is ended by a signal.  And turns of which a call fails, is short or kills the
# process, the short form of make trust.
. "${0%/*}/lib.sh"

command -v python3 >/dev/null || skip 'python3 is not installed'
[ -d /proc/self ] || skip 'there is no /proc'
mkdir .git
# The leak check of the sanitizers waits for a process of its own; who kills
# that one has it wait for ever.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
runs=5
[ -z "${SOAK-}" ] || runs=500
check "$runs agents killed at random moments, each continued until done" \
    "TMPDIR=\$PWD python3 '$TOP/t/soak.py' $runs | sed 's/, .*//'" <<!
$runs runs
!
runs=3
[ -z "${SOAK-}" ] || runs=200
check "$runs signals to driver, toolrun or turnpipe-agent: no child is left, -c goes on" \
    "TMPDIR=\$PWD python3 '$TOP/t/agentsoak.py' $runs 2>err; grep -E 'were hit|Error' err >&3" 3>hit <<!
$runs runs
!
sed 's/^# //; s/^/# /' hit
[ -z "${SAN-}" ] && [ -e "$BIN/../trust/fault.so" ] ||
    skip 'no library beside the sanitizers, or none for this libc'
check 'a call that fails, is short or kills: a status, whole records, no process left, -c goes on' \
    'PATH=$BIN/../trust/bin:$PATH TMPDIR=$PWD python3 "$TOP/t/trust.py" \
	-b "$BIN/../trust/fault.so" histadd:write:2:full histadd:fsync:1:fail \
	histadd:malloc:20:fail toolrun:fork:2:kill toolrun:read:5:short \
	llmcall:connect:1:fail llmcall:malloc:300:fail turnpipe--turn:fork:9:fail \
	histadd:write:5:fail toolrun:open:3:fail turnpipe--turn:write:8:fail \
	"*:clock:4:back" files:16 | sed "s/, [0-9]* faults put in//"' <<!
calls that fail: 13 cases, 0 failures
!
