#!/bin/sh
. "${0%/*}/../lib.sh"

export TURNPIPE_SHARE="$TOP/share" TURNPIPE_NOW=2026-11-21T09:30:00Z
F=$XDG_DATA_HOME/turnpipe/facts
mkdir -p proj/.git; cd proj

# fact TEXT [FIELDS]: a record.
fact() { printf '{"type":"fact","text":"%s","category":"preference"%s}\n' "$@"; }
say() { printf '{"role":"user","content":"%s"}\n' "$1"; }

check 'a bad line is reported once, though -L reads the file twice' '
    mkdir -p o/turnpipe/facts; { echo "{bad"; fact "Has a dog."; } >o/turnpipe/facts/user.jsonl
    XDG_DATA_HOME=$PWD/o factfind -L 2>&1 | grep -c user.jsonl:1' <<!
1
!
check 'a record of the stream comes after all lines of the file, whatever their numbers are' '
    id=$(fact "Has a dog." | XDG_DATA_HOME=$PWD/n factfind -a; XDG_DATA_HOME=$PWD/n factfind -L | sed "s/ .*//")
    n() { grep -c "\"section\"" || :; }
    { for i in 1 2 3 4 5 6; do fact "Line $i is here."; done; fact "Has a dog." ",\"id\":\"$id\""; } >o/turnpipe/facts/user.jsonl
    { echo "{\"type\":\"fact\",\"id\":\"$id\",\"forgotten\":true}"; say "the dog?"; } | XDG_DATA_HOME=$PWD/o factfind | n
    say "the dog?" | XDG_DATA_HOME=$PWD/o factfind | n
    rm -r o n' <<!
0
1
!
check 'nothing is known' 'say "what of tea?" | factfind' <<!
{"role":"user","content":"what of tea?"}
!
check 'a fact keeps its session, and that output of tools was in view' \
    'echo "{\"type\":\"fact\",\"text\":\"Kept.\",\"tool_output\":true}" |
    XDG_DATA_HOME=$PWD/kept TURNPIPE_SESSION=/x/y/20261121-a.jsonl factfind -a
    XDG_DATA_HOME=$PWD/kept factfind -jL | jq -c "[.text,.session,.tool_output]"' <<!
["Kept.","20261121-a",true]
!
check 'a question without a terminal counts as no' 'factfind -q tea; echo $?' <<!
1
!
check 'facts go to the file of their scope' \
    '{ fact "Likes green tea."; fact "Builds with make." ",\"scope\":\"project\""; fact "Asks little." ",\"scope\":\"agent\"";
       fact "Fixed the wrap." ",\"scope\":\"episode\",\"confidence\":\"0.8\""; } | factfind --add; cd "$F"; ls | sed s/-[0-9a-f]*.jsonl/-HASH.jsonl/; sed "s/\"id\":\"[0-9a-f]\{16\}\"/ID/" user.jsonl episode*' <<!
agent-default.jsonl
episode-proj-HASH.jsonl
lock
project-proj-HASH.jsonl
user.jsonl
{"type":"fact",ID,"text":"Likes green tea.","category":"preference","confidence":1,"scope":"user","time":"2026-11-21T09:30:00Z"}
{"type":"fact",ID,"text":"Fixed the wrap.","category":"preference","confidence":0.8,"scope":"episode","time":"2026-11-21T09:30:00Z"}
!
check 'for the user alone' 'stat -c %a "$F/user.jsonl" "$F"' <<!
600
700
!
check 'a list' 'factfind --list | cut -c19-' <<!
user     preference  Likes green tea.
project  preference  Builds with make.
agent    preference  Asks little.
episode  preference  Fixed the wrap.
!
check 'a list of records' 'factfind -L -j | jq -r .scope' <<!
user
project
agent
episode
!
check 'a section per scope, before the end' \
    '{ say "fixed the tea?"; echo "{\"type\":\"end\"}"; } | factfind | tail -3' <<!
{"type":"section","id":"facts:user","volatile":true,"content":"- Likes green tea. (preference)"}
{"type":"section","id":"facts:episode","volatile":true,"content":"- Fixed the wrap. (preference)"}
{"type":"end"}
!
check 'only the last message of the user counts' \
    '{ say tea; echo "{\"role\":\"assistant\",\"content\":\"tea\"}"; say make; } | factfind | jq -r "select(.type).id"' <<!
