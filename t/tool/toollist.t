#!/bin/sh
. "${0%/*}/../lib.sh"

# Only the tools that are made here.
export TURNPIPE_SHARE="$PWD/share"
mkdir -p share/tools "$XDG_CONFIG_HOME/turnpipe/tools" extra

# tool DIR NAME JSON
tool()
{
	printf '#!/bin/sh\n' >"$1/$2"
	chmod +x "$1/$2"
	printf '%s\n' "$3" >"$1/$2.json"
}
s=share/tools
u=$XDG_CONFIG_HOME/turnpipe/tools

check 'no tools' 'toollist' </dev/null
tool $s b '{"description":"B."}'
tool $s a '{
	"description": "A \"b\" \\ c.\n",
	"parameters": {"type": "object", "properties": {"x y": {"type": "string"}}},
	"guidance": "`a`: use it.", "readonly": true, "timeout": 5, "max": 100
}'
cat >both <<!
{"type":"tool","name":"a","description":"A \"b\" \\\\ c.\n","parameters":{"type":"object","properties":{"x y":{"type":"string"}}},"guidance":"\`a\`: use it.","readonly":true,"run":{"exec":"$PWD/share/tools/a","timeout":5,"max":100}}
{"type":"tool","name":"b","description":"B.","parameters":{"type":"object","properties":{}},"run":{"exec":"$PWD/share/tools/b"}}
!
check 'sorted by name, one line each' toollist <both
check 'the stream first, byte for byte, then the tools, then the end' \
    "printf '{ \"role\":\"user\" }\r\n{\"type\":\"end\",\"id\":7}' | toollist >out
    { printf '{ \"role\":\"user\" }\r\n'; cat both; printf '{\"type\":\"end\",\"id\":7}\n'; } | cmp - out" </dev/null
check 'each conversation has them' \
    'printf "{\"type\":\"end\"}\n{\"type\":\"end\"}\n" | toollist | jq -r "[.type,.name]|join(\" \")"' <<!
tool a
tool b
end 
tool a
tool b
end 
!
check 'a name that the input has is not offered twice' \
    'printf "%s\n" "{\"type\":\"function\",\"function\":{\"name\":\"a\"}}" "{\"type\":\"end\"}" "{\"type\":\"end\"}" |
    toollist | jq -r "[.type,.name]|join(\" \")"' <<!
function 
tool b
end 
tool a
tool b
end 
!

# The search path, directories, the order among them.
names='jq -r "[.name,.description,(.run.exec|split(\"/\")[-2:-1][0])]|join(\" \")"'
tool "$u" c '{"description":"C."}'
printf '{"description":"Mine."}\n' >"$u/b.json"
check 'the user adds one, and describes another anew' "toollist | $names | sed 's/\"//g'" <<!
a A b \\ c.
 tools
