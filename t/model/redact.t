#!/bin/sh
# redact: no secret in a request, all of it back in the answer.
. "${0%/*}/../lib.sh"

key=sk-live-4tXq9LmZ2vBn7RkD1sWc
user() { printf '{"type":"request","messages":[{"role":"user","content":%s}]}\n' "$1"; }
# there TEXT: as a message's JSON string, redacted; here: and back.
there() { user "$1" | redact -m map; }
here() { there "$1" | sed 's/"type":"request"/"type":"message"/' | redact -r -m map; }

# What can fail first.
fails 64 'no map' 'redact </dev/null' <<!
redact: expected a map: -m, TURNPIPE_REDACT or TURNPIPE_RUN
usage: redact [-m file]
       redact -r [-m file]
!
fails 78 'a kind that no rule has' 'redact --set redact_also=mial -m map </dev/null' <<!
redact: redact.yaml: no rule 'mial' to ask for
!
fails 65 'bad input' 'echo "{\"type\":\"request\"" | redact -m map' <<!
redact: <stdin>:1:18: expected ',' or '}'
!
check 'no request on /dev/full passes for sent' \
    'user "\"$key\"" | redact -m map2 >/dev/full 2>err || echo $?; cat err' <<!
74
redact: write <stdout>: No space left on device
!
fails 73 'without its map no request goes on' 'user "\"$key\"" | redact -m no/map' <<!
redact: no/map.lock: No such file or directory
!
echo '{"placeholder":"x"}' >bad
chmod 600 bad
fails 65 'a malformed map' 'user "\"$key\"" | redact -m bad' <<!
redact: bad:1:1: expected a placeholder and a value of redact
!
: >open
chmod 644 open
fails 77 'a map that others can read' 'user "\"$key\"" | redact -m open' <<!
redact: open: expected a file that only its owner can read: chmod 600
!
mkdir etc
printf 'rules:\n  - {name: a, pattern: x, keyword: [x]}\n' >etc/redact.yaml
fails 78 'a rule with a misspelt key' 'TURNPIPE_PATH=$PWD/etc redact -m map </dev/null' <<!
redact: $PWD/etc/redact.yaml:2:27: expected name, pattern, keywords, within or asked, found "keyword"
!
printf 'rules:\n  - {name: a, pattern: "x(", keywords: [xx]}\n' >etc/redact.yaml
fails 78 'a pattern with a fault' 'TURNPIPE_PATH=$PWD/etc redact -m map </dev/null' <<!
redact: $PWD/etc/redact.yaml:2:24: expected a regular expression
!
printf 'rules:\n  - {name: a, pattern: "(?:x|x)*y", keywords: [xx]}\n' >etc/redact.yaml
check 'a line of which a match limit leaves unknown what it has is hidden, with a warning, and the rest goes on' \
    'user "\"a\n$(printf %0100d 0 | tr 0 x)\\nb $(printf %0100d 0 | tr 0 x)\\nc\"" | TURNPIPE_PATH=$PWD/etc redact -m limits 2>err | grep -o "content.*}]" | sed "s/_[0-9a-f]\{12\}_a[x_]*/@/g"; cat err' <<!
content":"a\\nREDACTED@\\nb REDACTED@\\nc"}]
redact: redact.yaml: a: the pattern takes too many steps: hidden to the end of the line
!
: >etc/redact.yaml
fails 78 'rules switched off' 'TURNPIPE_PATH=$PWD/etc redact -m map </dev/null' <<!
redact: redact.yaml: not found in share, or without rules: nothing would be redacted
!

