#!/bin/sh
# The traps of Chat Completions, on the wire.
. "${0%/*}/../lib.sh"

TURNPIPE_PATH=$TOP/share
OPENAI_API_KEY=sk-test-0123456789
export TURNPIPE_PATH OPENAI_API_KEY
req='{"type":"request","id":"r1","model":"openai/m","messages":[{"role":"user","content":"hi"}]}'
printf '%s\n' "$req" >req

serve()
{
	llmserver_start "$@"
	OPENAI_BASE_URL=$URL/v1
	DEEPSEEK_BASE_URL=$URL/v1
	export OPENAI_BASE_URL DEEPSEEK_BASE_URL
}

# What came, in a line: the content, the calls as NAME(ARGUMENTS)#ID, what
# else the message has; then the status, and how many requests there were.
short='
if type == "string" then .
elif .role then
    [.content, (.tool_calls // [] | .[] |
	"\(.function.name)(\(.function.arguments))#\(.id)" +
	(del(.function, .id, .type) | if . == {} then "" else tojson end)),
     (del(.type, .id, .role, .content, .tool_calls) | select(. != {}))]
    | map(if type == "string" then . else tojson end) | join(" | ")
elif .type == "error" then "error \(.code): \(.message)"
else empty end'
asked()
{
	st=0
	llmcall -x "${tries-1}" -i 60 -f 60 "$@" <req >out 2>err || st=$?
	cat out
	printf '"%d after %d"\n' $st "$(wc -l <"$REQUESTS")"
}
said()
{
	asked "$@" | jq -r "$short"
}

# trap_ NAME WANT LINE...: one request's answer; $ parts lines of WANT.  They
# are looked at at the end, by one jq.
traps=0
trap_()
{
	traps=$((traps + 1))
	printf '%s\n' "$1" >name.$traps
	printf '%s\n' "$2" >want.$traps
	shift 2
	serve "$@"
	asked >>all
}
trapped()
{
	jq -r "$short" all | awk 'BEGIN { n = 1 } { print >("got." n) }
	    /^[0-9]+ after [0-9]+$/ { close("got." n++) }'
	sed -i 's/[$]/\n/g' want.*
	n=0
	while [ $((n += 1)) -le $traps ]; do
		check "$(cat name.$n)" "cat got.$n" <want.$n
	done
}

# events EVENT...: a stream of them and its end.
events()
{
	printf '{"events":['
	printf '%s,' "$@"
	printf '"[DONE]"]}'
}
# d DELTA: a chunk; c CALL...: one with pieces of calls.
d()
{
	printf '{"choices":[{"index":0,"delta":%s}]}' "$1"
}
c()
{
	s=
	printf '{"choices":[{"index":0,"delta":{"tool_calls":['
	for p; do
		printf '%s%s' "$s" "$p"
		s=,
	done
	printf ']}}]}'
}
# f MORE: the last chunk.
f()
{
	printf '{"choices":[{"index":0,"delta":{},"finish_reason":%s}]%s}' "$1" "${2-}"
}
stop=$(f '"stop"')
soon='"headers":{"retry-after-ms":"1"}' # the next try

trap_ 'by index, in turns' 'null | f({})#a | g({"x":1})#b$0 after 1' "$(events \
    "$(c '{"index":0,"id":"a","function":{"name":"f","arguments":""}}')" \
    "$(c '{"index":1,"id":"b","function":{"name":"g","arguments":"{\"x\""}}')" \
    "$(c '{"index":0,"function":{"arguments":"{}"}}')" \
    "$(c '{"index":1,"function":{"arguments":":1}"}}')" "$(f '"tool_calls"')")"
trap_ 'index 0 for all: a new id is a new call' 'null | f({})#a | f({})#b$0 after 1' "$(events \
    "$(c '{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}')" \
    "$(c '{"index":0,"id":"b","function":{"name":"f","arguments":"{}"}}')" "$(f '"tool_calls"')")"
trap_ 'index 0 for all, no ids: a new name behind whole arguments' 'null | f({})#call_0 | g({})#call_1$0 after 1' "$(events \
    "$(c '{"index":0,"function":{"name":"f","arguments":"{}"}}')" \
    "$(c '{"index":0,"function":{"name":"g","arguments":"{}"}}')" "$stop")"
trap_ 'no index: by id, else the one that is open' 'null | f({"a":1})#a$0 after 1' "$(events \
    "$(c '{"id":"a","function":{"name":"f","arguments":"{\"a\""}}')" \
    "$(c '{"function":{"arguments":":"}}')" \
    "$(c '{"id":"a","function":{"arguments":"1}"}}')" "$stop")"
printf '%s\n' "$(printf %s "$req" | sed 's/\]}$/,{"role":"assistant","content":null,"tool_calls":[{"id":"call_0","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_0","content":"ok"}]}/')" >req2
serve "$(events "$(c '{"index":0,"function":{"name":"f","arguments":"{}"}}')" "$stop")"
check 'a missing id is made, another one than those in the history' 'cp req2 req; said' <<!
null | f({})#call_1
0 after 1
!
printf '%s\n' "$req" >req
trap_ 'two calls under one id get two' 'null | f({})#a | g({})#call_1 | h({})#call_2$0 after 1' "$(events \
    "$(c '{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}' '{"index":1,"id":"a","function":{"name":"g","arguments":"{}"}}' '{"index":2,"id":"call_1","function":{"name":"h","arguments":"{}"}}')" "$stop")"
