#!/bin/sh
# Task files: by hand, by make, by cron; what is reported, kept and refused.
. "${0%/*}/../lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test
names() { sed -n "$1p" "$REQUESTS" | jq -r '[.body.tools[]?.function.name]|join(" ")'; }
state=$XDG_STATE_HOME/turnpipe/tasks
# runs NAME FILTER: of the task's run records.
runs() { jq -rc "$2" "$state/$1"-*.jsonl; }
task() { cat >"$1.md"; }
mkdir .git
printf 'one\ntwo\n' >notes

task plain <<!
Say how many lines notes has.
!
read='{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"notes"}}]}'
serve "$read" '{"text":"Two lines.","usage":{"prompt_tokens":70,"completion_tokens":5}}'
check 'a task without front matter: the answer on stdout' 'turnpipe -T plain.md' <<!
Two lines.
!
check 'its text is the only user message, the rest is what Annabelle says to a task' \
    'sed -n 1p "$REQUESTS" | jq -r ".body.messages|map(.role)|join(\" \")"
    sed -n 1p "$REQUESTS" | jq -r ".body.messages[-1].content|split(\"\\n\\n<turn\")[0]"
    sed -n 1p "$REQUESTS" | jq -r ".body.messages[0].content" | grep "^## "' <<!
system user
Say how many lines notes has.
## Current Date & Time
## Current Task
!
check 'the record of the run' \
    'runs plain "[.type,.task,.started,.ended,.status,.steps,.denied,.prompt_tokens,.completion_tokens,.answer]"
    runs plain .file | sed "s|$PWD/||"; s=$(runs plain .session); test -s "$s"; ls "$state" | sed "s/-.*\./-HASH./"
    ls -l "$state"/plain-*.jsonl | cut -c1-10' <<!
["run","plain","2026-11-21T12:00:00Z","2026-11-21T12:00:00Z",0,2,0,80,10,"Two lines."]
plain.md
plain-HASH.jsonl
plain-HASH.lock
-rw-------
!
check 'a task is no talk that -c goes on with' 'turnpipe -c 2>&1 || echo $?' <<!
turnpipe: no session of this project to continue
66
!
check '-n prints the request and keeps nothing' \
    'turnpipe -T -n plain.md | jq -r .messages[-2].content; runs plain .task | wc -l' <<!
Say how many lines notes has.
1
!

check 'the text of a task is typed, what is piped into it is not' \
    'serve "{\"text\":\"Ok.\"}"; echo abc | turnpipe -T plain.md >/dev/null
    runs plain .session | while read -r s; do jq -c "select(.role==\"user\").tp.from" "$s"; done' <<!
[{"typed":29}]
[{"typed":30},{"input":4}]
!

# What it may use.
mkdir -p tools
printf '#!/bin/sh\ncat >>told\n' >tools/notify
printf '{"description":"Tell the user.","parameters":{"type":"object"},"readonly":true}\n' >tools/notify.json
chmod +x tools/notify
mkdir -p "$XDG_CONFIG_HOME/turnpipe"
ln -s "$PWD/tools" "$XDG_CONFIG_HOME/turnpipe/tools"
check 'in a talk the notify tool is there' \
    'turnpipe -n -s none.jsonl hi | jq -r ".tools[].function.name" | grep notify' <<!
notify
!
for line in 'no_tools: true' 'tools: []' 'tools: [ls, "read_*", notify]' \
    'required_tools: [ls]' 'tools_deny: ["*_*", fetch, shell, glob, grep, agent, explore, plan]' ; do
	printf -- '---\n%s\n---\nDo.\n' "$line" >t.md
	turnpipe -T -n t.md | jq -r '"\([.tools[]?.function.name]|join(" "))"' |
	    sed "s/^/$line: /"
done >lists
check 'tools, no_tools, required_tools, tools_deny; notify never' 'cat lists' <<!
no_tools: true: 
tools: []: 
tools: [ls, "read_*", notify]: ls read_file
required_tools: [ls]: ls
tools_deny: ["*_*", fetch, shell, glob, grep, agent, explore, plan]: ls
!
task needy <<!
---
required_tools: [ls, grep]
---
Look.
!
serve -r '{"text":"I need no tools."}'
check 'required tools that are not called: the run fails by their names' \
    'turnpipe -T needy.md 2>&1 || echo $?; sent; runs needy "[.status,.steps,has(\"answer\")]"' <<!
