#!/bin/sh
. "${0%/*}/../lib.sh"

export TURNPIPE_SHARE="$PWD/share"
mkdir -p share/agents/bob share/prompts
cat >share/settings.yaml <<!
# turnpipe-settings(5)
model: small
max_steps: 9
context_window:
agentload: {planning: false}
!
printf -- '---\nname: default\ndescription: all\nagents: ["*"]\n---\n' >share/agents/default.md
printf -- '---\nname: bob\ndescription: says no\ntools: [ls]\ntemperature: 0.5\nmodel: big\nseed: "7"\nagents: ["*"]\n---\n\nYou are Bob.\n\n' >share/agents/bob.md
cat >share/models.yaml <<!
models:
  - {match: "flag*", context_window: 1000}
!
printf 'Once.\n' >share/prompts/once.md
printf 'Ask {{agent}}.\n' >share/prompts/delegation.md

check 'the default agent: settings, who else is there; the prompt is the layout'\''s' \
    'agentload </dev/null | sed "s|$PWD|TOP|"' <<!
{"type":"config","model":"small","max_steps":9,"agents":["*"]}
{"type":"agent","name":"bob","description":"says no"}
!
check 'front matter goes over settings, numbers as numbers, a body is the prompt' \
    'agentload -a bob </dev/null | sed "s|$PWD|TOP|"' <<!
{"type":"config","max_steps":9,"tools":["ls"],"temperature":0.5,"model":"big","seed":7,"agents":["*"]}
{"type":"section","id":"identity","source":"TOP/share/agents/bob.md","content":"You are Bob."}
{"type":"agent","name":"default","description":"all"}
!
check 'the user has the last word' \
    'TURNPIPE_MODEL=env agentload -c model=flag -c max_tokens=10 -c stop="[\"x\"]" -c user=ann </dev/null | grep by' <<!
{"type":"config","by":"user","max_tokens":10,"stop":["x"],"user":"ann","model":"flag"}
!
check 'a field stands once, the last word on it' \
    'agentload -c n=1 -c model=one -c n=2 -c a=0 -c n=3 </dev/null | grep by
    TURNPIPE_MODEL=env agentload -c model=one -c model=two </dev/null | grep by' <<!
{"type":"config","by":"user","a":0,"n":3,"model":"one"}
{"type":"config","by":"user","model":"two"}
!
fails 64 'no user says what a record is' 'agentload -c by=me 2>err; s=$?; head -n 1 err >&2; exit $s' <<!
agentload: expected KEY=VALUE, not 'by=me'
!
printf 'My way.\n' >own
check 'the window of the model that will be asked' \
    'agentload -c model=x/flag-1 -a bob </dev/null | jq -c "select(.context_window)|[.model,.context_window]"' <<!
["big",1000]
!
check 'also of one given as a pair' \
    'agentload -c model=flag-2 </dev/null | jq -c "select(.context_window).context_window"' <<!
1000
!
check 'a window of the settings holds for each model, known or not; --set goes before an agent'\''s own' \
    'for m in x/flag-1 x/nobody; do TURNPIPE_SET=context_window=77 agentload -c model=$m </dev/null | jq -c "select(.context_window)|[.by,.context_window]"; done
    sed "s/^context_window:/& 66/" share/settings.yaml >new; mv share/settings.yaml old; mv new share/settings.yaml
    agentload -c model=x/flag-1 </dev/null | jq -c "select(.context_window)|[.by,.context_window]"; mv old share/settings.yaml' <<!
[null,77]
["user",77]
[null,77]
["user",77]
[null,66]
!
check 'a custom prompt is a section of its own kind' \
    'TURNPIPE_SYSTEM_PROMPT=own agentload -a bob </dev/null | grep section' <<!
{"type":"section","id":"custom-prompt","source":"own","content":"My way."}
!
printf 'Bob in person.\n' >share/agents/bob/instructions.md
check 'a persona goes before the definition' \
    'agentload -a bob </dev/null | jq -r "select(.type==\"section\").content"' <<!
