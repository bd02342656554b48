#!/bin/sh
# llmcall --to-batch and --from-batch, against a server that plays the batch
# services of OpenAI and Anthropic.  Killed at any moment, no request is paid
# twice and none is lost.
. "${0%/*}/../lib.sh"

command -v python3 >/dev/null || skip 'no python3'
TURNPIPE_PATH=$TOP/share
OPENAI_API_KEY=k3y-o
ANTHROPIC_API_KEY=k3y-a
export TURNPIPE_PATH OPENAI_API_KEY ANTHROPIC_API_KEY

# start ARGUMENT...: the services, with nothing known to them; its log ./log
start()
{
	: >log
	rm -f port
	mkfifo port
	"$PYTHON" "$TOP/t/batchserver.py" "$@" log >port 2>server.err &
	tap_pids="$tap_pids $!"
	read -r port <port || { cat server.err >&2; exit 1; }
	OPENAI_BASE_URL=http://127.0.0.1:$port/v1
	ANTHROPIC_BASE_URL=http://127.0.0.1:$port
	export OPENAI_BASE_URL ANTHROPIC_BASE_URL
}
# In place of llmcall: its process is in ./asks.
cat >asker <<\!
echo $$ >asks
exec llmcall "$@"
!
# requests MODEL TEXT...: a request each, r1 and so on.
requests()
{
	m=$1 n=0
	shift
	for t do
		n=$((n + 1))
		echo "{\"type\":\"request\",\"id\":\"r$n\",\"model\":\"$m\",\"messages\":[{\"role\":\"user\",\"content\":\"$t\"}]}"
	done
}
to() { st=0; journal -J J -- llmcall -W 0.2 -B "$@" <in >out 2>err || st=$?; [ "$st" -eq 0 ] || echo "$st"; grep '"error"' out || :; }
from() { st=0; journal -J J -- llmcall -W 0.2 -G <in >out 2>err || st=$?; [ "$st" -eq 0 ] || echo "$st"; }
# The answers, one word each.
answers() { jq -r 'select(.type == "message" or .type == "error") | [.id // empty, .content // "\(.code) \(.message)"] | join(": ")' out; }
# How often each text was worked at, where that is not once.
paid() { sed -n 's/^paid //p' log | sort | uniq -c | awk '$1 != 1'; sed -n 's/^paid //p' log | wc -l; }
clean() { rm -f J mode; : >log; }

