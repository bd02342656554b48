#!/bin/sh
# The event streams of codex and claude themselves, against the recordings
# that t/turnpipe/events.t holds ours against: make deps-extra check-extra; EXTRA=record
# makes the recordings anew.
. "${0%/*}/../lib.sh"

npm_clients
mkdir "$CODEX_HOME" .git
printf 'one\ntwo\n' >notes
failed='{"status":400,"body":{"type":"error","error":{"type":"invalid_request_error","message":"bad thing"}}}'

# compare NAME: the stream in the file raw with the recording of that name.
compare()
{
	command jq -ncf "$DATA/events/clean-${1%-*}.jq" raw >"$1"
	[ "$EXTRA" != record ] || cp "$1" "$DATA/events/$1.jsonl"
	diff "$DATA/events/$1.jsonl" "$1"
}

codex()
{
	llmserver_start "$@"
	cat >"$CODEX_HOME/config.toml" <<-!
	model = "test"
	model_provider = "here"
	[model_providers.here]
	name = "here"
	base_url = "$URL/v1"
	wire_api = "responses"
	env_key = "OPENAI_API_KEY"
	!
	rm -f new
	"$codex" exec --json --skip-git-repo-check \
	    --dangerously-bypass-approvals-and-sandbox hi >raw 2>err || echo "= $?"
}
check 'codex: a turn with tools' '
    codex '"'"'{"thinking":"I look first.","text":"I will look.","calls":[{"id":"c1","name":"exec_command","arguments":{"cmd":"cat notes"}}]}'"'"' \
	'"'"'{"calls":[{"id":"c2","name":"exec_command","arguments":{"cmd":"echo no; exit 3"}}]}'"'"' \
	'"'"'{"calls":[{"id":"c3","name":"exec_command","arguments":{"cmd":"apply_patch <<X\n*** Begin Patch\n*** Add File: new\n+hello\n*** End Patch\nX\n"}}]}'"'"' \
	'"'"'{"text":"Done."}'"'"'
    compare codex-done' </dev/null
# imported FORMAT FILE: what its session says: calls, tokens in and out.
imported()
{
	f=$(turnpipe import "$1" "$2") && command jq -sc 'map(select(.type == "usage")) as $u
	    | [([.[].tool_calls[]?.id] | length), ($u | length), ($u | map(.prompt_tokens, .completion_tokens) | add)], map(.role // empty)' "$f"
}
check 'codex: its log is a session' 'imported codex "$(ls "$CODEX_HOME"/sessions/*/*/*/*.jsonl | head -n 1)"' <<!
[3,4,60]
["user","assistant","tool","assistant","tool","assistant","tool","assistant"]
!
check 'codex: a call that the provider refuses' 'codex "$failed"; compare codex-failed' <<!
= 1
!

claude()
{
	llmserver_start '{"text":"to its first look"}' "$@"
	rm -f new
	ANTHROPIC_BASE_URL=$URL "$claude" -p --output-format stream-json \
	    --verbose --model test --permission-mode bypassPermissions hi \
	    >raw 2>err || echo "= $?"
}
check 'claude: a turn with tools' '
    claude '"'"'{"thinking":"I look first.","text":"I will look.","calls":[{"id":"c1","name":"Bash","arguments":{"command":"cat notes"}}]}'"'"' \
	'"'"'{"calls":[{"id":"c2","name":"Bash","arguments":{"command":"echo no; exit 3"}}]}'"'"' \
	"{\"calls\":[{\"id\":\"c3\",\"name\":\"Write\",\"arguments\":{\"file_path\":\"$PWD/new\",\"content\":\"hello\n\"}}]}" \
	'"'"'{"text":"Done."}'"'"'
    sed -i "s|$PWD|/W|g" raw; compare claude-done' </dev/null
check 'claude: its log is a session' 'imported claude "$(ls "$HOME"/.claude/projects/*/*.jsonl | head -n 1)"' <<!
[3,4,60]
["user","assistant","tool","assistant","tool","assistant","tool","assistant"]
!
check 'claude: a call that the provider refuses' 'claude "$failed"; compare claude-failed' <<!
= 1
!