toolrun: required and not called yet: grep, ls
toolrun: required and not called yet: grep, ls
toolrun: required and not called yet: grep, ls
toolrun: required and not called yet: grep, ls
reminders: required tools not called after 4 answers: grep, ls
5
4
[5,4,false]
!
serve '{"calls":[{"id":"c1","name":"ls","arguments":{}},{"id":"c2","name":"grep","arguments":{"pattern":"one"}}]}' '{"text":"Seen."}'
check 'and that are' 'turnpipe -T needy.md; runs needy .status' <<!
Seen.
5
0
!
printf -- '---\nrequired_tools: [fly]\n---\nDo.\n' >fly.md
fails 78 'or are not there' 'turnpipe -T fly.md' <<!
toolpick: required tool fly is not there or not allowed
!
task limited <<!
---
max_steps: 2
agent: explore
model: openai/other
temperature: 0.25
---
Look.
!
serve -r '{"calls":[{"id":"c1","name":"ls","arguments":{}}]}'
check 'agent, model, limits; the command line says more' \
    'turnpipe -T limited.md 2>&1 || echo $?; sent; turnpipe -T -m openai/third limited.md >/dev/null 2>&1 || :
    jq -c "[.body.model,.body.temperature]" "$REQUESTS" | uniq' <<!
promptcompose: the turn's steps are used up
5
2
["other",0.25]
["third",0.25]
!
write='{"calls":[{"id":"c1","name":"write_file","arguments":{"path":"new","content":"x\n"}}]}'
printf 'Write.\n' >denied.md
printf -- '---\nallow: [write_file]\n---\nWrite.\n' >allowed.md
serve "$write" '{"text":"I could not."}' "$write" '{"text":"Written."}'
check 'a denied call is no success: 77, though there is an answer' \
    'turnpipe -T denied.md 2>&1 || echo $?; test ! -e new; runs denied "[.status,.denied,.answer]"' <<!
toolrun: write_file: not run: no terminal to ask on; allow it with -y, --permit or toolrun.allow
turnpipe: not allowed, and no user was asked: write_file (c1)
I could not.
77
[77,1,"I could not."]
!
check 'what allow: names runs' 'turnpipe -T allowed.md; cat new; runs allowed "[.status,.denied]"' <<!
Written.
x
[0,0]
!

# Who gets the answer.
task told <<!
---
notify: cat >told; echo "\$TURNPIPE_TASK_NAME \$TURNPIPE_STATUS" >>told
---
Say it.
!
serve '{"text":"It is said."}' '{"text":"Said again."}' '{"text":"Once more."}'
check 'notify: gets the answer once, at the end' \
    'turnpipe -T told.md; cat told; runs told .notified' <<!
It is said.
It is said.
told 0
0
!
printf -- '---\nnotify: cat >/dev/null; exit 3\n---\nSay it.\n' >deaf.md
check 'notify: its failure is reported, and the run fails with it: 69' \
    'turnpipe -T deaf.md 2>&1 || echo $?; runs deaf "[.status,.notified,.answer]"' <<!
Said again.
turnpipe: deaf: notify ended with status 3
69
[69,3,"Said again."]
!
printf -- '---\nnotify: no-such-command\n---\nSay it.\n' >gone.md
check 'or is not there' \
    'turnpipe -T gone.md 2>/dev/null || echo $?; runs gone "[.status,.notified]"' <<!
Once more.
69
[69,127]
!
printf -- '---\nnotify: sleep 600 >&- 2>&- & echo $! >left; wait\n---\nSay it.\n' >hung.md
serve -r '{"text":"Said."}'
slowly 'notify: one that hangs is ended and reported, and does not keep the next run out' \
    'printf "task: {notify_seconds: $k}\n" >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"; rm -f left
    for i in 1 2; do turnpipe -T hung.md 2>err || echo $?; grep "^turnpipe:" err; kill $(cat left); done' <<!
