#!/bin/sh
# Folding in the driver and by hand, against the loopback server.
. "${0%/*}/../lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test
# What each request asked, by its last words from the user, in short.
asked() {
	jq -r '.body.messages|[.[]|select(.role=="user")]|map(.content)|
	    map(split("\n\n<turn-context>")[0])|last|
	    if startswith("The beginning of the conv") or startswith("An agent")
	    then "summary" else . end' "$REQUESTS"
}
kinds() { jq -r '[.role // .type, .for // empty, (.code|tostring|select(. != "null"))]|join(" ")' "$1"; }
mkdir .git
long=$(printf %05000d 1)
old() {
	for i in 1 2 3 4; do
		msg "q$i $long"
		msg -r assistant "a$i $long"
	done | histadd -S "$1"
}
mkdir -p "$XDG_CONFIG_HOME/turnpipe"
printf 'histfit: {tokens: 5000}\n' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"

old s1.jsonl
serve '{"text":"They spoke of zeros."}' '{"text":"Yes."}'
check 'a session that has grown long is folded before the call' \
    'turnpipe -Fs s1.jsonl "Do you know?" 2>err; cat err; asked' <<!
Yes.
turnpipe: folding the beginning of the session into a summary
summary
Do you know?
!
check 'the call knows the summary, and not what it stands for' \
    'tail -n 1 "$REQUESTS" | jq -r "[.body.messages[].content]|join(\" \")" >r
    grep -c "They spoke of zeros" r; grep -c "q1 0" r || :' <<!
1
0
!
check 'and the log has all' 'kinds s1.jsonl | sed 1,9d' <<!
user
usage summary
summary
assistant
usage
!
serve '{"text":"Yes again."}'
check 'once is enough' 'turnpipe -Fs s1.jsonl "And now?"; asked' <<!
Yes again.
And now?
!

old late.jsonl
serve -r '{"text":"'"$(seq -s ' ' 400)"'","delay_ms":400}'
slowly 'max_seconds of the turn bounds the call that folds: nothing is folded, no question is sent' \
    'printf "histfit: {tokens: 5000}\nmax_seconds: $k\n" >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
    rm -rf late2.*; cp late.jsonl late2.jsonl; : >"$REQUESTS"
    turnpipe -Fs late2.jsonl "Do you know?" </dev/null 2>&1 || echo $?; asked; kinds late2.jsonl | sed 1,9d' <<!
turnpipe: folding the beginning of the session into a summary
histfold: expected an end, but the input stopped
turnpipe: not folded (status 142)
turnpipe: the time of this turn is used up
5
summary
user
usage summary
error summary 76
mark
!

# The provider's word.
over='{"status":400,"body":{"error":{"message":"maximum context length exceeded","code":"context_length_exceeded"}}}'
rm "$XDG_CONFIG_HOME/turnpipe/settings.yaml"
old s2.jsonl
serve "$over" '{"text":"Zeros."}' '{"text":"Shorter."}'
check 'too long for the provider: folded by force, and tried once more' \
    'turnpipe -Fs s2.jsonl "Well?" 2>/dev/null; asked' <<!
Shorter.
Well?
summary
Well?
!
old s3.jsonl
serve "$over" '{"text":"Zeros."}' "$over" '{"text":"never"}'
check 'and if that is too long too, it fails' \
    'turnpipe -Fs s3.jsonl "Well?" 2>/dev/null; echo $?; asked' <<!
6
Well?
summary
Well?
!
old s4.jsonl
serve "$over" '{"status":400,"body":{"error":{"message":"no"}}}' '{"text":"never"}'
check 'a fold that fails is reported, and changes nothing' \
    'turnpipe -Fs s4.jsonl "Well?" 2>err; echo $?; grep "^turnpipe:" err; asked | wc -l
    kinds s4.jsonl | tail -n 2; histfit s4.jsonl | jq -r "select(.role).content[:2]" | head -n 1' <<!
6
turnpipe: 400: context_length_exceeded: maximum context length exceeded
turnpipe: folding the beginning of the session into a summary
turnpipe: 400: no
turnpipe: not folded (status 65)
2
error 6
error summary 65
q1
!
serve "$over" '{"text":"never"}'
check 'nothing to fold: nothing is asked' \
    'turnpipe -Fs s5.jsonl "Well?" 2>/dev/null; echo $?; asked' <<!
