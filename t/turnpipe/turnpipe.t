#!/bin/sh
# The driver: turns against the loopback server, and what can go wrong.
. "${0%/*}/../lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test
mkdir .git
printf 'one\ntwo\n' >notes

serve '{"text":"Hello there."}'
check 'one question, its answer on stdout and nothing else' \
    'turnpipe -s s1.jsonl "say hello"' <<!
Hello there.
!
check 'the session is kept: header, question, answer, usage' \
    'jq -r "[.type // \"message\", .role // .model // .version]|@tsv" s1.jsonl' <<!
session	1
message	user
message	assistant
usage	openai/test
!
serve '{"text":"Hello."}'
check 'a session by a name of another kind' 'turnpipe -s ./talk "say hello"; ls -d talk*' <<!
Hello.
talk
talk.d
!
serve '{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"notes"}}]}' \
    '{"text":"It has two lines."}'
check 'a tool call, its result, the answer' \
    'turnpipe -s s2.jsonl "how many lines?"' <<!
It has two lines.
!
check 'the result went to the model' \
    'tail -n 1 "$REQUESTS" | jq -r ".body.messages[]|select(.role==\"tool\")|.content" | head -n 2' <<!
one
two
!
serve '{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"notes"}}]}' \
    '{"text":"Two."}'
check 'once is said in each request of the turn' \
    'turnpipe -F1s once.jsonl "how many lines?"
    grep -c "cannot answer a question" "$REQUESTS"' <<!
Two.
2
!
check 'only fields of the API go to the provider' \
    'jq -c ".body.messages[]|select(has(\"tp\") or has(\"type\"))" "$REQUESTS"' </dev/null
write='{"calls":[{"id":"c1","name":"write_file","arguments":{"path":"new","content":"x\n"}}]}'
serve "$write" '{"text":"ok"}' "$write" '{"text":"ok"}'
check 'a tool that changes things is denied without a terminal' \
    'turnpipe -s s3.jsonl "write" 2>&1 || test ! -e new
    jq -r "select(.role==\"tool\")|.tp.denied" s3.jsonl' <<!
toolrun: write_file: not run: no terminal to ask on; allow it with -y, --permit or toolrun.allow
ok
turnpipe: not allowed, and no user was asked: write_file (c1)
true
!
check 'and runs with -y' 'turnpipe -Fy -s s3.jsonl "write" && cat new' <<!
ok
x
!
serve '{"calls":[{"id":"c1","name":"todo_add","arguments":{"text":"look"}},{"id":"c2","name":"store_fact","arguments":{"text":"Knits."}}]}' '{"text":"ok"}'
check 'a todo and a fact need no question, also beside rules of the user' \
    'mkdir -p etc && echo "toolrun: {allow: [\"shell(git log*)\"]}" >etc/settings.yaml &&
    TURNPIPE_ASK=0 TURNPIPE_PATH=$PWD/etc turnpipe -Fs own.jsonl "note it" &&
    jq -r "select(.role==\"tool\")|.tp.exit" own.jsonl' <<!
ok
0
0
!
rm -f new
serve "$write" '{"text":"The plan."}' "$write" '{"text":"Done."}'
check 'plan mode: nothing is changed, the model is asked for a plan; -c without it goes on' \
    'turnpipe -Fy --plan -s plan.jsonl "write" && test ! -e new &&
    turnpipe -Fyc -s plan.jsonl "Begin." && cat new
    jq -r "select(.role==\"tool\")|.tp.denied" plan.jsonl
    jq -c "[(.body.messages | map(select(.content | tostring | contains(\"<plan-mode>\"))) | length)]" "$REQUESTS"
    jq -c .body.tools "$REQUESTS" | sort -u | wc -l | tr -d " "' <<!
The plan.
Done.
x
true
null
[1]
[1]
[0]
[0]
1
!
serve '{"text":"Blue."}' '{"text":"You said blue."}'
cat >dry.line <<!
histfit "\$S" | agentload | promptcompose --whole
!
mkdir -p "$XDG_CONFIG_HOME/turnpipe/profiles"
mv dry.line "$XDG_CONFIG_HOME/turnpipe/profiles/bare"
check '--set reaches every command of a turn' \
    'turnpipe -n --set temperature=0.5 --set=max_tokens=77 hello |
    jq -c "[.temperature,.max_tokens]"' <<!
