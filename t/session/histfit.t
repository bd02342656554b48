#!/bin/sh
. "${0%/*}/../lib.sh"

TURNPIPE_NOW=2026-11-21T09:30:00Z
TURNPIPE_SHARE=$TOP/share
export TURNPIPE_NOW TURNPIPE_SHARE

# Messages alone, in short: role and content, calls, made up results.
short()
{
	jq -r 'select(.role)|
	    if .tool_calls then "call " + ([.tool_calls[].id]|join(","))
	    elif .role == "tool" then "result " + .tool_call_id + " " + .content
	    else .role + " " + .content end'
}

state()
{
	jq -c "select(.type==\"state\")|$1"
}

call()
{
	printf '{"role":"assistant","content":null,"tool_calls":['
	c=
	for id do
		printf '%s{"id":"%s","type":"function","function":{"name":"%s","arguments":"%s"}}' \
		    "$c" "${id%%:*}" "${name:-get}" "${args:-{\}}"
		c=,
	done
	printf ']}\n'
}
result() { printf '{"role":"tool","tool_call_id":"%s","content":"%s"}\n' "$1" "$2"; }
user() { printf '{"role":"user","content":"%s"}\n' "$1"; }
text() { printf '{"role":"assistant","content":"%s"}\n' "$1"; }
tp() { sed "s/}\$/,\"tp\":{\"$1\":true}}/"; }

check 'a session that is not there yet' 'histfit new.jsonl' <<'!'
{"type":"state","session":"new","turn":0,"messages":0,"step":0,"tools_called":[],"interrupted":false,"partial":false,"context_tokens":0,"result_tokens":0,"result_calls":0,"skills_loaded":[],"calls":[]}
{"type":"end"}
!
: >empty.jsonl
check 'an empty one' 'histfit empty.jsonl | jq -c .type' <<'!'
"state"
"end"
!
{
	user one; call c1; result c1 r1; text two
} | histadd s.jsonl
sed 1d s.jsonl >messages
check 'what is in order leaves byte for byte' \
    'histfit s.jsonl | head -n 4 | cmp - messages'
{
	sed 1d s.jsonl
	echo '{"type":"nobody knows","n":3}'
	printf '{ "role": "user", "new": [1.0, "\\u00e9"], "content": "x" }\r\n'
	printf '{"role":"assistant","content":"","reasoning_details":[{"signature":"YQ=="}],"refusal":"no"}'
} >odd.jsonl
check 'so does what is unknown in a message, and its line end' \
    'histfit odd.jsonl | sed -n 5,6p' <<!
$(sed -n '6,7p' odd.jsonl)
!
check 'other records stay behind' 'histfit odd.jsonl | grep -c nobody || :' <<!
0
!

# Repair: what is empty, broken off or can have no result.
{
	user 1; call c1 c2; user 2; result c2 r2; result c1 r1
	call c3; text '' ; user 5
	text 'so fa' | tp partial
	call c4 | tp partial
	user 6
	text 'so' | tp partial; text 'so far'
} >mess
check 'what says nothing goes, with half an answer that was given again; all else stays in its place' \
    'histfit mess | short; cp mess was; histfit mess >/dev/null; cmp mess was' <<!
user 1
call c1,c2
user 2
result c2 r2
result c1 r1
call c3
user 5
assistant so fa
user 6
assistant so far
!
check 'each call and its result are paired where the request is made' \
    'histfit mess | promptcompose | jq -c ".messages//empty|.[1:-1][]" | short' <<!
user 1
call c1,c2
result c1 r1
result c2 r2
user 2
call c3
result c3 error: there is no result of this call of get: it was interrupted, or its result was left out
user 5
assistant so fa
user 6
assistant so far
!
mkdir -p own/prompts
echo 'nothing from {{name}} {{x}}' >own/prompts/missing-result.md
check 'with a text of share, or of a directory before it' \
    'TURNPIPE_PATH=own histfit mess | TURNPIPE_PATH=own promptcompose | jq -r ".messages//empty|.[-6].content"' <<!
nothing from get {{x}}
!

