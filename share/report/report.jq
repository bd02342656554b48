# turnpipe-report(1)
# The body of a session's page.  Input: the lines of the session $main, of its
# sub-agents' sessions, and of ID.d/prompts/requests and texts of each; which
# a line is of is known by its file: PATH NUL LINE.  Of a long session the last $max records
# are shown; the sums are of all.

# Whatever comes from the session is text, no markup; msg -C makes visible what
# hides in it.
def text: tostring | @html;
def short($n): tostring | gsub("\\s+"; " ") | if length > $n then .[:$n - 1] + "…" else . end | @html;
def body: tostring | if length > 20000 then "\(.[:10000] | @html)\n<b class=cut>… \(length - 20000) characters are left out …</b>\n\(.[-10000:] | @html)" else @html end;
def time: if . then "<time datetime=\"\(text)\">\(text)</time>" else "–" end;
# A line of Markdown; its tags are made of text that is escaped already.
def inline: text | if test("[`*]") then split("`") | (length % 2 == 1) as $even | to_entries
    | map(if .key % 2 == 1 and $even then "<code>\(.value)</code>" elif .key > 0 and ($even | not) then "`" + .value else .value end
	| if contains("*") and (startswith("<code>") | not) then gsub("\\*\\*(?<t>[^*]+)\\*\\*"; "<b>\(.t)</b>") | gsub("(?<![A-Za-z0-9*])\\*(?<t>[^* ][^*]*)\\*(?![A-Za-z0-9*])"; "<em>\(.t)</em>") else . end) | join("") else . end;
def enter($m; $open; $shut): if .m == $m then . else .out += [.shut, $open] | .m = $m | .shut = $shut end;
def markdown: reduce (split("\n")[]) as $l ({m: "", shut: "", out: []};
    ($l | ltrimstr(" ") | ltrimstr(" ") | ltrimstr(" ")) as $t
    | if .m == "code" then if $t | startswith("```") then enter(""; ""; "") else .out += [($l | text), "\n"] end
    elif $t | startswith("```") then enter("code"; "<pre>"; "</pre>")
    elif $l | test("^\\s*$") then enter(""; ""; "")
    elif $t | test("^#{1,6} ") then enter(""; ""; "") | .out += ["<h5>", ($t | ltrimstr("#") | ltrimstr("#") | ltrimstr("#") | ltrimstr("#") | ltrimstr("#") | ltrimstr("#") | inline), "</h5>"]
    elif $l | test("^\\s*([-*+]|[0-9]{1,6}[.)]) ") then ($l | capture("^(?<i>\\s*)(?<b>[-*+]|[0-9]+)[.)]? (?<t>.*)$")) as $c
	| ($c.b | test("[0-9]")) as $n | (if $n then "ol" else "ul" end) as $k
	| (.m == $k) as $goes | enter($k; "<\($k)>"; "</li></\($k)>")
	| .out += [if $goes then "</li>" else "" end, "<li\(if $n then " value=\($c.b)" else "" end)\(if ($c.i | length) > 1 then " class=in" else "" end)>", ($c.t | inline)]
    elif $t | test("^\\|.*\\|\\s*$") then enter("table"; "<table>"; "</table>")
	| if $t | test("^[|: -]+$") then . else .out += ["<tr>" + ($t | sub("\\s*$"; "") | .[1:-1] | split("|") | map("<td>" + inline) | join("")) + "</tr>"] end
    elif $t | startswith("> ") then enter("quote"; "<blockquote>"; "</blockquote>") | .out += [($t[2:] | inline), "\n"]
    elif .m | IN("ol", "ul", "p") then .out += ["\n", ($l | inline)]
    else enter("p"; "<p>"; "</p>") | .out += [$l | inline] end)
    | .out + [.shut] | join("");
