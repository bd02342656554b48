# turnpipe(1), --trace
# What each stage of a profile's pipeline did.  $view "make": from the lines
# of the trace's files, PATH NUL LINE, one record, of request $n; its stages, what each took
# from the stage before and gave to the next, and of the request the tokens
# that came in by it.  "text": such a record for a terminal of $cols columns,
# with $color or not.
def clean: tostring | gsub("[[:cntrl:]\\p{Cf}\\p{Zl}\\p{Zp}]"; "?");
def key: [.type // (if .role then "message" else "tool" end), .id // .name // .function.name? // ""] | map(clean);
# A line that is no record is counted, and else nothing.
def records: map(fromjson? | objects | select(.type != "end") | . + {key: key});
def rest($other): ($other | map({(tojson): 1}) | add // {}) as $o | map(select($o[tojson] | not));
def bytes: map(utf8bytelength + 1) | add // 0;
def many($what): "\(.) \($what)\(if . == 1 then "" else "s" end)";
# Names of what matters in the request, with its tokens; else how many.
def names($of): group_by(.key[0]) | map(.[0].key[0] as $t
    | if $t == "section" or $t == "tool" or $t == "reminder" then
	"\(length | many($t)): " + (map(.key[1] + ($of[.key | tojson] // "" | if . == "" then . else " (\(.))" end)) | join(", "))
    else length | many($t) end);
def make: reduce (inputs | index("\u0000") as $i | select($i) | {f: .[:$i], l: .[$i + 1:]}) as $in ({}; .[$in.f] += [$in.l])
    | . as $files
    | (.request[0] // "null" | fromjson) as $prompt
    | ([$prompt.sections[]? | select(.fate != "dropped") | {key: (["section", .id] | tojson), value: .tokens}]
	+ [$prompt.tools[]? | {key: (["tool", .name] | tojson), value: .tokens}] | from_entries) as $of
    | [$prompt.sections[]? | select(.fate == "dropped").id] as $dropped
    | reduce ($files.stages[] | split("\t")) as $s ({type: "trace", $n, stages: [], seen: {}};
	($files["\($s[0])/in"] // []) as $in | ($files["\($s[0])/out"] // []) as $out
	| ($out | records | rest($in | records)) as $new | ($in | records | rest($out | records)) as $old
	| ([$new[].key | tojson]) as $nk | ([$old[].key | tojson]) as $ok
	| any($new[]; .type == "request") as $composes
	| .seen as $seen | any($new[]; .key[0] == "message") as $talk
	| if $talk then .seen.talk = true else . end
	# A section that no stage brought is the layout's own.
	| ((if $composes then [$of | keys[] | fromjson | {key: .}] else $new end) | map(select($of[.key | tojson] and ($seen[.key | tojson] | not)))) as $first
	| .seen += ($first | map({(.key | tojson): 1}) | add // {})
	| def tokens($t): [$first[] | select(.key[0] == $t) | $of[.key | tojson]] | add // 0;
	.stages += [{name: $s[1], args: $s[4], status: ($s[2] | tonumber), ms: ($s[3] | tonumber / 10),
	    in: ($in | length), out: ($out | length), bytes: (($out | bytes) - ($in | bytes)),
	    sections: (tokens("section") + if $composes then ($prompt.tokens // 0) - ([$prompt.sections[]? | select(.fate != "dropped").tokens] | add // 0) else 0 end), tools: tokens("tool"),
	    messages: (if $talk and ($seen.talk | not) then $prompt.messages.tokens // 0 else 0 end),
	    added: (if $composes then ($first | names($of)) else [$new[] | select(.key | tojson | IN($ok[]) | not)] | names($of) end),
	    changed: (if $composes then [] else [$new[] | select(.key | tojson | IN($ok[]))] | names($of) end),
	    removed: (if $composes then $dropped | map("section: \(clean), over the budget")
		else [$old[] | select(.key | tojson | IN($nk[]) | not)] | names({}) end)}])
    | del(.seen);

def pad($n): tostring | " " * ($n - length) + .;
def wide: ($cols | tonumber? // 80) | if . > 0 then . else 80 end;
def times($s; $n): [range($n) | $s] | join("");
# Words in lines of at most $n characters.
def lines($n): reduce split(" ")[] as $w ([""]; if .[-1] == "" then .[-1] = $w
    elif (.[-1] | length) + ($w | length) < $n then .[-1] += " " + $w else . + [$w] end) | .[];
def list($mark): if . == [] then empty else join("; ") | lines(wide - 5) end;
def picture: wide as $n
    | ([.stages[] | .sections + .tools + .messages] | [max // 0, 1] | max) as $most
    | (if $color then {sections: "\u001b[34m", tools: "\u001b[33m", messages: "\u001b[36m", end: "\u001b[0m"} else {} end) as $paint
    | def part($k; $c): . as $s | (.[$k] * ($n - 52) / $most | ceil) as $w | ($paint[$k] // "") + times(if $color then "█" else $c end; $w) + ($paint.end // "");
    def bar: if $n < 72 then "" else "  " + part("sections"; "#") + part("tools"; "=") + part("messages"; "-") end;
    def row($name; $in; $out; $bytes; $ms; $tokens): if $n < 72 then "\($name | .[:13] | . + times(" "; 13 - length))\($out | pad(6))\($ms | pad(8))\($tokens | pad(8))"
	else "\($name | .[:15] | . + times(" "; 15 - length))\($in | pad(6))\($out | pad(6))\($bytes | pad(9))\($ms | pad(6))\($tokens | pad(7))" end;
    row("stage"; "in"; "out"; "bytes"; "ms"; "tokens"),
    (.stages[] | (row(.name | clean; .in; .out; if .bytes < 0 then .bytes else "+\(.bytes)" end; .ms; .sections + .tools + .messages) + bar | sub(" +$"; ""))
	+ (if .status == 0 then "" else "\n  ended with status \(.status)" end),
	({"+": .added, "~": .changed, "-": .removed} | to_entries[] | .key as $k | [.value | list($k)] | to_entries[]
	    | "  \(if .key == 0 then $k else " " end) \(.value)")),
    row("in all"; ""; ""; ""; [.stages[].ms] | add | . * 10 | round / 10; [.stages[] | .sections + .tools + .messages] | add),
    def sign($k; $c): ($paint[$k] // "") + (if $color then "█" else $c end) + ($paint.end // "") + " \($k)";
    if $n < 72 then empty else "tokens: \(sign("sections"; "#")) \(sign("tools"; "=")) \(sign("messages"; "-"))" end,
    "turnpipe tools -v NAME: why in or out";

if $view == "make" then make | tojson else input | fromjson | picture end
