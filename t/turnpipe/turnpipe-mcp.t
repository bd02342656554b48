#!/bin/sh
. "${0%/*}/../lib.sh"

py=$PYTHON
[ -n "$py" ] || skip 'python3 is not installed'
export XDG_CONFIG_HOME="$PWD/etc" XDG_CACHE_HOME="$PWD/cache" \
    XDG_STATE_HOME="$PWD/state" TURNPIPE_SHARE="$TOP/share"
mkdir -p etc/turnpipe
cat >etc/turnpipe/mcp.json <<!
{"mcpServers":{"s":{"command":"$py","args":["$TOP/t/mcpserver.py","log=$PWD/log"],"trust":true}}}
!

check 'list: a line per tool' 'turnpipe mcp list' <<!
s echo	Does echo.
s add	Does add.
s fail	Does fail.
!
cat >esc.json <<!
{"mcpServers":{"s":{"command":"$py","args":["$TOP/t/mcpserver.py","names=a\\u001b[2J"]}}}
!
needs pty check "what a terminal could obey in a server's text reached it" '
    esc=$(printf "a\\033[2J")
    on() { python3 "$TOP/t/onpty.py" -- turnpipe mcp "$@" | tr -d "\\r" | head -n 1; }
    on -M esc.json list; on -M esc.json help s "$esc"; on call s echo text="$esc"
    turnpipe mcp -M esc.json list | grep -c "$(printf "\\033")"' <<!
