#!/bin/sh
# The loop: calls that fail and are made again, signals, limits, the guard.
. "${0%/*}/../lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test
request() { sed -n "$1p" "$REQUESTS" | jq -r '.body.messages[]|.content|strings'; }
marks() { jq -c 'select(.type=="mark")|[.what,.status//.signal,.attempt]' "$1"; }
# settings TEXT: the user's, from here on.
settings() {
	mkdir -p "$XDG_CONFIG_HOME/turnpipe"
	printf '%s\n' "$@" >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
}
# A shell starts what stands before & with SIGINT ignored; a terminal
# does not, and has it in a group of its own.
begin() {
	exec 9<&0
	perl -e 'use POSIX; POSIX::setsid; $SIG{INT} = "DEFAULT"; exec @ARGV or die' \
	    "$@" <&9 9<&- &
	pid=$!
	exec 9<&-
}
# It has printed its prompt and waits for a line: before that a signal would be
# caught, and not looked at.
prompted() {
	grep -qx "$1" err && sed 's/.*) //' /proc/$pid/stat | grep -q '^S'
}
mkdir .git
printf 'one\ntwo\n' >notes
read='{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"notes"}}]}'
half='{"text":"It has","break":true}'

# One cause, one line, and what to do; the stage's name with -v.
gone="{\"status\":404,\"body\":{\"error\":{\"message\":\"No such model.\"}}}"
serve "$gone" "$gone" '{"status":401,"body":{"error":{"message":"Bad key"}}}' \
    '{"status":429,"body":{"error":{"message":"You exceeded your quota.","code":"insufficient_quota"}}}'
check 'a model, a key, credit, a server that is not there: one line, with a remedy' \
    'for o in -q -v -q -q; do turnpipe -Fs w1.jsonl $o hi 2>&1 || echo $?; done
    OPENAI_BASE_URL=http://127.0.0.1:9/v1 TURNPIPE_CALL="llmcall -x 1" turnpipe -Fs w1.jsonl hi 2>&1 | sed "s/ [^;]*//"
    OPENAI_BASE_URL=http://127.0.0.1:9/v1 TURNPIPE_CALL="llmcall -x 1" turnpipe -Fvs w1.jsonl hi 2>&1 | cut -d " " -f 1-2' <<!
turnpipe: 404: No such model; -m names another one than openai/test; 'turnpipe models' lists those known here
78
llmcall: 404: No such model; -m names another one than openai/test; 'turnpipe models' lists those known here
78
turnpipe: 401: Bad key; give openai another key, in its variable or in ~/.config/turnpipe/keys/openai
77
turnpipe: 429: insufficient_quota: You exceeded your quota; buy credit or raise the limit at openai, or name another provider's model with -m
77
turnpipe:; start the server at http://127.0.0.1:9/v1, or name another model with -m; 'turnpipe doctor' looks closer
llmcall: try
llmcall: Failed
!

# Retry with context.
serve "$read" "$half" '{"text":"Two lines."}'
check 'a call that broke off is made again' \
    'turnpipe -Fs r1.jsonl "how many lines?" 2>err; cat err; sent' <<!
Two lines.
turnpipe: the answer broke off: transfer closed with outstanding read data remaining
turnpipe: the call ended with status 76: once more
3
!
check 'the next attempt sees each completed step, and what failed' \
    'request 3 | grep -x -e one -e two
    request 3 | grep -c "The last request to you failed"
    request 3 | grep -o "The failed request ended with this error: .*"' <<!
one
two
1
The failed request ended with this error: the answer broke off: transfer closed with outstanding read data remaining
!
check 'the log has the half answer, the error and a mark' \
    'jq -r ".type // .role" r1.jsonl | tr "\n" " "; echo; marks r1.jsonl' <<!
session message message usage message message usage error mark message usage 
["retry",76,1]
!
check 'a later turn hears nothing of it' \
    'turnpipe -Fns r1.jsonl more | grep -c "call to you failed" || :' <<!
0
!
for p in opal ivy default; do
	serve "$half" '{"text":"Two lines."}' '{"text":"Three."}'
	check "half an answer ends no request without a word, and leaves once the whole follows: $p" '
	    turnpipe -Fs half-$p.jsonl -P $p "how many?" 2>/dev/null
	    turnpipe -Fs half-$p.jsonl -P $p "and now?"
	    for n in 2 3; do sed -n ${n}p "$REQUESTS" | jq -c "[.body.messages[] | select(.role != \"system\") | .content[:8]]" | sed "s/,\"<.*/]/"; done
	    grep -c "It has" half-$p.jsonl' <<!
