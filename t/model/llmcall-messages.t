#!/bin/sh
# llmcall against a server of the Messages API.
. "${0%/*}/../lib.sh"
. "$TOP/t/model/matrix.sh"

TURNPIPE_PATH=$TOP/share
KEY=sk-ant-0123456789
ANTHROPIC_API_KEY=$KEY
export TURNPIPE_PATH ANTHROPIC_API_KEY

req='{"type":"request","id":"r1","model":"anthropic/claude-x","messages":[{"role":"user","content":"hi"}]}'
printf '%s\n{"type":"end"}\n' "$req" >req

serve()
{
	llmserver_start "$@"
	ANTHROPIC_BASE_URL=$URL
	export ANTHROPIC_BASE_URL
}

answer='{"text":"Hello there","usage":{"input_tokens":4,"cache_read_input_tokens":100,"cache_creation_input_tokens":20,"output_tokens":9}}'
serve "$answer" "$answer" '{"text":"see","thinking":"I think","calls":[{"id":"toolu_1","name":"ls","arguments":{"path":"."}},{"id":"toolu_2","name":"pwd"}]}' \
    '{"text":"see","thinking":"I think","calls":[{"id":"toolu_1","name":"ls","arguments":{"path":"."}},{"id":"toolu_2","name":"pwd"}]}'
whole='s/"messages"/"stream":false,&/'
for n in "" "$whole"; do
	check "an answer; prompt_tokens are all that went in${n:+, in one piece}" 'sed "$n" req | llmcall | stable' <<!
{"type":"message","id":"r1","role":"assistant","content":"Hello there"}
{"type":"usage","id":"r1","model":"anthropic/claude-x","prompt_tokens":124,"completion_tokens":9,"cached_tokens":100,"cache_write_tokens":20}
{"type":"end"}
!
done
for n in 3 4; do
	check "calls, and thinking with its signature ($n)" 'sed "$([ $n = 3 ] || echo "$whole")" req | llmcall | grep -v usage' <<!
{"type":"message","id":"r1","role":"assistant","content":"see","reasoning":"I think","tool_calls":[{"id":"toolu_1","type":"function","function":{"name":"ls","arguments":"{\"path\":\".\"}"}},{"id":"toolu_2","type":"function","function":{"name":"pwd","arguments":"{}"}}],"native":{"api":"messages","provider":"anthropic","model":"claude-x","blocks":[{"type":"thinking","thinking":"I think","signature":"sealed-$n"},{"text":3},{"call":"toolu_1"},{"call":"toolu_2"}]}}
{"type":"end"}
!
done
check 'path and headers' 'jq -c "[.path,.headers.\"x-api-key\",.headers.\"anthropic-version\",.headers.authorization]" "$REQUESTS" | sort -u' <<!
["/v1/messages","$KEY","2023-06-01",null]
!
serve '{"text":"x","repeat":4}'
check 'the base URL with /v1, and a token' 'unset ANTHROPIC_API_KEY
    ANTHROPIC_BASE_URL=$URL/v1/ ANTHROPIC_AUTH_TOKEN=tok-1 llmcall <req >x
    jq -c "[.path,.headers.\"x-api-key\",.headers.authorization]" "$REQUESTS"' <<!
["/v1/messages",null,"Bearer tok-1"]
!
check 'headers of the user'\''s' 'ANTHROPIC_CUSTOM_HEADERS="anthropic-beta: a,b" llmcall <req >x
    tail -n 1 "$REQUESTS" | jq -r ".headers.\"anthropic-beta\""' <<!
a,b
!
check 'text goes on as it comes, thinking does not' 'llmcall -d <req | jq -rj "select(.type == \"delta\").text"; echo' <<!
x
!
check '--dry-run: the bytes, the key masked' 'llmcall -n <req | sed "s,$URL,URL,;s,/[0-9.]*\$,/V,;/\"end\"/d"' <<!
POST URL/v1/messages
Content-Type: application/json
User-Agent: turnpipe/V
anthropic-version: 2023-06-01
x-api-key: ***

{"model":"claude-x","max_tokens":32000,"messages":[{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}],"stream":true}
!
printf '%s\n' "$req" >noend
fails 77 'no key' 'unset ANTHROPIC_API_KEY ANTHROPIC_BASE_URL; llmcall <noend' <<!
llmcall: no key for anthropic: set ANTHROPIC_API_KEY, or write it to $HOME/.config/turnpipe/keys/anthropic
!

