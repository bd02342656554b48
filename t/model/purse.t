#!/bin/sh
# llmcall --max-cost: it stops before, not behind.
. "${0%/*}/../lib.sh"

export OPENAI_API_KEY=sk-test
mkdir -p etc/prices etc/providers
export TURNPIPE_PATH="$PWD/etc:$TOP/share"
cat >etc/prices/openai.yaml <<'!'
prices:
  - {match: "m", input: 1000, output: 1000}
  - {match: "gpt-4o-mini", input: 1000, output: 1000}
!
sent() { wc -l <"$REQUESTS" | tr -d ' '; }
# requests N MODEL [FIELDS]: each of about 20 tokens.
requests() {
	awk -v n="$1" -v m="$2" -v f="${3-}" 'BEGIN { for (i = 1; i <= n; i++)
	    printf "{\"type\":\"request\",\"id\":\"r%d\",\"model\":\"%s\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]%s}\n", i, m, f }'
}
what() { jq -r '"\(.id) " + if .type == "error" then "\(.code) \(.message)" else "\(.type)" end' "$@"; }
short=',"max_tokens":60'
u='"usage":{"prompt_tokens":40,"completion_tokens":60}'


keep=
# run FILE OPTION...: what came of each, the status, how many were sent.
run() {
	in=$1
	shift
	st=0
	n=$(sent)
	$keep llmcall "$@" <"$in" >out || st=$?
	what out
	echo "$st, $(($(sent) - n)) sent"
}

# A call takes 100 tokens, and a prompt is guessed to have fewer than 40.
serve '{"text":"x",'"$u"',"repeat":99}'
requests 4 openai/m "$short" >in
check 'it stops before the limit is passed' 'run in -C 0.25 2>&1' <<!
llmcall: not sent: it may cost 0.092 dollars, and 0.05 of 0.25 are left
r1 message
r1 usage
r2 message
r2 usage
r3 4 not sent: it may cost 0.092 dollars, and 0.05 of 0.25 are left
r4 4 not sent: it may cost 0.092 dollars, and 0.05 of 0.25 are left
4, 2 sent
!
check 'a limit that all fit into' 'run in -C 0.4 | tail -n 3' <<!
r4 message
r4 usage
0, 4 sent
!
check 'many at once wait for what was set aside to come back' \
    'run in -j 4 -C 0.4 | tail -n 1; run in -j 4 -C 0.25 2>/dev/null | tail -n 1' <<!
0, 4 sent
4, 2 sent
!
check 'a smaller one behind one that was too large is not sent either' \
    '(requests 1 openai/m ",\"max_tokens\":900"; requests 1 openai/m "$short") >big
    run big -C 0.5 2>/dev/null' <<!
r1 4 not sent: it may cost 0.932 dollars, and 0.5 of 0.5 are left
r1 4 not sent: the limit is reached
4, 0 sent
!
check 'no max_tokens: 4096 until an answer was longer' \
    'requests 1 openai/m >free; run free -C 4 2>/dev/null; run free -C 4.2 | tail -n 1' <<!
r1 4 not sent: it may cost 4.123 dollars, and 4 of 4 are left
4, 0 sent
0, 1 sent
!
check 'n answers are n times as long' \
    'requests 1 openai/m "$short,\"n\":9" >nine; run nine -C 0.5 2>/dev/null | tail -n 1' <<!
4, 0 sent
!
for n in 9223372036854775806 1e30 59.5; do
	check "max_tokens $n is a number like others" \
	    'requests 1 openai/m ",\"max_tokens\":$n" >odd; run odd -C 0.1 2>/dev/null | tail -n 1' <<!
$([ $n = 59.5 ] && echo 0, 1 sent || echo 4, 0 sent)
!
done
check 'an unknown price is not 0' \
    'requests 2 openai/other "$short" >odd; run odd -C 9 2>&1' <<!
llmcall: not sent: the price of openai/other is not known; write it to prices/openai.yaml of ~/.config/turnpipe
r1 78 not sent: the price of openai/other is not known; write it to prices/openai.yaml of ~/.config/turnpipe
r2 78 not sent: the price of openai/other is not known; write it to prices/openai.yaml of ~/.config/turnpipe
78, 0 sent
!
check 'what is not sent for want of a price changes nothing for the others' \
    'cat odd in >both; run both -j 2 -C 0.25 2>/dev/null | tail -n 3' <<!
r3 4 not sent: it may cost 0.092 dollars, and 0.05 of 0.25 are left
r4 4 not sent: it may cost 0.092 dollars, and 0.05 of 0.25 are left
78, 2 sent
!
check 'a model named alone has a price as well' \
    'sed s,openai/,, in >bare; run bare -C 0.4 | tail -n 1; sed -n 2p out | jq -c "[.model, .cost]"' <<!
