#!/bin/sh
# Each key and command of a conversation on a terminal, by what the screen
# shows and what the model gets.
. "${0%/*}/../lib.sh"

tap_has pty && tap_has python3 || skip 'no terminal to be had'
"$BIN/ttyread" --version | grep -q '^readline' || skip 'built without readline'
export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test TZ=UTC
export OPENAI_API_KEY=sk-test SHELL=/bin/sh
mkdir .git docs own
printf 'one\n' >docs/first.txt
printf 'two\n' >"docs/second file.txt"
printf '#!/bin/sh\nprintf "from the editor\\n\\nof %%s\\n" "$(cat "$1")" >"$1.new" && mv "$1.new" "$1"\n' >own/my-editor
printf '#!/bin/sh\necho "<$#: $*>"\n' >own/turnpipe-words
chmod +x own/*
export EDITOR=my-editor
PATH=$PATH:$PWD/own
at() { python3 "$TOP/t/attty.py" "$@"; }
# asked: the user's texts, a JSON string each.
asked() { tail -n 1 "$REQUESTS" | jq -c '.body.messages[]|select(.role=="user").content|if type=="array" then .[0].text else . end|split("\n\n<turn-context>")[0]'; }

serve -r '{"text":"Seen."}'
check 'keys that edit a line, in UTF-8, as the cursor goes' \
    'at turnpipe -Fis k1.jsonl <<E >seen
shows ^>
send 中文é wörld x\e[D\e[D\x7f
shows ^> 中文é wörl x$
send \x01
send \e[C\x04
shows ^> 中é wörl x$
send \x05\x7f\x7fd!
shows ^> 中é wörld!$
send \e[H>\e[F<
shows ^> >中é wörld!<$
send \x17
shows ^> >中é$
send \x19
shows ^> >中é wörld!<$
send \ebA\efB
shows ^> >中é AwörldB!<$
send \x02\x0b
shows ^> >中é Awörld$
send \x15
shows ^>$
send e\u0301t\u0301 \U0001f600\x7f\x7f|
shows |$
send \r
shows Seen.
shows ^>$
say exit
sane
text
strange
E
    cat seen; asked' <<'!'
sane
turnpipe: session k1.jsonl; /help says what can be typed
> ét́|
Seen.
1 step, 10 in (0% cached), 5 out, 0.0 s
> exit
[] [] 0
= 0
"ét́|"
!
check 'new lines: Alt-Enter and a backslash; a paste; the editor; Ctrl-C; the size' \
    'at -s 12x50 turnpipe -Fis k2.jsonl <<E
shows ^>
send one\e\rtwo\x5c
shows ^two\x5c$
send \r
shows ^two$
paste /three @docs/first.txt\r!four\r\rfive
shows ^five$
screen
send \r
shows Seen.
shows ^>$
send \e[A
shows ^five$
send \e[A\e[Ax\x01UP\x05END\e[H<\e[F>
shows ^<UPx !fourEND>$
send \x03
gone UP
paste at a prompt of the shell:\r$ ls
shows ^$ ls$
send \x18\x05
shows from the editor
shows ^$ ls$
screen
send .\r
shows Seen.
shows ^>$
paste kept\rhere
shows ^here$
until mv own/my-editor own/other
send \x18\x05
shows the editor failed
shows ^here$
screen
send \x03
gone here
send 12345678901234567890123456789012345678901234567890
shows 7890$
size 12 30
send END
shows END
screen
send \x03
gone END
shows ^>$
size 12 50
shows ^>$
say exit
sane
text
E
    asked' <<'!'
|turnpipe: session k2.jsonl; /help says what can be
|typed
|> one
|two
| /three  @docs/first.txt
| !four
|
|five
| /three  @docs/first.txt
| !four
|
|five
|Seen.
|1 step, 10 in (0% cached), 5 out, 0.0 s
|> from the editor
|
|of at a prompt of the shell:
|$ ls
|1 step, 10 in (0% cached), 5 out, 0.0 s
|> from the editor
|
|of at a prompt of the shell:
|$ ls.
|Seen.
|1 step, 10 in (0% cached), 5 out, 0.0 s
|sh: 1: eval: my-editor: not found
|ttyread: the editor failed: the message is as it
|was
|> kept
|here
|of at a prompt of the shell:
|$ ls.
|Seen.
|1 step, 10 in (0% cached), 5 o
|ut, 0.0 s
|sh: 1: eval: my-editor: not fo
|und
|ttyread: the editor failed: th
|e message is as it
|was
|> 1234567890123456789012345678
|9012345678901234567890END
sane
turnpipe: session k2.jsonl; /help says what can be
typed
> one
two
 /three  @docs/first.txt
 !four

five
Seen.
1 step, 10 in (0% cached), 5 out, 0.0 s
> from the editor

of at a prompt of the shell:
$ ls.
Seen.
1 step, 10 in (0% cached), 5 out, 0.0 s
sh: 1: eval: my-editor: not found
ttyread: the editor failed: the message is as it
was
> exit
= 0
"one\ntwo\n/three @docs/first.txt\n!four\n\nfive"
"from the editor\n\nof at a prompt of the shell:\n$ ls."
!
serve -r '{"text":"Seen."}'
check 'the history, also of the conversation before; what begins with a blank is not in it' \
    'at turnpipe -Fis k3.jsonl <<E
shows ^>
say alpha one
shows ^>$
say beta two
shows ^>$
say  secret
shows Seen.
shows ^>$
send exit\r
E
    at turnpipe -Fcs k3.jsonl -i <<E
shows ^>$
send \e[A\e[A\e[A
shows ^> alpha one$
send \e[B
shows ^> beta two$
send \x03
shows ^>$
send \x12pha
shows alpha
send \r
shows Seen.
shows ^>$
send \x12two\x12\x07
shows ^>$
say exit
sane
text
E
    asked' <<'!'
= 0
sane
turnpipe: session k3.jsonl; /help says what can be typed
>  secret
Seen.
> alpha one
Seen.
1 step, 10 in (0% cached), 5 out, 0.0 s
> exit
= 0
"alpha one"
"beta two"
" secret"
"alpha one"
!
serve -r '{"text":"Seen."}'
check 'Tab: commands, ours and own ones; paths, with blanks, in directories' \
    'at turnpipe -Fis k4.jsonl <<E
shows ^>
send /mod\t
shows ^> /model
send s\x03
shows ^>$
send /comp\t
shows ^> /compact$
send \x03
send /wo\t a b\r
shows <2: a b>
shows ^>$
send /co\t
shows /context  /cost
shows ^> /co$
screen
send \x03
shows ^>$
send see @do\t
shows ^> see @docs/$
send \t
shows second file
send f\t
shows @docs/first.txt$
send and @docs/s\t
shows @"docs/second file.txt"$
send \r
shows Seen.
shows ^>$
say exit
sane
text
E
    asked' <<'!'
|turnpipe: session k4.jsonl; /help says what can be typed
|> /words  a b
|<2: a b>
|> /co
|/compact  /context  /cost
|> /co
sane
turnpipe: session k4.jsonl; /help says what can be typed
> /words  a b
<2: a b>
> /co
/compact  /context  /cost
> see @docs/
first.txt        second file.txt
> see @docs/first.txt and @"docs/second file.txt"
Seen.
1 step, 10 in (0% cached), 5 out, 0.0 s
> exit
= 0
"see @docs/first.txt and @\"docs/second file.txt\" \n\n<file path=\"docs/first.txt\">\none\n</file>\n\n<file path=\"docs/second file.txt\">\ntwo\n</file>"
!

todo='{"id":"c1","name":"todo_add","arguments":{"text":"buy bread","status":"proposed"}}'
write='{"id":"c2","name":"write_file","arguments":{"path":"made","content":"new\n"}}'
serve "{\"text\":\"I note it.\",\"calls\":[$todo,$write]}" '{"text":"Noted."}' \
    '{"text":"Noted again."}' '{"text":"They talked of bread."}' '{"text":"A plan."}' '{"text":"All new."}' '{"text":"A file."}'
# Without what is of this run, and of tables that are of the prompt the first row.
plainly() {
	sed "s|$PWD|.|g; s/2026[0-9]*T[0-9]*Z-[0-9a-f]*/ID/g" | awk '
	/^tokens share/ { print "tokens share"; table = 1; next }
	/^(agent|briefing)  / { print; table = 1; next }
	/^>/ { table = diff = 0 }
	/^> .diff/ { diff = 1 }
	diff && !/^>|^~.* model:/ { next }
	!table'
}
check 'each command' \
    'at -s 50x100 turnpipe -Fyi <<E | plainly
