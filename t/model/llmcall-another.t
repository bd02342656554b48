#!/bin/sh
# Several models: the next one is asked when one does not answer now.
. "${0%/*}/../lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_PATH="$TOP/share"
export OPENAI_API_KEY=sk-test GROQ_API_KEY=gk-test
two=openai/a,groq/b
request='{"type":"request","id":"r","model":"openai/a,groq/b","messages":[{"role":"user","content":"hi"}]}'
busy='{"status":503,"headers":{"retry-after-ms":"1"},"body":{"error":{"message":"busy"}},"repeat":99}'
# servers LINE-OF-A LINE-OF-B: two of them, a and b, with their own logs.
servers() {
	serve "$1"
	A=$REQUESTS
	llmserver_start "$2"
	B=$REQUESTS
	export GROQ_BASE_URL="$URL/v1"
}
asked() { echo "a $(grep -c . "$A") b $(grep -c . "$B")"; }
answers() { command jq -c 'if .type=="usage" then [.model,.instead_of] elif .type=="error" then [.code] else [.content] end'; }

# What must not be tried elsewhere.
for case in '400 65 bad-request' '401 77 bad-key'; do
	set -- $case
	servers '{"status":'"$1"',"body":{"error":{"message":"'"$3"'"}},"repeat":9}' '{"text":"no"}'
	check "$1 is for the user: no other model" \
	    "echo '$request' | llmcall 2>/dev/null | answers; asked" <<!
[$2]
a 1 b 0
!
done
servers '{"status":400,"body":{"error":{"code":"context_length_exceeded","message":"maximum context length"}}}' '{"text":"no"}'
check 'nor for what is too long' "echo '$request' | llmcall 2>/dev/null | answers; asked" <<!
[6]
a 1 b 0
!
servers '{"text":"","finish":"content_filter"}' '{"text":"no"}'
check 'nor for what was refused' \
    "echo '$request' | llmcall 2>/dev/null | answers | tail -n 1; asked" <<!
[3]
a 1 b 0
!
servers '{"text":"It has","break":true}' '{"text":"no"}'
check 'nor once something was shown' \
    "echo '$request' | llmcall -d 2>/dev/null | tee all | answers | tail -n 1; jq -rj 'select(.type == \"delta\").text' all; asked" <<!
[76]
It hasa 1 b 0
!
servers "$busy" '{"text":"no"}'
fails 78 'a misspelt name is found before anything is asked' \
    "unset OPENAI_BASE_URL; echo '$request' | sed s:openai/a.groq/b:groq/b,grok/b: | llmcall >out; s=\$?; asked >&2; exit \$s" <<!
llmcall: model 'grok/b': no such provider 'grok'; 'sharefind -l providers' lists them
a 0 b 0
!
check 'one without a key is not asked: the first one says what is wrong' \
    "(unset GROQ_API_KEY; echo '$request' | llmcall -x 0 2>err | answers); cut -c1-40 err; asked" <<!
[69]
llmcall: groq/b: not asked: no key for g
llmcall: 503: busy; try again in 1 s
a 1 b 0
!
servers '{"text":"no"}' '{"text":"hello"}'
check 'where the first one has no key the next one is asked' \
    "(unset GROQ_API_KEY; echo '$request' | sed s:openai/a.groq/b:groq/b,openai/a: | llmcall 2>err | answers); cut -c1-40 err; asked" <<!
["no"]
["openai/a","groq/b"]
llmcall: groq/b: not asked: no key for g
a 1 b 0
!

# a refuses five times, b answers once.
servers "$busy" '{"text":"hello"}'
check 'after the last retry the next one is asked, and named' \
    "echo '$request' | journal -J book -- llmcall 2>err | answers; grep -c try\ . err; tail -n 1 err; asked" <<!
["hello"]
["groq/b","openai/a"]
4
llmcall: r: openai/a: 503: busy; asking groq/b
a 5 b 1
!
check 'one entry in the book; resumed, nothing is asked or paid twice' \
    "grep -c '\"hash\"' book; echo '$request' | journal -J book -- llmcall 2>err | answers; cat err; asked" <<!
1
["hello"]
["groq/b","openai/a"]
a 5 b 1
!
check 'the order of the models, or b alone, changes nothing of that' \
    "echo '$request' | sed s,openai/a.groq/b,groq/b, | journal -J book -- llmcall 2>err | answers | head -n 1
    echo '$request' | sed s:openai/a,groq/b:groq/b,openai/a: | journal -J book -- llmcall 2>>err | answers | head -n 1; cat err; asked" <<!
["hello"]
["hello"]
a 5 b 1
!
servers '{"status":429,"headers":{"retry-after":"3600"},"body":{"error":{"message":"slow down"}},"repeat":999}' '{"text":"x","repeat":99}'
awk 'BEGIN { for (i = 1; i <= 40; i++) printf "{\"type\":\"request\",\"id\":\"%d\",\"messages\":[{\"role\":\"user\",\"content\":\"%d\"}]}\n", i, i }' >many
check 'a batch goes on with the other one: each answered once' \
    "journal -J book4 -- llmcall -j 8 -m $two <many 2>err | grep -c '\"content\":\"x\"'; grep -c . \"\$B\"
    journal -J book4 -- llmcall -j 8 -m $two <many 2>err | grep -c '\"content\":\"x\"'; grep -c . \"\$B\"" <<!
40
40
40
40
!

# Where models are named.
mkdir -p .git "$XDG_CONFIG_HOME/turnpipe/agents"
unset TURNPIPE_PATH
C=$XDG_CONFIG_HOME/turnpipe
servers "$busy" '{"text":"from b","repeat":9}'
printf -- '---\nmodel: [openai/a, groq/b]\n---\nBe brief.\n' >"$C/agents/pair.md"
printf -- '---\nmodel: [openai/a, groq/b]\n---\nSay hi.\n' >task.md
check 'settings, -m, an agent and a task' \
    'echo "model: [openai/a, groq/b]" >"$C/settings.yaml"
    turnpipe -Fq -s 1.jsonl hi 2>/dev/null
    rm "$C/settings.yaml"
    turnpipe -Fq -m openai/a,groq/b -s 2.jsonl hi 2>/dev/null
    turnpipe -Fq -a pair -s 3.jsonl hi 2>/dev/null
    turnpipe -T task.md 2>/dev/null
    command jq -r "select(.type==\"usage\")|.model" ?.jsonl' <<!
from b
from b
from b
from b
groq/b
groq/b
groq/b
!
# Names of the user's own.
echo 'model_aliases: [fast=groq/b, big=openai/a]' >"$C/settings.yaml"
check 'a model by its alias, of -m and of a request' \
    'for m in fast big; do
	echo "{\"type\":\"request\",\"model\":\"$m\",\"messages\":[]}" >one
	llmcall -n <one | tail -n 1 | jq -r .model; done; llmcall -n -m " fast" <one | tail -n 1 | jq -r .model' <<!
b
a
b
!
rm "$C/settings.yaml"