[0.5,77]
!
check 'a dry run whose reader has left is no fault of the profile' \
    '{ turnpipe -n hello || :; } 2>err | :; cat err' </dev/null
fails 78 '--set: no such key' 'turnpipe -n --set max_tokenz=77 hello' <<!
turnpipe: --set max_tokenz: expected a key of turnpipe-settings(5), found "max_tokenz"
!
check '--set: no value' 'turnpipe -n --set max_tokens hello 2>&1 | head -n 1' <<!
turnpipe: --set: expected KEY=VALUE, not 'max_tokens'
!
check '-n with a profile that keeps no request said: cat, no such file' \
    'turnpipe -n -P bare hello | jq -r ".messages[-2].content"' <<!
hello
!
printf 'profile: bare\n' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
check 'the profile of the settings was passed over' \
    'turnpipe -n hello | jq -c ".messages[-1].content"
    turnpipe -n -P default hello | jq -c ".messages[-1].content|.[:29]"' <<!
"<turn-context>\n</turn-context>"
"<turn-context>\n<environment>\n"
!
mkdir "$XDG_CONFIG_HOME/turnpipe/profiles/team"
cat >"$XDG_CONFIG_HOME/turnpipe/profiles/team/own" <<!
printf '{"role":"user","content":"%s"}\n' "\$TURNPIPE_PROFILE" | promptcompose
!
printf 'profile: team/own\n' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
check 'of a profile in a directory the last name only went into the session, and -c did not find it' \
    'turnpipe -n hello | jq -r ".messages[-2].content"
    turnpipe -n -P team/own hello | jq -r ".messages[-2].content"' <<!
team/own
team/own
!
printf 'profile: none\n' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
fails 66 'and one that is not there' 'turnpipe -n hello' <<!
turnpipe: profile of the settings: not found; 'sharefind -l profiles' lists them
!
rm "$XDG_CONFIG_HOME/turnpipe/settings.yaml"
check '-c goes on with the last session of the project' \
    'turnpipe -s "$(histadd --new)" "first"; turnpipe -Fc "which colour?"
    jq -c "[.body.messages[]|select(.role!=\"system\")|.content]|length" "$REQUESTS"' <<!
Blue.
You said blue.
1
3
!
check '-c without a question prints the answer again and sends nothing' \
    'turnpipe -Fc; sent' <<!
You said blue.
2
!
check '-n prints the request, sends nothing, leaves no trace' \
    'before=$(cat s1.jsonl | cksum); turnpipe -n -s s1.jsonl "a dry one" | jq -r ".type,.messages[-2].content"
    test "$before" = "$(cksum <s1.jsonl)"; sent' <<!
request
a dry one
2
!
check 'what each section of a prompt takes could not be had' \
    'turnpipe -nx -s x1.jsonl "how long?" 2>err | jq -r .type; grep -c "identity$\|in all:" err
    turnpipe -n --explain -s x1.jsonl "how long?" 2>err2 >/dev/null; cmp err err2; turnpipe -n -s x1.jsonl y 2>&1 >/dev/null | wc -l | tr -d " "' <<!
request
2
0
!
mkdir -p tracecfg/turnpipe/profiles
cat >tracecfg/turnpipe/profiles/small <<'!'
histfit "$S" | agentload | sed 's/^{"type":"config"/&,"seed":7/' | cut -c 1-9999 |
promptcompose --whole -o "$R/request" -k "$R/prompts"
!
check '--trace: what each stage took and gave, and the tokens that came in by it' \
    'export XDG_CONFIG_HOME=$PWD/tracecfg; turnpipe -n --trace -P small -s x2.jsonl hi >out; ls x2* 2>/dev/null
    awk "/[0-9]\$|#|-\$|tokens\$/ && !/in all|^tokens:/ { print \$1, \$2, \$3 }" out | grep "^[a-z]"; grep "^  ~" out; grep -o "1 message; 1 state\|identity ([0-9]*)" out | sed "s/[0-9]*)/N)/"
    awk "/^[a-z]+ .* [0-9]+ .*[0-9]/ && !/^in all/ { n += \$6 } /^in all/ { print n == \$4 }" out; turnpipe -n -x -P small -s x2.jsonl hi 2>&1 >/dev/null | grep -c "^ *$(awk "/^in all/ { print \$4 }" out)$"' <<!
