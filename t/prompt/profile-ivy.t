#!/bin/sh
. "${0%/*}/profile.sh"

# "Budget pressure falls on memory sections"; "sticky sections are included,
# no matter what".
size() {
	promptcompose -l ivy -x <stream.40 2>&1 >/dev/null |
	    sed -n 's/^prompt: \([0-9]*\).*/\1/p'
}
check 'ivy: what is over the budget is the end of memory' '
    run ivy "" stream.4 >case; grep -v "\"id\":\"consent\"" stream.4 >stream.40; promptcompose -l ivy -b $(($(size) - 1)) \
    <stream.40 2>&1 >out | sed "s/[0-9][0-9]*/N/g"' <<!
promptcompose: dropped for a budget of N tokens: facts:episode (N)
!
check 'ivy: without any budget only what is sticky stays, which is reported' '
    promptcompose -l ivy -xb 0 <stream.40 2>&1 >out | tee told |
    sed -n "/over the budget/s/.* //p; s/ is exceeded.*//p"
    grep -c " sticky " told' <<!
preferences
session-files
footprint
facts:project
facts:agent
workspace
facts:episode
promptcompose: the budget of 0 tokens
13
!
