#!/bin/sh
. "${0%/*}/../lib.sh"

export TURNPIPE_SHARE="$TOP/share"

# ids RECORD...: which reminders these records call for, in one line.
ids()
{
	printf '%s\n' "$@" | reminders |
	    jq -r 'select(.type=="reminder").id' | tr '\n' ' '
	echo
}
# one RECORD...: the texts.
one()
{
	printf '%s\n' "$@" | reminders |
	    jq -r 'select(.type=="reminder").content'
}
state() { printf '{"type":"state",%s}' "$1"; }
user='{"role":"user","content":"do it"}'
call='{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}'
tool='{"role":"tool","tool_call_id":"c","content":"ok"}'
text='{"role":"assistant","content":"done"}'

check 'nothing to say, nothing said' \
    'printf "%s\n" "$user" "$call" "$tool" "{\"type\":\"end\"}" | reminders' <<!
$user
$call
$tool
{"type":"end"}
!
# A shipped reminder lives in one request and
# stands in no message, so there is nothing to take out or to glue on.
check 'what looks like a reminder passes as it is' \
    'printf "{\"role\":\"user\",\"content\":\"<system-reminder>x</system-reminder>\"}\n{\"role\":\"tool\",\"content\":\"<system-reminder persist=\\\\\"true\\\\\">y\"}\n" | reminders' <<!
{"role":"user","content":"<system-reminder>x</system-reminder>"}
{"role":"tool","content":"<system-reminder persist=\"true\">y"}
!
check 'interrupted' 'ids "$(state \"interrupted\":true)"' <<!
interrupted 
!
check 'broken off' 'ids "$(state \"partial\":true)"' <<!
partial 
!
check 'broken off by the user is one thing' \
    'ids "$(state \"partial\":true,\"interrupted\":true)"' <<!
interrupted 
!
check 'a later state goes over an earlier one, but not over the user'\''s' \
    'ids "$(state \"interrupted\":true)" "$(state \"interrupted\":false)"
    ids "$(state "\"by\":\"user\",\"interrupted\":true")" "$(state \"interrupted\":false)"' <<!

interrupted 
!

# How full the context is.
for used in 0 6999 7000 8499 8500 9450 9499 9500 20000; do
	printf '%s: ' $used
	ids "$(state "\"context_tokens\":$used")" '{"type":"config","context_window":10000}'
done >out
check 'percent are floored, of the three warnings the highest is said' 'cat out' <<!
0: 
6999: 
7000: context-70 
8499: context-70 
8500: context-85 
9450: context-85 
9499: context-85 
9500: context-95 
20000: context-95 
!
cat >left.yaml <<!
# turnpipe-reminders(5)
say: '{{context_percent}} {{calls_left}}'
!
mkdir -p left/reminders; mv left.yaml left/reminders/99-left.yaml
left() { printf '%s\n' "$@" | TURNPIPE_SHARE=$PWD/left reminders | jq -r 'select(.type=="reminder").content'; }
w='{"type":"config","context_window":16384}'
check 'calls left: what is free less a tenth, by the cost of a result' \
    'left "$w" "$(state \"context_tokens\":8192)"' <<!
50 16
!
check 'calls left: as the results so far cost' \
    'left "$w" "$(state "\"context_tokens\":8192,\"result_tokens\":2999,\"result_calls\":3")"' <<!
50 6
!
check 'calls left: the tenth is floored, and so is the mean' \
    'for r in 6554,1 13109,2; do left "$w" "$(state "\"context_tokens\":8192,\"result_tokens\":${r%,*},\"result_calls\":${r#*,}")"; done' <<!
50 1
50 1
!
check 'calls left: as the tools themselves say' \
    'left "$w" "$(state \"context_tokens\":8192)" "{\"type\":\"tool\",\"name\":\"a\",\"result_tokens\":800}" "{\"type\":\"tool\",\"name\":\"b\"}"' <<!
50 10
!
check 'calls left: none from 90 percent on' \
    'left "$w" "$(state \"context_tokens\":14746)"; left "$w" "$(state \"context_tokens\":99999)"' <<!
90 0
100 0
!
check 'borders of the percentages are not rounded up to' \
    'for u in 69999 70000 84999 85000 94500 94999 95000; do ids "{\"type\":\"config\",\"context_window\":100000}" "$(state \"context_tokens\":$u)"; done
    ids "{\"type\":\"config\",\"context_window\":3}" "$(state \"context_tokens\":2)"; ids "{\"type\":\"config\",\"context_window\":7}" "$(state \"context_tokens\":5)"' <<!

