#!/bin/sh
. "${0%/*}/../lib.sh"

export TURNPIPE_SHARE="$TOP/share"

tools()
{
	for t; do
		printf '{"type":"tool","name":"%s"}\n' "$t"
	done
}
# The content of a section.
section()
{
	jq -r --arg id "$1" 'select(.type == "section" and .id == $id).content'
}

# The nine rules in their order (designs.md 1.1, 1.2), each recognised by words
# that stand in it alone.
marks="never with .cat.
offset. and .limit
never with .sed.
never with a shell redirect
Do not print a report
Look at files in the shell
every required parameter
wait for that result
sub_agent
<status>
<title>"
# fires WANT PROFILE STATE 'tool ...': which of them, in their order.
fires()
{
	want=$1 profile=$2 state=$3 set=$4
	check "$profile {$set} $state: ${want:-nothing}" \
	    "{ tools $set; printf '%s' '$state'; } | toolrules -P $profile | section tool-guidelines >out
	    sort out | uniq -d
	    while read -r line; do
		printf '%s\n' \"\$marks\" | while read -r mark; do
			printf '%s\n' \"\$line\" | grep -q -e \"\$mark\" && printf '%s\n' \"\$marks\" | grep -n -x -F -e \"\$mark\" | cut -d: -f1
		done
	    done <out | paste -s -d ' ' -" <<!
$want
!
}
fires '1 2 3 4 5 7 8 10' opal '' 'read_file edit_file write_file shell'
fires '' opal '' ''
fires '10' opal '' custom
fires '5 6 10' opal '' shell
fires '5 6 10' opal '' bash
fires '5 6 10' opal '' powershell
fires '1 2 5 10' opal '' 'read_file zsh'
fires '10' opal '' read_file
fires '10' opal '' edit_file
fires '3 5 6 10' opal '' 'edit_file cmd'
fires '4 10' opal '' write_file
fires '10' opal '' 'one two'
fires '7 8 10' opal '' 'one two three'
fires '9 10' opal '' sub_agent
fires '10 11' opal '{"type":"state","turn":1,"session":"s"}' x
fires '11' opal '{"type":"state","turn":1}' ''
fires '10' opal '{"type":"state","turn":2}' x
fires '10' opal '{"type":"state","turn":1,"title":"T"}' x
fires '' default '{"type":"state","turn":1}' custom
fires '1 2 3 4 5 7 8' default '' 'read_file edit_file write_file shell'
check 'of read_file nothing is said where it is not' \
    'tools shell | toolrules -P opal | grep read_file; :' <<!
!
check 'a name that is there twice counts once' \
    'tools a a b | toolrules | section tool-guidelines' </dev/null
check 'searching is said in the default profile' \
    'for p in default opal; do tools grep glob shell | toolrules -P $p | section tool-guidelines | grep -c "which run without asking"; done; :' <<!
1
0
!
check 'the profile from the environment' \
    'tools x | TURNPIPE_PROFILE=opal toolrules | section tool-guidelines | grep -c "<status>"' <<!
1
!
check 'OpenAI tools count as well' \
    'echo "{\"type\":\"function\",\"function\":{\"name\":\"write_file\"}}" | toolrules | section tool-guidelines | grep -c tee' <<!
1
!

# Guidance of each tool that has any.
check 'guidance, by the names of the tools, a blank line between' \
    'printf "%s\n" "{\"type\":\"tool\",\"name\":\"b\",\"guidance\":\"B.\\n\"}" "{\"type\":\"tool\",\"name\":\"c\"}" "{\"type\":\"tool\",\"name\":\"d\",\"guidance\":\"\"}" "{\"type\":\"tool\",\"name\":\"a\",\"guidance\":\"A 1.\\nA 2.\"}" |
    TURNPIPE_SHARE=/nix toolrules | sed 1,4d' <<!
{"type":"section","id":"tool-usage","content":"A 1.\nA 2.\n\nB."}
!
# The catalogue: what tools say of themselves, as text.
described='{"type":"tool","name":"b","description":"Does\n b: {{name}}."}
{"type":"function","function":{"name":"a","description":"As OpenAI has it."}}
{"type":"tool","name":"c"}'
check '-c: a line for each tool, by name' \
    'printf "%s\n" "$described" | toolrules -c | section tool-catalogue' <<!
