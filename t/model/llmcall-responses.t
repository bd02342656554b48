#!/bin/sh
# llmcall against a server of the Responses API.
. "${0%/*}/../lib.sh"
. "$TOP/t/model/matrix.sh"

TURNPIPE_PATH=$TOP/share
KEY=sk-test-0123456789
OPENAI_API_KEY=$KEY
export TURNPIPE_PATH OPENAI_API_KEY

req='{"type":"request","id":"r1","model":"openai-responses/gpt-5","messages":[{"role":"user","content":"hi"}]}'
printf '%s\n{"type":"end"}\n' "$req" >req
printf '%s\n' "$req" >noend

answer='{"text":"Hello there","usage":{"input_tokens":50,"input_tokens_details":{"cached_tokens":30},"output_tokens":9,"output_tokens_details":{"reasoning_tokens":6}}}'
work='{"text":"see","thinking":"I think","calls":[{"id":"call_1","name":"ls","arguments":{"path":"."}},{"id":"call_2","name":"pwd"}]}'
check 'nothing is stored, whatever the request says' \
    'sed "s/\"messages\"/\"background\":true,\"store\":true,&/" noend | llmcall -n | tail -n 1 | jq -c "[.background, .store]"
    sed "s/\"messages\"/\"store\":true,&/" noend | llmcall -n | tail -n 1 | grep -o "\"store\":[a-z]*"' <<!
[null,false]
"store":false
!
serve "$answer" "$answer" "$work" "$work"
whole='s/"messages"/"stream":false,&/'
for n in "" "$whole"; do
	check "an answer and its usage${n:+, in one piece}" 'sed "$n" req | llmcall | stable' <<!
{"type":"message","id":"r1","role":"assistant","content":"Hello there"}
{"type":"usage","id":"r1","model":"openai-responses/gpt-5","prompt_tokens":50,"completion_tokens":9,"cached_tokens":30,"reasoning_tokens":6,"cost":0.00011875}
{"type":"end"}
!
done
for n in 3 4; do
	check "calls by call_id, and reasoning as it came ($n)" 'sed "$([ $n = 3 ] || echo "$whole")" req | llmcall | grep -v usage' <<!
{"type":"message","id":"r1","role":"assistant","content":"see","reasoning":"I think","tool_calls":[{"id":"call_1","type":"function","function":{"name":"ls","arguments":"{\"path\":\".\"}"}},{"id":"call_2","type":"function","function":{"name":"pwd","arguments":"{}"}}],"native":{"api":"responses","provider":"openai-responses","model":"gpt-5","blocks":[{"id":"item_${n}_0","type":"reasoning","summary":[{"type":"summary_text","text":"I think"}],"encrypted_content":"sealed-$n"},{"text":3},{"call":"call_1"},{"call":"call_2"}]}}
{"type":"end"}
!
done
check 'path and key' 'jq -c "[.path,.headers.authorization]" "$REQUESTS" | sort -u' <<!
["/v1/responses","Bearer $KEY"]
!
check '--dry-run: the bytes, the key masked' 'unset OPENAI_BASE_URL
    llmcall -n <noend | sed "s,/[0-9.]*\$,/V,"' <<!
POST https://api.openai.com/v1/responses
Content-Type: application/json
User-Agent: turnpipe/V
Authorization: Bearer ***

{"model":"gpt-5","input":[{"type":"message","role":"user","content":"hi"}],"store":false,"include":["reasoning.encrypted_content"],"stream":true,"stream_options":{"include_obfuscation":false}}
!
check 'models without reasoning are not asked for it' 'unset OPENAI_BASE_URL
    llmcall -n -m openai-responses/gpt-4o <noend | tail -n 1 | jq -c .include' <<!
null
!
mkdir -p "$HOME/.config/turnpipe/keys"
(umask 077 && echo sk-file >"$HOME/.config/turnpipe/keys/openai")
serve '{"text":"x"}'
check 'the key file is that of openai' 'unset OPENAI_API_KEY; llmcall <req >x; jq -r .headers.authorization "$REQUESTS"' <<!
Bearer sk-file
!
rm -r "$HOME/.config"

