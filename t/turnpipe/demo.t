#!/bin/sh
# The demo: what make demo does, and that its recording is strict.
. "${0%/*}/../lib.sh"

mkdir few
for c in sh dirname; do ln -s "$(command -v $c)" few/; done
fails 69 'without git it did not say what is missing' \
    'PATH=$PWD/few sh "$TOP/share/demo/demo"' <<!
demo: missing: git make cc jq script (make deps installs what is missing)
!
command -v git >/dev/null || skip 'git is not installed'
tap_has pty || skip 'no terminal to be had'

export BIN DEMO="$PWD/d1"
# A hook's variables, and a machine where git is slow.
mkdir slow
cat >slow/git <<!
#!/bin/sh
case " \$* " in *" status "*) sleep 0.3 ;; esac
PATH='$PATH' exec git "\$@"
!
chmod +x slow/git
check 'the main job is done' 'export GIT_DIR=/none GIT_INDEX_FILE=/none TURNPIPE_GUARD=1 CDPATH=/ TURNPIPE_SYSTEM_PROMPT=/none
    PATH=$PWD/slow:$PATH MAKEFLAGS=" -j2 --jobserver-auth=8,9" sh "$TOP/share/demo/demo" LIVE=0 >out 2>&1; tail -n 1 d1/wrapkit/CHANGES
    grep -c "used + 1 + n > width" d1/wrapkit/src/wrap/wrap.c; make -s -C d1/wrapkit/src/wrap test | tail -n 1' <<!
wrap: a word longer than the width no longer loops
1
0 of 6 failed
!
check 'make -j demo does not pass its options to the make of the tree' \
    'grep jobserver out || :' </dev/null
check 'its session is whole' 'for f in d1/state/turnpipe/*/*.jsonl; do jq -e . "$f" >/dev/null; done' </dev/null
check 'and it says that the model is a script, written by hand' 'grep -c "model says in this demo is a script written by hand" out' <<!
1
!
check 'each call with its result, a question and its answer, the tokens, as a user sees them' '
    esc=$(printf "\033") cr=$(printf "\r")
    sed "s/$cr*\$//; s/$esc\[[02]m//g; s/$esc\[K//g; s/.*$cr//; s/[0-9.]* s,/0.0 s,/; s/[0-9.]* s\$/0.0 s/" out >seen
    grep -A5 "^[^ ]* shell make test:" seen; grep -B6 "^run it" seen | tail -n 4; grep " in (" seen' <<!
· shell make test: status 2, 0.0 s, 9 lines
    error: ok 1 - nothing is no line
    ok 2 - one word
    ok 3 - two words on one line
    not ok 4 - a line of exactly the width
    ok 5 - one byte too long
--
· shell make test: ok, 0.0 s, 7 lines
    ok 1 - nothing is no line
    ok 2 - one word
    ok 3 - two words on one line
    ok 4 - a line of exactly the width
    ok 5 - one byte too long
shell
  command: git diff --stat
  always: shell(git diff --stat)
run it? [y]es, [n]o REASON, [a]lways: y
7 steps, 70 in (0% cached), 35 out, 0.0 s
2 steps, 20 in (0% cached), 10 out, 0.0 s
!
llmserver_start '{"text":"This must not be asked."}'
check 'a key or a server in the environment made it live, every tool allowed' \
    'OPENAI_BASE_URL=$URL/v1 OPENAI_API_KEY=x DEMO="$PWD/d3" sh "$TOP/share/demo/demo" LIVE= >out 2>&1; grep -c "script written by hand" out; sent' <<!
1
0
!
mkdir share
cp -R "$TOP"/share/. share/
sed -i 's/without any warnings/&/; s/no warnings under/no  warnings under/' share/demo/tree/AGENTS.md
check 'one changed byte of the tree is reported: the book has no answer to that' \
    'TURNPIPE_SHARE="$PWD/share" DEMO="$PWD/d2" sh "$TOP/share/demo/demo" LIVE=0 >out 2>err && echo success
    grep "no answer" out | tr -d "\r" | grep -o "no answer in it"' <<!
no answer in it
!