# Each shape: gone, and back byte for byte.
pem='-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA1234\nAAAB\n-----END OPENSSH PRIVATE KEY-----'
shapes() {
	cat <<-!
	a $key.
	AKIAIOSFODNN7EXAMPLE
	ghp_0123456789abcdefghij0123456789abcdef
	glpat-0123456789abcdefghij
	xoxb-1234567890-abcdefghij
	AIzaSyA0123456789abcdefghijklmnopqrstuv
	eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U
	Authorization: Bearer abcdef0123456789abcdef
	postgres://bob:s3cr3tpw9@db/x
	export DB_PASSWORD=hunter2hunter
	{'api_key': 'abcdefghijklmnopq'}
	aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
	npm_abcdefghijklmnopqrstuvwxyz0123456789
	!
	printf '%b\n' "$pem"
}
shapes | command jq -Rs . >all
check 'no shape of a secret goes out' \
    'there "$(cat all)" >out; grep -c -e "$key" -e AKIAIO -e 456789 -e 34567890 -e s3cr -e hunter -e defghij -e wJalr -e b3Bl -e dozjg out; grep -o REDACTED_ out | wc -l' <<!
0
14
!
# kinds: a line of each kind of key, made of random characters; its last
# ones, a digit among them, go to the file "parts".
kinds() {
	perl -lne 'BEGIN { $all = join "", 0 .. 9, "A" .. "Z", "a" .. "z";
	    %of = (a => $all, b => "$all+/", h => substr($all, 0, 10) . "abcdef",
		u => substr($all, 0, 36), l => substr($all, 0, 10) . substr($all, 36),
		d => substr($all, 0, 10)); srand 5; open P, ">", "parts" }
	next if /^#/;
	($name, $key) = split /\t/;
	$key =~ s/\{([a-z])(\d+)\}/$part = join("", map { substr $of{$1}, rand length $of{$1}, 1 } 2 .. $2) . int rand 10/ge;
	print P "$name $part";
	print $key =~ s/["]/\\"/gr' "$TOP/t/data/keys"
}
check 'each kind of t/data/keys, made of random characters, at the end of a sentence' '
    kinds | sed "s/.*/{\"type\":\"request\",\"messages\":[{\"role\":\"user\",\"content\":\"&.\"}]}/" | redact -m kinds >hidden
    grep -c redacted hidden
    paste -d " " parts hidden | while read -r name part line; do
	case $line in *"$part"*) echo "$name" ;; esac
    done' <<!
181
!
b64=$(seq 100 | sha512sum | tr -d ' \n-')
# lost SCRIPT: how often the key's parts are seen, after the script made it.
lost() { "$@" | command jq -Rs . >key.json; user "$(cat key.json)" | redact -m keymap | grep -o -e "${b64%??????????}" -e "$b64" -e secretpart -e Dyd | wc -l; }
key() { # HEAD END: lines of a private key
	printf '%s\n' "$1" 'Version: GnuPG v2.0.22 (GNU/Linux)' 'Comment: "me@host, 1-2"' '' "$b64" "${b64#?}" =Dyd9 "$2"
}
pgp() { key '-----BEGIN PGP PRIVATE KEY BLOCK-----' "${1-}-----END PGP PRIVATE KEY BLOCK-----"; }
check 'a private key: PGP with a version, quoted, as grep prints it, SSH2; also without its end' \
    'lost pgp; pgp | sed "s/^/> /" >q; lost cat q; lost head -n 6 q
    pgp >f.asc; lost grep -n "" f.asc /dev/null; grep -n -A9 BEGIN f.asc /dev/null >q; lost cat q; lost head -n 6 q
    lost key "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----" "---- END SSH2 ENCRYPTED PRIVATE KEY ----"' <<!
0
0
0
0
0
0
0
!
check 'what speaks of a key before the text goes on hides no more of it' \
    'user "\"if it begins with -----BEGIN PRIVATE KEY-----: fine\\n(see x)\\nuntil -----END PRIVATE KEY----- (there)\"" | redact -m keymap | grep -o "see x.*(there)"' <<!
see x)\\nuntil -----END PRIVATE KEY----- (there)
!
jwt() { printf 'x eyJ%01200d.%s.secretpart0123 y' 7 "$b64"; }
check 'a JWT with a head of 1200 bytes; a token of GitLab with dots' \
    'lost jwt; user "\"glpat-abc.defghijklmnop.01.secretpart1 x\"" | redact -m keymap | grep -c secretpart || :' <<!
