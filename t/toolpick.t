#!/bin/sh
. "${0%/*}/lib.sh"

export TURNPIPE_SHARE="$PWD/share"
mkdir -p share/routes

# Tool records of these names; "name=0.5" gives one a score.
tools()
{
	for t; do
		printf '{"type":"tool","name":"%s"' "${t%%=*}"
		case $t in *=*) printf ',"score":%s' "${t#*=}" ;; esac
		echo '}'
	done
}
# The names that are left, on one line.
names()
{
	jq -r 'select(.type == "tool").name' | paste -s -d ' ' -
}
said()
{
	jq -nc --arg s "$1" '{role: "user", content: $s}'
}

check 'nothing in, nothing out' toolpick </dev/null
printf '{ "type" :"tool","name":"b","x":1.0}\r\n{"type":"function","function":{"name":"a"}}\n{"type":"end"}\n' >in
check 'tools pass byte for byte, in their order' 'toolpick <in' <in
check 'they wait for the end, other records do not' \
    '{ tools a; said hi; echo "{\"type\":\"end\"}"; } | toolpick' <<!
{"role":"user","content":"hi"}
{"type":"tool","name":"a"}
{"type":"end"}
!
check 'each conversation by itself' \
    '{ tools a; echo "{\"type\":\"config\",\"tools\":[]}"; echo "{\"type\":\"end\"}"; tools b; echo "{\"type\":\"end\"}"; } |
    toolpick | jq -r "[.type,.name]|join(\" \")"' <<!
config 
end 
tool b
end 
!
{ tools a b; echo '{"type":"tool","name":"a","description":"other"}'; } | toolpick >out 2>err
check 'a name that is there twice' 'cat out err' <<!
{"type":"tool","name":"a"}
{"type":"tool","name":"b"}
toolpick: tool a is there twice: the first one stays
!

# Allow and deny: designs.md 4.7.
# allows WANT 'tool ...' [option]...
allows()
{
	want=$1 set=$2
	shift 2
	check "of '$set' $*: $want" \
	    "tools $set | toolpick $* | names | sed 's/^\$/-/'" <<!
$want
!
}
allows telegram_send telegram_send
allows telegram_send telegram_send -a "'telegram_*'"
allows - gmail_x -a "'telegram_*'"
allows - gmail_x -x "'gmail_*'"
allows 'telegram_send' 'telegram_send telegram_delete' -a "'telegram_*'" -x telegram_delete
allows web_search web_search -a "'*_search'"
allows web_search web_search -a "'*'"
allows - store_facts -a store_fact
allows send_message 'send_message send_email web_search store_fact gmail_send telegram_x' \
    -a "'send_*'" -x send_email
allows - 'a b' -x "'*'"
allows - 'a b' -x "'*'" -a "'*'"
allows - abc -a "'a.c'" -a "'a?c'" -a "'[a]*'"
allows 'a b' 'a b c' -a a -a b

# config WANT JSON: of a, b_1, b_2 with this configuration.
config()
{
	check "config $2" "{ tools a b_1 b_2; echo '{\"type\":\"config\",$2}'; } | toolpick | names" <<!
$1
!
}
config 'a b_1 b_2' '"model":"m"'
config 'a b_1 b_2' '"tools":null'
config '' '"tools":[]'
config 'b_1 b_2' '"tools":["b_*"]'
config 'a b_1' '"tools":"b_1, a"'
config 'a' '"tools_deny":["b_*"]'
config 'b_2' '"tools":["b_*"],"tools_deny":["b_1"]'
check 'a later one counts, but not against the user' \
    "{ tools a b c; echo '{\"type\":\"config\",\"tools\":[\"a\"],\"by\":\"user\"}'; echo '{\"type\":\"config\",\"tools\":[\"b\"],\"tools_deny\":[]}'; } | toolpick | names" <<!
a
!
check 'whoever allows, all must' \
    "{ tools a b c; echo '{\"type\":\"config\",\"tools\":[\"a\",\"b\"]}'; } | toolpick -a b -a c | names" <<!
b
!
fails 65 'a list that is none' \
    "{ tools a; echo '{\"type\":\"config\",\"tools\":7}'; } | toolpick >out" <<!
