#!/bin/sh
# turnpipe log --otlp: what a run leaves in its log, as OpenTelemetry's spans.
. "${0%/*}/../lib.sh"

export TURNPIPE_MODEL=openai/test OPENAI_API_KEY=sk-test
mkdir .git
printf 'one\ntwo\n' >notes
trace=0af7651916cd43dd8448eb211c80319c span=b7ad6b7169203331
call() { printf '{"id":"%s","name":"%s","arguments":%s}' "$@"; }
spans='.resourceSpans[0].scopeSpans[0].spans'
# A span in a line: whose it is, by name, and what it is.
show() {
	command jq -r "$spans"' | (map({key: .spanId, value: .name}) | from_entries) as $by | .[]
	    | (.attributes | map({key, value: (.value | .stringValue // .intValue // .doubleValue | tostring)}) | from_entries) as $a
	    | "\($by[.parentSpanId // ""] // .parentSpanId // "-") > \(.name) \(.kind)\(if .status then " failed: \($a["error.type"])" else "" end)"' "$1"
}

serve "{\"calls\":[$(call c1 explore '{"task_prompt":"How many?"}'),$(call c2 explore '{"task_prompt":"How many words?"}'),$(call c3 shell '{"command":"echo $TRACEPARENT"}')]}" \
    '{"text":"Two lines."}' '{"text":"Two words."}' \
    "{\"calls\":[$(call c1 read_file '{"path":"none"}')]}" '{"text":"It has two."}' \
    '{"status":400,"body":{"error":{"message":"bad"}}}'
TRACEPARENT=00-$trace-$span-01 turnpipe -y -s S.jsonl 'How long?' >out
TRACEPARENT=garbage turnpipe -s S.jsonl 'And now?' >out 2>err || :
turnpipe log --otlp S.jsonl >otlp
check 'agents, chats and tools: children of the caller'\''s span, of the agent, of the call' \
    'show otlp | sort' <<!
- > invoke_agent 1 failed: 400
$span > invoke_agent 1
execute_tool explore > invoke_agent explore 1
execute_tool explore > invoke_agent explore 1
invoke_agent > chat test 3
invoke_agent > chat test 3
invoke_agent > chat test 3
invoke_agent > chat test 3 failed: 400
invoke_agent > execute_tool explore 1
invoke_agent > execute_tool explore 1
invoke_agent > execute_tool read_file 1 failed: 66
invoke_agent > execute_tool shell 1
invoke_agent explore > chat test 3
invoke_agent explore > chat test 3
!
check 'each agent is in its own call, also of several at once' \
    'command jq -c "$spans"'\'' as $s | $s | map(select(.name == "invoke_agent explore")) | [(map(.parentSpanId) | unique | length),
	all(.[]; .parentSpanId as $p | any($s[]; .spanId == $p and .name == "execute_tool explore"))]'\'' otlp' <<!
[2,true]
!
check 'tools have the caller'\''s span; a malformed one is dropped' \
    'jq -r "select(.role == \"tool\" and .name == \"shell\").content" S.jsonl; grep -c "\"what\":\"trace\"" S.jsonl
    command jq -r "$spans | map(.traceId) | unique | length, (map(select(. == \"$trace\")) | length)" otlp' <<!
00-$trace-$span-01

1
2
1
!
check 'the same bytes each time; ids are unique, spans within their parents' \
    'turnpipe log --otlp ./S.jsonl | cmp - otlp
    command jq -c "$spans"'\'' | (map({key: .spanId, value: .}) | from_entries) as $by
	| [length == ($by | length), all(.[]; (.spanId | test("^[0-9a-f]{16}$")) and (.traceId | test("^[0-9a-f]{32}$"))),
	all(.[] | select($by[.parentSpanId // ""]); $by[.parentSpanId] as $p | .traceId == $p.traceId
	    and .startTimeUnixNano >= $p.startTimeUnixNano and .startTimeUnixNano <= .endTimeUnixNano)]'\'' otlp' <<!
[true,true,true]
!
check 'nothing that was said' 'grep -c -e "How" -e "Two" -e notes -e "sk-test" otlp || :' <<!
0
!

# By hand: without numbers, torn, with an answer that was tried twice.
cat >hand.jsonl <<!
{"type":"session","version":1,"id":"hand","cwd":"/x","time":"2026-11-21T09:30:00Z","agent":"Ann"}
{"role":"user","content":"Hi","tp":{"time":"2026-11-21T09:30:00.250Z"}}
{"type":"error","from":"llmcall","code":75,"status":503,"message":"503: busy","time":"2026-11-21T09:30:01Z"}
{"type":"mark","what":"retry","status":75,"attempt":1,"time":"2026-11-21T09:30:01Z"}
{"role":"assistant","content":"Hello.","tp":{"time":"2026-11-21T09:30:05Z"}}
{"type":"usage","model":"azure/openai/gpt","prompt_tokens":912,"completion_tokens":20,"cached_tokens":800,"cache_write_tokens":7,"reasoning_tokens":3,"ms_first":250,"ms":3500,"cost":0.0012,"time":"2026-11-21T09:30:05Z"}
{"type":"usage","for":"summary","model":"mistral/small","prompt_tokens":1,"completion_tokens":1,"ms":500,"time":"2026-11-21T09:30:06Z"}
{"type":"mark","what":"agent-start","agent":"x","session":"$PWD/hand.jsonl","time":"2026-11-21T09:30:06Z"}
{"type":"mark","what":"agent-start","agent":"x","session":"/gone/away.jsonl","time":"2026-11-21T09:30:06Z"}
{"role":"user","content":"And?"}
{"role":"user","content":"No answer yet"}
{"role":"assistant","content":"I wa","tp":{"partial":true,"interrupted":true}}
{"type":"mark","what":"interrupted","signal":"INT","time":"2026-11-21T09:31:00Z"}
{"type":"mes
!
turnpipe log --otlp hand.jsonl >otlp
check 'by hand: numbers are counted, what is torn or its own agent is let go' 'show otlp' <<!
- > invoke_agent Ann 1
invoke_agent Ann > chat openai/gpt 3 failed: 503
invoke_agent Ann > chat openai/gpt 3
invoke_agent Ann > chat small 3
- > invoke_agent Ann 1 failed: interrupted
invoke_agent Ann > chat 3 failed: interrupted
!
check 'tokens, cost, times and events of a chat and its agent' \
    'command jq -c "$spans"'\''[2] | [.startTimeUnixNano, .endTimeUnixNano], (.attributes[] | [.key, .value[]])'\'' otlp
    command jq -c "$spans"'\''[0] | .events[] | [.name, (.attributes[] | .key, .value[])]'\'' otlp' <<!
["1795253401500000000","1795253405000000000"]
["gen_ai.operation.name","chat"]
["gen_ai.provider.name","azure.ai.openai"]
["gen_ai.request.model","openai/gpt"]
["gen_ai.usage.input_tokens","912"]
["gen_ai.usage.output_tokens","20"]
["gen_ai.usage.cache_read.input_tokens","800"]
["gen_ai.usage.cache_creation.input_tokens","7"]
["gen_ai.usage.reasoning.output_tokens","3"]
["gen_ai.response.time_to_first_chunk",0.25]
["turnpipe.cost",0.0012]
["gen_ai.conversation.id","hand"]
["turnpipe.retry","status","75","attempt","1"]
["turnpipe.agent-start","agent","x"]
["turnpipe.agent-start","agent","x"]
!
check 'the names of the conventions by themselves, by the variable that asks for them' '
    export OTEL_SEMCONV_STABILITY_OPT_IN=http,gen_ai_latest_experimental
    printf "%s\n" "{\"role\":\"assistant\",\"content\":\"x\"}" "{\"type\":\"usage\",\"model\":\"a/b\",\"prompt_tokens\":5,\"cache_write_tokens\":3}" >cw.jsonl
    turnpipe log --otlp cw.jsonl | jq -r ".resourceSpans[].scopeSpans[] | .schemaUrl, (.spans[1].attributes[] | select(.key | contains(\"cache\")) | .key, .value.intValue)"
    OTEL_SEMCONV_STABILITY_OPT_IN=http turnpipe log --otlp cw.jsonl | grep -c cache_creation' <<!
https://opentelemetry.io/schemas/gen-ai/0.1.0
gen_ai.usage.cache_write.input_tokens
3
1
!
fails 66 'no such session' 'turnpipe log --otlp none.jsonl' <<!
turnpipe: none.jsonl: no such session; 'turnpipe log' lists them
!
fails 74 'a full disk' 'turnpipe log --otlp hand.jsonl >/dev/full 2>err; s=$?; grep -o "No space left on device" err >&2; exit $s' <<!
No space left on device
!

# OpenTelemetry's own schema reads it, and has every field.
root=$TOP/build/npm/node_modules/@opentelemetry/otlp-transformer/build/src/generated/root.js
[ -n "${EXTRA-}" ] || skip 'the schema of otlp-transformer is of make check-extra'
[ -f "$root" ] || skip 'no otlp-transformer: make deps-extra installs it'
turnpipe log --otlp S.jsonl >>otlp
cat >read.js <<'!'
const R = require(process.argv[2]).opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
const lines = require("fs").readFileSync("otlp", "utf8").trim().split("\n");
// OTLP has ids in hexadecimal where protobuf's JSON has base64.
const turn = (o, from, to) => {
  if (o && typeof o === "object")
    for (const k of Object.keys(o))
      if (["traceId", "spanId", "parentSpanId"].includes(k)) o[k] = Buffer.from(o[k], from).toString(to);
      else turn(o[k], from, to);
  return o;
};
const sorted = (o) => Array.isArray(o) ? o.map(sorted) : o && typeof o === "object"
  ? Object.fromEntries(Object.keys(o).sort().map((k) => [k, sorted(o[k])])) : o;
for (const l of lines) {
  const message = R.fromObject(turn(JSON.parse(l), "hex", "base64"));
  const back = R.toObject(R.decode(R.encode(message).finish()), { longs: String, bytes: String });
  const s = (o) => JSON.stringify(sorted(o));
  console.log(s(turn(back, "base64", "hex")) === s(JSON.parse(l)));
}
!
check 'the schema of OpenTelemetry takes it, no field is lost' 'node read.js "$root"' <<!
true
true
!
finish
