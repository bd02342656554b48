#!/bin/sh
# Files that users write are held to share/schemas: what ships fits, also where
# nothing of it was parsed at build time, and one wrong key is refused.
. "${0%/*}/../lib.sh"

export TURNPIPE_SHARE="$PWD/share" OPENAI_API_KEY=sk-test
cp -R "$TOP/share" share
chmod -R u+w share
find share -name '*.yaml' | while read -r f; do echo '#' >>"$f"; done
find share/tools -name '*.json' | while read -r f; do echo >>"$f"; done

llm() { echo '{"type":"request","messages":[]}' | llmcall -n -m "$1/x"; }
route() { echo '{"role":"user","content":"x"}' | toolpick --set toolpick.route=true >out; }

# ships KIND COMMAND: every file of it, where COMMAND has its name as $n, loads.
ships()
{
	for n in $(sharefind -l "$1" | sed 's|.*/||; s|\.yaml$||'); do
		eval "$2" 2>&1 >out | sed -n 's|.*share/||; /: expected/p'
	done
}
# wrong FILE COMMAND PLACE WHY <text: FILE, new or not, is refused.
wrong()
{
	rm -f keep
	[ ! -f "share/$1" ] || cp "share/$1" keep
	cat >"share/$1"
	n=${1##*/} n=${n%.yaml}
	fails 78 "$1: what is wrong is refused at its place" "$2" <<!
$3: $PWD/share/$1:$4
!
	rm "share/$1"
	[ ! -f keep ] || mv keep "share/$1"
}

check 'the shipped rules, routes, reminders and markers fit' 'toolrules </dev/null
    envinfo -s project </dev/null
    route
    reminders </dev/null' </dev/null
wrong rules/99-x.yaml 'toolrules </dev/null' toolrules \
    '1:1: expected when, say, profiles or first_turn, found "sey"' <<!
sey: x
!
wrong routes/99-x.yaml 'route' toolpick \
    '2:1: expected words or tools, found "tool"' <<!
words: x
tool: y
!
wrong reminders/99-x.yaml 'reminders </dev/null' reminders \
    '1:1: expected when, say, group, profiles or section, found "saying"' <<!
saying: x
!
wrong markers.yaml 'envinfo -s project </dev/null' envinfo \
    '1:28: expected for or run, found "runs"' <<!
toolchain: {cc: {for: [C], runs: [cc]}}
!
check 'the shipped providers fit' 'ships providers "llm \$n"' </dev/null
wrong providers/x.yaml 'llm $n' llmcall \
    '2:1: expected a key of turnpipe-providers(5), found "kyy_env"' <<!
base_url: http://127.0.0.1:9/v1
kyy_env: [X_API_KEY]
!
wrong providers/x.yaml 'llm $n' llmcall \
    '3:13: expected drop, refuse, roles, null_content, flat_text, merge_same_role, user_after_result, keep_reasoning, id_max, id_exact, id_plain or error_prefix, found "id_mx"' <<!
base_url: http://127.0.0.1:9/v1
custom:
 messages: {id_mx: 40}
!
wrong providers/x.yaml 'llm $n' llmcall \
    '2:13: expected native, strict, inside, object or prompt, found "natve"' <<!
base_url: http://127.0.0.1:9/v1
schema: {a: natve}
!
wrong providers/x.yaml 'llm $n' llmcall \
    '1:1: expected a member "base_url"' <<!
api: chat
!
check 'the shipped prices and models fit' 'ships prices "llm \$n"' </dev/null
wrong prices/openai.yaml 'llm $n' llmcall \
    '1:23: expected match, up_to, input, cached, cache_write, cache_write_1h, audio_input, output or audio_output, found "inptu"' <<!
prices: [{match: "*", inptu: 1, output: 2}]
!
wrong models.yaml 'llm anthropic' llmcall \
    '1:23: expected match, context_window or max_output, found "context"' <<!
models: [{match: "*", context: 1000}]
!
check 'the shipped layouts fit' 'ships layouts "promptcompose -l \$n </dev/null"' </dev/null
wrong layouts/x.yaml 'promptcompose -l $n </dev/null' promptcompose \
    '1:12: expected a key of a section, turnpipe-layout(5), found "headnig"' <<!
trailing: {headnig: x}
!
wrong layouts/x.yaml 'promptcompose -l $n </dev/null' promptcompose \
    '1:12: expected no such member, found "id"' <<!
trailing: {id: x}
!
check 'the shipped tools fit' 'toollist </dev/null 2>&1 >out' </dev/null
check 'what an agent may say itself is no field for its provider' \
    'jq -c ".properties|.provider.properties as \$no|[to_entries[]|select(\$no[.key]==null and (.value|objects|.[\"\$ref\"])!=\"#/\$defs/unused\").key]|sort" share/schemas/agent.json' <<!
["agentId","allowedTools","can_delegate_to_agents","can_see_agents","costControls","deniedTools","disable","disallowedTools","effort","enabled","hidden","isolation","llmProvider","maxSteps","maxTurns","mcpServers","mode","permission","permissionMode","requirements","steps","systemPrompt","visible_from_agents"]
!
cat >ls.in <<!
{"type":"tool","name":"shell","description":"x","parameters":{"type":"object","properties":{"command":{"type":"string"}}},"run":{"exec":"/bin/echo"}}
{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"shell","arguments":"{\"command\":\"ls\"}"}}]}
!
shell() { toolrun -r --set 'toolrun.allow=[shell(ls *)]' <ls.in; }
check 'the shipped lists of programs and results fit' 'shell | jq -c .tp.denied' <<!
null
!
check 'the shipped faults and groups fit' 'sharefind -s 75
    echo "when: \"@shell\"
say: x" >share/rules/99-x.yaml; toolrules </dev/null; rm share/rules/99-x.yaml' <<!
later
!
wrong faults.yaml 'sharefind -s 75' sharefind \
    '2:1: expected a key of turnpipe-providers(5): faults.yaml, found "deneid"' <<!
classes: {later: [75]}
deneid: [x]
!
wrong results.yaml 'shell' toolrun '1:10: expected a string, found array' <<!
unknown: [x]
!
wrong shell/x.yaml 'shell' toolrun \
    '2:1: expected programs, found "run"' <<!
programs: [{names: [x]}]
run: [-e]
!
