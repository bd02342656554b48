# turnpipe-diff(1)
# One request as text: a line "== WHAT NAME" before each setting, section,
# tool and message; a line \u0001 after each request.  Input: a file with a
# request record, or the lines of a session and of its ID.d/prompts/texts, each
# as PATH NUL LINE; before each request its line of ID.d/prompts/requests, null
# for a request record, and after it a line \u0001.  $a and $b are the files.
def clean: gsub("[\\x00-\\x08\\x0b-\\x1f\\x7f\\x{80}-\\x{9f}\\x{202a}-\\x{202e}\\x{2066}-\\x{2069}]"; "?");
def flat: paths(if type == "object" or type == "array" then length == 0 else true end) as $p
    | "\($p | map(tostring) | join(".")): \(getpath($p) | tojson)";
# No text looks like a heading.
def body: gsub("(?<a>^|\n)=="; "\(.a) ==");
def said: if type == "array" then .[] | .text? // "[\(.type? // "part")]" else . // empty end | tostring;
def message: "== message \(.role // "?")\(if .name then " " + .name else "" end)",
    (.content | said | body),
    (.tool_calls[]?.function | "-> \(.name) \(.arguments | tostring | body)");
# A system message's sections begin with the tags that its layout gives them.
def system: "== system", (.content | [said] | join("\n") | body | split("\n")[]
    | (capture("^<(?<t>[a-z][a-z-]*)( [^>]*)?>$") | "== section \(.t)") // empty, .);
def setting: to_entries[] | "== setting \(.key)", (.value | if type == "string" then . else tojson end);
def tool: (.function // .) | "== tool \(.name? // "?")", (del(.name?) | flat);

# The lines of the request at hand.
def part: label $last | range(infinite) | input | if . == "\u0001" then break $last else . end;

($a, $b | select(. != "")) as $session | (input | fromjson) as $prompt
| ((if $prompt == null then
    [part | .[index("\u0000") + 1:] | fromjson | select(.type? == "request")][0]
    // error("expected a request record")
    | "== model", (.model // "-"),
    (del(.type, .id, .model, .messages, .tools, .session) | setting),
    (.messages[] | select(.role == "system") | system),
    (.tools[]? | tool),
    (.messages[] | select(.role != "system") | message)
else
    (reduce (part | index("\u0000") as $i | select($i) | {f: .[:$i], l: .[$i + 1:]}) as $in ({};
	$in.f as $f | $in.l as $line
	| if $f == $session then
	    ($line | if contains("\"role\"") then fromjson? else null end) as $m
	    | if $m and $m.tp.n >= $prompt.messages.first and $m.tp.n <= $prompt.messages.last
		then .messages += [$m] else . end
	else ($line | fromjson? // {}) as $t | if $t.hash then .[$t.hash] = $t.text else . end end)) as $text
    | $prompt
    | "== model", (.model // "-"),
    (.settings // {} | del(.session) | setting),
    (.sections[] | "== section \(.id) (\(.place), \(.fate), \(.tokens) tokens)", ($text[.hash] // "(this text is lost)" | body)),
    (.left_out[] | "== section \(.) (left out)"),
    (.tools[] | .name as $n | $text[.hash] // ({name: $n, lost: true} | tojson) | fromjson | tool),
    ($text.messages[]? | message)
end
| clean), "\u0001")
