#!/bin/sh
# One message from a terminal, by a script that types: t/attty.py.
. "${0%/*}/../lib.sh"

printf 'one line\ntwo\n' >in
check 'no terminal: a line, and the next reader has the rest' \
    '{ ttyread 2>/dev/null; cat; } <in' <<!
one line
two
!
check 'the end of input is 1; a last line without its newline is one' \
    'ttyread </dev/null 2>/dev/null || echo $?; printf "a\\\\" | ttyread 2>/dev/null' <<!
1
a\\
!
check 'what is typed as a command is said apart from the message' \
    'for l in "/help me" "!ls" "a @in, and @\"x y\" b@c" "//" plain; do
    printf "%s\n" "$l" | ttyread -o msg 2>/dev/null; done; cat msg; stat -c %a msg' <<EOF
/
!
@in
@x y
/
plain
600
EOF
fails 64 'wrong usage' 'ttyread -x 2>err; s=$?; head -n 1 err >&2; exit $s' <<!
ttyread: unknown option '-x'
!
fails 66 'a text to begin with that is not there' 'ttyread -i nowhere' <<!
ttyread: nowhere: No such file or directory
!
fails 74 'a full disk' 'echo hi | ttyread 2>err >/dev/full || { st=$?; sed "s/^> //" err >&2; exit $st; }' <<!
ttyread: write <stdout>: No space left on device
!
fails 73 'or a file that cannot be written' 'echo hi | ttyread -o nowhere/msg 2>err || { st=$?; sed "s/^> //" err >&2; exit $st; }' <<!
ttyread: nowhere/msg: No such file or directory
!

tap_has pty && tap_has python3 || skip 'no terminal to be had'
# at [OPTION ...] COMMAND: on a terminal, the script on standard input.
at() {
	python3 "$TOP/t/attty.py" -o screen "$@"
}
"$BIN/ttyread" --version | grep -q '^readline' || skip 'built without readline'
mkdir -p bin
printf '#!/bin/sh\n' | tee bin/turnpipe-alpha bin/turnpipe-alps bin/turnpipe--hidden >bin/turnpipe-beta
chmod +x bin/turnpipe-*

check 'a paste of three lines is one message; the terminal has its modes again' \
    'at ttyread -o msg -H hist <<E
see >
paste one\\rtwo\\n/three @in\\r\\n
send \\r
sane
E
    cat msg; stat -c %a hist' <<!
sane
= 0
one
two
/three @in
600
!
check 'what is pasted is neither a command nor a path, from the history neither' \
    'at ttyread -o msg -H hist2 <<E
see >
paste /quit @in
send  @in\\r
E
    cat msg; at sh -c "ttyread -o msg -H hist2 >list" <<E
