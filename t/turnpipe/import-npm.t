#!/bin/sh
# Twenty sessions of codex and twenty of claude, whose model is t/llmserver:
# what is imported has the calls, words and tokens that the server gave.
# make deps-extra check-extra.
. "${0%/*}/../lib.sh"

npm_clients
export CODEX_UNSAFE_ALLOW_NO_SANDBOX=1 XDG_STATE_HOME="$PWD/state"
mkdir -p "$CODEX_HOME" .git

# The answers of session $1: up to five rounds of up to three calls of the tool
# $2 with its argument $3, some of which fail, and the last word.
answers() {
	command jq -nc --argjson i "$1" --arg tool "$2" --arg key "$3" '
	    (range($i % 6) as $r | {calls: [range(1 + ($i + $r) % 3)
		| {id: "c\($i)_\($r)_\(.)", name: $tool, arguments: {($key): (if ($i + .) % 4 == 3
		    then "echo no; exit \(1 + $r)" else "printf \u0027%s\\n\u0027 \"é \($r)\"" end)}}]}
		+ if ($i + $r) % 2 == 0 then {text: "Round \($r).\nOn."} else {} end
		+ if ($i + $r) % 3 == 0 then {thinking: "I think \($r)."} else {} end),
	    {text: "Last word of \($i): “ß”."}'
}
start() { # [FIRST] FILE: the server with the answers of FILE
	set --
	[ ! -s first ] || set -- "$(cat first)"
	while read -r line; do set -- "$@" "$line"; done <script
	llmserver_start "$@"
}
# What the session in $1 and the script say, which is to be the same; calls side
# by side end in any order.
figures() {
	command jq -sc '[[.[].tool_calls[]?.id], ([.[] | select(.role == "tool") | [.tool_call_id, .tp.exit // 0]] | sort),
	    ([.[] | select(.role == "assistant") | .content // "" | select(. != "")] | join("|")),
	    ([.[] | select(.type == "usage") | .prompt_tokens + .completion_tokens] | add)]' "$1"
}
scripted() {
	command jq -sc '[[.[].calls[]?.id], ([.[].calls[]? | [.id, (.arguments[] | capture("exit (?<n>[0-9])").n | tonumber) // 0]] | sort),
	    ([.[].text // empty] | join("|")), length * 15]' script
}
check 'codex: twenty sessions' '
    : >first
    for i in $(seq 20); do
	answers $i exec_command cmd >script
	start
	printf "%s\n" "model = \"test\"" "model_provider = \"here\"" "[model_providers.here]" \
	    "name = \"here\"" "base_url = \"$URL/v1\"" "wire_api = \"responses\"" \
	    "env_key = \"OPENAI_API_KEY\"" >"$CODEX_HOME/config.toml"
	rm -rf "$CODEX_HOME/sessions"
	"$codex" exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox \
	    "question $i" </dev/null >raw 2>err || cat err
	f=$(turnpipe import codex "$CODEX_HOME"/sessions/*/*/*/*.jsonl) || break
	figures "$f" >has; scripted >expected
	diff expected has && echo equal
    done | sort | uniq -c | tr -s " "' <<!
 20 equal
!
check 'claude: twenty sessions' '
    echo "{\"text\":\"to its first look\"}" >first
    for i in $(seq 20); do
	answers $i Bash command >script
	start
	rm -rf "$HOME/.claude/projects"
	ANTHROPIC_BASE_URL=$URL "$claude" -p --model test --permission-mode bypassPermissions \
	    "question $i" </dev/null >raw 2>err || cat err
	f=$(turnpipe import claude "$HOME"/.claude/projects/*/*.jsonl) || break
	figures "$f" >has; scripted >expected
	diff expected has && echo equal
    done | sort | uniq -c | tr -s " "' <<!
 20 equal
!