context-70 
context-70 
context-85 
context-85 
context-85 
context-95 

context-70 
!
check 'calls left: never more than fifty' \
    'left "{\"type\":\"config\",\"context_window\":200000}"' <<!
0 50
!
check 'calls left: an unknown window is no full one' 'left "$(state \"context_tokens\":9)"' <<!
0 50
!
check 'calls left: results of nothing' \
    'left "$w" "$(state "\"result_tokens\":0,\"result_calls\":3")"' <<!
0 50
!

# Required tools.
a='{"type":"tool","name":"a","required":true}'
b='{"type":"tool","name":"b","required":true}'
check 'required tools: not before the model thinks it is done' 'ids "$a" "$user"'  <<!

!
check 'required tools: said by name' 'one "$a" "$b" "$user" "$text"' <<!
You gave an answer, but the task is not done until these tools have been called: a, b. Call them now.
!
check 'required tools: called is enough, others do not count' \
    'one "$a" "$b" "{\"type\":\"tool\",\"name\":\"c\"}" "$user" "$(state "\"tools_called\":[\"a\",\"c\"]")" "$text"' <<!
You gave an answer, but the task is not done until these tools have been called: b. Call them now.
!
check 'required tools: one is named as several are, and again with the next message' \
    'one "$a" "$user" "$text"; ids "$a" "$user" "$text" "$user"; ids "$a" "$user" "$text" "$user" "$text"' <<!
You gave an answer, but the task is not done until these tools have been called: a. Call them now.

required-tools 
!
check 'required tools: all called' \
    'ids "$a" "$(state "\"tools_called\":[\"a\"]")" "$user" "$text"' <<!

!
check 'required tools: answers of the turn before do not count' \
    'ids "$a" "$user" "$text" "$text" "$text" "$user"' <<!

!
check 'required tools: nor half ones, nor such with calls' \
    'ids "$a" "$user" "$call" "$tool" "{\"role\":\"assistant\",\"content\":\"I\",\"tp\":{\"partial\":true}}"' <<!

!
check 'the required-tools warning came twice, the Ally document has three' \
    'ids "$a" "$user" "$text" "$text" "$text"' <<!
required-tools 
!
printf '%s\n' "$a" "$user" "$text" "$text" "$text" "$text" '{"type":"end"}' >in
fails 5 'required tools: the fourth answer without them ends the turn' \
    'reminders <in >out' <<!
reminders: required tools not called after 4 answers: a
!
check 'required tools: the error travels and no end does' 'tail -1 out' <<!
{"type":"error","from":"reminders","code":5,"message":"required tools not called after 4 answers: a"}
!
check 'required tools: another limit, or none' \
    'printf "%s\n" "$a" "$(state \"misses\":4)" | reminders --set reminders.misses=4 | jq -r .id | tail -1
    printf "%s\n" "$a" "$(state \"misses\":30)" | reminders --set reminders.misses=0 | jq -r .id | tail -1' <<!
required-tools
required-tools
!

# Going round in circles.  calls NAME...: the state after these calls; a name
# in capitals found nothing.
calls()
{
	list=
	for c do
		e=false
		case $c in *[A-Z]*) e=true ;; esac
		list="$list,{\"name\":\"${c%%:*}\",\"hash\":\"$c\",\"empty\":$e}"
	done
	state "\"calls\":[${list#,}]"
}
shell='{"type":"tool","name":"shell"}'
edit='{"type":"tool","name":"edit"}'
grep='{"type":"tool","name":"grep","readonly":true}'
check 'the same call three times' 'one "$(calls grep:x grep:x grep:x)"' <<!
You have made the same call of grep 3 times, and its result will not change. Try another way, or say what keeps you from going on.
!
batched='{"role":"tool","content":"x","tp":{"parts":[{"name":"grep"},{"name":"grep"},{"name":"ls","failed":true}]}}'
check 'those of a batch are as many calls' 'ids "$(calls grep:x grep:x grep:x ls:a)" "$user" "$call" "$tool" "$call" "$batched"; ids "$(calls grep:x grep:x grep:x ls:a)" "$user" "$call" "$batched"' <<!
repeated-call 

