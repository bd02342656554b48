#!/bin/sh
# Chats served: each its session, its agent, its order; crashes; two bots.
. "${0%/*}/../lib.sh"

export TURNPIPE_MODEL=openai/test OPENAI_API_KEY=sk-test
mkdir -p .git "$XDG_CONFIG_HOME/turnpipe/agents"
req() { sed -n "$1p" "$REQUESTS" | jq -rc ".body|$2"; }
say() { printf '{"channel":"c","chatId":"%s","sender":"%s","id":"%s","content":"%s"}\n' "$1" "$1" "$2" "$3"; }
call() { printf '{"calls":[{"id":"c1","name":"%s","arguments":%s}]}' "$1" "$2"; }
short() { jq -c '[.chatId,.id,.content,.status,.error,.again]' | sed 's/,null//g'; }
# In the background the command itself, not a shell that runs it.
alone() { exec turnpipe-serve -d D "$@"; }

cat >"$XDG_CONFIG_HOME/turnpipe/agents/bob.md" <<'!'
---
name: bob
description: Has a model of his own.
model: openai/big
tools: [ls]
---
You are Bob.
!
echo '{"bindings":[{"channel":"c","chatId":"b","agentId":"bob"},{"channel":"c","chatId":"x","agentId":"gone"}]}' \
    >"$XDG_CONFIG_HOME/turnpipe/agents/channels.json"

serve '{"text":"One."}' '{"text":"Two."}' '{"text":"Three."}'
check 'messages are answered; one whose agent is not there alone fails' \
    '{ say a 1 Hi; say x 2 Hi; say b 3 Ho; say a 4 More; } | chanroute | turnpipe serve -j 1 2>err | short; sed "s/chat [0-9a-f]*/chat X/" err' <<!
["a","1","One."]
["x","2","",66,"agentload: agent gone: no such definition"]
["b","3","Two."]
["a","4","Three."]
chanrun: chat X: status 66: agentload: agent gone: no such definition
!
check 'a chat knows its own messages alone, and its agent is that of its binding' '
    req 3 ".messages|map(select(.role!=\"system\")|.content|split(\"\n\")[0])|tojson" | sed "s/<[^\"]*//"
    req 1 ".model"; req 2 ".model"; req 2 ".messages[0].content" | grep -c "You are Bob"; req 2 "[.tools[].function.name]"' <<!
["Hi","One.","More"]
test
big
1
["ls"]
!
check 'a message of a channel is its sender'"'"'s own words' \
    'cat "$XDG_STATE_HOME"/turnpipe/*/serve/*.jsonl | jq -c "select(.role==\"user\" and .content==\"More\").tp.from"' <<!
