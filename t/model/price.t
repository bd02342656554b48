#!/bin/sh
# What a call costs: prices are data, and an unknown one is unknown.
. "${0%/*}/../lib.sh"

export OPENAI_API_KEY=sk-test TURNPIPE_NOW=2026-11-21T12:00:00Z
mkdir -p etc/prices
export TURNPIPE_PATH="$PWD/etc"
cat >etc/prices/openai.yaml <<'!'
prices:
  - {match: "small-*", input: 0.25, cached: 0.025, output: 2}
  - {match: "big", input: 2, cached: 0.5, cache_write: 2.5, output: 8}
  - {match: "loud", input: 1, audio_input: 10, output: 1, audio_output: 20}
  - {match: "plain", input: 1, output: 1}
  - {match: "long", up_to: 999, input: 1, output: 1}
  - {match: "long", up_to: 1000, input: 2, output: 1}
  - {match: "long", input: 3, output: 1}
!
# The server answers with these counts, one after the other.
u='"prompt_tokens":1000,"completion_tokens":100'
llmserver_start \
    '{"text":"x","usage":{'"$u"'}}' \
    '{"text":"x","usage":{'"$u"',"prompt_tokens_details":{"cached_tokens":800}}}' \
    '{"text":"x","usage":{'"$u"',"prompt_tokens_details":{"cached_tokens":400,"cache_write_tokens":200}}}' \
    '{"text":"x","usage":{'"$u"',"prompt_tokens_details":{"cached_tokens":800}}}' \
    '{"text":"x","usage":{'"$u"'}}' \
    '{"text":"x","usage":{'"$u"',"prompt_tokens_details":{"cached_tokens":8000}}}' \
    '{"text":"x","usage":{'"$u"',"cost":0.125}}' \
    '{"text":"x","usage":{"prompt_tokens":0,"completion_tokens":0}}' \
    '{"text":"x","usage":{"prompt_tokens":5}}' \
    '{"text":"x","usage":{'"$u"',"prompt_tokens_details":{"audio_tokens":400},"completion_tokens_details":{"audio_tokens":50,"accepted_prediction_tokens":7,"rejected_prediction_tokens":0}}}' \
    '{"text":"x","usage":{'"$u"',"prompt_tokens_details":{"audio_tokens":400}}}' \
    '{"text":"x","usage":{'"$u"'}}' \
    '{"text":"x","usage":{"prompt_tokens":2000,"completion_tokens":100}}' \
    '{"text":"x","usage":{'"$u"'}}'
export OPENAI_BASE_URL="$URL/v1"
request() { printf '{"type":"request","model":"openai/%s","messages":[]}\n' "$1"; }
cost() {
	request "$1" | llmcall |
	    jq -r 'select(.type == "usage") | .cost // "unknown"'
}
check 'input and output' 'cost small-1' <<!
0.00045
!
check 'the cache is cheaper' 'cost small-1' <<!
0.00027
!
check 'writing to it is dearer' 'cost big' <<!
0.0023
!
check 'without a price of its own, cached input is input' 'cost plain' <<!
0.0011
!
check 'a model that no pattern fits: unknown, not 0' 'cost other' <<!
unknown
!
check 'more cached than there was: unknown' 'cost plain' <<!
unknown
!
check 'what the provider says comes first' 'cost big' <<!
0.125
!
check 'a price for no tokens is 0' 'cost plain' <<!
0
!
check 'tokens without a count: unknown' 'cost plain' <<!
unknown
!
check 'sound has a price of its own; what was foreseen is counted' \
    'request loud | llmcall | jq -c "select(.type == \"usage\") |
	[.cost, .audio_prompt_tokens, .audio_completion_tokens,
	.accepted_prediction_tokens, .rejected_prediction_tokens]"' <<!
[0.00565,400,50,7,null]
!
check 'sound without one: unknown' 'cost plain' <<!
unknown
!
check 'a long prompt has another price' 'cost long; cost long' <<!
0.0021
0.0061
!
: >etc/prices/openai.yaml
check 'an empty file switches the list off' 'cost big' <<!
unknown
!
echo 'prices: [{match: "*", input: -1, output: 2}]' >etc/prices/openai.yaml
n=$(wc -l <"$REQUESTS")
fails 78 'a price below 0 is reported before the call' 'request m | llmcall' <<!
llmcall: $PWD/etc/prices/openai.yaml:1:30: expected at least 0, found -1
!
check 'which was not made' 'test $(wc -l <"$REQUESTS") -eq $n' </dev/null
for f in "$TOP"/share/prices/*.yaml; do
	p=${f##*/}
	check "the shipped prices of ${p%.yaml} can be read" \
	    "TURNPIPE_PATH= llmcall -n -m ${p%.yaml}/some-model <<! >/dev/null
$(request m)
!" </dev/null
done
# Searches, containers and an hour in the cache, at the shipped prices.
piece() { # MODEL BODY: what a call cost, and for what
	llmserver_start "$(printf "%s" "$2" | tr -d "\n\t")"
	export ANTHROPIC_BASE_URL="$URL" ANTHROPIC_API_KEY=k OPENAI_BASE_URL="$URL/v1"
	printf '{"type":"request","model":"%s","stream":false,"messages":[]}\n' "$1" >in
	TURNPIPE_PATH='' llmcall <in | jq -c 'select(.type == "usage")
	    | [.cost, .cache_write_tokens, .cache_write_1h_tokens, .pieces]'
}
said='"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn"'
used='"input_tokens":100,"output_tokens":10,"cache_creation_input_tokens":3000'
check 'an hour in the cache is dearer; searches are paid by the piece' \
    'piece anthropic/claude-sonnet-4-5 "{\"body\":{\"type\":\"message\",$said,
	\"usage\":{$used,\"cache_creation\":{\"ephemeral_5m_input_tokens\":1000,
	\"ephemeral_1h_input_tokens\":2000},
	\"server_tool_use\":{\"web_search_requests\":3,\"web_fetch_requests\":0}}}}"' <<!
[0.0462,3000,2000,{"web_search":3}]
!
check 'a piece without a price: unknown' \
    'piece anthropic/claude-sonnet-4-5 "{\"body\":{\"type\":\"message\",$said,
	\"usage\":{$used,\"server_tool_use\":{\"dream_requests\":1}}}}"' <<!
[null,3000,null,{"dream":1}]
!
item='{"type":"code_interpreter_call","status":"completed","container_id":"c'
check 'two programs in one container are one piece' \
    'piece openai-responses/gpt-5 "{\"body\":{\"status\":\"completed\",\"output\":[
	${item}1\",\"id\":\"a\"},${item}1\",\"id\":\"b\"},${item}2\",\"id\":\"c\"},
	{\"type\":\"web_search_call\",\"id\":\"d\"},{\"type\":\"message\",
	\"content\":[{\"type\":\"output_text\",\"text\":\"x\"}]}],
	\"usage\":{\"input_tokens\":100,\"output_tokens\":10}}}"' <<!
[0.070225,null,null,{"code_interpreter":2,"web_search":1}]
!