toolpick: config: tools: expected tool names
!
printf 'toolpick: {allow: ["a*", b], deny: [ab]}\n' >share/settings.yaml
check 'settings' 'tools a ab b c | toolpick | names' <<!
a b
!
printf 'toolpick: {enabled: false, deny: [a]}\n' >share/settings.yaml
check 'switched off' 'tools a | toolpick -x a -r b' <<!
{"type":"tool","name":"a"}
!
rm share/settings.yaml
tools a b c | toolpick -v -x 'b*' -a b -a a >out 2>err
check '-v says why' 'cat err' <<!
toolpick: b left out: denied by b*
toolpick: c left out: not allowed
!

# Required ones.
check '-r: must be called' 'tools a b | toolpick -r b' <<!
{"type":"tool","name":"a"}
{"type":"tool","name":"b","required":true}
!
check '-r: whatever the record said' \
    'printf "%s\n" "{\"type\":\"tool\",\"required\":false,\"name\":\"b\"}" "{\"type\":\"tool\",\"name\":\"c\",\"required\" : true } " |
    toolpick -r "*"' <<!
{"type":"tool","required":true,"name":"b"}
{"type":"tool","name":"c","required" : true } 
!
check 'what the configuration requires is required, what any record denies is not there' \
    '{ tools a b c d; echo "{\"type\":\"config\",\"by\":\"user\",\"tools\":[\"a\",\"b\",\"d\"],\"required_tools\":[\"b\"],\"tools_deny\":[\"d\"]}"
    echo "{\"type\":\"config\",\"tools\":[\"c\"],\"required_tools\":[\"c\"],\"tools_deny\":[\"a\"]}"; } | toolpick | jq -c "select(.type==\"tool\")|[.name,.required]"' <<!
["b",true]
!
fails 78 'a required tool that is not there' \
    '{ tools a; echo "{\"type\":\"config\",\"required_tools\":[\"b\"]}"; } | toolpick >/dev/null' <<!
toolpick: required tool b is not there or not allowed
!
playbook='{"type":"skill","name":"email","matched":true,"required_tools":["c","nix"]}'
{ tools a b c d; echo "$playbook"; } | toolpick -n 2 >out 2>err
check 'what a playbook needs comes in over the cap, unmarked; what is not there is told' \
    'cat out err' <<!
$playbook
{"type":"tool","name":"a"}
{"type":"tool","name":"b"}
{"type":"tool","name":"c"}
toolpick: playbook email requires tool nix, which is not there
!
{ tools a c; echo "$playbook" | sed 's/,"nix"//'; } | toolpick -x c -r c >out 2>err
check 'but never what is denied' 'names <out; cat err' <<!
a
toolpick: playbook email requires tool c, which is not allowed
toolpick: -r requires tool c, which is not allowed
!
check 'a skill that did not match needs nothing' \
    "{ tools a; echo '$playbook' | sed s/true/false/; } | toolpick | names" <<!
a
!

# Cap and scores: designs.md 4.6.
many=$(awk 'BEGIN { for (i = 1; i <= 30; i++) printf "t%02d=0.%02d ", i, 30 + i }')
printf 'toolpick: {core: ["core_*"]}\n' >share/settings.yaml
check 'core stays at any score, of the rest the best' \
    "tools core_1=0.01 core_2=0.01 core_3 core_4 core_5 $many | toolpick -n 25 | names" <<!
core_1 core_2 core_3 core_4 core_5 t11 t12 t13 t14 t15 t16 t17 t18 t19 t20 t21 t22 t23 t24 t25 t26 t27 t28 t29 t30
!
check 'a cap below the core' "tools a core_1 core_2 | toolpick -n 1 | names" <<!
core_1 core_2
!
check 'equal ones by name' 'tools c b a | toolpick -n 2 | names' <<!
b a
!
check 'what was called lately before what was not' \
    "{ tools a b z; said one; echo '{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":\"z\",\"arguments\":\"{}\"}}]}'; said two; } |
    toolpick -n 1 | names" <<!
z
!
check 'no cap by default' 'tools a b c | toolpick -n 0 | names' <<!
a b c
!
printf 'toolpick: {max: 1}\n' >share/settings.yaml
check 'a cap of the settings' 'tools a b | toolpick | names; tools a b | toolpick -n 2 | names' <<!
a
a b
!
printf 'toolpick: {temperature_max: 0.3}\n' >share/settings.yaml
check 'a sure choice lowers the temperature' \
    'tools a=0.61 | toolpick; tools a=0.6 | toolpick | jq -r .type
    { echo "{\"type\":\"config\",\"temperature_max\":0.2}"; tools a=0.9; } | toolpick | jq -r .type' <<!
{"type":"tool","name":"a","score":0.61}
{"type":"config","temperature_max":0.3}
tool
config
tool
!
rm share/settings.yaml

