#!/bin/sh
. "${0%/*}/../lib.sh"

export TURNPIPE_SHARE="$TOP/share" TURNPIPE_RUN="$PWD/s.d"

check 'a list that is not there yet is empty, and says so to people' 'todolist list; todolist list -j' <<!
no todos
!
check 'adding says what was added' \
    'todolist add "  read   the
code " "fix it" && todolist add -d 2 "run the tests"' <<!
1. [ ] read the code
2. [ ] fix it
3. [ ] run the tests (after 2)
!
check 'a text may begin with a dash behind --' \
    'todolist -f other add -- "-x is no option" && todolist -f other list' <<!
1. [ ] -x is no option
1. [ ] -x is no option
!
check 'options may stand after the operand' \
    'todolist update 1 -s in_progress' <<!
1. [>] read the code
!
fails 1 'only one may be in progress' 'todolist update -s in_progress 2' <<!
todolist: only one todo can be in progress: complete 1 or set it to pending before 2 starts
!
fails 1 'the same to add' 'todolist add -s in_progress more' <<!
todolist: only one todo can be in progress: complete 1 or set it to pending before 4 starts
!
fails 1 'what waits cannot start' \
    'todolist update 1 -s pending >/dev/null && todolist update 3 -s in_progress' <<!
todolist: 3 cannot start: it waits for 2
!
fails 1 'an id that is not there is answered with those that are' \
    'todolist update 9 -s completed' <<!
todolist: no todo '9': the ids are 1, 2, 3
!
fails 1 'the same as dependency' 'todolist add -d 7 x' <<!
todolist: no todo '7': the ids are 1, 2, 3
!
check 'a todo is one line, also one of a record' '
    printf "%s\n" "{\"id\":\"1\",\"text\":\"a\\nb\\u001b[1m\",\"status\":\"pending\"}" >lines.jsonl
    todolist -f lines.jsonl list; todolist -f lines.jsonl add "$(printf "c\n\033d")"' <<!