facts:project
!
check 'a message in parts' \
    'printf "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"TEA\"}]}\n" | factfind | grep -c section' <<!
1
!
check 'two conversations know nothing of each other' \
    '{ say tea; echo "{\"type\":\"end\"}"; say nothing; echo "{\"type\":\"end\"}"; } | factfind | grep -c section' <<!
1
!
check 'words that tell nothing find nothing' 'say "what is the with and of" | factfind | grep -c section || true' <<!
0
!
fact 'Room 44 has port 22 open' ',"scope":"agent"' | factfind -a
fact 'Keeps work in C:\\' ',"scope":"agent"' | factfind -a
check 'a text ends where it ends' 'factfind -q "preference confidence" || echo none; factfind -q work; factfind -F "$(factfind -L | sed -n "/Keeps/s/ .*//p")"' <<!
none
- Keeps work in C:\\ (preference)
!
check 'a short number is a word' 'factfind -q "what is in 44?"; factfind -q 22 | wc -l; factfind -q "is 4" || echo none; factfind -F "$(factfind -L | sed -n "/Room/s/ .*//p")"' <<!
- Room 44 has port 22 open (preference)
1
none
!
check 'a fact is one line' 'printf "%s\n" "{\"type\":\"fact\",\"text\":\"a\\n\\u001b[1m\\u2028 b\",\"category\":\"contact\"}" >odd
    XDG_DATA_HOME=$PWD/odd.d factfind -a <odd; XDG_DATA_HOME=$PWD/odd.d factfind -A user </dev/null | jq -r "select(.type==\"section\").content"' <<!
