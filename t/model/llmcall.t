#!/bin/sh
# llmcall against the loopback server.
. "${0%/*}/../lib.sh"

TURNPIPE_PATH=$TOP/share
export TURNPIPE_PATH
unset OPENAI_API_KEY
KEY=sk-test-0123456789
OPENAI_API_KEY=$KEY
export OPENAI_API_KEY

req='{"type":"request","id":"r1","model":"openai/m","messages":[{"role":"user","content":"hi"}]}'
printf '%s\n{"type":"end"}\n' "$req" >req
printf '%s\n' "$req" >noend

# call [OPTION]...: what llmcall makes of file req, status at the end.
call()
{
	st=0
	llmcall -x 0 "$@" <req >out 2>err || st=$?
	stable <out
	cat err
	echo "status $st"
}

serve '{"text":"Hello there","usage":{"prompt_tokens":5,"completion_tokens":3}}' \
    '{"text":"Hello there","usage":{"prompt_tokens":5,"completion_tokens":3}}' \
    '{"calls":[{"id":"c1","name":"ls","arguments":{"path":"."}}],"usage":{"prompt_tokens":5,"completion_tokens":3}}'
check 'a streamed answer' call <<!
{"type":"message","id":"r1","role":"assistant","content":"Hello there"}
{"type":"usage","id":"r1","model":"openai/m","prompt_tokens":5,"completion_tokens":3}
{"type":"end"}
status 0
!
check 'an answer in one piece' 'cp req all; sed "s/\"messages\"/\"stream\":false,&/" all >req; call; mv all req' <<!
{"type":"message","id":"r1","role":"assistant","content":"Hello there"}
{"type":"usage","id":"r1","model":"openai/m","prompt_tokens":5,"completion_tokens":3}
{"type":"end"}
status 0
!
check 'a tool call' call <<!
{"type":"message","id":"r1","role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{\"path\":\".\"}"}}]}
{"type":"usage","id":"r1","model":"openai/m","prompt_tokens":5,"completion_tokens":3}
{"type":"end"}
status 0
!
check 'what was sent' 'sed "s/.*\"body\"://;s/}\$//" "$REQUESTS"' <<!
{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"stream_options":{"include_usage":true}}
{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":false}
{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"stream_options":{"include_usage":true}}
!

serve '{"text":"a"}' '{"text":"b"}'
cat >in <<!
{"type":"tool",  "name":"ls"}
$req
{"type":"end","id":"e1"}
{"type":"mesage"}
{"type":"mesage"}
$req
{"type":"end"}
!
check 'others pass byte for byte, in order; an unknown type is reported once' \
    'llmcall <in 2>err | stable; cat err' <<!
{"type":"tool",  "name":"ls"}
{"type":"message","id":"r1","role":"assistant","content":"a"}
{"type":"usage","id":"r1","model":"openai/m","prompt_tokens":10,"completion_tokens":5}
{"type":"end","id":"e1"}
{"type":"mesage"}
{"type":"mesage"}
{"type":"message","id":"r1","role":"assistant","content":"b"}
{"type":"usage","id":"r1","model":"openai/m","prompt_tokens":10,"completion_tokens":5}
{"type":"end"}
llmcall: passed on 'mesage': no such record type
!

serve '{"text":"one two three"}'
check 'text goes out as it comes' \
    'llmcall -d <req | jq -rj "select(.type == \"delta\").text" && echo' <<!
one two three
!

# Comments are life, but no progress: ten of them, one each 40 ms.
alive='{"chunks":[{"data":": ping\n\n"}'
for i in 1 2 3 4 5 6 7 8 9; do alive="$alive"',{"data":": ping\n\n"}'; done
alive=$alive',{"data":"data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"}],"delay_ms":40}'
serve -r "$alive"
slowly '2 keep-alives count as life' \
    'llmcall -x 0 -i $(tenths 3) <req | stable | head -n 1' <<!
{"type":"message","id":"r1","role":"assistant","content":"x"}
!
check '2 keep-alives do not count as progress' 'st=0
    llmcall -x 0 -i 60 -g 0.2 <req >out 2>err || st=$?; echo $st; cat err' <<!
75
llmcall: no progress within the time limit
!

# status NAME CODE REQUESTS LINE...: one answer per line; what is on stderr
# and on stdout after the records comes from the here-document.
limit=600
matrix()
{
	name=$1 code=$2 count=$3
	shift 3
	serve "$@"
	sed "s|\$URL|$URL|g" >want
	slowly "$name" 'st=0; : >"$REQUESTS"
	    llmcall -x 1 -i $(tenths $limit) -f $(tenths $limit) <req >out 2>err || st=$?
	    sed "s/ in [0-9.e-]* s: / in T: /" err
	    stable <out | sed "/^{\"type\":\"end\"}/d;/^{\"type\":\"usage\"/d"
	    echo "$st after $(sent)"
	    ! grep -q "$KEY" out err' <<!
$(cat want)
$code after $count
!
}

matrix '401 at once' 77 1 '{"status":401,"body":{"error":{"message":"no '$KEY'","type":"auth","code":"invalid_api_key"}}}' <<!
llmcall: 401: auth: invalid_api_key: no ***
{"type":"error","id":"r1","from":"llmcall","code":77,"message":"401: auth: invalid_api_key: no ***","status":401}
!
matrix '403 at once' 77 1 '{"status":403,"body":"<html>no</html>"}' <<!
llmcall: 403: <html>no</html>
{"type":"error","id":"r1","from":"llmcall","code":77,"message":"403: <html>no</html>","status":403}
!
matrix '429 with Retry-After, then an answer' 0 2 '{"status":429,"headers":{"Retry-After":"0.05"},"body":{"error":{"message":"slow"}}}' '{"text":"x"}' <<!
llmcall: try 2 of 2 in T: 429: slow
{"type":"message","id":"r1","role":"assistant","content":"x"}
!
matrix 'the wait in the message alone' 0 2 '{"status":429,"body":{"error":{"message":"Please try again in 20ms."}}}' '{"text":"x"}' <<!
llmcall: try 2 of 2 in T: 429: Please try again in 20ms.
{"type":"message","id":"r1","role":"assistant","content":"x"}
!
matrix 'Retry-After beyond the longest wait' 75 1 '{"status":429,"headers":{"Retry-After":"3600"},"body":{}}' <<!
llmcall: 429: {}; try again in 3600 s
{"type":"error","id":"r1","from":"llmcall","code":75,"message":"429: {}; try again in 3600 s","status":429,"retry_after":3600}
!
matrix '429 for want of money' 77 1 '{"status":429,"body":{"error":{"code":"insufficient_quota","message":"pay"}}}' <<!
llmcall: 429: insufficient_quota: pay
{"type":"error","id":"r1","from":"llmcall","code":77,"message":"429: insufficient_quota: pay","status":429}
!
matrix '529 is like 503' 69 2 '{"status":529,"headers":{"Retry-After":"0"},"body":"","repeat":2}' <<!
llmcall: try 2 of 2 in T: 529
llmcall: 529; try again in 0 s
{"type":"error","id":"r1","from":"llmcall","code":69,"message":"529; try again in 0 s","status":529,"retry_after":0}
!
matrix 'x-should-retry: false' 69 1 '{"status":500,"headers":{"x-should-retry":"false"},"body":{"message":"no"}}' <<!
llmcall: 500: no
{"type":"error","id":"r1","from":"llmcall","code":69,"message":"500: no","status":500}
!
matrix 'errors in an array' 65 1 '{"status":400,"body":[{"error":{"code":400,"message":"bad","status":"INVALID"}}]}' <<!
llmcall: 400: INVALID: 400: bad
{"type":"error","id":"r1","from":"llmcall","code":65,"message":"400: INVALID: 400: bad","status":400}
!
matrix 'an error as text' 65 1 '{"status":422,"body":{"error":"model says no"}}' <<!
llmcall: 422: model says no
{"type":"error","id":"r1","from":"llmcall","code":65,"message":"422: model says no","status":422}
!
for text in 'prompt is too long' "This model's maximum context length is 10 tokens" \
    'the request exceeds the available context size' \
    'Trying to keep the first 9 tokens when context is greater than the context length' \
    'The input token count (9) exceeds the maximum number of tokens' \
    'Please reduce the length of the messages' \
    'Your request exceeded model token limit: 9'; do
	matrix "$text" 6 1 "{\"status\":400,\"body\":{\"error\":{\"message\":\"$text\"}}}" <<!
llmcall: 400: $text
{"type":"error","id":"r1","from":"llmcall","code":6,"message":"400: $text","status":400}
!
done
matrix 'a refused parameter is no overflow' 65 1 '{"status":400,"body":{"error":{"message":"Unsupported parameter: max_tokens"}}}' <<!
llmcall: 400: Unsupported parameter: max_tokens
{"type":"error","id":"r1","from":"llmcall","code":65,"message":"400: Unsupported parameter: max_tokens","status":400}
!
matrix 'a server without stream_options' 0 2 '{"status":400,"body":{"error":{"message":"unknown field stream_options"}}}' '{"text":"x"}' <<!
llmcall: try 2 of 2 in T: 400: unknown field stream_options
{"type":"message","id":"r1","role":"assistant","content":"x"}
!
matrix 'tool_use_failed is tried again' 0 2 '{"status":400,"body":{"error":{"code":"tool_use_failed","message":"m","failed_generation":"x"}}}' '{"text":"x"}' <<!
llmcall: try 2 of 2 in T: 400: tool_use_failed: m
{"type":"message","id":"r1","role":"assistant","content":"x"}
!
matrix 'an error at 200, before any text' 0 2 '{"events":[{"error":{"message":"overloaded"}}]}' '{"text":"x"}' <<!
llmcall: try 2 of 2 in T: overloaded
{"type":"message","id":"r1","role":"assistant","content":"x"}
!
matrix 'an error at 200, behind text' 76 1 '{"events":[{"choices":[{"delta":{"content":"ha"}}]},{"error":{"message":"overloaded"}}]}' <<!
llmcall: the answer broke off: overloaded
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":76,"message":"the answer broke off: overloaded"}
!
matrix 'no terminal event' 76 1 '{"events":[{"choices":[{"delta":{"content":"ha"}}]}]}' <<!
llmcall: the answer broke off
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":76,"message":"the answer broke off"}
!
matrix 'a finish reason without [DONE]' 0 1 '{"events":[{"choices":[{"delta":{"content":"ha"},"finish_reason":"stop"}]}]}' <<!
{"type":"message","id":"r1","role":"assistant","content":"ha"}
!
matrix 'an unknown finish reason' 0 1 '{"events":[{"choices":[{"delta":{"content":"ha"},"finish_reason":"eos"}]},"[DONE]"]}' <<!
{"type":"message","id":"r1","role":"assistant","content":"ha"}
!
matrix 'length inside the arguments: no call' 7 1 '{"events":[{"choices":[{"delta":{"content":"ha","tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{\"a"}}]},"finish_reason":"length"}]},"[DONE]"]}' <<!
llmcall: the answer stopped at the length limit
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true,"dropped_calls":1}}
{"type":"error","id":"r1","from":"llmcall","code":7,"message":"the answer stopped at the length limit"}
!
matrix 'what content_filter stopped is partial, and the filter is named' 3 1 '{"events":[{"choices":[{"delta":{"content":"ha"},"finish_reason":"content_filter"}]},"[DONE]"]}' <<!
llmcall: openai's filter stopped the answer (content_filter)
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":3,"message":"openai's filter stopped the answer (content_filter)","class":"message"}
!
matrix 'DeepSeek: insufficient_system_resource is no whole answer' 76 1 '{"events":[{"choices":[{"delta":{"content":"ha"},"finish_reason":"insufficient_system_resource"}]},"[DONE]"]}' <<!
llmcall: the model failed
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":76,"message":"the model failed"}
!
matrix 'Mistral: model_length is a cut answer' 7 1 '{"events":[{"choices":[{"delta":{"content":"ha"},"finish_reason":"model_length"}]},"[DONE]"]}' <<!
llmcall: the answer stopped at the length limit
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":7,"message":"the answer stopped at the length limit"}
!
matrix 'a reason in no list is an answer, which has it' 0 1 '{"events":[{"choices":[{"delta":{"content":"ha"},"finish_reason":"whim"}]},"[DONE]"]}' <<!
llmcall: openai: the answer ended with 'whim', which is not known
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"finish":"whim"}}
!
matrix 'but its calls are not run' 76 1 '{"events":[{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"whim"}]},"[DONE]"]}' <<!
llmcall: openai: the answer ended with 'whim', which is not known
llmcall: the answer broke off
{"type":"message","id":"r1","role":"assistant","content":"","tp":{"partial":true,"dropped_calls":1,"finish":"whim"}}
{"type":"error","id":"r1","from":"llmcall","code":76,"message":"the answer broke off"}
!
matrix 'z.ai says overflow as a finish reason' 6 1 '{"events":[{"choices":[{"delta":{"content":"ha"},"finish_reason":"model_context_window_exceeded"}]},"[DONE]"]}' <<!
llmcall: the context window is full
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":6,"message":"the context window is full"}
!
matrix 'the connection breaks in the text' 76 1 '{"events":[{"choices":[{"delta":{"content":"ha"}}]}],"break":true}' <<!
llmcall: the answer broke off: transfer closed with outstanding read data remaining
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":76,"message":"the answer broke off: transfer closed with outstanding read data remaining"}
!
limit=2
matrix 'a stall in the text' 76 1 '{"chunks":[{"data":"data: {\"choices\":[{\"delta\":{\"content\":\"ha\"}}]}\n\n"},{"data":"x","delay_ms":600000}],"repeat":9}' <<!
llmcall: the answer broke off: nothing came within the time limit
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":76,"message":"the answer broke off: nothing came within the time limit"}
!
late='{"text":"late","stall_ms":600000}' soon='{"text":"x"}'
matrix 'no first byte, then an answer' 0 2 "$late" "$soon" "$late" "$soon" "$late" "$soon" <<!
llmcall: try 2 of 2 in T: no answer within the time limit
{"type":"message","id":"r1","role":"assistant","content":"x"}
!
limit=600
matrix 'a redirect is not followed' 78 1 '{"status":302,"headers":{"Location":"http://127.0.0.1:1/"},"body":""}' <<!
llmcall: 302: redirected to http://127.0.0.1:1/; set OPENAI_BASE_URL to where it is
{"type":"error","id":"r1","from":"llmcall","code":78,"message":"302: redirected to http://127.0.0.1:1/; set OPENAI_BASE_URL to where it is","status":302}
!
matrix 'HTML at status 200' 69 2 '{"headers":{"Content-Type":"text/html"},"body":"<html>hi</html>","repeat":2}' <<!
llmcall: try 2 of 2 in T: the answer is malformed: <html>hi</html>
llmcall: the answer is malformed: <html>hi</html>
{"type":"error","id":"r1","from":"llmcall","code":69,"message":"the answer is malformed: <html>hi</html>"}
!

