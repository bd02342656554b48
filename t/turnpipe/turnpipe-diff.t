#!/bin/sh
. "${0%/*}/../lib.sh"

# request FILE MODEL SYSTEM TOOL-DESCRIPTION
request() {
	jq -cn --arg m "$2" --arg s "$3" --arg d "$4" '{type: "request", model: $m,
	    messages: [{role: "system", content: $s}, {role: "user", content: "Hi\u001b[2J"}],
	    tools: [{type: "function", function: {name: "ls", description: $d,
		parameters: {type: "object", properties: {}}}}], temperature: 0.5}' >"$1"
}
request a openai/x 'Be brief.

<env>
Linux
</env>' 'List files.'
request b openai/x 'Be brief.

<env>
Linux 6
</env>
<todos>
[ ] 1
</todos>' 'List all files.'
check 'a request is the same as itself' 'turnpipe diff a a' </dev/null
check 'sections by their tags, tools, and a diff' \
    'turnpipe diff a b; test $? -eq 1' <<!
~ section env
~ tool ls
+ section todos

--- a
+++ b
@@ -7,10 +7,14 @@ == system
 
 == section env
 <env>
-Linux
+Linux 6
 </env>
+== section todos
+<todos>
+[ ] 1
+</todos>
 == tool ls
-description: "List files."
+description: "List all files."
 parameters.type: "object"
 parameters.properties: {}
 == message user
!
check '-s: the names alone; - is standard input' \
    'turnpipe diff -s - b <a; test $? -eq 1' <<!
~ section env
~ tool ls
+ section todos
!
check '-p: the text of one, control characters as ?' 'turnpipe diff -p a' <<!
== model
openai/x
== setting temperature
0.5
== system
Be brief.

== section env
<env>
Linux
</env>
== tool ls
description: "List files."
parameters.type: "object"
parameters.properties: {}
== message user
Hi?[2J
!

# A session whose requests promptcompose keeps, as the profiles have it.
# compose LAST RECORD...: one request more, after message LAST of the log.
mkdir .git s.d
cat >s.jsonl <<!
{"type":"session","version":1,"id":"s","cwd":"/","time":"2026-11-22T08:00:00Z"}
{"role":"user","content":"First.","tp":{"n":1}}
{"role":"assistant","content":"One.","tp":{"n":2}}
{"role":"user","content":"== message \u0001forged\nSecond.","tp":{"n":3}}
!
compose() {
	last=$1
	shift
	{ sed -n "2,$((last + 1))p" s.jsonl; printf '%s\n' "$@" '{"type":"end"}'; } |
	    promptcompose -w -c model=openai/x -k s.d/prompts >out
}
compose 1 '{"type":"section","id":"cwd","content":"/tmp"}' \
    '{"type":"tool","name":"ls","description":"List."}'
compose 3 '{"type":"section","id":"cwd","content":"/home"}' \
    '{"type":"section","id":"clock","content":"noon","volatile":true}' \
    '{"type":"tool","name":"ls","description":"List."}'
check 'each text is kept once' \
    'ls s.d/prompts; grep -cE "^.\"hash\":\"[0-9a-f]{32}\",\"text\":" s.d/prompts/texts; wc -l <s.d/prompts/requests
    stat -c %a s.d/prompts s.d/prompts/requests' <<!
requests
texts
6
2
700
600
!
check 'the last two requests of a session; no text is a heading' \
    'turnpipe diff -s ./s.jsonl; test $? -eq 1' <<!
~ section cwd (system, sticky, 7 tokens)
+ section clock (trailing, kept, 4 tokens)
+ message assistant
+ message user
!
check 'its requests by number, from both ends' \
    'turnpipe diff s.jsonl:1 s.jsonl:-2 && turnpipe diff -p s.jsonl:2 | tail -n 7' <<!
== message user
First.
== message assistant
One.
== message user
 == message ?forged
Second.
!
fails 66 'a request that was not kept' 'turnpipe diff s.jsonl:3' <<!
turnpipe: s.jsonl:3: this session kept 2 requests
!
fails 66 'a session that kept none' 'cp s.jsonl t.jsonl; turnpipe diff t.jsonl' <<!
turnpipe: t.jsonl: no request record, and no session that kept its requests
!
fails 66 'no such file' 'turnpipe diff none a' <<!
turnpipe: none: no such session; 'turnpipe log' lists them
!
printf '%s\n' '{"type":"request","messages":[]}' '{broken' >bad
for two in 'bad a' 'a bad'; do
	fails 65 "which of two is no request: $two" 'turnpipe diff '"$two"' 2>err || { s=$?; tail -n 1 err >&2; exit $s; }' <<!
turnpipe: bad: expected a request record
!
done
cp s.jsonl torn.jsonl
cp -R s.d torn.d
echo '{"model":' >>torn.d/prompts/requests
fails 65 'the last request that a session kept is torn' \
    'turnpipe diff torn.jsonl 2>err || { s=$?; tail -n 1 err >&2; exit $s; }' <<!
turnpipe: torn.jsonl: request 3 cannot be made from what was kept
!
check 'a request of a session and one of a file' \
    'turnpipe diff -s s.jsonl:1 a | grep -oE ". section (cwd|env)"; turnpipe diff -s a s.jsonl:1 | grep -oE ". section (cwd|env)"' <<!
- section cwd
+ section env
- section env
+ section cwd
!
h=$(jq -r '.sections[] | select(.id == "clock").hash' s.d/prompts/requests)
grep -v "$h" s.d/prompts/texts >kept
mv kept s.d/prompts/texts
check 'a text that is lost is named, and hides no other' \
    'turnpipe diff -p s.jsonl | sed -n "/section clock/,/^== tool/p"' <<!
== section clock (trailing, kept, 4 tokens)
(this text is lost)
== tool ls
!
fails 64 'three requests' 'turnpipe diff a b a' <<!
turnpipe: expected one or two requests
usage: turnpipe-diff [-ps] [REQUEST [REQUEST]]
!
fails 74 'standard output that is full' 'turnpipe diff -p a >/dev/full' <<!
turnpipe: standard output cannot be written
!
finish