0
0
!
check 'a megabyte of dots after what begins a key is no fault, in no request' \
    'for head in eyJaaaaaaaaa. SG.1 pscale_tkn_1 tfp_1 "Bearer 1" "token=1"; do
	perl -e "print q({\"type\":\"request\",\"messages\":[{\"role\":\"user\",\"content\":\"), \$ARGV[0], q(.) x 1100000, qq( $key\"}]}\n)" "$head" | redact -m dots | tr -d . | cut -c 1-60 | grep -c "$key" || :
    done' <<!
0
0
0
0
0
0
!
long=$(printf 'A%070dB' 0) # a name of more than 64 bytes hid what it names
check 'a secret with a long name: in a text, as a member, in the environment' \
    'there "\"${long}_API_KEY=Winter9Winter\"" | grep -o "KEY=.*REDACTED_"
    printf "%s\n" "{\"type\":\"request\",\"messages\":[],\"${long}_api_key\":\"Spring7Spring\"}" | redact -m map | grep -c Spring || :
    env "${long}_API_KEY=Autumn5Autumn" "$BIN/redact" -m map <<-. | grep -c Autumn || :
	{"type":"request","messages":[{"role":"user","content":"so Autumn5Autumn it is"}]}
	.' <<!
KEY=REDACTED_
0
0
!
check 'a text with a brace and nothing to hide stays as it is written' \
    'there "\"a { \\u0041 \\/\"" | grep -o "a {.*/"' <<!
a { \\u0041 \\/
!
check 'what is around it stays' \
    'jq -r ".messages[0].content" out | sed "s/REDACTED_[0-9a-f]\{12\}_[a-z_]*/@/g"' <<!
a @.
@
@
@
@
@
@
Authorization: Bearer @
postgres://bob:@@db/x
export DB_PASSWORD=@
{'api_key': '@'}
aws_secret_access_key = @
@
@

!
check 'all of it comes back' 'here "$(cat all)" | jq -c ".messages[0].content" | cmp - all'  </dev/null
check 'the same once more: the same bytes' 'there "$(cat all)" | cmp - out; ls -l map | cut -c1-10' <<!
-rw-------
!
words='"the token: string of a password field; secret: required; sk-learn-is-a-fine-library-for-this; key=value; tokens[0]; api_key=$API_KEY; password: getpass(x1)"'
check 'what only sounds like one stays, byte for byte' "user '$words' >w; redact -m map3 <w | sed 's/,.redacted.:true//' | cmp - w"  </dev/null
check 'mail addresses only by request' \
    'there "\"x a.b@c.org y\"" | grep -c a.b@c.org
    user "\"x a.b@c.org y\"" | redact --set "redact_also=mail" -m map4 | grep -o "x .* y" | sed "s/_[0-9a-f]\{12\}_mail[x_]*/ /"' <<!
1
x REDACTED  y
!

# Hostile texts.
check 'JSON escapes hide nothing' \
    'there "\"\\u0073k-live-\\u0034tXq9LmZ2vBn7RkD1sWc\"" | grep -c -i -e 4tXq -e u0034 || :' <<!
0
!
args='"{\"cmd\":\"curl -H \\\"x: \\u0073k-live-4tXq9LmZ2vBn7RkD1sWc\\\"\",\"j\":\"{\\\"k\\\":\\\"\\\\u0073k-live-4tXq9LmZ2vBn7RkD1sWc\\\"}\"}"'
check 'nor does JSON in JSON, and it stays JSON' \
    'there "$args" >out; grep -c 4tXq out; command jq -r ".messages[0].content|fromjson|.j|fromjson|.k" out | grep -c REDACTED' <<!
0
1
!
check 'JSON lines in a text' \
    'there "\"log:\\n{\\\"k\\\":\\\"\\\\u0073k-live-4tXq9LmZ2vBn7RkD1sWc\\\"}\\nend\"" | grep -o "log:.*end" | grep -c 4tXq || :' <<!
0
!
parts='[{"type":"text","text":"it is sk-live-4tXq9"},{"type":"text","text":"LmZ2vBn7RkD1sWc, ok"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AKIAIOSFODNN7EXAMPLE"}}]'
check 'nor two parts; a picture is left alone' \
    'user "$parts" | redact -m map | grep -o "it is.*" | sed "s/_[0-9a-f]\{12\}_api_key[x_]*/ /"' <<!
it is REDACTED "},{"type":"text","text":", ok"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AKIAIOSFODNN7EXAMPLE"}}]}],"redacted":true}
!
check 'of two keys, one the beginning of the other, each its own' \
    'here "\"${key} ${key}XY77 ${key}XY\"" | jq -r ".messages[0].content"
    there "\"${key} ${key}XY77 ${key}XY\"" | grep -o "REDACTED_............" | sort -u | wc -l' <<!