stage in out
histfit 0 3
agentload 3 9
sed 9 9
cut 9 9
promptcompose 9 2
  ~ 2 configs
1 message; 1 state
identity (N)
1
1
!
check '--trace: the stages one after the other take no longer than all of it' '
    export XDG_CONFIG_HOME=$PWD/tracecfg; t=$(date +%s%N); turnpipe -n --trace -P small hi >out; t=$((($(date +%s%N) - t) / 1000000))
    awk -v all="$t" "/^in all/ { print (\$3 > 0 && \$3 <= all) }" out' <<!
1
!
check '-n -x without a text, of a session that is not there yet' \
    'turnpipe -n -x 2>&1 >/dev/null | grep -c "identity$\|in all:"' <<!
2
!
check '-n is what would be sent' \
    'turnpipe -n -s s9.jsonl "same?" | jq -c .messages >dry; ls s9.d 2>&1 | wc -l | tr -d " "' <<!
1
!

mkdir -p .agents/skills/knit
printf -- '---\nname: Knit\ndescription: d\nmetadata: {keywords: wool}\n---\nK\n' >.agents/skills/knit/SKILL.md
check 'an installed skill stands in the menu, keywords or not' \
    'turnpipe -n -s s9.jsonl "hi" 2>/dev/null | jq -r ".messages[0].content" | grep Knit' <<!
- **Knit**: d
!
check 'a dry run reports what is wrong with it, without a trace' \
    'turnpipe -n -s s1.jsonl hi 2>&1 >/dev/null | sed "s/.*SKILL/SKILL/"; ls s1.d | grep told || :' <<!
SKILL.md:2:7: expected a name of lower case letters, digits and single inner hyphens
SKILL.md:2:7: expected the name of its directory as name
!
serve '{"calls":[{"id":"c1","name":"ls","arguments":{"path":"."}}]}' '{"text":"Done."}'
check 'and in a turn of two steps once' \
    'turnpipe -s s8.jsonl "list it" 2>&1 | sed "s/.*SKILL/SKILL/"' <<!
SKILL.md:2:7: expected a name of lower case letters, digits and single inner hyphens
SKILL.md:2:7: expected the name of its directory as name
Done.
!
rm -r .agents

# The limit of steps, an answer that broke off, a server that is not there.
serve -r '{"calls":[{"id":"c1","name":"ls","arguments":{"path":"."}}]}'
mkdir -p cfg/turnpipe
echo 'max_steps: 2' >cfg/turnpipe/settings.yaml
fails 5 'a turn that does not end' 'XDG_CONFIG_HOME=$PWD/cfg turnpipe -s s4.jsonl loop' <<!
promptcompose: the turn's steps are used up
!
mkdir -p cfg2/turnpipe/profiles
sed 's/agentload/agentload -c required_tools=ls/' "$TOP/share/profiles/default" >cfg2/turnpipe/profiles/strict
serve -r '{"text":"I need no tools."}'
fails 5 'required tools that are never called: three warnings, then it fails by name' \
    'XDG_CONFIG_HOME=$PWD/cfg2 turnpipe -P strict -s s10.jsonl hi' <<!
toolrun: required and not called yet: ls
toolrun: required and not called yet: ls
toolrun: required and not called yet: ls
toolrun: required and not called yet: ls
reminders: required tools not called after 4 answers: ls
!
check 'and each request behind such an answer says what is owed' \
    'sent; grep -c "until these tools have been called: ls" "$REQUESTS"' <<!
