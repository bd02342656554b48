#!/bin/sh
# Each command line of README does what README shows, on a terminal.
. "${0%/*}/../lib.sh"

python3 "$TOP/t/onpty.py" -- true 2>/dev/null || skip 'there is no terminal to be had, or no python3'
tap_has git || skip 'there is no git here'
export TURNPIPE_MODEL=openai/test TERM=xterm
export OPENAI_API_KEY=sk-test EDITOR=true
mkdir -p bin "$HOME" work
printf '#!/bin/sh\n[ "$1" = -l ] || cat "$1" >"$HOME/crontab"\n' >bin/crontab
chmod +x bin/crontab
PATH=$PWD/bin:$PATH
cd work
git init -q -b main .
printf 'ISC License\n' >LICENSE
printf 'hello\n' >greet.txt
printf 'test:\n\t@grep -q morning greet.txt\n' >Makefile
printf '{"id":"%s","q":"Why?"}\n' 1 2 3 >qs
printf '{"id":"%s","text":"Why?"}\n' a b >tasks.jsonl
printf -- '---\nschedule: 0 7 * * *\n---\nLook at greet.txt.\n' >task.md
git add .
git -c user.name=a -c user.email=a@b commit -qm first
mkfifo fifo

# The lines after "$ " up to the next are what its command shows; a command
# goes on after a line that ends with a bar.
awk '/^    \$ / { n++; on = 1; more = 1; sub(/^    \$ /, "") }
    !/^    / && !more { on = 0 }
    !on { next }
    { sub(/^    /, ""); f = sprintf("%d.%s", n, more ? "sh" : "out"); print >f
	more = more && /[|]$/ }' "$TOP/README"
# Of the others each line that begins with one of our commands or feeds one.
sed -n '/^USE IT/,/^COMMANDS/s/^    //p' "$TOP/README" |
    grep -E '^(turnpipe|llmcall|journal|make|chanroute|git) ' >lines

esc=$(printf '\033') cr=$(printf '\r')
seen() { sed "s/$cr*\$//; s/$esc\[[02]m//g; s/$esc\[K//g; s/.*$cr//; s/[0-9.]* s\([, ]\|\$\)/0.0 s\1/g"; }
call() { printf '{"id":"%s","name":"%s","arguments":%s}' "$1" "$2" "$3"; }
serve "{\"calls\":[$(call c1 grep '{"pattern":"License","path":"LICENSE"}')]}" \
    '{"text":"It is under the ISC License."}' \
    "{\"calls\":[$(call c2 edit_file '{"path":"greet.txt","old":"hello","new":"good morning"}')]}" \
    '{"text":"Done."}' '{"text":"An answer."}' '{"text":"An answer."}' \
    '{"text":"An answer."}' \
    "{\"calls\":[$(call c1 grep '{"pattern":"License","path":"LICENSE"}')]}"
for n in 1 2 3 4 5; do
	touch $n.out # one that shows nothing may print what it likes
	check "the README's command $n shows what README shows" "
	    python3 '$TOP/t/onpty.py' -- sh $n.sh >raw || echo \"status \$?\"
	    seen <raw | if [ -s $n.out ]; then cat; else cat >all; fi" <$n.out
done
check 'the prompt of --until was asked, the file is as it shall be' \
    'cat greet.txt; jq -r "select(.role == \"assistant\") | .id" answers' <<!
good morning
1
2
3
!
# What asks no model, or any, on its own; serve has the end of its input.
serve "{\"calls\":[$(call c1 grep '{"pattern":"License","path":"LICENSE"}')]}" '{"text":"An answer."}'
two=$OPENAI_BASE_URL
serve -f 'An answer.'
printf '{"type":"request","id":"%s","messages":[{"role":"user","content":"x"}]}\n' 1 2 >requests.jsonl
echo '{"id":"a","text":"x","expect":{"contains":"An answer"}}' >cases.jsonl
n=0
while IFS= read -r line; do
	n=$((n + 1))
	printf '%s\n' "$line" >"line$n.sh"
	feed= ends=0
	case $line in
	chanroute*) feed="jq -nc '{type:\"message\",role:\"user\",content:\"hi\",channel:\"c\",sender:\"ann\"}' >fifo & " ;;
	turnpipe\ diff*) feed="OPENAI_BASE_URL=$two turnpipe -F Look. >/dev/null; " ends=1 ;; # they differ
	esac
	on="python3 '$TOP/t/onpty.py' '> ' 'exit\\r' --"
	check "the README's line $n: ${line%%#*}" \
	    "${feed}OLLAMA_HOST=\${OPENAI_BASE_URL%/v1} $on sh line$n.sh >raw || [ \$? -eq $ends ] || cat raw" </dev/null
done <lines
check 'the lines are there' "[ $n -gt 14 ] || echo $n" </dev/null
finish
