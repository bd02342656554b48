#!/bin/sh
# What all filters owe the stream, each asked the same.
. "${0%/*}/lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z

pure='agentload envinfo ctxfind skillmenu toollist toolpick toolrules factfind
todolist reminders'

# A record with everything that a re-writer would change.
odd='{ "type":"x-odd" ,"a":1.0,"b":"\u0041\/","c":[ ],"big":12345678901234567890,"é":null}'
talk='{"role":"user","content":"hi"}'

# The commands that read settings refuse a key that there is not, before they
# read anything else.
for f in $pure promptcompose costguard llmcall toolrun histfit histfold \
    factextract intree taskfile sharefind; do
	fails 78 "$f --set: an unknown key" \
	    "$f --set max_steps=3 --set nosuch.key=1 </dev/null >out" <<!
$f: --set nosuch.key: expected a key of turnpipe-settings(5), found "nosuch"
!
done
check 'the last of --set counts, over the environment' \
    'export TURNPIPE_SET="max_steps=1"; sharefind -g max_steps
    sharefind --set max_steps=3 --set=max_steps=4 -g max_steps' <<!
1
4
!

for f in $pure promptcompose llmcall toolrun; do
	printf '%s\n{"a":1,}\n' "$talk" >bad
	fails 65 "$f: a broken line is reported with its place" "$f <bad >out" <<!
$f: <stdin>:2:8: expected a key in quotes
!
	printf '%s\n\n' "$talk" >blank
	fails 65 "$f: a blank line" "$f <blank >out" <<!
$f: <stdin>:2:1: expected a value
!
	printf '%s\n{"type":"end","x":"\377"}\n' "$talk" >utf
	fails 65 "$f: bytes that are not UTF-8" "$f <utf >out" <<!
$f: <stdin>:2:20: expected valid UTF-8
!
	printf '{"type":"error","from":"x","code":69,"message":"m"}\n' >err
	check "$f: an error is passed on" "$f <err | grep '\"x\"'; :" <err
done

for f in $pure; do
	printf '%s\n%s\r\n%s' "$talk" "$odd" "$odd" >in
	check "$f: what is not its own passes byte for byte" \
	    "$f <in | head -n 3" <<!
$talk
$odd$(printf '\r')
$odd
!
	check "$f: end goes last, once per conversation" \
	    "printf '%s\n{\"type\":\"end\",\"id\":\"1\"}\n%s\n{\"type\":\"end\",\"id\":\"2\"}\n' '$talk' '$talk' |
	    $f | jq -r 'select(.type==\"end\").id'" <<!
1
2
!
	check "$f: the second conversation is like the first" \
	    "printf '%s\n{\"type\":\"end\"}\n%s\n{\"type\":\"end\"}\n' '$talk' '$talk' | $f >out
	    n=\$((\$(wc -l <out) / 2)); head -n \$n out >one; tail -n \$n out >two
	    cmp one two" </dev/null
	awk 'BEGIN { for (i = 0; i < 20000; i++)
		print "{\"type\":\"x-odd\",\"n\":" i "}" }' >many
	check "$f: a reader that leaves early is no fault" \
	    "$f <many | head -n 1" <<!
{"type":"x-odd","n":0}
!
	fails 74 "$f: a full disk is not success" "$f <many >/dev/full" <<!
$f: write <stdout>: No space left on device
!
done