# How it ends.
matrix 'max_output_tokens in a call: not run, 7' 7 1 '{"text":"ha","calls":[{"id":"a","name":"f","arguments":"{\"a"}],"finish":"max_output_tokens"}' <<!
llmcall: the answer stopped at the length limit
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true,"dropped_calls":1}}
{"type":"error","id":"r1","from":"llmcall","code":7,"message":"the answer stopped at the length limit"}
!
matrix 'content_filter' 3 1 '{"text":"ha","finish":"content_filter"}' <<!
llmcall: openai-responses's filter stopped the answer (content_filter)
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":3,"message":"openai-responses's filter stopped the answer (content_filter)","class":"message"}
!
matrix 'incomplete without a reason is no whole answer' 7 1 '{"events":[{"type":"response.incomplete","response":{"status":"incomplete","output":[{"type":"message","content":[{"type":"output_text","text":"ha"}]}]}}]}' <<!
llmcall: the answer stopped at the length limit
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":7,"message":"the answer stopped at the length limit"}
!
serve '{"events":[{"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"rs"}},{"type":"response.output_text.delta","output_index":1,"delta":"ha"},{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"ha"}]}]}}]}'
check 'what stands elsewhere at the end is not there twice' 'llmcall <req | jq -r "select(.role).content"' <<!
ha
!
matrix 'a refusal' 3 1 '{"events":[{"type":"response.refusal.delta","output_index":0,"delta":"no"},{"type":"response.completed","response":{"status":"completed"}}]}' <<!
llmcall: the model refused: no
{"type":"message","id":"r1","role":"assistant","content":"","refusal":"no"}
{"type":"error","id":"r1","from":"llmcall","code":3,"message":"the model refused: no","class":"message"}
!
matrix 'no terminal event: half an answer, its reasoning not kept' 76 1 '{"text":"ha","thinking":"t","break":true}' <<!
llmcall: the answer broke off: transfer closed with outstanding read data remaining
{"type":"message","id":"r1","role":"assistant","content":"ha","reasoning":"t","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":76,"message":"the answer broke off: transfer closed with outstanding read data remaining"}
!
matrix '[DONE] is no terminal event, nor is a finished text' 76 1 '{"events":[{"type":"response.output_text.delta","output_index":0,"delta":"ha"},{"type":"response.output_text.done","output_index":0,"text":"ha"},"[DONE]"]}' <<!
llmcall: the answer broke off
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":76,"message":"the answer broke off"}
!
failed()
{
	printf '{"events":[%s{"type":"response.failed","response":{"status":"failed","error":{"code":"%s","message":"%s"}}}]}' "$3" "$1" "$2"
}
matrix 'response.failed, before any text: again' 0 2 "$(failed server_error oh '')" '{"text":"x"}' <<!
llmcall: try 2 of 2 in T: server_error: oh
{"type":"message","id":"r1","role":"assistant","content":"x"}
!
matrix 'response.failed, behind text' 76 1 "$(failed server_error oh '{"type":"response.output_text.delta","output_index":0,"delta":"ha"},')" <<!
llmcall: the answer broke off: server_error: oh
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":76,"message":"the answer broke off: server_error: oh"}
!
matrix 'response.failed: overflow' 6 1 "$(failed context_length_exceeded 'too long' '')" <<!
llmcall: context_length_exceeded: too long
{"type":"error","id":"r1","from":"llmcall","code":6,"message":"context_length_exceeded: too long"}
!
matrix 'an error event' 77 1 '{"events":[{"type":"error","code":"insufficient_quota","message":"pay","param":null,"sequence_number":1}]}' <<!
llmcall: insufficient_quota: pay
{"type":"error","id":"r1","from":"llmcall","code":77,"message":"insufficient_quota: pay"}
!
matrix 'a failed response in one piece' 69 2 '{"body":{"status":"failed","error":{"code":"server_error","message":"oh"},"output":[]},"repeat":2}' <<!
llmcall: try 2 of 2 in T: server_error: oh
llmcall: server_error: oh
{"type":"error","id":"r1","from":"llmcall","code":69,"message":"server_error: oh"}
!