# A message that the provider refused: class message.
error() { printf '{"type":"error","code":%s,"message":"no"%s}\n' "$1" "${2-}"; }
class=',"class":"message"'
gone='[The provider of the model refused what stood here, for what it says or for its size. It is left out.]'
{
	user 1; text one
	user 2; error 77
	user 3; error 65 "$class"
	user 4; error 3 "$class"; text four
	user 5; call c5; result c5 r5; error 65 "$class"
	user 6; error 65 "$class"; text 'hal' | tp partial; error 3 "$class,\"for\":\"summary\""
	user 7; error 65; error 6; error 78; text seven
	user 8; error 65 "$class,\"for\":\"summary\""
} >refused
check 'a message that was refused is left out for ever, with a line; none for a key, a model or a length' \
    'histfit refused | short' <<!
user 1
assistant one
user 2
user $gone
user $gone
assistant four
user 5
call c5
result c5 $gone
user $gone
assistant hal
user 7
assistant seven
user 8
!
check 'a summary does not have it, nor is the log touched' \
    'cp refused was; histfold -f --set histfold.keep=0 refused | jq -r "select(.type == \"request\").messages[].content" | grep -cF "$gone"; cmp was refused' <<!
4
!

# Window and shortening.
i=0
while [ $((i += 1)) -le 30 ]; do
	user "q$i"; call "i$i"; result "i$i" "r$i"; text "a$i"
done | histadd -S long.jsonl
check 'at most so many messages, from a turn on' \
    'histfit --set histfit.messages=20 long.jsonl | short | sed "1p;\$p" | uniq -d; histfit --set histfit.messages=20 long.jsonl | short | wc -l' <<!
user q26
assistant a30
20
!
check 'the cut stays for a while' '
    for n in 1 2 3; do user x | histadd -S long.jsonl; histfit --set histfit.messages=20 long.jsonl | short | head -n 1; done' <<!
user q29
user q29
user q29
!
check 'all' 'histfit --set histfit.messages=0 --set histfit.tokens=0 long.jsonl | short | wc -l' <<!
123
!
check 'tokens' 'histfit --set histfit.tokens=300 long.jsonl | short | head -n 1 | cut -c1-6
    [ "$(histfit --set histfit.tokens=300 long.jsonl | state .context_tokens)" -le 300 ]' <<!
user q
!
check "a picture's base64 is not counted as text" \
    'printf "{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,%s\"}}]}\n" "$(head -c 30000 /dev/zero | base64 -w 0)" >photo
    cat photo photo >photos; histfit --set histfit.tokens=4000 photos | jq -c "select(.type==\"state\") | .context_tokens > 3200 and .context_tokens < 3400"' <<!
true
!
big=$(printf '%02000d' 7)
{
	user 1
	for i in 1 2 3 4; do call i$i; result i$i "$big"; done
} >results
check 'old results are shortened, the last two not' '
    histfit --set histfit.results_max=3000 results | short | cut -c1-50' <<!
user 1
call i1
result i1 [get: truncated, was 2000 chars]
call i2
result i2 [get: truncated, was 2000 chars]
call i3
result i3 0000000000000000000000000000000000000000
call i4
result i4 0000000000000000000000000000000000000000
!
{
	user 1; name=web_fetch call w1; result w1 "$big"
	name=a call w2; result w2 "$big"; name=b call w3; result w3 "$big"
	text "I called web_search and web_fetch. [web_fetch: truncated, was 9 chars]"
} >three
check 'of three turns with two kept the first is, and text that names a tool is text' '
    histfit --set histfit.results_max=1 three | short | cut -c1-60 | sed -n "3p;5p;8p"
    [ "$(sed -n 8p three)" = "$(histfit --set histfit.results_max=1 three | sed -n 8p)" ] && echo same' <<!
