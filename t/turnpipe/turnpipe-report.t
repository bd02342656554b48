#!/bin/sh
# With EXTRA=1 the page is also opened in Chromium.
. "${0%/*}/../lib.sh"

# Markup, an attribute's end, control and bidirectional characters.
evil='</pre><script>document.title=\"owned\"</script><img src=x onerror=alert(1)>\" onmouseover=alert(1) ]]> <!-- \u0007\u202e\u0000@BODY@ @TITLE@'
mkdir .git
cat >s.jsonl <<!
{"type":"session","version":1,"id":"s$evil","cwd":"/home/ann$evil","agent":"default","time":"2026-11-22T08:00:00Z"}
{"type":"message","role":"user","content":"Fix it. $evil","tp":{"n":1,"time":"2026-11-22T08:00:00Z"}}
{"type":"message","role":"assistant","content":"First the test. $evil","tool_calls":[{"id":"c1","type":"function","function":{"name":"shell","arguments":"{\"command\":\"make $evil\"}"}},{"id":"c2","type":"function","function":{"name":"rm","arguments":"{}"}}],"tp":{"n":2}}
{"type":"usage","model":"openai/x$evil","prompt_tokens":1000,"cached_tokens":750,"completion_tokens":50,"ms":1500,"cost":0.0125,"n":3}
{"type":"message","role":"tool","tool_call_id":"c1","name":"shell","content":"1 of 6 failed $evil","tp":{"duration_ms":250,"exit":2,"n":4}}
{"type":"message","role":"tool","tool_call_id":"c2","name":"rm","content":"no","tp":{"denied":true,"exit":77,"n":5}}
{"type":"mark","what":"agent-start","agent":"explore$evil","session":"$PWD/sub.jsonl","n":6}
{"type":"usage","for":"agent","model":"openai/y","prompt_tokens":10,"completion_tokens":5,"cost":0.5,"n":7}
{"type":"mark","what":"retry","status":76,"attempt":1,"n":8}
{"type":"error","from":"llmcall","code":75,"message":"busy $evil","n":9}
{"type":"summary","content":"They fixed it. $evil","messages":12,"tokens":3456,"n":10}
{"type":"message","role":"assistant","content":"Done.","annotations":[{"type":"url_citation","url_citation":{"url":"x:$evil","title":"X"}},{"type":"url_citation","url_citation":{"url":"x:$evil","title":"X"}},{"type":"file_citation","file_citation":{"file_id":"f1"}},1],"tp":{"n":11}}
{"type":"usage","model":"openai/x","prompt_tokens":2000,"cached_tokens":900,"completion_tokens":10,"ms":500,"n":12}
!
cat >sub.jsonl <<!
{"type":"session","version":1,"id":"sub","cwd":"/","time":"2026-11-22T08:00:01Z"}
{"type":"message","role":"user","content":"Where is it? $evil","tp":{"n":1}}
{"type":"message","role":"assistant","content":"In wrap.c.","tp":{"n":2}}
!
for m in 1 10; do
	sed -n 2p s.jsonl | sed "s/\"n\":1,/\"n\":$m,/" | {
		cat
		printf '%s\n' "{\"type\":\"section\",\"id\":\"project-context:/w\",\"content\":\"# wrap $evil\"}" \
		    "{\"type\":\"section\",\"id\":\"clock\",\"content\":\"$m o'clock\",\"volatile\":true}" \
		    '{"type":"tool","name":"shell","description":"Run."}' '{"type":"end"}'
	} | promptcompose -w -b $((m * 1000 - 900)) -c model=openai/x -k s.d/prompts >out 2>err || :
done
cp "$(sharefind report/page.html)" frame
check 'a page, whole and with nothing on stderr' \
    'turnpipe report ./s.jsonl >page; head -n 1 page; tail -n 1 page' <<!
