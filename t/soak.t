#!/bin/sh
# Agents of six steps that are killed with -9 and continued; with SOAK set
# (make soak) 500 of them.
. "${0%/*}/lib.sh"

command -v python3 >/dev/null || skip 'python3 is not installed'
[ -d /proc/self ] || skip 'there is no /proc'
git init -q .
runs=12
[ -z "${SOAK-}" ] || runs=500
check "$runs agents killed at random moments, each continued until done" \
    "TMPDIR=\$PWD python3 '$TOP/t/soak.py' $runs" <<!
$runs runs
!
