#!/bin/sh
. "${0%/*}/../lib.sh"

export TURNPIPE_SHARE="$PWD/share"
U=$XDG_CONFIG_HOME/turnpipe/settings.yaml
mkdir -p share/routes "${U%/*}"

# Tool records of these names; "name=0.5" gives one a score.
# must GLOB: what an agent's definition requires, in front of the stream.
must() { printf '{"type":"config","required_tools":["%s"]}\n' "$1"; cat; }
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
allows telegram_send telegram_send --set "'toolpick.allow=telegram_*'"
allows - gmail_x --set "'toolpick.allow=telegram_*'"
allows - gmail_x -x "'gmail_*'"
allows 'telegram_send' 'telegram_send telegram_delete' -x telegram_delete --set "'toolpick.allow=telegram_*'"
allows web_search web_search --set "'toolpick.allow=*_search'"
allows web_search web_search --set "'toolpick.allow=*'"
allows - store_facts --set "'toolpick.allow=store_fact'"
allows send_message 'send_message send_email web_search store_fact gmail_send telegram_x' \
    -x send_email --set "'toolpick.allow=send_*'"
allows - 'a b' -x "'*'"
allows - 'a b' -x "'*'" --set "'toolpick.allow=*'"
allows - abc --set "'toolpick.allow=a.c,a?,[b]*'"
allows 'b_1 b_2' 'b_1 b_2 b_x abc' -x "'b_[!0-9]'" --set "'toolpick.allow=b_?'"
allows 'a b' 'a b c' --set "'toolpick.allow=a,b'"

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
    "{ tools a b c; echo '{\"type\":\"config\",\"tools\":[\"a\",\"b\"]}'; } | toolpick --set toolpick.allow=b,c | names" <<!
b
!
fails 65 'not a list' \
    "{ tools a; echo '{\"type\":\"config\",\"tools\":7}'; } | toolpick >out" <<!
toolpick: config: tools: expected tool names
!
printf 'toolpick: {allow: ["a*", b], deny: [ab]}\n' >"$U"
check 'settings' 'tools a ab b c | toolpick | names' <<!
a b
!
printf 'toolpick: {enabled: false, deny: [a]}\n' >"$U"
check 'switched off' 'tools a | must b | toolpick -x a | names' <<!
a
!
rm "$U"
tools a b c | toolpick --set toolpick.verbose=true -x 'b*' --set toolpick.allow=b,a >out 2>err
check 'verbose says why' 'cat err' <<!
toolpick: a in: nothing leaves it out, score 0.00
toolpick: b out: denied by b*, score 0.00
toolpick: c out: not allowed, score 0.00
!

# Required ones.
check 'must be called' 'tools a b | must b | toolpick | jq -c "select(.name)"' <<!
{"type":"tool","name":"a"}
{"type":"tool","name":"b","required":true}
!
check 'whatever the record said' \
    'printf "%s\n" "{\"type\":\"tool\",\"required\":false,\"name\":\"b\"}" "{\"type\":\"tool\",\"name\":\"c\",\"required\" : true } " |
    must "*" | toolpick | sed 1d' <<!
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
{ tools a b c d; echo "$playbook"; } | toolpick --set toolpick.max=2 >out 2>err
check 'what a playbook needs comes in over the cap, unmarked; what is not there is reported' \
    'cat out err' <<!
$playbook
{"type":"tool","name":"a"}
{"type":"tool","name":"b"}
{"type":"tool","name":"c"}
toolpick: playbook email requires tool nix, which is not there
!
{ tools a c; echo "$playbook" | sed 's/,"nix"//'; } | toolpick -x c >out 2>err
check 'but never what is denied' 'names <out; cat err' <<!
a
toolpick: playbook email requires tool c, which is not allowed
!
check 'what a loaded skill needs comes in over the cap, and nothing is said of the rest' '
    { echo "{\"type\":\"state\",\"skills_loaded\":[\"email\"]}"; tools a b c d; echo "$playbook" | sed s/true/false/; } | toolpick --set toolpick.max=2 | names' <<!
