#!/bin/sh
. "${0%/*}/../lib.sh"

TURNPIPE_NOW=2026-11-21T09:30:00Z
export TURNPIPE_NOW
w=$PWD

cat >turn <<'!'
{"role":"user","content":"hi","x":{"b":1.0}}
{"type":"section","id":"cwd","content":"/"}
{"type":"config","model":"m"}
{"role":"assistant","content":"hello","tp":{"duration_ms":12}}
{"type":"usage","prompt_tokens":3}
{"type":"mark","what":"done","time":"2026-11-21T08:00:00Z"}
{"type":"end"}
!
check 'a turn' 'histadd s.jsonl <turn; cat s.jsonl' <<!
{"type":"session","version":1,"id":"s","cwd":"$w","time":"2026-11-21T09:30:00Z"}
{"role":"user","content":"hi","x":{"b":1.0},"tp":{"n":1,"message":1,"turn":1,"time":"2026-11-21T09:30:00Z"}}
{"role":"assistant","content":"hello","tp":{"duration_ms":12,"n":2,"message":2,"turn":1,"time":"2026-11-21T09:30:00Z"}}
{"type":"usage","prompt_tokens":3,"n":3,"time":"2026-11-21T09:30:00Z"}
{"type":"mark","what":"done","time":"2026-11-21T08:00:00Z","n":4}
!
check 'it is not for others' 'ls -l s.jsonl | cut -c1-10' <<!
-rw-------
!
check 'the next turn goes on counting' \
    'histadd -S s.jsonl <turn; tail -n 1 s.jsonl; wc -l <s.jsonl' <<!
{"type":"mark","what":"done","time":"2026-11-21T08:00:00Z","n":8}
9
!
check 'nothing to keep makes no file' \
    'echo "{\"type\":\"todo\",\"id\":1}" | histadd none.jsonl; histadd none.jsonl; ls' <<!
s.jsonl
turn
!
check 'directories are made, for the user alone' \
    'histadd a/b/s.jsonl <turn; ls -ld a/b | cut -c1-10' <<!
drwx------
!
check 'whose session it is' \
    'TURNPIPE_AGENT=one histadd a.jsonl <turn; histadd --agent two b.jsonl <turn
    head -qn 1 a.jsonl b.jsonl' <<!
{"type":"session","version":1,"id":"a","cwd":"$w","agent":"one","time":"2026-11-21T09:30:00Z"}
{"type":"session","version":1,"id":"b","cwd":"$w","agent":"two","time":"2026-11-21T09:30:00Z"}
!
cat >copy <<'!'
{"type":"session","version":1,"id":"old"}
{"role":"user","content":"hi","tp":{"n":7,"message":5,"turn":3,"time":"2026-01-01T00:00:00Z"}}
{"type":"session","version":1,"id":"older"}
!
check 'a session copied keeps its header and times, not its numbers' \
    'histadd c.jsonl <copy; cat c.jsonl' <<!
{"type":"session","version":1,"id":"old"}
{"role":"user","content":"hi","tp":{"time":"2026-01-01T00:00:00Z","n":1,"message":1,"turn":1}}
!
check 'only the first line may be one' \
    'histadd c.jsonl <copy; grep -c session c.jsonl' <<!
1
!
check 'what is temporary is not kept' \
    'echo "{\"role\":\"user\",\"content\":\"x\",\"tp\":{\"volatile\":true}}" | histadd v.jsonl
    ls v.jsonl 2>&- || echo none' <<!
none
!
check 'records pass on, what is in the log as it is there' 'histadd -p p.jsonl <turn >passed
    grep -c "\"n\":" passed; grep -v "\"n\":" passed; sed 1d p.jsonl >logged; grep "\"n\":" passed | cmp - logged; grep -c . p.jsonl' <<!
4
{"type":"section","id":"cwd","content":"/"}
{"type":"config","model":"m"}
{"type":"end"}
5
!