$key ${key}XY77 ${key}XY
3
!
id=$(there "\"$key\"" | grep -o 'REDACTED_[0-9a-f]*')
check 'a placeholder that the user typed comes back as it was' \
    'here "\"I saw $id and $key, REDACTED_000000000000_x\"" | jq -r ".messages[0].content"' <<!
I saw $id and $key, REDACTED_000000000000_x
!
answer() { printf '{"role":"assistant","content":"%s"}\n' "$1" | redact -r -m map | jq -r .content; }
check 'one that the model made up stays; one that lost its end is known' \
    'answer "REDACTED_000000000000_api_key REDACTED_ REDACTED_12 $id ${id}_api"' <<!
REDACTED_000000000000_api_key REDACTED_ REDACTED_12 $key $key
!
pemid=$(command jq -r 'select(.value|startswith("-----BEGIN"))|.placeholder' map)
check 'a value with line ends, in arguments: they stay JSON' \
    'printf "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"w\",\"arguments\":\"{\\\\\"text\\\\\":\\\\\"%s\\\\\"}\"}}]}\n" "$pemid" |
    redact -r -m map | command jq -r ".tool_calls[0].function.arguments|fromjson|.text"' <<!
$(printf %b "$pem")
!
mkdir -p "$XDG_CONFIG_HOME/turnpipe/keys"
echo 'plain-0wn-key' >"$XDG_CONFIG_HOME/turnpipe/keys/openai"
check 'our own keys, whatever they look like, and those of the environment' \
    'export MY_TOKEN=qwertz-12; there "\"plain-0wn-key qwertz-12\"" | grep -c -e 0wn -e qwertz || :' <<!
0
!
check 'a torn last line of the map, after a crash, is written anew' \
    'printf %s "{\"placeholder\":\"REDACTED_" >>map; there "\"AKIAIOSFODNN7EXAMPL2\"" | grep -c AKIA
    command jq -r .value map | tail -n 1' <<!
0
AKIAIOSFODNN7EXAMPL2
!
for i in 1 2 3 4 5 6 7 8; do
	there "\"sk-shared-0123456789abc AKIAIOSFODNN7EXAMP$i$i\"" >"p$i" &
done
wait
check 'parallel processes share one map' \
    'grep -ho "REDACTED_[0-9a-f]*_api" p? | sort -u | wc -l; grep -c EXAMP[1-8][1-8] map; command jq -r .value map | sort | uniq -d' <<!
1
8
!
check 'in deltas a placeholder is held until it is whole, and nothing of another record' \
    'part=${id#REDACTED_} end=${id#REDACTED_?????}
    for text in "a REDA" "CTED_${part%"$end"}" "${end}_api_key" ". RED"; do
	    printf "{\"type\":\"delta\",\"id\":\"d\",\"text\":\"%s\"}\n" "$text"
    done >deltas; echo "{\"type\":\"end\"}" >>deltas; redact -r -m map <deltas' <<!
{"type":"delta","id":"d","text":"a "}
{"type":"delta","id":"d","text":"$key"}
{"type":"delta","id":"d","text":". "}
{"type":"delta","text":"RED"}
{"type":"end"}
!