# Routes: designs.md 4.6.
all='store_fact search_memories web_search web_fetch gmail_send calendar_list filer_read telegram_send browser_open status_get nothing_else'
cat >share/settings.yaml <<!
toolpick:
  route: true
  core: [status_get]
  default: ["*search*", store_fact]
!
cat >share/routes/10-email.yaml <<!
words: [email, inbox, remember]
tools: ["gmail_*"]
!
cat >share/routes/20-calendar.yaml <<!
words: [calendar, meeting]
tools: ["calendar_*"]
!
cat >share/routes/30-file.yaml <<!
words: [file, save this]
tools: ["filer_*", no_such_tool]
!
cat >share/routes/40-memory.yaml <<!
words: remember
tools: [store_fact, search_memories]
!
cat >share/routes/50-status.yaml <<!
words: [status]
!
# routed WANT MESSAGE
routed()
{
	check "'$2'" "{ tools $all; said \"$2\"; } | toolpick | names" <<!
$1
!
}
routed 'store_fact search_memories web_search status_get' 'hello there'
routed 'gmail_send status_get' 'check my email'
routed 'gmail_send status_get' 'CHECK MY INBOX'
routed 'calendar_list status_get' 'when is my next meeting?'
routed 'filer_read status_get' 'save this to a file'
routed 'store_fact search_memories gmail_send status_get' 'remember me?'
routed 'store_fact search_memories web_search status_get' ''
routed 'store_fact search_memories web_search status_get' 'my profile photo'
routed 'status_get' 'your status'
check 'no tools at all' 'said "check my email" | toolpick | names' <<!

!
check 'the last message of the user counts, also in parts' \
    "{ tools $all; said 'a meeting'; echo '{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"an email\"},{\"type\":\"image_url\"}]}'; echo '{\"role\":\"assistant\",\"content\":\"file\"}'; } | toolpick | names" <<!
gmail_send status_get
!
call='{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"browser_open","arguments":"{}"}}]}'
check 'what the last three turns called stays' \
    "for n in 1 2 3; do { tools $all; said go; echo '$call'; for i in 1 2 3; do [ \$i -gt \$n ] || said 'my email'; done; } | toolpick | names; done" <<!
gmail_send browser_open status_get
gmail_send browser_open status_get
gmail_send status_get
!
check 'required ones come in behind the route' \
    "{ tools $all; said 'my email'; } | toolpick -r web_fetch | names" <<!
web_fetch gmail_send status_get
!
check 'what is denied no route brings' "{ tools $all; said 'my email'; } | toolpick -x 'gmail_*' | names" <<!
status_get
!
echo 'words: {a: b}' >share/routes/99-bad.yaml
fails 78 'a route that is none' 'said x | toolpick >out' <<!
toolpick: $PWD/share/routes/99-bad.yaml:1:8: expected a list of words
!
rm -r share

check 'the shipped routes lead to shipped tools' \
    'echo "toolpick: {route: true, default: []}" >settings.yaml
    export TURNPIPE_SHARE="$TOP/share" TURNPIPE_PATH="$PWD"; l=$(cd "$TOP/share/tools"; for f in *.json; do echo "${f%.json}"; done)
    for w in "fix this bug" "remember that" "a plan"; do { tools $l; said "$w"; } | toolpick | names; done' <<!
edit_file glob grep ls read_file shell write_file
search_memories store_fact
todo_add todo_list todo_remove todo_update
!
fails 64 'a cap that is none' 'toolpick -n few' <<!
toolpick: -n: expected a whole number from 0 to 100000, got 'few'
!
fails 64 'an operand' 'toolpick x' <<!
toolpick: expected no operand, got 'x'
usage: toolpick [-v] [-a glob] ... [-n count] [-r name] ...
                [-x glob] ...
!
fails 65 'a tool without a name' 'echo "{\"type\":\"tool\",\"name\":\"\"}" | toolpick' <<!
toolpick: <stdin>:1:23: expected a tool with a name
!
fails 65 'a broken line' 'printf "{}\n" | toolpick' <<!
toolpick: <stdin>:1:1: expected a type or a role
!
fails 74 'a full disk is not success' 'tools a | toolpick >/dev/full' <<!
toolpick: write <stdout>: No space left on device
!