# How it ends.
matrix 'max_tokens in a call: not run, 7' 7 1 '{"text":"ha","calls":[{"id":"a","name":"f","arguments":"{\"a"}],"finish":"max_tokens"}' <<!
llmcall: the answer stopped at the length limit
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true,"dropped_calls":1}}
{"type":"error","id":"r1","from":"llmcall","code":7,"message":"the answer stopped at the length limit"}
!
matrix 'a refusal' 3 1 '{"text":"ha","finish":"refusal"}' <<!
llmcall: the model refused: ha
{"type":"message","id":"r1","role":"assistant","content":"ha"}
{"type":"error","id":"r1","from":"llmcall","code":3,"message":"the model refused: ha","class":"message"}
!
matrix 'model_context_window_exceeded' 6 1 '{"text":"ha","finish":"model_context_window_exceeded"}' <<!
llmcall: the context window is full
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":6,"message":"the context window is full"}
!
matrix 'an unknown stop reason' 0 1 '{"text":"ha","finish":"whim"}' <<!
llmcall: anthropic: the answer ended with 'whim', which is not known
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"finish":"whim"}}
!
matrix 'no message_stop: half an answer, its thinking not kept' 76 1 '{"text":"ha","thinking":"t","break":true}' <<!
llmcall: the answer broke off: transfer closed with outstanding read data remaining
{"type":"message","id":"r1","role":"assistant","content":"ha","reasoning":"t","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":76,"message":"the answer broke off: transfer closed with outstanding read data remaining"}
!
matrix '[DONE] is no terminal event either' 76 1 '{"events":[{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ha"}},"[DONE]"]}' <<!
llmcall: the answer broke off
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":76,"message":"the answer broke off"}
!
start='{"type":"message_start","message":{"usage":{"input_tokens":1}}},{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'
matrix 'overloaded at status 200, before any text: again' 0 2 '{"events":['"$start"',{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}]}' '{"text":"x"}' <<!
llmcall: try 2 of 2 in T: overloaded_error: Overloaded
{"type":"message","id":"r1","role":"assistant","content":"x"}
!
matrix 'overloaded at status 200, behind text' 76 1 '{"events":['"$start"',{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ha"}},{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}]}' <<!
llmcall: the answer broke off: overloaded_error: Overloaded
{"type":"message","id":"r1","role":"assistant","content":"ha","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":76,"message":"the answer broke off: overloaded_error: Overloaded"}
!
matrix 'an empty answer is one' 0 1 '{"text":""}' <<!
{"type":"message","id":"r1","role":"assistant","content":""}
!
fault()
{
	printf '{"status":%s,"headers":{"request-id":"req_7","Retry-After":"0"},"body":{"type":"error","error":{"type":"%s","message":"%s"},"request_id":"req_7"},"repeat":%s}' "$@"
}
# status type message exit tries
while read -r status type code tries message; do
	[ "$tries" = 2 ] && again="llmcall: try 2 of 2 in T: $status: $type: $message [req_7]
" wait='; try again in 0 s' after=',"retry_after":0' || again='' wait='' after=''
	matrix "$status $type" "$code" "$tries" "$(fault "$status" "$type" "$message" "$tries")" <<!
${again}llmcall: $status: $type: $message [req_7]$wait
{"type":"error","id":"r1","from":"llmcall","code":$code,"message":"$status: $type: $message [req_7]$wait","status":$status$after}
!
done <<!
400 invalid_request_error 65 1 messages: text content blocks must be non-empty
400 invalid_request_error 6 1 prompt is too long: 210000 tokens > 200000 maximum
400 invalid_request_error 6 1 input length and max_tokens exceed context limit: 190000 + 32000 > 200000
400 invalid_request_error 77 1 Your credit balance is too low to access the API
401 authentication_error 77 1 invalid x-api-key
403 permission_error 77 1 not yours
404 not_found_error 78 1 model: claude-x
413 request_too_large 6 1 Request exceeds the maximum size
429 rate_limit_error 75 2 slow down
500 api_error 69 2 Internal server error
529 overloaded_error 69 2 Overloaded
!

