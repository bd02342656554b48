#!/bin/sh
# Results of a log in place of tools that run; t/turnpipe/turnpipe-fork.t has
# it in turns.
. "${0%/*}/../lib.sh"

answer() { printf '{"role":"assistant","tool_calls":[%s]}\n{"type":"end"}\n' "$1"; }
one() { printf '{"id":"%s","type":"function","function":{"name":"%s","arguments":"%s"}}' "$1" "$2" "${3-{\}}"; }
{
	answer "$(one a ls),$(one b ls),$(one c cat '{\"p\":1, \"q\":2}')" | head -n 1
	for i in a b c; do printf '{"role":"tool","tool_call_id":"%s","content":"%s","tp":{"n":9,"time":"T","exit":1}}\n' $i $i; done
} >log
check 'equal calls have their results in the order of the log; keys in any order' '
    answer "$(one x ls),$(one y cat "{\\\"q\\\":2,\\\"p\\\":1}"),$(one z ls)" | toolreplay -w log' <<!
{"role":"assistant","tool_calls":[{"id":"x","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"y","type":"function","function":{"name":"cat","arguments":"{\"q\":2,\"p\":1}"}},{"id":"z","type":"function","function":{"name":"ls","arguments":"{}"}}]}
{"role":"tool","tool_call_id":"x","content":"a","tp":{"exit":1}}
{"role":"tool","tool_call_id":"y","content":"c","tp":{"exit":1}}
{"role":"tool","tool_call_id":"z","content":"b","tp":{"exit":1}}
{"type":"end"}
!
check 'what a session has it was given before' '
    { answer "$(one a ls)" | head -n 1; echo "{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"a\"}"; } >own
    answer "$(one x ls)" | TURNPIPE_SESSION=own toolreplay -r log | jq -r .content' <<!
b
!
fails 75 'one call too many, and none is answered' 'answer "$(one x ls),$(one y ls),$(one z ls)" | toolreplay -r log' <<!
toolreplay: the log has no such call: ls {}; expected cat {"p":1,"q":2}
!
fails 1 'no call' 'echo "{\"role\":\"assistant\",\"content\":\"x\"}" | toolreplay -r log'
fails 76 'an answer that broke off' \
    'answer "$(one x ls)" | sed "1s/}$/,\"tp\":{\"partial\":true}}/" | toolreplay -r log' <<!
toolreplay: the answer is not whole
!
fails 76 'no end' 'answer "$(one x ls)" | head -n 1 | toolreplay -rw log' <<!
toolreplay: expected an end record
!
fails 4 'an error before' '{ echo "{\"type\":\"error\",\"code\":4,\"message\":\"x\"}"; answer "$(one x ls)"; } | toolreplay -r log'
fails 66 'no log' 'toolreplay none </dev/null' <<!
toolreplay: none: no such session
!