s a\\u{1b}[2J	Does a\\u{1b}[2J.
Does a\\u{1b}[2J.
a\\u{1b}[2J
1
!
check 'list -j: the records' 'turnpipe mcp -j list s | jq -r .name | head -n 1' <<!
s_echo
!
check 'help: the arguments from the schema' 'turnpipe mcp help s add' <<!
Does add.
Second line.

  text=STRING
  a=INTEGER
  b=NUMBER|NULL
  l=ARRAY
      {"type":"string"}
!
fails 66 'help of a tool that is not there' 'turnpipe mcp help s nope' <<!
turnpipe: server s: no tool nope
!
check 'call: the text' 'turnpipe mcp call s add a=1 b=2' <<!
3
!
check 'call: status 1 where the tool failed; -j' \
    'turnpipe mcp call s fail || echo $?; turnpipe mcp -j call s fail || echo $?' <<!
error: no luck
1
{"content":[{"type":"text","text":"no luck"}],"isError":true}
1
!
check 'call: arguments on standard input' \
    'echo "{\"text\":\"a = b\"}" | turnpipe mcp call s echo -' <<!
a = b
!
check 'prompts and resources' 'turnpipe mcp prompts s; turnpipe mcp resources s x:1' <<!
greet	Greets.
{"type":"section","id":"s","source":"x:1","content":"the text"}
!
cp etc/turnpipe/mcp.json kept
check 'add: a command or a URL; the entry works, the file is the user'"'"'s alone' '
    rm etc/turnpipe/mcp.json; turnpipe mcp add far https://x.example/mcp
    turnpipe mcp add s -- "$PYTHON" "$TOP/t/mcpserver.py" names=-x
    jq -c ".mcpServers.far" etc/turnpipe/mcp.json; stat -c %a etc/turnpipe/mcp.json
    turnpipe mcp remove far; turnpipe mcp list; jq -c "keys, (.mcpServers | keys)" etc/turnpipe/mcp.json' <<!
{"url":"https://x.example/mcp"}
600
s -x	Does -x.
["mcpServers"]
["s"]
!
fails 73 'add: a name that is there' 'turnpipe mcp add s -- x' <<!
turnpipe: $PWD/etc/turnpipe/mcp.json: server s: there is one already
!
fails 66 'remove: a name that is not there' 'turnpipe mcp remove t' <<!
turnpipe: $PWD/etc/turnpipe/mcp.json: server t: no such server is configured
!
check 'add: a key of the file that is not known stays' '
    printf "{\"inputs\":[1],\"servers\":{}}" >vs.json; turnpipe mcp -M vs.json add a -- b c
    turnpipe mcp -M vs.json add d -- e; turnpipe mcp -M vs.json remove d; jq -c . vs.json' <<!
{"inputs":[1],"servers":{"a":{"command":"b","args":["c"]}}}
!
check 'with both keys in the file, what is added is what is read; a short name that is taken is named so' '
    printf "{\"servers\":{\"o\":{\"command\":\"x\"}},\"mcpServers\":{\"io.a/x\":{\"command\":\"true\"},\"io.b/x\":{\"command\":\"true\"}}}" >both.json
    turnpipe mcp -M both.json add a -- b; turnpipe mcp -M both.json remove io.a/x; jq -c "[.[] | keys]" both.json
    turnpipe mcp -M both.json add io.a/x -- b; toolhold -l -M both.json x 2>&1 | grep "short one"' <<!
[["o"],["a","io.b/x"]]
toolhold: both.json:14:5: expected another name: its short one, in which the tools are called, one before has: the server x is left out
!
mv kept etc/turnpipe/mcp.json
fails 64 'no such command' 'turnpipe mcp nope 2>err; st=$?; head -n 1 err >&2; exit $st' <<!
turnpipe: no command 'nope'
!

# The driver.
rm log
serve '{"calls":[{"id":"c1","name":"s_echo","arguments":{"text":"hello"}}]}' \
    '{"text":"It said hello."}' '{"text":"Hi."}'
export TURNPIPE_MODEL=openai/m
check 'a turn calls a tool of a server, which ends with it' \
    'turnpipe -F -s "$PWD/a.jsonl" "Say hello"; jq -r "select(.role == \"tool\").content" a.jsonl
    until_ "! kill -0 $(sed -n "s/^pid //p" log) 2>/dev/null"; grep -c pid log' <<!
It said hello.
hello

1
!
check 'a dry run has the tools, and starts no server where their list is kept' \
    'turnpipe -n -s "$PWD/b.jsonl" hello | jq -c "[.tools[].function.name | select(startswith(\"s_\"))]"; grep -c pid log' <<!
["s_add","s_echo","s_fail"]
1
!

# What an agent may have of the servers.
server() { printf '"%s":{"command":"%s","args":["%s/t/mcpserver.py"%s]}' "$1" "$py" "$TOP" "${2:+,\"$2\"}"; }
printf '{"mcpServers":{%s,%s,%s}}\n' "$(server s)" "$(server b names=x,y)" "$(server c names=z)" >etc/turnpipe/mcp.json
mkdir etc/turnpipe/agents
offered() { jq -c '[.tools[].function.name | select(test("^[sbc]_"))]'; }
agents() {
	for l; do
		printf -- '---\nname: t\ndescription: d\n%s\n---\nYou are t.\n' "$l" >etc/turnpipe/agents/t.md
		turnpipe -n -a t hello | offered
	done
}
check 'an agent has the servers that it names, all or none' \
    'agents "mcp: [b]" "mcp: c" "mcp: []" "tools: [\"b_y\", \"c_*\"]" "mcp: [b, c]"' <<!
["b_x","b_y"]
["c_z"]
[]
["b_y","c_z"]
["b_x","b_y","c_z"]
!
check 'a server that it names and that is not configured is reported' \
    'agents "mcp: [b, nope]" 2>&1' <<!
toolhold: server nope: no such server is configured
["b_x","b_y"]
!

# One that is slow; the others are there when the turn has waited.
printf '{"mcpServers":{%s,%s,%s}}\n' "$(server s)" "$(server b "until=$PWD/up")" "$(server c names=z)" >etc/turnpipe/mcp.json
printf 'toollist:\n  mcp_wait: 1\n' >etc/turnpipe/settings.yaml
check 'the prompt has the tools of the servers that are up' \
    'rm -rf cache; turnpipe -n hello 2>err | offered; cat err' <<!
["c_z","s_add","s_echo","s_fail"]
toolhold: server b: is still starting: its tools come with a later step
!
check 'the tools of a slow server come with a later step, and it is waited for once' '
    toolhold -- sh -c "for i in 1 2 3; do
	printf \"{\\\"type\\\":\\\"config\\\",\\\"mcp\\\":[\\\"b\\\"]}\n\" | toollist | jq -r \"select(.run.mcp).name\"
	[ \$i = 1 ] || : >up; [ \$i != 2 ] || toolhold -l b >/dev/null; done" 2>&1' <<!
toolhold: server b: is still starting: its tools come with a later step
b_echo
b_add
b_fail
!

# The driver ends in a call; so do its servers.
printf '{"mcpServers":{"s":{"command":"%s","args":["%s/t/mcpserver.py","log=%s/log","stubborn"],"trust":true}}}\n' \
    "$py" "$TOP" "$PWD" >etc/turnpipe/mcp.json
alive() { for p in $(sed -n 's/^pid //p' log); do ! kill -0 "$p" 2>/dev/null || echo "$p"; done; }
printf 'toolrun:\n  allow: ["s_*"]\n' >etc/turnpipe/settings.yaml
for sig in TERM INT KILL; do
	rm -rf log cache
	serve '{"calls":[{"id":"c1","name":"s_echo","arguments":{"hang":true}}]}' '{"text":"Hi."}' >/dev/null
	check "no server is left when the driver ends by $sig in a call" '
	    perl -e "\$SIG{INT} = q(DEFAULT); exec @ARGV" \
		turnpipe -F -s "$PWD/'$sig'.jsonl" Call >/dev/null 2>&1 &
	    p=$!; until_ "grep -q tools/call log 2>/dev/null"; [ -n "$(alive)" ] && echo up
	    kill -s '$sig' $p; wait $p 2>/dev/null || :; until_ "[ -z \"\$(alive)\" ]"' 2>/dev/null <<!
up
!
done
check 'a turn without a configuration starts no toolhold' \
    'rm -r etc; mkdir stub; printf "#!/bin/sh\necho toolhold\n" >stub/toolhold; chmod +x stub/toolhold
    ln -s "$BIN"/* stub/ 2>/dev/null || :
    "$PWD/stub/turnpipe" -F -s "$PWD/c.jsonl" hello' <<!
Hi.
!
