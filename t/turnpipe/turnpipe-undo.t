#!/bin/sh
# What file tools wrote in the last turn, taken back.
. "${0%/*}/../lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test
mkdir .git
write() { printf '{"id":"%s","name":"write_file","arguments":{"path":"%s","content":"%s\\n"}}' "$1" "$2" "$3"; }
done='{"text":"Done."}'
reset() {
	printf 'old\n' >a
	chmod 750 a
	printf 'old b\n' >b
	rm -f new
}
reset
serve "{\"calls\":[$(write c0 b first)]}" "$done" \
    "{\"calls\":[$(write c1 a one),$(write c2 new x),$(write c3 b second)]}" "{\"calls\":[$(write c4 a two)]}" "$done" "$done"
check 'the files of the last turn, not of the one before; the model hears of it' \
    'printf "%s\n" one two "/undo" three | turnpipe -Fyis u.jsonl 2>err | sed "s|$PWD/||"; cat a b; stat -c %a a; ls; sed "1d;s/^\(> \)*//;/^$/d" err
    tail -n 1 "$REQUESTS" | jq -r ".body.messages[-1].content" | sed "s|$PWD/||;/<turn-context>/,\$d"' <<!
Done.
Done.
restored a
restored b
removed new
Done.
old
first
750
a
b
err
u.d
u.jsonl
turnpipe: what shell commands changed cannot be undone
I took back what your last turn wrote to these files:

restored a
restored b
removed new

three

!
reset
rm -r u.*
serve "{\"calls\":[$(write c1 a one),$(write c2 new x)]}" "$done"
check 'what has changed since is left as it is; -n changes nothing; from the shell' \
    'turnpipe -Fys u.jsonl go; export TURNPIPE_SESSION=$PWD/u.jsonl; turnpipe undo -n 2>&1 | sed "s|$PWD/||"; echo mine >>a
    turnpipe undo 2>&1 | sed "s|$PWD/||"; cat a; ls new 2>&1 | grep -c "No such"' <<!
Done.
new
a
turnpipe: what shell commands changed cannot be undone
turnpipe: a: has changed since: left as it is
removed new
turnpipe: what shell commands changed cannot be undone
one
mine
1
!
serve -r "$done"
check 'nothing to undo' 'turnpipe -Fys v.jsonl go; TURNPIPE_SESSION=$PWD/v.jsonl turnpipe undo 2>&1; stat -c %a v.d/undone' <<!
Done.
turnpipe: no file tool changed a file in the last turn; what shell commands changed cannot be undone
600
!
fails 66 'no session' 'turnpipe undo' <<!
turnpipe: no session of this project
!
mkdir -p w.d/undo
: >w.jsonl
echo x >w.d/undo/turn
fails 65 'a torn log' 'TURNPIPE_SESSION=$PWD/w.jsonl turnpipe undo 2>err || s=$?; sed "s|$PWD/||" err >&2; exit $s' <<!
turnpipe: w.d/undo/turn: expected a number
!