# No server.
OPENAI_BASE_URL=http://127.0.0.1:1/v1
check 'connection refused, after retries' 'st=0
    llmcall -x 1 <req >out 2>err || st=$?
    sed "s/ in .*//; s/after [0-9]* ms: .*/after N ms/" err; echo $st' <<!
llmcall: try 2 of 2
llmcall: Failed to connect to 127.0.0.1 port 1 after N ms
69
!

check 'only http and https' \
    'OPENAI_BASE_URL=ftp://127.0.0.1 llmcall <noend >x 2>err || echo $?; cut -d" " -f-2 err; jq .code x' <<!
78
llmcall: ftp://127.0.0.1/chat/completions:
78
!

# What never reaches a server.
serve '{"text":"x"}'
check '--whole: input without its end makes no call' 'st=0
    llmcall -w <noend 2>err || st=$?
    cat err; echo "$st after $(sent)"' <<!
{"type":"error","from":"llmcall","code":76,"message":"expected an end record: no call"}
llmcall: expected an end record: no call
76 after 0
!
check '--whole: empty input is no conversation' 'st=0
    llmcall -w </dev/null 2>/dev/null || st=$?; echo $st' <<!
{"type":"error","from":"llmcall","code":76,"message":"expected an end record: no call"}
76
!
cat >in <<!
{"type":"error","from":"x","code":6,"message":"m"}
$req
{"type":"end"}
!
check 'after an error no call is made' 'st=0
    llmcall <in || st=$?; echo "$st after $(sent)"' <<!
{"type":"error","from":"x","code":6,"message":"m"}
{"type":"end"}
6 after 0
!
printf '%s\n{"type":"error","from":"x","code":6,"message":"m"}\n{"type":"end"}\n' "$req" >in
check '--whole: nor before one' 'st=0
    llmcall -w <in || st=$?; echo "$st after $(sent)"' <<!
{"type":"error","from":"x","code":6,"message":"m"}
{"type":"end"}
6 after 0
!
fails 65 'a broken line' 'printf "{}\n" | llmcall' <<!
llmcall: <stdin>:1:1: expected a type or a role
!
fails 65 'a broken line after a record' 'printf "{\"type\":\"end\"}\n{\"type\":1}\n" | llmcall >x' <<!
llmcall: <stdin>:2:9: expected a string as type
!
for bad in '"messages":"x" 39 a list of messages' '"messages":["x"] 40 a message' \
    '"messages":[],"model":5 50 the name of a model' '"messages":[],"model":"a\u0000b" 50 the name of a model'; do
	fails 65 "a malformed request: $bad" 'printf "{\"type\":\"request\",\"id\":\"r\",%s}\n" "${bad%% *}" | llmcall' <<!
