# turnpipe-import(1), turnpipe-log(1)
# $view import: a trajectory of ATIF as our records, lines NAME TAB RECORD,
# the session first; $dir: where the sessions go.  $view export: the session
# $main and its agents' as a trajectory of ATIF 1.7.  Input: lines PATH NUL LINE.
# What our records cannot say is kept beside it, so that import and export
# give what was there.
def text: if type == "array" then map(.text? // empty) | join("\n") elif type == "string" then . else tojson end;
def known: with_entries(select(.value != null));
def hash: reduce explode[] as $c (5381; (. * 33 + $c) % 4294967296)
    | reduce range(8) as $i ({n: ., s: ""}; .s = "0123456789abcdef"[.n % 16:.n % 16 + 1] + .s | .n = (.n / 16 | floor)) | .s;
def id: split("/")[-1] | sub("\\.jsonl$"; "");

# The records of a step as that step, but for what is kept beside them.
def bare: . as $recs | .[0] as $h | ([.[] | select(.type == "usage")][0]) as $u
    | ([.[] | select(.what == "agent-start")] | group_by(.call) | map({("\(.[0].call)"): map({trajectory_id: (.trajectory // (.session | id))})}) | add // {}) as $refs
    | if $h.what == "step" then $h.step
      elif $h.type == "summary" then {timestamp: $h.time, source: "system", message: $h.content}
      else {timestamp: $h.tp.time, source: (if $h.role == "user" then "user" else "agent" end), message: ($h.content // "" | text),
	model_name: $u.model, reasoning_content: $h.reasoning_content,
	tool_calls: [$h.tool_calls[]? | {tool_call_id: .id, function_name: .function.name,
	    arguments: (.function.arguments | (fromjson? | objects) // {arguments: .})}],
	observation: {results: [$recs[] | select(.role == "tool") | {source_call_id: .tool_call_id, content: (.content | text),
	    subagent_trajectory_ref: $refs["\(.tool_call_id)"],
	    extra: (.tp | {exit, denied, interrupted, duration_ms} | known | if . == {} then null else . end)} | known]},
	metrics: (if $u then $u | {prompt_tokens, completion_tokens, cached_tokens, cost_usd: .cost,
	    extra: ({cache_write_tokens, reasoning_tokens, ms, ms_first} | known | if . == {} then null else . end)} | known else null end),
	llm_call_count: (if $u then 1 else null end)}
	| known | if .tool_calls == [] then del(.tool_calls) else . end | if .observation.results == [] then del(.observation) else . end end;
def step($n): (.[0].tp.step // .[0].kept // {}) as $k | {step_id: $n} + bare | with_entries(select(.key as $x | $k.drop // [] | index($x) | not)) + ($k.keep // {});

def groups: reduce .[] as $r ([]; if $r.role == "user" or $r.role == "assistant" or $r.type == "summary" or $r.what? == "step" then . + [[$r]]
    elif . != [] and ($r.role == "tool" or ($r.type == "usage" and ($r.for | not)) or $r.what? == "agent-start") then .[-1] += [$r] else . end);
def sum(f): reduce (.[] | f) as $x (null; if $x then . + $x else . end);
def export($all; $path; $seen): $all[$path] as $recs | $recs[0] as $h
    | [$recs[] | select(.type == "usage" and .for != "agent")] as $uses
    | ($h.atif // {schema_version: "ATIF-v1.7", session_id: $h.id, trajectory_id: $h.id,
	agent: ({name: "turnpipe", version: "0.1", model_name: ($uses[0].model)} | known),
	final_metrics: ({total_prompt_tokens: ($uses | sum(.prompt_tokens)), total_completion_tokens: ($uses | sum(.completion_tokens)),
	    total_cached_tokens: ($uses | sum(.cached_tokens)), total_cost_usd: ($uses | sum(.cost)), total_steps: ($recs | groups | length)} | known),
	subagent_trajectories: (reduce ($recs[] | select(.what? == "agent-start").session) as $s ([]; if index($s) then . else . + [$s] end)
	    | if . == [] then null else . end)} | known)
    | .steps = [$recs | groups | to_entries[] | .key as $i | .value | step($i + 1)]
    | if .subagent_trajectories then .subagent_trajectories |= [.[] | select($all[.] and (. as $s | $seen | index($s) | not))
	| export($all; .; $seen + [.])] else . end;

# What a step's own keys have and its records do not is kept.
def load($name): . as $t | ([.steps[].timestamp | select(.)][0] // "1970-01-01T00:00:00Z") as $began
    | ([.subagent_trajectories[]? | {(.trajectory_id): "\($name)-agent-\(.agent.name | gsub("[^A-Za-z0-9_.-]"; "-"))-\(.trajectory_id | hash)"}] | add // {}) as $subs
    | def start($id; $call; $time): {type: "mark", what: "agent-start", agent: ([$t.subagent_trajectories[] | select(.trajectory_id == $id)][0].agent.name),
	session: "\($dir)/\($subs[$id]).jsonl", trajectory: $id, after: 0, call: $call, time: $time} | known;
      def records: . as $s | {time: (.timestamp // $began)} as $time
      | ([.tool_calls[]? | {(.tool_call_id): .function_name}] | add // {}) as $names
      | if .source == "user" then {role: "user", content: (.message | text), tp: ($time | known)}
	elif .source == "agent" then ({role: "assistant", content: (.message | text), reasoning_content, tp: ($time | known),
		tool_calls: [.tool_calls[]? | {id: .tool_call_id, type: "function", function: {name: .function_name, arguments: (.arguments | tojson)}}]}
		| known | if .tool_calls == [] then del(.tool_calls) else . end),
	    (.metrics | objects | {type: "usage", model: ($s.model_name // $t.agent.model_name // "unknown"), prompt_tokens, completion_tokens, cached_tokens,
		cost: .cost_usd, time: $s.timestamp} + (.extra // {} | {cache_write_tokens, reasoning_tokens, ms, ms_first}) | known),
	    (.observation.results[]? | select($names[.source_call_id // ""]) | .source_call_id as $call
	    | (.subagent_trajectory_ref[]?.trajectory_id | select($subs[. // ""]) | start(.; $call; $s.timestamp)),
	      {role: "tool", tool_call_id: $call, name: $names[$call], content: (.content // "" | text),
		tp: (($time + (.extra // {} | {exit, denied, interrupted, duration_ms})) | known)})
	else {type: "mark", what: "step", step: $s} + $time end;
      {type: "session", version: 1, id: $name, cwd: (.extra.cwd? // ""), agent: (if $name | contains("-agent-") then .agent.name else null end),
	time: $began, from: "atif", original: .session_id,
	atif: (del(.steps) | if .subagent_trajectories then .subagent_trajectories |= map("\($dir)/\($subs[.trajectory_id]).jsonl") else . end)}
      | known | "\($name)\t\(tojson)",
      ($t.steps | to_entries[] | .key as $i | .value as $s | [$s | records] | step($i + 1) as $b
	| {keep: ($s | with_entries(select(.key as $k | ($b | has($k) | not) or $b[$k] != .value))),
	   drop: [($b | keys[]), "timestamp" | select(. as $k | $s | has($k) | not)]}
	  as $k | (if .[0].role and $k != {keep: {}, drop: []} then .[0].tp.step = $k else . end) | .[] | "\($name)\t\(tojson)"),
      ([$t.steps[].observation.results[]?.subagent_trajectory_ref[]?.trajectory_id] as $met | $subs | keys_unsorted[]
	| select(. as $x | $met | index($x) | not) | start(.; null; $began) | "\($name)\t\(tojson)"),
      ($t.subagent_trajectories[]? | load($subs[.trajectory_id]));

[inputs | index("\u0000") as $i | select($i) | {f: .[:$i], l: .[$i + 1:]}]
| if $view == "export" then
    (reduce .[] as $x ({}; .[$x.f] += [$x.l | fromjson? | objects])) as $all | export($all; $main; [$main])
  else map(.l) | join("\n") | fromjson
    | if .schema_version // "" | startswith("ATIF-v1.") | not then error("expected ATIF-v1 as schema_version") else . end
    | ([.steps[].timestamp | select(.)][0] // "1970-01-01T00:00:00Z") as $began
    | load("\($began[:19] | gsub("[-:]"; ""))Z-\(.trajectory_id // .session_id // tojson | hash)") end
