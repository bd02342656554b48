#!/bin/sh
. "${0%/*}/../lib.sh"

export TURNPIPE_MODEL=openai/test OPENAI_API_KEY=sk-test XDG_STATE_HOME=$PWD/state
mkdir .git
printf 'one\ntwo\n' >notes
# The client: it sends what standard input says, a line at a time, SID for the
# session's id; "?" waits for the answer of the call before, "wait TEXT" for
# that text, and what it gets is in out.
cat >client <<'!'
mkfifo in.$$
turnpipe acp <in.$$ >out 2>err &
pid=$!
exec 3>in.$$
n=0 sid=none
while read -r line; do
	case $line in
	'?') until_ "grep -q '\"id\":$n[,}]' out"
	    sid=$(sed -n 's/.*"sessionId":"\([^"]*\)".*/\1/p' out | head -n 1) ;;
	wait*) until_ "grep -q '${line#wait }' out" ;;
	call*)
		n=$((n + 1)) line=${line#call }
		printf '%s\n' "{\"jsonrpc\":\"2.0\",\"id\":$n,\"method\":\"${line%% *}\",\"params\":${line#* }}" |
		    sed "s/SID/$sid/g" >&3 ;;
	*) printf '%s\n' "$line" | sed "s/SID/$sid/g" >&3 ;;
	esac
done
exec 3>&-
wait $pid
rm in.$$
cat err
!
start='call initialize {"protocolVersion":1,"clientCapabilities":{}}
call session/new {"cwd":"'$PWD'","mcpServers":[]}
?'
# What a message is, in a line.
kinds() { jq -r 'if .method == "session/update" then .params.update | [.sessionUpdate, .content.text? // .status? // .entries?[0].status? // ""] else [.id, .method // .result.stopReason? // .error.message? // (.result | keys | join(","))] end | map(tostring) | join(" ")' out | sed "s/[0-9]*T[0-9]*Z-[0-9a-f]*/ID/"; }

serve '{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"notes"}}]}' '{"text":"It has two lines."}'
check 'initialize, new, prompt: what is said and done, as it comes' '
    . ./client <<X
$start
call session/prompt {"sessionId":"SID","prompt":[{"type":"text","text":"how many? "},{"type":"resource_link","uri":"file:///n","name":"n"}]}
?
X
    kinds' <<!
1 agentCapabilities,agentInfo,authMethods,protocolVersion
2 sessionId
tool_call in_progress
tool_call_update completed
agent_message_chunk It 
agent_message_chunk has 
agent_message_chunk two 
agent_message_chunk lines.
3 end_turn
!
sid=$(sed -n 's/.*"sessionId":"\([^"]*\)".*/\1/p' out | head -n 1)
check 'another process lists it, loads it, goes on with it, closes it' '
    serve "{\"text\":\"Two, still.\"}"
    . ./client <<X
call session/list {"cwd":"$PWD"}
?
call session/load {"sessionId":"$sid","cwd":"$PWD","mcpServers":[]}
?
call session/resume {"sessionId":"$sid","cwd":"$PWD","mcpServers":[]}
call session/prompt {"sessionId":"$sid","prompt":[{"type":"text","text":"-"}]}
?
call session/close {"sessionId":"$sid"}
call session/prompt {"sessionId":"$sid","prompt":[{"type":"text","text":"still?"}]}
call session/load {"sessionId":"20200101T000000Z-00000000","cwd":"$PWD","mcpServers":[]}
call session/resume {"sessionId":"${sid%?}","cwd":"$PWD","mcpServers":[]}
?
X
    jq -c "select(.id == 1).result.sessions | map([.sessionId == \"$sid\", .cwd == \"$PWD\", .title])" out
    jq -r ".body.messages[-1].content" "$REQUESTS" | head -n 1
    kinds | sed 1d' <<!
turnpipe: 20200101T000000Z-00000000: no such session; 'turnpipe log' lists them
[[true,true,"how many? /n"]]
-
user_message_chunk how many? /n
tool_call in_progress
tool_call_update completed
agent_message_chunk It has two lines.
2 
3 
agent_message_chunk Two, 
agent_message_chunk still.
4 end_turn
5 
6 no such session
7 no such session
8 no such session
!
check 'a last line without its newline is a message' 'printf "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/fly\"}" | turnpipe acp | jq .error.code' <<!
-32601
!
edit='{"calls":[{"id":"c1","name":"edit_file","arguments":{"path":"notes","old":"one","new":"1"}},{"id":"c2","name":"write_file","arguments":{"path":"new","content":"x"}}]}'
serve "$edit" '{"text":"Done."}'
check 'what waits for the user is asked of the client; the turn goes on' '
    . ./client >/dev/null <<X
$start
call session/prompt {"sessionId":"SID","prompt":[{"type":"text","text":"change it"}]}
wait "id":"[^"]*/c2"
{"jsonrpc":"2.0","id":"SID/c1","result":{"outcome":{"outcome":"selected","optionId":"allow"}}}
{"jsonrpc":"2.0","id":"SID/c2","result":{"outcome":{"outcome":"selected","optionId":"deny"}}}
?
X
    kinds | sed 1,2d; cat notes; ls new 2>&-
    jq -c "select(.method == \"session/request_permission\").params | .toolCall.content, (.options | map(.kind))" out' <<!
