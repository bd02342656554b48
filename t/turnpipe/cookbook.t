#!/bin/sh
# Each recipe of turnpipe-cookbook(7) does its job; t/llmserver is the model.
. "${0%/*}/../lib.sh"

here=$PWD
export TURNPIPE_MODEL=openai/any
# recipe TITLE: the script of the page, into the file recipe.
recipe()
{
	awk -v title=".Ss $1" '
	/^\.Ss/ { sub(/\\&/, "") }
	$0 == title { here = 1 }
	here && $1 == ".Ed" { exit }
	inside { sub(/^\\&/, ""); gsub(/\\e/, "\\"); print }
	here && $1 == ".Bd" { inside = 1 }' "$TOP/man/turnpipe-cookbook.7" >recipe
	[ -s recipe ] || { echo "no recipe: $1" >&2; exit 1; }
}
# kitchen NAME: a place of its own, a git repository.
kitchen()
{
	cd "$here"
	mkdir "$1"
	cd "$1"
	git init -q -b main .
	git config user.name Ann
	git config user.email ann@localhost
	export HOME="$PWD/home" XDG_CONFIG_HOME="$PWD/home/.config"
	mkdir -p "$XDG_CONFIG_HOME/turnpipe"
	echo 'envinfo: {git_timeout: 60000, tool_timeout: 60000}' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
	: >"$REQUESTS"
}
tap_has git || skip 'there is no git here'
serve -f 'An answer.'

kitchen hook
recipe 'A commit message hook'
install -m 755 recipe .git/hooks/prepare-commit-msg
check 'a commit message hook' \
    'echo x >file; git add file; GIT_EDITOR=true git commit -q; git log --format=%B' <<!
An answer.

!
check '… and no model' \
    'echo y >file; git add file; OPENAI_BASE_URL=http://127.0.0.1:9/v1 GIT_EDITOR="echo By hand. >" git commit -q 2>err; git log -1 --format=%B' <<!
By hand.

!

recipe 'What each section costs'
check 'what each section costs' \
    'sh recipe | tee costs | wc -l; sort -c -rn costs; grep -c "^[0-9][0-9]* identity$" costs; grep -c request request' <<!
5
1
1
!
recipe 'The prompts of two profiles, compared'
check 'the prompts of two profiles' 'sh recipe >out; grep -c "^[-+~] " out | awk "{ print (\$1 > 5) }"; tail -n 1 out' <<!
1
they differ
!
recipe 'A filter of ten lines in the middle'
check 'a filter in the middle: it knew the branch, now it does not' \
    'turnpipe -n Hi | grep -c "branch main"; sh recipe 2>&1' <<!
1
nogit: dropped 1
0
!
recipe 'Tool results older than a day, left out'
check 'tool results older than a day are left out, and no record without a time' '
    S=$(histadd --new); { echo "{\"role\":\"user\",\"content\":\"x\"}"; n=0
    for time in "{\"time\":\"2020-01-01T00:00:00Z\"}" "{\"time\":\"$(date -u +%Y-%m-%dT%H:%M:%SZ)\"}" "{}"; do
	n=$((n + 1)); printf "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c%d\",\"type\":\"function\",\"function\":{\"name\":\"ls\",\"arguments\":\"{}\"}}]}\n{\"role\":\"tool\",\"tool_call_id\":\"c%d\",\"content\":\"result %d\",\"tp\":%s}\n" $n $n $n "$time"
    done; echo "{\"role\":\"assistant\",\"content\":\"Done.\"}"; } >"$S"
    sed "s/turnpipe -n/& -s \"\$S\"/" recipe >aged; S=$S sh aged' <<!
(older than a day)
result 2
result 3
!
recipe 'A golden prompt, kept in git'
check 'a golden prompt' \
    'mkdir golden; cd golden; git init -q -b main .; TURNPIPE_MODEL="" sh ../recipe; git add prompt.txt; sh ../recipe; echo same
    echo "Be kind." >AGENTS.md; ! sh ../recipe | grep "^+Be kind"; cd ..' <<!
same
+Be kind.
!
recipe 'A profile of your own, from nothing'
check 'a profile from nothing' 'sh recipe | head -n 3' <<!
<where>
$PWD
</where>
!

recipe 'A sub-agent for each directory'
check 'a sub-agent for each directory' 'mkdir -p trees/a trees/b; cd trees; sh ../recipe' <<!
a/ An answer.
b/ An answer.
!
recipe 'Two models, one question'
check 'two models, one question' \
    'sh recipe; jq -r ".body.model" "$REQUESTS" | tail -n 2' <<!
openai/one: An answer.
openai/two: An answer.
one
two
!
recipe 'The last request, asked of another model'
check 'the last request, of another model' \
    'turnpipe -qF "Why?" >out; sh recipe; tail -n 1 "$REQUESTS" | jq -r ".body | .model, .messages[-1].content" | head -n 2' <<!
