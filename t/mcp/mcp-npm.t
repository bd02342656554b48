#!/bin/sh
# Servers that others use, and the inspector: make deps-extra check-extra.
. "${0%/*}/../lib.sh"

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
    'turnpipe mcp list 2>err | cut -d " " -f 1 | uniq; cat err' <<!
everything
filesystem
memory
toolhold: server everything: tool simulate-research-query: left out: it runs as a task only
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
check 'a long operation' \
    'toolhold -c everything trigger-long-running-operation duration=1 steps=2 2>&1 | grep -c "^Long"' <<!
1
!
check 'prompts and resources' \
    'turnpipe mcp prompts everything simple-prompt | jq -r .role; turnpipe mcp resources everything | grep -c demo: | sed "s/[1-9][0-9]*/some/"' <<!
user
some
!

# A turn: turn QUESTION ANSWER...: the model's answers; what the tools gave.
turn()
{
	question=$1
	shift
	serve "$@" >/dev/null
	rm -f s.jsonl
	TURNPIPE_MODEL=openai/m turnpipe -F -s "$PWD/s.jsonl" "$question"
	jq -r 'select(.role == "tool").content' s.jsonl | cut -c 1-160
}
read_of() { printf '{"id":"%s","name":"filesystem_read_text_file","arguments":{"path":"%s"}}' "$1" "$2"; }
# The server behind a script, which is WRAPPER with the server as its $@.
wrapped()
{
	printf '#!/bin/sh\necho $$ >"%s/pid"\n%s\n' "$PWD" "$1" >wrapper
	chmod +x wrapper
	cat >etc/turnpipe/mcp.json <<!
{"mcpServers":{"filesystem":{"command":"$PWD/wrapper","args":["$bin/mcp-server-filesystem","$PWD"],"trust":true}}}
!
}
wrapped 'exec "$@"'
check 'a file task in a turn' \
    'turn "What is in a?" "{\"calls\":[$(read_of c1 a)]}" "{\"text\":\"It says hello.\"}"' <<!
It says hello.
hello

!
mkfifo fifo
check 'the server killed -9 in the call: an error, and the next call has another' '
    (exec 3>fifo; kill -9 "$(cat pid)") &
    turn "Read" "{\"calls\":[$(read_of c1 fifo)]}" "{\"calls\":[$(read_of c2 a)]}" "{\"text\":\"Read.\"}" |
	sed "s/; its last words.*//"' <<!
Read.
error: toolhold: server filesystem: in this call: ended by signal 9

hello

!
wrapped 'echo "Secure MCP server, starting"; echo "{oops"; (while kill -0 $$ && sleep 0.1; do echo noise; done) 2>/dev/null & exec "$@"'
check 'a polluted standard output' \
    'turn "Read" "{\"calls\":[$(read_of c1 a)]}" "{\"text\":\"Read.\"}" 2>err; cut -c 1-70 err' <<!
Read.
hello

toolhold: server filesystem: wrote a line that is no JSON object; such
!
wrapped '"$@" | tee traffic'
check 'answers out of order' '
    (until_ "grep -q hello traffic"; echo late >fifo) 2>/dev/null &
    turn "Read both" "{\"calls\":[$(read_of c1 fifo),$(read_of c2 a)]}" "{\"text\":\"Read.\"}"' <<!
Read.
late

hello

!
head -c 5000000 /dev/zero | tr "\0" x >large
check 'a line of 5 MB' \
    'turn "Read" "{\"calls\":[$(read_of c1 large)]}" "{\"text\":\"Read.\"}" | sed -n "2s/ in 1.*//p"; toolhold -c filesystem read_text_file path="$PWD/large" | wc -c | tr -d " "' <<!
[5000001 bytes
5000001
!
mkdir apart
echo apart >apart/b
cat >etc/turnpipe/mcp.json <<!
{"mcpServers":{"filesystem":{"command":"$bin/mcp-server-filesystem","args":["$PWD/apart"],"roots":false}}}
!
check 'roots: false: its directories are those of its arguments' '
    toolhold -- sh -c "toolhold -c filesystem read_text_file path=\"\$PWD/apart/b\"; toolhold -c filesystem read_text_file path=\"\$PWD/a\" >/dev/null || echo \$?"' <<!
apart
1
!

# Over HTTP: the official servers of 2025-11-25 and of 2026-07-28.
spawn()
{
	: >spawned
	"$@" >>spawned 2>&1 &
	tap_pids="$tap_pids $!"
}
ended() { kill "${tap_pids##* }"; tap_pids=${tap_pids% *}; wait 2>/dev/null || :; }
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
spawn env PORT="$port" "$bin/mcp-server-everything" streamableHttp
until_ 'grep -qi listening spawned'
cat >etc/turnpipe/mcp.json <<!
{"mcpServers":{"everything":{"url":"http://127.0.0.1:$port/mcp"},"stdio":{"command":"$bin/mcp-server-everything","args":["stdio"]}}}
!
check 'server-everything at a URL does what it does on standard streams' '
    toolhold -- sh -c "
    for s in everything stdio; do {
	toolhold -l \$s 2>/dev/null | jq -r .run.tool
	toolhold -c \$s echo message=hi; toolhold -c \$s get-sum a=2 b=3
	toolhold -c \$s get-sum a=2
	toolhold -cv \$s trigger-long-running-operation duration=1 steps=2
	toolhold -c \$s get-roots-list
	toolhold -c \$s get-structured-content location=Chicago
	toolhold -p \$s; toolhold -r \$s
    } >\$s 2>&1; done"; cmp everything stdio && grep -c -e "^Echo: hi$" -e "^toolhold: 2" -e "file://" stdio
    until_ "grep -q \"session termination\" spawned"; grep -c "session termination" spawned' <<!
3
1
!
ended
for legacy in serve reject; do
	: >bodies
	spawn node "$TOP/t/mcpmodern.mjs" "${bin%/.bin}" http $legacy "$PWD/bodies"
	until_ '[ -s spawned ]'
	cat >etc/turnpipe/mcp.json <<!
{"mcpServers":{"far":{"url":"http://127.0.0.1:$(cat spawned)/mcp"},
"near":{"command":"$(command -v node)","args":["$TOP/t/mcpmodern.mjs","${bin%/.bin}","stdio","$legacy"]}}}
!
	check "2026-07-28 by the official SDK, of old clients: $legacy" '
	    toolhold -- sh -c "for s in far near; do
		toolhold -l \$s | jq -r .run.tool; toolhold -c \$s echo text=hi region=\"Ä b\"
		echo \"{\\\"text\\\":\\\"x\\\",\\\"region\\\":\\\"us\\\"}\" | toolhold -c \$s echo -
		toolhold -cv \$s steps 2>&1; toolhold -c \$s nope 2>&1; done"
	    jq -r .method bodies | grep -c initialize || :' <<!
echo
steps
hi
x
toolhold: 1 
toolhold: 2 
done
toolhold: server far: tools/call: Tool nope not found
echo
steps
hi
x
toolhold: 1 
toolhold: 2 
done
toolhold: server near: tools/call: Tool nope not found
0
!
	ended
done
check 'the inspector lists and calls the tools of turnpipe mcp serve' '
    "$bin/mcp-inspector" --cli turnpipe mcp serve --method tools/list | jq -r ".tools[].name" | grep -x read_file
    "$bin/mcp-inspector" --cli turnpipe mcp serve --method tools/call --tool-name read_file --tool-arg path=a | jq -c "[.isError,(.content[0].text | contains(\"hello\"))]"' <<!
read_file
[false,true]
!