trap_ 'the name repeated with each piece' 'null | ls({})#a$0 after 1' "$(events \
    "$(c '{"index":0,"id":"a","function":{"name":"ls","arguments":"{"}}')" \
    "$(c '{"index":0,"function":{"name":"ls","arguments":"}"}}')" "$stop")"
trap_ 'the name in pieces' 'null | read_file({})#a$0 after 1' "$(events \
    "$(c '{"index":0,"id":"a","function":{"name":"read"}}')" \
    "$(c '{"index":0,"function":{"name":"_file","arguments":"{}"}}')" "$stop")"
trap_ 'arguments as an object' 'null | f({"n":1.0})#a$0 after 1' "$(events \
    "$(c '{"index":0,"id":"a","function":{"name":"f","arguments":{"n":1.0}}}')" "$stop")"
trap_ 'no arguments at all' 'null | f({})#a$0 after 1' "$(events \
    "$(c '{"index":0,"id":"a","function":{"name":"f","arguments":""}}')" "$stop")"
trap_ 'all of the arguments once more at the end' 'null | f({"a":1})#a$0 after 1' "$(events \
    "$(c '{"index":0,"id":"a","function":{"name":"f","arguments":"{\"a\":"}}')" \
    "$(c '{"index":0,"function":{"arguments":"1}"}}')" \
    "$(c '{"index":0,"id":"a","function":{"name":"f","arguments":"{\"a\":1}"}}')" "$stop")"

# 4.1.3 is in llmcall-args.t.

for why in stop end eos '' tool_calls function_call; do
	trap_ "calls count, whatever the reason: '$why'" 'null | f({})#a$0 after 1' "$(events \
	    "$(c '{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}')" "$(f "\"$why\"")")"
done
trap_ 'an empty finish reason does not count' 'ha | {"tp":{"partial":true}}$error 76: the answer broke off$76 after 1' \
    "{\"events\":[$(d '{"content":"ha"}'),$(f '""')]}"
trap_ 'a finish reason of null does not count' 'ha | {"tp":{"partial":true}}$error 76: the answer broke off$76 after 1' \
    "{\"events\":[$(d '{"content":"ha"}'),$(f null)]}"
trap_ 'error as a reason, then an answer' 'x$0 after 2' "{$soon,\"events\":[$(f '"error"')]}" '{"text":"x"}'
trap_ 'length with half arguments: no call' ' | {"tp":{"partial":true,"dropped_calls":1}}$error 7: the answer stopped at the length limit$7 after 1' "$(events \
    "$(c '{"index":0,"id":"a","function":{"name":"f","arguments":"{\"a"}}')" "$(f '"length"')")" 
trap_ 'model_context_window_exceeded' 'ha | {"tp":{"partial":true}}$error 6: the context window is full$6 after 1' \
    "$(events "$(d '{"content":"ha"}')" "$(f '"model_context_window_exceeded"')")"
trap_ 'content null first, role null' 'x$0 after 1' "$(events "$(d '{"role":null,"content":null}')" "$(d '{"content":"x"}')" "$stop")"
trap_ 'content as parts' 'ab$0 after 1' "$(events "$(d '{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}')" "$stop")"
trap_ 'content [] next to calls' 'null | f({})#a$0 after 1' "$(events "$(d '{"content":[],"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}')" "$stop")"
trap_ 'no content, in one piece' 'null | f({})#a$0 after 1' \
    '{"body":{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}}'
trap_ 'choices [] before and behind' 'x$0 after 1' "$(events '{"choices":[],"prompt_filter_results":[]}' "$(d '{"content":"x"}')" "$stop" '{"choices":[],"usage":{"prompt_tokens":1}}')"
trap_ 'of several answers the first' 'ab$0 after 1' "$(events "$(d '{"content":"a"}')" '{"choices":[{"index":1,"delta":{"content":"other"}}]}' '{"choices":[{"index":1,"delta":{"content":"other"}},{"index":0,"delta":{"content":"b"}}]}' "$stop")"
trap_ 'refusal has its own place' ' | {"refusal":"I cannot"}$error 3: the model refused: I cannot$3 after 1' "$(events "$(d '{"refusal":"I can"}')" "$(d '{"refusal":"not"}')" "$stop")"

# usage NAME WANT LINE
usage()
{
	serve "$3"
	check "$1" 'llmcall <req | jq -c "select(.type == \"usage\") | [.prompt_tokens, .completion_tokens, .cached_tokens, .cache_write_tokens, .reasoning_tokens, .cost]"' <<!
$2
!
}
usage 'usage behind an empty choices' '[9,2,4,null,1,null]' "$(events "$(d '{"content":"x"}')" "$stop" \
    '{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":1}}}')"
