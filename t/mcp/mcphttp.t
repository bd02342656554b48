#!/bin/sh
. "${0%/*}/../lib.sh"

py=$PYTHON
[ -n "$py" ] || skip 'python3 is not installed'
export XDG_CONFIG_HOME="$PWD/etc" XDG_CACHE_HOME="$PWD/cache" \
    XDG_STATE_HOME="$PWD/state" TURNPIPE_SHARE="$TOP/share"
mkdir -p etc/turnpipe/keys
log=$PWD/log
# serving LOG [CERT]: a server's port in $port; it ends with the test.
serving()
{
	rm -f port
	mkfifo port
	"$py" "$TOP/t/mcphttpserver.py" "$@" >port 2>>err.server &
	tap_pids="$tap_pids $!"
	read -r port <port
}
serving "$log"
U=http://127.0.0.1:$port

# A session by hand: its first two messages, and calls.
begin()
{
	echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}'
	echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
}
call() { printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$1" "$2" "${3:-{\}}"; }
# What came back for the calls: id, and text or error.
answers() { jq -r 'select(.id != 1 and .method == null) | "\(.id) \(.result.content[0].text // .error.message)"' | sort; }
# The log, without what comes when it comes: the standing stream.
said() { grep -v -e 'GET -' -e 'POST answer' "$log"; }

check 'a session: event streams, its id and version, its end' \
    '{ begin; call 2 echo "{\"text\":\"hi\"}"; } | mcphttp "$U/deaf" | head -n 2; said' <<!
{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"hi"}]}}
POST initialize - -
POST notifications/initialized s-1 2025-11-25
POST tools/call s-1 2025-11-25
DELETE - s-1 2025-11-25
!
rm log
check 'JSON answers, no sessions' \
    '{ begin; call 2 echo "{\"text\":\"hi\"}"; } | mcphttp "$U/json,stateless,deaf" | answers; said | sort' <<!
2 hi
POST initialize - -
POST notifications/initialized - 2025-11-25
POST tools/call - 2025-11-25
!
check 'what is no answer is an error of that request' \
    '{ begin; call 2 cut; call 3 nothing; call 4 status "{\"a\":500}"; call 5 accepted; call 6 html; call 7 torn; call 8 stuck; call 9 echo; } |
    mcphttp "$U/x" | answers | sed "s/^7 .*/7/"' <<!
2 the stream ended before the answer
3 the stream ended before the answer
4 HTTP 500: sorry
5 HTTP 202: expected JSON or an event stream with the answer, got nothing
6 HTTP 200: expected JSON or an event stream with the answer, got text/html
7
8 the stream ended before the answer, and cannot be resumed: HTTP 405
9 
!
rm log
check 'a call is sent once, whatever became of it' 'call 2 nothing >calls; { begin; cat calls; } | mcphttp "$U/deaf" | answers; grep -c tools/call log' <<!
2 the stream ended before the answer
1
!
check 'events that are no JSON, answers to nothing, a second answer' \
    '{ begin; call 2 junk; } | mcphttp "$U/deaf" 2>&1 | tail -n 2 | sed "s|$U||"' <<!
mcphttp: /deaf: sent what is no JSON object; it is skipped
{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"after junk"}]}}
!
check 'answers in any order' \
    '{ begin; call 2 pair "{\"text\":\"a\"}"; call 3 pair "{\"text\":\"b\"}"; } | mcphttp "$U/deaf" | answers' <<!
2 a
3 b
!
check 'an answer is not held up by a stream that stays open' \
    '{ begin; printf "%s\n" "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"open\",\"_meta\":{\"progressToken\":2}}}"; } | mcphttp "$U/deaf" | tail -n 2' <<!
{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1,"message":"half"}}
{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"answered"}]}}
!
rm log
check 'a stream that the server closed is resumed' \
    '{ begin; call 2 resume; } | mcphttp "$U/deaf" | answers; said | grep GET | cut -d " " -f 2' <<!
2 resumed
resume-1
resume-2
!
rm log
check 'a session that is lost: another one, and the call again' \
    '{ begin; call 2 forget; until_ "grep -q forgotten out"; call 3 echo "{\"text\":\"hi\"}"; } |
    mcphttp "$U/deaf" | tee out | tail -n 2; said | cut -d " " -f 2 | tr "\n" " "; said | cut -d " " -f 3 | uniq | wc -l | tr -d " "' <<!
{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"hi"}]}}
initialize notifications/initialized tools/call tools/call initialize notifications/initialized tools/call - 4
!
check 'a call whose sessions are all lost fails' \
    '{ begin; call 2 forever; } | mcphttp "$U/deaf" | answers' <<!
2 the session has ended again
!
for how in http:500 away:307 html:200; do
	check "not an MCP server: $how" \
	    '{ begin; } | mcphttp "$U/${how%:*}" | jq -r .error.message | head -n 1 | cut -d : -f 1' <<!
