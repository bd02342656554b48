#!/bin/sh
# What llmcall makes of an answer before it leaves: arguments coerced, leaked
# calls rescued, a schema held to, tags held back.
. "${0%/*}/../lib.sh"

TURNPIPE_PATH=$TOP/share
OPENAI_API_KEY=sk-test-0123456789
export TURNPIPE_PATH OPENAI_API_KEY

tools='"tools":[{"type":"function","function":{"name":"read","parameters":{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer"},"at":{"$ref":"#/$defs/n"},"all":{"type":"boolean"},"lines":{"type":"array","items":{"type":"integer"}},"where":{"type":"object","properties":{"line":{"type":"integer"}}}},"required":["path"],"$defs":{"n":{"type":"integer"}}}}},{"type":"function","function":{"name":"now"}}]'
printf '{"type":"request","id":"r1","model":"openai/m","messages":[{"role":"user","content":"hi"}],%s}\n{"type":"end"}\n' "$tools" >req

serve()
{
	llmserver_start "$@"
	OPENAI_BASE_URL=$URL/v1
	ANTHROPIC_BASE_URL=$URL/v1
	export OPENAI_BASE_URL ANTHROPIC_BASE_URL
}

# answer [OPTION]...: the records but usage and end; stderr; the status.
answer()
{
	st=0
	llmcall -x 1 "$@" <"${from:-req}" >out 2>err || st=$?
	jq -rj 'select(.type? == "delta" and (has("tag") | not)).text' out >text 2>/dev/null || :
	sed '/^{"type":"usage"/d; /^{"type":"delta"/d; /^{"type":"end"}/d' out
	cat err
	echo "status $st after $(wc -l <"$REQUESTS" | tr -d ' ')"
}

# args NAME SENT TAKEN [COERCED]: the arguments of a call to read.
args()
{
	given=$(printf %s "$2" | sed 's/["\\]/\\&/g')
	serve "{\"calls\":[{\"id\":\"c1\",\"name\":\"read\",\"arguments\":\"$given\"}]}"
	{
		printf '%s\n' "$3"
		[ -z "${4-}" ] || printf '{"coerced":[%s]}\n' "$4"
	} >want
	check "$1" 'llmcall <req >out && grep tool_calls out |
	    jq -r "(.tool_calls[0].function.arguments), (.tp // empty | tojson)"' <want
}

