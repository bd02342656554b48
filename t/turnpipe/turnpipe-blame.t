#!/bin/sh
# turnpipe -n --map, turnpipe -M, turnpipe blame.
. "${0%/*}/../lib.sh"

export TURNPIPE_MODEL=openai/m OPENAI_API_KEY=k TURNPIPE_SHARE="$TOP/share"
export GIT_AUTHOR_DATE='2026-01-02T03:04:05Z' GIT_COMMITTER_DATE='2026-01-02T03:04:05Z'
mkdir 'a tree' && cd 'a tree' || exit 1
git init -q . && git config user.name A && git config user.email a@example.org
printf 'Run the tests.\nSay "done".\n' >AGENTS.md
git add AGENTS.md && git commit -qm 'What to run'
echo 'No tabs, ever.' >>AGENTS.md
cat >../log <<'!'
{"type":"message","role":"user","content":"Look."}
{"type":"message","role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"fetch","arguments":"{\"url\":\"http://x/\"}"}},{"id":"b","type":"function","function":{"name":"shell","arguments":"{\"command\":\"ls\"}"}}]}
{"type":"message","role":"tool","tool_call_id":"a","name":"fetch","content":"A \"page\"\n\u00e9"}
{"type":"message","role":"tool","tool_call_id":"b","name":"shell","content":"AGENTS.md"}
{"type":"message","role":"assistant","content":"Seen."}
!
histadd s.jsonl <../log >/dev/null || exit 1
turnpipe -n -s s.jsonl Next. >../request || exit 1
turnpipe -n --map -s s.jsonl Next. >../map || exit 1

check 'whose the messages are' 'grep message ../map | cut -f 3-' <<!
histfit	message 1 user	-	user
histfit	message 2 assistant	-	model
histfit	message 3 tool fetch	-	web
histfit	message 4 tool shell	-	tool
histfit	message 5 assistant	-	model
histfit	message 6 user	-	user
!
# The bytes of each row, by its numbers.
bytes() {
	while IFS='	' read -r from to rest; do
		tail -c +$((from + 1)) ../request | head -c $((to - from))
		printf '\t%s\n' "${rest#*	}"
	done
}
check 'a row has the bytes that it names' \
    'grep -e "AGENTS.md:" -e "message 3" ../map | bytes | sed "s,$PWD,.,g"' <<'!'
Run the tests.\nSay \"done\".\nNo tabs, ever.	project-context:./AGENTS.md	./AGENTS.md:1	tree
A \"page\"\n\u00e9	message 3 tool fetch	-	web
!
check 'each section and tool is there, each row in the request' '
    cut -f 4 ../map | sort -u >have
    jq -r ".tools[].function.name | \"tool \" + ." <../request | sort >want; comm -13 have want
    grep -c -e "^identity$" -e "^skills$" -e "^clock$" have
    cut -f 1,2 ../map | grep -c -e -; cut -f 1 ../map | sort -nc' <<!
3
0
!
check 'what a rule says is of its file and stage' \
    'turnpipe blame "never with \`sed\`" -s s.jsonl | head -n 1 | cut -f 3- | sed "s,$TOP,.,"' <<!
toolrules	tool-guidelines	./share/rules/20-edit-not-sed.yaml:4	ours
!
check 'blame says the commit' \
    'turnpipe blame "Say \"done\"" | sed "s,.*	ctx,ctx,;s,$PWD,.,g;s/^	[0-9a-f]\{7,\} /COMMIT /"
    turnpipe blame "No tabs" | cut -f 2- | sed 1d' <<!
ctxfind	project-context:./AGENTS.md	./AGENTS.md:2	tree
COMMIT 2026-01-02 A: What to run
not committed
!
check 'blame: a line of a message, and no line' \
    'turnpipe blame "A \"page" -s s.jsonl | cut -f 3-; turnpipe blame "no such words" 2>&1; echo $?' <<!
histfit	message 3 tool fetch	-	web
turnpipe: not in the request: no such words
1
!
check 'a rule that make reads; a blank in a name' '
    turnpipe -M >../made; printf "\t@echo made\n" >>../made; touch -d "2 days ago" request
    grep -c "share/settings.yaml" ../made; grep -c "a. tree/AGENTS.md" ../made
    make -f ../made request; touch request; make -f ../made -q request' <<!
1
1
made
!
check '--map is of a dry run' 'turnpipe --map hi 2>&1 | head -n 1' <<!
turnpipe: -x, --map: expected -n
!
finish
