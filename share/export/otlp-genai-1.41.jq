# turnpipe-log(1)
# Spans of a session in OTLP/JSON by OpenTelemetry's semantic conventions for
# generative AI 1.41.  Input: the lines of the session $main and of its
# sub-agents' sessions; which a line is of is known by its file: PATH NUL LINE.  What was
# said, arguments and results are left out.
#
# A turn is a span invoke_agent; in it are chat for each request and
# execute_tool for each result, in which is what a sub-agent did.  The log has
# seconds and durations: a span is as long as it took, and begins when the log
# says, but not before what it followed.

def hash($m): reduce explode[] as $c (7; (. * $m + $c + 1) % 4294967291);
def hex($w): reduce range($w) as $i ({n: ., s: ""};
    (.n % 16) as $d | .s = "0123456789abcdef"[$d:$d + 1] + .s | .n = (.n / 16 | floor)) | .s;
def ms: (. // "") as $t | try ($t | sub("\\.[0-9]+Z$"; "Z") | fromdateiso8601 * 1000) catch null;
def max2($b): if . == null or . < $b then $b else . end;
def nano: (. // 0 | floor | tostring) + "000000";
def text: if type == "string" then . else tojson end;
def attributes: to_entries | map(select(.value != null) | {key, value: (.key as $k | .value |
    if type == "number" then (if $k | test("time_to|cost") then {doubleValue: .} else {intValue: (floor | tostring)} end)
    elif type == "boolean" then {boolValue: .} else {stringValue: text} end)});
def provider: {"openai-responses": "openai", azure: "azure.ai.openai", bedrock: "aws.bedrock", gemini: "gcp.gemini",
    vertex: "gcp.vertex_ai", mistral: "mistral_ai", xai: "x_ai"}[.] // .;
def model: (. // "" | text) as $m | ($m | index("/")) as $i
    | if $i == null then {model: (if $m == "" then null else $m end)}
      else {provider: ($m[:$i] | provider), model: $m[$i + 1:]} end;
def parent: [strings | capture("^(?!ff)[0-9a-f]{2}-(?!0{32})(?<trace>[0-9a-f]{32})-(?!0{16})(?<span>[0-9a-f]{16})-[0-9a-f]{2}(-|$)")][0];

# The sessions by their files: who they are, and their records with numbers.
# (jq 1.6 lets a try catch what ends an update: none is inside of |=.)
def sessions: reduce (inputs | index("\u0000") as $i | select($i) | .[$i + 1:] as $l | {f: .[:$i], r: (try ($l | fromjson) catch null)}
	| select(.r | type == "object") | .at = (.r.tp.time? // .r.time | ms)) as $x ({};
    (.[$x.f] // {id: $x.f, count: 0, at: null, recs: []}) as $s | $x.r as $r
    | .[$x.f] = ($s | if $r.type == "session" then .id = ($r.id // .id | text) | .time = $r.time | .cwd = $r.cwd | .agent = $r.agent
      else .count += 1 | .at = ($x.at // .at)
	| .recs += [{n: (($r.n // $r.tp.n? // .count) | if type == "number" then . else 0 end), at, r: $r}] end))
    | map_values(.model = ([.recs[].r | select(.type == "usage").model | model][0] // {}) | ("\(.id) \(.cwd) \(.time)" | [hash(65599), hash(1000003), hash(1566083)] | map(hex(8))) as $h
	| .key = ($h | join("")) | .span = $h[0]);

# The records of each turn: from one message of the user to the next.
def turns: reduce .recs[] as $x ({turns: [], parent: null};
    if $x.r.type == "mark" and $x.r.what == "trace" then .parent = $x.r.traceparent
    elif $x.r.role == "user" or .turns == [] then .turns += [{parent, recs: [$x]}] | .parent = null
    else .turns[-1].recs += [$x] end)
    | .turns[] | select(any(.recs[].r; .role == "assistant" or .role == "tool" or .type == "error" or .type == "usage"));

# A span that ends now, or begins at .t if it would have begun before.
def place($at; $ms): ([.t, ($at // .t) - $ms] | max) as $b | {b: $b, e: ($b + $ms)};
def close_chat($u): .open as $o | if $o == null and $u == null then . else
    (.t = ([.t, .tools // .t] | max)) | ($u.r.ms // 0) as $ms | place($u.at // $o.at; $ms) as $p
    | ($u.r.model | model) as $m | (.model = ($m.model // .model) | .provider = ($m.provider // .provider))
    | .t = $p.e | .tools = null | .open = null
    | .spans += [{n: ($o.n // $u.n), kind: 3, name: ("chat" + (if $m.model then " " + $m.model else "" end)), b: $p.b, e: $p.e,
	error: (if $o.r.tp.interrupted? then "interrupted" elif $o.r.tp.partial? then "partial" else null end),
	attributes: {"gen_ai.operation.name": "chat", "gen_ai.provider.name": ($m.provider // .provider),
	"gen_ai.request.model": $m.model,
	"gen_ai.usage.input_tokens": $u.r.prompt_tokens, "gen_ai.usage.output_tokens": $u.r.completion_tokens,
	"gen_ai.usage.cache_read.input_tokens": $u.r.cached_tokens,
	"gen_ai.usage.cache_creation.input_tokens": $u.r.cache_write_tokens,
	"gen_ai.usage.reasoning.output_tokens": $u.r.reasoning_tokens,
	"gen_ai.response.time_to_first_chunk": (if $u.r.ms_first then $u.r.ms_first / 1000 else null end),
	"turnpipe.cost": $u.r.cost, "turnpipe.for": $u.r.for}}] end;
def failed($x): (.t = ([.t, .tools // .t] | max)) | place($x.at; 0) as $p | .t = $p.e
    | ("\($x.r.status // $x.r.code // "_OTHER")") as $why
    | if $x.r.from != "llmcall" then . else .spans += [{n: $x.n, kind: 3, b: $p.b, e: $p.e, error: $why, message: $x.r.message,
	name: ("chat" + (if .model then " " + .model else "" end)), attributes: {"gen_ai.operation.name": "chat",
	"gen_ai.provider.name": .provider, "gen_ai.request.model": .model}}] end
    | .error = $why | .message = $x.r.message;
def result($x): ($x.r.tp.duration_ms? // 0) as $ms | place($x.at; $ms) as $p | .tools |= max2($p.e)
    | ($x.r.name // .names[$x.r.tool_call_id // "" | text] // "unknown" | text) as $name
    | .spans += [{n: $x.n, kind: 1, name: "execute_tool \($name)", b: $p.b, e: $p.e, call: $x.r.tool_call_id,
	error: ($x.r.tp? // {} | if .interrupted then "interrupted" elif .denied then "denied" elif (.exit // 0) != 0 then "\(.exit)" else null end),
	attributes: {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": $name,
	    "gen_ai.tool.call.id": ($x.r.tool_call_id // null), "gen_ai.tool.type": "function"}}];

# The spans of one turn without their ids: the agent's first.
def spans($s; $since): .recs as $recs
    | reduce $recs[] as $x ({t: ($recs[0].at // 0 | max2($since)), tools: null, open: null, names: {}, spans: [], events: [], agents: []}
	+ $s.model;
	if $x.r.role == "assistant" then close_chat(null) | .open = $x | .error = null | .message = null
	    | reduce ($x.r.tool_calls // [] | .[]?) as $c (.; .names[$c.id // "" | text] = $c.function.name?)
	elif $x.r.type == "usage" then (if ($x.r.for // "") == "" then close_chat($x) elif $x.r.for == "agent" then . else
	    .open as $o | .open = null | close_chat($x) | .open = $o end)
	elif $x.r.role == "tool" then close_chat(null) | result($x)
	elif $x.r.type == "error" then close_chat(null) | failed($x)
	elif $x.r.type == "mark" then close_chat(null) | .events += [{timeUnixNano: ($x.at | nano), name: "turnpipe.\($x.r.what)",
		attributes: ($x.r | {agent, status, signal, attempt} | attributes)}]
	    | (if $x.r.what == "agent-start" then .agents += [$x] elif $x.r.what == "interrupted" then .error = "interrupted" else . end)
	else . end)
    | close_chat(null) | .e = ([.t, .tools, .spans[].e, ($recs | map(.at)[])] | map(select(. != null)) | max)
    | [{n: $recs[0].n, kind: 1, name: ("invoke_agent" + (if $s.agent then " \($s.agent)" else "" end)),
	b: ($recs[0].at // 0 | max2($since)), e, error, message, events, agents, attributes: {"gen_ai.operation.name": "invoke_agent",
	"gen_ai.provider.name": .provider, "gen_ai.agent.name": $s.agent, "gen_ai.request.model": .model}}] + .spans;

# All spans of the session in this file.  $from: none, or the span that its
# turns belong to, and which of its turns do.
def export($all; $file; $from; $seen): $all[$file] as $s
    | [$s | turns] | to_entries[] | .key as $k | .value | select($from == null or ($from.turns | index($k)) != null)
    | (.parent | parent) as $p | .recs[0].n as $first | [spans($s; $from.b // 0)] | .[0] as $spans
    | ($from.trace // $p.trace // ($s.key + ($first | hex(8)))) as $trace
    | ($s.span + ($first | hex(8))) as $agent
    | ($spans | to_entries[] | .key as $i | .value
	| (if $i == 0 then $from.span // $p.span else $agent end) as $up
	| {traceId: $trace, spanId: ($s.span + (.n | hex(8)))}
	+ (if $up then {parentSpanId: $up} else {} end)
	+ {name, kind, startTimeUnixNano: (.b | nano), endTimeUnixNano: (.e | nano),
	    attributes: (.attributes + {"gen_ai.conversation.id": $s.id, "error.type": .error} | attributes)}
	+ (if (.events // []) == [] then {} else {events} end)
	+ (if .error then {status: ({code: 2} + (if .message then {message: (.message | text)} else {} end))} else {} end)),
      ($spans[0].agents[] | . as $start | .r.session as $sub
	| select(($sub | type) == "string" and $all[$sub] != null and ($seen | index($sub)) == null)
	| ($s.recs | map(select(.r.what? == "agent-start" and .r.session? == $sub))) as $starts
	| ([$all[$sub] | turns] | to_entries | map(.value.recs[0].at as $at
	    | select(([$starts[] | select(.at <= $at)] | .[-1] // $starts[0]).n == $start.n) | .key)) as $mine
	| ([$spans[] | select($start.r.call != null and .call == $start.r.call and .n > $start.n)][0] // null) as $tool
	| export($all; $sub; {trace: $trace, span: (if $tool then $s.span + ($tool.n | hex(8)) else $agent end),
	    b: ($tool.b // $spans[0].b), turns: $mine}; $seen + [$sub]));

sessions as $all
| {resourceSpans: [{resource: {attributes: ({"service.name": (env.OTEL_SERVICE_NAME // "turnpipe")} | attributes)},
    scopeSpans: [{scope: {name: "turnpipe"}, schemaUrl: "https://opentelemetry.io/schemas/1.41.0",
    spans: (if $all[$main] == null then [] else [export($all; $main; null; [$main])] end)}]}]}