Said.
69
turnpipe: hung: notify ended with status 142
Said.
69
turnpipe: hung: notify ended with status 142
!
rm "$XDG_CONFIG_HOME/turnpipe/settings.yaml"
rm -f told
serve '{"status":401,"body":{"error":{"message":"no"}}}'
check 'without an answer no one is notified' \
    'turnpipe -T told.md >/dev/null 2>&1 || echo $?; test ! -e told; runs told .status' <<!
77
0
77
!

# Runs that pile up, that are stopped, that are killed.
task slow <<!
---
allow: [shell]
---
Sleep.
!
sleep='{"calls":[{"id":"c1","name":"shell","arguments":{"command":"echo >begun; while [ ! -e go ]; do sleep 0.05; done"}}]}'
serve "$sleep" '{"text":"Slept."}' "$sleep" '{"text":"Slept again."}'
check 'a run at a time: the next is turned away by name, 75' \
    'turnpipe -T slow.md >out & pid=$!; until_ "[ -e begun ]"
    TURNPIPE_BUSY=0 turnpipe -T slow.md 2>/dev/null && echo quiet
    turnpipe -T slow.md 2>err || echo $?; : >go; wait $pid; cat out
    sed "s/process [0-9]*/process PID/; s/kill [0-9]*/kill PID/; s|: .*/|: |; s/-[0-9a-f]*\.lock/-HASH.lock/" err
    runs slow .status' <<!
quiet
75
Slept.
turnpipe -T slow: slow-HASH.lock: in use by process PID (turnpipe -T slow); go on there, or end that first: kill PID
0
!
rm -f begun go
check 'TERM: what was done is kept, 143, a record' \
    'turnpipe -T slow.md >out 2>&1 & pid=$!; until_ "[ -e begun ]"; kill $pid
    { wait $pid; } 2>/dev/null || echo $?; runs slow .status
    s=$(runs slow .session | tail -n 1); jq -r "select(.type==\"mark\").what" "$s"; cat out' <<!
143
0
143
interrupted
!
rm -f begun
serve "$sleep" '{"text":"Slept."}' '{"text":"At last."}'
check 'killed: the next run leaves the record of the one that was lost' \
    'turnpipe -T slow.md >out 2>&1 & pid=$!; until_ "[ -e begun ]"
    { kill -9 $pid; : >go; wait $pid; } 2>/dev/null || :
    turnpipe -T slow.md 2>err
    runs slow "[.status,.started,.answer]" | tail -n 2; sed "s/ its session.*//" err | grep lost' <<!
At last.
[null,"2026-11-21T12:00:00Z",null]
[0,"2026-11-21T12:00:00Z","At last."]
turnpipe: slow: the run of 2026-11-21T12:00:00Z was lost;
!
serve "$sleep" "$sleep" "$sleep" "$sleep" '{"text":"Never."}'
slowly 'max_seconds ends a run in the middle of a tool' \
    'printf -- "---\nmax_seconds: $k\nallow: [shell]\n---\nSleep.\n" >timed.md; rm -f go
    turnpipe -T timed.md 2>&1 || echo $?; runs timed "[.status,.steps]" | tail -n 1; : >go' <<!
turnpipe: the time of this turn is used up
5
[5,1]
!

# The guard always counts.
printf 'costguard: {tokens: 50}\n' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
costguard -r -z
serve -r '{"text":"Hello.","usage":{"prompt_tokens":40,"completion_tokens":20}}'
check 'a task that is over the cap: 4, no request is sent' \
    'turnpipe -T plain.md 2>/dev/null; turnpipe -T plain.md 2>/dev/null || echo $?; sent
    runs plain .status | tail -n 1' <<!
Hello.
4
1
4
!
rm "$XDG_CONFIG_HOME/turnpipe/settings.yaml"
costguard -r -z