usage 'Moonshot: in the choice' '[9,2,null,null,null,null]' "$(events '{"choices":[{"delta":{"content":"x"},"finish_reason":"stop","usage":{"prompt_tokens":9,"completion_tokens":2}}]}')"
usage 'Groq: in x_groq' '[9,2,null,null,null,null]' "$(events "$(d '{"content":"x"}')" "$(f '"stop"' ',"x_groq":{"usage":{"prompt_tokens":9,"completion_tokens":2}}')")"
usage 'llama.cpp: timings' '[null,null,7,null,null,null]' "$(events "$(d '{"content":"x"}')" "$(f '"stop"' ',"timings":{"cache_n":7,"prompt_n":2}')")"
usage 'DeepSeek: cache hits' '[9,2,5,null,null,null]' "$(events "$(d '{"content":"x"}')" "$(f '"stop"' ',"usage":{"prompt_tokens":9,"completion_tokens":2,"prompt_cache_hit_tokens":5}')")"
usage 'OpenRouter: cache writes and what it cost' '[9,2,null,3,null,0.5]' "$(events "$(d '{"content":"x"}')" "$(f '"stop"' ',"usage":{"prompt_tokens":9,"completion_tokens":2,"prompt_tokens_details":{"cache_write_tokens":3},"cost":0.5}')")"
usage 'xAI: thoughts beside the completion are of it; the cost in ticks' '[32,103,6,null,94,0.25]' "$(events "$(d '{"content":"x"}')" "$(f '"stop"' ',"usage":{"prompt_tokens":32,"completion_tokens":9,"total_tokens":135,"prompt_tokens_details":{"cached_tokens":6},"completion_tokens_details":{"reasoning_tokens":94},"cost_in_usd_ticks":2500000000}')")"
usage 'Gemini: thoughts in the total alone, in each chunk' '[7,509,null,null,500,null]' "$(events "$(printf '{"choices":[{"delta":{"content":"x"}}],"usage":{"prompt_tokens":7,"completion_tokens":1,"total_tokens":208}}')" "$(f '"stop"' ',"usage":{"prompt_tokens":7,"completion_tokens":9,"total_tokens":516}')")"
usage 'none: unknown, not 0' '[null,null,null,null,null,null]' "$(events "$(d '{"content":"x"}')" "$stop")"
trap_ 'stream_options refused: once more without' 'x$0 after 2' '{"status":400,"body":{"error":{"message":"Unrecognized request argument: stream_options"}}}' '{"text":"x"}'
check 'once stream_options is refused, it alone is left out' 'jq -c "[.body.stream, .body.stream_options]" "$REQUESTS"' <<!
[true,{"include_usage":true}]
[true,null]
!
check 'no padding from OpenAI itself' 'unset OPENAI_BASE_URL; llmcall -n <req | tail -1 | jq -c .stream_options' <<!
{"include_usage":true,"include_obfuscation":false}
!