result w1 [web_fetch: truncated, was 2000 chars]
result w2 00000000000000000000000000000000000000000000000000
assistant I called web_search and web_fetch. [web_fetch: tru
same
!
{
	user 1; name=web_fetch call w1; result w1 "$(printf %060d 7)"
	call w2; result w2 short; name=a call w3; result w3 ''; call w4; result w4 x
} >four
check 'a limit below what is small makes none small; but never longer than before' '
    histfit --set histfit.results_max=1 four | short | cut -c1-60 | grep result
    histfit --set histfit.results_max=100 four | short | cut -c1-60 | grep -c truncated || :' <<!
result w1 [web_fetch: truncated, was 60 chars]
result w2 short
result w3 
result w4 x
0
!
histadd -S numbered.jsonl <results
i=0
while [ $((i += 1)) -le 30 ]; do user "q$i"; call "i$i"; result "i$i" "$big"; done >shrunk
check 'what is shortened leaves room for what was before it' '
    histfit --set histfit.tokens=8000 --set histfit.results_max=4000 shrunk | short | head -n 1' <<!
user q1
!
check 'what is shortened keeps what else it says of itself, once' '
    histfit --set histfit.results_max=3000 numbered.jsonl | sed -n 3p | sed "s/.*\"tp\"/\"tp\"/; s/,\"time\":[^,}]*//"
    histfit --set histfit.results_max=3000 numbered.jsonl | promptcompose >/dev/null' <<!
"tp":{"n":3,"message":3,"turn":1,"shortened":2000}}
!
check 'nothing that lives in one request is taken for history' '
    { user 1; user 2 | tp volatile; text 3; } >v; histfit v | short' <<!
user 1
assistant 3
!
check 'twice is once' '
    histfit --set histfit.results_max=3000 results | jq -c "select(.role)" >once
    histfit --set histfit.results_max=3000 once | jq -c "select(.role)" | cmp - once'
{
	user 1; call c1; result c1 r1; text 2; user 3; text 4
	echo '{"type":"summary","content":"s1","through":4}'
	user 5
} >folded
check 'a summary stands for what it says' \
    'histfit folded | jq -c "[.type,.content]" | head -n 4' <<!
["summary","s1"]
[null,"3"]
[null,"4"]
[null,"5"]
!
{
	cat folded
	echo '{"type":"summary","content":"s2","through":8,"read":["a"],"modified":["b"],"skills":["k"]}'
	user 6
} >twice
check 'the last one for all before' '
    histfit twice | jq -c "[.type,.content]" | head -n 2
    histfit twice | state .skills_loaded
    histfit twice | jq -r "select(.type==\"section\").content"' <<!
["summary","s2"]
[null,"6"]
["k"]
modified: b
read: a
!

{
	cat folded
	echo '{"type":"summary","content":"s2","through":99}'
	user 6
} >beyond
check 'no summary stands for what came after it' '
    histfit beyond | jq -c "[.type,.content]" | head -n 2' <<!
["summary","s2"]
[null,"6"]
!
# A summary that nothing in the window is near to.
{
	for i in 1 2 3; do user q$i; text a$i; done
	echo '{"type":"summary","content":"far","through":4,"modified":["b"],"skills":["k"]}'
} | histadd -S far.jsonl
i=0
while [ $((i += 1)) -le 40 ]; do
	printf '{"role":"user","content":"%02000d"}\n' $i; text $i
done | histadd -S far.jsonl
user last | histadd -S far.jsonl
check 'a summary that the window has left behind still stands' '
    histfit --set histfit.messages=10 far.jsonl | sed -n 1p | jq -r .content
    histfit --set histfit.messages=10 far.jsonl | state .skills_loaded
    histfit --set histfit.messages=10 far.jsonl | jq -r "select(.type==\"section\").content"' <<!
far
["k"]
modified: b
!
check 'and is an input of the next' '
    histfold -f far.jsonl | jq -r "select(.type==\"request\").messages[0].content" | grep -A 1 "^<summary"' <<!
<summary-so-far>
far
!
check 'where bytes were moved by hand it is looked for' '
    sed s/q1/question/ far.jsonl >moved.jsonl
    histfit --set histfit.messages=10 moved.jsonl | sed -n 1p | jq -r .content' <<!
far
!
check 'of several the last' '
    { echo "{\"type\":\"summary\",\"content\":\"near\",\"through\":20}"; user y; } | histadd -S far.jsonl
    for i in 1 2 3 4 5 6; do user x$i; text z$i; done | histadd -S far.jsonl
    histfit --set histfit.messages=4 far.jsonl | sed -n 1p | jq -r .content' <<!
