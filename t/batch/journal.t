#!/bin/sh
# journal: each request is answered once, in order, whatever is killed.
# SOAK=1 (make soak): a book of 5000 requests, killed twenty times.
. "${0%/*}/../lib.sh"

TURNPIPE_PATH=$TOP/share
OPENAI_API_KEY=sk-test
export TURNPIPE_PATH OPENAI_API_KEY

# Without those that only say that a run began.
lines()
{
	if [ -e "$1" ]; then grep -vc '^{"type":"run"' "$1" || :; else echo 0; fi
}

# requests N [TEXT]: as many request records.
requests()
{
	awk -v n="$1" -v t="${2-hi}" 'BEGIN { for (i = 1; i <= n; i++)
	    printf "{\"type\":\"request\",\"id\":\"r%d\",\"model\":\"openai/m\",\"messages\":[{\"role\":\"user\",\"content\":\"%s %d\"}]}\n", i, t, i }'
}

# ids FILE: those of the messages and errors, in order.
ids()
{
	sed -n 's/^{"type":"\(message\|error\)","id":"r\([0-9]*\)".*/\2/p' "$1"
}

serve -r '{"text":"x"}'
check 'answers of another model are not those of this one: the request says the model, or -m' '
    requests 2 >two; for o in "-m openai/a" "-m openai/a -j 2" "-m openai/b" "-x 0" "-m openai/a"; do journal -J other -- llmcall $o <two >out 2>>err; sent; done; ids out; cat err' <<!
2
2
4
6
6
1
2
journal: other: 2 answers in it are to other requests
journal: other: 4 answers in it are to other requests
journal: other: 4 answers in it are to other requests
!
check 'those of another schema are not, either' '
    echo "{\"type\":\"string\"}" >schema; n=$(sent); journal -J other -- llmcall -m openai/a -S schema <two >out 2>err || :; echo $(($(sent) - n))
    n=$(sent); journal -J other -- llmcall -m openai/c <two >out 2>err; journal -J other -k openai/c -- sh -c "exec llmcall -m openai/c" <two 2>err | cmp - out; echo $(($(sent) - n))' <<!
2
2
!
check 'another command that is not llmcall itself keeps its answers, with a warning' '
    for m in a b; do journal -J others -- sh -c "exec llmcall -m openai/$m" <two >out 2>err; done; cat err; ids out' <<!
journal: others: its answers were to another command, ["sh","-c","exec llmcall -m openai/a"]; they are kept, unless -k has another text
1
2
!
requests 300 >in
D=$TOP/t/data/journal

# The journal.  The answers as they are without a kill:
: "${SOAK:=}"
if [ -n "$SOAK" ]; then total=5000 kills=20 jobs=64; else total=400 kills=5 jobs=16; fi
requests $total >big
serve -r '{"text":"x","stall_ms":4}'
check 'a run that is not killed' \
    'llmcall -j $jobs <big >out; stable <out >whole; ids out >a; seq $total | cmp - a' </dev/null
: >"$REQUESTS"
# killed OPTION...: killed as the journal grows, then run to its end.
killed()
{
	for i in $(seq $kills); do
		was=$(lines J) grown=$((total * i / (kills + 1)))
		[ $was -lt $grown ] || grown=$((was + 1))
		journal -J J -- llmcall -j $jobs "$@" <big >out & pid=$!
		until_ "[ \$(lines J) -gt $grown ] || ! kill -0 $pid 2>/dev/null"
		kill -KILL $pid 2>/dev/null || :
		wait $pid 2>/dev/null || :
	done
	journal -J J -- llmcall -j $jobs "$@" <big >out 2>err
	grep -v 'the last line was torn' err || :
}
: >J
check "killed $kills times at -j $jobs: the same, each asked once but for those under way" '
    killed; stable <out | cmp - whole
    # The one that was killed, and the command that it left.
    [ "$(sent)" -le $((total + kills * 2 * jobs)) ] || echo "$(sent) sent"
    [ "$(sent)" -ge $total ] || echo "$(sent) sent"' </dev/null
