#!/bin/sh
. "${0%/*}/../lib.sh"

export TURNPIPE_SHARE="$PWD/share"
mkdir -p share proj/sub "$HOME"
cp "$TOP/share/settings.yaml" share/
cp -R "$TOP/share/prompts" share/
printf 'Menu:\n' >share/prompts/skills.md
cd proj
mkdir .git
skill() {	# DIR, front matter, body
	mkdir -p "$1"
	printf -- '---\n%b\n---\n%b' "$2" "${3-Body.\n}" >"$1/SKILL.md"
}
sections() { jq -r "select(.type==\"section\")|.id,.content"; }
names() { jq -r 'select(.type=="skill").name'; }
tops() { sed "s|$PWD|TOP|g;s|$HOME|HOME|g"; }
user() { printf '{"role":"user","content":"%s"}\n' "$1"; }
plays() { skillmenu "$@" | jq -r 'select(.id//""|startswith("playbook:"))|.id[9:]'; }

# The menu.
check 'no skills, no word' 'skillmenu </dev/null' <<!
!
skill .agents/skills/beta 'name: beta\ndescription: Does b.'
skill .github/skills/alpha 'name: alpha\ndescription: Does a.'
skill "$HOME/.agents/skills/beta" 'name: beta\ndescription: From home.'
check 'by name; project before home, one of each name' 'skillmenu -q </dev/null | sections' <<!
skills
Menu:

- **alpha**: Does a.
- **beta**: Does b.
!
check 'a record each' 'skillmenu -q </dev/null | tops | head -n 1' <<!
{"type":"skill","name":"alpha","description":"Does a.","path":"TOP/.github/skills/alpha/SKILL.md"}
!
check 'shadowing is reported' 'skillmenu </dev/null 2>&1 >/dev/null | tops' <<!
skillmenu: HOME/.agents/skills/beta: hidden by TOP/.agents/skills/beta
!
check 'in a session once, or in a dry run' 'mkdir run; export TURNPIPE_RUN=$PWD/run
    for o in -i -i; do skillmenu $o </dev/null 2>&1 >/dev/null | tops; done
    skill "$HOME/.agents/skills/alpha" "name: Alpha\\ndescription: d"; skillmenu </dev/null 2>&1 >/dev/null | tops
    TURNPIPE_DRY=x skillmenu </dev/null 2>&1 >/dev/null | wc -l | tr -d " "
    rm -r "$HOME/.agents/skills/alpha" run' <<!
skillmenu: HOME/.agents/skills/beta: hidden by TOP/.agents/skills/beta
skillmenu: HOME/.agents/skills/alpha/SKILL.md:2:7: expected a name of lower case letters, digits and single inner hyphens
skillmenu: HOME/.agents/skills/alpha/SKILL.md:2:7: expected the name of its directory as name
3
!
rm -r "$HOME/.agents"
# Loaded skills whose text was folded away.
folded='{"type":"state","skills_loaded":["alpha","beta","gone"],"skills_folded":["alpha","gone"]}'
check 'a folded skill is given again, where that is wanted' \
    'echo "$folded" | skillmenu -qr | jq -r "select(.id==\"skill:alpha\").content" | tops
    echo "$folded" | skillmenu -q | grep -c skill:alpha || :' <<!
You loaded this skill earlier in the conversation. Its instructions still apply to the task that you loaded it for. Its directory is TOP/.github/skills/alpha.

Body.
0
!
check '-L: is a skill loaded, and its text not folded away' \
    'for s in alpha beta gone other; do echo "$folded" | skillmenu -L $s && echo $s; done
    printf "%s\n" "$folded" "{\"type\":\"end\"}" | skillmenu --loaded beta; skillmenu -L beta </dev/null || echo $?' <<!
beta
1
!
fails 65 '-L: bad input' 'echo "{" | skillmenu -L beta' <<!
skillmenu: <stdin>:1:2: expected a key in quotes
!
check 'of two folded skills each names its own files, and nothing that a package manager put there' \
    'mkdir a b; for d in a b; do skill $d "name: $d\ndescription: d" $d; : >$d/$d.sh; done
    mkdir a/node_modules; : >a/node_modules/x
    echo "{\"type\":\"state\",\"skills_folded\":[\"a\",\"b\"]}" | skillmenu -qr --set skillmenu.dirs=. |
    jq -r "select(.id//\"\"|startswith(\"skill:\")).content" | grep -v "^You\|^$"; rm -r a b' <<!
