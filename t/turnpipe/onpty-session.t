#!/bin/sh
# What stands on the screen after a conversation of ten minutes with a model
# that t/llmserver plays: a file to read, a question, a tool call, an
# interruption, a diff with consent, /context, /undo.
. "${0%/*}/../lib.sh"

tap_has pty && tap_has python3 || skip 'no terminal to be had'
"$BIN/ttyread" --version | grep -q '^readline' || skip 'built without readline'
export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test SHELL=/bin/sh
mkdir .git
at() { python3 "$TOP/t/attty.py" "$@"; }
call() { printf '"calls":[{"id":"%s","name":"%s","arguments":%s}]' "$1" "$2" "$3"; }
cat >sum.sh <<'!'
#!/bin/sh
# Prints the sum of its arguments.
sum=0
for n do
	sum=$((sum + n - 1))
done
echo $sum
!
cp sum.sh was
half='{"delay_ms":3600000,"chunks":[{"delay_ms":0,"data":"data: {\"choices\":[{\"delta\":{\"content\":\"People have added numbers since\"}}]}\n\n"},{"data":"x"}]}'
model() {
	serve '{"text":"It prints the sum of its arguments. Each of them\nshould count in full, but one is taken off each time."}' \
	    "{\"text\":\"I try it.\",$(call c1 shell '{"command":"sh sum.sh 1 2 4"}')}" \
	    '{"text":"It says 4 and should say 7."}' \
	    "$half" \
	    "{\"text\":\"The \`- 1\` has to go.\",$(call c2 edit_file '{"path":"sum.sh","old":"\tsum=$((sum + n - 1))\n","new":"\tsum=$((sum + n))\n"}')}" \
	    "{$(call c3 read_file '{"path":"sum.sh"}')}" \
	    '{"text":"Done: the loop adds each argument as it is."}'
}
# Of the table of the prompt only what is the same for each prompt.
masked() {
	awk '/^tokens share/ { print "tokens share"; table = 1 }
	/^>/ { table = 0 }
	!table'
}
# The tokens of a call that was interrupted are a guess.
talk() { talk_raw "$@" | sed 's/[0-9]\{4\} in (0% cached)/N in (0% cached)/'; }
talk_raw() {
	rm -rf talk.jsonl talk.d
	cp was sum.sh
	model
	at -s 24x$1 -t $2 turnpipe -Fis talk.jsonl <<E
shows ^>
say What does @sum.sh do?
shows 1 step
shows ^>$
say Is that so for 1 2 4?
see [a]lways: 
send y\r
shows 4 and should say 7.
shows ^>$
say What is the history of addition?
shows People have added
send and half
sent
send \x03
shows interrupted
shows ^> and half$
send \x15
shows ^>$
say Please fix it.
see [a]lways: 
screen
send y\r
shows is.$
shows ^>$
say !sh sum.sh 1 2 4
shows ^7$
shows ^>$
say /context
shows ^in all:
shows ^>$
say /undo
shows cannot be undone
shows ^>$
say exit
sane
text
strange
E
}
talk 80 xterm >out || :
check 'the screen as it is when consent to an edit is asked for' "sed -n '/^|/p' out" <<'!'
|1 step, 10 in (0% cached), 5 out, 0.0 s
|> Is that so for 1 2 4?
|I try it.
|
|shell
|  command: sh sum.sh 1 2 4
|  always: shell(sh sum.sh 1 2 4)
|run it? [y]es, [n]o REASON, [a]lways: y
|· shell sh sum.sh 1 2 4: ok, 0.0 s, 1 line
|It says 4 and should say 7.
|2 steps, 20 in (0% cached), 10 out, 0.0 s
|> What is the history of addition?
|People have added numbers since
|1 step, ~N in (0% cached), ~6 out, 0.0 s
|turnpipe: interrupted
|> Please fix it.
|The - 1 has to go.
|
|edit_file
|  path: sum.sh
|  -     sum=$((sum + n - 1))
|  +     sum=$((sum + n))
|  always: edit_file(sum.sh)
|run it? [y]es, [n]o REASON, [a]lways:
!
check 'the whole conversation' "sed '/^|/d' out | masked; cmp sum.sh was" <<'!'
sane
turnpipe: session talk.jsonl; /help says what can be typed
> What does @sum.sh do?
It prints the sum of its arguments. Each of them
should count in full, but one is taken off each time.
1 step, 10 in (0% cached), 5 out, 0.0 s
> Is that so for 1 2 4?
I try it.

