# turnpipe-import(1)
# A rollout of Codex as our records.  Input: lines PATH NUL LINE.  Output:
# lines NAME TAB RECORD, the session first.
def text: if type == "array" then map(.text? // empty) | join("\n") else . // "" | tostring end;
def parts: if all(.[]; .text?) then text
    else map(if .type == "input_image" then {type: "image_url", image_url: {url: .image_url}}
    else {type: "text", text: (.text // "[\(.type)]")} end) end;
def hash: reduce explode[] as $c (5381; (. * 33 + $c) % 4294967296)
    | reduce range(8) as $i ({n: ., s: ""}; .s = "0123456789abcdef"[.n % 16:.n % 16 + 1] + .s | .n = (.n / 16 | floor)) | .s;
# What was typed, not what the program said in the user's name.
def typed: .internal_chat_message_metadata_passthrough.content_item_kinds as $kinds
    | if $kinds then any($kinds[]; startswith("user."))
      else .content | text | test("^<(environment_context|user_instructions|permissions|turn_aborted)") | not end;
def usage($model; $time): {type: "usage", model: $model, time: $time, prompt_tokens: .input_tokens, completion_tokens: .output_tokens,
    cached_tokens: (.cached_input_tokens // 0), cache_write_tokens: (.cache_write_input_tokens // 0),
    reasoning_tokens: (.reasoning_output_tokens // 0)};
# Older ones have the status in the result, as JSON.
def output: if type == "string" then (fromjson? | objects) // {output: .} elif type == "array" then {output: text} else {output: (.content // .output // tojson)} end;

[inputs | index("\u0000") as $i | .[$i + 1:] | fromjson? | objects | select(.payload | type == "object")] as $all
| ([$all[] | select(.type == "session_meta").payload][0] // error("no session_meta")) as $meta
| ($meta.timestamp // $all[0].timestamp) as $began
| (if ($meta.source | type) == "object" then "codex" else null end) as $agent
| "\($began[:19] | gsub("[-:]"; ""))Z-\($meta.id | hash)\(if $agent then "-agent-\($agent)" else "" end)" as $name
| any($all[]; .type == "token_usage_record") as $each
| (reduce $all[].payload as $p ({}; if $p.type == "exec_command_end" then .[$p.call_id] = $p
    elif $p.type == "item_completed" and $p.item.exit_code? != null then .[$p.item.id] = $p.item else . end)) as $ends
| def flush: if .held then .out += [.held | with_entries(select(.key == "content" or (.value | length) > 0))] | .held = null else . end;
  def hold($time): .held = ((.held // {role: "assistant", content: "", reasoning_content: "", tool_calls: []}) + {tp: {time: $time}});
  def call($p; $args): .names[$p.call_id // $p.id] = $p.name
      | .held.tool_calls += [{id: ($p.call_id // $p.id), type: "function", function: {name: $p.name, arguments: $args}}];
  def add($field; $s): .held[$field] |= (if . == "" then $s else . + "\n\n" + $s end);
  def item($p; $time):
      if $p.type == "message" and $p.role == "assistant" then hold($time) | add("content"; $p.content | text)
      elif $p.type == "reasoning" then ($p.summary // [] | text) as $s | if $s == "" then . else hold($time) | add("reasoning_content"; $s) end
      elif $p.type == "function_call" then hold($time) | call($p; $p.arguments)
      elif $p.type == "custom_tool_call" then hold($time) | call($p; {input: $p.input} | tojson)
      elif $p.type == "local_shell_call" then hold($time) | call($p + {name: "local_shell"}; $p.action | tojson)
      elif $p.type == "message" and $p.role == "user" and ($p | typed) then flush
	| .out += [{role: "user", content: ($p.content | parts), tp: {time: $time}}]
      elif $p.type | IN("function_call_output", "custom_tool_call_output") then flush
	| ($p.output | output) as $o | ($ends[$p.call_id].exit_code // $o.metadata.exit_code? // 0) as $exit
	| ([$ends[$p.call_id].duration | objects | .secs * 1000 + .nanos / 1000000 | floor][0]) as $ms
	| .out += [{role: "tool", tool_call_id: $p.call_id, name: (.names[$p.call_id] // "unknown"), content: ($o.output | text),
	    tp: ({time: $time} + (if $ms then {duration_ms: $ms} else {} end) + (if $exit != 0 then {exit: $exit} else {} end))}]
      else . end;
  reduce $all[] as $r ({out: [{type: "session", version: 1, id: $name, cwd: ($meta.cwd // ""), time: $began, from: "codex", original: $meta.id}
	+ (if $agent then {agent: $agent} else {} end)], names: {}, model: "\($meta.model_provider // "openai")/unknown", held: null};
    $r.payload as $p
    | if $r.type == "turn_context" then .model = "\($meta.model_provider // "openai")/\($p.model)"
      elif $r.type == "response_item" then item($p; $r.timestamp)
      elif $r.type == "token_usage_record" then .model as $m | flush | .out += [$p.usage | usage($m; $r.timestamp)]
      elif $r.type == "compacted" then flush | .out += [{type: "summary", content: ($p.message // ""), time: $r.timestamp}]
      elif $r.type != "event_msg" then .
      elif $p.type == "token_count" and ($each | not) and $p.info and $p.info.total_token_usage != .total then
	.total = $p.info.total_token_usage | .model as $m | flush | .out += [$p.info.last_token_usage | usage($m; $r.timestamp)]
      elif $p.type == "turn_aborted" then flush | .out += [{type: "mark", what: "interrupted", time: $r.timestamp}]
      elif $p.type == "error" then flush | .out += [{type: "error", from: "llmcall", code: 69, message: ($p.message // ""), time: $r.timestamp}]
      else . end)
  | flush | .out[] | "\($name)\t\(tojson)"