Bob in person.
!
check 'the source of a persona is its file' \
    'agentload -a bob </dev/null | jq -r "select(.type==\"section\").source" | sed "s|$PWD/||"' <<!
share/agents/bob/instructions.md
!
check 'no custom prompt, or a blank file, gives way to the next' '
    printf " \n\n" >blank; a="agentload -a bob"
    for i in 1 2; do
        { $a </dev/null; TURNPIPE_SYSTEM_PROMPT= $a </dev/null
          TURNPIPE_SYSTEM_PROMPT=blank $a </dev/null; } | jq -rc "select(.type==\"section\")|[.id,.content]"
        cp blank share/agents/bob/instructions.md
    done; echo Bob in person. >share/agents/bob/instructions.md' <<!
["identity","Bob in person."]
["identity","Bob in person."]
["identity","Bob in person."]
["identity","You are Bob."]
["identity","You are Bob."]
["identity","You are Bob."]
!
mkdir -p cfg/turnpipe
printf 'Be brief.\n' >cfg/turnpipe/persona.md
check 'the user'\''s persona replaces what was chosen, a custom prompt too' \
    'XDG_CONFIG_HOME=$PWD/cfg TURNPIPE_SYSTEM_PROMPT=own agentload </dev/null | jq -r "select(.type==\"section\")|.id,.content"' <<!
identity
Be brief.
!
check 'an addressed agent becomes a hint, a longer name does not' \
    'printf "{\"role\":\"user\",\"content\":\"@bobby, no: @bob?\"}\n" | agentload | jq -r "select(.id==\"delegation:bob\").content"' <<!
Ask bob.
!
check 'only a whole name is addressed' \
    'printf "{\"role\":\"user\",\"content\":\"@bobby @bob-2 bob\"}\n" | agentload | grep -c delegation || true' <<!
0
!
check 'an address of mail addresses no agent' \
    'printf "{\"role\":\"user\",\"content\":\"ann@bob.org, a.n-@bob\"}\n" | agentload | grep -c delegation || true' <<!
0
!
check 'a bracket before the name does no harm' \
    'printf "{\"role\":\"user\",\"content\":\"(@bob)\"}\n" | agentload | grep -c delegation' <<!
1
!
check 'once' 'TURNPIPE_ONCE=1 agentload </dev/null | jq -r "select(.id==\"once\").content"' <<!
Once.
!
printf -- '---\nname: eva\ndescription: >\n  two\n  lines {{name}}\n---\n' >share/agents/eva.md
check 'no template, no list of agents' \
    'agentload </dev/null | grep -c "\"id\":\"agents\"" || :' <<!
0
!
echo '- {{name}}: {{description}}' >share/prompts/agents.md
echo '  * {{name}}' >share/prompts/agents-star.md
check 'the other agents in one section, a line each' \
    'agentload -a bob </dev/null | jq -r "select(.id==\"agents\").content"' <<'!'
- default: all
- eva: two lines {{name}}
!
check 'in another form' \
    'agentload -F star </dev/null | jq -r "select(.id==\"agents\").content"' <<!
  * bob
  * eva
!
fails 64 'a form that does not exist' 'agentload -F none </dev/null 2>err; s=$?
    head -n 1 err >&2; exit $s' <<!
agentload: no form 'none': expected prompts/agents-none.md
!
check 'two agents addressed are two hints' \
    'printf "{\"role\":\"user\",\"content\":\"@bob and @eva\"}\n" | agentload |
     jq -r "select(.id // \"\" | startswith(\"delegation\"))|.id,.content"' <<!
delegation:bob
Ask bob.
delegation:eva
Ask eva.
!
check 'alone, no list' 'rm share/agents/bob.md share/agents/eva.md
    agentload </dev/null | grep -c "\"id\":\"agents\"" || :' <<!