a
<skill_resources>
a.sh
</skill_resources>
b
<skill_resources>
b.sh
</skill_resources>
!
check 'for its own conversation only; one that is gone is reported' \
    '{ echo "$folded"; echo "{\"type\":\"end\"}"; user x; } | skillmenu -r 2>err | grep -c "\"skill:"; cat err' <<!
1
skillmenu: skill 'gone': not restored: it is no longer there
!
check 'who replaces what we ship knows it' '
    skill ../share/skills/s "name: s\\ndescription: ours"
    skill "$XDG_CONFIG_HOME/turnpipe/skills/s" "name: s\\ndescription: yours"
    skillmenu -i </dev/null | sections; rm -r ../share/skills "$XDG_CONFIG_HOME/turnpipe/skills"' <<!
skills
- **alpha**: Does a.
- **beta**: Does b.
- **s**: yours
!
check 'from below the root the same' 'cd sub && skillmenu </dev/null | names' <<!
alpha
beta
!
skill sub/.agents/skills/beta 'name: beta\ndescription: Nearer.'
check 'the nearest wins' 'cd sub && skillmenu -q </dev/null | sections | tail -n 1' <<!
- **beta**: Nearer.
!
rm -rf sub/.agents
check 'without words before it' 'skillmenu -i </dev/null | sections' <<!
skills
- **alpha**: Does a.
- **beta**: Does b.
!
mkdir -p c/turnpipe; echo 'skillmenu: {menu_bytes: 25}' >c/turnpipe/settings.yaml
check 'what does not fit is counted, and reported' \
    'XDG_CONFIG_HOME=$PWD/c skillmenu </dev/null 2>err | sections | cut -c 1-20; cat err' <<!
skills
Menu:

- **alpha**: Does a.
Skills that are not 
skillmenu: menu: 1 left out, over 25 bytes
!
rm -rf c
rm -rf .github
skill .agents/skills/beta 'name: beta\ndescription: A < B & "C"\n  and </skills>\n\n  more'
check 'the XML form has each value as it is' 'skillmenu -f xml </dev/null | sections | tops' <<!
skills
Menu:

<skill>
<name>beta</name>
<description>A < B & "C" and </skills> more</description>
<location>TOP/.agents/skills/beta/SKILL.md</location>
</skill>
!
check 'what a description may hold, in brief' 'skillmenu -i -f brief </dev/null | sections | tail -n +2' <<!
  <skill>
    <name>beta</name>
    <description>A < B & "C" and </skills> more</description>
  </skill>
!
mkdir -p c/turnpipe/prompts
echo '* {{name}} in {{dir}}' >c/turnpipe/prompts/skills-mine.md
check 'a form of one'\''s own' 'XDG_CONFIG_HOME=$PWD/c skillmenu -i -f mine </dev/null | sections | tops' <<!
skills
* beta in TOP/.agents/skills/beta
!
rm -rf c
fails 64 'not a form' 'skillmenu -f yaml </dev/null 2>err >out; s=$?; head -n 1 err >&2; cat out; exit $s' <<!
skillmenu: no form 'yaml'
!
check 'an item that an empty file switches off: no menu' \
    'mkdir -p c/turnpipe/prompts; : >c/turnpipe/prompts/skills-opal.md
    XDG_CONFIG_HOME=$PWD/c skillmenu -q </dev/null | sections; rm -r c' <<!
!
fails 78 'settings with an unknown form' 'mkdir -p c/turnpipe; echo "skillmenu: {format: yaml}" >c/turnpipe/settings.yaml
    XDG_CONFIG_HOME=$PWD/c skillmenu -q </dev/null >out || { s=$?; grep error out; exit $s; }' <<!
skillmenu: $PWD/c/turnpipe/settings.yaml:1:21: expected the FORM of a prompts/skills-FORM.md
!
check 'switched off' 'mkdir -p c/turnpipe; echo "skillmenu: {enabled: false}" >c/turnpipe/settings.yaml
    XDG_CONFIG_HOME=$PWD/c skillmenu </dev/null' <<!
!
rm -rf .agents c "$HOME/.agents"

