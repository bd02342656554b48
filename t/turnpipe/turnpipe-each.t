#!/bin/sh
. "${0%/*}/../lib.sh"

export HOME="$PWD/home" TURNPIPE_MODEL=openai/m OPENAI_API_KEY=sk-test
mkdir home w1 w2
echo 'Use tabs.' >w1/AGENTS.md
echo 'Use spaces.' >w2/AGENTS.md
serve '{"text":"fine","repeat":1000}'
for i in 1 2 3 4 5 6 7 8 9; do
	echo "{\"id\":\"t$i\",\"text\":\"Say \\\"$i\\\".\",\"cwd\":\"w$((i % 2 + 1))\"}"
done >tasks
check 'each task has an answer, in one ring; each request is of its own tree' '
    turnpipe each -j 3 tasks | jq -c . | sort
    jq -r ".body.messages | tojson" "$REQUESTS" | sed -n "s/.*\(Use [a-z]*\).*Say \(.....\).*/\1 \2/p" | sort' <<'!'
{"id":"t1","status":0,"text":"fine","tokens":15}
{"id":"t2","status":0,"text":"fine","tokens":15}
{"id":"t3","status":0,"text":"fine","tokens":15}
{"id":"t4","status":0,"text":"fine","tokens":15}
{"id":"t5","status":0,"text":"fine","tokens":15}
{"id":"t6","status":0,"text":"fine","tokens":15}
{"id":"t7","status":0,"text":"fine","tokens":15}
{"id":"t8","status":0,"text":"fine","tokens":15}
{"id":"t9","status":0,"text":"fine","tokens":15}
Use spaces \"1\"
Use spaces \"3\"
Use spaces \"5\"
Use spaces \"7\"
Use spaces \"9\"
Use tabs \"2\"
Use tabs \"4\"
Use tabs \"6\"
Use tabs \"8\"
!
check 'what is done is not asked again' 'before=$(sent); turnpipe each tasks | wc -l; [ "$(sent)" = "$before" ] && echo none' <<!
9
none
!
check 'a session of it is one like any other' 'turnpipe log runs/t1.jsonl | grep -c fine; turnpipe -Fqc -s runs/t1.jsonl more; grep -c fine runs/t1.jsonl
    jq -r "select(.type == \"session\").cwd" runs/t[12].jsonl' <<!
1
fine
2
$PWD/w2
$PWD/w1
!
check 'another text under an id that is there is not asked' '
    echo "{\"id\":\"t2\",\"text\":\"Other\"}" | turnpipe each 2>err | jq -c .status; cat err; sent >now' <<!
65
turnpipe: t2: its session in $PWD/runs has another text
!
fails 65 'a file that is no session of a task stays' 'mkdir own; echo mine >own/t2.jsonl; turnpipe each -d own tasks >out; st=$?; cat own/t2.jsonl >&2; exit $st' <<!
turnpipe: t2: $PWD/own/t2.jsonl is there, and no session of a task
mine
!
for bad in '{"id":"x"}=text: expected a text' 'nope=expected a JSON object' '[]=expected an object' \
    '{"id":"x","text":"x","agnt":"y"}=expected a key of a task, turnpipe-each(1), found "agnt"' \
    '{"id":"../x","text":"x"}=id: expected 1 to 32 of A-Z a-z 0-9 . _ -' \
    '{"id":"x","text":"x","cwd":""}=cwd: expected a line of text' \
    '{"id":"x","text":"x","schema":"y"}=schema: expected a JSON Schema'; do
	printf '%s\n' "${bad%%=*}" >bad
	fails 65 "no task: ${bad%%=*}" 'turnpipe each bad' <<!