0
!
printf -- '---\nname: bob\ndescription: says no\n---\nYou are Bob.\n' >share/agents/bob.md
printf 'Plan in {{plan}}.\n' >share/prompts/planning.md
check 'plan: agentload.planning, in a session, at the top' \
    'plan() { agentload "$@" </dev/null | jq -r "select(.id==\"planning\").content"; }
     p=--set=agentload.planning=true; plan $p; export TURNPIPE_RUN=/r; plan; plan $p
     TURNPIPE_PARENT=x plan $p' <<!
Plan in /r/plan.md.
!
check 'a task beside the log is a section' \
    'mkdir run; export TURNPIPE_RUN=$PWD/run
     goal() { agentload </dev/null | jq -r "select(.id==\"task\").content"; }
     goal; : >run/task.md; goal; printf "Mend it.\n\n" >run/task.md; goal
     unset TURNPIPE_RUN; goal' <<!
Mend it.
!
fails 78 'a task that cannot be read' \
    'mkdir -p dir/task.md; TURNPIPE_RUN=dir agentload </dev/null >out; s=$?
    tail -n 1 out; exit $s' <<!
agentload: dir/task.md: not a regular file
!
check 'the plan itself is shown, of a long one the beginning; in plan mode nothing asks for the file' \
    'mkdir prun; export TURNPIPE_RUN=$PWD/prun
     plan() { agentload --set agentload.planning=true </dev/null | jq -r "select(.type==\"section\" and (.id|startswith(\"plan\")))|.id,.content[-12:]"; }
     mkdir prun/plan.md; plan | sed "s/^Plan.*/P/"; rmdir prun/plan.md; printf "1. Look.\n" >prun/plan.md; plan | tail -n 2
     TURNPIPE_PARENT=x plan; TURNPIPE_PLAN=1 plan | grep -c planning || :
     i=0; while [ $i -lt 3000 ]; do echo "żó"; i=$((i + 1)); done >prun/plan.md; plan | tail -n 3
     unset TURNPIPE_RUN; plan' <<!
planning
run/plan.md.
plan
1. Look.
0
żó
ż
...
!
printf 'Plan.\n' >share/prompts/plan-mode.md
check 'plan mode, by the environment' \
    'TURNPIPE_PLAN=1 agentload </dev/null | jq -r "select(.id==\"plan-mode\").content"
     TURNPIPE_PLAN=0 agentload </dev/null | grep -c plan-mode || :' <<!
Plan.
0
!
check 'once, by the environment' \
    'TURNPIPE_ONCE=1 agentload </dev/null | grep -c "\"id\":\"once\""
     TURNPIPE_ONCE= agentload </dev/null | grep -c "\"id\":\"once\"" || :' <<!
1
0
!
check 'names' 'agentload -l' <<!
bob
default
!
check 'two conversations get the same' \
    'printf "{\"type\":\"end\"}\n{\"type\":\"end\"}\n" | agentload | jq -r .type' <<!
config
agent
section
end
config
agent
section
end
!
# Keys of definitions, ours and those of others.
check 'a count is digits, and none that only a mistake has' \
    'for field in "max_steps: 99999999999" "max_steps: 1e3" "max_seconds: 1e30" "temperature: 1e400" "max_tokens: 2.0"; do
	printf -- "---\nname: x\n%s\n---\nDo.\n" "$field" >count.md; agentload -f count.md </dev/null 2>&1 >/dev/null | sed "s|$PWD/||"
    done' <<!
agentload: count.md:3:12: expected at most 31536000, found 99999999999
agentload: count.md:3:12: expected an integer, found 1e3
agentload: count.md:3:14: expected an integer, found 1e30
agentload: count.md:3:14: expected a smaller number, found 1e400
agentload: count.md:3:13: expected an integer, found 2.0
!
cat >all.md <<'!'
---
name: all
description: has every key
usage_guidelines: |
  Give it
  big work.