for name in reasoning_content reasoning reasoning_text; do
	serve "$(events "$(d "{\"$name\":\"I \"}")" "$(d "{\"$name\":\"think\",\"reasoning_details\":[{\"a\":1}]}")" "$(d '{"content":"x","reasoning_details":[{"b":2.0}]}')" \
	    "$(c '{"index":0,"id":"a","extra_content":{"g":{"s":"x"}},"function":{"name":"f","arguments":"{}"}}')" "$stop")"
	check "$name goes back under the same name, what is not known verbatim" 'llmcall <req >out
	    { printf "{\"type\":\"request\",\"messages\":["; head -1 out | tr -d "\n"; printf "]}\n"; } |
	    llmcall -n -m openai/m | tail -1 | sed "s/.*\"messages\":.//; s/.,\"stream.*//"' <<!
{"role":"assistant","content":"x","$name":"I think","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"g":{"s":"x"}}}],"reasoning_details":[{"a":1},{"b":2.0}]}
!
done
trap_ 'two names alike: once' 'x | {"reasoning":"think"}$0 after 1' "$(events "$(d '{"reasoning":"think","reasoning_text":"think"}')" "$(d '{"content":"x"}')" "$stop")"
check 'DeepSeek wants it on every assistant message' 'echo "{\"type\":\"request\",\"messages\":[{\"role\":\"assistant\",\"content\":\"a\"},{\"role\":\"user\",\"content\":\"b\"}]}" |
    llmcall -n -m deepseek/m | tail -1 | jq -c .messages' <<!
[{"role":"assistant","content":"a","reasoning_content":""},{"role":"user","content":"b"}]
!

serve '{"body":{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9223372036854775807,"completion_tokens":9223372036854775807}}}'
check 'counts that cannot be are unknown' 'llmcall <req | jq -c "select(.type==\"usage\") | [.prompt_tokens, .completion_tokens]"' <<!
[null,null]
!
serve "$(events "$(d '{"content":"<thi"}')" "$(d '{"content":"nk>\nhm</think>\n\nhi"}')" "$stop")"
check 'a thought in the text of a local server is reasoning' 'LLAMACPP_BASE_URL=$URL llmcall -u -m llamacpp/x <req 2>/dev/null |
    jq -c "select(.role) | [.content, .reasoning_content]"' <<!
["hi","hm"]
!
trap_ 'event: error' 'ha | {"tp":{"partial":true}}$error 76: the answer broke off: server_error: oops$76 after 1' \
    "{\"events\":[$(d '{"content":"ha"}'),{\"type\":\"error\",\"error\":{\"type\":\"server_error\",\"message\":\"oops\"}}]}"
trap_ 'event: error with bare text' 'error 69: out of memory$69 after 2' \
    '{"chunks":[{"data":"event: error\ndata: out of memory\n\n"}],"headers":{"Content-Type":"text/event-stream"},"repeat":9}'
trap_ 'an object that calls itself an error, then [DONE]: vLLM' 'ha | {"tp":{"partial":true}}$error 76: the answer broke off: 500: gone$76 after 1' \
    "$(events "$(d '{"content":"ha"}')" '{"object":"error","message":"gone","type":"InternalServerError","param":null,"code":500}')"
trap_ 'nothing passed on: once more' 'x$0 after 2' "{$soon,"'"events":[{"error":{"message":"overloaded","code":503}}]}' '{"text":"x"}'
trap_ '[DONE] does not make it good' 'ha | {"tp":{"partial":true}}$error 76: the answer broke off: 502: upstream gone$76 after 1' \
    "$(events "$(d '{"content":"ha"}')" '{"error":{"code":502,"message":"upstream gone"}}')"
trap_ 'an error'"'"'s code was read past its end' 'ha | {"tp":{"partial":true}}$error 76: the answer broke off: 502: gone$76 after 2' \
    "{$soon,"'"events":[{"error":{"message":"overloaded","code":50300}}]}' "$(events "$(d '{"content":"ha"}')" '{"error":{"code":502,"message":"gone"}}')"
trap_ '[DONE] with something behind it' 'ha$0 after 1' \
    '{"chunks":[{"data":"data: {\"choices\":[{\"delta\":{\"content\":\"ha\"}}]}\n\ndata: [DONE] bye\n\n"}],"headers":{"Content-Type":"text/event-stream"}}'
trap_ 'events behind [DONE] are no part of the answer' 'ha$0 after 1' \
    "$(events "$(d '{"content":"ha"}')" "$stop" '"[DONE]"' "$(d '{"content":"more"}')" '{"error":{"message":"late"}}')"
trap_ '[DONE] behind nothing at all is no answer' 'x$0 after 2' "{$soon,\"events\":[\"[DONE]\"]}" '{"text":"x"}'
trap_ 'a finish reason alone' 'ha$0 after 1' "{\"events\":[$(d '{"content":"ha"}'),$stop]}"
trap_ 'neither: half an answer' 'ha | {"tp":{"partial":true}}$error 76: the answer broke off$76 after 1' "{\"events\":[$(d '{"content":"ha"}')]}"
trap_ 'neither, with a whole call: not run' ' | {"tp":{"partial":true,"dropped_calls":1}}$error 76: the answer broke off$76 after 1' \
    "{\"events\":[$(c '{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}')]}"

# body NAME WANT BODY: of a 400.
body()
{
	trap_ "$1" "error 65: 400: $2\$65 after 1" "{\"status\":400,\"body\":$3}"
}
body 'OpenAI' 'invalid_request_error: bad_thing: no' '{"error":{"message":"no","type":"invalid_request_error","param":"x","code":"bad_thing"}}'
body 'a number as code' 'bad: 1210: no' '{"error":{"message":"no","type":"bad","code":1210}}'
body 'null as code' 'no' '{"error":{"message":"no","type":null,"code":null}}'
body 'xAI: text, and a code beside it' 'some_code: no' '{"code":"some_code","error":"no"}'
body 'Gemini: an array' 'INVALID: 400: no' '[{"error":{"code":400,"message":"no","status":"INVALID"}}]'
body 'detail' 'no' '{"detail":"no"}'
body 'detail as a list' 'no' '{"detail":[{"loc":["body"],"msg":"no"}]}'
body 'message' 'no' '{"message":"no"}'
body 'OpenRouter: the other one'\''s words' '400: Provider returned error: {\"raw\":1}' '{"error":{"code":400,"message":"Provider returned error","metadata":{"raw":"{\\\"raw\\\":1}"}}}'
body 'HTML' '<html>no</html>' '"<html>no</html>"'
trap_ 'Cerebras: an empty body' 'error 65: 400$65 after 1' '{"status":400,"body":""}'
serve '{"status":400,"headers":{"x-request-id":"req_7"},"body":"'"$(printf 'x%04000d' 1)"'"}'
check 'what cannot be read is cut, and has the request'\''s id' 'llmcall <req >out 2>/dev/null || jq -r ".message | length, .[-8:]" out' <<!
2061
 [req_7]
!
serve '{"status":400,"body":"'"$(printf 'x%02039d' 1)sk-test-0123456789"'"}' '{"status":400,"body":{"error":{"message":"'"$(printf 'x%04000d' 1)"'"}}}'
check 'what is cut leaves no half key' 'llmcall <req >out 2>/dev/null || jq -r ".message | length, .[-8:]" out' <<!
2048
00001***
!
check 'what can be read is cut as well' 'llmcall <req >out 2>/dev/null || jq -r ".message | length" out' <<!
2053
!

# out NAME MODEL MESSAGES WANT: the messages that go out.
out()
{
	printf '{"type":"request","messages":[%s]}\n' "$3" >in
	check "$1" "llmcall -n -m $2 <in | tail -1 | jq -c .messages" <<!
$4
!
}
u='{"role":"user","content":"a"}'
out 'neither content nor calls: left out' groq/m "$u"',{"role":"assistant","content":""},{"role":"assistant","content":null},{"role":"assistant","content":[]},{"role":"user","content":"b"}' "[$u,"'{"role":"user","content":"b"}]'
out 'null members are left out, ids among them' openai/m '{"role":"assistant","content":null,"name":null,"tool_calls":[{"id":null,"type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":null,"content":"x"}' \
    '[{"role":"assistant","content":null,"tool_calls":[{"type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","content":"x"}]'
out 'llama.cpp: no null content next to calls' llamacpp/m '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}' \
    '[{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}]'