tool_call in_progress
tool_call in_progress
ID/c1 session/request_permission
ID/c2 session/request_permission
tool_call_update completed
tool_call_update failed
agent_message_chunk Done.
3 end_turn
1
two
[{"type":"diff","path":"$PWD/notes","oldText":"one","newText":"1"}]
["allow_once","allow_always","reject_once"]
[{"type":"diff","path":"$PWD/new","newText":"x"}]
["allow_once","allow_always","reject_once"]
!
shell='{"calls":[{"id":"c1","name":"shell","arguments":{"command":"touch a"}}]}'
serve "$shell" '{"text":"Done."}' '{"calls":[{"id":"c2","name":"shell","arguments":{"command":"touch a"}}]}' '{"text":"Again."}'
check 'what is always allowed is not asked again in this session' '
    . ./client >/dev/null <<X
$start
call session/prompt {"sessionId":"SID","prompt":[{"type":"text","text":"touch it"}]}
wait "id":"[^"]*/c1"
{"jsonrpc":"2.0","id":"SID/c1","result":{"outcome":{"outcome":"selected","optionId":"always\\nshell(touch a)"}}}
?
call session/prompt {"sessionId":"SID","prompt":[{"type":"text","text":"once more"}]}
?
X
    kinds | sed 1,2d; jq -c "select(.method == \"session/request_permission\").params.options[1] | .optionId, .name" out' <<!
tool_call in_progress
ID/c1 session/request_permission
tool_call_update completed
agent_message_chunk Done.
3 end_turn
tool_call in_progress
tool_call_update completed
agent_message_chunk Again.
4 end_turn
"always\\nshell(touch a)"
"Always: shell(touch a)"
!
serve '{"calls":[{"id":"c1","name":"todo_add","arguments":{"text":"look"}}]}' '{"text":"Done."}'
check 'todos are the plan' '
    . ./client <<X
$start
call session/prompt {"sessionId":"SID","prompt":[{"type":"text","text":"plan it"}]}
?
X
    jq -c "select(.params.update.sessionUpdate? == \"plan\").params.update.entries" out' <<!
[{"content":"look","priority":"medium","status":"pending"}]
!
slow='{"chunks":[{"data":"data: {\"choices\":[{\"delta\":{\"content\":\"Ha\"}}]}\n\n"},{"data":"data: {}\n\n","delay_ms":600000}]}'
serve "$slow" '{"text":"Yes."}'
check 'a turn that is cancelled; the next one' '
    . ./client <<X
$start
call session/prompt {"sessionId":"SID","prompt":[{"type":"text","text":"long"}]}
wait agent_message_chunk
{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"SID"}}
?
call session/prompt {"sessionId":"SID","prompt":[{"type":"text","text":"short"}]}
?
X
    kinds | sed 1,2d' <<!
agent_message_chunk Ha
3 cancelled
agent_message_chunk Yes.
4 end_turn
!
serve '{"calls":[{"id":"c1","name":"shell","arguments":{"command":": >began; until [ -e go ]; do sleep 0.05; done; : >done"}}]}' '{"text":"Yes."}'
check 'a signal ends its turns, and what these have begun' '
    mkfifo in; turnpipe acp -y <in >out 2>err & pid=$!
    exec 3>in
    say() { printf "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"session/%s\",\"params\":{%s}}\n" "$@" >&3; }
    say 2 new "\"cwd\":\"$PWD\",\"mcpServers\":[]"
    until_ "grep -q sessionId out"
    say 3 prompt "$(grep -o "\"sessionId\":\"[^\"]*\"" out),\"prompt\":[{\"type\":\"text\",\"text\":\"go\"}]"
    until_ "[ -e began ]"; kill -s TERM $pid; wait $pid 2>/dev/null || echo $?
    exec 3>&-; jq -r "select(.id == 3).result.stopReason" out; : >go; ls done 2>/dev/null || :' <<!
143
cancelled
!
serve '{"status":400,"body":{"error":{"message":"bad key"}}}' "$slow"
check 'a turn that fails says why; what cannot be understood; a client that leaves' '
    . ./client <<X
$start
call session/prompt {"sessionId":"SID","prompt":[{"type":"text","text":"hi"}]}
?
call session/prompt {"sessionId":"SID","prompt":[{"type":"image","data":"","mimeType":"image/png"}]}
call session/new {"cwd":"relative","mcpServers":[]}
call session/fly {}
?
call session/prompt {"sessionId":"SID","prompt":[{"type":"text","text":"$(printf %150000s | tr " " x)"}]}
wait agent_message_chunk
X
    [ "$(tail -n 1 "$REQUESTS" | wc -c)" -gt 150000 ] && echo long
    kinds | sed 1,2d' <<!
turnpipe: 400: bad key
long
3 400: bad key
4 expected text, links and texts of resources
5 expected cwd, a directory
6 Method not found
agent_message_chunk Ha
7 cancelled
!
