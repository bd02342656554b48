#!/bin/sh
# turnpipe --json, --attach, --permit: scripts that run turns.
. "${0%/*}/../lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test
mkdir .git
printf 'one\ntwo\n' >notes
# What each record is.
kinds() { jq -r '[.type, .role // .what // .code // .text // ""] | @tsv' "$@" | tr '\t' ' '; }

read='{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"notes"}}]}'
serve "$read" '{"text":"It has two lines."}'
check 'the records of a turn, in their order, as they are in the session' '
    turnpipe -Fs s1.jsonl --json "how many?" >out; kinds out
    grep -v "^{\"type\":\"\(delta\|prompt\|end\)\"" out | cmp - s1.jsonl' <<!
session 
message user
prompt 
message assistant
usage 
message tool
delta It 
delta has 
delta two 
delta lines.
prompt 
message assistant
usage 
end 
!
serve '{"text":"One."}' '{"text":"Two."}'
check '-q: without deltas; -c: the header, then the new turn; an answer once more' '
    turnpipe -Fs s2.jsonl --json -q one | kinds
    turnpipe -Fqcs s2.jsonl --json two >out; kinds out; grep -c "One\." out || :
    turnpipe -Fcs s2.jsonl --json | jq -r "[.type,.content//\"\"]|@tsv"' <<!
session 
message user
prompt 
message assistant
usage 
end 
session 
message user
prompt 
message assistant
usage 
end 
0
session	
message	Two.
end	
!
serve '{"text":"Half","finish":"length"}' '{"status":400,"body":{"error":{"message":"bad"}}}'
check 'a turn that fails ends with an error, and with its status' '
    for i in 1 2; do
	turnpipe -Fqs f$i.jsonl --json hi 2>err >out || echo "= $?"; kinds out; tail -n 1 out
    done' <<!
= 7
session 
message user
prompt 
message assistant
usage 
error 7
error 7
{"type":"error","from":"turnpipe","code":7,"message":"the turn ended with status 7"}
= 65
session 
message user
prompt 
error 65
error 65
{"type":"error","from":"turnpipe","code":65,"message":"the turn ended with status 65"}
!
serve '{"chunks":[{"data":"data: {\"choices\":[{\"delta\":{\"content\":\"Ha\"}}]}\n\n"}],"break":true}' '{"text":"Whole."}'
check 'what is tried again: its error has a number, the last line is the end' '
    turnpipe -Fs r.jsonl --json hi 2>err >out; kinds out; jq -c "select(.type == \"error\")|[.code,.n > 0]" out' <<!
session 
message user
delta Ha
prompt 
message assistant
usage 
error 76
mark retry
delta Whole.
prompt 
message assistant
usage 
end 
[76,true]
!
serve -r '{"text":"x"}'
check 'a pipe gives the text, and a terminal is not asked for one' \
    'echo hi | turnpipe -Fq --json | kinds | tail -n 1; turnpipe --json 2>&1 </dev/null || echo $?' <<!
end 
turnpipe: expected a text (or -, to read one from standard input)
64
!
check 'no conversation, dry run or task' 'for o in -i -n -T; do turnpipe --json $o hi 2>&1 >out | head -n 1; wc -c <out | tr -d " "; done' <<!
turnpipe: --json: expected no -i, no -n and no -T
0
turnpipe: --json: expected no -i, no -n and no -T
0
turnpipe: --json: expected no -i, no -n and no -T
0
!

# Readers.
text=$(head -c 200000 /dev/zero | tr '\0' x)
serve "$read" "{\"text\":\"$text\"}"
check 'a slow reader gets whole records, however long' '
    turnpipe -Fqs slow.jsonl --json hi | { read -r line; until_ "grep -q xxxx slow.jsonl"; sleep 0.2
    { printf "%s\n" "$line"; cat; } >out; }
    kinds out | tail -n 3; jq -r "select(.role == \"assistant\").content // empty | length" out' <<!
message assistant
usage 
end 
200000
!
serve "$read" '{"text":"Two."}'
check 'a full disk: the answer is kept, the turn ends with 74' '
    turnpipe -Fqs full.jsonl --json hi >/dev/full 2>err || echo "= $?"; sent
    sort -u err; tail -n 1 full.jsonl | jq -r .type' <<!