out 'parts that are text as one string: DeepSeek' deepseek/m '{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}' '[{"role":"user","content":"a\nb"}]'
out 'an image stays as it is' openai/m '{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}' '[{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}]'
out 'ours is not sent' openai/m '{"type":"message","role":"user","content":"a","tp":{"n":1},"id":"x"}' "[$u]"
long=$(printf 'x%050d' 1)
printf '{"type":"request","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"%s","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"%s","content":"x"}]}\n' "$long" "$long" >in
check 'ids of at most 40, call and result alike' 'llmcall -n -m openai/m <in | tail -1 | jq -c "[.messages[0].tool_calls[0].id, .messages[1].tool_call_id] | (.[0] == .[1]), (.[0] | length <= 40)"' <<!
true
true
!
check 'max_completion_tokens where it is so called' 'for m in openai groq deepseek; do
    echo "{\"type\":\"request\",\"max_tokens\":5,\"messages\":[]}" | (unset OPENAI_BASE_URL; llmcall -n -m $m/m) | tail -1 | jq -c "[.max_tokens, .max_completion_tokens]"; done' <<!
[null,5]
[null,5]
[5,null]
!
check 'no empty list of tools, only fields of the API' 'echo "{\"type\":\"request\",\"tools\":[],\"max_steps\":3,\"context_window\":9,\"temperature_max\":1,\"seed\":null,\"messages\":[]}" | llmcall -n -m openai/m | tail -1' <<!
{"model":"m","messages":[],"stream":true,"stream_options":{"include_usage":true}}
!

# Whose models refuse what.
sent_fields()
{
	echo '{"type":"request","temperature":0.5,"top_p":0.5,"stop":["x"],"seed":1,"frequency_penalty":1,"reasoning_effort":"low","max_completion_tokens":5,"user":"u","messages":[{"role":"tool","tool_call_id":"123456789","name":"f","content":"r"}]}' |
	    env -u OPENAI_BASE_URL -u DEEPSEEK_BASE_URL XAI_API_KEY=x GROQ_API_KEY=x MISTRAL_API_KEY=x GEMINI_API_KEY=x ANTHROPIC_API_KEY=x llmcall -n -m "$1" | tail -n 1 |
	    jq -r '"\(del(.model, .messages, .input, .stream, .stream_options, .store, .include) | keys_unsorted | join(" ")); \(.messages[0].name?)"'
}
while read -r model fields; do
	check "what $model takes" "sent_fields $model" <<!
$fields
!
done <<'!'
openai/gpt-4.1 temperature top_p stop seed frequency_penalty max_completion_tokens user; f
openai/gpt-5-mini stop seed max_completion_tokens user reasoning_effort; f
openai/gpt-5-chat-latest temperature top_p stop seed frequency_penalty max_completion_tokens user; f
openai/o4-mini stop seed max_completion_tokens user reasoning_effort; f
openai-responses/gpt-5 max_output_tokens reasoning user; null
openai-responses/gpt-4.1 max_output_tokens temperature top_p user; null
anthropic/claude-opus-4-7 max_tokens stop_sequences output_config thinking metadata; null
anthropic/claude-opus-4-5 max_tokens stop_sequences metadata temperature; null
xai/grok-4 temperature top_p seed max_completion_tokens user; f
xai/grok-3-mini temperature top_p seed max_completion_tokens user reasoning_effort; f
groq/m temperature top_p stop seed frequency_penalty max_completion_tokens user; null
mistral/m temperature top_p stop random_seed frequency_penalty max_tokens reasoning_effort; f
gemini/m temperature top_p stop max_completion_tokens user reasoning_effort; f
!
mkdir -p quirks/providers
cat >quirks/providers/odd.yaml <<!
api: chat
base_url: http://127.0.0.1:9/v1
key: optional
rename: {max_tokens: limit}
drop: [store, seed]
tools: {drop: [strict], empty: true}
messages:
  roles: {system: developer, tool: function}
  merge_same_role: true
  null_content: omit
!
cat >quirks/providers/odd2.yaml <<!
api: chat
base_url: http://127.0.0.1:9/v1
key: optional
!
odd()
{
	TURNPIPE_PATH=$PWD/quirks:$TURNPIPE_PATH llmcall -n -m odd/m | tail -1
}
check 'roles, strict, fields, words in a row: as a provider has them' 'echo "{\"type\":\"request\",\"store\":true,\"seed\":1,\"max_tokens\":5,\"messages\":[{\"role\":\"system\",\"content\":\"s\"},{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"user\",\"content\":\"b\"},{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"r\"}],\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"strict\":true,\"parameters\":{}}}]}" | odd' <<!
{"model":"m","messages":[{"role":"developer","content":"s"},{"role":"user","content":"a\n\nb"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"function","tool_call_id":"c","content":"r"}],"tools":[{"type":"function","function":{"name":"f","parameters":{}}}],"limit":5,"stream":true}
!
check 'a field that has its name there already is sent once' 'echo "{\"type\":\"request\",\"max_tokens\":5,\"limit\":7,\"messages\":[]}" | odd' <<!
{"model":"m","messages":[],"limit":7,"stream":true}
!
TURNPIPE_PATH=$PWD/quirks:${TURNPIPE_PATH-}; export TURNPIPE_PATH GROQ_API_KEY=x
# Of a server that is not known to take messages of one role in a row.
call='{"role":"assistant","content":"now","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}'
out 'README: OPENAI_BASE_URL and a template that wants roles in turns' openai/m \
    "$u,$u"',{"role":"assistant","content":"half","tp":{"partial":true}},'"$call"',{"role":"tool","tool_call_id":"c","content":"r"},'"$u,$u" \
    '[{"role":"user","content":"a\n\na"},{"role":"assistant","content":"half\n\nnow","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"r"},{"role":"assistant","content":"[The turn ended here, without an answer.]"},{"role":"user","content":"a\n\na"}]'