[{"channel":4}]
!
check 'sessions lie beside those of the project; turnpipe -c takes none' '
    ls "$XDG_STATE_HOME"/turnpipe/*/serve | sed "s/[0-9a-f]\{32\}/CHAT/" | sort -u; turnpipe -c 2>&1 || :' <<!
CHAT.d
CHAT.jsonl
journal
lock
turnpipe: no session of this project to continue
!

serve "$(call write_file '{"path":"new","content":"x"}')" '{"text":"Denied."}' "$(call write_file '{"path":"new","content":"x"}')" '{"text":"Written."}'
check 'a tool that needs consent is denied, unless -y' '
    say w 1 Write | turnpipe serve -a default -d D 2>/dev/null | jq -r ".content,.status"; ls new 2>&1
    say w 2 Write | turnpipe serve -a default -y -d D | jq -r .content; ls new' <<!
Denied.
77
ls: cannot access 'new': No such file or directory
Written.
new
!

# What a stranger may do.
mkdir own; cd own; mkdir .git
echo 'the words of the project' >AGENTS.md; echo 'KEY=geheim' >.env
echo '{"type":"fact","text":"The owner is called Ann.","category":"background","scope":"user"}' | factfind --add
facts() { cat "$XDG_DATA_HOME"/turnpipe/facts/* | grep -c '"text"'; }
store='{"text":"The owner wants root.","scope":"user"}'
serve "$(call store_fact "$store")" '{"text":"No."}' "$(call read_file '{"path":".env"}')" '{"text":"No."}'
check 'a stranger whom no binding gives to an agent reaches no tool, no file and no memory' '
    { say s 1 "Who is the owner?"; say s 2 "Read .env"; } | chanroute | turnpipe serve -y -d ../D 2>/dev/null | jq -r .content
    for i in 1 3; do req $i "[.tools, (tostring | test(\"called Ann|words of the project|/own\"))]"; done; grep -c geheim "$REQUESTS"; facts' <<!
No.
No.
[null,false]
[null,false]
0
1
!
serve "$(call store_fact "$store")" '{"text":"No."}'
check 'what stores is on offer to nobody behind a channel' '
    say s 3 "Remember it" | turnpipe serve -a default -y -d ../D 2>/dev/null | jq -r .content
    req 1 "[.tools[].function.name] | (index(\"read_file\") > 0, any(. == \"store_fact\" or . == \"project_note\"))"; facts' <<!
No.
true
false
1
!
serve "$(call read_file '{"path":".env"}')" '{"text":"Yes."}'
check 'where the owner says so it is: serve.agent, serve.deny' '
    say s 4 "Read .env" | TURNPIPE_SET="serve.agent=default
serve.deny=[]
serve.set=[]" turnpipe serve -d ../D 2>/dev/null | jq -r .content
    req 1 "any(.tools[].function.name; . == \"store_fact\")"; grep -c geheim "$REQUESTS"' <<!
Yes.
true
1
!
cd ..

# What one member of a group writes, and the provider refuses.
policy='{"status":400,"body":{"error":{"code":"content_filter","message":"no"}}}'
picture='{"status":400,"body":{"error":{"type":"invalid_request_error","message":"messages.0.content.1.image.source.base64: image exceeds 5 MB maximum"}}}'
serve '{"text":"One."}' "$policy" '{"text":"Two."}' "$picture" '{"text":"Three."}' '{"text":"Four."}'
check 'a refused message is answered as such, and the group goes on without it' '
    { say r 1 Hi; say r 2 Bad; say r 3 Good; say r 4 Large; say r 5 More; } | turnpipe serve -d D 2>/dev/null | short
    for i in 3 5; do req $i "[.messages[] | select(.role == \"user\").content | split(\"\n\")[] | select(test(\"^(.The prov|[A-Z][a-z]+\$)\")) | .[:13]]"; done
    say r 6 Last | turnpipe serve -r -d D | short; sent' <<!
["r","1","One."]
["r","2","",3,"turnpipe: 400: content_filter: no"]
["r","3","Two."]
["r","4","",65,"turnpipe: 400: invalid_request_error: messages.0.content.1.image.source.base64: image exceeds 5 MB maximum"]
["r","5","Three."]
["Hi","[The provider","Good"]
["Hi","[The provider","Good","[The provider","More"]
["r","6","Four."]
6
!

# Failures that pass.
serve '{"status":503,"body":"down","repeat":3}' '{"text":"Up."}' '{"text":"More."}'
check 'a server that is down has not answered: the message waits, and its chat with it' '
    { say q 1 Hi; say q 2 Ho; } | TURNPIPE_CALL="llmcall -x 2" turnpipe serve -d Q 2>err | short; grep -c "once more in" err
    req 4 "[.messages[] | select(.role == \"user\")] | length"; req 5 "[.messages[] | select(.role == \"user\")] | length"' <<!
["q","1","Up."]
["q","2","More."]
1
1
2
!
costguard -rz
serve -r '{"text":"Paid."}'
check 'nor has a guard: 4 is kept over runs, and asked when there is money' '
    printf "costguard: {tokens: 1}\n" >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"; costguard -b <<-! >/dev/null 2>&1
	{"type":"usage","model":"m","prompt_tokens":50000,"completion_tokens":1}
	!
    { say p 1 Hi; say p 2 Ho; } | TURNPIPE_SET="serve.wait=99
costguard.pause=90" turnpipe serve -d Z >out 2>err; echo $?; cat out; sent; tail -n 1 err
    rm "$XDG_CONFIG_HOME/turnpipe/settings.yaml"; costguard -rz
    sed -i "s/\"due\":[0-9]*/\"due\":1/" Z/journal; turnpipe serve -r -d Z </dev/null | short' <<!
75
0
chanrun: end of input; 2 messages are not answered yet: -r goes on with them
["p","1","Paid."]
["p","2","Paid."]
!