!
check 'twice is no circle, nor are other arguments' \
    'ids "$(calls grep:x grep:x)"; ids "$(calls grep:x grep:y grep:x)"' <<!


!
check 'with something between' 'ids "$(calls grep:x ls:a grep:x ls:a grep:x)"' <<!
repeated-call 
!
check 'an edit between makes a new call of it' \
    'ids "$edit" "$grep" "$(calls grep:x grep:x edit:f grep:x)"' <<!

!
check 'a todo between the same calls is no edit' \
    'ids "{\"type\":\"tool\",\"name\":\"todo_update\"}" "$grep" "$(calls grep:x grep:x todo_update:1 grep:x)"' <<!
repeated-call 
!
check 'three different ones end the circle' \
    'ids "$(calls a b c a)"; ids "$(calls a a b c d a)"; ids "$(calls a b a b a)"' <<!


repeated-call 
!
check 'tests run after each edit are no circle' \
    'ids "$shell" "$edit" "$(calls shell:t edit:1 shell:t edit:2 shell:t)"' <<!

!
check 'the same three times at once' \
    'ids "$(calls a:1 b:1 b:1 b:1)" "$user" "$call" "$tool" "$call" "$tool" "$tool" "$tool"' <<!
repeated-call 
!
check 'calls of the turn before do not count' \
    'ids "$(calls a:1 a:1 a:1)" "$user" "$call" "$tool"; ids "$(calls a:1 a:1 a:1)" "$user"' <<!


!
check 'searches that find nothing' \
    'ids "$(calls grep:A grep:B grep:C)"; ids "$(calls grep:A grep:b grep:C grep:D)"; ids "$edit" "$(calls grep:A grep:B edit:C)"' <<!
nothing-found 


!

# Todos.
tu='{"type":"tool","name":"todo_update"}'
t1='{"type":"todo","id":"1","text":"look","status":"completed"}'
t2='{"type":"todo","id":"2","text":"fix","status":"pending"}'
t3='{"type":"todo","id":"3","text":"test","status":"in_progress"}'
check 'todos: none, done, open, at one' \
    'ids "$user"; ids "$tu" "$t1"; ids "$tu" "$t1" "$t2"; ids "$tu" "$t1" "$t2" "$t3"; ids "$t1" "$t2" "$t3"' <<!


todo-open 
todo-current 

!
check 'todos: the one in progress' 'one "$tu" "$t2" "$t3"' <<!
The todo in progress is the one that you are working on. Set it to completed as soon as it is done and checked. Leave other findings aside unless they block it.
!
check 'todos: the subtask is what is done' \
    'TURNPIPE_PROFILE=ally one "$tu" "$t3" "{\"type\":\"todo\",\"id\":\"3.1\",\"parent\":\"3\",\"text\":\"unit tests\",\"status\":\"in_progress\"}" | sed -n "s/\. Stay.*//p"' <<!
You are working on: "unit tests"
!
check 'todos: proposed, for those who work on todos' \
    't="{\"type\":\"todo\",\"id\":\"1\",\"text\":\"x\",\"status\":\"proposed\"}"; ids "$tu" "$t"; ids "$t"' <<!
todo-proposed 

!
check 'ally-agent: no word about todos, which are the main agent'\''s' \
    'ta="{\"type\":\"tool\",\"name\":\"todo_add\"}"; for p in ally ally-agent; do TURNPIPE_PROFILE=$p ids "$ta" "$tu" "$user"; done' <<!
todo-none 

!
export TURNPIPE_PROFILE=ally
check 'ally: an empty list is reported with each message of the user' \
    'ids "{\"type\":\"tool\",\"name\":\"todo_add\"}"; ids "{\"type\":\"tool\",\"name\":\"todo_add\"}" "$(state \"step\":1)"; ids "$user"' <<!
todo-none 


!
check 'ally: the list with the current one' 'one "$t1" "$t2" "$t3" | head -6' <<!
Todos ([ ] pending, [>] in progress, [x] completed, [?] proposed and waiting for the user):
1. [x] look
2. [ ] fix
3. [>] test

You are working on: "test". Stay with it. What you find on the way matters only if it blocks this todo.
!
check 'ally: how full the context is, is a section' \
    'printf "%s\n" "$w" "$(state \"context_tokens\":8192)" | reminders | grep section' <<!
{"type":"section","id":"context-use","volatile":true,"content":"50% (~16 tool calls remaining)"}
!
unset TURNPIPE_PROFILE
check '-P goes over the environment' \
    'printf "{\"type\":\"tool\",\"name\":\"todo_add\"}\n" | TURNPIPE_PROFILE=x reminders --profile ally | grep -c todo-none' <<!
