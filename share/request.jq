# turnpipe-diff(1)
# Views of requests, $view: "blocks", what a request has, an object a line; of
# these "text", or "table": what those of $a and $b differ in; "chart" is of a
# line of ID.d/prompts/requests, "map" too, with the request itself in $a: what
# map.awk reads.  Input of "blocks": such a line, null for a
# request record, and the lines of the file $s and of ID.d/prompts/texts, each
# as PATH NUL LINE.  $cols: the columns of a terminal, or "".
# Of a name in a row; msg -C makes the rest visible.
def clean: gsub("[[:cntrl:]]"; "?");
def flat: paths(if type == "object" or type == "array" then length == 0 else true end) as $p
    | "\($p | map(tostring) | join(".")): \(getpath($p) | tojson)";
# No text looks like a heading.
def body: gsub("(?<a>^|\n)=="; "\(.a) ==");
def said: if type == "array" then .[] | .text? // "[\(.type? // "part")]" else . // empty end | tostring;
def quarter: utf8bytelength / 4 | ceil;
# A request record does not say what its parts take.
def block($kind; $name; $text): {kind: $kind, name: ($name // "" | clean), text: $text, tokens: ($text | quarter)};
def message($n): block("message"; "\($n) \(.role // "?")\(if .name then " " + .name else "" end)";
    [(.content | said | body), (.tool_calls[]?.function | "-> \(.name) \(.arguments | tostring | body)")] | join("\n"))
    + {tokens: (del(.tp, .type) | tojson | quarter)};
# A system message's sections begin with the tags that its layout gives them.
def system: .content | [said] | join("\n") | body
    | reduce split("\n")[] as $l ([["system", ""]];
	($l | capture("^<(?<t>[a-z][a-z-]*)( [^>]*)?>$") // null) as $tag
	| if $tag then . + [["section", $tag.t, $l]] else .[-1] += [$l] end)
    | .[] | block(.[0]; .[1]; .[2:] | join("\n"));
def setting: to_entries[] | block("setting"; .key; .value | if type == "string" then . else tojson end) | .tokens = 0;
def tool: (.function // .) | block("tool"; .name? // "?"; [del(.name?) | flat] | join("\n")) + {tokens: (tojson | quarter)};
def model: block("model"; ""; . // "-") | .tokens = 0;
def blocks($prompt):
    if $prompt == null then
	[inputs | .[index("\u0000") + 1:] | fromjson | select(.type? == "request")][0]
	// error("expected a request record")
	| (.model | model), (del(.type, .id, .model, .messages, .tools, .session) | setting),
	(.messages[] | select(.role == "system") | system),
	(.tools[]? | tool),
	(.messages | map(select(.role != "system")) | to_entries[] | .key as $k | .value | message($k + 1))
    else
	(reduce (inputs | index("\u0000") as $i | select($i) | {f: .[:$i], l: .[$i + 1:]}) as $in ({};
	    $in.f as $f | $in.l as $line
	    | if $f == $s then
		($line | if contains("\"role\"") then fromjson? else null end) as $m
		| if $m and $m.tp.n >= $prompt.messages.first and $m.tp.n <= $prompt.messages.last
		    then .messages += [$m] else . end
	    else ($line | fromjson? // {}) as $t | if $t.hash then .[$t.hash] = $t.text else . end end)) as $text
	| $prompt
	| (.model | model), (.settings // {} | del(.session) | setting),
	(.sections[] | block("section"; .id; $text[.hash] // "(this text is lost)" | body)
	    + {place, fate, tokens: (if .fate == "dropped" then 0 else .tokens end)}),
	(.left_out[] | block("section"; .; "") + {fate: "left out"}),
	(.tools[] | .name as $n | .tokens as $t | $text[.hash] // ({name: $n, lost: true} | tojson) | fromjson | tool | .tokens = $t),
	($text.messages[]? | .tp.n as $n | message($n))
    end;
def head: "== " + ([.kind, .name, if .fate then "(\([.place, .fate] | map(strings) | join(", ")))" else empty end]
    | map(select(. != "")) | join(" "));

def pad($n): tostring | " " * ($n - length) + .;
def fit: . as $t | ($cols | tonumber? // 0) as $n | if $n > 1 and length > $n then .[:$n - 1] + "…" else $t end;
# jq 1.6 says null for "" * 0.
def bar($of; $n): (if $of > 0 then . * $n / $of | ceil | [., $n] | min else 0 end) as $k
    | [range($n) | if . < $k then "#" else "." end] | join("");

# A message has no name: it is known by what it says.
def key: if .kind == "message" then [.kind, (.name | split(" ")[1:]), .text] else [.kind, .name] end | tojson;
def keyed: reduce .[] as $b ({n: {}, by: {}, keys: []};
    ($b | key) as $k | .n[$k] += 1 | ($k + "\(.n[$k])") as $k | .by[$k] = $b | .keys += [$k]);
def words: gsub("\\s+"; " ") | if length > 60 then .[:59] + "…" else . end;
def caption($was): [.kind, .name,
    if .kind == "message" then ": " + (.text | words | ltrimstr(" "))
    elif .fate == "dropped" then ": over the budget"
    elif .fate == "left out" then ": left out by the layout"
    elif .kind == "model" or .kind == "setting" then ": " + (if $was then ($was | words) + " -> " else "" end) + (.text | words)
    else "" end] | "\(.[0])\(if .[1] == "" then "" else " " + .[1] end)\(.[2])";
def row: "\(.mark) \(.was // "-" | pad(6)) \(.is // "-" | pad(6)) \((.is // 0) - (.was // 0)
    | if . > 0 then "+\(.)" else "\(.)" end | pad(7))  \(.label)" | fit;
def table($a; $b): ($a | keyed) as $x | ($b | keyed) as $y
    | [$x.keys[], ($y.keys[] | select($x.by[.] | not)) | $x.by[.] as $p | $y.by[.] as $q
	| {was: $p.tokens, is: $q.tokens, same: ($p and $q and $p.text == $q.text and $p.fate == $q.fate),
	   mark: (if $q == null then "-" elif $p == null then "+" else "~" end), label: ($q // $p | caption(if $q then $p.text else null end))}]
    | (map(select(.same)) | {n: length, is: (map(.was) | add // 0)}) as $same
    | map(select(.same | not)) | if . == [] then empty else
    ("  before  after    diff  tokens, estimated" | fit), (sort_by(-((.is // 0) - (.was // 0) | fabs))[] | row),
    ({mark: "=", was: $same.is, is: $same.is, label: "\($same.n) others are the same"} | row),
    ({mark: " ", was: (map(.was // 0) | add + $same.is), is: (map(.is // 0) | add + $same.is), label: "in all"} | row) end;

def percent($of): if $of > 0 then 100 * . / $of | round else 0 end;
def chart: (($cols | tonumber? // 80) as $n | if $n > 0 and $n < 72 then $n else 72 end) as $n
    | ([.sections[] | select(.fate != "dropped")]) as $kept
    | (.tools | map(.tokens) | add // 0) as $tools
    | (.tokens + $tools + .messages.tokens) as $all
    | def line($t; $p; $name): "\($t | pad(6)) \($t | percent($all) | pad(4))%  \(if $n < 72 then "" else ($t | bar($all; 10)) + " " + ($p | pad(8)) + "  " end)\($name | clean)" | fit;
    def many($what): "\(.) \($what)\(if . == 1 then "" else "s" end)";
    "tokens share \(if $n < 72 then "" else "            priority" end)",
    ({system: "in the system message", message: "messages of their own", trailing: "after the messages"} | to_entries[] as $place
	| [$kept[] | select(.place == $place.key)] | select(. != []) | $place.value + ":",
	(.[] | line(.tokens; if .fate == "sticky" then "*" else .priority // "" end; .id))),
    (([.sections[] | select(.fate == "dropped") | "\(.tokens | pad(6)) \(.id | clean), priority \(.priority): over the budget"]
	+ [.left_out[] | "\("" | pad(6)) \(clean): not in this layout"]) | if . == [] then empty else "left out:", (.[] | fit) end),
    "in all:",
    line(.tokens; ""; $kept | length | many("section")),
    (.tools | length | if . > 0 then line($tools; ""; many("tool")) else empty end),
    (.messages | if .count > 0 then line(.tokens; ""; .count | many("message")) else empty end),
    "\($all | pad(6))",
    if $n < 72 then empty else "", "* stays whatever it takes; of the others, the lower its priority the", "sooner a section is left out of a budget of \(.budget) tokens." end,
    (.window // 0 | if . == 0 then empty else . as $w | ([$fold * ($n - 2) | floor, 0] | max) as $f
	| "", "context window of \($w) tokens:",
	"[\($all | bar($w; $n - 2) | .[:$f] + "|" + .[$f + 1:])]",
	"\($all) used (\($all | percent($w))%), \([$w - $all, 0] | max) left", "| \($fold * 100 | round)%: what is oldest is folded" end);

# SECTION TAB whose TAB text as it stands in the request.
def inside: tojson[1:-1];
def source_of: {user: "user", assistant: "model"}[.role] // (if .role == "tool" and (.name // "" | test("^(fetch|web)")) then "web" else "tool" end);
def parts($req): (input | fromjson) as $prompt
    | (reduce (inputs | .[index("\u0000") + 1:] | fromjson? | select(.hash?)) as $t ({}; .[$t.hash] = $t.text)) as $text
    | def placed($where): $prompt.sections[] | select(.place == $where and .fate != "dropped");
      def lines: .id as $id | $text[.hash] // "" | split("\n")[] | select(. != "") | [$id, "", inside];
    [placed("message") | $text[.hash]] as $apart
    | (placed("system") | lines),
    ($req.messages | map(select(.role != "system" and .tp.volatile != true and (.content as $c | $apart | index([$c]) | not))) | to_entries[]
	| "message \(.key + 1) \(.value.role)\(.value.name // "" | if . == "" then "" else " " + . end)" as $name | .value | source_of as $whose
	| ((.content | said), (.tool_calls[]?.function.arguments)) | select(. != "") | [$name, $whose, inside]),
    ((placed("message"), placed("trailing")) | lines),
    ($prompt.tools[] | ["tool " + .name, "tool", $text[.hash] // ""])
    | .[0] |= clean | join("\t");

if $view == "map" then parts($a[0])
elif $view == "blocks" then (input | fromjson) as $prompt | blocks($prompt) | tojson
elif $view == "text" then inputs | fromjson | head, (.text | select(. != ""))
elif $view == "table" then table($a; $b)
else input | fromjson | chart end
