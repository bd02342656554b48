#!/bin/sh
# llmcall with many requests: order, brake, batch lines.
. "${0%/*}/../lib.sh"

TURNPIPE_PATH=$TOP/share
OPENAI_API_KEY=sk-test
export TURNPIPE_PATH OPENAI_API_KEY

lines()
{
	if [ -e "$1" ]; then wc -l <"$1"; else echo 0; fi
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

requests 300 >in
requests 300 | sed 's/.*/&\n{"type":"end","id":"e"}/' >convs

# A refusal that is for all of them.
codes() { jq -r 'select(.type=="error").code' "$1" | sort | uniq -c | awk '{ print $2 "*" $1 }'; }
serve '{"status":401,"body":{"error":{"message":"bad key"}},"repeat":300}'
check 'a key that the provider refuses is shown to it twice, not 300 times' \
    'llmcall <in >out 2>err && echo 0; uniq err; sent; codes out; sed -n 300p out' <<!
llmcall: 401: bad key
llmcall: openai/m: later requests are not sent
2
77*300
{"type":"error","id":"r300","from":"llmcall","code":77,"message":"not sent: 401: bad key"}
!
serve '{"status":429,"body":{"error":{"code":"insufficient_quota","message":"pay"}},"repeat":300}'
check 'so is a quota that is used up; with jobs those under way are lost' \
    'llmcall -j 4 <in >out 2>err && echo 0; [ "$(sent)" -le 5 ] || sent; grep -c "not sent" err; codes out' <<!
1
77*300
!
no='{"status":404,"body":{"error":{"message":"no such model"}}}'
serve "$no" "$no" '{"text":"x","repeat":9}'
check 'so is a model that there is not; another model is asked' \
    '{ head -n 3 in; head -n 2 in | sed s,openai/m,openai/n,; } >two; llmcall <two 2>/dev/null >out && echo 0; sent
    codes out; grep -c "\"message\",\"id\"" out' <<!
4
78*3
2
!
no='{"status":401,"body":{"error":{"message":"busy"}}}'
serve "$no" '{"text":"x","repeat":99}'
check 'a refusal of one request is not that of the others' \
    'head -n 20 in | llmcall -j 8 2>/dev/null >out && echo 0; sent; codes out' <<!
20
77*1
!
serve "$no" "$no" '{"text":"x","repeat":99}'
check 'a bar holds for some time, then one is asked again' \
    '{ head -n 5 in; until_ "grep -q r5 out"; sleep 0.5; head -n 3 in; } | llmcall -W 0.4 2>/dev/null >out && echo 0; sent; codes out' <<!
5
77*5
!
no='{"status":403,"body":{"error":{"message":"no"}}}'
serve '{"text":"x"}' "$no" "$no" '{"text":"x"}' "$no" "$no" "$no" '{"text":"x","repeat":99}'
check 'one that was answered before stops at the third in a row' \
    'head -n 20 in | llmcall 2>/dev/null >out && echo 0; sent; codes out' <<!
7
77*18
!
check 'no key: one line' 'head -n 20 in | sed s,openai,groq, | llmcall 2>&1 >out | sed "s/write it to.*/.../"; codes out' <<!
llmcall: no key for groq: set GROQ_API_KEY, or ...
77*20
!

# A reader that waits until four are asked, whose answers are more than a pipe
# holds.
serve "{\"text\":\"$(head -c 100000 /dev/zero | tr '\0' x)\",\"repeat\":99}"
check 'a slow reader stops new requests, never bytes in flight' \
    'head -n 80 in | llmcall -j 4 -x 0 | { until_ "[ \$(sent) -ge 4 ]"; sleep 0.2; [ "$(sent)" -lt 40 ] || sent; cat; } |
    jq -r "select(.role).content | length" | uniq -c | awk "{ print \$1, \$2 }"; sent' <<!
80 100000
80
!

# Order.  Every tenth answer comes late.
slow='{"text":"x","stall_ms":40}'
quick='{"text":"x","repeat":9}'
set --
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
	set -- "$@" "$slow" "$quick"
done
serve "$@" "$@" "$@" "$@"
check 'the order of input, whoever is late' \
    'llmcall -j 32 <in >out; ids out >a; seq 300 | cmp - a; sent' <<!
300
!
check 'unordered: the same set, each usage behind its message' \
    'llmcall -u -j 32 <in >out2; ids out2 | sort -n >a; seq 300 | cmp - a
    ids out2 | cmp -s - a && echo in order
    paste - - <out2 | grep -v "^{\"type\":\"message\",\"id\":\"\(r[0-9]*\)\",.*{\"type\":\"usage\",\"id\":\"\1\"," || :
    stable <out | sort >a; stable <out2 | sort | cmp - a' </dev/null
check 'unordered: a conversation stays in one piece' \
    'llmcall -u -j 32 <convs >out3
    paste - - - <out3 | grep -v "^{\"type\":\"message\",.*{\"type\":\"usage\",.*{\"type\":\"end\",\"id\":\"e\"}" || :
    ids out3 | sort -n >a; seq 300 | cmp - a; lines out3' <<!
900
!
cat >mixed <<!
{"type":"tool","name":"a"}
$(sed -n 1p in)
{"type":"tool","name":"b"}
$(sed -n 2p in)
{"type":"end","id":"e1"}
{"type":"tool","name":"c"}
{"type":"end","id":"e2"}
$(sed -n 3p in)
{"type":"end","id":"e3"}
!
serve '{"text":"x","until":"go"}' '{"text":"x","repeat":2}'
check 'unordered: two requests of a conversation, and one without any' \
    ': >out; llmcall -u -j 8 <mixed >out & until_ "[ \$(lines out) -ge 5 ]"; : >go
    wait; cut -c1-29 out' <<!
{"type":"tool","name":"c"}
{"type":"end","id":"e2"}
{"type":"message","id":"r3","
{"type":"usage","id":"r3","mo
{"type":"end","id":"e3"}
{"type":"tool","name":"a"}
{"type":"message","id":"r1","
{"type":"usage","id":"r1","mo
{"type":"tool","name":"b"}
{"type":"message","id":"r2","
{"type":"usage","id":"r2","mo
{"type":"end","id":"e1"}
!
serve '{"text":"x","stall_ms":300}' '{"text":"x","repeat":2}'
check 'in order: the same' 'llmcall -j 8 <mixed | cut -c1-29' <<!
{"type":"tool","name":"a"}
{"type":"message","id":"r1","
{"type":"usage","id":"r1","mo
{"type":"tool","name":"b"}
{"type":"message","id":"r2","
{"type":"usage","id":"r2","mo
{"type":"end","id":"e1"}
{"type":"tool","name":"c"}
{"type":"end","id":"e2"}
{"type":"message","id":"r3","
{"type":"usage","id":"r3","mo
{"type":"end","id":"e3"}
!
mkfifo pipe
serve '{"text":"x"}' '{"text":"x","stall_ms":100}' '{"text":"x","repeat":9}'
check 'unordered: one that has begun is not mixed with others; they follow at once' '
    : >out; llmcall -u -j 8 <pipe >out & exec 9>pipe
    sed -n 1p in >&9; until_ "[ \$(lines out) -ge 2 ]"
    { sed -n 2p in; echo "{\"type\":\"end\",\"id\":\"e1\"}"
    sed -n 3p in; echo "{\"type\":\"end\",\"id\":\"e2\"}"; sed -n 4p in; } >&9
    until_ "[ \$(lines out) -ge 10 ]"; cut -c 1-29 out; exec 9>&-; wait' <<!
{"type":"message","id":"r1","
{"type":"usage","id":"r1","mo
{"type":"message","id":"r2","
{"type":"usage","id":"r2","mo
{"type":"end","id":"e1"}
{"type":"message","id":"r3","
{"type":"usage","id":"r3","mo
{"type":"end","id":"e2"}
{"type":"message","id":"r4","
{"type":"usage","id":"r4","mo
!
serve '{"text":"x"}' '{"text":"x","stall_ms":50}' '{"text":"x","until":"go2"}'
check 'nor does one under way go with it' '
    : >out; llmcall -u -j 8 <pipe >out & exec 9>pipe
    sed -n 1p in >&9; until_ "[ \$(lines out) -ge 2 ]"
    for i in 2 3; do sed -n ${i}p in; echo "{\"type\":\"end\"}"; done >&9
    exec 9>&-; until_ "[ \$(lines out) -ge 5 ]"; : >go2; wait; cut -c 1-29 out' <<!
{"type":"message","id":"r1","
{"type":"usage","id":"r1","mo
{"type":"message","id":"r2","
{"type":"usage","id":"r2","mo
{"type":"end"}
{"type":"message","id":"r3","
{"type":"usage","id":"r3","mo
{"type":"end"}
!
serve '{"text":"x","stall_ms":3600000}' '{"text":"x","repeat":9999}'
requests 2000 >many
# Those in flight when the limit is met, 4, may come on top of it.
check 'a slow first one: others wait for it, but not all of them' '
    llmcall -j 4 <many >slow & pid=$!
    until_ "[ \"\$(sent)\" -ge 128 ]"; sleep 0.2
    n=$(sent); kill -TERM $pid; wait $pid 2>/dev/null || echo $?
    [ "$n" -le 132 ] || echo "$n sent"; ids slow | head -1' <<!
143
2
!
long=$(head -c 99999 /dev/zero | tr '\0' x)
serve '{"text":"x","stall_ms":3600000}' "{\"text\":\"$long\",\"repeat\":9999}"
check 'a slow first one: of large answers fewer wait for it' '
    llmcall -j 4 <many >slow & pid=$!
    until_ "[ \"\$(sent)\" -ge 16 ]"; sleep 0.1
    n=$(sent); kill -TERM $pid; wait $pid 2>/dev/null || echo $?
    [ "$n" -le 20 ] || echo "$n sent"' <<!
143
!
# An answer that fills a pipe, then others that come while it is written.
serve "{\"text\":\"$long\"}" '{"text":"x","stall_ms":60,"repeat":7}' \
    "{\"text\":\"$long\"}" '{"text":"x","repeat":7}' "{\"text\":\"$long\",\"repeat\":99}"
slowly 'a slow reader: what came in time is not lost for it' ': >"$REQUESTS"
    { sleep $(tenths 5); cat >out; } <pipe &
    head -8 in | llmcall -j 8 -f $(tenths 3) >pipe; wait; ids out | wc -l; sent' <<!
8
8
!
serve "{\"text\":\"$long\"}" '{"text":"x","stall_ms":3600000,"repeat":9}'
check 'a second signal ends it while its output is blocked' '
    exec 9<>pipe
    llmcall -j 8 <in >pipe & pid=$!
    until_ "[ \$(sent) -ge 8 ]"; sleep 0.1
    until_ "! kill -TERM $pid 2>/dev/null" || kill -KILL $pid
    wait $pid 2>/dev/null || echo $?' <<!
143
!
rm pipe
serve '{"status":400,"body":"no","repeat":99}'
check 'a call is named by its id, whatever JSON that is' '
    for id in 123 7 null "\"\"" "{\"a\":[1]}" "\"\303\244\""; do
	printf "{\"type\":\"request\",\"id\":%b,\"model\":\"openai/m\",\"messages\":[]}\n" "$id"
    done | llmcall -j 8 2>&1 >out | sort' <<!
llmcall: "": 400: no
llmcall: 123: 400: no
llmcall: 7: 400: no
llmcall: null: 400: no
llmcall: {"a":[1]}: 400: no
llmcall: ä: 400: no
!

serve '{"text":"x","repeat":99}'
check 'after a conversation with an error others are answered' '
    { echo "{\"type\":\"error\",\"from\":\"x\",\"code\":9,\"message\":\"\"}"; head -2 convs
    sed "s/r1/r2/;2q" convs; } >failed; st=0
    llmcall -j 4 <failed >out || st=$?; echo $st; cut -c 1-29 out' <<!
9
{"type":"error","from":"x","c
{"type":"end","id":"e"}
{"type":"message","id":"r2","
{"type":"usage","id":"r2","mo
{"type":"end","id":"e"}
!
serve '{"text":"x","stall_ms":40,"repeat":99}'
{ head -3 in; echo '{"type":"tool","name":"t"}'; echo '{"bad":1}'; tail -3 in; } >bad
for o in '-j 1' '-j 8' '-u -j 8'; do
	# Those that nothing orders: r1 to r3 first.
	case $o in
	-u*) in_turn() { awk '{ print match($0, /"r[0-9]"/) ? substr($0, RSTART + 2, 1) : 9, $0 }' | sort -s -n -k 1,1 | cut -c 3-; } ;;
	*) in_turn() { cat; } ;;
	esac
	check "a bad line: what was asked before it is answered ($o)" 'st=0
	    llmcall $o <bad >out 2>err || st=$?; echo $st; cat err
	    cut -c 1-29 out | in_turn' <<!
65
llmcall: <stdin>:5:1: expected a type or a role
{"type":"message","id":"r1","
{"type":"usage","id":"r1","mo
{"type":"message","id":"r2","
{"type":"usage","id":"r2","mo
{"type":"message","id":"r3","
{"type":"usage","id":"r3","mo
{"type":"tool","name":"t"}
{"type":"error","from":"llmca
!
done
check 'a bad line in a conversation that waits for its end: no call' 'st=0
    n=$(sent); llmcall -w -j 8 <bad >out 2>err || st=$?; echo $st; cut -c 1-29 out
    echo $(($(sent) - n)) sent' <<!
65
{"type":"tool","name":"t"}
{"type":"error","from":"llmca
0 sent
!

# The brake.
slowly 'one pause for all: those under way are refused, no other is sent' \
    'tap_pids=; serve "{\"text\":\"x\",\"repeat\":100,\"stall_ms\":5}" \
	"{\"status\":429,\"headers\":{\"Retry-After\":\"$(tenths 3)\"},\"body\":{},\"repeat\":16}" "{\"text\":\"x\",\"repeat\":9999}"
    llmcall -j 16 <in >out 2>err; ids out >a; seq 300 | cmp - a
    grep -c "^llmcall: r[0-9]*: again in [0-9.]* s: 429: {}$" err; sent; llmserver_stop' <<!
16
316
!
serve '{"status":429,"headers":{"Retry-After":"0.1"},"body":{},"repeat":9999}'
check 'a server that refuses all is left alone' 'st=0
    llmcall -j 16 -W 0.5 <in >out 2>err || st=$?; echo $st
    [ "$(sent)" -le 60 ] || echo "$(sent) sent"
    ids out >a; seq 300 | cmp - a; lines out
    tail -1 out | sed "s/in [0-9]* s/in T s/; s/:[0-9]*}$/:T}/"' <<!
75
300
{"type":"error","id":"r300","from":"llmcall","code":75,"message":"not sent: the server refuses all; try again in T s","retry_after":T}
!
serve '{"status":429,"body":{},"repeat":9999}'
check 'so is one that says no time' 'st=0
    llmcall -j 16 -W 0.5 <in >out 2>err || st=$?; echo $st
    [ "$(sent)" -le 60 ] || echo "$(sent) sent"; lines out' <<!
75
300
!
serve '{"status":529,"headers":{"Retry-After":"3600"},"body":{},"repeat":9999}'
check 'with a Retry-After of an hour it does not ask 300 times' 'st=0
    llmcall -j 16 <in >out 2>err || st=$?; echo $st
    [ "$(sent)" -le 32 ] || echo "$(sent) sent"; lines out
    tail -1 out | cut -d, -f6- | sed "s,:3[56][0-9]*},:3600},"' <<!
69
300
"retry_after":3600}
!
serve '{"status":429,"headers":{"retry-after-ms":"1"},"repeat":8}' '{"text":"x","repeat":9}'
check 'with -j a refusal is no try' 'head -n 2 in | llmcall -x 0 -j 2 >out 2>/dev/null || echo $?; lines out; sent' <<!
4
10
!
serve '{"text":"x","repeat":50}' '{"text":"x","stall_ms":3600000,"repeat":99}'
check 'a server that goes and comes back: nothing is lost' '
    llmcall -x 1 -j 16 <in >out 2>err & pid=$!
    until_ "[ \$(sent) -ge 66 ]"; kill ${tap_pids##* }
    until_ "grep -q \": again in .*: Failed to connect\" err"
    "${BIN%/*}/t/llmserver" -p "${URL##*:}" -f x >port & new=$!
    wait $pid || { echo $?; cat err; }; kill $new; ids out >a; seq 300 | cmp - a
    grep -c "\"message\"" out' <<!
300
!
set --
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	set -- "$@" '{"text":"x","repeat":19}' '{"status":429,"headers":{"Retry-After":"0.01"},"body":{}}'
done
serve "$@" '{"text":"x","repeat":99}'
check '5 % refused: nothing is lost' \
    'llmcall -x 1 -j 64 <in >out 2>err; ids out >a; seq 300 | cmp - a; sent' <<!
315
!
refused='{"status":429,"headers":{"Retry-After":"0.01"},"body":{},"repeat":16}'
slowly 'refusals, answers, refusals: the second ones are not the first ones gone on' \
    'tap_pids=; serve "$refused" "{\"text\":\"x\",\"stall_ms\":150,\"repeat\":30}" "$refused" "{\"text\":\"x\",\"repeat\":270}"
    llmcall -W $((k / 4)).25 -j 16 <in >out 2>err; ids out >a; seq 300 | cmp - a; sent
    llmserver_stop' <<!
332
!
serve '{"text":"x","repeat":9}'
check '--rpm 1: one is sent, no other' '
    : >out; llmcall -j 8 --rpm 1 <in >out & pid=$!
    until_ "[ -s out ]"; sleep 0.1; kill -TERM $pid
    wait $pid 2>/dev/null || echo $?; sent; lines out' <<!
143
1
2
!
serve '{"text":"x","repeat":9999}'
check '--rpm: all come in the end' \
    'llmcall -j 64 -p 60000 <in >out; ids out | wc -l; sent' <<!
300
300
!

# Few open files.
serve '{"text":"x","repeat":9999,"stall_ms":20}'
check '-j 1000 where files are few' '(ulimit -n 128
    llmcall -j 1000 <in >out 2>err); cat err; ids out >a; seq 300 | cmp - a' <<!
llmcall: -j 1000: 96 at a time, for the limit of open files
!

# Batch lines, as a provider's batch service takes and gives them.
cat >batch <<!
{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"hi"}],"max_tokens":9}}
{"custom_id":"b","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[]}}
{"custom_id":"c","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[],"n":2}}
!
same()
{
	jq -c 'del(.id,.response.body.id,.response.body.created)'
}
two='{"body":{"id":"z","choices":[{"index":0,"message":{"role":"assistant","content":"1"},"finish_reason":"stop"},{"index":1,"message":{"role":"assistant","content":"2"},"finish_reason":"stop"}]},"headers":{"X-Request-Id":"q"}}'
serve '{"text":"x","headers":{"x-request-id":"q1"}}' \
    '{"status":400,"body":{"error":{"message":"no","type":"bad"}}}' "$two"
check 'batch lines in, batch lines out' 'st=0
    llmcall <batch >out 2>err || st=$?; echo $st; cat err; same <out' <<!
65
llmcall: 400: bad: no
{"custom_id":"a","response":{"status_code":200,"request_id":"q1","body":{"object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}},"error":null}
{"custom_id":"b","response":{"status_code":400,"body":{"error":{"message":"no","type":"bad"}}},"error":null}
{"custom_id":"c","response":{"status_code":200,"request_id":"q","body":{"choices":[{"index":0,"message":{"role":"assistant","content":"1"},"finish_reason":"stop"},{"index":1,"message":{"role":"assistant","content":"2"},"finish_reason":"stop"}]}},"error":null}
!
check 'what was sent' 'sed "s/.*\"body\"://;s/}\$//" "$REQUESTS"' <<!
{"model":"m","messages":[{"role":"user","content":"hi"}],"max_tokens":9,"stream":true,"stream_options":{"include_usage":true}}
{"model":"m","messages":[],"stream":true,"stream_options":{"include_usage":true}}
{"model":"m","messages":[],"n":2,"stream":false}
!
serve '{"body":"{\n \"choices\": [{\"message\": {\"role\": \"assistant\",\r\n \"content\": \"x\"}, \"logprobs\": {\"content\": []}, \"finish_reason\": \"stop\"}]\n}\n"}'
check 'logprobs: in one piece, as the server sent it, on one line' '
    sed "1!d; s/\"max_tokens\":9/\"logprobs\":true/" batch | llmcall >out
    sed "s/.*\"body\"://;s/}\$//" "$REQUESTS"; lines out
    jq -c .response.body.choices out' <<!
{"model":"m","messages":[{"role":"user","content":"hi"}],"logprobs":true,"stream":false}
1
[{"message":{"role":"assistant","content":"x"},"logprobs":{"content":[]},"finish_reason":"stop"}]
!
serve '{"status":400,"body":{"error":{"message":"wrong: sk-test"}}}'
check 'no key in a batch line' 'head -1 batch | llmcall >out 2>err || :; jq -r .response.body.error.message out; ! grep sk-test out' <<!
wrong: ***
!
serve '{"calls":[{"id":"c1","name":"ls","arguments":{}}],"repeat":2}'
check 'the same request, the same id' \
    'for i in 1 2; do head -1 batch | llmcall; done |
    jq -c "[.id,.custom_id,.response.body.choices[0].finish_reason]" | uniq | sed "s/req_[0-9a-f]*/ID/"' <<!
["batch_ID","a","tool_calls"]
!
check 'no answer at all is an error' 'st=0
    head -1 batch | OPENAI_BASE_URL=http://127.0.0.1:1/v1 llmcall -x 0 2>err >out || st=$?
    echo $st; jq -c "[.custom_id,.response,.error.code]" out' <<!
69
["a",null,"69"]
!
serve '{"text":"x","repeat":2}' '{"chunks":[{"data":"data: {\"choices\":[{\"delta\":{\"content\":\"part\"}}]}\n\n"},{"data":"data: [DONE]\n\n","delay_ms":3600000}]}'
check 'what broke off is no batch line' '
    for i in 1 2 3; do sed "1!d; s/\"a\"/\"a$i\"/" batch; done >three
    llmcall -j 1 <three >out & pid=$!
    until_ "[ \$(sent) -ge 3 ] && [ \$(lines out) -ge 2 ]"; sleep 0.2; kill -INT $pid
    wait $pid 2>/dev/null || echo $?; grep -c "^{\"id\":.*}$" out; lines out' <<!
130
2
2
!
for bad in '1:{"custom_id":"a","method":"GET","url":"/v1/chat/completions","body":{}}:27:expected the method POST' \
    '1:{"custom_id":"a","url":"/v1/embeddings","body":{}}:24:expected the url /v1/chat/completions' \
    '1:{"custom_id":"a","params":{}}:1:expected a body' \
    '1:{"custom_id":7,"body":{}}:14:expected a custom_id' \
    '1:{"hello":1}:1:expected a type or a role'; do
	line=${bad#1:} why=${bad##*:}
	line=${line%:*} col=${line##*:}
	line=${line%:*}
	fails 65 "bad: $line" "printf '%s\\n' '$line' | llmcall" <<!
llmcall: <stdin>:1:$col: $why
!
done

finish