near
!
check 'a message from another session brings no place along' '
    { user 1; tail -n 1 far.jsonl; user 2; } | histadd -S other.jsonl
    jq -c "select(.tp.summary)" other.jsonl; tail -n 1 far.jsonl | jq ".tp|has(\"summary\")"' <<!
true
!

{
	user 1
	for i in 1 2 3; do
		name=edit_file args='{\"path\":\"a\"}' call c$i; result c$i 'error: none'
		name=read_file args='{\"path\":\"a\"}' call d$i; result d$i ok
	done
	name=edit_file args='{\"path\":\"a\"}' call c4; result c4 'error: none'
} >stuck
check 'how often the last call failed alike in the turn' \
    'head -n 9 stuck >one; head -n 5 stuck >two
    for f in stuck one two; do histfit $f | state "[.same_fault,.same_fault_tool]"; done
    { cat stuck; user 2; } >other; histfit other | state .same_fault' <<!
[4,"edit_file"]
[null,null]
[null,null]
null
!

# State.
{
	user 1
	name=read_file args='{\"path\":\"./a.c\"}' call c1; result c1 'error: none'
	name=read_file args='{ \"path\" : \"b.c\" }' call c2; result c2 ' '
	name=edit_file args='{\"path\":\"b.c\",\"old\":\"\"}' call c3; result c3 ok
	name=read_file args='{\"path\":\"b\u002ec\"}' call c4; result c4 x
	name=read_file args='{\"path\":\"d.c\"}' call c5; result c5 x
	name=use_skill args='{\"skill_name\":\"knit\"}' call c6; result c6 x
	name=use_skill args='{\"skill_name\":\"purl\"}' call c7; result c7 no | tp denied
	echo '{"type":"usage","prompt_tokens":1000,"completion_tokens":10}'
} >work
check 'what the turn did' '
    histfit work | state "[.turn,.step,.messages,.tools_called,.skills_loaded,.result_calls]"
    histfit work | state ".calls[]|[.name,.empty]" | sort | uniq -c | sed "s/^ *//"' <<!
[1,7,15,["read_file","edit_file","use_skill"],["knit"],7]
1 ["edit_file",false]
3 ["read_file",false]
1 ["read_file",true]
2 ["use_skill",false]
!
# A batch: what was called in it.
part() { printf '{"name":"%s"%s}' "$1" "${2:+,\"failed\":true}"; }
{
	user 1
	name=read_file args='{\"path\":\"a.c\"}' call c1; result c1 x
	name=batch args='{\"tools\":[{\"name\":\"read_file\",\"arguments\":{\"path\":\"a.c\"}},{\"name\":\"edit_file\",\"arguments\":\"{\\\"path\\\":\\\"e.c\\\"}\"},{\"name\":\"read_file\",\"arguments\":{\"path\":\"no.c\"}}]}' call c2
	echo "{\"role\":\"tool\",\"tool_call_id\":\"c2\",\"content\":\"x\",\"tp\":{\"parts\":[{\"name\":\"read_file\",\"empty\":true},$(part edit_file),$(part read_file 1)]}}"
	name=read_file args='{\"path\":\"a.c\"}' call c3; result c3 x
} >batched
check 'files, tools and calls in a batch count as those outside' '
    histfit batched | state ".tools_called,[.calls[].name],[.calls[].empty],([.calls[].hash]|[.[0]==.[1],.[0]==.[4],.[0]==.[3]])"
    histfit batched | jq -r "select(.id==\"session-files\").content"' <<!