out 'pictures among them stay parts' odd2/m \
    "$u"',{"role":"user","content":[{"type":"text","text":"b"},{"type":"image_url","image_url":{"url":"data:,"}}]},{"role":"user","content":null},'"$u" \
    '[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"image_url","image_url":{"url":"data:,"}},{"type":"text","text":"a"}]}]'
out 'names, calls and results keep their messages' odd2/m \
    '{"role":"user","name":"x","content":"a"},'"$u,$call,$call"',{"role":"tool","tool_call_id":"c","content":"r"},{"role":"tool","tool_call_id":"c","content":"r"}' \
    '[{"role":"user","name":"x","content":"a"},'"$u,$call,$call"',{"role":"tool","tool_call_id":"c","content":"r"},{"role":"tool","tool_call_id":"c","content":"r"}]'
out 'what is known to take them gets them as they are' groq/m "$u,$u" "[$u,$u]"
check 'a provider under another address is another server' \
    'echo "{\"type\":\"request\",\"messages\":[$u,$u]}" | GROQ_BASE_URL=http://127.0.0.1:9/v1 llmcall -n -m groq/m | tail -n 1 | jq -c .messages' <<!
[{"role":"user","content":"a\n\na"}]
!
check 'words around an empty answer were not put together' 'echo "{\"type\":\"request\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":\"\"},{\"role\":\"user\",\"content\":\"b\"},{\"role\":\"assistant\",\"content\":null}]}" | odd | jq -c .messages' <<!
[{"role":"user","content":"a\n\nb"}]
!
check 'Mistral: no user message after a result, and none in it' 'echo "{\"type\":\"request\",\"messages\":[{\"role\":\"tool\",\"tool_call_id\":\"123456789\",\"content\":\"r\"},{\"role\":\"assistant\",\"content\":\"\"},{\"role\":\"user\",\"content\":\"u\"},{\"role\":\"user\",\"content\":\"v\"}]}" |
    MISTRAL_API_KEY=x llmcall -n -m mistral/m | tail -n 1 | jq -c ".messages[] | [.role, .content]"' <<!
["tool","r"]
["assistant","[The turn ended here, without an answer.]"]
["user","u"]
["user","v"]
!
check 'the words of the user stay those of the user where roles alternate' 'echo "{\"type\":\"request\",\"messages\":[{\"role\":\"tool\",\"tool_call_id\":\"1\",\"content\":\"r\"},{\"role\":\"user\",\"content\":\"u\"},{\"role\":\"user\",\"content\":\"now\",\"tp\":{\"volatile\":true}}]}" |
    llmcall -n -m llamacpp/m | tail -n 1 | jq -c ".messages[] | [.role, .content]"' <<!
["tool","r"]
["assistant","[The turn ended here, without an answer.]"]
["user","u\n\nnow"]
!
check 'where roles alternate the trailing block ends the last result' 'echo "{\"type\":\"request\",\"messages\":[{\"role\":\"tool\",\"name\":\"f\",\"tool_call_id\":\"1\",\"content\":\"one\"},{\"role\":\"tool\",\"name\":\"g\",\"tool_call_id\":\"2\",\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:,\"}}]},{\"role\":\"user\",\"content\":\"now\",\"tp\":{\"volatile\":true}}]}" |
    llmcall -n -m llamacpp/m | tail -n 1 | jq -c ".messages[]"' <<!
{"role":"tool","name":"f","tool_call_id":"1","content":"one"}
{"role":"tool","content":[{"type":"image_url","image_url":{"url":"data:,"}},{"type":"text","text":"now"}],"name":"g","tool_call_id":"2"}
!
check 'llama.cpp: templates want roles in turns' 'echo "{\"type\":\"request\",\"messages\":[{\"role\":\"user\",\"content\":\"u\"},{\"role\":\"user\",\"content\":\"now\",\"tp\":{\"volatile\":true}}]}" |
    llmcall -n -m llamacpp/m | tail -n 1 | jq -c .messages' <<!
[{"role":"user","content":"u\n\nnow"}]
!
check 'an empty list of tools where that is wanted' 'echo "{\"type\":\"request\",\"tools\":[],\"messages\":[]}" | odd' <<!
{"model":"m","messages":[],"tools":[],"stream":true}
!

# 4.1.12: the texts of overflow; more of them in llmcall.t.
for text in 'prompt is too long: 9 tokens > 8 maximum' 'Your input exceeds the context window of this model' \
    'Requested 9 tokens: maximum prompt length is 8' 'Prompt contains 9 tokens and is too large for model with 8 maximum context length' \
    'input is too long for requested model' 'The decoder prompt (length 9) is longer than the maximum model length of 8' \
    'Request too large for model `m` on tokens per minute (TPM): Limit 8, Requested 9'; do
	trap_ "$text" "error 6: 400: $text\$6 after 1" "{\"status\":400,\"body\":{\"error\":{\"message\":\"$text\"}}}"
done
trap_ '413' 'error 6: 413: request_too_large$6 after 1' '{"status":413,"body":{"error":{"type":"request_too_large"}}}'
trap_ 'in the stream' 'error 6: context_length_exceeded: too long$6 after 1' '{"events":[{"error":{"code":"context_length_exceeded","message":"too long"}}]}'

