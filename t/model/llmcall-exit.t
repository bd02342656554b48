#!/bin/sh
# How llmcall ends: status, what it says, and how often it asked.
. "${0%/*}/../lib.sh"

TURNPIPE_PATH=$TOP/share
OPENAI_API_KEY=sk-test-0123456789
export TURNPIPE_PATH OPENAI_API_KEY
printf '{"type":"request","id":"r1","model":"openai/m","messages":[{"role":"user","content":"hi"}]}\n{"type":"end"}\n' >req

# Times differ.
told()
{
	sed 's/ in [0-9.e-]* s: / in T: /' err
}

# ends NAME STATUS REQUESTS 'STDERR LINES, $ between' SCRIPT LINE...: with
# one try more.  A failure has an error record with the same text and status,
# and no answer is called whole that is not.  @ in a line: 2000 ms, longer where
# the limits are.
ends()
{
	name=$1 status=$2 requests=$3 says=$4
	shift 4
	printf '%s\n' "$@" >script
	last=${says##*\$}
	{
		[ -z "$says" ] || printf '%s\n' "$says" | tr '$' '\n' | sed 's/^/llmcall: /'
		[ "$status" -eq 0 ] || printf '%s %s\n' "$status" "$last"
		echo "$status after $requests"
	} >want
	slowly "$name" 'st=0 tap_pids=; sed "s/@/$((2000 * k))/" script >now; serve -s now
	    llmcall -x 1 $more ${total:+-t $(tenths $total)} ${limit:+-i $(tenths $limit) -f $(tenths $limit)} <req >out 2>err || st=$?
	    told
	    sed -n "s/\\\\\(.\)/\1/g; /^{\"type\":\"error\"/{
		s/.*\"code\":\([0-9]*\),\"message\":\"/\1 /
		s/\"\(,\"status\":[0-9]*\)*\(,\"retry_after\":[0-9]*\)*\(,\"class\":\"message\"\)*}\$//p; }" out
	    [ $st -eq 0 ] || [ $st -eq 3 ] || ! grep "\"role\"" out |
		grep -v "\"tp\":{\"partial\":true"
	    tail -1 out | grep -qx "{\"type\":\"end\"}" || echo no end
	    echo "$st after $(wc -l <"$REQUESTS" | tr -d " ")"; llmserver_stop' <want
}

ok='{"text":"x"}' limit='' more='' total=''
half='{"events":[{"choices":[{"delta":{"content":"ha"}}]}'
ends '200' 0 1 '' "$ok"
ends '401' 77 1 '401: bad key' '{"status":401,"body":{"error":{"message":"bad key"}}}'
ends '403' 77 1 '403: no' '{"status":403,"body":{"error":{"message":"no"}}}'
# Its body may not come whole; the status did.
ends '401 whose body breaks off' 77 1 '401: {"error": transfer closed with outstanding read data remaining' '{"status":401,"body":"{\"error\"","break":true}'
ends '429 whose body breaks off: its Retry-After counts' 75 1 '429: {"error": transfer closed with outstanding read data remaining; try again in 61 s' \
    '{"status":429,"headers":{"Retry-After":"61"},"body":"{\"error\"","break":true}'
ends '429 with Retry-After, then 200' 0 2 'try 2 of 2 in T: 429: slow' \
    '{"status":429,"headers":{"Retry-After":"0.01"},"body":{"error":{"message":"slow"}}}' "$ok"
ends '429 with Retry-After, for ever' 75 2 'try 2 of 2 in T: 429: slow$429: slow; try again in 1 s' \
    '{"status":429,"headers":{"Retry-After":"0.01"},"body":{"error":{"message":"slow"}},"repeat":9}'
ends '429 with a Retry-After that is too long' 75 1 '429: slow; try again in 61 s' \
    '{"status":429,"headers":{"Retry-After":"61"},"body":{"error":{"message":"slow"}}}'
ends 'Gemini: RetryInfo is obeyed' 75 1 '429: RESOURCE_EXHAUSTED: 429: slow; try again in 61 s' \
    '{"status":429,"body":[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"slow","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"61s"}]}}]}'
ends 'Gemini: a key that is not valid is a key refused' 77 1 '400: INVALID_ARGUMENT: API_KEY_INVALID: no' \
    '{"status":400,"body":[{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"no","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}]}'
ends 'a finish reason, then nothing on an open connection, is an end' 0 1 '' \
    '{"chunks":[{"data":"data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\n"},{"data":": \n\n","delay_ms":60000}],"headers":{"Content-Type":"text/event-stream"}}'
ends '429 without Retry-After, then 200' 0 2 'try 2 of 2 in T: 429: slow' \
    '{"status":429,"body":{"error":{"message":"slow"}}}' "$ok"
ends '429 without Retry-After, for ever' 75 2 'try 2 of 2 in T: 429: slow$429: slow' \
    '{"status":429,"body":{"error":{"message":"slow"}},"repeat":9}'
ends '500, then 200' 0 2 'try 2 of 2 in T: 500: oops' '{"headers":{"retry-after-ms":"1"},"status":500,"body":{"error":{"message":"oops"}}}' "$ok"
ends '500 for ever' 69 2 'try 2 of 2 in T: 500: oops$500: oops' '{"status":500,"body":{"error":{"message":"oops"}},"repeat":9}'
ends 'a key that the server tells is masked' 69 2 'try 2 of 2 in T: 500: no ***!$500: no ***!' '{"status":500,"body":{"error":{"message":"no sk-test-0123456789!"}},"repeat":9}'
ends '429 that speaks of length is a rate limit' 0 2 'try 2 of 2 in T: 429: reduce the length of the messages' '{"status":429,"headers":{"retry-after-ms":"1"},"body":{"error":{"message":"reduce the length of the messages"}}}' "$ok"
ends '529, then 200' 0 2 'try 2 of 2 in T: 529: busy' '{"headers":{"retry-after-ms":"1"},"status":529,"body":{"error":{"message":"busy"}}}' "$ok"
ends '529 for ever' 69 2 'try 2 of 2 in T: 529: busy$529: busy' '{"status":529,"body":{"error":{"message":"busy"}},"repeat":9}'
limit=2 late='{"text":"late","stall_ms":600000,"repeat":9}' once='{"text":"late","stall_ms":600000}'
ends 'a stall before the first byte, then 200' 0 2 'try 2 of 2 in T: no answer within the time limit' "$once" "$ok"
ends 'a stall before the first byte, for ever' 75 2 'try 2 of 2 in T: no answer within the time limit$no answer within the time limit' "$late"
ends 'a stall in the text is a cut like others' 76 1 'the answer broke off: nothing came within the time limit' \
    '{"chunks":[{"data":"data: {\"choices\":[{\"delta\":{\"content\":\"ha\"}}]}\n\n"},{"data":"x","delay_ms":600000}],"repeat":9}'
limit=
more='-t 50'
ends '429 whose wait is longer than there is time' 75 1 '429: slow; try again in 55 s' '{"status":429,"headers":{"Retry-After":"55"},"body":{"error":{"message":"slow"}}}'
more='' total=3
ends 'the total time is over' 75 1 'total time limit' '{"text":"x","stall_ms":600000,"repeat":9}'
total=30
ends 'the total time is that of all tries' 75 2 'try 2 of 2 in T: 500: oops$total time limit' '{"status":500,"headers":{"retry-after-ms":"1"},"body":{"error":{"message":"oops"}},"stall_ms":@}' '{"text":"x","stall_ms":@}'
total=
ends 'truncation: no terminal event' 76 1 'the answer broke off' "$half]}"
ends 'truncation: the connection breaks' 76 1 'the answer broke off: transfer closed with outstanding read data remaining' "$half],\"break\":true}"
ends 'truncation: before anything, then 200' 0 2 'try 2 of 2 in T: Empty reply from server' '{"break":true}' "$ok"
ends 'truncation: an answer in one piece that is half JSON' 69 2 'try 2 of 2 in T: the answer is malformed: {"choices":[{"mess$the answer is malformed: {"choices":[{"mess' \
    '{"headers":{"Content-Type":"application/json","retry-after-ms":"1"},"body":"{\"choices\":[{\"mess","repeat":9}'
ends 'an overload after text is a cut like others' 76 1 'the answer broke off: overloaded' "$half,{\"error\":{\"message\":\"overloaded\"}}]}"
ends 'a server error after text, with a code' 76 1 'the answer broke off: 502: bad gateway' "$half,{\"error\":{\"code\":502,\"message\":\"bad gateway\"}}]}"
ends 'a rate limit after text' 76 1 'the answer broke off: rate_limit: slow; try again in 7 s' "$half,{\"error\":{\"type\":\"rate_limit\",\"message\":\"slow\"}}],\"headers\":{\"Retry-After\":\"7\"}}"
ends 'a model that failed after text' 76 1 'the model failed' "$half,{\"choices\":[{\"delta\":{},\"finish_reason\":\"error\"}]},\"[DONE]\"]}"
ends 'an error after text that no try fixes' 6 1 'context_length_exceeded' "$half,{\"error\":{\"code\":\"context_length_exceeded\"}}]}"
ends '[DONE] without a finish_reason: a text of an unknown server is taken, with a warning' 0 1 'openai: no finish_reason: taken as complete' "$half,\"[DONE]\"]}"
ends '[DONE] without a finish_reason: a tool call is not' 76 1 'the answer broke off' \
    '{"events":[{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}}]},"[DONE]"]}'
mkdir -p etc/providers
printf 'api: chat\nbase_url: http://127.0.0.1:9\nbase_url_env: [OPENAI_BASE_URL]\ntells_finish: true\n' >etc/providers/sure.yaml
TURNPIPE_PATH=$PWD/etc:$TURNPIPE_PATH
more='-m sure/m'
ends '[DONE] without a finish_reason: nor is a text of a provider that sends one' 76 1 'the answer broke off' "$half,\"[DONE]\"]}"
more=
ends 'an error at 200, before text, then 200' 0 2 'try 2 of 2 in T: overloaded' '{"headers":{"retry-after-ms":"1"},"events":[{"error":{"message":"overloaded"}}]}' "$ok"
ends 'an error at 200 that no try fixes' 76 1 'bad tool' '{"events":[{"error":{"message":"bad tool"}}]}'
ends 'a rate limit at 200' 75 2 'try 2 of 2 in T: rate_limit_error: slow$rate_limit_error: slow' '{"events":[{"type":"error","error":{"type":"rate_limit_error","message":"slow"}}],"repeat":9}'
ends 'an error at 200 that is a text, before the answer' 69 2 'try 2 of 2 in T: boom$boom' '{"events":[{"error":"boom"}],"repeat":9}'
ends 'an error at 200, in an array' 76 1 '400: no' '{"body":[{"error":{"code":400,"message":"no"}}]}'
ends 'an error at 200 without details' 76 1 'an error without details' '{"events":[{"type":"error"}]}'
ends 'no error: null, false, empty' 0 1 '' '{"events":[{"error":null},{"error":false},{"error":""},{"error":{}},{"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}]}'
ends 'no answer and no error: the line on the try says that' 69 2 'try 2 of 2 in T: the answer broke off$the answer broke off' '{"events":["[DONE]"],"repeat":9}'
ends 'length' 7 1 'the answer stopped at the length limit' '{"text":"ha","finish":"length"}'
ends 'a refusal' 3 1 'the model refused: no' '{"events":[{"choices":[{"delta":{"refusal":"no"},"finish_reason":"stop"}]},"[DONE]"]}'
ends 'the filter refused' 3 1 '400: content_filter: no' '{"status":400,"body":{"error":{"code":"content_filter","message":"no"}}}'
ends 'overflow' 6 1 '400: context_length_exceeded' '{"status":400,"body":{"error":{"code":"context_length_exceeded"}}}'
ends '400' 65 1 '400: bad' '{"status":400,"body":{"error":{"message":"bad"}}}'
ends '404' 78 1 '404: no such model' '{"status":404,"body":{"error":{"message":"no such model"}}}'

ends '413 is 6' 6 1 '413: large' '{"status":413,"body":{"error":{"message":"large"}}}'
ends '407 of a proxy on http is 77' 77 1 '407: who are you' '{"status":407,"body":{"error":{"message":"who are you"}}}'
ends 'a redirect is named with its target and what to set' 78 1 '307: redirected to https://x.invalid/v2; set OPENAI_BASE_URL to where it is' \
    '{"status":307,"headers":{"Location":"https://x.invalid/v2"},"body":"gone"}'
ends 'event: error keeps its message' 76 1 '{"reason":"full"}' '{"chunks":[{"data":"event: error\ndata: {\"reason\":\"full\"}\n\n"}],"headers":{"Content-Type":"text/event-stream"}}'
ends 'detail keeps its message' 76 1 'no such thing' '{"events":[{"detail":"no such thing"}]}'
ends 'gzip that was not asked for is named' 69 2 'try 2 of 2 in T: the answer is compressed by gzip, which was not requested$the answer is compressed by gzip, which was not requested' \
    '{"chunks":[{"b64":"H4sIAAAAAAAA/6tWqgUAQ7+mowIAAAA="}],"headers":{"Content-Type":"application/json","Content-Encoding":"gzip","retry-after-ms":"1"},"repeat":9}'
ends 'gzip in place of a stream is named, too' 69 2 'try 2 of 2 in T: the answer is compressed by gzip, which was not requested$the answer is compressed by gzip, which was not requested' \
    '{"chunks":[{"b64":"H4sIAAAAAAAA/6tWqgUAQ7+mowIAAAA="}],"headers":{"Content-Type":"text/event-stream","Content-Encoding":"gzip","retry-after-ms":"1"},"repeat":9}'
ends "a refusal shows the model's words" 3 1 'the model refused: not that' '{"events":[{"choices":[{"delta":{"refusal":"not that"},"finish_reason":"stop"}]},"[DONE]"]}'
ends 'a plain text that begins as a field might is no stream' 69 2 'try 2 of 2 in T: the answer is malformed: internal error$the answer is malformed: internal error' \
    '{"body":"internal error","headers":{"Content-Type":"text/plain","retry-after-ms":"1"},"repeat":9}'
ends 'the type says that it is a stream before the first byte does' 0 1 '' \
    '{"chunks":[{"data":"x-own: 1\ndata: {\"choices\":[{\"delta\":{\"content\":\"ha\"},\"finish_reason\":\"stop\"}]}\n\n"}],"headers":{"Content-Type":"text/event-stream"}}'

perl -MIO::Socket::INET -e '
	$s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1") or die;
	open F, ">port.tmp"; print F $s->sockport; close F; rename "port.tmp", "port";
	while ($c = $s->accept) {
		while (<$c>) { last if /^\r?\n/ }
		print $c "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n";
		close $c;
	}' & pid=$!
until_ '[ -e port ]'
check '407 of a proxy on https is 77, and is asked once' \
    'OPENAI_BASE_URL=https://192.0.2.1/v1 https_proxy=http://127.0.0.1:$(cat port) llmcall <req >out 2>err || echo $?
    jq .code out | head -n 1; grep -c . err' <<!
77
77
1
!
kill $pid
wait $pid 2>/dev/null || :

perl -MIO::Socket::INET -e '
	$s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1") or die;
	open F, ">port2.tmp"; print F $s->sockport; close F; rename "port2.tmp", "port2";
	$SIG{PIPE} = "IGNORE";
	while ($c = $s->accept) {
		open F, ">>asked"; print F "once\n"; close F;
		while (<$c>) { last if /^\r?\n/ }
		print $c "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{";
		for (1 .. 70) { print $c " " x (1 << 20) or last }
		close $c;
	}' & pid=$!
until_ '[ -e port2 ]'
check 'an answer of more than 64 MiB is not asked for again' \
    'OPENAI_BASE_URL=http://127.0.0.1:$(cat port2)/v1 llmcall <req >out 2>/dev/null || echo $?
    jq -r "select(.type == \"error\").message" out; cat asked' <<!
76
the answer is too large
once
!
kill $pid
wait $pid 2>/dev/null || :

serve '{"text":"'"$(printf '%02000d' 1)"'"}'
check 'a full disk under the book is 74' \
    '(trap "" XFSZ; ulimit -f 1; journal -J book -- llmcall <req 2>&1 >/dev/null || echo $?) | sed "s/: [^:]*$//"' <<!
journal: write book
74
!

# Signals, before the first byte and in the text: it asked once, wrote what
# it had, and died of the signal; a shell would say 130 or 143.
for sig in INT TERM; do
	n=$([ $sig = INT ] && echo 130 || echo 143)
	serve '{"text":"x","stall_ms":600000}' '{"chunks":[{"data":"data: {\"choices\":[{\"delta\":{\"content\":\"ha\"}}]}\n\n"},{"data":"x","delay_ms":600000}]}'
	check "SIG$sig before the first byte" 'llmcall <req >out 2>err & pid=$!
	    until_ "[ -s \"\$REQUESTS\" ]"
	    kill -'$sig' $pid; st=0; { wait $pid || st=$?; } 2>/dev/null
	    jq -c "[.type,.prompt_tokens > 0,.completion_tokens,.guessed]" out; cat err; echo "$st after $(wc -l <"$REQUESTS" | tr -d " ")"' <<!
["usage",true,0,true]
$n after 1
!
	check "SIG$sig in the text" 'llmcall -d <req >out 2>err & pid=$!
	    until_ "grep -q delta out"
	    kill -'$sig' $pid; st=0; { wait $pid || st=$?; } 2>/dev/null
	    grep -v "usage\|delta" out; jq -c "select(.type==\"usage\")|[.prompt_tokens > 0,.completion_tokens,.guessed]" out; cat err; echo "$st after $(wc -l <"$REQUESTS" | tr -d " ")"' <<!
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true,"interrupted":true}}
[true,1,true]
$n after 2
!
done