# Where they are found.
n=0
for d in .agents .github .claude .opal "$HOME/.agents" "$HOME/.opal" "$HOME/.claude"; do
	n=$((n + 1))
	skill "$d/skills/s$n" "name: s$n\ndescription: $d"
done
skill "$XDG_CONFIG_HOME/turnpipe/skills/s8" 'name: s8\ndescription: user'
skill ../share/skills/s9 'name: s9\ndescription: share'
skill extra/e 'name: e\ndescription: extra'
skill extra/s1 'name: s1\ndescription: first of all'
check 'all places' 'echo $(skillmenu -q --set skillmenu.dirs=extra </dev/null | names)' <<!
e s1 s2 s3 s4 s5 s6 s7 s8 s9
!
mkdir -p "$XDG_CONFIG_HOME/turnpipe/skills/s9"
: >"$XDG_CONFIG_HOME/turnpipe/skills/s9/SKILL.md"
check 'an empty file switches off, without a word' 'skillmenu </dev/null | names | grep -c s9 || true' <<!
0
!
echo 'skillmenu: {dirs: [~/more, extra], project: []}' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
skill "$HOME/more/m" 'name: m\ndescription: more'
check 'directories of the settings' 'echo $(skillmenu </dev/null | names)' <<!
e m s1 s5 s6 s7 s8
!
rm -rf "$HOME"/.[a-z]* "$HOME/more" .agents .github .claude .opal ../share/skills extra
skill one/x 'name: x\ndescription: d'
skill one/node_modules 'name: node_modules\ndescription: d'
mkdir -p one/sub/deep .claude .agents
skill one/sub/deep 'name: deep\ndescription: d'
echo text >one/file
mkdir one/empty
ln -s ../one .agents/skills
ln -s ../one .claude/skills
ln -s . one/loop
ln -s nowhere one/dangling
check 'links to directories; plain files, empty directories; one level; once each; no word about other files' \
    'skillmenu </dev/null | names' <<!
x
!
ln -s self one/self
check 'a link to itself is reported' 'skillmenu </dev/null 2>&1 | tops | head -n 1' <<!
skillmenu: TOP/.agents/skills/self: Too many levels of symbolic links; skipped
!
check 'or not' 'skillmenu -q </dev/null | names' <<!
x
!
mkdir -p c/turnpipe; echo 'skillmenu: {quiet: true}' >c/turnpipe/settings.yaml
check 'or never' 'XDG_CONFIG_HOME=$PWD/c skillmenu </dev/null | names' <<!
x
!
rm -rf .agents .claude one c

# One doubtful or broken skill at a time: what is reported, and is it taken?
# t/prompt/skill.c tests front matter in full.
ask() { skillmenu "$@" </dev/null 2>&1 >out | sed "s|$PWD/||;s|\.agents/skills/||"; jq -r 'select(.type=="skill")|"has "+.name' out; }
one() {	# NAME, front matter, options; expected text on stdin
	skill .agents/skills/x "$2"
	check "$1" "ask ${3-}"
	rm -rf .agents
}
one 'no description' 'name: x' <<!
skillmenu: x/SKILL.md:2:1: expected a description; skipped
!
one 'another name than the directory is reported and taken' 'name: y\ndescription: d' <<!
skillmenu: x/SKILL.md:2:7: expected the name of its directory as name
has y
!
one 'no name but the directory'\''s' 'description: d' <<!
skillmenu: x/SKILL.md:2:1: expected a name
has x
!
one 'strictly, that is reported and skipped' 'name: y\ndescription: d' '-c .agents/skills/x' <<!
skillmenu: x/SKILL.md:2:7: expected the name of its directory as name
!
one 'an unquoted colon is fixed' 'name: x\ndescription: Use this: now' <<!
skillmenu: x/SKILL.md:3:22: expected no ':' here: quote the value or fix the indentation
has x
!
one 'a surrogate pair as escapes in a flow map lost the skill' \
    'name: x\ndescription: d\nmetadata: {x: "\\ud83d\\ude00"}\nlicense: MIT' <<!
skillmenu: x/SKILL.md:4:18: expected a character, not half of a surrogate pair; this key is left out
has x
!
one 'an unquoted colon on a continuation line lost the skill' \
    'name: x\ndescription: d\ncompatibility: needs\n  ray: 2 or later' <<!
skillmenu: x/SKILL.md:5:6: expected no ':' here: quote the value or fix the indentation
has x
!
one 'brackets in a flow list lost the skill' \
    'name: x\ndependencies: [ray[data]]\ndescription: d' <<!
