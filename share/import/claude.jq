# turnpipe-import(1)
# A session of Claude Code, and its agents', as our records.  Input: lines
# PATH NUL LINE.  Output: lines NAME TAB RECORD, the session first.  $dir: where
# the sessions go.
def text: if type == "array" then map(.text? // empty) | join("\n") else . // "" | tostring end;
def parts: if type != "array" or all(.[]; .type == "text") then text
    else map(if .type == "image" and .source.type == "base64" then {type: "image_url",
	image_url: {url: "data:\(.source.media_type);base64,\(.source.data)"}}
    else {type: "text", text: (.text // "[\(.type)]")} end) end;
def hash: reduce explode[] as $c (5381; (. * 33 + $c) % 4294967296)
    | reduce range(8) as $i ({n: ., s: ""}; .s = "0123456789abcdef"[.n % 16:.n % 16 + 1] + .s | .n = (.n / 16 | floor)) | .s;
def usage: .message.usage | {prompt_tokens: ((.input_tokens // 0) + (.cache_read_input_tokens // 0) + (.cache_creation_input_tokens // 0)),
    completion_tokens: (.output_tokens // 0), cached_tokens: (.cache_read_input_tokens // 0),
    cache_write_tokens: (.cache_creation_input_tokens // 0)};
def agent: (.toolUseResult | objects | .agentId | strings) // null;

# The entries of each agent, those of the session under "".
reduce (inputs | index("\u0000") as $i | .[$i + 1:] | fromjson? | objects | select(.message.role?)) as $e ({};
    .[$e.agentId // if $e.isSidechain then "sidechain" else "" end] += [$e])
| . as $all
| (.[""] // first(.[]) // error("no messages")) as $main
| ($main[0] | "\(.timestamp[:19] | gsub("[-:]"; ""))Z-\(.sessionId // "" | hash)") as $name
| ([.[][] | agent as $a | select($a) | {($a): (.toolUseResult.agentType // "agent" | gsub("[^A-Za-z0-9_.-]"; "-"))}] | add // {}) as $kinds
| def name($k): if $k == "" then $name else "\($name)-agent-\($kinds[$k] // "agent")-\($k)" end;
  # An answer comes in pieces, one a block; the last has what it took.
  def answers($k): reduce ($all[$k][] | select(.message.role == "assistant")) as $e ({};
      .[$e.message.id // $e.uuid] |= (.first = (.first // $e.uuid) | .last = $e | .blocks += ($e.message.content | if type == "array" then . else [{type: "text", text: tostring}] end)));
  def total($k): [answers($k)[].last | select(.isApiErrorMessage | not) | usage]
      + ([$all[$k][] | agent as $a | select($a and $all[$a]) | total($a)] | add // []);
  def answer: .last as $e | .blocks as $b
      | if $e.isApiErrorMessage then {type: "error", from: "llmcall", code: 69, message: ($b | text), time: $e.timestamp}
	else ({role: "assistant", content: ([$b[] | select(.type == "text").text] | join("\n\n")),
	reasoning_content: ([$b[] | select(.type == "thinking").thinking] | join("\n\n")),
	tool_calls: [$b[] | select(.type == "tool_use") | {id, type: "function", function: {name, arguments: (.input | tojson)}}],
	tp: {time: $e.timestamp}} | with_entries(select(.key == "content" or (.value | length) > 0))),
	({type: "usage", model: "anthropic/\($e.message.model)", time: $e.timestamp} + ($e | usage)) end;
  def books($k; $id): ({type: "mark", agent: $kinds[$k], session: "\($dir)/\(name($k)).jsonl", call: $id, time: .timestamp}) as $m
      | ($m + {what: "agent-start", after: 0, time: $all[$k][0].timestamp}),
	(total($k) | {type: "usage", for: "agent", model: ([answers($k)[].last.message.model | "anthropic/\(.)"][0]), agent: $kinds[$k], session: $m.session, time: $m.time, calls: length}
	    + reduce (.[] | to_entries[]) as $u ({}; .[$u.key] += $u.value)),
	($m + {what: "agent-end", status: 0, ms: (.toolUseResult.totalDurationMs // 0)});
  def result($names): . as $e | .message.content[] | select(.type == "tool_result")
      | .tool_use_id as $id | ($e | agent as $a | if $a and $all[$a] then books($a; $id) else empty end),
	({role: "tool", tool_call_id: $id, name: ($names[$id] // "unknown"), content: (.content | text),
	    tp: ({time: $e.timestamp} + (if .is_error then {exit: ((.content | text | capture("^Exit code (?<n>[1-9][0-9]{0,2})\\b").n | tonumber) // 1)} else {} end)
	    + (if ($e.toolUseResult | objects | .interrupted) // false then {interrupted: true} else {} end))});
  def records($k): answers($k) as $answers
      | ([$answers[].blocks[] | select(.type == "tool_use") | {(.id): .name}] | add // {}) as $names
      | $all[$k][0] as $head
      | {type: "session", version: 1, id: name($k), cwd: ($head.cwd // ""), time: $head.timestamp, from: "claude", original: $head.sessionId}
	+ (if $k == "" then {} else {agent: $kinds[$k]} end),
      ($all[$k][] | .message.content as $c
	| if .message.role == "assistant" then $answers[.message.id // .uuid] as $x | select($x.first == .uuid) | $x | answer
	  elif .isCompactSummary then {type: "summary", content: ($c | text), time: .timestamp}
	  elif .isMeta then empty
	  else (if ($c | type) == "array" then result($names) else empty end),
	    ($c | if type == "array" then map(select(.type != "tool_result")) else . end | parts | select(length > 0)) as $said
	    | {role: "user", content: $said, tp: {time: .timestamp}} end);
  ("", (keys_unsorted[] | select(. != ""))) as $k | select($all[$k]) | records($k) | "\(name($k))\t\(tojson)"
