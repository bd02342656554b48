#!/bin/sh
# turnpipe acp under the protocol's own library and schema: make deps-extra
# check-extra.
. "${0%/*}/../lib.sh"

modules=$TOP/build/npm/node_modules
[ -n "${EXTRA-}" ] || skip 'the library of ACP is of make check-extra'
[ -d "$modules/@agentclientprotocol/sdk" ] || skip 'no SDK of ACP: make deps-extra installs it'
export TURNPIPE_MODEL=openai/test OPENAI_API_KEY=sk-test
mkdir .git
echo one >notes
serve '{"calls":[{"id":"c1","name":"edit_file","arguments":{"path":"notes","old":"one","new":"1"}},{"id":"c2","name":"todo_add","arguments":{"text":"look"}}]}' \
    '{"text":"Done."}' \
    '{"chunks":[{"data":"data: {\"choices\":[{\"delta\":{\"content\":\"Ha\"}}]}\n\n"},{"data":"data: {}\n\n","delay_ms":600000}]}'
check 'a client goes through all of it; each message fits the schema' '
    node "$TOP/t/mcp/acpclient.mjs" "$modules" "$PWD"; cat notes' <<!
turnpipe
end_turn
cancelled
1
agent_message_chunk 4
plan 2
tool_call 4
tool_call_update 4
user_message_chunk 2
valid 25
1
!