# 4.4
trap_ 'llama.cpp while it loads: again' 'x$0 after 2' "{$soon,"'"status":503,"body":{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}}' '{"text":"x"}'
trap_ 'Ollama: no ids, index 0 for all, one chunk each' 'null | f({"a":1})#call_0 | f({"a":2})#call_1$0 after 1' "$(events \
    "$(c '{"index":0,"type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}')" \
    "$(c '{"index":0,"type":"function","function":{"name":"f","arguments":"{\"a\":2}"}}')" "$stop")"
trap_ 'Groq: reset times as durations' 'x$0 after 2' '{"status":429,"headers":{"x-ratelimit-remaining-requests":"0","x-ratelimit-reset-requests":"20ms"},"body":{"error":{"message":"m"}}}' '{"text":"x"}'
trap_ 'Gemini: stop with calls' 'null | f({})#a$0 after 1' "$(events "$(c '{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}')" "$stop")"
check 'Ollama: a bare host is a URL' 'OLLAMA_HOST=somewhere llmcall -n -m ollama/m <req | head -1' <<!
POST http://somewhere:11434/v1/chat/completions
!

# sse NAME WANT BYTES [MORE MEMBERS]
sse()
{
	trap_ "$1" "$2\$${4-0} after 1" "{\"chunks\":[{\"data\":\"$3\"}],\"headers\":{\"Content-Type\":\"text/event-stream\"}}"
}
one='{\"choices\":[{\"delta\":{\"content\":\"x\"}}]}'
end='data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}'
sse 'CR' 'x' "data: $one\\r\\r$end\\r\\r"
sse 'CRLF' 'x' "data: $one\\r\\n\\r\\n$end\\r\\n\\r\\n"
sse 'a BOM' 'x' "\\ufeffdata: $one\\n\\n$end\\n\\n"
sse 'comments and unknown fields' 'x' ": hello\\n\\nid: 1\\nretry: 5\\nfoo\\ndata: $one\\n\\n:\\n$end\\n\\n"
sse 'data without a blank' 'x' "data:$one\\n\\n$end\\n\\n"
sse 'data over several lines' 'x' "data: {\\\"choices\\\":[\\ndata: {\\\"delta\\\":{\\\"content\\\":\\\"x\\\"}}]}\\n\\n$end\\n\\n"
sse 'no last blank line' 'x' "data: $one\\n\\n$end"
sse 'half an event at the end does not count' 'x | {"tp":{"partial":true}}$error 76: the answer is malformed' "data: $one\\n\\n${end%???????????}" 76
trap_ 'a character cut in two' 'ü$0 after 1' "{\"chunks\":[{\"b64\":\"$(printf 'data: {"choices":[{"delta":{"content":"\303' | base64 | tr -d '\n')\"},{\"b64\":\"$(printf '\274"}}]}\n\ndata: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n' | base64 | tr -d '\n')\"}],\"headers\":{\"Content-Type\":\"text/event-stream\"}}"
trap_ 'a server that does not stream' 'x$0 after 1' '{"body":{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}}'
trap_ 'a stream that was not asked for' 'x$0 after 1' "$(events "$(d '{"content":"x"}')" "$stop")"
for type in text/plain application/json; do
	trap_ "a stream called $type" 'x$0 after 1' "{\"chunks\":[{\"data\":\"\n\"},{\"data\":\"data: $one\\n\\n$end\\n\\n\"}],\"headers\":{\"Content-Type\":\"$type\"}}"
done
trap_ 'an answer in one piece, called a stream' 'x$0 after 1' '{"body":"\n{\"choices\":[{\"message\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}","headers":{"Content-Type":"text/event-stream"}}'
trap_ 'a BOM before an object was a stream' 'x$0 after 1' '{"body":"\ufeff{\"choices\":[{\"message\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}"}'
trap_ 'bare text at status 200 was not reported' 'error 69: the answer is malformed: upstream timed out$69 after 2' "{$soon,"'"body":"upstream timed out","repeat":9}'
trap_ 'an error behind a role and no content was not tried again' 'x$0 after 2' \
    "{$soon,"'"events":[{"choices":[{"delta":{"role":"assistant","content":""}}]},{"error":{"code":"tool_use_failed","message":"m"}}]}' '{"text":"x"}'
trap_ 'too many tools were taken for a call that fails' "error 65: 400: invalid_request_error: 'tools' : maximum number of items is 128\$65 after 1" \
    '{"status":400,"body":{"error":{"message":"'"'tools'"' : maximum number of items is 128","type":"invalid_request_error"}},"repeat":9}'
trap_ 'an empty answer without a reason is one' '$0 after 1' '{"body":{"choices":[{"message":{"role":"assistant","content":""}}]}}'
trap_ 'an error as JSON on a request for a stream' 'error 69: 500: no; try again in 1 s$69 after 2' "{$soon,"'"status":500,"body":{"error":{"message":"no"}},"repeat":9}'
ka='{"data":": keep-alive\n\n","delay_ms":60}'
serve -r "{\"chunks\":[$ka,$ka,$ka,$ka,$ka,$ka,$ka,{\"data\":\"data: $one\\n\\n$end\\n\\n\"}],\"headers\":{\"Content-Type\":\"text/event-stream\"}}"
slowly 'keep-alives are life' ': >"$REQUESTS"; said -i $(tenths 2)' <<!
x
0 after 1
!
check '-g: a stream that makes no progress is given up' ': >"$REQUESTS"; tries=0; said -g 0.2 | sed "s/error 75: .*/error 75/"' <<!
error 75
75 after 1
!

# What is tried again, what is not.
for status in 408 409 425 429 498 500 502 503 504 529; do
	trap_ "$status is tried again" 'x$0 after 2' "{\"status\":$status,\"headers\":{\"retry-after-ms\":\"1\"},\"body\":{}}" '{"text":"x"}'