see >
send \\e[A
see quit
send \\r
E
    cat list msg' <<!
= 0
/quit @in @in
= 0
@in
/quit @in @in
!
check 'typed it is' \
    'at sh -c "ttyread -o msg >list" <<E
see >
send /mo @in\\r
E
    cat list' <<!
= 0
/
@in
!
check '5000 and 100000 bytes; a cooked terminal cuts at 4095' \
    'for n in 5000 100000; do at ttyread -o msg <<E
see >
many $n y
send \\r
E
    wc -c <msg; done; at ttyread -o msg <<E
see >
send \\e[200~
many 50000 ab\\n
send \\e[201~\\r
E
    wc <msg | tr -s " "' <<!
= 0
5001
= 0
100001
= 0
 50000 50000 150000
!
check 'lines that come at once, without the codes of a paste, are one message and no command' \
    'at sh -c "ttyread -o msg >list" <<E
see >
send /one\\rtwo\\rthree\\r
E
    cat list msg' <<!
= 0
/one
two
three
!
check 'new lines: Alt-Enter, and a backslash at the end' \
    'at ttyread -o msg <<E
see >
send one\\e\\rtwo\\x5c
see two
send \\r
see \\n
send thr\\x5cee\\r
E
    cat msg' <<!
= 0
one
two
thr\\ee
!
printf '%s\n' 'first one' 'second\none' 'third' >h
check 'the history: up, down, within a message of two lines, Ctrl-R' \
    'at ttyread -o msg -H h <<E
see >
send \\e[A\\e[A\\e[A\\e[A\\e[B\\e[A\\e[A\\r
E
    cat msg; at ttyread -o msg -H h <<E
see >
send \\x12fir
shows first one
send \\r
E
    cat msg; tail -n 1 h' <<!
= 0
first one
= 0
first one
first one
!
check 'what begins with a blank is not kept, nor is what is too long' \
    'at ttyread -o msg -H h <<E
see >
send  secret\\r
E
    at ttyread -o msg -H h <<E
see >
many 70000 z
send \\r
E
    wc -l <h' <<!
= 0
= 0
5
!
check 'the oldest go when the history is long' \
    'seq 2500 >long; at ttyread -o msg -H long <<E
see >
send \\e[A\\r
E
    cat msg; wc -l <long; head -n 1 long' <<!
= 0
2500
1001
1501
!
check 'editing: arrows, wide characters, words, Ctrl-W' \
    'at ttyread -o msg <<E
see >
send 中文é x\\e[D\\e[D\\x7f\\e[D\\x7fb\\x05 one two\\x17\\r
E
    cat msg' <<!
= 0
b文 x one 
!
check 'wide characters on a wrapped line: typed, gone back over, deleted' \
    'at -s 10x40 ttyread -o msg <<E
shows ^>
send あいうえおがぎぐげござじずぜぞだぢつてとかきくけこ
shows けこ$
screen
send \\e[D\\e[D\\e[D\\e[D\\e[D\\e[D\\e[D\\e[D\\e[D\\e[D\\e[D\\e[DX
shows X
screen
send \\x05
many 20 \\x7f
shows おが$
screen
send \\r
E
    cat msg' <<!
|> あいうえおがぎぐげござじずぜぞだぢつて
|とかきくけこ
|> あいうえおがぎぐげござじずXぜぞだぢつ
|てとかきくけこ
|> あいうえおが
= 0
あいうえおが
!
check 'pasted text that a terminal could obey is kept, and not drawn' \
    'at ttyread -o msg <<E
see >
paste a\\x9b31m\\u202eb
shows ^> a?31mb$
send \\r
E
    od -An -tx1 msg' <<!
= 0
 61 c2 9b 33 31 6d e2 80 ae 62 0a
!
check 'what the user binds holds' \
    'echo "\"\\C-o\": \"bound\"" >rc; export INPUTRC="$PWD/rc"; at ttyread -o msg <<E
see >
send \\x0f!\\r
E
    cat msg' <<!
= 0
bound!
!
check 'Ctrl-C clears the line, on an empty one it leaves; Ctrl-D ends' \
    'at ttyread -o msg <<E
see >
send abc
see abc
send \\x03def\\r
E
    cat msg; for k in "\\x03" "\\x04"; do at ttyread -o msg <<E
see >
send $k
sane
E
    done' <<!
= 0
def
sane
= 130
sane
= 1
!
check 'signals: the modes are given back' \
    'for s in TERM HUP INT QUIT; do at ttyread -o msg <<E
see >
send abc
see abc
signal $s
sane
E
    done; grep -c "2004l" screen' <<!
sane
= 143
sane
= 129
sane
= 130
sane
= 131
1
!
check 'another size, and a line that is longer than the screen is wide' \
    'at -s 10x40 ttyread -o msg <<E
see >
many 90 w
send END
see END
size 10 20
see END
send !\\x7f?
see ?
send \\r
E
    tail -c 9 msg' <<!
= 0
wwwwEND?
!
check 'Ctrl-Z stops the group, and it goes on' \
    'at perl -MPOSIX -e "\$p = fork // die; setpgid(\$p || \$\$, \$p || \$\$);
	\$SIG{TTOU} = q(IGNORE); tcsetpgrp(0, \$p || \$\$);
	if (!\$p) { \$SIG{TTOU} = q(DEFAULT); exec qw(ttyread -o msg) }
	waitpid(\$p, WUNTRACED); tcsetpgrp(0, \$\$); syswrite(STDOUT, qq(stopped\n));
	tcsetpgrp(0, \$p); kill CONT => \$p; waitpid(\$p, 0); exit(\$? >> 8)" <<E
see >
send abc
see abc
send \\x1a
see stopped
see abc
send def\\r
sane
E
    cat msg' <<!
sane
= 0
abcdef
!
check 'Tab: commands, of which a relative entry of PATH has none; paths' \
    'mkdir -p "sub/a dir"; >"sub/a dir/file x"; PATH=$PWD/bin:$PATH:sub
    at ttyread -o msg -c turnpipe- quit <<E
see >
send /al\\t
see p
send \\t
see alps
send h\\t
see a
send @su\\t
see b/
send \\t
see dir/
send \\t
see file
send .\\r
E
    cat msg; at ttyread -o msg -c turnpipe- quit <<E
see >
send /qu\\t\\t\\r
E
    cat msg' <<!
= 0
/alpha @"sub/a dir/file x" .
= 0
/quit 
!
printf '#!/bin/sh\nstty -a </dev/tty | grep -o "[-]*icanon"; printf "/%%s\\n" two three >>"$1"\n' >ed
printf '#!/bin/sh\nexit 1\n' >noed
chmod +x ed noed
check 'Ctrl-X Ctrl-E: the editor has the terminal as it was; what it leaves is plain' \
    'mkdir tmp; export TMPDIR=$PWD/tmp; at env EDITOR="./ed" sh -c "ttyread -o msg >list" <<E
see >
send one
see one
send \\x18\\x05
see icanon
see three
send \\r
E
    cat list msg; grep -c -- "-icanon" screen || :; at env VISUAL=./noed ttyread -o msg <<E
see >
send one\\x18\\x05
see failed
send \\r
E
    cat msg; ls tmp' <<!
= 0
one
/two
/three
0
= 0
one
!
printf 'typed before\n/more\n' >before
printf /x >slash
check 'a text to begin with is there to be edited, and is no command' \
    'at sh -c "ttyread -i before -o msg; ttyread -i slash -o msg2 >list" <<E
see more
send !\\r
see x
send \\r
E
    cat msg; cat list msg2' <<!
= 0
typed before
/more!
/x
!
check 'what is typed ahead is there for the next one' \
    'at sh -c "ttyread -o msg; echo between; until [ -e go ]; do sleep 0.02; done; ttyread -o msg2" <<E
see >
send one\\r
see between
send two\\r
see two
until >go
E
    cat msg msg2' <<!
= 0
one
two
!
for term in xterm dumb; do
	check "Ctrl-D typed ahead ends ($term)" \
	    'rm -f go msg2; at -t $term sh -c "ttyread -o msg; echo between; until [ -e go ]; do sleep 0.02; done; ttyread -o msg2" <<E
see >
send one\r
see between
send \x04
sent
until >go
E
    [ ! -e msg2 ]' <<!
= 1
!
done
for term in dumb '' nosuch; do
	check "a terminal that is '$term': nothing is cut, erase and Ctrl-C work" \
	    'at -t "$term" ttyread -o msg <<E
see >
many 9000 x
send y\\x7fz\\r
sane
E
    tail -c 4 msg; wc -c <msg; for k in "abc\\x03\\x03" "abc\\x15\\x04" "\\x04"; do at -t "$term" ttyread -o msg <<E
see >
send $k
sane
E
    done' <<!
sane
= 0
xxz
9002
sane
= 130
sane
= 1
sane
= 1
!
done