Two lines.
Three.
["how many"$([ $p != default ] || echo ',"It has"')]
["how many","Two line","and now?"]
1
!
done
serve "$half" "$half" '{"text":"Two lines."}'
check 'a second retry rephrases' \
    'turnpipe -Fs r2.jsonl "how many lines?" 2>/dev/null; marks r2.jsonl
    request 3 | grep -A 1 "failed 2 times"; request 2 | grep -c "failed 2 times" || :' <<!
Two lines.
["retry",76,1]
["retry",76,2]
Requests to you have failed 2 times at this point. In other words, this is what the user wants:
how many lines?
0
!
serve "$half" "$half" "$half" '{"text":"Two lines."}'
check 'a third failure ends the turn, and -c takes it up again' \
    'turnpipe -Fs r3.jsonl "how many?" >/dev/null 2>&1 || echo $?; sent
    turnpipe -Fcs r3.jsonl; marks r3.jsonl' <<!
76
3
Two lines.
["retry",76,1]
["retry",76,2]
!
serve '{"text":""}' '{"text":"Two."}'
check 'an answer without a word is a failure' \
    'turnpipe -Fs r4.jsonl "how many?" 2>/dev/null; marks r4.jsonl' <<!
Two.
["retry",76,1]
!
bad='{"status":400,"body":{"error":{"code":"tool_use_failed","message":"Failed to call a function."}},"repeat":2}'
serve "$read" "$bad" '{"text":"Two."}'
check 'a call that the provider did not take was never put in other words' \
    'turnpipe -Fs r4b.jsonl "how many?" 2>/dev/null; marks r4b.jsonl
    sent; request 4 | grep -c "The last request to you failed"' <<!
Two.
["retry",76,1]
4
1
!
serve "$read" "$half" "$read" "$half" "$half" '{"text":"Two."}'
check 'a step that was made begins the count anew' \
    'turnpipe -Fs r5.jsonl "how many?" 2>/dev/null; marks r5.jsonl' <<!
Two.
["retry",76,1]
["retry",76,1]
["retry",76,2]
!
settings 'retry: {tries: 0}'
serve "$half"
check 'retry.tries: 0' \
    'turnpipe -Fs r6.jsonl hi >/dev/null 2>&1 || echo $?; sent; marks r6.jsonl' <<!
76
1
!
settings 'retry: {tries: 1, on: [77]}'
serve '{"status":401,"body":{"error":{"message":"no"}}}' '{"text":"Yes."}'
check 'retry.on says for which' \
    'turnpipe -Fs r7.jsonl hi 2>/dev/null; marks r7.jsonl' <<!
Yes.
["retry",77,1]
!
settings

mkdir -p "$XDG_CONFIG_HOME/turnpipe/profiles"
echo "echo '{\"type\":\"end\"}'" >"$XDG_CONFIG_HOME/turnpipe/profiles/silent"
check 'a pipe that makes no request is no turn that is done' \
    'turnpipe -FP silent -s r7.jsonl hi 2>&1 || echo $?' <<!
toolrun: expected an answer
76
!

# What a provider does not take is in no later request.
refuse() { printf '{"status":%s,"body":{"error":{"code":"%s","message":"%s"}}}' "$@"; }
for p in default opal; do
	serve '{"text":"One."}' "$(refuse 400 content_policy_violation no)" '{"text":"Two."}' \
	    "$(refuse 400 string_above_max_length long)" '{"text":"It was too long."}' \
	    "$(refuse 401 invalid_api_key who)" '{"text":"Four."}'
	check "a message that was refused does not kill its chat, nor does -c send it again: $p" '
	    turn() { turnpipe -Fs refused-$p.jsonl -P $p "$@" 2>/dev/null || echo $?; }
	    turn 1; turn bad; turn 2; turn big; turn -c; turn key; turn 4
	    sed -n "\$p" "$REQUESTS" | jq -c "[.body.messages[] | select(.role == \"user\") | .content[:6]]"
	    jq -r "select(.role == \"user\").content" refused-$p.jsonl | tr "\n" " "; echo' <<!
One.
3
Two.
65
It was too long.
77
Four.
["1","[The p","[The p","key\n\n4"]
1 bad 2 big key 4 
!
done
# A stage of the user's own that leaves out what a tool returned.
sed 's/^histfit[^|]*|/& jq -c '"'select(.tool_call_id != \"c1\")'"' |/' \
    "$TOP/share/profiles/default" >"$XDG_CONFIG_HOME/turnpipe/profiles/leaky"