0, 4 sent
["openai/m",0.1]
!
for x in 0 -1 x ''; do
	fails 64 "-C '$x'" 'llmcall -C "$x" <in 2>&1 >/dev/null | head -n 1 >&2; llmcall -C "$x" <in 2>/dev/null' <<!
llmcall: -C $x: expected dollars
!
done

# A journal: what an earlier run spent counts.
check 'a run taken up again spends no more than the limit in all' \
    'keep="journal -J book --" run in -C 0.25 2>/dev/null | tail -n 1
    keep="journal -J book --" run in -C 0.25 2>/dev/null | tail -n 1
    keep="journal -J book --" run in -C 0.35 2>/dev/null | tail -n 1
    keep="journal -J book --" run in 2>/dev/null | tail -n 1; jq -c "select(.id) | [.code, .cost, .tokens]" book' <<!
4, 2 sent
4, 0 sent
4, 1 sent
0, 1 sent
[0,0.1,100]
[0,0.1,100]
[0,0.1,100]
[0,0.1,100]
!
llmserver_stop

# What fails costs nothing; what breaks off costs what was set aside.
serve '{"status":400,"body":{"error":{"message":"no"}}}' \
    '{"text":"x",'"$u"',"repeat":9}'
check 'a call that the server refused costs nothing' \
    'run in -C 0.32 2>/dev/null | tail -n 3' <<!
r4 message
r4 usage
65, 4 sent
!
llmserver_stop
serve '{"text":"broken off","break":true}' '{"text":"x",'"$u"',"repeat":9}'
check 'an answer that broke off costs what was set aside' \
    'run in -x 0 -C 0.16 2>/dev/null | tail -n 3' <<!
r3 4 not sent: it may cost 0.092 dollars, and 0.068 of 0.16 are left
r4 4 not sent: it may cost 0.092 dollars, and 0.068 of 0.16 are left
76, 1 sent
!
llmserver_stop
serve '{"text":"broken off","break":true,"repeat":99}'
head -n 1 in >one
check 'and does so when it is asked again, in the run and in the next' 'rm -f book
	    for k in 1 2 3 4; do
		keep="journal -J book --" run one -x 0 -C 0.23 2>/dev/null | tail -n 1
	    done' <<!
4, 2 sent
4, 0 sent
4, 0 sent
4, 0 sent
!
llmserver_stop

# A provider that tells the cost of each call.
cat >etc/providers/teller.yaml <<'!'
api: chat
base_url: http://127.0.0.1:9
base_url_env: [TELLER_BASE_URL]
tells_cost: true
!
requests 4 teller/any "$short" >in
serve '{"text":"x","usage":{"prompt_tokens":40,"completion_tokens":60,"cost":0.1},"repeat":99}'
export TELLER_BASE_URL="$URL/v1"
check 'a provider that tells: the first call shows what to expect' \
    'run in -j 4 -C 0.4 2>&1 | tail -n 1; run in -j 4 -C 0.15 2>/dev/null | tail -n 1' <<!
4, 3 sent
4, 1 sent
!
llmserver_stop
serve '{"text":"x",'"$u"',"repeat":99}'
export TELLER_BASE_URL="$URL/v1"
check 'one that did not tell is not believed again' \
    'run in -C 1 2>/dev/null | tail -n 2' <<!
r4 78 not sent: the price of teller/any is not known; write it to prices/teller.yaml of ~/.config/turnpipe
78, 1 sent
!
llmserver_stop

# Of a stream of the Messages API that broke off.
printf 'prices:\n  - {match: "m", input: 1000, output: 1000}\n' |
    tee etc/prices/anthropic.yaml >etc/prices/openai-responses.yaml
serve '{"text":"broken off","break":true,"repeat":99}'
export ANTHROPIC_BASE_URL="$URL" ANTHROPIC_API_KEY=sk-test
requests 20 anthropic/m "$short" >in
check 'the placeholder in message_start is not the usage of an answer that broke off' \
	    'run in -x 0 -C 0.2 2>/dev/null | tail -n 1; jq -c "select(.type==\"usage\")|[.prompt_tokens, .completion_tokens, .cost]" out' <<!
76, 2 sent
[10,null,null]
[10,null,null]
!
llmserver_stop
serve '{"events":[{"type":"message_start","message":{"usage":{"input_tokens":10,"output_tokens":1}}}],"repeat":99}'
export ANTHROPIC_BASE_URL="$URL"
check 'nor of one that broke off before its text: each try counts' \
    'run in -x 1 -C 0.25 2>/dev/null | tail -n 1' <<!
