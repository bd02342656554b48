#!/bin/sh
# Which agent answers a message: bindings, their order, and hostile lines.
. "${0%/*}/../lib.sh"

cat >agents.json <<'!'
{"agents": [{"agentId": "annabelle"}],
 "bindings": [
  {"channel": "telegram", "chatId": "123456", "agentId": "work-assistant"},
  {"channel": "telegram", "chatId": "*", "agentId": "annabelle"},
  {"channel": "telegram", "chatId": "late", "agentId": "late"},
  {"channel": "irc", "chatId": "#*", "agentId": "room"},
  {"channel": "irc", "chatId": 77, "agentId": "seven"},
  {"channel": "*", "chatId": "boss", "agentId": "boss"}
 ]}
!
# line CHANNEL CHATID, the second as JSON.
line() { printf '{"channel":"%s","chatId":%s,"sender":"ann","content":"hi"}\n' "$1" "$2"; }
lines() {
	for a in '"123456"' 123456 '"1234567"' '"late"' '"boss"'; do line telegram "$a"; done
	line irc '"#ops"'; line irc '"ops"'; line irc '"77"'; line irc 77; line irc '"boss"'
	line Telegram '"123456"'; line telegramm '"123456"'
}
agents() { jq -r .agent | tr '\n' ' '; echo; }
check 'the first binding that fits, serve.agent where none does' \
    'lines | chanroute -f agents.json | agents' <<!
work-assistant work-assistant annabelle annabelle annabelle room channel seven seven boss channel channel 
!
check 'the line is as it was, with agent at its end; CR and a missing newline do no harm' \
    'printf "{ \"channel\" : \"telegram\",\"chatId\":\"9\",\"n\":1.50,\"content\":\"%s\" }\r\n{\"channel\":\"x\",\"chatId\":1}" "\\u0041" | chanroute -f agents.json' <<!
{ "channel" : "telegram","chatId":"9","n":1.50,"content":"\u0041" ,"agent":"annabelle"}
{"channel":"x","chatId":1,"agent":"channel"}
!
check 'what a sender says of the agent does not count' \
    'echo "{\"agent\":\"boss\",\"channel\":\"x\",\"chatId\":\"1\",\"content\":\"\"}" | chanroute -f agents.json' <<!
{"agent":"channel","channel":"x","chatId":"1","content":""}
!
cat >others <<'!'
{"type":"end","channel":"telegram","chatId":"123456"}
{"role":"user","content":"no channel"}
{"type":"message","role":"user","content":"nor here"}
{"sender":"nobody"}
{"type":"what", "x":1}
!
check 'what is no message of a channel passes byte for byte' \
    'chanroute -f agents.json <others | diff - others' <<!
!
check 'no input, no output' 'chanroute -f agents.json </dev/null' <<!
!

# V of designs.md 4.7: PATTERN NAME and whether it fits.
cat >table <<'!'
telegram_* telegram_send yes
telegram_* gmail_x no
telegram_* telegram_ yes
telegram_* xtelegram_send no
gmail_* telegram_send no
*_search web_search yes
*_search web_searches no
* anything yes
store_facts store_fact no
store_fact store_facts no
store_fact store_fact yes
send_* send_message yes
send_* resend_email no
a.c abc no
a[bc] ab no
a[bc] a[bc] yes
a+ aa no
*a*b* xaybz yes
*a*b* xbyaz no
!
check 'patterns: a * is anything, all else is itself, the whole name counts' '
    while read -r pattern name want; do
	printf "[{\"channel\":\"t\",\"chatId\":\"%s\",\"agentId\":\"yes\"}]" "$pattern" >one.json
	got=$(line t "\"$name\"" | chanroute -f one.json | sed "s/.*agent\":\"//; s/\".*//; s/channel/no/")
	[ "$got" = "$want" ] || echo "$pattern $name $got"
    done <table' <<!
!

# Hostile names.
long=$(printf '%0100000d' 0)
check 'a NUL does not end a name, case and Unicode forms are others, 100 kB are a name' '
    { line telegram "\"123456\\u0000x\""; line irc "\"77\\u0000\""; line irc "\"BOSS\""
    line x "\"bo\\u017fs\""; line telegram "\"../../123456\""; line telegram "\"123456\\n\""
    line telegram "\"$long\""; } | chanroute -f agents.json | agents' <<!
