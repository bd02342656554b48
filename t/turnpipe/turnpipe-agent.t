#!/bin/sh
# Agents that are given work: what they get, what they may, what comes back.
. "${0%/*}/../lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test
C=$XDG_CONFIG_HOME/turnpipe
mkdir -p "$C/agents" .git
printf 'one\ntwo\n' >notes
# req N FILTER: of the request, without the block that ends the last result.
req() {
	sed -n "$1p" "$REQUESTS" | jq -rc ".body|(.messages[]|select(.role==\"tool\").content)
	    |=(split(\"\n\n<turn-context>\")[0]|gsub(\"@[0-9a-f]{8}\"; \"\"))|$2"
}
offered='[.tools[]?.function.name]|join(" ")'
call() { printf '{"calls":[{"id":"c1","name":"%s","arguments":%s}]}' "$1" "$2"; }

serve "$(call explore '{"task_prompt":"How many lines has notes?"}')" \
    "$(call read_file '{"path":"notes"}')" '{"text":"Two lines (notes:1-2)."}' '{"text":"It has two."}'
check 'a question goes to an agent, its answer is the result' \
    'turnpipe -s S.jsonl "How long is notes?" 2>err; cat err; sent; req 4 ".messages[]|select(.role==\"tool\").content"' <<!
It has two.
4
Two lines (notes:1-2).

!
check 'it has its own tools, within those of its caller, and no agents' \
    "req 2 '$offered'; req 1 '$offered' | tr ' ' '\n' | grep -x -e agent -e explore -e plan" <<!
glob grep ls read_file
agent
explore
!
check 'its prompt is its own, its task the only message' \
    'req 2 ".messages|map(.role)|join(\" \")"; req 2 ".messages[1].content" | head -1
    req 2 ".messages[0].content" | grep -c "You answer one question"
    req 2 ".messages|tostring" | grep -c -e "to which you can give work" -e "How long is" || :' <<!
system user
How many lines has notes?
1
0
!
check 'the caller'\''s log has start, usage and end' \
    'jq -c "select(.type==\"mark\" or .for==\"agent\")|[.what // .for,.agent,.status,.completion_tokens]" S.jsonl' <<!
["agent-start","explore",null,null]
["agent","explore",null,10]
["agent-end","explore",0,null]
!
check 'its session is kept with the caller'\''s, and -c does not take it' \
    'ls S.d/agents/once | sed "s/@.*once-/-/"; turnpipe -c 2>&1 || echo $?' <<!
agent-explore-1.d
agent-explore-1.jsonl
lock
turnpipe: no session of this project to continue
66
!

serve "$(call explore '{"task_prompt":"And of words?"}')" '{"text":"Two words."}' '{"text":"Two."}'
check 'explore forgets between tasks: the next has a session of its own' \
    'turnpipe -s S.jsonl "Words?"; ls S.d/agents/once/*.jsonl | wc -l
    req 2 ".messages|map(select(.role!=\"tool\").content // \"call\")|map(split(\"\n\")[0])|.[1:]"' <<!
Two.
2
["And of words?"]
!

# Warnings that the caller had are not repeated to its agent.
cat >"$C/agents/big.md" <<'!'
---
name: big
description: Has a model of its own.
model: openai/big
tools: [ls, write_file, shell]
persist: false
---
You are Big.
!
echo 'You are a pirate.' >pirate
printf -- '---\nmodel: openai/task\ntools: [agent, ls, "read_*"]\n---\nDo.\n' >t.md
serve "$(call agent '{"agent_name":"big","task_prompt":"Look."}')" '{"text":"Seen."}' '{"text":"Done."}'
check 'neither model nor prompt, task, profile or chat of the caller are those of the agent' \
    'TURNPIPE_SYSTEM_PROMPT=$PWD/pirate TURNPIPE_CHAT=77 turnpipe -y -s B.jsonl "Go."; req 1 ".model"; req 2 ".model"
    req 1 ".messages|tostring" | grep -c pirate; req 2 ".messages|tostring" | grep -c -e pirate -e 77 || :
    req 2 ".messages[0].content" | grep -c "You are Big"' <<!
Done.
test
big
1
0
1
!
check 'the session of an agent that forgets stays beside the caller'\''s' \
    'ls B.d/agents; ls B.d/agents/once/*.jsonl | wc -l' <<!
once
1
!

# The fence.
check 'a caller without a tool cannot have it through an agent' \
    'printf -- "---\nname: narrow\ndescription: d\ntools: [agent, ls]\nagents: [big]\n---\n" >"$C/agents/narrow.md"
    serve "$(call agent "{\"agent_name\":\"big\",\"task_prompt\":\"Write.\"}")" "$(call write_file "{\"path\":\"new\",\"content\":\"x\"}")" "{\"text\":\"No.\"}" "{\"text\":\"Done.\"}"
    turnpipe -y -a narrow -s N.jsonl "Go."; req 2 "$offered"; req 3 ".messages[]|select(.role==\"tool\").content"; ls new 2>/dev/null || echo none' <<!
Done.
ls
error: there is no tool write_file; on offer: ls
none
!
names() { jq -r 'select(.type=="tool").name' | tr '\n' ' '; echo; }
tool() { printf '{"type":"tool","name":"%s","run":{"exec":"/bin/true"%s}}\n' "$1" "${2-}"; }
{ tool ls; tool rm; tool mcp__x__put; tool explore ',"as":"agent","agent":"explore"'; tool agent ',"as":"agent"'; } >tools
config() { printf '{"type":"config","agents":%s%s}\n' "$1" "${2-}"; }
check 'TURNPIPE_TOOLS: nothing else passes, whatever asks for it' \
    'for t in "ls,agent" "" "*"; do { cat tools; config "[\"*\"]"; } | TURNPIPE_TOOLS=$t toolpick -c rm 2>/dev/null | names; done
    { cat tools; config "[]"; } | TURNPIPE_TOOLS=ls toolpick -c "*" --set toolpick.score=0.5 | names
    mkdir -p off; printf "# turnpipe-settings(5)\ntoolpick: {enabled: false}\n" >off/settings.yaml
    TURNPIPE_PATH=off TURNPIPE_TOOLS=ls toolpick <tools | names' <<!
ls agent 


ls 
ls 
!
check 'tools that start agents: where agents: names one, and not deeper than agents.depth' \
    'for a in "[]" "[\"plan\"]" "[\"exp*\"]"; do { cat tools; config "$a"; } | toolpick | names; done
    toolpick <tools | names; { cat tools; config "[\"*\"]"; } | TURNPIPE_DEPTH=2 toolpick | names' <<!
ls rm mcp__x__put 
ls rm mcp__x__put agent 
ls rm mcp__x__put explore agent 
ls rm mcp__x__put 
ls rm mcp__x__put 
!
check 'what an agent may have is what its caller is permitted, before scores and cap' \
    '{ cat tools; config "[\"*\"]" ",\"tools_deny\":[\"rm\"]"; } | toolpick --set toolpick.max=1 -c agent | jq -c "select(.name==\"agent\").run"
    { cat tools; config "[\"x\"]"; } | TURNPIPE_TOOLS=ls,agent toolpick --set toolpick.max=1 -c agent | jq -c "select(.name==\"agent\").run|[.agents,.tools]"' <<!
{"exec":"/bin/true","as":"agent","agents":["*"],"tools":["ls","mcp__x__put","explore","agent"]}
[["x"],["ls","agent"]]
!
fails 64 'a depth that is no number' 'TURNPIPE_DEPTH=x toolpick <tools >/dev/null' <<!
toolpick: TURNPIPE_DEPTH: expected a number, got 'x'
!

# What it runs, and who agrees.
check 'the rule agent(NAME) starts that one and no other; what it runs is asked by itself' \
    'mkdir -p "$PWD/A.d"; echo "agent(big)" >A.d/allow
    serve "$(call agent "{\"agent_name\":\"big\",\"task_prompt\":\"Write.\"}")" "$(call write_file "{\"path\":\"new\",\"content\":\"x\"}")" "{\"text\":\"It was denied.\"}" "{\"text\":\"So.\"}"
    turnpipe -s A.jsonl "Go." 2>err; req 3 ".messages[]|select(.role==\"tool\").content" | cut -c1-60; ls new 2>/dev/null || echo none
    serve "$(call agent "{\"agent_name\":\"narrow\",\"task_prompt\":\"Look.\"}")" "{\"text\":\"So.\"}"
    turnpipe -s A.jsonl "Go." 2>err; req 2 ".messages|map(select(.role==\"tool\").content)|.[-1]" | cut -c1-60' <<!
So.
error: not run: this call needs the user's consent, and ther
none
So.
error: not run: this call needs the user's consent, and ther
!
check 'agent starts one whose tools all run unasked, also in a plan; any other needs consent' \
    'for a in explore plan big; do for p in "" --plan; do
	serve "$(call agent "{\"agent_name\":\"$a\",\"task_prompt\":\"Look.\"}")" "{\"text\":\"Looked.\"}" "{\"text\":\"So.\"}"
	rm -rf F.d F.jsonl
	turnpipe $p -s F.jsonl "Go." >out 2>err
	jq -r "select(.role==\"tool\").content" F.jsonl | sed 1q | cut -c1-40
    done; done' <<!
Looked.
Looked.
Looked.
Looked.
error: not run: this call needs the user
error: not run: the user wants a plan fi
!
check 'what the user allowed the caller is allowed to its agent' \
    'echo "write_file(new)" >>A.d/allow
    serve "$(call agent "{\"agent_name\":\"big\",\"task_prompt\":\"Write.\"}")" "$(call write_file "{\"path\":\"new\",\"content\":\"x\"}")" "{\"text\":\"Written.\"}" "{\"text\":\"So.\"}"
    turnpipe -s A.jsonl "Go." 2>err; cat new; echo; rm new' <<!
So.
x
!
# talk SESSION TEXT [ANSWER | CONDITION]...: turnpipe at a terminal that types
# these when asked, and waits for what begins with a bracket.
talk()
{
	[ -p keys ] || mkfifo keys
	session=$1 text=$2
	shift 2
	session=$session text=$text script -qec \
	    'turnpipe -qFs "$session" "$text" 2>err' /dev/null >screen 2>&1 <keys &
	exec 8>keys
	n=0
	for answer; do
		case $answer in '['*) until_ "$answer"; continue ;; esac
		n=$((n + 1))
		until_ "[ \$(grep -c '\[y\]es' screen) -eq $n ]" || break
		printf '%s\n' "$answer" >&8
	done
	wait $!
	exec 8>&-
}
asked() { tr -d '\r' <screen | grep -a -e '^agent' -e '^  its' -e '^  path' -e 'run it' -e not\ asked; }
write=$(call write_file '{"path":"new","content":"x"}')
serve "$(call agent '{"agent_name":"big","task_prompt":"Write."}')" "$write" '{"text":"Written."}' '{"text":"So."}'
needs pty check 'at a terminal: who it is and what it may use; then what it runs, in its name' \
    'talk Y1.jsonl "Go." y y; asked; tail -n 1 screen | tr -d "\r"; cat new; echo; rm new; cat Y1.d/allow 2>&1 | wc -l' <<!
agent
  its tools, at most: ls, shell, write_file
run it? [y]es, [n]o REASON, [a]lways: y
agent big: write_file
  path: new
run it? [y]es, [n]o REASON, [a]lways: y
So.
x
1
!
echo 'agent(big)' >Y1.d/allow
serve "$(call agent '{"agent_name":"big","task_prompt":"Write."}')" "$write" '{"text":"It was denied."}' '{"text":"So."}'
needs pty check 'no with a reason, which the agent reads; its report says that a call was denied' \
    'talk Y1.jsonl "Go." "n use make"; for i in 3 4; do req $i ".messages|map(select(.role==\"tool\").content)|.[-1]"; done; ls new 2>/dev/null || echo none' <<!
error: not run: the user denied this call and says: use make
It was denied.

[Calls of this agent that were denied, and did not run: 1.]

[agent_id for more of this work: agent-big.once-2]

none
!
sed -e s/big/pen/ -e '/^persist/d' "$C/agents/big.md" >"$C/agents/pen.md"
echo 'agent(pen)' >>Y1.d/allow
two=$(printf '{"calls":[{"id":"a1","name":"agent","arguments":{"agent_name":"pen","task_prompt":"Write."}},{"id":"a2","name":"agent","arguments":{"agent_name":"pen","task_prompt":"Do write."}}]}')
serve "$two" "$write" "$write" '{"text":"Written."}' '{"text":"Written."}' '{"text":"So."}'
needs pty check 'two side by side: one question at a time; always is for that agent alone' \
    'talk Y1.jsonl "Go." "[ \"\$(sent)\" = 3 ]" y always; asked | sort | uniq -c | sed "s/^ *//" ; cat new; echo; rm new; cat Y1.d/allow Y1.d/agents/*.d/allow' <<!
2   path: new
2 agent pen: write_file
1 run it? [y]es, [n]o REASON, [a]lways: always
1 run it? [y]es, [n]o REASON, [a]lways: y
x
agent(big)
agent(pen)
write_file(new)
!
check 'an agent that is not named by agents: is refused, a path too' \
    'for a in default ../big big/x; do
        serve "$(call agent "{\"agent_name\":\"$a\",\"task_prompt\":\"Look.\"}")" "{\"text\":\"So.\"}"
        turnpipe -y -a narrow -s "U$$.jsonl" "Go."; req 2 ".messages|map(select(.role==\"tool\").content)|.[-1]"; done' <<!
So.
error: not run: there is no agent default to give work to; those that may be named: big
So.
error: not run: there is no agent ../big to give work to; those that may be named: big
So.
error: not run: there is no agent big/x to give work to; those that may be named: big
!
mkdir -p elsewhere
cp "$TOP/share/tools/explore" "$TOP/share/tools/explore.json" elsewhere/
check 'a tool from elsewhere gets no keys: it starts no agent' \
    '{ printf "%s\n" "{\"type\":\"tool\",\"name\":\"explore\",\"readonly\":true,\"run\":{\"exec\":\"$PWD/elsewhere/explore\",\"as\":\"agent\",\"agent\":\"explore\",\"agents\":[\"*\"],\"tools\":[\"ls\"]}}" \
        "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"explore\",\"arguments\":\"{}\"}}]}"; } | toolrun -r | jq -r .content' <<!
error: not run: an agent is started by a tool of the search path only
!
mkdir -p "$C/tools"
printf '#!/bin/sh\n: >run.$ARG_n; ls run.* | wc -l >>most; sleep 0.3; rm run.$ARG_n; echo "$OPENAI_API_KEY $TURNPIPE_TOOLS ${TURNPIPE_LOCK_FD-free}"\n' >"$C/tools/envs"
chmod +x "$C/tools/envs"
many() { for i in $(seq "$1"); do printf '%s{"id":"a%s","function":{"name":"envs","arguments":"{\\"n\\":%s}"}}' "$c" $i $i; c=,; done; }
check 'the keys are in its environment, and the fence; more than five of one message wait for their turn' \
    '{ printf "%s\n" "{\"type\":\"tool\",\"name\":\"envs\",\"readonly\":true,\"parallel\":true,\"run\":{\"exec\":\"$C/tools/envs\",\"as\":\"agent\",\"agent\":\"x\",\"agents\":[\"*\"],\"tools\":[\"ls\",\"rm\"]}}" \
        "{\"role\":\"assistant\",\"tool_calls\":[$(c=; many 7)]}"; } | toolrun -r | jq -r .content; sort -n most | tail -n 1' <<!
sk-test ls,rm free
$(for i in 1 2 3 4 5 6; do echo; echo 'sk-test ls,rm free'; done)

5
!

rm "$C/tools/envs"

# Cut off, empty, failed.
serve "$(call explore '{"task_prompt":"Q?"}')" "$(call ls '{}')" '{"status":401,"body":{"error":{"message":"no"}}}' '{"text":"I listed the files."}' '{"text":"So."}'
check 'one that fails is asked once more, without tools, what was done' \
    'turnpipe -s E1.jsonl "Go." 2>/dev/null; req 4 "[has(\"tools\"),(.messages[-1].content|contains(\"no tool is left\"))]"; req 5 ".messages[]|select(.role==\"tool\").content"' <<!
So.
[false,true]
[The agent was cut off before it was done. This is its summary.]

I listed the files.

!
serve "$(call explore '{"task_prompt":"Q?"}')" "$(call ls '{"path":"."}')" '{"status":401,"body":{"error":{"message":"no"}}}' '{"status":401,"body":{"error":{"message":"no"}}}' '{"text":"So."}'
check 'if that fails too, by the list of its calls' \
    'turnpipe -s E2.jsonl "Go." 2>/dev/null; req 5 ".messages[]|select(.role==\"tool\").content" | head -3' <<!
So.
error: [The agent was cut off and could not sum up. Its calls in this task, in order:]

- ls {"path":"."}
!
check 'an answer that is empty, blank or cut at its length is asked for once more' '
    printf "# turnpipe-settings(5)\nretry: {tries: 0}\n" >"$C/settings.yaml"
    for answer in "{\"text\":\"\"}" "{\"text\":\" \\n\"}" "{\"text\":\"It has tw\",\"finish\":\"length\"}"; do
	serve "$(call explore "{\"task_prompt\":\"Q?\"}")" "$answer" "{\"text\":\"The summary.\"}" "{\"text\":\"So.\"}"
	turnpipe -s "E3.jsonl" "Go." 2>/dev/null; req 3 "has(\"tools\")"; req 4 ".messages|map(select(.role==\"tool\").content)|.[-1]" | head -n 3
    done; rm "$C/settings.yaml"' <<!
So.
false
[The agent was cut off before it was done. This is its summary.]

The summary.
So.
false
[The agent was cut off before it was done. This is its summary.]

The summary.
So.
false
[The agent was cut off before it was done. This is its summary.]

The summary.
!
mkdir -p Q1.d Q2.d/agents/lock
: >Q1.d/agents
check 'where no session can be kept, the agent has one that is not' '
    for s in Q1 Q2; do
	serve "$(call explore "{\"task_prompt\":\"Q?\"}")" "{\"text\":\"Found.\"}" "{\"text\":\"So.\"}"
	turnpipe -s "$s.jsonl" "Go." 2>&1; req 3 ".messages|map(select(.role==\"tool\").content)|.[-1]" | head -n 1
	jq -r "select(.what==\"agent-end\").status" "$s.jsonl"
    done; find "$XDG_STATE_HOME" -name "*-agent-explore*"; ls -A Q2.d/agents/lock' <<!
So.
Found.
0
So.
Found.
0
!
slowly 'one whose time is up is asked for a summary' '
    printf "# turnpipe-settings(5)\nagents: {seconds: $k}\n" >"$C/settings.yaml"
    serve "$(call explore "{\"task_prompt\":\"Q?\"}")" "{\"delay_ms\":60000,\"text\":\"Late.\"}" "{\"text\":\"I waited.\"}" "{\"text\":\"So.\"}"
    turnpipe -s "T$k.jsonl" "Go." 2>/dev/null; req 4 ".messages[]|select(.role==\"tool\").content"; rm "$C/settings.yaml"' <<!
So.
[The agent was cut off before it was done. This is its summary.]

I waited.

!

# A plan.
serve "$(call plan '{"task_prompt":"Rename notes."}')" "$(call todo_add '{"text":"Move notes.","status":"proposed"}')" '{"text":"The plan."}' '{"text":"Do you agree?"}' '{"text":"Well?"}'
check 'the todos that a plan proposes are in the list of the caller' \
    'turnpipe -s P.jsonl "Plan it."; todolist -f P.d/todos.jsonl list' <<!
Do you agree?
1. [?] Move notes.
!
check 'and what the user can do with them is said in the next request alone' \
    'sed -n 4p "$REQUESTS" | grep -c "accept them with /accept"; turnpipe -s P.jsonl "And?" >/dev/null; sed -n 5p "$REQUESTS" | grep -c /accept || :' <<!
1
0
!
sh() { printf '{"id":"%s","name":"shell","arguments":{"command":"%s"}}' "$1" "$2"; }
serve '{"calls":[{"id":"u1","name":"todo_update","arguments":{"id":"1","status":"in_progress"}},'"$(sh u3 'turnpipe accept'),$(sh u4 'unset LLM_TOOL_NAME; turnpipe accept')"','"$(sh u5 'env -i PATH=\"$PATH\" TURNPIPE_SESSION=\"$TURNPIPE_SESSION\" turnpipe accept')"']}' '{"text":"I wait."}'
check 'which the caller cannot accept, whatever it runs; the user can' \
    'turnpipe -y -s P.jsonl "Begin."; req 2 ".messages|map(select(.role==\"tool\").content)|.[-4:][]|split(\":\")[1:3]|join(\":\")|split(\";\")[0]" | grep -v null
    TURNPIPE_SESSION=$PWD/P.jsonl turnpipe accept' <<!
I wait.
 todolist: 1 is proposed
 todolist: accept
 todolist: accept
 todolist: accept
1. [ ] Move notes.
!

# The run as a whole: a plan, the user's word, two who look, and the work.
look() { printf '{"id":"%s","name":"explore","arguments":{"task_prompt":"%s"}}' "$1" "$2"; }
update() { call todo_update "{\"id\":\"1\",\"status\":\"$1\"}"; }
both=$(call read_file '{"path":"notes"}')
both="${both%\}},\"until\":\"both\"}"
serve "$(call plan '{"task_prompt":"Count the lines."}')" \
    "$(call todo_add '{"text":"Count in notes.","status":"proposed"}')" '{"text":"Look at notes, then count."}' '{"text":"Do you agree?"}' \
    '{"calls":['"$(look e1 'What is the first line of notes?'),$(look e2 'And the second?')"']}' "$both" "$both" \
    '{"text":"notes:1 to 2."}' '{"text":"notes:1 to 2."}' "$(update in_progress)" "$(update completed)" '{"text":"Two lines: done."}'
check 'plan, accept, two explores side by side, todos, done' '
    rm -f both; turnpipe "Plan how to count the lines of notes."; turnpipe accept 2>/dev/null
    turnpipe -c "Go on." & until_ "[ \$(sent) -eq 7 ]"; : >both; wait $!; turnpipe -c; sent
    S=$(histadd --last); todolist -f "${S%.jsonl}.d/todos.jsonl" list
    jq -r "select(.role)|[.role, (.tool_calls[]?.function.name), (.content // \"\"|tostring|split(\"\n\")[0])]|map(select(.!=null and .!=\"\")|tostring)|join(\" \")" "$S"
    turnpipe log 1 | sed -n "3,6s/\\(status 0\\).*/\\1/;3,6p"; turnpipe log 1 | grep -c "^    session"; rm "$S"' <<!
Do you agree?
1. [ ] Count in notes.
Two lines: done.
Two lines: done.
12
1. [x] Count in notes.
user Plan how to count the lines of notes.
assistant plan
tool Look at notes, then count.
assistant Do you agree?
user Go on.
assistant explore explore
tool notes:1 to 2.
tool notes:1 to 2.
assistant todo_update
tool 1. [>] Count in notes.
assistant todo_update
tool 1. [x] Count in notes.
assistant Two lines: done.
2 turns, 180 tokens, - dollars
  agent plan: 30 tokens, - dollars, 0 ms, status 0
  agent explore: 30 tokens, - dollars, 0 ms, status 0
  agent explore: 30 tokens, - dollars, 0 ms, status 0
3
!

# What a definition restricts.
echo '{"agentId":"cut","description":"Cut.","allowedTools":["read_*"],"color":"red","metadata":{"hooks":1}}' >"$C/agents/cut.json"
echo '{"agentId":"plain","description":"Cut.","allowedTools":["read_*"]}' >"$C/agents/plain.json"
check 'allowedTools: ["read_*"] leaves read_file alone on offer' \
    'turnpipe -n -a cut Hi. | jq -c "[.tools[].function.name]"' <<!
["read_file"]
!
check 'no unused key of a definition is in what llmcall -n sends' '
    for a in cut plain; do turnpipe -n -a $a Hi. 2>/dev/null | llmcall -n | tail -n 1 >$a.body; done; cmp cut.body plain.body; jq -c "[.. | strings, (objects|keys[])]|unique|.[]|select(.==\"color\" or .==\"hooks\")" cut.body
    grep -c read_file cut.body; rm "$C/agents/cut.json" "$C/agents/plain.json"' <<!
1
!
# tries NAME...: a call of each, whose arguments make something new.
tries() {
	c=''
	for n; do
		printf '%s{"id":"%s","name":"%s","arguments":{"path":"new","content":"x","text":"new","command":"touch new","patch":"*** Add File: new\\n+x\\n","name":"new","task_prompt":"Write.","agent_name":"big","tools":[{"name":"write_file","arguments":{"path":"new","content":"x"}}]}}' "$c" "$n" "$n"
		c=,
	done
}
all=$(cd "$TOP/share/tools"; ls ./*.json | sed 's|^./||;s/.json$//' | grep -v -x -e read_file -e grep -e glob -e ls)
state() { find . -path './R*' -prune -o -type f ! -name 'err' -print | sort | xargs cksum; }
serve "$(call explore '{"task_prompt":"Look."}')" '{"calls":['"$(tries $all box_echo sub_agent no_such)"']}' '{"text":"Nothing."}' '{"text":"So."}'
check 'a read-only child writes by no shipped tool, no batch, no call that was not offered' '
    state >../before; turnpipe -y -s R.jsonl "Go." 2>err; state | diff ../before -; ls new 2>/dev/null
    req 3 ".messages[]|select(.role==\"tool\").content" | sed "s/there is no tool [a-z_]*;/there is no tool X;/" | sort | uniq -c' <<!
So.
     $(echo "$all" | wc -l | awk '{ print $1 + 3 }') error: there is no tool X; on offer: glob, grep, ls, read_file
!
printf -- '---\nname: bundle\ndescription: d\ntools: [read_file, batch]\n---\nB.\n' >"$C/agents/bundle.md"
serve "$(call agent '{"agent_name":"bundle","task_prompt":"Look."}')" "$(call batch '{"tools":[{"name":"write_file","arguments":{"path":"new","content":"x"}},{"name":"read_file","arguments":{"path":"notes"}}]}')" '{"text":"No."}' '{"text":"So."}'
check 'nor by batch, where that is on offer' '
    turnpipe -y -P ally -s X.jsonl "Go." 2>err; req 2 "$offered"; req 3 ".messages[]|select(.role==\"tool\").content"; ls new 2>/dev/null || echo none' <<!
So.
batch read_file
<batch-result number="1" tool="write_file">
error: there is no tool write_file; on offer: batch, read_file
</batch-result>
<batch-result number="2" tool="read_file">
one
two
</batch-result>
none
!
py=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) || py=''
printf '{"mcpServers":{"box":{"command":"%s","args":["%s/t/mcpserver.py"]}}}' "$py" "$TOP" >"$C/mcp.json"
[ "$py" ] || rm "$C/mcp.json"
serve "$(call explore '{"task_prompt":"Look."}')" "$(call box_echo '{"text":"new"}')" '{"text":"Nothing."}' '{"text":"So."}'
needs python3 check 'nor by a tool of MCP that its caller has' '
    turnpipe -y -s XM.jsonl "Go." 2>err; req 1 "$offered" | grep -c box_echo; req 2 "$offered"
    req 3 ".messages[]|select(.role==\"tool\").content"' <<!
So.
1
glob grep ls read_file
error: there is no tool box_echo; on offer: glob, grep, ls, read_file
!
rm -f "$C/mcp.json"
check '@NAME is a hint where agents can be called, and nothing where not' '
    for a in default narrow big; do for p in default ally; do
	turnpipe -n -P $p -a $a "@big look." | jq -c "[([.messages[].content|tostring]|add|test(\"The user addressed @big|@NAME|Available Agents\")),any(.tools[];.function.name==\"agent\")]"
    done; done' <<!
[true,true]
[true,true]
[true,true]
[true,true]
[false,false]
[false,false]
!

check 'agent is general without a name, forgets, and keeps what persist says; its id goes on, only under its name' '
    for a in "" ",\"persist\":true"; do
	serve "$(call agent "{\"task_prompt\":\"Do it.\"$a}")" "{\"text\":\"Did.\"}" "{\"text\":\"So.\"}"
	turnpipe -y -s I.jsonl "Go." 2>err; cat err; req 2 "[.messages[1:][].content|split(\"\n\")[0]]"; ls I.d/agents 2>/dev/null | grep -c jsonl || :
    done
    id=$(ls I.d/agents | sed -n "s/\.jsonl//p")
    serve "$(call agent "{\"task_prompt\":\"And?\",\"agent_id\":\"$id\"}")" "{\"text\":\"More.\"}" "{\"text\":\"So.\"}"
    turnpipe -y -s I.jsonl "Go." 2>err; req 2 "[.messages[1:][].content|split(\"\n\")[0]]"
    for a in "explore $id" "general ../../x" "general $id$id"; do
	serve "$(call agent "{\"agent_name\":\"${a% *}\",\"task_prompt\":\"And?\",\"agent_id\":\"${a#* }\"}")" "{\"text\":\"So.\"}"
	turnpipe -y -s I.jsonl "Go." 2>err; sent; req 2 ".messages|map(select(.role==\"tool\").content)|.[-1][:70]"
    done' <<!
So.
["Do it."]
0
So.
["Do it."]
1
So.
["Do it.","Did.","And?"]
So.
2
error: not run: no agent explore has kept a task under the id agent-ge
So.
2
error: not run: no agent general has kept a task under the id ../../x;
So.
2
error: not run: no agent general has kept a task under the id agent-ge
!
check 'plan may give work to explore, which is the last' '
    serve "$(call plan "{\"task_prompt\":\"Plan.\"}")" "$(call explore "{\"task_prompt\":\"Where?\"}")" "{\"text\":\"There.\"}" "{\"text\":\"Planned.\"}" "{\"text\":\"So.\"}"
    turnpipe -s PE.jsonl "Plan." 2>err; for i in 2 3; do req $i "$offered"; done; req 4 ".messages[-1].content|split(\"\n\")[0]"' <<!
So.
explore glob grep ls read_file todo_add
glob grep ls read_file
There.
!
check 'the tools of documents: within the tools said, and the time' '
    serve "$(call sub_agent "{\"prompt\":\"Look.\",\"tools\":[\"ls\",\"no_such\"]}")" "{\"text\":\"Seen.\"}" "{\"text\":\"So.\"}"
    turnpipe -y -P opal -s OA.jsonl "Go." 2>err; cat err; req 2 "$offered"
    serve "$(call spawn_subagent "{\"task\":\"Look.\",\"tools\":[],\"timeout\":1}")" "{\"text\":\"Seen.\"}" "{\"text\":\"So.\"}"
    turnpipe -y -P annabelle -s PA.jsonl "hello there" 2>err; cat err; req 1 "$offered"; req 2 "[.messages[0].content[:18], .tools]"; req 3 ".messages|map(select(.role==\"tool\").content)|.[-1]|split(\"\n\")[0]"' <<!
So.
ls
So.
fetch glob grep search_memories spawn_subagent store_fact
["You are a subagent",null]
Seen.
!
check 'a task by hand: the answer on stdout, the session stays and is no last one' \
    'serve "{\"text\":\"By hand.\"}"; turnpipe agent -a explore "Q?"; find "$XDG_STATE_HOME" -name "*-agent-explore.jsonl" | wc -l; turnpipe -c 2>&1 || echo $?' <<!
By hand.
1
turnpipe: no session of this project to continue
66
!
check '- reads the task' \
    'serve "{\"text\":\"Read.\"}"; echo "From stdin" | turnpipe agent -e -; req 1 ".messages[1].content" | head -1' <<!
Read.
From stdin
!
fails 66 'no such agent' 'turnpipe agent -a none Q'  <<!
agentload: agent none: no such definition
!
fails 66 'a tool that names an agent that is not there gets the names' \
    'TURNPIPE_AGENT=narrow TURNPIPE_SESSION=$PWD/S.jsonl turnpipe agent -r -a none Q >out; s=$?; cat out >&2; exit $s' <<!
agentload: agent none: no such definition
error: not run: there is no agent none to give work to; those that may be named: big
!
check 'a task over 128 kB reaches an agent whole, and its milliseconds are such' \
    'head -c 200000 /dev/zero | tr "\0" q >long; touch L.jsonl; serve "{\"text\":\"Long.\"}" "{\"text\":\"Longer.\"}"
    for t in explore plan; do
	jq -Rs "{task_prompt: .}" long | env -u TURNPIPE_NOW TURNPIPE_SESSION="$PWD/L.jsonl" "$TOP/share/tools/$t"
    done
    for i in 1 2; do req $i ".messages|map(select(.role==\"user\"))|.[-1].content|split(\"\n\")[0]|length"; done
    jq -s "map(select(.what==\"agent-end\").ms % 1000)|add > 0" L.jsonl' <<!
Long.
Longer.
200000
200000
true
!
serve -r '{"text":"Ok."}'
check 'an agent of a talk that has no log yet: no word of a broken pipe' \
    'trap "" PIPE; for i in 1 2 3 4 5; do TURNPIPE_SESSION=$PWD/begins.jsonl turnpipe agent Q || break; done 2>&1; trap - PIPE' <<!
Ok.
Ok.
Ok.
Ok.
Ok.
!
fails 77 'too deep' 'touch /dev/null; TURNPIPE_SESSION=$PWD/S.jsonl TURNPIPE_DEPTH=2 turnpipe agent Q' <<!
turnpipe: no agent below 3 agents: agents.depth
!
fails 64 'no task' 'turnpipe agent " "' <<!
turnpipe: expected a task
!

# Costs of its own.
printf -- '---\nname: dear\ndescription: d\ntools: [ls]\ncost: {tokens: 20}\n---\nDear.\n' >"$C/agents/dear.md"
dear=$(call agent '{"agent_name":"dear","task_prompt":"Look."}')
serve "$dear" "$(call ls '{}')" '{"text":"Seen."}' "$dear" '{"text":"So."}'
check 'an agent whose own limit is passed is stopped, its caller and others are not' \
    'turnpipe -y -s D.jsonl "Go." 2>err; sent; req 5 ".messages|map(select(.role==\"tool\").content|split(\"\n\")[0])[]"; grep -h "^costguard" err
    costguard -l | grep -c "^paused" || :; costguard -l -a dear -o "{\"tokens\":20}" | cut -c1-34' <<!
So.
5
Seen.
error: [The agent was cut off and could not sum up. Its calls in this task, in order:]
0
last hour: 30 tokens of 20, 0.0000
paused since 2026-11-21T12:00:00Z:
!
check 'until the user resumes it' \
    'costguard -r -z -a dear; serve "$dear" "{\"text\":\"Seen.\"}" "{\"text\":\"So.\"}"; turnpipe -y -s D.jsonl "Go." 2>err; req 3 ".messages|map(select(.role==\"tool\").content)|.[-1]"' <<!
So.
Seen.

[agent_id for more of this work: agent-dear-1]

!
check 'a call that is interrupted is booked by its estimate' \
    'costguard -r -z; serve "{\"delay_ms\":600000,\"text\":\"Late.\"}"; turnpipe -g -s I.jsonl "Go." 2>/dev/null & pid=$!
    until_ "[ \$(sent) = 1 ]"; kill $pid; { wait $pid; } 2>/dev/null || echo $?; costguard -l | sed "s/[1-9][0-9]* tokens.*/some tokens/"' <<!
143
last hour: some tokens
!
printf -- '---\nname: dear\ndescription: d\ncost: {tokns: 20}\n---\nDear.\n' >"$C/agents/dear.md"
serve "$dear" '{"text":"So."}'
check 'a limit that is not understood: the agent is not there, and why' \
    'turnpipe -y -s D.jsonl "Go." 2>err; req 2 ".messages|map(select(.role==\"tool\").content)|.[-1]" | grep -c Seen || :; grep -o "dear.md:.*" err | sort -u' <<!
So.
0
dear.md:4:8: expected tokens, cost, day, month or spike, found "tokns"
!
rm "$C/agents/dear.md"
# A caller with a budget of 30 tokens, an agent without one.
printf -- '---\nname: poor\ndescription: d\ntools: [agent]\nagents: [rich]\ncost: {tokens: 30}\n---\nPoor.\n' >"$C/agents/poor.md"
printf -- '---\nname: rich\ndescription: d\ntools: [ls]\n---\nRich.\n' >"$C/agents/rich.md"
serve "$(call agent '{"agent_name":"rich","task_prompt":"Look."}')" "$(call ls '{}')" "$(call ls '{"path":"."}')" '{"text":"Seen."}' '{"text":"So."}'
check 'the budget of a caller binds the agent that works for it' \
    'st=0; turnpipe -y -a poor -s E.jsonl "Go." 2>err || st=$?; echo $st; sent; grep -hc "agent poor: hard cap" err
    costguard -l -a poor -o "{\"tokens\":30}" | cut -d, -f1' <<!
4
2
1
last hour: 30 tokens of 30
paused since 2026-11-21T12:00:00Z: hard cap exceeded: 30 tokens in an hour
!

# Budgets within budgets: the one in the middle is the first to be used up.
printf -- '---\nname: top\ndescription: d\ntools: [agent, explore, ls]\nagents: [mid, explore]\ncost: {tokens: 1000}\n---\nTop.\n' >"$C/agents/top.md"
printf -- '---\nname: mid\ndescription: d\ntools: [explore, ls]\nagents: [explore]\ncost: {tokens: 45}\n---\nMid.\n' >"$C/agents/mid.md"
printf -- '---\nname: explore\ndescription: d\ntools: [ls]\ncost: {tokens: 500}\n---\nLow.\n' >"$C/agents/explore.md"
serve "$(call agent '{"agent_name":"mid","task_prompt":"Delegate."}')" "$(call explore '{"task_prompt":"Look."}')" \
    "$(call ls '{}')" "$(call ls '{"path":"."}')" '{"text":"So."}'
check 'of three budgets within one another each is booked, and the one that is used up stops those below it alone' \
    'turnpipe -y -a top -s BB.jsonl "Go." 2>err; sent
    for a in top:1000 mid:45 explore:500; do costguard -l -a ${a%:*} -o "{\"tokens\":${a#*:}}" | cut -d, -f1; done' <<!
So.
5
last hour: 75 tokens of 1000
last hour: 45 tokens of 45
paused since 2026-11-21T12:00:00Z: hard cap exceeded: 45 tokens in an hour
last hour: 30 tokens of 500
!
rm "$C/agents/top.md" "$C/agents/mid.md" "$C/agents/explore.md"

# Its environment, its session, its time.
printf '#!/bin/sh\ntr "\\0" "\\n" </proc/$$/environ | grep -c "^LLM_TOOL_NAME="; tr "\\0" "\\n" </proc/$$/environ | grep -c "^LLM_TOOL_CALL_ID="; echo "$LLM_TOOL_NAME"\n' >"$C/tools/envs"
chmod +x "$C/tools/envs"
check 'an agent of an agent has the name of its call once' \
    '{ printf "%s\n" "{\"type\":\"tool\",\"name\":\"envs\",\"readonly\":true,\"run\":{\"exec\":\"$C/tools/envs\",\"as\":\"agent\",\"agent\":\"x\",\"agents\":[\"*\"],\"tools\":[]}}" \
        "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"envs\",\"arguments\":\"{}\"}}]}"; } | LLM_TOOL_NAME=outer LLM_TOOL_CALL_ID=o toolrun -r | jq -r .content' <<!
1
1
envs

!
rm "$C/tools/envs"
printf -- '---\nname: brief\ndescription: d\ntools: [ls]\nmax_seconds: 600\n---\nB.\n' >"$C/agents/brief.md"
printf "# turnpipe-settings(5)\nagents: {keep: true}\n" >"$C/settings.yaml"
serve "$(call agent '{"agent_name":"brief","task_prompt":"Look.","persist":false}')" '{"text":"Seen."}' '{"text":"So."}'
check 'persist false of a call: a session that is not kept, but with agents.keep' '
    turnpipe -y -s K.jsonl Go.; ls K.d/agents 2>/dev/null; find "$XDG_STATE_HOME" -name "*-agent-brief.jsonl" | wc -l
    rm -r "$XDG_STATE_HOME" "$C/settings.yaml"
    serve "$(call agent "{\"agent_name\":\"brief\",\"task_prompt\":\"Look.\",\"persist\":false}")" "{\"text\":\"Seen.\"}" "{\"text\":\"So.\"}"
    turnpipe -y -s K.jsonl Go.; ls K.d/agents 2>/dev/null; find "$XDG_STATE_HOME" -name "*-agent-brief*" | wc -l' <<!
So.
1
So.
0
!
slowly 'max_seconds of a definition stops a model call under way' '
    sed "s/max_seconds: .*/max_seconds: $k/" "$C/agents/brief.md" >b; cp b "$C/agents/brief.md"
    serve "$(call agent "{\"agent_name\":\"brief\",\"task_prompt\":\"Q?\"}")" "{\"delay_ms\":60000,\"text\":\"Late.\"}" "{\"text\":\"I waited.\"}" "{\"text\":\"So.\"}"
    turnpipe -y -s "TB$k.jsonl" "Go." 2>/dev/null; req 4 ".messages[]|select(.role==\"tool\").content"' <<!
So.
[The agent was cut off before it was done. This is its summary.]

I waited.

[agent_id for more of this work: agent-brief-1]

!

# What ends the caller ends its agent.
sed -e s/big/apart/ -e '/^persist/d' -e 's/^model:.*/isolation: worktree\npersist: false/' "$C/agents/big.md" >"$C/agents/apart.md"
isolated() { # FILE: a turn in a repository, in a directory of it
	git init -q repo && mkdir -p repo/sub && echo a >repo/sub/a && cd repo && git add . &&
	    git -c user.name=a -c user.email=a@b commit -qm first && cd sub && turnpipe -y -s "../../$1" Go.
}
apart=$(call agent '{"agent_name":"apart","task_prompt":"Write."}')
serve "$apart" "$write" '{"text":"Written."}' "$apart" "$write" '{"text":"Written."}' '{"text":"So."}'
needs git check 'isolation: worktree: two that write one file do not meet; where their changes are is in the result' \
    '(isolated iso.jsonl); git -C repo status --porcelain; git -C repo worktree list | grep -c .
    jq -r "select(.role == \"tool\").content" iso.jsonl | tee got | sed "s,/.*/\([a-z]*\)\$,PATH/\1,; /^\[agent_id/d; /^\$/d"
    grep "^/" got | while IFS= read -r t; do cat "$t/sub/new"; echo; done' <<!
So.
3
Written.
Its changes are in a git work tree of their own, where git diff shows them:
PATH/tree
Written.
Its changes are in a git work tree of their own, where git diff shows them:
PATH/tree
x
x
!
line=$(call shell '{"command":"echo y >line; touch ../../log 2>&1 | grep -o Read-only"}')
serve "$apart" "$line" '{"text":"Done."}' '{"text":"So."}'
! bwrap --bind / / true 2>/dev/null || check 'in the sandbox a shell line writes in it, and not beside it' \
    'cd repo/sub && turnpipe --set toolrun.sandbox=bwrap -y -s ../../iso4.jsonl Go.; cd ../..
    cat iso4.d/agents/*/*.d/tree/sub/line; jq -r "select(.role == \"tool\").content" iso4.d/agents/*/*.jsonl | sed "/^\$/d"' <<!
So.
y
Read-only
!
serve "$(call agent '{"agent_name":"apart","task_prompt":"Look."}')" '{"text":"Seen."}' '{"text":"So."}'
needs git check 'one that changed nothing leaves none' \
    'cd repo/sub && git worktree list >before; turnpipe -y -s ../../iso2.jsonl Go.; git worktree list | diff before -
    jq -r "select(.role == \"tool\").content" ../../iso2.jsonl | sed "/^\[agent_id/d; /^\$/d"' <<!
So.
Seen.
!
serve "$(call agent '{"agent_name":"apart","task_prompt":"Look."}')" '{"text":"So."}'
needs git check 'no git work tree: it does not run elsewhere' \
    'mkdir plain && cd plain && turnpipe -y -s ../iso3.jsonl Go. 2>/dev/null; jq -c "select(.role == \"tool\").tp.exit" ../iso3.jsonl' <<!
So.
73
!
cat >procs <<'!'
# procs TEXT [COMMAND]: processes with the text in their environment.
my ($text, $command) = @ARGV;
for my $d (glob '/proc/[0-9]*') {
	open my $f, '<', "$d/environ" or next;
	local $/;
	my $e = <$f>;
	next unless defined $e && index($e, $text) >= 0;
	open my $c, '<', "$d/comm" or next;
	my $name = <$c>;
	chomp $name;
	print substr($d, 6), "\n" if !defined $command || $name eq "$command\n" || $name =~ /^\Q$command\E$/m;
}
!
ends() {
	turnpipe -s "K$1$2.jsonl" Go. >/dev/null 2>&1 &
	driver=$!
	until_ '[ "$(sent)" = 2 ]'
	pid=$driver
	[ "$2" = driver ] || pid=$(perl procs "$PWD/K$1$2.jsonl" "$2" | head -1)
	kill -s "$1" "$pid"
	wait $driver 2>/dev/null || :
	until_ '[ -z "$(perl procs "'"$PWD/K$1$2.jsonl"'")" ]' && echo ended
}
if [ "$(perl procs "$PATH" perl)" ]; then
	for sig in TERM KILL; do
		for who in driver toolrun turnpipe-agent; do
			serve "$(call explore '{"task_prompt":"Q?"}')" '{"delay_ms":60000,"text":"Late."}' '{"text":"No."}' '{"text":"No."}'
			check "SIG$sig of $who: nothing of the agent is left" "ends $sig $who" <<!
ended
!
		done
	done
	echo 'agent(big)' >Y1.d/allow
	serve "$(call agent '{"agent_name":"big","task_prompt":"Write."}')" "$write" '{"text":"It was not run."}' '{"text":"So."}'
	needs pty check 'a question whose agent is gone is not asked any more, nor run' \
	    'talk Y1.jsonl "Go." "[ \$(grep -c \"\[y\]es\" screen) = 1 ] && kill \$(perl procs \"TURNPIPE_PARENT=\$PWD/Y1.jsonl\" toolrun)"
	    asked | tail -n 1; tail -n 1 screen | tr -d "\r"; ls new 2>/dev/null || echo none' <<!
 (it is not asked any more)
So.
none
!
fi