# make.
cat >Makefile <<'!'
TASKS = $(wildcard batch/*.md)
all: $(TASKS:.md=.txt)
%.txt: %.md
	turnpipe -T $< >$@
.DELETE_ON_ERROR:
!
mkdir batch
for i in 1 2 3 4 5 6; do echo "Task number $i." >batch/$i.md; done
printf -- '---\nno_tool: x\n---\nBad.\n' >batch/bad.md
serve -r '{"text":"Made."}'
check 'make -j4 over task files: each is made, the bad one alone fails' \
    'make -skj4 2>err || echo $?; cat batch/*.txt | sort | uniq -c | tr -s " "; ls batch/bad.txt 2>/dev/null
    grep -o "bad.*Error 65" err; grep -o "bad.md:2:1: .*" err; sent' <<!
2
 6 Made.
bad.txt] Error 65
bad.md:2:1: expected a key of turnpipe-tasks(5), found "no_tool"
6
!
check 'and make again has nothing to do' 'rm batch/bad.md; make -sj4; sent' <<!
6
!
check 'make -j4 over prompts in one batch' \
    'for i in 1 2 3; do echo "What is $i?" >q$i.prompt; done
    printf "%%.out: %%.prompt\n\tturnpipe -Fs \$*.jsonl - <\$< >\$@\n" >m2
    make -sf m2 -j4 q1.out q2.out q3.out; cat q?.out; jq -r ".body.messages[].content|strings" "$REQUESTS" | grep "^What is" | sort' <<!
Made.
Made.
Made.
What is 1?
What is 2?
What is 3?
!

# A prompt file is a program.
user() { jq -r '.body.messages[-1].content|split("\n\n<turn-context>")[0]' "$REQUESTS"; }
task translate <<'!'
#!/usr/bin/env -S turnpipe -T
---
model: openai/small
max_steps: 3
no_tools: true
defaults: {tone: plain}
---
Translate into {{1}}, {{tone}}, for {{reader}}:
!
chmod +x translate.md
env -S true 2>/dev/null || skip 'env has no -S here'
serve -r '{"text":"Guten Tag."}'
check 'its keys are obeyed and not sent; operands and standard input are' \
    'echo "Good day." | ./translate.md de reader=kids; user; jq -r .body.model "$REQUESTS"' <<!
Guten Tag.
Translate into de, plain, for kids:

Good day.
small
!
check 'from a file; a dry run' 'echo Hm >in; ./translate.md fr reader=x tone=loud <in >/dev/null; user | tail -n 3
    echo DATA | turnpipe -T -n translate.md de reader=x | jq -r .messages[-2].content' <<!
Translate into fr, loud, for x:

Hm
Translate into de, plain, for x:

DATA
!
check 'an operand that is missing: 64, no request is sent' \
    './translate.md de 2>&1 | sed "s|: /.*/|: |"; ./translate.md de 2>/dev/null || echo $?; sent' <<!
taskfile: translate.md: expected a value for {{reader}}
64
2
!
fails 65 'input that is not UTF-8' 'printf "a\377" | ./translate.md de reader=x' <<!
msg: <stdin>:1:2: expected valid UTF-8
!
cat >m3 <<'!'
all: $(patsubst %.en,%.de,$(wildcard words/*.en))
%.de: %.en translate.md
	./translate.md de reader=all <$< >$@
.DELETE_ON_ERROR:
!
mkdir words
for i in $(seq 8); do echo "word $i" >words/$i.en; done
serve -r '{"text":"Wort."}'
check 'make -j4 over eight files: no run keeps another one out' \
    '(unset TURNPIPE_NOW; make -sj4 -f m3); cat words/*.de | sort | uniq -c | tr -s " "
    user | sort -u | grep -c "^word"; runs translate .status | tail -n 8 | sort | uniq -c | tr -s " "' <<!
 8 Wort.
8
 8 0
!
sed 's/max_steps/max_step/' translate.md >misspelt.md
fails 65 'a misspelt key is refused, with its line' \
    'turnpipe -T misspelt.md de reader=x 2>err; s=$?; sed "s|: /.*/|: |" err >&2; exit $s' <<!
taskfile: misspelt.md:4:1: expected a key of turnpipe-tasks(5), found "max_step"
!
printf -- '#!/usr/bin/env -S turnpipe -T\n---\nallow: ["write_file(ok*)"]\n---\nWrite.\n' >binds.md
serve '{"calls":[{"id":"c1","name":"write_file","arguments":{"path":"ok1","content":"x"}},{"id":"c2","name":"write_file","arguments":{"path":"no1","content":"x"}}]}' '{"text":"Half."}'
check 'allow: of a file with a #! binds' 'turnpipe -T binds.md 2>/dev/null || echo $?; ls ok1; ls no1 2>/dev/null || :' <<!
Half.
77
ok1
!

# until, schema, output, may_be_empty.
printf -- '---\nuntil: test -e made || { echo not made; exit 1; }\nallow: [write_file]\n---\nMake it.\n' >goal.md
serve '{"text":"Done."}' '{"calls":[{"id":"c1","name":"write_file","arguments":{"path":"made","content":"x"}}]}' '{"text":"Made it."}'
check 'until:' 'turnpipe -T goal.md; sent' <<!
Made it.
3
!
serve -r '{"text":"Done."}'
check 'until: never reached; --until and -N go before the file' \
    'rm made; turnpipe -T goal.md 2>&1 || echo $?
    turnpipe -T --until "date +%N; false" -N 1 goal.md >/dev/null 2>err || echo $?; sed 2d err' <<!
turnpipe: --until: status 1, twice with the same output:
not made
5
5
turnpipe: --until: status 1 after 1 rounds:
!
mkdir sub
printf '{"type":"object","required":["n"]}' >sub/shape.json
printf -- '---\nschema: shape.json\noutput: out.json\n---\nCount.\n' >sub/count.md
serve '{"text":"{\"n\":1}"}' '{"text":"{\"m\":1}"}' '{"status":400,"body":"no"}'
check 'schema: beside the task file; output: replaced only by a good answer' \
    'turnpipe -T sub/count.md; cat out.json
    turnpipe -T sub/count.md >/dev/null 2>&1 || echo $?; turnpipe -T sub/count.md >/dev/null 2>&1 || echo $?
    cat out.json; ls out.json*; ls -l out.json | cut -c1-10' <<!
{"n":1}
8
65
{"n":1}
out.json
-rw-r--r--
!
printf -- '---\noutput: none/out\n---\nSay.\n' >lost.md
serve -r '{"text":"Said."}'
check 'output: that cannot be written' 'turnpipe -T lost.md >out 2>/dev/null || echo $?; cat out' <<!
74
!
printf 'Say nothing.\n' >blank.md
printf -- '---\nmay_be_empty: true\n---\nSay nothing.\n' >mayblank.md
serve -r '{"text":""}'
check 'an empty answer is a failure, unless the file says may_be_empty' \
    'turnpipe -T blank.md 2>/dev/null || echo $?; runs blank .status
    before=$(sent); turnpipe -T mayblank.md | wc -c; echo $(($(sent) - before)); runs mayblank .status' <<!
8
8
0
1
0
!

# cron.
mkdir -p "it's 50% here"
task "it's 50% here/morning" <<!
---
schedule: 0 7 * * mon-fri
no_tools: true
---
Wish a good morning.
!
mkdir -p "$XDG_CONFIG_HOME/turnpipe/keys"
(umask 077; echo sk-test >"$XDG_CONFIG_HOME/turnpipe/keys/openai")
serve '{"text":"Good morning."}'
check '-i prints the line for crontab, without a key' \
    'turnpipe -T -i "it'\''s 50% here/morning.md" >line 2>err; wc -l <line; grep -c "^0 7 \* \* mon-fri cd " line
    grep -c sk-test line || :; sed "s| into [^t].*||; /bytes; some crons/d" err' <<!
1
1
0
taskfile: OPENAI_API_KEY is not put into the line: a key belongs
!
# A crontab(1) that keeps its table in a file, and fails on request.
mkdir crontabs
cat >crontabs/crontab <<'!'
#!/bin/sh
[ ! -e refuse ] || { echo 'crontab: not allowed' >&2; exit 1; }
case $1 in
-l) [ -e table ] || { echo 'no crontab for x' >&2; exit 1; }; cat table ;;
-) echo 'read from a pipe' >>table ;;
*) cp -- "$1" table ;;
esac
!
chmod +x crontabs/crontab
with() { PATH=$PWD/crontabs:$PATH "$@" 2>err; }
check '--install twice: one line; the lines of others stay' \
    'echo "1 1 * * * other # turnpipe:other-1" >table; m="it'\''s 50% here/morning.md"
    for i in 1 2; do with turnpipe -T --install "$m"; done
    wc -l <table; grep -c other table; tail -n 1 table | sed "s/-[0-9a-f]*\$/-HASH/; s/.* #/#/"
    tail -n 1 table | sed "s/ # turnpipe:.*//" >in; cut -d" " -f-5 in
    sed "s/mon-fri/sun/" "$m" >m; cat m >"$m"; with turnpipe -T --install "$m"; wc -l <table; grep -c sun table' <<!
