#!/bin/sh
# Servers that others use, and the inspector: make deps-extra check-extra.
. "${0%/*}/lib.sh"

bin=$TOP/build/npm/node_modules/.bin
[ -n "${EXTRA-}" ] || skip 'server-everything, -filesystem, -memory and the inspector are of make check-extra'
for p in mcp-server-everything mcp-server-filesystem mcp-server-memory mcp-inspector; do
	[ -x "$bin/$p" ] || skip "no $p: make deps-extra installs it"
done
export XDG_CONFIG_HOME="$PWD/etc" XDG_CACHE_HOME="$PWD/cache" \
    XDG_STATE_HOME="$PWD/state" TURNPIPE_SHARE="$TOP/share"
mkdir -p etc/turnpipe run
cat >etc/turnpipe/mcp.json <<!
{"mcpServers":{
"everything":{"command":"$bin/mcp-server-everything","args":["stdio"]},
"filesystem":{"command":"$bin/mcp-server-filesystem","args":["$PWD"],"trust":true},
"memory":{"command":"$bin/mcp-server-memory","env":{"MEMORY_FILE_PATH":"$PWD/memory.jsonl"}}}}
!

check 'three servers are listed, in the order of the file' \
    'turnpipe mcp list | cut -d " " -f 1 | uniq' <<!
everything
filesystem
memory
!
check 'each is called, and kept for the run' '
    toolhold -- sh -c "
    toolhold -c filesystem write_file path=\"\$PWD/a\" content=hello >/dev/null
    toolhold -c filesystem read_text_file path=\"\$PWD/a\"
    toolhold -c everything echo message=hi
    toolhold -c everything get-sum a=2 b=3
    toolhold -c memory create_entities \"entities=[{\\\"name\\\":\\\"n\\\",\\\"entityType\\\":\\\"t\\\",\\\"observations\\\":[]}]\" | jq -c .
    TURNPIPE_RUN=\$PWD/run toolhold -c everything get-tiny-image | grep -c \"^\\[image/png\"
    toolhold -c filesystem read_text_file path=/etc/passwd >/dev/null || echo \$?"
    file=$(ls run/out/*.png); od -An -tx1 -N4 "$file" | tr -d " "' <<!
hello
Echo: hi
The sum of 2 and 3 is 5.
[{"name":"n","entityType":"t","observations":[]}]
1
1
89504e47
!
check 'progress of a long operation' \
    'toolhold -cv everything trigger-long-running-operation duration=1 steps=2 2>&1 | grep -c "toolhold: [12]"' <<!
2
!
check 'prompts and resources' \
    'turnpipe mcp prompts everything simple-prompt | jq -r .role; turnpipe mcp resources everything | grep -c demo: | sed "s/[1-9][0-9]*/some/"' <<!
user
some
!
serve '{"calls":[{"id":"c1","name":"filesystem_read_text_file","arguments":{"path":"a"}}]}' '{"text":"It says hello."}'
check 'a file task in a turn' \
    'TURNPIPE_MODEL=openai/m turnpipe -F -s "$PWD/s.jsonl" "What is in a?"; jq -r "select(.role == \"tool\").content" s.jsonl' <<!
It says hello.
hello

!
check 'the inspector lists and calls the tools of turnpipe mcp serve' '
    "$bin/mcp-inspector" --cli turnpipe mcp serve --method tools/list | jq -r ".tools[].name" | grep -x read_file
    "$bin/mcp-inspector" --cli turnpipe mcp serve --method tools/call --tool-name read_file --tool-arg path=a | jq -c "[.isError,(.content[0].text | contains(\"hello\"))]"' <<!
read_file
[false,true]
!