["read_file","batch","edit_file"]
["read_file","read_file","edit_file","read_file","read_file"]
[false,true,false,false,false]
[true,true,false]
modified: e.c
read: a.c
!
# What our own tools say when they find nothing, as toolrun gives it.
{
	user 1
	echo '{"type":"tool","name":"silent","description":"d","parameters":{"type":"object"},"readonly":true,"run":{"exec":"/bin/true"}}'
	toollist </dev/null
	n=0 comma=
	printf '{"role":"assistant","content":null,"tool_calls":['
	for c in 'grep {\"pattern\":\"zqz\",\"path\":\"said\"}' 'glob {\"pattern\":\"*.zqz\"}' \
	    'search_memories {\"query\":\"zqz\"}' 'silent {}' \
	    'grep {\"pattern\":\"^user 1$\",\"path\":\"said\"}'; do
		printf '%s{"id":"%s","type":"function","function":{"name":"%s","arguments":"%s"}}' \
		    "$comma" "${c%% *}$((n += 1))" "${c%% *}" "${c#* }"
		comma=,
	done
	printf ']}\n'
} >ask
echo 'user 1' >said
{ grep -v '"type":"tool"' ask; toolrun --results <ask; } >searched
check 'a search that found nothing is known by what its tool says; who is silent did not search' '
    histfit searched | state ".calls[]|[.name,.empty]"' <<!
["grep",true]
["glob",true]
["search_memories",true]
["silent",false]
["grep",false]
!
mkdir -p found/turnpipe
echo 'histfit: {nothing: ["0 *"]}' >found/turnpipe/settings.yaml
{
	user 1; call c1 c2 c3 c4
	result c1 ' 0 hits '; result c2 'no match'
	result c3 '0 hits\nbut'; result c4 ''
} >said
check 'or by the words of the settings, in one line' '
    XDG_CONFIG_HOME=$PWD/found histfit said | state "[.calls[].empty]"' <<!
[true,false,false,true]
!
{
	user 1
	name=use_skill args='{\"skill_name\":\"knit\"}' call k1 k2 k3:read_file
	result k1 'Knit &c.'; result k2 'Knit again.'; result k3 x
	name=use_skill args='{\"skill_name\":\"purl\"}' call k4; result k4 no | tp denied
	name=use_skill args='{}' call k5; result k5 what
	user 2
} >skills
check 'a skill is a result like others' 'histfit skills | short | sed -n 3p' <<!
result k1 Knit &c.
!
cat >want <<"!"
user 1
call k1,k2,k3
result k1 The skill `knit` is loaded. Its instructions are in a message below.
result k2 The skill `knit` is loaded. Its instructions are in a message below.
result k3 The skill `knit` is loaded. Its instructions are in a message below.
user These are the instructions of the skill `knit`, which you loaded:

Knit &c.
user These are the instructions of the skill `knit`, which you loaded:

Knit again.
user These are the instructions of the skill `knit`, which you loaded:

x
call k4
result k4 no
call k5
result k5 what
user 2
!
check '-m: or a message of the user after the results, where it was loaded' \
    'histfit -m skills | short' <want
check '-m: it is not shortened, but goes with the window' \
    'histfit -m --set histfit.results_max=1 skills | short | cmp - want
    histfit -m --set histfit.messages=1 skills | short' <<!
user 2
!
sed 's/Knit again/Ask @explore./; /"2"/d' skills >named
check '-m: no filter takes it for what the user said' \
    'for s in skills named; do histfit -m $s; done | sed /type.:.end/d | agentload |
     grep -c delegation || :; histfit -m named | jq -c "select(.tp.skill)|.tp" | tail -n 1' <<!
0
{"skill":"knit"}
!
{
	user 1
	name=use_skill args='{\"skill_name\":\"knit\"}' call k1; result k1 "$big"
	name=use_skill call k2; result k2 "$big"
	for i in 1 2 3; do call i$i; result i$i "$big"; done
} >old
check 'a loaded skill is not said to be loaded with its text gone' '
    histfit --set histfit.results_max=3000 old | short | grep ^result | cut -c1-50
    histfit --set histfit.results_max=3000 old | state .skills_loaded' <<!
result k1 0000000000000000000000000000000000000000
result k2 [use_skill: truncated, was 2000 chars]
result i1 [get: truncated, was 2000 chars]
result i2 0000000000000000000000000000000000000000
result i3 0000000000000000000000000000000000000000
["knit"]
!
check 'equal arguments have equal hashes' '
    histfit work | state "[.calls[].hash]|[.[1]==.[3],.[0]==.[1]]"' <<!
