#!/bin/sh
. "${0%/*}/../lib.sh"

export XDG_CONFIG_HOME="$PWD/etc" TURNPIPE_SHARE="$PWD/share" \
    TURNPIPE_NOW=2026-11-21T12:00:00Z
mkdir -p etc/turnpipe share/tools
cp "$TOP/share/results.yaml" "$TOP/share/settings.yaml" share/
# tool NAME FIELDS <script
tool()
{
	{ echo '#!/bin/sh'; cat; } >share/tools/$1
	chmod +x share/tools/$1
	printf '{"description":"Does %s."%s}' "$1" "$2" >share/tools/$1.json
}
tool say ',"readonly":true,"parameters":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}' <<'!'
echo "$ARG_text"
!
tool fail ',"readonly":true' <<'!'
echo no
exit 3
!
tool wait ',"readonly":true' <<'!'
: >"$HOME/waits"
trap 'exit 1' TERM
while [ ! -e "$HOME/go" ]; do sleep 0.05; done
echo waited
!
tool write '' <<'!'
echo written
!
export HOME="$PWD"

# ask ID METHOD [PARAMS]
ask() { printf '{"jsonrpc":"2.0","id":%s,"method":"%s"%s}\n' "$1" "$2" "${3:+,\"params\":$3}"; }
call() { ask "$1" tools/call "{\"name\":\"$2\",\"arguments\":${3:-{\}}}"; }

check 'a last line without its newline is a message' 'printf %s "$(ask 1 fly)" | mcpserve | jq .error.code' <<!
-32601
!
check 'initialize: the version that the client wants, or ours' \
    '{ ask 1 initialize "{\"protocolVersion\":\"2025-03-26\"}"; ask 2 initialize "{\"protocolVersion\":\"1\"}"; echo "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"; } |
    mcpserve | jq -c "[.id,.result.protocolVersion,.result.capabilities,(.result.instructions | length > 99)]"' <<!
[1,"2025-03-26",{"tools":{}},true]
[2,"2025-11-25",{"tools":{}},true]
!
meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
check '2026-07-28: server/discover' \
    'ask 1 server/discover "{$meta}" | mcpserve | jq -c ".result | .supportedVersions, .capabilities, .resultType, (.ttlMs > 0), .cacheScope, ._meta[].name, (.instructions | length > 99)"' <<!
["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]
{"tools":{}}
"complete"
true
"private"
"turnpipe"
true
!
check '2026-07-28: a list and a call; what it has no more' \
    '{ ask 1 tools/list "{$meta}"; ask 2 tools/call "{\"name\":\"say\",\"arguments\":{\"text\":\"hi\"},$meta}"; ask 3 ping "{$meta}"; ask 4 initialize "{$meta}"; } | mcpserve |
    jq -c "[.id, .error.code, .result.resultType, .result.ttlMs, .result.content[0].text]" | sort' <<!
[1,null,"complete",60000,null]
[2,null,"complete",null,"hi\\n"]
[3,-32601,null,null,null]
[4,-32601,null,null,null]
!
check '2026-07-28: a version that is not spoken, and too little said' \
    '{ ask 1 tools/list "{$meta}" | sed s/2026-07-28/2031-01-01/; ask 2 server/discover "{}"; ask 3 tools/list "{$meta}" | sed s/clientCap/x/; } | mcpserve | jq -c "[.id,.error.code,.error.data]"' <<!
[1,-32022,{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"2031-01-01"}]
[2,-32602,null]
[3,-32602,null]
!
check 'tools/list: what toollist has' 'ask "\"x\"" tools/list | mcpserve' <<!
{"jsonrpc":"2.0","id":"x","result":{"tools":[{"name":"fail","description":"Does fail.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true}},{"name":"say","description":"Does say.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},"annotations":{"readOnlyHint":true}},{"name":"wait","description":"Does wait.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true}},{"name":"write","description":"Does write.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":false}}]}}
!
check 'tools/call: the result; what failed and what does not fit' \
    '{ call 1 say "{\"text\":\"hi\"}"; } | mcpserve; call 2 fail | mcpserve; call 3 say | mcpserve; call 4 nope | mcpserve' <<!
{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hi\n"}],"isError":false}}
{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"error: no\n"}],"isError":true}}
{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"error: these arguments do not fit the tool say: expected a member \"text\""}],"isError":true}}
{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"error: there is no tool nope; on offer: fail, say, wait, write"}],"isError":true}}
!
check 'what writes is denied, allowed by a rule, run with TURNPIPE_YES=1' \
    'call 1 write | mcpserve 2>/dev/null | jq .result.isError; call 2 write | TURNPIPE_YES=1 mcpserve | jq .result.isError
    printf "toolrun:\n  allow: [write]\n" >etc/turnpipe/settings.yaml
    call 3 write | mcpserve | jq .result.isError; rm etc/turnpipe/settings.yaml' <<!
true
false
false
!
check 'an answer does not wait for another' \
    '{ call 1 wait; call 2 say "{\"text\":\"hi\"}"; until_ "grep -q hi out"; : >go; } | mcpserve >out; jq .id out; rm go waits' <<!
2
1
!
check 'a client that wants progress has the seconds of a call' '
    { ask 1 tools/call "{\"name\":\"wait\",\"_meta\":{\"progressToken\":\"p\"}}"; until_ "grep -q progress out"; : >go; } | mcpserve >out
    head -n 1 out | jq -c "[.method,.params.progressToken,(.params.progress >= 0)]"; tail -n 1 out | jq .id; rm go waits' <<!
["notifications/progress","p",true]
1
!
tool picture ',"readonly":true' <<'!'
printf '\211PNG\r\n\032\nxx'
!
check 'an image that a tool prints is one; its run goes with the server' \
    'call 1 picture | TMPDIR=$PWD mcpserve | jq -c ".result.content[] | del(.text)"; ls | grep -c mcpserve || :; rm share/tools/picture*' <<!
{"type":"text"}
{"type":"image","data":"iVBORw0KGgp4eA==","mimeType":"image/png"}
0
!
check 'one that is cancelled gets TERM, and no answer' \
    '{ call 7 wait; until_ "[ -e waits ]"; echo "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":7}}"; ask 8 ping; } | mcpserve' <<!
{"jsonrpc":"2.0","id":8,"result":{}}
!
tool stay ',"readonly":true' <<'!'
echo $$ >"$HOME/stays"
exec sleep 600
!
check 'one that gets TERM ends its calls' \
    'mkfifo f; mcpserve <f >out & p=$!; exec 9>f; call 1 stay >&9; until_ "[ -s stays ]"
    kill $p; s=0; { wait $p || s=$?; } 2>&-; echo $s; ! kill -0 "$(cat stays)" 2>/dev/null' <<!
143
!
check 'what is no request' 'printf "{]\n\n{}\n{\"id\":1,\"method\":\"tools/call\"}\n{\"id\":2,\"method\":\"x\"}\n" | mcpserve' <<!
{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"expected a key in quotes"}}
{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"expected a method"}}
{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"expected a name and arguments"}}
{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}}
!
check 'turnpipe mcp serve is the same' 'ask 1 ping | turnpipe mcp serve' <<!
{"jsonrpc":"2.0","id":1,"result":{}}
!
fails 64 'an operand' 'mcpserve x 2>err; s=$?; head -n 1 err >&2; exit $s' <<!
mcpserve: expected no operand, got 'x'
!
fails 74 'a full disk is not success' 'ask 1 ping | mcpserve >/dev/full' <<!
mcpserve: write <stdout>: No space left on device
!