turnpipe: bad:1: ${bad#*=}
!
done
fails 65 'an id that comes again; what was before it is done' 'printf "%s\n" "{\"id\":\"d\",\"text\":\"x\"}" "{\"id\":\"d\",\"text\":\"y\"}" >twice; turnpipe each twice >twice.out; st=$?; [ "$(jq -r .id twice.out)" = d ] || st=1; exit $st' <<!
turnpipe: twice:2: the id d a second time
!
check 'no task: no answer' 'turnpipe each </dev/null; ls runs | grep -c lock' <<!
1
!
check 'an answer is there before the input ends' '
    mkfifo in.p out.p; turnpipe each <in.p >out.p & exec 8>in.p 9<out.p
    echo "{\"id\":\"first\",\"text\":\"x\"}" >&8; read -r l <&9; echo "$l" | jq -r .id
    echo "{\"id\":\"second\",\"text\":\"x\"}" >&8; read -r l <&9; echo "$l" | jq -r .id
    exec 8>&- 9<&-; wait $!' <<!
first
second
!

# Faults of one session are those of one session.
mkdir -p "$XDG_CONFIG_HOME/turnpipe/agents"
printf -- '---\nname: poor\ncost:\n  tokens: 1000000\n---\nx\n' >"$XDG_CONFIG_HOME/turnpipe/agents/poor.md"
cat >mixed <<'!'
{"id":"gone","text":"x","cwd":"w9"}
{"id":"who","text":"x","agent":"nosuch"}
{"id":"fine","text":"x","cwd":"w1"}
{"id":"poor","text":"x","agent":"poor"}
{"id":"yes","text":"x","until":"true"}
{"id":"no","text":"x","until":"false"}
{"id":"form","text":"x","schema":{"type":"object"}}
!
check 'one without its directory or agent stops no other; what has limits of its own runs alone' '
    turnpipe each mixed >out 2>err; echo $?; jq -r "[.id, .status, .text // .error]|@tsv" out | sort; sort err' <<!
1
fine	0	fine
form	8	answer:1:1: expected a value
gone	66	$PWD/w9: No such file or directory
no	5	fine
poor	0	fine
who	66	
yes	0	fine
agentload: agent nosuch: no such definition
histfit: $PWD/w9: No such file or directory
!
check 'no ring starts where all run alone' '
    grep true mixed | turnpipe each -d apart | jq -r "[.id, .status, .text]|@tsv"' <<!
yes	0	fine
!
check 'their statuses stay' 'turnpipe each mixed 2>/dev/null | jq -r "[.id, .status]|@tsv" | sort' <<!
fine	0
form	8
gone	66
no	5
poor	0
who	66
yes	0
!
check '-C: what has to run alone is not asked' 'before=$(sent); turnpipe each -d dear -C 1 -m openai/gpt-4o mixed 2>/dev/null | jq -r "[.id, .status]|@tsv" | sort | grep "poor\|yes\|no\|form"; echo $(($(sent) - before > 1))' <<!
form	78
no	78
poor	78
yes	78
0
!
llmserver_stop

# Tools, and who may run them.
serve '{"calls":[{"id":"c1","name":"shell","arguments":{"command":"echo x >>deeds"}}],"repeat":2}' '{"text":"done","repeat":9}'
printf '%s\n' '{"id":"a","text":"x","cwd":"w1"}' '{"id":"b","text":"x","cwd":"w2"}' >two
check 'a call that needs the user waits, and the session leaves with 77' '
    turnpipe each -d open two 2>err | jq -c "[.id, .status]" | sort; grep -c "turnpipe -c -s .* --allow c1" err
    cat w?/deeds 2>/dev/null; turnpipe each -d open two 2>/dev/null | jq -c .status; sent' <<!
["a",77]
["b",77]
2
77
77
2
!
check 'answered, it goes on' '(cd w1 && turnpipe -Fqc -s ../open/a.jsonl --allow c1); turnpipe each -d open two 2>/dev/null | jq -c "[.id, .status, .text]" | sort; cat w1/deeds' <<!
done
["a",0,"done"]
["b",77,null]
x
!
llmserver_stop
serve '{"calls":[{"id":"c1","name":"shell","arguments":{"command":"pwd >>../where"}}],"repeat":2}' '{"text":"done","repeat":9}'
check 'each tool runs in the tree of its task' 'turnpipe each -y -d deeds two | jq -c .status; sort where' <<!
0
0
$PWD/w1
$PWD/w2
!
llmserver_stop
if tap_has git; then
	serve '{"calls":[{"id":"c1","name":"write_file","arguments":{"path":"new","content":"x"}}],"repeat":2}' '{"text":"done","repeat":9}'
	git init -q w1 && git -C w1 add . && git -C w1 -c user.name=a -c user.email=a@b commit -qm first
	printf '%s\n' '{"id":"a","text":"x","cwd":"w1"}' '{"id":"b","text":"x","cwd":"w1"}' >trees
	check 'a work tree for each' 'turnpipe each -yw -d trees.d trees | jq -c .status; ls trees.d/*.tree/new; ls w1/new 2>/dev/null || :' <<!
0
0
trees.d/a.tree/new
trees.d/b.tree/new
!
	llmserver_stop
fi

# A stage dies while a call is under way; signals.
serve '{"text":"fine","until":"go","repeat":50}'
ring() { ps -eo pid=,args= | awk -v n="$1" '$2 == n' | while read -r p _; do { tr '\0' '\n' <"/proc/$p/environ"; } 2>/dev/null | grep -q "^TURNPIPE_RING=$PWD/$2\$" && echo "$p"; done; }
if [ -r /proc/self/environ ]; then
	for who in promptcompose toolrun histfit llmcall; do
		check "kill -9 of $who: those in the ring are done all the same" '
		    rm -f go; turnpipe each -d killed.'$who' two >out 2>err & each=$!
		    until_ "[ -s killed.'$who'/a.d/request ] && [ -s killed.'$who'/b.d/request ]"
		    kill -9 $(ring '$who' killed.'$who'); : >go; wait $each; echo $?; jq -c "[.id, .status, .text]" out | sort' <<!
0
["a",0,"fine"]
["b",0,"fine"]
!
	done
	check 'a signal ends it; later it goes on' '
	    rm -f go; turnpipe each -d stopped two >out 2>err & each=$!
	    until_ "[ -s stopped/b.d/request ]"; kill -TERM $each; st=0; wait $each 2>/dev/null || st=$?; echo $st; cat out
	    until_ "[ -z \"\$(ring llmcall stopped)\" ]"; : >go; turnpipe each -d stopped two | jq -c .status' <<!
143
0
0
!
fi
llmserver_stop
serve '{"status":401,"body":{"error":{"message":"bad key"}},"repeat":50}'
check 'what is wrong for all is not tried with all; standard error has it once' 'turnpipe each -j 1 -d wrong tasks >out 2>err; echo $?; jq -r .error out | sort -u | head -n 1; [ $(wc -l <out) -lt 9 ] && echo some; grep -c "bad key" err' <<!
77
401: bad key
some
1
!
check 'an option without its value is wrong usage' '
    for o in "each -a" "each -C" "each -d" "each -m" "each -P" "cost -s" \
        "cases -k" "cases --set" "ablate -m" "ablate -s"; do
	turnpipe $o 2>err && echo "$o: 0" || echo "$o: $? $(head -n 1 err)"
    done' <<!
each -a: 64 turnpipe: -a: expected a value
each -C: 64 turnpipe: -C: expected a value
each -d: 64 turnpipe: -d: expected a value
each -m: 64 turnpipe: -m: expected a value
each -P: 64 turnpipe: -P: expected a value
cost -s: 64 turnpipe: -s: expected a value
cases -k: 64 turnpipe: -k: expected a value
cases --set: 64 turnpipe: --set: expected a value
ablate -m: 64 turnpipe: -m: expected a value
ablate -s: 64 turnpipe: -s: expected a value
!
check 'a number of jobs' 'turnpipe each -j 51 tasks 2>err || echo $?; head -n 1 err' <<!
64
turnpipe: -j: expected a number from 1 to 50, not '51'
!
fails 66 'a directory is no file of tasks' 'turnpipe each .' <<!
turnpipe: .: cannot be read
!
fails 66 'a file that is not there' 'turnpipe each nowhere' <<!
turnpipe: nowhere: cannot be read
!
