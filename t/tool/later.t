#!/bin/sh
# Questions that wait: a call stays open in the session until it is answered.
. "${0%/*}/../lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test TURNPIPE_ASK_LATER=1
mkdir .git
echo one >notes
shell() { printf '{"id":"%s","name":"shell","arguments":{"command":"%s"}}' "$1" "$2"; }
# The results that the last request has.
results() { tail -n 1 "$REQUESTS" | jq -r '.body.messages[]|select(.role=="tool")|"\(.tool_call_id): \(.content|split("\n\n<turn-context>")[0])"'; }
log() { jq -rc 'select(.type=="mark" or .role=="tool")|[.what // "result",.id // .tool_call_id]|join(" ")' "$1"; }
# Times that differ between runs.
asked() { sed "s|$PWD|HERE|g" "$@"; }

serve "{\"calls\":[$(shell c1 'touch deed'),{\"id\":\"c2\",\"name\":\"read_file\",\"arguments\":{\"path\":\"notes\"}}]}" \
    '{"text":"Done."}'
fails 75 'a question that no user answers ends the turn, with the line that answers it' \
    'turnpipe -s s1.jsonl "Do it." 2>err; st=$?; asked err >&2; exit $st' <<!
shell
  command: touch deed
open until it is answered, with --allow ID or --deny ID=REASON:
  cd 'HERE' && turnpipe -c -s 'HERE/s1.jsonl' --allow c1
!
check 'the call is open in the log, the other call of the message has run' \
    'test ! -e deed; log s1.jsonl; jq -r "select(.tool_call_id)|.content" s1.jsonl
    jq -c "select(.what==\"deferred\")|[.time,.name,.cwd,.question,.task]" s1.jsonl | asked; sent' <<!
deferred c1
result c2
one

["2026-11-21T12:00:00Z","shell","HERE","shell\n  command: touch deed\n",null]
1
!
check 'turnpipe log shows it' 'turnpipe log s1.jsonl | sed -n "/^open/,/^  cd/p" | asked' <<!
open: c1, a call of shell; --deny ID=REASON says no
  shell
    command: touch deed
  cd 'HERE' && turnpipe -c -s 'HERE/s1.jsonl' --allow 'c1'
!
check 'asked again without a user it is open once, not twice' \
    'turnpipe -c -s s1.jsonl 2>/dev/null || echo $?; log s1.jsonl' <<!
75
deferred c1
result c2
!
fails 64 'another id' 'turnpipe -c -s s1.jsonl --allow c3' <<!
toolrun: no open call 'c3'; open: c1
!
fails 64 'a call that has a result' 'turnpipe -c -s s1.jsonl --deny c2=no' <<!
toolrun: no open call 'c2=no'; open: c1
!
fails 64 'yes and no' 'turnpipe -c -s s1.jsonl --allow c1 --deny c1=x' <<!
toolrun: both allowed and denied: 'c1'
!
fails 64 'in another directory' \
    'mkdir -p sub; cd sub; turnpipe -c -s ../s1.jsonl --allow c1 2>../err || { st=$?; asked=${PWD%/sub}; sed "s|$asked|HERE|g" ../err >&2; exit $st; }' <<!
toolrun: 'c1' is to run in HERE, and this is HERE/sub
!
fails 64 'with a text' 'turnpipe -c -s s1.jsonl --allow c1 hello 2>&1 | head -n 1 >&2; exit 64' <<!
turnpipe: --allow, --deny: expected no text, no -i and no -n
!
check 'none of these was for the log, and nothing ran' 'log s1.jsonl; jq -c "select(.type==\"error\")" s1.jsonl; ls deed 2>/dev/null || sent' <<!
deferred c1
result c2
1
!
check '--allow runs the call, and the turn goes on' \
    'turnpipe -c -s s1.jsonl --allow=c1; ls deed; results; log s1.jsonl' <<!
Done.
deed
c1: (no output)
c2: one

deferred c1
result c2
result c1
!
fails 64 'answered twice' 'turnpipe -c -s s1.jsonl --allow c1' <<!
turnpipe: no call of this session is open
!

# Two of them, one after the other.
serve "{\"calls\":[$(shell c1 'touch one'),$(shell c2 'touch two')]}" \
    "{\"calls\":[$(shell c1 'touch three')]}" '{"text":"All done."}'
turnpipe -s s2.jsonl 'Do both.' 2>/dev/null || echo $? >st
fails 75 'one of two' 'turnpipe -c -s s2.jsonl --deny "c2=not today"' <<!
toolrun: 'c1' is still open
!
check 'its result is kept, the model is not asked' 'cat st; log s2.jsonl; sent; ls one two 2>/dev/null || :' <<!
75
deferred c1
deferred c2
result c2
1
!
fails 75 'the second is answered; an answer does not count for a later call with that id' \
    'turnpipe -c -s s2.jsonl --allow c1 2>err; st=$?; sed -n 2p err >&2; ls one >&2; exit $st' <<!
  command: touch three