llmcall: <stdin>:1:$(echo "${bad#* }" | sed 's/ /: expected /')
!
done
check 'empty input' 'llmcall </dev/null' </dev/null
fails 74 'a full disk is not success' 'llmcall <req >/dev/full' <<!
llmcall: write <stdout>: No space left on device
!
check '| head is silent' 'yes "{\"type\":\"end\"}" | llmcall | head -1' <<!
{"type":"end"}
!
fails 64 'an operand' 'llmcall x 2>err; st=$?; head -1 err >&2; exit $st' <<!
llmcall: x: expected no operand
!
fails 78 'a provider that is not known' 'unset OPENAI_API_KEY OPENAI_BASE_URL
    sed s,openai/m,nobody/m, noend | llmcall' <<!
llmcall: model 'nobody/m': no such provider 'nobody'; 'sharefind -l providers' lists them
!
fails 78 'a mistyped provider was asked of OpenAI as a model' \
    'unset OPENAI_BASE_URL; sed s,openai/m,olama/qwen3, noend | llmcall' <<!
llmcall: model 'olama/qwen3': no such provider 'olama'; 'sharefind -l providers' lists them
!
fails 78 'a model alone, of no provider' 'unset OPENAI_API_KEY OPENAI_BASE_URL
    sed s,openai/m,qwen3, noend | llmcall' <<!
