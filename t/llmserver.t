#!/bin/sh
. "${0%/*}/lib.sh"

post()
{
	curl -sS -d "$1" "$URL/v1/chat/completions"
}

# What the deltas of a stream add up to; $1 picks from a delta.
deltas()
{
	post "$2" | sed -n 's/^data: {/{/p' |
	    jq -rj ".choices[]?.delta | ($1) // empty"
}

llmserver_start \
    '{"text":"Hello there"}' \
    '{"text":"Hello there"}' \
    '{"text":"Hello there","repeat":2}' \
    '{"text":"a","finish":"length","model":"b","usage":{"total_tokens":7}}'

check 'text' 'post "{\"model\":\"m\"}" | jq -c .' <<!
{"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello there"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}
!
check 'text as a stream' 'post "{\"stream\":true}"' <<!
data: {"id":"chatcmpl-2","object":"chat.completion.chunk","created":1700000000,"model":"test","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

data: {"id":"chatcmpl-2","object":"chat.completion.chunk","created":1700000000,"model":"test","choices":[{"index":0,"delta":{"content":"Hello "},"finish_reason":null}]}

data: {"id":"chatcmpl-2","object":"chat.completion.chunk","created":1700000000,"model":"test","choices":[{"index":0,"delta":{"content":"there"},"finish_reason":null}]}

data: {"id":"chatcmpl-2","object":"chat.completion.chunk","created":1700000000,"model":"test","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]

!
check 'usage when the request asks for it' \
    'post "{\"stream\":true,\"stream_options\":{\"include_usage\":true}}" |
    grep usage' <<!
data: {"id":"chatcmpl-3","object":"chat.completion.chunk","created":1700000000,"model":"test","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}
!
check 'a line serves as many requests as it says' \
    'post "{}" | jq -r ".choices[0].message.content"' <<!
Hello there
!
check 'finish, model and usage are the script'\''s' \
    'post "{\"model\":\"m\"}" |
    jq -c "[.choices[0].finish_reason, .model, .usage]"' <<!
["length","b",{"total_tokens":7}]
!
check 'after the end of the script' \
    'curl -sS -w "\n%{http_code}\n" "$URL/x"' <<!
{"error":{"message":"request 6: the script of 4 lines is used up","type":"llmserver"}}
599
!
check 'it counted and kept them all' \
    'jq -c "[.n, .method, .path, .body]" "$REQUESTS" | sed -n "1p;2p;\$p"' <<!
[1,"POST","/v1/chat/completions",{"model":"m"}]
[2,"POST","/v1/chat/completions",{"stream":true}]
[6,"GET","/x",null]
!
llmserver_stop

call='{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"ä b"}},
{"name":"now","arguments":"{\"half"},{}],"text":"Let me see"}'
call=$(printf %s "$call" | tr '\n' ' ')
llmserver_start -r "$call"
check 'calls' 'post "{}" | jq -c ".choices[]|(.message, .finish_reason)"' <<!
{"role":"assistant","content":"Let me see","tool_calls":[{"id":"c1","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"ä b\"}"}},{"type":"function","function":{"name":"now","arguments":"{\"half"}},{"type":"function","function":{"arguments":"{}"}}]}
"tool_calls"
!
check 'calls as a stream: heads' 'deltas \
    "select(.tool_calls[0].type?) | .tool_calls[0] | tojson + \"\n\"" \
    "{\"stream\":true}"' <<!
{"index":0,"id":"c1","type":"function","function":{"name":"read_file","arguments":""}}
{"index":1,"type":"function","function":{"name":"now","arguments":""}}
{"index":2,"type":"function","function":{"arguments":""}}
!
check 'calls as a stream: arguments in several deltas' 'deltas \
    "select(.tool_calls) | .tool_calls[0] |
	\"\(.index) \(.function.arguments|tojson)\n\"" "{\"stream\":true}" |
    grep -v \"\"$' <<!
0 "{\"path"
0 "\":\"ä "
0 "b\"}"
1 "{\"h"
1 "alf"
2 "{"
2 "}"
!
check 'calls as a stream: text' 'deltas .content "{\"stream\":true}"; echo' <<!
Let me see
!
llmserver_stop

llmserver_start \
    '{"status":429,"headers":{"Retry-After":"1","X-Id":"r"},"body":{"a": 1}}' \
    '{"status":500,"headers":{"content-type":"text/html"},"body":"<p>\n"}' \
    '{"status":204}' \
    '{"path":"/v1/models","body":[]}' \
    '{"path":"/v1/models","body":[]}'
check 'status, headers and a JSON body' \
    'curl -sSi "$URL" | tr -d "\r" | grep -v ^Date:' <<!