= 74
0
histadd: write <fd 8>: No space left on device
msg: write <stdout>: No space left on device
message
!
serve "$read" '{"text":"Two."}'
check 'a reader that leaves: so does the turn, the session is whole' '
    { turnpipe -Fqs gone.jsonl --json hi; echo $? >st; } | { read -r line; read -r line; }
    until_ "[ -s st ]"; cat st; jq -ce . gone.jsonl >/dev/null; jq -r ".role // .type" gone.jsonl' <<!
141
session
user
assistant
usage
error
!
serve '{"chunks":[{"data":"data: {\"choices\":[{\"delta\":{\"content\":\"Ha\"}}]}\n\n"},{"data":"data: {\"choices\":[{\"delta\":{\"content\":\"lf\"}}]}\n\n","delay_ms":600000}]}'
for sig in INT TERM; do
	serve '{"chunks":[{"data":"data: {\"choices\":[{\"delta\":{\"content\":\"Ha\"}}]}\n\n"},{"data":"data: {\"choices\":[{\"delta\":{\"content\":\"lf\"}}]}\n\n","delay_ms":600000}]}'
	check "$sig in the middle: whole records, the half answer, a mark and an error" '
	    rm -f out; perl -e "\$SIG{INT} = \"DEFAULT\"; exec @ARGV" turnpipe -Fs $sig.jsonl --json hi >out 2>err & pid=$!
	    until_ "grep -q delta out 2>/dev/null"; kill -s $sig $pid; wait $pid 2>&- || echo "= $?"
	    kinds out; jq -r "select(.role == \"assistant\").tp.partial" out' <<!
= $([ $sig = INT ] && echo 130 || echo 143)
session 
message user
delta Ha
prompt 
message assistant
usage 
mark interrupted
error $([ $sig = INT ] && echo 130 || echo 143)
true
!
done
serve '{"calls":[{"id":"c1","name":"shell","arguments":{"command":"sleep 600 & echo started >there; wait"}}]}'
check 'INT while a tool runs' '
    perl -e "\$SIG{INT} = \"DEFAULT\"; exec @ARGV" turnpipe -Fyqs tool.jsonl --json hi >out 2>err & pid=$!
    until_ "[ -s there ]"; kill -s INT $pid; wait $pid || echo "= $?"; kinds out' <<!
= 130
session 
message user
prompt 
message assistant
usage 
message tool
mark interrupted
error 130
!
serve '{"calls":[{"id":"c1","name":"shell","arguments":{"command":"sleep 600 </dev/null >/dev/null 2>&1 & echo $! >pid"}}]}' '{"text":"Done."}'
check 'what a tool leaves running does not hold the stream open' '
    turnpipe -Fyqs bg.jsonl --json hi | kinds | tail -n 1; kill "$(cat pid)"' <<!
end 
!

# --attach: the three forms of the wire.
printf '\211PNG\r\n\032\n.' >a.png
printf '%%PDF-1.7\n' >b.pdf
for m in openai anthropic openai-responses; do
	serve -r '{"text":"A sign."}'
	export ANTHROPIC_BASE_URL="$URL" ANTHROPIC_API_KEY=sk-ant-test
	turnpipe -Fm $m/m -s at.$m.jsonl --attach a.png --attach=b.pdf "What is it?" >answer
	turnpipe -Fcm $m/m -s at.$m.jsonl "And now?" >>answer
	jq -c '.body | .messages // .input | .[] | select(.role == "user") | .content | select(type == "array")[]
	    | del(.cache_control) | select(.type != "text" and .type != "input_text")' "$REQUESTS" | sort -u >at.$m
