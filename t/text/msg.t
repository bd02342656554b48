#!/bin/sh
. "${0%/*}/../lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z
check 'operands are joined' 'msg say "a  b"' <<!
{"type":"message","role":"user","content":"say a  b"}
!
check 'standard input, any text' 'printf "a\n\"b\"\t\303\251\n\n" | msg -r system -' <<!
{"type":"message","role":"system","content":"a\n\"b\"\té"}
!
check 'a text that begins with a dash' 'msg -- -x' <<!
{"type":"message","role":"user","content":"-x"}
!
check 'how the pieces of a text came: of the last one without its newlines' \
    'printf "Sum up:\n\n<a>\303\251\n\n" | msg -f typed:9 -f input:99 -f file:3 -
    msg --from typed:1 --from file abc' <<!
{"type":"message","role":"user","content":"Sum up:\n\n<a>é","tp":{"from":[{"typed":9},{"input":5}]}}
{"type":"message","role":"user","content":"abc","tp":{"from":[{"typed":1},{"file":2}]}}
!
fails 64 'a piece of which nobody says how it came' 'msg -f typed:2 abc 2>err; s=$?; head -n 1 err >&2; exit $s' <<!
msg: -f: expected how the last 1 bytes came
!
fails 64 'a way that there is not' 'msg -f mail abc 2>err; s=$?; head -n 1 err >&2; exit $s' <<!
msg: -f: expected typed, input, file, command or channel, not 'mail'
!
check 'mark, section, end' 'msg -k retry; echo hi | msg -S note:1; msg -e' <<!
{"type":"mark","what":"retry","time":"2026-11-21T12:00:00Z"}
{"type":"section","id":"note:1","content":"hi\n"}
{"type":"end"}
!
cat >talk <<!
{"role":"user","content":"hi"}
{"role":"assistant","content":"one","tool_calls":[{"id":"c","function":{"name":"ls","arguments":"{\"path\":\".\"}"}}]}
{"role":"tool","tool_call_id":"c","content":"a\n"}
{"role":"assistant","content":[{"type":"text","text":"two"},{"type":"text","text":"!"}]}
{"role":"assistant","content":null}
!
check 'the last text of the assistant' 'msg -t <talk' <<!
two!
!
cat >cited <<!
{"role":"assistant","content":"So.","annotations":[{"type":"url_citation","url_citation":{"start_index":0,"end_index":2,"url":"http://x","title":"X\ny"}},{"type":"url_citation","url_citation":{"start_index":2,"end_index":3,"url":"http://x","title":"X\ny"}},{"type":"file_citation","file_citation":{"file_id":"f1"}},{"type":"other"},3]}
!
check 'the sources of an answer follow it, once each; none after JSON' \
    'msg -t <cited; msg -ta cited; sed "s/So[.]/[1]/" cited | msg -t' <<!
So.

[1] X y http://x
[2] f1
assistant:
So.

[1] X y http://x
[2] f1
[1]
!
check 'cleaned for a terminal that does not read it itself' \
    'printf "%s\n" "{\"role\":\"assistant\",\"content\":\"a\\u001b[1m\"}" | msg -tC' <<'!'
