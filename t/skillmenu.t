#!/bin/sh
. "${0%/*}/lib.sh"

export TURNPIPE_SHARE="$PWD/share"
mkdir -p share/prompts proj/sub "$HOME"
cp "$TOP/share/settings.yaml" share/
printf 'Menu:\n' >share/prompts/skills.md
cp "$TOP/share/prompts/skill.md" share/prompts/
cd proj
git init -q .
skill() {	# DIR, front matter, body
	mkdir -p "$1"
	printf -- '---\n%b\n---\n%b' "$2" "${3-Body.\n}" >"$1/SKILL.md"
}
sections() { jq -r "select(.type==\"section\")|.id,.content"; }

check 'no skills, no word' 'skillmenu </dev/null' <<!
!
skill .agents/skills/beta 'name: beta\ndescription: Does b.'
skill .github/skills/alpha 'name: alpha\ndescription: Does a.'
skill "$HOME/.agents/skills/beta" 'name: beta\ndescription: From home.'
check 'the menu: project before home, directory by directory' \
    'skillmenu </dev/null | sections' <<!
skills
Menu:

- **beta**: Does b.
- **alpha**: Does a.
!
check 'a record each' 'skillmenu </dev/null | sed "s|$PWD|TOP|" | head -n 1' <<!
{"type":"skill","name":"beta","description":"Does b.","path":"TOP/.agents/skills/beta","required_tools":[],"priority":0,"matched":false}
!
check 'shadowing is told when asked' 'skillmenu -v </dev/null 2>&1 >/dev/null | sed "s|$PWD|TOP|;s|$HOME|HOME|"' <<!
skillmenu: HOME/.agents/skills/beta: hidden by TOP/.agents/skills/beta
!
check 'from below the root the same' 'cd sub && skillmenu </dev/null | sections | tail -n 1' <<!
- **alpha**: Does a.
!
rm -rf .github
skill .agents/skills/beta 'name: beta\ndescription: A < B & C\n  and more'
check 'the XML form escapes' 'skillmenu -f xml </dev/null | sections | sed "s|$PWD|TOP|"' <<!
skills
Menu:

<skill>
<name>beta</name>
<description>A &lt; B &amp; C and more</description>
<location>TOP/.agents/skills/beta/SKILL.md</location>
</skill>
!
rm -rf .agents "$HOME/.agents"

# One doubtful or broken skill at a time: what is told, and is it taken?
ask() { skillmenu -v </dev/null 2>&1 >out | sed "s|$PWD/.agents/skills/||"; jq -r 'select(.type=="skill")|"has "+.name' out; }
one() {	# NAME, front, expected text on stdin
	skill ".agents/skills/${4-x}" "$2"
	check "$1" ask
	rm -rf .agents
}
one 'no description' 'name: x' <<!
skillmenu: x/SKILL.md: expected a description; skipped
!
one 'a description of blanks' 'name: x\ndescription: "  "' <<!
skillmenu: x/SKILL.md: expected a description; skipped
!
one 'another name than the directory' 'name: y\ndescription: d' <<!
skillmenu: x/SKILL.md: expected the name of its directory as name
has y
!
one 'an upper case name' 'name: Bad-Name\ndescription: d' x Bad-Name <<!
skillmenu: Bad-Name/SKILL.md: expected a name of lower case letters, digits and single hyphens
has Bad-Name
!
one 'a double hyphen' 'name: a--b\ndescription: d' x a--b <<!
skillmenu: a--b/SKILL.md: expected a name of lower case letters, digits and single hyphens
has a--b
!
one 'letters of any script' 'name: технавык-数据\ndescription: d' x технавык-数据 <<!
has технавык-数据
!
one 'YAML that is none' 'name: [invalid' <<!
skillmenu: x/SKILL.md: expected ',' or ']'; skipped
!
one 'an unquoted colon is mended' 'name: x\ndescription: Use this: now' <<!
skillmenu: x/SKILL.md: expected quotes around a value that holds ': '
has x
!
one 'hidden from the model' 'name: x\ndescription: d\ndisable-model-invocation: true' <<!
!
one 'unknown fields pass' 'name: x\ndescription: d\nglobs: 42\nlicense: MIT\nmetadata:\n  author: a' <<!
has x
!
mkdir -p .agents/skills/x; printf 'no front matter\n' >.agents/skills/x/SKILL.md
check 'no front matter' ask <<!
skillmenu: x/SKILL.md: expected front matter; skipped
!
printf '\357\273\277---\r\nname: x\r\ndescription: d\r\nallowed-tools:\r\n  - Read\r\n  - Bash(git:*)\r\n---\r\nB\r\n' >.agents/skills/x/SKILL.md
check 'BOM, CRLF and a list of tools' 'skillmenu </dev/null | jq -c "select(.name).required_tools"' <<!
["Read","Bash(git:*)"]
!
mv .agents/skills/x there; ln -s "$PWD/there" .agents/skills/x
check 'a symlinked directory' ask <<!
has x
!
rm -rf .agents
mkdir -p .agents/skills/x; mkfifo .agents/skills/x/SKILL.md
check 'a FIFO does not stall' ask <<!
skillmenu: x/SKILL.md: Invalid argument; skipped
!
rm -rf .agents
{ printf -- '---\na: &a [x]\nb: [*a,*a]\nname: x\ndescription: d\n---\n'; } >bomb
mkdir -p .agents/skills/x; cp bomb .agents/skills/x/SKILL.md
check 'an alias is one line of warning' 'ask | wc -l | tr -d " "' <<!
1
!
{ printf -- '---\nname: '; head -c 40000 /dev/zero | tr '\0' '['; printf '\n---\n'; } >.agents/skills/x/SKILL.md
check '40 kB of brackets are one line of warning' 'ask | wc -l | tr -d " "' <<!
1
!
rm -rf .agents