HTTP ${how#*:}
!
done
check 'redirects are refused' 'begin | mcphttp "$U/away" | jq -r .error.message' <<!
HTTP 307: redirects are not followed: http://127.0.0.1:1/elsewhere
!
check 'nothing listens there' 'begin | mcphttp http://127.0.0.1:1/ | jq -c "[.id, has(\"error\")]"' <<!
[1,true]
!

# Through toolhold.
entry() { printf '%s"%s":{"url":"%s"%s}' "$sep" "$1" "$2" "${3-}"; sep=,; }
printf 't0ken-123\n' >etc/turnpipe/keys/good
printf 't0ken-123\n' >key.cmd
printf 'wrong-456\n' >etc/turnpipe/keys/bad
chmod 600 etc/turnpipe/keys/*
export TOKEN=t0ken-123
{
	sep=''
	printf '{"mcpServers":{'
	entry old "$U/x"
	entry new "$U/new"
	entry key "$U/token" ',"key":"good"'
	entry cmd "$U/token" ',"key_cmd":"cat key.cmd"'
	entry header "$U/token" ',"headers":{"Authorization":"Bearer ${TOKEN}"}'
	entry nokey "$U/token"
	entry badkey "$U/token" ',"key":"bad"'
	entry none "$U/token" ',"key":"none"'
	printf '}}\n'
} >etc/turnpipe/mcp.json
check 'a list of old and new servers; tokens from key files and headers' \
    'toolhold -l 2>err | jq -r .name; sed "s|$PWD|.|; s|words: .*/etc/turnpipe/|words: mcphttp: ./etc/turnpipe/|" err | sort' <<!
old_echo
old_big
new_echo
new_wait
key_echo
key_big
cmd_echo
cmd_big
header_echo
header_big
toolhold: server badkey: its tools are left out: initialize: HTTP 401: the server wants a token.  Make one on its site, put it into a key file and add "key": "NAME" to its entry, or "key_cmd" with a command that prints it (toolhold(1), FILES); there is no sign-in by OAuth: who are you, Bearer ***
toolhold: server nokey: its tools are left out: initialize: HTTP 401: the server wants a token.  Make one on its site, put it into a key file and add "key": "NAME" to its entry, or "key_cmd" with a command that prints it (toolhold(1), FILES); there is no sign-in by OAuth: who are you, nobody
toolhold: server none: its tools are left out: ended with status 77; its last words: mcphttp: ./etc/turnpipe/keys/none: expected a key file
!
check 'an answer of 5 MB, as JSON and as an event' \
    'toolhold -c old big a=5000000 | wc -c | tr -d " "; toolhold -c key echo text=hi' <<!
5000001
hi
!
check 'the requests of a server inside a stream: roots, ping, sampling' \
    'toolhold -- sh -c "for q in roots/list ping sampling/createMessage; do toolhold -c old \$q; done"' <<!
{"roots": [{"uri": "file://$(pwd -P | sed 's/ /%20/g')"}]}
{}
{"code": -32601, "message": "Method not found"}
!
rm log
check '2026-07-28: its headers; a tool whose headers are not known yet is listed first' \
    'toolhold -c new echo text=x "region=a ä" "more={\"deep\":42}"; echo "{\"region\":\"us\",\"text\":\"y\"}" | toolhold -c new echo -; toolhold -r new http://x/é | jq -r .content; said | grep -c tools/call; said | grep -c initialize || :' <<!
x
y
the text
3
0
!
rm log
check 'a call that is cancelled: a message of old, the end of the stream of new' \
    'toolhold -- sh -c "toolhold -c old hang & a=\$!; toolhold -c new wait & b=\$!
    until [ \"\$(grep -c tools/call \"$log\")\" = 2 ]; do sleep 0.05; done; kill \$a \$b
    until grep -q notifications/cancelled \"$log\" && grep -q hung-up \"$log\"; do sleep 0.05; done" 2>/dev/null; echo done' <<!
done
!

openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out crt.pem -days 30 \
    -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 2>/dev/null
cat key.pem crt.pem >both.pem
serving "$log" both.pem
check 'TLS: a certificate that holds, and one that does not' \
    'begin | SSL_CERT_FILE=crt.pem mcphttp "https://127.0.0.1:$port/json,deaf" | jq -c "[.id, has(\"result\")]"; begin | mcphttp "https://127.0.0.1:$port/" | jq -c "[.id, has(\"result\")]"' <<!
[1,true]
[1,false]
!

fails 64 'no URL' 'mcphttp 2>err; s=$?; head -n 1 err >&2; exit $s' <<!
mcphttp: expected one URL
!
fails 64 'another scheme' 'mcphttp ftp://x 2>err; s=$?; head -n 1 err >&2; exit $s' <<!
mcphttp: expected a URL, https:// or http://, got 'ftp://x'
!
for at in 127.0.0.1.example.org localhost:x@example.org; do
	fails 64 "a key goes to no other machine in the clear: $at" "mcphttp -k good http://$at/ 2>err; s=\$?; head -n 1 err >&2; exit \$s" <<!
mcphttp: expected https:// for a key, got 'http://$at/'
!
done
fails 64 'a header that the protocol has' 'TURNPIPE_MCP_HEADERS="Accept: x" mcphttp http://x' <<!
mcphttp: TURNPIPE_MCP_HEADERS: expected no header Accept, the protocol has it
!
fails 64 'what is no header' 'TURNPIPE_MCP_HEADERS="x" mcphttp http://x' <<!
mcphttp: TURNPIPE_MCP_HEADERS: expected "Name: value" on each line
!
fails 77 'a key file that others may read' 'chmod 644 etc/turnpipe/keys/good; mcphttp -k good https://x' <<!
mcphttp: $PWD/etc/turnpipe/keys/good: expected a file that only its owner can read: chmod 600
!
fails 74 'a full disk is not success' 'begin | mcphttp "$U/json" >/dev/full' <<!
mcphttp: write <stdout>: No space left on device
!
check 'what is no message is skipped' '{ echo "{"; echo; begin; } | mcphttp "$U/json,deaf" 2>&1 | cut -c 1-50' <<!
mcphttp: <stdin>: expected a JSON object on each l
{"jsonrpc":"2.0","id":1,"result":{"protocolVersion
!