a\u{1b}[1m
!
cat >words <<!
fa می‌خواهم کتاب‌ها سوء‌استفاده کار‌ها ۱۲‌ساله ه‍.ش
ur اردو‌بولنے ku دە‌چم ug ئۇيغۇرچە syc ܫܠܡ‌ܐ nqo ߒߞߏ‌ߒ
hi क्‍ष क्‌ष नमस्ते mr दऱ्‍या ne नेपाल‍्य bn র‍্যাব ক্‌ষ
pa ਪ੍‍ਰ gu ગુજ્‌રાતી or ଓଡ଼୍‍ଆ ta தமிழ்‌நாடு te సాఫ్ట్‌వేర్
kn ಸಾಫ್ಟ್‌ವೇರ್ ರ‍್ಯ ml അവന്‍ അയാള്‍ si ශ්‍රී ලංකා
th ภาษา​ไทย lo ພາສາ​ລາວ my မြန်မာ​စာ km ភាសា​ខ្មែរ mn ᠮᠣᠩᠭᠣᠯ᠋ ᠤᠨ
he עִבְרִית ko 한국어 ja 葛󠄀城 zh 中文 am አማርኛ ka ქართული hy Հայերեն el άλφα ru слово vi tiếng
👨‍👩‍👧‍👦 ❤️ ☎︎ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👩🏽‍🚀 🏳️‍🌈 ❤️‍🔥
!
check 'joiners that words of twenty scripts and pictures need are left' 'msg -C <words' <words
check 'what does no such work is made visible' \
    'printf "a\342\200\214b\na\342\200\215b\n\331\205\342\200\214\342\200\214\331\205\n\331\205\342\200\215\331\205\na\342\200\214\331\205\n\340\244\225\342\200\215\340\244\267\nx\357\270\217\n\360\237\221\251\342\200\215\342\200\215\360\237\221\251\n\360\237\221\251\342\200\215a\n\360\237\230\200\363\240\204\201\n\342\235\244\357\270\217\357\270\217\n\360\237\217\264\363\240\201\247\363\240\201\242\n\360\237\217\264\363\240\201\250\363\240\201\251\363\240\201\244\363\240\201\244\363\240\201\245\363\240\201\256\363\240\201\264\363\240\201\245\363\240\201\270\363\240\201\264\363\240\201\277\na\342\200\213b\n\342\200\256abc\n\302\2331m\n\033]52;c;eA==\007\n" | msg -C' <<'!'
a\u{200c}b
a\u{200d}b
م\u{200c}\u{200c}م
م\u{200d}م
a\u{200c}م
क\u{200d}ष
x\u{fe0f}
👩\u{200d}\u{200d}👩
👩\u{200d}a
😀\u{e0101}
❤️\u{fe0f}
🏴\u{e0067}\u{e0062}
🏴\u{e0068}\u{e0069}\u{e0064}\u{e0064}\u{e0065}\u{e006e}\u{e0074}\u{e0065}\u{e0078}\u{e0074}\u{e007f}
a\u{200b}b
\u{202e}abc
\u{9b}1m
\u{1b}]52;c;eA==\u{7}
!
check 'from a file' 'msg -t talk' <<!
two!
!
check 'all of it' 'head -n 3 talk | msg -ta' <<!
user:
hi
assistant:
one
-> ls {"path":"."}
tool:
a
!
fails 1 'no message with a text' 'head -n 1 talk | msg -t' <<!
!
fails 69 'an error speaks for the stream' \
    '{ cat talk; echo "{\"type\":\"error\",\"code\":69}"; } | msg -t' <<!
!
check 'the text of a cut or refused answer, with its status' \
    'a="{\"role\":\"assistant\",\"content\":\"Half\""
    for t in "$a,\"tp\":{\"partial\":true}}" "$a}"; do for e in 3 7 8 76; do
    printf "%s\n{\"type\":\"error\",\"code\":%s}\n" "$t" $e | msg -t && echo 0 || echo "= $?"
    done; done' <<!
Half
= 3
Half
= 7
Half
= 8
Half
= 76
Half
= 3
= 7
Half
= 8
= 76
!
fails 65 'Latin-1 on standard input is reported, with its place' \
    'printf "one\ncaf\351 au lait\n" | msg -' <<!
msg: <stdin>:2:4: expected valid UTF-8
!
check 'and in a section, which has the rest' 'printf "a\377" | msg -S note 2>&1' <<!
msg: <stdin>:1:2: expected valid UTF-8, put U+FFFD
{"type":"section","id":"note","content":"a�"}
!
fails 64 'an empty text' 'msg ""' <<!
msg: expected a text
usage: msg [-r role] [-A file] [-f way[:bytes]] text ... | -
       msg -k what [-i key [-b bytes]] [key=value ...]
       msg -S id | -e
       msg -E code text ...
       msg -g key[,key ...] | -G | -y type
       msg -p | -C [-R wrap | cut]
       msg -t [-aC] [file ...]
       msg -u [key=value ...]
       msg -w seconds
