#!/bin/sh
# The conversation: what is a message, what a command, how it is left.
. "${0%/*}/../lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test SHELL=/bin/sh
mkdir .git own
# asked N: the user's text in request N.
asked() { sed -n "$1p" "$REQUESTS" | jq -r '[.body.messages[]|select(.role=="user")][-1].content|if type=="array" then .[0].text else . end|split("\n\n<turn-context>")[0]'; }
command() {
	printf '#!/bin/sh\n%s\n' "$2" >"own/turnpipe-$1"
	chmod +x "own/turnpipe-$1"
}
command words 'printf "<%s>" "$@"; echo; echo "${TURNPIPE_SESSION##*/}" "${TURNPIPE_RUN##*/}"'
command other 'sed "3s|.*|openai/other|" "$TURNPIPE_RUN/as" >as.new && mv as.new "$TURNPIPE_RUN/as"'
command bad 'exit 3'
cp own/turnpipe-words own/turnpipe-relative
PATH=$PATH:$PWD/own:.:own
mkdir rel
mv own/turnpipe-relative rel
PATH=$PATH:rel
serve -r '{"text":"Seen."}'
check '/NAME runs turnpipe-NAME; words are nothing but words; an unknown one sends nothing' \
    'printf "%s\n" "/words a  \$(id) * \"b c\" ;x" /relative /nowhere /-turn /bad / "/etc/hosts is what?" exit "never" |
    turnpipe -Fis t1.jsonl 2>err; sed "1d;s/^\(> \)*//" err; sent; asked 1' <<!
<a><\$(id)><*><"b><c"><;x>
t1.jsonl t1.d
Seen.
turnpipe: no command '/relative'; /help lists them
turnpipe: no command '/nowhere'; /help lists them
turnpipe: no command '/-turn'; /help lists them
turnpipe: status 3
turnpipe: no command '/'; /help lists them

1
/etc/hosts is what?
!
serve -r '{"text":"Seen."}'
check 'a command changes the talk by writing as' \
    'printf "%s\n" one /other two quit | turnpipe -Fis t2.jsonl 2>/dev/null
    jq -r .body.model "$REQUESTS"; cat t2.d/as; printf "" | turnpipe -Fcs t2.jsonl three; tail -n 1 "$REQUESTS" | jq -r .body.model' <<!
Seen.
Seen.
test
other
default

openai/other

Seen.
test
!
serve -r '{"text":"Seen."}'
check '!COMMAND is shown, and goes with the next message, without keys' \
    'printf "%s\n" "!echo one; env | grep -c API_KEY; printf \"a\\377b\"; exit 3" "!echo two" "and now" "then" |
    turnpipe -Fis t3.jsonl 2>/dev/null | LC_ALL=C tr -d "\\377"; asked 1; asked 2' <<!
one
0
abtwo
Seen.
Seen.
I ran this command (exit status 3):

    echo one; env | grep -c API_KEY; printf "a\\377b"; exit 3

<output>
one
0
ab
</output>

I ran this command (exit status 0):

    echo two

<output>
two
</output>

and now
then
!
check 'the log knows what of a message is the output of a command' \
    'jq -c "select(.role==\"user\")|[.tp.from, (.content|utf8bytelength)]" t3.jsonl' <<!
[[{"command":203},{"typed":7}],210]
[null,4]
!
serve -r '{"text":"Seen."}'
check 'of a long output head and tail' \
    'printf "%s\n" "!seq 99999" "how many?" | turnpipe -Fis t4.jsonl --set talk.max_bytes=100 2>/dev/null | tail -n 1
    asked 1 | wc -c | tr -d " "; asked 1 | grep -c -F "[...]"; asked 1 | grep -x 99999' <<!
