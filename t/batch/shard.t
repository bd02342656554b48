#!/bin/sh
. "${0%/*}/../lib.sh"

request() { printf '{"type":"request","id":"%s","model":"openai/x","messages":[{"role":"user","content":"Q"}]}\n' "$1"; }
for i in $(seq 60); do request "r$i"; done >req
sort req >sorted
check 'each request is in one shard, in order' \
    'for k in 1 2 3 4; do shard $k/4 req cat >s$k; [ -s s$k ] || echo empty; grep -x -F -f s$k req | cmp - s$k; done
    sort s1 s2 s3 s4 | cmp - sorted; shard 1/1 req -- cat | cmp - req'
check 'which one depends on the id alone' \
    'request r7 | sed "s/openai/other/" >one; for k in 1 2 3 4; do shard $k/4 one cat; done | cmp - one; request r7 >seven; shard 3/4 seven cat | wc -l >a; grep -c "\"r7\"" s3 >b || :; cmp a b'
check 'lines with a custom_id' \
    'echo "{\"custom_id\":\"a\",\"body\":{\"messages\":[]}}" >c; for k in 1 2 3; do shard $k/3 c cat; done | cmp - c'
fails 65 'a request without an id' 'echo "{\"type\":\"request\",\"messages\":[]}" >bad; shard 1/2 bad cat' <<!
shard: bad:1:1: expected an id
!
fails 65 'what is no request' 'msg Hi >bad; shard 1/2 bad cat' <<!
shard: bad:1:1: expected a request
!
for s in 0/2 3/2 1 1/0 x/2 1/2x 1/ 9999999999/99999999999; do
	fails 64 "$s" "shard $s req cat 2>err; st=\$?; head -n 1 err >&2; exit \$st" <<!
shard: expected K/N with K from 1 to N, not '$s'
!
done

check 'a command gets its shard as a file: it is whole, whatever dies' \
    'for k in 1 2 3 4; do shard $k/4 req -- sh -c "[ -f /dev/stdin ] && cat" | cmp - s$k; done; st=0; shard 1/2 req sh -c "exit 9" || st=$?; echo $st' <<!
9
!
fails 66 'no such command' 'shard 1/2 req no-such-command' <<!
shard: no-such-command: No such file or directory
!
fails 66 'a file that is none' 'shard 1/2 . cat' <<!
shard: .: not a regular file
!
fails 65 'an id that is there twice, whichever shard has it: the command is not started' '{ cat req; request r7; } >twice; for k in 1 2 3; do shard $k/4 twice -- touch started 2>>err2 || :; done; [ ! -e started ]; uniq err2 >&2; shard 4/4 twice touch started 2>/dev/null' <<!
shard: twice:61: the id "r7" is that of line 7
!
fails 65 'a line that is no request, whichever shard it is of' '{ cat req; echo "{\"type\":\"request\",\"id\":\"x\"}"; } >bad; shard 1/60 bad touch started; st=$?; [ ! -e started ]; exit $st' <<!
shard: bad:61:1: expected a list of messages
!

# answers K: of the shard's requests, two records each.
answers() { sed 's/.*"id":\("[^"]*"\).*/{"type":"message","id":\1,"role":"assistant","content":"A"}\n{"type":"usage","id":\1}/' "s$1"; }
for k in 1 2 3 4; do answers $k >a$k; done
check 'also where standard input is closed' 'shard 1/1 req cat <&- | cmp - req'
check 'merged: the order of the requests' \
    'shard -m -i req a3 a1 a4 a2 >all; wc -l <all; grep -o "\"id\":\"[^\"]*\"" all | uniq >ids; grep -o "\"id\":\"[^\"]*\"" req | cmp - ids' <<!
120
!
check 'one without an answer is named, once the others are printed' \
    'sed 1,2d a1 >a1s; st=0; shard -m -i req a1s a2 a3 a4 >all 2>err || st=$?; echo $st; wc -l <all; sed "s/:[0-9]*: no answer to .*/: no answer/" err' <<!