llmcall: model 'qwen3': expected PROVIDER/MODEL; 'sharefind -l providers' lists the providers
!
fails 78 'a provider without a model: no server is asked for a model of no name' \
    'OPENAI_BASE_URL=$URL; sed s,openai/m,openai/, noend | llmcall' <<!
llmcall: model 'openai/': expected PROVIDER/MODEL; 'sharefind -l providers' lists the providers
!
fails 69 'a server that does not answer was "no model"' \
    'unset OPENAI_API_KEY OPENAI_BASE_URL; sed "s,\"model\":\"openai/m\"\,,," noend | OLLAMA_HOST=127.0.0.1:9 llmcall' <<!
llmcall: http://127.0.0.1:9/api/tags: the server does not answer; a model can be named with -m, TURNPIPE_MODEL or model in settings.yaml
!
llmserver_start '{"body":{"models":[{"name":"q:1b","model":"q:1b"}]}}' '{"text":"a","repeat":9}'
check 'which model a server has is asked once for all requests' \
    'unset OPENAI_API_KEY OPENAI_BASE_URL; sed "s,\"model\":\"openai/m\"\,,," noend >no; cat no no no | OLLAMA_HOST=$URL llmcall >out; grep -c "\"role\"" out
    sed "s/.*\"path\":\"\([^\"]*\).*/\1/" "$REQUESTS"' <<!