# A pause: what was said so far is sent, and the answer goes on.
search='{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"s1","name":"web_search","input":{"q":"x"}}},{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"first "}}'
serve '{"events":[{"type":"message_start","message":{"usage":{"input_tokens":10,"output_tokens":1}}},'"$search"',{"type":"message_delta","delta":{"stop_reason":"pause_turn"},"usage":{"output_tokens":4}},{"type":"message_stop"}]}' \
    '{"text":"second","usage":{"input_tokens":20,"output_tokens":6}}'
check 'pause_turn: sent again, both parts are one answer' 'llmcall <req | stable; tail -n 1 "$REQUESTS" | jq -c ".body.messages[-1]"' <<!
{"type":"message","id":"r1","role":"assistant","content":"first second","native":{"api":"messages","provider":"anthropic","model":"claude-x","blocks":[{"type":"server_tool_use","id":"s1","name":"web_search","input":{"q":"x"}},{"text":6},{"text":6}]}}
{"type":"usage","id":"r1","model":"anthropic/claude-x","prompt_tokens":30,"completion_tokens":10}
{"type":"end"}
{"role":"assistant","content":[{"type":"server_tool_use","id":"s1","name":"web_search","input":{"q":"x"}},{"type":"text","text":"first ","cache_control":{"type":"ephemeral"}}]}
!
serve -r '{"text":"on","finish":"pause_turn"}'
check 'a model that only makes pauses is given up' 'st=0
    llmcall <req 2>err | grep -c on; cat err; sent' <<!
2
llmcall: the model made a pause
9
!

# The request, as its body has it.
body()
{
	llmcall -n "$@" <in | tail -n 1
}
cat >in <<!
{"type":"request","model":"anthropic/claude-x","messages":[{"role":"system","content":"be good"},{"role":"user","content":"hi"},{"role":"developer","content":[{"type":"text","text":"and short"},{"type":"text","text":" "}]},{"role":"system","content":""}]}
!
check 'system text of all places, as blocks, the last one marked' 'body | jq -c .system,.messages' <<!
[{"type":"text","text":"be good"},{"type":"text","text":"and short","cache_control":{"type":"ephemeral"}}]
[{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}]
!
call='{"id":"%s","type":"function","function":{"name":"f","arguments":"%s"}}'
a=$(printf "$call" a '{\"x\":1}') b=$(printf "$call" b '')
cat >in <<!
{"type":"request","model":"anthropic/claude-x","messages":[{"role":"user","content":"one"},{"role":"user","content":" \n"},{"role":"user","content":"two"},{"role":"assistant","content":"","tool_calls":[$a,$b]},{"role":"tool","tool_call_id":"a","content":"error: no"},{"role":"tool","tool_call_id":"b","content":""},{"role":"user","content":"hurry"},{"role":"user","content":"12:00","tp":{"volatile":true}}]}
!
check 'results in one message, blanks left out, what changes last and unmarked' 'body | jq -c ".messages[]"' <<!
{"role":"user","content":[{"type":"text","text":"one"},{"type":"text","text":"two","cache_control":{"type":"ephemeral"}}]}
{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"x":1}},{"type":"tool_use","id":"b","name":"f","input":{}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"error: no","is_error":true},{"type":"tool_result","tool_use_id":"b"},{"type":"text","text":"hurry","cache_control":{"type":"ephemeral"}},{"type":"text","text":"12:00"}]}
!
cat >in <<!
{"type":"request","model":"anthropic/claude-x","messages":[{"role":"user","content":"one"},{"role":"assistant","content":"so"},{"role":"assistant","content":"yes"},{"role":"user","content":"and?"}],"tools":[{"type":"function","function":{"name":"f"}},{"type":"function","function":{"name":"g","description":"d","parameters":{"type":"object"},"strict":true}}]}
!
check 'user messages in a row are one message' 'body | jq -c ".messages[1:][]"' <<!
{"role":"assistant","content":[{"type":"text","text":"so"},{"type":"text","text":"yes"}]}
{"role":"user","content":[{"type":"text","text":"and?","cache_control":{"type":"ephemeral"}}]}
!
check 'tools, the last one marked' 'body | jq -c ".tools[]"' <<!
{"name":"f","input_schema":{"type":"object"}}
{"name":"g","description":"d","input_schema":{"type":"object"},"strict":true,"cache_control":{"type":"ephemeral"}}
!
tools_of() { # MODEL TOOLS
	echo '{"type":"request","messages":[],"tools":[{"type":"function","function":{"name":"f"}}],"provider_tools":['"$2"']}' |
	    OPENAI_API_KEY=k GROQ_API_KEY=k llmcall -n -m "$1" 2>&1 | tail -n 1 |
	    jq -c 'if .type == "error" then .code, .message else (.tools | map(.type // "client")), .provider_tools end'
}
check 'tools of the provider by their names, beside those of the request' \
    'for m in anthropic/claude-x openai-responses/gpt-5 groq/x; do tools_of $m "\"web_search\""; done
    tools_of openai/gpt-5 "\"web_search\""' <<!
