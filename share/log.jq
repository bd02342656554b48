# turnpipe-log(1)
# What turnpipe log prints of sessions, $view: list, with their
# $numbers, else counted from 1; find, the numbers of those whose title has the words $s; one, with
# $calls its requests, a line each, on a terminal of $cols columns or ""; last, the last thing that its user said.
# Input: lines PATH NUL RECORD.
# msg -C cleans it.
def pad(n): tostring | (n - length) as $k | (if $k > 0 then " " * $k else "" end) + .;
def text: if type == "array" then map(.text? // empty) | join("") else . // "" end
    | tostring | gsub("[[:space:]]+"; " ")
    | if length > 50 and $cols == "" then .[:49] + "…" else . end;
def money: if . == null then "-" else . * 10000 | round
    | "\(. / 10000 | floor).\(. % 10000 | tostring | "0" * (4 - length) + .)" end;
# fromdateiso8601 of jq 1.6 is an hour off where the zone has summer time.
def epoch: capture("^(?<y>\\d{4})-(?<m>\\d\\d)-(?<d>\\d\\d)T(?<h>\\d\\d):(?<i>\\d\\d):(?<s>\\d\\d)") | map_values(tonumber)
    | (if .m > 2 then .y else .y - 1 end) as $y | ((.m + 9) % 12) as $m
    | (365 * $y + ($y / 4 | floor) - ($y / 100 | floor) + ($y / 400 | floor)
	+ ((153 * $m + 2) / 5 | floor) + .d - 719469) * 86400 + .h * 3600 + .i * 60 + .s;
def local: . as $t | (try (epoch | localtime | strftime("%Y-%m-%d %H:%M")) catch null) // ($t // "-" | text);
# Is the usage that of the agent that ended?  Two of a name run side by side.
def of($a): .agent == $a.agent and (.session // $a.session) == $a.session;
def sessions:
    ($numbers | split("\n")) as $names
    | foreach ((inputs | index("\u0000") as $i | select($i) | {file: .[:$i], line: .[$i + 1:]}), {}) as $in ({i: -1};
    $in.file as $file | $in.line as $line
    | if .file == $file then .done = null
	else {i: (.i + 1), n: ($names[.i + 1] // (.i + 2)), $file, done: del(.done)} end
    | (.open != null) as $waits
    | (if $line and ($waits or ($line | contains("\"usage\"") or contains("\"user\"")
	or contains("\"session\"") or contains("\"title\"")
	or contains("\"deferred\"") or contains("\"agent-end\""))) then $line | fromjson? // null
	else null end) as $r
    | if $r == null then .
	elif $r.type? == "session" then .time = $r.time | .cwd = $r.cwd
	elif $r.type? == "usage" then
	    .tokens += ($r.prompt_tokens // 0) + ($r.completion_tokens // 0)
	    | if $r.cost then .cost += $r.cost else . end
	    | if $r.for == "agent" then .uses += [$r] else . end
	    | if $calls == "" then . else .calls += [$r] end
	elif $r.type? == "mark" and $r.what? == "agent-end" then
	    .agents += [$r + {use: (.uses // [] | map(select(of($r))) | .[-1])}]
	    | .uses |= (. // [] | map(select(of($r) | not)))
	elif $r.type? == "mark" and $r.what? == "deferred" then
	    .open = ((.open // []) | map(select(.id != $r.id))) + [$r]
	elif $r.role? == "tool" and $waits then
	    .open |= map(select(.id != $r.tool_call_id))
	    | if .open == [] then .open = null else . end
	elif $r.role? == "user" then
	    .open = null | .last = $r | .turns += 1 | if .first then . else .first = ($r.content | text) end
	elif $r.role? == "assistant" then
	    .open = null | .title = ($r.tp?.tags?.title?[0]? // .title)
	else . end;
    .done | select(. and .file));
# A command line is copied into a shell: what is no plain text is left out.
def waiting:
    "open: \(.id | text), a call of \(.name | text); --deny ID=REASON says no",
    (.question // "" | split("\n") | .[] | select(. != "") | "  " + .),
    ([.id, .cwd // ".", $path, .task // ""] | if any(test("[[:cntrl:]\\p{Cf}\\p{Zl}\\p{Zp}]")) then empty else
	"  cd \(.[1] | @sh) && turnpipe \(if .[3] == "" then "-c" else "-T" end) -s \(.[2] | @sh) --allow \(.[0] | @sh)\(if .[3] == "" then "" else " " + (.[3] | @sh) end)" end);
def call:
    "\(.n | pad(4))  in \(.r.prompt_tokens // "-" | pad(7))" +
    "  cached \(.r.cached_tokens // "-" | pad(7))  out \(.r.completion_tokens // "-" | pad(6))" +
    "  \(.r.cost | money | pad(8))  \(.r.ms // "-" | pad(6)) ms  \(.r.model // "-" | text)\(if .r.for then " (" + (.r.for | text) + ")" else "" end)";
# What an agent did is in the sum of its caller; its line is indented.
def agent:
    "  agent \(.agent // "-" | text): \((.use.prompt_tokens // 0) + (.use.completion_tokens // 0)) tokens, "
    + "\(.use.cost | money) dollars, \(.ms // "-") ms, status \(.status // "-"), \((.session | strings) // "-" | split("/")[-1] | text)";

# The words of a text, with a blank around each.
def words: " \(ascii_downcase | gsub("[^\\p{L}\\p{N}]+"; " ")) ";
# What was typed: no file that is behind it, no command's output before it.
def typed: .last | if . == null then empty
    else (.tp?.from[0]?.command? != null) as $ran
    | .content | if type == "array" then map(.text? // empty) | join("\n") else tostring end
    | split("\n\n")[if $ran then -1 else 0 end] // "" | split("\n")
    | (.[:3][], if length > 3 then "[...]" else empty end) | "> " + . end;

if $view == "list" then
    [sessions] as $all | ($all | to_entries[]) as {key: $i, value: $v} | $v
    | "\(.n | pad(3))  \(.time | local | . + " " * (16 - length))" + (
	if ($cols | tonumber? // 80) < 72 then "" else
	"  \(.tokens // 0 | pad(8))  \(.cost | money | pad(8))" end)
	+ "  \(.title // .first // "" | text)",
    (($all[$i + 1].n // empty | tonumber) - (.n | tonumber) - 1
	| if . > 0 then "  …  \(.) of one question" else empty end)
elif $view == "find" then
    sessions | select(.title // .first // "" | words | contains($s | words)) | .n
elif $view == "last" then
    sessions | typed
else
    sessions |
    "session \($s)", "begun \(.time | local) in \(.cwd // "-" | text)",
    "\(.turns // 0) turn\(if .turns == 1 then "" else "s" end), \(.tokens // 0) tokens, \(.cost | money) dollars",
    (.agents // [] | .[] | agent),
    (if $calls == "" then empty else .calls // [] | to_entries[] | {n: (.key + 1), r: .value} | call end),
    (.open // [] | .[] | waiting)
end