args '"5" to 5' '{"path":"a","limit":"5"}' '{"path":"a","limit":5}' '"c1.limit"'
args '5.0 to 5' '{"path":"a","limit":120000.0}' '{"path":"a","limit":120000}' '"c1.limit"'
args '"true" to true' '{"path":"a","all":"true"}' '{"path":"a","all":true}' '"c1.all"'
args 'the text of an array to an array, what is in it too' '{"path":"a","lines":"[1,\"2\"]"}' '{"path":"a","lines":[1,2]}' '"c1.lines","c1.lines[1]"'
args 'the text of an object to an object' '{"path":"a","where":"{\"line\":\"3\"}"}' '{"path":"a","where":{"line":3}}' '"c1.where","c1.where.line"'
args 'a $ref leads through the tool'\''s own schema' '{"path":"a","at":"5"}' '{"path":"a","at":5}' '"c1.at"'
args 'null where nothing is required goes' '{"path":"a","limit":null}' '{"path":"a"}' '"c1.limit"'
args 'null where something is required stays' '{"path":null}' '{"path":null}'
args 'a string parameter is never touched' '{"path":"5"}' '{"path":"5"}'
args 'what fits stays byte for byte' '{ "path" : "\u0061", "limit" : 12345678901234567890123 }' '{ "path" : "\u0061", "limit" : 12345678901234567890123 }'
args 'big integers are exact' '{"path":"a","limit":"12345678901234567890123"}' '{"path":"a","limit":12345678901234567890123}' '"c1.limit"'
args 'what cannot be one stays' '{"path":"a","limit":"five"}' '{"path":"a","limit":"five"}'
args 'what is no JSON stays' '{"path":' '{"path":'
args 'null for all is {}' 'null' '{}' '"c1"'
args 'empty is {}' '' '{}'
args 'arguments as the text of an object' '"{\"path\":\"a\"}"' '{"path":"a"}' '"c1"'
serve '{"calls":[{"id":"c1","name":"other","arguments":"{\"limit\":\"5\"}"},{"id":"c2","name":"now","arguments":"{\"limit\":\"5\"}"}]}'
check 'a tool that is not on offer, or says nothing, is let alone' 'llmcall <req | grep tool_calls | jq -r ".tool_calls[].function.arguments, .tp"' <<!
{"limit":"5"}
{"limit":"5"}
null
!
serve '{"calls":[{"id":"c1","name":"read","arguments":{"path":"a","limit":"5"}}],"thinking":"hm"}'
check 'so it is in the Messages API' 'llmcall -m anthropic/m <req | grep tool_calls | jq -c ".tool_calls[0].function.arguments, .native.blocks[-1], .tp"' <<!
"{\"path\":\"a\",\"limit\":5}"
{"call":"c1"}
{"coerced":["c1.limit"]}
!
serve '{"text":"x"}'
cat >in <<!
{"type":"request","model":"openai/m","messages":[{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\": 1"}},{"id":"c2","type":"function","function":{"name":"f","arguments":"rm -r x"}},{"id":"c3","type":"function","function":{"name":"f","arguments":"[1]"}},{"id":"c4","type":"function","function":{"name":"f","arguments":{"b":2}}},{"id":"c5","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}},{"id":"c6","type":"function","function":{"name":"f","arguments":"{ \"a\":1}"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}]}
!
check 'arguments in the history that are no object are fixed, or wrapped' 'llmcall <in >x; jq -r ".body.messages[1].tool_calls[].function.arguments" "$REQUESTS"' <<!
{"a": 1}
{"arguments":"rm -r x"}
{"arguments":"[1]"}
{"b":2}
{"a":1}
{ "a":1}
!
for m in anthropic/m openai-responses/m; do
	check "so they are for $m" "llmcall -n -m $m <in | tail -1 | jq -c '[.. | objects | if .type == \"tool_use\" then .input elif .type == \"function_call\" then (.arguments | fromjson) else empty end]'" <<!
[{"a":1},{"arguments":"rm -r x"},{"arguments":"[1]"},{"b":2},{"a":1},{"a":1}]
!
done

# Calls in the text.
leak='<tool_call>{\"name\":\"read\",\"arguments\":{\"path\":\"a\",\"limit\":\"5\"}}</tool_call>'
call='{"type":"message","id":"r1","role":"assistant","content":null,"tool_calls":[{"id":"call_0","type":"function","function":{"name":"read","arguments":"{\"path\":\"a\",\"limit\":5}"}}],"tp":{"rescued":"tool_call"}}'
serve "{\"text\":\"$leak\"}" "{\"text\":\"$leak\"}" "{\"text\":\"$leak\"}" "{\"text\":\"See: $leak\"}" \
    "{\"text\":\"$leak\"}" "{\"text\":\"$leak\"}" "{\"text\":\"$leak\"}"