shows ^>
say note bread
shows ^Noted.$
shows ^>$
say /todos
shows bread
shows ^>$
say /accept
shows ^>$
say /todos
shows ^>$
say /deny
shows ^>$
say /undo
shows cannot be undone
shows ^>$
say /undo
shows no file
shows ^>$
say /model
shows ^openai/test$
shows ^>$
say /model openai/other
shows ^>$
say /model
shows ^openai/other$
shows ^>$
say /model other
shows expected PROVIDER
shows ^>$
say /tools
shows write_file
shows ^>$
say /skills
shows ^>$
say and now?
shows ^Noted again.$
shows ^>$
say /context
shows ^in all:
shows ^>$
say /cost
shows ^total
shows ^>$
say /diff
shows ^>$
say /compact
shows ^>$
say /plan
shows plan mode: on
shows ^>$
say what is to be done?
shows ^>$
say /plan off
shows plan mode: off
shows ^>$
say /project
shows ^>$
say /log
shows ^>$
say /clear
shows ^>$
say hello
shows ^>$
say /words one  two
shows ^<2: one two>$
shows ^>$
say /etc/hosts
shows ^>$
say /nothing at all
shows no command
shows ^>$
say !echo hi; exit 3
shows ^hi$
shows ^>$
say /quit
sane
text
E' <<'!'
sane
turnpipe: session ID.jsonl; /help says what can be typed
> note bread
I note it.
· todo_add buy bread status=proposed: ok, 0.0 s, 1 line
· write_file made: ok, 0.0 s, 1 line
      content: (no such text file yet)
      + new