skillmenu: x/SKILL.md:3:19: expected ',' or ']'; this key is left out
has x
!
one 'strictly they still do' \
    'name: x\ndependencies: [ray[data]]\ndescription: d' '-c .agents/skills/x' <<!
skillmenu: x/SKILL.md:3:19: expected ',' or ']'
!
one 'of two broken keys none is left out' \
    'name: x\ndescription: d\na: [b[c]]\nd: [e[f]]' <<!
skillmenu: x/SKILL.md:4:6: expected ',' or ']'; skipped
!
one 'a broken description loses the skill' 'name: x\ndescription: [b[c]]' <<!
skillmenu: x/SKILL.md:3:16: expected ',' or ']'; skipped
!
one 'what hides a skill is not left out' \
    'name: x\ndescription: d\ndisable-model-invocation: [b[c]]' <<!
skillmenu: x/SKILL.md:4:29: expected ',' or ']'; skipped
!
one 'hidden from the model' 'name: x\ndescription: d\ndisable-model-invocation: true' <<!
!
one 'unknown keys pass' 'name: x\ndescription: d\nglobs: 42\nlicense: MIT\nmetadata:\n  author: a' <<!
has x
!
one 'strictly, they do not' 'name: x\ndescription: d\nglobs: 42' '-c .agents/skills/x' <<!
skillmenu: x/SKILL.md:4:1: expected name, description, license, compatibility, metadata or allowed-tools, found "globs"
!
one 'a value that names no tool is reported' 'name: x\ndescription: d\nallowed-tools: 42' <<!
skillmenu: x/SKILL.md:4:16: expected names of tools
has x
!
mkdir -p .agents/skills/x
printf 'no front matter\n' >.agents/skills/x/SKILL.md
check 'no front matter' ask <<!
skillmenu: x/SKILL.md:1:1: expected front matter; skipped
!
: >.agents/skills/x/SKILL.md
check 'nothing at all' ask <<!
skillmenu: x: expected front matter; skipped
!
rm -rf .agents
skill .agents/skills/технавык 'name: технавык\ndescription: d'
check 'letters of any script' ask <<!
has технавык
!
rm -rf .agents
mkdir -p .agents/skills/x
printf '\357\273\277---\r\nname: x\r\ndescription: d\r\nallowed-tools:\r\n  - Read\r\n  - Bash(git:*)\r\n---\r\nB\r\n' >.agents/skills/x/SKILL.md
check 'BOM, CRLF and a list of tools' 'skillmenu </dev/null | jq -c "select(.name).allowed_tools"' <<!
["Read","Bash(git:*)"]
!
rm .agents/skills/x/SKILL.md
mkfifo .agents/skills/x/SKILL.md
check 'a FIFO does not stall' ask <<!
skillmenu: x/SKILL.md: not a regular file; skipped
!
rm .agents/skills/x/SKILL.md
{
	printf -- '---\na0: &a0 [x, x]\n'
	for i in 1 2 3 4 5 6 7 8 9; do
		printf 'a%d: &a%d [*a%d,*a%d,*a%d]\n' $i $i $((i - 1)) $((i - 1)) $((i - 1))
	done
	printf 'name: x\ndescription: d\n---\n'
} >.agents/skills/x/SKILL.md
check 'an alias bomb is one line of warning' ask <<!
skillmenu: x/SKILL.md:2:5: expected a value, not an anchor; skipped
!
{
	printf -- '---\nname: '
	head -c 40000 /dev/zero | tr '\0' '['
	printf '\n---\n'
} >.agents/skills/x/SKILL.md
check '40 kB of brackets are one line of warning' ask <<!
skillmenu: x/SKILL.md:2:70: nested too deeply (limit 64); skipped
!
{ printf -- '---\nname: '; head -c 80000 /dev/zero | tr '\0' '['; } >.agents/skills/x/SKILL.md
check '80 kB of them too' ask <<!
skillmenu: x/SKILL.md:1:1: expected front matter of at most 64 kB; skipped
!
rm -rf .agents; mkdir -p .agents/skills
# Front matter that costs a careless reader time or memory; 60 kB of each.
perl -e 'for my $bit ("[", "{", "{a: ", "- ", "? ", "? - ", "a: ", "\"", "|", "&a ",
    "*a ", "!a ", "[[],", "%", "a", "\x27", "# ", " ", "\t", "\n", "a\n", "a: &b [*b]\n",
    "- - - - -\n", "a: b: c\n", ": \n", "? a\n", "\"\\x", "<<: ", "--- \n...\n",
    "\xe2\x80\xa8", "\xc2\x85", "a: |\n b\n", "a: *\n", "a:\n  b: @\n\n\n", "\0", "\xff") {
	my $d = sprintf ".agents/skills/x%02d", ++$n;
	mkdir $d;
	open F, ">$d/SKILL.md";
	printf F "---\nname: x%02d\ndescription: d\nk: %s\n---\n", $n, $bit x (60000 / length $bit);
}' 
skill .agents/skills/large 'name: large\ndescription: d'
truncate -s 1G .agents/skills/large/SKILL.md
check 'at most a line for each, no stall, no memory' '
    [ -n "${SAN-}" ] || ulimit -v 40000
    timeout 120 skillmenu </dev/null >out 2>err; echo $?
    sed "s|/SKILL.md.*||" err | sort | uniq -d
    { names <out; sed -n "/; skipped/s|.*skills/\([^/]*\)/SKILL.md.*|\1|p" err; } | sort | uniq -c | grep -vc " 1 " || :
    ls .agents/skills | wc -l | tr -d " "; { names <out; grep "; skipped" err; } | wc -l | tr -d " "' <<!