start
for service in openai/m anthropic/m openai-responses/m; do
	p=${service%/*}
	requests $service one two three >in
	check "$p: handed over in one run, answered in the next, in order of the input" '
	    clean
	    to $p; sed "s/batch_[0-9]*/ID/" err
	    from; answers; paid
	    jq -c "select(.type == \"usage\")" out | head -n 1
	    grep -c "over" J; sed "s/batch_[0-9]*/ID/" err' <<!
llmcall: $p: batch $([ $p = anthropic ] && echo msg)ID: 3 requests handed over
r1: A one
r2: A two
r3: A three
3
{"type":"usage","id":"r1","model":"$p/m","prompt_tokens":10,"completion_tokens":5}
1
llmcall: $p: batch $([ $p = anthropic ] && echo msg)ID: in_progress, 0 of 3
llmcall: $p: batch $([ $p = anthropic ] && echo msg)ID: $([ $p = anthropic ] && echo ended || echo completed), 3 of 3
!
	check "$p: once more asks nothing and writes the same" '
	    cp out first; : >log
	    from; cmp out first; to $p; cat log'
done
requests openai/gpt-5-mini one >in
check 'the price is half of that of a call' '
    clean; to openai; from
    jq "select(.type == \"usage\").cost == (10 * 0.25 + 5 * 2) / 2000000" out
    jq "select(.hash).cost == (10 * 0.25 + 5 * 2) / 2000000" J' <<!
true
true
!

# What becomes of single requests.
for service in openai/m anthropic/m; do
	p=${service%/*}
	requests $service one 'bad 1' 'busy 1' 'expired 1' 'cancelled 1' 'lost 1' two >in
	check "$p: partly failed, expired, cancelled, lost: each is said in its place" '
	    clean; to $p; from; answers | sed "s/batch_[0-9]*/ID/; s/msgID/ID/"; paid
	    cut -c 1-12 J | grep -c id' <<!
75
r1: A one
r2: 65 400: invalid_request_error: it is bad
r3: 75 429: $([ $p = openai ] && echo invalid_request || echo rate_limit)_error: it is busy
r4: 75 batch ID: $([ $p = openai ] && echo 'This request was expired' || echo expired)
r5: 75 batch ID: $([ $p = openai ] && echo 'This request was cancelled' || echo canceled)
r6: 75 batch ID: no answer
r7: A two
7
3
!
	check "$p: the next batch has those that another try may help" '
	    : >log
	    to $p | grep -v "r2.*it is bad"; from; sed -n "s/^paid //p" log' <<!
1
75
busy 1
expired 1
cancelled 1
lost 1
!
done
requests openai/m one two >in
check 'a batch that fails as a whole is 69 for each request, with the reason' '
    clean; echo failed >mode; to openai; from; answers | sed "s/batch_[0-9]*/ID/"; to openai; from; answers' <<!
69
r1: 69 batch ID: all is too much
r2: 69 batch ID: all is too much
r1: A one
r2: A two
!

requests openai/m one 'refused 1' two 'refused 2' >in
check 'a batch refused for single lines: 65 for these, the others are handed over again' '
    clean; to openai; from; answers | sed "s/batch_[0-9]*/ID/"
    to openai | sed "s/.*\"id\":\"\(r.\).*/\1/"; from; answers | sed "s/batch_[0-9]*/ID/"; paid' <<!
75
r1: 75 batch ID: refused for another line of it
r2: 65 batch ID: no such model
r3: 75 batch ID: refused for another line of it
r4: 65 batch ID: no such model
1
r2
r4
1
r1: A one
r2: 65 batch ID: no such model
r3: A two
r4: 65 batch ID: no such model
2
!
requests openai/m one 'bad 1' >in
check 'files are deleted when their answers are in the book, not before' '
    clean; to openai; from; grep -c "DELETE /v1/files/[^/]* 200" log
    cut -c 1-11 J | tail -n 1; clean; to openai
    journal -J J -- sh -c "llmcall -W 0.1 -G 2>err | cat >kept; cat kept" <in >out 2>err2 || echo $?
    cat err | tail -n 1; grep -c DELETE log || :; answers | sed "s/batch_[0-9]*/ID/"
    : >log; from; grep -c DELETE log' <<!
1
3
{"type":"ba
1
llmcall: the answers are not in the book yet: the batches are kept
0
r1: A one
r2: 65 400: invalid_request_error: it is bad
1
3
!

# What is kept apart.
requests openai/m one two >in
check 'a run without -G does not ask what is in a batch' '
    clean; to openai
    journal -J J -- llmcall <in >out 2>/dev/null || echo $?; cat out; grep -c chat/completions log || :' <<!
75
{"type":"error","from":"journal","code":75,"message":"the command ended and left requests"}
0
!
check 'how many are in batches' 'journal -b J' <<!
not running, 0/2 answered, 2 in batches, 0 tokens
!
check 'a batch is kept until all of its requests came' '
    cp in all; head -n 1 all >in; from; answers; tail -n 1 err | sed "s/batch_[0-9]*/ID/"
    cp all in; from; answers; journal -J J -- llmcall <in 2>/dev/null | cmp - out; paid' <<!
r1: A one
llmcall: batch ID: 1 of its requests did not come: it is kept
r1: A one
r2: A two
2
!
check 'what is in no batch is 75' 'clean; from; answers' <<!
75
r1: 75 in no batch: --to-batch hands it over
r2: 75 in no batch: --to-batch hands it over
!
{
	requests openai/m one one
	requests openai/m one
} | sed 's/"id":"[^"]*",//' >in
check 'of two requests that are the same each is answered' '
    clean; to openai; from; answers; sed -n "s/^paid //p" log' <<!
A one
A one
A one
one
one
one
!
echo '{"custom_id":"b1","method":"POST","url":"/v1/chat/completions","body":{"model":"openai/m","messages":[{"role":"user","content":"x"}]}}' >in
check 'batch lines, and conversations with their end' '
    clean; to openai; from; jq -c "[.custom_id, .response.status_code, .response.body.choices[0].message.content]" out
    clean; { requests openai/m y; echo "{\"type\":\"end\"}"; } >in; to openai; from; jq -c "[.type, .content]" out' <<!
["b1",200,"A x"]
["message","A y"]
["usage",null]
["end",null]
!
requests anthropic/m one >in
check 'a model of another provider is an error; so is a provider without the service' '
    clean; to openai; to groq' <<!
78
{"type":"error","id":"r1","from":"llmcall","code":78,"message":"model 'anthropic/m': not one of openai"}
78
{"type":"error","from":"journal","code":78,"message":"the command ended and left requests"}
!
for o in '-B openai' '-G' '-B openai -G' '-G -C 1' '-B openai -n'; do
	check "usage: $o" "llmcall $o <in 2>err || echo \$?" <<!
64
!
done

# More than a batch may hold.
mkdir -p small/providers
sed 's/requests: [0-9]*/requests: 3/' "$TOP/share/providers/openai.yaml" >small/providers/openai.yaml
sed 's/bytes: [0-9]*/bytes: 66500/' "$TOP/share/providers/anthropic.yaml" >small/providers/anthropic.yaml
TURNPIPE_PATH=$PWD/small:$TOP/share
requests openai/m $(seq 8) >in
check 'as many batches as it takes, by number or by bytes; the order is that of the input' '
    clean; to openai; grep -c "handed over" err; from; answers | tr "\n" " "; paid
    clean; requests anthropic/m $(seq 8) >in
    to anthropic; grep -c "handed over" err; from; answers | tr "\n" " "; paid' <<!
3
r1: A 1 r2: A 2 r3: A 3 r4: A 4 r5: A 5 r6: A 6 r7: A 7 r8: A 8 8
2
r1: A 1 r2: A 2 r3: A 3 r4: A 4 r5: A 5 r6: A 6 r7: A 7 r8: A 8 8
!
TURNPIPE_PATH=$TOP/share

requests openai/m 'refused 1' one 'once 1' >in
check 'the loop of turnpipe-batch(7): what failed once is handed over once more' '
    clean
    while journal -J J -- llmcall -W 0.2 -B openai <in >/dev/null 2>>err
	journal -J J -- llmcall -W 0.2 -G <in >out 2>>err
	[ $? -eq 75 ]; do :; done
    answers | sed "s/batch_[0-9]*/ID/"; sed -n "s/^paid //p" log' <<!
r1: 65 batch ID: no such model
r2: A one
r3: A once 1
one
once 1
once 1
!

# Stopped between asking for a batch and learning its id.
for service in openai/m anthropic/m; do
	p=${service%/*}
	requests $service one two >in
	check "$p: killed while a batch is made: it is found again, not made twice" '
	    clean; echo hang >mode
	    journal -J J -- sh asker -B $p <in >out 2>err & pid=$!
	    until_ "grep -q made log"
	    kill -9 $pid $(cat asks); wait $pid 2>/dev/null || echo $?
	    to $p; from; answers; paid; grep -c "POST.*batches" log || :' <<!
137
r1: A one
r2: A two
2
0
!
	check "$p: killed before it was made: its requests are in the next" '
	    clean; echo drop >mode
	    to $p; to $p; from; answers; paid' <<!
69
{"type":"error","from":"journal","code":69,"message":"the command failed"}
r1: A one
r2: A two
2
!
	check "$p: the connection broke behind the request: it is found in the list" '
	    clean; echo cut >mode
	    to $p >/dev/null; from; answers; paid; grep -c cut log' <<!
r1: A one
r2: A two
2
1
!
	check "$p: 429 is waited for, 401 is the end; then it goes on" '
	    clean; echo 429 >mode; to $p; from; answers | wc -l; clean
	    echo 401 >mode; to $p; to $p; from; answers | wc -l; paid' <<!
2
77
{"type":"error","from":"journal","code":77,"message":"the command failed"}
2
2
!
done

# One of many batches.
requests openai/m other one two >in
check 'found on a later page of the list' '
    clean; echo hang >mode
    journal -J J -- sh asker -B openai <in >out 2>err & pid=$!
    until_ "grep -q made log"
    kill -9 $pid $(cat asks); wait $pid 2>/dev/null || :
    for i in 1 2 3; do requests openai/m $i | journal -J K$i -- llmcall -B openai 2>/dev/null; done
    to openai; from; answers' <<!
r1: A other
r2: A one
r3: A two
!
llmserver_stop
start -n 2 -p 2
check 'and where a page has two batches' '
    clean; echo hang >mode; rm -f K?
    journal -J J -- sh asker -B openai <in >out 2>err & pid=$!
    until_ "grep -q made log"
    kill -9 $pid $(cat asks); wait $pid 2>/dev/null || :
    for i in 1 2 3; do requests openai/m $i | journal -J K$i -- llmcall -B openai 2>/dev/null; done
    to openai; from; answers; grep -c after= log' <<!
r1: A other
r2: A one
r3: A two
1
!

seq 20 | sed 's/.*/r&: A &/' >want
check 'a batch that takes longer than -t is 75, and waits' '
    clean; to openai
    journal -J J -- llmcall -t 0.01 -G <in 2>/dev/null || echo $?; from; answers' <<!
{"type":"error","from":"journal","code":75,"message":"the command ended and left requests"}
75
r1: A other
r2: A one
r3: A two
!

# Killed again and again, at any moment.
llmserver_stop
start
TURNPIPE_PATH=$PWD/small:$TOP/share
for service in openai/m anthropic/m; do
	p=${service%/*}
	requests $service $(seq 20) >in
	check "$p: killed twenty times: each request is worked at once and answered once" '
	    clean
	    for i in 1 2 3 4 5 6 7 8 9 10; do
		{ timeout -s KILL 0.0$((i + 1)) journal -J J -- llmcall -W 0.2 -B $p <in >/dev/null || :; } 2>/dev/null
		curl -sS -m 60 "http://127.0.0.1:$port/idle"
	    done
	    until_ "[ -z \"\$(to $p)\" ]"
	    for i in 1 2 3 4 5 6 7 8 9 10; do
		{ timeout -s KILL 0.0$((i + 1)) journal -J J -- llmcall -W 0.2 -G <in >/dev/null || :; } 2>/dev/null
	    done
	    # timeout does not wait for what it kills.
	    until_ "flock -n J true"; from; paid
	    answers | cmp - want && echo same' <<!
20
same
!
done
finish