printf "three\n" >other
two='{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"notes"}},{"id":"c2","name":"read_file","arguments":{"path":"other"}}]}'
for m in openai anthropic openai-responses; do
	serve "$two" '{"text":"Two lines."}'
	export ANTHROPIC_BASE_URL="$URL" ANTHROPIC_API_KEY=sk-test
	check "a call whose result a stage of the pipe leaves out has one: $m" '
	    turnpipe -Fs leaky-$m.jsonl -P leaky -m $m/test "how many?" 2>&1
	    sed -n 2p "$REQUESTS" | jq -c "[.body | .messages // .input | .[] |
		(.tool_calls // (.content | arrays) // [.])[] |
		select(.role == \"tool\" or (.type | IN(\"function\", \"function_call\", \"tool_use\", \"function_call_output\", \"tool_result\"))) |
		[.id // .call_id // .tool_use_id // .tool_call_id, (.content // .output // \"call\")[:6]]]"' <<!
Two lines.
[["c1","call"],["c2","call"],["c1","error:"],["c2","three\n"]]
!
done

# Interrupts.
serve '{"text":"Never seen.","stall_ms":600000}' '{"text":"Here I am."}'
check 'an interrupt in a call stops the turn' \
    'begin turnpipe -Fs i1.jsonl "slow one"; until_ "[ \$(sent) = 1 ]"
    kill -INT $pid; wait $pid 2>/dev/null || echo $?; marks i1.jsonl' <<!
130
["interrupted","INT",null]
!
check 'and the session goes on with a note of it' \
    'turnpipe -Fcs i1.jsonl; request 2 | grep -c "The user stopped"' <<!
Here I am.
1
!
sleep='{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"notes"}},{"id":"c2","name":"shell","arguments":{"command":"echo half; echo >begun; sleep 600"}}]}'
for how in INT -INT; do
	rm -f begun
	serve "$sleep" '{"text":"Fine."}'
	check "an interrupt in a tool keeps what is done (kill $how)" \
	    'begin turnpipe -Fys i2.jsonl "run it"; until_ "[ -e begun ]"
	    perl -e "kill qw($how), $pid"; wait $pid 2>/dev/null || echo $?
	    jq -r "select(.role==\"tool\")|[.tool_call_id,.tp.interrupted//false]|@tsv" i2.jsonl
	    jq -r "select(.tool_call_id==\"c1\").content" i2.jsonl | head -n 1
	    marks i2.jsonl; turnpipe -Fs i2.jsonl "go on"
	    sent; rm i2.jsonl' <<!
130
c1	false
c2	true
one
["interrupted","INT",null]
Fine.
2
!
done
serve '{"text":"Never seen.","stall_ms":600000}'
check 'TERM and HUP likewise' \
    'begin turnpipe -Fs i3.jsonl "slow one"; until_ "[ \$(sent) = 1 ]"
    { kill $pid; wait $pid; } 2>/dev/null || echo $?; marks i3.jsonl' <<!
143
["interrupted","TERM",null]
!
serve '{"text":"Never seen.","stall_ms":600000}' '{"text":"Still here."}'
mkfifo in
check 'in a conversation: once stops the turn, again at the prompt leaves' \
    'exec 3<>in; begin turnpipe -Fis i4.jsonl <in >out 2>err; echo slow >&3; until_ "[ \$(sent) = 1 ]"; kill -INT $pid; until_ "grep -q interrupted err"
    echo again >&3; until_ "prompted \"> > \""; kill -INT $pid; wait $pid && echo left
    cat out; sed "s|session .*/|session |" err; marks i4.jsonl' <<!
left
Still here.
turnpipe: session i4.jsonl
> turnpipe: interrupted
> > 
["interrupted","INT",null]
!
serve '{"calls":[{"id":"c1","name":"shell","arguments":{"command":"trap \"echo >told\" INT TERM; echo >begun; while :; do sleep 600 & wait; done"}}]}'
rm -f begun
check 'twice in a turn: leaves at once' \
    'exec 3<>in; begin turnpipe -Fyis i5.jsonl <in >out 2>err; echo slow >&3; until_ "[ -e begun ]"; kill -INT $pid; until_ "[ -e told ]"; kill -INT $pid
    wait $pid && echo left; marks i5.jsonl; sent' <<!
left
["interrupted","INT",null]
1
!

# What toolrun set aside.
serve '{"text":"One."}' '{"text":"Two."}'
check 'what was typed before a question is shown, also in a conversation, and once' \
    'mkdir -p ty.d; printf "y\nnext: the \342\202\254" >ty.d/typed
    turnpipe -Fs ty.jsonl one 2>err; sed "s|(.*/ty.d|(ty.d|" err
    mv ty.d/typed.last ty.d/typed; printf "\377" >>ty.d/typed
    echo two | turnpipe -Fis ty.jsonl 2>err; grep -c "not used" err; [ -s ty.d/typed.last ]' <<!
One.
turnpipe: typed before a question, and not used (ty.d/typed.last):
y
next: the €
Two.
1
!

# Limits.
serve -r "$read"
check 'max_seconds of a turn that goes on too long' \
    'echo hi | msg - | histadd l1.jsonl
    TURNPIPE_NOW=2026-11-21T12:00:30Z; settings "max_seconds: 20"
    turnpipe -Fcs l1.jsonl 2>&1 || echo $?; sent' <<!
reminders: the turn's time is used up
5
0
!
mkdir -p jump "$XDG_CONFIG_HOME/turnpipe/agents"
cat >jump/date <<'!'
#!/bin/sh
# The clock of the wall, an hour later at each look.
[ "$*" = +%s ] || exec /bin/date "$@"
echo $(($(/bin/date +%s) + 3600 * $(cat looks | wc -l)))
echo x >>looks
!
chmod +x jump/date
: >looks
if [ -r /proc/uptime ]; then
	serve '{"text":"In time."}'
	check 'max_seconds: a clock that jumps by an hour ends no turn' \
	    '(unset TURNPIPE_NOW; settings "max_seconds: 600"; PATH=$PWD/jump:$PATH turnpipe -Fs jumped.jsonl hi)' <<!
In time.
!
	serve -r "$read"
fi
printf -- '---\nname: slow\nmax_seconds: 20\nmax_steps: 2\n---\nYou are slow.\n' \
    >"$XDG_CONFIG_HOME/turnpipe/agents/slow.md"
settings
check 'an agent has its own' \
    'TURNPIPE_NOW=2026-11-21T12:00:30Z turnpipe -a slow -Fcs l1.jsonl 2>&1 || echo $?; sent
    turnpipe -a slow -Fcs l1.jsonl 2>&1 || echo $?; sent' <<!
reminders: the turn's time is used up
5
0
promptcompose: the turn's steps are used up
5
2
!
printf '%s\n' 'reminders: {misses: 1}' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
mkdir -p "$XDG_CONFIG_HOME/turnpipe/profiles"
sed 's/agentload/agentload -c required_tools=ls/' "$TOP/share/profiles/default" \
    >"$XDG_CONFIG_HOME/turnpipe/profiles/strict"
serve -r '{"text":"I need no tools."}'
check 'how often a required tool may be left out is the settings' \
    'turnpipe -F -P strict -s l2.jsonl hi 2>&1 || echo $?; sent' <<!
toolrun: required and not called yet: ls
toolrun: required and not called yet: ls
reminders: required tools not called after 2 answers: ls
5
2
!

settings
serve -r '{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"nowhere"}}]}'
check 'a model that repeats one broken call does not run 50 steps' \
    'turnpipe -Fs f1.jsonl hi 2>&1 || echo $?; sent' <<!
promptcompose: the same call of read_file failed 3 times with the same error
5
3
!
broken='{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"nowhere"}}]}'
serve "$broken" "$broken" "$read" '{"calls":[{"id":"c1","name":"write_file","arguments":{"path":"w","content":"x"}}]}' "$broken" "$broken" '{"text":"Done."}'
check 'one that changed something between them goes on' \
    'turnpipe -Fys f2.jsonl hi; sent' <<!
Done.
7
!
serve -r '{"headers":{"Content-Type":"text/html","retry-after-ms":"1"},"body":"<html>hi</html>"}'
check 'retries do not multiply: a page in place of an answer is asked for 5 times, not 15' \
    'turnpipe -Fs f3.jsonl hi >/dev/null 2>&1 || echo $?; sent' <<!
69
5
!

# The guard.
settings 'costguard: {tokens: 50}'
serve -r '{"text":"Hello.","usage":{"prompt_tokens":40,"completion_tokens":20}}'
check 'without -g nothing is counted' \
    'turnpipe -Fs g1.jsonl hi && turnpipe -Fs g2.jsonl hi; costguard -l' <<!
Hello.
Hello.
last hour: 0 tokens of 50, 0.0000 dollars
!
check 'with it what is over the cap is not asked: 4' \
    'turnpipe -Fgs g3.jsonl hi 2>err; TURNPIPE_GUARD=1 turnpipe -Fs g4.jsonl hi 2>&1 || echo $?
    sent; jq -r "select(.type==\"error\")|[.from,.code]|@tsv" g4.jsonl; cat err' <<!
Hello.
costguard: hard cap exceeded: 60 tokens in an hour, at most 50; costguard -r resumes
4
3
costguard	4
costguard: hard cap exceeded: 60 tokens in an hour, at most 50: no more calls
!
check 'and goes on when that is allowed' \
    'costguard -r -z; turnpipe -Fgcs g4.jsonl 2>/dev/null' <<!
Hello.
!
settings 'costguard: {project: "{\"day\": {\"tokens\": 30}}"}'
serve -r '{"text":"Fine."}'
check 'a budget of the project holds for all its turns, tasks and batches, and for no other project' '
    costguard -rz; mkdir -p p1/.git p2/.git; cd p1; echo "Say hello." >job.md; printf "{\"id\":\"a\",\"text\":\"x\"}\n" >tasks
    turnpipe -s 1.jsonl one; turnpipe -T job.md; for run in "turnpipe -s 3.jsonl three" "turnpipe -T job.md"; do
	st=0; $run >out 2>err || st=$?; echo $st; done; turnpipe each tasks 2>alone | jq .status; sent
    grep -c "^costguard: agent project-p1-[0-9a-f]*: 30 tokens today, at most 30" err
    cd ../p2; turnpipe -s 1.jsonl one; ls "$XDG_STATE_HOME/turnpipe" | grep -c "^costguard-project-.*json$"' <<!
Fine.
Fine.
4
4
4
2
1
Fine.
2
!
settings 'costguard: {cost: 1}'
serve -r '{"text":"Hello."}'
fails 78 'a limit of dollars that an unknown price defeats is a fault before anything is asked' \
    'turnpipe -Fgs g6.jsonl hi; st=$?; [ ! -e g6.jsonl ] && [ "$(sent)" -eq 0 ] && exit $st' <<!
turnpipe: a limit of dollars is set, but the price of openai/test is not known; write it to prices/openai.yaml of ~/.config/turnpipe
!
check 'with a known price, or without -g, there is none' \
    'costguard -rz; turnpipe -Fgs g7.jsonl -m openai/gpt-4o hi; turnpipe -Fs g8.jsonl hi' <<!
Hello.
Hello.
!
settings 'costguard: {breaker: {errors: 1, seconds: 60}}' 'retry: {tries: 0}'
serve "$half" -r '{"text":"Hello."}'
check 'the breaker: 75, and a refusal is no error of the server' \
    'costguard -r -z; turnpipe -Fgs g5.jsonl hi >/dev/null 2>&1 || echo $?
    turnpipe -Fgcs g5.jsonl 2>/dev/null || echo $?; sent
    export TURNPIPE_NOW=2026-11-21T12:01:00Z; turnpipe -Fgcs g5.jsonl' <<!
76
75
1
Hello.
!
rm -f "$XDG_STATE_HOME/turnpipe/costguard.json"
mkdir -p "$XDG_STATE_HOME/turnpipe/costguard.json"
serve -r '{"text":"Hello."}'
check 'a ledger that cannot be read: no request is sent' \
    'turnpipe -Fgs g6.jsonl hi 2>err || echo $?; sent; sed "s|: .*/|: |" err' <<!
66
0
costguard: costguard.json: not a regular file
!
rmdir "$XDG_STATE_HOME/turnpipe/costguard.json"
settings

# Until a command says that it is done.
write() { printf '{"calls":[{"id":"w%s","name":"write_file","arguments":{"path":"%s","content":"x"}}]}' "$1" "$1"; }
cat >checkit <<'!'
echo run >>runs
wc -l <runs
for f in one.c two.c; do [ -e $f ] || { echo "$f is missing"; exit 2; }; done
!
done='{"text":"Done."}'
serve "$done" "$(write one.c)" "$done" "$(write two.c)" '{"text":"It is done."}'
check 'who says done too early is sent back until the command agrees' \
    'turnpipe -Fys u1.jsonl --until "sh checkit" "fix it"; sent
    jq -c "select(.what==\"until\")|[.round,.status,.output]" u1.jsonl' <<!
It is done.
5
[1,2,"1\none.c is missing"]
[2,2,"2\ntwo.c is missing"]
[3,0,null]
!
check 'the model has its output as a reminder, for as long as it works on it' \
    'for i in 1 2 3 4 5; do request $i | grep -c "is missing"; done; request 2 | grep missing
    request 4 | grep missing; request 2 | sed -n "s|.*is in .*/||p"' <<!
0
1
1
1
1
one.c is missing
two.c is missing
until.1
!
rm -f one.c two.c
serve -r "$done"
check 'one that never fixes it: 5 at the second equal output' \
    'turnpipe -Fys u2.jsonl --until "echo no; exit 3" "fix it" 2>&1 || echo $?; sent' <<!
turnpipe: --until: status 3, twice with the same output:
no
Done.
5
2
!
rm -f runs
serve -r "$done"
check 'or when the rounds are used up' \
    'turnpipe -Fys u3.jsonl -N 3 --until "sh checkit" "fix it" 2>&1 || echo $?; sent' <<!
turnpipe: --until: status 2 after 3 rounds:
3
one.c is missing
Done.
5
3
!
settings 'max_steps: 2'
rm -f runs
serve -r "$done"
check 'the step limit holds over all rounds' \
    'turnpipe -Fys u4.jsonl --until "sh checkit" "fix it" 2>&1 || echo $?; sent' <<!
promptcompose: the turn's steps are used up
5
2
!
serve -r "$done"
slowly 'the time limit stops the command, too, and the model is not asked about that' \
    'rm -rf u11.*; : >"$REQUESTS"; settings "max_seconds: $((2 * k))"
    (unset TURNPIPE_NOW; turnpipe -Fys u11.jsonl --until "exec sleep 600" "fix it" 2>&1 >/dev/null) || echo $?; sent' <<!
turnpipe: the time of this turn is used up
5
1
!
check 'that of a turn that was done before, too' \
    '(unset TURNPIPE_NOW; turnpipe -Fycs u1.jsonl --until "exec sleep 600" 2>&1) || echo $?' <<!
turnpipe: the time of this turn is used up
5
!
settings
if [ -r /proc/self/environ ]; then
	# pids COMMAND FILE: processes of this name that have the session's.
	cat >pids <<'!'
grep -lsaF "$2" /proc/[0-9]*/environ | while IFS=/ read -r _ _ p _; do
	read -r comm </proc/$p/comm && [ "$comm" != "$1" ] || echo $p
done 2>/dev/null
!
	look='{"calls":[{"id":"c1","name":"shell","arguments":{"command":"sh pids promptcompose /k8"}}]}'
	serve "$look" "$look" '{"text":"So."}'
	check 'the steps of a turn are one pipe' '
	    turnpipe -Fys k8.jsonl go
	    jq -r "select(.role == \"tool\").content" k8.jsonl | grep "^[0-9]" | sort | uniq -c | grep -c "^ *2 "' <<!
So.
1
!
	serve "{\"delay_ms\":300,${read#?}" '{"text":"Done."}'
	check 'a stage is killed: a line, 76, nothing is left, and -c goes on' '
	    turnpipe -Fys k9.jsonl hi 2>err & pid=$!; until_ "[ \$(sent) = 1 ]"
	    kill -9 $(sh pids promptcompose "$PWD/k9.jsonl"); wait $pid 2>/dev/null || echo $?; cat err
	    until_ "[ -z \"\$(grep -lsaF \"$PWD/k9.jsonl\" /proc/[0-9]*/environ)\" ]"
	    turnpipe -Fcs k9.jsonl' <<!
76
turnpipe: a stage of the pipe died; 'turnpipe -c' goes on
Done.
!
fi
serve "$done" '{"text":"Now it is."}'
printf 'echo $$ >began; [ -e go ] || exec sleep 600\n' >slow
check 'killed while the command runs, and continued' \
    'turnpipe -Fys u5.jsonl --until "sh slow" "fix it" & pid=$!
    until_ "[ -s began ]"; kill -TERM $pid; wait $pid 2>/dev/null || echo $?
    read -r pid <began; until_ "! kill -0 $pid"
    turnpipe -Fys u5.jsonl -c --until "[ -e go ] || { >go; echo not yet; exit 1; }"; sent
    marks u5.jsonl' <<!
143
Now it is.
2
["interrupted","TERM",null]
["until",1,null]
["until",0,null]
!
check 'a finished turn: the command alone decides' \
    'turnpipe -Fys u5.jsonl -c --until "[ -e go ]"; sent' <<!
Now it is.
2
!
serve "$done" "$done" "$done"
check 'its output is cut, what is not UTF-8 is U+FFFD, and no key gets into it' \
    'turnpipe -Fys u6.jsonl -N 1 --until "env | grep -c API_KEY; printf \"a\\377\"; seq 9999; false" go >/dev/null 2>&1 || echo $?
    jq -r "select(.what==\"until\")|.output" u6.jsonl >o; head -n 3 o; grep -c -F "[...]" o; tail -n 1 o
    [ $(wc -c <o) -lt 17000 ] || wc -c o; wc -l <u6.d/until.1' <<!
5
0
a�1
2
1
9999
10000
!
serve -r "$done"
check 'in a conversation each text has rounds of its own' \
    'printf "again\n" | turnpipe -Fiys u7.jsonl -N 1 --until "echo no; false" first 2>&1 | sed "1d;s/^> //"' <<!
turnpipe: --until: status 1 after 1 rounds:
no
Done.
turnpipe: the turn ended with status 5
turnpipe: --until: status 1 after 1 rounds:
no
Done.
turnpipe: the turn ended with status 5

!
for n in 0 x ''; do
	turnpipe -Fs u8.jsonl -N "$n" --until true hi 2>&1 | head -n 1
done >said
check '-N that is no number' 'cat said' <<!
turnpipe: -N: expected a number from 1, not '0'
turnpipe: -N: expected a number from 1, not 'x'
turnpipe: -N: expected a value
!
serve '{"text":"{\"n\":1}"}' '{"text":"nothing"}'
printf '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}\n' >shape
check '--schema: an answer that fits, and one that does not' \
    'turnpipe -Fs u9.jsonl --schema shape hi; turnpipe -Fs u10.jsonl --schema shape hi 2>&1 || echo $?' <<!
{"n":1}
turnpipe: answer:1:1: expected a value
nothing
8
!
fails 66 'a schema that is not there: one line' 'turnpipe --schema none hi' <<!
turnpipe: --schema: none cannot be read
!
fails 65 'a schema that is no JSON: one line' 'echo "{bad" >shape; turnpipe --schema shape hi' <<!
turnpipe: --schema: shape: expected a JSON Schema:1:2: expected a key in quotes
!

# The time of a turn: a call under way is stopped, what it said is kept.
mkdir -p "$XDG_CONFIG_HOME/turnpipe/agents"
serve -r '{"text":"'"$(seq -s ' ' 400)"'","delay_ms":400}'
slowly 'max_seconds of an agent was seen only between calls: it stops one, and what had come is kept' \
    'printf -- "---\nmax_seconds: $((2 * k))\n---\nBe quick.\n" >"$XDG_CONFIG_HOME/turnpipe/agents/quick.md"
    rm -rf late.*; turnpipe -a quick -s late.jsonl "Count." </dev/null 2>&1 >/dev/null || echo $?
    jq -c "select(.role==\"assistant\" or .type==\"mark\")|[.role//.what,.tp.partial,(.content//\"\")[:3]]" late.jsonl' <<!
turnpipe: the time of this turn is used up
5
["assistant",true,"1 2"]
["interrupted",null,""]
!
printf 'max_seconds: 1\ntoolrun: {allow: [shell]}\n' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
check "that of the settings does, too" 'turnpipe -s late2.jsonl "Count." </dev/null >said 2>err || echo $?; tail -n 1 err' <<!
5
turnpipe: the time of this turn is used up
!
serve -r '{"calls":[{"id":"c1","name":"shell","arguments":{"command":"until [ -e nevermore ]; do sleep 1; done"}}]}'
slowly 'and a tool' 'printf "max_seconds: $((2 * k))\n" >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
    rm -rf late3.*; turnpipe -y -s late3.jsonl "Wait." </dev/null 2>&1 >/dev/null || echo $?; jq -r "select(.role==\"tool\").content" late3.jsonl' <<!
turnpipe: the time of this turn is used up
5
error: stopped before it had ended, because the time limit of this turn (max_seconds) was reached
!
rm "$XDG_CONFIG_HOME/turnpipe/settings.yaml"

serve -r '{"text":"ok"}'
echo 'toolrun: {network: false}' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
check 'a limit that cannot be kept is a fault before the model is asked' \
    'turnpipe -s limit.jsonl hi 2>&1 | sed "s/.*: off/off/"; sent; turnpipe doctor | sed -n "/^FAULT sandbox/s/: .*: off/: off/p"
    turnpipe -s limit.jsonl --set toolrun.network=true hi' <<!
off: expected toolrun.sandbox: bwrap, which closes it
0
FAULT sandbox: off: expected toolrun.sandbox: bwrap, which closes it
ok
!
rm "$XDG_CONFIG_HOME/turnpipe/settings.yaml"

fails 64 'no session' 'turnpipe--turn hi' <<!
turnpipe: expected a session (-s)
usage: turnpipe--turn [-s FILE] [-ceFinpq] [-N ROUNDS] [--answers LINES]
                      [--attach LINES] [--json] [--schema FILE]
                      [--typed BYTES] [--until COMMAND] [--] [TEXT ... | -]
!
check 'every session is whole' 'for f in *.jsonl; do jq -e . "$f" >/dev/null || echo "$f"; done' </dev/null
fails 66 'an agent that is not there: one line, and what to do' 'turnpipe -a nope hi' <<!
turnpipe: agent nope: no such definition; 'agentload -l' lists them
!
fails 74 'a disk that is full: one line' 'mkdir -p full.d; ln -s /dev/full full.d/as; turnpipe -s full.jsonl hi' <<!
turnpipe: $PWD/full.d cannot be written: free some space, or set XDG_STATE_HOME to where there is
!
fails 74 'one that fills up in a turn: what to do' 'mkdir -p filled.d; ln -s /dev/full filled.d/ask; ln -s /dev/full filled.d/full
    turnpipe -s filled.jsonl hi' <<!
msg: write <stdout>: No space left on device
turnpipe: $PWD/filled.d cannot be written: free some space, or set XDG_STATE_HOME to where there is
!
mkdir -p talked.d/prompts; ln -s /dev/full talked.d/prompts/requests; ln -s /dev/full talked.d/full
check 'one that fills up in a talk: the cause and what to do, no more' \
    'echo hi | turnpipe -Fis talked.jsonl 2>&1 | sed -n "s/^> \\(.\\)/\\1/p; /^turnpipe: [^s]/p"' <<!
promptcompose: write in $PWD/talked.d/prompts: No space left on device
turnpipe: $PWD/talked.d cannot be written: free some space, or set XDG_STATE_HOME to where there is
!
: >plain
fails 73 'no place for sessions: one line' 'XDG_STATE_HOME=$PWD/plain turnpipe hi' <<!
turnpipe: $PWD/plain/turnpipe cannot be written: free some space, or set XDG_STATE_HOME to where there is
!
fails 78 'nor without a HOME' 'unset HOME XDG_STATE_HOME; turnpipe hi' <<!
turnpipe: HOME is not set; set it, or XDG_STATE_HOME
!
tap_has pty && tap_has python3 || finish
rm -f runs one.c two.c
serve "$done" "$(write one.c)" "$done" "$(write two.c)" '{"text":"It is done."}'
check 'a terminal is shown each check of --until, in its columns' \
    'python3 "$TOP/t/attty.py" -s 24x34 turnpipe -Fys u20.jsonl --until "sh checkit" "fix it" <<E | sed -n "s/[0-9.]* s,/N s,/; /check [0-9]/p; /^N s/p; /^lines/p; /^=/p"
shows check 3/5: ok
text
E' <<!
· check 1/5 sh checkit: status 2,
N s, 2 lines
· check 2/5: status 2, N s, 2
lines
· check 3/5: ok
= 0
!
check 'turnpipe report on a terminal: a file, and its name' \
    'python3 "$TOP/t/attty.py" -s 24x200 turnpipe report ./u20.jsonl <<E | sed "s|.*/u20|u20|"
shows report.html
text
E
    grep -c "<title>" u20.d/report.html' <<!
u20.d/report.html
= 0
1
!

# The pipe and the loop that README prints, with the ends that its driver opens.
cat >loop.sh <<'!'
pipe=$(sed -n '/^    histfit |/,/msg -g why/p' "$TOP/README")
loop=$(sed -n '/^    while read/,/^    done/p' "$TOP/README")
mkfifo ring steps
exec 7<>ring 3>ring 4<ring 7<>steps 6<steps
(export TURNPIPE_RING="$PWD"; eval "$pipe") <&4 >&7 3>&- 4<&- 6<&- 7>&- &
exec 4<&- 7>&-
echo loop >&3
eval "$loop" <&6
echo "$why $status"
exec 3>&- 6<&-
wait
!
for sh in dash bash 'busybox sh'; do
	command -v ${sh% *} >/dev/null || continue
	serve '{"calls":[{"id":"c1","name":"write_file","arguments":{"path":"looped","content":"x"}}]}' '{"text":"Looped."}'
	check "the loop that README prints does what a turn does: $sh" "
	    rm -rf loop.jsonl loop.d looped ring steps; msg 'Write it.' | histadd loop.jsonl; mkdir loop.d
	    export TURNPIPE_YES=1; TOP='$TOP' $sh loop.sh; ls looped; msg -t loop.jsonl" <<!
final 0
looped
Looped.
!
done
