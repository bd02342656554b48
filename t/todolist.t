#!/bin/sh
. "${0%/*}/lib.sh"

export TURNPIPE_RUN="$PWD/run"
check 'no list, no word' 'todolist </dev/null; todolist list' <<!
!
check 'add: the list as it is now' 'todolist add "write it"; todolist add -d 1 "test it"; todolist add sub -p 1' <<!
1. [ ] write it
1. [ ] write it
2. [ ] test it (after 1)
1. [ ] write it
  1.1. [ ] sub
2. [ ] test it (after 1)
!
fails 1 'nothing starts before what it waits for' 'todolist update 2 -s in_progress' <<!
todolist: 2 can not start: it waits for 1
!
check 'the first subtask starts with its parent' 'todolist update 1 -s in_progress; todolist list' <<!
1. [>] write it
1. [>] write it
  1.1. [>] sub
2. [ ] test it (after 1)
!
fails 1 'a parent is not done before its subtasks' 'todolist update 1 -s completed' <<!
todolist: 1 has open subtasks: 1.1
!
check 'the last subtask completes the parent' 'todolist update -s completed 1.1; todolist list' <<!
  1.1. [x] sub
1. [x] write it
  1.1. [x] sub
2. [ ] test it (after 1)
!
check 'records and a section in the stream, before end' \
    'printf "{\"role\":\"user\"}\n{\"type\":\"end\"}\n" | todolist | tail -n 3' <<!
{"type":"todo","id":"2","text":"test it","status":"pending","depends":["1"]}
{"type":"section","id":"todos","volatile":true,"content":"1. [x] write it\n  1.1. [x] sub\n2. [ ] test it (after 1)"}
{"type":"end"}
!
check 'a second conversation sees the same' \
    'printf "{\"type\":\"end\"}\n{\"type\":\"end\"}\n" | todolist | grep -c section' <<!
2
!
fails 1 'an id that is not there' 'todolist update 9 -s pending' <<!
todolist: no todo '9': the ids are 1, 1.1, 2
!
fails 1 'no subtasks of subtasks' 'todolist add x -p 1.1' <<!
todolist: 1.1 is a subtask and can have none of its own
!
check 'a proposal is taken or not, as a set' \
    'todolist add a -s proposed >/dev/null; todolist add b -s proposed >/dev/null; todolist deny
    todolist add c -s proposed >/dev/null; todolist accept; todolist list | tail -n 1' <<!
2 denied
1 accepted
5. [ ] c
!
check 'clear takes the completed ones, -a all' 'todolist clear; todolist clear -a; todolist list' <<!
2 removed
2 removed
!
check 'tools at the same time lose nothing' \
    'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do todolist add "t$i" >/dev/null & done; wait
    todolist list | wc -l | tr -d " "; todolist list -j | jq -r .id | sort -u | wc -l | tr -d " "' <<!
12
12
!
check 'text of any kind' 'todolist add "a \"b\"
c" | tail -n 1; todolist list -j | tail -n 1 | jq -r .text' <<!
13. [ ] a "b" c
a "b" c
!
fails 64 'a verb that is none' 'todolist nope 2>&1 >/dev/null | head -n 1 >&2; exit 64' <<!
todolist: no such verb: nope
!
fails 78 'no session' 'unset TURNPIPE_RUN; todolist add x' <<!
todolist: TURNPIPE_RUN: expected a session
!
echo '{]' >run/todos.jsonl
fails 65 'a broken list is told' 'todolist list 2>&1 | sed "s|$PWD/||" >&2; exit 65' <<!
todolist: run/todos.jsonl:1:2: expected a key in quotes
!
rm run/todos.jsonl
fails 65 'a broken line' 'echo "{]" | todolist' <<!
todolist: <stdin>:1:2: expected a key in quotes
!
fails 74 'a full disk' 'todolist add x >/dev/full' <<!
todolist: write <stdout>: No space left on device
!
