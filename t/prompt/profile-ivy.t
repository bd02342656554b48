#!/bin/sh
. "${0%/*}/profile.sh"

# "Budget pressure falls on memory sections"; "sticky sections are included,
# no matter what".
size() {
	promptcompose -l ivy -k size <stream.40 >/dev/null
	jq .tokens size/requests
}
check 'ivy: what is over the budget is the end of memory' '
    run ivy "" stream.4 >case; grep -v "\"id\":\"consent\"" stream.4 >stream.40; promptcompose -l ivy -b $(($(size) - 1)) \
    <stream.40 2>&1 >out | sed "s/[0-9][0-9]*/N/g"' <<!
promptcompose: dropped for a budget of N tokens: facts:episode (N)
!
check 'ivy: without any budget only what is sticky stays, which is reported' '
    promptcompose -l ivy -b 0 -k none <stream.40 2>&1 >out | sed -n "s/ is exceeded.*//p"
    jq -r ".sections[] | select(.fate == \"dropped\").id" none/requests
    jq "[.sections[] | select(.fate == \"sticky\")] | length" none/requests' <<!
promptcompose: the budget of 0 tokens
preferences
session-files
footprint
facts:project
facts:agent
workspace
facts:episode
13
!
