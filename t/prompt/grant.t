#!/bin/sh
# What a skill's allowed-tools ask for is granted by the user's word alone.
. "${0%/*}/../lib.sh"

export TURNPIPE_MODEL=openai/test OPENAI_API_KEY=sk-test
mkdir -p .git .agents/skills/commit
printf -- '---\nname: commit\ndescription: How to commit.\nallowed-tools: Bash(touch:*) Read NotebookEdit Bash(:*) WebFetch(domain:x)\n---\nCommit it.\n' \
    >.agents/skills/commit/SKILL.md
turn() {
	serve '{"calls":[{"id":"a","name":"use_skill","arguments":{"skill_name":"commit"}}]}' \
	    '{"calls":[{"id":"b","name":"shell","arguments":{"command":"touch '"$1"'"}}]}' \
	    '{"calls":[{"id":"c","name":"shell","arguments":{"command":"rm '"$1"'"}}]}' \
	    '{"text":"Done."}'
	turnpipe -Fq -s "./$2.jsonl" 'commit' 2>&1
}
answer() { python3 "$TOP/t/onpty.py" '[y/N] ' "$1\\n" -- turnpipe skills trust commit | tr -d '\r'; }
check 'unasked for, nothing is granted; the user is shown what it would have' \
    'turn one s || echo $?; ls' <<!
skillmenu: the skill commit would run unasked: shell(touch *);read_file (not known here: NotebookEdit, Bash(:*), WebFetch(domain:x)); 'turnpipe skills trust commit' shows it and asks
toolrun: shell: not run: no terminal to ask on; allow it with -y, --permit or toolrun.allow
toolrun: shell: not run: no terminal to ask on; allow it with -y, --permit or toolrun.allow
Done.
turnpipe: not allowed, and no user was asked: shell (b), shell (c)
77
s.d
s.jsonl
!
needs pty check 'the question shows the file and the rules' 'answer n' <<!
---
name: commit
description: How to commit.
allowed-tools: Bash(touch:*) Read NotebookEdit Bash(:*) WebFetch(domain:x)
---
Commit it.

skillmenu: run shell(touch *);read_file (not known here: NotebookEdit, Bash(:*), WebFetch(domain:x)) unasked in a session that has loaded commit? [y/N] n
!
needs pty check 'what was typed before the question is no answer' '
    python3 "$TOP/t/onpty.py" go "a\\ny\\n" "[y/N] " "n\\n" -- sh -c "echo go; read -r x; turnpipe skills trust commit || echo no" | tail -n 1 | tr -d "\r"' <<!
no
!
check 'a no grants nothing' 'turn one s1 >out || echo $?; ls -d one 2>/dev/null || :' <<!
77
!
needs pty check 'a yes grants its rules to a session that loads it, and no more' \
    'answer y >out; turn two s2 || echo $?; ls -d two; cat s2.d/allow' <<!
toolrun: shell: not run: no terminal to ask on; allow it with -y, --permit or toolrun.allow
Done.
turnpipe: not allowed, and no user was asked: shell (c)
77
two
shell(touch *)
read_file
!
needs pty check 'in a session that has not loaded it, it grants nothing' \
    'serve "{\"calls\":[{\"id\":\"b\",\"name\":\"shell\",\"arguments\":{\"command\":\"touch x\"}}]}" "{\"text\":\"Done.\"}"
    turnpipe -Fq -s ./s3.jsonl hi 2>/dev/null || echo $?; ls -d x s3.d/allow 2>/dev/null || :' <<!
Done.
77
!
needs pty check 'another text of the file is another question' \
    'echo More. >>.agents/skills/commit/SKILL.md; turn four s4 >out || echo $?; grep -c "skills trust" out; ls -d four 2>/dev/null || :' <<!
77
1
!
check 'how foreign names are read' '
    allowed() { printf -- "---\nname: commit\ndescription: d\nallowed-tools: %s\n---\nX.\n" "$1" >.agents/skills/commit/SKILL.md
	printf "{\"type\":\"state\",\"skills_loaded\":[\"commit\"]}\n" | skillmenu 2>&1 >/dev/null | sed "s/.*unasked: //; s/; .turn.*//"; }
    allowed "Bash(git:*) Read"; allowed "Bash(npm run test:*), Edit(src/**)"; allowed "Bash"; allowed "\"Bash(*)\""
    allowed "shell(ls) mcp-x Bash(a:b)"; allowed "[Grep, \"Bash(git add:*)\"]"; allowed "\"\""' <<!
shell(git *);read_file
shell(npm run test *);edit_file(src/**)
shell
(not known here: Bash(*))
shell(ls) (not known here: mcp-x, Bash(a:b))
grep;shell(git add *)
!
fails 1 'no such skill' 'skillmenu -t none 2>&1 | sed "s/; .*//" >&2; exit 1' <<!
skillmenu: no skill 'none'
!
fails 77 'no terminal to ask at' 'printf -- "---\nname: commit\ndescription: d\nallowed-tools: Read\n---\n" >.agents/skills/commit/SKILL.md
    setsid -w skillmenu -t commit 2>&1 | sed "s|$PWD/||" >&2; exit 77' <<!
skillmenu: .agents/skills/commit/SKILL.md: expected a terminal to ask at
!