3
/api/tags
/v1/chat/completions
/v1/chat/completions
/v1/chat/completions
!
check 'msg hi | llmcall | msg -t was silent' \
    '{ msg hi | llmcall | msg -t; } 2>&1 || echo $?' <<!
llmcall: no request in the input, so no call: promptcompose makes a request of messages
1
!
check 'an error in front of it has said why there is no request' \
    '{ msg hi; echo "{\"type\":\"error\",\"code\":65}"; } | llmcall >/dev/null || echo $?
    llmcall </dev/null; msg -e | llmcall' <<!
65
{"type":"end"}
!
fails 77 'no key' 'unset OPENAI_API_KEY OPENAI_BASE_URL; llmcall <noend' <<!
llmcall: no key for openai: set OPENAI_API_KEY, or write it to $HOME/.config/turnpipe/keys/openai
!
mkdir -p "$HOME/.config/turnpipe/keys"
echo sk-file >"$HOME/.config/turnpipe/keys/openai"
fails 77 'a key file that others can read' 'unset OPENAI_API_KEY OPENAI_BASE_URL
    chmod 644 "$HOME/.config/turnpipe/keys/openai"; llmcall <noend' <<!
llmcall: $HOME/.config/turnpipe/keys/openai: expected a file that only its owner can read: chmod 600
!
chmod 600 "$HOME/.config/turnpipe/keys/openai"
serve '{"text":"x"}'
check 'a key file' 'unset OPENAI_API_KEY; llmcall <req >x; grep -o "Bearer [a-z-]*" "$REQUESTS"' <<!
Bearer sk-file
!
serve '{"text":"x"}'
check 'a key command' 'unset OPENAI_API_KEY; OPENAI_API_KEY_CMD="echo sk-cmd" llmcall <req >x; grep -o "Bearer [a-z-]*" "$REQUESTS"' <<!
Bearer sk-cmd
!
serve '{"text":"x"}'
check 'a key command says more than a key: its first line counts' 'unset OPENAI_API_KEY; OPENAI_API_KEY_CMD="echo sk-first; echo login: me" llmcall <req >x; grep -o "Bearer [a-z-]*" "$REQUESTS"' <<!
Bearer sk-first
!
rm "$HOME/.config/turnpipe/keys/openai"
mkdir -p "$HOME/.config/turnpipe/providers" here/.git here/providers
# key_cmd DIR COMMAND: openai's file there, with it.
key_cmd() { { cat "$TOP/share/providers/openai.yaml"; printf 'key_cmd: "%s"\n' "$2"; } >"$1/providers/openai.yaml"; }
key_cmd "$HOME/.config/turnpipe" 'echo run >>runs; echo sk-own; echo secret >&2'
serve '{"text":"x","repeat":9}'
check 'key_cmd of the user'\''s file, run once, what it prints is shown nowhere' \
    'unset OPENAI_API_KEY TURNPIPE_PATH; cat req req | llmcall 2>&1 | grep -c -e sk-own -e secret || :; grep -o "Bearer [a-z-]*" "$REQUESTS"; cat runs' <<!