[true,false]
!
{
	user 1; name=a call c1; result c1 'error: no'; name=b call c2 c3; result c2 x; result c3 y
	name=c call c4; result c4 x | tp denied; name=d call c5
	name=e call c6
} >required
check 'a call that failed, was denied or has no result is not called; twice is once' \
    'histfit required | state .tools_called' <<!
["b"]
!
check 'files, changed ones once' 'histfit work | jq -r "select(.type==\"section\")|.id,.volatile,.content"' <<!
session-files
true
modified: b.c
read: d.c
!
check 'tokens: the context is what was counted and what came after' '
    histfit work | state .context_tokens
    user 2 >>work; [ "$(histfit work | state .context_tokens)" -gt 1010 ]' <<!
1010
!
check 'unless it was folded since' '
    echo "{\"type\":\"summary\",\"content\":\"s\",\"through\":15}" | cat work - >refolded
    [ "$(histfit refolded | state .context_tokens)" -lt 1000 ]'
check 'tokens: fifty thousand and nothing after it' '
    { user x; text y; echo "{\"type\":\"usage\",\"prompt_tokens\":50000}"; } >h; histfit h | state .context_tokens' <<!
50000
!
check 'tokens: no content is nothing but its message' '
    { echo "{\"role\":\"assistant\",\"content\":null}"; echo "{\"role\":\"user\",\"content\":\"\"}"; } >h
    histfit h | state .context_tokens; { user x; cat h; } >i; histfit i | jq -c "select(.role).content"' <<!
0
"x"
!
check 'usage as it was' 'histfit work | state .usage' <<!
{"type":"usage","prompt_tokens":1000,"completion_tokens":10}
!
check 'the count of the provider differs: reported, within bounds, and used' '
    for n in 2000:1600 9000:1000 1000:9000 1000:1000 1000:0; do
	{ user 1; text 2; echo "{\"type\":\"usage\",\"prompt_tokens\":${n%:*},\"estimate\":${n#*:}}"; } >c
	histfit c | state .token_ratio; done; user "$big" >>c; cp c d
    sed -i "s/:0}/:500}/" d
    c=$(histfit c | state .context_tokens) d=$(histfit d | state .context_tokens)
    [ $((2 * (c - 1000))) -eq $((d - 1000)) ]' <<!
1.25
2
0.5
null
null
!
breaks='[.interrupted,.partial]'
{ user 1; call c1; } >b
check 'interrupted: a call without result' 'histfit b | state "$breaks"; user 2 >>b; histfit b | state "$breaks"' <<!
[true,false]
[true,false]
!
check 'until it was answered to' 'text x >>b; user 3 >>b; histfit b | state "$breaks"' <<!
[false,false]
!
check 'a result says so' '
    { user 1; call c1; result c1 x | tp interrupted; } >b; histfit b | state "$breaks"' <<!
[true,false]
!
check 'a mark says so' '
    { user 1; text 2; echo "{\"type\":\"mark\",\"what\":\"interrupted\"}"; user 3; } >b; histfit b | state "$breaks"
    text 4 >>b; histfit b | state "$breaks"' <<!
[true,false]
[false,false]
!
check 'an answer that broke off' '
    { user 1; text 2 | tp partial; } >b; histfit b | state "$breaks"; text 3 >>b; histfit b | state "$breaks"' <<!
[false,true]
[false,false]
!
check 'a call without result, and an answer after it that broke off' '
    { user 1; call c1; text 2 | tp partial; } >b; histfit b | state "$breaks"' <<!
[true,true]
!
check 'is the turn done?' '
    for f in new.jsonl s.jsonl; do histfit --done $f && echo yes; done
    { user 1; call c1; } >b; histfit -d b || echo $?
    result c1 x >>b; histfit -d b || echo $?
    text x | tp partial >>b; histfit -d b || echo $?
    text x >>b; histfit -d b && echo yes' <<!
yes
yes
1
1
1
yes
!

# Faults.
cp s.jsonl torn.jsonl
printf '{"role":"us' >>torn.jsonl
check 'a torn last line is skipped, and reported' '
    histfit torn.jsonl 2>err | short; cat err' <<!