1
!

# Long turns.
long=$(printf '%0200d' 0)
n() {
	printf '{"role":"user","content":"%s"}\n' "$2"
	i=0
	while [ $i -lt "$1" ]; do
		printf '%s\n' "$call" "$tool"
		i=$((i + 1))
	done
}
for i in 0 7 8 9 15 16; do
	printf '%s: ' $i
	ids "$(n $i "$long")"
done >out
check 'a checkpoint at every eighth call' 'cat out' <<!
0: 
7: 
8: checkpoint 
9: 
15: 
16: checkpoint 
!
check 'a step of several calls does not jump over it' \
    'ids "$(n 7 "$long")" "$call" "$tool" "$tool" "$tool"' <<!
checkpoint 
!
check 'a failed call does not count' \
    'ids "$(n 7 "$long")" "$call" "{\"role\":\"tool\",\"content\":\"error: no\"}"' <<!

!
check 'a new message begins to count again' 'ids "$(n 6 "$long")" "$(n 2 "$long")"' <<!

!
check 'no checkpoint for a short message' 'ids "$(n 8 "$(printf %0190d 0)")"' <<!

!
quote() { one "$(n 8 "$1")" | sed -n 2p | wc -c; }
check 'the message is quoted to 600 bytes, or to a sentence that ends late' \
    'quote "$(printf %01200d 0)"; quote "$(printf %0420d 0).$(printf %0800d 0)"; quote "$(printf %0300d 0).$(printf %0800d 0)"' <<!
604
422
604
!
check 'near the last step' \
    'm="{\"type\":\"config\",\"max_steps\":10}"; for s in 6 7 8 9; do ids "$m" "$(state \"step\":$s)"; done; ids "{\"type\":\"config\",\"max_steps\":0}" "$(state \"step\":99)"' <<!

steps 
steps 
last-step 

!
check 'near the end of the time' \
    'export TURNPIPE_NOW=2026-11-21T10:00:00Z; for t in 09:46:00 09:45:00; do one "{\"type\":\"config\",\"max_seconds\":1200}" "{\"role\":\"user\",\"content\":\"x\",\"tp\":{\"time\":\"2026-11-21T${t}Z\"}}"; done' <<!
75 % of the time for this turn has passed. Bring the work to a state that the user can use.
!
check 'what the driver has measured of a turn goes before the clock' \
    'read -r up _ </proc/uptime; up=${up%.*}
    (unset TURNPIPE_NOW; for b in "1763719000 $((up - 400))" "1763718400 $((up - 300))" "1763719600 $((up - 700))"; do
	export TURNPIPE_BEGAN="$b"; one "{\"type\":\"config\",\"max_seconds\":1200}" "{\"role\":\"user\",\"content\":\"x\",\"tp\":{\"time\":\"2025-11-21T09:46:40Z\"}}" 2>&1 | cut -c 1-30
    done; unset TURNPIPE_BEGAN; one "{\"type\":\"config\",\"max_seconds\":1200}" "{\"role\":\"user\",\"content\":\"x\",\"tp\":{\"time\":\"2025-11-21T09:46:40Z\"}}" 2>&1)' <<!
83 % of the time for this turn
reminders: the turn's time is 
reminders: the turn's time is used up
!
check 'a skill just loaded, and one before a summary' \
    'one "$(state "\"skills_loaded\":[\"w\",\"x\"],\"skills_new\":[\"x\"]")"; ids "$(state "\"skills_loaded\":[\"x\"]")"; export TURNPIPE_PROFILE=opal; one "{\"type\":\"tool\",\"name\":\"use_skill\"}" "{\"type\":\"summary\",\"content\":\"s\"}" "$(state "\"skills_loaded\":[\"a\",\"b\"]")"' <<!
Follow the instructions of the skill that you just loaded (x) for the rest of this task.

