#!/bin/sh
# The small commands of a conversation.
. "${0%/*}/../lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test
mkdir .git
talk() { turnpipe -Fis "$@" 2>err; }
serve -r '{"text":"Seen."}'
check '/model, /plan: from the next turn on' \
    'printf "%s\n" /model "/model openai/other" /model "/model other" "/model none/x" one /plan two "/plan off" "/plan no" three /nope |
    talk m.jsonl; jq -c "[.body.model, (.body.messages|tostring|contains(\"<plan-mode>\"))]" "$REQUESTS"
    sed "1d;s/^\(> \)*//;/^usage/d" err' <<!
openai/test
openai/other
Seen.
Seen.
Seen.
["other",false]
["other",true]
["other",false]
turnpipe: model: openai/other
turnpipe: expected PROVIDER/NAME, not 'other'
turnpipe: no provider 'none': sharefind -l providers
turnpipe: plan mode: on
turnpipe: plan mode: off
turnpipe: expected on or off, not 'no'
turnpipe: no command '/nope'; /help lists them

!
serve -r '{"text":"Seen."}'
check '/clear: a new session, the old one is free; -c finds the new one' \
    'printf "%s\n" one "/model openai/other" /clear two | turnpipe -Fi 2>err; jq -c "[.body.model,(.body.messages|length)]" "$REQUESTS"
    turnpipe log -p | wc -l | tr -d " "' <<!
Seen.
Seen.
["test",2]
["other",2]
2
!
serve -r '{"text":"Seen."}'
check 'why a tool was not on offer in the last turn, asked in a shell' '
    mkdir -p shell; cd shell; turnpipe -F "Clear the todo list." >/dev/null; unset TURNPIPE_SESSION
    turnpipe tools -v todo_clear project_note | sed "s/, score.*//"' <<!
project_note out: the user did not ask for it
todo_clear in: asked for: route 30-todos
!
check 'why a tool is not on offer, for the last message of the session' '
    printf "%s\n" "{\"role\":\"user\",\"content\":\"Clear the todo list.\"}" | histadd why.jsonl
    export TURNPIPE_SESSION=why.jsonl; turnpipe tools -v todo_clear project_note | sed "s/, score.*//"
    turnpipe tools -v none 2>/dev/null; echo $?' <<!
project_note out: the user did not ask for it
todo_clear in: asked for: route 30-todos
66
!
mkdir c.d
check '/context, /tools, /skills, /todos, /cost' \
    'todolist -f c.d/todos.jsonl add Look. >/dev/null; printf "%s\n" one /context /tools /skills /cost /todos | talk c.jsonl >out; grep -c "^in all:" out
    grep -o "^read_file	Read a text file" out; grep -o "^git	To commit" out; grep -c "^openai/test  *1 " out; tail -n 1 out' <<!
1
read_file	Read a text file
git	To commit
1
1. [ ] Look.
!
serve -r "{\"text\":\"$(seq -s ' ' 600)\"}"
check '/compact folds the session that the conversation holds' \
    'printf "%s\n" one two three four five six seven /compact | talk f.jsonl --set histfit.tokens=9000 >/dev/null; grep -c "\"type\":\"summary\"" f.jsonl; sed "1d;s/^\(> \)*//;/^$/d" err' <<!
1
turnpipe: folding the beginning of the session into a summary
!
check '/help in a conversation, and turnpipe help' \
    'printf "/help\n" | talk h.jsonl | grep -c "Ctrl-R"; turnpipe help | head -n 1 | cut -c 1-15
    for c in help model plan clear compact context deny skills todos tools; do
	turnpipe-$c --help | grep -q "turnpipe-$c" || echo $c; grep -q "/$c" "$TOP/share/talk/help.txt" || echo $c; done' <<!
1
usage: turnpipe
!
fails 64 'a sentence is no command' 'turnpipe plan the tests 2>err || s=$?; head -n 1 err >&2; exit $s' <<!
turnpipe: expected no operand; 'turnpipe -- plan ...' asks the model
!
fails 64 'outside of a conversation there is nothing to change' 'turnpipe plan' <<!
turnpipe: /plan is a command of a conversation
!
fails 64 'an option that there is not' 'turnpipe-tools -x 2>err || s=$?; head -n 1 err >&2; exit $s' <<!
turnpipe: unknown option -x
!