0
Bearer sk-own
Bearer sk-own
run
!
key_cmd "$HOME/.config/turnpipe" 'echo sk-own; exit 3'
fails 77 'one that fails gives no key' 'unset OPENAI_API_KEY TURNPIPE_PATH; llmcall <req >x' <<!
llmcall: key_cmd: the command gives no key
!
rm -r "$HOME/.config"
key_cmd here 'echo ran >../bad; echo sk-tree'
check 'a file of the work tree runs none' \
    '(unset OPENAI_API_KEY; cd here; TURNPIPE_PATH=$PWD llmcall <../req >../x 2>/dev/null || :); ls bad 2>/dev/null; sent' <<!
3
!
check '--dry-run: the bytes, the key masked' 'llmcall -n <noend | sed "s,$URL,URL,;s,/[0-9.]*\$,/V,"' <<!
POST URL/v1/chat/completions
Content-Type: application/json
User-Agent: turnpipe/V
Authorization: Bearer ***

{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"stream_options":{"include_usage":true}}
!
check '--dry-run: the user'\''s own headers may be keys' 'ANTHROPIC_API_KEY=sk-none ANTHROPIC_CUSTOM_HEADERS="Authorization: Bearer s3cret
X-Team: a" llmcall -n -m anthropic/m <noend | sed -n "5,8p"' <<!
Authorization: ***
X-Team: ***
x-api-key: ***

