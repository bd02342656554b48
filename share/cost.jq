# turnpipe-cost(1)
# What the calls of sessions cost.  Input: lines PATH NUL RECORD, of usage,
# session and agent-end records.  $by: what a row is; $form: text, json or
# csv; $since: a day, or ""; $cols: the columns of the terminal, or "".
def pad(n): tostring | (n - length) as $k | (if $k > 0 then " " * $k else "" end) + .;
def fit(n): (if length > n then .[:n - 1] + "…" else . end) | . + " " * (n - length);
def commas: tostring | [while(length > 0; .[:-3]) | .[-3:]] | reverse | join(" ");
def money: if . == null then "-" else . * 10000 | round
    | "\(. / 10000 | floor).\(. % 10000 | tostring | "0" * (4 - length) + .)" end;
# fromdateiso8601 of jq 1.6 is an hour off where the zone has summer time.
def epoch: capture("^(?<y>\\d{4})-(?<m>\\d\\d)-(?<d>\\d\\d)T(?<h>\\d\\d):(?<i>\\d\\d):(?<s>\\d\\d)") | map_values(tonumber)
    | (if .m > 2 then .y else .y - 1 end) as $y | ((.m + 9) % 12) as $m
    | (365 * $y + ($y / 4 | floor) - ($y / 100 | floor) + ($y / 400 | floor)
	+ ((153 * $m + 2) / 5 | floor) + .d - 719469) * 86400 + .h * 3600 + .i * 60 + .s;
# A row of a table, on a narrow terminal without what goes in and out.
def cells: if ($cols | tonumber? // 80) < 72 then [.[0], .[1], .[-1]] else . end | join("  ");
def day: .time // "" | try (epoch | localtime | strftime("%Y-%m-%d")) catch "-";
def sum(f): reduce (.[] | f) as $x (0; . + ($x // 0));
# The agent or task of a session's header: "task-NAME-HASH", "agent-NAME".
def agent: (.agent // "default") | if startswith("task-") then "default" else ltrimstr("agent-") end;
def task: (.agent // "") | if startswith("task-") then .[5:] else "-" end;

[inputs | index("\u0000") as $i | select($i) | {path: .[:$i], r: (.[$i + 1:] | fromjson? // empty)}]
| (map(select(.r.type == "session") | {(.path): .r}) | add // {}) as $heads
# What a sub-agent's session cost stands in its caller's log, too.
| (map(select(.r.what? == "agent-end") | .r.session // empty | split("/")[-1])) as $subs
| map(select(.r.type == "usage" and (.path | split("/")[-1] | IN($subs[]) | not))
    | . as $u | ($heads[.path] // {}) as $h
    # What a fork began with was paid in the session that it is of.
    | select((.r.n // 1) > ($h.at // 0))
    | .r + {day: (.r | day), project: (.path | split("/")[-2] // "-"), session: (.path | split("/")[-1] | rtrimstr(".jsonl")),
	who: (.r.agent // ($h | agent)), task: ($h | task)}
    | .row = (if $by == "day" then .day elif $by == "month" then .day[:7] elif $by == "model" then .model // "-"
	elif $by == "agent" then .who elif $by == "project" then .project elif $by == "task" then .task
	else .session end | tostring | gsub("[\n\t]"; " ")))
| map(select($since == "" or .day >= $since))
| (group_by(.row) | map({row: .[0].row, calls: (map(.calls // 1) | add), tokens_in: sum(.prompt_tokens), cached: sum(.cached_tokens),
    tokens_out: sum(.completion_tokens),
    cost: (if any(.[]; .cost) then sum(.cost) * 1e6 | round / 1e6 else null end),
    unpriced: (map(select(.cost | not)) | length)})) as $rows
| (if $by | IN("day", "month", "session") then $rows else $rows | sort_by(-(.cost // 0)) end) as $rows
| if $form == "json" then $rows[] | {($by): .row} + del(.row) | tojson
elif $form == "csv" then ([$by, "calls", "tokens_in", "cached", "tokens_out", "cost", "unpriced"], ($rows[] | [.row, .calls, .tokens_in, .cached, .tokens_out, .cost, .unpriced])) | @csv
else
    ([$rows[].cost // 0] + [0] | max) as $max
    | (if $by == "day" then ($cols | tonumber? // 0) - 76 else 0 end) as $bar
    | ([$rows[] | .row | length] + [$by | length, 5] | max | [., ($cols | tonumber? // 80) - 22, 40] | min) as $w
    | ({row: "total", calls: ($rows | sum(.calls)), tokens_in: ($rows | sum(.tokens_in)), cached: ($rows | sum(.cached)), tokens_out: ($rows | sum(.tokens_out)),
	cost: (if any($rows[]; .cost) then $rows | sum(.cost) else null end), total: true}) as $total
    | ([($by | fit($w)), ("calls" | pad(7)), ("tokens in" | pad(13)), ("cached" | pad(6)), ("tokens out" | pad(11)), ("dollars" | pad(10))] | cells),
    (($rows[], $total) | ([(.row | fit($w)), (.calls | commas | pad(7)), (.tokens_in | commas | pad(13)),
	(if .tokens_in > 0 then 100 * .cached / .tokens_in | round else 0 end | "\(pad(4)) %"), (.tokens_out | commas | pad(11)), (.cost | money | pad(10))] | cells) +
	if $bar > 0 and $max > 0 and (.total | not) then "  " + "█" * ((.cost // 0) * $bar / $max | ceil) else "" end),
    (($rows | sum(.unpriced)) as $n | if $n > 0 then "calls of models without a known price, counted as nothing: \($n); turnpipe-prices(5)" else empty end)
end