0
0
37
37
!
fails 1 'nor for one of 1 GiB' '[ -n "${SAN-}" ] || ulimit -v 40000; skillmenu -l large' <<!
skillmenu: skill 'large': file too large
!
rm -rf .agents
mkdir -p .agents/skills/x
check 'a link out of the tree is refused, and said' 'ln -sf /dev/zero .agents/skills/x/SKILL.md; ask' <<!
skillmenu: x/SKILL.md: a link that leaves the tree; skipped
!
check 'a disk of zeros is one, too' 'mkdir -p c/turnpipe
    echo "skillmenu: {refuse_outside: false}" >c/turnpipe/settings.yaml
    export XDG_CONFIG_HOME=$PWD/c; ask; rm -r c' <<!
skillmenu: x/SKILL.md:1:1: expected front matter; skipped
!
rm -rf .agents

# Playbooks.
skill .agents/skills/mail 'name: mail\ndescription: d\nmetadata:\n  keywords: [email, INBOX]\n  priority: 5\n  required_tools: [shell, shell]' 'Read it.\n'
skill .agents/skills/cpp 'name: cpp\ndescription: d\nmetadata:\n  keywords: "c++, file, książka"\n  priority: 9' 'Compile.\n'
skill .agents/skills/plain 'name: plain\ndescription: d'
check 'a keyword brings the text' 'user "check my Email please" | skillmenu | grep -v -e role -e plain | tops' <<!
{"type":"skill","name":"mail","description":"d","path":"TOP/.agents/skills/mail/SKILL.md","priority":5,"required_tools":["shell"],"matched":true}
{"type":"section","id":"playbook:mail","title":"mail","source":"TOP/.agents/skills/mail/SKILL.md","volatile":true,"content":"Read it."}
!
check 'only those without keywords stand in the menu' 'skillmenu </dev/null | sections | tail -n +4' <<!
- **plain**: d
!
check 'or all' 'skillmenu -k </dev/null | sections | tail -n +4' <<!
- **cpp**: d
- **mail**: d
- **plain**: d
!
check 'case does not matter' 'user "CHECK MY INBOX" | plays' <<!
mail
!
check 'no word inside a word' 'user "profile meanwhile emails" | plays' <<!
!
check 'ends that are no letters match anywhere' 'user "use C++17" | plays' <<!
cpp
!
check 'boundaries of any script' 'user "Książka?" | plays; user "książkami" | plays' <<!
cpp
!
check 'several: higher priority first' 'user "email the file" | plays' <<!
cpp
mail
!
check 'a playbook that matched and was not shown was left out in silence' \
    'user "email the file" | plays -n 1 2>err; cat err; user "email the file" | plays -qn 1' <<!
cpp
skillmenu: 1 more playbooks match than are shown
cpp
!
check 'all that match, with no limit of bytes' '
    mkdir -p c/turnpipe; echo "skillmenu: {playbook_bytes: 8, playbooks: 1}" >c/turnpipe/settings.yaml
    user "email the file" | XDG_CONFIG_HOME=$PWD/c plays -n all' <<!