!
cat >object <<'!'
{"b":{"a":"no"},"a":"\n\\\"\u0000\r\u017c\ud83d\ude00x\n\n"}
!
check '-g: the text at a key, byte for byte' 'msg -g a <object | od -An -c | tr -s " "
    echo "{\"a\":\"\"}" | msg --get a | wc -c' <<'!'
 \n \ " \0 \r 305 274 360 237 230 200 x \n \n
0
!
check '-g: no text there' 'for j in "{}" "{\"a\":5}" "{\"a\":null}" "{\"a\":[\"x\"]}" "[\"a\"]" "\"a\"" 7 ""; do
	printf %s "$j" | msg -g a && echo "$j"; done || echo $?' <<!
1
!
check '-G: all values, with their places, kinds and bytes' \
    'printf "%s" "{\"a\":\"x\\ny\",\"b\":[{\"c d\":1.50,\"e\":true},[],null],\"\":\"nul\\u0000\"}" | msg -G; echo "\"x\"" | msg -G; msg -G </dev/null || echo $?' <<!
a string 3
x
y
b array 0

b.0 object 0

b.0.c d number 4
1.50
b.0.e true 0

b.1 array 0

b.2 null 0

 nul 0

1
!
check '-g of several keys: a line of words for each record' 'printf "%s\n" "{\"a\":\"x\",\"b\":2}" "{\"b\":1}" "{\"a\":\"\"}" | msg -g a,b' <<!
x 2
- -
!
fails 65 '-g: a blank is in no word' 'echo "{\"a\":\"x y\"}" | msg -g a,b' <<!
msg: <stdin>:1:6: expected one word
!
fails 65 '-g: not JSON' 'printf "{\"a\":\n}" | msg -g a' <<!
msg: <stdin>:2:1: expected a value
!
fails 74 '-g: a full disk' 'echo "{\"a\":\"x\"}" | msg -g a >/dev/full' <<!
msg: write <stdout>: No space left on device
!
check '-i: a field of a mark from standard input, head and tail of a long one' \
    'seq 100 | TURNPIPE_NOW=2026-11-21T12:00:00Z msg -k until -i out -b 20 status=2
    printf "a\377\n" | msg -k until -i out | grep -o "out.*"' <<!
{"type":"mark","what":"until","time":"2026-11-21T12:00:00Z","out":"1\n2\n3\n4\n5\n\n[...]\n98\n99\n100","status":2}
out":"a�"}
!
fails 64 '-i without -k' 'msg -i out hi 2>err; s=$?; head -n 1 err >&2; exit $s' <<!
msg: expected -k with -i
!
fails 65 'a broken line' 'echo "{]" | msg -t' <<!
msg: <stdin>:1:2: expected a key in quotes
!
fails 66 'no such file' 'msg -t none' <<!
msg: none: No such file or directory
!
fails 74 'a full disk' 'msg hi >/dev/full' <<!
msg: write <stdout>: No space left on device
!
fails 69 'an error speaks for the stream that "-" names' \
    '{ cat talk; echo "{\"type\":\"error\",\"code\":69}"; } | msg -t -' <<!
!
check 'in a file it is history' \
    '{ cat talk; echo "{\"type\":\"error\",\"code\":69}"; } >log; msg -t log' <<!
two!
!
fails 64 'a mark with a text' 'msg -k retry now 2>err; s=$?; head -n 1 err >&2; exit $s' <<!
msg: expected KEY=VALUE, not 'now'
!
check 'a mark with fields' 'TURNPIPE_NOW=2026-11-21T12:00:00Z msg -k retry status=76 from=llmcall' <<!
{"type":"mark","what":"retry","time":"2026-11-21T12:00:00Z","status":76,"from":"llmcall"}
!
needs pty check 'a role cannot steer the terminal' \
    'printf "{\"role\":\"\\\\u001b[31mx\",\"content\":\"h\\\\u202ei\\\\u0085\"}\n" >role
    script -qec "msg -ta role" /dev/null | head -n 2 | tr -d "\r"; msg -ta role | head -n 1 | od -An -c | tr -d " "' <<!