done
check '--attach: a picture and a document, also in the next turn' 'sort -u answer; cat at.openai at.anthropic at.openai-responses' <<!
A sign.
{"type":"file","file":{"filename":"b.pdf","file_data":"data:application/pdf;base64,JVBERi0xLjcK"}}
{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgou"}}
{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjcK"}}
{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgou"}}
{"type":"input_file","filename":"b.pdf","file_data":"data:application/pdf;base64,JVBERi0xLjcK"}
{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgou"}
!
serve -r '{"text":"x"}'
check '--attach: what is no picture, is not there, has no text: no call' '
    for f in notes nix .; do turnpipe -Fs bad.jsonl --attach $f hi 2>&1 || echo "= $?"; done
    turnpipe -cs at.openai.jsonl --attach a.png 2>&1 || echo "= $?"; sent' <<!
msg: notes: expected a PNG, JPEG, GIF or WebP picture or a PDF; a text goes with the message
= 65
turnpipe: --attach nix: expected a file that can be read
= 66
turnpipe: --attach .: expected a file that can be read
= 66
turnpipe: --attach: expected a text with it
= 64
0
!
serve '{"text":"One."}' '{"text":"Two."}'
check '--attach in a conversation goes with the first message' '
    printf "one\ntwo\n" | turnpipe -Fis talk.jsonl --attach a.png 2>err
    jq -r "select(.role == \"user\").content | type" talk.jsonl' <<!
One.
Two.
array
string
!

{ printf '%%PDF-1.7\n'; head -c 1500000 /dev/urandom; } >big.pdf
check '--attach: a document fits that has more letters than the window has tokens' '
    turnpipe -n -m openai/gpt-5 --attach big.pdf hi | wc -c | xargs test 2000000 -lt' </dev/null
rm big.pdf

# --permit.
write='{"calls":[{"id":"c1","name":"write_file","arguments":{"path":"new","content":"x"}},{"id":"c2","name":"shell","arguments":{"command":"touch ran"}},{"id":"c3","name":"shell","arguments":{"command":"rm notes"}}]}'
serve "$write" '{"text":"ok"}' "$write" '{"text":"ok"}'
check '--permit: what it covers runs in this run, no more; the next run asks' '
    turnpipe -Fs p.jsonl --permit "write_file(new)" --permit="shell(touch *)" hi 2>err
    ls new ran notes; rm new ran; turnpipe -Fcs p.jsonl again 2>err; ls new ran notes 2>&- || :
    jq -r "select(.role == \"tool\").tp.denied" p.jsonl' <<!
ok
new
notes
ran
ok
notes
null
null
true
true
true
true
!
check '--permit: what is no rule is refused at once' '
    for r in "" "sh ell" "(x)" "shell(" "call_1)"; do turnpipe --permit "$r" hi 2>&1 | head -n 1; done' <<!
turnpipe: --permit: expected a value
turnpipe: --permit: expected TOOL or TOOL(PATTERN), not 'sh ell'
turnpipe: --permit: expected TOOL or TOOL(PATTERN), not '(x)'
turnpipe: --permit: expected TOOL or TOOL(PATTERN), not 'shell('
turnpipe: --permit: expected TOOL or TOOL(PATTERN), not 'call_1)'
!
fails 64 '--permit: a tool that is not there is a slip' 'turnpipe -n --permit "shel(x)" hi' <<!
turnpipe: --permit shel(x): no tool 'shel'; 'turnpipe tools' lists them
!
echo '{"mcpServers":{}}' >mcp.json
check '--permit: a tool that may come, and one that is not on offer' '
    for r in "she*" skill_store "todo_list(x)"; do turnpipe -n --permit "$r" hi >out; done
    TURNPIPE_MCP=$PWD/mcp.json turnpipe -n --permit git_log hi | grep -c messages' <<!
1
!

# The same request, wherever it comes from.
rm -rf .git; mkdir .git
needs pty check 'a pipe, cron and a terminal send the same bytes, but that no user can consent' '
    serve -r "{\"text\":\"x\"}"; export SHELL=/bin/sh LANG=C
    echo "Which file?" | turnpipe -Fs sa.jsonl >answer
    turnpipe -Fs sa2.jsonl "Which file?" >>answer
    PWD="$PWD" env -i PATH=/usr/bin:/bin HOME="$HOME" SHELL=/bin/sh LANG=C TURNPIPE_NOW=$TURNPIPE_NOW \
	OPENAI_API_KEY=x OPENAI_BASE_URL=$OPENAI_BASE_URL TURNPIPE_MODEL=$TURNPIPE_MODEL TZ=UTC \
	sh -c "\"$BIN/turnpipe\" -Fs sa3.jsonl \"Which file?\"" </dev/null >>answer
    script -qec "turnpipe -Fs sa4.jsonl \"Which file?\"" /dev/null </dev/null >>answer
    jq -c ".body | del(.prompt_cache_key)" "$REQUESTS" | sed "s/sa[0-9]*/S/g; s/.nNo user is there to[^\\]*//" | sort | uniq -c | sed "s/^ *\([0-9]*\) .*/\1/"' <<!
4
!
