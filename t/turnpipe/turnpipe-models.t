#!/bin/sh
# turnpipe-models: what is known of models, and the table of others read.
. "${0%/*}/../lib.sh"

C=$XDG_CONFIG_HOME/turnpipe
fails 64 'two operands' 'turnpipe-models a b 2>&1 >/dev/null | head -n 1 >&2; exit 64' <<!
turnpipe: unexpected operand 'b'
!
fails 66 'a provider that there is not' 'turnpipe models nosuch' <<!
turnpipe: provider 'nosuch': not known; 'turnpipe models' lists them
!
check 'each provider has a row, and a known model its window and prices' \
    'turnpipe models >all; tail -n +2 all | cut -d / -f 1 | sort -u | wc -l; ls "$TOP/share/providers" | wc -l
    turnpipe models --json openai | command jq -c "select(.model==\"gpt-5-mini*\")|[.context_window,.max_output,.input,.output]"' <<!
$(ls "$TOP/share/providers" | wc -l)
$(ls "$TOP/share/providers" | wc -l)
[400000,128000,0.25,2]
!
for bad in '' '[]' '{}' '{"openai":{"models":[]}}' '{"openai":'; do
	printf %s "$bad" >bad
	fails 65 "not the table: $bad" 'turnpipe models -u <bad' <<!
turnpipe: <stdin>: expected the table of models.dev: {"PROVIDER": {"models": {...}}}
!
done
cat >api.json <<'!'
{"openai":{"models":{"gpt-9":{"cost":{"input":3,"output":9,"cache_read":0.3},"limit":{"context":500000,"output":64000}},
"gpt-5-mini":{"cost":{"input":7,"output":8}},"odd[1]*":{"cost":{"input":1,"output":1},"limit":{"context":1,"output":1}},
"free":{"limit":{"context":1000,"output":10}},"minus":{"cost":{"input":-1,"output":"x"},"limit":{"context":-5}}}},
"google":{"models":{"gemini-9":{"cost":{"input":1,"output":2,"cache_write":-5,"context_over_200k":{"input":2,"output":3}},"limit":{"context":900,"output":9}}}},
"unheard-of":{"models":{"x":{}}}}
!
check 'the table becomes files of the user'\''s' \
    'turnpipe models -u <api.json 2>&1 | sed "s,$C/,,;s/[0-9][0-9]* models$/N models/"; sed -n 2,4p "$C/prices/openai.yaml"; grep gemini-9 "$C/prices/gemini.yaml"; sed -n 2,4p "$C/models.yaml"; grep -c "openai/gpt-9" "$C/models.yaml"' <<!
turnpipe: models.yaml: N models
turnpipe: prices/gemini.yaml: N models
turnpipe: prices/openai-responses.yaml: N models
turnpipe: prices/openai.yaml: N models
# Written by turnpipe models -u
prices:
  - {match: "gpt-9", input: 3, cached: 0.3, output: 9}
  - {match: "gemini-9", up_to: 200000, input: 1, output: 2}
  - {match: "gemini-9", input: 2, output: 3}
# Written by turnpipe models -u
models:
  - {match: "gemini/gemini-9", context_window: 900, max_output: 9}
1
!
check 'a new model is known, an old price is replaced, what was known stays' \
    'turnpipe models --json openai | command jq -c "select(.model==\"gpt-9\" or .model==\"gpt-5-mini\" or .model==\"gpt-4o\")|[.model,.context_window,.input]"; grep -c -e odd -e minus "$C"/models.yaml "$C"/prices/openai.yaml | cut -d : -f 2' <<!
["gpt-4o",128000,2.5]
["gpt-5-mini",400000,7]
["gpt-9",500000,3]
0
0
!
serve '{"text":"x","usage":{"prompt_tokens":1000000,"completion_tokens":0}}'
check 'llmcall counts by it' \
    'echo "{\"type\":\"request\",\"model\":\"openai/gpt-9\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}" | OPENAI_API_KEY=k llmcall | grep -o "\"cost\":[0-9.]*"' <<!
"cost":3
!
fails 74 'a full disk' 'turnpipe models >/dev/full 2>err' </dev/null
check 'again: the same files' 'cp -R "$C" before; turnpipe models -u <api.json 2>/dev/null; diff -r before "$C"' </dev/null
echo 'prices: []' >"$C/prices/openai.yaml"
fails 73 'a file that was written by hand stays, and so do all others' \
    'cp -R "$C" hand; turnpipe models -u <api.json || { s=$?; diff -r hand "$C"; exit $s; }' <<!
turnpipe: $C/prices/openai.yaml: written by hand; -f replaces it
!
check '-f replaces it' 'turnpipe models -uf <api.json 2>/dev/null || turnpipe models -u -f <api.json 2>/dev/null; grep -c gpt-9 "$C/prices/openai.yaml"' <<!
1
!
