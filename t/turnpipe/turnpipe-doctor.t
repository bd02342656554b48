#!/bin/sh
. "${0%/*}/../lib.sh"

mkdir .git
export TURNPIPE_MODEL=openai/test OPENAI_API_KEY=sk-very-secret
# What depends on this machine is left out.
doctor() { turnpipe doctor "$@" >all || st=$?; grep -Ev '^[a-zA-Z]+ +(programs|libraries|share|sandbox|terminal|files: .* is yours)' all; return ${st:-0}; }
serve -r '{"text":"ok"}'
check 'nothing to fix; -n asks the model; the key is not printed' \
    'doctor --net; ! grep very-secret all; sent; grep -c "^ok *programs: jq" all' <<!
ok    settings, layouts, profiles, rules: all can be read
ok    profile: default
ok    model: openai/test answers
ok    rules: each covers something
1
1
!
mkdir -p "$XDG_CONFIG_HOME/turnpipe/profiles" "$XDG_STATE_HOME/turnpipe/p"
printf 'histfit |\nagentload | jq -c . | promptcompose\n' >"$XDG_CONFIG_HOME/turnpipe/profiles/jq"
printf 'histfit | histfit "$S" | promptcompose\n' >"$XDG_CONFIG_HOME/turnpipe/profiles/own"
check 'a profile: the stage for which its pipe is started anew; one that is not there' \
    'for p in opal jq own; do (doctor $p) | grep profile:; done; (doctor none) | grep FAULT' <<!
ok    profile: opal
ok    profile: jq
note  profile: each step starts its pipe anew, for the stage 'jq -c .'
ok    profile: own
note  profile: each step starts its pipe anew, for the stage 'histfit "\$S"'
FAULT profile none: not found; 'sharefind -l profiles' lists them
!
echo 'costguard: {cost: 2}' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
check 'a limit of dollars and a model without a price' 'doctor -m openai/gpt-4o >/dev/null; (doctor) | grep FAULT' <<!
FAULT cost: costguard.cost is 2, but the price of openai/test is not known; write it to prices/openai.yaml of ~/.config/turnpipe
!
printf 'toolrun:\n  allow: ["shell(*)", "no_such_tool"]\nmodle: x\n' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
check 'without -n nothing is sent; a faulty setting' \
    '(doctor) | sed "s/: .*settings.yaml/: settings.yaml/" | sed -n "/settings\\|rules/p"; grep -c answers all; sent; turnpipe-doctor >/dev/null || echo $?' <<!
FAULT settings: settings.yaml:3:1: expected a key of turnpipe-settings(5), found "modle"; fix that line
note  rules: toolrun.allow: no_such_tool: no tool of that name is on offer; take it out
FAULT rules: settings.yaml:2:11: shell(*) covers no command: expected its name first, or the tool alone for all
0
1
1
!
echo '{"mcpServers":{}}' >mcp.json
echo 'toolrun: {allow: [git_log]}' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
check 'a rule for the tool of a server, which is not asked for its tools here' '
    (export TURNPIPE_MCP=$PWD/mcp.json; doctor) | grep "^[a-z]* *rules:"; doctor | grep "^[a-z]* *rules:"' <<!
ok    rules: each covers something
note  rules: toolrun.allow: git_log: no tool of that name is on offer; take it out
!
rm "$XDG_CONFIG_HOME/turnpipe/settings.yaml"
chmod o+w "$XDG_CONFIG_HOME/turnpipe"
check 'what others can write; a key that is missing; no model at all' \
    '(unset OPENAI_API_KEY OPENAI_BASE_URL; doctor) | grep FAULT | sed "s|/.*\(/turnpipe can\).*|\1|"; grep -c "^ok *share" all
    (unset TURNPIPE_MODEL OPENAI_API_KEY OPENAI_BASE_URL; turnpipe -Fs s.jsonl hi 2>&1 || echo $?) | cut -c 1-40' <<!
FAULT model: openai/test: its key is not set: [OPENAI_API_KEY]
FAULT files: /turnpipe can
1
turnpipe: no model: name one with -m, TU
To begin, one of these; 'turnpipe doctor
  a model on this machine: start Ollama,
  a key: export OPENAI_API_KEY=... or AN
  a server with OpenAI's protocol: expor
  for good: model: PROVIDER/NAME in ~/.c
78
!
chmod o-w "$XDG_CONFIG_HOME/turnpipe"
mkdir -p here
cat >"$XDG_CONFIG_HOME/turnpipe/settings.yaml" <<!
toolrun:
  allow: ["shell(no-such-command -v*)", "shell(ls *)", "write_file(nowhere/**)", "write_file(here/**)",
    "write_file(~/none/x)", "edit_file(notes)", "shell(> nowhere/x)", "shell(ls **)"]
!
check 'rules of what is not there any more; the others are not named' \
    'doctor | sed -n "s/^note *rules: //p"' <<!
toolrun.allow: shell(no-such-command -v*): there is no command no-such-command here; take it out
toolrun.allow: write_file(nowhere/**): there is no directory nowhere/; take it out
toolrun.allow: write_file(~/none/x): there is no directory $HOME/none/; take it out
toolrun.allow: shell(ls **): any program it can start
$XDG_CONFIG_HOME/turnpipe/settings.yaml:2:11: shell(no-such-command -v*) covers no word with its star: no list says which are harmless; spell them, or write ** for any
!
mkdir "$XDG_CONFIG_HOME/turnpipe/prompts"
echo 'Plan first.' >"$XDG_CONFIG_HOME/turnpipe/prompts/planning.md"
check 'a text of the planning section has no effect while it is off' \
    'turnpipe doctor | sed -n "s/^note *prompt: .*prompts/prompts/p"; TURNPIPE_SET=agentload.planning=true turnpipe doctor | grep -c planning.md || :' <<!
prompts/planning.md has no effect: that section is off; agentload.planning: true in the settings switches it on
0
!
rm -r "$XDG_CONFIG_HOME/turnpipe/prompts"
check 'the versions of the libraries' \
    'turnpipe doctor | sed -n "s/ [0-9][0-9a-z.]*/ N/g; s/ ([^)]*)//; /libraries/p"' <<!
ok    libraries: libcurl N, libyaml N, pcre2 N
$(ttyread --version | grep -q ^readline && echo 'ok    libraries: readline N' ||
    echo 'note  libraries: no readline: lines are edited by the terminal; install libreadline-dev, then make')
!
turnpipe -F hello >/dev/null
check '-v: where the files are' \
    'turnpipe doctor -v | sed -n "s|$XDG_CONFIG_HOME|C|; s|$XDG_STATE_HOME/turnpipe/[^/]*|S|; s|2[0-9]*T[^ .]*|ID|; /^note *files/p"' <<!
note  files: the configuration, if any: C/turnpipe
note  files: this project's last session: S/ID.jsonl
note  files: its requests, answers and results: S/ID.d
note  files: what was typed: S/history
!
turnpipe doctor >all
case $(cat all) in *landlock*)
	check 'the number of the ABI of Landlock' 'sed -n "s/.*\(landlock [0-9][0-9]*\).*/\1/p" all | tr 0-9 N | tr -s N' <<!
landlock N
!
esac