cpp
mail
!
check 'none at all' 'user "email the file" | plays -n 0' <<!
!
mkdir -p c/turnpipe; echo 'skillmenu: {playbook_bytes: 8}' >c/turnpipe/settings.yaml
check 'at most so many bytes: the walk goes on' 'user "email the file" | XDG_CONFIG_HOME=$PWD/c plays 2>/dev/null
    user "email the file" | XDG_CONFIG_HOME=$PWD/c skillmenu 2>&1 | grep "^skillmenu"' <<!
cpp
skillmenu: playbook mail: left out, over 8 bytes in all
!
rm -rf c
check 'only what the user says last' '{ user email; user hi; echo "{\"role\":\"assistant\",\"content\":\"email\"}"; } | plays' <<!
!
check 'text parts, and no others' \
    'echo "{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"http://email/\"}},{\"type\":\"text\",\"text\":\"my inbox\"}]}" | plays
    echo "{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"http://email/\"}}]}" | plays' <<!
mail
!
check 'the end of one part and the start of the next are two words' \
    'echo "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"my in\"},{\"type\":\"text\",\"text\":\"box\"},{\"type\":\"text\",\"text\":\"email\"},{\"type\":\"text\",\"text\":\"s\"}]}" | plays' <<!
mail
!
check 'each conversation by itself' '{ user email; echo "{\"type\":\"end\"}"; echo "{\"type\":\"end\"}"; user file; } | plays' <<!
mail
cpp
!
rm -rf .agents
for p in 'email 15 email' 'memory 10 remember' 'cron 10 every' 'research 5 news' 'debug 3 what'\''s broken' 'daily 1 daily briefing'; do
	set -- $p
	name=$1 prio=$2
	shift 2
	skill .agents/skills/$name "name: $name\ndescription: d\nmetadata:\n  keywords: [\"$*\", \"\"]\n  priority: $prio"
done
check 'sentences' 'for s in "check my email please" "give me a daily briefing" "what do you remember about my email?" \
    "what'\''s broken?" "send me one ai news every 2 minutes" "hello, how are you?" ""; do
	echo "$s:" $(user "$s" | plays)
    done' <<!
check my email please: email
give me a daily briefing: daily
what do you remember about my email?: email memory
what's broken?: debug
send me one ai news every 2 minutes: cron research
hello, how are you?:
:
!
rm -rf .agents

# What we ship.
check 'what we ship is valid, strictly' 'skillmenu -c "$TOP"/share/playbooks/* "$TOP"/share/demo/tree/.agents/skills/*' </dev/null
check 'sixteen playbooks that need only shipped tools' \
    'cd "$TOP/share"; ls playbooks | wc -l | tr -d " "
    sed -n "s/^  required_tools: \"\\(.*\\)\"/\\1/p" playbooks/*/SKILL.md | tr " " "\n" | sort -u |
    while read -r t; do [ -x "tools/$t" ] || echo "$t"; done' <<!
16
!
cp -R "$TOP/share/playbooks" ../share/
check 'no shipped playbook is doubtful' 'skillmenu </dev/null 2>&1 >/dev/null'  <<!
!
check 'at most twenty words or phrases a playbook' '
    for f in ../share/playbooks/*/SKILL.md; do
	n=$(sed -n "/^  keywords:/,/^  [vp]/p" "$f" | grep "^    " | tr "," "\n" | grep -c "[a-z]")
	[ "$n" -gt 0 ] && [ "$n" -le 20 ] || echo "$f: $n"
    done' </dev/null
check 'each topic of a message brings its playbook; code none' 'while IFS=: read -r want said; do
	got=$(user "$said" | plays -n all | tr "\n" " ")
	[ "$got" = "${want:+$want }" ] || echo "$said: $got, not $want"
    done <<.