6
Well?
!
big=$(printf %020000d 1)
mkdir -p "$XDG_CONFIG_HOME/turnpipe/tools"
printf '#!/bin/sh\nprintf %%s %s\n' "$big" >"$XDG_CONFIG_HOME/turnpipe/tools/zeros"
chmod +x "$XDG_CONFIG_HOME/turnpipe/tools/zeros"
echo '{"description":"Zeros.","parameters":{"type":"object","properties":{}},"readonly":true}' \
    >"$XDG_CONFIG_HOME/turnpipe/tools/zeros.json"
call='{"calls":[{"id":"c#","name":"zeros","arguments":{}}]}'
serve "$(echo "$call" | tr '#' 1)" "$(echo "$call" | tr '#' 2)" "$(echo "$call" | tr '#' 3)" \
    "$over" '{"text":"One call gave zeros."}' '{"text":"All zeros."}'
check 'in a chain of calls the last ones and the question stay' \
    'turnpipe -Fs s6.jsonl "Count them." 2>/dev/null
    tail -n 1 "$REQUESTS" | jq -c ".body.messages[1:]|map([.role,.tool_calls[0].id? // .tool_call_id])[:5]"
    tail -n 1 "$REQUESTS" | grep -c "One call gave zeros"' <<!
All zeros.
[["user",null],["assistant","c2"],["tool","c2"],["assistant","c3"],["tool","c3"]]
1
!

# By hand.
old s7.jsonl
serve '{"text":"By hand."}'
check 'by hand' 'turnpipe fold s7.jsonl 2>&1; echo $?; turnpipe-fold -f s7.jsonl 2>&1
    histfit s7.jsonl | jq -r "select(.type==\"summary\").content"' <<!
turnpipe: s7.jsonl: nothing to fold
1
turnpipe: folding the beginning of the session into a summary
By hand.
!
S=$(histadd --new)
old "$S"
serve '{"text":"By its number."}'
check 'by the number that turnpipe log gives it' 'turnpipe fold -f 1 2>/dev/null
    histfit "$S" | jq -r "select(.type==\"summary\").content"; turnpipe fold 2 2>&1 || echo $?' <<!
By its number.
turnpipe: no session of number 2
66
!
fails 66 'a session that is not there was nothing to fold' 'turnpipe fold nowhere.jsonl' <<!
turnpipe: nowhere.jsonl: no such session; 'turnpipe log' lists them
!
check 'two at once paid twice' \
    'agentpool -l s7.d/lock -n other -- sh -c "turnpipe fold -f s7.jsonl; echo \$?" 2>&1 |
    sed "s/process [0-9]*/process N/; s/kill [0-9]*/kill N/"' <<!
turnpipe fold: s7.d/lock: in use by process N (other); go on there, or end that first: kill N
75
!
check 'question and answer stay to be looked at' \
    'jq -r .type s7.d/fold | tail -n 2; jq -r .type s7.d/folded' <<!
request
end
mark
message
usage
end
!
old s8.jsonl
serve '{"stall_ms":600000,"text":"late"}'
check 'ended while it waits: nothing changes' '
    TURNPIPE_RUN= turnpipe-fold -f s8.jsonl 2>/dev/null & p=$!
    until_ "[ -s \"\$REQUESTS\" ]"
    kill $p; wait $p 2>/dev/null || echo ended
    histfit s8.jsonl | jq -r "select(.role or .type==\"summary\")|.role // .type" | sort | uniq -c | tr -s " "' <<!
ended
 4 assistant
 4 user
!
old s9.jsonl
export TURNPIPE_GUARD=1
serve '{"text":"Guarded."}'
check 'with a guard it is booked' \
    'turnpipe fold -f s9.jsonl 2>/dev/null; costguard -l' <<!
last hour: 15 tokens of 500000, 0.0000 dollars
!
unset TURNPIPE_GUARD
fails 66 'no session' 'cd /; turnpipe-fold' <<!
turnpipe: no session of this project
!
fails 64 'an unknown option' 'turnpipe-fold -x' <<!
turnpipe: unknown option -x
usage: turnpipe-fold [-f] [SESSION]
!