check 'once more: no request is sent' \
    'n=$(sent); journal -J J -- llmcall -j $jobs <big >out; stable <out | cmp - whole; [ "$(sent)" -eq $n ]' </dev/null
rm J
: >"$REQUESTS"
head -40 in >some
serve '{"text":"x","repeat":9999,"stall_ms":4}'
check 'a book is for its owner alone' \
    'journal -J K -- llmcall <some >out; stat -c %a K; head -1 K; lines K' <<!
600
{"type":"journal","version":1}
41
!
tear()
{
	cp K T && truncate -s "$1" T
	n=$(sent)
	journal -J T -- llmcall <some 2>err | stable >a
	stable <out | cmp - a
	cat err
	echo $(($(sent) - n)) asked, $(lines T) lines
}
size=$(wc -c <K)
check 'a torn last line is cut off, its request asked again' 'tear -20' <<!
journal: T:42: the last line was torn: cut off
1 asked, 41 lines
!
check 'a last line without its newline is whole' 'tear -1' <<!
0 asked, 41 lines
!
check 'what comes after it is a line of its own' '
    cp K T && truncate -s -1 T; head -41 in >more; n=$(sent)
    journal -J T -- llmcall <more >/dev/null; journal -J T -- llmcall <more >/dev/null; echo $(($(sent) - n)) asked' <<!
1 asked
!
check 'a torn header' 'tear $((10 - size))' <<!
40 asked, 41 lines
!
check 'an empty book' 'tear 0' <<!
40 asked, 41 lines
!
check 'a torn line in the middle is passed over' '
    sed "3s/.\{30\}$//" K >T; n=$(sent)
    journal -J T -- llmcall <some 2>err | stable >a; stable <out | cmp - a
    sed "s/3:[0-9]*: .*: skipped/3:C: W: skipped/" err; echo $(($(sent) - n)) asked' <<!
journal: T:3:C: W: skipped
1 asked
!
check 'a book of other input: all is asked, what is left over is reported' '
    requests 40 other >others; cp K T; n=$(sent)
    journal -J T -- llmcall <others 2>err >a; cat err; ids a | wc -l
    echo $(($(sent) - n)) asked
    journal -J T -- llmcall <some 2>err | stable >a; stable <out | cmp - a; cat err' <<!
journal: T: 40 answers in it are to other requests
40
40 asked
journal: T: 40 answers in it are to other requests
!
check 'a changed request is asked anew, all where -k says that the answers depend on more' '
    sed "2s/hi/ho/" some >others; cp K T; n=$(sent)
    journal -J T -- llmcall <others >a 2>err; echo $(($(sent) - n)) asked
    journal -J T -k openai/n -- llmcall -m openai/n <some >a 2>err; echo $(($(sent) - n)) asked' <<!