check 'a text without a secret hides none in the next one' \
    'perl -e "print q({\"type\":\"request\",\"messages\":[), join(q(,), map { q({\"role\":\"user\",\"content\":\"\\n) . \$_ . q(\"}) } q(sk-) . q(x) x 50000, \$ARGV[0] . q( ) x 49977), qq(]}\n)" "$key" | redact -m map6 | grep -c 4tXq || :' <<!
0
!

# 17 MB in linear time: ten times the text, not thirty times the time.
check 'text made to be slow is not' \
    'perl -e "print q({\"type\":\"request\",\"messages\":[{\"role\":\"user\",\"content\":\"), join(q(), map { \$_ x (1000000 / length) } q(eyJ-), q(-----BEGIN PRIVATE KEY-----), q(token=), q(a@), q(sk-a), q(://a:), q(eyJ-eyJ), q(auth=), q(-u a:), q(login a password ), q(Bearer a), q(dp.st.a), q(sk-_), q(sk.a), q(Private-Lines: 1), q(tfp_a.)), q(\"}]}), qq(\n)" >slow
    agentpool -t ${SAN:+1}20 -- redact -m map5 <slow | wc -l' <<!
1
!

# In a turn: the canary in AGENTS.md, a tool's result, the question, a file.
export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test
rm -rf "$XDG_CONFIG_HOME/turnpipe/keys"
mkdir -p .git "$XDG_CONFIG_HOME/turnpipe/profiles"
P=$XDG_CONFIG_HOME/turnpipe/profiles/safe
sed "s, -R$,& | redact," "$TOP/share/profiles/default" >"$P"
printf 'The deploy key is %s.\n' "$key" >AGENTS.md
printf 'TOKEN=%s\n' "$key" >notes
seed() {
	mkdir -p "$1.d"
	(umask 077; printf '{"placeholder":"REDACTED_00000000abcd_api_key","value":"%s"}\n' "$key" >"$1.d/redacted")
}
seed s
ph=REDACTED_00000000abcd_api_key
write="{\"calls\":[{\"id\":\"c2\",\"name\":\"write_file\",\"arguments\":{\"path\":\"new\",\"content\":\"x $ph\\n\"}}]}"
read='{"calls":[{"id":"c1","name":"read_file","arguments":{"path":"notes"}}]}'
serve "$read" "$write" "{\"text\":\"Wrote $ph.\"}" "{\"text\":\"Again $ph.\"}"
check 'a turn: no request has the key, arguments and answer have it' \
    'turnpipe -P safe -Fy -s s.jsonl "use $key"; sent; grep -c 4tXq "$REQUESTS"; cat new
    turnpipe -P safe -Fyq -s s.jsonl "again"; grep -c 4tXq "$REQUESTS"; grep -c REDACTED s.jsonl || :' <<!
Wrote $key.
3
0
x $key
Again $key.
0
0
!
check 'the prefix of each request stays, byte for byte' \
    'for n in 2 3 4; do
	sed -n "$((n - 1))p" "$REQUESTS" | command jq -c ".body.messages|.[:-2]|.[]" >a
	sed -n "${n}p" "$REQUESTS" | command jq -c ".body.messages[]" | head -n $(wc -l <a) >b; diff a b && echo same
    done' <<!
same
same
same
!
serve "$read" '{"text":"ok"}'
check 'without it the key is in all of them' \
    'turnpipe -Fq -s plain.jsonl "use $key"; grep -c 4tXq "$REQUESTS"; ls plain.d | grep redact || :' <<!
ok
2
!
check 'a dry run shows it, and leaves no map' \
    'turnpipe -n -P safe -s dry.jsonl "use $key" | grep -c -e 4tXq; ls dry.d 2>/dev/null | grep redact || :' <<!
0
!
seed a
serve '{"calls":[{"id":"c1","name":"explore","arguments":{"task_prompt":"Where is '$ph'?"}}]}' \
    "{\"text\":\"In notes: $ph\"}" '{"text":"ok"}'
