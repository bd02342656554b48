#!/bin/sh
# What reaches a terminal: each command of the Makefile's lists on one, with
# hostile text in every field of every record and in the files that it reads.
. "${0%/*}/../lib.sh"

tap_has pty && tap_has python3 || skip 'no terminal to be had'
export TURNPIPE_MODEL=openai/test OPENAI_API_KEY=sk-test TURNPIPE_SHOW=2
# An order to the clipboard, C1, a change of direction, a joiner, a tag.
H=$(printf '\033]52;c;eA==\a\302\2331m\342\200\256 a\342\200\215b \363\240\201\201')
export H
mkdir -p .git skills/bad own
{ printf '%s\n' "$H"; } >AGENTS.md
state=$(histadd --new)
S=${state%/*}/20261121T080000Z-0000000a.jsonl
mkdir -p "${S%/*}" "${S%.jsonl}.d/prompts" sub
# Every type of record; the text stands in each field that may have one.
jq -cn --arg h "$H" '
    {type: "session", version: 1, id: $h, cwd: $h, agent: $h, time: $h, path: $h},
    {type: "config", model: "openai/test", title: $h, by: $h},
    {type: "section", id: $h, content: $h, source: $h, tag: $h, title: $h},
    {type: "tool", name: "bad", description: $h, guidance: $h, parameters: {type: "object", description: $h}},
    {type: "skill", name: $h, description: $h, path: $h, keywords: [$h]},
    {type: "agent", name: $h, description: $h},
    {type: "todo", id: "1", text: $h, status: "proposed"},
    {type: "fact", text: $h, category: $h, confidence: 1, scope: "user", source: $h},
    {type: "state", session: $h, turn: 1},
    {type: "reminder", id: $h, content: $h},
    {type: "mark", what: $h, time: $h, by: $h},
    {type: "mark", what: "deferred", id: $h, name: $h, question: $h},
    {type: "message", role: "user", content: $h, channel: $h, sender: $h},
    {type: "usage", model: $h, request: $h, prompt_tokens: 1, completion_tokens: 1, agent: $h, "for": $h},
    {type: "mark", what: "agent-start", agent: $h, session: ($ENV.PWD + "/sub/s.jsonl")},
    {type: "mark", what: "agent-end", agent: $h, session: $h},
    {type: "message", role: "assistant", content: $h, tp: {tags: {title: [$h]}},
	tool_calls: [{id: $h, type: "function", function: {name: $h, arguments: "{\"x\":\"y\"}"}}]},
    {type: "message", role: "tool", tool_call_id: $h, content: $h},
    {type: "mark", what: "deferred", id: $h, name: $h, question: $h},
    {type: $h, text: $h},
    {type: "error", from: $h, code: 1, message: $h}' >stream
cp stream "$S"
grep -v agent-start stream >sub/s.jsonl
jq -cn --arg h "$H" '{type: "request", model: "openai/test", messages: [{role: "system", content: $h},
    {role: "user", content: $h}], tools: [{type: "function", function: {name: "bad", description: $h}}]}' >request
sed 's/test/other/' request >request2
printf -- '---\nname: bad\ndescription: "x %s"\n---\n%s\n' "$(printf '\342\200\256\302\233')" "$H" >skills/bad/SKILL.md
printf -- '---\nname: job\ndescription: "x %s"\n---\n%s\n' "$(printf '\342\200\256\302\233')" "$H" >TASK.md
printf '{"object": "x %s"}\n' "$H" >broken
jq -cn --arg h "$H" '{type: "todo", id: "1", text: $h, status: "proposed"}' >"${S%.jsonl}.d/todo.jsonl"
serve -r "$(jq -cn --arg h "$H" '{text: $h}')"

# Its operands, a line each; a script without one is a fault of this test.
operands() {
	case $1 in
	turnpipe) echo "-n \"\$H\" | -nx \"\$H\" | -n -s \"\$S\" \"\$H\" | -a \"\$H\" x | -P \"\$H\" x | -s \"\$H\" -c x | \"--\$H\"" ;;
	turnpipe--turn) echo "-n -s \"\$S\" -- \"\$H\"" ;;
	turnpipe-accept|turnpipe-deny) echo "\"\$H\"" ;;
	turnpipe-blame) echo "\"\$H\" | identity" ;;
	turnpipe-agents) echo "| --json | \"\$H\"" ;;
	turnpipe-ablate) echo "-s \"\$H\" stream -- cat | \"\$H\" -- cat" ;;
	turnpipe-cases) echo "-a \"\$H\" stream | \"\$H\"" ;;
	turnpipe-agent) echo "-a \"\$H\" -- \"\$H\"" ;;
	turnpipe-clear|turnpipe-compact|turnpipe-todos|turnpipe-plan) echo "| \"\$H\"" ;;
	turnpipe-context|turnpipe-skills|turnpipe-help) echo "| \"\$H\"" ;;
	turnpipe-tools) echo "| -v \"\$H\"" ;;
	turnpipe-model) echo "| \"\$H\" | \"x/\$H\"" ;;
	turnpipe-cost) echo "-b model | -b agent --csv | -b session --json | -s \"\$S\" | -b \"\$H\"" ;;
	turnpipe-diff) echo "request request2 | -p request | -s request request2 | \"\$H\"" ;;
	turnpipe-doctor) echo "-m \"\$H\" | -v | \"\$H\"" ;;
	turnpipe-facts) echo "-l | \"\$H\"" ;;
	turnpipe-fold) echo "-f \"\$S\" | \"\$H\"" ;;
	turnpipe-each) echo "\"\$H\" | -d \"\$H\" \"\$H\"" ;;
	turnpipe-fork) echo "| 1 | \"\$H\" | -n 999 1" ;;
	toolreplay) echo "\"\$S\" | \"\$H\"" ;;
	turnpipe-import) echo "claude \"\$H\" | \"\$H\" \"\$S\" | codex \"\$S\"" ;;
	turnpipe-log) echo "| -A | -p | 1 | -v 1 | -p 1 | --atif 1 | --otlp 1 | \"\$H\" | -n \"\$H\"" ;;
	turnpipe-mcp) echo "-M broken list | -M \"\$H\" list | call \"\$H\" x | help x \"\$H\"" ;;
	turnpipe-models) echo "| \"\$H\" | --json" ;;
	turnpipe-project) echo "| show | path | \"\$H\" | -P \"\$H\" show" ;;
	turnpipe-report) echo "1 | \"\$H\"" ;;
	turnpipe-serve) echo "-a \"\$H\" | \"\$H\"" ;;
	turnpipe-task) echo "-n TASK.md | -s \"\$S\" TASK.md | \"\$H\"" ;;
	turnpipe-undo) echo "| -n | \"\$H\"" ;;
	turnpipe-acp) echo "-m \"\$H\"" ;;
	turnpipe-*) echo "no operands for $1" >&2 ;;
	sharefind) echo "\"\$H\" | -l \"\$H\"" ;;
	taskfile) echo "TASK.md | \"\$H\"" ;;
	todolist) echo "| list | add \"\$H\" | \"\$H\"" ;;
	ttyread) echo "-i \"\$H\"" ;;
	msg) echo "-t | -ta | \"\$H\" | -y mark | -p | -C | -S \"\$H\" | -g \"\$H\"" ;;
	histadd) echo "new.jsonl | \"\$H/\$H\" | -C \"\$S\"" ;;
	histfit|histfold) echo "\"\$S\" | \"\$H\"" ;;
	factextract) echo "\"\$S\" | \"\$H\"" ;;
	promptcompose) echo "| -x \"\$H\" | -k \"\$H\"" ;;
	skillmenu) echo "-d skills | -d skills -p | \"\$H\"" ;;
	ctxfind) echo "| -p | -n \"\$H\"" ;;
	webget|mcphttp) echo "\"\$H\"" ;;
	intree) echo "AGENTS.md -- true | \"\$H\" -- cat" ;;
	toolhold) echo "-M broken true | -c \"\$H\" x" ;;
	agentpool) echo "-- sh -c 'echo seen' | -l \"\$H/\" -- true" ;;
	chanrun) echo "-d chats -- sh -c 'cat >/dev/null'" ;;
	score|scorediff) echo "\"\$H\" | stream" ;;
	shard) echo "1/2 | \"\$H\"" ;;
	llmcall) echo "-n | -m \"\$H\" | \"\$H\"" ;;
	*) echo "| \"\$H\" | \"-\$H\"" ;;
	esac
}
: >commands
for c in $(make -s -C "$TOP" -f - list <<'!'
include Makefile
list:
	@echo $(CMDS) $(SCRIPTS) $(LINKS)
!
); do
	operands "$c" | tr '|' '\n' | while IFS= read -r o; do
		printf "echo '== %s %s'; %s %s <stream\n" "$c" "$(printf %s "$o" | tr "'" ' ')" "$c" "$o"
		printf "%s %s <broken\n" "$c" "$o"
	done
done >commands
export S
check 'no command lets a terminal obey, hide or reorder text of others' \
    'python3 "$TOP/t/onpty.py" -- sh ./commands >seen || :
    grep -c "^== " seen | awk "{ print (\$1 > 100) }"
    # Faint and its end are ours, the pause of a line too.
    perl -CSD -ne "\$c = \$_ if /^== /; s/\e\[(0[0-9;]*|2)?m|\r\e\[K//g; tr/\r//d;
	print \"\$c  \", s/([^ -~])/sprintf q{<%x>}, ord \$1/ger =~ s/(.{200}).*/\$1/r, qq{\n} if /[\x00-\x08\x0b-\x1f\x7f-\x9f\x{202a}-\x{202e}\x{e0041}]|a\x{200d}/" seen' <<'!'
1
!
