#!/bin/sh
# The pipe of the default profile by hand: no driver, no model.
. "${0%/*}/lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
pipe='agentload | envinfo | ctxfind | skillmenu | toollist | toolpick |
toolrules | factfind | todolist | reminders'

mkdir tree
cd tree
mkdir .git
mkdir -p .agents/skills/one
printf 'Always say please.\n' >AGENTS.md
printf -- '---\nname: one\ndescription: The one skill.\n---\nDo it.\n' \
    >.agents/skills/one/SKILL.md

check 'one line is enough' \
    "printf '{\"role\":\"user\",\"content\":\"hi\"}\n' | promptcompose |
    jq -e '.type==\"request\" and .messages[-1].content'" <<!
true
!
a='{"role":"user","content":"Hello."}'
b='{"role":"user","content":"Hello again."}'
end='{"type":"end"}'
check 'two conversations in one pipe are the same as two pipes' \
    "printf '%s\n' '$a' '$end' | $pipe | promptcompose >../one
    printf '%s\n' '$b' '$end' | $pipe | promptcompose >../two
    printf '%s\n' '$a' '$end' '$b' '$end' | $pipe | promptcompose >../both
    cat ../one ../two | cmp - ../both; jq -r 'select(.type==\"request\").messages[1].content' ../both" <<!
Hello.
Hello again.
!
check 'each contributor is seen in the request' \
    "jq -r 'select(.type==\"request\")|[.messages[].content]|join(\" \")' ../one >../text
    for w in 'say please' 'The one skill' 'read_file' \"$PWD\" '2026'; do
	grep -qF \"\$w\" ../text || echo missing \"\$w\"; done
    jq -r 'select(.type==\"request\").tools[].function.name' ../one | sort -c" </dev/null
check 'the tools on offer flow after the request, the prompt does not' \
    "jq -r .type ../one | sort | uniq -c | sed 's/^ *//' | grep -v tool" <<!
1 end
1 request
!
fails 76 'with --whole a pipe that broke off makes no request' \
    "printf '%s\n' '$a' | $pipe | promptcompose --whole" <<!
promptcompose: <stdin>: expected an end, but the input stopped
!
check 'without agentload no record names a model' \
    "jq -e 'select(.type==\"request\").model' ../one; printf '%s\n' '$a' '$end' | TURNPIPE_MODEL= promptcompose | jq -r 'select(.type==\"request\").model'" <<!
"openai/test"
null
!
# A filter that is replaced by cat must be missed by somebody: here.
for f in envinfo ctxfind skillmenu toollist toolrules; do
	check "without $f the request is another one" \
	    "printf '%s\n' '$a' '$end' | $(printf %s "$pipe" | sed "s/\<$f\>/cat/") |
	    promptcompose >../less; cmp -s ../one ../less || echo differs" <<!
differs
!
done