1 asked
41 asked
!
check 'the same request in other words, keys in another order' '
    head -1 K >T; grep "\"r1\"" K >>T; n=$(sent)
    echo "{\"model\":\"openai/m\", \"id\":\"r1\",\"type\":\"request\",\"messages\":[{\"content\":\"hi \\u0031\",\"role\":\"user\"}]}" |
    journal -J T -- llmcall | cut -c 1-30; echo $(($(sent) - n)) asked' <<!
{"type":"message","id":"r1","r
{"type":"usage","id":"r1","mod
0 asked
!
serve '{"text":"one"}' '{"text":"two"}' '{"text":"three"}'
check 'requests that are the same are each answered' '
    rm -f T; head -1 some | sed "s/\"id\":\"r1\",//;p;p" >same
    for i in 1 2; do journal -J T -- llmcall <same | jq -r "select(.content).content"; done
    sent' <<!
one
two
three
one
two
three
3
!
serve '{"text":"x","repeat":9999,"stall_ms":4}'
fails 65 'no book: nothing is written to it' \
    'cp some T; st=0; journal -J T -- llmcall <some || st=$?; cmp some T; exit $st' <<!
journal: T:1:1: expected a book of answers
!
fails 65 'nor is a header that goes on' \
    'printf "{\"type\":\"journal\",\"version\":1}\0" >N; cp N N.was; st=0; journal -J N -- llmcall <some || st=$?; cmp N N.was; exit $st' <<!
journal: N:1:1: expected a book of answers
!
fails 73 'a book that cannot be' 'journal -J none/J -- llmcall <some' <<!
journal: none/J: No such file or directory
!
fails 73 'a device' 'journal -J /dev/null -- llmcall <some' <<!
journal: /dev/null: not a regular file
!
fails 75 'two runs, one book' '
    exec 8>T; flock 8; journal -J T -- llmcall <some' <<!
journal: T: another run has this book
!
fails 64 'no dry run' 'rm -f T; journal -J T -- llmcall -n <some' <<!
llmcall: -n: expected no journal
journal: the command ended and left requests
!
check 'the book has what a closed output did not take' '
    rm -f T; n=$(sent); journal -J T -- llmcall -j 4 <some | head -1 | cut -c 1-30
    journal -J T -- llmcall -j 4 <some | stable >a; stable <out | cmp - a
    [ $(($(sent) - n)) -le 48 ] || echo $(($(sent) - n)) asked' <<!
{"type":"message","id":"r1","r
!
check 'a full disk below the output' '
    rm -f T; st=0; journal -J T -- llmcall -j 4 <some >/dev/full 2>err || st=$?
    echo $st; cat err; n=$(sent) had=$(($(lines T) - 1))
    journal -J T -- llmcall -j 4 <some | stable >a; stable <out | cmp - a
    [ $(($(sent) - n)) -le $((44 - had)) ] || echo $(($(sent) - n)) asked, $had there' <<!
74
journal: write <stdout>: No space left on device
!
for sig in INT TERM; do
	serve '{"text":"x","repeat":12}' '{"text":"x","stall_ms":3600000,"repeat":4}' '{"text":"x","repeat":99}'
	check "SIG$sig in the middle, and on" '
	    rm -f T; journal -J T -- llmcall -j 4 <some >a & pid=$!
	    until_ "[ \$(lines T) -eq 13 ] && [ \$(sent) -eq 16 ]"; kill -'$sig' $pid
	    st=0; wait $pid 2>/dev/null || st=$?; echo $st
	    journal -J T -- llmcall -j 4 <some | stable >a; stable <out | cmp - a
	    sent' <<!
$([ $sig = INT ] && echo 130 || echo 143)
44
!
done
serve '{"text":"x","repeat":5}' '{"status":400,"body":{"error":{"message":"no"}}}' \
    '{"status":500,"body":"down"}' '{"text":"x","repeat":99}'
check 'a failure is a record and a status; only what may pass is asked again' '
    rm -f T; head -20 in >some; for i in 1 2; do st=0
	journal -J T -- llmcall -x 0 <some >out 2>err || st=$?; echo $st after $(sent)
	cut -d, -f1,2,4 out | grep error; done' <<!
69 after 20
{"type":"error","id":"r6","code":65
{"type":"error","id":"r7","code":69
1 after 21
{"type":"error","id":"r6","code":65
!

serve '{"text":"x","repeat":99,"stall_ms":4}'
cat >batch <<!
{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"hi"}],"max_tokens":9}}
{"custom_id":"b","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[]}}
!
check 'a batch and its book' 'rm -f T
    sed -n 1p batch | journal -J T -- llmcall >a; sed -n 1,2p batch | journal -J T -- llmcall >out
    head -1 out | cmp - a; lines out; sent' <<!
2
2
!
# The line on a terminal.
if script -qec true /dev/null >/dev/null 2>&1; then
	serve '{"text":"x","repeat":40,"stall_ms":30}' \
	    '{"status":400,"body":{"error":{"message":"no"}}}' \
	    '{"text":"x","repeat":9999,"stall_ms":30}'
	# screen COMMAND: what a terminal of 80 columns gets.
	screen()
	{
		TERM=xterm script -qec "$1" /dev/null </dev/null | tr '\r' '\n'
	}
	check 'how far it is, and nothing of that at the end' '
	    screen "rm -f T; journal -J T -- llmcall -j 8 <in >out" >lines
	    grep -c "^journal: [0-9]*/300, [0-9.]*/s, 1 failed, [0-9]* in flight, [0-9k]* tokens, [0-9:]* left.\[K$" lines >n
	    [ "$(cat n)" -gt 0 ] || cat lines
	    grep -v "^journal: [0-9]*/300, [0-9.]*/s," lines | tr -d "\033" | sed "s/r[0-9]*: 400/rN: 400/" | sort -u
    tail -1 lines | tr -d "\033"; echo' <<!

300 requests: 8400 tokens, 0.00 dollars and 300 of no known price; answers of at most 1228800 tokens, 0.00 dollars and 300 of no known price
[K
[Kllmcall: rN: 400: no
[K
!
fi
# A run in which one request waits for the server until the book was looked at.
serve '{"text":"x"}' '{"status":400,"body":{"error":{"message":"no"}}}' \
    '{"status":503,"body":{"error":{"message":"busy"}}}' '{"text":"x"}' \
    '{"text":"x","stall_ms":600000}'
check 'journal --status: a book that is written, and one that is not' '
    head -6 in >six; rm -f book
    journal -J book -- llmcall -x 0 -j 1 <six >out 2>err & pid=$!
    until_ "[ \$(lines book) -eq 5 ]"
    journal --status book | sed "s/[0-9.]*\/s, [0-9:]* left/RATE/"
    kill $pid; wait $pid 2>/dev/null || :
    printf "{\"id\":" >>book
    journal --status book' <<!
running, 3/6 answered, 1 failed, 1 to be asked again, 2 in flight, 30 tokens, cost of 2 not known (no price: turnpipe-prices(5)), RATE
not running, 3/6 answered, 1 failed, 1 to be asked again, 30 tokens, cost of 2 not known (no price: turnpipe-prices(5))
!
serve '{"text":"x","usage":{"prompt_tokens":1000,"completion_tokens":0}}' '{"text":"x","repeat":2}' '{"text":"x","stall_ms":600000,"repeat":99}'
check 'the books of shards, all together: what is spent, and about what will be' '
    mkdir -p prices; printf "prices:\n- {match: m, input: 1000, output: 0}\n" >prices/openai.yaml; export TURNPIPE_PATH=$PWD:$TURNPIPE_PATH
    head -n 1 in >one; sed -n 2,6p in >five; journal -J shard.1 -- llmcall <one >out
    journal -J shard.2 -- llmcall <five >out & pid=$!
    until_ "[ \$(lines shard.2) -eq 3 ]"
    journal --status "shard.*" | sed "s/[0-9.]*\/s, [0-9:]* left/RATE/"
    kill $pid; wait $pid 2>/dev/null || :' <<!
1 of 2 running, 3/6 answered, 3 in flight, 1030 tokens, \$1.02 of about \$2.04, RATE
!
needs pty check 'on a terminal the line moves while a book is in use' '
    journal -J shard.2 -- llmcall <five >out 2>err & pid=$!
    until_ "[ \$(grep -c run shard.2) -eq 2 ]"
    TERM=xterm script -qfec "journal --status shard.2" lines >/dev/null </dev/null & view=$!
    until_ "[ \$(tr \"\\r\" \"\\n\" <lines | grep -c ^running) -gt 1 ]"; kill $pid; wait $pid 2>/dev/null || :; wait $view
    tr "\r" "\n" <lines | grep running | tail -n 1 | cut -d, -f 1,2' <<!
not running, 2/5 answered
!
# The second run's only request waits: all that is answered is older.
serve '{"text":"x","repeat":3}' '{"text":"x","stall_ms":600000}'
check 'a book of two inputs had more answers than requests, and a rate of both' '
    head -3 in >three; sed -n 4p in >four; rm -f book
    journal -J book -- llmcall -j 1 <three >out
    journal -J book -- llmcall -j 1 <four >out 2>err & pid=$!
    until_ "[ \$(grep -c \"\\\"run\\\"\" book) -eq 2 ]"
    journal --status book
    kill $pid; wait $pid 2>/dev/null || :' <<!
running, 3 answered, 45 tokens, cost of 3 not known (no price: turnpipe-prices(5))
!
fails 65 'the status of something else' 'journal --status in' <<!
journal: in:1:1: expected a book of answers
!
fails 66 'the status of nothing' 'journal --status none' <<!
journal: none: No such file or directory
!
# A book that llmcall kept itself, when it did: what was paid is not paid again.
serve '{"text":"again","repeat":9}'
check 'a book of before is read: only what may pass is asked again' '
    cp "$D/book" B; st=0; journal -J B -- llmcall <"$D/requests" >out 2>err || st=$?; echo $st
    cat err; sent; jq -r "(.custom_id // .id // \"-\" | tostring) + \" \" + (.content // .response.body.choices[0].message.content // \"\(.code)\")" out | grep -v null
    journal -J B -- llmcall <"$D/requests" | cmp - out; sent' <<!
1
1
r1 A1
2 A2
- A3
- A4
b1 A5
several A6
bad 65
down again
1
!
serve '{"text":"x","repeat":999}'
check 'an id that is there twice is refused before the first request' '
    { head -n 5 in; head -n 3 in; } >twice; n=$(sent); rm -f T; st=0
    journal -J T -- llmcall <twice 2>&1 >/dev/null || st=$?; echo $st; echo $(($(sent) - n)) sent; [ -e T ] || echo no book' <<!
journal: <stdin>:6: the id "r1" is that of line 1
65
0 sent
no book
!
check 'what llmcall --check finds ends the run before anything is asked' '
    n=$(sent); rm -f T; { head -n 5 in; sed -n "6,7s/openai/anthropic/p" in; } >mixed; st=0
    journal -J T -- llmcall <mixed 2>err >out || st=$?; echo $st; echo $(($(sent) - n)) sent; sed "s/: set .*//" err' <<!
77
0 sent
llmcall: <stdin>:6: no key for anthropic
journal: nothing was asked
!
fails 78 'llmcall --check: number, tokens, price; a line of each kind of fault, and nothing is sent' '
    n=$(sent); st=0; mkdir -p prices; printf "prices:\n- {match: m, input: 1000, output: 10000}\n" >prices/openai.yaml
    { head -n 2 in; sed -n "3,4s|openai/m|openai/dear|p" in; sed -n 5p in | sed "s/\"messages\"/\"max_tokens\":9,&/"; } >some5
    TURNPIPE_PATH=$PWD:$TURNPIPE_PATH llmcall --check -C 1 <some5 >sums || st=$?; [ $(sent) -eq $n ]; cat sums >&2; exit $st' <<!
llmcall: <stdin>:3: the price of openai/dear is not known
llmcall: these may cost more than the 1 of -C
5 requests: 145 tokens, 0.09 dollars and 2 of no known price; answers of at most 16393 tokens, 82.01 dollars and 2 of no known price
!
check 'nor is it run where all is answered' '
    rm -f T; head -n 5 in >five; journal -J T -- llmcall <five >out; OPENAI_BASE_URL= OPENAI_API_KEY= journal -J T -- llmcall <five | cmp - out' </dev/null
check 'before a script of a few lines, and one that writes only at its end' '
    q="if .type == \"request\" then {type: \"message\", id, role: \"assistant\", content: \"A\"} else . end"
    rm -f T; journal -J T -- jq -c "$q" <in >out; ids out >a; seq 300 | cmp - a
    rm -f T; journal -J T -- sh -c "jq -c \"\$1\" >all; cat all" - "$q" <in >out; ids out | cmp - a' </dev/null
check 'a filter between it and llmcall' "
    rm -f T; journal -J T -- sh -c 'sed -u s/hi/ho/ | llmcall -j 8' <in >out; ids out >a; seq 300 | cmp - a
    tail -n 300 \"\$REQUESTS\" | grep -c 'ho [0-9]'" <<!
300
!
check 'input without end gets its answers at once' '
    mkfifo pipe; rm -f T; : >out; journal -J T -- llmcall -j 4 <pipe >out & exec 9>pipe
    for i in 1 2 3; do sed -n ${i}p in >&9; until_ "[ \$(ids out | wc -l) -eq $i ]"; done
    exec 9>&-; wait; ids out' <<!
1
2
3
!
serve -r '{"text":"x","stall_ms":4}'
check 'a command that is killed is started again for what it left' '
    rm -f T; journal -J T -- sh -c "echo \$\$ >>pids; exec llmcall -j 8" <in >out & p=$!
    for i in 1 2 3; do
	until_ "[ \$(lines T) -gt $((i * 60)) ]"; kill -9 $(tail -n 1 pids)
	until_ "[ \$(lines pids) -gt $i ]"
    done
    wait $p; ids out >a; seq 300 | cmp - a; lines pids' <<!
4
!
serve '{"text":"x","stall_ms":600000,"repeat":9}'
check 'after kill -9 of the journal its llmcall ends at once, though no answer comes' '
    rm -f T pids; journal -J T -- sh -c "echo \$\$ >pids; exec llmcall -j 4" <in >out & p=$!
    until_ "[ \$(sent) -eq 4 ]"; kill -9 $p; wait $p 2>/dev/null || :
    until_ "! kill -0 $(cat pids)"' </dev/null
serve '{"text":"x"}' '{"text":"broken off","break":true,"repeat":2}' '{"text":"x","repeat":99}'
check 'what broke off is asked again in the run: it was not shown yet' '
    rm -f T; head -n 3 in | journal -J T -- llmcall 2>/dev/null >out; ids out; sent; grep -c error out || :' <<!
1
2
3
5
0
!
for bad in '{"type":"message","id":"x","role":"assistant","content":"A"}' nonsense; do
	fails 76 "a command that writes: $bad" "rm -f T; head -n 1 in | journal -J T -- sh -c 'cat >/dev/null; echo \"\$1\"' - '$bad' 2>err; s=\$?; [ -s err ]; exit \$s"
done
for in in in batch; do
	fails 76 "a request that comes back is no answer ($in)" "rm -f T; head -n 1 $in | journal -J T -- cat >out; st=\$?; [ \$(lines T) -eq 1 ] && exit \$st" <<!
journal: the command gave the request "$([ $in = in ] && echo r1 || echo a)" back, which is no answer
!
done
fails 66 'no such command' 'rm -f T; head -n 1 in | journal -J T -- no-such-command' <<!
journal: no-such-command: No such file or directory
!
fails 65 'a failure that comes with the input is no answer' '
    echo "{\"type\":\"error\",\"code\":65,\"message\":\"bad\"}" | journal -J T -- false >out'
# A request that always gets 500, wherever it is.
cat >poison <<\!
while read -r l; do
	case $l in
	*poison*) i=${l#*'"id":"'} i=${i%%'"'*}; echo '{"type":"error","id":"'"$i"'","code":69,'"${s-}"'"message":"500"}'; s='' ;;
	*'"request"'*) i=${l#*'"id":"'} i=${i%%'"'*}; echo '{"type":"message","id":"'"$i"'","role":"assistant","content":"A"}' ;;
	*) echo "$l" ;;
	esac
done
!
sed '150s/hi/poison/' in >poisoned
check 'one that always fails is given up: all others are answered, it is in a file' '
    rm -f T; st=0; journal -J T -g 2 -e failed.jsonl -- sh poison <poisoned >out || st=$?; echo $st
    ids out >a; seq 300 | cmp - a; grep -c content\":\"A out; sed -n 150p poisoned | cmp - failed.jsonl
    st=0; journal -J T -e failed.jsonl -- sh poison <poisoned | cmp - out; sed -n 150p poisoned | cmp - failed.jsonl' <<!
1
299
!
check 'over runs too, where it is the only one left' '
    rm -f T; st=0; journal -J T -- sh poison <poisoned >out || st=$?; echo $st
    journal -J T -g 2 -e failed.jsonl -- sh poison <poisoned >out || echo $?; cat failed.jsonl | wc -l' <<!
69
1
1
!
check 'nor is one given up that failed once and whose server is down now' '
    rm -f T; st=0; export s="\"status\":500,"; head -n 150 poisoned >last
    journal -J T -g 2 -e failed.jsonl -- sh -c "[ ! -e once ] || s=; : >once; . ./poison" <last >out || st=$?; echo $st; cat failed.jsonl' <<!
69
!
check 'a server that is down buries nothing' '
    rm -f T; sed "s/hi/poison/" in >all; st=0; journal -J T -g 1 -e failed.jsonl -- sh poison <all >out || st=$?; echo $st
    cat failed.jsonl' <<!
69
!
serve '{"text":"x","repeat":9}' '{"status":401,"body":{"error":{"message":"bad key"}},"repeat":300}'
check 'nor does a wrong key' '
    rm -f T; st=0; journal -J T -g 1 -e failed.jsonl -- llmcall -j 4 <in >out 2>/dev/null || st=$?; echo $st; cat failed.jsonl' <<!
77
!
check 'offline: what the book has, which stays as it is; 75 for the rest, and no key is wanted' '
    n=$(sent); st=0; cp T was; chmod a-w T; exec 9<T; flock 9
    env -u OPENAI_API_KEY journal -oJ T -- llmcall <in >out 2>err || st=$?; echo $st; cat err; cmp T was
    chmod u+w T; exec 9<&-; ids out >a; seq 300 | cmp - a
    grep -c "\"code\":75" out; echo $(($(sent) - n))
    journal -oJ T <batch 2>/dev/null | jq -c "[.custom_id, .error.code]" | head -n 1' <<!
75
journal: T: no answer in it to 291 of 300 requests, first "r10"
291
0
["a","75"]
!
fails 66 'offline, no book' 'journal -oJ none <in' <<!
journal: none: No such file or directory
!
# In the driver, in place of llmcall.
serve '{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"notes"}}]}' \
    '{"text":"Two lines."}' '{"text":"Half","finish":"length"}'
mkdir tree tree/.git
printf 'one\ntwo\n' >tree/notes
turns()
{
	turnpipe -F -m openai/test -s "$PWD/$1.jsonl" 'how many?'
	turnpipe -F -m openai/test -s "$PWD/$1cut.jsonl" cut 2>/dev/null || echo "= $?"
	sent
}
check 'a frozen turn, tools and all, is played without a model, whatever its session' '
    cd tree; export TURNPIPE_NOW=frozen; TURNPIPE_CALL="journal -J '"'the book'"' -- llmcall" turns a
    export TURNPIPE_CALL="journal -oJ '"'the book'"' -- llmcall"; unset OPENAI_API_KEY; turns b
    for f in a b; do jq -c "del(.time,.id,.ms,.ms_first,.request_id,.n,.tp)" $f.jsonl | tail -n +2 >$f; done; cmp a b
    grep -c hash "the book"' <<!
Two lines.
Half
= 7
3
Two lines.
Half
= 7
3
3
!
serve '{"text":"Hello."}'
needs pty check 'on a terminal, too' '
    export TURNPIPE_NOW=frozen
    for o in "" -o; do
	TURNPIPE_SHOW=0 TURNPIPE_CALL="journal $o -J shown -- llmcall" script -qec "turnpipe -F -m openai/test Hi" /dev/null </dev/null
    done | tr -d "\r"; sent' <<!
Hello.
Hello.
1
!
serve -r '{"text":"x"}'
cat >colder <<\!
/"type":"request"/ {
	if (/"temperature":/)
		sub(/"temperature":[0-9.]*/, "\"temperature\":0")
	else
		sub(/"type":"request"/, "&,\"temperature\":0")
}
{ print; fflush() }
!
check 'a filter of ten lines stands between journal and llmcall: order, marks and book are the same' '
    rm -f T; journal -J T -- sh -c "awk -f colder | llmcall -j 4" <in >out; ids out >a; seq 300 | cmp - a
    sent; jq .body.temperature "$REQUESTS" | uniq; journal -b T | cut -c 1-30; journal -J T -- llmcall <in 2>/dev/null | cmp - out; sent' <<!
300
0
not running, 300/300 answered,
300
!
finish
