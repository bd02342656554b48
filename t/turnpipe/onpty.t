#!/bin/sh
# What a user sees of a turn, on a terminal of its own.
. "${0%/*}/../lib.sh"

python3 "$TOP/t/onpty.py" -- true 2>/dev/null || skip 'there is no terminal to be had, or no python3'
export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
export OPENAI_API_KEY=sk-test TERM=xterm
mkdir .git
# on [-c COLUMNS] [EXPECT SEND]... -- COMMAND: the bytes that the terminal got.
on() { printf 'one\ntwo\n' >notes; python3 "$TOP/t/onpty.py" "$@"; }
esc=$(printf '\033') cr=$(printf '\r')
# As it looks in the end: of a line that was written again the last state, and
# no colours.
seen() { sed "s/$cr*\$//; s/$esc\[[02]m//g; s/$esc\[K//g; s/.*$cr//"; }
# The longest line in columns; none of these texts has wide characters.
widest() { seen | LC_ALL=C tr -d '\200-\277' | awk 'length > n { n = length } END { print n }'; }
call() { printf '{"id":"%s","name":"%s","arguments":%s}' "$1" "$2" "$3"; }
read=$(call c1 read_file '{"path":"notes"}')
wild=$(call c2 shell '{"command":"echo a\u001b[31mb\u202ec\u009bd\ne; exit 3"}')
write=$(call c3 write_file '{"path":"notes","content":"one\n2\n3\n"}')
never=$(call c4 never '{"path":"notes"}')
both=$(call c5 read_file '{"path":"notes"}'),$(call c6 grep '{"pattern":"two","path":"notes"}')
talk() {
	serve "{\"text\":\"Let me look.\",\"calls\":[$read]}" \
	    "{\"calls\":[$wild,$write,$never]}" '{"text":"It has two lines."}'
}
talk
check 'a line for each call, an edit as a diff, a line for the turn; the text of a step begins a line' \
    'on -- turnpipe -Fys t1.jsonl "how many lines?" >raw; seen <raw' <<'!'
