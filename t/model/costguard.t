#!/bin/sh
# costguard: caps, spikes, the breaker, and a ledger that many share.
. "${0%/*}/../lib.sh"

mkdir etc
export TURNPIPE_PATH="$PWD/etc"
L=$XDG_STATE_HOME/turnpipe/costguard.json

# Minute MINUTE of the day, in seconds too: at 125 is 02:05:00.
at() {
	TURNPIPE_NOW=$(printf '2026-11-21T%02d:%02d:%02dZ' $(($1 / 60)) \
	    $(($1 % 60)) "${2-0}")
	export TURNPIPE_NOW
}
settings() { printf 'costguard: {%s}\n' "$1" >etc/settings.yaml; }
spend() {
	printf '{"type":"usage","prompt_tokens":%d,"completion_tokens":0%s}\n' \
	    "$1" "${2-}" | costguard -b >/dev/null
}
request='{"type":"request","id":"r","model":"openai/m","messages":[]}'
may() {
	printf '%s\n' "$request" | costguard | jq -r '.type, .code // empty' |
	    tr '\n' ' '
	echo
}
fresh() { rm -rf "$XDG_STATE_HOME"; }
server_error() {
	printf '{"type":"error","from":"llmcall","code":%d,"message":"m"}\n' "$1" |
	    costguard -b >/dev/null
}

settings 'tokens: 10000, spike: {factor: 0}'
at 0
check 'all passes before anything was spent' \
    "{ printf '%s\n' '$request'; echo '{\"type\":\"end\",\"id\":\"x\"}'; } | costguard" <<!
$request
{"type":"end","id":"x"}
!
check '6000 of 10000 pass' 'spend 6000; may' <<!
request 
!
check '5000 more pass the cap, which is reported' 'spend 5000 2>&1' <<!
costguard: hard cap exceeded: 11,000 tokens in an hour, at most 10,000: no more calls
!
fails 4 'and no request passes' "printf '%s\n' '$request' | costguard" <<!
costguard: hard cap exceeded: 11,000 tokens in an hour, at most 10,000; costguard -r resumes
!
check 'an error record stands in its place, with its id' \
    "printf '%s\n' '$request' | costguard 2>/dev/null | cat" <<!
{"type":"error","id":"r","from":"costguard","code":4,"message":"hard cap exceeded: 11,000 tokens in an hour, at most 10,000; costguard -r resumes"}
!
check '-l shows it' 'costguard -l' <<!
last hour: 11000 tokens of 10000, 0.0000 dollars
paused since 2026-11-21T00:00:00Z: hard cap exceeded: 11,000 tokens in an hour, at most 10,000
!
check 'resumed without reset, one token more pauses again' \
    'costguard -r; may; spend 1 2>/dev/null; may 2>/dev/null' <<!
request 
error 4 
!
check 'resumed with reset, nothing is spent' \
    'costguard -rz; may; costguard -l' <<!
request 
last hour: 0 tokens of 10000, 0.0000 dollars
!
check 'after 61 minutes nothing is spent, after 2 hours nothing kept' \
    'spend 6000; at 61; costguard -l; at 120; may >/dev/null; cat "$L"' <<!
last hour: 0 tokens of 10000, 0.0000 dollars
{"minutes":[],"days":[[20261121,6000,0]]}
!
fresh
check 'the cap holds in a cold start' \
    'spend 20000 2>/dev/null; may 2>/dev/null' <<!
error 4 
!
fresh
settings 'enabled: false, tokens: 10'
check 'disabled, it never pauses and keeps no file' \
    'spend 20000; may; test ! -e "$L"' <<!
request 
!
settings 'tokens: 10, pause: 90, spike: {factor: 0}'
check 'a pause of limited time ends by itself' \
    'at 0; spend 20 2>/dev/null; may 2>/dev/null; at 1 29; may 2>/dev/null
    at 1 30; may' <<!
error 4 
error 4 
request 
!
fresh
settings 'cost: 0.5, tokens: 0'
check 'dollars have a cap too' \
    'at 0; spend 10 ,\"cost\":0.4; may; spend 10 ,\"cost\":0.2 2>/dev/null; may 2>&1 >/dev/null' <<!
request 
costguard: hard cap exceeded: 0.60 dollars in an hour, at most 0.50; costguard -r resumes
!
fresh
check 'a model without a price is reported once' '{ echo "{\"type\":\"usage\",\"prompt_tokens\":5}"
    echo "{\"type\":\"usage\",\"prompt_tokens\":5}"; } | costguard -b 2>&1 >/dev/null' <<!
