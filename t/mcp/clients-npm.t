#!/bin/sh
# turnpipe mcp serve under codex and claude themselves, whose model is t/llmserver:
# make deps-extra check-extra.
. "${0%/*}/../lib.sh"

npm_clients
export TURNPIPE_SHARE="$TOP/share" XDG_CONFIG_HOME="$PWD/etc"
mkdir "$CODEX_HOME" .git
echo 'words of the file' >notes

check 'codex calls a tool' '
    llmserver_start "{\"calls\":[{\"id\":\"c1\",\"name\":\"read_file\",\"namespace\":\"mcp__turnpipe\",\"arguments\":{\"path\":\"notes\"}}]}" "{\"text\":\"Done.\"}"
    cat >"$CODEX_HOME/config.toml" <<-X
	model = "test"
	model_provider = "here"
	[model_providers.here]
	name = "here"
	base_url = "$URL/v1"
	wire_api = "responses"
	env_key = "OPENAI_API_KEY"
	[mcp_servers.turnpipe]
	command = "$BIN/turnpipe"
	args = ["mcp", "serve"]
	cwd = "$PWD"
	env = { TURNPIPE_SHARE = "$TURNPIPE_SHARE" }
	X
    "$codex" exec --json --skip-git-repo-check \
	--dangerously-bypass-approvals-and-sandbox hi >raw 2>err
    jq -c "select(.item.type? == \"mcp_tool_call\" and .type == \"item.completed\") | .item | [.server,.tool,.status]" raw
    tail -n 1 "$REQUESTS" | grep -o "words of the file"' <<!
["turnpipe","read_file","completed"]
words of the file
!
check 'claude calls a tool' '
    llmserver_start "{\"text\":\"to its first look\"}" "{\"calls\":[{\"id\":\"c1\",\"name\":\"mcp__turnpipe__read_file\",\"arguments\":{\"path\":\"notes\"}}]}" "{\"text\":\"Done.\"}"
    jq -nc --arg c "$BIN/turnpipe" "{mcpServers: {turnpipe: {command: \$c, args: [\"mcp\", \"serve\"]}}}" >servers.json
    ANTHROPIC_BASE_URL=$URL "$claude" -p hi --output-format stream-json \
	--verbose --model test --permission-mode bypassPermissions \
	--strict-mcp-config --mcp-config servers.json >raw 2>err
    jq -c "select(.subtype? == \"init\").mcp_servers" raw
    tail -n 1 "$REQUESTS" | grep -o "words of the file"' <<!
[{"name":"turnpipe","status":"connected"}]
words of the file
!
