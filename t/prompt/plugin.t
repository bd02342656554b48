#!/bin/sh
# Plugins of the work tree: skills and servers after the user's word, hooks
# never.
. "${0%/*}/../lib.sh"

[ -n "$PYTHON" ] || skip 'python3 is not installed'
export TURNPIPE_MODEL=openai/test OPENAI_API_KEY=sk-test
p=.agents/plugins/tidy
mkdir -p .git $p/.claude-plugin $p/skills/tidy-up $p/hooks .agents/plugins/no other
echo '{"name":"tidy"}' >$p/.claude-plugin/plugin.json
printf -- '---\nname: tidy-up\ndescription: How to tidy.\n---\nTidy it.\n' >$p/skills/tidy-up/SKILL.md
printf '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"touch %s/hooked"}]}],"Notification":[],"Stop":[]}}\n' "$PWD" >$p/hooks/hooks.json
printf '{"mcpServers":{"mine":{"command":"%s","args":["${CLAUDE_PLUGIN_ROOT}/server.py"]}}}\n' "$PYTHON" >$p/.mcp.json
cp "$TOP/t/mcpserver.py" $p/server.py
has() { skillmenu </dev/null | jq -r 'select(.name) | .name' | grep -x tidy-up || :; }
answer() { python3 "$TOP/t/onpty.py" '[y/N] ' "$1\\n" -- turnpipe mcp trust | tr -d '\r' | sed "s|$PWD|W|g"; }
check 'without a word nothing of it is used, and that is said' 'has 2>err; toolhold -l 2>>err | wc -l; sed "s|$PWD|W|" err' <<!
0
skillmenu: W/.agents/plugins/tidy: the plugin is not used: 'turnpipe mcp trust' shows it and asks
toolhold: W/.agents/plugins/tidy: the plugin is not used: 'turnpipe mcp trust' shows it and asks
!
needs pty check 'the question shows what is its own to start, and what would be run by others' \
    "answer n | sed 's|\"$PYTHON\"|PYTHON|'" <<!
W/.agents/plugins/tidy/.claude-plugin/plugin.json:
{"name":"tidy"}
W/.agents/plugins/tidy/.mcp.json:
{"mcpServers":{"mine":{"command":PYTHON,"args":["\${CLAUDE_PLUGIN_ROOT}/server.py"]}}}
W/.agents/plugins/tidy/hooks/hooks.json:
{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"touch W/hooked"}]}],"Notification":[],"Stop":[]}}

toolhold: use the skills and start the servers of the plugin W/.agents/plugins/tidy? [y/N] n
!
esc=esc/.agents/plugins/$(printf 'x\033[2K')/.plugin
mkdir -p esc/.git "$esc"
echo '{}' >"$esc/plugin.json"
needs pty check 'a name that a terminal would obey is shown' '(cd esc; answer n | tail -n 1)' <<!
toolhold: use the skills and start the servers of the plugin W/.agents/plugins/x\\u{1b}[2K? [y/N] n
!
needs pty check 'a no is kept' 'has; toolhold -l'
needs pty check 'a yes: its skills, its servers; its hooks are named' '
    rm -r "$XDG_STATE_HOME/turnpipe/plugin"; answer y >out; has 2>err
    toolhold -l 2>>err | jq -r ".run.mcp, .name" | head -n 2; sed "s|$PWD|W|" err' <<!
tidy-up
mine
mine_echo
skillmenu: W/.agents/plugins/tidy/hooks/hooks.json: hooks are not run: PreToolUse, Notification, Stop
toolhold: W/.agents/plugins/tidy/hooks/hooks.json: hooks are not run: PreToolUse, Notification, Stop
!
needs pty check 'in a turn both are on offer, from a directory below too, and no hook runs' '
    serve "{\"calls\":[{\"id\":\"a\",\"name\":\"mine_echo\",\"arguments\":{\"text\":\"heard\"}}]}" "{\"text\":\"Done.\"}"
    cd other; turnpipe -Fyq -s ./s.jsonl hi 2>/dev/null; jq -r "select(.role == \"tool\").content" s.jsonl; cd ..
    head -n 1 "$REQUESTS" | jq -r ".body.messages[0].content" | grep -c "tidy-up"; ls hooked 2>/dev/null || :' <<!
Done.
heard

1
!
mkdir $p/agents
printf -- '---\nname: tidier\ndescription: Tidies up.\n---\nTidy.\n' >$p/agents/tidier.md
needs pty check 'its agents are those of the work tree, after the word about these' '
    turnpipe agents 2>/dev/null | grep -c tidier; python3 "$TOP/t/onpty.py" "[y/N] " "y\n" -- turnpipe agents trust | grep -c "^Tidy"
    turnpipe agents 2>/dev/null | grep -o "^tidier.*Tidies up"' <<!
0
1
tidier  Tidies up
!
needs pty check 'another server or hook is another question, another skill is none' '
    echo More. >>$p/skills/tidy-up/SKILL.md; has 2>/dev/null
    echo >>$p/hooks/hooks.json; has 2>&1 | sed "s/.*: the plugin/the plugin/"' <<!
tidy-up
the plugin is not used: 'turnpipe mcp trust' shows it and asks
!
check 'the work tree itself can be one' 'rm -r .agents; mkdir -p .plugin skills/own; echo "{}" >.plugin/plugin.json
    printf -- "---\nname: own\ndescription: d\n---\nX.\n" >skills/own/SKILL.md
    skillmenu </dev/null 2>&1 >/dev/null | sed "s|$PWD|W|"' <<!
skillmenu: W: the plugin is not used: 'turnpipe mcp trust' shows it and asks
!
