#!/bin/sh
. "${0%/*}/../lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z
mkdir home tasks
cat >full.md <<'!'
---
name: morning
description: A good morning.
agent: explore
model: ollama/qwen3
profile: default
tools: [ls, "read_*"]
tools_deny: [shell]
allow: ["shell(git status*)", write_file]
max_steps: 5
max_seconds: 60
max_tokens: 100
context_window: 8192
temperature: 0.5
top_p: 0.9
seed: 7
reasoning_effort: low
notify: mail -s 'it''s done' me
schedule: 0 7 * * mon-fri
---

Wish a good morning.

Then stop.

!
check 'variables for a shell' 'taskfile full.md | sed "s|=.$PWD/\(.*\).\$|=\1|; s|=.$XDG_STATE_HOME/turnpipe\(.*\)-[0-9a-f]*.\$|=STATE\1-HASH|"' <<'!'
task_agent=explore
task_ask_later=''
task_max_seconds=60
task_may_be_empty=''
task_model=ollama/qwen3
task_notify='mail -s '\''it'\'''\''s done'\'' me'
task_output=''
task_profile=default
task_rounds=''
task_schema=''
task_until=''
task_file=full.md
task_name=full
task_state=STATE/tasks/full-HASH
!
check 'they are what they were' 'eval "$(taskfile full.md)"; printf "%s\n" "$task_notify"' <<!
mail -s 'it''s done' me
!
check 'what is to be done' 'taskfile -t full.md' <<!
Wish a good morning.

Then stop.
!
check 'a value, a list by lines, none' \
    'taskfile -g seed full.md; taskfile --get allow full.md; taskfile -g no_tools full.md || echo $?' <<!
7
shell(git status*)
write_file
1
!
check 'its config record' \
    'echo hi >plain.md; for f in full plain; do TURNPIPE_TASK=$f.md agentload </dev/null | jq -c "select(.type==\"config\" and .by==\"user\")|del(.type,.by)"; done' <<'!'
{"model":"ollama/qwen3","max_steps":5,"max_seconds":60,"max_tokens":100,"context_window":8192,"temperature":0.5,"top_p":0.9,"seed":7,"reasoning_effort":"low","tools":["ls","read_*"],"tools_deny":["notify","notify_*","send_message","send_telegram*","shell","mail"]}
{"tools_deny":["notify","notify_*","send_message","send_telegram*"]}
!

# Each fault at its place.
bad() { printf -- "$1" >bad.md; taskfile bad.md 2>&1 | sed "s|$PWD/||" || :; }
check 'bad front matter, by file:line:col' '
    bad "---\nagent: x\nmax_step: 3\n---\nDo.\n"
    bad "---\nmax_steps: many\n---\nDo.\n"
    bad "---\nmax_steps: 0\n---\nDo.\n"
    bad "---\nmax_seconds: 1.5\n---\nDo.\n"
    bad "---\ntemperature: -1\n---\nDo.\n"
    bad "---\nno_tools: maybe\n---\nDo.\n"
    bad "---\ntools: {a: b}\n---\nDo.\n"
    bad "---\nagent: [a]\n---\nDo.\n"
    bad "---\nagent:\n---\nDo.\n"
    bad "---\nno_tools: true\ntools: [ls]\n---\nDo.\n"
    bad "---\nrequired_tools: [ls]\ntools: [ls]\n---\nDo.\n"
    bad "---\nschedule: 0 25 * * *\n---\nDo.\n"
    bad "---\nschedule: \"@noon\"\n---\nDo.\n"
    bad "---\nallow: [\"shell(git\"]\n---\nDo.\n"
    bad "---\nagent: x\n---\n\n"
    bad "---\nagent: \"x\n---\nDo.\n"
    bad "---\nagent: x\nDo.\n"
    bad "---\nmodel: a/b\nagent: x\nmodel: c/d\n---\nDo.\n"
    bad "---\nmax_seconds: 31536001\n---\nDo.\n"
    bad "---\nmax_tokens: 99999999999999999999\n---\nDo.\n"
    bad "---\nmax_steps: 1e2\n---\nDo.\n"
    bad "---\nrounds: 2.0\n---\nDo.\n"
    bad "---\ntemperature: 1e400\n---\nDo.\n"
    bad "Do.\n\377\n"
    bad "Do\0.\n"
    bad ""' <<!
