#!/bin/sh
# What the shells complete: turnpipe, turnpipe-NAME, the filters.
. "${0%/*}/../lib.sh"

made=${BIN%/*}/completions
[ -s "$made/bash" ] || skip 'no completions here'
# Of each command of ours, also those that are links; not what others read.
names() { ls "$BIN" | grep -v '^turnpipe--'; }
in_bash() {
	bash -c '. "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _turnpipe
	    printf "%s\n" "${COMPREPLY[@]}"' bash "$made/bash" "$@"
}

tap_has bash || skip 'there is no bash here'
check 'bash: options of turnpipe, of a command after it, of a filter, of a link' \
    'in_bash turnpipe --sche; in_bash turnpipe doctor --n; in_bash turnpipe-doctor --n
    in_bash journal --jou; in_bash ttyread --hi; in_bash turnpipe-todos --h; in_bash turnpipe mod; in_bash turnpipe und' <<!
--schema
--net
--net
--journal
--history
--help
models
model
undo
!
mkdir .git agents
printf 'Hi.\n' >agents/'$(echo run >&2)'.md
check 'bash: values: profiles, agents, models, settings, tasks, sessions; nothing of them is run' \
    'printf "x\n" >work.md
    s=$(histadd --new); printf "{\"role\":\"user\",\"content\":\"Hi\"}\n{\"role\":\"assistant\",\"content\":\"Yes.\"}\n" | histadd "$s"
    in_bash turnpipe -P def; TURNPIPE_PATH=$PWD in_bash turnpipe -a expl; in_bash turnpipe -m anthropic/claude-3-5-h; in_bash turnpipe --set facts.a
    in_bash turnpipe -T wo; in_bash turnpipe -s ""; in_bash turnpipe report ""; in_bash turnpipe -q -c ""; in_bash turnpipe-agent -P def' <<!
default
explore
anthropic/claude-3-5-haiku
facts.after=
work.md
1
1
1
default
!
check 'bash: tools for --permit, what mcp does, the names of servers' \
    'echo "{\"mcpServers\":{\"git\":{\"command\":\"x\"}}}" >mcp.json; export TURNPIPE_MCP=$PWD/mcp.json
    in_bash turnpipe --permit she; in_bash turnpipe mcp re; in_bash turnpipe-mcp ad; in_bash turnpipe mcp remove ""; rm mcp.json' <<!
shell
resources
remove
add
git
!
check 'bash: each command has its own' \
    'for c in $(names); do case $(in_bash $c --h | grep -x -e --help) in --help) ;; *) echo $c ;; esac
    bash -c ". \"\$1\"; complete -p \$2" bash "$made/bash" $c >/dev/null || echo no $c; done' </dev/null
needs zsh check 'zsh: it can be read, and names each command' \
    'zsh -n "$made/zsh"; for c in $(names); do head -n 1 "$made/zsh" | grep -qw -e "$c" || echo $c; done' </dev/null
needs fish check 'fish: options, values, each command' \
    'fish -n "$made/fish"; fish -c "source \"$made/fish\"; complete -C \"journal --jou\"; complete -C \"turnpipe doctor --n\"
	complete -C \"turnpipe -T wo\"; complete -C \"turnpipe -q -c \"; complete -C \"turnpipe fork \"; complete -C \"turnpipe --profile=def\"; complete -C \"turnpipe --permit she\"" |
    cut -f 1; for c in $(names); do grep -q -e "^complete -c $c " "$made/fish" || echo $c; done' <<!
--journal
--net
work.md
1
agents/
work.md
1
agents/
work.md
--profile=default
shell
!
finish
