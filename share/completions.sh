# completions.sh COMMAND WORD: what can stand behind that option, or in the
# place of an operand, a line each: VALUE, or VALUE, a tab and a text.  The
# completions of the shells run it; COMMAND is turnpipe or turnpipe-NAME.
case $1 in turnpipe--*) set -- turnpipe "$2" ;; esac	# turnpipe -m ...
case $1,$2 in
turnpipe,-P|turnpipe,--profile|turnpipe-agent,-P|turnpipe-agent,--profile)
	sharefind -l profiles | sed 's|.*/||' ;;
turnpipe,-a|turnpipe,--agent|turnpipe-agent,-a|turnpipe-agent,--agent)
	agentload -l ;;
turnpipe,-m|turnpipe,--model|turnpipe-doctor,-m|turnpipe-doctor,--model|turnpipe-model,*)
	turnpipe models | awk 'NR > 1 { sub(/[*].*/, "", $1); print $1 }' ;;
turnpipe,--set)
	sharefind -j settings.yaml | jq -r '.content
	    | paths(type != "object") | select(all(type == "string"))
	    | join(".") + "="' ;;
turnpipe,--permit)
	toollist </dev/null | jq -r '"\(.name)\t\(.description)"' ;;
turnpipe-mcp,*mcp)
	turnpipe mcp --help | sed -n 's/.*turnpipe-mcp \(\[[^]]*] \)*\([a-z][a-z]*\).*/\2/p' ;;
turnpipe-mcp,[chlpr]*)
	jq -r '.mcpServers // .servers | keys[]' \
	    "${TURNPIPE_MCP:-${XDG_CONFIG_HOME:-$HOME/.config}/turnpipe/mcp.json}" ;;
turnpipe,-T|turnpipe,--task)
	for task in *.md; do [ ! -f "$task" ] || printf '%s\n' "$task"; done ;;
turnpipe,-[cs]|turnpipe,--session|turnpipe,--continue|turnpipe-cost,-s|turnpipe-cost,--session|\
turnpipe-log,[!-]*|turnpipe-report,[!-]*|turnpipe-diff,[!-]*|turnpipe-fo[lr][dk],[!-]*)
	turnpipe log | sed -n 's/^ *\([0-9][0-9]*\)  /\1	/p' ;;
esac