- a [1m b (contact)
!
check 'the same fact is known, however it is written' \
    'fact " likes  GREEN tea" | factfind -a 2>&1' <<!
factfind: known already: likes GREEN tea
!
check 'a fact twice in one batch' \
    '{ fact "Sleeps late"; fact "sleeps late."; } | factfind -a 2>&1; factfind -q sleeps' <<!
factfind: known already: sleeps late.
- Sleeps late (preference)
!
check 'facts of the stream count, and pass' \
    '{ fact "Drinks coffee"; say "coffee"; } | factfind' <<!
{"type":"fact","text":"Drinks coffee","category":"preference"}
{"role":"user","content":"coffee"}
{"type":"section","id":"facts:user","volatile":true,"content":"- Drinks coffee (preference)"}
!
check 'two of them are two' \
    '{ fact "Drinks coffee"; fact "Roasts coffee"; say coffee; } | factfind | grep -o "content\":\"-.*"' <<!
content":"- Roasts coffee (preference)\n- Drinks coffee (preference)"}
!
id=$(factfind -L | sed -n '/green/s/ .*//p')
check 'forgotten: gone from lists and answers, not from the file' \
    'factfind -F $id; factfind -L | grep -c green || true; factfind -q tea || echo none; grep -c green "$F/user.jsonl"; tail -1 "$F/user.jsonl"' <<!
0
none
1
{"type":"fact","id":"$id","forgotten":true,"time":"2026-11-21T09:30:00Z"}
!
check 'forgotten facts are not known' 'fact "Likes green tea." | factfind -a; factfind -q tea' <<!
- Likes green tea. (preference)
!
check 'corrected' 'factfind --correct $id "Likes black tea."; factfind -q tea; factfind -L -j | jq -c "select(.text|test(\"black\"))|[.scope,.confidence,.source]"' <<!
- Likes black tea. (preference)
["user",1,"correction"]
!
check 'corrected to the same words' \
    'id=$(factfind -L | sed -n "/black/s/ .*//p"); factfind -C $id "likes black TEA"; factfind -q tea; factfind -L | grep -c -i black' <<!
- likes black TEA (preference)
1
!
check 'corrected to what is known already' \
    'id=$(factfind -L | sed -n "/black/s/ .*//p"); factfind -C $id "Sleeps late"; factfind -q tea || echo none; factfind -L | grep -c Sleeps' <<!
none
1
!
fails 1 'forget what is not there' 'factfind -F 01234567' <<!
factfind: 01234567: no such fact
!
fails 65 'correct to nothing' 'factfind -C $(factfind -L | sed -n "1s/ .*//p") "  "' <<!
factfind: expected a text
!

# Order.
rm -r "$F"
{ fact 'tea tea tea and much else in a long sentence of many words'; fact 'tea'
  fact 'coffee and tea'; fact 'coffee'; fact 'water'; } | factfind -a
check 'rarer words weigh more, shorter facts go first' 'factfind -q "coffee tea"' <<!
- coffee and tea (preference)
- coffee (preference)
- tea (preference)
- tea tea tea and much else in a long sentence of many words (preference)
!
check 'at most so many' 'factfind -n 1 -q "coffee tea"' <<!
- coffee and tea (preference)
!
rm -r "$F"
for i in 1 2 3 4 5 6 7; do fact "alpha beta$i"; done | factfind -a
check 'five by default' 'say "alpha" | factfind | jq -r "select(.type).content" | wc -l' <<!
5
!
rm -r "$F"
{ fact 'Builds with make -j2.'; fact 'tea'; fact 'Die Häuser sind alt.'; } | factfind -a
check 'a fact is found by other forms of its words, of the language that the settings name' '
    factfind -q "Fix the failing build"; factfind -q "the tests that were building"
    factfind -q Haus || factfind --set language=german -q Haus
    factfind --set language= -q build || echo none' <<!
- Builds with make -j2. (preference)
- Builds with make -j2. (preference)
- Die Häuser sind alt. (preference)
none
!
check 'the words that end a long query count' '{ seq -f "word%gx" 3000; echo building; } >long
    factfind -q "$(cat long)"; factfind -q "$(sed 1d long) $(seq -f "w%g" 30)"' <<!
- Builds with make -j2. (preference)
- Builds with make -j2. (preference)
!
fails 78 'a language that libstemmer does not know' 'factfind --set language=klingon -q build >out' <<!
factfind: --set language: expected a language that libstemmer knows
!
rm -r "$F"
{ fact 'alpha one' ',"time":"2026-01-01T00:00:00Z"'
  fact 'alpha two' ',"time":"2026-03-01T00:00:00Z","confidence":0.7'
  fact 'alpha three' ',"time":"2026-03-01T00:00:00Z","confidence":0.9'
  fact 'alpha four' ',"time":"2026-02-01T00:00:00Z"'; } | factfind -a
check 'equals: the newer, then the surer' 'factfind -q alpha; factfind -n 2 -q alpha' <<!
- alpha three (preference)
- alpha two (preference)
- alpha four (preference)
- alpha one (preference)
- alpha three (preference)
- alpha two (preference)
!
rm -r "$F"
{ fact 'Wohnt in Łódź, ÄRZTIN.'; fact 'Спит ДОЛГО'; fact '東京に住んでいる'; fact 'a \"quoted\\\\ word\nand \u00e9t\u00e9'; } | factfind -a
check 'any script, without regard to case' \
    'for q in łódź ärztin долго 東京 QUOTED word ÉTÉ; do factfind -q $q | cut -d" " -f2; done' <<!
Wohnt
Wohnt
Спит
東京に住んでいる
a
a
a
!
check 'one line each' "factfind -q été" <<!
- a "quoted\\\\ word and été (preference)
!

# What is in a file that is no fact.
rm -r "$F"
fact 'alpha' | factfind -a
{ echo '{"type":"fact"'; echo '{"type":"fact","id":"00000000","text":"alpha beta","category":"odd"}'
  echo '{"text":"alpha by hand"}'; printf '{"type":"fact","id":"00000001","text":"torn al'; } >>"$F/user.jsonl"
check 'a bad line is reported at its place, the others count' \
    'factfind -q alpha 2>&1 | sed "s|$F|FACTS|"' <<!
factfind: FACTS/user.jsonl:2:15: expected ',' or '}'
factfind: FACTS/user.jsonl:3:1: expected preference, background, pattern, project, contact, decision or persona as category
factfind: FACTS/user.jsonl:5:47: expected a closing quote
- alpha (preference)
- alpha by hand (background)
!
check 'a torn last line does not swallow the next' \
    'fact "gamma" | factfind -a 2>/dev/null; factfind -q gamma 2>/dev/null' <<!
- gamma (preference)
!
rm -r "$F"

# Parallel writers say nothing twice.
pids=
for i in 1 2 3 4 5 6 7 8; do
	{ fact 'the same'; fact "number $i"; } | factfind -a 2>/dev/null &
	pids="$pids $!"
done
for pid in $pids; do wait "$pid"; done
check 'parallel writers' 'factfind -L | wc -l; factfind -L | grep -c same' <<!
9
1
!
fails 69 'nothing is kept of a conversation that failed' \
    '{ fact "bad one"; echo "{\"type\":\"error\",\"code\":69,\"message\":\"x\"}"; } | factfind -a; st=$?; factfind -q bad; exit $st' <<!
!
check 'but of the others' \
    '{ fact "bad two"; echo "{\"type\":\"error\",\"code\":69,\"message\":\"x\"}"; echo "{\"type\":\"end\"}"; fact "good two"; } | factfind -a; echo $?; factfind -q two' <<!
69
- good two (preference)
!
fails 65 'a fact without text' 'echo "{\"type\":\"fact\",\"category\":\"pattern\"}" | factfind -a' <<!
factfind: <stdin>:1:1: expected a text
!
fails 65 'in the stream too' 'fact x ",\"confidence\":2" | factfind' <<!
factfind: <stdin>:1:1: expected a confidence from 0 to 1
!
fails 65 'a broken line' 'printf "{}\n" | factfind' <<!
factfind: <stdin>:1:1: expected a type or a role
!
fails 74 'a full disk' 'factfind -L >/dev/full' <<!
factfind: write <stdout>: No space left on device
!
check 'switched off' \
    'mkdir -p cfg/turnpipe; printf "factfind: {enabled: false}\n" >cfg/turnpipe/settings.yaml; say same | XDG_CONFIG_HOME=$PWD/cfg factfind | grep -c section || true' <<!
0
!
check 'no file for a filter that finds none' 'rm -r "$F"; say tea | factfind >/dev/null; ls "$XDG_DATA_HOME" 2>&1 | grep -c facts || true' <<!
0
!

# Whom the agent is to be.
rm -rf "$F"
persona() { printf '{"type":"fact","text":"%s","category":"persona"%s}\n' "$1" "${2-}"; }
who() { say "${1-}" | factfind | jq -r 'select(.id)|.id + ": " + .content, .volatile'; }
{ persona 'Be a butler.'; fact 'Likes a butler.'; persona 'Be a butler and cook.'; } | factfind -a
check 'the last fact of category persona is a section, whatever is asked' 'who
    who butler' <<!
persona: Be a butler and cook.
null
persona: Be a butler and cook.
null
facts:user: - Likes a butler. (preference)
true
!
check 'a query does not find it' 'factfind -q cook; echo $?
    factfind -L | grep -c persona' <<!
1
2
!
check 'forgotten, the one before it goes' 'factfind -F $(factfind -L |
    sed -n "s/ .*cook.*//p"); who; factfind -F $(factfind -L |
    sed -n "s/ .*Be a .*//p"); who' <<!