user one
call c1
result c1 r1
assistant two
histfit: torn.jsonl: torn last line (11 bytes) skipped
!
{ user 1; printf '{"role":"user",}\n'; user 3; } >bad.jsonl
fails 65 'a broken line' 'histfit bad.jsonl' <<!
histfit: bad.jsonl:2:16: expected a key in quotes
!
{ user 1; echo; user 3; } >blank.jsonl
fails 65 'a blank line' 'histfit blank.jsonl' <<!
histfit: blank.jsonl:2:1: expected a value
!
{ user 1; echo '{"a":1}'; } >neither.jsonl
fails 65 'neither type nor role' 'histfit neither.jsonl' <<!
histfit: neither.jsonl:2:1: expected a type or a role
!
fails 66 'a directory' 'histfit .' <<!
histfit: .: not a regular file
!
fails 74 'a full disk' 'histfit s.jsonl >/dev/full' <<!
histfit: write <stdout>: No space left on device
!
check 'silence when the reader is gone' 'histfit --set histfit.messages=0 long.jsonl | head -n 1 | short' <<!
user q1
!
fails 64 'no file' 'histfit' <<!
histfit: expected one session file
usage: histfit [-m] [-F calls] [file]
       histfit -d file
       histfit -o file
       histfit -s file
       histfit -u file
!
mkdir -p set
echo 'histfit: {keep: 2}' >set/settings.yaml
fails 78 'not a setting' 'TURNPIPE_PATH=set histfit s.jsonl' <<!
histfit: set/settings.yaml:1:17: expected a number from 0 to 1
!
echo 'histfit: {messages: 8}' >set/settings.yaml
check 'settings of the user' 'TURNPIPE_PATH=set histfit long.jsonl | short | wc -l' <<!
7
!

# Only the end is read: what is broken far before it is never seen.
{ printf 'broken\n'; cat long.jsonl; } >far.jsonl
check 'the beginning of a long session is not looked at' \
    'histfit --set histfit.messages=20 far.jsonl | short | head -n 1' <<!
user q29
!
{
	i=0
	while [ $i -lt 30 ]; do
		i=$((i + 1))
		printf '{"role":"user","content":"u%d"}\n{"role":"assistant","content":"a%d"}\n' $i $i
	done
	echo '{"role":"user","content":"last"}'
} >many
window() { histfit "$@" many | jq -rs '[.[] | select(.role)] | "\(length) \(.[0].content) \(.[1].content) \(.[-1].content)"'; }
check 'a window of exactly the last messages' \
    'window --set histfit.messages=50 --set histfit.keep=1; window --set histfit.messages=51 --set histfit.keep=1; window --set histfit.messages=50 --set histfit.keep=0.5' <<!
51 u6 a6 last
51 u6 a6 last
35 u14 a14 last
!
check 'the message of the user is there if the first one is its answer' \
    'window --set histfit.messages=2 --set histfit.keep=1; window --set histfit.messages=1 --set histfit.keep=1' <<!
3 u30 a30 last
1 last null last
!
{
	echo '{"role":"user","content":"u"}'
	printf '%s\n' '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"shell","arguments":"{\"timeout\":3,\"command\":\"make\\ntest\"}"}},{"id":"b","type":"function","function":{"name":"ls","arguments":"{}"}}]}'
	echo '{"role":"tool","tool_call_id":"a","content":"error: exit status 1"}'
	echo '{"role":"tool","tool_call_id":"b","content":"x"}'
	echo '{"role":"user","content":"v"}'
	printf '{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"read_file","arguments":"{\\"path\\":\\"%s\\"}"}}]}\n' "$(printf '%090d' 0)"
} >calls
check 'what the last calls did' 'histfit -F 9 calls | jq -r "select(.id == \"footprint\").content"
    histfit -F 1 calls | jq -r "select(.id == \"footprint\").content" | wc -l; histfit calls | grep -c footprint || :' <<!