a b c
!
check 'a skill that did not match needs nothing' \
    "{ tools a; echo '$playbook' | sed s/true/false/; } | toolpick | names" <<!
a
!

# Cap and scores: designs.md 4.6.
many=$(awk 'BEGIN { for (i = 1; i <= 30; i++) printf "t%02d=0.%02d ", i, 30 + i }')
printf 'toolpick: {core: ["core_*"]}\n' >"$U"
check 'core stays at any score, of the rest the best' \
    "tools core_1=0.01 core_2=0.01 core_3 core_4 core_5 $many | toolpick --set toolpick.max=25 | names" <<!
core_1 core_2 core_3 core_4 core_5 t11 t12 t13 t14 t15 t16 t17 t18 t19 t20 t21 t22 t23 t24 t25 t26 t27 t28 t29 t30
!
check 'a cap below the core' "tools a core_1 core_2 | toolpick --set toolpick.max=1 | names" <<!
core_1 core_2
!
check 'equal ones by name' 'tools c b a | toolpick --set toolpick.max=2 | names' <<!
b a
!
check 'what was called lately before what was not' \
    "{ tools a b z; said one; echo '{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":\"z\",\"arguments\":\"{}\"}}]}'; said two; } |
    toolpick --set toolpick.max=1 | names" <<!
z
!
check 'a call whose key has an escape was not seen' \
    "{ tools a b z; said one; echo '{\"role\":\"assistant\",\"tool\\u005fcalls\":[{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":\"z\",\"arguments\":\"{}\"}}]}'; said two; } |
    toolpick --set toolpick.max=1 | names" <<!
z
!
check 'no cap by default' 'tools a b c | toolpick --set toolpick.max=0 | names' <<!
a b c
!
printf 'toolpick: {max: 1}\n' >"$U"
check 'a cap of the settings' 'tools a b | toolpick | names; tools a b | toolpick --set toolpick.max=2 | names' <<!
a
a b
!
printf 'toolpick: {temperature_max: 0.3}\n' >"$U"
check 'a sure choice lowers the temperature' \
    'tools a=0.61 | toolpick; tools a=0.6 | toolpick | jq -r .type
    { echo "{\"type\":\"config\",\"temperature_max\":0.2}"; tools a=0.9; } | toolpick | jq -r .type' <<!
{"type":"tool","name":"a","score":0.61}
{"type":"config","temperature_max":0.3}
tool
config
tool
!
rm "$U"

# Routes: designs.md 4.6.
all='store_fact search_memories web_search web_fetch gmail_send calendar_list filer_read telegram_send browser_open status_get nothing_else'
cat >"$U" <<!
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
cat >share/routes/60-photo.yaml <<!
words: [photo, photos]
tools: [web_search, telegram_send]
!
cat >share/routes/70-web.yaml <<!
words: [https, http, www, go to]
tools: ["browser_*", "web_*"]
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
routed 'store_fact search_memories web_search status_get' 'my profile'
routed 'web_search telegram_send status_get' 'show me a photo of a cat'
routed 'web_search web_fetch browser_open status_get' 'go to https://example.com'
routed 'web_search web_fetch browser_open status_get' 'www.example.com'
check 'a route and a score for the same tool: once; a name that no tool has: none' \
    "{ tools gmail_send filer_read; said 'my email and gmail, save this'; } | toolpick --set toolpick.best=9 | names; { tools a; said 'save this'; } | toolpick | names" <<!
gmail_send filer_read

!
routed 'status_get' 'your status'
served() { printf '{"type":"tool","name":"%s_%s","run":{"mcp":"%s","tool":"x"}}\n' "$1" "$2" "$1"; }
check 'a server is a group that its name leads to, or the words of a file; not without it' '
    { served my_crm a; served my_crm b; served gmail send; said "ask my CRM"; echo "{\"type\":\"end\"}"; tools store_fact; said "ask my CRM"; } | toolpick | names
    { served gmail send; said "email"; } | toolpick | names; { served gmail send; tools store_fact; said gmail; } | toolpick | names' <<!
my_crm_a my_crm_b store_fact
gmail_send
store_fact
!
check 'no tools at all' 'said "check my email" | toolpick | names' <<!

