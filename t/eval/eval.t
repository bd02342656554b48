#!/bin/sh
# The story in turnpipe-eval(7), each command as printed.  The model is a
# stand-in that answers with one word if its prompt says so.
. "${0%/*}/../lib.sh"

tap_has git || skip 'there is no git here'
mkdir bin home tree
cat >bin/llmcall <<'!'
#!/bin/sh
case " $* " in *' --check '*|*' --key '*) exec cat >/dev/null ;; esac
exec awk '{
	if ($0 !~ /"type":"request"/) { print; fflush(); next }
	asked++
	match($0, /"id":("[^"]*"|[0-9]+)/)
	id = substr($0, RSTART, RLENGTH)
	printf "{\"type\":\"message\",%s,\"role\":\"assistant\",", id
	if (/has cases.jsonl/ && !/"role":"tool"/)
		print "\"content\":null,\"tool_calls\":[{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":\"read_file\",\"arguments\":\"{\\\"path\\\":\\\"cases.jsonl\\\"}\"}}]}"
	else if (/"role":"tool"/)
		printf "\"content\":\"%s\"}\n", gsub(/What color/, "")
	else if (/Answer with one word/)
		print "\"content\":\"White.\"}"
	else
		print "\"content\":\"Well, friend, it is white.\"}"
	printf "{\"type\":\"usage\",%s,\"prompt_tokens\":%d,\"completion_tokens\":2}\n", id, length($0) / 4
	fflush()
} END { print asked + 0 >>"'"${0%/*}"'/../asked" }'
!
chmod +x bin/llmcall
ln -s llmcall bin/standin
PATH=$PWD/bin:$PATH
export HOME="$PWD/home" MAKEFLAGS=
asked() { awk '{ n += $1 } END { print n + 0 }' ../asked; : >../asked; }

# The lines after "$ " up to the next are what its command shows; "cat FILE" of
# a file that is not there yet makes it.
sed -n '/^\.Sh THE STORY/,/^\.Sh SEE/p' "$TOP/man/turnpipe-eval.7" | awk '
	$1 == ".Bd" { inside = 1; next }
	$1 == ".Ed" { inside = 0; next }
	!inside { next }
	{ gsub(/\\\(dq/, "\""); gsub(/\\\(aq/, "\047"); gsub(/\\e/, "\\") }
	/^\$ / { n++; print substr($0, 3) >(n ".sh"); printf "" >(n ".out"); next }
	{ print >(n ".out") }'
cd tree
git init -q -b main .
git config user.name Ann
git config user.email ann@localhost
figures() { sed -e '/^make:/d' -e '/^[- ]*tokens/s/-*[0-9][0-9]*/N/g' -e '/^[a-z-]*   *-/s/-[0-9][0-9]* */-N /' -e 's/^[0-9a-f]\{40\} is/BAD is/'; }
n=0
while [ -e ../$((n += 1)).sh ]; do
	command=$(cat ../$n.sh)
	# The driver has its own llmcall before all others.
	case $command in
	*TOOLS=*) sed -i 's/^make/ANSWER=standin make/' ../$n.sh ;;
	*ablate*)
		git checkout -q HEAD~64 -- AGENTS.md
		sed -i 's/-- llm/-- ..\/bin\/llm/' ../$n.sh ;;
	'cat '*) [ -e "${command#cat }" ] || cp ../$n.out "${command#cat }" ;;
	*'git bisect'*)
		for i in $(seq 64); do
			[ "$i" -ne 41 ] || echo 'Answer in a friendly way.' >AGENTS.md
			echo "$i" >other
			git add AGENTS.md other
			git commit -qm "$i"
			[ "$i" -ne 41 ] || git rev-parse HEAD >../bad
		done
		: >../asked ;;
	esac
	[ $n -ne 5 ] || check 'each case was asked once' asked <<!
8
!
	check "$command" 'sh ../$n.sh 2>err | figures >out; figures <../$n.out >want; figures <err >>out; diff want out'
	case $command in
	*'git bisect'*)
		check 'bisect: the planted commit' 'sed -n "s/ is the first bad commit//p" log | cmp - ../bad'
		check 'bisect: what make pass has asked is not asked again' asked <<!
0
!
		check 'bisect: at most six rounds for 64 commits' 'grep -c "^running" log' <<!
6
!
		check 'bisect: the second asks nothing' 'git bisect reset >/dev/null 2>&1; sh ../$n.sh >/dev/null 2>&1; asked; git bisect reset >/dev/null 2>&1; git log -1 --format=%s' <<!
0
64
!
		;;
	esac
done
check 'a second run asks nothing, also on another day and in another place' '
    : >../asked; cp -r . ../elsewhere; cd ../elsewhere; TZ=Asia/Tokyo make -s pass OFFLINE=1 2>&1 | grep -v "^[ts]" | figures; asked' <<!
journal: cases.book: 16 answers in it are to other requests
8 cases: 100.0 -> 100.0 %, 0 better, 0 worse, p = 1.0000
0
!
check 'with tools, too' '
    try() { ANSWER=standin make -s pass CASES=tools.jsonl TOOLS=../runs CASEFLAGS=-y OFFLINE=1 2>&1 | grep "100\|^none" | sed "s| /.*/| |"; }
    try; rm tools.books/none; try; asked' <<!
2 cases: 100.0 -> 100.0 %, 0 better, 0 worse, p = 1.0000
none: none: No such file or directory
0
!
check 'what the book lacks is named' 'echo New. >>AGENTS.md; make -s pass OFFLINE=1 2>&1 | grep -v "^journal" | figures; asked' <<!
snow: not in the book
grass: not in the book
blood: not in the book
coal: not in the book
sky: not in the book
0
!