!

# The history as a server takes it.
body()
{
	llmcall -n -m "$1" <in | tail -1
}
cat >in <<!
{"type":"request","messages":[{"type":"message","role":"user","content":"a","tp":{"n":1},"id":"m"},{"role":"assistant","content":""},{"role":"assistant","content":null,"reasoning_content":"r","tool_calls":[{"id":null,"type":"function","function":{"name":"f","arguments":"{\"a\": 1"}},{"id":"0123456789012345678901234567890123456789x","type":"function","function":{"name":"f","arguments":""},"extra_content":{"s":"x"}}]},{"role":"tool","tool_call_id":"0123456789012345678901234567890123456789x","content":"ok"}],"tools":[],"max_tokens":5,"max_steps":9,"seed":1}
!
check 'what a server would refuse is left out, named anew, fixed' 'body openai/m' <<!
{"model":"m","messages":[{"role":"user","content":"a"},{"role":"assistant","content":null,"reasoning_content":"r","tool_calls":[{"type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}},{"id":"call_fe43f054e9512497","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"s":"x"}}]},{"role":"tool","tool_call_id":"call_fe43f054e9512497","content":"ok"}],"max_tokens":5,"seed":1,"stream":true,"stream_options":{"include_usage":true}}
!
check 'at the provider itself, by its own names' 'unset OPENAI_BASE_URL; body openai/m' <<!
{"model":"m","messages":[{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}},{"id":"call_fe43f054e9512497","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"s":"x"}}]},{"role":"tool","tool_call_id":"call_fe43f054e9512497","content":"ok"}],"max_completion_tokens":5,"seed":1,"stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false}}
!
check 'Mistral wants ids of nine' 'body mistral/m | grep -o "\"tool_call_id\":\"[a-z0-9]*\""' <<!
"tool_call_id":"rzh609s0b"
!

# Signals: the text so far, then the signal's own end.
for sig in INT TERM; do
	serve '{"chunks":[{"data":"data: {\"choices\":[{\"delta\":{\"content\":\"ha\"}}]}\n\n"},{"data":"x","delay_ms":600000}]}'
	check "SIG$sig leaves the partial message" '
	    : >out; llmcall -d <req >out & pid=$!
	    until_ "grep -q delta out"
	    kill -'$sig' $pid; st=0; { wait $pid || st=$?; } 2>err
	    grep -v "usage\|delta" out; echo $st' <<!
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true,"interrupted":true}}
$([ $sig = INT ] && echo 130 || echo 143)
!
done