annabelle channel channel channel annabelle annabelle annabelle 
!
printf '%s\n' 'no json' '{"channel":"telegram"}' '{"channel":7,"chatId":"1"}' '' '[1]' \
    '{"channel":"telegram","chatId":{}}' '{"channel":"t","chatId":1.5}' '{"channel":"t","chatId":""}' \
    '{"channel":"t","channel":"u","chatId":"1"}' '{"chatId":"1"}' >bad
printf '{"channel":"t","chatId":"\377"}\n' >>bad
line irc 77 >>bad
check 'a bad line is reported once, all others pass, the status is 65' \
    'chanroute -f agents.json <bad 2>&1; echo $?' <<!
chanroute: <stdin>:1:1: expected a value
chanroute: <stdin>:2:1: expected a chatId, a text or a whole number
chanroute: <stdin>:3:12: expected a channel, a text
chanroute: <stdin>:4:1: expected a value
chanroute: <stdin>:5:1: expected an object
chanroute: <stdin>:6:32: expected a chatId, a text or a whole number
chanroute: <stdin>:7:25: expected a chatId, a text or a whole number
chanroute: <stdin>:8:25: expected a chatId, a text or a whole number
chanroute: <stdin>:9:16: expected a key that is not there yet
chanroute: <stdin>:10:1: expected a channel, a text
chanroute: <stdin>:11:26: expected valid UTF-8
{"channel":"irc","chatId":77,"sender":"ann","content":"hi","agent":"seven"}
65
!
check 'a line over 16 MiB is reported and left out' '
    { perl -e "print q({\"channel\":\"t\",\"chatId\":\"), \"x\" x (17 << 20), qq(\"}\n)"; line irc 77; } |
    chanroute -f agents.json 2>&1 || echo $?' <<!
chanroute: <stdin>:1:16777216: expected the end of the line
{"channel":"irc","chatId":77,"sender":"ann","content":"hi","agent":"seven"}
65
!
check 'a line goes on as soon as it was read' '
    mkfifo in out; chanroute -f agents.json <in >out & exec 3>in 4<out
    line irc 77 >&3; read -r x <&4; echo "$x" | agents; exec 3>&-; wait $!' <<!
seven 
!
fails 74 'a full disk is no success' 'line irc 77 | chanroute -f agents.json >/dev/full' <<!
chanroute: write <stdout>: No space left on device
!

# Files of bindings.
fails 66 'a file that is not there' 'chanroute -f none.json' <<!
chanroute: none.json: No such file or directory
!
check 'what is wrong with the bindings ends it, at its place' '
    try() { echo "$1" >b.json; chanroute -f b.json </dev/null 2>&1 || echo $?; }
    try "{"; try "{\"agents\":[]}"; try "{\"bindings\":7}"; try "{\"bindings\":[7]}"
    try "{\"bindings\":[{\"channel\":\"t\",\"agentId\":\"a\"}]}"
    try "{\"bindings\":[{\"channel\":\"t\",\"chatId\":\"1\",\"agentId\":\"\"}]}"
    try "{\"bindings\":[{\"channel\":\"t\\u0000\",\"chatId\":\"1\",\"agentId\":\"a\"}]}"
    try "[{\"channel\":\"t\",\"chatId\":\"1\",\"agentId\":\"a\",\"chatid\":2}]"' <<!
chanroute: b.json:2:1: expected a key in quotes
78
chanroute: b.json:1:1: expected bindings
78
chanroute: b.json:1:13: expected a list of bindings
78
chanroute: b.json:1:14: expected an object, found number
78
chanroute: b.json:1:14: expected a member "chatId"
78
chanroute: b.json:1:52: expected at least 1 character, found 0
78
chanroute: b.json:1:25: expected text without NUL, or a number of 64 bits
78
chanroute: b.json:1:44: expected channel, chatId or agentId, found "chatid": it is not used
!
mkdir -p "$XDG_CONFIG_HOME/turnpipe/agents"
cp agents.json "$XDG_CONFIG_HOME/turnpipe/agents/20-mine.json"
echo '{"agentId":"x"}' >"$XDG_CONFIG_HOME/turnpipe/agents/10-one.json"
check 'without -f those of agents/*.json of the search path' \
    'line irc 77 | chanroute | agents' <<!
seven 
!
fails 64 'no operands' 'chanroute agents.json 2>&1 | head -n 1 >&2; exit 64' <<!
chanroute: unexpected operand 'agents.json'
!
