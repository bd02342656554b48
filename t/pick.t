#!/bin/sh
. "${0%/*}/lib.sh"
# pick against jq: each filter over each input, as records, raw and pretty.
pick=$tap_jq
tap_has jq || skip 'jq is not installed'
[ -x "$pick" ] || skip 'pick is not built'

cat >in <<'!'
{"type":"section","id":"a","content":"one\n\"two\" \\ \t\u0001 ü 😀","n":1,"l":[1,2.5,-3],"o":{"k":null,"j":true}}

{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f","arguments":"{\"x\":[1]}"}},{"id":"c2"}],"content":null}
{"type":"error","code":65,"message":"m","id":"b","volatile":false,"o":{"k":"v","k2":[]}}
{}
{"id":"playbook:x","tags":["a","b",null,true,7],"l":[],"content":""}
!
# What it knows, without a jq.
cat >filters <<'!'
.
.id
.content
.o.k
.o?.k
.id.k?
.l[0],.l[-1],.l[9]
.l[]?
.l[-9]
.tool_calls[]?.function.name
.tool_calls[]?|.id
[.tool_calls[]?.id]
select(.type=="section").content
select(.type != "section")|.id, .n
select(.type == "section")|select(.n)|[.id,.n]
select(.o.k).o.k2[]
[.id,.n,.code]
[.id // "none", [.code]]
.type, .code // empty
.volatile // "d"
.n==1
.o.j == true, .o.k==null
.tool_calls[0].function.arguments // "null"
!
while IFS= read -r f; do
	PATH=/nowhere "$pick" -c "$f" in || printf 'not known: %s\n' "$f"
done <filters >said.2 2>&1
check 'each filter gives the same as in jq' 'unset -f jq
    while IFS= read -r f; do jq -c "$f" in; done <filters >said.1; diff -u said.1 said.2'
rm said.?

echo '[{"a":1,"b":[{}]},{"a":2,"b":"x"}]' >array
printf '{\n "a": [1, {"b": "c"}]\n}\n' >pretty
printf '1 2\n{"a":1e3}\n' >odd
printf '{"a":1.50,"a":2}\n{"x":\n' >torn
printf 'a\nb \303\274\n' >text
: >empty

# both FILE ARGUMENT...: what jq and pick say, and their status.
both() {
	in=$1
	shift
	k=0
	for p in jq "$pick"; do
		k=$((k + 1))
		s=0
		(unset -f jq && "$p" "$@") <"$in" >>"said.$k" 2>>"said.$k" || s=$?
		printf '== %s: %s: %s\n' "$in" "$*" "$s" >>"said.$k"
	done
}
# What it does not know, and what is wrong.
for f in '..|numbers' '.n as $x | $x' '.id |' nothing '"\(.id"' '.l.[0]' \
    '.tool_calls[].id' '.id[0]' '.n + 1' '"a\u00e9"' '[]' '.l[1:]' '."id"' \
    '.o[]?' '.["id"]' '.l|length' '.n == .l' '{id}' '.n // 1 == 1' '(.n)'; do
	both in -c "$f"
done
for o in -r -j -s -c; do
	both in $o '.content, .'
	both pretty $o .
done
both array -r '.[]|.b, .'
for f in odd torn empty; do
	both $f -c .
done
both text -Rs '{patch: .}'
both text -R .
for f in .nothing empty .id; do
	both in -e "$f"
done
both in -r .id array
both in -r .id ./none
both in -c . array pretty
both in -nc --arg one 'ü"' --argjson two '{"x":[3]}' '[$one, $two.x[0], $two]'
both in --argjson two '{' .
both in --arg one
both in -r --tab .
both in -n '[inputs]|length'
check 'the same with other options, files and faults' 'diff -u said.1 said.2'

# It is no jq that is found: what it knows it does by itself.
check 'most is done without jq' \
    'PATH=/nowhere "$pick" -c "[.id,.n]" in | head -n 1' <<!
["a",1]
!
fails 69 'and the rest not' 'PATH=/nowhere "$pick" -c "[.id]|add" in' <<!
pick: jq: No such file or directory
!
