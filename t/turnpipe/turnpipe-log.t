#!/bin/sh
. "${0%/*}/../lib.sh"

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
check 'nor one to be named by a number' \
    'for c in "log 1" "log --last" report diff "fork 1"; do turnpipe $c 2>&1 || echo "= $?"; done | uniq' <<!
turnpipe: no session of this project
= 66
turnpipe: no session of this project
= 66
turnpipe: no session of this project
= 66
turnpipe: no session of this project
= 66
turnpipe: no session of this project
= 66
!
session "$state/20261121T080000Z-0000000a.jsonl" 'the first
one' 90 0.0125
session "$state/20261122T080000Z-0000000b.jsonl" "$(printf 'esc \033[2J %060d' 0)" 5 1e-05
session "$state/20261123T080000Z-0000000c.jsonl" 'no answer yet'
session "$state/20261124T080000Z-0000000d-task-x.jsonl" 'a task' 1 3
session "${state%/*}/other-1/20261125T080000Z-0000000e.jsonl" 'of another project' 1 2
check 'a list: number, time, tokens, cost, first words; none that never reached a model' 'turnpipe log' <<!
  1  2026-11-22 08:00        15    0.0000  esc \u{1b}[2J 0000000000000000000000000000000000000000…
  2  2026-11-21 08:00       100    0.0125  the first one
!
check '-n, -t, -A' 'turnpipe log -n 1; turnpipe log -tn 1 2>/dev/null || turnpipe log -t -n 1; turnpipe log -A --max 1' <<!
  1  2026-11-22 08:00        15    0.0000  esc \u{1b}[2J 0000000000000000000000000000000000000000…
  1  2026-11-24 08:00        11    3.0000  a task
  1  2026-11-25 08:00        11    2.0000  of another project
!
check 'one to read' 'turnpipe log 2 | sed "s|session .*/|session |"' <<!
session 20261121T080000Z-0000000a.jsonl
begun 2026-11-21 08:00 in /home/me
1 turn, 100 tokens, 0.0125 dollars
user:
the first
one
assistant:
Yes.
!
check '-p: its path, for scripts' 'turnpipe log -p 1 | sed "s|.*/||"; turnpipe log -p | wc -l; turnpipe log "$(turnpipe log -p 2)" | tail -n 1' <<!
20261122T080000Z-0000000b.jsonl
2
Yes.
!
cp "$state/20261121T080000Z-0000000a.jsonl" kept
printf '{"type":"message","role":"assistant","content":"x","tp":{"tags":{"title":["Two \\u001b words"]}}}\n' >>"$state/20261121T080000Z-0000000a.jsonl"
check 'a title that the model gave it' 'turnpipe log | tail -n 1 | cut -c 44-' <<!
Two \u{1b} words
!
mv kept "$state/20261121T080000Z-0000000a.jsonl"
printf '{"type":"mess' >>"$state/20261121T080000Z-0000000a.jsonl"
check 'a line torn off hides nothing else' 'turnpipe log | tail -n 1' <<!
  2  2026-11-21 08:00       100    0.0125  the first one
!
{
	printf '{"type":"session","version":1,"id":"x","cwd":"/home/me","time":"2026-11-22T08:00:00Z"}\n{"type":"message","role":"user","content":"Look."}\n'
	for a in "$PWD/sub.jsonl" /gone.jsonl "$PWD/sub.jsonl"; do
		printf '{"type":"mark","what":"agent-start","agent":"explore","session":"%s"}\n{"type":"usage","for":"agent","agent":"explore","prompt_tokens":20,"completion_tokens":10,"cost":0.25}\n{"type":"mark","what":"agent-end","agent":"explore","session":"%s","status":0,"ms":12}\n' "$a" "$a"
	done
	printf '{"type":"usage","prompt_tokens":5,"completion_tokens":1,"cost":0.5}\n{"type":"message","role":"assistant","content":"Seen."}\n'
} >with.jsonl
printf '{"type":"message","role":"user","content":"Q?"}\n{"type":"message","role":"assistant","content":"Two\\nlines."}\n' >sub.jsonl
check 'agents: each indented, in the sum of the caller; a session where its agent began, once' 'turnpipe log with.jsonl' <<!
session with.jsonl
begun 2026-11-22 08:00 in /home/me
1 turn, 96 tokens, 1.2500 dollars
  agent explore: 30 tokens, 0.2500 dollars, 12 ms, status 0, sub.jsonl
  agent explore: 30 tokens, 0.2500 dollars, 12 ms, status 0, gone.jsonl
  agent explore: 30 tokens, 0.2500 dollars, 12 ms, status 0, sub.jsonl
user:
Look.

    session sub.jsonl
    user:
    Q?
    assistant:
    Two
    lines.

assistant:
Seen.
!
start() { printf '{"type":"mark","what":"agent-start","agent":"x","session":"%s","after":%s}\n' "$PWD/$1" "$2"; }
say() { printf '{"type":"message","role":"%s","content":"%s"}\n' "$1" "$2"; }
{ say user Twice.; start kept.jsonl 0; say assistant One.; start kept.jsonl 3; start loop.jsonl 0; say assistant Two.; } >kept-by.jsonl
{ say user First?; start sub.jsonl 0; say assistant 1.; say user Second?; say assistant 2.; } >kept.jsonl
{ say user Round.; start loop.jsonl 0; } >loop.jsonl
check 'each task of a kept session at its place, an agent of an agent below it; no end of loops' \
    'turnpipe log kept-by.jsonl >whole; sed -n "/^user/,\$p" whole | grep -v "^ *\(session .*\|\)\$" | sed "/^     *user:\$/N;s/\n */ /" | uniq | sed "/ Round/q"
    grep -c Round whole' <<!
user:
Twice.
    user: First?
        user: Q?
        assistant:
        Two
        lines.
    assistant:
    1.
assistant:
One.
    user: Second?
    assistant:
    2.
    user: Round.
9
!
fails 66 'not a number' 'turnpipe log 9' <<!
turnpipe: no session of number 9
!
fails 66 'not a file' 'turnpipe log none.jsonl' <<!
turnpipe: none.jsonl: no such session; 'turnpipe log' lists them
!
fails 66 'number 0' 'turnpipe log 0' <<!
turnpipe: no session of number 0
!
printf '%s\n' '{"type":"session","version":1}' '{bad' >bad.jsonl
fails 65 'a session with a bad line has the status of who says so' \
    'turnpipe log ./bad.jsonl >out' <<!
msg: $PWD/./bad.jsonl:2:2: expected a key in quotes
!
printf '%s\n' '{"role":"user","content":"Hi"}' '{bad' '{"role":"assistant","content":"Yes."}' >bad.jsonl
check 'a bad line takes no message with it' \
    'turnpipe log ./bad.jsonl 2>err | tail -n 4; cat err; turnpipe log ./bad.jsonl >out 2>&1; echo $?' <<!
user:
Hi
assistant:
Yes.
msg: $PWD/./bad.jsonl:2:2: expected a key in quotes
65
!
check '--last prints the end, whatever stands before' 'turnpipe log --last ./bad.jsonl' <<!
> Hi
Yes.
!
needs pty check 'on a terminal the words of a session stay whole' \
    'printf "{\"role\":\"user\",\"content\":\"%s\"}\n" "some words that a row does not hold" >long.jsonl
    script -qec "stty cols 20; turnpipe log ./long.jsonl" /dev/null </dev/null | tr -d "\r" | sed 1,/user:/d' <<!
some words that a
row does not hold
!
printf '%s\n' '{"role":"user","content":"Hi"}' '{"type":"error","code":69,"message":"no net"}' >failed.jsonl
check 'a session that ended in an error is printed, which is 0' \
    'turnpipe log ./failed.jsonl >out; echo $?; tail -n 2 out; turnpipe log --last ./failed.jsonl' <<!
0
user:
Hi
> Hi
!
fails 74 'a full disk for one session: one line, its status' 'turnpipe log 1 >/dev/full' <<!
msg: write <stdout>: No space left on device
!
fails 74 'a full disk' 'turnpipe log >/dev/full 2>err; s=$?; head -n 1 err | grep -o "No space left on device" >&2; exit $s' <<!
No space left on device
!
mkdir "$(printf 'a\nb')" "$(printf 'c\nd')"
check 'newlines in the names of the project and of the state directory' \
    '(cd "$(printf "a\nb")"; mkdir .git; XDG_STATE_HOME=$PWD/state; export XDG_STATE_HOME
    s=$(histadd --new); echo "${s##*/a}" | sed "s/-.*//"; session "${s%/*}/20261121T080000Z-0000000a.jsonl" odd 3 4
    turnpipe log; turnpipe log 1 | tail -n 2; turnpipe log -p | wc -l; test -f "$(turnpipe log -p 1)"
    cd "${s%/*}" && turnpipe log ./20261121T080000Z-0000000a.jsonl | tail -n 1)' <<!
_b
  1  2026-11-21 08:00        13    4.0000  odd
assistant:
Yes.
2
Yes.
!
fails 64 'a bad count' 'turnpipe log -n x' <<!
turnpipe: -n: expected a number, not 'x'
!
fails 64 'an unknown option' 'turnpipe-log -z' <<!
turnpipe: unknown option -z
usage: turnpipe-log [-Afptv] [-d DAYS] [-n COUNT]
                    [--atif | --last | --otlp | --verify] [SESSION]
!
printf '%s\n' '{"role":"user","content":"Hi"}' '{"role":"assistant","content":"Yes."}' \
    '{"type":"usage","model":"a/b\u001b[2J","prompt_tokens":1200,"cached_tokens":1000,"completion_tokens":30,"ms":250,"cost":0.0125}' \
    '{"type":"usage","prompt_tokens":7,"for":"summary"}' >calls.jsonl
check '-v: a line for each request' 'turnpipe log -v ./calls.jsonl' <<!
session ./calls.jsonl
begun - in -
1 turn, 1237 tokens, 0.0125 dollars
   1  in    1200  cached    1000  out     30    0.0125     250 ms  a/b\u{1b}[2J
   2  in       7  cached       -  out      -         -       - ms  - (summary)

user:
Hi
assistant:
Yes.
!
check '-v of a session without requests' 'head -n 2 calls.jsonl >no.jsonl; turnpipe log -v ./no.jsonl | sed 3q' <<!
session ./no.jsonl
begun - in -
1 turn, 0 tokens, - dollars
!
fails 78 'without its views' 'mkdir -p off; : >off/log.jq; TURNPIPE_PATH=$PWD/off turnpipe log ./calls.jsonl' <<!
turnpipe: log.jq: not on the search path
!
rm -rf "$state"/*
session "$state/20261101T080000Z-0000000a.jsonl" old 1 2
session "$state/20261102T080000Z-0000000b.jsonl" 'old, and in use' 1 2
session "$state/20261103T080000Z-0000000c.jsonl" 'old, but used' 1 2
session "$state/20261104T080000Z-0000000d-task-x.jsonl" 'a task' 1 2
mkdir "$state/20261101T080000Z-0000000a.d" "$state/20261102T080000Z-0000000b.d"
: >"$state/20261101T080000Z-0000000a.d/todos.jsonl"
touch -d '2026-11-01' "$state"/*[abd]*.jsonl
check '-d: removes what was not used, with what goes with it; not what is in use, nor tasks' '
    agentpool -l "$state/20261102T080000Z-0000000b.d/lock" -- sh -c "turnpipe log -d 1 2>err | sed \"s|.*/||\"
    grep -c \"20261102T080000Z\\|lock\\|turnpipe\" err"
    ls "$state"' <<!
20261101T080000Z-0000000a.jsonl
1
20261102T080000Z-0000000b.d
20261102T080000Z-0000000b.jsonl
20261103T080000Z-0000000c.jsonl
20261104T080000Z-0000000d-task-x.jsonl
!
check '-f: what is added comes at once' '
    mkfifo seen
    turnpipe log -f 1 >seen & pid=$!
    {
	until read -r l && [ "$l" = Yes. ]; do :; done
	printf "{\"role\":\"user\",\"content\":\"More\"}\n" >>"$state/20261103T080000Z-0000000c.jsonl"
	until read -r l && [ "$l" = More ]; do :; done
    } <seen
    echo "$l"; kill $pid; wait $pid 2>/dev/null || :' <<!
More
!
check 'without a state directory nothing else is taken for sessions' '
    mkdir -p guard/x; cp "$state"/*c.jsonl guard/x/20261103T080000Z-0000000c.jsonl; touch -d 2026-11-01 guard/x/*
    (cd guard; XDG_STATE_HOME=/nonexistent turnpipe log -A -t; XDG_STATE_HOME=/nonexistent turnpipe log -A -t -d 0); ls guard/x' <<!
20261103T080000Z-0000000c.jsonl
!
check 'a torn line of one session takes nothing from the next' '
    for i in 1 2; do printf "%s\n" "{\"type\":\"session\",\"time\":\"2026-12-0${i}T09:00:00Z\"}" \
	"{\"role\":\"user\",\"content\":\"talk $i\"}" "{\"role\":\"assistant\",\"content\":\"Yes.\"}" \
	"{\"type\":\"usage\",\"prompt_tokens\":1$i,\"cost\":$i}" >"$state/2026120${i}T090000Z-0000000$i.jsonl"; done
    printf "{\"type\":\"usage\"" >>"$state/20261202T090000Z-00000002.jsonl"
    turnpipe log | grep talk; rm "$state"/*090000Z*' <<!
  1  2026-12-02 09:00        12    2.0000  talk 2
  2  2026-12-01 09:00        11    1.0000  talk 1
!
fails 64 '-d of a session' 'turnpipe log -d 3 1' <<!
turnpipe: -d: expected no session
usage: turnpipe-log [-Afptv] [-d DAYS] [-n COUNT]
                    [--atif | --last | --otlp | --verify] [SESSION]
!
fails 64 'days that are not a number' 'turnpipe log -d x' <<!
turnpipe: -d: expected a number of days, not 'x'
!

rm -rf "$state"/*
for i in 1 2 3 4 5 6 7 8 9; do
	session "$state/2026112${i}T080000Z-000000a$i.jsonl" "Question $i" 1 0
done
s=$state/20261121T080000Z-000000a1.jsonl
printf '{"role":"user","content":"So?"}\n{"role":"assistant","content":"No."}\n' >>"$s"
printf '{"role":"assistant","content":"x","tp":{"tags":{"title":["The flaky test"]}}}\n' >>"$state/20261123T080000Z-000000a3.jsonl"
check 'single questions make room for what was more, and are counted' \
    'turnpipe log -n 4 | sed "s/2026-.*  //"; turnpipe log -n 9 | wc -l | tr -d " "; turnpipe log -p -n 4 | sed "s/.*-//"' <<!
  1  Question 9
  2  Question 8
  3  Question 7
  …  5 of one question
  9  Question 1
9
000000a9.jsonl
000000a8.jsonl
000000a7.jsonl
000000a6.jsonl
!
check 'a session by number, id, its beginning, its end, words of its title, file' \
    'for n in 7 20261123T080000Z-000000a3 20261123T080000Z-000000a3.jsonl 20261123 00a3 Flaky "flaky TEST" "$state/20261123T080000Z-000000a3.jsonl"; do
	turnpipe log -p "$n" | sed "s/.*-//"
    done | uniq -c | sed "s/^ *//"' <<!
8 000000a3.jsonl
!
mkdir many
(export XDG_STATE_HOME="$PWD/many"; s=$(histadd -n); mkdir -p "${s%/*}"; cd "${s%/*}"; for i in $(seq 1800); do
	printf '{"role":"user","content":"Number %d"}\n{"role":"assistant","content":"Yes."}\n' "$i" >"20260101T$(printf %06d "$i")Z-$(printf %08x "$i").jsonl"
    done; touch -d 2026-01-01 ./*00.jsonl)
check 'words of a title, old sessions: where they are more than fit among arguments' \
    '(ulimit -s 256; export XDG_STATE_HOME="$PWD/many"; turnpipe log -p "number 77" | sed "s/.*-//"; turnpipe log -d 3 | sed "s/.*-//"; turnpipe cost | tail -n 1 | cut -d " " -f 1)' <<!
0000004d.jsonl
00000700.jsonl
00000600.jsonl
00000500.jsonl
00000400.jsonl
00000300.jsonl
00000200.jsonl
00000100.jsonl
total
!
rm -r many
fails 66 'a part of a word is no name' 'turnpipe log flak' <<!
turnpipe: flak: no such session; 'turnpipe log' lists them
!
fails 64 'where several fit they are listed' 'turnpipe log -p "question" 2>err; st=$?; sed "s/2026-.*  //;3q" err >&2; exit $st' <<!
turnpipe: 'question' fits more than one session:
  1  Question 9
  2  Question 8
!
check '--last: the last question and answer' 'turnpipe log --last 9' <<!
> So?
No.
!
check 'the same names for report, diff, fold, cost' \
    'turnpipe report flaky | grep -o "<title>.*</title>"; turnpipe cost -s flaky | wc -l | tr -d " "
    for c in "diff -s" fold "cost -s"; do turnpipe $c question 2>&1 | head -n 1; done' <<!
<title>The flaky test</title>
2
turnpipe: 'question' fits more than one session:
turnpipe: 'question' fits more than one session:
turnpipe: 'question' fits more than one session:
!