model: m
temperature: 0.5
max_tokens: 10
max_steps: 3
max_seconds: 60
context_window: 9000
top_p: 0.9
seed: 7
reasoning_effort: low
tool_choice: auto
response_format: {type: json_object}
tools: [ls, "read_*"]
tools_deny: shell, rm
required_tools: [ls]
mcp: [git]
agents: [bob]
persist: false
cost: {tokens: 100, spike: {factor: 2}}
provider: {user: ann, logit_bias: {"5": -1}, safe: true}
---
All.
!
check 'every key, each as its own kind; what the provider alone knows goes in as it is' \
    'agentload -f all.md </dev/null | grep "\"config\""; for k in name persist usage_guidelines tools none; do
        agentload -f all.md -g $k || echo "no $k"; done' <<'!'
{"type":"config","model":"m","temperature":0.5,"max_tokens":10,"max_steps":3,"max_seconds":60,"context_window":9000,"top_p":0.9,"seed":7,"reasoning_effort":"low","tool_choice":"auto","response_format":{"type":"json_object"},"tools":["ls","read_*"],"tools_deny":["shell","rm"],"required_tools":["ls"],"mcp":["git"],"agents":["bob"],"cost":{"tokens":100,"spike":{"factor":2}},"user":"ann","logit_bias":{"5":-1},"safe":true}
all
false
Give it
big work.

ls
read_*
no none
!
printf -- '---\nname: x\ncolor: red\ntools: [ls]\n# fine\nrequirements:\n  required_tools_all: [ls]\ncan_delegate_to_agents: true\n---\nX.\n' >odd.md
check 'a key that binds nothing goes nowhere' \
    'printf "{\"type\":\"end\"}\n{\"type\":\"end\"}\n" | agentload -f odd.md | jq -c "select(.type==\"config\")" | uniq' <<!
{"type":"config","model":"small","max_steps":9,"tools":["ls"],"required_tools":["ls"],"agents":["*"]}
!
# load FIELDS: the config record, or what is wrong.
load() { printf -- '---\nname: x\n%b\n---\nX.\n' "$1" >own.md; agentload -f own.md </dev/null 2>&1 | grep -v '"section"\|"agent"\|"error"' | sed "s|$PWD/||; s/.*\"max_steps\":9,//"; }
cp "$TOP/share/toolnames.yaml" share/
check 'restrictions in Claude Code'\''s words hold' 'load "tools: Read, Grep, Bash, TodoWrite\ndisallowedTools: Write, Edit"
    load "disallowedTools: [Bash, mcp__git__push, mcp__web]\nmaxTurns: 5\nmodel: inherit\neffort: low\ncolor: red"
    load "permissionMode: plan\ntools: [Read, Write, \"todo_*\"]"; load "permissionMode: acceptEdits\nmcpServers: git"' <<!
"tools":["read_file","grep","shell","todo_*"],"tools_deny":["write_file","apply_patch","edit_file","write_file","apply_patch"]}
{"type":"config","model":"small","tools_deny":["shell","git_push","web_*"],"max_steps":5,"reasoning_effort":"low"}
"tools":["read_file","todo_list","todo_add","todo_update","todo_remove","todo_clear"]}
"mcp":["git"]}
!
check 'restrictions in opencode'\''s words hold' 'load "tools:\n  write: false\n  edit: false\n  bash: true"
    load "permission:\n  \"*\": deny\n  read: allow\n  grep: ask\n  bash: {\"*\": ask, \"rm *\": deny}"
    load "permission: deny"; load "mode: subagent\nsteps: 4\npermission: {edit: deny, webfetch: allow}\nhidden: true"' <<!
"tools_deny":["write_file","apply_patch","edit_file","write_file","apply_patch"]}
"tools":["read_file","grep"],"tools_deny":["shell"]}
"tools":[]}
{"type":"config","model":"small","max_steps":4,"tools_deny":["edit_file","write_file","apply_patch"]}
!
check 'what would hold in part is refused' 'for f in "colour: red" "hooks: {a: b}" "isolation: container" "permissionMode: strict" \
    "tools: Bash(git:*)" "disallowedTools: NewTool" "permission: {bash: maybe}" "requirements:\n  minimum_tool_calls: 3" "mcpServers: [{a: b}]"; do load "$f"; done' <<!