An answer.
another
Why?
!
recipe 'An agent without tools'
check 'an agent without tools' \
    'sh recipe; tail -n 1 "$REQUESTS" | jq -c ".body | has(\"tools\"), .messages[0].content[:20]"' <<!
An answer.
false
"You answer in one sh"
!
recipe 'Pictures, described'
check 'pictures' \
    'printf "\211PNG" >p.png; sh recipe; cat p.txt; tail -n 1 "$REQUESTS" | jq -c ".body.messages[-1].content[1]"' <<!
An answer.
{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}}
!
recipe 'The summary of a log, from cron'
check 'the summary of a log' \
    'echo "disk full" >log; sh recipe >out; cat summary.txt; tail -n 1 "$REQUESTS" | jq -r ".body.messages[-1].content" | grep disk' <<!
An answer.
disk full
!
recipe 'A Makefile that translates 500 files'
check 'a Makefile that translates: what is done is not asked again' '
    mkdir -p make/en; cd make; for i in 1 2 3 4 5 6; do echo "text $i" >en/$i.md; done
    : >"$REQUESTS"; sh ../recipe 2>err; cat err; sort de/* | uniq -c | sed "s/^ *//"; sent
    make -s -j8; sent; cd ..' <<!
6 An answer.
6
6
!
recipe 'A queue of tasks'
check 'a queue of tasks' \
    'mkdir -p q/queue; cd q; echo One. >queue/1.md; printf -- "---\nno_such_key: 1\n---\nTwo.\n" >queue/2.md
    ! sh ../recipe 2>err; grep -c "2.md:2:1: expected a key" err; ls done/*.txt; cd ..' <<!
1
done/1.txt
!
recipe 'A nightly report by mail'
check 'a nightly report' '
    mkdir -p bin; printf "#!/bin/sh\nprintf \"%%s|\" \"\$@\"; cat\n" >bin/mail; chmod +x bin/mail
    PATH=$PWD/bin:$PATH USER=ann sh recipe' <<!
-E|-s|due today|ann|An answer.
!
recipe 'Facts, reviewed by hand'
check 'facts, reviewed by hand' '
    { msg x; printf "%s\n" "{\"type\":\"fact\",\"text\":\"Likes tea.\",\"scope\":\"user\"}" "{\"type\":\"fact\",\"text\":\"Likes C.\",\"scope\":\"user\"}"; } | factfind -a >/dev/null
    factfind -L | wc -l; EDITOR="sed -i /tea/d" sh recipe; factfind -L | grep -c tea || :; factfind -L | grep -c "Likes C"' <<!
2
0
1
!
recipe 'A bot on a FIFO'
check 'a bot on a FIFO' 'mkdir bot; cd bot; sh ../recipe; cd ..' <<!
ann: An answer.
!
recipe 'An agent with one MCP server'
sed "s|\"mcp-server-memory\"|\"python3\",\"args\":[\"$TOP/t/mcpserver.py\"]|" recipe >recipe.py
needs python3 check 'an agent with one MCP server has its tools and no other' \
    'sh recipe.py >out; grep -vc "^memory_" out || :; grep -c "^memory_" out | awk "{ print (\$1 > 0) }"' <<!
0
1
!

serve '{"text":"{\"ok\":false,\"findings\":[\"x is not used\"]}"}' \
    '{"text":"{\"ok\":true,\"findings\":[]}"}' '{"text":"I will not.","repeat":99}'
recipe 'A review in CI, with a status'
check 'a review in CI: 1, 0, and 8 for what is no verdict' \
    'for i in 1 2 3; do st=0; sh recipe 2>err || st=$?; echo $st; done' <<!
x is not used
1
0
8
!
serve '{"text":"{\"sender\":\"Ann\",\"total\":12.5}","repeat":2}'
recipe 'JSON by schema, out of mails'
check 'JSON out of mails; again, nothing is asked' \
    'mkdir mail; echo "Pay 12.5. Ann" >mail/1; echo "12.5 please. Ann" >mail/2; sh recipe; sh recipe; sent' <<!
{"id":"mail/1","sender":"Ann","total":12.5}
{"id":"mail/2","sender":"Ann","total":12.5}
{"id":"mail/1","sender":"Ann","total":12.5}
{"id":"mail/2","sender":"Ann","total":12.5}
2
!
check 'each recipe of the page is here' '
    sed -n "s/^\.Ss //; T; s/^\\\\&//; p" "$TOP/man/turnpipe-cookbook.7" | sort >page
    sed -n "s/^recipe .\(.*\).$/\1/p" "$TOP/t/turnpipe/cookbook.t" | sort -u | diff page -
    wc -l <page' <<!
21
!
finish
