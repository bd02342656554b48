# The stream of turnpipe --json as the events of codex exec --json:
# turnpipe-events(7).
def text: if type == "array" then map(.text? // empty) | join("") else . // "" end;
def args: (.function.arguments | fromjson?) // {};
# What a tool's result says in front of and behind its output.
def output: text | sub("^error: "; "") | sub("\\[exit status [0-9]+\\]\\n$"; "");
def status: if .tp.denied or .tp.interrupted or (.tp.exit // 0) != 0 or (.content | text | startswith("error: "))
    then "failed" else "completed" end;
def path($cwd): if startswith("/") then . else $cwd + "/" + . end;
# The files of a unified diff.
def patched($cwd): [scan("(?:^|\\n)--- ([^\\t\\n]*)[^\\n]*\\n\\+\\+\\+ ([^\\t\\n]*)")
    | if .[0] == "/dev/null" then {path: .[1], kind: "add"}
      elif .[1] == "/dev/null" then {path: .[0], kind: "delete"}
      else {path: .[1], kind: "update"} end
    | .path |= (sub("^[ab]/"; "") | path($cwd))];
def todos: [text | split("\n")[] | capture("^ *[0-9]+\\. \\[(?<mark>.)\\] (?<text>.*)$")
    | {text, completed: (.mark == "x")}];

def say($event): .out += [$event];
def item($event; $id; $item): say({type: "item.\($event)", item: ({id: "item_\($id)"} + $item)});
def next_item($item): item("completed"; .items; $item) | .items += 1;

# A tool call begins; what it changes is known when it has ended.
def begin($call): ($call.function.name) as $name | ($call | args) as $args
    | .calls[$call.id] = {name: $name, args: $args}
    | if $name == "shell" then
	.calls[$call.id].item = {type: "command_execution", command: ($args.command // "")}
	| .calls[$call.id].id = .items
	| item("started"; .items; .calls[$call.id].item
	    + {aggregated_output: "", exit_code: null, status: "in_progress"})
	| .items += 1
      elif $name == "write_file" or $name == "edit_file" or $name == "apply_patch" then
	.calls[$call.id].changes = true
      elif $name | startswith("todo_") then
	.calls[$call.id].todos = true
      else
	.calls[$call.id].item = {type: "mcp_tool_call", server: "turnpipe", tool: $name, arguments: $args}
	| .calls[$call.id].id = .items
	| item("started"; .items; .calls[$call.id].item
	    + {result: null, error: null, status: "in_progress"})
	| .items += 1
      end;

def finish($r): .calls[$r.tool_call_id] as $call | .cwd as $cwd | ($r | status) as $status
    | if $call == null then .
      elif $call.changes then
	(if $call.name == "apply_patch" then $call.args.patch // "" | patched($cwd)
	else [{path: ($call.args.path // "" | path($cwd)),
	    kind: (if $r.content | text | startswith("created ") then "add" else "update" end)}]
	end) as $changes
	| item("started"; .items; {type: "file_change", $changes, status: "in_progress"})
	| next_item({type: "file_change", $changes, $status})
      elif $call.todos then
	($r.content | todos) as $items
	| if $status != "completed" then .
	  elif .plan == null then
	    .plan = {id: .items, $items}
	    | item("started"; .items; {type: "todo_list", $items})
	    | .items += 1
	  else
	    .plan.items = $items
	    | item("updated"; .plan.id; {type: "todo_list", $items})
	  end
      elif $call.item.type == "command_execution" then
	item("completed"; $call.id; $call.item
	    + {aggregated_output: (if $status == "completed" then $r.content | text
		elif $r.tp.exit then $r.content | output else "" end),
	    exit_code: ($r.tp.exit // null), $status})
      else
	item("completed"; $call.id; $call.item
	    + (if $status == "completed"
	    then {result: {content: [{type: "text", text: ($r.content | text)}],
		structured_content: null}, error: null, $status}
	    else {result: null, error: {message: ($r.content | text)}, status: "failed"} end))
      end
    | .calls |= del(.[$r.tool_call_id // ""]);

def close: if .plan then item("completed"; .plan.id; {type: "todo_list", items: .plan.items}) else . end
    | .plan = null | .ended = true;

foreach (., inputs, null) as $r (
    {items: 0, calls: {}, cwd: "", ended: false,
     usage: {input_tokens: 0, cached_input_tokens: 0, cache_write_input_tokens: 0,
	 output_tokens: 0, reasoning_output_tokens: 0}};
    .out = []
    | if $r == null then
	if .ended then . else close | say({type: "turn.failed",
	    error: {message: (.fault // "the stream broke off")}}) end
      elif $r.type == "session" then
	.cwd = ($r.cwd // "")
	| say({type: "thread.started", thread_id: ($r.id // "")}) | say({type: "turn.started"})
      elif $r.role == "assistant" then
	(($r.reasoning_content // $r.reasoning // $r.reasoning_text) as $text | if $text then next_item({type: "reasoning", $text}) else . end)
	| (if $r.content | text != "" then next_item({type: "agent_message", text: ($r.content | text)}) else . end)
	| reduce ($r.tool_calls[]?) as $call (.; begin($call))
      elif $r.role == "tool" then finish($r)
      elif $r.type == "usage" then
	.usage.input_tokens += ($r.prompt_tokens // 0)
	| .usage.cached_input_tokens += ($r.cached_tokens // 0)
	| .usage.cache_write_input_tokens += ($r.cache_write_tokens // 0)
	| .usage.output_tokens += ($r.completion_tokens // 0)
	| .usage.reasoning_output_tokens += ($r.reasoning_tokens // 0)
      elif $r.type == "error" and $r.n then
	.fault = ($r.message // "") | say({type: "error", message: .fault})
      elif $r.type == "end" or $r.calls then
	close | say({type: "turn.completed", usage: .usage})
      elif $r.type == "error" then
	close | say({type: "turn.failed", error: {message: (.fault // $r.message // "")}})
      elif $r.type == "mark" and $r.what == "retry" then .fault = null
      else . end;
    .out[])
