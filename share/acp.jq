# turnpipe-acp(1)
# Records of turnpipe --json, or of a session with $load, as messages of the
# Agent Client Protocol: session/update, session/request_permission.  $sid, $cwd:
# of the session.  Lines without a method are for turnpipe-acp: todos, the
# todos may have changed; fault, what went wrong.
def text: if type == "array" then map(.text? // empty) | join("") else . // "" | tostring end;
def note($update): {jsonrpc: "2.0", method: "session/update", params: {sessionId: $sid, $update}};
def chunk($kind): text | select(. != "") | note({sessionUpdate: $kind, content: {type: "text", text: .}});
def absolute: if startswith("/") then . else "\($cwd)/\(.)" end;
def arguments: .function.arguments | if type == "string" then fromjson? else . end | objects // {};
def kind: {read_file: "read", ls: "read", glob: "search", grep: "search", search_memories: "search",
    edit_file: "edit", write_file: "edit", apply_patch: "edit", shell: "execute", fetch: "fetch",
    plan: "think"}[.] // if startswith("todo_") then "think" else "other" end;
def diffs($name; $a): if ($a.path? | type) != "string" then empty
    elif $name == "write_file" then {type: "diff", path: ($a.path | absolute), newText: ($a.content | text)}
    elif $name == "edit_file" then ($a.edits? // [$a] | arrays[] | objects)
	| {type: "diff", path: ($a.path | absolute), oldText: (.old | text), newText: (.new | text)}
    else empty end;
def call: .function.name as $name | arguments as $a | {toolCallId: .id,
    title: ([$name, ($a | .command, .path, .pattern, .url, .task, .text | strings)][:2] | join(" ") | gsub("\\s+"; " ") | .[:200]),
    kind: ($name | kind), rawInput: $a, locations: [$a.path? | strings | {path: absolute}],
    content: [diffs($name; $a)]};
def failed: .tp.denied or .tp.interrupted or (.tp.exit // 0) != 0;

foreach (inputs | fromjson? | objects) as $r ({calls: {}};
    .out = []
    | if $r.type? == "delta" then
	.streamed = true | .out = [select($r.tag | not) | $r.text | chunk("agent_message_chunk")]
    elif $r.role? == "user" then
	if $load then .out = [$r.content | chunk("user_message_chunk")] else . end
    elif $r.role? == "assistant" then
	.out = [($r.reasoning_content? // empty | chunk("agent_thought_chunk")),
	    (select(.streamed | not) | $r.content | chunk("agent_message_chunk"))]
	| .streamed = false
	| reduce ($r.tool_calls[]? | call) as $c (.; .calls[$c.toolCallId] = $c
	    | .out += [note($c + {sessionUpdate: "tool_call", status: "in_progress"})])
    elif $r.role? == "tool" then
	($r.name? // "") as $name | ($r | failed) as $failed
	| .out = [note({sessionUpdate: "tool_call_update", toolCallId: $r.tool_call_id,
	    status: (if $failed then "failed" else "completed" end)}
	    # What was changed stands in the call.
	    + if $failed or ($name | IN("edit_file", "write_file") | not) then {content: [$r.content | text
		| {type: "content", content: {type: "text", text: .}}]} else {} end)]
	| if $name | startswith("todo_") then .out += [{todos: true}] else . end
    elif $load then .
    elif $r.what? == "deferred" then
	.out = [{jsonrpc: "2.0", id: "\($sid)/\($r.id)", method: "session/request_permission",
	    params: {sessionId: $sid, toolCall: ((.calls[$r.id] // {toolCallId: $r.id, title: $r.name})
		+ {status: "pending"}), options: [
		{optionId: "allow", name: "Yes", kind: "allow_once"},
		# What the session allows from then on, a line each.
		($r.rules? // empty | select(any(test("\n")) | not)
		    | {optionId: (["always"] + . | join("\n")), name: "Always: \(join(", ") | .[:200])", kind: "allow_always"}),
		{optionId: "deny", name: "No", kind: "reject_once"}]}}]
    elif $r.type? == "error" and ($r.n? or $r.from? != "turnpipe") then
	.out = [{fault: ($r.message | text)}]
    else . end;
    .out[])
