#!/bin/sh
# What is worth remembering: of one session at its end, of all that were
# left alone (designs.md 4.9: at least 4 messages, idle for 5 minutes).
. "${0%/*}/../lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test
said() { jq -c '[.scope,.text]' "$XDG_DATA_HOME"/turnpipe/facts/*.jsonl; }
forget() { rm -rf "$XDG_DATA_HOME/turnpipe/facts"; }
# talk WHAT: the four messages that it takes.
talk() {
	for i in 1 2; do
		printf '{"role":"user","content":"I like %s."}\n' "$1"
		printf '{"role":"assistant","content":"Noted."}\n'
	done
}
# old TOPIC [AGENT]: a session that was left alone an hour ago; its path.
old() {
	s=$(histadd --new ${2:+--agent "$2"})
	talk "$1" | histadd "$s"
	touch -d 2026-11-21T11:00:00Z "$s"
	echo "$s"
}
facts='{"text":"{\"facts\":[{\"text\":\"Likes tea.\",\"category\":\"preference\",\"confidence\":0.9},{\"text\":\"May leave.\",\"category\":\"background\",\"confidence\":0.5}],\"episode\":\"They talked of tea.\"}"}'
mkdir .git

mkdir -p "$XDG_CONFIG_HOME/turnpipe"
settings() { printf '%s\n' 'model_small: openai/small' "$@" >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"; }
settings
talk cocoa | head -n 3 | histadd one.jsonl
serve '{"text":"Cocoa."}' '{"text":"Still cocoa."}' "$facts"
check 'a question alone and -c made a second call, and waited for it' \
    'turnpipe -s one.jsonl "so?"; turnpipe -c -s one.jsonl "and now?"; sent' <<!
Cocoa.
Still cocoa.
2
!
check 'the end of a conversation does not wait' \
    'echo /quit | turnpipe -i -s one.jsonl 2>/dev/null; sent' <<!
2
!
check 'but with facts.after: talk' \
    'echo /quit | turnpipe --set facts.after=talk -i -s one.jsonl 2>/dev/null; sent; said' <<!
3
["episode","They talked of tea."]
["user","Likes tea."]
!
check 'what that cost is counted' \
    'turnpipe cost -b agent --csv | cut -d , -f 1,2 | tr -d "\""; turnpipe log -A | grep -c calls || :' <<!
agent,calls
facts,1
0
!
for after in never turn; do
	forget
	settings "facts: {after: $after}"
	serve '{"text":"Noted."}' "$facts"
	check "facts.after: $after, at the end of a conversation" \
	    'talk $after | histadd a-$after.jsonl; printf "so?\n/quit\n" | turnpipe -i -s a-$after.jsonl 2>/dev/null; sent' <<!
Noted.
$(case $after in never) echo 1 ;; turn) echo 2 ;; esac)
!
done
forget
settings 'facts: {after: soon}'
serve '{"text":"Noted."}'
check 'facts.after: an unknown word is reported, and nothing asked' \
    'talk ale | histadd soon.jsonl; turnpipe -s soon.jsonl "so?" 2>&1; sent' <<!
Noted.
turnpipe: facts.after: expected later, talk, turn or never, not 'soon'
1
!
settings 'facts: {after: turn}'
talk tea | head -n 3 | histadd s.jsonl
serve '{"text":"Tea then."}' "$facts"
check "facts.after: turn: a turn alone writes what was sure, and the episode" \
    'turnpipe -s s.jsonl "so?"; said; jq -r .body.model "$REQUESTS"' <<!
Tea then.
["episode","They talked of tea."]
["user","Likes tea."]
test
small
!
check 'and not twice' 'turnpipe-facts s.jsonl; sent' <<!
2
!
serve '{"text":"Hi."}'
check 'two messages are not enough: no request is sent' 'turnpipe -s t.jsonl hi; sent' <<!
Hi.
1
!
serve '{"text":"Hi."}' '{"text":"I have no idea."}' "$facts"
talk rum | histadd u.jsonl
forget
check 'an answer without a list was two lines of complaint; the turn stays good' \
    'turnpipe -s u.jsonl hi 2>&1; said 2>/dev/null || :' <<!
Hi.
factextract: expected a list of facts in the answer: none kept
!
check 'and asked again when there is time' 'turnpipe facts u.jsonl; said | wc -l' <<!
2
!
forget
serve -r "$facts"
one=$(old tea) two=$(old rum) sub=$(old beer task-x)
new=$(histadd --new)
talk milk | histadd "$new"
touch -d 2026-11-21T11:58:00Z "$new"
mkdir other
cd other
mkdir .git
three=$(old wine)
cd ..
check '-l: which sessions would be asked about' \
    'turnpipe facts -l | sort >list; printf "%s\n" "$one" "$two" "$three" | sort | diff - list; sent' <<!
0
!
check 'all sessions of the user that were idle, each once' \
    'cd /; turnpipe facts 2>/dev/null; sent; jq -r ".body.messages[0].content" "$REQUESTS" | grep -o "User: I like [a-z]*" | sort -u
    turnpipe facts; sent; said' <<!
3
User: I like rum
User: I like tea
User: I like wine
3
["episode","They talked of tea."]
["episode","They talked of tea."]
["user","Likes tea."]
!
check 'facts of a project are where it is' 'ls "$XDG_DATA_HOME/turnpipe/facts" | grep -v lock | sed "s/-[0-9a-f]*\.jsonl/-HASH.jsonl/"; ls -l "$XDG_DATA_HOME"/turnpipe/facts/user.jsonl | cut -c1-10' <<!
episode-other-HASH.jsonl
episode-work-HASH.jsonl
user.jsonl
-rw-------
!
check '-i: shorter' 'turnpipe facts -i 60; sent' <<!
4
!
check 'cron: no terminal, HOME and little else' \
    'talk port | histadd "$one"; touch -d 2026-11-21T11:00:00Z "$one"
    env -i HOME="$HOME" PATH="$PATH" TURNPIPE_NOW=$TURNPIPE_NOW OPENAI_API_KEY=x OPENAI_BASE_URL=$OPENAI_BASE_URL /bin/sh -c "turnpipe facts" </dev/null; sent' <<!
5
!
serve '{"status":401,"body":{"error":{"message":"no"}}}'
check 'a call that fails: its status, and the next time again' \
    'talk gin | histadd "$two"; touch -d 2026-11-21T11:00:00Z "$two"
    turnpipe facts 2>/dev/null || echo $?; turnpipe facts -l | wc -l' <<!
77
1
!
check 'one session that cannot be read costs no other its turn' \
    'echo "{]" >>"$one"; touch -d 2026-11-21T11:00:00Z "$one"; turnpipe facts -l 2>err | grep -cx "$two"; sed "s|.*jsonl:|jsonl:|" err | uniq' <<!
1
jsonl:10:2: expected a key in quotes
!
forget
mkdir third
cd third
mkdir .git
four=$(old rye)
cd ..
: >"${four%/*}/20200101T000000Z-00000000.jsonl"
serve -r "$facts"
check 'an empty session at the head of a project: its facts are filed there all the same' \
    'turnpipe facts 2>/dev/null || :; ls "$XDG_DATA_HOME/turnpipe/facts" | grep -c third' <<!
1
!
check 'no session says where it was: reported, and not asked about' \
    'echo "{\"type\":\"session\",\"version\":1}" >"$four"; talk gin | histadd "$four"; touch -d 2026-11-21T11:00:00Z "$four"; before=$(sent)
    turnpipe facts 2>&1 | grep -c "third.*its directory is gone"; [ "$(sent)" = "$before" ]' <<!
1
!
mkdir all
cd all
mkdir .git
(export XDG_STATE_HOME="$PWD/state"; s=$(old rum); for i in $(seq 1500); do cp "$s" "${s%-*}-$(printf %08x "$i").jsonl"; done
touch -d 2026-11-21T11:00:00Z "${s%/*}"/*)
check 'more sessions than fit among the arguments of a program' \
    '(ulimit -s 256; export XDG_STATE_HOME="$PWD/state"; turnpipe facts -l | sort -u | wc -l)' <<!
1501
!
rm -r state
cd ..
{ talk ale; talk ale; talk ale; } | histadd n.jsonl
serve "$facts"
check '-n: turns that are shown' 'turnpipe facts -n 4 n.jsonl
    jq -r ".body.messages[].content" "$REQUESTS" | grep -c "I like ale"' <<!
4
!
echo 'factextract: {enabled: false}' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
serve -r "$facts"
check 'factextract.enabled: false' 'turnpipe facts; turnpipe facts -l; sent' <<!
0
!
fails 64 'an unknown option' 'turnpipe facts -z' <<!
turnpipe: unknown option -z
usage: turnpipe-facts [-Alq] [-i SECONDS] [-M MODEL] [-n TURNS]
                      [SESSION ...]
!
forget
settings
serve "$facts"
s=$(old tea)
check 'later: the next conversation has it asked, and does not wait' \
    'mkfifo in; turnpipe -i -s next.jsonl <in >/dev/null 2>&1 & pid=$!; exec 3>in
    until_ "[ -s \"$XDG_DATA_HOME\"/turnpipe/facts/episodes.jsonl ] || [ \$(said | wc -l) = 2 ]"; exec 3>&-; wait $pid; said' <<!
["episode","They talked of tea."]
["user","Likes tea."]
!
tap_has pty && tap_has python3 || finish
forget
talk cocoa | histadd skip.jsonl
serve '{"text":"x","delay_ms":3600000}'
check 'on a terminal what is waited for is said, and Ctrl-C leaves it for later' \
    'python3 "$TOP/t/attty.py" turnpipe --set facts.after=talk -s skip.jsonl <<E
shows ^>
say exit
shows asking what of this is worth remembering; Ctrl-C leaves that for later
until [ "\$(wc -l <"$REQUESTS")" -eq 1 ]
send \x03
sane
E' <<!
sane
= 0
!