4
3
!
serve '{"text":"Half an ans","break":true}' '{"text":"Whole."}'
check 'half an answer is kept as such, and not taken for one' \
    'turnpipe -s s5.jsonl "say" 2>/dev/null; jq -r "select(.role==\"assistant\")|.tp.partial" s5.jsonl
    turnpipe -s s5.jsonl -c' <<!
Whole.
true
null
Whole.
!
serve '{"text":"Half an","finish":"length"}' '{"text":"I must","finish":"content_filter"}'
check 'the text of a cut or filtered answer, with its status' \
    'for i in 1 2; do turnpipe -Fs cut$i.jsonl hi 2>err && echo 0 || echo "= $?"; cat err; done' <<!
Half an
= 7
turnpipe: the answer stopped at the length limit
I must
= 3
turnpipe: openai's filter stopped the answer (content_filter)
!
if script -qec true /dev/null >/dev/null 2>&1; then
	serve '{"text":"Half an","finish":"length"}'
	check 'an error begins a line of its own on a terminal' \
	    'TURNPIPE_SHOW=0 script -qec "turnpipe -Fs cut3.jsonl hi" /dev/null </dev/null | tr -d "\r"' <<!
Half an
turnpipe: the answer stopped at the length limit
!
fi
check 'Latin-1 on standard input is reported, and asks nothing' \
    'printf "one\ncaf\351\n" | turnpipe -Fs latin.jsonl "what is this?" 2>&1 && echo 0 || echo "= $?"
    test ! -s latin.jsonl' <<!
msg: <stdin>:2:4: expected valid UTF-8
= 65
!
serve '{"status":401,"body":{"error":{"message":"no"}}}'
check 'a key that is refused' 'turnpipe -s s6.jsonl hi >/dev/null 2>err || echo $?; sent; grep -c sk-test err || true' <<!
77
1
0
!

# Empty questions, and those that cannot be kept.
serve -r '{"text":"This must not be asked."}'
fails 64 'a text of blanks is an empty question' 'turnpipe -s b1.jsonl " 
	"; s=$?; sent >n; exit $s' <<!
turnpipe: expected a text on standard input
!
check 'nor is a line of blanks in a conversation' \
    'printf "  \n/quit\n" | turnpipe -Fi -s b2.jsonl 2>/dev/null; cat n; sent; test ! -e b2.jsonl' <<!
0
0
!
fails 64 'an empty session name' \
    'turnpipe -s "" hi 2>err; s=$?; head -n 1 err >&2; exit $s' <<!
turnpipe: -s: expected a value
!
mkdir f1.d
ln -s /dev/full f1.d/text
fails 74 'a disk too full for the question' 'turnpipe -s f1.jsonl hi' <<!
turnpipe: $PWD/f1.d cannot be written: free some space, or set XDG_STATE_HOME to where there is
!

serve '{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"notes"}}]}' \
    '{"text":"It has","break":true}' '{"text":"It has two lines."}' '{"text":"Yes."}'
