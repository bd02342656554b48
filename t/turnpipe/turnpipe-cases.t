#!/bin/sh
. "${0%/*}/../lib.sh"
tap_has git || skip 'there is no git here'

export HOME="$PWD/home"
mkdir home tree
cd tree
git init -q .
echo 'Rule one.' >AGENTS.md
printf '{"id":"%s","text":"Question %s with a \\\\ and a \\"tab\\t\\"","expect":{"steps":1}}\n' a 1 'b c' 2 >cases.jsonl
check 'a request for each case, in order, with its text' \
    'turnpipe cases -m openai/x cases.jsonl | jq -c "[.id, .model, (.messages[1].content)[:31]]"' <<'!'
["a","openai/x","Question 1 with a \\ and a \"tab\t"]
["b c","openai/x","Question 2 with a \\ and a \"tab\t"]
!
check 'what the profile brings is in it' 'turnpipe cases cases.jsonl | grep -c "Rule one"' <<!
2
!
check 'repeats have ids of their own' 'turnpipe cases -r2 cases.jsonl | jq -r .id' <<!
a
a#2
b c
b c#2
!
check 'a section is left out' 'turnpipe cases -x project-context -x identity cases.jsonl >r; grep -c "Rule one\|You are an agent" r || :' <<!
0
!
check 'each profile makes requests' 'for p in ally annabelle ivy opal; do turnpipe cases -P $p cases.jsonl | jq -r .id | wc -l; done' <<!
2
2
2
2
!
mkdir -p "$XDG_CONFIG_HOME/turnpipe/profiles/team"
cp "$(sharefind profiles/ivy)" "$XDG_CONFIG_HOME/turnpipe/profiles/team/own"
check 'one in a directory, too' 'turnpipe cases -P team/own cases.jsonl | jq -r .id | wc -l' <<!
2
!
check 'one on its own is the request that turnpipe -n prints' '
    rm cases.env; turnpipe cases -m openai/x cases.jsonl | sed -n 1p | jq -S "del(.id, .session)" >one
    TURNPIPE_NOW=frozen turnpipe -m openai/x -n "$(jq -r .text cases.jsonl | sed -n 1p)" |
	sed "s|$PWD|/tree|g; s|$HOME|/home|g" | jq -S "del(.session)" >two; diff one two'
check 'a frozen run a second later, on another branch, gives the same bytes: the book has the answer' '
    export TURNPIPE_NOW=frozen; date >../then
    turnpipe -n -m openai/x Hi | tee ../a | journal -J ../book -- jq -c "if .type == \"request\" then {type: \"message\", id, content: \"A\"} else . end" >../first
    git checkout -q -b other; git add AGENTS.md; until_ "! date | cmp -s - ../then"
    turnpipe -n -m openai/x Hi | tee ../b | journal -oJ ../book | cmp - ../first; cmp ../a ../b
    unset TURNPIPE_NOW; git rm -q --cached AGENTS.md; turnpipe -n -m openai/x Hi | cmp -s - ../a || echo differs' <<!
differs
!
check 'the bytes are the same in another tree, on another day, of another user' '
    turnpipe cases cases.jsonl >here
    mkdir ../there; cp -r . ../there/tree; cd ../there/tree; touch more; mkdir ../h; HOME=$PWD/../h TZ=Asia/Tokyo turnpipe cases cases.jsonl | cmp - ../../tree/here'
check 'what each case adds, after what all bring' '
    printf "{\"id\":\"%s\",\"text\":\"%s\",\"expect\":{\"steps\":1}}\n" x "Add an appointment to my calendar." y Hello >two.jsonl
    turnpipe cases -P annabelle -t two.jsonl | tr " " "\n" | grep "playbook\|identity\|^.y"' <<!