HTTP/1.1 429 Too Many Requests
Retry-After: 1
X-Id: r
Content-Type: application/json
Content-Length: 8

{"a": 1}
!
check 'a body as it stands' \
    'curl -sS -w "%{http_code} %{content_type}\n" "$URL"' <<!
<p>
500 text/html
!
check 'no body' 'curl -sS -w "%{http_code} %{size_download}\n" "$URL"' <<!
204 0
!
check 'the wrong path' 'curl -sS -w "\n%{http_code}\n" "$URL/v2/models"' <<!
{"error":{"message":"request 4: expected the path /v1/models, got /v2/models","type":"llmserver"}}
404
!
check 'the right path, with a query' 'curl -sS "$URL/v1/models?a=b&c"; echo' <<!
[]
!
check 'the record has path and query' 'tail -n 2 "$REQUESTS" | jq -c .path' <<!
"/v2/models"
"/v1/models?a=b&c"
!
llmserver_stop

llmserver_start \
    '{"chunks":[{"data":"data: {\"a\":"},{"b64":"w6T/Cg==","delay_ms":1}]}' \
    '{"events":[{"type":"ping"},{"a":[1, 2]},"[DONE]"],"delay_ms":1}'
check 'chunks, as they stand' \
    'curl -sS -w "%{content_type}\n" "$URL" | od -An -c' <<!
   d   a   t   a   :       {   "   a   "   : 303 244 377  \n   t
   e   x   t   /   e   v   e   n   t   -   s   t   r   e   a   m
  \n
!
check 'events' 'curl -sS "$URL"' <<!
event: ping
data: {"type":"ping"}

data: {"a":[1, 2]}

data: [DONE]

!
llmserver_stop

llmserver_start '{"break":true}' '{"body":"half","break":true}' \
    '{"text":"a b","break":true}' '{"events":[1],"break":true}'
fails 52 'a break without a byte' 'curl -sS "$URL"' <<!
curl: (52) Empty reply from server
!
fails 18 'a break in the body' 'curl -sS -o got "$URL"' <<!
curl: (18) transfer closed with outstanding read data remaining
!
check 'all of the body came before the break' 'cat got; echo' <<!
half
!
fails 18 'a break in a stream' 'post "{\"stream\":true}" >got' <<!
curl: (18) transfer closed with outstanding read data remaining
!
check 'its text came, its finish did not' \
    'grep -c . got; grep -c "finish_reason\":\"\|DONE" got || :' <<!
3
0
!
llmserver_stop

# Order tells, not time: who stalls is overtaken by who came later.
slowly 'an answer that waits holds up no other' 'rm -f go order
	llmserver_start "{\"until\":\"go\",\"body\":\"slow\n\"}" \
	    "{\"chunks\":[{\"data\":\"first\n\"},{\"delay_ms\":$((150 * k)),\"data\":\"second\n\"}]}" \
	    "{\"body\":\"quick\n\"}"
	curl -sS "$URL" >>order & slow=$!
	until_ "[ -s \"\$REQUESTS\" ]"
	curl -sSN "$URL" >>order & drip=$!
	until_ "[ -s order ]"
	curl -sS "$URL" >>order
	wait $drip; : >go; wait $slow
	llmserver_stop
	cat order' <<!
first
quick
second
slow
!

llmserver_start -f 'Yes.'
check 'the fast answer, twice on one connection' '
	curl -sS -d "{}" "$URL" -o 1 "$URL" -o 2 -w "%{num_connects}\n"
	cat 1 2 | jq -c ".choices[0].message.content"' <<!
1
0
"Yes."
"Yes."
!
check 'the fast answer as a stream' 'deltas .content "{\"stream\":true}"; echo' <<!
Yes.
!
check 'a body that is no JSON, headers that repeat' '
	curl -sS -o out -H "X-A: 1" -H "x-a: 2" -d "{\"a\" " "$URL"
	tail -n 1 "$REQUESTS" | jq -c "[.text, .body, .headers[\"x-a\"]]"' <<!
["{\"a\" ",null,"1, 2"]
!
check 'a body of many lines is recorded in one' '
	printf "{\"a\":\r\n\n[1,\n\"\\\\n\"]}\n" |
	    curl -sS -o out --data-binary @- "$URL"
	tail -n 1 "$REQUESTS" | jq -c .body' <<!
{"a":[1,"\n"]}
!
check 'a large body' '
	awk "BEGIN { printf \"[\"; for (i = 0; i < 300000; i++)
	    printf \"%d,\", i; print \"0]\" }" >large
	curl -sS -o out --data-binary @large "$URL"
	tail -n 1 "$REQUESTS" | jq -c ".body | length"' <<!
300001
!
llmserver_stop

server=${BIN%/*}/t/llmserver
printf '{"text":"a"}\n{"txt":"a"}\n' >script
fails 65 'a key that is not known' '"$server" -s script' <<!
llmserver: script:2:2: unknown key
!
printf '{"text":"a"}\n{"text":]\n' >script
fails 65 'a script that is no JSON' '"$server" -s script' <<!
llmserver: script:2:9: expected a value
!
: >script
fails 65 'an empty script' '"$server" -s script' <<!
llmserver: script: expected a line
!
fails 66 'no script' '"$server" -s none' <<!
llmserver: none: No such file or directory
!
fails 64 'neither script nor text' '"$server"' <<!
usage: llmserver [-r] [-f text | -s script] [-l log] [-m bytes] [-P file] [-p port]
!
fails 74 'a full disk' '"$server" -f a >/dev/full' <<!
llmserver: stdout: No space left on device
!
check 'the port in a file; SIGTERM' '
	"$server" -f a -P port & pid=$!
	until_ "[ -s port ]"
	curl -sS -o out -w "%{http_code}\n" "http://127.0.0.1:$(cat port)/"
	kill $pid; wait $pid' <<!
200
!
# The other families, by the path that is asked.
ask()
{
	curl -sS -d "$2" "$URL/v1/$1"
}
llmserver_start -r '{"text":"a b","thinking":"t","calls":[{"id":"c","name":"f","arguments":{"x":1}}]}'
check 'an answer of the Messages API' \
    'ask messages "{}" | jq -c "[.stop_reason,.usage,.content[]]"' <<!
["tool_use",{"input_tokens":10,"output_tokens":5},{"type":"thinking","thinking":"t","signature":"sealed-1"},{"type":"text","text":"a b"},{"type":"tool_use","id":"c","name":"f","input":{"x":1}}]
!
check 'and as a stream' 'ask messages "{\"stream\":true}" | sed -n "s/^event: //p" | uniq -c | sed "s/^ *//"
    ask messages "{\"stream\":true}" | sed -n "s/^data: //p" | jq -rj ".delta|.text//.partial_json//.thinking//empty"; echo' <<!
1 message_start
1 ping
1 content_block_start
2 content_block_delta
1 content_block_stop
1 content_block_start
2 content_block_delta
1 content_block_stop
1 content_block_start
4 content_block_delta
1 content_block_stop
1 message_delta
1 message_stop
ta b{"x":1}
!
check 'an answer of the Responses API' \
    'ask responses "{}" | jq -c "[.status,.output[].type,.output[2].arguments]"' <<!
["completed","reasoning","message","function_call","{\"x\":1}"]
!
check 'and as a stream: its last event is the same' \
    'ask responses "{\"stream\":true}" | sed -n "s/^data: //p" >x
    tail -n 1 x | jq -c "[.type,.response.output[].type]"
    jq -rj "select(.type==\"response.output_text.delta\").delta" x; echo' <<!
["response.completed","reasoning","message","function_call"]
a b
!
check 'a log without a limit filled the disk of a client that asked for ever' '
    mkfifo full.port
    "${BIN%/*}/t/llmserver" -f hi -l full.log -m 1000 >full.port 2>full.err &
    pid=$!
    read -r port <full.port
    n=0
    while [ $n -lt 100 ] && curl -sf -d "{\"messages\":[]}" \
	"http://127.0.0.1:$port/v1/chat/completions" >/dev/null; do
	n=$((n + 1))
    done
    wait $pid || echo $?
    [ "$n" -gt 0 ] && [ "$(wc -c <full.log)" -le 1000 ] && cat full.err' <<!
74
llmserver: log: expected at most 1000 bytes
!
# The library reads 128 events at a time, and waited for the next ones with those
# in its hand: a killed llmcall -j 64 closes as many connections at once.
"$server" -f a -P many.port & pid=$!
until_ '[ -s many.port ]'
check 'just 128 connections with something at once are all answered' '
	timeout 120 "$PYTHON" - "$(cat many.port)" $pid <<-"EOF"
		import os, signal, socket, sys
		ask = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
		all = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for i in range(128)]
		def answers():
		    return sum(s.recv(65536).startswith(b"HTTP/1.1 200") for s in all)
		for s in all:
		    s.sendall(ask)
		    s.recv(65536)
		os.kill(int(sys.argv[2]), signal.SIGSTOP)
		for s in all:
		    s.sendall(ask)
		os.kill(int(sys.argv[2]), signal.SIGCONT)
		print(answers())
	EOF' <<!
128
!
kill $pid
wait $pid
llmserver_start -r '{"text":"a","stall_ms":1}'
check 'an answer that stalled came up to a second late' '
	timeout 60 curl -sS -o out "$URL/[1-90]" -w "" && sent' <<!
90
!