# A log that somebody else wrote.
printf '%s\n' '{"role":"user","content":"1"}' '{"role":"assistant","content":"2"}' >hand
check 'a log by hand goes on' \
    'echo "{\"role\":\"user\",\"content\":\"3\"}" | histadd hand; tail -n 1 hand' <<!
{"role":"user","content":"3","tp":{"n":3,"message":3,"turn":2,"time":"2026-11-21T09:30:00Z"}}
!
check 'white space and CR do no harm' \
    'printf "{ \"role\": \"user\", \"tp\": { \"a\": [1, 2] }, \"content\": \"x\" } \r\n" | histadd ws
    tail -n 1 ws' <<'!'
{ "role": "user", "tp": {"a":[1, 2],"n":1,"message":1,"turn":1,"time":"2026-11-21T09:30:00Z"}, "content": "x" }
!

# Torn last lines.
cp s.jsonl t.jsonl
printf '{"type":"mark","what":"x","n":9}' >>t.jsonl
check 'a whole last line gets its newline' 'histadd t.jsonl; tail -n 1 t.jsonl; tail -c 1 t.jsonl | wc -l' <<!
{"type":"mark","what":"x","n":9}
1
!
cp s.jsonl t.jsonl
printf '{"role":"user","content":"bro' >>t.jsonl
check 'a torn one is moved away' '
    histadd t.jsonl <turn 2>err; cat err
    jq -ce .n t.jsonl | tail -n 1; cat t.d/torn; ls -l t.d/torn | cut -c1-10' <<!