def answer: tostring | if length > 20000 then "<pre>\(body)</pre>" else markdown end;
def marked($mark; $tag): map("<\($tag)>\($mark)\(text)</\($tag)>\n") | join("");
# What is the same at the beginning and at the end is shown once.
def difference($old; $new): ([$old, $new] | map(split("\n") | if .[-1] == "" then .[:-1] else . end)) as [$a, $b]
    | ([$a, $b | length] | min) as $m
    | first(range($m + 1) | select(. == $m or $a[.] != $b[.])) as $p
    | first(range($m - $p + 1) | select(. == $m - $p or $a[-1 - .] != $b[-1 - .])) as $q
    | ($a[:$p] | marked(" "; "span")) + ($a[$p:($a | length) - $q] | marked("-"; "del"))
	+ ($b[$p:($b | length) - $q] | marked("+"; "ins")) + ($a[($a | length) - $q:] | marked(" "; "span"));
# What a call changes, as a diff; nothing where it is no edit.
def edits: (.function.arguments | strings | if length > 20000 then null else fromjson? end | objects) as $a
    | if ($a.patch | type) == "string" then $a.patch | split("\n") | map(if test("^[+]") then "<ins>\(text)</ins>" elif test("^-") then "<del>\(text)</del>" else text end) | join("\n")
    else ([$a] + ($a.edits | if type == "array" then map(objects) else [] end)) | map(select((.new // .content | type) == "string" and (.old // "" | type) == "string")
	| difference(.old // ""; .new // .content)) | if . == [] then empty else ($a.path // "" | text) + "\n" + join("\n") end end;
def files: (.function.arguments | strings | if length > 200000 then null else fromjson? end | objects) as $a
    | if .function.name | IN("write_file", "edit_file") then $a.path | strings
    else $a.patch | strings | split("\n")[] | capture("^(\\*\\*\\* (Update|Add|Delete) File: |\\+\\+\\+ (b/)?)(?<p>.+)$").p end;
def said: if type == "array" then map(.text? // "[\(.type? // "part")]") | join("\n") else . // "" end;
def fixed($n): [. * pow(10; $n) | round, 0] | max | tostring
    | if length <= $n then "0" * ($n + 1 - length) + . else . end
    | if $n == 0 then . else .[:-$n] + "." + .[-$n:] end;
def money: if . == null then "–" else "$" + fixed(4) end;
def commas: if . == null then "–" else tostring | [while(length > 0; .[:-3]) | .[-3:]] | reverse | join(" ") end;
def seconds: if . == null then "–" elif . < 1000 then "\(round) ms" else "\(. / 1000 | fixed(1)) s" end;
def many($what): "\(commas) \($what)\(if . == 1 then "" else "s" end)";
def percent($of): if $of > 0 then 100 * . / $of else 0 end;
def sum(f): reduce (.[] | f) as $x (0; . + ($x // 0));
def rect($x; $w; $class): if $w <= 0 then empty else "<rect class=\($class) x=\"\($x * 100 | round / 100)%\" width=\"\([$w, 0.3] | max * 100 | round / 100)%\" height=\"100%\"/>" end;
def anchor: gsub("[^A-Za-z0-9_-]"; "_");
# An array cut before each element for which f holds.
def groups(f): . as $a
    | ([range(0; length) | select($a[.] | f)] | if .[0] != 0 then [0] + . else . end) as $s
    | if $a == [] then [] else [range(0; $s | length) | $a[$s[.]:($s[. + 1] // ($a | length))]] end;
def isuser: .role == "user";
def iscall: .role == "assistant" or .type == "error";

def of_model: select(.type == "usage");
def sums: {calls: (map(of_model) | length), in: sum(of_model.prompt_tokens),
    cached: (if any(.[] | of_model; .cached_tokens?) then sum(of_model.cached_tokens) else null end),
    out: sum(of_model.completion_tokens),
    cost: (if any(.[]; .cost?) then sum(of_model.cost) else null end),
    ms: sum(of_model.ms), tool_ms: sum(select(.role == "tool").tp.duration_ms)};

# One call with what came of it: the step of a turn.  Its prompt is the last
# one that was made before; $lasts has the last message of each.
def step($prompts; $lasts): {
    answer: (map(select(.role == "assistant"))[0]),
    usage: (map(select(.type == "usage" and (.for // "") == ""))[0]),
    others: map(select(.type == "usage" and (.for // "") != "")),
    results: map(select(.role == "tool")),
    events: map(select(.type == "mark" or .type == "error" or .type == "summary"))}
    | (.usage.n // .answer.tp.n) as $n
    | .prompt = (if $n == null then null else ($lasts | bsearch($n)) as $i
	| (if $i < 0 then -1 - $i else $i end) as $i
	| if $i == 0 then null else $prompts[$i - 1] end end);

def event($id): if .type == "error" then "<p class=error>error \(.code | text): \(.message | text)</p>"
    elif .type == "summary" then "<details class=summary><summary>folded into a summary: \(.messages // "?" | text) messages, \(.tokens // "?" | text) tokens</summary><pre>\(.content | body)</pre></details>"
    else "<p class=mark>\(.what | text)\(to_entries | map(select(.key | IN("type", "what", "n", "time", "output") | not) | " \(.key | text)=\(.value | short(200))") | join(""))</p>" end;

def share: if .usage.prompt_tokens? and .prompt.window? then 100 * .usage.prompt_tokens / .prompt.window else null end;
def badge: (if .usage.ms? then "<span>\(.usage.ms | seconds)</span>" else "" end)
    + (if .usage then "<span>in \(.usage.prompt_tokens | commas)</span><span>cached \(.usage.cached_tokens | commas)</span><span>out \(.usage.completion_tokens | commas)</span><span>\(.usage.cost | money)</span>" else "" end)
    + (share | if . == null then "" else "<span>\(fixed(0)) % of the window</span>" end);

def pipe: if .trace == null then "" else .trace.stages
    | ([.[] | .sections + .tools + .messages] + [1] | max) as $most | ([.[].ms] + [1] | max) as $slow
    | "<h5>the pipe: each stage, its time, and the tokens that came in by it: sections <i class=k0></i> tools <i class=k7></i> messages <i class=k8></i></h5><table class=\"bars pipe\"><tr><th>stage<th>time<th>tokens<th class=n>records</tr>"
    + (map("<tr><td>\(.name | text)<td><svg role=img aria-label=\"\(.ms | seconds)\">\([rect(0; .ms | percent($slow); "tool")] | join(""))</svg>\(.ms | seconds)"
	+ ((.sections | percent($most)) as $s | (.tools | percent($most)) as $t
	| "<td><svg role=img aria-label=\"\(.sections) of sections, \(.tools) of tools, \(.messages) of messages\">\([rect(0; $s; "k0"), rect($s; $t; "k7"), rect($s + $t; .messages | percent($most); "k8")] | join(""))</svg>\(.sections + .tools + .messages | commas)")
	+ "<td class=n>\(.in) → \(.out)</tr>"
	+ ([("+", "~", "−") as $m | {"+": .added, "~": .changed, "−": .removed}[$m] | select(. != []) | "\($m) \(map(text) | join("; "))"]
	    | if . == [] then "" else "<tr class=what><td colspan=4>\(join("<br>"))</tr>" end)) | join("")) + "</table>" end;

# What of a request is other than in the one before, if that is on the page: a
# row for each part of each of a thousand requests is more than one can read.
def request($name): if .prompt == null then "" else .prompt | (if .before.sections == .sections then [] else .sections - (.before.sections // []) end) as $sections
    | (if .before.tools == .tools then [] else .tools - (.before.tools // []) end) as $tools |
    "<details class=request><summary>request: \(.tokens | commas) tokens of sections, \(.tools | length | many("tool")), \(.messages.count | many("message"))\(if .messages.shortened then ", \(.messages.shortened | text) shortened" else "" end)</summary><table><tr><th>section<th>where<th><th class=n>tokens</tr>"
    + ($sections | map("<tr\(if .fate == "dropped" then " class=dropped" else "" end)><td><a href=\"#h-\(.hash | anchor)\">\(.id | text)</a><td>\({system: "system message", message: "own message", trailing: "after the messages"}[.place] // .place | text)<td>\({sticky: "always kept", dropped: "dropped: over the budget"}[.fate] // .fate | text)<td class=n>\(.tokens | commas)</tr>") | join(""))
    + (.left_out // [] | map("<tr class=dropped><td>\(text)<td><td>left out by the layout<td></tr>") | join(""))
    + ($tools | map("<tr><td><a href=\"#h-\(.hash | anchor)\">\(.name | text)</a><td>tool<td><td class=n>\(.tokens | commas)</tr>") | join(""))
    + ((.sections | length) + (.tools | length) - ($sections | length) - ($tools | length)
	| if . == 0 then "" else "<tr><td colspan=4>\(many("other")), as in the request before</tr>" end)
    + "</table><p>messages \(.messages.first // "–" | text) to \(.messages.last // "–" | text) of the log, \(.messages.tokens | commas) tokens\(.settings // {} | to_entries | map(select(.key != "session") | ", \(.key | text) \(.value | short(60))") | join(""))</p>\(pipe)</details>" end;

# What an answer cites, once each.
def sources: [.annotations[]? | objects | .url_citation // .file_citation | objects
    | [(.title, .url // .file_id) | strings | select(. != "")] | join(" ") | select(. != "")]
    | reduce .[] as $s ([]; if any(.[]; . == $s) then . else . + [$s] end)
    | if . == [] then "" else "<p class=facts>sources: \(to_entries | map("[\(.key + 1)] \(.value | text)") | join("; "))</p>" end;

def call($sub; $results): . as $c
    | ($results | map(select(.tool_call_id == $c.id))[0]) as $r
    | ([edits][0]) as $edit
    | "<details\(if $edit then " open" else "" end) class=\"call\(if ($r.tp.exit // 0) != 0 or $r.tp.denied then " bad" else "" end)\"><summary><b>\(.function.name | text)</b> <code>\(.function.arguments | short(120))</code> <span>\($r.tp.duration_ms | seconds)</span>\(if $r.tp.denied then " <span class=flag>denied\(if $r.tp.unasked then ": no user was asked" else "" end)</span>" elif ($r.tp.exit // 0) != 0 then " <span class=flag>exit \($r.tp.exit | text)</span>" elif $r == null then " <span class=flag>no result</span>" else "" end)</summary>\(if $edit then "<pre class=diff>\($edit)</pre>" else "<pre>\(.function.arguments | body)</pre>" end)<pre>\($r.content | said | body)</pre></details>";

def show_step($i; $t; $name; $sub): . as $s
    | ((.answer.content | said) // "") as $words
    | "<section class=step id=\"\($name)-\($t)-\($i)\"><h4>step \($i)<small>\(if .answer.tp.time then .answer.tp.time | time else "" end)</small>\(badge)\(if any(.events[]; .what? == "retry") then "<span class=flag>retry</span>" else "" end)\(if .answer.tp.partial then "<span class=flag>broke off</span>" else "" end)</h4>"
    + request($name)
    + (if $words == "" then "" else "<div class=answer>\($words | answer)</div>" end)
    + (.answer | sources)
    + (.answer.tool_calls // [] | map(call($sub; $s.results)) | join(""))
    + (.events | map(event($name) + (if .what? == "agent-start" and $sub[.session // ""].n == .n then "<div class=agent>\($sub[.session].html)</div>" else "" end)) | join(""))
    + (.others | map("<p class=mark>a call for \(.for | text): in \(.prompt_tokens | commas), out \(.completion_tokens | commas), \(.cost | money)</p>") | join(""))
    + "</section>";

# A bar for each step: the model, then its tools, to one scale.
def bars($name): . as $turns
    | ([.[].steps[] | (.usage.ms // 0) + (.results | sum(.tp.duration_ms))] + [1] | max) as $max
    | ([.[].steps[].usage | select(.) | (.prompt_tokens // 0) + (.completion_tokens // 0)] + [1] | max) as $most
    | "<table class=bars><tr><th>step<th>time: model <i class=model></i> tools <i class=tool></i> at most \($max | seconds)<th>tokens: cached <i class=cached></i> new <i class=new></i> answer <i class=out></i> at most \($most | commas)<th class=n>cost</tr>"
    + ([range(0; $turns | length) as $t | $turns[$t]
	| (if .user then "<tr class=turn><td colspan=4>turn \(.number): \(.user.content | said | short(90))</tr>" else empty end),
	  (.steps | to_entries[] | .value as $s | .key as $i
	    | ($s.usage.ms // 0 | percent($max)) as $m
	    | "<tr><td><a href=\"#\($name)-\($turns[$t].number)-\($i + 1)\">\($turns[$t].number).\($i + 1)</a>"
	    + (if any($s.events[]; .type == "error") then " <span class=flag>error</span>" elif any($s.results[]; (.tp.exit // 0) != 0) then " <span class=flag>!</span>" else "" end)
	    + "<td><svg role=img aria-label=\"\($s.usage.ms // 0) ms model, \($s.results | sum(.tp.duration_ms)) ms tools\">\([rect(0; $m; "model")] | join(""))\([$s.results | foreach .[] as $r ({x: $m, w: 0}; {x: (.x + .w), w: ($r.tp.duration_ms // 0 | percent($max))}; rect(.x; .w; "tool"))] | join(""))</svg>"
	    + "<td>\(if $s.usage then ($s.usage.cached_tokens // 0 | percent($most)) as $c | (($s.usage.prompt_tokens // 0) - ($s.usage.cached_tokens // 0) | percent($most)) as $p
		| "<svg role=img aria-label=\"\($s.usage.cached_tokens // 0) cached, \($s.usage.prompt_tokens // 0) in, \($s.usage.completion_tokens // 0) out\">\([rect(0; $c; "cached"), rect($c; $p; "new"), rect($c + $p; $s.usage.completion_tokens // 0 | percent($most); "out")] | join(""))</svg>" else "" end)<td class=n>\($s.usage.cost | money)</tr>")] | join(""))
    + "</table>";

# How the prompt grew: a column for each request, its parts one on another.
def kinds: .sections | map(select(.fate != "dropped")) | map({k: (.id | split(":")[0]), t: .tokens});
def growth: (if length > 120 then .[-120:] else . end) as $p
    | if $p == [] then "" else
    ([$p[] | kinds[]] | group_by(.k) | map({k: .[0].k, t: (map(.t) | add)}) | sort_by(-.t) | map(.k) | .[:6]) as $top
    | ([$top | to_entries[] | {k: .key, name: .value}] + [{k: 6, name: "other sections"}, {k: 7, name: "tools"}, {k: 8, name: "messages"}]) as $names
    | [$p[] | . as $r | (kinds | group_by(.k) | map({(.[0].k): (map(.t) | add)}) | add // {}) as $by
	| [($top[] | $by[.] // 0), ($by | to_entries | map(select(.key as $k | $top | index($k) | not).value) | add // 0),
	   ($r.tools | sum(.tokens)), ($r.messages.tokens // 0)]] as $cols
    | ([$cols[] | add] + [1] | max) as $max
    | (100 / ($cols | length)) as $w
    | "<h3>How the prompt grew</h3><p>One column for each request, the highest \($max | commas) tokens, estimated.</p><svg class=growth viewBox=\"0 0 100 40\" preserveAspectRatio=none role=img aria-label=\"tokens of each request by part\">"
    + ([range(0; $cols | length) as $i | $cols[$i] | foreach range(0; length) as $k ({y: 40, h: 0}; . as $o | {y: $o.y, h: ($cols[$i][$k] * 40 / $max)} | .y -= .h; "<rect class=k\($names[$k].k) x=\"\($i * $w | fixed(3))\" width=\"\($w * 0.9 | fixed(3))\" y=\"\(.y | fixed(3))\" height=\"\(.h | fixed(3))\"/>")] | join(""))
    + "</svg><p class=legend>" + ($names | map("<span><i class=k\(.k)></i>\(.name | text)</span>") | join(" ")) + "</p>"
    end;

# A session, its sub-agents in it.
def session($name; $prompts; $sub; $tree): (map(select(.type == "session"))[0] // {}) as $head
    | map(select(.type != "session")) as $all
    | ($all | if length > $max then .[-$max:] else . end) as $recs
    | ($prompts | map(.messages.last // 0)) as $lasts
    | ($lasts | map(select(. < ($recs[0] | .n // .tp.n // 0))) | length) as $first
    | ($prompts | [range(0; length) as $i | .[$i] + {before: (if $i > $first then .[$i - 1] | {sections, tools} else null end)}]) as $prompts
    | (($all | map(select(isuser)) | length) - ($recs | map(select(isuser)) | length)) as $before
    | ($recs | groups(isuser) | to_entries | map({number: (.key + 1 + $before - (if $recs[0] | isuser then 0 else 1 end)),
	user: (.value[0] | if isuser then . else null end),
	steps: (.value | (if (.[0] | isuser) then .[1:] else . end) | groups(iscall) | map(step($prompts; $lasts)))})) as $turns
    | ($all | sums) as $s
    | "<header id=\"\($name)\"><p class=facts>session \($name), begun \($head.time | time) in \($head.cwd // "–" | text)\(if $head.agent then ", agent \($head.agent | text)" else "" end)\($all | map(.model? // empty) | unique | map(text) | join(", ") | if . == "" then . else "; " + . end)</p>"
    + "<dl><div><dt>turns<dd>\($all | map(select(isuser)) | length)</div><div><dt>calls<dd>\($s.calls)</div><div><dt>tokens in<dd>\($s.in | commas)</div><div><dt>cached<dd>\(if $s.cached then "\($s.cached | percent($s.in) | fixed(0)) %" else "–" end)</div><div><dt>tokens out<dd>\($s.out | commas)</div><div><dt>cost<dd>\($s.cost | money)</div><div><dt>model<dd>\($s.ms | seconds)</div><div><dt>tools<dd>\($s.tool_ms | seconds)</div>\([$turns[].steps[] | share | numbers] | if . == [] then "" else "<div><dt>window<dd>\(max | fixed(0)) %</div>" end)</dl>"
    + ([$all[] | select(.role == "tool" and ((.tp.exit // 0) != 0 or .tp.denied)).tool_call_id] as $failed
	| [$all[] | select(.role == "assistant").tool_calls[]? | select(.id | IN($failed[]) | not) | files] | group_by(.)
	| if . == [] then "" else "<p class=facts>files changed: \(map("<b>\(.[0] | text)</b>\(if length > 1 then " (\(length) times)" else "" end)") | join(", "))</p>" end)
    + ([$all[] | select(.role == "tool" and .tp.denied)] | if . == [] then "" else
	"<p class=facts>not allowed: \(map("<b>\(.name // "?" | text)</b> \(if .tp.unasked then "(no user was asked)" else "(the user, or plan mode)" end)") | join(", "))</p>" end)
    + $tree
    + (if ($all | length) > $max then "<p class=mark>The last \($max) of \($all | length) records are shown; the sums are of all.</p>" else "" end)
    + "</header>"
    + "<div class=overview><h3>Timeline</h3>" + ($turns | bars($name))
    + ($prompts | growth) + "</div>"
    + "<h3>Turns</h3>"
    + ($turns | map(.number as $t | "<article><h3 class=user>turn \($t)<small>\(if .user.tp.time then .user.tp.time | time else "" end)</small></h3>"
	+ (if .user then "<pre class=user>\(.user.content | said | body)</pre>" else "" end)
	+ (.steps | to_entries | map(.key as $i | .value | show_step($i + 1; $t; $name; $sub)) | join("")) + "</article>") | join(""));

def records($path; $files): $files[$path] // [] | map(fromjson? // empty | select(type == "object"));
# The agents of a session, theirs below them.
def tree($path; $depth; $files): [records($path; $files)[] | select(.what? == "agent-start" and (.session | type) == "string" and $files[.session // ""]) ]
    | unique_by(.session) | if . == [] or $depth > 3 then "" else "<ul>" + (map((records(.session; $files) | sums) as $s
	| "<li><a href=\"#\(.session | split("/")[-1] | sub("\\.jsonl$"; "") | anchor)\">\(.agent // "agent" | text)</a>: \($s.calls | many("call")), \($s.in + $s.out | commas) tokens, \($s.cost | money)\(tree(.session; $depth + 1; $files))</li>") | join("")) + "</ul>" end;

# A session's path in the log, its sub-agents' sessions where they began.
def page($path; $depth; $files): records($path; $files) as $recs
    | ($files["\($path | sub("\\.jsonl$"; "")).d/prompts/requests"] // []) as $prompts
    | (reduce ($files["\($path | sub("\\.jsonl$"; "")).d/prompts/traces"] // [] | .[] | fromjson? // empty) as $t ($prompts;
	if ($t.n // 0) > 0 and $t.n <= length then .[$t.n - 1].trace = $t else . end)) as $prompts
    | (reduce ($recs[] | select(.what? == "agent-start" and .session)) as $m ({};
	if has($m.session) or $depth > 3 or ($files[$m.session] | not) then .
	else .[$m.session] = {n: $m.n, html: page($m.session; $depth + 1; $files)} end)) as $sub
    | ($path | split("/")[-1] | sub("\\.jsonl$"; "") | anchor) as $name
    | $recs | session($name; $prompts; $sub; if $depth > 0 then "" else tree($path; 0; $files) | if . == "" then "" else "<p class=facts>agents:</p>\(.)" end end);

[inputs | index("\u0000") as $i | select($i) | {f: .[:$i], l: .[$i + 1:]}]
| . as $in
| ([range(0; length) | select(. == 0 or $in[.].f != $in[. - 1].f)]) as $s
| ([range(0; $s | length) | {($in[$s[.]].f): ($in[$s[.]:($s[. + 1] // ($in | length))] | if .[0].f | endswith("/prompts/requests") then map(.l | fromjson? // empty) else map(.l) end)}] | add // {}) as $files
| (records($main; $files) | ([.[] | select(.role == "assistant") | .tp?.tags?.title?[0]? | strings] | .[-1])
    // ([.[] | select(isuser)] | .[0].content | said | strings | select(. != "")) // ($main | split("/")[-1] | sub("\\.jsonl$"; "")) | short(80)),
  page($main; 0; $files),
  "<h3>Texts of the requests</h3>",
  (reduce (foreach ($files | to_entries[] | select(.key | endswith("/prompts/requests")).value[]) as $r ({};
	{s: ($r.sections // []), t: ($r.tools // []), s0: (.s // []), t0: (.t // [])};
	(.s - .s0 | .[] | {hash, name: "section \(.id)"}), (if .t == .t0 then empty else .t[] | {hash, name: "tool \(.name)"} end)))
    as $p ({}; .[$p.hash // ""] //= {n: length, name: $p.name})) as $names
| ($files | to_entries | map(select(.key | endswith("/prompts/texts")).value[])
    | map(fromjson? // empty | select(.hash? and .text?)) | unique_by(.hash) | sort_by($names[.hash].n // 1e9)[]
    | "<details class=text id=\"h-\(.hash | anchor)\"><summary>\($names[.hash].name // "" | text): \(.text | short(90))</summary><pre>\(.text | body)</pre></details>")