done
for status in 400 401 403 404 413 422; do
	serve "{\"status\":$status,\"headers\":{\"retry-after-ms\":\"1\"},\"body\":{}}" '{"text":"x"}'
	check "status $status is not tried again" 'said | tail -1 | sed "s/.* //"' <<!
1
!
done
trap_ 'unless the server says so' 'x$0 after 2' '{"status":400,"headers":{"x-should-retry":"true","retry-after-ms":"1"},"body":{}}' '{"text":"x"}'
trap_ 'x-should-retry: false' 'error 69: 500: {}$69 after 1' '{"status":500,"headers":{"x-should-retry":"false"},"body":{}}'
trap_ 'a quota used up is no rate limit' 'error 77: 429: insufficient_quota$77 after 1' '{"status":429,"body":{"error":{"code":"insufficient_quota"}}}'
trap_ 'a rate limit that speaks of billing is one' 'x$0 after 2' '{"status":429,"headers":{"retry-after-ms":"1"},"body":{"error":{"code":"rate_limit_exceeded","message":"Rate limit reached: 3 requests per min. Visit https://platform.example/account/billing to add a payment method."}}}' '{"text":"x"}'
# waits NAME HEADER VALUE SECONDS: as the failure says, with -W below it.
waits()
{
	serve "{\"status\":429,\"headers\":{\"$2\":\"$3\"},\"body\":{\"error\":{\"message\":\"${5-m}\"}}}"
	check "$1" 'said -W 1 | head -1 | grep -o "in [0-9]* s"; jq .retry_after out' <<!
in $4 s
$4
!
}
waits 'Retry-After in seconds' Retry-After 7 7
waits 'Retry-After with a fraction' Retry-After 6.2 7
waits 'retry-after-ms comes first' retry-after-ms 8000 8
waits 'the text of the message' x-none 1 41 'Please try again in 40.13s.'
waits 'minutes in it' x-none 1 66 'try again in 1m6.0s'
serve '{"status":429,"headers":{"Retry-After":"'"$(date -u -d '+100 seconds' '+%a, %d %b %Y %H:%M:%S GMT' 2>/dev/null || date -u -v+100S '+%a, %d %b %Y %H:%M:%S GMT')"'"},"body":{}}'
check 'Retry-After as a date' 'said -W 1 >/dev/null; jq ".retry_after > 80 and .retry_after <= 100" out' <<!
true
!
serve '{"status":500,"headers":{"retry-after-ms":"1"},"body":{},"repeat":2}' '{"text":"x"}'
check 'the same id on every try' 'llmcall <req >out 2>err; jq -r ".headers.\"x-client-request-id\"" "$REQUESTS" | sort | uniq -c | sed "s/[0-9a-f]\{16\}/ID/; s/^ *//"' <<!
3 turnpipe-ID
!
check 'each try in one line' 'sed "s/ in [0-9.e-]* s/ in T/" err' <<!
llmcall: try 2 of 5 in T: 500: {}
llmcall: try 3 of 5 in T: 500: {}
!
serve '{"status":500,"headers":{"retry-after-ms":"1"},"body":{},"repeat":9}'
check 'one layer: -x 2 is three requests' 'said -x 2 | tail -1' <<!
69 after 3
!
serve "{\"events\":[$(d '{"content":"ha"}')],\"break\":true}" '{"text":"x"}'
check 'no other try once text was passed on' 'said -d | tail -1' <<!
76 after 1
!
# Endpoints that a company allows: address, key and model as each wants them.
ask() { echo '{"type":"request","messages":[{"role":"user","content":"hi"}]}' | llmcall -m "$1" | msg -t; }
serve -r '{"text":"Hello."}'
check 'azure, by key and by token; bedrock by its bearer token' \
    'AZURE_OPENAI_ENDPOINT=$URL/ AZURE_OPENAI_API_KEY=k1 ask azure/mine
    AZURE_OPENAI_BASE_URL=$URL/openai/v1/ AZURE_OPENAI_AD_TOKEN=t1 ask azure/mine
    BEDROCK_BASE_URL=$URL/v1 AWS_BEARER_TOKEN_BEDROCK=b1 ask bedrock/openai.gpt-oss-120b
    jq -r "[.path, .headers[\"api-key\"] // \"-\", .headers.authorization // \"-\", .body.model] | join(\" \")" "$REQUESTS"' <<!
Hello.
Hello.
Hello.
/openai/v1/chat/completions k1 - mine
/openai/v1/chat/completions - Bearer t1 mine
/v1/chat/completions - Bearer b1 openai.gpt-oss-120b
!
check 'open-responses: the Responses API of a server that asks for no key' \
    'OPEN_RESPONSES_BASE_URL=$URL/v1 ask open-responses/qwen3
    tail -n 1 "$REQUESTS" | jq -c "[.path, .headers.authorization, .body.model, .body.store, .body.input[0].content]"' <<!
Hello.
["/v1/responses",null,"qwen3",false,"hi"]
!
check 'azure without an endpoint sends nothing to a host of somebody else' \
    'echo "{\"type\":\"request\",\"messages\":[]}" | AZURE_OPENAI_API_KEY=k1 llmcall -n -m azure/mine >/dev/null
    grep -c "^base_url: https://[a-z-]*\.invalid/" "$TOP/share/providers/azure.yaml"' <<!
1
!

trapped
finish