costguard: no price known: only the tokens are booked
!
fresh

# 4.10: what a spike is.  usual FROM TO TOKENS: so many in each minute.
usual() {
	i=$1
	while [ "$i" -lt "$2" ]; do
		at "$i"
		spend "$3"
		i=$((i + 1))
	done
}
settings 'tokens: 0, spike: {factor: 3, known: 1000, floor: 0}'
check 'ten minutes of 100, then two of 1000: a spike' \
    'usual 0 10 100; usual 10 12 1000 2>&1; may 2>/dev/null' <<!
costguard: spike: 1,000 tokens a minute, usual are at most 100: no more calls
error 4 
!
fresh
check 'twice as much is no spike' 'usual 0 10 100; usual 10 12 200; may' <<!
request 
!
fresh
check 'too little is known: none' 'usual 0 5 100; usual 5 7 5000; may' <<!
request 
!
fresh
settings 'tokens: 0, spike: {factor: 3, known: 0, floor: 10000}'
check 'known 0: the first minutes had nothing to be compared with' \
    'usual 0 2 35000 2>/dev/null; may 2>/dev/null | cut -c 1-7' <<!
error 4
!
fresh
check 'known 0: within three times the floor the first minutes pass' \
    'usual 0 2 29000; may' <<!
request 
!
fresh
settings 'tokens: 0, spike: {factor: 3, known: 0, floor: 0}'
check 'known 0 and no floor: the first minutes are no spike' \
    'usual 0 2 35000; may' <<!
request 
!
fresh
settings 'tokens: 0, spike: {factor: 3, known: 1000, floor: 10000}'
check 'floor 10000: 5000 a minute are no spike' \
    'usual 0 10 200; usual 10 12 5000; may' <<!
request 
!
fresh
check 'floor 10000: 35000 a minute are one' \
    'usual 0 10 200; usual 10 12 35000 2>/dev/null; may 2>/dev/null' <<!
error 4 
!
fresh
check 'the floor does not matter where 10000 are usual' \
    'usual 0 10 10000; usual 10 12 35000 2>/dev/null; may 2>/dev/null' <<!
error 4 
!
fresh
check 'idle minutes do not make usual less' \
    'usual 0 3 1000; at 20; spend 25000; may' <<!
request 
!

# The breaker.
fresh
settings 'tokens: 0, breaker: {errors: 3, seconds: 60}'
at 0
check 'errors of the server in a row open the breaker' \
    'server_error 69; server_error 75; may; server_error 76 2>&1; may 2>&1' <<!
request 
costguard: 3 errors in a row: no calls for 60 s
costguard: 3 errors in a row; try again in 60 s
error 75 
!
check 'after its time one may try, the others wait' \
    'at 1; may; may 2>&1' <<!
request 
costguard: 3 errors in a row; try again in 60 s
error 75 
!
check 'the one fails: open for another time' \
    'at 1; server_error 69 2>/dev/null; at 1 59; may 2>/dev/null; at 2; may' <<!
error 75 
request 
!
check 'the one succeeds: closed' 'at 2; spend 5; may; may; costguard -l' <<!
request 
request 
last hour: 5 tokens, 0.0000 dollars
!
check 'a good answer between: no row' \
    'server_error 69; server_error 69; spend 1; server_error 69; server_error 69; may' <<!
request 
!
check "the request's own faults do not count" \
    'for c in 77 65 6 3 7 4; do server_error $c; done; may' <<!
request 
!
check 'half an answer is an error, though it has usage' \
    'spend 1; for i in 1 2 3; do printf "%s\n" "{\"type\":\"usage\",\"id\":\"a$i\",\"prompt_tokens\":5}" \
    "{\"type\":\"error\",\"id\":\"a$i\",\"from\":\"llmcall\",\"code\":76,\"message\":\"m\"}"; done |
    costguard -b 2>/dev/null >/dev/null; may 2>/dev/null' <<!
error 75 
!
check '-r closes it' 'costguard -r; may' <<!
request 
!
check 'the clock was set back: the one that was let through before does not count' \
    'at 10; for i in 1 2 3; do server_error 69; done 2>/dev/null; at 12; may
    at 11; server_error 69 2>/dev/null; at 12; may; costguard -r' <<!
request 
request 
!

# A file for all.
fresh
settings 'tokens: 0, spike: {factor: 0}'
check 'fifty at once lose nothing' \
    'for i in 1 2 3 4 5 6 7 8 9 10; do for k in 1 2 3 4 5; do spend 100 & done; wait; done
    costguard -l' <<!
