#!/bin/sh
. "${0%/*}/../lib.sh"
TURNPIPE_NOW=2026-11-22T12:00:00Z
export TURNPIPE_NOW

mkdir .git
check 'no session, no table' 'turnpipe cost'
state=$(histadd --new)
state=${state%/*}
p=${state##*/}
mkdir -p "$state" "${state%/*}/other-1"
# usage TIME MODEL IN CACHED OUT [MEMBERS]
usage() { printf '{"type":"usage","model":"%s","prompt_tokens":%s,"cached_tokens":%s,"completion_tokens":%s,"time":"%s"%s}\n' "$2" "$3" "$4" "$5" "$1" "${6-}"; }
head() { printf '{"type":"session","version":1,"id":"x","cwd":"/","time":"2026-11-20T08:00:00Z"%s}\n' "${1-}"; }
{
	head
	printf '{"type":"message","role":"user","content":"the word \\"type\\":\\"usage\\" in a text"}\n'
	usage 2026-11-20T08:00:00Z a/x 1000 500 10 ',"cost":0.25'
	usage 2026-11-21T23:30:00Z a/x 200000 0 20 ',"cost":0.5'
	usage 2026-11-21T08:00:00Z b/y 7 0 3
	printf '{"type":"mark","what":"agent-end","session":"/gone/20261121T080000Z-0000000c-agent-explore.jsonl"}\n'
	usage 2026-11-21T08:00:00Z b/y 100 0 5 ',"for":"agent","agent":"explore","cost":0.125'
	printf '{"type":"usage","promp'
} >"$state/20261120T080000Z-0000000a.jsonl"
{ head ',"agent":"task-nightly-0a1b"'; usage 2026-11-22T08:00:00Z a/x 10 0 1 ',"cost":1'; } >"$state/20261122T080000Z-0000000b-task-nightly-0a1b.jsonl"
{ head ',"agent":"agent-explore"'; usage 2026-11-21T08:00:00Z b/y 100 0 5 ',"cost":0.125'; } >"$state/20261121T080000Z-0000000c-agent-explore.jsonl"
{ head; usage 2026-11-22T09:00:00Z "$(printf 'a/\\u001bz')" 1 0 1 ',"cost":2'; } >"${state%/*}/other-1/20261122T090000Z-0000000d.jsonl"
check 'by day; an agent is counted once, a torn line not at all' 'turnpipe cost' <<!
day           calls      tokens in  cached   tokens out     dollars
2026-11-20        1          1 000    50 %           10      0.2500
2026-11-21        3        200 107     0 %           28      0.6250
2026-11-22        2             11     0 %            2      3.0000
total             6        201 118     0 %           40      3.8750
calls of models without a known price, counted as nothing: 1; turnpipe-prices(5)
!
check 'days are those of the time zone' \
    'TZ=UTC-1 turnpipe cost | grep -c "2026-11-22 *3 "' <<!
1
!
check 'by model, agent, task, project: the dearest first' \
    'for b in model agent task; do turnpipe cost -b $b --csv | tail -n +2 | cut -d , -f 1,2,6; done
    turnpipe cost -b project --csv | tail -n +2 | sed "s/$p/HERE/"' <<!
"a/\u{1b}z",1,2
"a/x",3,1.75
"b/y",2,0.125
"default",5,3.75
"explore",1,0.125
"-",5,2.875
"nightly-0a1b",1,1
"other-1",1,1,0,1,2,0
"HERE",5,201117,500,39,1.875,1
!
check '-p, -d: of this project, of the last days' \
    'turnpipe cost -p -d 2 --json; turnpipe cost -d 1 --json' <<!
{"day":"2026-11-21","calls":3,"tokens_in":200107,"cached":0,"tokens_out":28,"cost":0.625,"unpriced":1}
{"day":"2026-11-22","calls":1,"tokens_in":10,"cached":0,"tokens_out":1,"cost":1,"unpriced":0}
{"day":"2026-11-22","calls":2,"tokens_in":11,"cached":0,"tokens_out":2,"cost":3,"unpriced":0}
!
check 'summer time: a call of the evening was booked on the next day' '
    usage 2026-07-01T03:30:00Z a/x 1 0 1 >"$state/20260701T033000Z-0000000e.jsonl"
    TZ=America/New_York turnpipe cost -s "$state/20260701T033000Z-0000000e.jsonl" -b day --json | jq -r .day
    rm "$state/20260701T033000Z-0000000e.jsonl"' <<!
2026-06-30
!
mkdir "$state/20261122T100000Z-0000000f.jsonl"
fails 74 'a session that cannot be read is no success' 'turnpipe cost 2>err; st=$?; tail -n 1 err >&2; exit $st' <<!
turnpipe: a session cannot be read
!
rmdir "$state/20261122T100000Z-0000000f.jsonl"
fails 64 'a row of what' 'turnpipe cost -b hour' <<!
turnpipe: -b: expected day, month, model, agent, project, task or session, not 'hour'
!
fails 64 'days that are not a number' 'turnpipe cost -d 0' <<!
turnpipe: -d: expected a number of days, not '0'
!
check 'the last days of a frozen run are those before its time' '
    export TURNPIPE_NOW=frozen XDG_STATE_HOME=$PWD/frozen; s=$(histadd --new)
    usage 2026-01-01T00:00:00Z a/x 10 0 1 >u; histadd "$s" <u; turnpipe cost -d 1 --csv | tail -n 1 | cut -d, -f 1-3' <<!
"2026-01-01",1,10
!
finish
