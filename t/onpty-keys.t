#!/bin/sh
# Each key and command of a conversation on a terminal, by what the screen
# shows and what the model gets.
. "${0%/*}/lib.sh"

tap_has pty && tap_has python3 || skip 'no terminal to be had'
grep -aq libedit "$BIN/ttyread" || skip 'built without libedit'
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
    'at turnpipe -Fis k1.jsonl <<E
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
    asked' <<'!'
sane
turnpipe: session k1.jsonl; /help says what can be typed
> et|
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
shows ^<UPx!fourEND>$
send \x03
gone UP
paste at a prompt of the shell:\r$ ls
shows ^$ ls$
send \x18\x05
shows from the editor
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
size 12 50
shows ^>$
say exit
sane
text
E
    asked' <<'!'
|turnpipe: session k2.jsonl; /help says what can be
| typed
|> one
|two
|/three @docs/first.txt
|!four
|
|five
|/three @docs/first.txt
|!four
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
|ttyread: the editor failed: the message is as it w
|as
|> kept
|here
|
|of at a prompt of the shell:
|$ ls.
|Seen.
|1 step, 10 in (0% cached), 5 o
|ut, 0.0 s
|sh: 1: eval: my-editor: not fo
|und
|ttyread: the editor failed: th
|e message is as it was
|> 1234567890123456789012345678
|9012345678901234567890END
sane
turnpipe: session k2.jsonl; /help says what can be typed
> one
two
/three @docs/first.txt
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
ttyread: the editor failed: the message is as it was
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
shows ^>
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
send /co\t\t
shows context  cost
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
|compact  context  cost
|compact  context  cost
|> /co
sane
turnpipe: session k4.jsonl; /help says what can be typed
> /words  a b
<2: a b>
compact  context  cost
compact  context  cost
docs/first.txt  docs/second file.txt
> see @docs/first.txt and @"docs/second file.txt"
Seen.
1 step, 10 in (0% cached), 5 out, 0.0 s
> exit
= 0
"see @docs/first.txt and @\"docs/second file.txt\" \n\n<file path=\"docs/first.txt\">\none\n</file>\n\n<file path=\"docs/second file.txt\">\ntwo\n</file>"
!
finish