<!doctype html>
</html>
!
# What the frame has is ours; the rest must have no tag that runs or loads.
check 'the only script, style and address are ours' \
    'for w in "<script" "<style" "<img" "<iframe" "<link" "<base" "<meta" "http" "javascript:[^a]"; do
	echo "$w $(grep -o -- "$w" frame | wc -l) $(grep -o -- "$w" page | wc -l)"
    done; grep -c "<[^>]* on[a-z]*=" page || :' <<!
<script 1 1
<style 1 1
<img 0 0
<iframe 0 0
<link 0 0
<base 0 0
<meta 5 5
http 1 1
javascript:[^a] 0 0
0
!
check 'nothing invisible, and its own marks are not read in a text' \
    'set +e; grep -c "$(printf "\007")" page; grep -c "$(printf "\342\200\256")" page; grep -c "^@BODY@" page; grep -o "@BODY@ @TITLE@" page | head -n 1' <<!
0
0
0
@BODY@ @TITLE@
!
check 'the hashes of the policy are those of its script and style' '
    python3 - page <<-X
	import base64, hashlib, re, sys
	s = open(sys.argv[1], encoding="utf-8").read()
	for tag in ("style", "script"):
	    text = re.search("<%s>(.*?)</%s>" % (tag, tag), s, re.S).group(1)
	    h = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
	    print(tag, "%s-src \x27sha256-%s\x27" % (tag, h) in s)
	X' <<!
