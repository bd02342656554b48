#!/bin/sh
# A session forked at a record, and run again without its tools.
. "${0%/*}/../lib.sh"

export TURNPIPE_MODEL=openai/test OPENAI_API_KEY=sk-test
mkdir .git
call() {
	printf '{"calls":[{"id":"%s","name":"%s","arguments":%s}]}' "$1" "$2" "$3"
}
# answers K: those of the model from the one of number K on.
answers() {
	set -- "$1" "$(call a write_file '{"path":"made","content":"1\n"}')" \
	    '{"calls":[{"id":"b","name":"write_file","arguments":{"content":"2\n","path":"two"}},{"id":"c","name":"write_file","arguments":{"path":"made","content":"1\n"}}]}' \
	    "$(call d shell '{"command":"cat made two; echo x >>three"}')" \
	    '{"text":"Done."}'
	shift "$1"
	serve "$@"
}
answers 1
turnpipe -Fyq -s ./s.jsonl 'make them' >out
# What was said and done, without ids and times.
told() {
	jq -c 'select(.role) | [.role, .content,
	    (.tool_calls[]?.function | .name, .arguments), .tp.exit]' "$1"
}
told s.jsonl >first
check 'the session that is forked' 'cat out; cut -c 1-39 first; ls' <<!
Done.
["user","make them",null]
["assistant",null,"write_file","{\"path
["tool","created made: 2 bytes, 1 lines
["assistant",null,"write_file","{\"cont
["tool","created two: 2 bytes, 1 lines\\
["tool","replaced made: 2 bytes, 1 line
["assistant",null,"shell","{\"command\"
["tool","1\\n2\\n",0]
["assistant","Done.",null]
first
made
out
s.d
s.jsonl
three
two
!
check 'a fork has the records up to one, an id of its own, and says of what it is' '
    f=$(turnpipe fork -n 3 ./s.jsonl); tail -n +2 "$f" | wc -l
    jq -r "select(.type == \"session\") | [.parent, .at, .id != \"s\", .cwd] | @tsv" "$f" | sed "s|$PWD|W|"
    for g in "$f" s.jsonl; do sed -n 2,4p "$g" | jq -S -c . >a.${#g}; done; cmp a.*' <<!
3
s	3	true	W
!
check 'its traces are others, and what both have is paid once' '
    f=$(turnpipe fork ./s.jsonl)
    for g in s.jsonl "$f"; do turnpipe log --otlp "./${g##*/}" | jq -r "[.. | .traceId? // empty] | unique[]"; done | sort -u | wc -l
    turnpipe cost -s ./s.jsonl --csv | wc -l; turnpipe cost -s "$f" --csv | wc -l
    echo "{\"type\":\"usage\",\"prompt_tokens\":7}" | histadd "$f"; turnpipe cost -s "$f" --csv | tail -n 1' <<!
2
2
1
"-",1,7,0,0,,1
!
rm -f made two three
n=$(($(wc -l <s.jsonl) - 1))
check 'from each record on it goes the same way again, and no tool is run' '
    i=0; while [ $((i += 1)) -lt $((n - 1)) ]; do
	f=$(turnpipe fork -n $i ./s.jsonl)
	answers $(($(grep -c "\"role\":\"assistant\"" "$f") + 1))
	TURNPIPE_TOOLRUN="toolreplay s.jsonl" turnpipe -Fyq -c -s "$f" >out || echo "$i: $?"
	told "$f" | grep -vxF -f first || :
	tail -n 1 out
    done | sort | uniq -c | tr -s " "; ls made two three 2>/dev/null || :' <<!
 11 Done.
!
check 'the whole way is the same, byte for byte but for ids and times' '
    f=$(turnpipe fork -n 1 ./s.jsonl); answers 1
    TURNPIPE_TOOLRUN="toolreplay ./s.jsonl" turnpipe -Fyq -c -s "$f" >out; told "$f" | cmp - first'
fails 75 'a call that the log does not have is not run' '
    f=$(turnpipe fork -n 1 ./s.jsonl); serve "$(call z shell "{\"command\":\"touch z\"}")"
    TURNPIPE_TOOLRUN="toolreplay s.jsonl" turnpipe -Fyq -c -s "$f"; s=$?; ls z 2>/dev/null; exit $s' <<!
toolreplay: the log has no such call: shell {"command":"touch z"}; expected write_file {"content":"1\n","path":"made"}
!
check 'the todos go along with all of it, the profile with each' '
    mkdir -p s.d; echo "{}" >s.d/todos.jsonl
    f=$(turnpipe fork ./s.jsonl); ls "${f%.jsonl}.d"; f=$(turnpipe fork -n 2 ./s.jsonl); ls "${f%.jsonl}.d"' <<!
answered
todos.jsonl
answered
!
printf '{"role":"user","content":"%s"}\n' Hi Bye >hand.jsonl
check 'a log by hand has no header' '
    f=$(turnpipe fork -n 1 ./hand.jsonl); jq -c "[.parent, .at, .content]" "$f"' <<!
["",1,null]
[null,null,"Hi"]
!
fails 74 'a full disk' 'turnpipe fork ./hand.jsonl >/dev/full 2>err || { s=$?; turnpipe fork --version >/dev/full 2>err || [ $? -eq $s ] && exit $s; }' </dev/null
fails 65 'no such record' 'turnpipe fork -n 3 ./hand.jsonl' <<!
turnpipe: -n: it has 2 records, no record 3
!
fails 64 'no number' 'turnpipe fork -n 0 ./hand.jsonl' <<!
turnpipe: -n: expected the number of a record, not '0'
!
fails 66 'no such session' 'turnpipe fork ./none.jsonl 2>&1 | sed "s|$PWD/||" >&2; exit 66' <<!
turnpipe: ./none.jsonl: no such session
!
