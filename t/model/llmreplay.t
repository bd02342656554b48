#!/bin/sh
# llmreplay: answers from a recording, in place of llmcall.
. "${0%/*}/../lib.sh"

# entry REQUEST-CONTENT RECORD...: a line of a recording.
entry()
{
	ask=$1
	shift
	printf '{"request":{"messages":[{"content":"%s","role":"user"}],"model":"openai/m"},"answer":[%s]}\n' \
	    "$ask" "$(printf '%s,' "$@" | sed 's/,$//')"
}
said() { printf '{"type":"message","role":"assistant","content":"%s"}' "$1"; }
# ask CONTENT [ID]: a request.
ask() { printf '{"type":"request","id":"%s","model":"openai/m","messages":[{"role":"user","content":"%s"},{"role":"user","content":"12:00","tp":{"volatile":true}}]}\n' "${2-r}" "$1"; }
usage='{"type":"usage","model":"openai/m","prompt_tokens":10}'

entry 'in @ROOT@' "$(said 'see @ROOT@/f')" "$usage" >rec
check 'it is played in another place, at another time' \
    'ask "in /v" | sed s/12:00/13:00/ | llmreplay rec -M /v=@ROOT@ -s 4 4>text; cat text; echo' <<!
{"type":"message","id":"r","role":"assistant","content":"see /v/f"}
{"type":"usage","id":"r","model":"openai/m","prompt_tokens":10}
see /v/f
!
{ entry hi "$(said one)"; entry hi "$(said two)"; } >rec2
check 'one that was recorded twice is played in that order, the last one on and on' \
    '{ ask hi; ask hi; ask hi; } | llmreplay rec2 | jq -r .content' <<!
one
two
two
!
check 'all else passes by, in order, and the answer stands where the request stood' \
    '{ echo "{\"type\":\"tool\",\"name\":\"a\"}"; ask hi; echo "{\"type\":\"tool\",\"name\":\"b\"}"; echo "{\"type\":\"end\"}"; } >in
    llmreplay rec2 <in; llmreplay -w rec2 <in | tail -n 3' <<!
{"type":"tool","name":"a"}
{"type":"message","id":"r","role":"assistant","content":"one"}
{"type":"tool","name":"b"}
{"type":"end"}
{"type":"message","id":"r","role":"assistant","content":"one"}
{"type":"tool","name":"b"}
{"type":"end"}
!
fails 76 'with -w no answer before the end' 'ask hi | llmreplay -w rec2' <<!
llmreplay: expected an end record: no call
!
check 'each conversation has its own end' \
    '{ ask hi 1; echo "{\"type\":\"error\",\"code\":69}"; echo "{\"type\":\"end\"}"; ask hi 2; echo "{\"type\":\"end\"}"; } |
    { llmreplay -w rec2 || echo "= $?"; }' <<!
{"type":"error","code":69}
{"type":"end"}
{"type":"message","id":"2","role":"assistant","content":"one"}
{"type":"end"}
= 69
!
check 'after an error upstream no request is answered' \
    '{ echo "{\"type\":\"error\",\"code\":75}"; ask hi; } | { llmreplay rec2 || echo "= $?"; }' <<!
{"type":"error","code":75}
= 75
!
entry hi "$(said Half)" '{"type":"error","from":"llmcall","code":7,"message":"cut"}' >rec7
check 'a recorded failure has its status' 'ask hi | { llmreplay rec7 | tail -n 1; } ; ask hi | llmreplay rec7 >/dev/null || echo "= $?"' <<!
{"type":"error","id":"r","from":"llmcall","code":7,"message":"cut"}
= 7
!
fails 65 'a miss shows the first difference' \
    'ask "on /v" | sed "s/\"id\":\"r\",//" | llmreplay rec -M /v=@ROOT@' <<!
llmreplay: the request is not in the recording: messages[0].content: expected "in @ROOT@", found "on @ROOT@"
!
: >none
fails 65 'an empty recording' 'ask hi | sed "s/\"id\":\"r\",//" | llmreplay none' <<!
llmreplay: the recording is empty
!
echo '{"request":{}}' >bad
fails 65 'not a recording' 'llmreplay bad </dev/null' <<!
llmreplay: bad:1:1: expected an object with request and answer
!
fails 66 'no such recording' 'ask hi | llmreplay missing' <<!
llmreplay: missing: No such file or directory
!
fails 64 'which recording?' 'llmreplay 2>err </dev/null; s=$?; head -n 1 err >&2; exit $s' <<!
llmreplay: expected one recording
!
fails 64 'two of them' 'llmreplay rec -w rec2 2>err </dev/null; s=$?; head -n 1 err >&2; exit $s' <<!
llmreplay: expected one recording
!
fails 64 'not a map' 'llmreplay -M x rec </dev/null' <<!
llmreplay: --map x: expected FROM=TO
!
fails 65 'a broken line' 'echo "{]" | llmreplay rec' <<!
llmreplay: <stdin>:1:2: expected a key in quotes
!
check 'empty input' 'llmreplay rec </dev/null' </dev/null
check 'messages without a request: it says so' \
    'echo "{\"role\":\"user\",\"content\":\"hi\"}" | llmreplay rec 2>&1 >x' <<!
llmreplay: no request in the input, so no answer: promptcompose makes a request of messages
!
fails 74 'a full disk' 'ask hi | llmreplay rec2 >/dev/full' <<!
llmreplay: write <stdout>: No space left on device
!

# What llmcall -R writes is what is played: the answer, in all of the driver.
export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test
mkdir .git
printf 'one\ntwo\n' >notes
serve '{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"notes"}}]}' \
    '{"text":"Two lines."}' '{"text":"Half","finish":"length"}'
check 'TURNPIPE_CALL: the driver records' \
    'export TURNPIPE_CALL="llmcall -R '"'lines rec'"'"; turnpipe -Fs r1.jsonl "how many?"
    turnpipe -Fs r2.jsonl cut 2>/dev/null || echo "= $?"; sent; wc -l <"lines rec"' <<!
Two lines.
Half
= 7
3
3
!
check 'and plays, without a model, tools and all' \
    'export TURNPIPE_CALL="llmreplay '"'lines rec'"'"; turnpipe -Fs r3.jsonl "how many?"
    turnpipe -Fs r4.jsonl cut || echo "= $?"; sent
    for f in r1 r3; do jq -c "del(.time,.id,.ms,.ms_first,.request_id,.n,.tp)" $f.jsonl | tail -n +2 >$f; done; cmp r1 r3' <<!
Two lines.
Half
= 7
3
!
check '-ds: delta records on a descriptor, the answer on standard output' \
    'ask hi | llmreplay -ds 4 rec2 4>deltas >out; jq -c . deltas; grep -c delta out || :' <<!
{"type":"delta","id":"r","text":"one"}
0
!
