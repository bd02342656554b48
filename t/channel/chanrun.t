#!/bin/sh
# Messages worked on in order, chats side by side, none twice, none lost.
. "${0%/*}/../lib.sh"

# say CHAT ID TEXT
say() { printf '{"channel":"c","chatId":"%s","id":"%s","content":"%s"}\n' "$1" "$2" "$3"; }
# The command: what it was said, as the answer.  It notes what it began.
cat >answer <<'!'
#!/bin/sh
text=$(cat)
text=${text#*\"content\":\"}
text=${text%%\"*}
echo "$2 ${3-}" >>began
case $text in
fail*) echo 'first line' >&2; echo 'answer: it failed' >&2; echo partial; exit 69 ;;
die) kill -9 $$ ;;
wait*) echo here >>waiting; until [ -e "go.$text" ]; do sleep 0.02; done ;;
env) text="$TURNPIPE_AGENT,$TURNPIPE_CHAT,${1##*/}" ;;
many) text=$(seq 100000) ;;
esac
echo "$text."
!
chmod +x answer
# there ID...: these are in the journal of D.
there() { for id; do until_ "grep -q '\"id\":\"$id\"' D/journal 2>/dev/null"; done; }
run() { chanrun -d D "$@" -- ./answer; }
# In the background the command itself, not a shell that runs it.
alone() { exec chanrun -d D "$@" -- ./answer; }
short() { jq -c '[.chatId,.id,.content,.status,.error,.again]' | sed 's/,null//g'; }

{ for i in 1 2 3; do for c in a b; do say $c $c$i "$c$i"; done; done; say a a4 'fail now'; say a a5 on; say b b4 die; say b b5 on; } >in
check 'each is answered, a chat in order; a failure is that message'\''s alone' \
    'run <in 2>err >out; short <out | grep \"a; short <out | grep \"b; sed "s/chat [0-9a-f]*/chat X/" err | sort' <<!
["a","a1","a1."]
["a","a2","a2."]
["a","a3","a3."]
["a","a4","partial",69,"answer: it failed"]
["a","a5","on."]
["b","b1","b1."]
["b","b2","b2."]
["b","b3","b3."]
["b","b4","",137,"no message"]
["b","b5","on."]
chanrun: chat X: status 137: no message
chanrun: chat X: status 69: answer: it failed
!
check 'again with -r: nothing is answered twice, and what has no id is new' \
    '{ cat in; say c "" x | sed "s/\"id\":\"\",//"; } | run -r | jq -r ".id" | sed "s/^20.*Z-[0-9]*\$/made/"' <<!
made
!
check 'without -r it is answered again' 'head -n 1 in | run | short' <<!
["a","a1","a1."]
!
check 'agent, chat and session for the command; what it has from outside stays without an agent' '
    { say a e1 env; say b e2 env | sed "s/}/,\"agent\":\"bob\"}/"; } | TURNPIPE_AGENT=own run |
    jq -r .content | sed "s/[0-9a-f]*\.jsonl/X/" | sort' <<!
bob,b,X.
own,a,X.
!
check 'no input is no work, and no error' 'run </dev/null' <<!
!
check 'what is a record of another type, or a repetition, has no answer' '
    { echo "{\"type\":\"end\",\"channel\":\"c\",\"chatId\":\"a\",\"content\":\"x\"}"; say a r1 x; say a r1 x; say b r1 x; } | run | short | sort' <<!
["a","r1","x."]
["b","r1","x."]
!

# Bad lines.
{ echo 'no json'; say a x1 fine; echo '{"channel":"c","chatId":"a"}'; echo '{"channel":"c","chatId":"a","content":" "}'
    echo '{"channel":"c","chatId":"a","content":7}'; echo '{"channel":"c","chatId":"a","content":"x","id":[]}'
    echo '{"channel":"c","chatId":"a","content":"x","agent":""}'; echo '{"channel":"c","chatId":"a","content":"x","agent":"a\u0000"}'
    echo '{"channel":"c","chatId":"a","content":"last","id":null}' | tr -d '\n'; } >bad
check 'a bad line is reported, all others are answered, the status is 65' \
    'run <bad 2>&1 >out; echo $?; jq -r .content out' <<!
chanrun: <stdin>:1:1: expected a value
chanrun: <stdin>:3:1: expected content, a text
chanrun: <stdin>:4:39: expected content, a text
chanrun: <stdin>:5:39: expected content, a text
chanrun: <stdin>:6:48: expected an id, a text or a whole number
chanrun: <stdin>:7:51: expected an agent's name
chanrun: <stdin>:8:51: expected an agent's name
65
fine.
last.
!

