#!/bin/sh
. "${0%/*}/lib.sh"

ids() { jq -r 'select(.type=="reminder").id' | tr '\n' ' '; echo; }
text() { jq -r 'select(.type=="reminder").content'; }
state() { printf '{"type":"state",%s}\n' "$1"; }
window() { state "\"context_tokens\":$1"; echo '{"type":"config","context_window":100000}'; }

check 'an ordinary turn: nothing' 'state "\"step\":0,\"interrupted\":false" | reminders | ids' <<!

!
check 'interrupted' 'state "\"interrupted\":true,\"partial\":true" | reminders | ids' <<!
interrupted 
!
check 'broken off' 'state "\"partial\":true" | reminders | ids' <<!
partial 
!
check 'the context: one of its group, percent rounded down' \
    'for n in 69999 70000 84999 85000 94999 95000 200000; do window $n | reminders | ids; done' <<!

context-70 
context-70 
context-85 
context-85 
context-95 
context-95 
!
check 'calls left by the size of results so far' \
    '{ window 70000; state "\"result_tokens\":4000,\"result_calls\":4"; } | reminders | text' <<!
The context is 70 % full, room for about 20 more calls. Do what matters most first.
!
# Ally: 16384 tokens, half of them used, 400 a call: 16 left.
echo '# turnpipe-reminders(5)
when: context_window > 0
say: "left {{calls_left}}"' >left.yaml
mkdir -p mine/reminders; cp left.yaml mine/reminders/99-left.yaml
check 'the vectors of calls left' \
    'for v in "8192 16384" "14746 16384" "0 200000"; do set -- $v
    { state "\"context_tokens\":$1"; echo "{\"type\":\"config\",\"context_window\":$2}"; } |
    TURNPIPE_PATH=mine reminders | jq -r "select(.id==\"left\").content"; done' <<!
left 16
left 0
left 50
!
check 'required tools: those not yet called' \
    '{ state "\"tools_called\":[\"a\"]"; for t in a b c; do echo "{\"type\":\"tool\",\"name\":\"$t\",\"required\":true}"; done; } | reminders | text' <<!
This task is not done before these tools were called: b, c.
!
call() { printf '{"name":"%s","hash":"%s","empty":%s}' "$1" "$2" "$3"; }
check 'the same call three times, not two' \
    'for n in 2 3; do l=$(for i in $(seq $n); do call grep a false; echo; done | paste -sd,); state "\"calls\":[$(call ls x false),$l]" | reminders | ids; done' <<!

repeated-call 
!
check 'others between do not hide it, another last one does' \
    'a=$(call g a false) b=$(call g b false)
    state "\"calls\":[$a,$b,$a,$b,$a]" | reminders | ids; state "\"calls\":[$a,$a,$a,$b]" | reminders | ids' <<!
repeated-call 

!
check 'three empty results in a row' \
    'a=$(call g a true) b=$(call g b true) c=$(call g c true); state "\"calls\":[$a,$b,$c]" | reminders | ids' <<!
nothing-found 
!
check 'todos' 'printf "%s\n" "{\"type\":\"todo\",\"text\":\"t\",\"status\":\"in_progress\"}" "{\"type\":\"todo\",\"text\":\"u\",\"status\":\"completed\"}" | reminders | text' <<!
Todos open: 1 of 2. Keep the list true as you work: complete what is done before you start the next.
!
check 'an empty list is told only where the profile wants it' 'state "\"step\":0" | reminders -P ally | ids' <<!
todo-none 
!
check 'steps' '{ state "\"step\":48"; echo "{\"type\":\"config\",\"max_steps\":50}"; } | reminders | ids' <<!
steps 
!
check 'the second conversation starts anew' \
    '{ state "\"interrupted\":true"; echo "{\"type\":\"end\"}"; state "\"step\":1"; echo "{\"type\":\"end\"}"; } | reminders | jq -r .type | tr "\n" " "; echo' <<!
state reminder end state end 
!
: >mine/reminders/10-interrupted.yaml
check 'an empty file switches one off' 'state "\"interrupted\":true" | TURNPIPE_PATH=mine reminders | ids' <<!

!
printf '# x\nwhen: context_percnt > 3\nsay: x\n' >mine/reminders/50-bad.yaml
fails 78 'a value that is not there is told with its place' 'TURNPIPE_PATH=mine reminders </dev/null' <<!
reminders: mine/reminders/50-bad.yaml:2:7: expected a condition over the values of turnpipe-reminders(5)
!
fails 65 'a broken line' 'echo "{]" | reminders' <<!
reminders: <stdin>:1:2: expected a key in quotes
!
fails 74 'a full disk' 'state "\"interrupted\":true" | reminders >/dev/full' <<!
reminders: write <stdout>: No space left on device
!