# A run that is killed: the turn goes on without it.
mkfifo f
serve '{"text":"Late.","until":"go"}' '{"text":"Next."}'
check 'killed -9 during a call: -r waits for the turn, and calls no model for it' '
    alone -j 1 <f >out & exec 3>f; { say k 1 Slow; say k 2 Then; } >&3; until_ "[ \$(sent) -eq 1 ]"
    kill -9 $!; wait $! 2>/dev/null || :; exec 3>&-
    { say k 1 Slow; say k 2 Then; } | alone -r >>out & p=$!
    until_ "grep -q \"^$p@\" D/lock"; >go; wait $p
    short <out; sent; req 2 ".messages|map(select(.role!=\"system\")|.content|split(\"\n\")[0])|tojson" | sed "s/<[^\"]*//"' <<!
["k","1","Late."]
["k","2","Next."]
2
["Slow","Late.","Then"]
!
rm -f go
serve "$(call ls '{"path":"."}')" '{"text":"Lost.","until":"go"}' '{"text":"Again."}'
needs flock check 'killed with its turn: -r goes on where it broke off, the tool is not run again' '
    alone <f >out & exec 3>f; say g 1 List >&3; until_ "[ \$(sent) -eq 2 ]"
    kill -9 $!; wait $! 2>/dev/null || :; exec 3>&-
    # The turn is a group of its own; its leader signed the lock.
    for l in D/*.d/lock; do flock -n "$l" true || { IFS=@ read -r pid x <"$l"; kill -9 "-$pid"; }; done
    turnpipe serve -d D -r </dev/null >>out; short <out; sent
    req 3 "[.messages[]|select(.role!=\"system\")|.role][:3]|tojson"; grep -c "\"List\"" D/*.jsonl | grep -v ":0" | sed "s/.*://"' <<!
["g","1","Again."]
3
["user","assistant","tool"]
1
!
rm -f go
serve '{"text":"Done.","until":"go"}' '{"text":"Rest."}'
check 'TERM: the running one is answered, the next is for -r' '
    { alone -j 1 <f >out 2>err & echo $! >pid; exec 3>f; { say t 1 Hi; say t 2 Ho; } >&3; until_ "[ \$(sent) -eq 1 ] && grep -q Ho D/journal"; }
    kill $(cat pid); >go; { wait $(cat pid) || echo $?; } 2>/dev/null; exec 3>&-
    short <out; cat err; alone -r </dev/null | short' <<!
143
["t","1","Done."]
chanrun: stopped; 1 messages are not answered yet: -r goes on with them
["t","2","Rest."]
!
rm -f go
serve -r '{"text":"Ok."}'
check 'two on one directory' '
    alone >out <f & exec 3>f; say d 1 Hi >&3; until_ "[ -s out ]"
    turnpipe serve -d D </dev/null 2>&1 | sed "s/process [0-9]*/process N/"; exec 3>&-; wait $!' <<!
chanrun: $PWD/D/lock: held by process N (chanrun)
!
fails 74 'a full disk is no success' 'say e 1 Hi | turnpipe serve -d F >/dev/full' <<!
chanrun: write <stdout>: No space left on device
!
check 'a message may take -t seconds' '
    serve "{\"text\":\"x\",\"until\":\"never\"}"; say l 1 Hi | turnpipe serve -d L -t 1 2>/dev/null | jq -c "[.status,.error]"' <<!
[5,"turnpipe: the time of this turn is used up"]
!
fails 66 'no such profile' 'turnpipe serve -P none -d D' <<!
turnpipe: profile none: not found; 'sharefind -l profiles' lists them
!
fails 64 'wrong numbers' 'turnpipe serve -j 0 -d D' <<!
turnpipe: -j: expected a number from 1, not '0'
!
check 'turnpipe serve takes no operand' 'turnpipe serve x 2>&1 | head -n 1' <<!
turnpipe: unexpected operand 'x'
!