1. [ ] a b [1m
2. [ ] c d
!
check 'a text is trimmed' 'todolist -f trim/t add "  a   b  "' <<!
1. [ ] a b
!
fails 1 'a text of blanks' 'todolist add "  "' <<!
todolist: a todo needs a text
!
fails 1 'a text that is too long' \
    'todolist add "$(printf "%01001d" 0)"' <<!
todolist: a todo's text has at most 1000 bytes, not 1001
!
check 'a refusal changes nothing' 'todolist list' <<!
1. [ ] read the code
2. [ ] fix it
3. [ ] run the tests (after 2)
!
check 'several ids, and dependencies taken away' \
    'todolist update -s completed 1 2 && todolist update -d "" 3' <<!
1. [x] read the code
2. [x] fix it
3. [ ] run the tests
!
check 'clear takes the completed ones, and their ids are not used again' \
    'todolist clear && todolist add next' <<!
removed 1: read the code
removed 2: fix it
4. [ ] next
!
check 'an id removed at the end is not used again either' \
    'todolist remove 4 && todolist add last' <<!
removed 4: next
5. [ ] last
!
check 'clear all' 'todolist clear --all && todolist list' <<!
removed 3: run the tests
removed 5: last
no todos
!

check 'subtasks stand below their parent' \
    'todolist add one two >/dev/null && todolist add -p 1 a b && todolist add -p 1 -d 1.2 c && todolist list' <<!
  1.1. [ ] a
  1.2. [ ] b
  1.3. [ ] c (after 1.2)
1. [ ] one
  1.1. [ ] a
  1.2. [ ] b
  1.3. [ ] c (after 1.2)
2. [ ] two
!
fails 1 'one level of them' 'todolist add -p 1.1 deep' <<!
todolist: 1.1 is a subtask and cannot have subtasks
!
fails 1 'what waits for itself cannot start' \
    'todolist update 2 -d 2 >/dev/null && todolist update 2 -s in_progress; st=$?; todolist update 2 -d 1 >/dev/null; exit $st' <<!
todolist: 2 cannot start: it waits for 2
!
check 'a parent starts with its first part' 'todolist update 1 -s in_progress' <<!
1. [>] one
  1.1. [>] a
!
check 'the next part starts by itself' 'todolist update 1.1 -s completed' <<!
  1.1. [x] a
  1.2. [>] b
!
fails 1 'one part at a time' 'todolist update 1.3 -d "" -s in_progress' <<!
todolist: only one todo can be in progress: complete 1.2 or set it to pending before 1.3 starts
!
fails 1 'a parent with open parts is not completed' 'todolist update 1 -s completed' <<!
todolist: 1 has open subtasks: 1.2, 1.3
!
check 'a parent that pauses pauses its parts' 'todolist update 1 -s pending' <<!
1. [ ] one
  1.2. [ ] b
!
check 'a part that starts starts its parent' 'todolist update 1.2 -s in_progress' <<!
1. [>] one
  1.2. [>] b
!
check 'the last part completes the parent' \
    'todolist update -s completed 1.2 1.3' <<!
1. [x] one
  1.2. [x] b
  1.3. [x] c
!
check 'a new part opens it again' 'todolist add -p 1 d && todolist update 1.4 -s completed' <<!
1. [ ] one
  1.4. [ ] d
1. [x] one
  1.4. [x] d
!
check 'removing takes the parts along, and who waited no longer does' \
    'todolist remove 1' <<!
removed 1: one
removed 1.1: a
removed 1.2: b
removed 1.3: c
removed 1.4: d
2. [ ] two
!

todolist clear -a >/dev/null
check 'proposed todos are accepted as a set' \
    'todolist add -s proposed p q && todolist add -p 1 part && todolist accept' <<!
1. [?] p
2. [?] q
  1.1. [?] part
1. [ ] p
  1.1. [ ] part
2. [ ] q
!
check 'or denied' 'todolist add -s proposed r && todolist deny' <<!
3. [?] r
removed 3: r
!
todolist clear -a >/dev/null
todolist add -s proposed idea more >/dev/null
todolist add -p 1 part >/dev/null
no='only the user accepts it, with /accept or '\''turnpipe accept'\''; wait for that'
export LLM_TOOL_NAME=todo_update
fails 1 'a tool does not accept what is proposed' 'todolist update 1 -s pending' <<!
todolist: 1 is proposed: $no
!
fails 1 'nor begin it' 'todolist update 1 -s in_progress' <<!
todolist: 1 is proposed: $no
!
fails 1 'nor complete it' 'todolist update 2 -s completed' <<!
todolist: 2 is proposed: $no
!
fails 1 'nor begin a part of it' 'todolist update 1.1 -s in_progress' <<!
todolist: 1 is proposed: $no
!
fails 1 'nor add a part that is pending' 'todolist add -p 1 -s pending x' <<!
todolist: 1 is proposed: $no
!
fails 1 'nor complete all parts' 'todolist update 1.1 -s completed' <<!
todolist: 1 is proposed: $no
!
fails 1 'nor as JSON' 'echo "[\"new\",{\"id\":\"1\",\"status\":\"completed\"}]" | todolist update -j' <<!
todolist: expected the id of a todo
!
fails 1 'nor as JSON that fits' 'echo "{\"id\":1,\"status\":\"completed\"}" | todolist update -j' <<!
todolist: 1 has open subtasks: 1.1
!
fails 1 'nor by name' 'todolist accept' <<!
todolist: accept: that is the user's to say
!
fails 1 'nor deny it' 'todolist deny 1' <<!
todolist: deny: that is the user's to say
!
check 'what it may: propose, word, withdraw; and its own ones' \
    'todolist update 1 -t "better idea"; todolist remove 2; todolist add own; todolist update 3 -s in_progress' <<!
1. [?] better idea
removed 2: more
3. [ ] own
3. [>] own
!
check 'it may propose another; then it is that one' \
    'todolist add "first plan" -s proposed; todolist update 4 -s pending 2>&1 | cut -c1-24; todolist remove 4' <<!
4. [?] first plan
todolist: 4 is proposed:
removed 4: first plan
!
check 'what was denied may be added again, as any other' \
    'todolist -f l add -s proposed x; env -u LLM_TOOL_NAME todolist -f l deny; todolist -f l add X.' <<!
1. [?] x
removed 1: x
2. [ ] X.
!
unset LLM_TOOL_NAME
mkdir run
todolist -f run/todos.jsonl add -s proposed secret >/dev/null
fails 75 'while a turn is on, what unset LLM_TOOL_NAME accepts nothing' \
    'agentpool -l run/lock -- env -u TURNPIPE_LOCK_FD todolist -f run/todos.jsonl accept' <<!
todolist: accept: a turn of this session is on: /accept there, or when it is over
!
fails 1 'nor does it begin what is proposed' \
    'agentpool -l run/lock -- sh -c "exec 9<run/lock; TURNPIPE_LOCK_FD=9 todolist -f run/todos.jsonl update -s in_progress 1"' <<!
todolist: 1 is proposed: $no
!
check 'what the user types into the turn has its lock' 'agentpool -l run/lock -- todolist -f run/todos.jsonl accept' <<!
1. [ ] secret
!
check 'the user begins what is proposed by accepting it' 'todolist update 3 -s completed; todolist update 1.1 -s in_progress; todolist clear -a' <<!
3. [x] own
1. [>] better idea
  1.1. [>] part
removed 1: better idea
removed 1.1: part
removed 3: own
!
fails 1 'nothing to accept' 'todolist accept' <<!
todolist: no todo is proposed
!
check 'beginning accepts the plan' \
    'todolist clear -a >/dev/null; todolist add -s proposed s t && todolist update 1 -s in_progress' <<!
1. [?] s
2. [?] t
1. [>] s
2. [ ] t
!
todolist clear -a >/dev/null
todolist add p q >/dev/null
todolist add -p 1 late soon >/dev/null
check 'what starts with its parent is what waits for nothing' \
    'todolist update -d 2,2 1.1; todolist update -s in_progress 1' <<!
  1.1. [ ] late (after 2)
1. [>] p
  1.2. [>] soon
!
todolist clear -a >/dev/null
check 'a running subtask set back to proposed left its parent in progress' \
    'todolist clear -a >/dev/null; todolist add w >/dev/null; todolist add -p 1 x y >/dev/null
    todolist update 1.1 -s in_progress >/dev/null; todolist update 1.1 -s proposed >/dev/null; todolist list
    todolist clear -a >/dev/null' <<!
1. [ ] w
  1.1. [?] x
  1.2. [ ] y
!
todolist add whole >/dev/null
todolist update -s completed 1 >/dev/null
check 'a part more and the whole is open again, and no longer proposed' \
    'todolist add -p 1 x; todolist update -s proposed 1 >/dev/null; todolist add -p 1 -s pending y' <<!
1. [ ] whole
  1.1. [ ] x
1. [ ] whole
  1.2. [ ] y
!
todolist clear -a >/dev/null
todolist add -s proposed plan >/dev/null
todolist add -p 1 part >/dev/null
todolist update -s pending 1.1 >/dev/null
check 'a plan that was started over and denied leaves no part without its whole' \
    'todolist update -s proposed 1; todolist deny; todolist add next | cut -d. -f2' <<!
1. [?] plan
  1.1. [?] part
removed 1: plan
removed 1.1: part
 [ ] next
!
todolist clear -a >/dev/null
todolist add -s proposed plan >/dev/null
todolist add -p 1 one two >/dev/null
todolist update -s completed 1.1 >/dev/null
todolist update -s proposed 1 >/dev/null
check 'nor one that is done' 'todolist deny >/dev/null; todolist list' <<!
no todos
!
check 'denying a part leaves the rest in order' \
    'todolist clear -a >/dev/null; todolist add w >/dev/null; todolist add -p 1 done >/dev/null; todolist add -p 1 -s proposed idea >/dev/null; todolist update 1.1 -s completed >/dev/null; todolist deny' <<!
removed 1.2: idea
1. [x] w
!

todolist clear -a >/dev/null
cat >set <<!
{"todos": ["look", {"text": "fix", "depends": 1, "subtasks": ["a", {"text": "b"}]}, {"text": "test", "depends": ["2"]}]}
!
check 'a set from JSON' 'todolist add -j <set' <<!
1. [ ] look
2. [ ] fix (after 1)
  2.1. [ ] a
  2.2. [ ] b
3. [ ] test (after 2)
!
check 'several updates at once' \
    'echo "[{\"id\":1,\"status\":\"completed\"},{\"id\":\"2\",\"status\":\"in_progress\"}]" | todolist update -j' <<!
1. [x] look
2. [>] fix (after 1)
  2.1. [>] a
!
fails 1 'all of a set or nothing' \
    'echo "[\"x\",{\"text\":\"y\",\"status\":\"later\"}]" | todolist add -j' <<!
todolist: expected proposed, pending, in_progress or completed as status
!
fails 1 'an object that is no todo' 'echo "[{\"task\":\"y\"}]" | todolist add -j' <<!
todolist: expected the text of a todo
!
fails 1 'no JSON' 'echo "[" | todolist add -j' <<!
todolist: expected JSON on standard input
!
fails 1 'an update without an id' 'echo "{\"text\":\"y\"}" | todolist update -j' <<!
todolist: expected the id of a todo
!
check 'nothing of a refused set is there' 'todolist list -j' <<!
{"type":"todo","id":"1","text":"look","status":"completed"}
{"type":"todo","id":"2","text":"fix","status":"in_progress","depends":["1"]}
{"type":"todo","id":"2.1","text":"a","status":"in_progress","parent":"2"}
{"type":"todo","id":"2.2","text":"b","status":"pending","parent":"2"}
{"type":"todo","id":"3","text":"test","status":"pending","depends":["2"]}
!

check 'in the pipe: records and one section, before the end' \
    'printf "{\"role\":\"user\",\"content\":\"hi\"}\n{\"type\":\"end\"}\n" | todolist' <<!
{"role":"user","content":"hi"}
{"type":"todo","id":"1","text":"look","status":"completed"}
{"type":"todo","id":"2","text":"fix","status":"in_progress","depends":["1"]}
{"type":"todo","id":"2.1","text":"a","status":"in_progress","parent":"2"}
{"type":"todo","id":"2.2","text":"b","status":"pending","parent":"2"}
{"type":"todo","id":"3","text":"test","status":"pending","depends":["2"]}
{"type":"section","id":"todos","volatile":true,"content":"1. [x] look\n2. [>] fix (after 1)\n  2.1. [>] a\n  2.2. [ ] b\n3. [ ] test (after 2)"}
{"type":"end"}
!
check 'an empty list has no section' 'todolist clear -a >/dev/null; todolist </dev/null'
check 'no session, no todos' 'unset TURNPIPE_RUN; todolist </dev/null'
check 'the run directory follows from the session' \
    'unset TURNPIPE_RUN; export TURNPIPE_SESSION=$PWD/x.jsonl; todolist add here && ls x.d' <<!
1. [ ] here
todos.jsonl
todos.jsonl.lock
!
check 'files are for the user alone' 'stat -c %a x.d/todos.jsonl' <<!
600
!
fails 64 'a command without a session' 'unset TURNPIPE_RUN; todolist list' <<!
todolist: no list: expected -f or TURNPIPE_SESSION
!
# Three sessions of this project: the older one, the last, a sub-agent's.
mkdir proj
check 'list outside a conversation takes the last session, and names it' \
    'unset TURNPIPE_RUN; cd proj; export XDG_STATE_HOME=$PWD/state
    a=20260101T000000Z-0000000
    d=$(histadd -n) d=${d%/*} && mkdir -p "$d" || exit
    for i in 1 2 3-nurse; do
	: >"$d/$a$i.jsonl"
	touch -d "2026-01-01T00:00:0${i%-*}Z" "$d/$a$i.jsonl"
	TURNPIPE_SESSION=$d/$a$i.jsonl todolist add "of $i" >/dev/null
    done
    todolist list 2>&1; todolist add x 2>&1; echo "$?"' <<!
todolist: the last session: 20260101T000000Z-00000002
1. [ ] of 2
todolist: no list: expected -f or TURNPIPE_SESSION
64
!
check 'switched off' \
    'mkdir -p cfg/turnpipe; printf "todolist: {enabled: false}\n" >cfg/turnpipe/settings.yaml; todolist add quiet >/dev/null; XDG_CONFIG_HOME=$PWD/cfg todolist </dev/null'

# Twenty tools at a time lose nothing of each other.
todolist clear -a >/dev/null
i=0 pids=
while [ $i -lt 20 ]; do
	todolist add "job $i" >/dev/null &
	pids="$pids $!"
	i=$((i + 1))
done
for pid in $pids; do wait "$pid"; done
check 'parallel commands' 'todolist list | wc -l; todolist list -j | jq -r .id | sort -n | uniq | wc -l' <<!
20
20
!
mkfifo slow
todolist add -j <slow >/dev/null &
exec 9>slow
check 'a slow writer of todos to add blocks no other todolist' \
    'todolist add meanwhile | cut -d" " -f4-; echo "{\"text\":\"slow\"}" >&9' <<!
meanwhile
!
exec 9>&-
wait "$!"
check 'and loses nothing' 'todolist list | tail -n 2 | cut -d" " -f4-' <<!
meanwhile
slow
!

printf '{"type":"todo","id":"1","text":"x"}\n{"id":2}\n' >bad
fails 65 'a broken file' 'todolist -f bad list' <<!
todolist: bad:2:1: expected a todo's id
!
fails 65 'a broken file in the pipe' 'todolist -f bad </dev/null' <<!
todolist: bad:2:1: expected a todo's id
!
fails 65 'a broken line' 'printf "{}\n" | todolist' <<!
todolist: <stdin>:1:1: expected a type or a role
!
fails 73 'a directory that cannot be made' 'TURNPIPE_RUN=/dev/null/x todolist add y' <<!
todolist: /dev/null/x/todos.jsonl: Not a directory
!
fails 74 'a full disk' 'todolist list >/dev/full' <<!
todolist: write <stdout>: No space left on device
!
check 'head' 'todolist list | head -1' <<!
$(todolist list | sed -n 1p)
!
for bad in 'frob' 'add' 'update -s completed' 'list x' 'add -s later x'; do
	check "wrong usage: $bad" "todolist $bad 2>/dev/null; echo \$?" <<!
64
!
done

# A form of one's own.
mkdir -p form/prompts
printf '%s\n' '{{done}} of {{count}}' '> {{in_progress}}' '- {{pending}}' \
    '? {{proposed}}' 'x {{completed}}' >form/prompts/todos-mine.md
cat >forms <<!
{"type":"todo","id":"1","text":"one {{count}}","status":"completed"}
{"type":"todo","id":"2","text":"two","status":"pending"}
{"type":"todo","id":"3","text":"three","status":"in_progress"}
{"type":"todo","id":"4","text":"four","status":"pending"}
!
export TURNPIPE_PATH=$PWD/form
check '--form: the lines of a template, by status' \
    'todolist -f forms --form mine </dev/null | jq -r "select(.id==\"todos\").content"' <<'!'
1 of 4
> three
- two
- four
x one {{count}}
!
check '--form: no todos, no section' ': >none; todolist -f none -F mine </dev/null'
fails 64 '--form: a form that does not exist' 'todolist -F none </dev/null 2>err; s=$?
    head -n 1 err >&2; exit $s' <<!
todolist: no form 'none'
!
needs pty check "what a terminal could obey in a todo's text reached it" '
    rlo=$(printf "\342\200\256"); todolist -f esc add "a$rlo" >/dev/null
    python3 "$TOP/t/onpty.py" -- todolist -f esc list | tr -d "\r"; todolist -f esc list | grep -c "$rlo"' <<!
1. [ ] a\\u{202e}
1
!