check 'a sub-agent, whose profile has no redact, gets none either' \
    'turnpipe -P safe -Fq -s a.jsonl "find it"; sent; grep -c 4tXq "$REQUESTS"; grep -c "In notes: $key" a.jsonl' <<!
ok
3
0
1
!
serve '{"text":"A summary of '$ph'."}'
check 'nor does the call that folds it' \
    'turnpipe fold -f s.jsonl 2>/dev/null; sent; grep -c 4tXq "$REQUESTS"; jq -r "select(.type==\"summary\").content" s.jsonl' <<!
1
0
A summary of $key.
!
serve '{"text":"I have '$ph' here."}'
check 'a redact that fails keeps the request at home' \
    'printf x >>s.d/redacted; chmod 644 s.d/redacted; turnpipe -P safe -Fq -s s.jsonl hi 2>&1; echo $?; sent' <<!
redact: $PWD/s.d/redacted: expected a file that only its owner can read: chmod 600
redact: $PWD/s.d/redacted: expected a file that only its owner can read: chmod 600
redact: $PWD/s.d/redacted: expected a file that only its owner can read: chmod 600
77
0
!
seed t
needs pty check 'streamed to a terminal: the key is back' \
    'TURNPIPE_SHOW=0 script -qec "turnpipe -P safe -F -s t.jsonl hi" /dev/null </dev/null 2>&1 | tr -d "\r"' <<!
I have $key here.
!

# What llmcall would do with a request, without a server: the answer repeats
# the first placeholder.
cat >echo.sh <<'!'
p=$(grep -o "REDACTED_[0-9a-f]*_[a-z_]*" | head -n 1)
printf '{"type":"message","role":"assistant","content":"I have %s."}\n{"type":"end"}\n' "$p"
!
printf '%s\n' "$(grep -v "^#" "$P") \\" "	| grep -v '^#'" >odd.new
sed -i 's/| redact/|  "redact"/' odd.new
mv odd.new "${P%/*}/odd"
for how in 'odd' 'default --set redact=true'; do
	p=${how%% *}
	check "whatever the profile looks like ($how): the answer has the key" "
	    export TURNPIPE_CALL='sh echo.sh'
	    turnpipe -F -P $how -s $p.jsonl 'use \$key'; turnpipe -Fc -s $p.jsonl 'again'
	    grep -c REDACTED_ $p.jsonl || :" <<!
I have $key.
I have $key.
0
!
	needs pty check "and shown on a terminal, from the first step on ($how)" "
	    export TURNPIPE_CALL='sh echo.sh' TURNPIPE_SHOW=0
	    script -qec 'turnpipe -F -P $how -s $p.tty.jsonl \"use \$key\"' /dev/null </dev/null 2>&1 | tr -d '\r'" <<!
I have $key.
!
done
serve '{"text":"Plain."}' '{"text":"Plain."}'
needs pty check 'a profile that redacts by itself: its text is shown once' \
    'for i in 1 2; do TURNPIPE_SHOW=0 script -qec "turnpipe -F -P odd -s once.jsonl hi" /dev/null </dev/null | tr -d "\r"; done' <<!
Plain.
Plain.
!
serve "$read" '{"text":"ok"}' '{"text":"A summary."}' '{"text":"none"}'
export TURNPIPE_SET=redact=true
check 'redact: true: no call of a run has the key, and deltas have it put back' '
    turnpipe -Fs all.jsonl --json "use $key" | grep "\"delta\"" | grep -c REDACTED || :
    for i in 1 2 3; do msg "more $key" | histadd all.jsonl; msg -r assistant ok | histadd all.jsonl; done
    rm all.d/redacted; turnpipe fold -f all.jsonl 2>/dev/null; rm all.d/redacted; turnpipe facts all.jsonl 2>/dev/null || :
    sent; grep -c 4tXq "$REQUESTS" || :; ls all.d | grep "redacted$" || :' <<!
0
4
0
!
check 'a request is redacted once' \
    'user "\"$key\"" | redact -m once >one; redact -m once <one | cmp - one; grep -c redacted one' <<!
1
!