- \`a\`: As OpenAI has it.
- \`b\`: Does b: {{name}}.
- \`c\`: 
!
check 'no catalogue unless asked for, nor of nothing' \
    'printf "%s\n" "$described" | toolrules | section tool-catalogue
    echo "{\"type\":\"end\"}" | toolrules --catalogue' <<!
{"type":"end"}
!
check '-c: without its template no rule is printed' \
    'printf "%s\n" "$described" | TURNPIPE_SHARE=/nix toolrules -c | grep -c section || :' <<!
0
!
check 'own records stand before the end, others pass' \
    'printf "%s\n" "{\"type\":\"tool\",\"name\":\"a\",\"guidance\":\"A.\"}" "{\"x\":1, \"type\":\"x\"}" "{\"type\":\"end\"}" "{\"type\":\"end\"}" | TURNPIPE_SHARE=/nix toolrules' <<!
{"type":"tool","name":"a","guidance":"A."}
{"x":1, "type":"x"}
{"type":"section","id":"tool-usage","content":"A."}
{"type":"end"}
{"type":"end"}
!

# The user's own rules.
mine=$XDG_CONFIG_HOME/turnpipe/rules
mkdir -p "$mine"
printf 'when: web_*\nsay:\n  - Name the page.\n  - |\n    Two\n    lines.\n' >"$mine/05-web.yaml"
check 'a file adds a rule, in the order of names' \
    'tools web_get write_file | toolrules | section tool-guidelines | cut -c 1-20' <<!
- Name the page.
- Two
  lines.
- Create files with 
!
: >"$mine/30-write-not-redirect.yaml"
rm "$mine/05-web.yaml"
check 'an empty one takes it away' 'tools write_file | toolrules' <<!
{"type":"tool","name":"write_file"}
!
printf 'shell: [sh]\n' >"$mine/groups.yaml"
check 'a group is the user'"'"'s to name' 'tools sh | toolrules | section tool-guidelines | wc -l' <<!
2
!
printf 'profiles: ["x*"]\nsay: In x.\n' >"$mine/99-x.yaml"
check 'profiles by pattern, and nothing to ask for' \
    'echo "{\"type\":\"end\"}" | toolrules -P xyz | section tool-guidelines; echo "{\"type\":\"end\"}" | toolrules -P y | section tool-guidelines' <<!
- In x.
!
printf 'when: {any: ["text:Tabelle", "text:c++"], none: "profile:o*"}\nsay: Count first.\n' >"$mine/99-x.yaml"
said() { printf '{"role":"user","content":"%s"}\n' "$1"; }
check 'a rule on what the user says last, by whole words' \
    'for t in "Die TABELLE, bitte" "Tabellen" "c++17?" "hi"; do
	{ said Tabelle; said "$t"; } | toolrules -P y | section tool-guidelines:message
	echo "$t"; done; said Tabelle | toolrules -P opal | section tool-guidelines:message' <<!
- Count first.
Die TABELLE, bitte
Tabellen
- Count first.
c++17?
hi
!
check 'it stands apart, so that the others stay as they are' \
    '{ for u in Tabelle Stuhl; do tools a b c; said $u; echo "{\"type\":\"end\"}"; done; } |
    toolrules | jq -rc "select(.type==\"section\")|[.id,.volatile]"' <<!
["tool-guidelines",null]
["tool-guidelines:message",true]
["tool-guidelines",null]
!
printf 'when: x\nsay: One.\n' >"$mine/98-y.yaml"
check 'rules are read once' '
	    mkfifo in tick
	    { tools x; echo "{\"type\":\"end\"}"; read -r t <tick
	      printf "when: x\nsay: Two.\n" >"$mine/98-y.yaml"
	      tools x; echo "{\"type\":\"end\"}"; } >in &
	    toolrules <in | while read -r l; do
		case $l in *end*) [ -n "${done-}" ] || echo >tick; done=1 ;; esac
		printf "%s\n" "$l"; done | jq -r "select(.type==\"section\").content"
	    rm in tick' <<!
- One.
- One.
!
rm "$mine/98-y.yaml"
# bad TEXT MESSAGE
bad()
{
	printf '%b' "$1" >"$mine/99-x.yaml"
	fails 78 "$1" 'toolrules' <<!
toolrules: $mine/99-x.yaml:$2
!
}
bad 'when: "@shll"\n' '1:7: expected a condition over tool names'
bad 'when:\n  al: [x]\n' '2:3: expected a condition over tool names'
bad 'when: "text: "\n' '1:7: expected a condition over tool names'
bad 'sey: x\n' '1:1: expected when, say, profiles or first_turn, found "sey"'
bad 'say: {a: b}\n' '1:6: expected a string or an array, found object'
bad 'first_turn: 1\n' '1:13: expected true or false, found number'
bad '[a]\n' '1:1: expected an object, found array'
rm "$mine/99-x.yaml"
printf 'shell: {a: b}\n' >"$mine/groups.yaml"
fails 78 'malformed groups' toolrules <<!
toolrules: $mine/groups.yaml:1:8: expected a string or an array, found object
!
rm -r "$mine"
printf 'toolrules: {enabled: false}\n' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
check 'switched off' 'tools shell | toolrules' <<!
{"type":"tool","name":"shell"}
!
rm "$XDG_CONFIG_HOME/turnpipe/settings.yaml"
check 'no input' toolrules </dev/null

fails 64 'an operand' 'toolrules x' <<!
toolrules: expected no operand, got 'x'
usage: toolrules [-c] [-P profile]
!
fails 65 'a tool without a name' 'echo "{\"type\":\"tool\"}" | toolrules' <<!
toolrules: <stdin>:1:1: expected a tool with a name
!
fails 65 'a broken line' 'printf "{}\n" | toolrules' <<!
toolrules: <stdin>:1:1: expected a type or a role
!
fails 74 'a full disk is not success' 'tools shell | toolrules >/dev/full' <<!
toolrules: write <stdout>: No space left on device
!