persona: Be a butler.
null
!
check 'said again after it was forgotten' 'persona "Be a butler." | factfind -a; who' <<!
persona: Be a butler.
null
!
check 'of the user only, not of a project' \
    'persona "Be a bot." ",\"scope\":\"project\"" | factfind -a; who bot' <<!
persona: Be a butler.
null
!
check 'written by hand, and in the stream' \
    'echo "{\"category\":\"persona\",\"text\":\"Be a cat.\"}" >>"$F/user.jsonl"; who
     { persona "Be a dog."; say x; } | factfind | jq -r "select(.id==\"persona\").content"' <<!
persona: Be a cat.
null
Be a dog.
!
check 'none at most: the persona stays' \
    'mkdir -p cfg0/turnpipe; printf "factfind: {max: 0}\n" >cfg0/turnpipe/settings.yaml
     XDG_CONFIG_HOME=$PWD/cfg0 who "a butler"' <<!
persona: Be a cat.
null
!
check 'a malformed persona is reported, and the one before it goes' '
    printf "{\"type\":\"fact\",\"id\":\"00000001\",\"text\":\"Be a bee.\",\"category\":\"persona\",}\n" >>"$F/user.jsonl"
    who 2>&1 | sed "s|^factfind: $F/user.jsonl:[0-9]*|factfind: user:N|"; sed -i "\$d" "$F/user.jsonl"' <<!