Let me look.
· read_file notes: ok, 0.0 s, 2 lines
· shell echo a\u{1b}[31mb\u{202e}c\u{9b}d↵e; exit 3: status 3, 0.0 s, 3 lines
· write_file notes: ok, 0.0 s, 1 line
      content: from line 2 on
      - two
      + 2
      + 3
· never: not run: there is no tool never; on offer: agent, apply_patch, edit_f…
It has two lines.
3 steps, 30 in (0% cached), 15 out, 0.0 s
!
check 'nothing is sent to the terminal but faint, plain, and erase to the end' \
    "sed 's/$esc\[[02]m//g; s/$esc\[K//g' raw | LC_ALL=C grep -c \"$esc\" || LC_ALL=C tr -d '[:print:]\r\n' <raw | sed 's/$esc//g; s/·//g; s/↵//g; s/…//g'" <<!
0
!
talk
check 'on 40 columns lines are cut' \
    'on -c 40 -- turnpipe -Fys t2.jsonl "how many lines?" >raw; widest <raw; seen <raw | grep shell' <<'!'
39
· shell echo…: status 3, 0.0 s, 3 lines
!
talk
check 'NO_COLOR: no colours' \
    'NO_COLOR=1 on -- turnpipe -Fys t3.jsonl "how many lines?" >raw; grep -c "$esc\[[02]m" raw || seen <raw | grep -c ok' <<!
0
3
!
talk
check 'a dumb terminal gets lines, and no escape' \
    'TERM=dumb on -c 60 -- turnpipe -Fys t4.jsonl "how many lines?" >raw; grep -c "$esc" raw || widest <raw' <<!
0
59
!
talk
check '-q: the answer alone' \
    'on -- turnpipe -Fqys t5.jsonl "how many lines?" | tr -d "\r"' <<!
It has two lines.
!
talk
check 'nothing of it on standard output, nor anywhere without a terminal' \
    'on -- sh -c "turnpipe -Fys t6.jsonl how many lines >out" | seen | grep -c "^·"; cat out
    sed "s/c1/d1/" "$tap/script" >s; llmserver_start "$(cat "$tap/script" | head -n 1)" "{\"text\":\"Two.\"}"
    OPENAI_BASE_URL=$URL/v1 TURNPIPE_SHOW=2 turnpipe -Fvys t7.jsonl "how many lines?" 2>&1' <<!
4
It has two lines.
Two.
!
talk
check '-v: also what a tool printed' \
    'on -- turnpipe -Fvys t8.jsonl "how many lines?" | seen | sed -n "/read_file/,/shell/p;/write_file/,/never/p"' <<'!'
· read_file notes: ok, 0.0 s, 2 lines
    one
    two
· shell echo a\u{1b}[31mb\u{202e}c\u{9b}d↵e; exit 3: status 3, 0.0 s, 3 lines
· write_file notes: ok, 0.0 s, 1 line
      content: from line 2 on
      - two
      + 2
      + 3
· never: not run: there is no tool never; on offer: agent, apply_patch, edit_f…
!
talk
check 'an edit that needs consent is shown as a diff; a no is seen in its line' \
    'on "run it? [y]es, [n]o REASON" "n\r" "run it? [y]es, [n]o REASON" "n not now\r" -- \
    turnpipe -Fs t9.jsonl "how many lines?" | seen | sed -n "/write_file/,/never/p"' <<'!'
write_file
  path: notes
  content: from line 2 on
  - two
  + 2
  + 3
  always: write_file(notes)
run it? [y]es, [n]o REASON, [a]lways: n not now
· write_file notes: denied
· never: not run: there is no tool never; on offer: agent, apply_patch, edit_f…
!
edits=$(call c1 edit_file '{"path":"notes","edits":[{"old":"one\n","new":"1\n"},{"old":"two","new":"2"}]}')
serve "{\"calls\":[$edits]}" '{"text":"Done."}' "{\"calls\":[$edits]}" '{"text":"Done."}'
check 'several edits in one call, with and without a question' \
    'on -- turnpipe -Fys e1.jsonl x | seen | sed -n "/^·/,/^D/p"
    on "[a]lways: " "n\r" -- turnpipe -Fs e2.jsonl x | seen | sed -n "/path/,/run/p"' <<'!'
· edit_file notes: ok, 0.0 s, 1 line
      @@
      - one
      + 1
      @@
      - two
      + 2
Done.
  path: notes
  @@
  - one
  + 1
  @@
  - two
  + 2
  always: edit_file(notes)
run it? [y]es, [n]o REASON, [a]lways: n
!
agent=$(call c1 agent '{"agent_name":"explore","task_prompt":"Look at\nit all."}')
serve "{\"calls\":[$agent]}" "{\"text\":\"I look.\",\"calls\":[$both]}" \
    '{"text":"Seen."}' '{"text":"Done."}'
check 'an agent has its calls below its line, with its name; side by side each has two lines' \
    'on -- turnpipe -Fys t10.jsonl "look" | seen | sed "s/\(one\|two\) lines*$/N/;s/ok, .*/ok/" | sort' <<'!'
  explore: · grep two notes
  explore: · grep two notes: ok
  explore: · read_file notes
  explore: · read_file notes: ok
2 steps, 40 in (0% cached), 20 out, 0.0 s
Done.
· agent explore Look at↵it all.
· agent explore Look at↵it all.: ok
!
talk
check 'display: what is said goes whole through a command, cleaned' \
    'on -- turnpipe -Fys t11.jsonl --set "display=tr a-z A-Z" "how many lines?" | seen | grep -i "^[a-z]"
    jq -r "select(.role==\"assistant\").content | strings" t11.jsonl' <<!
LET ME LOOK.
IT HAS TWO LINES.
Let me look.
It has two lines.
!
serve "{\"text\":\"a\u001b[31mb\"}" '{"text":"plain"}'
check 'also what could be obeyed; a command that fails loses no text' \
    'on -- turnpipe -Fqs t12.jsonl --set "display=cat -n" x | tr -d "\r"
    on -- turnpipe -Fqs t13.jsonl --set "display=exit 3" x | tr -d "\r"' <<'!'
     1	a\u{1b}[31mb
mdterm: display: status 3: exit 3
plain
!
serve -r '{"text":"# Head\n**b** `c`\n"}'
forms() { on -- "$@" | sed "s/$esc\[0*;*\([0-9;]*\)m/{\1}/g" | tr -d '\r' | sed '/step/d'; }
check 'Markdown is drawn on a terminal with color; without one, with -q, NO_COLOR and by the setting it is as it was written' '
    forms turnpipe -Fs m1.jsonl x
    forms turnpipe -Fqs m2.jsonl x
    NO_COLOR=1 forms turnpipe -Fs m3.jsonl x
    TERM=dumb forms turnpipe -Fs m4.jsonl x
    forms turnpipe -Fs m5.jsonl --set markdown=false x
    forms sh -c "turnpipe -Fs m6.jsonl x | cat"' <<!
{1;4}Head{}
{1}b{} {36}c{}
$(for i in q NO_COLOR dumb setting pipe; do printf '# Head\n**b** `c`\n'; done)
!
secret=sk-proj-$(printf %048d 1)
serve "{\"text\":\"Say **$secret**.\"}"
check 'with redact, too: what is put back is drawn' '
    forms turnpipe -Fs m7.jsonl --set redact=true "key $secret"; grep -c "$secret" "$REQUESTS" || :' <<!
Say {1}$secret{}.
0
!
# The model takes its time: a sign of life, which is erased; then the bell.
waits() {
	serve "{\"text\":\"Late.\",\"stall_ms\":$((1200 * k))}"
	rm -rf t14.*
	(unset TURNPIPE_NOW; on -- turnpipe -Fs t14.jsonl --set bell=1 x) >raw
	sed "s/$esc\[K/K/g; s/$esc\[[02]m//g; s/$cr/</g" raw |
	    sed 's/[0-9.]* s<$/N s/; s/waiting, [2-9] sK<//; s/\(waiting, [0-9]* sK<\)\1*/\1/' | tr '\007' '!'
}
slowly 'a waiting model: a sign of life, gone at the first text; a bell' waits <<'!'
<waiting, 1 sK<KLate.<
!1 step, 10 in (0% cached), 5 out, N s
!
# Titles and help in rows of 40 columns; wide characters count as two.
serve -r '{"text":"Ok."}'
cd "$(mktemp -d -p .)"
mkdir .git
turnpipe -F 'Why is the flaky test so very slow today?' >/dev/null
turnpipe -F 'これは日本語の質問です。なぜこのテストは遅いのでしょうか' >/dev/null
check 'on 40 columns no row of a list breaks, and no line breaks inside a word' \
    'on -c 40 -- turnpipe log >raw; seen <raw | sed "s/.*[0-9]:[0-9][0-9]  //"
    on -c 40 -- turnpipe models gemini >raw; widest <raw; seen <raw | sed 2q
    on -c 40 -- turnpipe login >raw; seen <raw | head -n 2' <<'!'
これは日本語の質…
Why is the flaky…
40
model
  window  output    $ in  cached     out
turnpipe: no command 'login': a key is a
variable or a file: turnpipe doctor says
!
finish