taskfile: bad.md:3:1: expected a key of turnpipe-tasks(5), found "max_step"
taskfile: bad.md:2:12: expected an integer, found string
taskfile: bad.md:2:12: expected at least 1, found 0
taskfile: bad.md:2:14: expected an integer, found 1.5
taskfile: bad.md:2:14: expected at least 0, found -1
taskfile: bad.md:2:11: expected true or false, found string
taskfile: bad.md:2:8: expected a string or an array, found object
taskfile: bad.md:2:8: expected a string, found array
taskfile: bad.md:2:7: expected a string, found null
taskfile: bad.md:3:1: expected one of tools, no_tools, required_tools
taskfile: bad.md:3:1: expected one of tools, no_tools, required_tools
taskfile: bad.md:2:11: schedule: expected an hour, 0 to 23
taskfile: bad.md:2:11: schedule: expected a word of crontab(5), such as @daily
taskfile: bad.md:2:8: allow: expected TOOL or TOOL(PATTERN)
taskfile: bad.md:4:1: expected what is to be done
taskfile: bad.md:2:8: expected a quote that closes this
taskfile: bad.md:1:1: expected a closing ---
taskfile: bad.md:4:1: expected a key that is not there yet
taskfile: bad.md:2:14: expected at most 31536000, found 31536001
taskfile: bad.md:2:13: expected at most 31536000, found 99999999999999999999
taskfile: bad.md:2:12: expected an integer, found 1e2
taskfile: bad.md:2:9: expected an integer, found 2.0
taskfile: bad.md:2:14: expected a smaller number, found 1e400
taskfile: bad.md:2:1: expected UTF-8
taskfile: bad.md:1:3: expected text without NUL
taskfile: bad.md:1:1: expected what is to be done
!
check 'no_tools: false is no list' \
    'printf -- "---\nno_tools: false\ntools: [ls]\n---\nDo.\n" >t.md; taskfile -t t.md' <<!
Do.
!
printf 'x\n' >'-odd name.md'
check 'names that are odd' 'eval "$(taskfile -- "-odd name.md")"; echo "$task_name"; echo "${task_state##*/}" | sed "s/-[0-9a-f]*\$//"' <<!
-odd name
-odd_name
!

# The line for cron.
# Where the path of TMPDIR is long it says that some crons cut the line.
check 'only what is named, no secrets; % and quotes as cron has them' \
    'env -i PATH=/bin:/usr/bin:/own:/bin:/own:/usr HOME="$HOME" TURNPIPE_SHOW=1 TURNPIPE_MODEL=x/50% TURNPIPE_X_TOKEN=s LANG="it'\''s" OTHER=x TURNPIPE_SESSION=/s \
	"$BIN/taskfile" -c /usr/bin/turnpipe full.md 2>err | sed "s|$PWD|HERE|g; s|$HOME/.local/state/turnpipe/tasks/full-[0-9a-f]*|FULL|g; s/-[0-9a-f]*$/-HASH/"
    grep -v "the line has" err || :' <<'!'
0 7 * * mon-fri cd 'HERE' && LANG='it'\''s' PATH=/bin:/usr/bin:/own:/usr TURNPIPE_MODEL=x/50\% TURNPIPE_BUSY=0 /usr/bin/turnpipe -T 'HERE/full.md' >>'FULL.log' 2>&1 || tail -n 1 'FULL.log' # turnpipe:full-HASH
!
for how in '' '-c turnpipe' '-u turnpipe'; do
	fails 78 "a time zone that is not known is refused: taskfile $how" \
	    "TZ=Mars/Base taskfile $how full.md" <<!
taskfile: TZ: expected a time zone such as Europe/Warsaw, not 'Mars/Base'
!
done
check 'a backslash before %' \
    "env -i PATH=/bin HOME=\"\$HOME\" TURNPIPE_X='a\\%b' \"\$BIN/taskfile\" -c x full.md 2>/dev/null | grep -o 'TURNPIPE_X=[^ ]*' | perl -pe 's/\\\\(.)/\$1 eq \"%\" ? \"%\" : \"\\\\\$1\"/ge' >line
    sh -c \"\$(cat line); echo \\\"\\\$TURNPIPE_X\\\"\"" <<'!'
a\%b
!
fails 65 'a newline in the environment' \
    'TURNPIPE_X="$(printf "a\nb")" taskfile -c turnpipe full.md' <<!
taskfile: TURNPIPE_X: a crontab holds no newline
!

