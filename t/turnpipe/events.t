#!/bin/sh
# turnpipe --json through share/events/*.jq, against recordings of codex exec
# --json and claude -p --output-format stream-json for the same turn, which
# t/turnpipe/events-npm.t makes.  What differs is in turnpipe-events(7).
. "${0%/*}/../lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test
mkdir .git
printf 'one\ntwo\n' >notes
events() { sharefind "events/$1.jq"; }

serve '{"thinking":"I look first.","text":"I will look.","calls":[{"id":"c1","name":"shell","arguments":{"command":"cat notes"}}]}' \
    '{"calls":[{"id":"c2","name":"shell","arguments":{"command":"echo no; exit 3"}}]}' \
    '{"calls":[{"id":"c3","name":"write_file","arguments":{"path":"new","content":"hello\n"}}]}' \
    '{"text":"Done."}' \
    '{"status":400,"body":{"error":{"message":"bad thing"}}}'
turnpipe -Fys done.jsonl --json hi >done
turnpipe -Fs failed.jsonl --json hi >failed 2>err || [ $? -eq 65 ]
for tool in codex claude; do
	for end in done failed; do
		command jq -cf --unbuffered "$(events $tool)" $end >raw.$tool-$end
		command jq -ncf "$DATA/events/clean-$tool.jq" raw.$tool-$end >$tool-$end
	done
done

check 'codex: a turn with tools is its recording, byte for byte' \
    'cmp codex-done "$DATA/events/codex-done.jsonl"' </dev/null
check 'codex: a call that the provider refuses differs in the text of the error' \
    'diff "$DATA/events/codex-failed.jsonl" codex-failed || :' <<!
3,4c3,4
< {"type":"error","message":"{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"bad thing\"}}"}
< {"type":"turn.failed","error":{"message":"{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"bad thing\"}}"}}
---
> {"type":"error","message":"400: bad thing"}
> {"type":"turn.failed","error":{"message":"400: bad thing"}}
!

# fields FILE: each value of each event, at its path, sorted.
fields()
{
	command jq -nr '[inputs] | to_entries[] | .key as $n | .value
	    | "\($n) \(.type)" as $event
	    | paths(type != "object" and (type != "array" or . == [])) as $p
	    | "\($event) \($p | map(tostring) | join(".")) \(getpath($p) | tojson)"' "$1" |
	LC_ALL=C sort
}
# differ NAME: fields that differ, each once, whatever the event's number.
differ()
{
	fields "$DATA/events/$1.jsonl" >theirs
	fields "$1" >ours
	diff theirs ours | sed -n 's/^\([<>]\) [0-9]* /\1 /p' | LC_ALL=C sort -u
}
check 'claude: a turn with tools, field by field' 'differ claude-done' <<!
< assistant message.content.0.input.file_path "/W/new"
< assistant message.content.0.name "Bash"
< assistant message.content.0.name "Write"
< assistant message.usage.output_tokens 1
< result fast_mode_state "off"
< result modelUsage.test.contextWindow 200000
< result modelUsage.test.maxOutputTokens 32000
< result time_to_request_ms 0
< result ttft_stream_ms 0
< result usage.cache_creation.ephemeral_1h_input_tokens 0
< result usage.cache_creation.ephemeral_5m_input_tokens 0
< result usage.inference_geo ""
< result usage.iterations []
< result usage.server_tool_use.web_fetch_requests 0
< result usage.server_tool_use.web_search_requests 0
< result usage.service_tier "standard"
< result usage.speed "standard"
< system analytics_disabled true
< system apiKeySource "ANTHROPIC_API_KEY"
< system fast_mode_state "off"
< system permissionMode "bypassPermissions"
< system product_feedback_disabled true
> assistant message.content.0.input.path "new"
> assistant message.content.0.name "shell"
> assistant message.content.0.name "write_file"
> assistant message.stop_reason null
> assistant message.stop_sequence null
> assistant message.usage.cache_creation_input_tokens 0
> assistant message.usage.cache_read_input_tokens 0
> assistant message.usage.output_tokens 5
> system apiKeySource "none"
> system permissionMode "default"
> user message.content.0.is_error false
!
check 'claude: a call that the provider refuses, field by field' 'differ claude-failed' <<!
< assistant message.container null
< assistant message.stop_details null
< assistant message.usage.cache_creation.ephemeral_1h_input_tokens 0
< assistant message.usage.cache_creation.ephemeral_5m_input_tokens 0
< assistant message.usage.inference_geo null
< assistant message.usage.iterations null
< assistant message.usage.server_tool_use.web_fetch_requests 0
< assistant message.usage.server_tool_use.web_search_requests 0
< assistant message.usage.service_tier null
< assistant message.usage.speed null
< result fast_mode_state "off"
< result usage.cache_creation.ephemeral_1h_input_tokens 0
< result usage.cache_creation.ephemeral_5m_input_tokens 0
< result usage.inference_geo ""
< result usage.iterations []
< result usage.server_tool_use.web_fetch_requests 0
< result usage.server_tool_use.web_search_requests 0
< result usage.service_tier "standard"
< result usage.speed "standard"
< system analytics_disabled true
< system apiKeySource "ANTHROPIC_API_KEY"
< system fast_mode_state "off"
< system permissionMode "bypassPermissions"
< system product_feedback_disabled true
> system apiKeySource "none"
> system permissionMode "default"
!
printf '%s\n' '{"type":"session","id":"x"}' '{"role":"assistant","content":"Done."}' \
    '{"type":"error","code":77,"calls":["c1"]}' >denied
check 'a turn with a call that was not allowed has an answer, and is no failure' '
    command jq -cf "$(events codex)" denied | tail -n 1 | jq -r .type
    command jq -cf "$(events claude)" denied | tail -n 1 | jq -c "[.subtype,.is_error]"' <<!
turn.completed
["success",false]
!
check 'reasoning is an event, by each name that it has' '
    for name in reasoning reasoning_content reasoning_text; do
	printf "%s\n" "{\"type\":\"session\",\"id\":\"x\"}" "{\"role\":\"assistant\",\"content\":\"Done.\",\"$name\":\"hm\"}" "{\"type\":\"end\"}" >thought
	command jq -cf "$(events codex)" thought | jq -r "select(.item.type == \"reasoning\").item.text"
	command jq -cf "$(events claude)" thought | jq -r ".message.content[]?.thinking // empty"
    done | uniq -c | tr -d " "' <<!
6hm
!
