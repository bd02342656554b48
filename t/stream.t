#!/bin/sh
# What a filter remembers of one conversation changes none of the next.
. "${0%/*}/lib.sh"

command -v python3 >/dev/null || skip 'python3 is not installed'
mkdir .git
echo 'Run the tests.' >AGENTS.md
mkdir -p own/rules own/layouts
printf 'first_turn: true\nsay: Set a title.\n' >own/rules/99-first.yaml
printf 'joiner: "\\n"\nsections:\n  - {id: s1, when: tool_1}\n  - {id: s2, when: {none: tool_2}}\n' \
    >own/layouts/own.yaml
export TURNPIPE_PATH="$PWD/own:$TOP/share"
# Conversations; make soak takes more.
n=20
[ -z "${SOAK-}" ] || n=200
for seed in 1 2 3; do
	check "a stream gives what its conversations give alone ($seed)" \
	    'python3 "$TOP/t/stream.py" '"$seed $n" <<!
0 faults
!
done
