#!/bin/sh
# Agents of six steps that are killed with -9 and continued; with SOAK set
# (make soak) 500 of them.  And agents that have agents, of which one process
# is ended by a signal.
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
    "TMPDIR=\$PWD python3 '$TOP/t/soak.py' $runs" <<!
$runs runs
!
runs=3
[ -z "${SOAK-}" ] || runs=200
check "$runs signals to driver, toolrun or turnpipe-agent: no child is left, -c goes on" \
    "TMPDIR=\$PWD python3 '$TOP/t/agentsoak.py' $runs 2>err; grep -E 'were hit|Error' err >&3" 3>hit <<!
$runs runs
!
sed 's/^# //; s/^/# /' hit
