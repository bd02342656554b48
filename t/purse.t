#!/bin/sh
# llmcall --max-cost and --max-tokens-total: it stops before, not behind.
. "${0%/*}/lib.sh"

export OPENAI_API_KEY=sk-test
mkdir -p etc/prices etc/providers
export TURNPIPE_PATH="$PWD/etc:$TOP/share"
cat >etc/prices/openai.yaml <<'!'
prices:
  - {match: "m", input: 1000, output: 1000}
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


# run FILE OPTION...: what came of each, the status, how many were sent.
run() {
	in=$1
	shift
	st=0
	n=$(sent)
	llmcall "$@" <"$in" >out || st=$?
	what out
	echo "$st, $(($(sent) - n)) sent"
}

# A call takes 100 tokens, and a prompt is guessed to have fewer than 40.
serve '{"text":"x",'"$u"',"repeat":99}'
requests 4 openai/m "$short" >in
check 'tokens: it stops before the limit is passed' 'run in -T 250 2>&1' <<!
llmcall: not sent: it may take 96 tokens, and 50 of 250 are left
r1 message
r1 usage
r2 message
r2 usage
r3 4 not sent: it may take 96 tokens, and 50 of 250 are left
r4 4 not sent: it may take 96 tokens, and 50 of 250 are left
4, 2 sent
!
check 'dollars: the same' 'run in -C 0.25 2>&1' <<!
llmcall: not sent: it may cost 0.096 dollars, and 0.05 of 0.25 are left
r1 message
r1 usage
r2 message
r2 usage
r3 4 not sent: it may cost 0.096 dollars, and 0.05 of 0.25 are left
r4 4 not sent: it may cost 0.096 dollars, and 0.05 of 0.25 are left
4, 2 sent
!
check 'a limit that all fit into' 'run in -C 0.4 -T 400 | tail -n 3' <<!
r4 message
r4 usage
0, 4 sent
!
check 'many at once wait for what was set aside to come back' \
    'run in -j 4 -T 400 | tail -n 1; run in -j 4 -T 250 2>/dev/null | tail -n 1' <<!
0, 4 sent
4, 2 sent
!
check 'a smaller one behind one that was too large is not sent either' \
    '(requests 1 openai/m ",\"max_tokens\":900"; requests 1 openai/m "$short") >big
    run big -T 500 2>/dev/null' <<!
r1 4 not sent: it may take 936 tokens, and 500 of 500 are left
r1 4 not sent: the limit is reached
4, 0 sent
!
check 'no max_tokens: 4096 until an answer was longer' \
    'requests 1 openai/m >free; run free -T 4000 2>/dev/null; run free -T 4200 | tail -n 1' <<!
r1 4 not sent: it may take 4126 tokens, and 4000 of 4000 are left
4, 0 sent
0, 1 sent
!
check 'n answers are n times as long' \
    'requests 1 openai/m "$short,\"n\":9" >nine; run nine -T 500 2>/dev/null | tail -n 1' <<!
4, 0 sent
!
for n in 9223372036854775806 1e30 59.5; do
	check "max_tokens $n is a number like others" \
	    'requests 1 openai/m ",\"max_tokens\":$n" >odd; run odd -T 100 2>/dev/null | tail -n 1' <<!
$([ $n = 59.5 ] && echo 0, 1 sent || echo 4, 0 sent)
!
done
check 'an unknown price is not 0' \
    'requests 2 openai/other "$short" >odd; run odd -C 9 2>&1; run odd -T 999 | tail -n 1' <<!
llmcall: not sent: the price of openai/other is not known
llmcall: not sent: the price of openai/other is not known
r1 78 not sent: the price of openai/other is not known
r2 78 not sent: the price of openai/other is not known
78, 0 sent
0, 2 sent
!
check 'what is not sent for want of a price changes nothing for the others' \
    'cat odd in >both; run both -j 2 -C 0.25 2>/dev/null | tail -n 3' <<!
r3 4 not sent: it may cost 0.096 dollars, and 0.05 of 0.25 are left
r4 4 not sent: it may cost 0.096 dollars, and 0.05 of 0.25 are left
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
    'run in -J book -T 250 2>/dev/null | tail -n 1
    run in -J book -T 250 2>/dev/null | tail -n 1
    run in -J book -T 350 2>/dev/null | tail -n 1
    run in -J book 2>/dev/null | tail -n 1; jq -c "select(.id) | [.code, .cost, .tokens]" book' <<!
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
    'run in -T 320 2>/dev/null | tail -n 3' <<!
r4 message
r4 usage
65, 4 sent
!
llmserver_stop
serve '{"text":"broken off","break":true}' '{"text":"x",'"$u"',"repeat":9}'
check 'an answer that broke off costs what was set aside' \
    'run in -x 0 -T 160 2>/dev/null | tail -n 3' <<!
r3 4 not sent: it may take 96 tokens, and 64 of 160 are left
r4 4 not sent: it may take 96 tokens, and 64 of 160 are left
76, 1 sent
!
llmserver_stop
serve '{"text":"broken off","break":true,"repeat":99}'
head -n 1 in >one
for o in '-T 230' '-C 0.23'; do
	check "and does so in the next run, from the journal ($o)" 'rm -f book
	    for k in 1 2 3 4; do
		run one -J book -x 0 $o 2>/dev/null | tail -n 1
	    done' <<!
76, 1 sent
76, 1 sent
4, 0 sent
4, 0 sent
!
done
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
r4 78 not sent: the price of teller/any is not known
78, 1 sent
!
