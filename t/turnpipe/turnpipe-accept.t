#!/bin/sh
. "${0%/*}/../lib.sh"

mkdir .git
TURNPIPE_SESSION=$PWD/s.jsonl
export TURNPIPE_SESSION
todolist add -s proposed one two three >/dev/null
todolist add -p 2 part >/dev/null
check 'some of them, all of them' 'turnpipe accept 2; turnpipe accept' <<!
2. [ ] two
  2.1. [ ] part
1. [ ] one
3. [ ] three
!
fails 1 'no other' 'turnpipe accept' <<!
todolist: no todo is proposed
!
fails 1 'one that is not proposed' 'turnpipe accept 2' <<!
todolist: 2 is not proposed, but pending
!
check 'denied ones are gone; the list is that of the session without TURNPIPE_RUN too' \
    'todolist add -s proposed four five >/dev/null; turnpipe accept --deny 4; turnpipe accept -d; todolist list' <<!
removed 4: four
removed 5: five
1. [ ] one
2. [ ] two
  2.1. [ ] part
3. [ ] three
!
check 'a part is accepted with its whole' \
    'todolist add -s proposed six >/dev/null; todolist add -p 6 x y >/dev/null; turnpipe accept 6.2; turnpipe accept -d' <<!
6. [ ] six
  6.2. [ ] y
removed 6.1: x
!
todolist add -s proposed seven >/dev/null
fails 1 'a tool accepts nothing' 'LLM_TOOL_NAME=shell turnpipe accept' <<!
todolist: accept: that is the user's to say
!
unset TURNPIPE_SESSION
fails 64 'no session of this project' 'turnpipe accept' <<!
todolist: no list: expected -f or TURNPIPE_SESSION
!
S=$(histadd --new)
mkdir -p "${S%/*}"
printf '{"type":"session","version":1,"id":"x","cwd":"%s"}\n{"type":"message","role":"user","content":"hi"}\n' "$PWD" >"$S"
todolist -f "${S%.jsonl}.d/todos.jsonl" add -s proposed last >/dev/null
check 'from the shell: the last session of the project' \
    'turnpipe accept 2>err; sed "s/session: .*/session: ID/" err' <<!
1. [ ] last
todolist: the last session: ID
!
fails 64 'an option that is not there' 'turnpipe accept -x 2>err; st=$?; head -1 err >&2; exit $st' <<!
turnpipe: unknown option -x
!