# Hostile names: each is a chat of its own, none is a path.
long=$(printf '%0100000d' 0)
cat >names <<'!'
"../../evil"
"/etc/passwd"
"a\nb"
"a\u0000b"
"a\u0000c"
"Ann"
"ann"
"\u00e9"
"e\u0301"
"$(touch evil)"
"5"
5
!
{ cat names; echo "\"$long\""; } | while read -r name; do
	printf '{"channel":"h","chatId":%s,"content":"x"}\n{"channel":"h","chatId":%s,"content":"y"}\n' "$name" "$name"
done >hostile
check 'hostile names are chats of their own, 5 is "5", and no path' '
    rm -rf H; chanrun -d H -- ./answer <hostile >out; wc -l <out | tr -d " "; cmp -s "$DATA/none" none; ls -d H/*.d | wc -l
    ls H | grep -vxE "[0-9a-f]{32}\.d|journal|lock"; find . .. -name "*evil*"
    jq -r .chatId out | awk "length > 99999" | wc -l' <<!
26
12
2
!

# Two directories would be two bots; one is one.
mkfifo f
check 'a second one on the same directory is refused, and names the first' '
    alone <f >/dev/null & exec 3>f; say a l1 waitl >&3; until_ "[ -s waiting ]"
    run </dev/null 2>&1 | sed "s/process $!/process X/"; >go.waitl; exec 3>&-; wait $!' <<!
chanrun: D/lock: held by process X (chanrun)
!
needs flock check 'started again while the child of a killed one still had its lock: that was called held' '
    mkdir L; sh -c : & wait $!; echo "$! chanrun" >L/lock
    flock L/lock sh -c ": >has; until [ -e gone ]; do sleep 0.02; done" &
    until_ "[ -e has ]"; (sleep 0.2; : >gone) &
    say a 1 x | chanrun -d L -- ./answer | short; wait' <<!
["a","1","x."]
!
rm -f waiting
check 'one chat hangs, the others go on, and its own wait' '
    mkfifo answers; alone -j 2 <f >answers & exec 3>f 4<answers
    { say slow s1 waits; say slow s2 x; for i in 1 2 3; do say a h$i x; say b h$i x; done; } >&3
    for i in 1 2 3 4 5 6; do read -r x <&4; echo "$x"; done | jq -r .chatId | sort | uniq -c | tr -s " "
    >go.waits; read -r x <&4; read -r y <&4; echo "$x" "$y" | short; exec 3>&-; wait $!' <<!
 3 a
 3 b
["slow","s1","waits."]
["slow","s2","x."]
!
rm -f waiting began
check 'TERM: the running one ends and is answered, none starts, -r does the rest' '
    { alone -j 1 <f >out 2>err & echo $! >pid; exec 3>f; { say a t1 waitt; say a t2 x; say b t3 x; } >&3; until_ "[ -s waiting ]"; there t2 t3; }
    kill $(cat pid); >go.waitt; { wait $(cat pid) || echo $?; } 2>/dev/null; exec 3>&-
    short <out; cat err; run -r </dev/null | short | sort' <<!
143
["a","t1","waitt."]
chanrun: stopped; 2 messages are not answered yet: -r goes on with them
["a","t2","x."]
["b","t3","x."]
!
mkfifo same
check 'a stop while what came is read was seen only with the next answer' '
    rm -f out; yes "$(say a y1 x)" >same & chanrun -d Y -- ./answer <same >out 2>err & until_ "[ -s out ]"
    kill $!; { wait $! || echo $?; } 2>/dev/null; short <out' <<!
143
["a","y1","x."]
!
rm -f waiting began
check 'killed -9 at work: the command learns that it may have begun' '
    alone -j 1 <f >out & exec 3>f; { say a k1 waitk; say a k2 x; } >&3; until_ "[ -s waiting ]"; there k2
    kill -9 $!; wait $! 2>/dev/null || :; exec 3>&-; >go.waitk
    { say a k1 waitk; say a k2 x; say a k3 y; } | run -r >>out; short <out; sed "s/.*Z-[0-9]* //" began' <<!
["a","k1","waitk."]
["a","k2","x."]
["a","k3","y."]

again
again

!
rm -f waiting
check 'without -r what is not answered is put aside, with a warning' '
    alone -j 1 <f >out & exec 3>f; { say a p1 waitp; say a p2 x; } >&3; until_ "[ -s waiting ]"; there p2
    kill -9 $!; wait $! 2>/dev/null || :; exec 3>&-; >go.waitp
    say z p9 new | run 2>&1 | sed "s/\.[0-9]*\$/.N/" | cut -c 1-90; grep -c p2 D/journal.*' <<!
chanrun: 2 messages of an earlier run are not answered, which -r would have done; they are
{"channel":"c","chatId":"z","id":"p9","content":"new."}
1
!

check 'a journal put aside earlier is not taken for this one' '
    mkdir Q; sed "s/\"n\":[0-9]*/\"n\":7/" D/journal.* >Q/journal; cp Q/journal j; >Q/journal.7
    chanrun -d Q -- ./answer </dev/null 2>&1 || echo $?; cmp j Q/journal' <<!
