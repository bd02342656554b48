# The same of claude -p --output-format stream-json and of
# share/events/claude.jq; lists of what is installed are emptied, texts of its
# own left out.
inputs | select(.subtype != "thinking_tokens")
| walk(if type == "object" then
    (if .session_id then .session_id = "S" else . end)
    | (if .uuid then .uuid = "U" else . end)
    | (if .timestamp then .timestamp = "T" else . end)
    | (if .signature then .signature = "" else . end)
    | (if .id and .role then .id = "M" else . end)
    | with_entries(if .key | test("_ms$") then .value = 0 else . end)
    else . end)
| if .subtype == "init" then
    .cwd = "/W" | .memory_paths = {} | .claude_code_version = "V"
    | with_entries(if .value | type == "array" then .value = [] else . end)
  else . end
| if .type == "user" then
    .message.content[].content |= "R" | .tool_use_result = "R"
  else . end
| if .modelUsage then .total_cost_usd = 0
    | .modelUsage |= with_entries(.key = "test" | .value.costUSD = 0) else . end
| if .message.model and .message.model != "<synthetic>" then .message.model = "test" else . end
| if .model then .model = "test" else . end