!
check 'a tool is found by another form of a word, at the end of a long message' '
    { echo "{\"type\":\"tool\",\"name\":\"send\",\"description\":\"Sends emails.\"}"; tools a b
      printf "{\"role\":\"user\",\"content\":\"%s write an email\"}\n" "$(seq -f "w%gx" 9000 | tr "\n" " ")"; } |
    toolpick --set toolpick.best=1 | names' <<!
send
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
check 'required ones come in after the route' \
    "{ tools $all; said 'my email'; } | must web_fetch | toolpick | names" <<!
web_fetch gmail_send status_get
!
check 'what is denied no route brings' "{ tools $all; said 'my email'; } | toolpick -x 'gmail_*' | names" <<!
status_get
!
echo 'words: {a: b}' >share/routes/99-bad.yaml
fails 78 'not a route' 'said x | toolpick >out' <<!
toolpick: $PWD/share/routes/99-bad.yaml:1:8: expected a string or an array, found object
!
rm share/routes/99-bad.yaml "$U"
check 'what is offered when asked for: from the message that leads to it on, whatever comes later' \
    "w() { l=\$1; shift; toolpick -w --set \"toolpick.when_asked=[\$l]\" \"\$@\"; }
    { tools $all; said hello; } | w '\"gmail_*\",store_fact,web_fetch' | names
    { tools $all; said 'my email'; said 'and hello'; echo '{\"role\":\"assistant\",\"content\":\"a meeting\"}'; } | w '\"gmail_*\",\"calendar_*\",web_fetch' | names
    { tools $all; said hello; echo '$call' | sed s/browser_open/web_fetch/; } | w '\"w*\",store_fact' -c store_fact | names
    { tools $all; said hello; } | must web_fetch | w '\"*\"' --set toolpick.score=0.01 | names
    { tools gmail_send store_fact; said 'my email'; echo '{\"type\":\"end\"}'; tools gmail_send store_fact; said hello; } | w '\"*\"' --set toolpick.verbose=true 2>&1 >/dev/null" <<!
search_memories web_search calendar_list filer_read telegram_send browser_open status_get nothing_else
store_fact search_memories web_search gmail_send filer_read telegram_send browser_open status_get nothing_else
store_fact search_memories web_fetch gmail_send calendar_list filer_read telegram_send browser_open status_get nothing_else
web_fetch
toolpick: gmail_send in: asked for: route 10-email, score 0.00
toolpick: store_fact out: the user did not ask for it, score 0.00
toolpick: gmail_send out: the user did not ask for it, score 0.00
toolpick: store_fact out: the user did not ask for it, score 0.00
!
rm -r share

check 'the shipped routes lead to shipped tools' \
    'echo "toolpick: {route: true, default: []}" >settings.yaml
    export TURNPIPE_SHARE="$TOP/share" TURNPIPE_PATH="$PWD"; l=$(cd "$TOP/share/tools"; for f in *.json; do echo "${f%.json}"; done)
    for w in "fix this bug" "remember that" "a plan" "my skills" "the conventions"; do { tools $l; said "$w"; } | toolpick | names; done' <<!
apply_patch edit_file glob grep ls read_file shell write_file
search_memories store_fact
plan todo_add todo_clear todo_list todo_remove todo_update
skill_delete skill_store skill_update
project_note
!
# What a message says and which of those that the profile default holds back it
# wants; "-" for none.
cat >wants <<!
skill_store|Save that procedure as a skill
skill_update|The release skill is out of date: add the signing step
skill_delete|Throw the skill knit away
project_note|Write into AGENTS.md that tests run with make check
project_note|We have a new convention: tabs
plan|Make a plan for the move to PostgreSQL first
todo_clear|Clear the todos
todo_list|Which tasks are still open?
search_memories|Look into your memory: which editor do I use?
search_memories|Do you remember the name of the server?
-|Why does make fail?
-|Rename parse() to read() everywhere
-|What is the time in Tokyo
-|Thanks, commit it
!
check 'what the profile default holds back comes when the user speaks of it' \
    'export TURNPIPE_SHARE="$TOP/share" TURNPIPE_PATH=
    while IFS="|" read -r want said; do
	{ tools read_file skill_store skill_update skill_delete project_note plan todo_clear todo_list search_memories; said "$said"; } |
	    toolpick -w | names | tr " " "\n" >out
	if [ "$want" = - ]; then grep -v read_file out || :; else grep -qx "$want" out || echo "$said: no $want"; fi
    done <wants' </dev/null
