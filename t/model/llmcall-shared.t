#!/bin/sh
# One rate limit for all llmcalls that name one file.
. "${0%/*}/../lib.sh"

TURNPIPE_PATH=$TOP/share
OPENAI_API_KEY=sk-test
export TURNPIPE_PATH OPENAI_API_KEY

# requests FROM TO
requests() { seq "$1" "$2" | sed 's/.*/{"type":"request","id":"r&","model":"openai\/m","messages":[{"role":"user","content":"&"}]}/'; }
ms() { date +%s%3N; }
answered() { cat "$@" | jq -r 'select(.role).id' | sort | uniq -c | awk '$1 != 1'; cat "$@" | jq -r 'select(.role).id' | wc -l; }

serve -r '{"text":"x"}'
mkdir a b
check 'three processes together keep the limit of one: 60 requests at 20 a second' '
    begin=$(ms)
    for k in 1 2 3; do
	requests $((k * 100)) $((k * 100 + 19)) | llmcall -r a/rate -j 4 -p 1200 >out.$k 2>/dev/null & eval "p$k=\$!"
    done
    wait $p1 $p2 $p3
    # Two at once, and as many from before as there are processes.
    [ $(($(ms) - begin)) -ge $(((60 - 2 - 3) * 1000 / 20)) ] || echo "$(($(ms) - begin)) ms"
    answered out.?' <<!
60
!
check 'a run later is not held by what an earlier one used' '
    requests 1 2 | llmcall -r a/rate -j 2 -p 1200 >out 2>/dev/null; answered out' <<!
2
!
check 'one that is killed with the limit in its hand holds nobody up' '
    requests 1 400 | llmcall -r a/rate -j 8 -p 60000 >out.5 2>/dev/null & p=$!
    requests 401 800 | llmcall -r a/rate -j 8 -p 60000 >out.6 2>/dev/null & q=$!
    until_ "[ -s out.5 ]"
    kill -9 $p; wait $p 2>/dev/null || :
    wait $q; answered out.6' <<!
400
!
check 'a file that is not one is begun anew; a link is left alone' '
    f=a/rate; echo nonsense >"$f"
    requests 1 2 | llmcall -r a/rate -j 2 -p 1200 2>/dev/null >out; answered out
    rm "$f"; echo mine >own; ln -s ../own "$f"
    requests 1 2 | llmcall -r a/rate -j 2 -p 1200 2>err >out; answered out; cat own; cat err' <<!
2
2
mine
llmcall: a/rate: the limits are those of this process: Too many levels of symbolic links
!
llmserver_stop
serve '{"status":429,"headers":{"Retry-After":"3"},"body":{"error":{"message":"slow down"}},"repeat":4}' '{"text":"x","repeat":99}'
check 'what one is told all do: nobody asks before the time of Retry-After' '
    begin=$(ms)
    requests 1 4 | llmcall -r b/rate -j 4 >out.1 2>err.1 & p=$!
    until_ "grep -q again err.1 && [ \$(grep -c again err.1) -eq 4 ]"
    requests 5 8 | llmcall -r b/rate -j 4 >out.2 2>err.2
    [ $(($(ms) - begin)) -ge 3000 ] || echo "$(($(ms) - begin)) ms"
    wait $p; answered out.1 out.2; cat err.2' <<!
8
!
finish