histadd: t.jsonl: torn last line (29 bytes) moved to t.d/torn
12
{"role":"user","content":"bro
-rw-------
!
printf 'ken' >>t.jsonl
check 'and the next one after it, with stderr closed' \
    'histadd t.jsonl 2>&-; cat t.d/torn; jq -e . t.jsonl | grep -c mark' <<!
{"role":"user","content":"bro
ken
3
!
printf 'nothing but this' >u.jsonl
check 'a file that was only torn begins anew' \
    'histadd u.jsonl <turn 2>&-; grep -c . u.jsonl; head -n 1 u.jsonl | cut -c1-17' <<!
5
{"type":"session"
!

# Faults.
cp s.jsonl bad.jsonl
printf '{"role":"user",}\n' >>bad.jsonl
fails 65 'a broken last line' 'histadd bad.jsonl <turn' <<!
histadd: bad.jsonl:10:16: expected a key in quotes
!
cat >broken <<'!'
{"role":"user","content":"kept"}
{"role":"user",}
{"role":"user","content":"lost"}
!
fails 65 'a broken line' 'histadd br.jsonl <broken' <<!
histadd: <stdin>:2:16: expected a key in quotes
!
check 'what came before it is kept' 'jq -r .content br.jsonl' <<!
null
kept
!
fails 65 'tp that is no object' \
    'echo "{\"role\":\"user\",\"tp\":1}" | histadd x.jsonl' <<!
histadd: <stdin>:1:21: expected an object as tp
!
cat >failed <<'!'
{"role":"assistant","content":"so fa","tp":{"partial":true}}
{"type":"error","from":"llmcall","code":75,"message":"too slow"}
{"type":"error","from":"toolrun","code":70,"message":"and more"}
{"role":"user","content":"x"}
!
fails 75 'an error is its status' 'histadd e.jsonl <failed' </dev/null
check 'and history' 'jq -c "[.type,.code,.n//.tp.n]" e.jsonl' <<!
["session",null,null]
[null,null,1]
["error",75,2]
["error",70,3]
[null,null,4]
!
fails 73 'a directory' 'histadd . <turn' <<!
histadd: .: Is a directory
!
fails 73 'a device' 'histadd /dev/null <turn' <<!
histadd: /dev/null: not a regular file
!
fails 74 'a full disk' 'histadd -p f.jsonl <turn >/dev/full' <<!
histadd: write <stdout>: No space left on device
!
cat >limit <<'!'
trap '' XFSZ
ulimit -f $((1 + ($(pwd | wc -c) + 511) / 512))
seq -f '{"role":"user","content":"%.0f and some more"}' 1000 | histadd l.jsonl
!
check 'a file that may not grow ends with a whole record' '
    sh limit >&- 2>err || echo $?; cut -d: -f1,2,4 err
    tail -c 1 l.jsonl | wc -l; jq -e . l.jsonl >/dev/null' <<!
74
histadd: write l.jsonl
1
!
sed 's/^trap.*//' limit >default
check 'SIGXFSZ as it is by default was the end of it, without a word' '
    rm -f l.jsonl; sh default >&- 2>err || echo $?; cut -d: -f1,2 err
    tail -c 1 l.jsonl | wc -l' <<!
74
histadd: write l.jsonl
1
!
check 'silence when the reader is gone' 'histadd -p h.jsonl <turn | head -n 1' <<!
{"role":"user","content":"hi","x":{"b":1.0},"tp":{"n":1,"message":1,"turn":1,"time":"2026-11-21T09:30:00Z"}}
!
check '-p, the reader is gone: the session has it all' '
    { until_ "[ -e shut ]"; sh -c "histadd -p left.jsonl <turn; echo \$? >st2"; } | { exec <&-; : >shut; }
    until_ "[ -s st2 ]"; cat st2; wc -l <left.jsonl | tr -d " "' <<!
141
5
!
check '-P: what is added, as it stands in the file' \
    'histadd -P 1 pr.jsonl <turn >out; cmp out pr.jsonl; grep -c . out
    echo "{\"role\":\"user\",\"content\":\"more\"}" | histadd --print=1 pr.jsonl |
    diff - pr.jsonl | grep -c "^<" || echo the same' <<!
5
0
the same
!
fails 74 '-P, a full disk: the session has it all' 'histadd -P 1 full.jsonl <turn >/dev/full' <<!
histadd: write <stdout>: No space left on device
!
check '-p, -P: the stream and what is added each go their way' \
    'printf "%s\n" "{\"type\":\"end\"}" | cat turn - | histadd -p -P 3 both.jsonl 3>added >all; cmp added both.jsonl; grep -c . all; tail -n 1 all' <<!
8
{"type":"end"}
!
fails 64 '-P 1: the stream is there' 'histadd -p -P 1 x.jsonl 2>&1 >&- | head -n 1 >&2; exit 64' <<!
histadd: -P: standard output has the stream
!
check '-P, the reader is gone: the session has it all' '
    { until_ "[ -e closed ]"; sh -c "histadd -P 1 gone.jsonl <turn; echo \$? >st"; } | { exec <&-; : >closed; }
    until_ "[ -s st ]"; cat st; wc -l <gone.jsonl | tr -d " "; wc -l <full.jsonl | tr -d " "'  <<!
141
5
5
!
fails 64 'no file' 'histadd <turn' <<!
histadd: expected a session file
usage: histadd [-pS] [-P fd] [-a agent] file
       histadd -p | -N [-S] [-P fd] [file]
       histadd -n | -l [-a agent]
       histadd -d | -V file
       histadd -C file ...
!
fails 64 'the session itself as input' 'histadd same.jsonl <turn; cp same.jsonl before; histadd same.jsonl <same.jsonl; st=$?; cmp same.jsonl before; exit $st' <<!
histadd: same.jsonl: expected another file than that of standard input
!
fails 64 'a name that is a path' 'histadd -n -a ../x 2>&1 >&- | head -n 1 >&2; exit 64' <<!
histadd: expected an agent's name, got '../x'
!

fails 64 '-n makes its own name' 'histadd -n name 2>&1 >&- | head -n 1 >&2; exit 64' <<!
histadd: unexpected operand 'name'
!

# What comes next.  next [RECORD...]: of a turn whose log has these records, then
# a step with those of the file step.
next() {
	printf '%s\n' '{"type":"mark","what":"retry"}' '{"role":"user","content":"go"}' "$@" >log
	rm -f next.jsonl
	TURNPIPE_PATH=$TOP/share histadd -S next.jsonl <log || :
	TURNPIPE_PATH=$TOP/share histadd -pS next.jsonl <step >logged || :
	{ TURNPIPE_PATH=$TOP/share histadd -N next.jsonl <logged || :; } |
	    msg -g why,status,tries,rounds,folds,tokens
}
answer='{"role":"assistant","content":"hi"}'
called='{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}'
result='{"role":"tool","tool_call_id":"c","content":"r"}'
retry='{"type":"mark","what":"retry","status":76,"attempt":1}'
error() { echo "{\"type\":\"error\",\"from\":\"${2-llmcall}\",\"code\":$1,\"message\":\"m\"}"; }
walk() {
	name=$1 want=$2 step=$3
	shift 3
	printf '%s\n' $step '{"type":"end"}' >step
	got=$(next "$@")
	check "next: $name" 'echo "$got"' <<!
$want
!
}
IFS='
'
check 'next: a try is a mark in the log' 'printf "%s\n" "$(error 76)" "{\"type\":\"end\"}" >step
    next >x; tail -n 1 next.jsonl' <<!
{"type":"mark","what":"retry","status":76,"attempt":1,"n":4,"time":"2026-11-21T09:30:00Z"}
!
walk 'a text is the last word' 'final 0 0 0 0 0' "$answer"
walk 'calls go round' 'calls 0 0 0 0 7' "$called$IFS"'{"type":"usage","prompt_tokens":5,"completion_tokens":2}'"$IFS$result"
walk 'a tool that must be called goes round' 'calls 0 0 0 0 0' "$answer$IFS"'{"type":"state","owed":["f"]}'
walk 'a call waits for the user' 'later 75 0 0 0 0' "$called$IFS"'{"type":"mark","what":"deferred","id":"c"}'
walk 'calls that no user was asked about' 'denied 77 0 0 0 0' "$answer" "$called" '{"role":"tool","tool_call_id":"c","content":"no","tp":{"unasked":true}}'
walk 'a call that broke off' 'broken 76 1 0 0 0' "$(error 76)"
walk 'a second time' 'broken 76 2 0 0 0' "$(error 76)" "$retry"
walk 'all tries are used' 'error 76 2 0 0 0' "$(error 76)" "$retry" "$retry"
walk 'a whole answer gives them back' 'broken 76 1 0 0 0' "$(error 76)" "$retry" "$retry" "$called" "$result"
walk 'an empty answer is tried again' 'broken 76 1 0 0 0' '{"role":"assistant","content":""}'"$IFS$(error 76 toolrun)"
walk 'and then is none' 'error 8 2 0 0 0' '{"role":"assistant","content":""}'"$IFS$(error 76 toolrun)" "$retry" "$retry"
walk 'too long: fold' 'fold 6 0 0 0 0' "$(error 6)"
walk 'too long once it is folded' 'error 6 0 0 1 0' "$(error 6)" "$(error 6)" '{"type":"summary","content":"s","through":1}'
walk 'the steps are used up' 'limit 5 0 0 0 0' "$(error 5 promptcompose)"
walk 'the money is spent' 'limit 4 0 0 0 0' "$(error 4 costguard)"
walk 'any other error' 'error 77 0 0 0 0' "$(error 77)"
walk 'the first error counts' 'error 65 0 0 0 0' "$(error 65 agentload)$IFS$(error 76)"
walk 'no answer at all' 'error 76 0 0 0 0' '{"type":"mark","what":"x"}'
walk 'rounds of --until' 'final 0 0 3 0 0' "$answer" '{"type":"mark","what":"until","status":1,"round":2}' "$answer" '{"type":"mark","what":"until","status":1,"round":3}'
unset IFS
check 'next: what passed logged is there once, results are added' \
    'echo "{\"role\":\"user\",\"content\":\"go\"}" | histadd -S once.jsonl
    echo "$called" | histadd -pS once.jsonl >step
    { cat step; echo "$result"; echo "{\"type\":\"end\"}"; } | histadd -N once.jsonl
    jq -c "[.n // .tp.n // 0, .role // .type]" once.jsonl' <<!
{"type":"next","session":"once","why":"calls","status":0,"tries":0,"rounds":0,"folds":0,"tokens":0}
[0,"session"]
[1,"user"]
[2,"assistant"]
[3,"tool"]
!

# A ring: the session record says whose log it is.
ring() { printf '{"type":"session","session":"%s","run":"%s","cwd":"/"%s}\n' "$w/$1.jsonl" "$w/$1.d" "${2-}"; }
check 'a ring: each conversation to its own log' 'for i in 1 2; do histadd -S r$i.jsonl <turn; done
    { ring r1; echo "$called"; echo "{\"type\":\"end\"}"; ring r2; echo "$answer"; echo "{\"type\":\"end\"}"
    ring gone; error 66 histfit; echo "{\"type\":\"end\"}"; } |
    TURNPIPE_RING=1 histadd -p | TURNPIPE_RING=1 histadd -N | msg -g why,session,status
    tail -qn 1 r1.jsonl r2.jsonl | jq -c "[.tp.n, .content]"; ls gone* 2>&1 | wc -l' <<!
calls r1 0
final r2 0
error gone 66
[5,null]
[5,"hi"]
1
!
check 'the time is used up: what would go on ends, and the log says so' '
    { ring r1 ",\"deadline\":1"; echo "$called"; echo "{\"type\":\"end\"}"; } | TURNPIPE_RING=1 histadd -N | msg -g why,status
    tail -n 1 r1.jsonl | jq -r .what' <<!
limit 5
interrupted
!
fails 64 'by hand a session record steers nothing' 'ring r1 | histadd -p 2>&1 | head -n 1 >&2; exit 64' <<!
histadd: expected a session file
!
fails 65 'nor a path that is not absolute' 'echo "{\"type\":\"session\",\"session\":\"x\"}" | TURNPIPE_RING=1 histadd -p >x' <<!
histadd: <stdin>:1:29: expected an absolute path
!

# Several writers: one numbering, whole lines, nothing lost.
i=0
while [ $((i += 1)) -le 4 ]; do
	seq -f '{"role":"user","content":"'$i'-%.0f"}' 500 >in$i
	histadd -S many.jsonl <in$i &
	pids="${pids-} $!"
done
for p in $pids; do wait "$p"; done
check 'many at once' '
    jq -c "[.tp.n,.tp.message,.tp.turn]" many.jsonl | sort -u | wc -l
    jq -r "select(.tp)|.content" many.jsonl | sort -u | wc -l
    jq -r "select(.type)|.type" many.jsonl
    tail -n 1 many.jsonl | jq -c "[.tp.n,.tp.message,.tp.turn]"' <<!
2001
2000
session
[2000,2000,2000]
!

# A record is there as soon as it came, and the lock is free meanwhile.
mkfifo pipe
histadd slow.jsonl <pipe &
slow=$!
exec 3>pipe
echo '{"role":"user","content":"1"}' >&3
until_ '[ -s slow.jsonl ] && [ "$(wc -l <slow.jsonl)" -ge 2 ]'
check 'another may write between two records' '
    echo "{\"type\":\"mark\",\"what\":\"skill\"}" | histadd slow.jsonl
    echo "{\"role\":\"user\",\"content\":\"3\"}" >&3; exec 3>&-
    until_ "[ \$(wc -l <slow.jsonl) -ge 4 ]"
    jq -c ".n//.tp.n//0" slow.jsonl' 3>&3 <<!
0
1
2
3
!
exec 3>&-
wait $slow

# Names.
check 'run directories' 'histadd --dir x/y.jsonl; histadd -d x/y' <<!
x/y.d
x/y.d
!
printf '{"type":"session","cwd":"/a b\\nc\\\\"}' >cwd.a
printf '%s\n' '{"type":"session","cwd":""}' '{"type":"session","cwd":"/later"}' >cwd.none
printf '{"type":"session","cwd":7}\n' >cwd.number
printf '{"type":"session","cwd":\n' >cwd.torn
: >cwd.empty
check '-C: where the first session that says so was begun' \
    'histadd -C cwd.empty cwd.torn cwd.none cwd.number cwd.a s.jsonl; histadd --cwd cwd.none cwd.empty || echo $?' <<'!'
/a b
c\
1
!
check '-C: of a session that histadd made' 'echo "{\"role\":\"user\",\"content\":\"x\"}" | histadd begun.jsonl; histadd -C begun.jsonl' <<!
$PWD
!
check '-C: a file that is not there is reported, and the next one tried' \
    'histadd -C nix begun.jsonl 2>&1' <<!
histadd: nix: No such file or directory
$PWD
!
fails 64 '-C: no file' 'histadd -C 2>&1 >&- | head -n 1 >&2; exit 64' <<!
histadd: expected a session file
!
fails 74 '-C: a full disk' 'histadd -C begun.jsonl >/dev/full' <<!
histadd: write <stdout>: No space left on device
!
mkdir .git
check 'a session made at the same TURNPIPE_NOW had another id each time' '
    at() { XDG_STATE_HOME=$PWD/$1 histadd -n | sed "s|.*/||"; }
    [ "$(at st1)" = "$(at st2)" ] || at st1
    export XDG_STATE_HOME=$PWD/st3; one=$(histadd -n); histadd "$one" <turn
    two=$(histadd -n); [ "$one" != "$two" ] && histadd "$two" <turn
    ls "${one%/*}" | grep -c "jsonl$"; (unset TURNPIPE_NOW; [ "$(histadd -n)" != "$(histadd -n)" ])' <<!
2
!
check 'names of one second are in the order in which they were made' '
    unset TURNPIPE_NOW; for i in 1 2 3 4 5; do histadd -n; done >made; sort made | cmp - made' </dev/null
check 'a new name' 'histadd --new | sed "s,.*/turnpipe/,," | sed "s,[0-9a-f]\{8\},HEX,g"' <<!
work-HEX/HEXT093000Z-HEX.jsonl
!
fails 1 'no session yet' 'histadd --last' </dev/null
check 'the last one' '
    a=$(histadd -n); histadd "$a" <turn; b=$(histadd -n -a aid); histadd "$b" <turn
    [ "$(histadd -l)" = "$a" ] && [ "$(histadd -l -a aid)" = "$b" ] && echo same' <<!
same
!

cat >three <<'!'
{"role":"user","content":"hi"}
{"role":"assistant","content":"ho","tp":{"prev":"forged"}}
{"type":"usage","prompt_tokens":3}
!
check 'a chained session goes on as one' \
    'mkdir chained; echo "chain: true" >chained/settings.yaml; TURNPIPE_PATH=chained histadd ch.jsonl <three; histadd ch.jsonl <three
    grep -c "\"prev\":\"[0-9a-f]\{64\}\"" ch.jsonl
    i=1; while [ $i -lt 7 ]; do
	h=$(sed -n ${i}p ch.jsonl | tr -d "\n" | sha256sum)
	i=$((i + 1))
	sed -n ${i}p ch.jsonl | grep -q "\"prev\":\"${h%% *}\"" || echo $i
    done
    tail -n 1 ch.jsonl | tr -d "\n" | sha256sum | cut -c 1-64 | tr -d "\n" | cmp - ch.d/head
    histadd -V ch.jsonl' <<!
6
!
check 'the setting chains new sessions' \
    'histadd --help | grep -c -e --verify
    XDG_CONFIG_HOME=$PWD/conf; export XDG_CONFIG_HOME
    mkdir -p conf/turnpipe; echo "chain: true" >conf/turnpipe/settings.yaml
    histadd set.jsonl <three; histadd -V set.jsonl' <<!
1
!
check 'each changed byte of a chained session is found, by its line' \
    'perl -e '\''
	$/ = undef; open(F, "ch.jsonl"); $all = <F>; mkdir "x.d";
	system("cp ch.d/head x.d/head");
	for ($at = 0; $at < length($all); $at += 7) {
		$b = $all; substr($b, $at, 1) ^= chr(1 << $at % 8);
		open(G, ">x.jsonl"); print G $b; close G;
		$n = 1 + (substr($all, 0, $at) =~ tr/\n//);
		$said = `histadd -V x.jsonl 2>&1`;
		print "$at: $said" if $? != 256 || $said !~ /jsonl:$n: /;
	}'\'
fails 1 'a chained session that lost its end' \
    'cp ch.d/head x.d/head; head -n 4 ch.jsonl >x.jsonl; histadd -V x.jsonl' <<!
histadd: x.jsonl:4: expected the line that was written
!
fails 66 'a session that is not chained' 'histadd -V c.jsonl' <<!
histadd: c.d/head: expected the hash of the last line
!
fails 1 'whole lines after a head, more than a writer that was killed leaves' \
    'head -n 5 ch.jsonl | tail -n 1 | tr -d "\n" | sha256sum | cut -c 1-64 | tr -d "\n" >x.d/head
    cp ch.jsonl x.jsonl; histadd -V x.jsonl' <<!
histadd: x.jsonl:6: expected the line that was written
!
check 'a writer that was killed before it wrote the head' \
    'head -n 6 ch.jsonl | tail -n 1 | tr -d "\n" | sha256sum | cut -c 1-64 | tr -d "\n" >x.d/head
    cp ch.jsonl x.jsonl; histadd -V x.jsonl 2>&1
    echo "{\"role\":\"user\",\"content\":\"on\"}" | histadd x.jsonl; histadd -V x.jsonl' <<!
histadd: x.jsonl: a writer was killed after line 6
!