b Mine. tools
c C. tools
!
: >"$u/b.json"
: >"$u/a"
check 'an empty schema or program switches off' "toollist -v 2>err | $names; cat err" <<!
c C. tools
toollist: a left out: switched off
toollist: b left out: switched off
!
rm "$u"/*
mkdir "$u/a.json" "$u/b"
ln -s nowhere "$u/b.json"
ln -s "$PWD/$s/b" "$u/a"
tool "$u" c '{"description":"C."}'
mkdir "$u/c.sh" "$u/d"
check 'no directory and no link to nothing hides a file; a link to one counts' \
    "toollist -v 2>err | $names | tr -d '\"'; cat err" <<!
a A b \\ c.
 tools
b B. tools
c C. tools
!
rm -r "$u"/*
tool extra b '{"description":"Extra."}'
check 'a directory goes first' "toollist -d extra | jq -r .run.exec" <<!
$PWD/share/tools/a
$PWD/extra/b
!
printf 'toollist: {dirs: ["~/more"]}\n' >share/settings.yaml
mkdir "$HOME/more"
tool "$HOME/more" d '{"description":"D."}'
tool "$HOME/more" b '{"description":"D."}'
check 'and those of the settings after it' "toollist -d extra | jq -r .run.exec" <<!
$PWD/share/tools/a
$PWD/extra/b
$HOME/more/d
!
: >extra/b.json
check 'an empty one switches off there too' "toollist -d extra | jq -r .run.exec" <<!
$PWD/share/tools/a
$HOME/more/d
!
printf 'toollist: {dirs: [more]}\n' >share/settings.yaml
fails 78 'settings name no directory of the work tree' toollist <<!
toollist: settings: toollist.dirs: expected '~/' or '/' in front of 'more'
!
printf 'toollist: {enabled: false}\n' >share/settings.yaml
check 'switched off' 'printf "{\"type\":\"end\"}\n" | toollist' <<!
{"type":"end"}
!
rm share/settings.yaml

# One that is amiss costs only itself.
check 'of use only with certain records' \
    'rm share/tools/*; printf "#!/bin/sh\n" >share/tools/u; chmod +x share/tools/u
    printf "{\"description\":\"U\",\"with\":\"skill\"}" >share/tools/u.json
    toollist; echo no
    printf "{\"type\":\"skill\",\"name\":\"p\",\"matched\":true}\n{\"type\":\"end\"}\n{\"type\":\"skill\",\"name\":\"s\"}\n{\"type\":\"end\"}\n{\"type\":\"end\"}\n" |
    toollist | jq -r .type' <<!
no
skill
end
skill
tool
end
end
!
rm share/tools/*
tool $s ok '{"description":"D."}'
# amiss NAME JSON MESSAGE
amiss()
{
	tool $s bad "$2"
	toollist </dev/null >out 2>err || echo "status $?" >>err
	check "$1" 'jq -r .name out; cat err' <<!
ok
toollist: $PWD/share/tools/bad.json$3
!
}
amiss 'no JSON' '{"description":}' ':1:16: expected a value'
amiss 'lines are counted' '{
  "description": "x",
  "timeout": "5"
}' ':3:14: expected an integer, found string'
amiss 'no object' '[]' ':1:1: expected an object, found array'
amiss 'no description' '{}' ':1:1: expected a member "description"'
amiss 'an empty description' '{"description":""}' ':1:16: expected at least 1 character, found 0'
amiss 'an unknown key' '{"description":"x","readOnly":true}' ':1:20: expected a key of turnpipe-tools(5), found "readOnly"'
amiss 'a key twice' '{"description":"x","description":"y"}' ':1:20: expected a key that is not there yet'
amiss 'no schema of an object' '{"description":"x","parameters":{"type":"string"}}' ':1:41: expected "object", found "string"'
amiss 'readonly that is neither' '{"description":"x","readonly":1}' ':1:31: expected true or false, found number'
amiss 'no time at all' '{"description":"x","timeout":0}' ':1:30: expected at least 1, found 0'
amiss 'another name' '{"name":"x","description":"x"}' ':1:9: expected the name that the file has'
amiss 'no record type' '{"description":"x","with":"skil"}' ':1:27: expected a record type'
amiss 'no commands' '{"description":"x","needs":"jq"}' ':1:28: expected an array, found string'
rm share/tools/bad
amiss2()
{
	toollist </dev/null >out 2>err || echo "status $?" >>err
	check "$1" 'jq -r .name out; cat err' <<!
ok
toollist: $2
!
}
printf '{"description":"x"}' >share/tools/bad.json
amiss2 'no program' "$PWD/share/tools/bad.json: expected the program bad beside it"
printf 'x' >share/tools/bad
amiss2 'a program that cannot be run' "$PWD/share/tools/bad: expected a program; chmod +x makes a script one"
rm share/tools/bad
mkdir share/tools/bad
amiss2 'a directory of its name' "$PWD/share/tools/bad.json: expected the program bad beside it"
rm -r share/tools/bad share/tools/bad.json
tool $s 'a b' '{"description":"x"}'
amiss2 'a name that no provider takes' \
    "$PWD/share/tools/a b.json: expected a name of letters, digits, '_' and '-'"
rm share/tools/a*
tool $s bad '{"description":"x","needs":["sh","no-such-command"]}'
check 'a command that is not there: nothing to say' 'toollist | jq -r .name' <<!
ok
!
toollist -v </dev/null >out 2>err
check 'but with -v' 'cat err' <<!
toollist: bad left out: no command no-such-command
!
rm share/tools/bad*
toollist -d nix </dev/null >out 2>err
check 'a directory that is not there' 'jq -r .name out; cat err' <<!
ok
toollist: nix: No such file or directory
!

# Programs without a description beside them.
rm -rf share/tools/* extra
mkdir extra
mine() { cat >"$1"; chmod +x "$1"; }
mine extra/knows <<'!'
#!/bin/sh
echo ran >>"$0.ran"
[ -z "${A_TOKEN-}" ] || echo leaked >>"$0.ran"
[ "$1" = --schema ] && echo '{"type":"function","function":{"name":"knows",
  "description":"Knows itself.","parameters":{"type":"object","properties":{}}}}'
!
check 'one that knows --schema is asked once, without our secrets' \
    'A_TOKEN=x toollist -d extra; toollist -d extra | jq -r .name; cat extra/knows.ran' <<!
{"type":"tool","name":"knows","description":"Knows itself.","parameters":{"type":"object","properties":{}},"run":{"exec":"$PWD/extra/knows"}}
knows
ran
!
check 'and again when it is another file' \
    'echo "# changed" >>extra/knows; toollist -d extra | jq -r .name; cat extra/knows.ran' <<!
knows
ran
ran
!
rm -r extra/knows*
mine extra/other <<'!'
#!/bin/sh

# Deletes everything.
# Or so.
echo ran >>"$0.ran"
!
toollist -d extra >out 2>err
check 'what does not speak of a schema is not run to ask for it' \
    'cat out err; ls extra' <<!
{"type":"tool","name":"other","description":"Deletes everything.","parameters":{"type":"object","properties":{"input":{"type":"string"}}},"run":{"exec":"$PWD/extra/other"}}
toollist: extra/other: no description beside it: offered with one string, input
other
!
mine extra/other <<'!'
#!/bin/sh
# --schema: not for us
sleep 9
!
slowly 'who does not answer in two seconds is offered by its comment' \
    'toollist -d extra 2>&1 | jq -Rr "fromjson? | .description"' <<!
--schema: not for us
!
mine extra/other <<'!'
#!/bin/sh
# --schema
sleep 5000 &
echo $! >pid
wait
!
check 'a program that did not answer left what it had started' \
    'toollist -d extra >/dev/null 2>&1; until_ "! kill -0 $(cat pid) 2>/dev/null"' <<!
!
printf '#!/bin/sh\necho x\n' >extra/_part; cp extra/_part extra/health; chmod +x extra/_part extra/health
check 'toollist offered, and warned of, what is never offered' \
    'toollist --set "toolpick.hidden=[_*, health]" -v -d extra 2>err | jq -r .name | grep -e "^_" -e health; grep -e _part -e health err' <<!
toollist: _part left out: toolpick.hidden
toollist: health left out: toolpick.hidden
!
rm -f extra/_part extra/health pid
printf '#!/bin/sh\n: --schema\necho "{\\"description\\":\\"x\\",\\"params\\":{}}"\n' >extra/other
toollist -d extra >out 2>err
check 'a malformed schema is reported' 'cat out err' <<!
toollist: extra/other --schema:1:20: expected a key of turnpipe-tools(5), found "params"
!
rm extra/other
mine extra/get_weather.sh <<'!'
#!/usr/bin/env bash
set -e
# @describe Get the weather of a city.
# @option --city! The name of the city
# @option -u --unit[=metric|imperial] Units
# @option --days <INT> How many days
# @option --with-tag* <TAG> Tags
# @flag --short  One line
main() { :; }
!
check 'comments as llm-functions has them' \
    'toollist -d extra | jq -c ".description, .parameters, .run.args"' <<!
"Get the weather of a city."
{"type":"object","properties":{"city":{"type":"string","description":"The name of the city"},"unit":{"type":"string","enum":["metric","imperial"],"description":"Units"},"days":{"type":"integer","description":"How many days"},"with_tag":{"type":"array","items":{"type":"string"},"description":"Tags"},"short":{"type":"boolean","description":"One line"}},"required":["city"]}
"flags"
!
mine extra/get_weather.sh <<'!'
#!/bin/sh
# @describe Show arguments.
# @option --city! City
for i; do printf '<%s>' "$i"; done >>"$LLM_OUTPUT"
!
check 'and gets its arguments as such a script does' \
    '{ toollist -d extra; cat <<-E
	{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"get_weather","arguments":{"city":"New York","with_tag":["a","b c"],"short":true,"long":false,"n":5,"nix":null}}}]}
	E
    } | toolrun -ry | jq -r .content' <<!
<--city><New York><--with-tag><a><--with-tag><b c><--short><--n><5>
!
printf '{"description":"Own."}' >extra/get_weather.json
mv extra/get_weather.sh extra/get_weather
check 'NAME.json goes before all that' 'toollist -d extra | jq -c "[.description, .run.args]"' <<!
["Own.",null]
!
printf '{"type":"function","function":{"name":"get_weather","description":"Theirs.","parameters":{"type":"object"}}}' \
    >extra/get_weather.json
check "NAME.json in OpenAI's shape" 'toollist -d extra | jq -c "[.name, .description]"' <<!
["get_weather","Theirs."]
!
echo text >extra/README.md
echo text >extra/notes
toollist -vd extra >out 2>err
check '-v: what else is in the directory' 'jq -r .name out; sort err' <<!
get_weather
toollist: extra/README.md: expected a name of letters, digits, '_' and '-'
toollist: extra/notes left out: not a program
!
rm extra/notes extra/README.md
check 'a tool of a directory goes before one of that name that a server has' \
    'printf "%s\n" "{\"type\":\"tool\",\"name\":\"get_weather\",\"run\":{\"mcp\":\"s\"}}" "{\"type\":\"tool\",\"name\":\"b\",\"run\":{\"mcp\":\"s\"}}" |
    toollist -d extra | jq -c "[.name, .run.mcp]"' <<!
["b","s"]
["get_weather",null]
!
rm -r extra

fails 64 'an operand' 'toollist x' <<!
toollist: expected no operand, got 'x'
usage: toollist [-bv] [-d dir] ...
!
fails 65 'a tool without a name' 'printf "{\"type\":\"tool\"}\n" | toollist' <<!
toollist: <stdin>:1:1: expected a tool with a name
!
fails 65 'a broken line' 'printf "{}\n" | toollist' <<!
toollist: <stdin>:1:1: expected a type or a role
!
tool $s ok '{"description":"D."}'
fails 74 'a full disk is not success' 'toollist >/dev/full' <<!
toollist: write <stdout>: No space left on device
!

# MCP servers; what they are is toolhold's to test.
py=$PYTHON
[ -n "$py" ] || skip 'python3 is not installed'
export XDG_CACHE_HOME="$PWD/cache" XDG_CONFIG_HOME="$PWD/etc"
rm -rf tools
mkdir -p etc/turnpipe
cat >etc/turnpipe/mcp.json <<!
{"mcpServers":{"a":{"command":"$py","args":["$TOP/t/mcpserver.py"]},
"b":{"command":"$py","args":["$TOP/t/mcpserver.py","names=x,y"]},
"c":{"command":"$py","args":["$TOP/t/mcpserver.py","silent"],"timeout":1}}}
!
mcp() { jq -r '"\(.name) \(.run.mcp)"' | grep -v null; }
check 'three servers of which one never answers: the others are there' \
    'toolhold -- toollist </dev/null 2>err | mcp; cat err' <<!
a_echo a
a_add a
a_fail a
b_x b
b_y b
toolhold: server c: its tools are left out: did not answer within 1 s; its last words: chatter
!
check 'the agent names its servers; an empty list names no server' '
    for l in "[\"b\"]" "[]"; do
	printf "{\"type\":\"config\",\"mcp\":%s}\n" "$l" |
	toolhold -- toollist | mcp || echo none
    done' <<!
b_x b
b_y b
none
!
check 'without toolhold no tools of servers; with it they are there' \
    'toollist </dev/null | mcp || echo none
    sed -i "s/\"c\":/\"x\":{\"command\":\"x\",\"disabled\":true},\"c\":/;s/\"silent\"/\"names=z\"/" etc/turnpipe/mcp.json
    toolhold -- toollist </dev/null | mcp | tail -n 1' <<!
none
c_z c
!
check 'the input'"'"'s tool goes before one of a server, with a warning' \
    'echo "{\"type\":\"tool\",\"name\":\"b_x\",\"run\":{\"mcp\":\"q\"}}" |
    toolhold -- toollist 2>&1 | grep b_x | cut -c 1-70' <<!
{"type":"tool","name":"b_x","run":{"mcp":"q"}}
toollist: b_x of an MCP server left out: another tool has its name
!
check 'a tool that is several calls in one has no program, and is asked for' \
    'rm -f $s/*; echo "{\"description\":\"B.\",\"run\":\"batch\"}" >$s/many.json; toollist -v 2>&1; toollist -b; : >$s/many; toollist -bv 2>&1' <<!
toollist: many left out: no -b
{"type":"tool","name":"many","description":"B.","parameters":{"type":"object","properties":{}},"run":{"as":"batch"}}
toollist: many left out: switched off
!