serve '{"chunks":[{"data":"data: {\"choices\":[{\"delta\":{\"content\":\"ha\"}}]}\n\n"},{"data":"x","delay_ms":600000}]}'
check 'before it stands what stood before its request, also unordered' '
    { echo "{\"type\":\"session\",\"id\":\"s1\"}"; cat req; echo "{\"type\":\"end\"}"; } >u
    : >out; llmcall -uwd <u >out & pid=$!
    until_ "grep -q delta out"; kill $pid; { wait $pid || :; } 2>err; grep -v delta out | sed "s/,.*//"' <<!
{"type":"session"
{"type":"message"
{"type":"usage"
!

# What an unconfigured run would use.
probe()
{
	env -u OPENAI_API_KEY -u OPENAI_BASE_URL "$@" llmcall --probe
}
check 'probe: TURNPIPE_MODEL' 'probe TURNPIPE_MODEL=a/b' <<!
a/b
!
check 'probe: the first key' 'probe GROQ_API_KEY=x DEEPSEEK_API_KEY=y' <<!
deepseek/deepseek-flash
!
serve '{"body":{"models":[{"name":"tiny"}]},"path":"/api/tags"}'
check 'probe: OLLAMA_HOST that answers as Ollama' 'probe OLLAMA_HOST="${URL#http://}"' <<!
ollama/tiny
!
serve '{"body":{"models":[{"name":"far"}]},"stall_ms":500}'
check 'probe: a server that was named and took more than 300 ms did not count' 'probe OLLAMA_HOST="$URL"' <<!
ollama/far
!
serve '{"body":{"hello":1},"repeat":9}'
check 'probe: a server that answers otherwise does not count' 'st=0
    probe OLLAMA_HOST="$URL" >out 2>err || st=$?; grep ollama out || echo none; sed "s/.*\/api/\/api/; s/;.*//" err' <<!
none
/api/tags: not a model server that ollama knows (200)
!

fails 78 'no model: the line says where to name one' 'unset OPENAI_API_KEY OPENAI_BASE_URL
    mkdir nothing; echo "{\"type\":\"request\",\"messages\":[]}" | TURNPIPE_SHARE=nothing llmcall' <<!
llmcall: no model: name one with -m, TURNPIPE_MODEL or model in settings.yaml
!

# Ollama keeps as much of a prompt as its window holds, and says nothing.
long=$(awk 'BEGIN { for (i = 0; i < 9000; i++) printf "word " }')
serve '{"text":"x","usage":{"prompt_tokens":4096,"completion_tokens":1},"repeat":2}' \
    '{"text":"x","usage":{"prompt_tokens":9010,"completion_tokens":1}}'
check 'a prompt that the server cut is reported' \
    'export OLLAMA_HOST=${URL#http://}
    one() { printf "{\"type\":\"request\",\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}\n" "$2" | llmcall -m $1 2>&1 | grep -v "^{" || :; }
    one ollama/m "$long"; one openai/m "$long"; one ollama/m "$long"' <<!
llmcall: ollama read 4096 tokens of about 10088: the prompt was cut to its context window
!

# What keeps a provider's cache warm.
check 'the session is OpenAI'\''s prompt_cache_key, and no other provider'\''s' \
    'unset OPENAI_BASE_URL; export GROQ_API_KEY=x ANTHROPIC_API_KEY=x
    r="{\"type\":\"request\",\"session\":\"s1\",\"messages\":[]}"
    for m in openai/m openai-responses/m groq/m anthropic/m; do
	echo "$r" | llmcall -n -m $m | tail -n 1 | jq -c "[.prompt_cache_key, .session]"; done
    echo "$r" | OPENAI_BASE_URL=http://127.0.0.1:9/v1 llmcall -n -m openai/m | grep -c "s1" || :' <<!
["s1",null]
["s1",null]
[null,null]
[null,null]
0
!

# How far off an estimate is.
big='{"text":"x","usage":{"prompt_tokens":9000,"completion_tokens":1}}'
serve "$big" "$big" "$big" '{"text":"x","usage":{"prompt_tokens":999,"completion_tokens":1}}'
check 'what we took a long request for, unless it holds pictures' \
    'ask() { printf "{\"type\":\"request\",\"messages\":[{\"role\":\"user\",\"content\":%s}]%s}\n" "$1" "${2-}" | llmcall -m openai/m | jq -r "select(.type==\"usage\").estimate"; }
    a=$(ask "\"$long\""); b=$(ask "\"$long\"" ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"x\",\"parameters\":{}}}]")
    [ $a -gt 5000 ] && [ $b -gt $a ] && [ $b -lt $((a + 100)) ]
    ask "[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,AAAA\"}}]"
    ask "\"x\""' <<!
null
null
!
finish
