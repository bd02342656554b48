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
check 'what grew, the most first, with a sum; then the texts' \
    'turnpipe diff a b; test $? -eq 1' <<!
before: a
after:  b
  before  after    diff  tokens, estimated
+      -      6      +6  section todos
~     22     23      +1  tool ls
~      5      5       0  section env
=     13     13       0  4 others are the same
      40     47      +7  in all

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
 == message 1 user
!
check '-s: the table alone; - is standard input; a setting says what it was' \
    'jq -c ".temperature = 1 | .model = \"openai/y\"" a | turnpipe diff -s - a; test $? -eq 1' <<!
before: -
after:  a
  before  after    diff  tokens, estimated
~      0      0       0  model: openai/y -> openai/x
~      0      0       0  setting temperature: 1 -> 0.5
=     40     40       0  4 others are the same
      40     40       0  in all
!
check '-p: the text of one, control characters made visible' 'turnpipe diff -p a' <<!
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
== message 1 user
Hi\u{1b}[2J
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
    '{"type":"tool","name":"ls","description":"List."}' '{"type":"config","context_window":1000}'
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
check 'the last two requests of a session, messages by number and first words' \
    'turnpipe diff -s ./s.jsonl; test $? -eq 1' <<!
before: ./s.jsonl:-2
after:  ./s.jsonl:-1
  before  after    diff  tokens, estimated
+      -     15     +15  message 3 user: == message \u{1}forged Second.
+      -     10     +10  message 2 assistant: One.
+      -      4      +4  section clock
~      7      7       0  section cwd
=    641    641       0  5 others are the same
     648    677     +29  in all
!
check 'its requests by number, from both ends; no text is a heading' \
    'turnpipe diff s.jsonl:1 s.jsonl:-2 && turnpipe diff -p s.jsonl:2 | tail -n 7' <<!
== message 1 user
First.
== message 2 assistant
One.
== message 3 user
 == message \u{1}forged
Second.
!
check '-x: what each part takes, the window as a bar' 'turnpipe diff -x s.jsonl' <<!
tokens share             priority
in the system message:
   388   55%  ######....        *  identity
   216   31%  ####......        *  turn-context
     7    1%  #.........        *  cwd
after the messages:
     4    1%  #.........       95  clock
in all:
   639   91%  ##########           4 sections
    28    4%  #.........           1 tool
    35    5%  #.........           3 messages
   702

* stays whatever it takes; of the others, the lower its priority the
sooner a section is left out of a budget of 16384 tokens.

context window of 1000 tokens:
[##################################################......|.............]
702 used (70%), 298 left
| 80%: what is oldest is folded
!
check '-x: on 40 columns, and none with a control character' \
    'cat >narrow.py <<-X
	import fcntl, os, pty, struct, sys, termios
	pid, fd = pty.fork()
	if pid == 0:
	    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
	    os.execvp(sys.argv[1], sys.argv[1:])
	out = b""
	try:
	    while d := os.read(fd, 4096): out += d
	except OSError: pass
	lines = out.decode().split("\r\n")
	print(max(map(len, lines)), sum(not c.isprintable() for l in lines for c in l))
	X
    sed "s/\"id\":\"cwd\"/\"id\":\"cwd:\\\\u001b\\\\u009b$(printf %060d 1)\"/g" s.d/prompts/requests >new; mkdir -p u.d/prompts; mv new u.d/prompts/requests; cp s.jsonl u.jsonl; cp s.d/prompts/texts u.d/prompts
    python3 narrow.py turnpipe diff -x u.jsonl; python3 narrow.py turnpipe diff -s u.jsonl' <<!
40 0
40 0
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
    'turnpipe diff -s s.jsonl:1 a | sed -n "s/ .* section \\([ce][nw][dv]\\)$/ \\1/p" | sort; turnpipe diff -s a s.jsonl:1 | sed -n "s/ .* section \\([ce][nw][dv]\\)$/ \\1/p" | sort' <<!
+ env
- cwd
+ cwd
- env
!
check 'after a one-shot: what it has other than the session before' \
    'for k in 1 2; do
	one=$(histadd --new); mkdir -p "${one%.jsonl}.d/prompts"
	cp s.jsonl "$one"; cp s.d/prompts/texts "${one%.jsonl}.d/prompts"
	sed -n ${k}p s.d/prompts/requests >"${one%.jsonl}.d/prompts/requests"
	touch -d "2026-11-22 08:00:0$k" "$one"
    done; turnpipe diff -s >now; echo $?; head -n 2 now; tail -n 1 now' <<!
1
before: 2:-1
after:  1:-1
     648    677     +29  in all
!
h=$(jq -r '.sections[] | select(.id == "clock").hash' s.d/prompts/requests)
grep -v "$h" s.d/prompts/texts >kept
mv kept s.d/prompts/texts
check 'a text that is lost is named, and hides no other' \
    'turnpipe diff -p s.jsonl | sed -n "/section clock/,/^== tool/p"' <<!
== section clock (trailing, kept)
(this text is lost)
== tool ls
!
fails 64 'three requests' 'turnpipe diff a b a' <<!
turnpipe: expected one or two requests
usage: turnpipe-diff [-s] [REQUEST [REQUEST]]
       turnpipe-diff -m | -p | -x [REQUEST]
!
fails 74 'standard output that is full' 'turnpipe diff -p a >/dev/full' <<!
turnpipe: standard output cannot be written
!
finish