2
1
# turnpipe:morning-HASH
0 7 * * mon-fri
2
1
!
check '--uninstall removes only that line; once more: no such line' \
    'm="it'\''s 50% here/morning.md"; with turnpipe -T --uninstall "$m"; cat table
    with turnpipe -T --uninstall "$m" || echo $?; cat err; sed "s/sun/mon-fri/" "$m" >m; cat m >"$m"' <<!
1 1 * * * other # turnpipe:other-1
1
turnpipe: morning: not in your crontab
!
check 'without a crontab, and with one that cannot be read' \
    'rm table; m="it'\''s 50% here/morning.md"; with turnpipe -T --install "$m"; wc -l <table
    : >refuse; with turnpipe -T --install "$m" || echo $?; cat err | grep -v -e OPENAI -e "the line has"; rm refuse; wc -l <table' <<!
1
69
crontab: not allowed
turnpipe: crontab -l failed: nothing was changed
1
!
check '--systemd: a service and its timer' \
    'cd "it'\''s 50% here"; TURNPIPE_MODEL="a\$b %" turnpipe -T --systemd service morning.md 2>/dev/null |
    grep -e Type -e MODEL -e Working -e Memory -e ExecStart | sed "s|=/.*/|=|; s|\"/[^\"]*/|\"|g"
    turnpipe -T --systemd timer morning.md' <<'!'