# Scores of our own: BM25 of the message.
# 40 tools that differ in a number alone, and one for the web.
forty()
{
	seq 1 39 | sed 's/.*/{"type":"tool","name":"tool_&","description":"A misc thing &."}/'
	echo '{"type":"tool","name":"webSearch","description":"Look things up.","parameters":{"type":"object","properties":{"search_words":{"type":"string"}}}}'
}
check 'the cap keeps what the message names, not the first by name' \
    '{ said "I want tool_33, misc thing 33, and web search"; forty; } | toolpick --set toolpick.max=3 | names' <<!
tool_1 tool_33 webSearch
!
check 'a name is found by its parts, a tool by its parameters' \
    '{ said "web"; forty; } | toolpick --set toolpick.best=1 | names
    { said "words"; forty; } | toolpick --set toolpick.best=1 | names
    { said "33"; forty; } | toolpick --set toolpick.score=0.9 | names' <<!
webSearch
webSearch
tool_33
!
check 'a score that a record brings stays' \
    '{ said "33"; forty; tools x=0.99; } | toolpick --set toolpick.max=2 | names
    { said "33"; forty; tools tool_40=0; } | toolpick --set toolpick.best=2 | names' <<!
tool_33 x
tool_33
!
check 'the best, those from a score on, and how many of these' \
    'tools a=0.9 b=0.8 c=0.5 d=0.2 e=0.1 f=0 >in
    toolpick --set toolpick.best=1 <in | names; toolpick --set toolpick.score=0.5 <in | names
    toolpick --set toolpick.best=4 --set toolpick.score=0.5 <in | names; toolpick --set toolpick.best=4 --set toolpick.top=2 <in | names
    toolpick --set toolpick.score=0.1 --set toolpick.max=2 <in | names; toolpick --set toolpick.best=9 <in | names' <<!
a
a b c
a b c d
a b
a b
a b c d e
!
check 'the core comes beside them, and does not count' \
    'toolpick --set toolpick.best=1 -c e -c a <in | names' <<!
a b e
!
check 'where nothing scores, what is common' \
    '{ said hello; tools a b; } | toolpick --set toolpick.best=1 | names
    echo "toolpick: {default: [b]}" >"$U"
    { said hello; tools a b; } | toolpick --set toolpick.best=1 | names; rm "$U"' <<!
a b
b
!
call()
{
	jq -nc --arg s "$1" '{role:"assistant",tool_calls:[{id:"1",type:"function",function:{name:$s,arguments:"{}"}}]}'
}
check 'names that the last turns called score, too' \
    '{ said go; call x_mail; said "and now?"; tools x_mail y_mail z; } | toolpick --set toolpick.best=2 | names' <<!
x_mail y_mail
!
check 'of the last turns the last eight tools stay' \
    '{ said go; for i in 0 1 2 3 4 5 6 7 8 9; do call t$i; done; said "x y"; tools q=1 t0 t1 t2 t3 t4 t5 t6 t7 t8 t9 x; } |
    toolpick --set toolpick.score=1 | names' <<!
q t2 t3 t4 t5 t6 t7 t8 t9
!
check 'routes and scores are united' \
    'mkdir -p share/routes; printf "words: [mail]\ntools: [gmail]\n" >share/routes/1-mail.yaml
    { said "any mail from the bank"; tools gmail bank other; } | toolpick --set toolpick.route=true --set toolpick.best=1 | names
    { said "any mail from the bank"; tools gmail bank other; } | toolpick --set toolpick.verbose=true --set toolpick.route=true --set toolpick.best=1 2>&1 >/dev/null; rm -r share' <<!