- shell make test: failed
- ls: ok
- read_file $(printf '%080d' 0)...: no result
1
0
!
{
	echo '{"type":"usage","prompt_tokens":9,"completion_tokens":9}'
	echo '{"role":"user","content":"u"}'
	echo '{"type":"usage","prompt_tokens":12000,"cached_tokens":6000,"completion_tokens":70,"cost":0.01}'
	echo '{"role":"assistant","content":"a"}'
	echo '{"type":"usage","for":"agent","prompt_tokens":8000,"cached_tokens":1000,"completion_tokens":30}'
	echo '{"type":"usage","prompt_tokens":2000000,"completion_tokens":1,"cost":1.5e-2}'
} >spent
check 'what a turn took: steps are calls of its own; the price of one is not known' \
    'histfit -s spent; mkdir -p run; >run/text; TURNPIPE_RUN=$PWD/run TURNPIPE_NOW=2026-01-01T00:00:00Z histfit --spent spent' <<!
2 steps, 2.0M in (0% cached), 101 out, \$0.0250+
2 steps, 2.0M in (0% cached), 101 out, \$0.0250+, 0.0 s
!
check 'that some of it is guessed stands in front' \
    '{ cat spent; echo "{\"type\":\"usage\",\"prompt_tokens\":1,\"completion_tokens\":1,\"guessed\":true}"; } >cut; histfit -s cut' <<!
3 steps, ~2.0M in (0% cached), ~102 out, ~\$0.0250+
!
fails 1 'a turn without a call took nothing' 'sed 2q spent >none; histfit -s none' </dev/null

# Many sessions in one stream, by name.
w=$PWD
mkdir many.s many.s/bad.d many.s/dir.jsonl many.s/two.d
user hi | histadd many.s/one.jsonl
printf '%s\n' '{"type":"session","session":"/etc/x","run":"/etc","cwd":"/etc","agent":"evil","deadline":1}' \
    '{"role":"user","content":"there"}' >many.s/two.jsonl
printf '%s\n' default joe m 0 >many.s/two.d/as
echo / >many.s/two.d/cwd
echo 123 >many.s/two.d/deadline
cp many.s/one.jsonl many.s/bad.jsonl
echo down/there >many.s/bad.d/cwd
echo '{torn}' >many.s/line.jsonl
check 'a session record says whose a conversation is; what a file says of that steers nothing' '
    printf "%s\n" one two | TURNPIPE_RING=many.s histfit | jq -c "[.type // .content, .session, .run, .cwd, .agent, .deadline]" | sed "s|$w|W|g"' <<!
["session","W/many.s/one.jsonl","W/many.s/one.d","W",null,null]
["hi",null,null,null,null,null]
["state","one",null,null,null,null]
["end",null,null,null,null,null]
["session","W/many.s/two.jsonl","W/many.s/two.d","/","joe",123]
["there",null,null,null,null,null]
["state","two",null,null,null,null]
["end",null,null,null,null,null]
!
fails 66 'one that fails ends no other; the worst status is that of the run' '
    printf "%s\n" line gone one dir bad two >names
    TURNPIPE_RING=many.s histfit <names >out' <<!
histfit: $w/many.s/line.jsonl:1:2: expected a key in quotes
histfit: $w/many.s/gone.jsonl: no such session
histfit: $w/many.s/dir.jsonl: not a regular file
histfit: $w/many.s/bad.d/cwd: expected an absolute path
!
check 'and each of them closes, in its place' 'jq -r "select(.type == \"end\" or .type == \"error\")|.code // \"end\"" out | xargs' <<!
65 end 66 end end 66 end 65 end end
!
check 'a conversation leaves before the next name is read' '
    mkfifo names.p; TURNPIPE_RING=many.s histfit <names.p | sed -un "s/.*\"type\":\"end\".*/end/p" >ends.p & p=$!
    exec 9>names.p; echo one >&9; until_ "grep -qs end ends.p"; echo two >&9; exec 9>&-; wait $p; cat ends.p' <<!
end
end
!
fails 65 'a name that is no name is a fault of the stream: no end' '
    echo ../one | TURNPIPE_RING=many.s histfit >out; st=$?; jq -r .type out >&2; exit $st' <<!
histfit: <stdin>:1:1: expected the name of a session, 1 to 100 of A-Z a-z 0-9 . _ -
error
!
fails 64 'names and a file are not asked for at once' \
    'TURNPIPE_RING=many.s histfit x y 2>err || { st=$?; head -n 1 err >&2; exit $st; }' <<!
histfit: expected one session file
!