Type=oneshot
WorkingDirectory=it's 50%% here
Environment="TURNPIPE_MODEL=a$b %%"
MemoryMax=4G
ExecStart="turnpipe" -T "morning.md"
[Unit]
Description=turnpipe task morning

[Timer]
AccuracySec=1s
Persistent=true
OnCalendar=Mon,Tue,Wed,Thu,Fri *-*-* 07:00:00

[Install]
WantedBy=timers.target
!
printf -- '---\nschedule: 5 4 1-31/10 jan-mar sun\n---\nx\n' >units.md
needs systemd-analyze check 'systemd-analyze verifies them' \
    'mkdir units; for u in service timer; do turnpipe -T --systemd $u units.md >units/tp.$u 2>/dev/null; done
    systemd-analyze verify ./units/tp.service ./units/tp.timer 2>&1 || echo $?'
fails 64 '--systemd of something else' 'turnpipe -T --systemd socket plain.md 2>err; s=$?; sed 1q err >&2; exit $s' <<!
turnpipe: --systemd: expected service or timer
!
# As cron does: the first % that is not quoted ends the command.
cut -d' ' -f6- <line | perl -pe 'die if /(?<!\\)%/; s/\\%/%/g' >command
check 'as cron runs it: no terminal, HOME and little else' \
    'cd / && perl -e "use POSIX; POSIX::setsid; exec @ARGV" env -i HOME="$HOME" LOGNAME=x SHELL=/bin/sh PATH=/usr/bin:/bin \
	/bin/sh -c "$(cat "$OLDPWD/command")" </dev/null; cat "$state"/morning-*.log
    runs morning "[.status,.answer]"; sent' <<!
Good morning.
[0,"Good morning."]
1
!
check 'a failed run from cron was not reported: cron mails what is printed' \
    '(cd / && env -i HOME="$HOME" /bin/sh -c "$(
	sed "s|turnpipe.\{0,1\} -T|& -P nobody|" "$OLDPWD/command")" </dev/null)' <<!