# The request, as its body has it.
body()
{
	llmcall -n "$@" <in | tail -n 1
}
call='{"id":"%s","type":"function","function":{"name":"f","arguments":"%s"}}'
a=$(printf "$call" a '{\"x\":1}') b=$(printf "$call" b '')
cat >in <<!
{"type":"request","model":"openai-responses/gpt-5","messages":[{"role":"system","content":"be good"},{"role":"system","content":""},{"role":"developer","content":[{"type":"text","text":"and short"}]},{"role":"user","content":"one"},{"role":"developer","content":"late"},{"role":"assistant","content":"","tool_calls":[$a,$b]},{"role":"tool","tool_call_id":"a","content":"r"},{"role":"tool","tool_call_id":"b","content":"s"},{"role":"user","content":"hurry"},{"role":"user","content":"12:00","tp":{"volatile":true}}]}
!
check 'instructions, items' 'body | jq -c ".instructions,.input[]"' <<!
"be good\n\nand short"
{"type":"message","role":"user","content":"one"}
{"type":"message","role":"developer","content":"late"}
{"type":"function_call","call_id":"a","name":"f","arguments":"{\"x\":1}"}
{"type":"function_call","call_id":"b","name":"f","arguments":"{}"}
{"type":"function_call_output","call_id":"a","output":"r"}
{"type":"function_call_output","call_id":"b","output":"s"}
{"type":"message","role":"user","content":"hurry"}
{"type":"message","role":"user","content":"12:00"}
!
cat >in <<!
{"type":"request","model":"openai-responses/gpt-5","messages":[{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"https://h/x.png","detail":"low"}},{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,BBBB"}}]}]}
!
check 'images and files' 'body | jq -c ".input[0].content[]"' <<!
{"type":"input_text","text":"see"}
{"type":"input_image","image_url":"https://h/x.png","detail":"low"}
{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,BBBB"}
!
tools='"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}},{"type":"function","function":{"name":"g","strict":true}}]'
while read -r fields want; do
	printf '{"type":"request","model":"openai-responses/gpt-4o","messages":[],%s}\n' "$fields" >in
	check "fields sent: $fields" 'body | jq -c "del(.model,.input,.stream,.store,.stream_options)"' <<!
$want
!
done <<!
$tools {"tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object"},"strict":false},{"type":"function","name":"g","strict":true}]}
"tools":[],"tool_choice":"auto" {}
"max_tokens":5,"seed":1,"stop":"a" {"max_output_tokens":5}
"max_completion_tokens":6,"temperature":0.5,"user":"u" {"max_output_tokens":6,"temperature":0.5,"user":"u"}
"reasoning_effort":"low","verbosity":"low" {"text":{"verbosity":"low"},"reasoning":{"effort":"low"}}
"response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":{"type":"object"}}} {"text":{"format":{"type":"json_schema","name":"n","strict":true,"schema":{"type":"object"}}}}
"response_format":{"type":"json_object"} {"text":{"format":{"type":"json_object"}}}
"parallel_tool_calls":false {"parallel_tool_calls":false}
!
printf '{"type":"request","model":"openai-responses/m","messages":[],%s,"tool_choice":{"type":"function","function":{"name":"f"}}}\n' "$tools" >in
check 'tool_choice: one tool' 'body | jq -c .tool_choice' <<!
{"type":"function","name":"f"}
!

# What only the provider understands.
cat >in <<!
{"type":"request","model":"openai-responses/gpt-5","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"see","tool_calls":[$a],"native":{"api":"responses","provider":"openai-responses","model":"gpt-5","blocks":[{"type":"reasoning","id":"rs_0","summary":[],"status":"completed"},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"c2ln","status":"completed"},{"text":3},{"call":"a"},{"type":"reasoning","id":"rs_2","encrypted_content":"x"}]}},{"role":"tool","tool_call_id":"a","content":"r"}]}
!
check 'reasoning goes back as it came, but what is not sealed and what nothing follows' 'body | jq -c ".input[]"' <<!
{"type":"message","role":"user","content":"q"}
{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"c2ln"}
{"type":"message","role":"assistant","content":"see"}
{"type":"function_call","call_id":"a","name":"f","arguments":"{\"x\":1}"}
{"type":"function_call_output","call_id":"a","output":"r"}
!
check 'to the same model only' 'body -m openai-responses/gpt-4o | jq -c ".input[1:][]"' <<!
{"type":"message","role":"assistant","content":"see"}
{"type":"function_call","call_id":"a","name":"f","arguments":"{\"x\":1}"}
{"type":"function_call_output","call_id":"a","output":"r"}
!
check 'nothing of it in a Chat Completion' 'body -m openai/gpt-5 | jq -c ".messages[1]|keys"' <<!
["content","role","tool_calls"]
!

# Nonsense is for the server to refuse; the body stays JSON.
while read -r messages; do
	printf '{"type":"request","model":"openai-responses/gpt-5","messages":[%s],"tools":[{"type":"function","function":[1]},{}],"tool_choice":[1],"response_format":{"json_schema":[{}]}}\n' "$messages" >in
	check "a body of $messages" 'body | jq -c "type"' <<!
"object"
!
done <<!
{"role":"user","content":[1,[2],{},{"type":"text"},null]}
{"role":"user","content":{"a":1}}
{"content":7}
{"role":"assistant","content":null,"tool_calls":[{}]}
{"role":"assistant","tool_calls":[{"id":[],"function":3}]}
{"role":"assistant","native":{"api":"responses","provider":"openai-responses","model":"gpt-5","blocks":[{"text":-1},{"call":"gone"},[],{"type":[]}]}}
!

finish