last hour: 5000 tokens, 0.0000 dollars
!
check 'the ledger is for its owner only' 'stat -c %a "$L"' <<!
600
!
check 'a clock that was set back loses nothing' \
    'at 30; spend 5; at 20; spend 6; costguard -l | cut -d, -f1' <<!
last hour: 5011 tokens
!
# Windows of days; a time zone of its own.
fresh; settings 'tokens: 0, spike: {factor: 0}, day: {cost: 2}, month: {cost: 3}'
day() { TURNPIPE_NOW=2026-$1T12:00:00Z; export TURNPIPE_NOW; }
day 11-29
check 'two dollars a day: the third stops, without a pause' 'spend 1 ",\"cost\":1.5"; may; spend 1 ",\"cost\":0.5"; may 2>&1; costguard -l' <<!
request 
costguard: 2.00 dollars today, at most 2.00
error 4 
last hour: 2 tokens, 2.0000 dollars
today: 2 tokens, 2.0000 dollars of 2.0000
this month: 2 tokens, 2.0000 dollars of 3.0000
paused: 2.00 dollars today, at most 2.00
!
check 'the next day goes on, until the month is spent' 'day 11-30; may; spend 1 ",\"cost\":1"; may 2>&1' <<!
request 
costguard: 3.00 dollars this month, at most 3.00
error 4 
!
check 'so does the next month' 'day 12-01; may; costguard -l | tail -n 1' <<!
request 
this month: 0 tokens, 0.0000 dollars of 3.0000
!
check 'a day begins where the user is' 'fresh; settings "tokens: 0"; TURNPIPE_NOW=2026-11-29T23:30:00Z; spend 7; TZ=Asia/Tokyo; export TZ; spend 5; unset TZ; grep -o "days.*" "$L"' <<!
days":[[20261129,7,0],[20261130,5,0]]}
!

# An agent that works for another one.
fresh; settings 'tokens: 0, spike: {factor: 0}'; at 0
usage() { printf '{"type":"usage","prompt_tokens":%d}\n' "$1"; }
both='-a child -o {"tokens":1000} -a caller -o {"tokens":100}'
check 'a budget binds what one delegates: booked in both, the smaller stops' 'usage 60 | costguard -b $both >/dev/null
    printf "%s\n" "$request" | costguard $both | jq -r .type; usage 60 | costguard -b $both 2>&1 >/dev/null
    printf "%s\n" "$request" | costguard $both 2>&1 >/dev/null; costguard -l -a child; costguard -l -a caller | head -n 1' <<!
request
costguard: agent caller: hard cap exceeded: 120 tokens in an hour, at most 100: no more calls
costguard: agent caller: hard cap exceeded: 120 tokens in an hour, at most 100; costguard -r -a caller resumes
last hour: 120 tokens, 0.0000 dollars
last hour: 120 tokens, 0.0000 dollars
!
check 'an agent that calls itself is booked once' 'usage 5 | costguard -b -a self -o "{}" -a self -o "{}" >/dev/null; costguard -l -a self | cut -d, -f1' <<!
last hour: 5 tokens
!
fails 78 'limits of an agent that are not understood' 'usage 5 | costguard -b -a odd -o "{\"day\":{\"tokns\":5}}"' <<!
costguard: cost:1:9: expected tokens or cost, found "tokns"
!
echo '{"minutes":[[1' >"$L"
fails 78 'a torn ledger is no empty one' "printf '%s\n' '$request' | costguard" <<!
costguard: $L:1:16: expected ',' or ']'
!
echo '{"minutes":{}}' >"$L"
fails 78 'nor is a wrong one' "printf '%s\n' '$request' | costguard" <<!
costguard: $L: expected minutes, a list
!
rm "$L"; mkdir "$L"
fails 66 'a directory' "printf '%s\n' '$request' | costguard" <<!
costguard: $L: not a regular file
!
fails 74 'a full disk: booked, but not passed' 'rmdir "$L"; spend 1 >/dev/null; echo "{\"type\":\"usage\"}" | costguard -b >/dev/full' <<!
costguard: write <stdout>: No space left on device
!
fails 65 'bad input' 'echo x | costguard' <<!
costguard: <stdin>:1:1: expected a value
!
fails 64 'two modes' 'costguard -b -l 2>err; st=$?; head -n 1 err >&2; exit $st' <<!
costguard: expected one of -b, -l, -r
!
settings 'spike: {minutes: 60}'
fails 78 'a window of an hour' 'costguard -l' <<!
costguard: costguard.spike.minutes: expected 1 to 59
!