turnpipe: profile nobody: not found; 'sharefind -l profiles' lists them
!
printf -- '---\n# schedule: */5 * * * *\n---\nx\n' >comment.md
check 'the schedule as a comment' 'turnpipe -T -i comment.md 2>err | cut -d" " -f-5' <<!
*/5 * * * *
!
printf -- '---\nno_tools: true\n#  schedule: 0 24 * * *\n---\nx\n' >comment.md
fails 65 'a comment that is no schedule' 'turnpipe -T -i comment.md 2>err; s=$?; sed "s|: .*/|: |" err >&2; exit $s' <<!
taskfile: comment.md:3:14: schedule: expected an hour, 0 to 23
!
fails 65 'no schedule' 'turnpipe -T -i plain.md 2>err; s=$?; sed "s|: .*/|: |" err >&2; exit $s' <<!
taskfile: plain.md:1:1: expected a schedule
!
check '--due: ten of ten that missed their time; none that ran, is new or was taken away' \
    'rm -f table; now() { TURNPIPE_NOW=2026-11-21T09:30:00Z TZ=UTC with turnpipe -T --due; }; T=$XDG_STATE_HOME/turnpipe/tasks; n=0
    for w in "* * * * *" "0 9 * * *" "0 7 * * mon-fri" "*/20 8-17 * * 7" "0 0 13 * fri" @daily @weekly @hourly @monthly @yearly @reboot; do
	n=$((n + 1)); printf -- "---\nschedule: \"%s\"\n---\nHi.\n" "$w" >due$n.md; with turnpipe -T --install due$n.md
    done; rm "$T"/due*.log 2>/dev/null || :; touch -d 2026-11-21T09:25:00Z "$T"/due*.since; now; echo $?
    touch -d 2025-01-01T00:00:00Z "$T"/due*.since; now | sed "s,.*/,," | sort -V; now | wc -l
    for i in 1 2 3; do touch -d 2026-11-21T09:26:00Z "$(echo "$T"/due$i-*.since | sed "s/since\$/jsonl/")"; done
    with turnpipe -T --uninstall due4.md; now >out || echo $?; wc -l <out' <<!
0
due1.md: did not run at 2026-11-21 09:25
due2.md: did not run at 2026-11-21 09:00
due3.md: did not run at 2026-11-20 07:00
due4.md: did not run at 2026-11-15 17:40
due5.md: did not run at 2026-11-20 00:00
due6.md: did not run at 2026-11-21 00:00
due7.md: did not run at 2026-11-15 00:00
due8.md: did not run at 2026-11-21 09:00
due9.md: did not run at 2026-11-01 00:00
due10.md: did not run at 2026-01-01 00:00
10
1
6
!
fails 64 'no file' 'turnpipe -T' <<!
turnpipe: expected a task file
usage: turnpipe-task [-iny] [-a AGENT] [-m MODEL] [-N ROUNDS] [-P PROFILE]
                     [-s FILE] [--schema FILE] [--until COMMAND]
                     TASK.md [OPERAND ...]
       turnpipe-task [-s FILE] [--allow ID] [--deny ID[=REASON]] TASK.md
       turnpipe-task --install | --uninstall | --systemd UNIT TASK.md
       turnpipe-task --due
!
fails 66 'no such file' 'turnpipe -T none.md' <<!
taskfile: none.md: No such file or directory
!
serve '{"text":"One."}'
check 'a log of cron that is long begins anew; the file is the same' \
    'log=$(echo "$state"/plain-*.jsonl); log=${log%.jsonl}.log; yes old | head -n 100 >"$log"; exec 4>>"$log"
    turnpipe --set task.log_max=200 -T plain.md; echo new >&4; cat "$log"; grep -c old "$log.1"' <<!
One.
new
100
!
serve '{"text":"Two."}'
check 'a frozen run has the time at which it is' '
    export TURNPIPE_NOW=frozen state=$PWD/frozen/turnpipe/tasks XDG_STATE_HOME=$PWD/frozen
    turnpipe -T plain.md; runs plain ".started, .ended"' <<!
Two.
2026-01-01T00:00:00Z
2026-01-01T00:00:00Z
!