69
118
shard: req: no answer
shard: 1 requests have no answer; to be made again: a1s
!
check 'a shard that is not there: what is there is merged with --partial, and it is named' '
    for p in "" -p; do st=0; shard -m $p -i req a1 none a3 a4 >all 2>err || st=$?; echo $st; tail -n 1 err; wc -c <all | grep -x 0 || { cat a1 a3 a4 | sort >want; sort all | cmp - want; }; done' <<!
66
shard: none: No such file or directory
0
1
shard: $(wc -l <s2) requests have no answer; to be made again: none
!
check 'a line that is torn is no fault with --partial' 'printf "{\"id\":\"x" | cat a2 - >a2t; shard -m -p -i s2 a2t | cmp - a2'
check 'two answers to one: nothing is printed' \
    '{ cat a1; head -n 2 a2; } >a12; st=0; shard -m -i req a12 a2 a3 a4 >all 2>err || st=$?; echo $st; wc -c <all; sed "s/answer to .*/answer/" err' <<!
65
0
shard: a2: a second answer
shard: 1 answers too many
!
check 'an answer that is an error: it is there, and the status is 1' \
    'echo "{\"type\":\"error\",\"id\":\"r1\",\"code\":8,\"message\":\"no\"}" >e; st=0; request r1 >r1; shard -m -i r1 e >all || st=$?; echo $st; cmp e all' <<!
1
!
check 'batch lines: known by their custom_id, not by the id of the provider' '
    echo "{\"id\":\"batch_1\",\"custom_id\":\"a\",\"response\":{}}" >b; echo "{\"custom_id\":\"a\",\"body\":{}}" >q
    shard -m -i q b | cmp - b'
fails 65 'a torn line' 'printf "{\"id\":\"a\"" >torn; shard -m -i req torn' <<!
shard: torn:1:10: expected the end of the line
!
fails 65 'an answer without an id' 'echo "{\"type\":\"usage\"}" >no; shard -m -i req no' <<!
shard: no:1:1: expected an id
!
fails 66 'no such file' 'shard -m -i req none' <<!
shard: none: No such file or directory
!
fails 74 'a full disk' 'shard -m -i s1 a1 >/dev/full' <<!
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
    mkdir batch; shard 2/4 req head -n 5 | journal -J batch/journal.2 -- llmcall >out
    make -s -j4 answers.jsonl
    jq -r "select(.role == \"assistant\").id" answers.jsonl >ids; sort ids >ids.sorted; jq -r .id req | cmp - ids
    sent; make -s answers.jsonl; sent' <<!
4 shards: 60 answers, 0 failed, 600 tokens in, 300 out
60
60
!
rm -r batch answers.jsonl
serve '{"status":400,"body":{"error":{"message":"no"}}}' '{"status":500,"body":"down"}' '{"text":"A","repeat":500}'
check 'batch.mk: a failure that passes is asked again, one that is final is an answer' '
    sed -i "s/-j 4/-j 1 -x 0/" Makefile
    for i in 1 2; do make -s answers.jsonl >out 2>&1 || cat out; sent; done; jq -r "select(.type == \"error\").code" answers.jsonl; cat failed.jsonl' <<!
61
61
65
!
rm -r batch answers.jsonl failed.jsonl
cat >poison <<\!
while read -r l; do
	i=${l#*'"id":"'} i=${i%%'"'*}
	case $l in
	*' r7"'*'"request"'* | *'"request"'*' r7"'*) echo '{"type":"error","id":"'"$i"'","code":69,"message":"500"}' ;;
	*'"request"'*) echo '{"type":"message","id":"'"$i"'","role":"assistant","content":"A"}' ;;
	*) echo "$l" ;;
	esac
done
!
check 'batch.mk: one request that always fails keeps nobody waiting: its failure is the answer, it is in a file' '
    make -s answers.jsonl LLMCALL="sh poison"; jq -c "[.id, .code]" answers.jsonl | grep -v null; jq -r .id answers.jsonl | cmp - ids; cat failed.jsonl' <<!
4 shards: 59 answers, 1 failed, 0 tokens in, 0 out
["r7",69]
$(request r7)
!
rm -r batch answers.jsonl failed.jsonl
needs parallel check 'batch/parallel: the same' '
    LLMCALL="sh poison" "$(sharefind batch/parallel)" req 4 2>err || cat err
    jq -c "[.id, .code]" answers.jsonl | grep -v null; jq -r .id answers.jsonl | cmp - ids; cat failed.jsonl' <<!
