# The stream of turnpipe --json as the events of claude -p --output-format
# stream-json --verbose: turnpipe-events(7).
def text: if type == "array" then map(.text? // empty) | join("") else . // "" end;
def seconds: try fromdateiso8601 catch null;
def failed: .tp.denied or .tp.interrupted or (.tp.exit // 0) != 0
    or (.content | text | startswith("error: "));
# 32 bits of a text in hexadecimal, as a part of ids that are the same each time.
def hex8: reduce range(8) as $i ({n: ., s: ""};
    .s = "0123456789abcdef"[.n % 16:.n % 16 + 1] + .s | .n = (.n / 16 | floor)) | .s;
def sum($from): reduce explode[] as $c ($from; (. * 33 + $c) % 4294967296) | hex8;

def tokens: {input_tokens: 0, cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0, output_tokens: 0};
def usage: {input_tokens: ([(.prompt_tokens // 0) - (.cached_tokens // 0) - (.cache_write_tokens // 0), 0] | max),
    cache_creation_input_tokens: (.cache_write_tokens // 0),
    cache_read_input_tokens: (.cached_tokens // 0),
    output_tokens: (.completion_tokens // 0)};
def add($a; $b): reduce ($b | keys[]) as $k ($a; .[$k] += $b[$k]);

def uuid: .count += 1
    | .uuid = (.session_id | "\(sum(5381))-\(sum(7)[:4])-4\(sum(11)[:3])-8\(sum(13)[:3])-")
	+ "0000" + (.count | hex8);
def say($event): uuid | .out += [$event + {session_id, uuid}];

def init: if .begun then . else .begun = true
    | say({type: "system", subtype: "init", cwd, tools, mcp_servers: [],
	model, permissionMode: "default", slash_commands: [],
	apiKeySource: "none", claude_code_version: "turnpipe",
	output_style: "default", agents: [], skills: [], plugins: []}) end;

# An event for each block of an answer, once its usage is known.
def answer($r; $usage): init
    | reduce (
	($r.reasoning_content // $r.reasoning // $r.reasoning_text // empty | {type: "thinking", thinking: .,
	    signature: ([$r.native.blocks[]?.signature // empty] | first // "")}),
	($r.content | text | select(. != "") | {type: "text", text: .}),
	($r.tool_calls[]? | {type: "tool_use", id, name: .function.name,
	    input: ((.function.arguments | fromjson?) // {})})
    ) as $block (.; say({type: "assistant",
	message: {id: "msg_\($r.tp.n // .count)", type: "message", role: "assistant",
	    model, content: [$block], stop_reason: null, stop_sequence: null,
	    $usage, context_management: null},
	parent_tool_use_id: null}))
    | .result = ($r.content | text)
    | reduce ($r.tool_calls[]?) as $c (.; .calls[$c.id] = {tool_name: $c.function.name,
	tool_use_id: $c.id, tool_input: (($c.function.arguments | fromjson?) // {})});
def flush($usage): .held as $r | .held = null | if $r then answer($r; $usage) else . end;

def kind: {"3": "invalid_request", "4": "billing_error", "7": "max_output_tokens",
    "69": "server_error", "75": "rate_limit", "77": "authentication_failed",
    "78": "model_not_found"}[tostring] // "unknown";
# What the turn came to: code 0, or the status that it failed with.
def result($code; $fault):
    {"4": "error_max_budget_usd", "5": "error_max_turns",
     "8": "error_max_structured_output_retries"}[$code | tostring] as $subtype
    | ($subtype // if $code >= 128 then "error_during_execution" else "success" end) as $subtype
    | init
    | (if $code != 0 and $subtype == "success" then
	"API Error: \($fault.message // "" | sub("^(?<s>[0-9]+): "; "\(.s) "))" as $text
	| say({type: "assistant", message: {id: "msg_\(.count)", type: "message",
	    role: "assistant", model: "<synthetic>",
	    content: [{type: "text", $text}], stop_reason: "stop_sequence",
	    stop_sequence: "", usage: tokens, context_management: null}, parent_tool_use_id: null, error: ($code | kind)})
	| .result = $text
	else . end)
    | ([((.last // 0) - (.first // 0)) * 1000, .api_ms + .tool_ms] | max) as $ms
    | say({type: "result", $subtype, is_error: ($code != 0),
	duration_ms: $ms, duration_api_ms: .api_ms, num_turns: (.results + 1)}
	+ (if $subtype == "success" then {result: (.result // ""),
	    api_error_status: ($fault.status // null)}
	else {errors: [$fault.message // ""]} end)
	+ {stop_reason: (if $code == 0 then "end_turn" elif $subtype == "success"
	    then "stop_sequence" else null end),
	total_cost_usd: .cost, usage, modelUsage: .models, permission_denials: .denied}
	+ (if .ttft then {ttft_ms: .ttft} else {} end)
	+ (if $subtype == "success" then {terminal_reason: "completed"} else {} end))
    | .ended = true;

foreach (., inputs, null) as $r (
    {count: 0, session_id: "", cwd: "", tools: [], model: "", begun: false,
     held: null, calls: {}, denied: [], results: 0, usage: tokens, models: {},
     cost: 0, api_ms: 0, tool_ms: 0, ended: false};
    .out = []
    | if $r == null then
	if .ended then . else flush(tokens)
	    | result(76; .fault // {message: "the stream broke off"}) end
      else
	(($r.time // $r.tp.time // "") | seconds) as $t
	| (if $t then .first = (.first // $t) | .last = $t else . end)
	| if $r.type == "session" then
	    .session_id = ($r.id // "") | .cwd = ($r.cwd // "")
	  elif $r.type == "prompt" then
	    .model = ($r.model // .model) | .tools = [$r.tools[]?.name] | init
	  elif $r.role == "assistant" then flush(tokens) | .held = $r
	  elif $r.type == "usage" then
	    ($r | usage) as $u
	    | (if $r.for or $r.agent then . else flush($u) end)
	    | .usage = add(.usage; $u)
	    | .cost += ($r.cost // 0)
	    | .ttft = (.ttft // $r.ms_first)
	    | .api_ms += ($r.ms // 0)
	    | ($r.model // .model) as $m
	    | .models[$m] = add(.models[$m] // {}; {inputTokens: $u.input_tokens,
		outputTokens: $u.output_tokens,
		cacheReadInputTokens: $u.cache_read_input_tokens,
		cacheCreationInputTokens: $u.cache_creation_input_tokens,
		webSearchRequests: ($r.pieces.web_search // 0), costUSD: ($r.cost // 0)})
	  elif $r.role == "tool" then flush(tokens)
	    | .results += 1 | .tool_ms += ($r.tp.duration_ms // 0)
	    | ($r.content | text) as $text
	    | (if $r.tp.denied and .calls[$r.tool_call_id] then
		.denied += [.calls[$r.tool_call_id]] else . end)
	    | say({type: "user", message: {role: "user", content: [{type: "tool_result",
		tool_use_id: $r.tool_call_id, content: $text, is_error: ($r | failed)}]},
		parent_tool_use_id: null, timestamp: ($r.tp.time // null),
		tool_use_result: $text})
	  elif $r.type == "summary" then flush(tokens)
	    | say({type: "system", subtype: "compact_boundary",
		compact_metadata: {trigger: "auto", pre_tokens: ($r.tokens // 0)}})
	  elif $r.type == "error" and $r.n then flush(tokens) | .fault = $r
	  elif $r.type == "end" or $r.calls then flush(tokens) | result(0; null)
	  elif $r.type == "error" then flush(tokens)
	    | result($r.code // 70; .fault // $r)
	  elif $r.type == "mark" and $r.what == "retry" then .fault = null
	  else . end
      end;
    .out[])