email:Any new mail from Anna?
calendar email:check my inbox and tell me what is on my calendar
memory calendar:Remember that I am allergic to nuts. Also, am I free on Thursday evening?
git testing:Run the test suite, and if it is green commit everything with a short message.
scheduling data web:Download https://example.org/prices.csv, compute the average price per month and remind me every Friday.
code-review:review this PR
testing:why does this test fail?
debugging:it segfaults
writing:translate this letter
git:write a commit message
:Fix the email validation regex in signup.c
.' </dev/null
check 'what came by standard input or from a file never votes' '
    m="{\"role\":\"user\",\"content\":\"debug the crash. Write a commit message\",\"tp\":{\"from\":"
    for f in "[{\"input\":16},{\"typed\":23}]" "[{\"file\":16},{\"channel\":23}]" "[{\"typed\":39}]" "[{\"typed\":16},{\"command\":23}]" "[{\"typed\":9}]"; do
	echo "$f:" $(echo "$m$f}}" | plays); done' <<!
[{"input":16},{"typed":23}]: git
[{"file":16},{"channel":23}]: git
[{"typed":39}]: debugging git
[{"typed":16},{"command":23}]: debugging
[{"typed":9}]:
!
skill .agents/skills/two 'name: two\ndescription: d\nmetadata:\n  keywords: alpha\n  vetoes: omega'
check 'a veto ends its clause, not the message' 'for s in "alpha omega" "alpha, omega" "omega; alpha" "omega and alpha" "alpha then omega" "alpha of omega"; do
	echo "$s:" $(user "$s" | plays); done' <<!
alpha omega:
alpha, omega: two
omega; alpha: two
omega and alpha: two
alpha then omega: two
alpha of omega:
!
rm -r .agents/skills/two
skill .agents/skills/odd 'name: odd\ndescription: d\nmetadata:\n  keywords: ["... x|", "@me"]\n  vetoes: "... y|, x"'
check 'a keyword that can never match is reported; @me is a word' 'ask -k; user "ask @me" | plays -q' <<!
skillmenu: odd/SKILL.md: keyword '... x|': expected a word that must be there
skillmenu: odd/SKILL.md: keyword '... y|': expected a word that must be there
has odd
odd
!
rm -rf .agents
check 'each answers to its own, none to small talk' 'while IFS=: read -r want said; do
	got=$(user "$said" | plays | tr "\n" " ")
	[ "$got" = "${want:+$want }" ] || echo "$said: $got, not $want"
done <"$TOP/t/data/playbooks"' <<!
!
check 'playbooks stand in the menu with -p or playbook_menu, and not with -k' 'skillmenu -k </dev/null | wc -c | tr -d " "
    skillmenu -ip </dev/null | jq -r "select(.id==\"skills\").content" | cut -d : -f 1 | paste -sd " " -
    mkdir -p c/turnpipe; echo "skillmenu: {playbook_menu: true}" >c/turnpipe/settings.yaml
    XDG_CONFIG_HOME=$PWD/c skillmenu </dev/null | grep -c "\"skill\""; rm -r c' <<!
0
- **briefing** - **calendar** - **code-review** - **data** - **debugging** - **email** - **files** - **git** - **memory** - **planning** - **research** - **scheduling** - **search** - **testing** - **web** - **writing**
16
!
check 'with -p their text comes only when the model loads it; a skill with keywords elsewhere still by itself' '
    skill .agents/skills/two "name: two\ndescription: d\nmetadata:\n  keywords: inbox"
    user "check my inbox" | plays; user "check my inbox" | plays -kp; rm -r .agents/skills/two' <<!
email
two
two
!

# The same at each look, whatever order the directory has.
for n in alpha beta gamma; do skill .agents/skills/$n "name: $n\ndescription: d\nmetadata:\n  keywords: [qwertz]"; done
check 'alpha, beta, gamma; the same at each look; ties in order' \
    'user "qwertz" | skillmenu -k >one; user "qwertz" | skillmenu -k | cmp - one; echo $(names <one)' <<!
alpha beta gamma alpha beta gamma
!
rm -rf .agents

# Loading one.
skill '.agents/skills/mail' 'name: mail\ndescription: d' 'See </skill_content> <b> {{name}} $& form.txt.\n\n'
check 'a text alone' 'skillmenu -l mail | tops | sed "s/\(_content-\)[0-9a-f]*/\1X/"' <<!
<skill_content-X name="mail" directory="TOP/.agents/skills/mail">
See </skill_content> <b> {{name}} \$& form.txt.
</skill_content-X>
!
mkdir -p .agents/skills/mail/scripts/lib .agents/skills/mail/.git
touch .agents/skills/mail/scripts/lib/x.sh .agents/skills/mail/scripts/a.sh .agents/skills/mail/form.txt \
    '.agents/skills/mail/<x>' .agents/skills/mail/.git/config
