#!/bin/sh
. "${0%/*}/../lib.sh"

request() { printf '{"type":"request","id":"%s","model":"openai/x","messages":[{"role":"user","content":"Q"}]}\n' "$1"; }
for i in $(seq 60); do request "r$i"; done >req
sort req >sorted
check 'each request is in one shard, in order' \
    'for k in 1 2 3 4; do shard $k/4 <req >s$k; [ -s s$k ] || echo empty; grep -x -F -f s$k req | cmp - s$k; done
    sort s1 s2 s3 s4 | cmp - sorted; shard 1/1 <req | cmp - req'
check 'which one depends on the id alone' \
    'request r7 | sed "s/openai/other/" >one; for k in 1 2 3 4; do shard $k/4 <one; done | cmp - one; request r7 | shard 3/4 | wc -l >a; grep -c "\"r7\"" s3 >b || :; cmp a b'
check 'lines with a custom_id' \
    'echo "{\"custom_id\":\"a\",\"body\":{}}" >c; for k in 1 2 3; do shard $k/3 <c; done | cmp - c'
fails 65 'a request without an id' 'echo "{\"type\":\"request\",\"messages\":[]}" | shard 1/2' <<!
shard: <stdin>:1:1: expected an id
!
fails 65 'what is no request' 'msg Hi | shard 1/2' <<!
shard: <stdin>:1:1: expected a request
!
for s in 0/2 3/2 1 1/0 x/2 1/2x 1/ 9999999999/99999999999; do
	fails 64 "$s" "shard $s </dev/null 2>err; st=\$?; head -n 1 err >&2; exit \$st" <<!
shard: expected K/N with K from 1 to N, not '$s'
!
done

# answers K: of the shard's requests, two records each.
answers() { sed 's/.*"id":\("[^"]*"\).*/{"type":"message","id":\1,"role":"assistant","content":"A"}\n{"type":"usage","id":\1}/' "s$1"; }
for k in 1 2 3 4; do answers $k >a$k; done
check 'merged: the order of the requests' \
    'shard -m -i req a3 a1 a4 a2 >all; wc -l <all; grep -o "\"id\":\"[^\"]*\"" all | uniq >ids; grep -o "\"id\":\"[^\"]*\"" req | cmp - ids' <<!
120
!
check 'merged without the requests: that of the files' 'cat a2 a1 >a21; shard -m a2 a1 | cmp - a21'
check 'one without an answer is named, once the others are printed' \
    'sed 1,2d a1 >a1s; st=0; shard -m -i req a1s a2 a3 a4 >all 2>err || st=$?; echo $st; wc -l <all; sed "s/:[0-9]*: no answer to .*/: no answer/" err' <<!
69
118
shard: req: no answer
shard: 1 requests have no answer
!
check 'two answers to one: nothing is printed' \
    '{ cat a1; head -n 2 a2; } >a12; st=0; shard -m -i req a12 a2 a3 a4 >all 2>err || st=$?; echo $st; wc -c <all; sed "s/answer to .*/answer/; s/:[0-9]*:/:/" err' <<!
65
0
shard: a2: a second answer
shard: 1 answers too many
!
check 'an answer that is an error: its code' \
    'echo "{\"type\":\"error\",\"id\":\"r1\",\"code\":8,\"message\":\"no\"}" >e; st=0; shard -m e >all || st=$?; echo $st; cmp e all' <<!
8
!
check 'batch lines: known by their custom_id, not by the id of the provider' '
    echo "{\"id\":\"batch_1\",\"custom_id\":\"a\",\"response\":{}}" >b; echo "{\"custom_id\":\"a\",\"body\":{}}" >q
    shard -m -i q b | cmp - b'
fails 65 'a torn line' 'printf "{\"id\":\"a\"" >torn; shard -m torn' <<!
shard: torn:1:10: expected the end of the line
!
fails 65 'an answer without an id' 'echo "{\"type\":\"usage\"}" >no; shard -m no' <<!
shard: no:1:1: expected an id
!
fails 66 'no such file' 'shard -m none' <<!
shard: none: No such file or directory
!
fails 74 'a full disk' 'shard -m a1 >/dev/full' <<!
shard: write <stdout>: No space left on device
!

serve '{"text":"A","repeat":500}'
cat >Makefile <<!
REQUESTS = req
SHARDS = 4
LLMCALL = llmcall -j 4
include \$(shell sharefind batch/batch.mk | sed 's/ /\\\\&/g')
!
check 'batch.mk: a batch in shards; one that was killed goes on' '
    mkdir batch; shard 2/4 <req | head -n 5 | journal -J batch/journal.2 -- llmcall >out
    make -s -j4 answers.jsonl 2>err; grep -v "were to another command" err
    jq -r "select(.role == \"assistant\").id" answers.jsonl >ids; sort ids >ids.sorted; jq -r .id req | cmp - ids
    sent; make -s answers.jsonl; sent' <<!
4 shards: 60 answers, 0 failed, 600 tokens in, 300 out
60
60
!
rm -r batch answers.jsonl
serve '{"status":400,"body":{"error":{"message":"no"}}}' '{"status":500,"body":"down"}' '{"text":"A","repeat":500}'
check 'batch.mk: a failure that passes is asked again by the next make, one that is final is an answer' '
    sed -i "s/-j 4/-j 1 -x 0/" Makefile
    make -s -k answers.jsonl >out 2>&1 || echo $?; sent; ls answers.jsonl 2>&1
    make -s answers.jsonl >out 2>&1; sent; jq -r "select(.type == \"error\").code" answers.jsonl; make -s answers.jsonl; sent' <<!
2
60
ls: cannot access 'answers.jsonl': No such file or directory
61
65
61
!
# As README has it, in a directory with nothing but the requests.
sed -n 's/^ *\(make -f "$(sharefind.*\)/\1/p' "$TOP/README" >line
check 'batch.mk of README, without a Makefile, found no requests' '
    rm -r batch Makefile; mv req requests.jsonl; rm answers.jsonl
    sh line >out 2>err || cat err
    jq -r "select(.role == \"assistant\").id" answers.jsonl | sort | diff ids.sorted -
    rm -f out err' </dev/null

finish