Seen.
189
1
99999
!
printf 'one\ntwo\n' >notes
printf 'x\n' >'a b'
printf '\211PNG\r\n\032\n\0\0\0\rIHDR' >pic.png
printf 'caf\351\n' >latin
mkdir -p "$HOME/out" dir
echo secret >"$HOME/out/s"
serve -r '{"text":"Seen."}'
check '@PATH brings a file, a picture beside it; what is refused sends nothing' \
    'printf "%s\n" "see @notes, and @\"a b\"." "mail me@notes or @nowhere in @dir" "look @pic.png" "@latin" "@../home/out/s" |
    turnpipe -Fis t5.jsonl 2>err; asked 1; asked 2; sed -n 3p "$REQUESTS" | jq -c "[.body.messages[]|select(.role==\"user\")][-1].content[]|[.type, (.image_url.url // .text)[:14]]" | head -n 2
    sent; sed "1d;s/^\(> \)*//;s/: leads to .*//" err
    printf "%s\n" "@notes" | turnpipe -Fis t6.jsonl --set talk.max_bytes=7 2>&1 | sed 1d; sent' <<!
Seen.
Seen.
Seen.
see @notes, and @"a b".

<file path="notes">
one
two
</file>

<file path="a b">
x
</file>
mail me@notes or @nowhere in @dir
["text","look @pic.png"]
["image_url","data:image/png"]
3
turnpipe: @nowhere: no such file: sent as text
turnpipe: @dir: a directory: sent as text
turnpipe: @latin: expected valid UTF-8, a picture or a PDF
turnpipe: not sent; Up brings it back
intree: ../home/out/s
turnpipe: not sent; Up brings it back

> turnpipe: @notes: 8 bytes, more than talk.max_bytes (7) has room for
turnpipe: not sent; Up brings it back
> 
3
!

tap_has pty && tap_has python3 || skip 'no terminal to be had'
at() { python3 "$TOP/t/attty.py" -o screen "$@"; }
"$BIN/ttyread" --version | grep -q '^readline' || skip 'built without readline'
serve -r '{"text":"Seen."}'
check 'on a terminal: a paste is one message and no command; history; Tab; exit' \
    'at turnpipe -Fis p1.jsonl <<E