chanrun: Q/journal.7: File exists
73
!

check 'the token of a message is its own' '
    mkdir R; { say t 1 x; say t 2 y; } | chanrun -d R -- ./answer >/dev/null
    jq -r "select(.token).token" R/journal | sed "s|.*Z-|Z-|" | tr "\n" " "; jq -r "select(.token).token|length < 40" R/journal | uniq' <<!
Z-1 Z-2 true
!

# The three moments of a crash, made by hand: answered and not printed, partly printed, printed and not noted.
check 'an answer that was not printed is printed again, marked; one that was is not' '
    rm -rf E; say a 1 x | chanrun -d E -- ./answer >full; sed -i "/sent/d" E/journal
    cp E/journal j; cp full part; chanrun -r -d E -- ./answer </dev/null >>full; cat full
    cp j E/journal; chanrun -r -d E -- ./answer </dev/null
    cp j E/journal; truncate -s 10 full; chanrun -r -d E -- ./answer </dev/null >>full; cat full' <<!
{"channel":"c","chatId":"a","id":"1","content":"x."}
{"channel":"c","chatId":"a","id":"1","content":"x.","again":true}
{"channel"
{"channel":"c","chatId":"a","id":"1","content":"x.","again":true}
!
check 'a torn journal loses what was not whole, a wrong one is refused' '
    printf "{\"n\":9,\"tok" >>E/journal; chanrun -r -d E -- ./answer </dev/null 2>&1
    echo "no json" >>E/journal; chanrun -r -d E -- ./answer </dev/null 2>&1 || echo $?' <<!
chanrun: E/journal: torn last line (11 bytes) left out
chanrun: E/journal:3:1: expected a value
65
!
fails 74 'a full disk is no success' 'say a 1 x | chanrun -d F -- ./answer >/dev/full' <<!
chanrun: write <stdout>: No space left on device
!
check '... and the answer comes with -r, without new work' \
    'rm -f began; chanrun -r -d F -- ./answer </dev/null; ls began 2>/dev/null || echo none' <<!
{"channel":"c","chatId":"a","id":"1","content":"x.","again":true}
none
!
check 'a journal that cannot grow: nothing is begun, and the message is taken the next time' '
    say a 1 "$(printf "%02000d" 7)" >long; rm -f began; (ulimit -f 1; chanrun -d J -- ./answer <long 2>&1) || echo $?
    ls began 2>/dev/null || echo none; chanrun -r -d J -- ./answer <long 2>&1 | sed "s/0*7/07/; s/([0-9]* b/(N b/"' <<!
chanrun: J/journal: File too large
74
none
chanrun: J/journal: torn last line (N bytes) left out
{"channel":"c","chatId":"a","id":"1","content":"07."}
!
fails 66 'a command that is not there' 'say a 1 x | chanrun -d G -- ./none' <<!
chanrun: ./none: No such file or directory
!
fails 73 'a directory that cannot be made' ': >file; chanrun -d file/D -- ./answer' <<!
chanrun: file/D/lock: Not a directory
!
fails 64 'a directory is needed' 'chanrun -- true 2>&1 | head -n 1 >&2; exit 64' <<!
chanrun: expected a directory (-d)
!

# Failures that pass.  again COUNT CODE WAIT: the command fails so, COUNT times.
cat >passing <<'EOF'
#!/bin/sh
text=$(cat)
text=${text#*\"content\":\"}
text=${text%%\"*}
echo "$text ${3-}" >>began
set -- "$1" $text
n=$(grep -c "^$text " began)
if [ "$3" ] && [ "$n" -le "$3" ]; then
	echo "$4: not yet" >&2
	[ ! "${5-}" ] || echo "{\"type\":\"error\",\"from\":\"x\",\"code\":$4,\"message\":\"m\",\"retry_after\":$5}" >>"$1"
	[ ! "${6-}" ] || echo "$6"
	exit "$4"
fi
echo "$2."
EOF
chmod +x passing
pass() { chanrun -d V "$@" -- ./passing 2>err; }
check 'a failure that passes is no answer: the message is tried again, its chat waits, others do not' '
    rm -f began; { say a 1 "one 1 75 0"; say a 2 two; say b 3 "six 1 4 0"; say c 4 "ten 1 76 0"; } | pass | short | sort
    sed "s/[0-9a-f]\{32\}/X/" err | sort; sort began' <<!
["a","1","one."]
["a","2","two."]
["b","3","six."]
["c","4","ten."]
chanrun: chat X: status 4: 4: not yet: once more in 0 s
chanrun: chat X: status 75: 75: not yet: once more in 0 s
chanrun: chat X: status 76: 76: not yet: once more in 0 s
one 1 75 0 
one 1 75 0 again
six 1 4 0 
six 1 4 0 again
ten 1 76 0 
ten 1 76 0 again
two 
!
check 'what was printed with it is the answer; what would be the same again is one, too' '
    { say a 5 "x 9 77 0 denied"; say a 6 "x 9 65"; say a 7 "x 9 64"; say a 8 "x 9 76 0 part"; } | pass | short' <<!
["a","5","denied",77,"77: not yet"]
["a","6","",65,"65: not yet"]
["a","7","",64,"64: not yet"]
["a","8","part",76,"76: not yet"]
!
check 'later: kept over runs, and not tried before it is due' '
    rm -f began; say a w1 "w 1 75 3600" | pass || echo $?; tail -n 1 err
    pass -r </dev/null || echo $?; cat began
    sed -i "s/\"due\":[0-9]*/\"due\":1/" V/journal; pass -r </dev/null | short; cat began' <<!
75
chanrun: end of input; 1 messages are not answered yet: -r goes on with them
75
w 1 75 3600 
["a","w1","w."]
w 1 75 3600 
w 1 75 3600 again
!
check 'not longer than -w: then the failure is the answer' '
    say a w2 "w 1 69 100" | pass -w 99 | short' <<!
["a","w2","",69,"69: not yet"]
!

# Many: killed again and again, each message is answered once, in order.
chats=20 each=10 kills=5
[ -z "${SOAK-}" ] || chats=100 each=20 kills=40
for i in $(seq $each); do for c in $(seq $chats); do say c$c $c.$i "$i"; done; done >many
cat >quick <<'!'
#!/bin/sh
while read -r x; do x=${x#*\"content\":\"}; echo "${x%%\"*}"; done
!
chmod +x quick
check "$chats chats of $each messages, killed -9 $kills times: none lost, none twice, in order" '
    rm -rf M; : >out
    for k in $(seq $kills); do
	chanrun -r -j 8 -d M -- ./quick <many >>out & n=$(($(wc -l <out) + 1 + k % 7))
	until [ $(wc -l <out) -ge $n ]; do kill -0 $! 2>/dev/null || break; done
	kill -9 $! 2>/dev/null; wait $! || :
    done 2>/dev/null
    chanrun -r -j 8 -d M -- ./quick <many >>out
    jq -r "[.chatId,.id,.content,.again]|map(tostring)|join(\" \")" out >flat
    awk "{ print \$1, \$2 }" flat | sort | uniq -d | wc -l; wc -l <out
    awk "\$3 != ++n[\$1] { print \"out of order:\", \$0 }" flat' <<!
0
$((chats * each))
!

# Memory: what a process had at most, of a long run and of a short one.
peak() { python3 -c 'import os, resource, sys
p = os.fork()
if p == 0: os.execvp(sys.argv[1], sys.argv[1:])
print(os.wait4(p, 0)[2].ru_maxrss, file=sys.stderr)' "$@"; }
big=$(printf '%060000d' 0)
for i in $(seq 300); do say c$((i % 50)) $i "$big"; done >much
needs python3 check 'memory does not grow with what waits: 18 MB of messages' '
    one=$(head -n 5 much | peak chanrun -d P1 -- true 2>&1 >/dev/null)
    all=$(peak chanrun -j 8 -d P2 -- true <much 2>&1 >/dev/null)
    [ -n "${SAN-}" ] || [ "$all" -lt $((one + 1500)) ] || echo "$one kB, $all kB"' <<!
!
needs python3 check 'the journal is made smaller when most of it is done' '
    [ $(wc -c <P2/journal) -lt 9500000 ] || wc -c P2/journal' <<!
!