shell
  command: sh sum.sh 1 2 4
  always: shell(sh sum.sh 1 2 4)
run it? [y]es, [n]o REASON, [a]lways: y
· shell sh sum.sh 1 2 4: ok, 0.0 s, 1 line
It says 4 and should say 7.
2 steps, 20 in (0% cached), 10 out, 0.0 s
> What is the history of addition?
People have added numbers since
1 step, ~N in (0% cached), ~6 out, 0.0 s
turnpipe: interrupted
> Please fix it.
The - 1 has to go.

edit_file
  path: sum.sh
  -     sum=$((sum + n - 1))
  +     sum=$((sum + n))
  always: edit_file(sum.sh)
run it? [y]es, [n]o REASON, [a]lways: y
· edit_file sum.sh: ok, 0.0 s, 1 line
· read_file sum.sh: ok, 0.0 s, 7 lines
Done: the loop adds each argument as it is.
3 steps, 30 in (0% cached), 15 out, 0.0 s
> !sh sum.sh 1 2 4
7
> /context
tokens share
> /undo
restored sum.sh
turnpipe: what shell commands changed cannot be undone
> exit
[] ['?7'] 0
= 0
!
# other COLUMNS TERM: what is different then.
other() {
	talk "$1" "$2" | sed '/^|/d' | masked >now
	sed '/^|/d' out | masked | diff - now || [ $? -eq 1 ]
}
check '40 columns' 'other 40 xterm' <<'!'
2c2,3
< turnpipe: session talk.jsonl; /help says what can be typed
---
> turnpipe: session talk.jsonl; /help says
> what can be typed
4,5c5,8
< It prints the sum of its arguments. Each of them
< should count in full, but one is taken off each time.
---
> It prints the sum of its arguments. Each
> of them
> should count in full, but one is taken
> off each time.
14c17
< · shell sh sum.sh 1 2 4: ok, 0.0 s, 1 line
---
> · shell sh sum.sh 1…: ok, 0.0 s, 1 line
16c19,20
< 2 steps, 20 in (0% cached), 10 out, 0.0 s
---
> 2 steps, 20 in (0% cached), 10 out,
> 0.0 s
19c23,24
< 1 step, ~N in (0% cached), ~6 out, 0.0 s
---
> 1 step, ~N in (0% cached), ~6 out,
> 0.0 s
32,33c37,40
< Done: the loop adds each argument as it is.
< 3 steps, 30 in (0% cached), 15 out, 0.0 s
---
> Done: the loop adds each argument as it
> is.
> 3 steps, 30 in (0% cached), 15 out,
> 0.0 s
40c47,48
< turnpipe: what shell commands changed cannot be undone
---
> turnpipe: what shell commands changed
> cannot be undone
!
check 'TERM=dumb' 'other 80 dumb' <<'!'
19a20
> 
22c23
< The - 1 has to go.
---
> The `- 1` has to go.
42c43
< [] ['?7'] 0
---
> [] [] 0
!
check 'NO_COLOR' 'NO_COLOR=1 other 80 xterm' <<'!'
22c22
< The - 1 has to go.
---
> The `- 1` has to go.
!
model
check '-q: the answers, when they are whole, and questions' \
    'rm -rf talk.*; at turnpipe -Fqis talk.jsonl <<E
shows ^>
say What does @sum.sh do?
shows each time.
shows ^>$
say Is that so for 1 2 4?
see [a]lways: 
send y\r
shows 4 and should say 7.
shows ^>$
say exit
sane
text
E' <<'!'
sane
turnpipe: session talk.jsonl; /help says what can be typed
> What does @sum.sh do?
It prints the sum of its arguments. Each of them
should count in full, but one is taken off each time.
> Is that so for 1 2 4?

shell
  command: sh sum.sh 1 2 4
  always: shell(sh sum.sh 1 2 4)
run it? [y]es, [n]o REASON, [a]lways: y
It says 4 and should say 7.
> exit
= 0
!
