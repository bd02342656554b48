#!/bin/sh
. "${0%/*}/lib.sh"

mkdir .git
export TURNPIPE_MODEL=openai/test OPENAI_API_KEY=sk-very-secret
# What depends on this machine is left out.
doctor() { turnpipe doctor "$@" >all || st=$?; grep -Ev '^[a-zA-Z]+ +(programs|share|sandbox|terminal|files: .* is yours)' all; return ${st:-0}; }
serve -r '{"text":"ok"}'
check 'nothing to mend; -n asks the model; the key is not printed' \
    'doctor --net; ! grep very-secret all; sent; grep -c "^ok *programs: jq" all' <<!
ok    settings, layouts, profiles, rules: all can be read
ok    profile: default
ok    model: openai/test answers
ok    rules: each names a tool that is on offer
1
1
!
mkdir -p "$XDG_CONFIG_HOME/turnpipe" "$XDG_STATE_HOME/turnpipe/p"
printf 'toolrun:\n  allow: ["shell(*)", "no_such_tool"]\nmodle: x\n' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
check 'without -n nothing is sent; a faulty setting' \
    '(doctor) | sed "s/: .*settings.yaml/: settings.yaml/" | sed -n "/settings\\|rules/p"; grep -c answers all; sent; turnpipe-doctor >/dev/null || echo $?' <<!
FAULT settings: settings.yaml:3:1: expected a key of turnpipe-settings(5), not 'modle'; mend that line
note  rules: toolrun.allow: no_such_tool: no tool of that name is on offer
FAULT rules: settings.yaml:2:11: shell(*) covers no command: expected its name first, or shell alone for all
0
1
1
!
rm "$XDG_CONFIG_HOME/turnpipe/settings.yaml"
chmod o+w "$XDG_CONFIG_HOME/turnpipe"
check 'what others can write; a key that is missing; no model at all' \
    '(unset OPENAI_API_KEY OPENAI_BASE_URL; doctor) | grep FAULT | sed "s|/.*\(/turnpipe can\).*|\1|"; grep -c "^ok *share" all
    (unset TURNPIPE_MODEL OPENAI_API_KEY OPENAI_BASE_URL; turnpipe -Fs s.jsonl hi 2>&1 || echo $?) | cut -c 1-40' <<!
FAULT model: openai/test: its key is not set: [OPENAI_API_KEY]
FAULT files: /turnpipe can
1
llmcall: no model: name one with -m, TUR
To begin, one of these; 'turnpipe doctor
  a model on this machine: start Ollama,
  a key: export OPENAI_API_KEY=... or AN
  a server with OpenAI's protocol: expor
  for good: model: PROVIDER/NAME in ~/.c
78
!