These skills were loaded in the part of the conversation that was replaced by a summary: a, b. Load again with \`use_skill\` those that you still need.
!
check 'a use_skill that failed brought the reminder of a loaded skill' 'ids "$(calls use_skill:x)"' <<!

!
check 'what a tool says of itself' \
    'one "$user" "$call" "{\"role\":\"tool\",\"content\":\"x\",\"tp\":{\"context\":\"A plan waits for the user.\"}}"; ids "$user" "$call" "{\"role\":\"tool\",\"content\":\"x\",\"tp\":{\"context\":\"old\"}}" "$call" "$tool"' <<!
A plan waits for the user.

!
check 'nothing of a conversation is left to the next: window, summary, answers' \
    'end="{\"type\":\"end\"}"; full=$(state "\"context_tokens\":96,\"skills_loaded\":[\"x\"]")
    printf "%s\n" "$a" "$user" "$text" "$full" "{\"type\":\"config\",\"context_window\":100}" "{\"type\":\"summary\",\"content\":\"s\"}" "$end" "$a" "$full" "$end" |
	reminders -P opal | jq -r "select(.type==\"reminder\" or .type==\"end\")|.id // .type"' <<!
required-tools
context-95-required
end
end
!
check 'the last of several circles is the one that is named' \
    'one "$(calls a:1 a:1 a:1 b:1 b:1 b:1)" "$user" "$call" "$tool" "$tool" "$tool" "$tool" "$tool" "$tool" | cut -d" " -f6-8' <<!
call of b
!
check 'several at once, in the order of the files' \
    'ids "$tu" "$t3" "$(state "\"interrupted\":true,\"step\":48,\"context_tokens\":96")" "{\"type\":\"config\",\"context_window\":100,\"max_steps\":50}"' <<!
interrupted todo-interrupted context-95 steps 
!
check 'two conversations know nothing of each other' \
    'printf "%s\n" "$tu" "$t2" "$(state \"interrupted\":true)" "{\"type\":\"end\"}" "$tu" "$t2" "{\"type\":\"end\"}" | reminders | jq -r ".id // .type"' <<!
tool
2
state
interrupted
todo-interrupted
end
tool
2
todo-open
end
!

# What contradicts: whoever hears a word of one class must not hear one of
# the other.  All states that matter, each with all others, in one stream.
classes='
stop: context-95 last-step
calls: required-tools todo-open todo-current repeated-call nothing-found checkpoint skills-folded context-95-required last-step-required todo-none todo-list todo-list-current
start: todo-open todo-current todo-list-current
wait: todo-proposed
newest: todo-interrupted interrupted
'
pairs='stop calls|start wait|start newest'
states()
{
	for interrupted in true false; do
	for list in '' "$t2" "$t3" "$proposed" "$proposed
$t2" "$proposed
$t3"; do
	for full in 0 72 96; do
	for step in 0 8 48 49; do
	for need in '' "$a" "$a
$user
$text" "$user
$text"; do
	for round in '[]' "$circle" "$nothing"; do
		printf '%s\n' "$tu" '{"type":"tool","name":"todo_add"}' \
		    '{"type":"tool","name":"use_skill"}' $list "$long_user" $need \
		    '{"type":"config","context_window":100,"max_steps":50}' \
		    "{\"type\":\"state\",\"interrupted\":$interrupted,\"context_tokens\":$full,\"step\":$step,\"skills_loaded\":[\"s\"],\"calls\":$round}" \
		    '{"type":"summary","content":"s"}' '{"type":"end"}'
	done; done; done; done; done; done
}
proposed='{"type":"todo","id":"4","text":"later","status":"proposed"}'
circle='[{"name":"g","hash":"1","empty":true},{"name":"g","hash":"1","empty":true},{"name":"g","hash":"1","empty":true}]'
nothing='[{"name":"g","hash":"1","empty":true},{"name":"g","hash":"2","empty":true},{"name":"g","hash":"3","empty":true}]'
long_user=$user
(IFS='
'; set -f; states) >states
for profile in default opal ally; do
	reminders -P $profile <states | jq -r '
	    if .type == "reminder" then .id elif .type == "end" then "end" else empty end' |
	    awk '$0 == "end" { print line; line = ""; next } { line = line " " $0 }' |
	    sort -u >met.$profile
	check "$profile: no reminder contradicts another one that it can meet" \
	    'awk -v classes="$classes" -v pairs="$pairs" '\''
	    BEGIN {
		n = split(classes, c, "\n")
		for (i = 1; i <= n; i++) {
			m = split(c[i], w, "[: ]+")
			for (k = 2; k <= m; k++)
				is[w[1], w[k]] = 1
		}
		np = split(pairs, p, "|")
	    }
	    {
		for (i = 1; i <= np; i++) {
			split(p[i], side, " ")
			x = y = ""
			for (k = 1; k <= NF; k++) {
				if ((side[1], $k) in is) x = $k
				if ((side[2], $k) in is) y = $k
			}
			if (x != "" && y != "")
				print x " against " y ":" $0
		}
	    }'\'' met.$profile | sort -u | head -n 5' </dev/null
done
check 'and the states that they were tried in are many' \
    'grep -c "\"end\"" states; cat met.default | wc -l | awk "{ print (\$1 > 30) }"' <<!
1728
1
!

# The catalogue.
check 'every file is for somebody' \
    '{ reminders -l; reminders -l -P ally; reminders -l -P opal; } | cut -f2 | sort -u | wc -l' <<!
$(find "$TOP/share/reminders" -name '*.yaml' | wc -l)
!
mkdir -p own/reminders
own() { TURNPIPE_PATH=$PWD/own TURNPIPE_SHARE=$PWD/left reminders "$@"; }
printf 'when: [state.foo, config.bar > 2, {none: [called x*, tool y]}]\nsay: "{{state.foo}} {{config.bar}}"\n' >own/reminders/10-a.yaml
check 'one of the user'\''s own, over fields that only he knows' \
    'printf "%s\n" "$(state \"foo\":\"hm\")" "{\"type\":\"config\",\"bar\":3}" | own | jq -r "select(.id==\"a\").content"
    printf "%s\n" "$(state \"foo\":\"hm\",\"tools_called\":[\"xx\"])" "{\"type\":\"config\",\"bar\":3}" | own | grep -c "\"id\":\"a\"" || true' <<!
hm 3
0
!
: >own/reminders/99-left.yaml
check 'an empty file switches one off' 'own -l | cut -f1' <<!
a
!
check 'switched off' \
    'mkdir -p cfg/turnpipe; printf "reminders: {enabled: false}\n" >cfg/turnpipe/settings.yaml; XDG_CONFIG_HOME=$PWD/cfg ids "$(state \"interrupted\":true)"' <<!

!
bad() { printf '%s\n' "$1" >own/reminders/10-a.yaml; own </dev/null; }
for f in 'say: [x]' 'when: interrupted' 'when: nonsense
say: x' 'when: {any: [interrupted, step]}
say: "{{nonsense}}"' 'when: calls every 0
say: x' 'when: step => 3
say: x' 'when: step >= x
say: x' 'saying: x' '- x'; do
	bad "$f" 2>&1 >/dev/null | sed "s|$PWD/own/reminders/||"
done >out
check 'faults in a file are reported at their place' 'cat out' <<!
reminders: 10-a.yaml:1:6: expected a string, found array
reminders: 10-a.yaml:1:1: expected a member "say"
reminders: 10-a.yaml:1:7: expected a condition over the values of turnpipe-reminders(5)
reminders: 10-a.yaml:2:6: expected only holes of turnpipe-reminders(5)
reminders: 10-a.yaml:1:7: expected a condition over the values of turnpipe-reminders(5)
reminders: 10-a.yaml:1:7: expected a condition over the values of turnpipe-reminders(5)
reminders: 10-a.yaml:1:7: expected a condition over the values of turnpipe-reminders(5)
reminders: 10-a.yaml:1:1: expected when, say, group, profiles or section, found "saying"
reminders: 10-a.yaml:1:1: expected an object, found array
!
fails 78 'and the command fails' 'TURNPIPE_SHARE=own reminders </dev/null' <<!
reminders: own/reminders/10-a.yaml:1:1: expected an object, found array
!
fails 65 'a broken line' 'printf "{}\n" | reminders' <<!
reminders: <stdin>:1:1: expected a type or a role
!
fails 65 'a todo without an id' 'echo "{\"type\":\"todo\"}" | reminders' <<!
reminders: <stdin>:1:1: expected a todo's id
!
fails 74 'a full disk' 'printf "%s\n" "$user" | reminders >/dev/full' <<!
reminders: write <stdout>: No space left on device
!
check 'empty input' 'reminders </dev/null'
check 'wrong usage' 'reminders x 2>/dev/null; echo $?; reminders -n 1 2>/dev/null >&2; echo $?' <<!
{"type":"error","from":"reminders","code":64,"message":"expected no operand"}
64
64
!
