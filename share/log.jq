# turnpipe-log(1)
# What turnpipe log prints of sessions, $view: list, or one; with $calls the
# requests of one, a line each.  What a terminal could obey is shown as "?".
def pad(n): tostring | (n - length) as $k | (if $k > 0 then " " * $k else "" end) + .;
def text: if type == "array" then map(.text? // empty) | join("") else . // "" end
    | tostring | gsub("[[:space:]]+"; " ") | gsub("[[:cntrl:]\\p{Cf}\\p{Zl}\\p{Zp}]"; "?")
    | if length > 50 then .[:49] + "…" else . end;
def money: if . == null then "-" else . * 10000 | round
    | "\(. / 10000 | floor).\(. % 10000 | tostring | "0" * (4 - length) + .)" end;
def sessions:
    reduce inputs as $line ([];
    input_filename as $file
    | if .[-1].file == $file then . else . + [{n: (length + 1), $file}] end
    | (if $line | contains("\"usage\"") or contains("\"user\"")
	or contains("\"session\"") or contains("\"title\"") then $line | fromjson? // null
	else null end) as $r
    | if $r == null then . else .[-1] |= (
	if $r.type? == "session" then .time = $r.time | .cwd = $r.cwd
	elif $r.type? == "usage" then
	    .tokens += ($r.prompt_tokens // 0) + ($r.completion_tokens // 0)
	    | if $r.cost then .cost += $r.cost else . end
	    | if $calls == "" then . else .calls += [$r] end
	elif $r.role? == "user" then
	    .turns += 1 | if .first then . else .first = ($r.content | text) end
	elif $r.role? == "assistant" then
	    .title = ($r.tp?.tags?.title?[0]? // .title)
	else . end) end)
    | .[];
def call:
    "\(.n | pad(4))  in \(.r.prompt_tokens // "-" | pad(7))" +
    "  cached \(.r.cached_tokens // "-" | pad(7))  out \(.r.completion_tokens // "-" | pad(6))" +
    "  \(.r.cost | money | pad(8))  \(.r.ms // "-" | pad(6)) ms  \(.r.model // "-" | text)\(if .r.for then " (" + (.r.for | text) + ")" else "" end)";

sessions
| if $view == "list" then
    "\(.n | pad(3))  \(.time // "-" | text)  \(.tokens // 0 | pad(8))  \(.cost | money | pad(8))  \(.title // .first // "" | text)"
else
    "session \($s)", "begun \(.time // "-" | text) in \(.cwd // "-" | text)",
    "\(.turns // 0) turns, \(.tokens // 0) tokens, \(.cost | money) dollars",
    (if $calls == "" then empty else .calls // [] | to_entries[] | {n: (.key + 1), r: .value} | call end)
end
