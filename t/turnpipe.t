#!/bin/sh
# The driver: turns against the loopback server, and what can go wrong.
. "${0%/*}/lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test
serve() {
	llmserver_start "$@"
	export OPENAI_BASE_URL="$URL/v1"
}
asked() { wc -l <"$REQUESTS" | tr -d ' '; }
git init -q .
printf 'one\ntwo\n' >notes

serve '{"text":"Hello there."}'
check 'one question, its answer on stdout and nothing else' \
    'turnpipe -s s1.jsonl "say hello"' <<!
Hello there.
!
check 'the session is kept: header, question, answer, usage' \
    'jq -r "[.type // \"message\", .role // .model // .version]|@tsv" s1.jsonl' <<!
session	1
message	user
message	assistant
usage	openai/test
!
serve '{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"notes"}}]}' \
    '{"text":"It has two lines."}'
check 'a tool call, its result, the answer' \
    'turnpipe -s s2.jsonl "how many lines?"' <<!
It has two lines.
!
check 'the result went to the model' \
    'tail -n 1 "$REQUESTS" | jq -r ".body.messages[]|select(.role==\"tool\")|.content" | head -n 2' <<!
one
two
!
check 'nothing of ours goes to the provider' \
    'jq -c ".body.messages[]|select(has(\"tp\") or has(\"type\"))" "$REQUESTS"' </dev/null
serve '{"calls":[{"id":"c1","name":"write_file","arguments":{"path":"new","content":"x\n"}}]}' \
    '{"text":"ok"}' '{"calls":[{"id":"c2","name":"write_file","arguments":{"path":"new","content":"x\n"}}]}' \
    '{"text":"ok"}'
check 'a tool that changes things is denied where nobody can be asked' \
    'turnpipe -s s3.jsonl "write" && test ! -e new' <<!
ok
!
check 'and runs with -y' 'turnpipe -y -s s3.jsonl "write" && cat new' <<!
ok
x
!
serve '{"text":"You said blue."}'
check '-c goes on with the last session of the project' \
    'turnpipe -s "$(histadd --new)" "first" >/dev/null
    turnpipe -c "which colour?" 2>&1 | tail -n 1; asked' <<!
turnpipe: the turn ended with status 69
2
!
finish
