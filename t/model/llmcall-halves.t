#!/bin/sh
# A surrogate pair split over two deltas, as servers do that cut their text by
# UTF-16 units: in all fields and families it is one character.
. "${0%/*}/../lib.sh"

TURNPIPE_PATH=$TOP/share
OPENAI_API_KEY=sk-test ANTHROPIC_API_KEY=sk-test
export TURNPIPE_PATH OPENAI_API_KEY ANTHROPIC_API_KEY

# pieces LINE...: a script line that sends each as an event, as it stands.
pieces()
{
	printf '%s\n' "$@" | jq -Rsc '{events: (split("\n")[:-1])}'
}

# ask MODEL [OPTION]...: what came of it.
ask()
{
	export ANTHROPIC_BASE_URL="$URL"
	printf '{"type":"request","model":"%s","hide":"%s","messages":[{"role":"user","content":"hi"}]}\n' \
	    "$1" "${hide-}" >req
	shift
	llmcall "$@" <req >out
	jq -rj 'select(.type == "delta" and (has("tag") | not)).text' out >text
	jq -c 'select(.type=="message")|del(.type,.native)' out
}
chat() { printf '{"choices":[{"delta":%s}]}' "$1"; }
stop='{"choices":[{"delta":{},"finish_reason":"stop"}]}'

serve "$(pieces "$(chat '{"content":"a\ud83d"}')" "$(chat '{"content":"\ude00b"}')" "$stop")"
check 'a surrogate pair split over two deltas is one character' 'ask openai/m' <<!
{"role":"assistant","content":"a😀b"}
!
serve "$(pieces "$(chat '{"content":"a\ud83d"}')" "$(chat '{"content":"\ude00b\ud83d"}')" "$(chat '{"content":"\ude00"}')" "$stop")"
check 'nor is half of it written as text comes' 'ask openai/m -d >/dev/null; cat text; echo' <<!
a😀b😀
!
serve "$(pieces "$(chat '{"content":"a\ud83d"}')" "$(chat '{"content":"\ude00b"}')" "$stop")"
check 'in delta records too' 'llmcall -d <req | jq -r "select(.type==\"delta\").text"' <<!
a
😀b
!
serve "$(pieces "$(chat '{"content":"a\ud83d"}')" "$(chat '{"content":"b \ude00"}')" "$(chat '{"content":"\ud83d"}')" "$stop")"
check 'a half without its other is U+FFFD' 'ask openai/m -d; cat text; echo' <<!
{"role":"assistant","content":"a�b ��"}
a�b ��
!
serve "$(pieces "$(chat '{"content":"a\ud83d"}')" "$(chat '{"content":"\ude00<status>x\ud83d"}')" "$(chat '{"content":"\ude00</status>b"}')" "$stop")"
check 'in a tag that is hidden' 'hide=status ask openai/m -d; cat text; echo' <<!
{"role":"assistant","content":"a😀b","tp":{"tags":{"status":["x😀"]}}}
a😀b
!
serve "$(pieces \
    "$(chat '{"reasoning_content":"r\ud83d"}')" "$(chat '{"reasoning_content":"\ude00"}')" \
    "$(chat '{"refusal":"n\ud83d"}')" "$(chat '{"refusal":"\ude00"}')" \
    "$(chat '{"other":"o\ud83d"}')" "$(chat '{"other":"\ude00"}')" \
    "$(chat '{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":\"\ud83d"}}]}')" \
    "$(chat '{"tool_calls":[{"index":0,"function":{"arguments":"\ude00\"}"}}]}')" "$stop")"
check 'in reasoning, a refusal, arguments and what is not known' 'ask openai/m 2>/dev/null' <<!
{"role":"assistant","content":null,"refusal":"n😀","reasoning_content":"r😀","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":\"😀\"}"}}],"other":"o😀"}
!
serve "$(pieces \
    '{"type":"message_start","message":{}}' \
    '{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}' \
    '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"r\ud83d"}}' \
    '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"\ude00"}}' \
    '{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}' \
    '{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"a\ud83d"}}' \
    '{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"\ude00b"}}' \
    '{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"c","name":"f","input":{}}}' \
    '{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"x\":\"\ud83d"}}' \
    '{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\ude00\"}"}}' \
    '{"type":"message_delta","delta":{"stop_reason":"tool_use"}}' '{"type":"message_stop"}')"
check 'in the Messages API, its blocks counting the bytes that there are' \
    'ask anthropic/m' <<!
{"role":"assistant","content":"a😀b","reasoning":"r😀","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"x\":\"😀\"}"}}]}
!
serve "$(pieces \
    '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a\ud83d"}}' \
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\ude00"}}' \
    '{"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"s"}}' \
    '{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"q\":\"\ud83d"}}' \
    '{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\ude00\"}"}}' \
    '{"type":"content_block_start","index":2,"content_block":{"type":"text","text":"\ude00b"}}' \
    '{"type":"message_stop"}')"
check 'two blocks have no character in common' \
    'export ANTHROPIC_BASE_URL="$URL"; llmcall <req | jq -c "select(.role)|[.content,.native.blocks]"' <<!
["a😀�b",[{"text":5},{"type":"server_tool_use","id":"s","input":{"q":"😀"}},{"text":4}]]
!
set --
for u in a '\ud83d' '\ude00' '\ud83d' '\ude00' b '\udbff' '\udfff' '\ud800' '\udc00' '\ud83d' c '\ude00' '\ud83d'; do
	set -- "$@" "$(chat "{\"content\":\"$u\"}")"
done
serve "$(pieces "$@" "$stop")"
check 'a delta for each UTF-16 unit' \
    'ask openai/m -d | jq -r .content | tee all; cat text; echo' <<!
$(printf 'a😀😀b\364\217\277\277𐀀�c��\n%s' "$(printf 'a😀😀b\364\217\277\277𐀀�c��')")
!
item() { printf '{"type":"response.%s","output_index":%s,%s}' "$1" "$2" "$3"; }
serve "$(pieces \
    "$(item output_item.added 0 '"item":{"type":"message","content":[]}')" \
    "$(item output_text.delta 0 '"delta":"a\ud83d"')" \
    "$(item output_text.delta 0 '"delta":"\ude00b"')" \
    "$(item refusal.delta 0 '"delta":"n\ud83d"')" "$(item refusal.delta 0 '"delta":"\ude00"')" \
    "$(item output_item.added 1 '"item":{"type":"function_call","call_id":"c","name":"f"}')" \
    "$(item function_call_arguments.delta 1 '"delta":"{\"x\":\"\ud83d"')" \
    "$(item function_call_arguments.delta 1 '"delta":"\ude00\"}"')" \
    '{"type":"response.completed","response":{"status":"completed"}}')"
check 'in the Responses API' 'ask openai-responses/m 2>/dev/null' <<!
{"role":"assistant","content":"a😀b","refusal":"n😀","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"x\":\"😀\"}"}}]}
!
finish
