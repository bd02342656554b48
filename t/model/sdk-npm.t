#!/bin/sh
# 500 random answers of four protocols, as the providers' own libraries read
# them: make deps-extra check-extra.
. "${0%/*}/../lib.sh"

modules=$TOP/build/npm/node_modules
[ -n "${EXTRA-}" ] || skip "the providers' libraries are of make check-extra"
[ -d "$modules/openai" ] || skip 'no libraries of providers: make deps-extra installs them'
export OPENAI_API_KEY=sk-test ANTHROPIC_API_KEY=sk-ant-test GEMINI_API_KEY=test
export TURNPIPE_PATH="$TOP/share"
check 'text, reasoning, calls, usage and end are the same' '
    node "$TOP/t/model/sdkstreams.mjs" "$modules" 125 1' <<!
chat: 125 of 125
responses: 125 of 125
messages: 125 of 125
gemini: 125 of 125
!