*	identity
x	playbook:calendar
!
check 'the facts of the user stay out' 'turnpipe facts add "Question words: secret fact" >/dev/null 2>&1; turnpipe cases cases.jsonl | cmp - here'
check 'no session is left' 'turnpipe log 2>&1 | grep -c Question || :' <<!
0
!
fails 65 'a case that is none' 'echo "{\"id\":\"a\"}" >bad; turnpipe cases bad' <<!
score: bad:1:1: expected a member "expect"
!
fails 66 'no cases' 'turnpipe cases nowhere' <<!
score: nowhere: No such file or directory
!
fails 66 'no such profile' 'turnpipe cases -P nowhere cases.jsonl 2>&1 | head -n 1 | cut -c1-24 >&2; exit 66' <<!
turnpipe: profile nowher
!

# Cases whose agent calls tools.  The model is a stand-in that reads the file
# and says how many lines it got, if the prompt lets it.
cat >../model <<'!'
#!/bin/sh
exec jq -c --unbuffered 'def call($name; $args): {tool_calls: [{id: "c1", type: "function",
	function: {$name, arguments: ($args | tojson)}}]};
    if .type != "request" then . else
	([.messages[] | select(.role == "tool").content][0]) as $got |
	{type: "message", id, role: "assistant", content: ""} +
	if $got then {content: ($got | split("\n") | length - 1 | tostring)}
	elif tojson | test("Erase") then call("shell"; {command: "rm notes; ls"})
	elif tojson | test("Guess") then {content: "7"}
	else call("read_file"; {path: "notes"}) end end'
!
chmod +x ../model
printf 'one\ntwo\n' >notes
cat >tools.jsonl <<'!'
{"id":"lines","text":"How many lines has notes?","expect":{"equals":"3","tools":[{"name":"read_file","arguments":{"path":"notes"}}],"steps":2}}
{"id":"gone","text":"Erase notes.","expect":{"tools":["shell"]}}
{"id":"none","text":"How many lines?","expect":{"tools":[]}}
!
git add notes
git -c user.name=a -c user.email=a@localhost commit -qm one
echo three >>notes
check 'cases with tools: a session each, in a work tree of what git knows as it stands' '
    turnpipe cases -yd ../runs -J ../books tools.jsonl -- "$PWD/../model" >../answers; score tools.jsonl <../answers
    cat notes; ls ../books' <<'!'
{"type":"score","case":"lines","pass":true,"steps":2}
{"type":"score","case":"gone","pass":true,"steps":2}
{"type":"score","case":"none","pass":false,"why":"expected no call, found read_file","steps":2}
one
two
three
gone
lines
none
!
check 'offline they are the same, elsewhere and with repeats, too' '
    turnpipe cases -oyd ../runs -J ../books tools.jsonl -- "$PWD/../model" | cmp - ../answers
    git clone -q . ../clone; cp tools.* ../clone; cd ../clone; cp ../tree/notes .
    turnpipe cases -yr2 -d ../runs -J ../books tools.jsonl -- "$PWD/../model" >/dev/null
    turnpipe cases -oyr2 -d ../runs -J ../books tools.jsonl -- false | score tools.jsonl | cut -d , -f 2-4' <<'!'
"case":"lines","pass":true,"steps":2}
"case":"lines","repeat":2,"pass":true
"case":"gone","pass":true,"steps":2}
"case":"gone","repeat":2,"pass":true
"case":"none","pass":false,"why":"expected no call
"case":"none","repeat":2,"pass":false
!
fails 75 'what no book has' 'echo "Guess." >AGENTS.md; git add AGENTS.md; st=0; turnpipe cases -oyd ../runs -J ../books tools.jsonl -- false | score tools.jsonl >scores || st=$?; cut -d , -f 2-4 scores >&2; exit $st' <<'!'
"case":"lines","pass":null,"why":"error 75: not in the book"}
"case":"gone","pass":null,"why":"error 75: not in the book"}
"case":"none","pass":null,"why":"error 75: not in the book"}
!
fails 73 'a directory of somebody else is left alone' 'turnpipe cases -d "$PWD" tools.jsonl -- false' <<!
turnpipe: $PWD: is there, and not from these cases
!