# Many chats, killed in the middle; SOAK=1 for more.
chats=5 each=3 kills=1
[ -z "${SOAK-}" ] || chats=100 each=20 kills=10
for i in $(seq $each); do for c in $(seq $chats); do say "chat$c" $i "text $i of $c"; done; done >many
serve -r '{"text":"Ok."}'
check "$chats chats of $each messages, killed -9 $kills times: all answered once, in order" '
    : >out
    for k in $(seq $kills); do
	alone -r -d M <many >>out 2>/dev/null & n=$(($(wc -l <out) + chats * each / (kills + 1)))
	until [ $(wc -l <out) -ge $n ] || ! kill -0 $! 2>/dev/null; do sleep 0.05; done
	kill -9 $! 2>/dev/null; wait $! 2>/dev/null || :
    done
    alone -r -d M <many >>out & wait $!
    jq -r "[.chatId,.id,.content,.status]|map(tostring)|join(\" \")" out >flat
    awk "\$2 != ++n[\$1] { print \"out of order:\", \$0 } \$3 != \"Ok.\" { print }" flat; wc -l <flat
    for s in M/*.jsonl; do jq -r "select(.role)|.role + \" \" + (.tp.id // \"-\")" "$s" | tr "\n" ";"; echo; done | sort -u | sed "s/ -;/;/g" >said
    wc -l <said; jq -r .role M/*.jsonl | sort | uniq -c | grep -v null | tr -s " "' <<!
$((chats * each))
1
 $((chats * each)) assistant
 $((chats * each)) user
!

serve '{"text":"One."}' '{"text":"Two."}' '{"text":"Three."}'
check 'a chat begins anew by --reset, and by the word of the setting; what was said is kept' '
    chat() { say "$1" "$2" "$3" | TURNPIPE_SET=serve.new=/new turnpipe serve -d N | jq -r .content; }
    chat a 1 Hi; echo x >"$(ls -d N/*.d)/todos.jsonl"; turnpipe serve -d N --reset c:a; ls N/*.d; ls N/old/*.d/todos.jsonl | wc -l
    chat a 2 Ho; chat a 3 /new; chat a 4 Hu; sed -n 3p "$REQUESTS" | jq -c "[.body.messages[]|select(.role!=\"system\").role]"; ls N/old | grep -c jsonl
    turnpipe serve -d N --reset c:b 2>&1 | sed "s, in .*,,"' <<!
One.
errors
inbound
lock
reply
1
Two.
This chat begins anew.
Three.
["user"]
2
turnpipe: c:b: no such chat
!

# The bots of the manual, as a reader sees them.
bot() {
	sed -n "/^% cat $1\$/,/^% /p" "$TOP/man/turnpipe-serve.1" | sed '1d;$d; s/\\e/\\/g; s/\\&//g' >"$1"
	chmod +x "$1"
}
bot fifobot
serve '{"text":"Hello."}' '{"text":"Hello again."}' '{"text":"I am back."}'
check 'the bot behind a FIFO; it starts again after a kill' '
    ./fifobot bot 2>err & until_ "[ -p bot/in ]"; say ann 1 Hi >bot/in; until_ "[ -s bot/out ]"; say ann 2 Ho >bot/in
    until_ "[ \$(wc -l <bot/out) -eq 2 ]"; short <bot/out; IFS=@ read -r pid what <bot/state/lock
    kill "$pid"; wait $! || echo $?; ./fifobot bot 2>>err & say ann 3 Ha >bot/in
    until_ "[ \$(wc -l <bot/out) -eq 3 ]"; tail -n 1 bot/out | short; IFS=@ read -r pid what <bot/state/lock; kill "$pid"; wait $! || echo $?' <<!
["ann","1","Hello."]
["ann","2","Hello again."]
143
["ann","3","I am back."]
143
!
bot ircbot
cat >server <<'!'
#!/bin/sh
# What an IRC server says, and a log of what it hears.
hear() { IFS= read -r line; printf '%s\n' "$line" | tr -d '\r' >>heard; }
hear; hear
printf ':srv 001 penny :Welcome\r\n'; hear
printf 'PING :tok\r\n'; hear
printf ':ann!a@h PRIVMSG #ops :Who {"is"} on call? \\ \001\r\n'; hear; hear
printf ':bob!b@h PRIVMSG penny :Psst\r\n:bob!b@h JOIN #ops\r\n'; hear
!
chmod +x server
serve '{"text":"Ann,\nQUIT\u0000\rPART"}' '{"text":"Yes?"}'
export IRCBOT_STATE="$PWD/irc"
needs socat check 'the bot on IRC: a channel and a private chat, no line of another'\''s making' '
    socat EXEC:./server EXEC:"./ircbot penny #ops"
    cat heard; req 1 ".messages[]|select(.role==\"user\").content" | head -n 1 | tr "\001" "^"; sent' <<!
NICK penny
USER penny 0 * :penny
JOIN #ops
PONG :tok
PRIVMSG #ops :Ann,
PRIVMSG #ops :QUIT  PART
PRIVMSG bob :Yes?
ann: Who {"is"} on call? \ ^
2
!