# Standard output that is closed, full, or whose reader has gone; standard
# input that stays open.
serve "$ok" "$ok" "$ok" "$ok"
check 'closed stdout' 'st=0; llmcall <req >&- 2>err || st=$?; cat err; echo $st' <<!
llmcall: write <stdout>: Bad file descriptor
74
!
check 'a reader that has gone: silent, of SIGPIPE' '{ st=0; llmcall <req || st=$?; echo $st >&3; } 3>st 2>err | :
    until_ "[ -s st ]"; cat err st' <<!
141
!
check 'open stdin: the answer does not wait for its end' 'mkfifo in out.f
    llmcall <in >out.f & pid=$!
    exec 5>in 6<out.f
    cat req >&5
    head -n 1 <&6 | cut -c 1-40
    kill -0 $pid && echo runs
    exec 5>&- 6<&-
    st=0; wait $pid || st=$?; [ $st -eq 0 ] || [ $st -eq 141 ] || echo $st' <<!
{"type":"message","id":"r1","role":"assi
runs
!
fails 74 'a closed stdin is no empty one' 'llmcall <&-' <<!
llmcall: read <stdin>: Bad file descriptor
!

# What errors of providers say of a message: STATUS and error.
n=0
while IFS='|' read -r status error; do
	n=$((n + 1))
	printf '{"status":%s,"body":{"error":%s}}\n' "$status" "$error"
	sed '1!d; s/"r1"/"r'$n'"/' req >&3
done >script 3>many <<'!'
400|{"type":"invalid_request_error","message":"messages.0.content.5.image.source.base64: image exceeds 5 MB maximum: 5281812 bytes > 5242880 bytes"}
400|{"type":"invalid_request_error","message":"messages.3.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels"}
400|{"code":"image_parse_error","message":"You uploaded an unsupported image."}
400|{"code":"invalid_prompt","message":"Invalid prompt: your prompt was flagged as potentially violating our usage policy."}
400|{"code":"string_above_max_length","message":"Invalid 'messages[1].content': string too long."}
400|{"code":"content_filter","message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy."}
403|{"code":403,"message":"Your chosen model requires moderation and your input was flagged for violence"}
404|{"code":404,"message":"No endpoints found that support image input"}
400|{"code":"context_length_exceeded","message":"This model's maximum context length is 8192 tokens."}
413|{"type":"request_too_large","message":"Request exceeds the maximum size"}
429|{"code":"rate_limit_exceeded","message":"Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 31538. The input or output tokens must be reduced in order to run successfully."}
401|{"message":"invalid x-api-key"}
403|{"message":"no permission for this model"}
404|{"code":"model_not_found","message":"The model does not exist"}
400|{"message":"tools.0.input_schema: expected an object"}
400|{"message":"messages.2: a tool call has no result"}
429|{"message":"image input tokens per minute: slow down"}
500|{"message":"could not process image"}
!
serve -s script
check 'refused for what a message holds or its size: the error record says so; a key, a model, a line of ours, a long history: it does not' \
    'for i in $(seq $n); do sed -n ${i}p many | llmcall -x 0 2>/dev/null | jq -r "select(.type == \"error\") | \"\(.code) \(.class)\""; done | uniq -c | sed "s/^ *//"' <<!
3 65 message
1 3 message
1 65 message
2 3 message
1 65 message
3 6 null
2 77 null
1 78 null
2 65 null
1 75 null
1 69 null
!
serve '{"text":"x"}' '{"status":400,"body":{"error":{"message":"no"}}}' '{"status":500,"body":"down"}'
check 'a failure that may pass goes before one that is final: a batch with it is not over' '
    st=0; for i in 1 2 3; do head -n 1 req; done | llmcall -j 1 -x 0 >out 2>err || st=$?; echo $st' <<!
69
!
finish