["web_search_20250305","client"]
null
["web_search","function"]
null
["browser_search","function"]
null
78
"openai has no tool web_search of its own; tools.own of providers/openai.yaml names those that it has"
!
check 'input_audio is refused before it is sent' \
    'echo "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"input_audio\"}]}],\"type\":\"request\"}" >sound
    llmcall -m anthropic/claude-x <sound 2>&1; echo $?' <<!
llmcall: anthropic takes no input_audio
{"type":"error","from":"llmcall","code":65,"message":"anthropic takes no input_audio","class":"message"}
65
!
check 'what is cached stays for an hour where the request says so' \
    'sed "s/\"messages\"/\"cache_ttl\":\"1h\",&/" in >hour; llmcall -n <hour | tail -n 1 | grep -o "\"cache_[^}]*}" | sort -u
    sed "s,anthropic/,ollama/," hour | llmcall -n | grep -c cache_ttl || :' <<!
"cache_control":{"type":"ephemeral","ttl":"1h"}
0
!
check 'never more than four marks' 'body | grep -o cache_control | wc -l | tr -d " "' <<!
3
!
mark='"cache_control":{"type":"ephemeral"}'
part='{"type":"image","source":{"type":"url","url":"http://x/y"},'$mark'}'
cat >in <<!
{"type":"request","model":"anthropic/claude-x","messages":[{"role":"system","content":[{"type":"text","text":"s",$mark}]},{"role":"user","content":[$part,$part,{"type":"text","text":"t",$mark}]},{"role":"assistant","content":"a"},{"role":"user","content":[$part,$part]}],"tools":[{"type":"own_1","name":"own",$mark},{"type":"own_1","name":"other",$mark}]}
!
check 'four cache marks, none from the request'\''s' 'body | jq -c "[.tools, .system, .messages[].content] | map([.[] | has(\"cache_control\")])"' <<!
[[false,true],[true],[false,false,true],[false],[false,true]]
!
tools='"tools":[{"type":"function","function":{"name":"f"}}]'
while read -r choice want; do
	printf '{"type":"request","model":"anthropic/claude-x","messages":[],%s,%s}\n' "$tools" "$choice" >in
	check "tool_choice: $choice" 'body | jq -c .tool_choice' <<!
$want
!
done <<!
"seed":1 null
"tool_choice":"auto" {"type":"auto"}
"tool_choice":"required" {"type":"any"}
"tool_choice":"none" {"type":"none"}
"tool_choice":{"type":"function","function":{"name":"f"}} {"type":"tool","name":"f"}
"tool_choice":{"type":"any"} {"type":"any"}
"parallel_tool_calls":true null
"parallel_tool_calls":false {"type":"auto","disable_parallel_tool_use":true}
"tool_choice":"required","parallel_tool_calls":false {"type":"any","disable_parallel_tool_use":true}
"tool_choice":"none","parallel_tool_calls":false {"type":"none"}
!
printf '{"type":"request","model":"anthropic/claude-x","messages":[],"tool_choice":"auto"}\n' >in
check 'no choice without tools' 'body' <<!
{"model":"claude-x","max_tokens":32000,"messages":[],"stream":true}
!
while read -r fields want; do
	printf '{"type":"request","model":"anthropic/claude-x","messages":[],%s}\n' "$fields" >in
	check "fields sent: $fields" 'body | jq -c "del(.model,.messages,.stream)"' <<!