# As the template of Mistral and its like asks for: users and answers in
# turns, where neither results nor calls count.
check 'a template that wants roles in turns refused the requests of OPENAI_BASE_URL' \
    'turnpipe -s turns.jsonl "how many lines?" 2>/dev/null; turnpipe -c -s turns.jsonl "sure?"
    jq -c "[.body.messages[1:][]|select(.role!=\"tool\" and (.tool_calls|not)).role] |
	to_entries | map((.value == \"user\") == (.key % 2 == 0)) | all" "$REQUESTS"' <<!
It has two lines.
Yes.
true
true
true
true
!

# Standard input goes with the text.
asked() { tail -n 1 "$REQUESTS" | jq -r '.body.messages[-1].content | split("\n\n<turn-context>")[0]'; }
printf 'a\nb\n' >in
serve -r '{"text":"Seen."}'
check 'echo text | turnpipe TEXT dropped standard input' \
    'echo piped | turnpipe -s p1.jsonl summarise 2>/dev/null; asked
    turnpipe -s p1.jsonl summarise <in; asked' <<!
Seen.
summarise

piped
Seen.
summarise

a
b
!
check 'standard input alone is a question' \
    'turnpipe -s p2.jsonl <in; asked; turnpipe -c -s p2.jsonl <in; asked; sent' <<!
Seen.
a
b
Seen.
a
b
4
!
# from SESSION: how the pieces of its messages came.
from() { jq -c 'select(.role=="user").tp.from' "$1"; }
check 'the log knows which part of a message came by standard input' \
    'printf "é\n" | turnpipe -qs p5.jsonl one "two  " - three >/dev/null; turnpipe -qs p5.jsonl -c four </dev/null >/dev/null
    from p5.jsonl; from p1.jsonl; jq -r "select(.role==\"user\").content" p5.jsonl' <<!
[{"typed":11},{"input":2},{"typed":6}]
null
[{"typed":11},{"input":5}]
[{"typed":11},{"input":3}]
one two  

é three
four
!
check 'a "-" says where it stands, once' \
    'turnpipe -s p3.jsonl - these <in; asked' <<!
Seen.
a
b these
!
check 'an empty one adds nothing' \
    ': >empty; turnpipe -s p4.jsonl hi <empty; turnpipe -c -s p4.jsonl <empty; jq -c "select(.role==\"user\").content" p4.jsonl' <<!
Seen.
Seen.
"hi"
!
check 'a loop of sh keeps its list' \
    'while read -r line; do turnpipe -s p5.jsonl "name $line" && asked; done <in' <<!
Seen.
name a
Seen.
name b
!
check 'a conversation is not read as a text' \
    'echo /quit | turnpipe -i -s p6.jsonl hi 2>/dev/null; asked' <<!
Seen.
hi
!
mkfifo idle
check 'a pipe that brings nothing: it says what it reads, and goes on when it ends' \
    ': >err; exec 3<>idle; turnpipe -s p7.jsonl wait <idle 2>err 3>&- & pid=$!
    until_ "grep reading err"; echo more >&3; exec 3>&-; wait $pid; asked' <<!
turnpipe: reading standard input; </dev/null if there is no input
Seen.
wait

more
!
check '-n: a pipe that brings nothing is not waited for' \
    'exec 3<>idle; turnpipe -n -s p8.jsonl dry 2>err <idle | jq -r ".messages[-2].content"; cat err' <<!
dry
turnpipe: nothing on standard input: not read
!
check '-n with a pipe that brings something' \
    'turnpipe -n -s p8.jsonl dry <in | jq -r ".messages[-2].content"' <<!
dry

a
b
!
for word in help logs version list init; do
	check "turnpipe $word is no paid question" \
	    "before=\$(sent); turnpipe $word 2>&1 | sed -n '1s/:.*//p'; sent | grep -cx \$before" <<!
$([ $word = help ] && echo usage || echo turnpipe)
1
!
done
fails 64 'and says what to type' 'turnpipe logs' <<!
turnpipe: no command 'logs': turnpipe log; 'turnpipe -- logs' asks the model
!
check 'other words are, and after -- or with a text these too' \
    'for w in hello dog; do turnpipe $w; done; turnpipe -- logs; asked; echo text | turnpipe list; turnpipe logs are fine; asked' <<!
Seen.
Seen.
Seen.
logs
Seen.
Seen.
logs are fine
!

# Each stage in turn killed, in turn given a broken line, in turn gone.
mkdir bin2
ln -s "$(dirname "$(command -v turnpipe)")"/* bin2/
serve -r '{"text":"This must not be asked."}'
for f in msg histfit agentload envinfo ctxfind skillmenu toollist toolpick \
    toolrules factfind todolist reminders promptcompose; do
	rm bin2/$f
	printf '#!/bin/sh\nkill -9 $$\n' >bin2/$f
	chmod +x bin2/$f
	check "$f killed: no request, no success" \
	    "bin2/turnpipe -s k-$f.jsonl hi >out 2>err && echo success; sent; cat out" <<!
0
!
	printf '#!/bin/sh\nprintf "{]\\n"\nexec "%s" "$@"\n' \
	    "$(command -v $f)" >bin2/$f
	check "$f writes a broken line: no request, and the stage that met it is reported" \
	    "bin2/turnpipe -s b-$f.jsonl hi >out 2>err && echo success; sent
	    grep -q ': <stdin>:[0-9]*:[0-9]*: expected' err || cat err" <<!
0
!
	rm bin2/$f
	ln -s "$(command -v $f)" bin2/
done

# The driver dies while its tool runs on.
serve '{"calls":[{"id":"c1","name":"shell","arguments":{"command":"echo begun >begun; while [ ! -e go ]; do sleep 0.05; done; echo done"}}]}' \
    '{"text":"It is done."}'
check 'killed in a tool call: the orphan ends, -c waits and goes on' \
    'turnpipe -Fy -s s7.jsonl "run it" >/dev/null 2>&1 & pid=$!
    until_ "[ -e begun ]"
    { kill -9 $pid; wait $pid; } 2>/dev/null || :
    turnpipe -Fy -s s7.jsonl -c 2>err & pid=$!
    until_ "grep -q \"still runs\" err"; : >go; wait $pid; grep -c "still runs" err
    jq -c "select(.role)|[.role,.tool_call_id]" s7.jsonl
    jq -r "select(.role==\"tool\").content" s7.jsonl; sent' <<!
It is done.
1
["user",null]
["assistant",null]
["tool","c1"]
["assistant",null]
done

2
!
rm -f begun go
serve '{"calls":[{"id":"c1","name":"shell","arguments":{"command":"echo begun >begun; while [ ! -e go ]; do sleep 0.05; done"}}]}' '{"text":"x"}'
check 'a second driver of a session is turned away by name' \
    'turnpipe -Fy -s s8.jsonl "run it" >/dev/null 2>&1 & pid=$!
    until_ "[ -e begun ]"
    turnpipe -Fy -s s8.jsonl -c 2>err || echo $?
    sed "s/process [0-9]*/process PID/; s/kill [0-9]*/kill PID/" err; : >go; wait $pid' <<!
75
turnpipe: session s8.jsonl: in use by process PID (turnpipe); go on there, or end that first: kill PID
!
fails 64 'an unknown option' 'turnpipe --nope' <<!
turnpipe: unknown option --nope
usage: turnpipe [-1cFginqvxy] [-a AGENT] [-m MODEL] [-N ROUNDS] [-P PROFILE]
                [-s SESSION] [--attach FILE] [--json] [--ok-denied]
                [--permit RULE] [--plan] [--schema FILE] [--set KEY=VALUE]
                [--trace] [--until COMMAND] [TEXT ... | -]
       turnpipe -c [-qy] [-s SESSION] [--json] [--allow ID] [--deny ID[=REASON]]
       turnpipe -T [-iny] [-a AGENT] [-m MODEL] [-N ROUNDS] [-P PROFILE]
                [-s FILE] [--schema FILE] [--set KEY=VALUE] [--until COMMAND]
                TASK.md [OPERAND ...]
       turnpipe -T [-s FILE] [--allow ID] [--deny ID[=REASON]] TASK.md
       turnpipe -T --install | --uninstall | --systemd UNIT TASK.md
       turnpipe -T --due
       turnpipe -M [OPTION ...] [TEXT ...]
       turnpipe facts | fold | log [ARGUMENT ...]
!
check '--version printed the name of another command' \
    'for c in turnpipe turnpipe-log turnpipe-facts; do $c --version; done |
    sed "s/ [0-9].*//"' <<!
turnpipe (turnpipe)
turnpipe-log (turnpipe)
turnpipe-facts (turnpipe)
!
fails 78 'a fault in settings.yaml was reported by each filter' \
    'mkdir faulty; echo "toolrun: {allow: no}" >faulty/settings.yaml
    TURNPIPE_PATH=faulty turnpipe -n hi' <<!
sharefind: faulty/settings.yaml:1:18: expected true, false or null, or quotes
!
fails 64 'no question and no terminal' 'turnpipe </dev/null' <<!
turnpipe: expected a text (or -, to read one from standard input)
!
fails 66 'a mistyped session was not continued but begun' \
    'turnpipe -n -c -s s99.jsonl hi' <<!
turnpipe: s99.jsonl: no such session to continue
!
fails 66 'a profile that is not there' 'turnpipe -P none hi' <<!
turnpipe: profile none: not found; 'sharefind -l profiles' lists them
!
# The other families, with a loop of tools: what only the provider
# understands goes back to it, and to no other provider.
serve '{"thinking":"two calls","text":"Let me see.","calls":[{"id":"toolu_1","name":"read_file","arguments":{"path":"notes"}},{"id":"toolu_2","name":"ls","arguments":{"path":"."}}]}' \
    '{"thinking":"done","text":"It has two lines."}' '{"text":"As I said."}' '{"text":"Two."}'
export ANTHROPIC_BASE_URL="$URL" ANTHROPIC_API_KEY=sk-ant-test
check 'a loop of tools with the Messages API' \
    'TURNPIPE_MODEL=anthropic/claude-x turnpipe -F -s s11.jsonl "how many lines?"; sent' <<!
It has two lines.
2
!
check 'thinking comes first, results first and together, marks where they belong' \
    'tail -n 1 "$REQUESTS" | jq -c "[.path,(.body.messages[-2].content|map(.type,.signature//empty)),(.body.messages[-1].content|map(.type)),([.body|paths|select(.[-1]==\"cache_control\")]|length)]"' <<!
["/v1/messages",["thinking","sealed-1","text","tool_use","tool_use"],["tool_result","tool_result","text"],4]
!
check 'the next turn sends it all again' \
    'TURNPIPE_MODEL=anthropic/claude-x turnpipe -F -s s11.jsonl "sure?"
    tail -n 1 "$REQUESTS" | jq -c ".body.messages|map([.role]+(.content|map(.type)))[]"' <<!
As I said.
["user","text"]
["assistant","thinking","text","tool_use","tool_use"]
["user","tool_result","tool_result"]
["assistant","thinking","text"]
["user","text","text"]
!
check 'another family has the same session, without' \
    'turnpipe -F -s s11.jsonl "and now?"; tail -n 1 "$REQUESTS" | grep -c sealed || true
    tail -n 1 "$REQUESTS" | jq -r .path' <<!
Two.
0
/v1/chat/completions
!
serve '{"thinking":"one call","calls":[{"id":"call_1","name":"read_file","arguments":{"path":"notes"}}]}' '{"text":"Two."}'
check 'a loop of tools with the Responses API' \
    'TURNPIPE_MODEL=openai-responses/gpt-5 turnpipe -F -s s12.jsonl "how many lines?"
    tail -n 1 "$REQUESTS" | jq -c "[.path,(.body.input|map(.type,.encrypted_content//empty))]"' <<!
Two.
["/v1/responses",["message","reasoning","sealed-1","function_call","function_call_output","message"]]
!
serve '{"text":"one"}' '{"text":"two"}' '{"text":"three"}' '{"text":"four"}'
check 'who goes on does so as before: profile, agent, model' \
    'mkdir -p "$XDG_CONFIG_HOME/turnpipe/agents"; printf "%s\n" --- "description: d" --- Arr. >"$XDG_CONFIG_HOME/turnpipe/agents/pirate.md"
    unset TURNPIPE_MODEL; export ANTHROPIC_API_KEY=x
    what() { tail -n 1 "$REQUESTS" | jq -r "[.body.model, (.body.messages[0].content | contains(\"Arr\")), (.body.messages[0].content | contains(\"<environment>\"))] | @tsv"; }
    turnpipe -F -P ally -a pirate -m openai/big -s s13.jsonl "a"; what
    turnpipe -F -c -s s13.jsonl "b"; what
    TURNPIPE_PROFILE=default turnpipe -F -m openai/small -s s13.jsonl "c"; what
    turnpipe -F -s s14.jsonl -m openai/other "d"; what' <<!
one
big	true	false
two
big	true	false
three
small	true	true
four
other	false	true
!
check 'every session is whole' 'for f in *.jsonl; do jq -e . "$f" >/dev/null || echo "$f"; done' </dev/null