factfind: user:N:72: expected a key in quotes
persona: Be a cat.
null
!
check 'the name of an agent is no path, but one of a directory in agents has facts too' 'echo "{\"type\":\"fact\",\"text\":\"x\",\"category\":\"pattern\",\"scope\":\"agent\"}" | TURNPIPE_AGENT=team/x factfind -a >/dev/null
    cd "$F"; ls | grep %' <<!
agent-team%2Fx.jsonl
!
# Each scope with its own number; the user's facts whatever the message.
rm -rf "$F"
{
	for i in 1 2 3; do
		fact "The user's tea no. $i."
		fact "Tea of the project, no. $i." ',"scope":"project"'
	done
	fact 'Cycles to work.'; fact 'The build is slow.' ',"scope":"project"'
} | factfind -a
ids() { factfind "$@" | jq -r 'select(.type == "section") | "\(.id) \(.content | split("\n") | length)"'; }
check 'user facts stood in the prompt only where a word of the message was in them' \
    'say bicycles | ids -A user; say tea | factfind -A user -n 8 | grep -c "Cycles"' <<!
facts:user 4
1
!
check 'the contributors of Ivy shared one number of facts' \
    'say tea | ids -n 4; say tea | ids -n user=1,project=2; say tea | ids --max project=9; say tea | ids -n user=0' <<!
facts:user 1
facts:project 3
facts:user 1
facts:project 2
facts:project 3
!
check 'what fits best goes before what only stands there' \
    'say cycles | factfind -A user -n user=2 | jq -r "select(.id).content"' <<!
- Cycles to work. (preference)
- The user's tea no. 3. (preference)
!
check 'a fact of the stream counts in its own scope' \
    '{ fact "No word of it." ",\"scope\":\"episode\""; say tea; } | ids -A episode -n user=1,episode=1' <<!
facts:user 1
facts:episode 1
!
check 'a query too' 'factfind -A user -n user=2 -q cycles' <<!
- Cycles to work. (preference)
- The user's tea no. 3. (preference)
!
for o in '-A x' '-n x=1' '-n user=x' '-n user=51'; do
	factfind $o </dev/null 2>&1 >/dev/null | head -n 1
done >bad
check 'a scope that there is not' 'cat bad' <<!
factfind: expected user, project, agent or episode, got 'x'
factfind: expected user, project, agent or episode, got 'x'
factfind: -n: expected a whole number from 0 to 50, got 'x'
factfind: -n: expected a whole number from 0 to 50, got '51'
!

# Two texts with one 32-bit FNV-1a.
one='Keeps 377989 bees.' two='Keeps 1786032 bees.'
gone() { printf '{"type":"fact","id":"%s","forgotten":true,"time":"2026-01-02T00:00:00Z"}\n' "$1"; }
texts() { factfind -L -j | jq -r .text; factfind -q bees | wc -l; }
rm -rf "$F"
check 'of two texts with one 32-bit hash the second one was known already' \
    '{ fact "$one"; fact "$two"; } | factfind -a 2>&1; texts
    factfind -L | cut -c1-8 | sort -u | wc -l' <<!
$one
$two
2
1
!
check 'and to forget one forgot both' \
    'factfind -F "$(factfind -L | sed -n "/ 377989/s/ .*//p")"; texts' <<!
$two
1
!
rm -rf "$F"; mkdir -p "$F"
check 'a forgotten with another number of digits is no fact' \
    'gone f3a875db >"$F/user.jsonl"; factfind -q x 2>&1 | sed "s|$F|FACTS|"' <<!
factfind: FACTS/user.jsonl:1:1: expected the id of what is forgotten
!