ln -s / .agents/skills/mail/root
check 'its files are named' 'skillmenu -l mail | sed -n "/resources/,/resources/p"' <<!
<skill_resources>
<x>
form.txt
root
scripts/a.sh
scripts/lib/x.sh
</skill_resources>
!
mkdir -p c/turnpipe; echo 'skillmenu: {resources: 2}' >c/turnpipe/settings.yaml
check 'at most so many' 'XDG_CONFIG_HOME=$PWD/c skillmenu -l mail | sed -n "/resources/,/resources/p"' <<!
<skill_resources>
<x>
form.txt
... (5)
</skill_resources>
!
rm -rf c
check 'a tree of directories without end is left' 'm=.agents/skills/mail
    mkdir -p $m/a $m/z; touch $m/z/late
    perl -e "chdir shift; mkdir \$_ or die for 1 .. 2000" $m/a
    skillmenu -l mail | grep -e ^form -e late; rm -r $m/a $m/z' <<!
form.txt
!
skill .agents/skills/pdf-tools 'name: PDF\ndescription: d'
check 'by the directory, where that is another name' 'skillmenu -l PDF >one
    skillmenu -l pdf-tools | cmp - one && echo same; cat one | head -n 1 | cut -c 1-25; rm -r .agents/skills/pdf-tools' <<!
same
<skill_content name="PDF"
!
check 'a playbook, too' 'skillmenu -l git | tail -n 2 | cut -c 1-12' <<!
5. Push, for
</skill_cont
!
skill .agents/skills/secret 'name: secret\ndescription: d\ndisable-model-invocation: true'
rm -rf ../share/playbooks
fails 1 'what is hidden is not there; what is there is named' 'skillmenu -l secret' <<!
skillmenu: no skill 'secret'; there are: mail
!
rm -rf .agents
fails 1 'there may be none' 'skillmenu -l nope' <<!
skillmenu: no skill 'nope'; there are: none
!

# The validator.
skill good 'name: good\ndescription: d'
skill bad 'name: Bad\ndescription: d\nx: y'
check 'a directory, its file, or where we are' 'skillmenu -c good good/ good/SKILL.md && cd good && skillmenu -c . SKILL.md ../good' <<!
!
fails 1 'every fault' 'skillmenu -c good bad' <<!
skillmenu: bad/SKILL.md:2:7: expected a name of lower case letters, digits and single inner hyphens
skillmenu: bad/SKILL.md:2:7: expected the name of its directory as name
skillmenu: bad/SKILL.md:4:1: expected name, description, license, compatibility, metadata or allowed-tools, found "x"
!
fails 1 'what is not there' 'skillmenu -c nowhere sub' <<!
skillmenu: nowhere: no SKILL.md
skillmenu: sub: no SKILL.md
!
echo text >plain
fails 1 'a file instead of a directory' 'skillmenu -c plain' <<!
skillmenu: plain: no SKILL.md
!
fails 64 'nothing to check' 'skillmenu -c 2>err >out; s=$?; head -n 1 err >&2; cat out; exit $s' <<!
skillmenu: -c: expected a skill
!

fails 65 'a broken line' 'echo "[" | skillmenu' <<!
skillmenu: <stdin>:1:2: expected a value
!
fails 74 'a full disk' 'user hi | skillmenu >/dev/full' <<!
skillmenu: write <stdout>: No space left on device
!
check 'two things at once' 'skillmenu -l good -c good 2>&1 >/dev/null | head -n 1' <<!
skillmenu: -c, -l, -L and -t exclude each other
!
check 'a text that cannot be made is no error record' \
    'mkdir -p c/turnpipe/prompts; : >c/turnpipe/prompts/skill.md
    XDG_CONFIG_HOME=$PWD/c skillmenu --set skillmenu.dirs=. -l good 2>&1 || echo $?; rm -r c' <<!
skillmenu: prompts/skill.md: expected a template
78
!
fails 74 'also for a text' 'skillmenu --set skillmenu.dirs=. -l good >/dev/full' <<!
skillmenu: write <stdout>: No space left on device
!
fails 64 'an operand' 'skillmenu x 2>err >out; s=$?; head -n 1 err >&2; cat out; exit $s' <<!
skillmenu: expected no operand
!
