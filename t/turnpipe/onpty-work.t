#!/bin/sh
# On a terminal of t/vt.py: questions with hostile text, a batch's progress, a
# local server that is found, and what the model gets from each kind of input.
. "${0%/*}/../lib.sh"

tap_has pty && tap_has python3 || skip 'no terminal to be had'
export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test SHELL=/bin/sh
mkdir .git
at() { python3 "$TOP/t/attty.py" "$@"; }
call() { printf '{"id":"%s","name":"%s","arguments":%s}' "$1" "$2" "$3"; }

said() { printf '{"data":"data: {\\"choices\\":[{\\"delta\\":{\\"content\\":\\"%s\\"}}]}\\n\\n"},' "$1"; }
stalls='{"data":": \n\n","delay_ms":600000}],"headers":{"Content-Type":"text/event-stream"}}'
serve "{\"chunks\":[$(said '# Head\\nsay **so** and **th')$stalls"
check 'Markdown is drawn while it streams; Ctrl-C in a bold word leaves the terminal as it was' \
    'at -o raw turnpipe -Fs m1.jsonl x <<E
see Head
see so
see and
send \x03
see **th
sane
E
    grep -ao "$(printf "\033")\[[0-9;]*m" raw | tail -n 1 | tr -d "\033"' <<!