# Playbooks.
skill .agents/skills/mail 'name: mail\ndescription: d\nmetadata:\n  keywords: [email, INBOX]\n  priority: 5\n  required_tools: [shell, shell]' 'Read it.\n'
skill .agents/skills/cpp 'name: cpp\ndescription: d\nmetadata:\n  keywords: "c++, file, książka"\n  priority: 9' 'Compile.\n'
said() { printf '{"role":"user","content":"%s"}\n' "$1" | skillmenu | jq -r 'select(.id//""|startswith("playbook"))|.id'; }
check 'a keyword brings the text' 'echo "{\"role\":\"user\",\"content\":\"check my Email please\"}" | skillmenu | grep -v role | sed "s|$PWD|TOP|"' <<!
{"type":"skill","name":"mail","description":"d","path":"TOP/.agents/skills/mail","required_tools":["shell"],"priority":5,"matched":true}
{"type":"section","id":"playbook:mail","title":"mail","volatile":true,"content":"Read it."}
!
check 'case' 'said "CHECK MY INBOX"' <<!
playbook:mail
!
check 'no word inside a word' 'said "profile meanwhile emails"' <<!
!
check 'ends that are no letters match anywhere' 'said "use C++17"' <<!
playbook:cpp
!
check 'boundaries of any script' 'said "Książka?"; said "książkami"' <<!
playbook:cpp
!
check 'several: higher priority first' 'said "email the file"' <<!
playbook:cpp
playbook:mail
!
check 'at most so many' 'echo "{\"role\":\"user\",\"content\":\"email the file\"}" | skillmenu -n 1 | jq -r "select(.type==\"section\").id"' <<!
playbook:cpp
!
check 'only what the user says last' 'printf "%s\n" "{\"role\":\"user\",\"content\":\"email\"}" "{\"role\":\"user\",\"content\":\"hi\"}" "{\"role\":\"assistant\",\"content\":\"email\"}" | skillmenu | grep -c playbook || true' <<!
0
!
: >.agents/skills/mail/form.txt
check 'loading one gives text and files' 'skillmenu -l mail | sed "s|$PWD|TOP|g"' <<!
<skill_content name="mail" directory="TOP/.agents/skills/mail">
Read it.
<skill_resources>
<file>TOP/.agents/skills/mail/form.txt</file>
</skill_resources>
</skill_content>
!
fails 1 'loading what is not there names what is' 'skillmenu -l nope' <<!
skillmenu: no skill 'nope'; there are: cpp, mail
!
check 'switched off' 'mkdir -p c/turnpipe; echo "skillmenu: {enabled: false}" >c/turnpipe/settings.yaml
    XDG_CONFIG_HOME=$PWD/c skillmenu </dev/null' <<!
!
check 'a check tells and fails' 'skillmenu -c .agents/skills/mail; skill .agents/skills/y "name: Y\ndescription: d"; skillmenu -c .agents/skills/y 2>&1 || echo $?' <<!
skillmenu: .agents/skills/y/SKILL.md: expected the name of its directory as name
skillmenu: .agents/skills/y/SKILL.md: expected a name of lower case letters, digits and single hyphens
1
!
check 'what we ship is valid' 'skillmenu -c "$TOP"/share/playbooks/* "$TOP"/share/demo/tree/.agents/skills/*' </dev/null
fails 64 'a form that is none' 'skillmenu -f yaml </dev/null 2>&1 >/dev/null | head -n 1 >&2; exit 64' <<!
skillmenu: expected opal or xml, not 'yaml'
!
fails 65 'a broken line' 'echo "[" | skillmenu' <<!
skillmenu: <stdin>:1:2: expected a value
!
fails 74 'a full disk' 'skillmenu </dev/null >/dev/full' <<!
skillmenu: write <stdout>: No space left on device
!