agentload: own.md:3:1: expected a key of turnpipe-agents(5), found "colour"
agentload: own.md:3:1: expected a key of turnpipe-agents(5), found "hooks"
agentload: own.md:3:12: expected worktree, found "container"
agentload: own.md:3:17: expected default, plan, acceptEdits, auto, dontAsk or bypassPermissions, found "strict"
agentload: own.md:3:8: expected names of known tools
agentload: own.md:3:18: expected names of known tools
agentload: own.md:3:20: expected allow, ask or deny
agentload: own.md:4:3: expected required_tools_all, found "minimum_tool_calls"
agentload: own.md:3:14: expected a string, found object
!
fails 78 'an agent with a key that is not known does not run' 'printf -- "---\ncolour: red\n---\nX.\n" >share/agents/odd.md; agentload -a odd </dev/null 2>err; s=$?; sed "s|$PWD/||" err >&2; exit $s' <<!
agentload: share/agents/odd.md:2:1: expected a key of turnpipe-agents(5), found "colour"
!
check 'nor is it on offer, nor one that is primary, hidden or seen by others; the turn goes on' '
    for f in "mode: primary" "hidden: true" "visible_from_agents: [eve]" "mode: subagent\nvisible_from_agents: [def*]"; do
	i=$((${i:-0} + 1)); printf -- "---\ndescription: d\n$f\n---\nX.\n" >share/agents/z$i.md; done
    agentload </dev/null 2>err | jq -r "select(.type==\"agent\").name"; sed "s|$PWD/||" err; rm share/agents/odd.md share/agents/z?.md' <<!
bob
z4
agentload: share/agents/odd.md:2:1: expected a key of turnpipe-agents(5), found "colour"
!
rm share/toolnames.yaml
for pair in 'temperature: warm|expected a number, found string' 'max_steps: 2.5|expected an integer, found 2.5' 'max_steps: -1|expected at least 0, found -1' \
    'persist: maybe|expected true or false, found string' 'tools:|expected a string or an array or an object, found null' 'agents: {a: b}|expected a string or an array, found object' \
    'description: [a]|expected a string, found array' 'cost: 5|expected an object, found number' 'provider: {messages: x}|expected no such member, found "messages"' \
    'provider: {tools: x}|expected no such member, found "tools"' 'provider: {by: user}|expected no such member, found "by"' \
    'requirements: x|expected an object, found string' 'deniedTools: {}|expected a string or an array, found object'; do
	printf -- '---\n%s\n---\n' "${pair%%|*}" >bad.md
	s=0; agentload -f bad.md </dev/null >/dev/null 2>err || s=$?
	echo "${pair%%|*}: $s $(sed 's/^agentload: bad.md:2:[0-9]*: //' err)"
	echo "${pair%%|*}: 78 ${pair#*|}" >&3
done >bads 3>wants
check 'a value of another kind is a fault at its place' 'diff wants bads'

cat >them.json <<'!'
{"agents": [
  {"agentId": "ann", "description": "Annabelle's", "systemPrompt": "You are Ann.", "allowedTools": [], "deniedTools": ["gmail_*"],
   "llmProvider": "groq", "model": "llama", "maxSteps": 8, "temperature": 0.2, "enabled": true,
   "costControls": {"enabled": true, "hardCapTokensPerHour": 500000, "spikeMultiplier": 3, "shortWindowMinutes": 2, "minimumBaselineTokens": 1000}},
  {"agentId": "off", "enabled": false},
  {"agentId": "cut", "allowedTools": ["read_*"], "costControls": {"enabled": false}}],
 "bindings": [{"channel": "telegram", "chatId": "*", "agentId": "ann"}]}