style True
script True
!
cat >wellformed.py <<!
import html.parser, sys
void = {"meta", "input", "link", "br", "rect"}
optional = {"th", "td", "tr", "dt", "dd", "p"}
class P(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.bad = [], []
    def handle_starttag(self, tag, attrs):
        if tag not in void and tag not in optional:
            self.open.append(tag)
    def handle_startendtag(self, tag, attrs):
        pass
    def handle_endtag(self, tag):
        if tag in optional:
            return
        if not self.open or self.open.pop() != tag:
            self.bad.append((tag, self.getpos()))
p = P()
p.feed(open(sys.argv[1], encoding="utf-8").read())
print(p.open, p.bad)
!
check 'each element is closed' 'python3 wellformed.py page' <<!
[] []
!
sed -e 's/<[^>]*>/|/g' -e 's/||*/|/g' page >words
check 'sums: turns, calls, tokens, cached share, cost, time' \
    'grep -o "turns|1|.*" words | sed "s/|not allowed.*//;1q"' <<!
turns|1|calls|3|tokens in|3 010|cached|55 %|tokens out|65|cost|\$0.5125|model|2.0 s|tools|250 ms
!
check 'the sources of an answer, once each' \
    'grep -o "<p class=facts>sources: [^;]*x:\|; \[2\] f1</p>" page' <<!
<p class=facts>sources: [1] X x:
; [2] f1</p>
!
check 'a bar to scale for each step' \
    'grep -o "aria-label=\"[^\"]*\"><rect[^>]*>" page | head -n 3' <<!
aria-label="1500 ms model, 250 ms tools"><rect class=model x="0%" width="85.71%" height="100%"/>
aria-label="750 cached, 1000 in, 50 out"><rect class=cached x="0%" width="37.31%" height="100%"/>
aria-label="500 ms model, 0 ms tools"><rect class=model x="0%" width="28.57%" height="100%"/>
!
check 'what failed, was denied, retried, folded or dropped is said' \
    'grep -o "exit 2|\|denied|\|folded into a summary: [^|]*\|retry status=76 attempt=1\|error 75: busy\|dropped: over the budget|" words | sort -u' <<!
denied|
dropped: over the budget|
error 75: busy
exit 2|
folded into a summary: 12 messages, 3456 tokens
retry status=76 attempt=1
!
check 'where a section stands is said in words, not by the name of a phase' \
    'tr -s "<>" "\n" <page | grep -x "system message\|system\|trailing\|sticky" | sort -u' <<!
system message
!
check 'a section leads to its text' \
    'h=$(grep -o "href=\"#h-[0-9a-f]*\">project-context" page | head -n 1 | cut -d \" -f 2); grep -c "id=\"${h#\#}\"" page; grep -o "# wrap" page | sort | uniq -c | awk "{print \$1}"' <<!
1
2
!
check 'the session of a sub-agent stands in its step' \
    'tr "\n" " " <page | sed "s/<div class=agent>/\n&/g" | grep -o "^<div class=agent>.*In wrap.c" | wc -l' <<!
1
!
check 'where no call said what was cached, the sum said 0 %' '
    turnpipe report ./sub.jsonl | grep -o "<p class=facts>.*</time> in /\|<dt>cached<dd>[^<]*"' <<!
<p class=facts>session sub, begun <time datetime="2026-11-22T08:00:01Z">2026-11-22T08:00:01Z</time> in /
<dt>cached<dd>–
!
check 'a status that is markup is text' '
    printf "%s\n" "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\",\"function\":{\"name\":\"x\",\"arguments\":\"{}\"}}]}" \
	"{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"\",\"tp\":{\"exit\":\"<meta name=x>\"}}" >exit.jsonl
    turnpipe report ./exit.jsonl | grep -c "<meta name=x>" || :' <<!
0
!
cat >md.jsonl <<!
{"role":"user","content":"# <b>Fix</b> it","tp":{"n":1}}
{"role":"assistant","content":"","tool_calls":[{"id":"c","function":{"name":"edit_file","arguments":"{\\"path\\":\\"<a>.c\\",\\"old\\":\\"x <i>\\\\ny\\",\\"new\\":\\"z\\\\ny\\"}"}},{"id":"d","function":{"name":"write_file","arguments":"{\\"path\\":\\"no.c\\",\\"content\\":\\"1\\"}"}}],"tp":{"n":2}}
{"role":"tool","tool_call_id":"c","name":"edit_file","content":"ok","tp":{"n":3}}
{"role":"tool","tool_call_id":"d","name":"write_file","content":"no","tp":{"denied":true,"unasked":true,"exit":77,"n":4}}
{"role":"assistant","content":"## The <u>end</u>\n\nAll **is <s>** and \u0060a*b*<i>\u0060\nor \u0060 *em*\n1. one\n   - two <img src=x>\n\n| a | <b> |\n|---|---|\n| c | d |\n\n\u0060\u0060\u0060html\n<script>**x**</script>\n","tp":{"n":5,"tags":{"title":["The <i>bound</i>"]}}}
!
check 'an answer has its form; an edit is a diff; the title is in words, and all is text' '
    turnpipe report ./md.jsonl >page2
    python3 - <<-X
	import re
	s = open("page2").read()
	for m in re.findall("(?s)<title>[^\n]*|<p class=facts>(?:files|not).*?</p>|<pre class=diff>.*?</pre>|<div class=answer>.*?</div>", s): print(m)
	X
    python3 wellformed.py page2' <<!
<title>The &lt;i&gt;bound&lt;/i&gt;</title>
<p class=facts>files changed: <b>&lt;a&gt;.c</b></p>
<p class=facts>not allowed: <b>write_file</b> (no user was asked)</p>
<pre class=diff>&lt;a&gt;.c
<del>-x &lt;i&gt;</del>
<ins>+z</ins>
<span> y</span>
</pre>
<pre class=diff>no.c
<ins>+1</ins>
</pre>
<div class=answer><h5> The &lt;u&gt;end&lt;/u&gt;</h5><p>All <b>is &lt;s&gt;</b> and <code>a*b*&lt;i&gt;</code>
or \` <em>em</em></p><ol><li value=1>one</li></ol><ul><li class=in>two &lt;img src=x&gt;</li></ul><table><tr><td> a <td> &lt;b&gt; </tr><tr><td> c <td> d </tr></table><pre>&lt;script&gt;**x**&lt;/script&gt;

</pre></div>
[] []
!
check 'the pipe of a traced request is drawn, the texts have names, agents are a tree' '
    cat >s.d/prompts/traces <<-X
	{"type":"trace","n":1,"stages":[{"name":"a<b>","status":0,"ms":5,"in":0,"out":2,"bytes":9,"sections":300,"tools":0,"messages":100,"added":["1 section: <i> (300)"],"changed":[],"removed":[]}]}
	X
    turnpipe report ./s.jsonl >page3; python3 wellformed.py page3
    tr "\n" " " <page3 | grep -o "<tr><td>a&lt;b&gt;.*(300)\|<details class=text id=[^>]*><summary>section identity\|<li><a href=\"#sub\">explore\|<header id=\"sub\">" | sed "s/id=.h-[0-9a-f]*/id=H/"' <<!
[] []
<li><a href="#sub">explore
<tr><td>a&lt;b&gt;<td><svg role=img aria-label="5 ms"><rect class=tool x="0%" width="100%" height="100%"/></svg>5 ms<td><svg role=img aria-label="300 of sections, 0 of tools, 100 of messages"><rect class=k0 x="0%" width="75%" height="100%"/><rect class=k8 x="75%" width="25%" height="100%"/></svg>400<td class=n>0 → 2</tr><tr class=what><td colspan=4>+ 1 section: &lt;i&gt; (300)
<header id="sub">
<details class=text id=H"><summary>section identity
!
check '-n: the last records, sums of all' \
    'turnpipe report -n 2 ./s.jsonl | sed "s/<[^>]*>/|/g; s/||*/|/g" | grep -o "The last 2 of 12[^|]*\|tokens in|[^|]*"' <<!
tokens in|3 010
The last 2 of 12 records are shown; the sums are of all.
!
check 'a torn line, a line that is no record, and nothing at all' \
    'for t in "{\"role\":\"user\"" "[1]
{\"role\":\"user\",\"content\":\"Hi\"}" "" "null" "{\"role\":\"assistant\",\"tool_calls\":[]}"; do
	printf "%s\n" "$t" >odd.jsonl; turnpipe report ./odd.jsonl | tail -n 1
    done' <<!
</html>
</html>
</html>
</html>
</html>
!
fails 66 'no such session' 'turnpipe report none.jsonl' <<!
turnpipe: none.jsonl: no such session; 'turnpipe log' lists them
!
check 'of a request that follows another is shown what is other' \
    'tr "\n" " " <page3 | grep -o "<tr><td colspan=4>[0-9]* others*, as in the request before\|<a href=\"#h-[0-9a-f]*\">[a-z-]*" | sed "s/#h-[0-9a-f]*/H/"' <<!
<a href="H">identity
<a href="H">turn-context
<a href="H">project-context
<a href="H">clock
<a href="H">shell
<a href="H">project-context
<a href="H">clock
<tr><td colspan=4>3 others, as in the request before
!
needs pty check 'on a terminal the page is a file that only its user can read' \
    'cp s.jsonl own.jsonl; umask 022; script -qec "turnpipe report ./own.jsonl" /dev/null </dev/null | grep -c "own.d/report.html"; stat -c %a own.d/report.html' <<!
1
600
!
fails 64 'a count that is not a number' 'turnpipe report -n 0 ./s.jsonl' <<!
turnpipe: -n: expected a number from 1, not '0'
!

[ -n "${EXTRA-}" ] || skip 'Chromium is of make check-extra'
chromium=$(command -v chromium || command -v chromium-browser) ||
    skip 'no chromium: make deps-extra installs it'
# A file whose name has no ending may be shown as plain text.
cp page page.html
check 'in Chromium: the console is empty, nothing of the session runs' \
    '"$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/profile" --enable-logging=stderr --dump-dom "file://$PWD/page.html" >dom 2>log
    grep -c CONSOLE log; grep -c "<title>Fix it" dom; grep -c "<script" dom; wc -c <dom | awk "{print (\$1 > 5000)}"' <<!
0
1
1
1
!
check 'a search shows what it finds' \
    'sed "s|</body>|<script>document.getElementById(\"q\").value = \"wrap.c\"; search(); document.title = document.getElementById(\"found\").textContent</script>&|; s|<meta http-equiv[^>]*>||" page >search.html
    "$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/profile" --dump-dom "file://$PWD/search.html" 2>/dev/null | grep -o "<title>[^<]*"' <<!
<title>2 found
!
finish