see /help
see >
paste /quit\rtwo\r@notes
send \r
see Seen.
see >
send \e[A\r
see Seen.
see >
send /wor\t"x y"\r
see <"x><y">
see >
send exit\r
sane
E
    sent; asked 1; [ "$(asked 1)" = "$(asked 2)" ]; stat -c %a "$XDG_STATE_HOME"/turnpipe/*/history' <<!
sane
= 0
2
/quit
two
@notes
600
!
for n in 5000 100000; do
	serve -r '{"text":"Seen."}'
	check "a line of $n bytes" \
	    'at turnpipe -Fis p2.$n.jsonl <<E
see >
many $n y
send \r
see Seen.
see >
send \x04
E
    asked 1 | wc -c | tr -d " "' <<!
= 0
$((n + 1))
!
done
serve '{"text":"Never seen.","stall_ms":600000}' '{"text":"Seen."}'
check 'Ctrl-C in a turn stops it, on a text clears it, on nothing twice leaves' \
    'at -s 24x40 turnpipe -Fis p3.jsonl <<E
see >
send slow\r
until [ \$(wc -l <"$REQUESTS") = 1 ]
send \x03
see interrupted
see >
send gone
see gone
send \x03
send 中文\r
see Seen.
see >
send \x03
see once more
see >
send \x03
sane
E
    sent; asked 2' <<!
sane
= 0
2
slow

中文
!
serve '{"calls":[{"id":"c1","name":"shell","arguments":{"command":"echo >begun; until [ -e go ]; do sleep 0.02; done"}}]}' '{"text":"First."}' '{"text":"Second."}' '{"text":"Third."}' '{"text":"Fourth."}'
check 'each line typed while a turn runs is a message of its own, in order; a paste of several is one' \
    'at turnpipe -Fyis p4.jsonl <<E
see >
send first\r
until [ -e begun ]
send second\rthird\r
paste four\rlines\r
send \r
sent
until >go
see First.
see Second.
see Third.
see Fourth.
see >
send \x04
E
    sent; for i in 3 4 5; do asked $i; done' <<!
= 0
5
second
third
four
lines
!
serve '{"text":"Never seen.","stall_ms":600000}'
check 'a driver that is killed while a turn runs leaves the terminal as it was' \
    'at turnpipe -Fis p4k.jsonl <<E
see >
send first\r
until [ \$(wc -l <"$REQUESTS") = 1 ]
signal KILL
sane soon
strange
E' <<!
sane
[] [] 0
= 137
!
serve '{"calls":[{"id":"c1","name":"shell","arguments":{"command":"trap \"echo >told\" INT TERM; echo >twice; while :; do sleep 600 & wait; done"}}]}'
# The first one is to the driver alone: the tool is told when that has noted it.
check 'twice in a turn leaves' \
    'at turnpipe -Fyis p5.jsonl <<E
see >
send first\r
until [ -e twice ]
signal INT
until [ -e told ]
taken
send \x03
sane
E
    jq -r "select(.type==\"mark\").what" p5.jsonl' <<!
sane
= 0
interrupted
!
serve -r '{"text":"Seen."}'
check 'TERM=dumb: a long line is whole, and commands are there' \
    'at -t dumb turnpipe -Fis p6.jsonl <<E
see >
many 9000 y
send \r
see Seen.
see >
send /words a\r
see <a>
see >
send quit\r
sane
E
    asked 1 | wc -c | tr -d " "' <<!
sane
= 0
9001
!
mkdir p7.d
printf 'next: €\n' >p7.d/typed
serve -r '{"text":"Seen."}'
command long 'echo begun; exec sleep 600'
check 'what was typed before a question is there to be edited; Ctrl-C in a command is its own' \
    'at turnpipe -Fis p7.jsonl <<E
see >
send one\r
see Seen.
see next
send !\r
see Seen.
see >
send /long\r
see begun
send \x03
see >
send !exec sleep 601\r
until [ -e p7.d/ran ]
send \x03
see >
send \x04
sane
E
    sent; asked 2' <<!
sane
= 0
2
next: €!
!
check 'Ctrl-C at the prompt: once is a slip, which the next message forgets; twice leaves, at once' \
    'at turnpipe --set facts.after=talk -is p8.jsonl <<E
shows ^>
send half\x03
shows ^>$
send \x03
shows turnpipe: Ctrl-C once more, or Ctrl-D, leaves
shows ^>$
say /help
shows twice leaves
shows ^>$
send \x03
shows once more
shows ^>$
send \x03
sane
E' <<!
sane
= 0
!
# The list of turnpipe log is this project's: these have no file of their own.
unset TURNPIPE_MODEL
serve -r '{"text":"It waits."}'
turnpipe -F -m openai/test 'Why is the flaky test slow?' >/dev/null
check 'turnpipe -c opens the conversation, its last question and answer faint; -c NUMBER, -s TITLE' \
    'for o in -c "-c 1" "-s flaky"; do
	at turnpipe -F $o <<E
shows It waits.
faint > Why is the flaky test slow?
shows ^>$
send exit\r
E
    done; sent; turnpipe -c 1; sent' <<!
= 0
= 0
= 0
1
It waits.
1
!
fails 66 '-c NUMBER without such a session is no text' 'turnpipe -c 12' <<!
turnpipe: no session of number 12
!
fails 64 'nor are more words behind one that is there' 'turnpipe -c 1 more test' <<!
turnpipe: -c 1: a session or a text? -c -s 1 goes on with that session, -c -- 1 sends it
!
check 'after -- it is a text' 'turnpipe -Fc -- 1; asked 2' <<!
It waits.
1
!
check 'a model that did not answer does not stay' \
    'turnpipe -Fc -m anthropic/x Hello. 2>/dev/null || echo $?; turnpipe -Fc Again.; tail -n 1 "$REQUESTS" | jq -r .body.model' <<!
77
It waits.
test
!
serve '{"calls":[{"id":"c1","name":"shell","arguments":{"command":"echo begun"}}]}' '{"text":"Done so."}'
turnpipe -F --set toolrun.ask_later=true -m openai/test -s later.jsonl 'Do it.' >/dev/null 2>&1 || :
check 'a call that waits is asked about where the conversation is opened again' \
    'at turnpipe -F -c -s later.jsonl <<E
see [a]lways: 
send y\r
shows Done so.
shows ^>$
send exit\r
E' <<!
= 0
!