!
cp them.json share/agents/them.json
check 'the agents of a JSON file, by name; JSON is no prompt' \
    'agentload -a ann </dev/null 2>err | grep -v "\"agent\"" | sed "s|$PWD/||"; sed "s|$PWD/||" err
    agentload -f them.json -a cut </dev/null; agentload -f them.json -g name; agentload -a off -g name 2>/dev/null || echo $?' <<!
{"type":"config","tools_deny":["gmail_*"],"model":"groq/llama","max_steps":8,"temperature":0.2,"cost":{"tokens":500000,"spike":{"factor":3,"minutes":2,"known":1000}}}
{"type":"section","id":"custom-prompt","source":"share/agents/them.json","content":"You are Ann."}
{"type":"config","model":"small","max_steps":9,"tools":["read_*"]}
ann
66
!
check 'names of all kinds; an empty file switches one off' 'mkdir share/agents/only; echo Only. >share/agents/only/instructions.md
    agentload -l | tr "\n" " "; : >share/agents/cut.md; agentload -l | tr "\n" " "; echo; rm share/agents/cut.md' <<!
ann bob cut default only ann bob default only 
!
check 'a directory with instructions.md alone is an agent' \
    'agentload -a only </dev/null | jq -r "select(.id==\"identity\").content"; rm -r share/agents/only' <<!