4, 2 sent
!
llmserver_stop

# The estimate's own number is token.c's.
N='s/cost [0-9.]* dollars/cost N dollars/'
failed='{"events":[{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"oops"},"usage":{"input_tokens":40,"output_tokens":50}}}],"headers":{"retry-after-ms":"1"}}'
serve "$failed" '{"text":"x","usage":{"input_tokens":30,"output_tokens":20}}' "$failed"
requests 1 openai-responses/m "$short" >in
check 'usage of response.failed is kept, though the next try brings the answer' \
    'run in -C 0.2 2>/dev/null; jq -c "select(.type==\"usage\")|[.prompt_tokens, .completion_tokens, .cost]" out' <<!
r1 usage
r1 message
r1 usage
0, 2 sent
[40,50,0.09]
[30,20,0.05]
!
check 'and counts: the next try must be paid for too' 'run in -C 0.18 2>/dev/null | sed "$N"' <<!
r1 usage
r1 4 not sent: it may cost N dollars, and 0.09 of 0.18 are left
4, 1 sent
!
llmserver_stop
requests 2 openai-responses/m "$short" >in
serve '{"status":200,"body":{"status":"failed","error":{"code":"bad","message":"oops"},"output":[],"usage":{"input_tokens":40,"output_tokens":50}}}'
check 'the same of a response in one piece' \
    'sed "s/\"messages\"/\"stream\":false,&/" in >whole; run whole -C 0.11 2>/dev/null | sed "$N"; jq -c "select(.type==\"usage\")|[.prompt_tokens, .completion_tokens]" out' <<!
r1 usage
r1 76 bad: oops
r2 4 not sent: it may cost N dollars, and 0.02 of 0.11 are left
76, 1 sent
[40,50]
!
llmserver_stop

# Pictures: 2 MB of base64 are no text of so many letters.
photo=$(head -c 1500000 /dev/zero | base64 -w 0)
picture() {
	printf '{"type":"request","id":"r%d","model":"%s","max_tokens":60,"messages":[{"role":"user","content":[{"type":"text","text":"what is this?"},' "$1" "$2"
	printf '{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,%s"}}]}]}\n' "$photo"
}
serve '{"text":"x",'"$u"',"repeat":99}'
picture 1 openai/m >in
check "a picture's base64 is not counted as text" \
    'run in -C 1.74
    run in -C 1.6 2>/dev/null | sed "$N;1q"' <<!
r1 message
r1 usage
0, 1 sent
r1 4 not sent: it may cost N dollars, and 1.6 of 1.6 are left
!
check "a picture takes what its model's provider says" \
    'picture 2 openai/gpt-4o-mini >in; run in -C 40 2>/dev/null | sed "$N;1q"' <<!
r2 4 not sent: it may cost N dollars, and 40 of 40 are left
!
check 'a picture in a result, and one with an address' \
    'echo "{\"type\":\"request\",\"model\":\"openai/m\",\"max_tokens\":60,\"messages\":[{\"role\":\"tool\",\"content\":[{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"data\":\"$(head -c 30000 /dev/zero | base64 -w 0)\"}},{\"type\":\"image_url\",\"image_url\":\"https://x.invalid/y.png\"}]}]}" >in
    run in -C 3 2>/dev/null | sed "$N;1q"; run in -C 3.4 | tail -n 1' <<!
null 4 not sent: it may cost N dollars, and 3 of 3 are left
0, 1 sent
!

# What a server does besides is known when it is done: from then on it counts.
printf 'prices:\n  - {match: "m", input: 1000, output: 1000}\npieces: {web_search: 0.3}\n' >etc/prices/anthropic.yaml
searched='{"body":{"type":"message","content":[{"type":"text","text":"x"}],"stop_reason":"end_turn","usage":{"input_tokens":40,"output_tokens":60,"server_tool_use":{"web_search_requests":1}}},"repeat":99}'
serve "$searched"
export ANTHROPIC_API_KEY=k ANTHROPIC_BASE_URL="$URL"
requests 4 anthropic/m "$short,\"stream\":false" >in
check 'what a call paid by the piece is set aside for the next' \
    'run in -C 0.75 2>/dev/null | sed "s/ cost [0-9.]*/ cost N/"; run in -C 1.7 | tail -n 1' <<!
r1 message
r1 usage
r2 4 not sent: it may cost N dollars, and 0.35 of 0.75 are left
r3 4 not sent: it may cost N dollars, and 0.35 of 0.75 are left
r4 4 not sent: it may cost N dollars, and 0.35 of 0.75 are left
4, 1 sent
0, 4 sent
!