# Records of runs.
cat >s.jsonl <<'!'
{"type":"session","version":1,"id":"s"}
{"role":"user","content":"hi"}
{"role":"assistant","content":"","tool_calls":[{"id":"c","function":{"name":"x","arguments":"{}"}}]}
{"type":"usage","prompt_tokens":10,"completion_tokens":2,"cost":0.5}
{"role":"tool","tool_call_id":"c","content":"no","tp":{"denied":true}}
{"role":"assistant","content":"Bye."}
{"type":"usage","prompt_tokens":20,"completion_tokens":3,"cost":0.25}
!
log() { jq -c "$1" "$XDG_STATE_HOME"/turnpipe/tasks/plain-*.jsonl | tail -n 1; }
check 'a record: status, steps, denied calls, tokens, cost, answer' \
    'echo Bye. >answer; taskfile -r -a answer -b 2026-11-21T11:59:00Z -n 0 -s 77 -S s.jsonl plain.md
    log "del(.file)"' <<'!'
{"type":"run","task":"plain","session":"s.jsonl","started":"2026-11-21T11:59:00Z","ended":"2026-11-21T12:00:00Z","status":77,"notified":0,"steps":2,"denied":1,"prompt_tokens":30,"completion_tokens":5,"cost":0.75,"answer":"Bye."}
!
check 'a run that was lost, in the middle of a line' \
    'printf "{\"role\":\"assis" >>s.jsonl; taskfile -r -S s.jsonl plain.md; log "[.status,.steps,.answer]"; taskfile -r plain.md; log "[.status,.steps]"' <<!
[null,2,null]
[null,0]
!
mkdir -p "$XDG_STATE_HOME/turnpipe/tasks"
fails 66 'no such file' 'taskfile none.md' <<!
taskfile: none.md: No such file or directory
!
fails 64 'two files' 'taskfile a b 2>err; s=$?; head -n 1 err >&2; exit $s' <<!
taskfile: expected one file
!
fails 74 'a full disk' 'taskfile full.md >/dev/full' <<!
taskfile: write <stdout>: No space left on device
!
check 'a task file that begins with #! was sent whole, its front matter unheeded' '
    printf "#!/usr/bin/env -S turnpipe -T\n---\nmodel: x/y\n---\nDo it.\n" >bang.md
    taskfile -t bang.md; taskfile -g model bang.md
    printf "#!/bin/turnpipe -T\nDo that.\n" >bang.md; taskfile -t bang.md' <<!
Do it.
x/y
Do that.
!
fails 65 'and its lines keep their numbers' '
    printf "#!/bin/x\n---\nmodle: x/y\n---\nDo it.\n" >bang.md; taskfile -t bang.md 2>&1 |
    sed "s|$PWD/||" >&2; exit 65' <<!
taskfile: bang.md:3:1: expected a key of turnpipe-tasks(5), found "modle"
!

# Holes and operands.
cat >hole.md <<'!'
---
defaults: {tone: plain, odd: "{{1}}"}
---
Into {{1}}, {{tone}}, {{lang}}; {{odd}}
!
check 'operands fill holes, by place and by name; a value is not looked at again' \
    'taskfile -t hole.md lang=x de; taskfile -t hole.md "d{{2}}" tone=loud lang=a lang="b=c"
    taskfile -t hole.md lang= x=y' <<!
Into de, plain, x; {{1}}
Into d{{2}}, loud, b=c; {{1}}
Into x=y, plain, ; {{1}}
!
fails 64 'a hole that nothing fills is named' 'cd / && taskfile -t "$OLDPWD/hole.md" de 2>&1 >/dev/null | sed "s|/.*/||" >&2; exit 64' <<!
taskfile: hole.md: expected a value for {{lang}}
!
fails 64 'an operand that no hole takes' 'taskfile -t hole.md lang=x de lnag=y 2>err; s=$?; sed "s|: /.*/|: |" err >&2; exit $s' <<!
taskfile: hole.md: operand 'lnag=y': there is no {{2}} in the text
!
for line in 'defaults: de' 'defaults: {a b: c}' 'defaults: {a: [b]}' 'until: ""' 'rounds: 0' \
    'may_be_empty: 1' 'untill: true'; do
	printf -- '---\n%s\n---\nx\n' "$line" >bad.md
	taskfile bad.md 2>&1 | sed 's|.*/||' || :
done >said
check 'keys that are not as they should be' 'cat said' <<!
bad.md:2:11: expected an object, found string
bad.md:2:11: expected names of holes, {lang: en}
bad.md:2:15: expected a string, found array
bad.md:2:8: expected at least 1 character, found 0
bad.md:2:9: expected at least 1, found 0
bad.md:2:15: expected true or false, found number
bad.md:2:1: expected a key of turnpipe-tasks(5), found "untill"
!
printf 'Say hello.\n' >long.md
check 'records that are long go on in a new file; of those who write at once none loses one' '
    taskfile -r -s 9 long.md; max=$(($(cat "$XDG_STATE_HOME"/turnpipe/tasks/long-*.jsonl | wc -c) * 5)) pids=""
    for k in 1 2 3 4; do
	(for i in 1 2; do taskfile --set task.log_max=$max -r -s $k$i long.md; done) & pids="$pids $!"
    done
    wait $pids; cd "$XDG_STATE_HOME/turnpipe/tasks"
    cat long-*.jsonl.1 long-*.jsonl | jq -s "map(.status) | unique | length"
    ls long-*.jsonl | grep -c .' <<!
9
1
!
