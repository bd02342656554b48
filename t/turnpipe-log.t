#!/bin/sh
. "${0%/*}/lib.sh"

mkdir .git
state=$(histadd --new)
state=${state%/*}
# session NAME TEXT [TOKENS COST]
session() {
	mkdir -p "${1%/*}"
	printf '{"type":"session","version":1,"id":"x","cwd":"/home/me","time":"2026-11-2%sT08:00:00Z"}\n' "${1##*/2026112}" | sed 's/\([0-9]\)T[^"]*Z.jsonl/\1/; s/T08[^"]*T08/T08/; s/T[0-9]*Z-[a-z0-9-]*.jsonlT/T/' >"$1"
	jq -cn --arg t "$2" '{type:"message",role:"user",content:$t}' >>"$1"
	[ $# -lt 3 ] || printf '{"type":"message","role":"assistant","content":"Yes."}\n{"type":"usage","prompt_tokens":%s,"completion_tokens":10,"cost":%s}\n' "$3" "$4" >>"$1"
}
check 'no session yet' 'turnpipe log' </dev/null
session "$state/20261121T080000Z-0000000a.jsonl" 'the first
one' 90 0.0125
session "$state/20261122T080000Z-0000000b.jsonl" "$(printf 'esc \033[2J %060d' 0)" 5 1e-05
session "$state/20261123T080000Z-0000000c.jsonl" 'no answer yet'
session "$state/20261124T080000Z-0000000d-task-x.jsonl" 'a task'
session "${state%/*}/other-1/20261125T080000Z-0000000e.jsonl" 'of another project' 1 2
check 'a list: number, time, tokens, cost, first words; the last one first' 'turnpipe log' <<!
  1  2026-11-23T08:00:00Z         0         -  no answer yet
  2  2026-11-22T08:00:00Z        15    0.0000  esc ?[2J 0000000000000000000000000000000000000000…
  3  2026-11-21T08:00:00Z       100    0.0125  the first one
!
check '-n, -t, -A' 'turnpipe log -n 1; turnpipe log -tn 1 2>/dev/null || turnpipe log -t -n 1; turnpipe log -A --max 1' <<!
  1  2026-11-23T08:00:00Z         0         -  no answer yet
  1  2026-11-24T08:00:00Z         0         -  a task
  1  2026-11-25T08:00:00Z        11    2.0000  of another project
!
check 'one to read' 'turnpipe log 3 | sed "s|session .*/|session |"' <<!
session 20261121T080000Z-0000000a.jsonl
begun 2026-11-21T08:00:00Z in /home/me
1 turns, 100 tokens, 0.0125 dollars
user:
the first
one
assistant:
Yes.
!
check '-p: its path, for scripts' 'turnpipe log -p 1 | sed "s|.*/||"; turnpipe log -p | wc -l; turnpipe log "$(turnpipe log -p 3)" | tail -n 1' <<!
20261123T080000Z-0000000c.jsonl
3
Yes.
!
cp "$state/20261121T080000Z-0000000a.jsonl" kept
printf '{"type":"message","role":"assistant","content":"x","tp":{"tags":{"title":["Two \\u001b words"]}}}\n' >>"$state/20261121T080000Z-0000000a.jsonl"
check 'a title that the model gave it' 'turnpipe log | tail -n 1 | cut -c 48-' <<!
Two ? words
!
mv kept "$state/20261121T080000Z-0000000a.jsonl"
printf '{"type":"mess' >>"$state/20261121T080000Z-0000000a.jsonl"
check 'a line torn off hides nothing else' 'turnpipe log | tail -n 1' <<!
  3  2026-11-21T08:00:00Z       100    0.0125  the first one
!
fails 66 'a number that is none' 'turnpipe log 9' <<!
turnpipe: no session of number 9
!
fails 66 'a file that is none' 'turnpipe log none.jsonl' <<!
turnpipe: none.jsonl: no such session
!
fails 66 'number 0' 'turnpipe log 0' <<!
turnpipe: no session of number 0
!
fails 74 'a full disk' 'turnpipe log >/dev/full 2>err; s=$?; head -n 1 err | grep -o "No space left on device" >&2; exit $s' <<!
No space left on device
!
mkdir "$(printf 'a\nb')" "$(printf 'c\nd')"
check 'newlines in the names of the project and of the state directory' \
    '(cd "$(printf "a\nb")"; mkdir .git; XDG_STATE_HOME=$PWD/state; export XDG_STATE_HOME
    s=$(histadd --new); echo "${s##*/a}" | sed "s/-.*//"; session "${s%/*}/20261121T080000Z-0000000a.jsonl" odd
    turnpipe log; turnpipe log 1 | tail -n 2; turnpipe log -p | wc -l; test -f "$(turnpipe log -p 1)"
    cd "${s%/*}" && turnpipe log ./20261121T080000Z-0000000a.jsonl | tail -n 1)' <<!
_b
  1  2026-11-21T08:00:00Z         0         -  odd
user:
odd
2
odd
!
fails 64 'a bad count' 'turnpipe log -n x' <<!
turnpipe: -n: expected a number, not 'x'
!
fails 64 'an unknown option' 'turnpipe-log -z' <<!
turnpipe: unknown option -z
usage: turnpipe-log [-Aptv] [-n COUNT] [NUMBER | FILE]
!
printf '%s\n' '{"role":"user","content":"Hi"}' '{"role":"assistant","content":"Yes."}' \
    '{"type":"usage","model":"a/b\u001b[2J","prompt_tokens":1200,"cached_tokens":1000,"completion_tokens":30,"ms":250,"cost":0.0125}' \
    '{"type":"usage","prompt_tokens":7,"for":"summary"}' >calls.jsonl
check '-v: a line for each request' 'turnpipe log -v ./calls.jsonl' <<!
session ./calls.jsonl
begun - in -
1 turns, 1237 tokens, 0.0125 dollars
   1  in    1200  cached    1000  out     30    0.0125     250 ms  a/b?[2J
   2  in       7  cached       -  out      -         -       - ms  - (summary)

user:
Hi
assistant:
Yes.
!
check '-v of a session without requests' 'head -n 2 calls.jsonl >no.jsonl; turnpipe log -v ./no.jsonl | sed 3q' <<!
session ./no.jsonl
begun - in -
1 turns, 0 tokens, - dollars
!
fails 78 'without its views' 'mkdir -p off; : >off/log.jq; TURNPIPE_PATH=$PWD/off turnpipe log ./calls.jsonl' <<!
turnpipe: log.jq: not on the search path
!