\u{1b}[31mx:
h\u{202e}i\u{85}
033[31mx:\n
!
mkfifo idle
printf 'one\ntwo\n' >list
check '-w: what may be read as text' \
    'w() { msg -w "$1" && echo 0 || echo $?; }
    echo text | w 60; : | w 60; w 0 <list; w 0 </dev/null; w 0 <&-
    exec 3<>idle; w 0 <&3' <<!
0
0
0
1
1
75
!
check '-w: the list of a loop, in a file, is not to be read' \
    'while read -r line; do echo "$line"; msg -w 0 || echo $?; done <list' <<!
one
1
two
1
!
check 'empty input has no message' 'msg -t </dev/null || echo $?' <<!
1
!
printf '\211PNG\r\n\032\n.' >a.png
printf '%%PDF-1.7\n%%\377' >'b "c".pdf'
printf 'RIFF....WEBPx' >w
printf 'GIF89a' >g
printf '\377\330\377\340' >j
check '-A: pictures and documents as parts, by their first bytes' '
    msg -A a.png -A "b \"c\".pdf" see >parts; jq -c ".content[]" parts
    msg -A w -A g --attach=j | jq -r ".content[].image_url.url"
    jq -r ".content[2].file.file_data" parts | sed "s/.*,//" | base64 -d | cmp - "b \"c\".pdf"' <<!
{"type":"text","text":"see"}
{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgou"}}
{"type":"file","file":{"filename":"b \"c\".pdf","file_data":"data:application/pdf;base64,JVBERi0xLjcKJf8="}}
data:image/webp;base64,UklGRi4uLi5XRUJQeA==
data:image/gif;base64,R0lGODlh
data:image/jpeg;base64,/9j/4A==
!
echo text >text
: >none
fails 65 '-A: a text' 'msg -A text see' <<!
msg: text: expected a PNG, JPEG, GIF or WebP picture or a PDF; a text goes with the message
!
fails 65 '-A: nothing in it' 'msg -A none see' <<!
msg: none: expected a PNG, JPEG, GIF or WebP picture or a PDF; a text goes with the message
!
fails 66 '-A: no such file' 'msg -A a.png -A nix see' <<!
msg: nix: No such file or directory
!
fails 66 '-A: a directory' 'msg -A . see' <<!
msg: .: not a regular file
!
{ cat a.png; head -c 20000000 /dev/zero; } >big
fails 65 '-A: too much of them all' 'msg -A big -A big see' <<!
msg: big: expected at most 33554432 bytes of files
!
rm -f big
check '-E: an error of a script' 'msg -E 5 the turn "is over"' <<!
{"type":"error","from":"turnpipe","code":5,"message":"the turn is over"}
!
cat >used <<'!'
{"type":"usage","model":"m/a","prompt_tokens":10,"completion_tokens":2,"cost":0.01}
{"role":"user","content":"x"}
no record
{"type":"usage","model":"m/b","prompt_tokens":5,"completion_tokens":3,"cached_tokens":4}
{"type":"usage","prompt_tok
!
check '-u: the sum of usage records, without what is no record' \
    'msg -u for=agent agent=x <used; grep -v m/a used | msg -u; msg -u </dev/null' <<!
{"type":"usage","model":"m/b","prompt_tokens":15,"completion_tokens":5,"cached_tokens":4,"calls":2,"cost":0.01,"for":"agent","agent":"x"}
{"type":"usage","model":"m/b","prompt_tokens":5,"completion_tokens":3,"cached_tokens":4,"calls":1}
!
check '-y: the records of a type, however they are spelled' '
    printf "%s\n" "{\"a\":{\"type\":\"request\"},\"type\" : \"request\"}" "{\"type\":\"end\"}" >in
    msg -y request <in; msg -y usage <in || echo $?' <<!
{"a":{"type":"request"},"type" : "request"}
1
!
check '-p: forty at once into one file, each whole' '
    head -c 100000 /dev/zero | tr "\0" x >text; rm -f all
    { for i in $(seq 40); do msg -p <text & done; wait; } >all; wc -c <all | tr -d " "; printf "a\0\377" | msg -p | wc -c | tr -d " "' <<!
4000000
3
!
fails 74 '-p: a full disk' 'echo x | msg -p >/dev/full' <<!
msg: write <stdout>: No space left on device
!
