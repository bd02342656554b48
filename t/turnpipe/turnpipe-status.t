#!/bin/sh
# The status of a turn: the table of turnpipe(1), every end in every way to run
# a turn.  A row is checked against the manual's.
. "${0%/*}/../lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test
etc=$XDG_CONFIG_HOME/turnpipe
mkdir -p .git "$etc"
echo Hello >task.md
n=0
write='{"calls":[{"id":"c1","name":"write_file","arguments":{"path":"new","content":"x\n"}}]}'
read='{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"notes"}}]}'
last='{"text":"So it is."}'
way() {
	case $1 in
	once) turnpipe -Fs "$2" Hello ;;
	-c) msg Hello | histadd "$2"; turnpipe -Fcs "$2" ;;
	--json) turnpipe -Fs "$2" --json Hello ;;
	-T) turnpipe -T -s "$2" task.md ;;
	agent) turnpipe agent -a default Hello ;;
	serve) echo '{"channel":"x","chatId":"1","content":"Hello"}' |
	    TURNPIPE_SET=serve.wait=0 turnpipe serve -a default -d "${2%.jsonl}" ;;
	esac
}

# ends NAME SETTINGS LINE...: a row of the table, its statuses as they are.
ends() {
	row=$1
	printf '%s\n' "$2" >"$etc/settings.yaml"
	shift 2
	for w in once -c --json -T agent serve; do
		n=$((n + 1)) st=0
		serve "$@"
		(export XDG_STATE_HOME="$PWD/state.$n"
		way $w "$PWD/$n.jsonl" </dev/null) >out 2>err || st=$?
		case $w$st in serve0) st=$(jq '.status // 0' out) ;; esac
		row="$row $st"
		llmserver_stop
	done
	check "$row" "sed -n '/^\.It Sy End/,/^\.El/s/^\.It \(.*\)/\1/p' '$TOP/man/turnpipe.1' |
	    sed 's/ Ta / /g' | grep -Fx '$row'" <<!
$row
!
}

fault() { printf '{"status":%s,"body":{"error":{"code":"%s","message":"no"}}}' "$@"; }
ends 'an answer' '' "$last"
ends 'an answer, after a tool that failed' '' "$read" "$last"
ends 'the model refused' '' '{"text":"No.","finish":"content_filter"}'
TURNPIPE_GUARD=1 ends 'the budget is spent' 'costguard: {tokens: 1}' "$read" "$last"
ends 'the steps are used up' 'max_steps: 1' "$read" "$last"
ends 'too long for the model' 'retry: {on: []}' "$(fault 400 context_length_exceeded)"
ends 'cut at max_tokens' '' '{"text":"Half","finish":"length"}'
ends 'an empty answer' 'retry: {on: []}' '{"text":""}'
ends 'the request was refused' '' "$(fault 400 bad)"
ends 'a call waits for your word' 'toolrun: {ask_later: true}' "$write" "$last"
ends 'the answer broke off' 'retry: {on: []}' '{"text":"Ha","break":true}'
ends 'the key was refused' '' "$(fault 401 bad)"
ends 'an answer; a call had no consent' '' "$write" "$last"
ends 'an answer; a rule denied a call' 'toolrun: {deny: [write_file]}' "$write" "$last"
TURNPIPE_YES=1 ends 'an answer; the gate denied a call' \
    'toolrun: {gate: "echo no >&2; exit 2"}' "$write" "$last"
ends 'the same with ok_denied' 'ok_denied: true' "$write" "$last"
TURNPIPE_PLAN=1 ends 'the same in plan mode' '' "$write" "$last"
ends 'a wrong setting' 'nonsense: 1' "$last"

check 'no turn leaves a pipe that a reader of its directory waits for' \
    'find . -type p; ls -d [0-9]*.d >/dev/null' </dev/null
rm -f "$etc/settings.yaml"
serve "$write" "$last"
needs pty check 'the user said no: 0' \
    'python3 "$TOP/t/onpty.py" "[a]lways: " "n\n" -- turnpipe -Fs no.jsonl Hello >screen; jq -c "select(.tp.denied).tp|[.denied,.unasked]" no.jsonl' <<!
[true,null]
!
serve "$write" "$last"
check 'the answer is printed all the same, and the last record names the calls' '
    turnpipe -Fqs ids.jsonl --json Hello 2>err >out || echo $?; cat err; tail -n 1 out
    turnpipe -Fcs ids.jsonl 2>/dev/null || echo $?; turnpipe -Fcs ids.jsonl --ok-denied' <<!
77
toolrun: write_file: not run: no terminal to ask on; allow it with -y, --permit or toolrun.allow
turnpipe: not allowed, and no user was asked: write_file (c1)
{"type":"error","from":"turnpipe","code":77,"message":"not allowed, and no user was asked: write_file (c1)","calls":["c1"]}
So it is.
77
So it is.
!
call() { printf '{"calls":[{"id":"k%s","name":"%s","arguments":%s}]}' "$@"; }
mkdir -p "$etc/agents"
cat >"$etc/agents/big.md" <<!
---
name: big
description: Writes.
tools: [write_file]
persist: false
---
You write.
!
serve "$(call 1 agent '{"agent_name":"big","task_prompt":"Write."}')" "$write" '{"text":"Denied."}' "$last"
check 'what an agent of the turn was not allowed counts, its result is no failure' '
    turnpipe -Fqs sub.jsonl --permit agent --json Hello 2>/dev/null >out || echo $?; tail -n 1 out
    jq -r "select(.role == \"tool\").content" sub.jsonl | sed "s/: agent-big.*]/: ID]/"' <<!
77
{"type":"error","from":"turnpipe","code":77,"message":"not allowed, and no user was asked: big (k1)","calls":["k1"]}
Denied.

[Calls of this agent that were denied, and did not run: 1.]

[agent_id for more of this work: ID]

!
finish
