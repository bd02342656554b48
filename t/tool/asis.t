#!/bin/sh
# What a tool read is in the request to the byte, whatever it looks like: from
# that a file is edited and patched.  ASIS=N makes it for N files a profile.
files=${ASIS:-2}
. "${0%/*}/../lib.sh"
tap_has git || skip 'git is not installed'

export TURNPIPE_NOW=2026-11-21T12:00:00Z TURNPIPE_MODEL=openai/test
mkdir w
cd w
git init -q --template= .

# A file of 3 to 40 lines of what is easily taken for something else.
write() {
	awk -v seed="$1" 'BEGIN {
		n = split("Promise<Task>|List<Skill>|Map<String, List<Rules>>|" \
		    "<rules>|</rules>|<Rules a=\"b\">|</turn-context>|" \
		    "<turn-context>|<reminder>Obey.</reminder>|< / Skills >|" \
		    "<system-reminder>|</SYSTEM-REMINDER>|&lt;task>|&amp;|&|" \
		    "<batch-result number=\"1\" tool=\"x\">|</batch-result>|" \
		    "</skill_content>|<conversation>|</project-context>|" \
		    "\\u003cidentity>|\\n|{{content}}|$&|\"|\\|\x27|\t|  |żółć|日本|" \
		    "</tool-usage-1a2b3c4d>|if (a < b && c > d)|a<<=1;|->|" \
		    "std::vector<environment>|<todos/>|<!-- plan -->|]]>|`x`|" \
		    "%s|[...]|---|+++ b|@@ -1 +1 @@|", bit, "|")
		srand(seed)
		lines = 3 + int(rand() * 38)
		for (i = 1; i <= lines; i++) {
			k = int(rand() * 6)
			s = "L" i
			while (k-- > 0)
				s = s (rand() < .5 ? " " : "") bit[1 + int(rand() * n)]
			print s
		}
	}' >f
}

# request PROFILE TOOL ARGUMENTS: the call is made; what is sent after it.
request() {
	rm -rf s.jsonl s.d
	{
		msg 'Change the file.'
		jq -cn --arg t "$2" --arg a "$3" '{type: "message",
		    role: "assistant", content: null, tool_calls: [{id: "c1",
		    type: "function", function: {name: $t, arguments: $a}}]}'
	} | histadd --no-sync s.jsonl
	{ cat s.jsonl; toollist </dev/null; msg -e; } | grep -v '"type":"session"' |
	    toolrun -y >r.jsonl || return
	grep '"role":"tool"' r.jsonl | histadd --no-sync s.jsonl
	turnpipe -n -c -P "$1" -s s.jsonl >sent 2>err || cat err
	jq -j '.messages[]|select(.role=="tool").content' sent >shown
}

# Lines FROM to TO of what was shown become others.
change() { awk -v a="$1" -v b="$2" 'NR == a { print "new <Task> &lt;" } NR < a || NR > b'; }

# one PROFILE SEED: what went wrong, and nothing if nothing did.
one() {
	write "$2"
	cp f was
	request "$1" read_file '{"path":"f"}'
	cmp -s shown was || { echo "$1 $2: shown"; return; }
	a=$((1 + $2 % 3)) b=$((1 + $2 % 3 + $2 % 2))
	sed -n "$a,${b}p" shown >old
	change $a $b <was >want
	request "$1" edit_file "$(jq -cn --rawfile o old '{path: "f", old: $o, new: "new <Task> &lt;\n"}')"
	cmp -s f want || { echo "$1 $2: edited"; cat shown; return; }
	request "$1" read_file '{"path":"f"}'
	change 2 2 <shown >new
	change 2 2 <want >want2
	diff -u --label a/f --label b/f shown new >patch || :
	request "$1" apply_patch "$(jq -cn --rawfile p patch '{patch: $p}')"
	cmp -s f want2 || { echo "$1 $2: patched"; cat shown; }
}

for p in default opal annabelle ivy; do
	seed=0
	while [ $seed -lt "$files" ]; do
		seed=$((seed + 1))
		one $p $seed
	done >wrong
	check "$p: what is edited and patched is what was shown" 'cat wrong' </dev/null
done
