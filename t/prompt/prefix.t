#!/bin/sh
# The provider's prompt cache: from one request of a session to the next all
# bytes up to the trailing block stay, whatever happened between them.
. "${0%/*}/../lib.sh"
command -v git >/dev/null || skip 'git is not installed'

export TURNPIPE_MODEL=openai/test OPENAI_API_KEY=sk-test
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a
export GIT_COMMITTER_EMAIL=a@b
git init -q .
mkdir -p "$XDG_CONFIG_HOME/turnpipe"
echo 'envinfo: {git_timeout: 60000}' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
printf 'one\ntwo\n' >notes
printf 'Always run the tests.\n' >AGENTS.md
mkdir -p .agents/skills/one .agents/skills/two
for s in one two; do
	printf -- '---\nname: %s\ndescription: The skill %s.\n---\nDo it.\n' \
	    $s $s >.agents/skills/$s/SKILL.md
done

call() {
	printf '{"calls":[{"id":"%s","name":"%s","arguments":%s}]}' "$1" "$2" "$3"
}
llmserver_start \
    "$(call a1 read_file '{"path":"notes"}')" \
    "$(call a2 todo_add '{"text":"count the lines"}')" \
    '{"text":"Two lines."}' \
    "$(call a1 todo_update '{"id":"1","status":"in_progress"}')" \
    "$(call a2 use_skill '{"name":"one"}')" \
    "$(call a3 write_file '{"path":"notes","content":"three\n"}')" \
    '{"text":"Done."}' \
    '{"text":"Bye."}'
# As OpenAI itself is asked, not another server under OPENAI_BASE_URL.
mkdir "$XDG_CONFIG_HOME/turnpipe/providers"
sed "s|^base_url: .*|base_url: $URL/v1|" "$TOP/share/providers/openai.yaml" \
    >"$XDG_CONFIG_HOME/turnpipe/providers/openai.yaml"
at() {
	export TURNPIPE_NOW="2026-11-21T12:0$1:00Z"
	shift
	turnpipe -Fyq -s s.jsonl "$@"
}
at 0 'how many lines has the file notes? Remember to write a test' >out
git add notes && git commit -qm first
at 1 'now search the web and change the file' >>out
git checkout -qb other
at 2 'thanks, good bye' >>out
check 'three turns, eight requests' "cat out; wc -l <\"\$REQUESTS\" | tr -d ' '" <<!
Two lines.
Done.
Bye.
8
!
# The body's text without its last message, as far as the messages go.
sed 's/^.*"body"://; s/}$//' "$REQUESTS" >bodies
i=0
while IFS= read -r body; do
	i=$((i + 1))
	printf %s "$body" >body.$i
	jq -c '.messages[:-1]' body.$i | tr -d '\n' | sed 's/]$//' >kept.$i
	jq -c 'del(.messages)' body.$i >rest.$i
	jq -c '.messages[-1]' body.$i >last.$i
done <bodies
check 'the bytes are those that jq shows' 'for i in 1 8; do
	grep -qF -f kept.$i body.$i && echo same; done' <<!
same
same
!
for i in 1 2 3 4 5 6 7; do
	j=$((i + 1))
	check "request $j begins with request $i up to its trailing block" \
	    "head -c \$(wc -c <kept.$i) kept.$j | cmp - kept.$i
	    test \$(wc -c <kept.$j) -gt \$(wc -c <kept.$i)"
	check "request $j offers what request $i did" "cmp rest.$i rest.$j"
done
check 'what changed stands in the trailing block, and only there' \
    'for w in "12:00" "12:01" "branch other" "count the lines"; do
	grep -l "$w" last.* | tr "\n" " "; echo; done
    grep -l "Git: branch\|12:0" kept.* || :' <<!
last.1 last.2 last.3 
last.4 last.5 last.6 last.7 
last.8 
last.3 last.4 last.5 last.6 last.7 last.8 
!