gmail bank
toolpick: gmail in: route 1-mail, score 0.00
toolpick: bank in: among the best, score 1.00
toolpick: other out: neither route nor score, score 0.00
!
check 'verbose says by which rule each is in or out' \
    'tools a=0.9 b=0.8 c=0.7 d e f=0.1 >in; echo "$playbook" | sed "s/\"nix\"/\"e\"/; s/\"c\",//" >>in
    { said x; call d; said y; cat in; } | must c | toolpick --set toolpick.verbose=true -c f --set toolpick.score=0.75 --set toolpick.max=3 2>&1 >/dev/null' <<!
toolpick: a in: scores enough, score 0.90
toolpick: b in: scores enough, score 0.80
toolpick: c in: required_tools, score 0.70
toolpick: d out: over the cap, score 0.00
toolpick: e in: playbook email, score 0.00
toolpick: f in: core: f, score 0.10
!

export TURNPIPE_PATH="$TOP/share"
# 40 messages that were labelled before there was a scorer, 144 tools of the
# Annabelle document's kind.
jq -Rrc 'split("\t")|{type:"tool",name:.[0],description:.[1],parameters:{type:"object",
    properties:((.[2]//"")|split(" ")|map(select(.!="")|{key:.,value:{type:"string"}})|from_entries)}}' \
    "$DATA/tools-144.tsv" >144
jq -Rrc --rawfile tools 144 'split("\t")|{role:"user",content:.[1]}, {type:"end",id:.[0]} |
    if .type then "\($tools)\(tojson)" else tojson end' "$DATA/tools-messages.tsv" >40
toolpick --set toolpick.best=5 --set toolpick.score=0.3 --set toolpick.top=15 --set toolpick.max=25 -c send_telegram -c store_fact -c search_memories \
    -c get_status -c spawn_subagent <40 >picked
check '40 messages, 144 tools: in 38 the tool wanted is on offer, of 12 at most' \
    'jq -nr "reduce (inputs|select(.type)) as \$r ({n: 0, all: 0, ok: 0, l: []};
	if \$r.type == \"end\" then .n += 1 | .all += (.l|length) |
	    .ok += (if .l|index(\$r.id) then 1 else 0 end) | .l = []
	else .l += [\$r.name] end) | .n, .ok >= 38, .all / .n <= 12" picked' <<!
40
true
true
!

# More than fits.
# offered [OPTION]...: of six tools of about 30 tokens what is on offer in a
# window of 400, a quarter of which schemas may take.
offered()
{
	{
		echo '{"type":"config","context_window":400}'
		cat talk
		for i in aaaa bbbb cccc dddd eeee ffff; do
			printf '{"type":"tool","name":"%s","description":"Does %s. And more.","parameters":{"type":"object","properties":{"x":{"type":"string","description":"One argument of many."}},"required":["x"]},"run":{"exec":"/%s"}}\n' $i $i $i
		done
		echo '{"type":"end"}'
	} | toolpick "$@"
}
said 'bbbb eeee' >talk
check 'what fits best stays, the rest is named, and load_tools offers it' \
    'offered | tee out | names; jq -c "select(.name==\"load_tools\").run" out
    jq -r "select(.id==\"tools-more\").content" out' <<!
bbbb eeee load_tools
{"load":["aaaa","cccc","dddd","ffff"]}
These tools are not loaded. To use one, first call \`load_tools\` with its name; it can be called from your next response on.

- \`aaaa\`: Does aaaa.
- \`cccc\`: Does cccc.
- \`dddd\`: Does dddd.
- \`ffff\`: Does ffff.
!
check 'the core and what was called stay, however many there are' \
    '{ said x; call cccc; said "bbbb eeee"; } >talk; offered -c aaaa -c dddd -c ffff | names' <<!
aaaa cccc dddd ffff load_tools
!
check 'what a result of load_tools named is on offer to the end of the turn' \
    '{ said "bbbb eeee"; call load_tools; echo "{\"role\":\"tool\",\"tool_call_id\":\"1\",\"content\":\"x\",\"tp\":{\"loaded\":[\"ffff\",\"nix\"]}}"; } >talk
    offered | names; said more >>talk; offered | names' <<!
bbbb ffff load_tools
aaaa bbbb load_tools
!
check 'what is denied cannot be loaded' \
    'sed 3q talk >t; mv t talk; offered -x ffff | tee out | names; grep -c ffff out' <<!
bbbb eeee load_tools
1
!
said 'bbbb eeee' >talk
check 'if everything fits neither is there' \
    'offered | jq -c "select(.type != \"config\")" >/dev/null; offered | sed "s/x/x/" >/dev/null
    offered -x "c*" -x "d*" -x "f*" -x aaaa | jq -r ".name // .id // empty"' <<!
bbbb
eeee
!
check 'switched off by share 0, or by an empty text' \
    'mkdir -p off/prompts; echo "toolpick: {share: 0}" >off/settings.yaml; TURNPIPE_PATH=$PWD/off:$TURNPIPE_PATH
    offered | names; rm off/settings.yaml; : >off/prompts/tools-more.md; offered | names; rm -r off' <<!
aaaa bbbb cccc dddd eeee ffff
aaaa bbbb cccc dddd eeee ffff
!
check 'of very many eighty are named' \
    '{ echo "{\"type\":\"config\",\"context_window\":400}"; for i in $(seq 200); do echo "{\"type\":\"tool\",\"name\":\"tool_$i\",\"description\":\"$(printf %0200d 0)\"}"; done; } |
    toolpick | jq -r "select(.id).content" | tail -n 2 | cut -c 1-120; unset TURNPIPE_PATH' <<!
- \`tool_171\`: $(printf %096d 0)...
- and 119 more that are not named here; \`load_tools\` says what comes close to a name
!

# Results are the smaller, the fuller the window is.
# level USED [OPTION]...
level()
{
	u=$1
	shift
	{
		printf '{"type":"config","context_window":1000}\n{"type":"state","context_tokens":%s}\n' "$u"
		printf '%s\n' '{"type":"tool","name":"a","run":{"exec":"/a"}}' \
		    '{"type":"tool","name":"b","run":{"exec":"/b","max":900,"timeout":3},"x":1}' \
		    '{"type":"tool","name":"c","run":{"max":90000,"exec":"/c"}}' \
		    '{"type":"tool","name":"d","run":{"mcp":"s"}}'
	} | toolpick "$@" | jq -c 'select(.type == "tool").run.max' | paste -s -d ' ' -
}
L='--set toolpick.result_levels=0=1000,70=750,85=500,95=200'
check 'run.max is lowered by the use of the window' \
    'for u in 0 699 700 849 850 950 3000; do level $u $L; done; level 990' <<!
4000 900 4000 null
4000 900 4000 null
3000 900 3000 null
3000 900 3000 null
2000 900 2000 null
800 800 800 null
800 800 800 null
null 900 90000 null
!
fails 78 'malformed levels' 'toolpick --set toolpick.result_levels=70' <<!
toolpick: result levels: expected PERCENT=TOKENS, 25 tokens at least, not '70'
!
fails 78 'not a score' 'toolpick --set toolpick.score=2' <<!
toolpick: --set toolpick.score: expected a number from 0 to 1
!
check 'a tool of another command is never offered' \
    'export TURNPIPE_PATH="$TOP/share"; tools _internal health healthy a_b | toolpick | names; unset TURNPIPE_PATH' <<!
healthy a_b
!
check 'what is never offered goes by the name that a server gave its tool' '
    export TURNPIPE_PATH="$TOP/share"
    printf "{\"type\":\"tool\",\"name\":\"%s_%s\",\"run\":{\"mcp\":\"%s\",\"tool\":\"%s\"}}\n" \
	_x go _x go a _x a _x a health a health health go health go | toolpick | names; unset TURNPIPE_PATH' <<!
_x_go health_go
!
fails 78 'not a cap' 'toolpick --set toolpick.max=few' <<!
toolpick: --set toolpick.max: expected a number
!
fails 64 'an operand' 'toolpick x' <<!
toolpick: expected no operand, got 'x'
usage: toolpick [-w] [-c glob] ... [-x glob] ...
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