one
!
check 'what the model read of both' 'sent; results; ls two three 2>/dev/null || :' <<!
2
c1: (no output)
c2: error: not run: the user denied this call and says: not today
!
check 'a new message of the user closes what was open' \
    'turnpipe -c -s s2.jsonl "Never mind."; results | grep "^c1" | tail -n 1 | cut -c 1-40; turnpipe -c -s s2.jsonl --allow c1 2>&1 || echo $?' <<!
All done.
c1: error: there is no result of this ca
turnpipe: no call of this session is open
64
!

# A path that leads elsewhere when the answer comes.
serve '{"calls":[{"id":"w","name":"write_file","arguments":{"path":"link","content":"x"}}]}' '{"text":"ok"}'
mkdir a b
ln -s a/file link
turnpipe -s s3.jsonl 'Write.' 2>/dev/null || :
ln -sf b/file link
fails 75 'a call whose path leads elsewhere now' 'turnpipe -c -s s3.jsonl --allow w' <<!
toolrun: w: its path leads elsewhere now: 'turnpipe -c' asks again
!
check 'asked again without a user: open anew, and then it can be answered' \
    'turnpipe -c -s s3.jsonl 2>&1 | grep -c leads.to.*/b/file; turnpipe -c -s s3.jsonl --allow w; ls a/* b/* 2>/dev/null || :' <<!
1
ok
b/file
!

# Stopped in the middle.
serve "{\"calls\":[$(shell c1 'touch begun; until [ -e release ]; do sleep 0.1; done'),$(shell c2 'touch two')]}" '{"text":"ok"}'
rm -f begun two
turnpipe -s s4.jsonl 'Go.' 2>/dev/null || :
check 'killed while the call runs: it is open as it was, so is the other' \
    'setsid turnpipe -c -s s4.jsonl --allow c1 2>/dev/null & pid=$!
    until_ "[ -e begun ]"; kill -9 -$pid; { wait $pid; } 2>/dev/null || :; touch release
    until_ "! agentpool -l s4.d/lock -- true 2>&1 | grep -q ."
    log s4.jsonl; turnpipe log s4.jsonl | grep -c "^open"' <<!
deferred c1
deferred c2
2
!
check 'a signal is a result of the call that ran, the other stays open' \
    'rm -f begun release; turnpipe -c -s s4.jsonl --allow c1 2>/dev/null & pid=$!
    until_ "[ -e begun ]"; kill -TERM $pid; { wait $pid; } 2>/dev/null || :
    log s4.jsonl | tail -n 2; turnpipe -c -s s4.jsonl --deny c2 | tail -n 1; ls two 2>/dev/null || :; results | cut -c 1-50' <<!
result c1
interrupted 
ok
c1: error: stopped before it had ended: the turn w
c2: error: not run: the user denied this call. Do 
!

# What the user says yes to: the lines of a change, each on its own line.
printf 'one\ntwo\nthree\nfour\n' >poem
serve '{"calls":[{"id":"e1","name":"edit_file","arguments":{"path":"poem","old":"two\nthree","new":"2\n3\n"}},{"id":"w1","name":"write_file","arguments":{"path":"poem","content":"one\nTWO\nthree\nfour"}}]}'
check 'the question of a change shows its lines, with and without a newline at the end' \
    'turnpipe -s change.jsonl "Change it." >/dev/null 2>&1; jq -r "select(.what==\"deferred\").question" change.jsonl' <<!
edit_file
  path: poem
  - two
  - three
  + 2
  + 3

write_file
  path: poem
  content: from line 2 on
  - two
  - three
  - four
  + TWO
  + three
  + four

!

# A task of cron's.
serve "{\"calls\":[$(shell c1 'touch report')]}" '{"text":"Sent."}'
unset TURNPIPE_ASK_LATER
rm -f report
cat >job.md <<!
---
ask_later: true
notify: cat >told
output: answer
---
Report.
!
fails 75 'a task that asks later: notify tells what waits' \
    'turnpipe -T job.md 2>/dev/null; st=$?; sed "s|-s .*jsonl.|-s FILE|" told | asked >&2; ls answer report 2>/dev/null; exit $st' <<!
shell
  command: touch report
open until it is answered, with --allow ID or --deny ID=REASON:
  cd 'HERE' && turnpipe -T -s FILE --allow c1 'HERE/job.md'
!
check 'in the morning: the same run goes on, and delivers' \
    'turnpipe -T --allow c1 job.md; cat answer; ls report; jq -c "[.status,.steps,.answer[:5]]" "$XDG_STATE_HOME"/turnpipe/tasks/job-*.jsonl' <<!
Sent.
report
[75,1,"shell"]
[0,2,"Sent."]
!
fails 66 'and then none waits' 'turnpipe -T --allow c1 job.md' <<!
turnpipe: job: no run of this task waits for you
!