Noted.
2 steps, 20 in (0% cached), 10 out, 0.0 s
> /todos
1. [?] buy bread
> /accept
1. [ ] buy bread
> /todos
1. [ ] buy bread
> /deny
todolist: no todo is proposed
> /undo
removed made
turnpipe: what shell commands changed cannot be undone
> /undo
turnpipe: no file tool changed a file in the last turn; what shell commands changed cannot be undone
> /model
openai/test
> /model openai/other
turnpipe: model: openai/other
> /model
openai/other
> /model other
turnpipe: expected PROVIDER/NAME, not 'other'
> /tools
agent        Give a task to another agent and get its final report.
> /skills
briefing     For what matters now: appointments, mail, open work, news since the last look.
> and now?
Noted again.
1 step, 10 in (0% cached), 5 out, 0.0 s
> /context
tokens share
> /cost
model           calls      tokens in  cached   tokens out     dollars
openai/other        1             10     0 %            5           -
openai/test         2             20     0 %           10           -
total               3             30     0 %           15           -
calls of models without a known price, counted as nothing: 3; turnpipe-prices(5)
> /diff
~      0      0       0  model: openai/test -> openai/other
> /compact
turnpipe: folding the beginning of the session into a summary
> /plan
turnpipe: plan mode: on
> what is to be done?
A plan.
1 step, 10 in (0% cached), 5 out, 0.0 s
> /plan off
turnpipe: plan mode: off
> /project
turnpipe: ./AGENTS.md: not there
> /log
  1  2026-11-21 12:00        75         -  note bread
> /clear
turnpipe: session ID.jsonl; /help says what can be typed
> hello
All new.
1 step, 10 in (0% cached), 5 out, 0.0 s
> /words one  two
<2: one two>
> /etc/hosts
A file.
1 step, 10 in (0% cached), 5 out, 0.0 s
> /nothing at all
turnpipe: no command '/nothing'; /help lists them
> !echo hi; exit 3
hi
turnpipe: status 3
> /quit
= 0
!

hold='{"id":"c1","name":"shell","arguments":{"command":"echo >begun; until [ -e go ]; do sleep 0.02; done"}}'
stay='{"id":"c2","name":"shell","arguments":{"command":"trap \"echo >told\" INT TERM; echo >twice; while :; do sleep 600 & wait; done"}}'
serve "{\"calls\":[$hold]}" '{"text":"First."}' '{"text":"Second."}' "{\"calls\":[$stay]}"
check 'what is typed while a turn runs is the next message; Ctrl-C twice in a turn leaves' \
    'at turnpipe -Fyis k6.jsonl <<E
shows ^>
say begin
until [ -e begun ]
send and then\r
sent
until >go
shows ^Second.$
shows ^>$
say stay
until [ -e twice ]
send \x03
until [ -e told ]
taken
send \x03
sane
text
E
    asked' <<'!'
sane
turnpipe: session k6.jsonl; /help says what can be typed
> begin
· shell echo >begun; until [ -e go ]; do sleep 0.02; done: ok, 0.0 s, 1 line
First.
2 steps, 20 in (0% cached), 10 out, 0.0 s
> and then
Second.
1 step, 10 in (0% cached), 5 out, 0.0 s
> stay
· shell trap "echo >told" INT TERM; echo >twice; while :; do sleep 600 & wait;…
· shell trap "echo >told" INT TERM; echo >twice; w…: interrupted, 0.0 s, 1 line
1 step, 10 in (0% cached), 5 out, 0.0 s
turnpipe: interrupted
= 0
"begin"
"and then"
"stay"
!
finish