check 'a call that is all of the text is rescued, and not shown' 'answer -d; cat text' <<!
$call
status 0 after 1
!
check 'in one piece too' 'cp req all; sed "s/\"messages\"/\"stream\":false,&/" all >req; answer -d; cat text; mv all req' <<!
$call
status 0 after 2
!
check 'nor is it a delta' 'answer -d' <<!
$call
status 0 after 3
!
check 'with words around it, it is text' 'answer -d; cat text; echo' <<!
{"type":"message","id":"r1","role":"assistant","content":"See: $leak"}
status 0 after 4
See: <tool_call>{"name":"read","arguments":{"path":"a","limit":"5"}}</tool_call>
!
check 'of a tool that is not on offer too' 'sed -i "s/\"name\":\"read\"/\"name\":\"rest\"/" req; answer; sed -i "s/rest/read/" req' <<!
{"type":"message","id":"r1","role":"assistant","content":"$leak"}
status 0 after 5
!
check 'and where no tool may be called' 'sed "s/,\"tools\"/,\"tool_choice\":\"none\"&/" req >in; llmcall <in | jq -r "select(.content).content"' <<!
<tool_call>{"name":"read","arguments":{"path":"a","limit":"5"}}</tool_call>
!
mkdir off && : >off/leaks.yaml
check 'an empty leaks.yaml switches it off' 'TURNPIPE_PATH=$PWD/off:$TURNPIPE_PATH answer' <<!
{"type":"message","id":"r1","role":"assistant","content":"$leak"}
status 0 after 7
!
echo 'forms: [{name: x, txt: y}]' >off/leaks.yaml
serve '{"text":"{\"na"}'
fails 78 'a wrong key of leaks.yaml is refused at its place' 'TURNPIPE_PATH=$PWD/off:$TURNPIPE_PATH llmcall <req >out' <<!
llmcall: $PWD/off/leaks.yaml:1:19: expected name, text or parameter, found "txt"
!
serve '{"text":"{\"na, no call after all"}' '{"text":"<tool_call>{\"name\":\"read\"","finish":"length"}'
check 'what only began like a call is shown' 'answer -d; cat text; echo' <<!
{"type":"message","id":"r1","role":"assistant","content":"{\"na, no call after all"}
status 0 after 1
{"na, no call after all
!
check 'what broke off is text' 'answer -d; cat text; echo' <<!
{"type":"message","id":"r1","role":"assistant","content":"<tool_call>{\"name\":\"read\"","tp":{"partial":true}}
{"type":"error","id":"r1","from":"llmcall","code":7,"message":"the answer stopped at the length limit"}
llmcall: the answer stopped at the length limit
status 7 after 2
<tool_call>{"name":"read"
!
serve "{\"text\":\"$leak\",\"thinking\":\"hm\"}"
check 'in the Messages API the thought stays in front of it' 'answer -m anthropic/m | sed "s/\"signature\":\"[^\"]*\"/S/"' <<!
{"type":"message","id":"r1","role":"assistant","content":null,"reasoning":"hm","tool_calls":[{"id":"call_0","type":"function","function":{"name":"read","arguments":"{\"path\":\"a\",\"limit\":5}"}}],"native":{"api":"messages","provider":"anthropic","model":"m","blocks":[{"type":"thinking","thinking":"hm",S}]},"tp":{"rescued":"tool_call"}}
status 0 after 1
!

# What Groq refuses.
failed()
{
	printf '{"status":400,"body":{"error":{"code":"tool_use_failed","message":"m","failed_generation":"%s"}}}' "$1"
}
serve "$(failed '<function=read>{\"path\":\"a\",\"limit\":\"5\"}</function>')"
check 'tool_use_failed: the call in failed_generation is taken' answer <<!
{"type":"message","id":"r1","role":"assistant","content":null,"tool_calls":[{"id":"call_0","type":"function","function":{"name":"read","arguments":"{\"path\":\"a\",\"limit\":5}"}}],"tp":{"rescued":"function"}}
status 0 after 1
!
part='{"choices":[{"delta":{"content":"See."}}]}'
body=$(failed '[{\"name\":\"read\",\"parameters\":{\"path\":\"a\",\"limit\":\"5\"}}]' | sed 's/.*"body"://; s/}$//')
serve "{\"events\":[$part,$body]}"
check 'in a stream, after text' 'llmcall -x 0 <req | jq -c "select(.role) | [.content, .tool_calls[].function.arguments, .tp]"' <<!
["See.","{\"path\":\"a\",\"limit\":5}",{"rescued":"json"}]
!
serve "$(failed '<function=read>{\"path\":\"a\"}</function>')"
check 'but not where no tool may be called' 'sed "s/,\"tools\"/,\"tool_choice\":\"none\"&/" req >in; st=0; llmcall -x 0 <in 2>&1 | grep -c tool_calls || :' <<!
0
!
serve "$(failed '<function=read>{\"limit\":\"five\"}</function>')"
check 'one that does not fit is taken too: toolrun is to judge it' answer <<!
{"type":"message","id":"r1","role":"assistant","content":null,"tool_calls":[{"id":"call_0","type":"function","function":{"name":"read","arguments":"{\"limit\":\"five\"}"}}],"tp":{"rescued":"function"}}
status 0 after 1
!

# Structured output.
cat >schema.json <<!
{
  "title": "order",
  "type": "object",
  "properties": {
    "items": {"type": "array", "items": {
      "type": "object",
      "properties": {"price": {"type": "number"}, "\$name": {"enum": ["a b", "c"]}},
      "required": ["price"], "additionalProperties": false}}
  },
  "required": ["items"], "additionalProperties": false
}
!
printf '{"type":"request","id":"r1","model":"openai/m","messages":[{"role":"user","content":"hi"}]}\n{"type":"end"}\n' >req
good='{"items":[{"price":1.50}]}'
shape()
{
	jq -nc --arg t "$1" '{text: $t}'
}
# misfit ANSWER PATH-AND-WHY
misfit()
{
	serve "$(shape "$1")"
	text=$(jq -n --arg t "$1" '$t')
	why=$(jq -n --arg t "$2" '$t')
	check "--schema: $2" 'answer -S schema.json' <<!
{"type":"message","id":"r1","role":"assistant","content":$text}
{"type":"error","id":"r1","from":"llmcall","code":8,"message":$why}
llmcall: $2
status 8 after 1
!
}
for m in openai openai-responses anthropic; do
	serve "$(shape "$good")" "$(shape '{"items":[{"price":"1"}]}')"
	check "--schema: an answer that fits, $m" "answer -S schema.json -m $m/m" <<!
{"type":"message","id":"r1","role":"assistant","content":"{\"items\":[{\"price\":1.50}]}"}
status 0 after 1
!
	check "--schema: one that does not, $m" "answer -S schema.json -m $m/m" <<!
{"type":"message","id":"r1","role":"assistant","content":"{\"items\":[{\"price\":\"1\"}]}"}
{"type":"error","id":"r1","from":"llmcall","code":8,"message":"answer.items[0].price: expected a number, found string"}
llmcall: answer.items[0].price: expected a number, found string
status 8 after 2
!
done
misfit '{"items":[{"price":1},{"price":2},{"price":"x"}]}' 'answer.items[2].price: expected a number, found string'
misfit '{"items":[{}]}' 'answer.items[0]: expected a member "price"'
misfit '{"items":[],"more":1}' 'answer.more: expected no such member'
misfit '{"items":[{"price":1,"$name":"b"}]}' 'answer.items[0]["$name"]: expected one of ["a b","c"], found "b"'
misfit '[]' 'answer: expected an object, found array'
misfit 'Here it is: {}' 'answer:1:1: expected a value'
misfit '' 'answer:1:1: expected a value'
serve '{"text":"```json\n{\"items\":[]}\n```\n"}'
check '--schema: fences around it go' 'answer -S schema.json' <<!
{"type":"message","id":"r1","role":"assistant","content":"{\"items\":[]}"}
status 0 after 1
!
for m in openai openai-responses anthropic; do
	serve '{"text":"```json\n{\"items\":[]}\n```","thinking":"hm"}'
	check "--schema: fences go, reasoning stays, $m" "llmcall -S schema.json -m $m/m <req | head -1 | jq -c '[.content, (.native // {blocks:[{text:12}]} | [.blocks[] | select(.text) | .text])]'" <<!
["{\"items\":[]}",[12]]
!
done
serve '{"text":"no","calls":[{"id":"c","name":"f","arguments":{}}]}' '{"text":"{\"it","finish":"length"}' '{"text":"no","finish":"content_filter"}' '{"text":"no"}'
check '--schema: an answer that calls a tool is not the last one' 'answer -S schema.json' <<!
{"type":"message","id":"r1","role":"assistant","content":"no","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}
status 0 after 1
!
check '--schema: the length counts first, and a refusal' 'answer -S schema.json | tail -1; answer -S schema.json | tail -1' <<!
status 7 after 2
status 3 after 3
!
check 'a schema in the request is held to as well' 'sed "s/,\"messages\"/,\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"x\",\"schema\":{\"type\":\"integer\"}}}&/" req >in
    st=0; llmcall -S schema.json <in 2>&1 >/dev/null || st=$?; echo $st' <<!
llmcall: answer:1:1: expected a value
8
!
# sent MODEL JQ
sent()
{
	llmcall -n -m "$1" -S schema.json <req | grep "^{\"model" | jq -c "$2"
}
check '--schema goes out the provider'\''s way: Chat' 'sent openai/m ".response_format | .type, .json_schema.name, .json_schema.strict, .json_schema.schema.required"' <<!
"json_schema"
"order"
false
["items"]
!
check '--schema goes out the provider'\''s way: Responses' 'sent openai-responses/m ".text.format | .type, .name, .strict, .schema.required"' <<!
"json_schema"
"order"
false
["items"]
!
sed -i 's/, "\$name": [^}]*}/, "n": {"type": "null"}/; s/\["price"\]/["price", "n"]/' schema.json
check '--schema goes out the provider'\''s way: Messages, where it is strict' 'sent anthropic/m "[.output_config.format.type, (.output_config.format.schema.required), .system]"; sent openai/m .response_format.json_schema.strict' <<!
["json_schema",["items"],null]
true
!
printf '{"type":"object","properties":{"minLength":{"type":"string","minLength":2},"l":{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}]}},"required":["minLength","l"],"additionalProperties":false}' >drop.json
cp schema.json keep.json && cp drop.json schema.json
check '--schema: words that a provider refuses are not sent' 'sent anthropic/m ".output_config.format.schema.properties"; sent openai/m ".response_format.json_schema.schema.properties"' <<!
{"minLength":{"type":"string"},"l":{"anyOf":[{"type":"integer"},{"type":"null"}]}}
{"minLength":{"type":"string","minLength":2},"l":{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}]}}
!
serve '{"text":"{\"minLength\":\"a\",\"l\":1}"}'
check '--schema: but held to' 'answer -S schema.json -m anthropic/m | tail -2' <<!
llmcall: answer.minLength: expected at least 2 characters, found 1
status 8 after 1
!
mv keep.json schema.json
sed -i 's/"additionalProperties": false/"additionalProperties": true/' schema.json
check 'elsewhere it stands in the system'\''s text' 'for m in anthropic deepseek groq; do sent $m/m "[.output_config, .response_format, ((.system // .messages) | tostring | test(\"fits this JSON Schema\") and test(\"price\"))]"; done' <<!
[null,null,true]
[null,{"type":"json_object"},true]
[null,{"type":"json_object"},true]
!
check 'or beside the type' 'sent llamacpp/m "[.response_format.type, .response_format.schema.required]"' <<!
["json_object",["items"]]
!
check 'a title that cannot be a name is left out' 'for t in 64 65; do printf "{\"title\":\"%0${t}d\"}" 0 >title.json
    llmcall -n -m openai/m -S title.json <req | grep "^{.model" | jq ".response_format.json_schema.name | length"; done' <<!
64
6
!
printf '{\n  "prices": {"type": "number"}\n}\n' >bad.json
fails 65 'not a word' 'llmcall -S bad.json <req >/dev/null' <<!
llmcall: bad.json:2:3: expected a word of JSON Schema that llmcall can check
!
printf '{"type": }' >bad.json
fails 65 'a schema that is no JSON' 'llmcall -S bad.json <req >/dev/null' <<!
llmcall: bad.json:1:10: expected a value
!
fails 66 'no such schema' 'llmcall -S none.json <req >/dev/null' <<!
llmcall: none.json: No such file or directory
!
printf '{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"openai/m","messages":[]}}\n' >batch
serve '{"text":"no"}'
check '--schema: a batch line has the answer, the status says it' 'st=0; llmcall -S schema.json <batch 2>err >out || st=$?; jq -c "[.custom_id, .response.body.choices[0].message.content, .error]" out; cat err; echo $st' <<!
["a","no",null]
llmcall: answer:1:1: expected a value
8
!

# Deltas beside the answer.
serve '{"text":"one two"}'
check '-d: delta records stand before the answer' \
    'llmcall -d <req | jq -r "[.type, .id, .text // .content] | @tsv"' <<!
delta	r1	one 
delta	r1	two
message	r1	one two
usage	r1	
end		
!
# Tags for the program, which the request names.
hide() { sed "1s/{/{\"hide\":\"$1\",/" req >hiding; }
tagged='<title>Two words</title>\n\nI look. <status>Running</status> Done, `<status>` is a tag.\n<status>Again</status>'
serve "{\"text\":\"$tagged\"}" "{\"text\":\"$tagged\"}" "{\"text\":\"$tagged\"}" "{\"text\":\"$tagged\",\"thinking\":\"t\"}"
clean='"I look. Done, `<status>` is a tag.\n"'
check 'hide: tags are kept out of the text, and stand in tp' 'hide status,title; from=hiding answer' <<!
{"type":"message","id":"r1","role":"assistant","content":$clean,"tp":{"tags":{"status":["Running","Again"],"title":["Two words"]}}}
status 0 after 1
!
check 'hide: only those named' 'hide title; from=hiding answer | jq -c .content 2>/dev/null | head -1' <<!
"I look. <status>Running</status> Done, \`<status>\` is a tag.\n<status>Again</status>"
!
check 'hide: deltas have none' 'hide status,title; llmcall -d <hiding | jq -rj "select(.type == \"delta\" and (has(\"tag\") | not)).text" | jq -Rs .' <<!
$clean
!
check 'hide: what the provider has back is the text without them' 'llmcall -m anthropic/m <hiding | jq -c "select(.native) | [.native.blocks[] | .type // .text], (.content | length)"' <<!
["thinking",35]
35
!
serve "{\"text\":\"$tagged\"}" "{\"text\":\"ab<status>c\\u001b[2Jd</status>\"}"
check 'hide: a person is shown a status while the model works, where it came, cleaned' '
    for i in 1 2; do llmcall -d <hiding | mdterm -p -s 4 4>&1 >/dev/null; done' <<!
I look. 
[Running]
Done, \`<status>\` is a tag.
[Again]
ab
[c\u{1b}[2Jd]
!
# Cut into two writes at each byte.
whole='a <status>Rün</status>b <stat'
jq -nc --arg t "$whole" 'def d: {choices: [{delta: {content: .}}]};
    range(0; ($t | length) + 1) as $n |
    {events: [($t[:$n] | d), ($t[$n:] | d), {choices: [{delta: {}, finish_reason: "stop"}]}, "[DONE]"]}' >cuts
n=$(wc -l <cuts | tr -d ' ')
set --
while read -r line; do
	set -- "$@" "$line"
done <cuts
serve "$@"
check 'hide: wherever the stream is cut' 'hide status; for e in $(seq $n); do
	llmcall -d <hiding >all; jq -c "select(.role) | [.content, .tp.tags.status[0]]" all
	jq -rj "select(.type == \"delta\" and (has(\"tag\") | not)).text" all; echo; done | sort | uniq -c | tr -s " "' <<!
 $n ["a b <stat","Rün"]
 $n a b <stat
!
serve "{\"events\":[{\"choices\":[{\"delta\":{\"content\":\"a <status>x</status> <status>Ru\"}}]}]}"
check 'hide: nor half a tag of what broke off' 'from=hiding answer -d; cat text; echo' <<!
{"type":"message","id":"r1","role":"assistant","content":"a ","tp":{"partial":true,"tags":{"status":["x"]}}}
{"type":"error","id":"r1","from":"llmcall","code":76,"message":"the answer broke off"}
llmcall: the answer broke off
status 76 after 1
a 
!
serve "{\"text\":\"$tagged\",\"repeat\":2}"
check 'hide goes to no server' \
    'llmcall <hiding >/dev/null; jq -c "[.body | has(\"hide\")]" "$REQUESTS"' <<!
[false]
!