["r7",69]
$(request r7)
!
rm -rf batch; : >answers.jsonl
check 'batch.mk: bad input makes no answers, however often it is made' '
    rm -rf batch answers.jsonl; request r7 >>req
    for i in 1 2; do make -s answers.jsonl >err 2>&1 || echo $?; grep -c "the id .r7. is that of line 7" err; ls batch; done
    sed -i \$d req' <<!
2
1
answers.1.new
2
1
answers.1.new
!
# Whatever hands a task its number: the answers of two.
two()
{
	rm -rf batch; mkdir batch
	for task in 0 1; do
		env "$1=$((task + $2))" LLMCALL='sh poison' "$(sharefind batch/array)" req 2 || return
	done
	cat batch/answers.1 batch/answers.2 >all
	jq -r .id all | sort | cmp - ids.sorted; wc -l <batch/failed.1
}
for v in 'JOB_COMPLETION_INDEX 0' 'AWS_BATCH_JOB_ARRAY_INDEX 0' 'CLOUD_RUN_TASK_INDEX 0' \
    'NOMAD_ALLOC_INDEX 0' 'PBS_ARRAY_INDEX 1' 'LSB_JOBINDEX 1' 'SGE_TASK_ID 1' \
    'SLURM_ARRAY_TASK_ID 1'; do
	check "batch/array: $v" "two $v" <<!
1
!
done
for v in SGE_TASK_ID=undefined LSB_JOBINDEX=0 PBS_ARRAY_INDEX=3; do
	fails 64 "batch/array: $v is no task of two" "env $v \"\$(sharefind batch/array)\" req 2 2>err; st=\$?; head -n 1 err >&2; exit \$st" <<!
shard: expected K/N with K from 1 to N, not '${v#*=}/2'
!
done
check 'batch/array: GET and PUT, a task that is killed, and its next start on another machine' '
    mkdir store here there; cp req store; rm -rf batch
    export GET="[ ! -e ../store/\"\$1\" ] || cp ../store/\"\$1\" \"\$1\"" PUT="mkdir -p ../store/batch; cp \"\$1\" ../store/\"\$1\".\$\$; mv ../store/\"\$1\".\$\$ ../store/\"\$1\"" EVERY=0.05
    cat >slow <<\!
while read -r l; do
	case $l in *end*) ;; *) echo "$l" >>asked; [ "$(wc -l <asked)" -lt 9 ] || [ -e ../go ] || { echo $PPID $$ >parent; exec sleep 600; } ;; esac
	echo "$l" | sh ../able
done
!
    cp slow here; cp slow there; sed /500/d poison >able
    (cd here; JOB_COMPLETION_INDEX=0 LLMCALL="sh slow" exec "$(sharefind batch/array)" req 2) & p=$!
    until_ "[ -s here/parent ] && [ \$(grep -c \\\"answer\\\" store/batch/journal.1) -eq 8 ] && cmp -s here/batch/journal.1 store/batch/journal.1"
    kill -9 $p $(cat here/parent); wait $p 2>/dev/null || :
    : >go; (cd there; JOB_COMPLETION_INDEX=0 LLMCALL="sh slow" "$(sharefind batch/array)" req 2)
    shard 1/2 req cat >part; jq -r .id store/batch/answers.1 >a; jq -r .id part | cmp - a; [ "$(wc -l <there/asked)" -eq $(($(wc -l <part) - 8)) ]' </dev/null
# As README has it, in a directory with nothing but the requests.
sed -n 's/^ *\(make -f "$(sharefind batch.*\)/\1/p' "$TOP/README" >line
check 'batch.mk of README, without a Makefile, found no requests' '
    rm -rf batch Makefile answers.jsonl; mv req requests.jsonl
    sh line >out 2>err || cat err
    jq -r "select(.role == \"assistant\").id" answers.jsonl | sort | diff ids.sorted -
    rm -f out err' </dev/null

finish