Only.
!
fails 78 'a broken JSON file says where' 'echo "{\"agents\": [{}]}" >broken.json; agentload -f broken.json </dev/null' <<!
agentload: broken.json:1:13: expected an agentId
!
fails 66 'a name is no path' 'agentload -a ../bob </dev/null' <<!
agentload: agent ../bob: no such definition
!
check 'a systemPrompt goes before a persona, a body after it; the custom prompt before both' \
    'mkdir -p share/agents/ann share/agents/bob; echo In person. | tee share/agents/ann/instructions.md >share/agents/bob/instructions.md
    for a in "-a ann" "-a bob" "-a ann own"; do p=${a#-a ???}; TURNPIPE_SYSTEM_PROMPT=${p# } agentload ${a% own} </dev/null 2>/dev/null | jq -c "select(.type==\"section\")|[.id,.content]" | grep -v agents; done
    rm -r share/agents/ann share/agents/bob' <<!
["custom-prompt","You are Ann."]
["identity","In person."]
["custom-prompt","My way."]
!
printf -- '---\nname: lone\ndescription: calls nobody\n---\n' >lone.md
check 'without agents: no agent can be called, with it those that it names' \
    'who() { printf "{\"role\":\"user\",\"content\":\"@bob @ann\"}\n" | agentload -f $1 2>/dev/null | jq -r "select(.type==\"agent\" or .type==\"section\")|.name // .id" | tr "\n" " "; echo; }
    who lone.md; sed "s/^description.*/agents: [b*]/" lone.md >some.md; who some.md' <<!

bob agents delegation:bob 
!
check 'usage_guidelines stand in the list' \
    'cp all.md share/agents/all.md; echo "- {{name}}: {{description}}{{usage}}" >share/prompts/agents.md
    agentload </dev/null 2>/dev/null | jq -r "select(.id==\"agents\").content" | head -1; rm share/agents/all.md' <<!
- all: has every key Give it big work.
!
key() { printf -- "---\n%b\n---\n%s\n" "$1" "${2-P}" >k.md; agentload -f k.md -k; }
check 'key: an edited definition is another, the task is not in it' '
    key "name: k" >a; key "name: k" | cmp - a; grep -cE "^agent-k@[0-9a-f]{8}@[0-9a-f]{8}$" a
    for d in "tools: []" "tools: [ls]" "tools_deny: [ls]" "tools: [a, b]" "tools: [\"a|b\"]" "temperature: 0" "model: x"; do
        key "$d"; done >keys; key "description: d" Q >>keys; cat a >>keys; sort -u keys | wc -l
    key "tools: [b, a]" >ba; key "tools: [a, b]" | cmp - ba; TURNPIPE_PROFILE=agent agentload -f k.md -k | cmp -s - ba || echo profile' <<!
1
9
profile
!
check 'tools null and [] are two keys' \
    'key "name: k" >a; key "tools: []" >b; cut -d@ -f2 a b | uniq | wc -l; cut -d@ -f3 a b | uniq | wc -l' <<!
1
2
!
check 'the key is the sha256 of canonical JSON' '
    key "tools: []" "It\"s \\ü"' <<!
agent-k@$(printf '%s' '{"model":"small","profile":"","prompt":"It\"s \\ü","temperature":null}' | perl -MDigest::SHA=sha256_hex -ne 'print substr sha256_hex($_), 0, 8')@$(printf '%s' '{"tools":[],"tools_deny":null}' | perl -MDigest::SHA=sha256_hex -ne 'print substr sha256_hex($_), 0, 8')
!
printf -- '---\nname: two\nmax_seconds: 7\ncost: {tokens: 5}\n---\n' >two.md
check '-g: of several a line each, an empty one for none' \
    'agentload -f two.md -g cost -g top_p -g max_seconds; agentload -f two.md -g top_p -g seed || echo $?' <<!
{"tokens":5}

7
1
!
check '-G: --set, then the definition, then the settings' \
    'export TURNPIPE_SHARE="$TOP/share"
    agentload -f two.md -G max_seconds -g max_steps -G max_steps; agentload -f two.md --set max_seconds=3 -G max_seconds
    agentload -f two.md --set "retry.on=[1, 2]" -G retry.on; agentload -f two.md -G no.such || echo $?' <<!
7

50
3
1
2
1
!
check '-v: it may give work to no agent' \
    'agentload -v -f two.md </dev/null 2>&1 >/dev/null | grep agents:; printf -- "---\nagents: []\n---\n" >barred.md; agentload -v -f barred.md </dev/null 2>&1 >/dev/null | grep "not set" || :' <<!
agentload: agents: not set: it may give work to no agent
!
check '-v: which file gave which field' \
    'agentload -v -f odd.md -c model=x </dev/null 2>&1 >/dev/null | grep from' <<!
agentload: max_steps: from the settings
agentload: name: from odd.md
agentload: tools: from odd.md
agentload: required_tools: from odd.md
agentload: agents: from odd.md
agentload: model: from the command line or the environment
agentload: base prompt: from odd.md
!
fails 65 'a broken line' 'printf "{}\n" | agentload' <<!
agentload: <stdin>:1:1: expected a type or a role
!
fails 66 'a prompt that is not there' 'TURNPIPE_SYSTEM_PROMPT=none.md agentload </dev/null' <<!
agentload: none.md: No such file or directory
!
fails 66 'a definition that is not there' 'agentload -f none.md </dev/null' <<!
agentload: none.md: No such file or directory
!
printf -- '---\nname: [x\n---\n' >broken.md
fails 78 'a broken definition: one line that says where' 'agentload -f broken.md </dev/null' <<!
agentload: broken.md:3:1: expected ',' or ']'
!
fails 66 'an agent that is not there' 'agentload -a eve </dev/null' <<!
agentload: agent eve: no such definition
!
check '--set goes before the file of the agent' '
    printf -- "---\nname: x\ntemperature: 0.7\nreasoning_effort: high\nmodel: a/b\n---\n" >own.md
    TURNPIPE_PATH= TURNPIPE_SHARE="$TOP/share" agentload -f own.md --set temperature=0.1 --set reasoning_effort=low --set model=c/d --set max_steps=3 </dev/null |
    grep "\"by\""' <<!
{"type":"config","by":"user","model":"c/d","temperature":0.1,"max_steps":3,"reasoning_effort":"low"}
!
mkdir -p "$XDG_CONFIG_HOME/turnpipe"
echo 'temperature: -3' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
fails 78 'a setting below 0 is not passed over' 'agentload </dev/null' <<!
agentload: $XDG_CONFIG_HOME/turnpipe/settings.yaml:1:14: expected a number from 0
!
rm "$XDG_CONFIG_HOME/turnpipe/settings.yaml"
fails 64 'a config that is no pair' 'agentload -c x' <<!
agentload: expected KEY=VALUE, not 'x'
usage: agentload [-ltv] [-a agent] [-c key=value] [-F form] [-f file]
       agentload -g key | -G key | -k [-a agent] [-f file]
!
fails 74 'a full disk' 'agentload </dev/null >/dev/full' <<!
agentload: write <stdout>: No space left on device
!