$want
!
done <<!
"max_tokens":5 {"max_tokens":5}
"max_completion_tokens":6 {"max_tokens":6}
"stop":"a","seed":3,"user":"u" {"max_tokens":32000,"stop_sequences":["a"],"metadata":{"user_id":"u"}}
"stop":["\n","b"] {"max_tokens":32000,"stop_sequences":["b"]}
"temperature":1.5,"top_p":0.5 {"max_tokens":32000,"temperature":1}
"temperature":0.5,"thinking":{"type":"enabled","budget_tokens":1024} {"max_tokens":32000,"thinking":{"type":"enabled","budget_tokens":1024}}
"reasoning_effort":"low","response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object","additionalProperties":false}}} {"max_tokens":32000,"output_config":{"effort":"low","format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false}}},"thinking":{"type":"adaptive"}}
"reasoning_effort":"none","temperature":1 {"max_tokens":32000,"temperature":1}
"response_format":{"type":"json_object"} {"max_tokens":32000}
!
# Models that think by a budget of tokens; those that do not think at all.
thinks() { # MODEL FIELDS
	printf '{"type":"request","model":"anthropic/%s",%s}\n' "$1" "$2" >in
	body | jq -c '[.thinking, .output_config, .temperature]'
}
said='"temperature":0.5,"reasoning_effort"'
u='{"role":"user","content":"hi"}'
calls='{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]NATIVE},{"role":"tool","tool_call_id":"a","content":"r"}'
native=',"native":{"api":"messages","provider":"anthropic","model":"claude-haiku-4-5","blocks":[{"type":"thinking","thinking":"t","signature":"s"},{"call":"a"}]}'
mine=${calls%NATIVE*}$native${calls#*NATIVE} other=${calls%NATIVE*}${calls#*NATIVE}
forced='"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice"'
while read -r model fields; do
	read -r want
	check "how $model thinks: $fields" 'thinks "$model" "$fields"' <<!
$want
!
done <<!
claude-haiku-4-5 $said:"low","messages":[$u]
[{"type":"enabled","budget_tokens":4096},null,null]
claude-haiku-4-5 $said:"high","max_tokens":4000,"messages":[$u]
[{"type":"enabled","budget_tokens":2000},null,null]
claude-haiku-4-5 $said:"high","max_tokens":2000,"messages":[$u]
[null,null,0.5]
claude-haiku-4-5 $said:"low",$forced:"required","messages":[$u]
[null,null,0.5]
claude-haiku-4-5 $said:"low","messages":[$u,$other]
[null,null,0.5]
claude-haiku-4-5 $said:"low","messages":[$u,$mine]
[{"type":"enabled","budget_tokens":4096},null,null]
claude-haiku-4-5 $said:"low","messages":[$u,$other,$u]
[{"type":"enabled","budget_tokens":4096},null,null]
claude-3-5-haiku-latest $said:"low","messages":[$u]
[null,null,0.5]
claude-sonnet-4-6 $said:"minimal","messages":[$u]
[{"type":"adaptive"},{"effort":"low"},null]
claude-sonnet-4-6 $said:"low","thinking":{"type":"disabled"},"messages":[$u]
[{"type":"disabled"},{"effort":"low"},null]
!
printf '{"type":"request","model":"anthropic/other","messages":[]}\n' >in
check 'max_tokens of a model that is not known' 'body | jq .max_tokens' <<!
8192
!
cat >in <<!
{"type":"request","model":"anthropic/claude-x","messages":[{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},{"type":"image_url","image_url":{"url":"https://h/x.png"}},{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,BBBB"}}]}]}
!
check 'images and files' 'body | jq -c ".messages[0].content[]"' <<!
{"type":"text","text":"see"}
{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}
{"type":"image","source":{"type":"url","url":"https://h/x.png"}}
{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"BBBB"},"cache_control":{"type":"ephemeral"}}
!
long=0123456789012345678901234567890123456789012345678901234567890123456789
cat >in <<!
{"type":"request","model":"anthropic/claude-x","messages":[{"role":"assistant","content":null,"tool_calls":[$(printf "$call" "a.b" '{}'),$(printf "$call" $long 'half {')]},{"role":"tool","tool_call_id":"a.b","content":"1"},{"role":"tool","tool_call_id":"$long","content":[{"type":"text","text":"2"}]}]}
!
check 'ids of letters, digits, _ and -, at most 64; malformed arguments are wrapped' 'body | jq -c ".messages[].content[]|[.id//.tool_use_id,.input,.content]"' <<!
["call_e61d99190466522c",{},null]
["call_be3cee88845bf57a",{"arguments":"half {"},null]
["call_e61d99190466522c",null,"1"]
["call_be3cee88845bf57a",null,[{"type":"text","text":"2"}]]
!

# What only the provider understands.
own='"native":{"api":"messages","provider":"anthropic","model":"claude-x","blocks":[{"type":"thinking","thinking":"t \"1\"","signature":"c2ln"},{"text":3},{"type":"redacted_thinking","data":"ZA=="},{"text":5},{"call":"a"}]}'
cat >in <<!
{"type":"request","model":"anthropic/claude-x","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"see here","reasoning":"t","tool_calls":[$a],$own},{"role":"tool","tool_call_id":"a","content":"r"}]}
!
check 'thinking goes back unchanged, in its place' 'body | jq -c ".messages[1].content[]"' <<!
{"type":"thinking","thinking":"t \\"1\\"","signature":"c2ln"}
{"type":"text","text":"see"}
{"type":"redacted_thinking","data":"ZA=="}
{"type":"text","text":" here"}
{"type":"tool_use","id":"a","name":"f","input":{"x":1}}
!
plain='{"type":"text","text":"see here"}
{"type":"tool_use","id":"a","name":"f","input":{"x":1}}'
check 'to the same model only' 'body -m anthropic/claude-y | jq -c ".messages[1].content[]"' <<!
$plain
!
check 'to another family nothing of it goes' 'unset OPENAI_BASE_URL; OPENAI_API_KEY=x body -m deepseek/m | jq -c ".messages[1]|keys"
    body -m openai-responses/m | jq -c ".input[1:3][]"' <<!
["content","reasoning_content","role","tool_calls"]
{"type":"message","role":"assistant","content":"see here"}
{"type":"function_call","call_id":"a","name":"f","arguments":"{\"x\":1}"}
!
sed 's/"see here"/"see"/' in >in2
mv in2 in
check 'a message that was changed goes as it is now' 'body | jq -c ".messages[1].content[]"' <<!
{"type":"text","text":"see"}
{"type":"tool_use","id":"a","name":"f","input":{"x":1}}
!
cat >in <<!
{"type":"request","model":"anthropic/claude-x","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"see here","tool_calls":[$a,$b],"native":{"api":"messages","provider":"anthropic","model":"claude-x","blocks":[{"type":"thinking","thinking":"t","signature":"s"},{"text":3},{"call":"a"},{"call":"gone"},{"text":5}]}}]}
!
check 'nothing stands after a call' 'body | jq -c ".messages[1].content[] | del(.cache_control)"' <<!
{"type":"thinking","thinking":"t","signature":"s"}
{"type":"text","text":"see"}
{"type":"text","text":" here"}
{"type":"tool_use","id":"a","name":"f","input":{"x":1}}
{"type":"tool_use","id":"b","name":"f","input":{}}
!

cat >in <<!
{"type":"request","model":"anthropic/claude-x","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"\n","native":{"api":"messages","provider":"anthropic","model":"claude-x","blocks":[{"type":"thinking","thinking":"t","signature":"s"},{"text":1}]}},{"role":"user","content":"r"},{"role":"assistant","content":"see","native":{"api":"messages","provider":"anthropic","model":"claude-x","blocks":[{"text":3},{"type":"redacted_thinking","data":"ZA=="}]}},{"role":"user","content":"s"}]}
!
check 'thinking that nothing follows is not sent' 'body | jq -c ".messages[] | [.role, .content[].text]"' <<!
["user","q","r"]
["assistant","see"]
["user","s"]
!
{
	printf '{"type":"request","model":"anthropic/claude-x","messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":['
	seq -f '{"id":"c%g","type":"function","function":{"name":"f","arguments":"{}"}}' -s, 3000 | tr -d '\n'
	printf '],"native":{"api":"messages","provider":"anthropic","model":"claude-x","blocks":[{"type":"thinking","thinking":"t","signature":"s"},'
	seq -f '{"call":"c%g"}' -s, 2999 | tr -d '\n'
	printf ']}}]}\n'
} >in
check '3000 calls in one message, in order, come through' 'body | grep -o "\"type\":\"tool_use\",\"id\":\"[^\"]*" | cut -d\" -f8 >x; seq -f c%g 3000 | cmp x -' </dev/null

cat >in <<!
{"type":"request","model":"anthropic/claude-x","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"see","tool_calls":[$a,$b],"native":{"api":"messages","provider":"anthropic","model":"claude-x","blocks":[{"text":3},{"call":"a"},{"type":"thinking","thinking":"t","signature":"s"},{"call":"b"}]}}]}
!
check 'thinking between calls stays there' 'body | jq -c "[.messages[1].content[].type]"' <<!
["text","tool_use","thinking","tool_use"]
!

cat >in <<!
{"type":"request","messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[$a]},{"role":"user","content":"r"},{"role":"tool","tool_call_id":"x","content":"stray"}]}
!
check 'calls and results that are no pairs go as they were given' 'for m in groq anthropic openai-responses; do
    body -m $m/m | jq -c "[.messages // .input | .[] | if .type then . else .content[]? // . end | .type // .role]"; done' <<!
["user","assistant","user","tool"]
["text","tool_use","text","tool_result"]
["message","function_call","message","function_call_output"]
!
# Marks: where the request before this one had its last one, there is one.
cat >in <<!
{"type":"request","model":"anthropic/claude-x","messages":[{"role":"system","content":"s"},{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[$a]},{"role":"tool","tool_call_id":"a","content":"r"},{"role":"user","content":"now","tp":{"volatile":true}}],$tools}
!
check 'marks: last tool, last system block, last stable block, and the one before' 'body | jq -c "[paths|select(.[-1]==\"cache_control\")|join(\".\")][]"' <<!
"tools.0.cache_control"
"system.0.cache_control"
"messages.0.content.0.cache_control"
"messages.2.content.0.cache_control"
!

# Nonsense is for the server to refuse; the body stays JSON.
while read -r messages; do
	printf '{"type":"request","model":"anthropic/claude-x","messages":[%s],"tools":[{"type":"function","function":[1]},{}],"tool_choice":[1],"response_format":{"json_schema":[{}]}}\n' "$messages" >in
	check "a body of $messages" 'body | jq -c "type"' <<!
"object"
!
done <<!
{"role":"user","content":[1,[2],{},{"type":"text"},null]}
{"role":"user","content":{"a":1}}
{"content":7}
{"role":"assistant","content":null,"tool_calls":[{}]}
{"role":"assistant","tool_calls":[{"id":[],"function":3}]}
{"role":"assistant","native":{"api":"messages","provider":"anthropic","model":"claude-x","blocks":[{"text":-1},{"call":"gone"},[],{"type":[]}]}}
!

# Sources: what came goes back to the model that gave it, to no other.
cited='{"type":"web_search_result_location","url":"http://x","title":"X","encrypted_index":"e1","cited_text":"so"}'
serve '{"events":['"$start"',{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"öa"}},{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":'"$cited"'}},{"type":"message_delta","delta":{"stop_reason":"end_turn"}},{"type":"message_stop"}]}'
llmcall <req | grep '"role":"assistant"' >said
check 'sources of an answer, in characters' 'jq -c .annotations said' <<!
[{"type":"url_citation","url_citation":{"start_index":0,"end_index":2,"url":"http://x","title":"X","content":"so"}}]
!
for m in claude-x claude-y; do
	check "sources go back to the model that named them ($m)" '
	    printf "{\"type\":\"request\",\"model\":\"anthropic/%s\",\"messages\":[%s,{\"role\":\"user\",\"content\":\"on\"}]}\n" $m "$(cat said)" >in
	    body | command jq -c ".messages[0].content[0] | del(.cache_control)"' <<!
$([ $m = claude-x ] && echo '{"type":"text","text":"öa","citations":['"$cited"']}' || echo '{"type":"text","text":"öa"}')
!
done
serve '{"events":['"$start"',{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ab"}},{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":'"$cited"'}}]}'
check 'half an answer keeps its sources' 'llmcall -x 0 <req 2>err | jq -c "select(.role) | [.tp.partial, .annotations[0].url_citation.end_index]"; cat err' <<!
[true,2]
llmcall: the answer broke off
!
finish