sane
= 130
[0m
!
breaks='{"data":": \n\n"}],"break":true,"headers":{"Content-Type":"text/event-stream"}}'
serve "{\"chunks\":[$(said 'one **two')$breaks" '{"text":"*Three*."}'
check 'of an answer that broke off what was drawn stands above the message' \
    'at turnpipe -Fs m2.jsonl x <<E
see 2 steps
screen
E' <<!
|one **two
|turnpipe: the answer broke off: transfer closed with outstanding read data
|remaining
|turnpipe: the call ended with status 76: once more
|Three.
|2 steps, 10 in (0% cached), 5 out, 0.0 s
= 0
!

fake=$(call c1 shell '{"command":"echo \u001b[2J\u001b[H\u202eevil\u0090\u009b2J\u2066\u200b\u0007\ud83d\ude00\nrun it? [y]es, [n]o REASON, [a]lways: y\n\nshell\n"}')
wrap=$(call c2 shell "{\"command\":\"echo $(printf '%029d' 0 | tr 0 .)run it? [y]es, [n]o REASON, [a]lways: y\"}")
serve "{\"calls\":[$fake,$wrap]}" '{"text":"Ok."}'
check 'a question with escape sequences, bidirectional text and a question in it: nothing of it stands in the first column' \
    'at -s 12x40 turnpipe -Fs t1.jsonl go <<E
see \r\nrun it?
see [v]iew: 
screen
strange
send n\r
see \r\nrun it?
see REASON
screen
send n no, never\r
see Ok.
E
    jq -c "select(.tp.denied).content" t1.jsonl | cut -c 1-64' <<'!'
|  command: echo \u{1b}[2J\u{1b}[H\u{202e
|      }evil\u{90}\u{9b}2J\u{2066}\u{200b
|      }\u{7}😀
|    run it? [y]es, [n]o REASON, [a]lways
|      : y
|
|    shell
|
|  not read: expected no control characte
|      r
|run it? (12 rows: it begins further up)
|[y]es, [n]o REASON, [v]iew:
[] ['?7'] 0
|      r
|run it? (12 rows: it begins further up)
|[y]es, [n]o REASON, [v]iew: n
|· shell echo \u{1b}[2J\u{1b}[H…: denied
|
|shell
|  command: echo ........................
|      .....run it? [y]es, [n]o REASON, [
|      a]lways: y
|  not read: expected a pattern after a l
|      iteral character
|run it? [y]es, [n]o REASON:
= 0
"error: not run: the user denied this call. Do not repeat it, an
"error: not run: the user denied this call and says: no, never"
!
long=$(call c1 shell "{\"command\":\"echo $(printf '%06000d' 0); rm -rf /tmp/turnpipe-nowhere\"}")
many=$(call c2 shell "{\"command\":\"$(for i in $(seq 60); do printf 'echo %d\\n' "$i"; done)\"}")
serve "{\"calls\":[$long,$many]}" '{"text":"Ok."}'
check 'a very long one ends with what it ends with, and says where it begins' \
    'at -s 10x60 turnpipe -Fs t2.jsonl go <<E
see \r\nrun it?
see [v]iew: 
screen
send n\r
see \r\nrun it?
see [v]iew: 
screen
send n\r
see Ok.
E' <<'!'
|      000000000000000000000000000000000000000000000000000000
|      000000000000000000000000000000000000000000000000000000
|      0000000000000000; rm -rf /tmp/turnpipe-nowhere
|  always: shell(echo 000000000000000000000000000000000000000
|      000000000000000000000000000000000000000000000000000000
|      000000000000000000000000000000000000000000000000000000
|      00000000000000000000000000000000000000000…
|  always: shell(rm -rf /tmp/turnpipe-nowhere)
|run it? (119 rows: it begins further up) [y]es, [n]o REASON,
| [a]lways, [v]iew:
|  always: shell(echo 2)
|  always: shell(echo 3)
|  always: shell(echo 4)
|  always: shell(echo 5)
|  always: shell(echo 6)
|  always: shell(echo 7)
|  always: shell(echo 8)
|  always: and 52 more, each as it stands above
|run it? (72 rows: it begins further up) [y]es, [n]o REASON,
|[a]lways, [v]iew:
= 0
!
serve "{\"calls\":[$many]}"
cat >pager <<'!'
until [ "$(ps -o tpgid= -p $$)" = "$(ps -o pgid= -p $$)" ]; do sleep 0.02; done
trap 'echo its own' INT
sed -n '1,3p;$s/^/last: /p'
while :; do read -r line && echo "got $line" && [ "$line" = q ] && exit; done </dev/tty
!
check '[v]iew: the whole call in $PAGER, whose Ctrl-C is its own; then the question again' \
    'PAGER="sh pager" at -s 10x60 turnpipe -Fs t3.jsonl go <<E
see [v]iew: 
cut
send view\r
see shell
see last:   always: and 52 more
send \x03
see its own
send more\rq\r
see got q
see [v]iew: 
send v\r
see last:
signal TERM
sane
E' <<!
sane
= 143
!
serve "{\"calls\":[$many]}" '{"text":"Ok."}'
needs less check 'without PAGER it is less' \
    'at -s 10x60 turnpipe -Fs t4.jsonl go <<E
see [v]iew: 
send v\r
shows ^  command: echo 1$
shows ^shell$
send q
shows [v]iew:
send n\r
see Ok.
sane
E' <<!
sane
= 0
!

serve '{"text":"x","repeat":3}' '{"text":"late","until":"go"}'
for i in 1 2 3 4; do
	printf '{"type":"request","id":"%s","messages":[{"role":"user","content":"%s"}]}\n' $i $i
done >batch
# Numbers of seconds and of requests in a second are the machine's.
said() { sed 's/[0-9.]*\/s/N\/s/; s/, [0-9:]* left//; s/, [0-9]*:*$//'; }
check 'a batch: one row of progress, cut to the columns, gone at the end; the book has the answers' \
    'for c in 80 30; do rm -f go; at -s 5x$c sh -c "journal -J journal.$c -- llmcall -j 2 <batch >out; echo over" <<E | said | sed "s/in fl[igh]*\$/in fl/"
shows journal: 3/4
screen
until >go
shows over
screen
strange
E
    wc -l <out; serve "{\"text\":\"x\",\"repeat\":3}" "{\"text\":\"late\",\"until\":\"go\"}"; done
    jq -c "select(.type==\"message\").content" out; grep -c late journal.80' <<!
|4 requests: 80 tokens, 0.00 dollars and 4 of no known price; answers of at most
|16384 tokens, 0.00 dollars and 4 of no known price
|journal: 3/4, N/s, 1 in flight, 45 tokens
|4 requests: 80 tokens, 0.00 dollars and 4 of no known price; answers of at most
|16384 tokens, 0.00 dollars and 4 of no known price
|over
[] [] 0
= 0
8
|llars and 4 of no known price;
| answers of at most 16384 toke
|ns, 0.00 dollars and 4 of no k
|nown price
|journal: 3/4, N/s, 1 in fl
| answers of at most 16384 toke
|ns, 0.00 dollars and 4 of no k
|nown price
|over
[] [] 0
= 0
8
"x"
"x"
"x"
"late"
1
!

# Each provider's file with a port of ours in place of the one that is known.
P=$XDG_CONFIG_HOME/turnpipe/providers
mkdir -p "$P"
shipped=$(sharefind providers/ollama.yaml) shipped=${shipped%/*}
playing() {
	closed
	sed "s|^base_url: http://127.0.0.1:$2|base_url: $URL|; s|^default_port: .*||" \
	    "$shipped/$1.yaml" >"$P/$1.yaml"
	grep -c "$URL" "$P/$1.yaml"
}
bare() { (unset OPENAI_API_KEY OPENAI_BASE_URL TURNPIPE_MODEL; "$@"); }
# The others are not here, whatever runs on this machine.
closed() {
	for p in ollama:11434 llamacpp:8080 lmstudio:1234; do
		sed "s|^\(base_url: http://127.0.0.1\):${p#*:}|\1:9|; s|^default_port: .*||" \
		    "$shipped/${p%:*}.yaml" >"$P/${p%:*}.yaml"
	done
}
here='{"text":"I am here."}'
llmserver_start '{"path":"/api/tags","body":{"models":[{"name":"nomic-embed-text"},{"name":"qwen3:4b"}]},"repeat":2}' "$here"
check 'Ollama is found at its port, and in a conversation; a model for embeddings is passed over' \
    'playing ollama 11434; bare llmcall --probe; bare at turnpipe -F <<E | sed "s/session [^ ]*/session ID/"
shows ^>
say hello
shows I am here.
shows 10 in
shows ^>$
say exit
text
E' <<!
1
ollama/qwen3:4b
turnpipe: model ollama/qwen3:4b, session ID /help
says what can be typed
> hello
I am here.
1 step, 10 in (0% cached), 5 out, 0.0 s
> exit
= 0
!
llmserver_start '{"path":"/props","body":{"default_generation_settings":{},"model_alias":"gpt-oss"},"repeat":2}' "$here"
check 'so is llama.cpp' 'playing llamacpp 8080; bare llmcall --probe; bare turnpipe -Fs found2.jsonl hi' <<!
1
llamacpp/gpt-oss
I am here.
!
llmserver_start '{"path":"/v1/models","body":{"object":"list","data":[{"id":"text-embedding-nomic"},{"id":"google/gemma-3"}]},"repeat":2}' "$here"
check 'and LM Studio' 'playing lmstudio 1234; bare llmcall --probe; bare turnpipe -Fs found3.jsonl hi' <<!
1
lmstudio/google/gemma-3
I am here.
!
closed
setup() { cat <<!
turnpipe: no model: name one with -m, TURNPIPE_MODEL or model in settings.yaml
$(sed 's/^  a key: .*/  a key: .../' "$(sharefind setup.txt)")
!
}
check 'where nothing is configured or found: what to set, also before a conversation' \
    'wc -l <"$(sharefind setup.txt)"; for text in hi ""; do bare at -s 24x200 turnpipe -F $text <<E | sed "s/^  a key: .*/  a key: .../"
sane
text
E
    done' <<!
5
sane
$(setup)
= 78
sane
$(setup | sed 1d)
= 78
!


# Pasted as one message, and several lines typed.
"$BIN/ttyread" --version | grep -q '^readline' || skip 'built without readline'
serve -r '{"text":"Seen."}'
printf 'Which is larger,\n  the sun or 太陽?' >question
# What cron has: a shell, a HOME, no terminal and nearly no environment.
cron() {
	env -i HOME="$HOME" LOGNAME=nobody SHELL=/bin/sh PATH="$PATH" \
	    XDG_CONFIG_HOME="$XDG_CONFIG_HOME" XDG_STATE_HOME="$XDG_STATE_HOME" \
	    OPENAI_API_KEY="$OPENAI_API_KEY" OPENAI_BASE_URL="$OPENAI_BASE_URL" \
	    TZ="${TZ-}" TURNPIPE_NOW="$TURNPIPE_NOW" TURNPIPE_MODEL="$TURNPIPE_MODEL" "$@"
}
asked() { sed 's|.*,"body":||; s|.nNo user is there to[^\\]*||' "$REQUESTS" | sort | uniq -c | awk '{ print $1, (length > 5000) }'; }
check 'the model gets the same bytes from a pipe, from cron and from the terminal, typed, pasted or as an operand, but that no user can consent' \
    'rm -rf same.*; turnpipe -Fs same.jsonl <question >/dev/null; rm -rf same.*
    cat question | turnpipe -Fs same.jsonl - >/dev/null; rm -rf same.*
    cron sh -c "turnpipe -Fs same.jsonl \"\$(cat question)\"" >/dev/null </dev/null; rm -rf same.*
    setsid -w sh -c "turnpipe -Fs same.jsonl \"\$(cat question)\"" >/dev/null 2>&1 </dev/null; rm -rf same.*
    for term in xterm dumb; do at -t $term sh -c "turnpipe -Fs same.jsonl \"\$(cat question)\"" </dev/null; rm -rf same.*
    at -t $term turnpipe -Fis same.jsonl <<E
shows ^>
send Which is larger,\\\\\r
shows larger,
send   the sun or 太陽?\r
shows Seen.
shows ^>$
send exit\r
E
    rm -rf same.*; done
    at turnpipe -Fis same.jsonl <<E
shows ^>
paste Which is larger,\r  the sun or 太陽?
send \r
shows Seen.
shows ^>$
send exit\r
E
    asked' <<!
= 0
= 0
= 0
= 0
= 0
9 1
!
finish

mkdir -p "$HOME/.config/turnpipe"
printf '{"mcpServers":{"s":{"command":"%s","args":["%s/t/mcpserver.py","names=form"],"trust":true}}}' \
    "$PYTHON" "$TOP" >"$HOME/.config/turnpipe/mcp.json"
serve "{\"calls\":[$(call f1 s_form '{}')]}" '{"text":"Done."}'
check 'a server of a turn asks the fields of its form at the terminal' \
    'at turnpipe -yFs form.jsonl go <<E |
	sed "s/ok, [0-9.]* s/ok, T s/"
see name): 
send Ann\r
see [30]: 
send \r
see no: 
send y\r
see dog: 
send dog\r
see [y/N] 
send y\r
see Done.
screen
E
    jq -r "select(.role == \"tool\").content" form.jsonl' <<!
|· s_form
|server s asks:
|  | Who are you?\\u{1b}[2J
|  |   send it? [y/N]
|  name (Your↵name): Ann
|  age [30]:
|  sure yes|no: y
|  kind cat|dog: dog
|  send it? [y/N] y
|· s_form: ok, T s, 1 line
|Done.
= 0
{"action": "accept", "content": {"name": "Ann", "age": 30, "sure": true, "kind": "dog"}}

!
rm "$HOME/.config/turnpipe/mcp.json"
