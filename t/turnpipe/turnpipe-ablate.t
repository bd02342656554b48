#!/bin/sh
. "${0%/*}/../lib.sh"
tap_has git || skip 'there is no git here'

export HOME="$PWD/home" TURNPIPE_MODEL=openai/x
mkdir home tree
cat >model <<'!'
#!/bin/sh
echo asked >>"${0%/*}/asked"
exec awk '!/^{"type":"request"/ { print; fflush(); next } {
	match($0, /"id":"[^"]*"/)
	printf "{\"type\":\"message\",%s,\"role\":\"assistant\",\"content\":\"%s\"}\n", substr($0, RSTART, RLENGTH), /Rule one/ ? "ok" : "no"
	printf "{\"type\":\"usage\",%s,\"prompt_tokens\":%d}\n", substr($0, RSTART, RLENGTH), length($0) / 4
	fflush() }'
!
chmod +x model
cd tree
git init -q .
echo 'Rule one.' >AGENTS.md
for i in 1 2 3 4 5 6 7 8; do printf '{"id":"%s","text":"Question %s","expect":{"equals":"ok"}}\n' $i $i; done >cases.jsonl
check 'a section that the cases need, and one that they do not' \
    'turnpipe ablate -s clock -s project-context cases.jsonl -- ../model | sed "s/-[0-9][0-9]* *\([-0-9]\)/-N \1/"' <<!
section                  tokens  points  p
clock                    -N 0       1
project-context          -N -100    0.0078
!
check 'a second run asks nothing' ': >../asked; turnpipe ablate -s clock -s project-context cases.jsonl -- ../model | wc -l; cat ../asked' <<!
3
!
check 'all sections, one after the other' 'turnpipe ablate cases.jsonl -- ../model | sed "1d; s/ .*//" | LC_ALL=C sort >all; grep -x "identity\|project-context" all; ls ablate | grep -c book >n; [ "$(cat n)" -gt 4 ] || cat n' <<!
identity
project-context
!
fails 64 'without a command' 'turnpipe ablate cases.jsonl 2>&1 | head -n 1 >&2; exit 64' <<!
turnpipe: expected a file of cases, --, and a command
!
fails 76 'a command that gives no answers' 'turnpipe ablate -d other -s clock cases.jsonl -- true' <<!
journal: the command ended 1 times without an answer
!
